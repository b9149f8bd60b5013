/*
 * tabiya.c - the entry point of the SQLite extension: `.load tabiya`, or sqlite3_load_extension.
 *
 * The functions are those of bindings/sql; each can be used in indexes and views. SQLite keeps their cached arguments
 * with the statement (sqlite3_set_auxdata), as long as the argument is the same in every row.
 */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* ---- Values ------------------------------------------------------------------------------------------------- */

static sql_value value_of(sqlite3_value *value, char type)
{
    const int stored = sqlite3_value_type(value);
    if (stored == SQLITE_NULL)
        return (sql_value){.type = SQL_NULL};
    if (type == 'i')
        return (sql_value){.type = SQL_INTEGER, .number = sqlite3_value_int64(value)};
    const bool is_blob = stored == SQLITE_BLOB;
    const char *bytes = is_blob ? sqlite3_value_blob(value) : (const char *)sqlite3_value_text(value);
    const size_t n = bytes ? (size_t)sqlite3_value_bytes(value) : 0;
    return (sql_value){.type = is_blob ? SQL_BLOB : SQL_TEXT, .bytes = bytes ? bytes : "", .n = n};
}

/* `types` has one letter per argument. */
static void arguments_read(sql_value out[SQL_ARGUMENTS_MAX], int argc, sqlite3_value **argv, const char *types)
{
    for (int i = 0; i < argc; i++)
        out[i] = value_of(argv[i], types[i]);
}

static void answer_give(sqlite3_context *context, const sql_call *call)
{
    const sql_value *answer = &call->answer;
    if (call->has_no_memory)
        sqlite3_result_error_nomem(context);
    else if (call->error[0])
        sqlite3_result_error(context, call->error, -1);
    else if (answer->type == SQL_INTEGER)
        sqlite3_result_int64(context, answer->number);
    else if (answer->type == SQL_REAL)
        sqlite3_result_double(context, answer->real);
    else if (answer->type == SQL_TEXT)
        sqlite3_result_text64(context, answer->bytes, answer->n, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (answer->type == SQL_BLOB)
        sqlite3_result_blob64(context, answer->bytes, answer->n, SQLITE_TRANSIENT);
}

/* ---- Functions -------------------------------------------------------------------------------------------- */

static void kept_load(sql_call *call, sqlite3_context *context)
{
    for (int i = 0; i < call->n_args; i++)
        call->kept[i] =
            (sql_kept){.memory = sqlite3_get_auxdata(context, i), .bytes = call->args[i].bytes, .n = call->args[i].n};
}

/* SQLite may free it immediately. */
static void kept_store(sql_call *call, sqlite3_context *context)
{
    for (int i = 0; i < call->n_args; i++) {
        if (call->kept[i].is_new)
            sqlite3_set_auxdata(context, i, call->kept[i].memory, call->kept[i].destroy);
        call->kept[i].memory = NULL;
    }
}

static void call_function(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const sql_function *function = sqlite3_user_data(context);
    sql_value args[SQL_ARGUMENTS_MAX];
    sql_call call;
    memset(&call, 0, offsetof(sql_call, error));
    call.function = function;
    arguments_read(args, argc, argv, function->types);
    sql_call_begin(&call, args, argc);
    if (!function->takes_null && sql_has_null(&call))
        return;
    kept_load(&call, context);
    function->call(&call);
    answer_give(context, &call);
    kept_store(&call, context);
    sql_call_end(&call);
}

static int create_functions(sqlite3 *db)
{
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };
    int status = SQLITE_OK;
    const sql_function *f;
    for (size_t i = 0; status == SQLITE_OK && (f = sql_function_at(i)); i++)
        status = sqlite3_create_function_v2(db, f->name, (int)strlen(f->types) - 1, FLAGS, (void *)(uintptr_t)f,
                                            call_function, NULL, NULL, NULL);
    return status;
}

/* ---- Tables ----------------------------------------------------------------------------------------------- */

/* A table-valued function has one hidden column per argument, and no index:
 *
 *     SELECT ... FROM moves('1. e4 e5')       is       SELECT ... FROM moves WHERE game = '1. e4 e5'
 *
 * Functions that open files work only in statements that a user typed, not inside views and triggers of a database.
 */
typedef struct table {
    sqlite3_vtab base;
    const sql_table *kind;
} table;

typedef struct table_cursor {
    sqlite3_vtab_cursor base;
    sql_scan scan;
} table_cursor;

static sql_scan *scan_of(sqlite3_vtab_cursor *base) { return &((table_cursor *)(void *)base)->scan; }
static const sql_table *kind_of(const sqlite3_vtab *base) { return ((const table *)(const void *)base)->kind; }

static const char *type_name(char type)
{
    return type == 'i' ? "INTEGER" : type == 'r' ? "REAL" : type == 't' ? "TEXT" : "BLOB";
}

static int declare(sqlite3 *db, const sql_table *kind)
{
    buffer schema = {0};
    buffer_string(&schema, "CREATE TABLE x(");
    for (int i = 0; i < sql_n_columns(kind); i++)
        buffer_printf(&schema, "%s %s, ", kind->columns[i].name, type_name(kind->columns[i].type));
    for (size_t i = 0; kind->types[i]; i++)
        buffer_printf(&schema, "%s HIDDEN%s", kind->arguments[i], kind->types[i + 1] ? ", " : ")");
    const int status = schema.has_failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, schema.s);
    buffer_free(&schema);
    return status;
}

static int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **message)
{
    const sql_table *kind = aux;
    (void)argc, (void)argv, (void)message;
    const int status = declare(db, kind);
    if (status != SQLITE_OK)
        return status;
    sqlite3_vtab_config(db, kind->opens_files ? SQLITE_VTAB_DIRECTONLY : SQLITE_VTAB_INNOCUOUS);
    table *made = calloc(1, sizeof *made);
    if (!made)
        return SQLITE_NOMEM;
    made->kind = kind;
    *out = &made->base;
    return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *vtab)
{
    free(vtab);
    return SQLITE_OK;
}

static int table_error(sqlite3_vtab *vtab, const sql_call *call)
{
    if (call->has_no_memory)
        return SQLITE_NOMEM;
    sqlite3_free(vtab->zErrMsg);
    vtab->zErrMsg = sqlite3_mprintf("%s", call->error);
    return SQLITE_ERROR;
}

/* Without its arguments a table has no rows. */
static int table_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const sql_table *kind = kind_of(vtab);
    const int first = sql_n_columns(kind), n = (int)strlen(kind->types);
    unsigned given = 0; /* one bit per argument */
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        const int number = constraint->iColumn - first;
        if (number < 0 || number >= n || constraint->op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!constraint->usable)
            return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = number + 1;
        info->aConstraintUsage[i].omit = 1;
        given |= 1u << number;
    }
    /* No argument may follow an omitted one, so the given ones are numbered without a gap. */
    if (given + 1 < 1u << kind->n_needed || (given & (given + 1))) {
        sqlite3_free(vtab->zErrMsg);
        vtab->zErrMsg =
            sqlite3_mprintf("%s() needs %s", kind->name, kind->n_needed == 1 ? "its argument" : "its arguments");
        return SQLITE_ERROR;
    }
    info->estimatedCost = 100;
    info->estimatedRows = 100;
    return SQLITE_OK;
}

static int table_close(sqlite3_vtab_cursor *base)
{
    sql_scan_close(scan_of(base));
    free(base);
    return SQLITE_OK;
}

static int table_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    table_cursor *c = calloc(1, sizeof *c);
    if (!c)
        return SQLITE_NOMEM;
    if (!sql_scan_open(&c->scan, kind_of(vtab))) {
        table_close(&c->base);
        return SQLITE_NOMEM;
    }
    *out = &c->base;
    return SQLITE_OK;
}

static int table_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
    sql_scan *scan = scan_of(base);
    sql_value args[SQL_ARGUMENTS_MAX];
    (void)number, (void)plan;
    arguments_read(args, argc, argv, scan->table->types);
    const bool is_good = sql_scan_begin(scan, args, argc);
    sql_call_end(&scan->call); /* cached values belong to these arguments */
    return is_good ? SQLITE_OK : table_error(base->pVtab, &scan->call);
}

static int table_next(sqlite3_vtab_cursor *base)
{
    sql_scan *scan = scan_of(base);
    return sql_scan_next(scan) ? SQLITE_OK : table_error(base->pVtab, &scan->call);
}

static int table_at_end(sqlite3_vtab_cursor *base) { return scan_of(base)->rows->is_end; }

static int table_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number)
{
    sql_scan *scan = scan_of(base);
    if (number >= sql_n_columns(scan->table))
        return SQLITE_OK;
    sql_scan_column(scan, number);
    answer_give(context, &scan->call);
    return SQLITE_OK;
}

static int table_row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = scan_of(base)->rows->number;
    return SQLITE_OK;
}

static int create_tables(sqlite3 *db)
{
    static const sqlite3_module module = {
        .xConnect = table_connect,
        .xBestIndex = table_best_index,
        .xDisconnect = table_disconnect,
        .xOpen = table_open,
        .xClose = table_close,
        .xFilter = table_filter,
        .xNext = table_next,
        .xEof = table_at_end,
        .xColumn = table_column,
        .xRowid = table_row_number,
    };
    int status = SQLITE_OK;
    const sql_table *kind;
    for (size_t i = 0; status == SQLITE_OK && (kind = sql_table_at(i)); i++)
        status = sqlite3_create_module_v2(db, kind->name, &module, (void *)(uintptr_t)kind, NULL);
    return status;
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

__attribute__((visibility("default"))) int sqlite3_tabiya_init(sqlite3 *db, char **message,
                                                               const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    (void)message;
    const int status = create_functions(db);
    return status == SQLITE_OK ? create_tables(db) : status;
}
