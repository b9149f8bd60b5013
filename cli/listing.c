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
    const args *args;
    tby_db *db;
    listing_form form;
    sqlite3_stmt *row;
};

static _Noreturn void failed(const listing *l)
{
    error_exit("%s: %s: %s", l->args->command->name, l->args->words[0], sqlite3_errmsg(tby_db_sqlite(l->db)));
}

listing *listing_new(const args *a, tby_db *db, listing_form form)
{
    static const char sql[] = "SELECT id, white, white_elo, black, black_elo, result, date, event, site, round, eco, "
                              "plies, moves FROM games WHERE id = ?1";
    listing *l = memory_new(1, sizeof *l);
    *l = (listing){.args = a, .db = db, .form = form};
    if (sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &l->row, NULL) != SQLITE_OK)
        failed(l);
    for (int i = 0; form == LISTING_TSV && i < N_COLUMNS; i++)
        out_printf("%s\t%s", names[i], i == N_COLUMNS - 1 ? "ply\n" : "");
    return l;
}

void listing_free(listing *l)
{
    sqlite3_finalize(l->row);
    free(l);
}

static const char *text_of(const listing *l, int column) { return (const char *)sqlite3_column_text(l->row, column); }

/* ---- For people ------------------------------------------------------------------------------------------------- */

/* The move that led to the position: "6. Bg5", "6... e6", or "start". */
static void print_move_to(const listing *l, int ply)
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
        out_string(" (start)");
        return;
    }
    tby_san_write(san, sizeof san, &before, m);
    out_printf(" (%u%s %s)", (unsigned)tby_position_fullmove(&before),
               tby_position_side(&before) == TBY_WHITE ? "." : "...", san);
}

static const char *known(const listing *l, int column)
{
    const char *text = text_of(l, column);
    return text && *text ? text : "?";
}

static void print_player(const listing *l, int name, int elo)
{
    out_string(known(l, name));
    if (text_of(l, elo))
        out_printf(" (%s)", text_of(l, elo));
}

static void print_text(const listing *l, int ply)
{
    out_printf("%s  ", text_of(l, COL_ID));
    print_player(l, COL_WHITE, COL_WHITE_ELO);
    out_string(" - ");
    print_player(l, COL_BLACK, COL_BLACK_ELO);
    out_printf("  %s  %s  %s  %s  %s plies", known(l, COL_RESULT), known(l, COL_DATE), known(l, COL_EVENT),
               known(l, COL_ECO), known(l, COL_PLIES));
    if (ply >= 0) {
        out_printf("  ply %d", ply);
        print_move_to(l, ply);
    }
    out_string("\n");
}

/* ---- For programs ----------------------------------------------------------------------------------------------- */

static void print_field(const char *s)
{
    for (; s && *s; s++) {
        size_t n = 0;
        while ((unsigned char)s[n] >= ' ')
            n++;
        out_bytes(s, n);
        s += n;
        if (!*s)
            return;
        out_string(" ");
    }
}

static void print_tsv(const listing *l, int ply)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        print_field(text_of(l, i));
        out_string("\t");
    }
    if (ply >= 0)
        out_printf("%d", ply);
    out_string("\n");
}

static void print_json(const listing *l, int ply)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        out_printf("%s\"%s\":", i ? "," : "{", names[i]);
        if (sqlite3_column_type(l->row, i) == SQLITE_INTEGER)
            out_string(text_of(l, i));
        else
            out_json_string(text_of(l, i));
    }
    if (ply >= 0)
        out_printf(",\"ply\":%d}\n", ply);
    else
        out_string(",\"ply\":null}\n");
}

void listing_print(listing *l, const tby_db_hit *hit)
{
    sqlite3_bind_int64(l->row, 1, hit->id);
    const int code = sqlite3_step(l->row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        failed(l);
    if (code == SQLITE_ROW)
        (l->form == LISTING_TEXT ? print_text : l->form == LISTING_TSV ? print_tsv : print_json)(l, hit->ply);
    sqlite3_reset(l->row);
}
