/*
 * fuzz_packed.c - any bytes as a packed game: nothing misbehaves, checked or not; bytes that pass the check are the
 * canonical form of their game.
 *
 *     byte 0   the ply and the flags of the calls; the rest is the game
 */
#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t again[TBY_CHESSGAME_SIZE];
static uint64_t work[64 * TBY_DEAD_NODE_SIZE / 8];

static void require(bool condition)
{
    if (!condition)
        abort();
}

static bool swallow(void *context, const char *s, size_t n)
{
    *(size_t *)context += n;
    return s != NULL;
}

typedef struct text {
    char s[40 * 1000];
    size_t n;
} text;

static bool keep(void *context, const char *s, size_t n)
{
    text *t = context;
    if (n > sizeof t->s - t->n)
        return false;
    memcpy(t->s + t->n, s, n);
    t->n += n;
    return true;
}

/* Results for unchecked bytes may be nonsense, but every function returns. */
static void ask(const uint8_t *bytes, size_t n, int ply)
{
    tby_position pos;
    tby_packed_summary summary;
    uint64_t keys[8];
    size_t length = 0, n_out;
    uint8_t *part = malloc(n + 1);
    require(part != NULL);
    require(tby_chessgame_first(part, bytes, n, ply) <= n && tby_chessgame_undo(part, bytes, n) <= n);
    require(tby_chessgame_named_opening(part, bytes, n) <= n && tby_chessgame_range_begin(part, bytes, n) <= n &&
            tby_chessgame_range_end(part, bytes, n) <= n);
    free(part);
    tby_chessgame_add(again, &n_out, bytes, n, "e4", 2, NULL);
    if (tby_chessgame_position(&pos, bytes, n, ply)) {
        tby_target target;
        tby_target_position(&target, &pos);
        tby_target_find(&target, bytes, n, 100);
    }
    tby_packed_summary_of(&summary, bytes, n);
    tby_packed_position_keys(keys, 8, bytes, n);
    tby_chessgame_outcome(bytes, n, true, work, sizeof work);
    tby_chessgame_write(bytes, n, swallow, &length);
    for (size_t i = 0; tby_move_notation_at(i); i++)
        tby_chessgame_write_line(bytes, n, tby_move_notation_at(i), swallow, &length, NULL);
}

/* Moves and text lead back to the same bytes. */
static void check_good(const uint8_t *bytes, size_t n)
{
    static tby_move moves[TBY_PLIES_MAX];
    static text t;
    tby_packed cursor;
    size_t n_plies = 0, n_again;
    require(tby_packed_begin(&cursor, bytes, n));
    const tby_position start = cursor.pos;
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE;)
        moves[n_plies++] = m;
    n_again = tby_packed_encode(again, sizeof again, &start, moves, n_plies, tby_packed_result(bytes, n));
    require(n_again == n && memcmp(again, bytes, n) == 0);
    t.n = 0;
    if (tby_chessgame_write(bytes, n, keep, &t)) {
        require(tby_chessgame_read(again, &n_again, t.s, t.n, 0, NULL, NULL) == TBY_OK);
        require(n_again == n && memcmp(again, bytes, n) == 0);
    }
    require(tby_chessgame_has_opening(bytes, n, bytes, n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    const tby_status status = tby_packed_check(data + 1, size - 1, &err);
    require(status == err.status && err.offset <= size);
    if (size <= 400)
        ask(data + 1, size - 1, data[0]);
    if (status == TBY_OK)
        check_good(data + 1, size - 1);
    return 0;
}
