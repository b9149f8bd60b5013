/*
 * names.c - names in the games of a database on PostgreSQL: players and their games, and how many names there are. A
 * name may be on several shards; each lists its names in order.
 */
#include "store/postgres/cluster.h"

#include <stdio.h>
#include <string.h>

/* ---- All shards ------------------------------------------------------------------------------------------------- */

static int compare_texts(tby_text a, tby_text b)
{
    const size_t n = a.n < b.n ? a.n : b.n;
    const int order = n ? memcmp(a.s, b.s, n) : 0; /* a server that returns nonsense may send NULL */
    return order ? order : a.n < b.n ? -1 : a.n > b.n;
}

/* The next name of a shard. */
static bool step(cluster *c, size_t index)
{
    c->shards[index].is_asked = pg_next(&c->shards[index].to->to);
    return pg_is_good(&c->shards[index].to->to) || cluster_tell(c, index);
}

/* The shard with the first name; the number of shards if there are no more. */
static size_t first_name(const cluster *c)
{
    size_t first = c->n_shards;
    for (size_t i = 0; i < c->n_shards; i++)
        if (c->shards[i].is_asked && (first == c->n_shards || compare_texts(pg_text(&c->shards[i].to->to, 0),
                                                                            pg_text(&c->shards[first].to->to, 0)) < 0))
            first = i;
    return first;
}

/* Visits the name of the first shard, after the others that are at it were taken; the numbers beside it are added. */
static bool pass_name(cluster *c, size_t first, void (*visit)(void *context, tby_text name, int64_t n), void *context)
{
    const tby_text name = pg_text(&c->shards[first].to->to, 0);
    int64_t sum = pg_number(&c->shards[first].to->to, 1);
    for (size_t i = first + 1; i < c->n_shards; i++) {
        const connection *row = &c->shards[i].to->to;
        if (!c->shards[i].is_asked || compare_texts(pg_text(row, 0), name) != 0)
            continue;
        sum += pg_number(row, 1);
        if (!step(c, i))
            return false;
    }
    visit(context, name, sum);
    return step(c, first);
}

/* Each shard lists names in byte order, with a number for each. Calls `visit` once for each name, with the sum of its
   numbers. */
static bool merge_names(cluster *c, bool (*send)(server *s, const void *question), const void *question,
                        void (*visit)(void *context, tby_text name, int64_t n), void *context)
{
    bool is_good = true;
    for (size_t i = 0; i < c->n_shards; i++) {
        c->shards[i].is_asked = is_good && send(c->shards[i].to, question);
        is_good = is_good && (c->shards[i].is_asked || cluster_tell(c, i));
    }
    for (size_t i = 0; i < c->n_shards && is_good; i++)
        is_good = step(c, i);
    for (size_t first; is_good && (first = first_name(c)) < c->n_shards;)
        is_good = pass_name(c, first, visit, context);
    for (size_t i = 0; i < c->n_shards && !is_good; i++)
        if (c->shards[i].is_asked)
            pg_stop(&c->shards[i].to->to, true);
    return is_good;
}

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* The distinct texts of one or two columns. */
static const char *const names[] = {
    [PG_PLAYERS] = "SELECT white AS name FROM tabiya.game GROUP BY 1 UNION SELECT black FROM tabiya.game GROUP BY 1",
    [PG_EVENTS] = "SELECT event AS name FROM tabiya.game GROUP BY 1",
    [PG_SITES] = "SELECT site AS name FROM tabiya.game GROUP BY 1",
};

static bool send_names(server *s, const void *which)
{
    char sql[192];
    snprintf(sql, sizeof sql, "SELECT name, 1 FROM (%s) AS x WHERE name IS NOT NULL ORDER BY name COLLATE \"C\"",
             names[*(const pg_names *)which]);
    return pg_send(&s->to, sql, NULL);
}

static void count_name(void *context, tby_text name, int64_t n)
{
    (void)name;
    (void)n;
    ++*(int64_t *)context;
}

/* A name on several shards counts once. */
bool cluster_count_names(cluster *c, pg_names which, int64_t *out)
{
    char sql[160];
    *out = 0;
    snprintf(sql, sizeof sql, "SELECT count(name) FROM (%s) AS x", names[which]);
    if (cluster_is_single(c))
        return pg_number_of(&c->shards[0].to->to, sql, 0, out) || cluster_tell(c, 0);
    return merge_names(c, send_names, &which, count_name, out);
}

/* ---- Players ---------------------------------------------------------------------------------------------------- */

/* Uses the indexes of lower(white) and lower(black), from $1 to $2, and from $3 on, beyond ASCII; or the index of
   words, with the prefix in $1. */
static void put_players(buffer *sql, const server *s, const char *column, bool is_anywhere)
{
    buffer_printf(sql, "SELECT %1$s AS name, count(*) AS n FROM tabiya.game g WHERE ", column);
    if (is_anywhere)
        buffer_printf(sql, PG_WORDS " OPERATOR(pg_catalog.@@) $1::tsquery", s->ext, "g.", column);
    else
        buffer_printf(sql, "lower(g.%1$s) >= $1 AND lower(g.%1$s) < $2 OR lower(g.%1$s) >= $3", column);
    buffer_printf(sql, " GROUP BY %s", column);
}

/* Each row is a name and its games, in a cluster in the order of bytes. */
static bool send_players(server *s, const void *question)
{
    const player_search *search = question;
    pg_values v = {.n = 0};
    buffer to = {0}, sql = {0};
    const size_t n = strlen(search->beginning);
    if (search->is_anywhere)
        buffer_printf(&to, "'%s':*", search->beginning); /* letters and digits */
    else
        buffer_add(&to, search->beginning, n);
    pg_value(&v, to.has_failed || !to.s ? "" : to.s);
    if (!search->is_anywhere) {
        if (n && !to.has_failed)
            to.s[n - 1]++; /* a letter or digit */
        pg_value(&v, n && !to.has_failed ? to.s : "");
        pg_value(&v, "\xc2\x80");
    }
    buffer_string(&sql, "SELECT name, sum(n)::bigint FROM (");
    put_players(&sql, s, "white", search->is_anywhere);
    buffer_string(&sql, " UNION ALL ");
    put_players(&sql, s, "black", search->is_anywhere);
    buffer_string(&sql, s->n_siblings ? ") AS x GROUP BY name ORDER BY name COLLATE \"C\"" : ") AS x GROUP BY name");
    const bool is_good = to.has_failed || sql.has_failed || v.texts.has_failed ? db_fail_memory(&s->to.base)
                                                                               : pg_send(&s->to, sql.s, &v);
    buffer_free(&to);
    buffer_free(&sql);
    pg_values_free(&v);
    return is_good;
}

static void take_player(void *context, tby_text name, int64_t games)
{
    const player_search *search = context;
    if (search->fits(search->context, name))
        search->take(search->context, name, games);
}

/* Without letters, all words would match. */
bool cluster_players(tby_db *db, const player_search *search)
{
    cluster *c = (cluster *)db;
    return (search->is_anywhere && !search->beginning[0]) ||
           (cluster_reach(c) && merge_names(c, send_players, search, take_player, (void *)search));
}
