/*
 * pgn.c - PGN as rows, and rows as PGN.
 *
 *     parsePgn(text)    number     the number of the game, from 1     tags     {"White":"Ada",...}
 *                       game       its main line; for a bad game, the legal beginning
 *                       result     as recorded                        error    NULL, or the first fault of the game
 *                       annotated  a CMBR record of the whole game with tags, notes and variations
 *
 * A bad game is a row with its error, and reading continues after it. A null move in a main line raises a warning.
 * toPgn(game, tags, annotated) is the inverse: with `annotated` it returns the whole game, with the given `tags` if
 * they are not NULL.
 */
#include "extension.h"

#include <access/htup_details.h>
#include <funcapi.h>
#include <mb/pg_wchar.h>
#include <utils/jsonb.h>
#include <utils/numeric.h>

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

/* ---- Writing PGN ------------------------------------------------------------------------------------------- */

/* A JSON scalar as the text of a tag. */
static char *tag_text(const JsonbValue *value)
{
    switch (value->type) {
    case jbvString: return pnstrdup(value->val.string.val, value->val.string.len);
    case jbvNumeric: return DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric)));
    case jbvBool: return pstrdup(value->val.boolean ? "true" : "false");
    default: return NULL; /* null: no tag */
    }
}

static void set_tag(tby_game *game, const JsonbValue *name, const JsonbValue *value)
{
    char *text = tag_text(value), *key = pnstrdup(name->val.string.val, name->val.string.len);
    if (!text)
        return;
    const char *name_utf8 = pg_server_to_any(key, (int)strlen(key), PG_UTF8),
               *text_utf8 = pg_server_to_any(text, (int)strlen(text), PG_UTF8);
    if (!tby_game_set_tag(game, name_utf8, strlen(name_utf8), text_utf8, strlen(text_utf8)))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("PGN cannot hold a tag named \"%s\"", key)));
}

static void set_tags(tby_game *game, Jsonb *tags)
{
    JsonbValue name, value;
    if (!JB_ROOT_IS_OBJECT(tags))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("the tags must be a JSON object")));
    while (tby_game_n_tags(game) > 0)
        tby_game_remove_tag(game, tby_game_tag_name(game, 0));
    JsonbIterator *iterator = JsonbIteratorInit(&tags->root);
    for (JsonbIteratorToken token; (token = JsonbIteratorNext(&iterator, &name, true)) != WJB_DONE;)
        if (token == WJB_KEY) {
            JsonbIteratorNext(&iterator, &value, true);
            if (value.type == jbvBinary)
                ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("the value of a tag must be a text")));
            set_tag(game, &name, &value);
        }
}

SQL_FUNCTION(tabiya_to_pgn_with_tags)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_error err;
    StringInfoData out;
    if (PG_ARGISNULL(0) && PG_ARGISNULL(2))
        PG_RETURN_NULL();
    tby_game *game = tby_game_new(&allocator);
    if (!PG_ARGISNULL(2)) {
        const bytes_argument record = PG_GETARG_BYTES(2);
        if (tby_cmbr_decode(game, record.bytes, record.n, &err) != TBY_OK)
            raise_error(ERRCODE_INVALID_BINARY_REPRESENTATION, &err);
    } else {
        const bytes_argument bytes = PG_GETARG_BYTES(0);
        if (!tby_chessgame_to_game(game, bytes.bytes, bytes.n))
            ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the chessgame is damaged")));
    }
    if (!PG_ARGISNULL(1))
        set_tags(game, PG_GETARG_JSONB_P(1));
    answer_begin(&out);
    tby_pgn_write(game, 0, answer_sink, &out);
    tby_game_free(game);
    return answer_text(&out);
}
