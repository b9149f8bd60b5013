/*
 * db_works.h - every kind of work on a database, for tests in which memory or the disk fails.
 *
 * Each kind runs on a copy of one database. After a failure the answer must be an error or the same as without it.
 */
#ifndef TBY_TEST_DB_WORKS_H
#define TBY_TEST_DB_WORKS_H

#include "db_support.h"

enum { GAMES = 40, FIRST_UNINDEXED = 25 };

/* Called around steps that must not fail, such as building games. */
static void (*works_pause)(bool is_paused);

/* ---- Work ------------------------------------------------------------------------------------------------ */

/* What a kind of work answered: numbers, or the bytes of games. It is allocated before memory runs out. */
typedef struct answer {
    tby_status status;
    size_t n;
    bool is_too_long;
    _Alignas(tby_game_id) char bytes[1 << 17];
} answer;

static bool take_bytes(void *context, const char *s, size_t n)
{
    answer *a = context;
    a->is_too_long |= n > sizeof a->bytes - a->n;
    if (a->is_too_long)
        return false;
    if (n > 0)
        memcpy(a->bytes + a->n, s, n);
    a->n += n;
    return true;
}

static void take_number(answer *a, int64_t number)
{
    char text[32];
    take_bytes(a, text, (size_t)snprintf(text, sizeof text, "%lld ", (long long)number));
}

typedef struct work {
    const char *name;
    tby_status (*run)(tby_db *db, const tby_db_search *search, answer *out);
    const char *query;
    const char *where;
    unsigned n_threads;
    bool writes;
} work;

static bool take_hit(void *context, const tby_db_hit *hit)
{
    take_number(context, hit->id);
    take_number(context, hit->ply);
    return true;
}

static tby_status run_find(tby_db *db, const tby_db_search *search, answer *out)
{
    return tby_db_find(db, search, take_hit, out);
}

static tby_status run_count(tby_db *db, const tby_db_search *search, answer *out)
{
    int64_t n = 0;
    const tby_status status = tby_db_count(&n, db, search);
    take_number(out, n);
    return status;
}

static tby_status run_explain(tby_db *db, const tby_db_search *search, answer *out)
{
    return tby_db_explain(db, search, take_bytes, out);
}

/* Whole games, as export and find --to pgn write them. */
typedef struct exporting {
    tby_db *db;
    tby_game *game;
    answer *out;
    tby_status status;
} exporting;

static bool export_hit(void *context, const tby_db_hit *hit)
{
    exporting *e = context;
    tby_row row;
    e->status = tby_db_row(&row, e->db, hit->id);
    if (e->status == TBY_OK)
        take_bytes(e->out, row.white.s, row.white.n);
    if (e->status == TBY_OK)
        e->status = tby_db_game(e->game, e->db, hit->id);
    if (e->status == TBY_OK && !tby_pgn_write(e->game, 0, take_bytes, e->out))
        e->status = TBY_IO_ERROR;
    return e->status == TBY_OK;
}

static tby_status run_export(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_db_search wanted = *search;
    exporting e = {.db = db, .game = tby_game_new(NULL), .out = out};
    wanted.wanted = TBY_WANTED_GAMES;
    if (!e.game)
        return TBY_NO_MEMORY;
    const tby_status status = tby_db_find(db, &wanted, export_hit, &e);
    tby_game_free(e.game);
    return status != TBY_OK ? status : e.status;
}

static tby_status run_explore(tby_db *db, const tby_db_search *search, answer *out)
{
    static tby_db_moves moves;
    tby_position pos;
    tby_position_start(&pos);
    memset(&moves, 0, sizeof moves);
    const tby_status status = tby_db_explore(&moves, db, &pos, search);
    take_number(out, (int64_t)moves.games);
    for (size_t i = 0; i < moves.n_moves; i++) {
        take_number(out, (int64_t)moves.moves[i].games);
        take_number(out, (int64_t)moves.moves[i].reached);
        take_number(out, (int64_t)moves.moves[i].elo_sum);
    }
    return status;
}

static bool take_passing(void *context, const tby_db_reaching *game)
{
    take_number(context, game->id);
    take_number(context, game->ply);
    take_number(context, game->next);
    take_number(context, game->facts.date);
    return true;
}

/* The games that reach the start position. */
static tby_status run_passing(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_position pos;
    tby_position_start(&pos);
    return tby_db_explore_games(db, &pos, search, take_passing, out);
}

/* The moves played after a match. */
static tby_status run_match(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_db_played played = {0};
    const tby_status status = tby_db_explore_match(&played, db, search);
    take_number(out, (int64_t)played.games);
    for (size_t i = 0; status == TBY_OK && i < played.n_moves; i++)
        take_number(out, (int64_t)played.moves[i].games);
    tby_db_played_free(&played);
    return status;
}

/* As lists of games are made: the second page, with the facts of each game. */
typedef struct listing {
    tby_db *db;
    answer *out;
    tby_status status;
} listing;

static bool list_hit(void *context, const tby_db_hit *hit)
{
    listing *l = context;
    tby_row row;
    tby_db_facts facts;
    l->status = tby_db_row(&row, l->db, hit->id);
    if (l->status == TBY_OK)
        take_bytes(l->out, row.black.s, row.black.n);
    if (l->status == TBY_OK)
        l->status = tby_db_facts_of(&facts, l->db, hit->id);
    if (l->status == TBY_OK)
        take_number(l->out, facts.elo[0]);
    return l->status == TBY_OK;
}

static tby_status run_list(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_db_search page = *search;
    listing l = {.db = db, .out = out};
    page.offset = 2;
    page.limit = 5;
    page.wanted = TBY_WANTED_ROWS;
    const tby_status status = tby_db_find(db, &page, list_hit, &l);
    return status != TBY_OK ? status : l.status;
}

static void take_size(void *context, const char *name, int64_t n_bytes)
{
    take_bytes(context, name, strlen(name));
    take_number(context, n_bytes);
}

static tby_status run_sizes(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)search;
    return tby_db_sizes(db, take_size, out);
}

static tby_status run_check_where(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)out;
    return tby_db_check_where(db, search->where);
}

static tby_status run_summary(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_db_summary summary;
    (void)search;
    const tby_status status = tby_db_summarize(&summary, db);
    if (status == TBY_OK) {
        take_number(out, summary.n_games);
        take_number(out, summary.n_indexed);
        take_number(out, summary.n_players);
    }
    return status;
}

static void take_fault(void *context, tby_game_id id, const char *text)
{
    take_number(context, id);
    take_bytes(context, text, strlen(text));
}

static tby_status run_verify(tby_db *db, const tby_db_search *search, answer *out)
{
    int64_t n = 0;
    (void)search;
    const tby_status status = tby_db_verify(&n, db, take_fault, NULL, out);
    take_number(out, n);
    return status;
}

static bool collect(void *context, const tby_db_hit *hit)
{
    return take_bytes(context, (const char *)&hit->id, sizeof hit->id);
}

static tby_status run_delete(tby_db *db, const tby_db_search *search, answer *out)
{
    static answer ids;
    int64_t n = 0;
    ids.n = 0;
    tby_status status = tby_db_find(db, search, collect, &ids);
    if (status == TBY_OK)
        status = tby_db_delete(&n, db, (const tby_game_id *)(void *)ids.bytes, ids.n / sizeof(tby_game_id));
    take_number(out, n);
    return status;
}

static void take_collection(void *context, tby_text name, int64_t n_games)
{
    take_bytes(context, name.s, name.n);
    take_number(context, n_games);
}

/* Adds some games to a collection, and removes all games from another. */
static tby_status run_collect(tby_db *db, const tby_db_search *search, answer *out)
{
    static const tby_game_id ids[] = {1, 2, 3, 5, 8};
    int64_t n_added = 0, n_removed = 0;
    (void)search;
    tby_status status = tby_db_collect(&n_added, db, "new", ids, 5);
    if (status == TBY_OK)
        status = tby_db_uncollect(&n_removed, db, "some", NULL, 0);
    if (status == TBY_OK)
        status = tby_db_collections(db, 0, take_collection, out);
    take_number(out, n_added);
    take_number(out, n_removed);
    return status;
}

static tby_status run_index(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)search;
    (void)out;
    return tby_db_index(db, TBY_INDEX_ALL, NULL, NULL);
}

static tby_status run_want(tby_db *db, const tby_db_search *search, answer *out)
{
    (void)search;
    (void)out;
    return tby_db_want_index(db, NULL);
}

static tby_status run_add(tby_db *db, const tby_db_search *search, answer *out)
{
    tby_db_added added = {0, 0};
    tby_batch *batch = tby_batch_new();
    tby_status status = batch ? TBY_OK : TBY_NO_MEMORY;
    (void)search;
    for (unsigned i = GAMES - 1; i <= GAMES + 2 && status == TBY_OK; i++) {
        if (works_pause)
            works_pause(true);
        tby_game *game = db_game(i);
        if (works_pause)
            works_pause(false);
        status = tby_batch_add(batch, game);
        tby_game_free(game);
    }
    if (status == TBY_OK)
        status = tby_db_begin(db);
    if (status == TBY_OK) {
        status = tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP);
        if (status == TBY_OK)
            status = tby_db_commit(db);
        else
            tby_db_rollback(db);
    }
    tby_batch_free(batch);
    take_number(out, (int64_t)added.stored);
    take_number(out, (int64_t)added.duplicates);
    return status;
}

#define AFTER_E4 "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
/* The first N_COMMON_WORKS also run on servers. */
enum { N_COMMON_WORKS = 20 };
static const work works[] = {
    {"find", run_find, NULL, NULL, 1, false},
    {"find", run_find, "player adams", NULL, 1, false},
    {"find", run_find, "white adams event club elo 2000..2100 date 2019 result 1-0", NULL, 1, false},
    {"find", run_find, "opening \"1. a3\" or eco B90..B99 or round \"1*\"", NULL, 1, false},
    {"find", run_find, "tag Round 7 or timecontrol \"5*\" or not annotated", NULL, 1, false},
    {"find", run_find, "board \"" AFTER_E4 "\" or Pa3", NULL, 1, false},
    {"find", run_find, "board \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\" player brown", NULL, 4, false},
    {"find", run_find, "either (Pa3 , [pn]-{5-6}) ;10 check", NULL, 1, false},
    {"find", run_find, "named sicilian or repeats 2", "plies > 10", 1, false},
    {"count", run_count, "player adams Pa3", NULL, 1, false},
    {"explain", run_explain, "player adams fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"", NULL, 1,
     false},
    {"export", run_export, "player adams plies 10..", NULL, 1, false},
    {"explore", run_explore, NULL, NULL, 1, false},
    {"explore", run_explore, "player adams N{f3 c3}", "plies > 10", 1, false},
    {"summary", run_summary, NULL, NULL, 1, false},
    {"verify", run_verify, NULL, NULL, 1, false},
    {"delete", run_delete, "player adams", NULL, 1, true},
    {"delete", run_delete, "black brown never check", NULL, 1, true},
    {"index", run_index, NULL, NULL, 1, true},
    {"add", run_add, NULL, NULL, 1, true},
    {"find", run_find, "player \"Adams, Anna\" or event \"c*\" or site \"*x*\" or player \"m* max\"", NULL, 1, false},
    {"find", run_find, "not eco B20..C99 id 3..30 speed blitz", NULL, 1, false},
    {"find", run_find, "rated or (Nf3 for 3) or KRPvKR or N-g5# or R{a1 h1} attacks q", NULL, 1, false},
    {"find", run_find, "KRPvKR", NULL, 1, false},
    {"find", run_find, "iqp annotated", NULL, 1, false},
    {"count", run_count, "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"", NULL, 1, false},
    {"list", run_list, "white brown", "black LIKE '%a%'", 1, false},
    {"list", run_list, "result 1-0", NULL, 1, false},
    {"explain", run_explain, "result 1-0 Nf3 O-O", "plies > 3", 1, false},
    {"explain", run_explain, "board \"" AFTER_E4 "\" check", NULL, 1, false},
    {"games that pass", run_passing, "player adams", NULL, 1, false},
    {"match", run_match, "Nf3", NULL, 1, false},
    {"find", run_find, "collection some (Pa3 or player adams)", NULL, 1, false},
    {"find", run_find, "not collection s* result 1-0 or collection \"\"", NULL, 1, false},
    {"collect", run_collect, NULL, NULL, 1, true},
    {"condition", run_check_where, NULL, "plies > 10 AND white IN (SELECT name FROM player)", 1, false},
    {"sizes", run_sizes, NULL, NULL, 1, false},
    {"want", run_want, NULL, NULL, 1, true},
};

/* ---- Trials ---------------------------------------------------------------------------------------------- */

static inline void copy_file(const char *to, const char *from)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static char original[256], copy[256];

/* Does the work, starting with parsing its query; the database is already open. */
static void do_work(const work *w, tby_db *db, answer *out)
{
    tby_query_error err = {.status = TBY_OK};
    tby_query *query = w->query ? tby_query_new(w->query, strlen(w->query), NULL, NULL, &err) : NULL;
    const tby_db_search search = {.query = query, .where = w->where, .n_threads = w->n_threads};
    out->n = 0;
    out->is_too_long = false;
    out->status = w->query && !query ? err.status : w->run(db, &search, out);
    tby_query_free(query);
}

static inline bool is_same(const answer *a, const answer *b)
{
    return a->status == b->status && a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

static inline void works_set_up(const char *name)
{
    static const tby_game_id some[] = {2, 3, 5, 7, 11, 13, 17, 19};
    char other[64];
    int64_t n;
    snprintf(other, sizeof other, "%s-copy", name);
    snprintf(original, sizeof original, "%s", db_path(name));
    snprintf(copy, sizeof copy, "%s", db_path(other));
    db_remove(original);
    tby_db *db = db_open(original, TBY_DB_CREATE);
    db_must(db, tby_db_want_index(db, NULL));
    db_add_range(db, 1, FIRST_UNINDEXED - 1);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    db_add_range(db, FIRST_UNINDEXED, GAMES);
    db_must(db, tby_db_collect(&n, db, "some", some, sizeof some / sizeof *some));
    assert_int_equal(db_n_games(db), GAMES);
    tby_db_close(db);
}

static inline void works_tear_down(void)
{
    db_remove(original);
    db_remove(copy);
}

/* What the work answers when nothing fails, and the number of games afterwards. */
static inline int64_t right_answer(const work *w, answer *right)
{
    copy_file(copy, original);
    tby_db *db = db_open(copy, TBY_DB_WRITE);
    do_work(w, db, right);
    if (right->status != TBY_OK)
        fail_msg("%s %s: status %d (%s)", w->name, w->query ? w->query : "", (int)right->status,
                 tby_db_failure(db)->text);
    assert_false(right->is_too_long);
    const int64_t n_after = db_n_games(db);
    tby_db_close(db);
    return n_after;
}

/* The file now contains all its games and has no fault. */
static inline int64_t n_games_now(const work *w, const char *after, long number)
{
    tby_db *db = db_open(w->writes ? copy : original, TBY_DB_READ);
    const int64_t n = db_n_games(db), n_faults = db_verify(db, NULL, NULL);
    tby_db_close(db);
    if (n_faults != 0)
        fail_msg("%s %s, after %s %ld: %lld faults", w->name, w->query ? w->query : "", after, number,
                 (long long)n_faults);
    return n;
}

#endif
