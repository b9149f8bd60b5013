/*
 * cmd_novelty.c - tabiya novelty: finds the first new move of games.
 *
 * A move is new if no other game of the database reaches the position after it, by any move order. The game itself (the
 * same players, start and moves) does not count, wherever it was read from and however often it is stored. Nor do games
 * with a later date, if its date is known.
 *
 * The first new move is found without counting: the positions are bisected, and every game found on the way rules out
 * all positions that it shares. The few that are left are looked up one by one.
 */
#include "commands.h"
#include "near.h"
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

/* A position of the game that is examined, and the move that led to it. */
typedef struct place {
    tby_position pos;
    uint64_t key;
    tby_move move;
    bool is_known; /* another game reaches it */
} place;

typedef struct novelty {
    const args *args;
    output form;
    table rows;    /* if the form is a table */
    source *among; /* the games to compare with */
    tby_db *db;    /* its database */
    tby_game *game;
    tby_game *other; /* space for another game */
    buffer itself;   /* the numbers under which the game is stored, tby_game_id each */
    int last_date;   /* games with later dates do not count; 0: all count */
    place *line;     /* the game's main line, by ply */
    size_t cap;
    unsigned n_plies;
    tby_move after;    /* where the line ends: none, or a null move, after which nothing is new */
    tby_game_id found; /* while a game is looked for; 0: none */

    const tby_position *pos; /* before the first new move, or the last */
    tby_move move;           /* the new move; TBY_MOVE_NONE: there is none */
    unsigned ply;            /* of the new move, or the last */
    tby_db_moves *played;    /* what others played there; NULL: it is not counted yet */

    uint64_t n_games, n_new, n_failed;
    buffer first, lines; /* of several: the details of the first and its line, until there is a second */
} novelty;

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
    return x == TBY_NO_NODE && y == TBY_NO_NODE && tby_position_same(tby_game_start(a), tby_game_start(b));
}

/* Visits the games that reach a position, until `meet` returns false. `meet` also checks whether a game counts, because a
   query about dates would read all games before finding the few. */
static void visit_games(const novelty *n, const tby_position *pos, tby_db_meet meet, void *context)
{
    const tby_db_search all = {.n_threads = threads_read(n->args, QUERY_THREADS), .progress = database_report};
    const tby_status status = tby_db_explore_games(n->db, pos, &all, meet, context);
    if (interrupts_came())
        error_exit("novelty: interrupted");
    if (status != TBY_OK && status != TBY_INTERRUPTED)
        source_failed(n->among);
}

static void read_other(novelty *n, tby_game_id id)
{
    if (tby_db_game(n->other, n->db, id) != TBY_OK)
        source_failed(n->among);
}

/* Games that may be the same: they first reach the final position at the same ply, and then play the same move. */
typedef struct same_end {
    int ply;
    tby_move next;
    buffer ids;
} same_end;

static bool take_similar(void *context, const tby_db_passing *game)
{
    same_end *end = context;
    if (game->ply == end->ply && game->next == end->next)
        buffer_add(&end->ids, (const char *)&game->id, sizeof game->id);
    return !interrupts_came();
}

/* Hundreds of thousands of games may reach the end of a short one, so only those that may be the same game are read. */
static void find_itself(novelty *n)
{
    const tby_position *last = &n->line[n->n_plies].pos;
    same_end end = {.ply = 0};
    tby_game_id id;
    n->itself.n = 0;
    while (!tby_position_same(&n->line[end.ply].pos, last))
        end.ply++;
    end.next = (unsigned)end.ply < n->n_plies ? n->line[end.ply + 1].move : n->after;
    visit_games(n, last, take_similar, &end);
    for (size_t at = 0; at < end.ids.n; at += sizeof id) {
        memcpy(&id, end.ids.s + at, sizeof id);
        read_other(n, id);
        if (has_same_tag(n->game, n->other, "White") && has_same_tag(n->game, n->other, "Black") &&
            has_same_line(n->game, n->other))
            buffer_add(&n->itself, (const char *)&id, sizeof id);
    }
    buffer_free(&end.ids);
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

/* The last day that a date may be: 1972.07.23 is 19720723, 1972.07 is 19720799; 0 if it is not known. */
static int last_day(const char *date)
{
    const size_t n = known_date(date);
    const int year = n >= 4 ? atoi(date) : 0, month = n >= 7 ? atoi(date + 5) : 99, day = n >= 10 ? atoi(date + 8) : 99;
    return year ? year * 10000 + month * 100 + day : 0;
}

static bool counts(const novelty *n, tby_game_id id, int date)
{
    if (n->last_date && (!date || date > n->last_date))
        return false;
    for (size_t at = 0; at < n->itself.n; at += sizeof id)
        if (memcmp(n->itself.s + at, &id, sizeof id) == 0)
            return false;
    return true;
}

static void count_move(tby_db_moves *out, tby_move m, int date)
{
    size_t i = 0;
    out->games++;
    if (m == TBY_MOVE_NONE)
        return;
    while (i < out->n_moves && out->moves[i].move != m)
        i++;
    if (i == out->n_moves)
        out->moves[out->n_moves++] = (tby_db_move){.move = m};
    out->moves[i].games++;
    out->moves[i].last_date = date > out->moves[i].last_date ? date : out->moves[i].last_date;
}

/* The most played first; among equals in the order of the tree, with the null move last. */
static bool is_before(const tby_db_move *a, const tby_db_move *b)
{
    tby_move both[] = {a->move, b->move};
    if (a->games != b->games)
        return a->games > b->games;
    tby_moves_sort(both, 2);
    return b->move == TBY_MOVE_NULL || (a->move != TBY_MOVE_NULL && both[0] == a->move);
}

static void order_moves(tby_db_moves *out)
{
    for (size_t i = 1; i < out->n_moves; i++) {
        const tby_db_move m = out->moves[i];
        size_t k = i;
        for (; k > 0 && is_before(&m, &out->moves[k - 1]); k--)
            out->moves[k] = out->moves[k - 1];
        out->moves[k] = m;
    }
}

/* Looks for one game that counts, or counts what all of them played. */
static bool meet(void *context, const tby_db_passing *game)
{
    novelty *n = context;
    if (counts(n, game->id, game->facts.date)) {
        n->found = game->id;
        if (n->played)
            count_move(n->played, game->next, game->facts.date);
    }
    return (n->played || !n->found) && !interrupts_came();
}

/* ---- Where it is new -------------------------------------------------------------------------------------------- */

/* Up to a null move, after which nothing is new. */
static void read_line(novelty *n)
{
    memory_need(array_reserve(&n->line, &n->cap, tby_game_main_line(n->game, NULL, 0) + 1, sizeof *n->line, NULL));
    tby_node node = TBY_ROOT;
    place at = {.pos = *tby_game_start(n->game)};
    for (n->n_plies = 0;; n->n_plies++) {
        at.key = tby_position_key(&at.pos);
        n->line[n->n_plies] = at;
        node = tby_game_child(n->game, node);
        at.move = node == TBY_NO_NODE ? TBY_MOVE_NONE : tby_game_move(n->game, node);
        if (at.move == TBY_MOVE_NONE || at.move == TBY_MOVE_NULL)
            break;
        tby_line_play(&at.pos, at.move);
    }
    n->after = at.move;
}

/* Marks the positions that another game also reaches. */
static void know_game(novelty *n, const tby_game *other)
{
    tby_position pos = *tby_game_start(other);
    for (tby_node node = TBY_ROOT;;) {
        const uint64_t key = tby_position_key(&pos);
        for (place *p = n->line; p <= n->line + n->n_plies; p++)
            p->is_known |= p->key == key && tby_position_same(&p->pos, &pos);
        node = tby_game_child(other, node);
        if (node == TBY_NO_NODE)
            return;
        tby_line_play(&pos, tby_game_move(other, node));
    }
}

static bool is_known(novelty *n, unsigned ply)
{
    if (n->line[ply].is_known)
        return true;
    n->found = 0;
    visit_games(n, &n->line[ply].pos, meet, n);
    if (n->found) {
        read_other(n, n->found);
        know_game(n, n->other);
    }
    return n->found != 0;
}

/* The ply of the first new move; 0 if there is none. */
static unsigned first_new(novelty *n)
{
    unsigned low = 0, high = n->n_plies + 1;
    while (high - low > 1) {
        const unsigned middle = low + (high - low) / 2;
        if (is_known(n, middle))
            low = middle;
        else
            high = middle;
    }
    for (unsigned ply = 1; ply < high; ply++)
        if (!is_known(n, ply))
            return ply;
    return high <= n->n_plies ? high : 0;
}

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void write_text(buffer *out, const novelty *n)
{
    const uint64_t games = n->played->games;
    char san[TBY_SAN_SIZE], date[TBY_ROW_TEXT_SIZE];
    if (n->move == TBY_MOVE_NONE) {
        buffer_printf(out, "nothing new in %u %s; %" PRIu64 " %s\n", n->ply, plural(n->ply, "half-move", "half-moves"),
                      games, plural(games, "game reaches the end", "games reach the end"));
        return;
    }
    buffer_string(out, "new: ");
    write_numbered_move(out, n->pos, n->move);
    buffer_printf(out, " (ply %u)\n%" PRIu64 " %s the position before it\n", n->ply, games,
                  plural(games, "game reaches", "games reach"));
    for (size_t i = 0; i < n->played->n_moves && i < SHOWN_MOVES; i++) {
        const tby_db_move *one = &n->played->moves[i];
        tby_san_write(san, sizeof san, n->pos, one->move);
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
    const bool is_new = n->move != TBY_MOVE_NONE;
    buffer out = {0};
    char san[TBY_SAN_SIZE], fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, n->pos, 0);
    if (is_new)
        tby_san_write(san, sizeof san, n->pos, n->move);
    json_add(&out, "{");
    if (s)
        json_add(&out, "'source':%s,'id':%lld", source_name(s), (long long)id);
    for (size_t i = 0; s && i < N_TAGS; i++)
        json_add(&out, "%s:%s", tags[i][1], tag_of(n, i));
    json_add(&out, "'new':%i,'ply':%u,'fen':%s,'games':%llu,'move':", is_new, n->ply, fen,
             (unsigned long long)n->played->games);
    buffer_json_string(&out, is_new ? san : NULL);
    json_add(&out, "'played':[");
    for (size_t i = 0; is_new && i < n->played->n_moves; i++) {
        tby_san_write(san, sizeof san, n->pos, n->played->moves[i].move);
        json_add(&out, "{'san':%s,'games':%llu}", san, (unsigned long long)n->played->moves[i].games);
    }
    buffer_string(&out, "]}\n");
    out_buffer(&out);
}

/* One line of the table. */
static void write_line(buffer *out, const novelty *n, tby_game_id id)
{
    buffer move = {0};
    if (n->move == TBY_MOVE_NONE)
        buffer_string(&move, "-");
    else
        write_numbered_move(&move, n->pos, n->move);
    buffer_printf(out, "%-8" PRId64 " %-14.*s %8" PRIu64 "  ", id, (int)move.n, move.s, n->played->games);
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
    const bool is_new = n->move != TBY_MOVE_NONE;
    char san[TBY_SAN_SIZE], fen[TBY_FEN_SIZE];
    buffer others = {0}; /* "Nf3 12, d4 3" */
    for (size_t i = 0; is_new && i < n->played->n_moves; i++) {
        tby_san_write(san, sizeof san, n->pos, n->played->moves[i].move);
        buffer_printf(&others, "%s%s %" PRIu64, i ? ", " : "", san, n->played->moves[i].games);
    }
    tby_fen_write_position(fen, sizeof fen, n->pos, 0);
    if (is_new)
        tby_san_write(san, sizeof san, n->pos, n->move);
    table_put_text(&n->rows, SOURCE, s ? source_name(s) : NULL);
    table_put_known(&n->rows, ID, (uint64_t)id);
    for (size_t i = 0; i < N_TAGS; i++)
        table_put_text(&n->rows, WHITE + i, *tag_of(n, i) != '?' ? tag_of(n, i) : NULL);
    table_put(&n->rows, PLY, n->ply);
    table_put_text(&n->rows, MOVE, is_new ? san : NULL);
    table_put(&n->rows, GAMES, n->played->games);
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
        write_text(&n->first, n);
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
    read_line(n);
    n->last_date = args_has(n->args, OPT_ANY_DATE) ? 0 : last_day(tby_game_tag(n->game, "Date"));
    if (is_line)
        n->itself.n = 0;
    else
        find_itself(n);
    const unsigned ply = first_new(n);
    n->ply = ply ? ply : n->n_plies;
    n->pos = &n->line[ply ? ply - 1 : n->n_plies].pos;
    n->move = ply ? n->line[ply].move : TBY_MOVE_NONE;
    n->played = memory_new(1, sizeof *n->played);
    visit_games(n, n->pos, meet, n);
    order_moves(n->played);
    n->n_games++;
    n->n_new += ply > 0;
    progress_make_room();
    if (n->form.format)
        print_row(n, s, id);
    else if (n->form.is_json)
        print_json(n, s, id);
    else if (s)
        print_one_of_many(n, id);
    else
        write_text(&n->first, n);
    free(n->played);
    n->played = NULL;
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
    if (args_has(n->args, QUERY_EXPLAIN)) {
        query_explain_all(&q, &examined, NULL);
        query_free(&q);
        return;
    }
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
    if (q.has_condition || q.search.limit || q.search.offset || args_has(a, QUERY_SORT) || args_has(a, QUERY_SAMPLE) ||
        args_has(a, QUERY_EXPLAIN))
        error_exit(
            "novelty: conditions, --explain, --limit, --offset, --sort and --sample do not apply to a single game");
    query_free(&q);
}

static int novelty_run(const args *a)
{
    sources all = sources_of_words(a, 0);
    novelty n = {.args = a, .other = memory_got(tby_game_new(NULL)), .rows = table_new(columns, N_COLUMNS)};
    const char *text = all.text;
    const bool has_number = args_has(a, OPT_GAME);
    if (has_number && all.n < 2)
        error_exit("novelty: --game needs a file of games");
    sources_open(&all, SOURCE_POSITIONS, visits_use(a));
    n.among = all.of[0];
    n.db = source_db(n.among);
    if (has_number)
        n.game = one_game_read("novelty", all.names[1], option_number(a, OPT_GAME, 0, 1, LONG_MAX));
    else if (text && is_number(text) && all.n == 1 && is_database(all.names[0]))
        n.game = one_game_read("novelty", all.names[0], number_read("novelty: GAME", text, 1, LONG_MAX));
    else if (text && words_kind_of(a, text) == WORDS_MOVES)
        n.game = game_of_moves(text);
    if (n.game)
        refuse_conditions(a, n.db);
    if (!args_has(a, QUERY_EXPLAIN))
        n.form = output_begin(a);
    database_work(n.db, "looking");
    if (n.game)
        examine(&n, NULL, 0, text && !is_number(text) && !has_number);
    else
        examine_many(&n, &all, text);
    database_done(n.db);
    if (interrupts_came())
        error_exit("novelty: interrupted");
    const bool is_explained = args_has(a, QUERY_EXPLAIN);
    if (!n.n_games && !n.n_failed && !is_explained)
        none_found(&all, text);
    if (n.form.format && !is_explained)
        output_table(&n.form, &n.rows, n.n_games ? TABLE_END : TABLE_WHOLE);
    out_buffer(&n.first);
    free(n.line);
    buffer_free(&n.itself);
    buffer_free(&n.lines);
    table_free(&n.rows);
    tby_game_free(n.game);
    tby_game_free(n.other);
    return sources_close(&all, n.n_failed ? EXIT_FAILED : n.n_new || is_explained ? EXIT_YES : EXIT_NO);
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
