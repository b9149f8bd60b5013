/*
 * fuzz_pgn_tree.c - any bytes as PGN, into trees, written and read again: PGN -> tree -> PGN -> tree.
 *
 * Every game is read back unchanged, alone and in a file with all of them. What was written is read without a fault
 * (except for an unplayable FEN tag, which is kept) and is written the same again. Without notes the main line is still
 * the same. The second reading has no size limit, because the export format may need more bytes than the input.
 */
#include "support.h"

static tby_pgn *reader_of(const memory *t, size_t limit)
{
    const tby_pgn_options options = {0, limit, {0, 0, 0, 0}};
    tby_pgn *pgn = tby_pgn_new_memory(t->s, t->n, &options, NULL);
    require(pgn != NULL);
    return pgn;
}

static void write_game(const tby_game *game, unsigned flags, memory *out)
{
    out->n = 0;
    require(tby_pgn_write(game, flags, to_memory, out));
}

/* The game is of another variant, or its FEN tag is unplayable. */
static bool has_bad_start(const tby_game *game)
{
    tby_position start;
    tby_position_start(&start);
    if (tby_game_child(game, TBY_ROOT) != TBY_NO_NODE)
        return false;
    return tby_game_tag(game, "Variant") ||
           (tby_game_tag(game, "FEN") && memcmp(&start, tby_game_start(game), sizeof start) == 0);
}

static void check_lines(const memory *t)
{
    size_t column = 0;
    bool has_comment = false;
    for (size_t i = 0; i < t->n; i++) {
        has_comment |= t->s[i] == '{' || t->s[i] == ';' || t->s[i] == '[';
        column = t->s[i] == '\n' ? 0 : column + 1;
        require(has_comment || column < 80);
    }
}

static void check_game(const tby_game *game, tby_game *other, memory *written, memory *again)
{
    write_game(game, 0, written);
    check_lines(written);
    tby_pgn *pgn = reader_of(written, SIZE_MAX / 2);
    const tby_game_read read = tby_game_read_pgn(other, pgn, NULL, NULL);
    require(tby_game_equal(game, other) && tby_game_equal(other, game));
    require(read == TBY_GAME_GOOD || (read == TBY_GAME_BAD && has_bad_start(game)));
    write_game(other, 0, again);
    require(written->n == again->n && memcmp(written->s, again->s, again->n) == 0);
    require(tby_game_read_pgn(other, pgn, NULL, NULL) == TBY_GAME_END);
    tby_pgn_free(pgn);
}

static void check_bare(const tby_game *game, tby_game *other, memory *written)
{
    const unsigned flags = TBY_PGN_NO_COMMENTS | TBY_PGN_NO_NAGS | TBY_PGN_NO_VARIATIONS | TBY_PGN_ONE_LINE;
    const size_t n = tby_game_main_line(game, NULL, 0);
    write_game(game, flags, written);
    tby_pgn *pgn = reader_of(written, SIZE_MAX / 2);
    require(tby_game_read_pgn(other, pgn, NULL, NULL) != TBY_GAME_END);
    require(tby_game_n_nodes(other) == n + 1 && tby_game_main_line(other, NULL, 0) == n);
    tby_pgn_free(pgn);
}

/* Writes all games of a text to another text. */
static void check_file(const memory *source, const memory *file)
{
    tby_pgn *one = reader_of(source, 0), *two = reader_of(file, SIZE_MAX / 2);
    tby_game *a = tby_game_new(NULL), *b = tby_game_new(NULL);
    require(a && b);
    tby_game_read read;
    do {
        read = tby_game_read_pgn(a, one, NULL, NULL);
        require((read == TBY_GAME_END) == (tby_game_read_pgn(b, two, NULL, NULL) == TBY_GAME_END));
        require(tby_game_equal(a, b));
    } while (read != TBY_GAME_END);
    tby_game_free(a);
    tby_game_free(b);
    tby_pgn_free(one);
    tby_pgn_free(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const memory source = {.s = (char *)(uintptr_t)data, .n = size};
    memory written = {.n = 0}, again = {.n = 0}, file = {.n = 0};
    tby_game *game = tby_game_new(NULL), *other = tby_game_new(NULL);
    tby_pgn *pgn = reader_of(&source, 0);
    require(game && other);
    while (tby_game_read_pgn(game, pgn, NULL, NULL) != TBY_GAME_END) {
        check_game(game, other, &written, &again);
        to_memory(&file, written.s, written.n);
        check_bare(game, other, &written);
    }
    check_file(&source, &file);
    tby_pgn_free(pgn);
    tby_game_free(game);
    tby_game_free(other);
    free(written.s);
    free(again.s);
    free(file.s);
    return 0;
}
