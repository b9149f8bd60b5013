/*
 * generate.c - writes any number of distinct, legal, realistic games, as PGN on standard output.
 *
 *     generate N [SEED [OPENINGS.pgn]]
 *
 * A game begins like one of the games in the file (default: examples/selfplay.pgn), for 6 to 24 half-moves, so openings
 * are as frequent as they are there. Then moves are drawn at random among the legal ones: captures, promotions,
 * castling and development more often, king moves less often. The game ends by the rules, or around its fortieth move
 * with the result that fits the material. Players, events, dates and ratings are made up; few players have many games,
 * as in real collections.
 *
 * Game number i depends only on the seed and on i: a larger collection begins with the smaller one, and the bytes do
 * not depend on the number of threads.
 *
 * Games are distinct: at least RANDOM_PLIES half-moves of each game are random, with at least three bits each. The
 * probability that any two of 10^8 games are the same is below 10^-12.
 */
#include "bench.h"
#include "tabiya.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { OPENING_MIN = 6, OPENING_MAX = 24, RANDOM_PLIES = 32, PLIES_MAX = 400 };
enum { BLOCK_GAMES = 1000, GAME_BYTES = 8192, THREADS_MAX = 64 };

/* ---- Chance ---------------------------------------------------------------------------------------------- */

typedef struct chance {
    uint64_t state;
} chance;

/* splitmix64 */
static uint64_t draw(chance *c)
{
    uint64_t x = c->state += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

/* Below n. */
static uint32_t draw_below(chance *c, uint32_t n) { return (uint32_t)((draw(c) >> 32) * n >> 32); }

/* ---- Openings -------------------------------------------------------------------------------------------- */

typedef struct opening {
    tby_move moves[OPENING_MAX];
    unsigned n;
} opening;

static opening *openings;
static size_t n_openings;

static size_t read_file(void *context, char *buf, size_t cap) { return fread(buf, 1, cap, context); }

static void add_opening(const tby_game *game)
{
    static size_t cap;
    tby_position start;
    tby_position_start(&start);
    if (!tby_position_same(&start, tby_game_start(game)))
        return;
    if (n_openings == cap) {
        cap = cap ? 2 * cap : 1024;
        openings = realloc(openings, cap * sizeof *openings);
        if (!openings)
            bench_fail("out of memory");
    }
    opening *o = &openings[n_openings];
    const size_t n = tby_game_main_line(game, o->moves, OPENING_MAX);
    o->n = n < OPENING_MAX ? (unsigned)n : OPENING_MAX;
    for (unsigned i = 0; i < o->n; i++)
        if (o->moves[i] == TBY_MOVE_NULL)
            o->n = i;
    n_openings += o->n >= OPENING_MIN;
}

static void read_openings(const char *path)
{
    FILE *file = fopen(path, "r");
    tby_game *game = tby_game_new(NULL);
    tby_pgn *pgn = file ? tby_pgn_new(read_file, file, NULL, NULL) : NULL;
    if (!pgn || !game)
        bench_fail("the file of openings cannot be read");
    tby_game_read read;
    while ((read = tby_game_read_pgn(game, pgn, NULL, NULL)) == TBY_GAME_GOOD || read == TBY_GAME_BAD)
        add_opening(game);
    tby_pgn_free(pgn);
    tby_game_free(game);
    fclose(file);
    if (n_openings == 0)
        bench_fail("the file of openings has no game of six half-moves");
}

/* ---- Moves ----------------------------------------------------------------------------------------------- */

static const int VALUES[] = {[TBY_PAWN] = 1, [TBY_KNIGHT] = 3, [TBY_BISHOP] = 3, [TBY_ROOK] = 5, [TBY_QUEEN] = 9};

/* How natural a move would look in a real game, from 1 to 16. */
static unsigned weight_of(const tby_position *pos, tby_move m)
{
    const tby_kind mover = TBY_PIECE_KIND(tby_board_piece(&pos->board, TBY_MOVE_FROM(m)));
    const tby_piece target = tby_board_piece(&pos->board, TBY_MOVE_TO(m));
    if (TBY_MOVE_IS_CASTLING(m) || TBY_MOVE_KIND(m) == TBY_QUEEN)
        return 16;
    if (target != TBY_NO_PIECE)
        return VALUES[TBY_PIECE_KIND(target)] >= (mover == TBY_KING ? 3 : VALUES[mover]) ? 16 : 5;
    const int home = pos->ply % 2 ? 7 : 0;
    const int rank = TBY_RANK(TBY_MOVE_FROM(m));
    if ((mover == TBY_KNIGHT || mover == TBY_BISHOP) && rank == home)
        return 12;
    return mover == TBY_KING ? 2 : 6;
}

static tby_move choose(chance *c, const tby_position *pos, const tby_move *moves, size_t n)
{
    for (;;) {
        const uint64_t random = draw(c);
        const tby_move m = moves[(random >> 32) * n >> 32];
        if ((random & 15) < weight_of(pos, m))
            return m;
    }
}

static int material(const tby_board *board)
{
    int sum = 0;
    for (tby_kind kind = TBY_PAWN; kind <= TBY_QUEEN; kind++)
        sum += VALUES[kind] * (__builtin_popcountll(tby_board_pieces(board, TBY_PIECE(TBY_WHITE, kind))) -
                               __builtin_popcountll(tby_board_pieces(board, TBY_PIECE(TBY_BLACK, kind))));
    return sum;
}

/* ---- A game ---------------------------------------------------------------------------------------------- */

typedef struct generated {
    tby_position pos;
    char text[GAME_BYTES]; /* the move text, in lines */
    size_t n, line;        /* where its last line begins */
    unsigned n_plies;
    tby_result result;
} generated;

static void add_word(generated *g, const char *word, size_t n)
{
    if (g->n > 0 && g->n - g->line + 1 + n >= 80) {
        g->text[g->n++] = '\n';
        g->line = g->n;
    } else if (g->n > 0) {
        g->text[g->n++] = ' ';
    }
    memcpy(g->text + g->n, word, n);
    g->n += n;
}

static size_t put_number(char *out, unsigned value)
{
    char digits[12];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    for (size_t i = 0; i < n; i++)
        out[i] = digits[n - 1 - i];
    return n;
}

static void play(generated *g, tby_move m)
{
    char word[32];
    if (g->n_plies % 2 == 0) {
        size_t n = put_number(word, g->n_plies / 2 + 1);
        word[n++] = '.';
        add_word(g, word, n);
    }
    add_word(g, word, tby_san_write(word, sizeof word, &g->pos, m));
    tby_position_play(&g->pos, m, NULL);
    g->n_plies++;
}

static tby_result result_by_material(const generated *g, chance *c)
{
    const int sum = material(&g->pos.board);
    if (sum > 2 || sum < -2)
        return sum > 0 ? TBY_WHITE_WINS : TBY_BLACK_WINS;
    static const tby_result level[] = {TBY_DRAW, TBY_DRAW, TBY_DRAW, TBY_WHITE_WINS, TBY_BLACK_WINS};
    return level[draw_below(c, 5)];
}

/* Returns false if the game ended too early: short games might be the same. */
static bool play_out(generated *g, chance *c, unsigned first, unsigned length)
{
    tby_move moves[TBY_MOVES_MAX];
    for (;;) {
        const size_t n = tby_moves_list(moves, &g->pos);
        const bool is_early = g->n_plies < first + RANDOM_PLIES;
        if (n == 0) {
            g->result = !tby_position_is_check(&g->pos)           ? TBY_DRAW
                        : tby_position_side(&g->pos) == TBY_WHITE ? TBY_BLACK_WINS
                                                                  : TBY_WHITE_WINS;
            return !is_early;
        }
        if (!is_early &&
            (g->n_plies >= length || g->pos.clock >= TBY_FIFTY_MOVE_PLIES || tby_material_is_draw(&g->pos.board))) {
            g->result = result_by_material(g, c);
            return true;
        }
        play(g, choose(c, &g->pos, moves, n));
    }
}

static void generate(generated *g, chance *c)
{
    do {
        const opening *o = &openings[draw_below(c, (uint32_t)n_openings)];
        const unsigned first = OPENING_MIN + draw_below(c, o->n - OPENING_MIN + 1);
        /* The sum of two dice: 32 to 94 half-moves after the opening, most often 63. */
        const unsigned length = first + RANDOM_PLIES + draw_below(c, 32) + draw_below(c, 32);
        tby_position_start(&g->pos);
        g->n = g->line = g->n_plies = 0;
        for (unsigned i = 0; i < first; i++)
            play(g, o->moves[i]);
        if (play_out(g, c, first, length < PLIES_MAX ? length : PLIES_MAX))
            return;
    } while (true);
}

/* ---- Tags ------------------------------------------------------------------------------------------------ */

static const char *const FIRST[] = {"Ada",  "Boris", "Carla", "David",  "Elena", "Felix", "Gita",  "Hans",
                                    "Ines", "Jan",   "Kira",  "Luis",   "Mia",   "Nils",  "Olga",  "Pablo",
                                    "Rosa", "Sven",  "Tara",  "Ulrich", "Vera",  "Wim",   "Yusuf", "Zoe"};
static const char *const SYLLABLES[] = {"ba",  "den", "fi", "gor", "hal", "jen", "kov", "lin",
                                        "mar", "nov", "pe", "ras", "sen", "tov", "vi",  "zel"};
static const char *const CITIES[] = {"Oslo",  "Porto", "Riga", "Tartu", "Ghent", "Basel",
                                     "Turin", "Split", "Cork", "Lviv",  "Graz",  "Brno"};
static const char *const KINDS[] = {"Open", "Masters", "League", "Cup", "Rapid", "Memorial"};
enum { N_PLAYERS = 1 << 16 };

/* Few players have many games: the product of two random numbers. */
static uint32_t draw_player(chance *c)
{
    return (uint32_t)((uint64_t)draw_below(c, N_PLAYERS) * draw_below(c, N_PLAYERS) >> 16);
}

static size_t put_string(char *out, const char *s)
{
    const size_t n = strlen(s);
    memcpy(out, s, n);
    return n;
}

static size_t put_player(char *out, uint32_t player)
{
    const chance seed = {player};
    chance c = seed;
    char *at = out;
    for (uint32_t i = 0, id = player; i < 4; i++, id >>= 4)
        at += put_string(at, SYLLABLES[id & 15]);
    *out = (char)(*out - 'a' + 'A');
    at += put_string(at, ", ");
    at += put_string(at, FIRST[draw_below(&c, sizeof FIRST / sizeof *FIRST)]);
    return (size_t)(at - out);
}

static unsigned elo_of(uint32_t player) { return 1400 + (player * 2654435761u >> 22) + (N_PLAYERS - player) / 256; }

static size_t put_tag(char *out, const char *name, const char *value, size_t n)
{
    char *at = out;
    *at++ = '[';
    at += put_string(at, name);
    at += put_string(at, " \"");
    memcpy(at, value, n);
    at += n;
    at += put_string(at, "\"]\n");
    return (size_t)(at - out);
}

static size_t put_tag_number(char *out, const char *name, unsigned value)
{
    char digits[12];
    return put_tag(out, name, digits, put_number(digits, value));
}

static size_t put_tags(char *out, chance *c, tby_result result)
{
    char value[64], *at = out;
    const uint32_t white = draw_player(c), black = (white + 1 + draw_below(c, N_PLAYERS - 1)) % N_PLAYERS;
    const uint32_t event = draw_below(c, 40000), day = draw_below(c, 28) + 1;
    const char *city = CITIES[event % 12];
    const unsigned year = 1985 + event / 1000;
    size_t n = put_string(value, city);
    value[n++] = ' ';
    n += put_string(value + n, KINDS[event / 12 % 6]);
    value[n++] = ' ';
    n += put_number(value + n, year);
    at += put_tag(at, "Event", value, n);
    at += put_tag(at, "Site", city, strlen(city));
    n = (size_t)snprintf(value, sizeof value, "%04u.%02u.%02u", year, event % 12 + 1, (unsigned)day);
    at += put_tag(at, "Date", value, n);
    at += put_tag_number(at, "Round", draw_below(c, 11) + 1);
    at += put_tag(at, "White", value, put_player(value, white));
    at += put_tag(at, "Black", value, put_player(value, black));
    at += put_tag(at, "Result", tby_result_text(result), strlen(tby_result_text(result)));
    at += put_tag_number(at, "WhiteElo", elo_of(white));
    at += put_tag_number(at, "BlackElo", elo_of(black));
    *at++ = '\n';
    return (size_t)(at - out);
}

/* ---- Many ------------------------------------------------------------------------------------------------ */

typedef struct block {
    pthread_t thread;
    uint64_t seed, first, n;
    char *text;
    size_t n_text, cap;
} block;

static void write_game(block *b, uint64_t number)
{
    enum { TAGS_BYTES = 1024 };
    generated g;
    chance c = {b->seed};
    c.state = draw(&c) ^ number * 0xd1342543de82ef95ULL;
    generate(&g, &c);
    if (b->cap - b->n_text < GAME_BYTES + TAGS_BYTES) {
        b->cap = 2 * b->cap + GAME_BYTES + TAGS_BYTES;
        b->text = realloc(b->text, b->cap);
        if (!b->text)
            bench_fail("out of memory");
    }
    b->n_text += put_tags(b->text + b->n_text, &c, g.result);
    add_word(&g, tby_result_text(g.result), strlen(tby_result_text(g.result)));
    memcpy(b->text + b->n_text, g.text, g.n);
    b->n_text += g.n;
    memcpy(b->text + b->n_text, "\n\n", 2);
    b->n_text += 2;
}

static void *work(void *context)
{
    block *b = context;
    b->n_text = 0;
    for (uint64_t i = 0; i < b->n; i++)
        write_game(b, b->first + i);
    return NULL;
}

/* Threads make blocks in turn, which are written in order; while one is written, others are made. */
int main(int argc, char **argv)
{
    static block blocks[THREADS_MAX];
    const uint64_t n_games = argc > 1 ? strtoull(argv[1], NULL, 10) : 0,
                   seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const long n_processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t n_threads = n_processors > THREADS_MAX ? THREADS_MAX : n_processors > 0 ? (size_t)n_processors : 1;
    if (n_games == 0 || argc > 4) {
        fprintf(stderr, "Usage: generate N [SEED [OPENINGS.pgn]]\n");
        return 2;
    }
    read_openings(argc > 3 ? argv[3] : TBY_SAMPLES);
    const uint64_t n_blocks = (n_games + BLOCK_GAMES - 1) / BLOCK_GAMES;
    for (uint64_t i = 0; i < n_blocks + n_threads; i++) {
        block *b = &blocks[i % n_threads];
        if (i >= n_threads) {
            pthread_join(b->thread, NULL);
            if (fwrite(b->text, 1, b->n_text, stdout) != b->n_text)
                bench_fail("cannot write");
        }
        if (i >= n_blocks)
            continue;
        b->seed = seed;
        b->first = i * BLOCK_GAMES;
        b->n = n_games - b->first < BLOCK_GAMES ? n_games - b->first : BLOCK_GAMES;
        if (pthread_create(&b->thread, NULL, work, b) != 0)
            bench_fail("no thread could be started");
    }
    for (size_t i = 0; i < n_threads; i++)
        free(blocks[i].text);
    free(openings);
    return fflush(stdout) == 0 ? 0 : 2;
}
