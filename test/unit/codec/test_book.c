/*
 * test_book.c - opening books: entries as published, moves of a position, hostile books.
 */
#include "support.h"

#include "tabiya_value.h"

#include <stdlib.h>

/* Appends an entry with a code as written, legal or not. */
static size_t put(uint8_t *book, size_t n, uint64_t key, unsigned code, unsigned weight)
{
    for (int i = 0; i < 8; i++)
        book[n + (size_t)i] = (uint8_t)(key >> (56 - 8 * i));
    const uint8_t rest[8] = {(uint8_t)(code >> 8), (uint8_t)code, (uint8_t)(weight >> 8), (uint8_t)weight};
    memcpy(book + n + 8, rest, sizeof rest);
    return n + TBY_BOOK_ENTRY_SIZE;
}

/* The codes are those that the format's description gives: castling is e1h1, a promotion counts from 1, the knight. */
TEST(test_book__entries_have_the_published_codes)
{
    static const struct {
        const char *fen, *uci;
        unsigned code;
    } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 1 << 9 | 4 << 6 | 3 << 3 | 4},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0 << 9 | 4 << 6 | 0 << 3 | 7},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 7 << 9 | 4 << 6 | 7 << 3 | 0},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", 1 << 12 | 6 << 9 | 0 << 6 | 7 << 3 | 0},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 4 << 12 | 6 << 9 | 0 << 6 | 7 << 3 | 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tby_position pos = position_of(cases[i].fen);
        const tby_move m = move_of(&pos, cases[i].uci);
        uint8_t expected[TBY_BOOK_ENTRY_SIZE] = {0}, entry[TBY_BOOK_ENTRY_SIZE];
        tby_book_move found[TBY_MOVES_MAX];
        put(expected, 0, tby_polyglot_key(&pos), cases[i].code, 513);
        tby_book_entry_encode(entry, tby_polyglot_key(&pos), m, 513);
        assert_memory_equal(entry, expected, sizeof entry);
        assert_int_equal(tby_book_moves(found, entry, sizeof entry, &pos), 1);
        assert_int_equal(found[0].move, m);
        assert_int_equal(found[0].weight, 513);
    }
}

TEST(test_book__the_heaviest_legal_moves_come_first_each_once)
{
    tby_position start;
    tby_position_start(&start);
    const uint64_t key = tby_polyglot_key(&start);
    uint8_t book[8 * TBY_BOOK_ENTRY_SIZE];
    tby_book_move found[TBY_MOVES_MAX];
    size_t n = put(book, 0, key - 1, 0x31c, 9);
    n = put(book, n, key, 0x31c, 2);  /* e2e4 */
    n = put(book, n, key, 0x2db, 7);  /* d2d4 */
    n = put(book, n, key, 0x31c, 99); /* e2e4 again */
    n = put(book, n, key, 0x324, 50); /* e2e5: illegal */
    n = put(book, n, key + 1, 0x31c, 9);
    assert_int_equal(tby_book_check(book, n), 0);
    assert_int_equal(tby_book_moves(found, book, n, &start), 2);
    assert_int_equal(found[0].move, move_of(&start, "d2d4"));
    assert_int_equal(found[1].move, move_of(&start, "e2e4"));
    assert_int_equal(found[1].weight, 2);
    const tby_position other = position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_int_equal(tby_book_moves(found, book, n, &other), 0);
    assert_int_equal(tby_book_moves(found, NULL, 0, &start), 0);
}

TEST(test_book__a_wrong_entry_is_numbered)
{
    uint8_t book[4 * TBY_BOOK_ENTRY_SIZE];
    size_t n = put(book, 0, 5, 0, 1);
    n = put(book, n, 5, 0, 1);
    assert_int_equal(tby_book_check(NULL, 0), 0);
    assert_int_equal(tby_book_check(book, n), 0);
    assert_int_equal(tby_book_check(book, n - 1), 2);
    n = put(book, n, 4, 0, 1);
    assert_int_equal(tby_book_check(book, n), 3);
}

static int compare_entries(const void *a, const void *b) { return memcmp(a, b, TBY_BOOK_ENTRY_SIZE); }

/* 1. Nf3 Nf6 2. Ng1 Ng8 leads back to the start, whose moves are not added again. */
TEST(test_book__a_game_ends_where_a_position_repeats)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    uint8_t entries[4][TBY_BOOK_ENTRY_SIZE];
    tby_position pos;
    tby_position_start(&pos);
    const tby_position start = pos;
    for (size_t i = 0; i < 4; i++) {
        const tby_move m = move_of(&pos, moves[i]);
        tby_book_entry_encode(entries[i], tby_polyglot_key(&pos), m, 1);
        tby_position_play(&pos, m, NULL);
    }
    qsort(entries, 4, sizeof *entries, compare_entries);
    tby_game *game = tby_book_game(entries[0], sizeof entries, &start);
    assert_non_null(game);
    assert_int_equal(tby_game_n_nodes(game), 5);
    tby_game_free(game);
}

TEST(test_book__any_bytes_are_a_book_of_legal_moves)
{
    uint64_t seed = 7;
    tby_position start;
    tby_position_start(&start);
    for (unsigned round = 0; round < 200; round++) {
        uint8_t book[40 * TBY_BOOK_ENTRY_SIZE];
        tby_book_move found[TBY_MOVES_MAX];
        size_t n = 0;
        while (n < sizeof book)
            n = put(book, n, tby_polyglot_key(&start), (unsigned)random_next(&seed) & 0xfff, 1);
        const size_t n_found = tby_book_moves(found, book, n - round % 16, &start);
        for (size_t i = 0; i < n_found; i++)
            assert_true(tby_move_is_legal(&start, found[i].move));
    }
}

int main(void) { return tests_run(NULL, NULL); }
