/*
 * rows_reader.c - reads games and turns their main lines into rows. A game with a fault produces no rows.
 */
#include "base/text.h"
#include "pgn/game.h"
#include "table/rows.h"
#include "table/table.h"

struct tby_rows_reader {
    const tby_rows *rows;
    tby_allocator allocator;
    tby_games *games; /* NULL: only tby_rows_reader_add */
    tby_game *game;
    tby_rows_counts counts;
    buffer moves; /* tby_move: the main line of a game */
    buffer text, comment, utf8;
    uint8_t packed[TBY_CHESSGAME_SIZE];
};

/* ---- Life ------------------------------------------------------------------------------------------------ */

tby_rows_reader *tby_rows_reader_new_empty(const tby_rows *rows, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_rows_reader *r = alloc_new(memory, sizeof *r);
    if (!r)
        return NULL;
    r->rows = rows;
    r->allocator = memory;
    r->moves = r->text = r->comment = r->utf8 = buffer_begin(&memory);
    return r;
}

tby_rows_reader *tby_rows_reader_new(const tby_rows *rows, const tby_game_notation *notation, tby_source source,
                                     void *context, const tby_allocator *allocator)
{
    tby_rows_reader *r = tby_rows_reader_new_empty(rows, allocator);
    if (!r)
        return NULL;
    r->games = notation->open(source, context, &r->allocator);
    r->game = tby_game_new(&r->allocator);
    if (!r->games || !r->game) {
        tby_rows_reader_free(r);
        return NULL;
    }
    tby_games_set_flags(r->games, rows->options.flags | (rows->needs & NEEDS_NOTES ? 0 : TBY_PGN_SKIP_COMMENTS));
    return r;
}

void tby_rows_reader_free(tby_rows_reader *r)
{
    if (!r)
        return;
    tby_games_free(r->games);
    tby_game_free(r->game);
    buffer_free(&r->moves);
    buffer_free(&r->text);
    buffer_free(&r->comment);
    buffer_free(&r->utf8);
    alloc_free(r->allocator, r, sizeof *r);
}

tby_games_place tby_rows_reader_where(const tby_rows_reader *r)
{
    return r->games ? tby_games_where(r->games) : (tby_games_place){.n_games = 0};
}

tby_rows_counts tby_rows_reader_counts(const tby_rows_reader *r) { return r->counts; }

/* ---- Facts of a game ------------------------------------------------------------------------------------- */

/* A natural number and nothing else; -1 for anything else. */
static int64_t read_natural(const char *s, size_t n)
{
    enum { DIGITS_MOST = 9 };
    const char *at = s;
    const int64_t value = text_take_number(&at, s + n, INT32_MAX);
    return at == s + n && n <= DIGITS_MOST ? value : -1;
}

static int elo_of(const tby_game *game, const char *tag)
{
    const char *s = tby_game_tag(game, tag);
    const int64_t elo = s ? read_natural(s, strlen(s)) : -1;
    return elo > 0 && elo < 10000 ? (int)elo : 0;
}

/* The increment of "180+2" in milliseconds; -1 if it is not given. */
static int64_t increment_of(const tby_game *game)
{
    const char *s = tby_game_tag(game, "TimeControl"), *plus = s ? strchr(s, '+') : NULL;
    if (!s || read_natural(s, plus ? (size_t)(plus - s) : strlen(s)) < 0)
        return -1;
    const int64_t seconds = plus ? read_natural(plus + 1, strlen(plus + 1)) : 0;
    return seconds < 0 ? -1 : 1000 * seconds;
}

static void find_final(table_row *row)
{
    row->final = *tby_game_start(row->tree);
    for (size_t i = 0; i < row->n_plies; i++)
        tby_line_play(&row->final, row->moves[i]);
}

static void find_facts(tby_rows_reader *r, table_row *row)
{
    const unsigned needs = r->rows->needs;
    if (needs & NEEDS_ELO) {
        row->elo[TBY_WHITE] = elo_of(row->tree, "WhiteElo");
        row->elo[TBY_BLACK] = elo_of(row->tree, "BlackElo");
    }
    if (needs & NEEDS_PACKED) {
        row->packed = r->packed;
        row->n_packed = tby_packed_encode(r->packed, sizeof r->packed, tby_game_start(row->tree), row->moves,
                                          row->n_plies, tby_game_result(row->tree));
    }
    if (needs & NEEDS_OPENING && row->n_packed)
        row->has_opening = tby_opening_of_chessgame(&row->opening, r->packed, row->n_packed) >= 0;
    if (needs & NEEDS_NOTES)
        row->increment = increment_of(row->tree);
    if (needs & NEEDS_FINAL)
        find_final(row);
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

static bool is_quiet(const tby_position *pos, tby_move played)
{
    if (played == TBY_MOVE_NULL)
        return false;
    return !tby_position_is_check(pos) && (played == TBY_MOVE_NONE || tby_move_captured(pos, played) == TBY_NO_PIECE);
}

/* Values that are the same in all rows of a game are put after the rows, unless rows are filtered immediately. */
static inline bool waits(const tby_rows *rows, size_t column)
{
    return rows->from[column]->about.is_of_game && rows->options.kind != TBY_ROWS_GAMES && !rows->options.complete;
}

static void put_facts(const tby_rows *rows, table_row *row, tby_table *table, size_t n_rows)
{
    for (size_t i = 0; i < rows->n_columns && n_rows > 0; i++) {
        if (!waits(rows, i))
            continue;
        row_put(row, table, i);
        table_repeat(table, i, n_rows - 1);
    }
}

static void put_row(tby_rows_reader *r, table_row *row, tby_table *table)
{
    const tby_rows *rows = r->rows;
    row->is_incomplete = false;
    for (size_t i = 0; i < rows->n_columns; i++)
        if (!waits(rows, i))
            row_put(row, table, i);
    tby_table_end_row(table);
    if (rows->options.complete && row->is_incomplete) {
        tby_table_cut(table, tby_table_n_rows(table) - 1);
        r->counts.left_out++;
    } else {
        r->counts.rows++;
    }
}

/* `at` is the ply of row->pos, and `played` the move played there. */
static void offer_row(tby_rows_reader *r, table_row *row, tby_table *table, size_t at, tby_move played)
{
    const tby_rows_options *options = &r->rows->options;
    const bool is_wanted = at >= options->skip_plies &&
                           (options->every < 2 || (at - options->skip_plies) % options->every == 0) &&
                           (!options->quiet || is_quiet(row->pos, played));
    if (is_wanted)
        put_row(r, row, table);
    else
        r->counts.left_out++;
}

/* Moves on to the next ply; at the start, the ply is the start. */
static void begin_ply(table_row *row, size_t ply)
{
    if (ply > 0) {
        if (row->ply > 0)
            row->clocks[row->ply % 2] = row->note.has_clock ? row->note.clock : -1;
        row->node = tby_game_child(row->tree, row->node);
    }
    row->ply = ply;
    row->move = ply > 0 ? row->moves[ply - 1] : TBY_MOVE_NONE;
    row->next = ply < row->n_plies ? row->moves[ply] : TBY_MOVE_NONE;
    if (row->rows->needs & NEEDS_NOTES) {
        row->note = (tby_note){.has_eval = false};
        row->comment->n = 0;
        note_read_and_write(&row->note, row->tree, row->node, buffer_sink, row->comment);
    }
}

/* The position of a row is the one after its ply, or for rows of moves the one before. */
static void put_plies(tby_rows_reader *r, table_row *row, tby_table *table, bool is_of_moves)
{
    row->here = row->there = *tby_game_start(row->tree);
    row->before = &row->here;
    row->next_pos = &row->there;
    row->pos = is_of_moves ? row->before : row->next_pos;
    for (size_t i = 0; i <= row->n_plies; i++) {
        begin_ply(row, i);
        if (!is_of_moves)
            offer_row(r, row, table, i, row->next);
        else if (i > 0)
            offer_row(r, row, table, i - 1, row->move);
        row->here = row->there;
        if (i < row->n_plies)
            tby_line_play(&row->there, row->moves[i]);
    }
}

/* The key of a game is the key of its final position. */
static void put_game(tby_rows_reader *r, table_row *row, tby_table *table)
{
    if (r->rows->options.adds_key)
        find_final(row);
    row->pos = &row->final;
    put_row(r, row, table);
}

/* The main line; NULL if out of memory. */
static const tby_move *list_moves(buffer *out, const tby_game *game, size_t *n)
{
    const size_t cap = out->cap / sizeof(tby_move);
    *n = tby_game_main_line(game, (tby_move *)(void *)out->data, cap);
    if (*n > cap) {
        if (!buffer_reserve(out, *n * sizeof(tby_move)))
            return NULL;
        tby_game_main_line(game, (tby_move *)(void *)out->data, *n);
    }
    return (const tby_move *)(const void *)out->data;
}

static tby_game_read put_rows(tby_rows_reader *r, tby_table *table, const tby_game *game, int64_t number)
{
    size_t n_plies;
    const tby_move *moves = list_moves(&r->moves, game, &n_plies);
    if (!moves && n_plies > 0)
        return TBY_GAME_NO_MEMORY;
    table_row row = {.rows = r->rows,
                     .tree = game,
                     .moves = moves,
                     .n_plies = n_plies,
                     .game = number,
                     .clocks = {-1, -1},
                     .text = &r->text,
                     .comment = &r->comment,
                     .utf8 = &r->utf8};
    const size_t n_before = tby_table_n_rows(table);
    find_facts(r, &row);
    if (r->rows->options.kind == TBY_ROWS_GAMES)
        put_game(r, &row, table);
    else
        put_plies(r, &row, table, r->rows->options.kind == TBY_ROWS_MOVES);
    put_facts(r->rows, &row, table, tby_table_n_rows(table) - n_before);
    r->counts.plies += row.n_plies;
    const bool has_failed = tby_table_has_failed(table) || r->text.has_failed || r->comment.has_failed ||
                            r->utf8.has_failed;
    return has_failed ? TBY_GAME_NO_MEMORY : TBY_GAME_GOOD;
}

/* ---- Games ----------------------------------------------------------------------------------------------- */

tby_game_read tby_rows_reader_add(tby_rows_reader *r, tby_table *table, const tby_game *game, int64_t number)
{
    r->counts.games++;
    return put_rows(r, table, game, number);
}

tby_game_read tby_rows_reader_next(tby_rows_reader *r, tby_table *table, tby_fault_watcher on_fault, void *context)
{
    const uint64_t n_before = tby_rows_reader_where(r).n_games;
    const tby_game_read answer = r->games ? tby_games_next(r->games, r->game, on_fault, context) : TBY_GAME_END;
    const uint64_t n_games = tby_rows_reader_where(r).n_games;
    r->counts.games += n_games > n_before;
    r->counts.bad += n_games > n_before && answer == TBY_GAME_BAD;
    return answer == TBY_GAME_GOOD ? put_rows(r, table, r->game, (int64_t)n_games) : answer;
}
