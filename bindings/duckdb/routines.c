/*
 * routines.c - the routines that SQLite hands an extension, with DuckDB behind them: those that bindings/sqlite/ calls.
 */
#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static void *take(sqlite3_uint64 n) { return malloc(n ? n : 1); }
static void *retake(void *memory, sqlite3_uint64 n) { return realloc(memory, n ? n : 1); }
static void release(void *memory) { free(memory); }

static char *print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)n + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

/* ---- Strings that grow -------------------------------------------------------------------------------------- */

struct sqlite3_str {
    char *s;
    size_t n, cap;
    bool has_failed;
};

static sqlite3_str *string_new(sqlite3 *db)
{
    static struct sqlite3_str without_memory = {NULL, 0, 0, true};
    (void)db;
    sqlite3_str *string = calloc(1, sizeof *string);
    return string ? string : &without_memory;
}

static void string_append(sqlite3_str *string, const char *s, int length)
{
    const size_t n = (size_t)length;
    if (!string->has_failed && n >= string->cap - string->n) {
        const size_t cap = 2 * (string->n + n) + 64;
        char *more = cap < INT32_MAX ? realloc(string->s, cap) : NULL;
        string->has_failed = !more;
        if (more) {
            string->s = more;
            string->cap = cap;
        }
    }
    if (string->has_failed)
        return;
    memcpy(string->s + string->n, s, n);
    string->s[string->n += n] = '\0';
}

static void string_print(sqlite3_str *string, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n > 0)
        string_append(string, text, n < (int)sizeof text ? n : (int)sizeof text - 1);
}

static void string_repeat(sqlite3_str *string, int n, char c)
{
    for (int i = 0; i < n; i++)
        string_append(string, &c, 1);
}

static int string_error(sqlite3_str *string) { return string->has_failed ? SQLITE_NOMEM : SQLITE_OK; }
static int string_length(sqlite3_str *string) { return (int)string->n; }

static char *string_finish(sqlite3_str *string)
{
    char *s = string->has_failed ? NULL : string->s;
    if (!s)
        free(string->s);
    if (string->s || !string->has_failed)
        free(string);
    return s;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

static int value_type(sqlite3_value *value) { return value->type; }
static const void *value_blob(sqlite3_value *value) { return value->bytes; }
static const unsigned char *value_text(sqlite3_value *value) { return (const unsigned char *)value->bytes; }
static int value_bytes(sqlite3_value *value) { return (int)value->n; }
static sqlite3_int64 value_int64(sqlite3_value *value) { return value->number; }
static int value_int(sqlite3_value *value) { return (int)value->number; }

argument_column argument_column_of(duckdb_vector vector)
{
    duckdb_logical_type type = duckdb.vector_get_column_type(vector);
    const argument_column column = {duckdb.get_type_id(type), duckdb.vector_get_data(vector),
                                    duckdb.vector_get_validity(vector)};
    duckdb.destroy_logical_type(&type);
    return column;
}

sqlite3_value argument_at(const argument_column *column, uint64_t row)
{
    const bool is_null = column->validity && !(column->validity[row / 64] >> row % 64 & 1);
    if (is_null || column->type == DUCKDB_TYPE_SQLNULL)
        return (sqlite3_value){.type = SQLITE_NULL};
    if (column->type == DUCKDB_TYPE_BIGINT)
        return (sqlite3_value){.type = SQLITE_INTEGER, .number = ((const int64_t *)column->data)[row]};
    const duckdb_string *s = (const duckdb_string *)column->data + row;
    const char *inside = (const char *)s + offsetof(duckdb_string, inside);
    return (sqlite3_value){.type = column->type == DUCKDB_TYPE_BLOB ? SQLITE_BLOB : SQLITE_TEXT,
                           .bytes = s->n > DUCKDB_INSIDE_MAX ? s->elsewhere : inside,
                           .n = s->n};
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

void answer_null(const answer_place *place)
{
    duckdb.vector_ensure_validity_writable(place->vector);
    duckdb.validity_set_row_invalid(duckdb.vector_get_validity(place->vector), place->row);
}

void context_begin(sqlite3_context *context, sqlite3_value *argv, answer_place place)
{
    context->argv = argv;
    context->place = place;
    context->has_answer = false;
}

static void forget(kept_argument *kept)
{
    if (kept->memory && kept->destroy)
        kept->destroy(kept->memory);
    *kept = (kept_argument){0};
}

void context_end(sqlite3_context *context)
{
    for (int i = 0; i < ARGUMENTS_MAX; i++)
        forget(&context->kept[i]);
}

static void *user_data(sqlite3_context *context) { return context->user_data; }
static sqlite3 *database_of(sqlite3_context *context)
{
    (void)context;
    return NULL;
}

/* DuckDB's arguments do not say whether they are constant: the same bytes are the same argument. */
static void *get_kept(sqlite3_context *context, int index)
{
    const kept_argument *kept = &context->kept[index];
    const sqlite3_value *value = &context->argv[index];
    const bool is_same = kept->memory && kept->n == value->n &&
                         (kept->bytes == value->bytes || memcmp(kept->bytes, value->bytes, value->n) == 0);
    return is_same ? kept->memory : NULL;
}

static void set_kept(sqlite3_context *context, int index, void *memory, void (*destroy)(void *))
{
    const sqlite3_value *value = &context->argv[index];
    forget(&context->kept[index]);
    context->kept[index] = (kept_argument){memory, destroy, value->bytes, value->n};
}

static void fail(sqlite3_context *context, const char *text, int n)
{
    const size_t length = n < 0 ? strlen(text) : (size_t)n;
    const size_t kept = length < ERROR_SIZE ? length : ERROR_SIZE - 1;
    memcpy(context->error, text, kept);
    context->error[kept] = '\0';
    mend_utf8(context->error, kept);
}

static void fail_memory(sqlite3_context *context) { fail(context, "out of memory", -1); }
static void fail_code(sqlite3_context *context, int code)
{
    fail(context, code == SQLITE_NOMEM ? "out of memory" : "the answer is too long", -1);
}

static void answer_integer(sqlite3_context *context, sqlite3_int64 number)
{
    void *data = duckdb.vector_get_data(context->place.vector);
    if (context->place.type == DUCKDB_TYPE_BOOLEAN)
        ((bool *)data)[context->place.row] = number != 0;
    else
        ((int64_t *)data)[context->place.row] = number;
    context->has_answer = true;
}

static void answer_int(sqlite3_context *context, int number) { answer_integer(context, number); }

static void answer_double(sqlite3_context *context, double number)
{
    ((double *)duckdb.vector_get_data(context->place.vector))[context->place.row] = number;
    context->has_answer = true;
}

static void put_bytes(sqlite3_context *context, const void *bytes, size_t n)
{
    duckdb.vector_assign_string_element_len(context->place.vector, context->place.row, bytes, n);
    context->has_answer = true;
}

static void drop(const void *bytes, void (*destroy)(void *))
{
    if (destroy != SQLITE_STATIC && destroy != SQLITE_TRANSIENT)
        destroy((void *)(uintptr_t)bytes);
}

static void answer_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 n, void (*destroy)(void *))
{
    put_bytes(context, bytes, n);
    drop(bytes, destroy);
}

static void answer_short_blob(sqlite3_context *context, const void *bytes, int n, void (*destroy)(void *))
{
    answer_blob(context, bytes, (sqlite3_uint64)n, destroy);
}

/* DuckDB's text is UTF-8. No text is NULL. */
static void answer_text(sqlite3_context *context, const char *text, int length, void (*destroy)(void *))
{
    if (!text)
        return;
    const size_t n = length < 0 ? strlen(text) : (size_t)length;
    char *mended = utf8_prefix(text, n) < n ? malloc(n) : NULL;
    if (mended) {
        memcpy(mended, text, n);
        mend_utf8(mended, n);
    }
    put_bytes(context, mended ? mended : text, n);
    free(mended);
    drop(text, destroy);
}

static void answer_value(sqlite3_context *context, sqlite3_value *value)
{
    if (value->type == SQLITE_INTEGER)
        answer_integer(context, value->number);
    else if (value->type != SQLITE_NULL)
        answer_blob(context, value->bytes, value->n, SQLITE_TRANSIENT);
}

/* ---- What is made known ------------------------------------------------------------------------------------- */

static int make_function(sqlite3 *db, const char *name, int n_args, int flags, void *data,
                         void (*call)(sqlite3_context *, int, sqlite3_value **),
                         void (*step)(sqlite3_context *, int, sqlite3_value **), void (*end)(sqlite3_context *),
                         void (*destroy)(void *))
{
    (void)flags, (void)step, (void)end, (void)destroy;
    char *copy = print("%s", name);
    if (db->n_functions == FUNCTIONS_MAX || !copy) {
        free(copy);
        return SQLITE_NOMEM;
    }
    db->functions[db->n_functions++] = (made_function){copy, n_args, data, call};
    return SQLITE_OK;
}

static int make_table(sqlite3 *db, const char *name, const sqlite3_module *module, void *aux, void (*destroy)(void *))
{
    (void)destroy;
    if (db->n_tables == TABLES_MAX)
        return SQLITE_NOMEM;
    db->tables[db->n_tables++] = (made_table){.name = name, .module = module, .aux = aux};
    return SQLITE_OK;
}

/* A column of "name TYPE"; the arguments are HIDDEN. */
static bool declare_column(made_table *table, const char *s, size_t n)
{
    static const struct {
        const char *name;
        duckdb_type type;
    } types[] = {{"INTEGER", DUCKDB_TYPE_BIGINT},
                 {"TEXT", DUCKDB_TYPE_VARCHAR},
                 {"BLOB", DUCKDB_TYPE_BLOB},
                 {"REAL", DUCKDB_TYPE_DOUBLE}};
    const char *blank = memchr(s, ' ', n);
    if (!blank)
        return false;
    const size_t n_name = (size_t)(blank - s), n_type = n - n_name - 1;
    char *name = print("%.*s", (int)n_name, s);
    if (!name)
        return false;
    if (n_type == 6 && memcmp(blank + 1, "HIDDEN", 6) == 0 && table->n_arguments < ARGUMENTS_MAX) {
        table->arguments[table->n_arguments++] = name;
        return true;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types && table->n_columns < COLUMNS_MAX; i++)
        if (strlen(types[i].name) == n_type && memcmp(blank + 1, types[i].name, n_type) == 0) {
            table->columns[table->n_columns++] = (table_column){name, types[i].type};
            return true;
        }
    free(name);
    return false;
}

/* CREATE TABLE x(ply INTEGER, san TEXT, game HIDDEN) */
static int declare_table(sqlite3 *db, const char *schema)
{
    if (!db->declared) /* it is known */
        return SQLITE_OK;
    for (const char *s = strchr(schema, '('); s && *s != ')';) {
        s += 1 + strspn(s + 1, " ");
        const size_t n = strcspn(s, ",)");
        if (!declare_column(db->declared, s, n))
            return SQLITE_ERROR;
        s += n;
    }
    return SQLITE_OK;
}

static int configure_table(sqlite3 *db, int what, ...)
{
    if (db->declared)
        db->declared->is_direct = what == SQLITE_VTAB_DIRECTONLY;
    return SQLITE_OK;
}

/* ---- The table of them -------------------------------------------------------------------------------------- */

const sqlite3_api_routines routines = {
    .malloc64 = take,
    .realloc64 = retake,
    .free = release,
    .mprintf = print,
    .str_new = string_new,
    .str_append = string_append,
    .str_appendf = string_print,
    .str_appendchar = string_repeat,
    .str_errcode = string_error,
    .str_length = string_length,
    .str_finish = string_finish,
    .value_type = value_type,
    .value_blob = value_blob,
    .value_text = value_text,
    .value_bytes = value_bytes,
    .value_int64 = value_int64,
    .value_int = value_int,
    .user_data = user_data,
    .context_db_handle = database_of,
    .get_auxdata = get_kept,
    .set_auxdata = set_kept,
    .result_error = fail,
    .result_error_nomem = fail_memory,
    .result_error_code = fail_code,
    .result_int = answer_int,
    .result_int64 = answer_integer,
    .result_double = answer_double,
    .result_blob = answer_short_blob,
    .result_blob64 = answer_blob,
    .result_text = answer_text,
    .result_value = answer_value,
    .create_function_v2 = make_function,
    .create_module_v2 = make_table,
    .declare_vtab = declare_table,
    .vtab_config = configure_table,
};
