/*
 * fuzz_games.c - any bytes as a file of games, in every notation of the registry.
 *
 *     byte 0   the notation        byte 1   how many bytes the source returns per call, 0 = all        rest   the file
 *
 * Reading and skipping find the same number of games; their offsets increase; a fault is located inside the input; a
 * good game can be written in every notation that can hold it, and binary notations read it back unchanged.
 */
#include "support.h"

typedef struct faults {
    size_t n;
    size_t size; /* of the input */
} faults;

static void check_fault(void *context, const tby_game_fault *fault)
{
    faults *f = context;
    f->n += fault->error.status != TBY_OK; /* otherwise it is only a warning */
    require(fault->error.offset <= f->size && fault->text[0]);
    require(strlen(fault->text) < sizeof fault->text && strlen(fault->where) < sizeof fault->where);
}

static void check_written(const tby_game *game, tby_game *back)
{
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory m = {.n = 0};
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        const tby_status status = n->write(game, to_memory, &m, &err);
        require(status == err.status && (status == TBY_OK || (n->cannot_hold && m.n == 0)));
        if (status == TBY_OK) /* in PGN a FEN tag may differ from the game's start */
            require(n->read(back, m.s, m.n, NULL) == TBY_OK || n->keeps_beginning);
        if (status == TBY_OK && n->is_binary)
            require(tby_game_equal(game, back));
        free(m.s);
    }
}

static uint64_t read_all(const tby_game_notation *n, memory *file)
{
    tby_games *games = n->open(from_memory, file, NULL);
    tby_game *game = tby_game_new(NULL), *back = tby_game_new(NULL);
    tby_games_place before = {0};
    tby_game_read read;
    faults f = {0, file->n};
    require(games && game && back);
    while ((read = tby_games_next(games, game, check_fault, &f)) != TBY_GAME_END) {
        const tby_games_place place = tby_games_where(games);
        require(read == TBY_GAME_GOOD ? f.n == 0 : read == TBY_GAME_BAD && f.n > 0);
        require(place.n_games == before.n_games + 1 || (read == TBY_GAME_BAD && place.n_games == before.n_games));
        require(place.begin >= before.begin && place.end >= place.begin && place.end <= file->n);
        if (read == TBY_GAME_GOOD)
            check_written(game, back);
        before = place;
        f.n = 0;
    }
    const uint64_t n_games = tby_games_where(games).n_games;
    tby_games_free(games);
    tby_game_free(game);
    tby_game_free(back);
    return n_games;
}

static uint64_t skip_all(const tby_game_notation *n, const char *s, size_t size, size_t step)
{
    memory file = {(char *)(uintptr_t)s, size, size, 0, step};
    tby_games *games = n->open(from_memory, &file, NULL);
    uint64_t n_games = 0;
    require(games != NULL);
    while (tby_games_skip(games))
        n_games++;
    require(tby_games_where(games).n_games == n_games);
    tby_games_free(games);
    return n_games;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_likeness likeness;
    size_t n_notations = 0;
    if (size < 2)
        return 0;
    while (tby_game_notation_at(n_notations))
        n_notations++;
    const tby_game_notation *n = tby_game_notation_at(data[0] % n_notations);
    memory file = {(char *)(uintptr_t)data + 2, size - 2, size - 2, 0, data[1]};
    require((tby_game_notation_guess("", 0, file.s, file.n, &likeness) != NULL) == (likeness != TBY_UNLIKE));
    const uint64_t n_games = read_all(n, &file);
    require(skip_all(n, file.s, file.n, file.step) == n_games);
    require(!n->last_boundary || n->last_boundary(file.s, file.n) <= file.n);
    return 0;
}
