/*
 * maintain.c - maintenance of a database on PostgreSQL: sizes and verification.
 */
#include "store/postgres/server.h"

#include <stdio.h>
#include <string.h>

/* ---- Sizes ------------------------------------------------------------------------------------------------------ */

/* Name and bytes, the largest first. */
#define SIZES                                                                                                          \
    "SELECT relname::text, pg_relation_size(oid) + CASE WHEN reltoastrelid <> 0 THEN pg_total_relation_size("          \
    "reltoastrelid) ELSE 0 END FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace AND relkind IN ('r', 'i')"    \
    " ORDER BY 2 DESC, 1"

bool postgres_sizes(tby_db *db, tby_db_size visit, void *context)
{
    server *s = (server *)db;
    pg_send(&s->to, s->has_citus ? citus_sizes : SIZES, NULL);
    while (pg_next(&s->to)) {
        char name[128]; /* PostgreSQL's names have at most 63 bytes */
        const tby_text text = pg_text(&s->to, 0);
        snprintf(name, sizeof name, "%.*s", (int)text.n, text.s ? text.s : "");
        visit(context, name, pg_number(&s->to, 1));
    }
    return pg_is_good(&s->to);
}

/* ---- Verification ----------------------------------------------------------------------------------------------- */

/* Checks the games, and the counts. */
typedef struct verifier {
    server *server;
    tby_db_fault fault;
    tby_db_progress progress;
    void *context;
    int64_t n_faults, n_games, n_all;
    tby_game *game;
    tby_batch *batch;
    bool has_no_memory;
} verifier;

static void report(verifier *v, tby_game_id id, const char *text)
{
    v->n_faults++;
    if (v->fault)
        v->fault(v->context, id, text);
}

/* Reads and prepares the game again; the result must match what is stored about it. */
static bool check_game(void *context, const tby_db_hit *hit)
{
    verifier *v = context;
    const tby_row row = server_visited_row(&v->server->to, KINDS_ALL);
    const char *fault;
    const tby_status status = db_make_again(v->batch, v->game, &row, &fault);
    if (status == TBY_OK) {
        const tby_row made = tby_batch_row(v->batch, 0);
        fault = row_is_equal(&row, &made, true) ? NULL : "its columns do not match its game";
    }
    if (fault)
        report(v, hit->id, fault);
    v->has_no_memory = status == TBY_NO_MEMORY;
    const bool is_stopped = ++v->n_games % 4096 == 0 && v->progress &&
                            !v->progress(v->context, v->n_all ? (double)v->n_games / (double)v->n_all : 1);
    return !v->has_no_memory && !is_stopped;
}

static bool verify_games(verifier *v, tby_db *db)
{
    const tby_db_search all = {.wanted = TBY_WANTED_GAMES};
    v->game = tby_game_new(NULL);
    v->batch = tby_batch_new();
    const bool has_memory = v->game && v->batch;
    const bool is_good = has_memory && postgres_n_games(db, &v->n_all) && db_find(db, &all, check_game, v);
    if (!has_memory || v->has_no_memory)
        db_fail_memory(db);
    tby_game_free(v->game);
    tby_batch_free(v->batch);
    return is_good && !v->has_no_memory;
}

#define START "%1$sgetBoard(''::%1$schessgame)"

/* Each game has a start: the counts of the usual start must equal the number of games with it. The totals, at each
   level, must equal the folded counts. Citus plans subqueries next to a table that every node has only if they do not
   refer to it. */
#define START_KEY "%1$spositionKey(" START ")"
static const char start_counts[] =
    "SELECT 1 FROM tabiya.game_tracked t WHERE t.position = " START_KEY " AND t.is_popular AND (SELECT"
    " coalesce(sum(m.games), 0) FROM tabiya.game_played m WHERE m.position = " START_KEY ") <> (SELECT count(*) FROM"
    " tabiya.game g WHERE %1$shasPosition(g.moves, " START "))";
/* The same by pool, where every row has one: those of version 1.1 have none. */
static const char without_pool[] =
    "SELECT count(*) FROM (SELECT 1 FROM tabiya.game_played WHERE pool IS NULL LIMIT 1) AS x";
static const char pool_counts[] =
    "SELECT 1 FROM tabiya.game_tracked t WHERE t.position = " START_KEY " AND t.is_popular AND (SELECT string_agg("
    "m.pool || ' ' || m.n, ',' ORDER BY m.pool) FROM (SELECT pool, sum(games) AS n FROM tabiya.game_played WHERE"
    " position = " START_KEY " GROUP BY 1 HAVING sum(games) <> 0) AS m) IS DISTINCT FROM (SELECT string_agg(x.pool ||"
    " ' ' || x.n, ',' ORDER BY x.pool) FROM (SELECT %1$stabiya_pool(g.white_elo, g.black_elo, g.speed, g.tags) AS pool,"
    " count(*) AS n FROM tabiya.game g WHERE %1$shasPosition(g.moves, " START ") GROUP BY 1) AS x)";
static const char total_counts[] =
    "SELECT 1 FROM (SELECT position, level, sum(games) AS n FROM tabiya.game_totals GROUP BY 1, 2) AS t FULL JOIN"
    " (SELECT position, sum(games) AS n FROM tabiya.game_played WHERE is_folded GROUP BY 1) AS m ON t.position ="
    " m.position WHERE t.n IS DISTINCT FROM m.n LIMIT 1";

/* Sets `*n_wrong` to more than 0 if some counts are wrong. */
static bool check_counts(server *s, int64_t *n_wrong)
{
    bool is_without = true;
    buffer sql = {0};
    *n_wrong = 0;
    if (s->is_current && !pg_is_true(&s->to, without_pool, &is_without))
        return false;
    buffer_printf(&sql, is_without ? start_counts : pool_counts, s->ext);
    const bool is_good = pg_query(&s->to, sql.has_failed ? NULL : sql.s, NULL, n_wrong) &&
                         (*n_wrong || pg_query(&s->to, total_counts, NULL, n_wrong));
    buffer_free(&sql);
    return is_good;
}

static bool verify_counts(verifier *v)
{
    server *s = v->server;
    int64_t n_wrong = 0;
    bool has_counts, are_right;
    if (!server_has(s, "game_totals", &has_counts))
        return false;
    const bool is_good = !has_counts || check_counts(s, &n_wrong);
    if (n_wrong)
        report(v, 0,
               s->has_citus
                   ? "the counts of moves do not match the games; after SELECT tabiya.games_changed() the next import"
                     " counts again"
                   : "the counts of moves do not match the games; run tabiya.game_played_refresh() to count again");
    if (!is_good || !contents_verify(s, &are_right))
        return false;
    if (!are_right)
        report(v, 0,
               s->has_citus ? "the numbers of tabiya info do not match the games; after SELECT"
                              " tabiya.games_changed() the next import counts again"
                            : "the numbers of tabiya info do not match the games; after DELETE FROM"
                              " tabiya.game_content the next import counts again");
    return true;
}

bool postgres_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    verifier v = {.server = (server *)db, .fault = fault, .progress = progress, .context = context};
    const bool is_good = verify_games(&v, db) && verify_counts(&v);
    *n_faults = v.n_faults;
    return is_good;
}
