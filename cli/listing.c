/*
 * listing.c - what a search found, a line a game.
 *
 *     text   17  Anna (2000) - Bert  1-0  2019-05  Open  B90  45 plies  ply 11 (6. Bg5)     ? = not known
 *     tsv    the columns below, parted by tabs; an empty field is not known; control characters are blanks
 *     json   {"id":17,"white":"Anna",...,"ply":11}, null = not known
 *
 * The columns are those of the view `games`, and the half-move at which the position that was looked for comes up.
 */
#include "listing.h"

#include <sqlite3.h>
#include <stdlib.h>
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
    N_COLUMNS,
    COL_MOVES = N_COLUMNS
};

static const char *const names[N_COLUMNS] = {"id",   "white", "white_elo", "black", "black_elo", "result",
                                             "date", "event", "site",      "round", "eco",       "plies"};

struct listing {
    listing_form form;
    sqlite3_stmt *row;
};

listing *listing_new(tby_db *db, listing_form form)
{
    static const char sql[] = "SELECT id, white, white_elo, black, black_elo, result, date, event, site, round, eco, "
                              "plies, moves FROM games WHERE id = ?1";
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &row, NULL) != SQLITE_OK)
        return NULL;
    listing *l = memory_new(1, sizeof *l);
    *l = (listing){form, row};
    return l;
}

void listing_header(const listing *l, buffer *out)
{
    for (int i = 0; l->form == LISTING_TSV && i < N_COLUMNS; i++)
        buffer_printf(out, "%s\t%s", names[i], i == N_COLUMNS - 1 ? "ply\n" : "");
}

void listing_free(listing *l)
{
    if (!l)
        return;
    sqlite3_finalize(l->row);
    free(l);
}

static const char *text_of(const listing *l, int column) { return (const char *)sqlite3_column_text(l->row, column); }

/* ---- For people ------------------------------------------------------------------------------------------------- */

/* The move that led to the position: "6. Bg5", "6... e6", or "start". */
static void write_move_to(buffer *out, const listing *l, int ply)
{
    tby_packed cursor;
    tby_position before;
    tby_move m = TBY_MOVE_NONE;
    char san[TBY_SAN_SIZE];
    if (!tby_packed_begin(&cursor, sqlite3_column_blob(l->row, COL_MOVES),
                          (size_t)sqlite3_column_bytes(l->row, COL_MOVES)))
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

static const char *known(const listing *l, int column)
{
    const char *text = text_of(l, column);
    return text && *text ? text : "?";
}

static void write_player(buffer *out, const listing *l, int name, int elo)
{
    buffer_string(out, known(l, name));
    if (text_of(l, elo))
        buffer_printf(out, " (%s)", text_of(l, elo));
}

static void write_text(buffer *out, const listing *l, int ply)
{
    buffer_printf(out, "%s  ", text_of(l, COL_ID));
    write_player(out, l, COL_WHITE, COL_WHITE_ELO);
    buffer_string(out, " - ");
    write_player(out, l, COL_BLACK, COL_BLACK_ELO);
    buffer_printf(out, "  %s  %s  %s  %s  %s plies", known(l, COL_RESULT), known(l, COL_DATE), known(l, COL_EVENT),
                  known(l, COL_ECO), known(l, COL_PLIES));
    if (ply >= 0) {
        buffer_printf(out, "  ply %d", ply);
        write_move_to(out, l, ply);
    }
    buffer_string(out, "\n");
}

/* ---- For programs ----------------------------------------------------------------------------------------------- */

static void write_field(buffer *out, const char *s)
{
    for (; s && *s; s++) {
        size_t n = 0;
        while ((unsigned char)s[n] >= ' ')
            n++;
        buffer_add(out, s, n);
        s += n;
        if (!*s)
            return;
        buffer_string(out, " ");
    }
}

static void write_tsv(buffer *out, const listing *l, int ply)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        write_field(out, text_of(l, i));
        buffer_string(out, "\t");
    }
    if (ply >= 0)
        buffer_printf(out, "%d", ply);
    buffer_string(out, "\n");
}

static void write_json(buffer *out, const listing *l, int ply)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        buffer_printf(out, "%s\"%s\":", i ? "," : "{", names[i]);
        if (sqlite3_column_type(l->row, i) == SQLITE_INTEGER)
            buffer_string(out, text_of(l, i));
        else
            buffer_json_string(out, text_of(l, i));
    }
    if (ply >= 0)
        buffer_printf(out, ",\"ply\":%d}\n", ply);
    else
        buffer_string(out, ",\"ply\":null}\n");
}

bool listing_write(listing *l, buffer *out, const tby_db_hit *hit)
{
    sqlite3_bind_int64(l->row, 1, hit->id);
    const int code = sqlite3_step(l->row);
    if (code == SQLITE_ROW)
        (l->form == LISTING_TEXT ? write_text : l->form == LISTING_TSV ? write_tsv : write_json)(out, l, hit->ply);
    return sqlite3_reset(l->row) == SQLITE_OK;
}
