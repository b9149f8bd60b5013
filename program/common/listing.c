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

/* What comes before a value of a row. */
static void put_name(buffer *out, listing_form form, const char *name)
{
    if (form == LISTING_JSON) {
        buffer_string(out, out->n && out->s[out->n - 1] == '{' ? "\"" : ",\"");
        buffer_string(out, name);
        buffer_string(out, "\":");
    } else if (out->n && out->s[out->n - 1] != '\n') {
        buffer_put(out, form == LISTING_TSV ? '\t' : ',');
    }
}

/* CSV is that of the table formats: text that is empty is quoted, and nothing at all is unknown. */
static void put_text(buffer *out, listing_form form, const char *name, tby_text text)
{
    put_name(out, form, name);
    const size_t begin = out->n;
    if (form == LISTING_JSON && !text.s) {
        buffer_string(out, "null");
    } else if (form == LISTING_JSON) {
        buffer_json(out, text.s, text.n);
    } else if (form == LISTING_TSV) {
        buffer_harmless(out, text.s, text.n, ' ');
    } else if (text.s) {
        buffer_csv(out, form == LISTING_SHEET && tby_csv_is_formula(text.s, text.n) ? "'" : "", text.s, text.n);
        if (out->n > begin) /* there was memory */
            text_make_harmless(out->s + begin, out->n - begin, ' ', "");
    }
}

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

/* Is not changed if the moves are damaged. */
static void write_fen(char fen[TBY_FEN_SIZE], const tby_row *row, uint32_t ply)
{
    tby_packed cursor;
    if (!tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n))
        return;
    for (uint32_t i = 0; i < ply && tby_packed_next(&cursor) != TBY_MOVE_NONE; i++)
        ;
    tby_fen_write_position(fen, TBY_FEN_SIZE, &cursor.pos, 0);
}

static void write_plies(buffer *out, listing_form form, const uint32_t *plies, size_t n)
{
    const bool is_json = form == LISTING_JSON, is_csv = form == LISTING_CSV || form == LISTING_SHEET;
    buffer_string(out, is_json ? "[" : is_csv ? "\"" : "");
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%s%" PRIu32, i ? "," : "", plies[i]);
    buffer_string(out, is_json ? "]" : is_csv ? "\"" : "");
}

void listing_write_plies(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row,
                         const uint32_t *plies, size_t n_plies)
{
    const uint32_t first = hit->ply < 0 ? 0 : (uint32_t)hit->ply; /* a query about the game alone holds at ply 0 */
    char room[TBY_ROW_TEXT_SIZE], fen[TBY_FEN_SIZE] = "";
    write_fen(fen, row, !plies ? first : n_plies ? plies[0] : 0);
    if (form == LISTING_JSON)
        json_add(out, "{");
    if (source)
        put_text(out, form, "source", (tby_text){source, strlen(source)});
    put_name(out, form, "id");
    buffer_number(out, (uint64_t)hit->id);
    for (size_t i = 0; tby_row_column_name(i); i++) {
        const tby_text text = tby_row_column_text(row, i, room);
        if (text.s && tby_row_column_is_number(i)) {
            put_name(out, form, tby_row_column_name(i));
            buffer_add(out, text.s, text.n);
        } else {
            put_text(out, form, tby_row_column_name(i), text);
        }
    }
    put_name(out, form, "ply");
    if (plies)
        write_plies(out, form, plies, n_plies);
    else
        buffer_number(out, first);
    put_text(out, form, "fen", (tby_text){fen, strlen(fen)});
    buffer_string(out, form == LISTING_JSON ? "}\n" : "\n");
}

void listing_write(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row)
{
    listing_write_plies(out, form, source, hit, row, NULL, 0);
}
