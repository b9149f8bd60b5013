/*
 * listing.c - what a search found, a line for each game.
 *
 *     text   17  Anna (2000) - Bert  1-0  2019-05  Open  B90  45 plies  ply 11 (6. Bg5)     ? = not known
 *     tsv    the columns below, separated by tabs; an empty field is not known; control characters are blanks
 *     json   {"id":17,"white":"Anna",...,"ply":11}, null = not known
 *
 * The columns are those of the view `games`, and the half-move at which the position was found.
 */
#include "listing.h"
#include "explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    COL_ID,
    COL_WHITE,
    COL_WHITE_ELO,
    COL_BLACK,
    COL_BLACK_ELO,
    COL_RESULT,
    COL_DATE,
    COL_EVENT,
    COL_SITE,
    COL_ROUND,
    COL_ECO,
    COL_PLIES,
    N_COLUMNS
};

static const struct {
    const char *name;
    bool is_number;
} columns[N_COLUMNS] = {
    {"id", true},    {"white", false}, {"white_elo", true}, {"black", false}, {"black_elo", true}, {"result", false},
    {"date", false}, {"event", false}, {"site", false},     {"round", false}, {"eco", false},      {"plies", true},
};

/* The columns as texts; numbers are written into room of their own. */
enum { NUMBER_SIZE = 24 };
typedef struct line {
    tby_text texts[N_COLUMNS];
    char numbers[N_COLUMNS][NUMBER_SIZE];
} line;

static void set_number(line *l, int column, int64_t number)
{
    const int n = snprintf(l->numbers[column], NUMBER_SIZE, "%" PRId64, number);
    l->texts[column] = (tby_text){l->numbers[column], (size_t)n};
}

static void line_of(line *out, const tby_db_hit *hit, const tby_row *row)
{
    const char *result = tby_result_text(row->result);
    *out = (line){.texts = {
                      [COL_WHITE] = row->white,
                      [COL_BLACK] = row->black,
                      [COL_RESULT] = {result, strlen(result)},
                      [COL_EVENT] = row->event,
                      [COL_SITE] = row->site,
                      [COL_ROUND] = row->round,
                      [COL_ECO] = row->eco,
                  }};
    set_number(out, COL_ID, hit->id);
    set_number(out, COL_PLIES, row->plies);
    if (row->elo[TBY_WHITE])
        set_number(out, COL_WHITE_ELO, row->elo[TBY_WHITE]);
    if (row->elo[TBY_BLACK])
        set_number(out, COL_BLACK_ELO, row->elo[TBY_BLACK]);
    if (row->date) {
        const char *date = explore_date(out->numbers[COL_DATE], row->date);
        out->texts[COL_DATE] = (tby_text){date, strlen(date)};
    }
}

void listing_header(buffer *out, listing_form form)
{
    for (int i = 0; form == LISTING_TSV && i < N_COLUMNS; i++)
        buffer_printf(out, "%s\t%s", columns[i].name, i == N_COLUMNS - 1 ? "ply\n" : "");
}

/* ---- For people ------------------------------------------------------------------------------------------------- */

/* The move that led to the position: "6. Bg5", "6... e6", or "start". */
static void write_move_to(buffer *out, const tby_row *row, int ply)
{
    tby_packed cursor;
    tby_position before;
    tby_move m = TBY_MOVE_NONE;
    char san[TBY_SAN_SIZE];
    if (!tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n))
        return;
    before = cursor.pos;
    for (int i = 0; i < ply; i++) {
        before = cursor.pos;
        m = tby_packed_next(&cursor);
    }
    if (m == TBY_MOVE_NONE) {
        buffer_string(out, " (start)");
        return;
    }
    tby_san_write(san, sizeof san, &before, m);
    buffer_printf(out, " (%u%s %s)", (unsigned)tby_position_fullmove(&before),
                  tby_position_side(&before) == TBY_WHITE ? "." : "...", san);
}

static void write_known(buffer *out, const line *l, int column)
{
    const tby_text text = l->texts[column];
    buffer_add(out, text.n ? text.s : "?", text.n ? text.n : 1);
}

static void write_player(buffer *out, const line *l, int name, int elo)
{
    write_known(out, l, name);
    if (l->texts[elo].s)
        buffer_printf(out, " (%s)", l->texts[elo].s);
}

static void write_text(buffer *out, const line *l, const tby_row *row, int ply)
{
    static const int further[] = {COL_RESULT, COL_DATE, COL_EVENT, COL_ECO, COL_PLIES};
    write_known(out, l, COL_ID);
    buffer_string(out, "  ");
    write_player(out, l, COL_WHITE, COL_WHITE_ELO);
    buffer_string(out, " - ");
    write_player(out, l, COL_BLACK, COL_BLACK_ELO);
    for (size_t i = 0; i < sizeof further / sizeof *further; i++) {
        buffer_string(out, "  ");
        write_known(out, l, further[i]);
    }
    buffer_string(out, plural(row->plies, " ply", " plies"));
    if (ply >= 0) {
        buffer_printf(out, "  ply %d", ply);
        write_move_to(out, row, ply);
    }
    buffer_string(out, "\n");
}

/* ---- For programs ----------------------------------------------------------------------------------------------- */

static void write_field(buffer *out, tby_text text)
{
    for (size_t i = 0; i < text.n; i++) {
        const char c = (unsigned char)text.s[i] < ' ' ? ' ' : text.s[i];
        buffer_add(out, &c, 1);
    }
}

static void write_plies(buffer *out, const uint32_t *plies, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%s%" PRIu32, i ? "," : "", plies[i]);
}

static void write_tsv(buffer *out, const line *l)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        write_field(out, l->texts[i]);
        buffer_string(out, "\t");
    }
}

static void write_json(buffer *out, const line *l)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        const tby_text text = l->texts[i];
        buffer_printf(out, "%s\"%s\":", i ? "," : "{", columns[i].name);
        if (!text.s)
            buffer_string(out, "null");
        else if (columns[i].is_number)
            buffer_add(out, text.s, text.n);
        else
            buffer_json(out, text.s, text.n);
    }
    buffer_string(out, ",\"ply\":");
}

void listing_write(buffer *out, listing_form form, const tby_db_hit *hit, const tby_row *row)
{
    line l;
    line_of(&l, hit, row);
    if (form == LISTING_TEXT) {
        write_text(out, &l, row, hit->ply);
        return;
    }
    (form == LISTING_TSV ? write_tsv : write_json)(out, &l);
    /* a query that looks at the game alone holds at ply 0 */
    buffer_printf(out, form == LISTING_TSV ? "%d\n" : "%d}\n", hit->ply < 0 ? 0 : hit->ply);
}

void listing_write_plies(buffer *out, listing_form form, const tby_db_hit *hit, const tby_row *row,
                         const uint32_t *plies, size_t n_plies)
{
    const bool is_json = form == LISTING_JSON;
    line l;
    line_of(&l, hit, row);
    (is_json ? write_json : write_tsv)(out, &l);
    buffer_string(out, is_json ? "[" : "");
    write_plies(out, plies, n_plies);
    buffer_string(out, is_json ? "]}\n" : "\n");
}
