/*
 * cmd_novelty.c - tabiya novelty: where a game leaves what was played before.
 *
 * A move is new if no other game of the database comes to the position after it, by whatever moves. The game itself
 * does not count, wherever it was read from and however often it is stored: the same players, start and moves. Nor do
 * games of a later date if its date is known.
 */
#include "commands.h"
#include "database.h"
#include "one_game.h"
#include "open_input.h"
#include "parallel.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ANY_DATE, OPT_GAME, OPT_JSON, OPT_THREADS };
enum { SHOWN_MOVES = 5 };

static const option options[] = {
    [OPT_ANY_DATE] = {"any-date", 0, NULL, NULL, "also count games with later dates"},
    [OPT_GAME] = {"game", 0, "N", NULL, "examine the N-th game of a file (default: 1)"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print a JSON object"},
    [OPT_THREADS] = OPTION_THREADS,
    {0},
};

static const example examples[] = {
    {"tabiya novelty games.db 17", "Finds the novelty in game 17 of the database."},
    {"tabiya novelty games.db today.pgn --game 3", "Examines the third game of a file."},
    {"tabiya novelty games.db 1. e4 c5 2. Nf3 d6 3. Na3", "Examines a line of moves."},
    {0},
};

/* ---- The game --------------------------------------------------------------------------------------------------- */

typedef struct novelty {
    const args *args;
    tby_db *db;
    tby_game *game;
    bool is_line;    /* moves alone, which no stored game is the same as */
    buffer itself;   /* a query that excludes the game: not id 17 not id 93 */
    tby_game *other; /* room for a game that may be the same */
    tby_query *query;
} novelty;

static tby_game *game_of_moves(const novelty *n)
{
    tby_game *game = tby_game_new(NULL);
    uint8_t *packed = memory_new(TBY_CHESSGAME_SIZE, 1);
    char *text = words_join(n->args, 1);
    size_t size;
    tby_chessgame_error err;
    if (tby_chessgame_read(packed, &size, text, strlen(text), 0, NULL, &err) != TBY_OK) {
        char why[TBY_CHESSGAME_ERROR_SIZE];
        tby_chessgame_error_write(why, sizeof why, &err);
        free(packed);
        tby_game_free(game);
        error_exit("novelty: \"%s\" is neither a game of the database nor a file nor a line of moves: %s", text, why);
    }
    if (!game || !tby_chessgame_to_game(game, packed, size))
        error_exit("out of memory");
    free(packed);
    free(text);
    return game;
}

static bool is_number(const char *s) { return *s && strspn(s, "0123456789") == strlen(s); }

static tby_game *read_game(novelty *n)
{
    const char *word = n->args->words[1], *number = args_value(n->args, OPT_GAME);
    const bool is_one_word = n->args->n_words == 2;
    if (is_one_word && !is_number(word) && (input_is_file(word) || strcmp(word, "-") == 0))
        return one_game_read("novelty", word, number ? number_read("novelty: --game", number, 1, LONG_MAX) : 1);
    if (number)
        error_exit("novelty: --game is for a file of games");
    if (is_one_word && is_number(word))
        return one_game_read("novelty", n->args->words[0], number_read("novelty: GAME", word, 1, LONG_MAX));
    n->is_line = true;
    return game_of_moves(n);
}

/* ---- The game in the database ----------------------------------------------------------------------------------- */

static bool has_same_tag(const tby_game *a, const tby_game *b, const char *name)
{
    const char *x = tby_game_tag(a, name), *y = tby_game_tag(b, name);
    return strcmp(x ? x : "?", y ? y : "?") == 0;
}

static bool has_same_line(const tby_game *a, const tby_game *b)
{
    tby_node x = tby_game_child(a, TBY_ROOT), y = tby_game_child(b, TBY_ROOT);
    while (x != TBY_NO_NODE && y != TBY_NO_NODE && tby_game_move(a, x) == tby_game_move(b, y)) {
        x = tby_game_child(a, x);
        y = tby_game_child(b, y);
    }
    return x == y && tby_position_same(tby_game_start(a), tby_game_start(b)); /* both TBY_NO_NODE */
}

static bool exclude_same(void *context, const tby_db_hit *hit)
{
    novelty *n = context;
    if (tby_db_game(n->db, hit->id, n->other) != TBY_OK)
        database_failed(n->args, n->db);
    if (has_same_tag(n->game, n->other, "White") && has_same_tag(n->game, n->other, "Black") &&
        has_same_line(n->game, n->other))
        buffer_printf(&n->itself, "not id %" PRId64 " ", hit->id);
    return !interrupts_came();
}

/* Games of the same length that come to its last position. */
static tby_query *query_of_end(const tby_game *game)
{
    char fen[TBY_FEN_SIZE];
    buffer text = {0};
    tby_setup setup;
    tby_query_error err;
    tby_position pos = *tby_game_start(game);
    unsigned n_plies = 0;
    for (tby_node node = TBY_ROOT; (node = tby_game_child(game, node)) != TBY_NO_NODE; n_plies++)
        tby_line_play(&pos, tby_game_move(game, node));
    tby_position_setup(&setup, &pos);
    tby_fen_write(fen, sizeof fen, &setup, TBY_FEN_SHREDDER);
    buffer_printf(&text, "plies %u fen \"%s\"", n_plies, fen);
    tby_query *query = tby_query_new(text.s, text.n, NULL, NULL, &err);
    if (!query)
        error_exit("novelty: %s", err.text);
    buffer_free(&text);
    return query;
}

static void find_itself(novelty *n)
{
    tby_query *query = query_of_end(n->game);
    const tby_db_search search = {.query = query,
                                  .n_threads = threads_read("novelty", args_value(n->args, OPT_THREADS)),
                                  .wanted = TBY_WANTED_GAMES,
                                  .progress = database_report};
    n->other = tby_game_new(NULL);
    if (!n->other)
        error_exit("out of memory");
    if (tby_db_find(n->db, &search, exclude_same, n) != TBY_OK && !interrupts_came())
        database_failed(n->args, n->db);
    tby_query_free(query);
    tby_game_free(n->other);
}

/* ---- What was played -------------------------------------------------------------------------------------------- */

/* How much of a date is known: 10 of 1972.07.23, 7 of 1972.07.??, 4 of 1972.??.??, 0 of another text. */
static size_t known_date(const char *date)
{
    size_t n = date ? strspn(date, "0123456789.") : 0;
    n = n >= 10 ? 10 : n >= 7 ? 7 : n >= 4 ? 4 : 0;
    for (size_t i = 0; i < n; i++)
        if ((date[i] == '.') != (i == 4 || i == 7))
            return 0;
    return n;
}

/* not id 17 date ..1972.07.23, if the date is known */
static void make_query(novelty *n)
{
    buffer text = n->itself;
    const char *date = tby_game_tag(n->game, "Date");
    const size_t n_date = args_has(n->args, OPT_ANY_DATE) ? 0 : known_date(date);
    tby_query_error err;
    if (n_date)
        buffer_printf(&text, "date ..%.*s", (int)n_date, date);
    if (text.n)
        n->query = tby_query_new(text.s, text.n, NULL, NULL, &err);
    if (text.n && !n->query)
        error_exit("novelty: %s", err.text);
    buffer_free(&text);
}

/* What the games that count play in the position. */
static void explore(novelty *n, const tby_position *pos, tby_db_moves *out)
{
    const tby_db_search among = {.query = n->query,
                                 .n_threads = threads_read("novelty", args_value(n->args, OPT_THREADS)),
                                 .progress = database_report};
    if (tby_db_explore(n->db, pos, &among, out) != TBY_OK) {
        if (interrupts_came())
            error_exit("novelty: interrupted");
        database_failed(n->args, n->db);
    }
}

static uint64_t reached_by(const tby_db_moves *played, tby_move m)
{
    for (size_t i = 0; i < played->n_moves + played->n_unplayed; i++)
        if (played->moves[i].move == m)
            return played->moves[i].reached;
    return 0;
}

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void write_move(buffer *out, const tby_position *pos, tby_move m)
{
    char san[TBY_SAN_SIZE];
    tby_san_write(san, sizeof san, pos, m);
    buffer_printf(out, "%u%s %s", (unsigned)tby_position_fullmove(pos),
                  tby_position_side(pos) == TBY_WHITE ? "." : "...", san);
}

static void print_text(const tby_position *pos, tby_move m, unsigned ply, const tby_db_moves *played)
{
    buffer out = {0};
    char san[TBY_SAN_SIZE], date[TBY_ROW_TEXT_SIZE];
    if (m == TBY_MOVE_NONE) {
        buffer_printf(&out, "nothing new in %u %s; %" PRIu64 " %s\n", ply, plural(ply, "half-move", "half-moves"),
                      played->games, plural(played->games, "game comes to the end", "games come to the end"));
    } else {
        buffer_string(&out, "new: ");
        write_move(&out, pos, m);
        buffer_printf(&out, " (ply %u)\n%" PRIu64 " %s to the position before it\n", ply, played->games,
                      plural(played->games, "game comes", "games come"));
    }
    for (size_t i = 0; m != TBY_MOVE_NONE && i < played->n_moves && i < SHOWN_MOVES; i++) {
        const tby_db_move *one = &played->moves[i];
        tby_san_write(san, sizeof san, pos, one->move);
        buffer_printf(&out, "  %-8s %7" PRIu64 "  last %s\n", san, one->games,
                      one->last_date ? tby_row_date_text(date, one->last_date) : "?");
    }
    out_bytes(out.s, out.n);
    buffer_free(&out);
}

static void print_json(const tby_position *pos, tby_move m, unsigned ply, const tby_db_moves *played)
{
    buffer out = {0};
    char san[TBY_SAN_SIZE], fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    buffer_printf(&out, "{\"new\":%s,\"ply\":%u,\"fen\":\"%s\",\"games\":%" PRIu64 ",\"move\":",
                  m == TBY_MOVE_NONE ? "false" : "true", ply, fen, played->games);
    if (m == TBY_MOVE_NONE) {
        buffer_string(&out, "null");
    } else {
        tby_san_write(san, sizeof san, pos, m);
        buffer_json_string(&out, san);
    }
    buffer_string(&out, ",\"played\":[");
    for (size_t i = 0; m != TBY_MOVE_NONE && i < played->n_moves; i++) {
        tby_san_write(san, sizeof san, pos, played->moves[i].move);
        buffer_printf(&out, "%s{\"san\":\"%s\",\"games\":%" PRIu64 "}", i ? "," : "", san, played->moves[i].games);
    }
    buffer_string(&out, "]}\n");
    out_bytes(out.s, out.n);
    buffer_free(&out);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int find_novelty(novelty *n)
{
    tby_position pos = *tby_game_start(n->game);
    tby_db_moves *played = memory_new(1, sizeof *played);
    tby_node node = tby_game_child(n->game, TBY_ROOT);
    tby_move m = TBY_MOVE_NONE;
    unsigned ply = 0;
    for (;; node = tby_game_child(n->game, node)) {
        explore(n, &pos, played);
        if (node == TBY_NO_NODE || tby_game_move(n->game, node) == TBY_MOVE_NULL)
            break;
        ply++;
        if (reached_by(played, tby_game_move(n->game, node)) == 0) {
            m = tby_game_move(n->game, node);
            break;
        }
        tby_line_play(&pos, tby_game_move(n->game, node));
    }
    database_done(n->db);
    (args_has(n->args, OPT_JSON) ? print_json : print_text)(&pos, m, ply, played);
    free(played);
    return m != TBY_MOVE_NONE ? EXIT_YES : EXIT_NO;
}

static int run(const args *a)
{
    novelty n = {.args = a};
    if (a->n_words < 2)
        error_exit("novelty: a DB and a GAME are needed; try --help");
    n.db = database_open(a, TBY_DB_READ);
    n.game = read_game(&n);
    interrupts_catch();
    database_work(n.db, "looking");
    if (!n.is_line)
        find_itself(&n);
    make_query(&n);
    const int code = find_novelty(&n);
    tby_query_free(n.query);
    tby_game_free(n.game);
    tby_db_close(n.db);
    return code;
}

const command cmd_novelty = {
    .name = "novelty",
    .group = GROUP_LOOK,
    .words = "DB GAME",
    .summary = "find a game's first new move",
    .description =
        "GAME is the number of a game in the database DB, a file of games, or a line of moves. Its first new move is "
        "the one after which no other game in the database reaches the position, by any move order. Stored games with "
        "the same players and moves are taken for the game itself and do not count, nor do games with a later date if "
        "the game's date is known. The moves that were played instead are listed, most frequent first. " SERVER_HELP,
    .exits = "0  there is a new move\n1  there is none\n2  the game or the database could not be read",
    .options = options,
    .examples = examples,
    .run = run,
};
