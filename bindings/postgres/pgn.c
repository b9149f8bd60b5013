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

#include <access/htup_details.h>
#include <funcapi.h>
#include <mb/pg_wchar.h>
#include <utils/jsonb.h>

/* ---- Rows -------------------------------------------------------------------------------------------------- */

typedef struct parse {
    tby_allocator allocator;
    text_argument rest; /* the text that is still to be read */
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
    p->rest = (text_argument){p->rest.s + n, p->rest.n - n};
    return n;
}

static void begin_parse(FunctionCallInfo fcinfo)
{
    FuncCallContext *call = SRF_FIRSTCALL_INIT();
    const MemoryContext old = MemoryContextSwitchTo(call->multi_call_memory_ctx);
    parse *p = palloc0(sizeof *p);
    TupleDesc type;
    p->rest = text_of(PointerGetDatum(PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(0))));
    p->allocator = context_allocator(call->multi_call_memory_ctx);
    p->pgn = tby_pgn_new(read_text, p, &(tby_pgn_options){.flags = TBY_PGN_SERIOUS}, &p->allocator);
    p->game = tby_game_new(&p->allocator);
    if (get_call_result_type(fcinfo, NULL, &type) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "a row type is expected");
    call->tuple_desc = BlessTupleDesc(type);
    call->user_fctx = p;
    MemoryContextSwitchTo(old);
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

/* False, with the reason in p->error, if the record cannot hold the game. */
static bool set_annotated(parse *p, Datum *out)
{
    StringInfoData record;
    tby_error err;
    answer_begin(&record);
    if (tby_cmbr_encode(p->game, answer_sink, &record, &p->allocator, &err) == TBY_OK) {
        *out = answer_bytea(&record);
        return true;
    }
    if (!p->error[0])
        tby_error_write(p->error, sizeof p->error, &err);
    return false;
}

enum { NUMBER, TAGS, GAME, RESULT, ERROR_TEXT, ANNOTATED, N_COLUMNS };

static Datum row_of_game(parse *p, TupleDesc type)
{
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
    tby_chessgame_error err;
    Datum columns[N_COLUMNS] = {0};
    bool is_null[N_COLUMNS] = {false};
    const char *result = tby_result_text(tby_game_result(p->game));
    is_null[GAME] = tby_chessgame_of_game(bytes, &n, p->game, &err) != TBY_OK;
    if (!is_null[GAME])
        columns[GAME] = bytes_datum(bytes, n);
    else if (!p->error[0])
        tby_chessgame_error_write(p->error, sizeof p->error, &err);
    is_null[ANNOTATED] = !set_annotated(p, &columns[ANNOTATED]);
    is_null[ERROR_TEXT] = !p->error[0];
    if (p->error[0])
        columns[ERROR_TEXT] = text_datum(p->error, strlen(p->error));
    columns[NUMBER] = Int32GetDatum((int32)p->number);
    columns[TAGS] = tags_datum(p->game);
    columns[RESULT] = text_datum(result, strlen(result));
    return HeapTupleGetDatum(heap_form_tuple(type, columns, is_null));
}

SQL_FUNCTION(tabiya_parse_pgn)
{
    if (SRF_IS_FIRSTCALL())
        begin_parse(fcinfo);
    FuncCallContext *call = SRF_PERCALL_SETUP();
    parse *p = call->user_fctx;
    CHECK_FOR_INTERRUPTS();
    p->number++;
    p->error[0] = '\0';
    if (tby_game_read_pgn(p->game, p->pgn, note_event, p) == TBY_GAME_END)
        SRF_RETURN_DONE(call);
    SRF_RETURN_NEXT(call, row_of_game(p, call->tuple_desc));
}
