/*
 * names.c - names in the games of a database on PostgreSQL: players and their games, and how many names there are.
 */
#include "store/postgres/server.h"

#include <stdio.h>
#include <string.h>

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* The distinct texts of one or two columns. */
static const char *const names[] = {
    [PG_PLAYERS] = "SELECT white AS name FROM tabiya.game GROUP BY 1 UNION SELECT black FROM tabiya.game GROUP BY 1",
    [PG_EVENTS] = "SELECT event AS name FROM tabiya.game GROUP BY 1",
    [PG_SITES] = "SELECT site AS name FROM tabiya.game GROUP BY 1",
};

bool server_count_names(server *s, pg_names which, int64_t *out)
{
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT count(name) FROM (%s) AS x", names[which]);
    return pg_number_of(&s->to, sql, 0, out);
}

/* ---- Finding names ---------------------------------------------------------------------------------------------- */

/* Uses the index of words, with the words or a prefix in $1; or the indexes of lower(white) and lower(black), from $1 to
   $2, and from $3 on, beyond ASCII. */
static void put_names(buffer *sql, const server *s, const name_search *search, const char *column)
{
    buffer_printf(sql, "SELECT %s AS name, %s AS n FROM tabiya.game g WHERE ", column,
                  search->is_one ? "1::bigint" : "count(*)");
    if (search->words.n || search->is_anywhere)
        buffer_printf(sql, PG_WORDS " OPERATOR(pg_catalog.@@) $1::tsquery", s->ext, "g.", column);
    else
        buffer_printf(sql, "lower(g.%1$s) >= $1 AND lower(g.%1$s) < $2 OR lower(g.%1$s) >= $3", column);
    if (!search->is_one)
        buffer_printf(sql, " GROUP BY %s", column);
}

/* Words consist of letters and digits. */
static void put_words(buffer *out, const name_search *search)
{
    const tby_text words = search->words;
    for (size_t at = 0; at < words.n; at += strlen(words.s + at) + 1)
        buffer_printf(out, "%s'%s'", at ? " & " : "", words.s + at);
    if (!words.n)
        buffer_printf(out, search->is_anywhere ? "'%s':*" : "%s", search->beginning);
}

/* The values $1 to $3. */
static bool add_values(pg_values *v, const name_search *search)
{
    const size_t n = strlen(search->beginning);
    buffer to = {0};
    put_words(&to, search);
    pg_value(v, to.has_failed || !to.s ? "" : to.s);
    if (!search->words.n && !search->is_anywhere) {
        if (n && !to.has_failed)
            to.s[n - 1]++; /* a letter or digit */
        pg_value(v, n && !to.has_failed ? to.s : "");
        pg_value(v, "\xc2\x80");
    }
    const bool has_failed = to.has_failed || v->texts.has_failed;
    buffer_free(&to);
    return !has_failed;
}

/* Each row is a name and its games. */
static bool send_search(server *s, const name_search *search)
{
    const char *first = search->table == NAMES_EVENT ? "event" : search->table == NAMES_SITE ? "site" : "white";
    pg_values v = {.n = 0};
    buffer sql = {0};
    buffer_string(&sql, search->is_one ? "SELECT name, n FROM (" : "SELECT name, sum(n)::bigint FROM (");
    put_names(&sql, s, search, first);
    if (search->table == NAMES_PLAYER) {
        buffer_string(&sql, " UNION ALL ");
        put_names(&sql, s, search, "black");
    }
    buffer_string(&sql, search->is_one ? ") AS x LIMIT 1" : ") AS x GROUP BY name");
    const bool is_good = !add_values(&v, search) || sql.has_failed ? db_fail_memory(&s->to.base)
                                                                   : pg_send(&s->to, sql.s, &v);
    buffer_free(&sql);
    pg_values_free(&v);
    return is_good;
}

/* Without letters, all words would match. */
bool postgres_names(tby_db *db, const name_search *search)
{
    connection *row = &((server *)db)->to;
    if (!search->words.n && search->is_anywhere && !search->beginning[0])
        return true;
    if (!send_search((server *)db, search))
        return false;
    while (pg_next(row))
        if (search->fits(search->context, pg_text(row, 0)))
            search->take(search->context, pg_text(row, 0), pg_number(row, 1));
    return pg_is_good(row);
}
