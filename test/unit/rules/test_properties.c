/*
 * test_properties.c - properties of every position, checked on 10^5 of them: random games of chess and Chess960, and
 * random boards that no game reaches.
 *
 *     the functions for legal moves agree, and play and undo restore every byte
 *     incrementally updated keys equal keys computed from scratch, and keys are equal exactly for the same position
 *     FEN, SAN and UCI read back what was written
 *     the PGN reader returns the same with and without its fast paths
 */
#include "support.h"

/* Instrumented builds are many times slower and check a fiftieth of the positions. */
#ifdef TBY_TEST_QUICK
enum { N_POSITIONS = 2000 };
#else
enum { N_POSITIONS = 100000 };
#endif

static uint64_t random_state;
static size_t n_visited;

/* Positions of games, then a tenth as many strange boards. */
static void for_each_position(void (*visit)(const tby_position *))
{
    n_visited = 0;
    random_state = 0x9e3779b97f4a7c15ULL;
    visit_random_games(N_POSITIONS / 150, 200, visit);
    assert_true(n_visited >= N_POSITIONS);
    uint64_t random = 0xd1342543de82ef95ULL;
    for (unsigned i = 0; i < N_POSITIONS / 10; i++) {
        const tby_position pos = random_board(&random, i % 60);
        visit(&pos);
    }
}

static const char *fen_of(const tby_position *pos)
{
    static char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos, TBY_FEN_SHREDDER);
    return fen;
}

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: %s", fen_of(pos), #condition);                                                               \
    } while (0)

/* ---- Legal moves ---------------------------------------------------------------------------------------- */

static bool is_listed(const tby_move *moves, size_t n, tby_move m)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i] == m)
            return true;
    return false;
}

static void visit_moves(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX], some[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    n_visited++;
    CHECK(tby_moves_count(pos) == n);
    CHECK(tby_moves_any(pos) == (n != 0));
    CHECK(tby_perft(pos, 1) == n);
    for (size_t i = 0; i < n; i++) {
        CHECK(tby_move_is_legal(pos, moves[i]));
        CHECK(!is_listed(moves, i, moves[i]));
    }
    for (int i = 0; i < 16; i++) {
        /* Legal moves with some bits changed, and random 16-bit values. */
        const tby_move any = (tby_move)random_next(&random_state);
        const tby_move legal = n ? moves[any % n] : any;
        const tby_move near_one = (tby_move)(legal ^ 1U << random_below(&random_state, 16));
        CHECK(tby_move_is_legal(pos, any) == is_listed(moves, n, any));
        CHECK(tby_move_is_legal(pos, near_one) == is_listed(moves, n, near_one));
    }
    const tby_square square = (tby_square)random_below(&random_state, 64);
    size_t n_from = 0;
    for (size_t i = 0; i < n; i++)
        n_from += TBY_MOVE_FROM(moves[i]) == square;
    CHECK(tby_moves_from(some, pos, square) == n_from);
}

TEST(test_properties__the_functions_for_legal_moves_agree) { for_each_position(visit_moves); }

static void visit_check(const tby_position *pos)
{
    const bool is_check = tby_position_checkers(pos) != 0, any = tby_moves_any(pos);
    n_visited++;
    CHECK(tby_position_is_check(pos) == is_check);
    CHECK(tby_position_is_checkmate(pos) == (is_check && !any));
    CHECK(tby_position_is_stalemate(pos) == (!is_check && !any));
    const tby_outcome outcome = tby_outcome_of(pos, 1, TBY_UNKNOWN, false);
    CHECK((outcome.reason == TBY_CHECKMATE) == (is_check && !any));
    CHECK((outcome.reason == TBY_STALEMATE) == (!is_check && !any));
    CHECK((outcome.result == TBY_RESULT_NONE) == (outcome.reason == TBY_REASON_NONE));
}

TEST(test_properties__check_mate_and_outcome_agree) { for_each_position(visit_check); }

/* ---- Play and undo -------------------------------------------------------------------------------------- */

static void visit_play(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    tby_position now = *pos;
    n_visited++;
    CHECK(tby_position_is_consistent(pos));
    for (size_t i = 0; i < n; i++) {
        tby_undo undo;
        tby_position without_undo = *pos;
        tby_position_play(&now, moves[i], &undo);
        tby_position_play(&without_undo, moves[i], NULL);
        CHECK(memcmp(&now, &without_undo, sizeof now) == 0);
        CHECK(tby_position_is_consistent(&now));
        CHECK(now.placement_key == tby_placement_key(&now.board));
        CHECK(tby_position_side(&now) != tby_position_side(pos));
        CHECK(now.ply == pos->ply + 1);
        tby_position_undo(&now, &undo);
        CHECK(memcmp(&now, pos, sizeof now) == 0);
    }
}

TEST(test_properties__play_and_undo_restore_every_byte) { for_each_position(visit_play); }

static void visit_null_move(const tby_position *pos)
{
    tby_position now = *pos;
    tby_undo undo;
    n_visited++;
    const tby_status status = tby_position_play_null(&now, &undo);
    CHECK(status == (tby_position_is_check(pos) ? TBY_ILLEGAL_NULL_MOVE : TBY_OK));
    if (status == TBY_OK) {
        CHECK(tby_position_is_consistent(&now));
        CHECK(now.placement_key == pos->placement_key);
        CHECK(tby_position_key(&now) != tby_position_key(pos));
        tby_position_undo(&now, &undo);
    }
    CHECK(memcmp(&now, pos, sizeof now) == 0);
}

TEST(test_properties__null_move_and_undo_restore_every_byte) { for_each_position(visit_null_move); }

/* Plays a whole game and undoes it to the start: all its undo records fit together. */
TEST(test_properties__undoing_whole_games)
{
    enum { PLIES = 300 };
    static tby_position seen[PLIES + 1];
    static tby_undo undo[PLIES];
    uint64_t random = 88172645463325252ULL;
    for (unsigned game = 0; game < N_POSITIONS / 2000; game++) {
        tby_setup setup;
        unsigned ply = 0;
        assert_true(tby_setup_chess960(&setup, random_below(&random, 960)));
        assert_int_equal(tby_position_init(&seen[0], &setup, 0, NULL), TBY_OK);
        tby_position pos = seen[0];
        while (ply < PLIES) {
            tby_move moves[TBY_MOVES_MAX];
            const size_t n = tby_moves_list(moves, &pos);
            if (n == 0)
                break;
            tby_position_play(&pos, moves[random_below(&random, (unsigned)n)], &undo[ply++]);
            seen[ply] = pos;
        }
        while (ply > 0) {
            tby_position_undo(&pos, &undo[--ply]);
            assert_memory_equal(&pos, &seen[ply], sizeof pos);
        }
    }
}

/* ---- Keys ----------------------------------------------------------------------------------------------- */

/* The identity of a position in words: placement, side, castling rights, and en passant if it is legal. */
static void identity(char buf[TBY_FEN_SIZE], const tby_position *pos)
{
    tby_fen_write_position(buf, TBY_FEN_SIZE, pos, TBY_FEN_EPD | TBY_FEN_EP_LEGAL | TBY_FEN_SHREDDER);
}

static void visit_keys(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    tby_setup setup;
    tby_position rebuilt;
    n_visited++;
    CHECK(pos->placement_key == tby_placement_key(&pos->board));
    tby_position_setup(&setup, pos);
    CHECK(tby_position_init(&rebuilt, &setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK);
    CHECK(memcmp(&rebuilt, pos, sizeof rebuilt) == 0);
    CHECK(tby_position_key(&rebuilt) == tby_position_key(pos));
    CHECK(tby_polyglot_key(&rebuilt) == tby_polyglot_key(pos));
    /* The clocks do not count, nor does an en passant square without a capture. */
    rebuilt.clock ^= 1;
    rebuilt.ply += 2;
    rebuilt.en_passant = tby_position_en_passant_legal(pos);
    CHECK(tby_position_same(&rebuilt, pos));
    CHECK(tby_position_key(&rebuilt) == tby_position_key(pos));
    if (n < 2)
        return;
    /* Two moves lead to the same position exactly if the words are the same. */
    char a_words[TBY_FEN_SIZE], b_words[TBY_FEN_SIZE];
    tby_position a = *pos, b = *pos;
    tby_position_play(&a, moves[random_below(&random_state, (unsigned)n)], NULL);
    tby_position_play(&b, moves[random_below(&random_state, (unsigned)n)], NULL);
    identity(a_words, &a);
    identity(b_words, &b);
    const bool same = strcmp(a_words, b_words) == 0;
    CHECK(tby_position_same(&a, &b) == same);
    CHECK((tby_position_key(&a) == tby_position_key(&b)) == same);
}

TEST(test_properties__updated_keys_are_keys_computed_from_scratch) { for_each_position(visit_keys); }

/* ---- Round trips ---------------------------------------------------------------------------------------- */

static void expect_fen_round_trip(const tby_position *pos, unsigned write_flags, unsigned read_flags)
{
    char fen[TBY_FEN_SIZE], again[TBY_FEN_SIZE];
    tby_setup setup, back;
    unsigned warnings = 0xdead;
    tby_error err = {0};
    tby_position_setup(&setup, pos);
    const size_t length = tby_fen_write_position(fen, sizeof fen, pos, write_flags);
    assert_true(length < sizeof fen);
    if (tby_fen_read(&back, fen, length, read_flags, &warnings, &err) != TBY_OK)
        fail_msg("%s: %s", fen, err.detail);
    assert_int_equal(warnings, 0);
    if (write_flags & (TBY_FEN_EP_XFEN | TBY_FEN_EP_LEGAL)) {
        if (back.en_passant == TBY_NO_SQUARE)
            setup.en_passant = TBY_NO_SQUARE; /* the square may have been left out; visit_fen checks that */
    }
    if (!tby_setup_equal(&back, &setup))
        fail_msg("%s is not read back", fen);
    assert_int_equal(tby_fen_write(again, sizeof again, &back, write_flags), length);
    assert_string_equal(again, fen);
}

/* "-" or the square, as in the fourth field. */
static bool has_en_passant(const tby_position *pos, unsigned flags)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos, flags | TBY_FEN_EPD);
    return fen[strlen(fen) - 1] != '-';
}

static bool pawn_stands_ready(const tby_position *pos)
{
    const tby_color us = tby_position_side(pos);
    return pos->en_passant != TBY_NO_SQUARE &&
           (tby_position_attackers(pos, pos->en_passant, us) & tby_board_pieces(&pos->board, TBY_PIECE(us, TBY_PAWN)));
}

static void visit_fen(const tby_position *pos)
{
    n_visited++;
    expect_fen_round_trip(pos, 0, 0);
    expect_fen_round_trip(pos, 0, TBY_FEN_STRICT);
    expect_fen_round_trip(pos, TBY_FEN_SHREDDER, TBY_FEN_STRICT);
    expect_fen_round_trip(pos, TBY_FEN_XFEN, TBY_FEN_CHESS960 | TBY_FEN_STRICT);
    expect_fen_round_trip(pos, TBY_FEN_EP_XFEN, 0);
    expect_fen_round_trip(pos, TBY_FEN_EP_LEGAL, 0);
    CHECK(has_en_passant(pos, 0) == (pos->en_passant != TBY_NO_SQUARE));
    CHECK(has_en_passant(pos, TBY_FEN_EP_XFEN) == pawn_stands_ready(pos));
    CHECK(has_en_passant(pos, TBY_FEN_EP_LEGAL) == (tby_position_en_passant_legal(pos) != TBY_NO_SQUARE));
}

TEST(test_properties__fen_is_read_back) { for_each_position(visit_fen); }

static void visit_san(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    n_visited++;
    for (size_t i = 0; i < n; i++) {
        char text[TBY_SAN_SIZE];
        tby_move back = TBY_MOVE_NONE;
        unsigned warnings = 0xdead;
        const size_t length = tby_san_write(text, sizeof text, pos, moves[i]);
        CHECK(length < sizeof text);
        CHECK(tby_san_read(&back, pos, text, length, TBY_SAN_STRICT, &warnings, NULL) == TBY_OK);
        CHECK(back == moves[i]);
        CHECK(warnings == 0);
    }
}

TEST(test_properties__san_is_read_back) { for_each_position(visit_san); }

static void visit_uci(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    n_visited++;
    for (size_t i = 0; i < n; i++)
        for (unsigned flags = 0; flags <= TBY_UCI_CHESS960; flags += TBY_UCI_CHESS960) {
            char text[TBY_UCI_SIZE];
            tby_move back = TBY_MOVE_NONE;
            const size_t length = tby_uci_write(text, sizeof text, pos, moves[i], flags);
            CHECK(length < sizeof text);
            CHECK(tby_uci_read(&back, pos, text, length, NULL) == TBY_OK);
            CHECK(back == moves[i]);
        }
}

TEST(test_properties__uci_is_read_back) { for_each_position(visit_uci); }

/* ---- PGN ------------------------------------------------------------------------------------------------ */

/* A word that looks like a move: a piece or a pawn, perhaps an origin, an x, a square, and a mark. */
static size_t write_likely_move(char *buf)
{
    static const char pieces[] = "NBRQKNBRQKP0", marks[] = "+#!";
    const uint64_t r = random_next(&random_state);
    char *at = buf;
    if (r & 3)
        *at++ = pieces[(r >> 2) % (sizeof pieces - 1)];
    if ((r >> 8 & 3) == 0)
        *at++ = (char)('a' + (r >> 10 & 7));
    if ((r >> 16 & 7) == 0)
        *at++ = (char)('1' + (r >> 19 & 7));
    if ((r >> 24 & 3) == 0)
        *at++ = 'x';
    *at++ = (char)('a' + (r >> 28) % 9);
    *at++ = (char)('1' + (r >> 32 & 7));
    if ((r >> 36 & 15) == 0) {
        *at++ = '=';
        *at++ = 'Q';
    }
    if ((r >> 40 & 3) == 0)
        *at++ = marks[(r >> 42) % 3];
    return (size_t)(at - buf);
}

/* How the last word of a game was read: as a move, or as TBY_MOVE_NONE with the status of the fault. */
typedef struct judgement {
    tby_move move;
    tby_status status;
    tby_position pos;
} judgement;

static judgement judge_last(const char *text, size_t n, unsigned flags, bool at_once)
{
    const tby_pgn_options options = {.flags = flags};
    tby_pgn *pgn = tby_pgn_new_memory(text, n, &options, NULL);
    judgement j = {TBY_MOVE_NONE, TBY_OK, {{{0}}, 0, 0, 0, 0, 0, 0}};
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END) {
        if (event.type == TBY_PGN_MOVE)
            j.move = event.move;
        if (event.type == TBY_PGN_ERROR && j.status == TBY_OK) {
            j.move = TBY_MOVE_NONE;
            j.status = event.error.status;
        }
        while (at_once && tby_pgn_moves(pgn, &j.move, 1) > 0) {
        }
        if (event.type == TBY_PGN_GAME_END)
            j.pos = *tby_pgn_position(pgn);
    }
    tby_pgn_free(pgn);
    return j;
}

static void visit_pgn(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    if (n_visited++ % 16 || n_moves == 0)
        return;
    for (int i = 0; i < 8; i++) {
        char text[TBY_FEN_SIZE + 64], san[TBY_SAN_SIZE];
        tby_san_write(san, sizeof san, pos, moves[random_below(&random_state, (unsigned)n_moves)]);
        int n = snprintf(text, sizeof text, "[FEN \"%s\"]\n[Variant \"Chess960\"]\n\n1... %s ", fen_of(pos), san);
        n += (int)write_likely_move(text + n);
        const judgement careful = judge_last(text, (size_t)n, TBY_PGN_WARNINGS, false);
        for (int at_once = 0; at_once < 2; at_once++) {
            const judgement quick = judge_last(text, (size_t)n, 0, at_once);
            if (quick.move != careful.move || quick.status != careful.status ||
                memcmp(&quick.pos, &careful.pos, sizeof quick.pos) != 0)
                fail_msg("%.*s: %04x %d, carefully %04x %d", n, text, quick.move, quick.status, careful.move,
                         careful.status);
        }
    }
}

/* With warnings enabled, the reader does not use its fast paths. */
TEST(test_properties__the_fast_paths_of_the_pgn_reader_change_nothing) { for_each_position(visit_pgn); }

int main(void) { return tests_run(NULL, NULL); }
