/*
 * pgn_tables.c - PGN as a table: read_pgn(path or text).
 *
 * The argument is the name of a file if there is such a file, or if it has neither blank nor bracket nor line end,
 * which PGN can hardly do without; else it is PGN itself.
 *
 *     number   the game in the text, from 1          tags     {"White":"Ada",...}
 *     game     its main line; of a bad game the legal beginning
 *     result   as recorded
 *     error    NULL, or the first fault of the game  pgn      the whole game with notes and variations
 *     warning  NULL, or the first of what is serious but no fault: a null move in the main line
 *
 * A compressed file is refused: its bytes are no games, and the program tabiya unpacks it.
 *
 * A bad game is a row with its error, and reading goes on behind it. As files are opened, it works in statements that a
 * user typed, not inside views and triggers of a database (SQLITE_VTAB_DIRECTONLY).
 */
#include "table.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER, TAGS, GAME, RESULT, ERROR, PGN, WARNING, ARGUMENT };

typedef struct cursor {
    sqlite3_vtab_cursor base;
    FILE *file;
    char head[8]; /* the first bytes of the file */
    size_t n_head, head_at;
    char *text; /* a copy of the argument, if that is the PGN */
    tby_pgn *pgn;
    tby_game *game;
    int64_t number;
    bool is_end;
    char error[TBY_PGN_ERROR_SIZE], warning[TBY_PGN_ERROR_SIZE]; /* empty if there is none */
    size_t n_bytes;                                              /* 0 if the main line is no chessgame */
    uint8_t bytes[TBY_CHESSGAME_SIZE];
} cursor;

static cursor *cursor_of(sqlite3_vtab_cursor *base) { return (cursor *)(void *)base; }

static void forget_input(cursor *c)
{
    tby_pgn_free(c->pgn);
    tby_game_free(c->game);
    sqlite3_free(c->text);
    if (c->file)
        fclose(c->file);
    c->pgn = NULL;
    c->game = NULL;
    c->text = NULL;
    c->file = NULL;
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

static int next_game(sqlite3_vtab_cursor *base)
{
    cursor *c = cursor_of(base);
    c->number++;
    c->error[0] = c->warning[0] = '\0';
    const tby_game_read answer = tby_game_read_pgn(c->game, c->pgn, note_event, c);
    c->is_end = answer == TBY_GAME_END;
    if (answer == TBY_GAME_GOOD || answer == TBY_GAME_BAD)
        pack_game(c);
    return answer == TBY_GAME_NO_MEMORY ? SQLITE_NOMEM : SQLITE_OK;
}

static const tby_pgn_options how = {.flags = TBY_PGN_SERIOUS};

static int begin(cursor *c, tby_pgn *pgn)
{
    c->pgn = pgn;
    c->game = tby_game_new(&sqlite_allocator);
    c->number = 0;
    return c->pgn && c->game ? next_game(&c->base) : SQLITE_NOMEM;
}

static size_t read_file(void *context, char *buf, size_t cap)
{
    cursor *c = context;
    size_t n = 0;
    while (n < cap && c->head_at < c->n_head)
        buf[n++] = c->head[c->head_at++];
    n += fread(buf + n, 1, cap - n, c->file);
    return n == 0 && ferror(c->file) ? TBY_SOURCE_FAILED : n;
}

/* The kind of compression that bytes begin with; NULL for none. */
static const char *compression_of(const char *s, size_t n)
{
    static const struct {
        const char *name, *bytes;
        size_t n;
    } kinds[] = {
        {"gzip", "\x1f\x8b", 2},   {"zstd", "\x28\xb5\x2f\xfd", 4}, {"xz", "\xfd\x37zXZ", 5},
        {"bzip2", "\x42\x5ah", 3}, {"zip", "PK\x03\x04", 4},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (n >= kinds[i].n && memcmp(s, kinds[i].bytes, kinds[i].n) == 0)
            return kinds[i].name;
    return NULL;
}

static int refuse_compression(sqlite3_vtab *table, const char *kind)
{
    return table_error(table,
                       sqlite3_mprintf("read_pgn() reads no %s; unpack it first: tabiya pgn FILE > games.pgn", kind));
}

static int begin_file(cursor *c, sqlite3_vtab *table)
{
    c->n_head = fread(c->head, 1, sizeof c->head, c->file);
    c->head_at = 0;
    const char *kind = compression_of(c->head, c->n_head);
    return kind ? refuse_compression(table, kind) : begin(c, tby_pgn_new(read_file, c, &how, &sqlite_allocator));
}

static int begin_text(cursor *c, const char *s, size_t n)
{
    c->text = sqlite3_malloc64(n + 1);
    if (!c->text)
        return SQLITE_NOMEM;
    memcpy(c->text, s, n);
    return begin(c, tby_pgn_new_memory(c->text, n, &how, &sqlite_allocator));
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
    cursor *c = cursor_of(base);
    size_t n;
    (void)number, (void)plan, (void)argc;
    forget_input(c);
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return SQLITE_OK;
    const char *s = text_argument(argv[0], &n);
    c->file = strpbrk(s, "\r\n") ? NULL : fopen(s, "rb");
    if (c->file)
        return begin_file(c, base->pVtab);
    const char *kind = compression_of(s, n);
    if (kind)
        return refuse_compression(base->pVtab, kind);
    if (n > 0 && !strpbrk(s, " [\t\r\n"))
        return table_error(base->pVtab, sqlite3_mprintf("%s: cannot be opened", s));
    return begin_text(c, s, n);
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
                                    "pgn TEXT, warning TEXT, source HIDDEN)",
                                    ARGUMENT,
                                    1,
                                    1,
                                    SQLITE_VTAB_DIRECTONLY,
                                    sizeof(cursor)};
    return sqlite3_create_module_v2(db, table.name, &module, (void *)(uintptr_t)&table, NULL);
}
