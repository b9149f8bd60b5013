/*
 * find.c - finds games by position, opening, names, numbers and SQL.
 *
 * The games that come to a position are found first (scan.c) and put into a table of the connection's own; the rest is
 * one SQL query, whose conditions use the indexes of names and openings where there are any.
 */
#include "game/array.h"
#include "store/sqlite/scan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- The query ------------------------------------------------------------------------------------------ */

/* A condition that cannot be built makes the whole statement fail: what is left would find more than was asked for. */
typedef struct sql_text {
    sqlite3_str *text;
    bool has_condition, has_failed;
} sql_text;

static void condition(sql_text *q, const char *format, ...)
{
    va_list args;
    sqlite3_str_appendall(q->text, q->has_condition ? " AND " : " WHERE ");
    va_start(args, format);
    sqlite3_str_vappendf(q->text, format, args);
    va_end(args);
    q->has_condition = true;
}

static void like_text(sqlite3_str *text, const char *pattern)
{
    sqlite3_str_appendall(text, "LIKE '");
    for (const char *c = pattern; *c; c++) {
        if (*c == '*')
            sqlite3_str_appendall(text, "%");
        else if (*c == '%' || *c == '_' || *c == '\\')
            sqlite3_str_appendf(text, "\\%c", *c);
        else
            sqlite3_str_appendchar(text, *c == '\'' ? 2 : 1, *c);
    }
    sqlite3_str_appendall(text, "' ESCAPE '\\'");
}

/* A pattern as the right side of a comparison. */
static char *pattern_text(const char *pattern)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    if (strchr(pattern, '*'))
        like_text(text, pattern);
    else
        sqlite3_str_appendf(text, "= %Q COLLATE NOCASE", pattern);
    return sqlite3_str_finish(text);
}

/* A name that a game lacks fits the empty pattern only. */
static char *name_text(const char *column, const char *table, const char *name)
{
    char *pattern = pattern_text(name);
    char *text = pattern
                     ? sqlite3_mprintf("(game.%s IN (SELECT id FROM %s WHERE name %s)%s%s%s)", column, table, pattern,
                                       *name ? "" : " OR game.", *name ? "" : column, *name ? "" : " IS NULL")
                     : NULL;
    sqlite3_free(pattern);
    return text;
}

static void name_condition(sql_text *q, const char *column, const char *table, const char *name)
{
    if (!name)
        return;
    char *text = name_text(column, table, name);
    if (text)
        condition(q, "%s", text);
    q->has_failed |= !text;
    sqlite3_free(text);
}

static void player_condition(sql_text *q, const char *name)
{
    if (!name)
        return;
    char *white = name_text("white", "player", name), *black = name_text("black", "player", name);
    if (white && black)
        condition(q, "(%s OR %s)", white, black);
    q->has_failed |= !white || !black;
    sqlite3_free(white);
    sqlite3_free(black);
}

static void eco_condition(sql_text *q, const tby_db_query *query)
{
    char *pattern = query->eco ? pattern_text(query->eco) : NULL;
    if (pattern)
        condition(q, "(game.eco %s%s)", pattern, *query->eco ? "" : " OR game.eco IS NULL");
    q->has_failed |= query->eco && !pattern;
    sqlite3_free(pattern);
    if (query->eco_min)
        condition(q, "game.eco >= %Q COLLATE NOCASE", query->eco_min);
    if (query->eco_max)
        condition(q, "substr(game.eco, 1, length(%Q)) <= %Q COLLATE NOCASE", query->eco_max, query->eco_max);
}

static void range_condition(sql_text *q, const char *expression, int min, int max)
{
    if (min > 0)
        condition(q, "%s >= %d", expression, min);
    if (max > 0)
        condition(q, "%s <= %d", expression, max);
}

static void hex_write(char *out, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * n] = '\0';
}

/* A range of packed games, which the index of moves serves. */
static void opening_condition(sql_text *q, const uint8_t *bytes, size_t n)
{
    uint8_t *end = sqlite3_malloc64(n);
    char *from = sqlite3_malloc64(2 * n + 1), *to = sqlite3_malloc64(2 * n + 1);
    if (end && from && to) {
        hex_write(from, end, tby_chessgame_opening(end, bytes, n));
        hex_write(to, end, tby_chessgame_opening_end(end, bytes, n));
        condition(q, "game.moves >= x'%s' AND game.moves < x'%s'", from, to);
    }
    q->has_failed |= !end || !from || !to;
    sqlite3_free(end);
    sqlite3_free(from);
    sqlite3_free(to);
}

/* The last day that a date with unknown parts can mean. */
#define LAST_DAY "(game.date + CASE WHEN game.date % 10000 = 0 THEN 9999 WHEN game.date % 100 = 0 THEN 99 ELSE 0 END)"

static void conditions(sql_text *q, const tby_db_query *query)
{
    if (query->n_opening)
        opening_condition(q, query->opening, query->n_opening);
    player_condition(q, query->player);
    name_condition(q, "white", "player", query->white);
    name_condition(q, "black", "player", query->black);
    name_condition(q, "event", "event", query->event);
    name_condition(q, "site", "site", query->site);
    eco_condition(q, query);
    if (query->result)
        condition(q, "game.result = %Q", query->result);
    range_condition(q, "min(game.white_elo, game.black_elo)", query->elo_min, 0);
    range_condition(q, "max(game.white_elo, game.black_elo)", 0, query->elo_max);
    range_condition(q, LAST_DAY, query->date_min, 0);
    range_condition(q, "game.date", 0, query->date_max);
    range_condition(q, "game.plies", query->plies_min, query->plies_max);
    if (query->where)
        condition(q, "game.id IN (SELECT id FROM games WHERE %s)", query->where);
}

/* "SELECT what FROM game [JOIN hit] WHERE ..."; NULL without memory. `*has_condition`, if wanted, tells of the WHERE. */
static char *query_text(const tby_db_query *query, const char *what, bool *has_condition)
{
    sql_text q = {sqlite3_str_new(NULL), false, false};
    if (query->target)
        sqlite3_str_appendf(q.text, "SELECT %s FROM temp.hit CROSS JOIN game ON game.id = hit.game", what);
    else
        sqlite3_str_appendf(q.text, "SELECT %s FROM game", what);
    conditions(&q, query);
    if (has_condition)
        *has_condition = q.has_condition;
    char *text = sqlite3_str_finish(q.text);
    if (q.has_failed) {
        sqlite3_free(text);
        text = NULL;
    }
    return text;
}

/* ---- Positions ------------------------------------------------------------------------------------------ */

typedef struct hit_list {
    tby_db *db;
    tby_db_hit *hits;
    size_t n, cap;
} hit_list;

static bool add_hit(void *context, const hit *h)
{
    hit_list *list = context;
    if (!array_reserve(&list->hits, &list->cap, list->n + 1, sizeof *list->hits, NULL))
        return tby_db_fail_memory(list->db);
    list->hits[list->n++] = (tby_db_hit){h->id, h->ply};
    return true;
}

static int compare_hits(const void *a, const void *b)
{
    const tby_db_hit *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* What the index tells comes before what the scan finds. */
static void sort_hits(hit_list *list)
{
    for (size_t i = 1; i < list->n; i++)
        if (list->hits[i].id < list->hits[i - 1].id) {
            qsort(list->hits, list->n, sizeof *list->hits, compare_hits);
            return;
        }
}

static bool put_hits(tby_db *db, const hit_list *list)
{
    bool is_good = tby_db_run(db, "CREATE TEMP TABLE IF NOT EXISTS hit(game INTEGER PRIMARY KEY, ply INTEGER);"
                                  "DELETE FROM temp.hit; SAVEPOINT hits");
    sqlite3_stmt *s = is_good ? tby_db_prepare(db, "INSERT INTO temp.hit VALUES(?1, ?2)") : NULL;
    for (size_t i = 0; s && is_good && i < list->n; i++) {
        sqlite3_bind_int64(s, 1, list->hits[i].id);
        sqlite3_bind_int(s, 2, list->hits[i].ply);
        is_good = tby_db_do(db, s);
    }
    sqlite3_finalize(s);
    return s && tby_db_run(db, "RELEASE hits") && is_good;
}

static scan_options options_of(const tby_db_query *query)
{
    return (scan_options){
        .targets = query->target,
        .n_targets = 1,
        .max_ply = query->max_ply > 0 ? query->max_ply : TBY_PLIES_MAX,
        .n_threads = query->n_threads,
        .ignores_index = query->ignores_index,
    };
}

static bool find_hits(tby_db *db, const tby_db_query *query, hit_list *out)
{
    const scan_options options = options_of(query);
    if (!tby_scan(db, &options, add_hit, out))
        return false;
    sort_hits(out);
    return true;
}

/* Is the position all that is asked for? */
static bool is_position_only(const tby_db_query *query)
{
    bool has_condition = true;
    char *sql = query->target ? query_text(query, "1", &has_condition) : NULL;
    sqlite3_free(sql);
    return sql && !has_condition;
}

static bool visit_hits(const hit_list *list, const tby_db_query *query, tby_db_visit visit, void *context)
{
    const size_t first = query->offset > 0 ? (size_t)query->offset : 0;
    for (size_t i = first; i < list->n && (!query->limit || i - first < (size_t)query->limit); i++)
        if (!visit(context, &list->hits[i]))
            break;
    return true;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

static bool visit_rows(tby_db *db, const char *sql, const tby_db_query *query, tby_db_visit visit, void *context)
{
    bool failed = false, goes_on = true;
    sqlite3_stmt *s = tby_db_prepare(db, sql);
    if (!s)
        return false;
    while (goes_on && tby_db_step(db, s, &failed)) {
        const tby_db_hit h = {sqlite3_column_int64(s, 0), query->target ? sqlite3_column_int(s, 1) : -1};
        goes_on = visit(context, &h);
    }
    sqlite3_finalize(s);
    return !failed;
}

static bool find_rows(tby_db *db, const tby_db_query *query, tby_db_visit visit, void *context)
{
    char *text = query_text(query, query->target ? "game.id, hit.ply" : "game.id", NULL);
    char *sql = text ? sqlite3_mprintf("%s ORDER BY game.id LIMIT %lld OFFSET %lld", text,
                                       (long long)(query->limit > 0 ? query->limit : -1), (long long)query->offset)
                     : NULL;
    const bool is_good = sql ? visit_rows(db, sql, query, visit, context) : tby_db_fail_memory(db);
    sqlite3_free(text);
    sqlite3_free(sql);
    return is_good;
}

bool tby_db_find(tby_db *db, const tby_db_query *query, tby_db_visit visit, void *context)
{
    hit_list list = {db, NULL, 0, 0};
    bool is_good = !query->target || find_hits(db, query, &list);
    if (is_good && is_position_only(query))
        is_good = visit_hits(&list, query, visit, context);
    else if (is_good)
        is_good = (!query->target || put_hits(db, &list)) && find_rows(db, query, visit, context);
    free(list.hits);
    return is_good;
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

static bool count_row(void *context, const tby_db_hit *h)
{
    (void)h;
    ++*(int64_t *)context;
    return true;
}

static bool count_hit(void *context, const hit *h)
{
    (void)h;
    ++*(int64_t *)context;
    return true;
}

static void count_many(void *context, size_t target, uint32_t n_games)
{
    (void)target;
    *(int64_t *)context += n_games;
}

int64_t tby_db_count(tby_db *db, const tby_db_query *query)
{
    int64_t n = 0;
    if (!is_position_only(query) || query->limit || query->offset)
        return tby_db_find(db, query, count_row, &n) ? n : -1;
    scan_options options = options_of(query);
    options.count = count_many;
    return tby_scan(db, &options, count_hit, &n) ? n : -1;
}
