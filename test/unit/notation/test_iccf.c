/*
 * test_iccf.c - moves in the numeric notation of correspondence chess.
 */
#include "notation_support.h"

static const tby_move_notation *iccf(void) { return tby_move_notation_find("iccf", 4); }

static void assert_move(const char *fen, const char *text, const char *uci)
{
    tby_position pos;
    tby_move m;
    char back[TBY_UCI_SIZE], digits[TBY_UCI_SIZE];
    assert_int_equal(tby_fen_read_position(&pos, fen, strlen(fen), 0, NULL, NULL), TBY_OK);
    assert_int_equal(iccf()->read(&m, &pos, text, strlen(text), 0, NULL), TBY_OK);
    tby_uci_write(back, sizeof back, &pos, m, 0);
    assert_string_equal(back, uci);
    assert_int_equal(iccf()->write(digits, sizeof digits, &pos, m, 0, NULL), strlen(text));
    assert_string_equal(digits, text);
}

TEST(test_iccf__files_and_promotions_are_digits)
{
    const char *pawn = "8/4P1k1/8/8/8/8/8/4K2R w K - 0 1";
    assert_move("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "5254", "e2e4");
    assert_move("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "7163", "g1f3");
    assert_move(pawn, "5171", "e1g1");
    assert_move(pawn, "57581", "e7e8q");
    assert_move(pawn, "57582", "e7e8r");
    assert_move(pawn, "57583", "e7e8b");
    assert_move(pawn, "57584", "e7e8n");
}

TEST(test_iccf__invalid_moves_are_refused_at_their_byte)
{
    static const struct {
        const char *text;
        tby_status status;
        size_t offset;
    } cases[] = {
        {"", TBY_INVALID_UCI, 0},       {"5", TBY_INVALID_UCI, 1},     {"e2e4", TBY_INVALID_UCI, 0},
        {"5294", TBY_INVALID_UCI, 2},   {"0254", TBY_INVALID_UCI, 0},  {"52545", TBY_INVALID_UCI, 4},
        {"525411", TBY_INVALID_UCI, 5}, {"5255", TBY_ILLEGAL_MOVE, 2}, {"5354", TBY_ILLEGAL_MOVE, 0},
        {"52541", TBY_ILLEGAL_MOVE, 4}, {"5252", TBY_INVALID_UCI, 2},  {"0000", TBY_ILLEGAL_NULL_MOVE, 0},
    };
    tby_position pos;
    tby_position_start(&pos);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tby_move m = TBY_MOVE_NONE;
        tby_error err = {.status = TBY_OK};
        assert_int_equal(iccf()->read(&m, &pos, cases[i].text, strlen(cases[i].text), 0, &err), cases[i].status);
        assert_int_equal(err.offset, cases[i].offset);
        assert_int_equal(m, TBY_MOVE_NONE);
    }
}

int main(void) { return tests_run(NULL, NULL); }
