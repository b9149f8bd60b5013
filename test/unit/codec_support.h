/*
 * codec_support.h - shared by the tests of game notations: bytes in memory, random game trees, an allocator that fails,
 * and what every row of the registry must do.
 */
#ifndef CODEC_SUPPORT_H
#define CODEC_SUPPORT_H

#include "../cmbr_reader.h"
#include "support.h"
#include "tabiya_value.h"

/* ---- Bytes ----------------------------------------------------------------------------------------------- */

typedef struct memory {
    uint8_t *data;
    size_t n, cap;
    size_t at;   /* where reading continues */
    size_t step; /* how many bytes one call returns at most; 0 = all */
} memory;

static inline void memory_add(memory *m, const void *s, size_t n)
{
    if (m->n + n > m->cap) {
        m->cap = 2 * (m->n + n);
        m->data = realloc(m->data, m->cap);
        assert_non_null(m->data);
    }
    if (n > 0)
        memcpy(m->data + m->n, s, n);
    m->n += n;
}

static inline bool memory_sink(void *context, const char *s, size_t n)
{
    memory_add(context, s, n);
    return true;
}

static inline bool refusing_sink(void *context, const char *s, size_t n)
{
    (void)context, (void)s, (void)n;
    return false;
}

static inline size_t memory_source(void *context, char *buf, size_t cap)
{
    memory *m = context;
    size_t n = m->n - m->at;
    n = n < cap ? n : cap;
    n = m->step && m->step < n ? m->step : n;
    if (n > 0)
        memcpy(buf, m->data + m->at, n);
    m->at += n;
    return n;
}

static inline void memory_clear(memory *m)
{
    free(m->data);
    *m = (memory){0};
}

/* ---- An allocator that counts, and fails on demand ------------------------------------------------------- */

typedef struct meter {
    size_t in_use, peak;
    size_t n_calls;
    size_t fail_at; /* the call that fails, from 1; 0 = none */
} meter;

static inline void *meter_resize(void *context, void *memory_, size_t old_size, size_t new_size)
{
    meter *m = context;
    if (new_size > 0 && ++m->n_calls == m->fail_at)
        return NULL;
    m->in_use = m->in_use - (memory_ ? old_size : 0) + new_size;
    m->peak = m->in_use > m->peak ? m->in_use : m->peak;
    if (new_size > 0)
        return realloc(memory_, new_size);
    free(memory_);
    return NULL;
}

/* ---- Games ----------------------------------------------------------------------------------------------- */

static inline tby_game *new_game(void)
{
    tby_game *game = tby_game_new(NULL);
    assert_non_null(game);
    return game;
}

static inline void add_tag(tby_game *game, const char *name, const char *value)
{
    assert_true(tby_game_set_tag(game, name, strlen(name), value, strlen(value)));
}

static inline void add_comment(tby_game *game, tby_node node, tby_comment_place place, const char *text)
{
    assert_true(tby_game_add_comment(game, node, place, text, strlen(text)));
}

/* Adds a move by its UCI name, or "0000" for a null move. */
static inline tby_node add_move(tby_game *game, tby_node parent, const char *name)
{
    tby_position pos;
    tby_game_position(game, parent, &pos);
    const tby_move m = strcmp(name, "0000") == 0 ? TBY_MOVE_NULL : move_of(&pos, name);
    if (m == TBY_MOVE_NONE)
        fail_msg("not legal: %s", name);
    const tby_node node = tby_game_add(game, parent, m);
    assert_int_not_equal(node, TBY_NO_NODE);
    return node;
}

/* tby_game_equal, and also the same order of tags, which it does not compare. */
static inline bool same_game(const tby_game *a, const tby_game *b)
{
    if (!tby_game_equal(a, b) || tby_game_n_tags(a) != tby_game_n_tags(b))
        return false;
    for (size_t i = 0; i < tby_game_n_tags(a); i++)
        if (strcmp(tby_game_tag_name(a, i), tby_game_tag_name(b, i)) != 0)
            return false;
    return true;
}

/* Reads the games of a PGN text and returns their number. */
static inline size_t games_of_pgn(tby_game **games, size_t cap, const char *s, size_t n)
{
    tby_pgn *pgn = tby_pgn_new_memory(s, n, NULL, NULL);
    size_t n_games = 0;
    assert_non_null(pgn);
    for (; n_games < cap; n_games++) {
        games[n_games] = new_game();
        const tby_game_read answer = tby_game_read_pgn(games[n_games], pgn, NULL, NULL);
        if (answer == TBY_GAME_END)
            break;
        assert_int_equal(answer, TBY_GAME_GOOD);
    }
    if (n_games < cap)
        tby_game_free(games[n_games]);
    tby_pgn_free(pgn);
    return n_games;
}

/* ---- Random games ---------------------------------------------------------------------------------------- */

static inline void random_text(char text[64], uint64_t *random)
{
    static const char *const pieces[] = {"a",
                                         " ",
                                         "\"",
                                         "\\",
                                         "{",
                                         "}",
                                         "\n",
                                         "\t",
                                         "\x01",
                                         "\x7f",
                                         "\xc3\xa9",
                                         "\xe2\x99\x9e",
                                         "\xf0\x9f\x90\xb4",
                                         "/",
                                         "x",
                                         "\xed\x9f\xbf",
                                         "\xef\xbf\xbf"};
    text[0] = '\0';
    for (unsigned n = random_below(random, 12); n > 0; n--)
        strcat(text, pieces[random_below(random, sizeof pieces / sizeof *pieces)]);
}

static inline void random_notes(tby_game *game, tby_node node, uint64_t *random)
{
    char text[64];
    while (random_below(random, 4) == 0) {
        random_text(text, random);
        add_comment(game, node, random_below(random, 3) ? TBY_COMMENT_AFTER : TBY_COMMENT_BEFORE, text);
    }
    while (random_below(random, 4) == 0) {
        const unsigned limit = random_below(random, 2) ? 256 : 65536;
        assert_true(tby_game_add_nag(game, node, (uint16_t)random_below(random, limit)));
    }
}

static inline void random_start(tby_game *game, uint64_t *random)
{
    tby_setup setup;
    tby_position start;
    switch (random_below(random, 4)) {
    case 0: return;
    case 1:
        assert_true(tby_setup_chess960(&setup, random_below(random, 960)));
        assert_int_equal(tby_position_init(&start, &setup, 0, NULL), TBY_OK);
        assert_true(tby_game_set_start(game, &start, true));
        return;
    case 2: start = position_of("rnbqkbnr/pppp1ppp/8/8/4Pp2/5N2/PPPP2PP/RNBQKB1R b KQkq e3 17 65000"); break;
    default: start = random_board(random, random_below(random, 24));
    }
    assert_true(tby_game_set_start(game, &start, random_below(random, 2)));
}

/* A tree of `n_moves` moves in random places, not nested too deep for JSON. */
static inline void random_game(tby_game *game, uint64_t *random, unsigned n_moves)
{
    tby_node nodes[512] = {TBY_ROOT};
    unsigned n_nodes = 1;
    char text[64];
    tby_game_clear(game);
    random_start(game, random);
    static const char *const names[] = {"Event", "Zz_Last", "White", "ECO", "a:b", "7", "FEN", "Result"};
    for (unsigned n = random_below(random, 8); n > 0; n--) {
        random_text(text, random);
        add_tag(game, names[random_below(random, 8)], text);
    }
    tby_game_set_result(game, (tby_result)random_below(random, 4));
    random_notes(game, TBY_ROOT, random);
    for (unsigned i = 0; i < n_moves && n_nodes < 512; i++) {
        const tby_node parent = random_below(random, 3) ? nodes[n_nodes - 1] : nodes[random_below(random, n_nodes)];
        tby_move moves[TBY_MOVES_MAX];
        tby_position pos;
        tby_game_position(game, parent, &pos);
        const size_t n = tby_moves_list(moves, &pos);
        tby_move m = n > 0 ? moves[random_below(random, (unsigned)n)] : TBY_MOVE_NULL;
        if (random_below(random, 16) == 0)
            m = TBY_MOVE_NULL;
        if (m == TBY_MOVE_NULL && tby_position_is_check(&pos))
            continue;
        nodes[n_nodes] = tby_game_add(game, parent, m);
        random_notes(game, nodes[n_nodes++], random);
    }
}

/* ---- Sample games ---------------------------------------------------------------------------------------- */

enum { N_SAMPLES = 3 };

/* Games that together have everything a game can have. */
static inline tby_game *sample_game(int number)
{
    static const char *const texts[N_SAMPLES] = {
        "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {a} e5 $1 (1... c5 2. Nf3) 2. Nf3 1-0\n",
        "[Event \"\xc3\xa9 \\\"q\\\"\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\"]\n\n9. e4 *\n",
        "{before} 1. d4 (1. -- d5 {in (the) variation}) 1... d5 1/2-1/2\n",
    };
    tby_game *game = new_game();
    tby_error err;
    assert_int_equal(tby_game_notation_find("pgn", 3)->read(game, texts[number], strlen(texts[number]), &err), TBY_OK);
    return game;
}

/* A file with all sample games. */
static inline memory sample_file(const tby_game_notation *n)
{
    memory m = {0};
    if (n->write_header)
        assert_true(n->write_header(memory_sink, &m));
    for (int i = 0; i < N_SAMPLES; i++) {
        tby_game *game = sample_game(i);
        assert_int_equal(n->write(game, memory_sink, &m, NULL), TBY_OK);
        tby_game_free(game);
    }
    return m;
}

/* ---- What every notation of games must do ---------------------------------------------------------------- */

static inline const tby_game_notation *game_notation(const char *name)
{
    const tby_game_notation *n = tby_game_notation_find(name, strlen(name));
    assert_non_null(n);
    return n;
}

static inline memory written_game(const tby_game_notation *n, const tby_game *game)
{
    memory m = {0};
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (n->write(game, memory_sink, &m, &err) != TBY_OK)
        fail_msg("%s: not written: %s", n->name, err.detail);
    return m;
}

static inline void assert_reads_game(const tby_game_notation *n, tby_game *game, const memory *m)
{
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (n->read(game, (const char *)m->data, m->n, &err) != TBY_OK)
        fail_msg("%s: %s at byte %zu", n->name, err.detail, err.offset);
}

static inline void assert_same_bytes(const memory *a, const memory *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->data, b->data, b->n);
}

/* The game is read as it was written, and written the same way again. */
static inline void assert_game_comes_back(const tby_game_notation *n, const tby_game *game)
{
    tby_game *back = new_game();
    memory first = written_game(n, game);
    assert_reads_game(n, back, &first);
    assert_true(same_game(game, back));
    memory again = written_game(n, back);
    assert_same_bytes(&again, &first);
    memory_clear(&first);
    memory_clear(&again);
    tby_game_free(back);
}

static inline void assert_random_games_come_back(const tby_game_notation *n, uint64_t random)
{
    tby_game *game = new_game();
    for (unsigned i = 0; i < 1500; i++) {
        random_game(game, &random, random_below(&random, 80));
        assert_game_comes_back(n, game);
    }
    tby_game_free(game);
}

/* Whichever allocation fails, reading reports it and leaks nothing. */
static inline void assert_reading_survives_no_memory(const tby_game_notation *n, const tby_game *game)
{
    memory bytes = written_game(n, game);
    tby_status status = TBY_NO_MEMORY;
    for (size_t call = 1; status != TBY_OK; call++) {
        meter m = {0, 0, 0, 0};
        const tby_allocator allocator = {meter_resize, &m};
        tby_game *back = tby_game_new(&allocator);
        assert_non_null(back);
        m.fail_at = m.n_calls + call;
        status = n->read(back, (const char *)bytes.data, bytes.n, NULL);
        assert_true(status == TBY_OK ? same_game(game, back) : status == TBY_NO_MEMORY);
        tby_game_free(back);
        assert_int_equal(m.in_use, 0);
    }
    memory_clear(&bytes);
}

/* A game with variations nested `depth` deep. */
static inline tby_game *nested_game(unsigned depth)
{
    static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    tby_game *game = new_game();
    tby_node at = TBY_ROOT;
    tby_position pos;
    tby_position_start(&pos);
    for (unsigned i = 0; i < depth; i++) {
        tby_move moves[TBY_MOVES_MAX];
        const tby_move m = move_of(&pos, shuffle[i % 4]);
        tby_moves_list(moves, &pos);
        tby_game_add(game, at, moves[moves[0] == m]);
        at = tby_game_add(game, at, m); /* a variation of a variation of ... */
        tby_position_play(&pos, m, NULL);
    }
    return game;
}

#endif
