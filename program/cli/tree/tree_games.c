/*
 * tree_games.c - the tree of the games of a file or a database.
 *
 *     parts of a file --> workers: read games, keep start, moves and result --> main thread: adds them to the tree
 *     rows of a database ----------------------------------------------------------^
 */
#include "database.h"
#include "progress.h"
#include "query_options.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES = 30 /* the default of --plies */ };

/* A game between worker and main thread: this, and the moves. */
typedef struct game_header {
    tby_position start;
    uint32_t n_moves;
    tby_result result;
} game_header;

typedef struct result {
    buffer games;
    uint64_t n_read, n_rejected, n_variation_plies;
} result;

typedef struct gathering {
    const args *args;
    const char *name; /* of the database */
    tby_db *db;
    int64_t last_id;
    tby_game *game;   /* space for a game with variations */
    tby_query *query; /* NULL: all games */
    tby_tree_games *games;
    size_t max_moves; /* that the tree needs of a game */
    tree_games_counts counts;
} gathering;

static void add_game(gathering *g, const tby_position *start, const tby_move *moves, size_t n, tby_result outcome)
{
    tby_failure failure;
    const tby_status status = tby_tree_games_add(g->games, start, moves, n, outcome, &failure);
    if (status == TBY_NOT_FOUND)
        g->counts.n_elsewhere++;
    else if (status != TBY_OK)
        tree_failed(failure.text);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* The main line up to its first null move. */
static void keep_game(const gathering *g, result *res, const tby_game *game)
{
    buffer *to = &res->games;
    tby_move moves[TBY_PLIES_MAX];
    const size_t n_all = tby_game_main_line(game, moves, TBY_PLIES_MAX);
    res->n_variation_plies += tby_game_n_nodes(game) - 1 - n_all;
    game_header header = {.start = *tby_game_start(game), .result = tby_game_result(game)};
    const size_t most = n_all < g->max_moves ? n_all : g->max_moves;
    while (header.n_moves < most && header.n_moves < TBY_PLIES_MAX && moves[header.n_moves] != TBY_MOVE_NULL)
        header.n_moves++;
    buffer_add(to, (const char *)&header, sizeof header);
    buffer_add(to, (const char *)moves, header.n_moves * sizeof *moves);
}

static void read_part(void *context, part *p)
{
    const gathering *g = context;
    result *res = p->result;
    filter *asking = filter_new(g->query);
    part_games in;
    tby_game_read read;
    int ply;
    part_games_begin(&in, p, args_has(g->args, TREE_CHESS960) ? TBY_PGN_CHESS960 : 0, NULL, NULL);
    while (!interrupts_came() && (read = part_games_next(&in)) != TBY_GAME_END) {
        const filter_answer answer = read == TBY_GAME_GOOD ? filter_first(asking, in.game, 0, &ply) : FILTER_NO;
        const bool is_bad = read != TBY_GAME_GOOD || answer == FILTER_TOO_LONG;
        if (answer == FILTER_YES)
            keep_game(g, res, in.game);
        if (answer == FILTER_TOO_LONG)
            part_games_refuse(&in, TBY_TOO_LONG, "the game has too many half-moves for a query");
        res->n_read += is_bad || answer == FILTER_YES;
        res->n_rejected += is_bad;
        if (res->games.n > PART_RESULT_SIZE)
            part_flush(p);
    }
    part_games_end(&in);
    filter_free(asking);
}

static void merge_part(void *context, part *p)
{
    static tby_move moves[TBY_PLIES_MAX];
    gathering *g = context;
    result *res = p->result;
    for (size_t at = 0; at < res->games.n;) {
        game_header header;
        memcpy(&header, res->games.s + at, sizeof header);
        at += sizeof header;
        memcpy(moves, res->games.s + at, header.n_moves * sizeof *moves);
        at += header.n_moves * sizeof *moves;
        add_game(g, &header.start, moves, header.n_moves, header.result);
    }
    part_print(p);
    g->counts.n_games += res->n_read;
    g->counts.n_rejected += res->n_rejected;
    g->counts.n_variation_plies += res->n_variation_plies;
    res->games.n = 0;
    res->n_read = res->n_rejected = res->n_variation_plies = 0;
}

static void result_free(void *memory)
{
    result *res = memory;
    buffer_free(&res->games);
    free(res);
}

static void gather_file(gathering *g, const char *path)
{
    job j = {.context = g,
             .result_size = sizeof(result),
             .result_free = result_free,
             .work = read_part,
             .merge = merge_part};
    query_refuse_ids("tree", g->query);
    input *in = job_open(&j, path, NULL);
    if (!in || !job_run(in, threads_read(g->args, TREE_THREADS), &j))
        exit(EXIT_FAILED);
}

/* ---- Databases -------------------------------------------------------------------------------------------------- */

/* False if these are not the bytes of a game. */
static bool add_row(gathering *g, const uint8_t *bytes, size_t n)
{
    static tby_move moves[TBY_PLIES_MAX];
    tby_packed cursor;
    size_t n_moves = 0;
    g->counts.n_games++;
    if (n == 0 || !tby_packed_begin(&cursor, bytes, n)) {
        g->counts.n_rejected++;
        return false;
    }
    const tby_position start = cursor.pos;
    while (n_moves < TBY_PLIES_MAX && n_moves < g->max_moves &&
           (moves[n_moves] = tby_packed_next(&cursor)) != TBY_MOVE_NONE && moves[n_moves] != TBY_MOVE_NULL)
        n_moves++;
    add_game(g, &start, moves, n_moves, tby_packed_result(bytes, n));
    return true;
}

/* Returns false after an interrupt. */
static bool fail(const gathering *g)
{
    progress_hide();
    if (!interrupts_came())
        error_exit("tree: %s: %s", g->name, tby_db_failure(g->db)->text);
    return false;
}

static bool add_hit(void *context, const tby_db_hit *hit)
{
    gathering *g = context;
    tby_row row;
    if (tby_db_row(&row, g->db, hit->id) != TBY_OK)
        return fail(g);
    if (!add_row(g, (const uint8_t *)row.moves.s, row.moves.n)) {
        progress_hide();
        error_print("tree: %s: game %" PRId64 " is damaged", g->name, hit->id);
    }
    if (row.annotated.n && tby_cmbr_decode(g->game, (const uint8_t *)row.annotated.s, row.annotated.n, NULL) == TBY_OK)
        g->counts.n_variation_plies += tby_game_n_nodes(g->game) - 1 - tby_game_main_line(g->game, NULL, 0);
    progress_update((double)hit->id / (double)(g->last_id > 0 ? g->last_id : 1), 0, g->counts.n_games);
    return !interrupts_came();
}

static void gather_database(gathering *g, const char *path)
{
    const tby_db_search search = {.query = g->query, .wanted = TBY_WANTED_GAMES};
    g->db = database_read("tree", path);
    g->game = memory_got(tby_game_new(NULL));
    g->name = database_shown(path);
    progress_begin(g->name);
    if (tby_db_last_id(&g->last_id, g->db) != TBY_OK || tby_db_find(g->db, &search, add_hit, g) != TBY_OK)
        fail(g);
    progress_hide();
    tby_game_free(g->game);
    tby_db_close(g->db);
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

/* The words after "grow" and after "export DB" are a query; after "show" they are moves. */
static tby_query *query_of_args(const args *a)
{
    const size_t first = strcmp(a->words[0], "grow") == 0 ? 1 : strcmp(a->words[0], "export") == 0 ? 2 : SIZE_MAX;
    const bool has_words = a->n_words > first;
    char *words = has_words ? words_join(a, first) : NULL;
    if (words && args_has(a, TREE_QUERY))
        error_exit("tree %s: a query is given twice: as \"%s\" and by --query", a->words[0], words);
    tby_query *made =
        query_of_text("tree", words ? words : args_value(a, TREE_QUERY), patterns_of_option(a, TREE_PATTERNS));
    free(words);
    return made;
}

void tree_games_explain(const args *a, const char *path)
{
    tby_query *asked = query_of_args(a);
    tby_db *db = is_database(path) ? database_read("tree", path) : NULL;
    if (!db)
        query_refuse_ids("tree", asked);
    query_explain(&(query){.search = {.query = asked}, .query = asked}, a, db, NULL);
    tby_db_close(db);
    tby_query_free(asked);
}

tby_tree *tree_of_games(const args *a, const char *path, tree_games_counts *counts)
{
    const unsigned n_plies = (unsigned)option_number(a, TREE_PLIES, PLIES, 0, TBY_PLIES_MAX);
    const uint64_t n_min = option_number(a, TREE_MIN_GAMES, 1, 1, 1ul << 31);
    const tby_position root = tree_root(a);
    gathering g = {.args = a, .games = memory_got(tby_tree_games_new(&root, n_plies)), .query = query_of_args(a)};
    /* One more half-move shows that the game did not end there; the path to another root may be long. */
    g.max_moves = args_has(a, TREE_FROM) ? TBY_PLIES_MAX : n_plies + 1u;
    interrupts_catch();
    if (is_database(path))
        gather_database(&g, path);
    else
        gather_file(&g, path);
    if (interrupts_came())
        tree_failed("interrupted");
    tby_tree *tree;
    tby_failure failure;
    if (tby_tree_games_finish(&tree, g.games, n_min, &failure) != TBY_OK)
        tree_failed(failure.text);
    tby_tree_games_free(g.games);
    g.counts.is_picked = g.query != NULL;
    tby_query_free(g.query);
    *counts = g.counts;
    return tree;
}
