/*
 * stockfish.c - compares our legal moves with Stockfish's, in millions of positions of random and real games.
 *
 *     differ_stockfish STOCKFISH POSITIONS [SEED [GAMES.pgn]...]
 *
 * In each position both programs list the legal moves and, for each, the number of replies ("go perft 2"), so both the
 * moves and the resulting positions are compared. The games of the files come first, with every position of their main
 * lines, up to the number of positions. Random games follow, alternating between standard chess and Chess960 from one
 * of the 960 starts; each continues to its end or for PLIES_MAX half-moves.
 *
 * A difference is printed with its FEN, and the exit code is 1. Stockfish is set to Chess960 throughout, so both write
 * castling as king takes rook.
 */
#include "../../bench/stockfish.h"
#include "tabiya.h"

#include <inttypes.h>

enum { BATCH = 64, PLIES_MAX = 400, LINE = 256, SHOWN_MAX = 20 };

typedef struct reply {
    char uci[TBY_UCI_SIZE];
    unsigned long n_replies;
} reply;

typedef struct differ {
    peer stockfish;
    tby_position waiting[BATCH];
    size_t n_waiting;
    uint64_t n_positions, n_wanted, n_moves, n_replies, n_differences;
} differ;

static uint64_t chance_state;

/* splitmix64 */
static uint64_t draw(void)
{
    uint64_t x = chance_state += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static int by_move(const void *a, const void *b) { return strcmp(((const reply *)a)->uci, ((const reply *)b)->uci); }

static size_t our_replies(reply out[TBY_MOVES_MAX], const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++) {
        tby_position after = *pos;
        tby_uci_write(out[i].uci, sizeof out[i].uci, pos, moves[i], TBY_UCI_CHESS960);
        tby_position_play(&after, moves[i], NULL);
        out[i].n_replies = tby_moves_count(&after);
    }
    qsort(out, n, sizeof *out, by_move);
    return n;
}

/* Lines such as "e2e4: 20", then one with the sum. */
static size_t their_replies(reply out[TBY_MOVES_MAX], peer *p)
{
    char line[LINE];
    size_t n = 0;
    while (fgets(line, sizeof line, p->from)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "Nodes searched:", 15) == 0) {
            qsort(out, n, sizeof *out, by_move);
            return n;
        }
        if (!colon || colon == line || colon - line >= TBY_UCI_SIZE || n == TBY_MOVES_MAX)
            continue;
        memcpy(out[n].uci, line, (size_t)(colon - line));
        out[n].uci[colon - line] = 0;
        out[n++].n_replies = strtoul(colon + 1, NULL, 10);
    }
    bench_fail("stockfish does not answer");
}

static void show_difference(const tby_position *pos, const reply *ours, size_t n_ours, const reply *theirs,
                            size_t n_theirs)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos, TBY_FEN_SHREDDER);
    printf("differs: %s\n", fen);
    for (size_t i = 0, k = 0; i < n_ours || k < n_theirs;) {
        const int order = i == n_ours ? 1 : k == n_theirs ? -1 : strcmp(ours[i].uci, theirs[k].uci);
        if (order < 0)
            printf("  only tabiya: %s\n", ours[i++].uci);
        else if (order > 0)
            printf("  only stockfish: %s\n", theirs[k++].uci);
        else {
            if (ours[i].n_replies != theirs[k].n_replies)
                printf("  %s: %lu replies, stockfish %lu\n", ours[i].uci, ours[i].n_replies, theirs[k].n_replies);
            i++, k++;
        }
    }
}

static void compare(differ *d, const tby_position *pos)
{
    reply ours[TBY_MOVES_MAX], theirs[TBY_MOVES_MAX];
    const size_t n_ours = our_replies(ours, pos), n_theirs = their_replies(theirs, &d->stockfish);
    bool is_same = n_ours == n_theirs;
    for (size_t i = 0; i < n_ours && is_same; i++) {
        is_same = strcmp(ours[i].uci, theirs[i].uci) == 0 && ours[i].n_replies == theirs[i].n_replies;
        d->n_replies += ours[i].n_replies;
    }
    d->n_positions++;
    d->n_moves += n_ours;
    if (!is_same && d->n_differences++ < SHOWN_MAX)
        show_difference(pos, ours, n_ours, theirs, n_theirs);
}

/* A batch fits into the pipe buffers of both directions, so neither side blocks the other. */
static void ask_batch(differ *d)
{
    for (size_t i = 0; i < d->n_waiting; i++) {
        char fen[TBY_FEN_SIZE];
        tby_fen_write_position(fen, sizeof fen, &d->waiting[i], TBY_FEN_SHREDDER);
        fprintf(d->stockfish.to, "position fen %s\ngo perft 2\n", fen);
    }
    fflush(d->stockfish.to);
    for (size_t i = 0; i < d->n_waiting; i++)
        compare(d, &d->waiting[i]);
    d->n_waiting = 0;
    if (isatty(2))
        fprintf(stderr, "\r%" PRIu64 " positions", d->n_positions);
}

static bool add(differ *d, const tby_position *pos)
{
    if (d->n_positions + d->n_waiting >= d->n_wanted)
        return false;
    d->waiting[d->n_waiting++] = *pos;
    if (d->n_waiting == BATCH)
        ask_batch(d);
    return true;
}

static bool add_random_game(differ *d, bool is_chess960)
{
    tby_position pos;
    tby_setup setup;
    tby_position_start(&pos);
    if (is_chess960 &&
        (!tby_setup_chess960(&setup, (unsigned)(draw() % 960)) || tby_position_init(&pos, &setup, 0, NULL) != TBY_OK))
        bench_fail("a start position of Chess960 is refused");
    for (unsigned ply = 0; ply < PLIES_MAX; ply++) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n = tby_moves_list(moves, &pos);
        if (!add(d, &pos))
            return false;
        if (n == 0)
            break;
        tby_position_play(&pos, moves[draw() % n], NULL);
    }
    return true;
}

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

static bool add_game(differ *d, const tby_game *game)
{
    static tby_move moves[1 << 15];
    tby_position pos = *tby_game_start(game);
    const size_t n = tby_game_main_line(game, moves, sizeof moves / sizeof *moves);
    for (size_t i = 0; i < n && i < sizeof moves / sizeof *moves; i++) {
        if (!add(d, &pos))
            return false;
        if (moves[i] == TBY_MOVE_NULL) /* Stockfish has no null moves, so the rest of the game is left out */
            return true;
        tby_position_play(&pos, moves[i], NULL);
    }
    return add(d, &pos);
}

static void add_file(differ *d, const char *path)
{
    FILE *file = fopen(path, "r");
    tby_game *game = tby_game_new(NULL);
    tby_pgn *pgn = file ? tby_pgn_new(read_file, file, NULL, NULL) : NULL;
    if (!pgn || !game)
        bench_fail("a file of games cannot be read");
    tby_game_read read;
    while ((read = tby_game_read_pgn(game, pgn, NULL, NULL)) == TBY_GAME_GOOD || read == TBY_GAME_BAD)
        if (read == TBY_GAME_GOOD && !add_game(d, game))
            break;
    tby_pgn_free(pgn);
    tby_game_free(game);
    fclose(file);
}

int main(int argc, char **argv)
{
    static differ d;
    char got[LINE];
    if (argc < 3 || (d.n_wanted = strtoull(argv[2], NULL, 10)) == 0) {
        fprintf(stderr, "usage: differ_stockfish STOCKFISH POSITIONS [SEED [GAMES.pgn]...]\n");
        return 2;
    }
    chance_state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (!peer_start(&d.stockfish, argv[1]) || !peer_ask(&d.stockfish, "uci", "uciok", got, sizeof got)) {
        fprintf(stderr, "differ_stockfish: %s does not answer\n", argv[1]);
        return 77;
    }
    fputs("setoption name UCI_Chess960 value true\n", d.stockfish.to);
    for (int i = 4; i < argc; i++)
        add_file(&d, argv[i]);
    for (bool is_chess960 = false; add_random_game(&d, is_chess960);)
        is_chess960 = !is_chess960;
    ask_batch(&d);
    peer_stop(&d.stockfish);
    printf("%" PRIu64 " positions, %" PRIu64 " moves, %" PRIu64 " replies: %" PRIu64 " positions differ\n",
           d.n_positions, d.n_moves, d.n_replies, d.n_differences);
    return d.n_differences ? 1 : 0;
}
