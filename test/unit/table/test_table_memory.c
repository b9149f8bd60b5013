/*
 * test_table_memory.c - the library without its databases and trees when memory runs out: every allocation of every
 * reader, writer and evaluator fails in turn.
 *
 * The answer must be "no memory" or the right one: nothing is leaked, and nothing is written that is not a prefix of
 * the right answer. Each is tried in two ways: one allocation fails, or all from that one on.
 */
#include "support.h"
#include "tabiya_query.h"
#include "tabiya_table.h"
#include "tabiya_value.h"

#include "failing_memory.h"

/* Large enough to make texts, lists and nodes grow. */
static const char GAME[] =
    "[Event \"E\"]\n[White \"Ada, A.\"]\n[Black \"Bob\"]\n[WhiteElo \"2100\"]\n[Annotator \"me\"]\n\n"
    "{before} 1. e4 $1 {[%eval 0.3] [%clk 0:01:00] one} {two} (1. d4 {d} d5 (1... Nf6 2. c4 $5)) "
    "e5 2. Qh5 $2 $6 {[%eval #-3]} Ke7 {[%emt 0:00:07]} 3. Qxe5# 1-0\n\n"
    "[Event \"F\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=Q+ Kd7 1-0\n\n"
    "1. e4 Ke9 *\n";
static char json[1 << 14], cmbr[1 << 14];
static size_t n_json, n_cmbr;

typedef struct answer {
    size_t n;
    char bytes[1 << 16];
} answer;

static bool take(void *context, const char *s, size_t n)
{
    answer *a = context;
    assert_true(n <= sizeof a->bytes - a->n);
    memcpy(a->bytes + a->n, s, n);
    a->n += n;
    return true;
}

typedef struct memory_source {
    const char *s;
    size_t n;
} memory_source;

static size_t read_memory(void *context, char *buf, size_t cap)
{
    memory_source *m = context;
    const size_t n = m->n < cap ? m->n : cap;
    memcpy(buf, m->s, n);
    m->s += n;
    m->n -= n;
    return n;
}

static const tby_game_notation *notation(const char *name) { return tby_game_notation_find(name, strlen(name)); }

/* ---- Works ---------------------------------------------------------------------------------------------- */

/* The functions below return false if memory ran out. */

/* All games of a text, written in another notation. */
static bool convert(const char *from, const char *s, size_t n, const char *to, answer *out)
{
    memory_source source = {s, n};
    tby_games *games = notation(from)->open(read_memory, &source, NULL);
    tby_game *game = tby_game_new(NULL);
    tby_game_read read = games && game ? TBY_GAME_GOOD : TBY_GAME_NO_MEMORY;
    while (read != TBY_GAME_NO_MEMORY && (read = tby_games_next(games, game, NULL, NULL)) != TBY_GAME_END) {
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        if (read != TBY_GAME_GOOD)
            continue;
        const tby_status status = notation(to)->write(game, take, out, &err);
        assert_true(status == TBY_OK || status == TBY_NO_MEMORY);
        if (status != TBY_OK)
            read = TBY_GAME_NO_MEMORY;
    }
    tby_games_free(games);
    tby_game_free(game);
    return read == TBY_GAME_END;
}

static bool run_pgn(answer *out) { return convert("pgn", GAME, sizeof GAME - 1, "pgn", out); }
static bool run_to_json(answer *out) { return convert("pgn", GAME, sizeof GAME - 1, "json", out); }
static bool run_to_cmbr(answer *out) { return convert("pgn", GAME, sizeof GAME - 1, "cmbr", out); }
static bool run_json(answer *out) { return convert("json", json, n_json, "pgn", out); }
static bool run_cmbr(answer *out) { return convert("cmbr", cmbr, n_cmbr, "pgn", out); }

static bool run_events(answer *out)
{
    tby_pgn *pgn = tby_pgn_new_memory(GAME, sizeof GAME - 1, NULL, NULL);
    tby_pgn_event event;
    if (!pgn)
        return false;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END)
        take(out, "x", 1);
    tby_pgn_free(pgn);
    return true;
}

static bool run_skip(answer *out)
{
    memory_source source = {cmbr, n_cmbr};
    tby_games *games = notation("cmbr")->open(read_memory, &source, NULL);
    while (games && tby_games_skip(games))
        take(out, "x", 1);
    tby_games_free(games);
    return games != NULL;
}

/* Tags, comments, marks, moves: each may fail, and then leaves the game as it was. */
static bool run_change(answer *out)
{
    tby_game *game = tby_game_new(NULL);
    bool is_good = game != NULL;
    tby_node node = TBY_ROOT;
    tby_position pos;
    tby_position_start(&pos);
    for (int i = 0; i < 200 && is_good; i++) {
        static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
        char name[16];
        const int n = snprintf(name, sizeof name, "Tag%d", i);
        tby_move m;
        assert_int_equal(tby_uci_read(&m, &pos, moves[i % 4], 4, NULL), TBY_OK);
        tby_position_play(&pos, m, NULL);
        const tby_node next = tby_game_add(game, node, m);
        is_good = next != TBY_NO_NODE && tby_game_set_tag(game, name, (size_t)n, "value", 5) &&
                  tby_game_add_comment(game, next, TBY_COMMENT_AFTER, "comment", 7) &&
                  tby_game_add_nag(game, next, (uint16_t)(1 + i % 6));
        node = next;
    }
    if (is_good)
        is_good = tby_pgn_write(game, 0, take, out);
    tby_game_free(game);
    return is_good;
}

static bool run_chessgame(answer *out)
{
    static uint8_t bytes[TBY_CHESSGAME_SIZE];
    tby_chessgame_error err;
    size_t n = 0;
    const tby_status status = tby_chessgame_read(bytes, &n, GAME, strcspn(GAME, "F"), 0, NULL, &err);
    if (status == TBY_OK)
        take(out, (const char *)bytes, n);
    return status != TBY_NO_MEMORY;
}

/* ---- Queries -------------------------------------------------------------------------------------------- */

static bool run_query(answer *out)
{
    static const char asked[] = "either (mine or Bxh7+ , kxh7 ; N-g5+) shift (Pd4 Pe4) not (comment one or eval>=1.5) "
                                "mirror N:g1-f3 Q+R>=1 KQ+vK for 3";
    static const char patterns[] = "mine Pd4 or Pe4\tmine\n";
    const tby_query_options options = {.patterns = patterns, .n_patterns = sizeof patterns - 1};
    static uint8_t bytes[TBY_CHESSGAME_SIZE];
    static size_t n_bytes;
    tby_query_error err;
    char text[2048];
    if (!n_bytes) { /* only once, with memory available */
        tby_chessgame_error game_err;
        const long before = left;
        left = -1;
        assert_int_equal(tby_chessgame_read(bytes, &n_bytes, "1. e4 e5 2. Nf3 Nc6 3. d4", 25, 0, NULL, &game_err),
                         TBY_OK);
        left = before;
    }
    tby_query *query = tby_query_new(asked, sizeof asked - 1, &options, NULL, &err);
    tby_query_state *state = query ? tby_query_state_new(query, NULL) : NULL;
    int ply = state ? 0 : TBY_QUERY_NO_MEMORY;
    if (!query && err.status != TBY_NO_MEMORY)
        fail_msg("%s", err.text);
    if (query)
        take(out, text, tby_query_write(text, sizeof text, query));
    if (state) {
        const tby_query_game game = {.moves = bytes, .n_moves = n_bytes, .id = 1};
        ply = tby_query_first(state, &game);
    }
    if (ply != TBY_QUERY_NO_MEMORY)
        take(out, text, (size_t)snprintf(text, sizeof text, " %d", ply));
    tby_query_state_free(state);
    tby_query_free(query);
    return ply != TBY_QUERY_NO_MEMORY;
}

/* ---- Tables --------------------------------------------------------------------------------------------- */

typedef struct rows_work {
    tby_rows *rows;
    tby_rows_reader *reader;
    tby_table *table;
    tby_table_piece *piece;
    tby_table_writer *writer;
} rows_work;

static bool fill_table(rows_work *w, const tby_rows_options *options)
{
    static memory_source source;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    size_t n = 0;
    source = (memory_source){GAME, sizeof GAME - 1};
    w->rows = tby_rows_new(options, NULL, &err);
    if (!w->rows)
        assert_int_equal(err.status, TBY_NO_MEMORY);
    const tby_column *columns = w->rows ? tby_rows_columns(w->rows, &n) : NULL;
    w->table = columns ? tby_table_new(columns, n, NULL) : NULL;
    w->reader = w->table ? tby_rows_reader_new(w->rows, notation("pgn"), read_memory, &source, NULL) : NULL;
    if (!w->reader)
        return false;
    tby_game_read read;
    do
        read = tby_rows_reader_next(w->reader, w->table, NULL, NULL);
    while (read == TBY_GAME_GOOD || read == TBY_GAME_BAD);
    return read == TBY_GAME_END && !tby_table_has_failed(w->table);
}

static void end_table(rows_work *w)
{
    tby_table_writer_free(w->writer);
    tby_table_piece_free(w->piece);
    tby_rows_reader_free(w->reader);
    tby_table_free(w->table);
    tby_rows_free(w->rows);
}

static bool write_table(const char *name, const tby_rows_options *options, answer *out)
{
    const tby_table_format *format = tby_table_format_find(name, strlen(name));
    rows_work w = {NULL, NULL, NULL, NULL, NULL};
    size_t n = 0;
    bool is_good = fill_table(&w, options);
    if (is_good) {
        const tby_column *columns = tby_rows_columns(w.rows, &n);
        w.piece = tby_table_piece_new(format, NULL);
        w.writer = w.piece ? tby_table_writer_new(format, columns, n, take, out, NULL) : NULL;
        is_good = w.writer && tby_table_encode(w.piece, w.table, n) && tby_table_writer_begin(w.writer) &&
                  tby_table_writer_add(w.writer, w.piece) && tby_table_writer_end(w.writer, "{}");
    }
    end_table(&w);
    return is_good;
}

static const tby_rows_options games_as_rows = {.kind = TBY_ROWS_GAMES};
static const tby_rows_options positions_as_rows = {.kind = TBY_ROWS_POSITIONS};
static const tby_rows_options training_rows = {
    .kind = TBY_ROWS_POSITIONS, .columns = "fen,eval,score", .complete = true};

static bool run_csv(answer *out) { return write_table("csv", &positions_as_rows, out); }
static bool run_tsv(answer *out) { return write_table("tsv", &games_as_rows, out); }
static bool run_html(answer *out) { return write_table("html", &games_as_rows, out); }
static bool run_jsonl(answer *out) { return write_table("jsonl", &games_as_rows, out); }
static bool run_parquet(answer *out) { return write_table("parquet", &positions_as_rows, out); }
static bool run_nnue(answer *out) { return write_table("nnue", &training_rows, out); }

static bool run_arrow(answer *out)
{
    rows_work w = {NULL, NULL, NULL, NULL, NULL};
    struct ArrowSchema schema;
    struct ArrowArray array;
    size_t n = 0;
    bool is_good = fill_table(&w, &positions_as_rows);
    if (is_good) {
        const tby_column *columns = tby_rows_columns(w.rows, &n);
        is_good = tby_arrow_schema(&schema, columns, n, NULL);
    }
    if (is_good) {
        is_good = tby_arrow_array(&array, w.table);
        schema.release(&schema);
    }
    if (is_good) {
        w.table = NULL; /* now owned by the array */
        take(out, "x", (size_t)array.length > 0);
        array.release(&array);
    }
    end_table(&w);
    return is_good;
}

/* ---- Trying ---------------------------------------------------------------------------------------------- */

typedef struct work {
    const char *name;
    bool (*run)(answer *out);
} work;

static const work WORKS[] = {
    {"pgn", run_pgn},         {"to json", run_to_json}, {"to cmbr", run_to_cmbr},
    {"json", run_json},       {"cmbr", run_cmbr},       {"events", run_events},
    {"skip", run_skip},       {"change", run_change},   {"chessgame", run_chessgame},
    {"query", run_query},     {"csv", run_csv},         {"jsonl", run_jsonl},
    {"parquet", run_parquet}, {"nnue", run_nnue},       {"arrow", run_arrow},
    {"tsv", run_tsv},         {"html", run_html},
};

/* Lets the allocation after the first `n` fail. */
static void check_failure(const work *w, long n, bool all, const answer *right)
{
    static answer got;
    const long before = n_live;
    got.n = 0;
    n_failed = 0;
    for_ever = all;
    left = n;
    const bool is_good = w->run(&got);
    left = -1;
    if (!is_good && n_failed == 0)
        fail_msg("%s, allocation %ld: there was memory", w->name, n);
    if (is_good && (got.n != right->n || memcmp(got.bytes, right->bytes, got.n) != 0))
        fail_msg("%s, allocation %ld: another answer, %zu bytes of %zu", w->name, n, got.n, right->n);
    if (got.n > right->n || memcmp(got.bytes, right->bytes, got.n) != 0)
        fail_msg("%s, allocation %ld: another beginning", w->name, n);
    if (n_live != before)
        fail_msg("%s, allocation %ld: %ld are not freed", w->name, n, (long)n_live - before);
}

TEST(test_table_memory__every_failed_allocation_is_reported_or_harmless)
{
    static answer right;
    static trials numbers;
    for (size_t i = 0; i < sizeof WORKS / sizeof *WORKS; i++) {
        right.n = 0;
        places_begin();
        assert_true(WORKS[i].run(&right));
        places_end(&numbers);
        if (numbers.n == 0)
            fail_msg("%s allocates nothing", WORKS[i].name);
        for (size_t k = 0; trial_number(&numbers, k) >= 0; k++) {
            check_failure(&WORKS[i], trial_number(&numbers, k), false, &right);
            check_failure(&WORKS[i], trial_number(&numbers, k), true, &right);
        }
    }
}

int main(void)
{
    static answer made;
    if (!run_to_json(&made))
        return 1;
    memcpy(json, made.bytes, n_json = made.n);
    made.n = 0;
    if (!notation("cmbr")->write_header(take, &made) || !run_to_cmbr(&made))
        return 1;
    memcpy(cmbr, made.bytes, n_cmbr = made.n);
    return tests_run(NULL, NULL);
}
