/*
 * pgn.c - PGN as rows.
 *
 *     parsePgn(text)    number     the number of the game, from 1     tags     {"White":"Ada",...}
 *                       game       its main line; for a bad game, the legal beginning
 *                       result     as recorded                        error    NULL, or the first fault of the game
 *                       annotated  a CMBR record of the whole game with tags, notes and variations
 *
 * A bad game is a row with its error, and reading continues after it. A null move in a main line raises a warning.
 * toPgn(game, tags, annotated) is the inverse.
 */
#include "extension.h"

#include <mb/pg_wchar.h>
#include <utils/jsonb.h>

/* ---- Rows -------------------------------------------------------------------------------------------------- */

typedef struct parse {
    tby_allocator allocator;
    tby_text rest; /* the text that is still to be read */
    tby_pgn *pgn;
    tby_game *game;
    uint64_t number;
    char error[TBY_PGN_ERROR_SIZE]; /* empty if there is none */
} parse;

/* Reads in chunks, because a text may be long and a query may be cancelled. */
static size_t read_text(void *context, char *buf, size_t cap)
{
    parse *p = context;
    const size_t n = p->rest.n < cap ? p->rest.n : cap;
    CHECK_FOR_INTERRUPTS();
    memcpy(buf, p->rest.s, n);
    p->rest = (tby_text){p->rest.s + n, p->rest.n - n};
    return n;
}

static void note_event(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    parse *p = context;
    CHECK_FOR_INTERRUPTS();
    if (event->type == TBY_PGN_WARNING)
        ereport(WARNING, (errcode(ERRCODE_WARNING),
                          errmsg("%s (game " UINT64_FORMAT ")", tby_pgn_warning_text(event->warning), p->number)));
    if (event->type == TBY_PGN_ERROR && !p->error[0])
        tby_pgn_error_write(p->error, sizeof p->error, pgn, event, p->number);
}

static Datum tags_datum(const tby_game *game)
{
    StringInfoData json;
    initStringInfo(&json);
    tby_json_write_tags(game, answer_sink, &json);
    return DirectFunctionCall1(jsonb_in, CStringGetDatum(pg_any_to_server(json.data, json.len, PG_UTF8)));
}

enum { NUMBER, TAGS, GAME, RESULT, ERROR_TEXT, ANNOTATED };

static void set_game(row_writer *rows, parse *p)
{
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
    tby_chessgame_error err;
    if (tby_chessgame_of_game(bytes, &n, p->game, &err) == TBY_OK)
        row_set(rows, GAME, bytes_datum(bytes, n));
    else if (!p->error[0])
        tby_chessgame_error_write(p->error, sizeof p->error, &err);
}

/* NULL, with the reason in p->error, if the record cannot hold the game. */
static void set_annotated(row_writer *rows, parse *p)
{
    StringInfoData record;
    tby_error err;
    answer_begin(&record);
    if (tby_cmbr_encode(p->game, answer_sink, &record, &p->allocator, &err) == TBY_OK)
        row_set(rows, ANNOTATED, answer_bytea(&record));
    else if (!p->error[0])
        tby_error_write(p->error, sizeof p->error, &err);
}

SQL_FUNCTION(tabiya_parse_pgn)
{
    parse *p = palloc0(sizeof *p);
    p->rest = PG_GETARG_UTF8(0);
    p->allocator = context_allocator(CurrentMemoryContext);
    p->pgn = tby_pgn_new(read_text, p, &(tby_pgn_options){.flags = TBY_PGN_SERIOUS}, &p->allocator);
    p->game = tby_game_new(&p->allocator);
    row_writer rows = rows_begin(fcinfo);
    for (p->number = 1; tby_game_read_pgn(p->game, p->pgn, note_event, p) != TBY_GAME_END; p->number++) {
        const char *result = tby_result_text(tby_game_result(p->game));
        row_set(&rows, NUMBER, Int32GetDatum((int32)p->number));
        row_set(&rows, TAGS, tags_datum(p->game));
        row_set(&rows, RESULT, text_datum(result, strlen(result)));
        set_game(&rows, p);
        set_annotated(&rows, p);
        if (p->error[0])
            row_set(&rows, ERROR_TEXT, text_datum(p->error, strlen(p->error)));
        rows_next(&rows);
        p->error[0] = '\0';
    }
    return rows_end(&rows);
}
