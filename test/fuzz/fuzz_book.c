/*
 * fuzz_book.c - any bytes as an opening book: its moves are legal, and it becomes a game.
 *
 * Random keys are rarely those of a position, so an entry whose first byte is 0 gets the key of the start position, or of
 * the position after its own move.
 */
#include "support.h"

enum { MAX_ENTRIES = 64 };

static void set_key(uint8_t *entry, uint64_t key)
{
    for (int i = 0; i < 8; i++)
        entry[i] = (uint8_t)(key >> (56 - 8 * i));
}

static void check(const uint8_t *book, size_t n, const tby_position *pos)
{
    tby_book_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_book_moves(moves, book, n, pos);
    for (size_t i = 0; i < n_moves; i++) {
        require(tby_move_is_legal(pos, moves[i].move));
        require(i == 0 || moves[i - 1].weight >= moves[i].weight);
    }
    tby_game *game = tby_book_game(book, n, pos);
    require(game && tby_game_n_nodes(game) > n_moves);
    tby_game_free(game);
}

static uint64_t key_after(const tby_position *start, unsigned choice)
{
    tby_move moves[TBY_MOVES_MAX];
    tby_position pos = *start;
    const size_t n = tby_moves_list(moves, start);
    tby_position_play(&pos, moves[choice % n], NULL);
    return tby_polyglot_key(&pos);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t book[MAX_ENTRIES * TBY_BOOK_ENTRY_SIZE];
    tby_position start;
    tby_position_start(&start);
    require(tby_book_check(data, size) <= size / TBY_BOOK_ENTRY_SIZE + 1);
    check(data, size, &start);
    size = size < sizeof book ? size : sizeof book;
    if (size > 0)
        memcpy(book, data, size);
    for (size_t i = 0; i + TBY_BOOK_ENTRY_SIZE <= size; i += TBY_BOOK_ENTRY_SIZE)
        if (book[i] == 0)
            set_key(book + i, book[i + 1] == 0 ? tby_polyglot_key(&start) : key_after(&start, book[i + 1]));
    check(book, size, &start);
    return 0;
}
