/*
 * test_short_move.c - the short moves of the tree: every form, the order of the forms, reading, an independent check.
 */
#include "notation/short_move.h"
#include "notation_support.h"

static tby_move read_good(const tby_position *pos, const char *text)
{
    tby_move m;
    tby_error err;
    if (tby_short_move_read(&m, pos, text, strlen(text), &err) != TBY_OK)
        fail_msg("%s: %s", text, err.detail);
    return m;
}

static void assert_writes(const char *fen, const char *uci, const char *text)
{
    char buf[TBY_SHORT_MOVE_SIZE];
    const tby_position pos = position_of(fen);
    const tby_move m = move_of(&pos, uci);
    assert_int_not_equal(m, TBY_MOVE_NONE);
    assert_int_equal(tby_short_move_write(buf, sizeof buf, &pos, m), strlen(text));
    assert_string_equal(buf, text);
    assert_int_equal(read_good(&pos, text), m);
}

static void assert_reads(const char *fen, const char *text, const char *uci)
{
    const tby_position pos = position_of(fen);
    assert_int_equal(read_good(&pos, text), move_of(&pos, uci));
}

static void assert_bad(const char *fen, const char *text, size_t n, tby_status status, size_t offset)
{
    const tby_position pos = position_of(fen);
    tby_move m = 0x1234;
    char *copy = exact_copy(text, n);
    assert_refused(tby_short_move_read(&m, &pos, copy, n, &err), status, offset);
    assert_int_equal(m, 0x1234);
    assert_int_equal(tby_short_move_read(&m, &pos, copy, n, NULL), status);
    free(copy);
}

TEST(test_short_move__a_forced_move_is_the_empty_text)
{
    const char forced[] = "8/8/8/8/8/5k2/8/r6K w - - 0 1", stalemate[] = "7k/8/8/8/8/6q1/8/7K w - - 0 1";
    assert_writes(forced, "h1h2", "");
    assert_bad(START_FEN, "", 0, TBY_AMBIGUOUS_MOVE, 0);
    assert_bad(stalemate, "", 0, TBY_ILLEGAL_MOVE, 0);
}

static const char START[] = START_FEN;

TEST(test_short_move__forms_are_tried_in_the_documented_order)
{
    /* to-rank, to-file and piece: one of each */
    assert_writes("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1a2", "a");
    assert_writes("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1b1", "1");
    assert_writes("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1b2", "b2");
    assert_writes(START, "e2e4", "e4");
    assert_writes(START, "g1f3", "Nf3");
    assert_writes(START, "f2f3", "Pf3");
    assert_writes("r1b1k1r1/p1p1b1pp/Bp5n/3p1p2/7P/PP2PN2/R1PP1PPR/2BQ1K2 b q - 0 12", "e7a3", "3");
    assert_writes("r1b1k1r1/p1p1b1pp/Bp5n/3p1p2/7P/PP2PN2/R1PP1PPR/2BQ1K2 b q - 0 12", "c8e6", "e");
}

TEST(test_short_move__the_piece_letter_suffices_if_only_one_such_piece_can_move_and_only_once)
{
    /* The pawn's only step shares its rank and file with moves of the rook and the king. */
    const char fen[] = "7k/8/8/8/8/R7/P6P/K5R1 w - - 0 1";
    const tby_position pos = position_of(fen);
    char buf[TBY_SHORT_MOVE_SIZE];
    tby_short_move_write(buf, sizeof buf, &pos, move_of(&pos, "h2h3"));
    assert_string_equal(buf, "Ph3");
    assert_writes("4k3/8/8/8/R7/8/P7/4K2R w - - 0 1", "a2a3", "P");
}

TEST(test_short_move__rook_pairs_need_file_or_rank_of_origin)
{
    const char rooks[] = "4k3/8/8/8/8/8/6K1/R6R w - - 0 1";
    assert_writes(rooks, "a1d1", "ad1");
    assert_writes(rooks, "h1d1", "hd1");
    const char file[] = "R7/8/8/4k3/8/8/6K1/R7 w - - 0 1";
    assert_writes(file, "a1a4", "1a4");
    assert_writes(file, "a8a4", "8a4");
}

TEST(test_short_move__three_queens_need_the_whole_origin)
{
    const char fen[] = "8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1";
    assert_writes(fen, "h4e1", "h4e1");
    assert_writes(fen, "e4e1", "ee1");
    assert_writes(fen, "h1e1", "1e1");
}

TEST(test_short_move__promotions)
{
    /* It is alone on its file and rank, so the piece decides. */
    assert_writes("8/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8b", "e8B");
    assert_writes("8/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8q", "e8Q");
    /* The example of the specification: the h-pawn or the f-pawn captures on g8. */
    const char two[] = "6n1/5P1P/8/8/8/k7/8/K7 w - - 0 1";
    assert_writes(two, "h7g8b", "hg8B");
    assert_writes(two, "f7g8n", "fg8N");
    assert_writes(two, "h7h8r", "h8R");
}

TEST(test_short_move__castling_is_a_king_move_to_its_destination)
{
    const char fen[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_writes(fen, "e1h1", "Kg1");
    assert_writes(fen, "e1a1", "Kc1");
    assert_reads(fen, "e1c1", "e1a1");
    assert_reads(fen, "eg1", "e1h1");
}

TEST(test_short_move__chess960_castling_and_step_differ)
{
    /* King f1, rook h1: the step to g1, and castling, which is written with the rook's square. */
    const tby_position pos = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    char buf[TBY_SHORT_MOVE_SIZE];
    tby_short_move_write(buf, sizeof buf, &pos, TBY_MOVE(5, 6, 0));
    assert_string_equal(buf, "Kg1");
    tby_short_move_write(buf, sizeof buf, &pos, TBY_MOVE(5, 7, TBY_KING));
    assert_string_equal(buf, "h1");
    assert_int_equal(read_good(&pos, "f1g1"), TBY_MOVE(5, 6, 0));
    assert_int_equal(read_good(&pos, "Kh1"), TBY_MOVE(5, 7, TBY_KING));
}

TEST(test_short_move__longer_forms_are_read_too)
{
    assert_reads(START, "e2e4", "e2e4");
    assert_reads(START, "Pe4", "e2e4");
    assert_reads(START, "ee4", "e2e4");
    assert_reads(START, "2e4", "e2e4");
    assert_reads(START, "gf3", "g1f3");
}

TEST(test_short_move__a_bare_square_prefers_the_only_pawn)
{
    assert_reads(START, "f3", "f2f3"); /* Nf3 would fit as well */
    assert_bad(START, "Kf3", 3, TBY_ILLEGAL_MOVE, 0);
    /* Two pawns, or four promotions of one pawn, are not a single pawn move; and other forms do not prefer pawns. */
    assert_bad("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "d5", 2, TBY_AMBIGUOUS_MOVE, 0);
    assert_bad("8/4P3/8/8/8/8/k6K/8 w - - 0 1", "e8", 2, TBY_AMBIGUOUS_MOVE, 0);
    assert_bad("8/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8", 4, TBY_AMBIGUOUS_MOVE, 0);
    assert_bad(START, "f", 1, TBY_AMBIGUOUS_MOVE, 0);
    assert_bad(START, "3", 1, TBY_AMBIGUOUS_MOVE, 0);
    assert_bad(START, "P", 1, TBY_AMBIGUOUS_MOVE, 0);
}

TEST(test_short_move__bad_text_is_located)
{
    assert_bad(START, "e5", 2, TBY_ILLEGAL_MOVE, 0);
    assert_bad(START, "i", 1, TBY_INVALID_SHORT_MOVE, 0);
    assert_bad(START, "9", 1, TBY_INVALID_SHORT_MOVE, 0);
    assert_bad(START, "ee", 2, TBY_INVALID_SHORT_MOVE, 2);
    assert_bad(START, "ne4", 3, TBY_INVALID_SHORT_MOVE, 0);
    assert_bad(START, "Ne", 2, TBY_INVALID_SHORT_MOVE, 2);
    assert_bad(START, "NN", 2, TBY_INVALID_SHORT_MOVE, 1);
    assert_bad(START, "e4 ", 3, TBY_INVALID_SHORT_MOVE, 2);
    assert_bad(START, "e4\0", 3, TBY_INVALID_SHORT_MOVE, 2);
    assert_bad(START, "e8K", 3, TBY_INVALID_SHORT_MOVE, 2);
    assert_bad(START, "e8P", 3, TBY_INVALID_SHORT_MOVE, 2);
    assert_bad(START, "e7e8q", 5, TBY_INVALID_SHORT_MOVE, 4);
    assert_bad(START, "-", 1, TBY_INVALID_SHORT_MOVE, 0);
}

/* Every form that a move can be written in, in the documented order. */
static size_t all_forms(char forms[11][8], const tby_position *pos, tby_move m)
{
    static const char letters[] = "?PBNRKQ?";
    const tby_square from = TBY_MOVE_FROM(m);
    tby_square to = tby_move_destination(m);
    if (TBY_MOVE_IS_CASTLING(m) && tby_move_is_legal(pos, TBY_MOVE(from, to, 0)))
        to = TBY_MOVE_TO(m);
    const char p = letters[TBY_PIECE_KIND(tby_board_piece(&pos->board, from))], q = letters[TBY_MOVE_KIND(m)];
    const char f = (char)('a' + TBY_FILE(from)), r = (char)('1' + TBY_RANK(from));
    const char F = (char)('a' + TBY_FILE(to)), R = (char)('1' + TBY_RANK(to));
    const bool promotes = TBY_MOVE_IS_PROMOTION(m);
    const char texts[11][8] = {{0},
                               {R},
                               {F},
                               {p},
                               {F, R},
                               {p, F, R},
                               {f, F, R},
                               {r, F, R},
                               {F, R, promotes ? q : '!'},
                               {f, F, R, promotes ? q : '!'},
                               {f, r, F, R}};
    size_t n = 0;
    for (int i = 0; i < 11; i++)
        if (!strchr(texts[i], '!'))
            memcpy(forms[n++], texts[i], 8);
    return n;
}

/* The definition, literally: the first form that no other legal move shares. */
static void define(char out[8], const tby_position *pos, const tby_move *moves, size_t n_moves, size_t index)
{
    char mine[11][8], others[11][8];
    const size_t n_mine = all_forms(mine, pos, moves[index]);
    for (size_t i = 0; i < n_mine; i++) {
        bool is_alone = true;
        for (size_t j = 0; is_alone && j < n_moves; j++) {
            const size_t n_others = j == index ? 0 : all_forms(others, pos, moves[j]);
            for (size_t k = 0; k < n_others; k++)
                is_alone = is_alone && strcmp(mine[i], others[k]) != 0;
        }
        if (is_alone) {
            memcpy(out, mine[i], 8);
            return;
        }
    }
    fail_msg("a move without a short text");
}

static void check_position(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    static char all[TBY_MOVES_MAX][TBY_SHORT_MOVE_SIZE];
    const size_t n_moves = tby_moves_list(moves, pos);
    short_moves_write_all(all, pos, moves, n_moves);
    for (size_t i = 0; i < n_moves; i++) {
        char expected[8], buf[TBY_SHORT_MOVE_SIZE];
        define(expected, pos, moves, n_moves, i);
        assert_int_equal(tby_short_move_write(buf, sizeof buf, pos, moves[i]), strlen(expected));
        assert_string_equal(buf, expected);
        assert_string_equal(all[i], expected);
        assert_int_equal(read_good(pos, buf), moves[i]);
    }
}

TEST(test_short_move__random_games_follow_the_definition) { visit_random_games(24, 100, check_position); }

TEST(test_short_move__random_boards_follow_the_definition)
{
    uint64_t seed = 0x5eed5eed5eedULL;
    for (unsigned i = 0; i < 600; i++) {
        const tby_position pos = random_board(&seed, 1 + i % 12);
        check_position(&pos);
    }
}

TEST(test_short_move__a_small_buffer_holds_the_empty_text)
{
    const tby_position pos = position_of("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1");
    const tby_move m = move_of(&pos, "h4e1");
    for (size_t cap = 0; cap <= 4; cap++) {
        char buf[8] = "zzzzzzz";
        assert_int_equal(tby_short_move_write(buf, cap, &pos, m), 4);
        assert_int_equal(buf[0], cap ? '\0' : 'z');
        assert_int_equal(buf[4], 'z');
    }
}

static void read_any(const char *s, size_t n)
{
    const tby_position pos = position_of("6n1/5P1P/8/8/8/k7/8/K7 w - - 0 1");
    tby_move m;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (tby_short_move_read(&m, &pos, s, n, &err) == TBY_OK)
        assert_true(tby_move_is_legal(&pos, m));
    else
        assert_true(err.offset <= n);
}

TEST(test_short_move__hostile_text_is_refused_within_bounds)
{
    for_each_mutation("hg8B", read_any);
    for_each_mutation("h7g8", read_any);
    for_each_flood(read_any);
}

int main(void) { return tests_run(NULL, NULL); }
