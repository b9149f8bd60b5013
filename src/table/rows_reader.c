/*
 * rows_reader.c - reads games and turns them into rows.
 *
 * Games that arrive as events (PGN) are not built as trees. A game with a fault produces no rows.
 */
#include "table/rows.h"
#include "table/table.h"

struct tby_rows_reader {
    const tby_rows *rows;
    tby_allocator allocator;
    tby_pgn *pgn; /* one of these two, or none */
    tby_games *games;
    tby_game *game;
    tby_games_place place;
    tby_rows_counts counts;
    tby_fault_watcher on_fault; /* while a game is read */
    void *context;
    bool in_game, is_bad;
    unsigned depth; /* of variations */
    bool is_moved;  /* the outermost variation has a move already; others always begin after one */
    buffer waiting; /* comments of a variation without a move so far, in pieces */
    line line;
    line_tag tags[ROWS_TAGS_MAX];
    buffer text;
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
    r->text = r->waiting = buffer_begin(&memory);
    for (size_t i = 0; i < rows->n_tags; i++)
        r->tags[i].name = rows->tags[i];
    line_init(&r->line, r->tags, rows->n_tags, rows->needs & NEEDS_NOTES, &memory);
    return r;
}

tby_rows_reader *tby_rows_reader_new(const tby_rows *rows, const tby_game_notation *notation, tby_source source,
                                     void *context, const tby_allocator *allocator)
{
    tby_rows_reader *r = tby_rows_reader_new_empty(rows, allocator);
    if (!r)
        return NULL;
    if (notation->open_events) {
        const tby_pgn_options options = {.flags = rows->options.flags | TBY_PGN_SERIOUS};
        r->pgn = notation->open_events(source, context, &options, &r->allocator);
    } else {
        r->games = notation->open(source, context, &r->allocator);
        r->game = tby_game_new(&r->allocator);
    }
    if (r->games)
        tby_games_set_flags(r->games, rows->options.flags);
    if (r->pgn || (r->games && r->game))
        return r;
    tby_rows_reader_free(r);
    return NULL;
}

void tby_rows_reader_free(tby_rows_reader *r)
{
    if (!r)
        return;
    tby_pgn_free(r->pgn);
    tby_games_free(r->games);
    tby_game_free(r->game);
    line_finish(&r->line);
    buffer_free(&r->text);
    buffer_free(&r->waiting);
    alloc_free(r->allocator, r, sizeof *r);
}

tby_games_place tby_rows_reader_where(const tby_rows_reader *r) { return r->place; }
tby_rows_counts tby_rows_reader_counts(const tby_rows_reader *r) { return r->counts; }

/* ---- Facts of a game ------------------------------------------------------------------------------------- */

/* A natural number and nothing else; -1 for anything else. */
static int64_t read_natural(const char *s, size_t n)
{
    int64_t value = 0;
    if (n == 0 || n > 9)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return -1;
        value = 10 * value + (s[i] - '0');
    }
    return value;
}

static int elo_of(const line *l, int tag)
{
    size_t n;
    const char *s = line_tag_text(l, (size_t)tag, &n);
    const int64_t elo = s ? read_natural(s, n) : -1;
    return elo > 0 && elo < 10000 ? (int)elo : 0;
}

/* The increment of "180+2" in milliseconds; -1 if it is not given. */
static int64_t increment_of(const line *l, int tag)
{
    size_t n;
    const char *s = line_tag_text(l, (size_t)tag, &n);
    const char *plus = s ? memchr(s, '+', n) : NULL;
    if (!s || read_natural(s, plus ? (size_t)(plus - s) : n) < 0)
        return -1;
    const int64_t seconds = plus ? read_natural(plus + 1, n - (size_t)(plus + 1 - s)) : 0;
    return seconds < 0 ? -1 : 1000 * seconds;
}

/* Computes it from a player's clock after the previous move and after this one. */
static void find_spent(line *l, int64_t increment)
{
    const size_t n = line_n_plies(l);
    for (size_t ply = 3; ply <= n && increment >= 0; ply++) {
        line_notes *notes = line_notes_at(l, ply);
        const int64_t before = line_notes_at(l, ply - 2)->clock;
        if (notes->spent < 0 && notes->clock >= 0 && before >= 0 && before + increment >= notes->clock)
            notes->spent = before + increment - notes->clock;
    }
}

static void find_final(table_row *row, const line *l)
{
    row->final = l->start;
    for (size_t i = 0; i < line_n_plies(l); i++)
        tby_line_play(&row->final, line_moves(l)[i]);
}

static void find_facts(tby_rows_reader *r, table_row *row)
{
    const tby_rows *rows = r->rows;
    line *l = &r->line;
    if (rows->needs & NEEDS_ELO) {
        row->elo[TBY_WHITE] = elo_of(l, rows->white_elo);
        row->elo[TBY_BLACK] = elo_of(l, rows->black_elo);
    }
    if (rows->needs & NEEDS_PACKED) {
        row->packed = r->packed;
        row->n_packed =
            tby_packed_encode(r->packed, sizeof r->packed, &l->start, line_moves(l), line_n_plies(l), l->result);
    }
    if (rows->needs & NEEDS_OPENING && row->n_packed)
        row->has_opening = tby_opening_of_chessgame(&row->opening, r->packed, row->n_packed) >= 0;
    if (rows->needs & NEEDS_SPENT)
        find_spent(l, increment_of(l, rows->time_control));
    if (rows->needs & NEEDS_FINAL)
        find_final(row, l);
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
    row->notes = line_notes_at(&r->line, row->ply);
    if (is_wanted)
        put_row(r, row, table);
    else
        r->counts.left_out++;
}

/* The position of a row is the one after its ply, or for rows of moves the one before. */
static void put_plies(tby_rows_reader *r, table_row *row, tby_table *table, bool is_of_moves)
{
    const tby_move *moves = line_moves(&r->line);
    const size_t n = line_n_plies(&r->line);
    row->here = row->there = r->line.start;
    row->before = &row->here;
    row->next_pos = &row->there;
    row->pos = is_of_moves ? row->before : row->next_pos;
    for (size_t i = 0; i <= n; i++) {
        row->ply = i;
        row->move = i > 0 ? moves[i - 1] : TBY_MOVE_NONE;
        row->next = i < n ? moves[i] : TBY_MOVE_NONE;
        if (!is_of_moves)
            offer_row(r, row, table, i, row->next);
        else if (i > 0)
            offer_row(r, row, table, i - 1, row->move);
        row->here = row->there;
        if (i < n)
            tby_line_play(&row->there, moves[i]);
    }
}

/* The key of a game is the key of its final position. */
static void put_game(tby_rows_reader *r, table_row *row, tby_table *table)
{
    if (r->rows->options.adds_key)
        find_final(row, &r->line);
    row->pos = &row->final;
    put_row(r, row, table);
}

static tby_game_read put_rows(tby_rows_reader *r, tby_table *table, int64_t number)
{
    table_row row = {.rows = r->rows, .line = &r->line, .game = number, .text = &r->text};
    if (line_has_failed(&r->line) || r->waiting.has_failed)
        return TBY_GAME_NO_MEMORY;
    const size_t n_before = tby_table_n_rows(table);
    find_facts(r, &row);
    if (r->rows->options.kind == TBY_ROWS_GAMES)
        put_game(r, &row, table);
    else
        put_plies(r, &row, table, r->rows->options.kind == TBY_ROWS_MOVES);
    put_facts(r->rows, &row, table, tby_table_n_rows(table) - n_before);
    r->counts.plies += line_n_plies(&r->line);
    return tby_table_has_failed(table) || r->text.has_failed ? TBY_GAME_NO_MEMORY : TBY_GAME_GOOD;
}

/* ---- Games as events ------------------------------------------------------------------------------------- */

/* A fault or a warning. */
static void report_fault(tby_rows_reader *r, const tby_pgn_event *event)
{
    tby_game_fault fault;
    if (!r->on_fault)
        return;
    tby_pgn_event_fault(&fault, r->pgn, event);
    r->on_fault(r->context, &fault);
}

/* A variation's notes before its first move are notes of the main line, as in a tree of the game: NAGs in any case,
   comments if no move follows. */
typedef struct piece {
    size_t n;
    bool more;
} piece;

static void keep_comment(tby_rows_reader *r, const tby_pgn_event *event)
{
    const piece p = {event->n_text, event->more};
    buffer_add(&r->waiting, &p, sizeof p);
    buffer_add(&r->waiting, event->text, event->n_text);
}

static void take_waiting(tby_rows_reader *r)
{
    piece p;
    for (size_t at = 0; at < r->waiting.n && !r->waiting.has_failed; at += sizeof p + p.n) {
        memcpy(&p, r->waiting.data + at, sizeof p);
        line_add_comment(&r->line, r->waiting.s + at + sizeof p, p.n, p.more);
    }
    r->waiting.n = 0;
}

static void take_comment(tby_rows_reader *r, const tby_pgn_event *event)
{
    if (r->depth == 0)
        line_add_comment(&r->line, event->text, event->n_text, event->more);
    else if (!r->is_moved && r->line.wants_notes)
        keep_comment(r, event);
}

static void end_variation(tby_rows_reader *r)
{
    if (--r->depth > 0)
        return;
    take_waiting(r);
    r->is_moved = false;
}

static void take_move(tby_rows_reader *r, const tby_pgn_event *event)
{
    if (r->depth > 0) {
        r->waiting.n = 0;
        r->is_moved = true;
        return;
    }
    if (line_n_plies(&r->line) == 0)
        r->line.start = *tby_pgn_position_before(r->pgn);
    line_add_moves(&r->line, &event->move, 1);
}

static void begin_game(tby_rows_reader *r)
{
    line_clear(&r->line);
    r->in_game = true;
    r->is_bad = false;
    r->is_moved = false;
    r->depth = 0;
    buffer_clear(&r->waiting);
    r->place.n_games++;
}

static void end_game(tby_rows_reader *r, const tby_pgn_event *event)
{
    if (line_n_plies(&r->line) == 0)
        r->line.start = *tby_pgn_position(r->pgn);
    r->line.is_chess960 = tby_pgn_is_chess960(r->pgn);
    r->line.result = event->result;
    r->in_game = false;
}

static void take_event(tby_rows_reader *r, const tby_pgn_event *event)
{
    switch (event->type) {
    case TBY_PGN_GAME: begin_game(r); break;
    case TBY_PGN_TAG: line_add_tag(&r->line, event->name, event->n_name, event->text, event->n_text); break;
    case TBY_PGN_NAG:
        if (!r->is_moved)
            line_add_nag(&r->line, event->nag);
        break;
    case TBY_PGN_COMMENT: take_comment(r, event); break;
    case TBY_PGN_VARIATION: r->depth++; break;
    case TBY_PGN_VARIATION_END: end_variation(r); break;
    case TBY_PGN_NULL_MOVE:
    case TBY_PGN_MOVE: take_move(r, event); break;
    case TBY_PGN_WARNING: report_fault(r, event); break;
    case TBY_PGN_ERROR:
        r->is_bad = true;
        report_fault(r, event);
        break;
    case TBY_PGN_GAME_END: end_game(r, event); break;
    default: break;
    }
}

/* Reads one game into r->line. */
static tby_game_read read_events(tby_rows_reader *r)
{
    tby_pgn_event event;
    tby_move moves[256];
    tby_pgn_type type;
    memset(&event, 0, sizeof event);
    r->is_bad = false;
    while ((type = tby_pgn_next(r->pgn, &event)) != TBY_PGN_END) {
        take_event(r, &event);
        if (type == TBY_PGN_GAME_END || (type == TBY_PGN_ERROR && !r->in_game))
            return r->is_bad ? TBY_GAME_BAD : TBY_GAME_GOOD;
        const size_t n = tby_pgn_moves(r->pgn, moves, sizeof moves / sizeof *moves);
        if (r->depth == 0)
            line_add_moves(&r->line, moves, n);
    }
    r->place.n_lines = tby_pgn_event_place(r->pgn, &event).line - 1;
    return TBY_GAME_END;
}

/* ---- Games as trees -------------------------------------------------------------------------------------- */

static tby_game_read read_tree(tby_rows_reader *r)
{
    const tby_game_read answer = tby_games_next(r->games, r->game, r->on_fault, r->context);
    r->place = tby_games_where(r->games);
    if (answer == TBY_GAME_GOOD)
        line_of_game(&r->line, r->game);
    return answer;
}

tby_game_read tby_rows_reader_add(tby_rows_reader *r, tby_table *table, const tby_game *game, int64_t number)
{
    line_of_game(&r->line, game);
    r->counts.games++;
    return put_rows(r, table, number);
}

/* ---- Next game ------------------------------------------------------------------------------------------- */

tby_game_read tby_rows_reader_next(tby_rows_reader *r, tby_table *table, tby_fault_watcher on_fault, void *context)
{
    const uint64_t n_before = r->place.n_games;
    r->on_fault = on_fault;
    r->context = context;
    const tby_game_read answer = r->pgn ? read_events(r) : r->games ? read_tree(r) : TBY_GAME_END;
    const bool is_game = r->place.n_games > n_before;
    r->counts.games += is_game;
    r->counts.bad += is_game && answer == TBY_GAME_BAD;
    return answer == TBY_GAME_GOOD ? put_rows(r, table, (int64_t)r->place.n_games) : answer;
}
