/*
 * packed.c - size and speed of packed games.
 *
 *     packed games.pgn
 */
#include "bench.h"
#include "tabiya.h"

#include <inttypes.h>

enum { MAX_BYTES = 256 << 20, MAX_GAMES = 2000000 };

typedef struct archive {
    uint8_t *bytes;
    size_t *offsets; /* of each game, and of the end */
    size_t n_games, n_plies;
    uint64_t key_sum;
} archive;

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

static void pack_all(archive *a, const char *path)
{
    FILE *file = fopen(path, "rb");
    tby_pgn *pgn = file ? tby_pgn_new(read_file, file, NULL, NULL) : NULL;
    if (!pgn)
        bench_fail("cannot read the file of games");
    static tby_move moves[TBY_PLIES_MAX];
    size_t n = 0, at = 0;
    tby_position start;
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END && a->n_games < MAX_GAMES) {
        if (event.type == TBY_PGN_GAME)
            n = 0;
        if (event.type == TBY_PGN_MOVE && tby_pgn_depth(pgn) == 0 && n < TBY_PLIES_MAX) {
            if (n == 0)
                start = *tby_pgn_position_before(pgn);
            moves[n++] = event.move;
            a->key_sum += tby_position_key(tby_pgn_position(pgn));
        }
        if (event.type != TBY_PGN_GAME_END)
            continue;
        if (n == 0)
            tby_position_start(&start);
        a->offsets[a->n_games++] = at;
        at += tby_packed_encode(a->bytes + at, MAX_BYTES - at, &start, moves, n, event.result);
        a->n_plies += n;
    }
    a->offsets[a->n_games] = at;
    tby_pgn_free(pgn);
    fclose(file);
}

static double time_keys(const archive *a, bool *is_right)
{
    static uint64_t keys[TBY_PLIES_MAX + 1];
    uint64_t sum = 0;
    const double start = bench_now();
    for (size_t i = 0; i < a->n_games; i++) {
        const size_t n = tby_packed_position_keys(keys, TBY_PLIES_MAX + 1, a->bytes + a->offsets[i],
                                                  a->offsets[i + 1] - a->offsets[i]);
        for (size_t k = 1; k < n; k++)
            sum += keys[k];
    }
    *is_right = sum == a->key_sum;
    return bench_now() - start;
}

int main(int argc, char **argv)
{
    archive a = {malloc(MAX_BYTES), malloc((MAX_GAMES + 1) * sizeof(size_t)), 0, 0, 0};
    if (argc < 2 || !a.bytes || !a.offsets)
        bench_fail("usage: packed games.pgn");
    pack_all(&a, argv[1]);
    const size_t total = a.offsets[a.n_games], frame = a.n_games * (2 + TBY_PACKED_TRAILER_SIZE);
    double times[BENCH_ROUNDS];
    bool is_right = true;
    for (int i = 0; i < BENCH_ROUNDS; i++)
        times[i] = time_keys(&a, &is_right);
    printf("packed games     %zu games, %zu plies, %zu bytes: %.4f bytes a ply (at most 1.05), %.1f bytes a game\n",
           a.n_games, a.n_plies, total, (double)(total - frame) / (double)a.n_plies, (double)total / (double)a.n_games);
    printf("decode with keys %.1f M plies/s (required 30, aim 60)  key sum %016" PRIx64 "%s\n",
           (double)a.n_plies / bench_median(times, BENCH_ROUNDS) / 1e6, a.key_sum, is_right ? "" : "  WRONG");
    free(a.bytes);
    free(a.offsets);
    return is_right ? 0 : 1;
}
