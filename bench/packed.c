/*
 * packed.c - size and speed of packed games.
 *
 *     packed games.pgn
 */
#include "bench.h"
#include "tabiya_value.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_BYTES = 256 << 20, MAX_GAMES = 2000000 };

typedef struct archive {
    uint8_t *bytes;
    size_t *offsets; /* of each game, and after the last */
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

/* ---- What an archive would cost ------------------------------------------------------------------------- */

/* A move as its rank among the legal ones, best guess first: captures by what they win, then by the piece-square table.
   Ranks are coded by their frequency, given the number of moves. Frequencies are counted in the even games, the cost in
   the odd ones. */
typedef struct model {
    uint32_t counts[256][256], totals[256];
    double bits, uniform_bits;
    size_t n_plies;
} model;

static int guess(const tby_position *pos, tby_move m)
{
    static const int values[8] = {0, 100, 300, 300, 500, 0, 900, 0};
    const tby_piece piece = tby_board_piece(&pos->board, TBY_MOVE_FROM(m));
    const tby_piece captured = tby_move_captured(pos, m);
    const int step = tby_piece_square_value(piece, tby_move_destination(m), TBY_MIDDLEGAME) -
                     tby_piece_square_value(piece, TBY_MOVE_FROM(m), TBY_MIDDLEGAME);
    return step + (captured ? 1000 + 4 * values[captured & 7] - values[piece & 7] : 0) +
           (TBY_MOVE_IS_PROMOTION(m) ? values[TBY_MOVE_KIND(m)] : 0);
}

static unsigned rank_of(const tby_position *pos, tby_move played, size_t *n_moves)
{
    tby_move moves[TBY_MOVES_MAX];
    unsigned rank = 0;
    *n_moves = tby_moves_list(moves, pos);
    const int score = guess(pos, played);
    for (size_t i = 0; i < *n_moves; i++) {
        const int other = guess(pos, moves[i]);
        rank += other > score || (other == score && moves[i] < played);
    }
    return rank;
}

static void model_game(model *m, const archive *a, size_t game, bool learns)
{
    tby_packed cursor;
    tby_packed_begin(&cursor, a->bytes + a->offsets[game], a->offsets[game + 1] - a->offsets[game]);
    for (;;) {
        const tby_position before = cursor.pos;
        const tby_move played = tby_packed_next(&cursor);
        size_t n;
        if (played == TBY_MOVE_NONE)
            return;
        const unsigned rank = rank_of(&before, played, &n);
        if (learns) {
            m->counts[n][rank]++;
            m->totals[n]++;
            continue;
        }
        m->bits -= log2((m->counts[n][rank] + 0.5) / (m->totals[n] + 0.5 * (double)n));
        m->uniform_bits += log2((double)n);
        m->n_plies++;
    }
}

/* Only reports: such an archive is worth implementing below 0.56 bytes per ply, at 5 million decoded plies per second. */
static void report_archive(const archive *a)
{
    enum { EVERY = 10 };
    model *m = calloc(1, sizeof *m);
    if (!m)
        bench_fail("no memory");
    for (size_t i = 0; i < a->n_games; i += 2 * EVERY)
        model_game(m, a, i, true);
    const double start = bench_now();
    for (size_t i = EVERY; i < a->n_games; i += 2 * EVERY)
        model_game(m, a, i, false);
    const double seconds = bench_now() - start;
    printf("archive, not built: ranked legal moves %.3f bytes per ply, unranked %.3f; ranking alone %.1f M plies/s\n",
           m->bits / 8 / (double)m->n_plies, m->uniform_bits / 8 / (double)m->n_plies,
           (double)m->n_plies / seconds / 1e6);
    free(m);
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
    printf("packed games     %zu games, %zu plies, %zu bytes: %.4f bytes per ply (at most 1.05), %.1f bytes per game\n",
           a.n_games, a.n_plies, total, (double)(total - frame) / (double)a.n_plies, (double)total / (double)a.n_games);
    printf("decode with keys %.1f M plies/s (required 30, aim 60)  key sum %016" PRIx64 "%s\n",
           (double)a.n_plies / bench_median(times, BENCH_ROUNDS) / 1e6, a.key_sum, is_right ? "" : "  WRONG");
    report_archive(&a);
    free(a.bytes);
    free(a.offsets);
    return is_right ? 0 : 1;
}
