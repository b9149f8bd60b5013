/*
 * pgn_tables.c - PGN as a table: read_pgn(path or text [, path or text ...]), at most eight of them.
 *
 * An argument is the name of a file if there is such a file, or if it has neither blank nor bracket nor line end,
 * which PGN can hardly do without; else it is PGN itself. `-` is standard input. Files may be compressed with gzip or
 * zstd. The games of several are rows of one table, one after the other.
 *
 *     number   the game in all of them, from 1      tags     {"White":"Ada",...}
 *     game     its main line; of a bad game the legal beginning
 *     result   as recorded
 *     error    NULL, or the first fault of the game  pgn      the whole game with notes and variations
 *     warning  NULL, or the first of what is serious but no fault: a null move in the main line
 *
 *     file     the name of the file it is in; NULL for text
 *
 * Compressed files are unpacked; UTF-16 is refused.
 *
 * A bad game is a row with its error, and reading continues after it. Because files are opened, it works only in
 * statements that a user typed, not inside views and triggers of a database (SQLITE_VTAB_DIRECTONLY).
 */
#include "input.h"
#include "table.h"

#include <string.h>

enum { NUMBER, TAGS, GAME, RESULT, ERROR, PGN, WARNING, FILE_NAME, ARGUMENT };
enum { SOURCES_MAX = 8 };

typedef struct cursor {
    sqlite3_vtab_cursor base;
    struct {
        char *s; /* a copy of the argument */
        size_t n;
    } sources[SOURCES_MAX];
    int n_sources, at; /* `at`: the one that comes next */
    input *file;       /* NULL: the source is PGN itself */
    tby_pgn *pgn;
    tby_game *game;
    int64_t number;
    bool is_end;
    char error[TBY_PGN_ERROR_SIZE], warning[TBY_PGN_ERROR_SIZE]; /* empty if there is none */
    size_t n_bytes;                                              /* 0 if the main line is not a chessgame */
    uint8_t bytes[TBY_CHESSGAME_SIZE];
} cursor;

static cursor *cursor_of(sqlite3_vtab_cursor *base) { return (cursor *)(void *)base; }

static void close_source(cursor *c)
{
    tby_pgn_free(c->pgn);
    if (c->file)
        input_close(c->file);
    c->pgn = NULL;
    c->file = NULL;
}

static void forget_input(cursor *c)
{
    close_source(c);
    tby_game_free(c->game);
    while (c->n_sources > 0)
        sqlite3_free(c->sources[--c->n_sources].s);
    c->game = NULL;
    c->is_end = true;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    forget_input(cursor_of(base));
    sqlite3_free(base);
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base) { return cursor_of(base)->is_end; }

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = cursor_of(base)->number;
    return SQLITE_OK;
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

static void note_event(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    cursor *c = context;
    if (event->type == TBY_PGN_ERROR && !c->error[0])
        tby_pgn_error_write(c->error, sizeof c->error, pgn, event, (uint64_t)c->number);
    if (event->type == TBY_PGN_WARNING && !c->warning[0])
        tby_pgn_error_write(c->warning, sizeof c->warning, pgn, event, (uint64_t)c->number);
}

static void pack_game(cursor *c)
{
    tby_chessgame_error err;
    if (tby_chessgame_of_game(c->bytes, &c->n_bytes, c->game, &err) == TBY_OK)
        return;
    c->n_bytes = 0;
    if (!c->error[0])
        tby_chessgame_error_write(c->error, sizeof c->error, &err);
}

static const tby_pgn_options how = {.flags = TBY_PGN_SERIOUS};

/* Bytes of a compressed file in place of its name or of text. */
static bool is_compressed(const char *s, size_t n)
{
    static const struct {
        const char *bytes;
        size_t n;
    } kinds[] = {{"\x1f\x8b", 2}, {"\x28\xb5\x2f\xfd", 4}, {"\xfd\x37zXZ", 5}, {"\x42\x5ah", 3}, {"PK\x03\x04", 4}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (n >= kinds[i].n && memcmp(s, kinds[i].bytes, kinds[i].n) == 0)
            return true;
    return false;
}

static bool is_file(const char *s) { return !strpbrk(s, "\r\n") && (strcmp(s, "-") == 0 || input_is_file(s)); }

/* What the source says; NULL with *message set if it cannot be read, and with *message NULL for no memory. */
static tby_pgn *open_source(cursor *c, const char *s, size_t n, char **message)
{
    const char *error;
    *message = NULL;
    if (is_file(s)) {
        c->file = input_open_file(s, &error);
        if (c->file)
            return tby_pgn_new(input_read, c->file, &how, &sqlite_allocator);
        *message = sqlite3_mprintf("%s: %s", s, error);
    } else if (is_compressed(s, n)) {
        *message = sqlite3_mprintf("read_pgn() takes the name of a compressed file, not its bytes");
    } else if (tby_text_is_utf16(s, n)) {
        *message = sqlite3_mprintf("read_pgn() reads no UTF-16; make it UTF-8 first: iconv -f UTF-16 -t UTF-8");
    } else if (n > 0 && !strpbrk(s, " [\t\r\n")) {
        *message = sqlite3_mprintf("%s: cannot be opened", s);
    } else {
        return tby_pgn_new_memory(s, n, &how, &sqlite_allocator);
    }
    return NULL;
}

static int next_source(cursor *c)
{
    char *message;
    close_source(c);
    c->is_end = c->at == c->n_sources;
    if (c->is_end)
        return SQLITE_OK;
    c->pgn = open_source(c, c->sources[c->at].s, c->sources[c->at].n, &message);
    c->at++;
    return c->pgn ? SQLITE_OK : table_error(c->base.pVtab, message);
}

static int next_game(sqlite3_vtab_cursor *base)
{
    cursor *c = cursor_of(base);
    tby_game_read answer = TBY_GAME_END;
    int status = SQLITE_OK;
    c->error[0] = c->warning[0] = '\0';
    c->number++;
    while (!c->is_end && status == SQLITE_OK &&
           (answer = tby_game_read_pgn(c->game, c->pgn, note_event, c)) == TBY_GAME_END)
        status = next_source(c);
    if (c->file && input_error(c->file)) /* a file that is damaged is not one that ends */
        return table_error(base->pVtab, sqlite3_mprintf("%s: %s", input_name(c->file), input_error(c->file)));
    if (status == SQLITE_OK && (answer == TBY_GAME_GOOD || answer == TBY_GAME_BAD))
        pack_game(c);
    return answer == TBY_GAME_NO_MEMORY ? SQLITE_NOMEM : status;
}

static int keep_source(cursor *c, sqlite3_value *value)
{
    size_t n;
    const char *s = text_argument(value, &n);
    char *copy = sqlite3_malloc64(n + 1);
    if (!copy)
        return SQLITE_NOMEM;
    memcpy(copy, s, n);
    copy[n] = '\0';
    c->sources[c->n_sources].s = copy;
    c->sources[c->n_sources++].n = n;
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
    cursor *c = cursor_of(base);
    int status = SQLITE_OK;
    (void)number, (void)plan;
    forget_input(c);
    if (has_null(argc, argv))
        return SQLITE_OK;
    for (int i = 0; i < argc && status == SQLITE_OK; i++)
        status = keep_source(c, argv[i]);
    c->game = tby_game_new(&sqlite_allocator);
    c->number = c->at = 0;
    if (status == SQLITE_OK)
        status = c->game ? next_source(c) : SQLITE_NOMEM;
    return status == SQLITE_OK ? next_game(base) : status;
}

/* ---- Columns ---------------------------------------------------------------------------------------------- */

static void answer_written(sqlite3_context *context, const cursor *c, int column)
{
    sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
    if (column == TAGS)
        tby_json_write_tags(c->game, string_sink, string);
    else
        tby_pgn_write(c->game, 0, string_sink, string);
    answer_string(context, string, false);
}

static int answer_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const cursor *c = cursor_of(base);
    switch (column) {
    case NUMBER: sqlite3_result_int64(context, c->number); break;
    case TAGS:
    case PGN: answer_written(context, c, column); break;
    case GAME:
        if (c->n_bytes > 0)
            sqlite3_result_blob64(context, c->bytes, c->n_bytes, SQLITE_TRANSIENT);
        break;
    case RESULT: sqlite3_result_text(context, tby_result_text(tby_game_result(c->game)), -1, SQLITE_STATIC); break;
    case FILE_NAME:
        if (c->file)
            sqlite3_result_text(context, input_name(c->file), -1, SQLITE_TRANSIENT);
        break;
    case ERROR:
    case WARNING: {
        const char *text = column == ERROR ? c->error : c->warning;
        if (text[0])
            sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
        break;
    }
    default: break;
    }
    return SQLITE_OK;
}

/* ---- The table ----------------------------------------------------------------------------------------------- */

int create_pgn_tables(sqlite3 *db)
{
    static const sqlite3_module module = {
        .xConnect = table_connect,
        .xBestIndex = table_best_index,
        .xDisconnect = table_disconnect,
        .xOpen = table_open,
        .xClose = close_cursor,
        .xFilter = filter,
        .xNext = next_game,
        .xEof = at_end,
        .xColumn = answer_column,
        .xRowid = row_number,
    };
    static const sql_table table = {"read_pgn",
                                    "CREATE TABLE x(number INTEGER, tags TEXT, game BLOB, result TEXT, error TEXT, "
                                    "pgn TEXT, warning TEXT, file TEXT, source HIDDEN, source2 HIDDEN, "
                                    "source3 HIDDEN, source4 HIDDEN, source5 HIDDEN, source6 HIDDEN, source7 HIDDEN, "
                                    "source8 HIDDEN)",
                                    ARGUMENT,
                                    SOURCES_MAX,
                                    1,
                                    SQLITE_VTAB_DIRECTONLY,
                                    sizeof(cursor)};
    return sqlite3_create_module_v2(db, table.name, &module, (void *)(uintptr_t)&table, NULL);
}
