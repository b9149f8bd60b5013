/*
 * listing.c - what a search found, one line per game.
 *
 *     text   17  Anna (2000) - Bert  1-0  2019-05  Open  B90 Sicilian Defense: ...  45 plies  ply 11 (6. Bg5)
 *            where ? means unknown
 *     tsv    columns separated by tabs; an empty field is unknown; control characters become blanks
 *     csv    the same separated by commas, as in src/table/csv.c
 *     json   {"id":17,"white":"Anna",...,"ply":11}, null means unknown
 *     sheet  CSV without formulas, for spreadsheets: text that would be one gets an apostrophe in front
 *
 * The columns are those of the view `games`, the half-move at which the position was found, and its FEN.
 */
#include "listing.h"
#include "position.h"
#include "tabiya_table.h"

#include <inttypes.h>
#include <string.h>

void listing_header(buffer *out, listing_form form, bool has_source)
{
    const char comma = form == LISTING_TSV ? '\t' : ',';
    if (form == LISTING_TEXT || form == LISTING_JSON)
        return;
    if (has_source)
        buffer_printf(out, "source%c", comma);
    buffer_string(out, "id");
    for (size_t i = 0; tby_row_column_name(i); i++)
        buffer_printf(out, "%c%s", comma, tby_row_column_name(i));
    buffer_printf(out, "%cply%cfen\n", comma, comma);
}

/* ---- For people ------------------------------------------------------------------------------------------------- */

/* The n-th move, from 1: "6. Bg5", "6... e6"; 0 is "start". */
static void write_move(buffer *out, const tby_row *row, int n)
{
    tby_packed cursor;
    tby_position before;
    tby_move m = TBY_MOVE_NONE;
    if (!tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n))
        return;
    before = cursor.pos;
    for (int i = 0; i < n; i++) {
        before = cursor.pos;
        m = tby_packed_next(&cursor);
    }
    if (m == TBY_MOVE_NONE) {
        buffer_string(out, " (start)");
        return;
    }
    buffer_string(out, " (");
    write_numbered_move(out, &before, m);
    buffer_string(out, ")");
}

static void write_known(buffer *out, tby_text text)
{
    buffer_harmless(out, text.n ? text.s : "?", text.n ? text.n : 1, '?');
}

static void write_player(buffer *out, tby_text name, int elo)
{
    write_known(out, name);
    if (elo)
        buffer_printf(out, " (%d)", elo);
}

/* The name of the opening, after its code. */
static void write_opening(buffer *out, const tby_row *row)
{
    tby_opening opening;
    if (tby_opening_of_chessgame(&opening, (const uint8_t *)row->moves.s, row->moves.n) >= 0)
        buffer_printf(out, " %s", opening.name);
}

/* The optional parts of a line; the first is dropped last. */
enum { WITH_RATINGS = 1, WITH_LENGTH, WITH_EVENT, WITH_OPENING };

static void write_text(buffer *out, const char *source, const tby_db_hit *hit, const tby_row *row, listing_move shown,
                       int with)
{
    char room[TBY_ROW_TEXT_SIZE];
    const char *date = tby_row_date_text(room, row->date);
    buffer_printf(out, "%s%s%" PRId64 "  ", source ? source : "", source ? ":" : "", hit->id);
    write_player(out, row->white, with >= WITH_RATINGS ? row->elo[TBY_WHITE] : 0);
    buffer_string(out, " - ");
    write_player(out, row->black, with >= WITH_RATINGS ? row->elo[TBY_BLACK] : 0);
    buffer_printf(out, "  %s  %s  ", tby_result_text(row->result), date ? date : "?");
    if (with >= WITH_EVENT) {
        write_known(out, row->event);
        buffer_string(out, "  ");
    }
    write_known(out, row->eco);
    if (with >= WITH_OPENING)
        write_opening(out, row);
    if (with >= WITH_LENGTH)
        buffer_printf(out, "  %" PRIu32 " %s", row->plies, plural(row->plies, "ply", "plies"));
    if (hit->ply >= 0) {
        buffer_printf(out, "  ply %d", hit->ply);
        write_move(out, row, hit->ply + (shown == LISTING_MOVE_FROM));
    }
}

/* In characters: UTF-8 continuation bytes are not counted. */
static size_t width_of(const char *s, size_t n)
{
    size_t width = 0;
    for (size_t i = 0; i < n; i++)
        width += ((unsigned char)s[i] & 0xc0) != 0x80;
    return width;
}

void listing_write_text(buffer *out, const char *source, const tby_db_hit *hit, const tby_row *row, listing_move shown,
                        unsigned n_columns)
{
    const size_t before = out->n;
    int with = WITH_OPENING;
    write_text(out, source, hit, row, shown, with);
    while (n_columns && with > 0 && width_of(out->s + before, out->n - before) > n_columns) {
        out->n = before;
        write_text(out, source, hit, row, shown, --with);
    }
    buffer_string(out, "\n");
}

/* ---- For programs ----------------------------------------------------------------------------------------------- */

static void write_field(buffer *out, tby_text text) { buffer_harmless(out, text.s, text.n, ' '); }

static void write_plies(buffer *out, const uint32_t *plies, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%s%" PRIu32, i ? "," : "", plies[i]);
}

/* The value of a cell and the separator after it; `is_text` if it may be a formula. CSV is that of the table formats:
   text that is empty is quoted, and nothing at all is unknown. */
static void write_cell(buffer *out, listing_form form, tby_text text, bool is_text)
{
    const bool is_formula = form == LISTING_SHEET && is_text && tby_csv_is_formula(text.s, text.n);
    const size_t begin = out->n;
    if (form == LISTING_TSV || !is_text)
        write_field(out, text);
    else if (text.s)
        buffer_csv(out, is_formula ? "'" : "", text.s, text.n);
    if (!out->has_failed)
        text_make_harmless(out->s + begin, out->n - begin, ' ', "");
    buffer_string(out, form == LISTING_TSV ? "\t" : ",");
}

static void write_cells(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row)
{
    char room[TBY_ROW_TEXT_SIZE];
    if (source)
        write_cell(out, form, (tby_text){source, strlen(source)}, true);
    buffer_printf(out, "%" PRId64 "%s", hit->id, form == LISTING_TSV ? "\t" : ",");
    for (size_t i = 0; tby_row_column_name(i); i++)
        write_cell(out, form, tby_row_column_text(row, i, room), !tby_row_column_is_number(i));
}

static void write_json(buffer *out, const char *source, const tby_db_hit *hit, const tby_row *row)
{
    char room[TBY_ROW_TEXT_SIZE];
    json_add(out, "{");
    if (source)
        json_add(out, "'source':%s", source);
    json_add(out, "'id':%lld", (long long)hit->id);
    for (size_t i = 0; tby_row_column_name(i); i++) {
        const tby_text text = tby_row_column_text(row, i, room);
        buffer_string(out, ",\"");
        buffer_string(out, tby_row_column_name(i));
        buffer_string(out, text.s ? "\":" : "\":null");
        if (text.s && tby_row_column_is_number(i))
            buffer_add(out, text.s, text.n);
        else if (text.s)
            buffer_json(out, text.s, text.n);
    }
    json_add(out, "'ply':");
}

/* All but the last two columns. */
static void write_row(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row)
{
    if (form == LISTING_JSON)
        write_json(out, source, hit, row);
    else
        write_cells(out, form, source, hit, row);
}

/* The last column: the position after `ply` half-moves. */
static void write_fen(buffer *out, listing_form form, const tby_row *row, uint32_t ply)
{
    char fen[TBY_FEN_SIZE] = "";
    tby_packed cursor;
    if (tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n)) {
        for (uint32_t i = 0; i < ply && tby_packed_next(&cursor) != TBY_MOVE_NONE; i++)
            ;
        tby_fen_write_position(fen, sizeof fen, &cursor.pos, 0);
    }
    if (form == LISTING_JSON)
        json_add(out, "'fen':%s}\n", fen);
    else
        buffer_printf(out, "%c%s\n", form == LISTING_TSV ? '\t' : ',', fen);
}

void listing_write(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row)
{
    const int ply = hit->ply < 0 ? 0 : hit->ply; /* a query that looks at the game alone holds at ply 0 */
    write_row(out, form, source, hit, row);
    buffer_printf(out, "%d", ply);
    write_fen(out, form, row, (uint32_t)ply);
}

void listing_write_plies(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row,
                         const uint32_t *plies, size_t n_plies)
{
    const bool is_json = form == LISTING_JSON, is_csv = form == LISTING_CSV || form == LISTING_SHEET;
    write_row(out, form, source, hit, row);
    buffer_string(out, is_json ? "[" : is_csv ? "\"" : "");
    write_plies(out, plies, n_plies);
    buffer_string(out, is_json ? "]" : is_csv ? "\"" : "");
    write_fen(out, form, row, n_plies ? plies[0] : 0);
}
