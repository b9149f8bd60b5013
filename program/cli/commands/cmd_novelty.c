/*
 * cmd_novelty.c - tabiya novelty: finds the first new move of games.
 */
#include "commands.h"
#include "near.h"
#include "novelty.h"
#include "open_input.h"
#include "progress.h"
#include "visits.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ANY_DATE = N_OUTPUT_OPTIONS, OPT_GAME };
enum { SHOWN_MOVES = 5 };

static const option options[] = {
    QUERY_OPTIONS,
    OUTPUT_OPTIONS("one object per game"),
    [OPT_ANY_DATE] = {"any-date", 0, NULL, NULL, "also count games with later dates"},
    [OPT_GAME] = {"game", 0, "N", NULL, "examine only the N-th game"},
    {0},
};

static const example examples[] = {
    {"tabiya novelty games.db 17", "Finds the novelty in game 17 of the database."},
    {"tabiya novelty games.db today.pgn", "Finds the novelties of a file's games, in a table."},
    {"tabiya novelty games.db today.pgn --to csv -o new.csv", "Writes them as CSV."},
    {"tabiya novelty games.db today.pgn --game 3", "Examines the third game of a file."},
    {"tabiya novelty games.db 'player carlsen date 2024..'", "Finds a player's novelties."},
    {"tabiya novelty games.db 1. e4 c5 2. Nf3 d6 3. Na3", "Examines a line of moves."},
    {0},
};

typedef struct novelty {
    const args *args;
    output form;
    table rows;    /* if the form is a table */
    source *among; /* the games to compare with */
    tby_game *game;
    tby_novelty at;
    uint64_t n_games, n_new, n_failed;
    buffer first, lines; /* of several: the details of the first and its line, until there is a second */
} novelty;

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void write_text(buffer *out, const tby_novelty *n)
{
    const uint64_t games = n->played.games;
    char san[TBY_SAN_SIZE], date[TBY_ROW_TEXT_SIZE];
    if (n->move == TBY_MOVE_NONE) {
        buffer_printf(out, "nothing new in %u %s; %" PRIu64 " %s\n", n->ply, plural(n->ply, "half-move", "half-moves"),
                      games, plural(games, "game reaches the end", "games reach the end"));
        return;
    }
    buffer_string(out, "new: ");
    write_numbered_move(out, &n->before, n->move);
    buffer_printf(out, " (ply %u)\n%" PRIu64 " %s the position before it\n", n->ply, games,
                  plural(games, "game reaches", "games reach"));
    for (size_t i = 0; i < n->played.n_moves && i < SHOWN_MOVES; i++) {
        const tby_db_move *one = &n->played.moves[i];
        tby_san_write(san, sizeof san, &n->before, one->move);
        buffer_printf(out, "  %-8s %7" PRIu64 "  last %s\n", san, one->games,
                      one->last_date ? tby_row_date_text(date, one->last_date) : "?");
    }
}

/* What describes a game in the output, and in the table below. */
static const char *const tags[][2] = {{"White", "white"}, {"Black", "black"}, {"Date", "date"}};
enum { N_TAGS = sizeof tags / sizeof *tags };

static const char *tag_of(const novelty *n, size_t index)
{
    const char *value = tby_game_tag(n->game, tags[index][0]);
    return value ? value : "?";
}

/* `s` is NULL for the only game. */
static void print_json(const novelty *n, const source *s, tby_game_id id)
{
    buffer out = {0};
    json_add(&out, "{");
    if (s)
        json_add(&out, "'source':%s,'id':%lld", source_name(s), (long long)id);
    for (size_t i = 0; s && i < N_TAGS; i++)
        json_add(&out, "%s:%s", tags[i][1], tag_of(n, i));
    novelty_write_json(&out, &n->at);
    buffer_string(&out, "}\n");
    out_buffer(&out);
}

/* One line of the table. */
static void write_line(buffer *out, const novelty *n, tby_game_id id)
{
    buffer move = {0};
    if (n->at.move == TBY_MOVE_NONE)
        buffer_string(&move, "-");
    else
        write_numbered_move(&move, &n->at.before, n->at.move);
    buffer_printf(out, "%-8" PRId64 " %-14.*s %8" PRIu64 "  ", id, (int)move.n, move.s, n->at.played.games);
    const size_t begin = out->n;
    for (size_t i = 0; i < N_TAGS; i++)
        buffer_printf(out, "%s%s", i == 0 ? "" : i == 1 ? " - " : "  ", tag_of(n, i));
    text_make_harmless(out->s + begin, out->n - begin, '?', "");
    buffer_string(out, "\n");
    buffer_free(&move);
}

/* ---- A table for programs --------------------------------------------------------------------------------------- */

enum { SOURCE, ID, WHITE, BLACK, DATE, PLY, MOVE, GAMES, PLAYED, FEN, N_COLUMNS };

static const tby_column columns[N_COLUMNS] = {
    [SOURCE] = {"source", TBY_COLUMN_TEXT, true}, [ID] = {"id", TBY_COLUMN_INT64, true},
    [WHITE] = {"white", TBY_COLUMN_TEXT, true},   [BLACK] = {"black", TBY_COLUMN_TEXT, true},
    [DATE] = {"date", TBY_COLUMN_TEXT, true},     [PLY] = {"ply", TBY_COLUMN_INT32, false},
    [MOVE] = {"move", TBY_COLUMN_TEXT, true},     [GAMES] = {"games", TBY_COLUMN_INT64, false},
    [PLAYED] = {"played", TBY_COLUMN_TEXT, true}, [FEN] = {"fen", TBY_COLUMN_TEXT, false},
};

/* The header is written with the first row. */
static void print_row(novelty *n, const source *s, tby_game_id id)
{
    const tby_novelty *at = &n->at;
    const bool is_new = at->move != TBY_MOVE_NONE;
    char san[TBY_SAN_SIZE], fen[TBY_FEN_SIZE];
    buffer others = {0};
    novelty_write_played(&others, at);
    tby_fen_write_position(fen, sizeof fen, &at->before, 0);
    if (is_new)
        tby_san_write(san, sizeof san, &at->before, at->move);
    table_put_text(&n->rows, SOURCE, s ? source_name(s) : NULL);
    table_put_known(&n->rows, ID, (uint64_t)id);
    for (size_t i = 0; i < N_TAGS; i++)
        table_put_text(&n->rows, WHITE + i, *tag_of(n, i) != '?' ? tag_of(n, i) : NULL);
    table_put(&n->rows, PLY, at->ply);
    table_put_text(&n->rows, MOVE, is_new ? san : NULL);
    table_put(&n->rows, GAMES, at->played.games);
    table_put_text(&n->rows, PLAYED, others.n ? others.s : NULL);
    table_put_text(&n->rows, FEN, fen);
    table_end_row(&n->rows);
    output_table(&n->form, &n->rows, n->n_games == 1 ? TABLE_HEAD : 0);
    buffer_free(&others);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

/* The first game is shown in detail if it is the only one, otherwise as the first line of a table. */
static void print_one_of_many(novelty *n, tby_game_id id)
{
    if (n->n_games == 1)
        write_text(&n->first, &n->at);
    if (n->n_games == 2) {
        out_printf("%s%-8s %-14s %8s  %s%s\n", color_code(COLOR_BOLD), "game", "new", "before", "players",
                   color_code(COLOR_END));
        n->first.n = 0;
    }
    write_line(&n->lines, n, id);
    if (n->n_games > 1)
        out_buffer(&n->lines);
}

/* The game in n->game, of a source unless it is a line of moves or the only one. */
static void examine(novelty *n, source *s, tby_game_id id, bool is_line)
{
    const tby_novelty_options how = {.is_line = is_line,
                                     .takes_any_date = args_has(n->args, OPT_ANY_DATE),
                                     .n_threads = threads_read(n->args, QUERY_THREADS),
                                     .progress = database_report};
    const tby_status status = tby_db_novelty(&n->at, source_db(n->among), n->game, &how);
    if (interrupts_came())
        error_exit("novelty: interrupted");
    if (status != TBY_OK)
        source_failed(n->among);
    n->n_games++;
    n->n_new += n->at.move != TBY_MOVE_NONE;
    progress_make_room();
    if (n->form.format)
        print_row(n, s, id);
    else if (n->form.is_json)
        print_json(n, s, id);
    else if (s)
        print_one_of_many(n, id);
    else
        write_text(&n->first, &n->at);
}

static bool examine_hit(void *context, source *s, const tby_db_hit *hit)
{
    novelty *n = context;
    if (source_game(s, hit->id, n->game) == TBY_OK) {
        examine(n, s, hit->id, false);
    } else {
        source_tell(s, source_error(s));
        n->n_failed++;
    }
    return true;
}

static tby_game *game_of_moves(const char *text)
{
    tby_game *game = memory_got(tby_game_new(NULL));
    uint8_t *packed = memory_new(TBY_CHESSGAME_SIZE, 1);
    size_t size;
    tby_chessgame_error err;
    if (tby_chessgame_read(packed, &size, text, strlen(text), 0, NULL, &err) != TBY_OK) {
        char why[TBY_CHESSGAME_ERROR_SIZE];
        tby_chessgame_error_write(why, sizeof why, &err);
        free(packed);
        tby_game_free(game);
        error_exit("novelty: \"%s\" is neither a game of the database nor a file nor a line of moves: %s", text, why);
    }
    memory_need(tby_chessgame_to_game(game, packed, size));
    free(packed);
    return game;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static bool is_number(const char *s) { return *s && strspn(s, "0123456789") == strlen(s); }

/* Games selected by a query, or all of them: those of the other sources, or of the only one. */
static void examine_many(novelty *n, const sources *all, const char *text)
{
    query q;
    query_of_options(&q, n->args, text, (tby_text){0}, NULL, source_db(all->of[0]));
    n->game = memory_got(tby_game_new(NULL));
    const bool are_others = all->n > 1;
    const sources examined = {.args = all->args, .of = all->of + are_others, .n = all->n - are_others};
    const visits each = {
        .sources = &examined, .query = &q, .work = "looking", .is_gathered = true, .visit = examine_hit, .context = n};
    visits_run(&each);
    query_free(&q);
}

/* Conditions select games of a source; they do not apply to a single game or a line of moves. */
static void refuse_conditions(const args *a, tby_db *db)
{
    query q;
    query_of_options(&q, a, NULL, (tby_text){0}, NULL, db);
    if (q.has_condition || q.search.limit || q.search.offset || args_has(a, QUERY_SORT) || args_has(a, QUERY_SAMPLE))
        error_exit("novelty: conditions, --limit, --offset, --sort and --sample do not apply to a single game");
    query_free(&q);
}

static int novelty_run(const args *a)
{
    sources all = sources_of_words(a, 0);
    novelty n = {.args = a, .rows = table_new(columns, N_COLUMNS)};
    const char *text = all.text;
    const bool has_number = args_has(a, OPT_GAME);
    if (has_number && all.n < 2)
        error_exit("novelty: --game needs a file of games");
    sources_open(&all, SOURCE_POSITIONS, visits_use(a));
    n.among = all.of[0];
    tby_db *db = source_db(n.among);
    if (has_number)
        n.game = one_game_read("novelty", all.names[1], option_number(a, OPT_GAME, 0, 1, LONG_MAX));
    else if (text && is_number(text) && all.n == 1 && is_database(all.names[0]))
        n.game = one_game_read("novelty", all.names[0], number_read("novelty: GAME", text, 1, LONG_MAX));
    else if (text && words_kind_of(a, text) == WORDS_MOVES)
        n.game = game_of_moves(text);
    if (n.game)
        refuse_conditions(a, db);
    n.form = output_begin(a);
    database_work(db, "looking");
    if (n.game)
        examine(&n, NULL, 0, text && !is_number(text) && !has_number);
    else
        examine_many(&n, &all, text);
    database_done(db);
    if (interrupts_came())
        error_exit("novelty: interrupted");
    if (!n.n_games && !n.n_failed)
        none_found(&all, text);
    if (n.form.format)
        output_table(&n.form, &n.rows, n.n_games ? TABLE_END : TABLE_WHOLE);
    out_buffer(&n.first);
    buffer_free(&n.lines);
    table_free(&n.rows);
    tby_game_free(n.game);
    return sources_close(&all, n.n_failed ? EXIT_FAILED : n.n_new ? EXIT_YES : EXIT_NO);
}

const command cmd_novelty = {
    .name = "novelty",
    .group = GROUP_LOOK,
    .words = "SOURCE... [GAME|MOVES|QUERY]",
    .summary = "find the first new moves of games",
    .description =
        "A game's first new move is the one after which no other game of the first SOURCE reaches the position, by any "
        "move order. Stored games with the same players and moves are treated as the game itself and do not count, nor "
        "do games with a later date if the game's date is known.\n\nThe games to examine are those of the other "
        "sources or, if there is only one, its own: all of them, the one with the number GAME, or those that match the "
        "QUERY and the conditions. They may also be a line of MOVES. A single game is shown with the moves that were "
        "played instead, most frequent first; several are shown as a table with the number of games that reach the "
        "position before the new move.\n\n" QUERY_HELP,
    .exits = "0  there is a new move\n1  there is none\n2  a game or a source could not be read",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = novelty_run,
};
