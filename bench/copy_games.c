/*
 * copy_games.c - writes games for PostgreSQL's COPY ... WITH BINARY: rows with a number, from 1, and a chessgame.
 *
 *     copy_games games.pgn             the games of a file
 *     copy_games --random N SEED       N random games of up to 300 half-moves; every tenth is a prefix of another
 */
#include "bench.h"
#include "tabiya_value.h"

#include <string.h>

static void put_number(uint64_t number, int n_bytes)
{
    for (int i = n_bytes - 1; i >= 0; i--)
        putchar((int)(number >> (8 * i)) & 255);
}

static void put_row(uint32_t number, const uint8_t *bytes, size_t n)
{
    put_number(2, 2);
    put_number(4, 4);
    put_number(number, 4);
    put_number(n, 4);
    fwrite(bytes, 1, n, stdout);
}

static void put_game(uint32_t number, const tby_position *start, const tby_move *moves, size_t n, tby_result result)
{
    static uint8_t bytes[TBY_CHESSGAME_SIZE];
    put_row(number, bytes, tby_packed_encode(bytes, sizeof bytes, start, moves, n, result));
}

/* ---- A file ------------------------------------------------------------------------------------------------ */

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

static void copy_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    tby_pgn *pgn = file ? tby_pgn_new(read_file, file, NULL, NULL) : NULL;
    if (!pgn)
        bench_fail("cannot read the file of games");
    static tby_move moves[TBY_PLIES_MAX];
    size_t n = 0;
    uint32_t number = 0;
    tby_position start;
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END) {
        if (event.type == TBY_PGN_GAME)
            n = 0;
        if (event.type == TBY_PGN_MOVE && tby_pgn_depth(pgn) == 0) {
            if (n == 0)
                start = *tby_pgn_position_before(pgn);
            moves[n++] = event.move;
            n += tby_pgn_moves(pgn, moves + n, TBY_PLIES_MAX - n);
        }
        if (event.type != TBY_PGN_GAME_END)
            continue;
        if (n == 0)
            start = *tby_pgn_position(pgn);
        put_game(++number, &start, moves, n, event.result);
    }
    tby_pgn_free(pgn);
    fclose(file);
}

/* ---- Random games ------------------------------------------------------------------------------------------ */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

/* The first half-moves are chosen among a few, so that games have openings in common. */
static size_t play_random(tby_move *out, const tby_position *start, size_t n_plies, uint64_t *state)
{
    tby_position pos = *start;
    size_t n = 0;
    for (; n < n_plies; n++) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n_legal = tby_moves_list(moves, &pos);
        if (n_legal == 0)
            break;
        out[n] = moves[next_random(state) % (n < 6 && n_legal > 3 ? 3 : n_legal)];
        tby_position_play(&pos, out[n], NULL);
    }
    return n;
}

static void copy_random(uint32_t n_games, uint64_t seed)
{
    static tby_move moves[300];
    uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
    tby_position start;
    size_t n = 0;
    tby_position_start(&start);
    for (uint32_t i = 1; i <= n_games; i++) {
        if (i % 10 == 0) {
            n = n / 2;
        } else {
            tby_setup setup;
            tby_setup_chess960(&setup, next_random(&state) % 8 ? 518 : (unsigned)(next_random(&state) % 960));
            tby_position_init(&start, &setup, 0, NULL);
            n = play_random(moves, &start, next_random(&state) % 300, &state);
        }
        put_game(i, &start, moves, n, (tby_result)(next_random(&state) % 4));
    }
}

int main(int argc, char **argv)
{
    static const char head[] = "PGCOPY\n\377\r\n";
    fwrite(head, 1, sizeof head, stdout);
    put_number(0, 8);
    if (argc == 2)
        copy_file(argv[1]);
    else if (argc == 4 && strcmp(argv[1], "--random") == 0)
        copy_random((uint32_t)strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    else
        bench_fail("copy_games games.pgn, or copy_games --random N SEED");
    put_number(0xffff, 2);
    return 0;
}
