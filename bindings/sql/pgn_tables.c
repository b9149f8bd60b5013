/*
 * pgn_tables.c - PGN as a table: read_pgn(path or text [, path or text ...]), with up to eight arguments.
 *
 * An argument is a file name if there is such a file, or if it contains no blank, bracket or line break, which PGN
 * hardly ever lacks; otherwise it is PGN text. `-` is standard input. Files may be compressed with gzip or zstd. The
 * games of all arguments are rows of one table, one after the other.
 *
 *     number   the number of the game, from 1       tags     {"White":"Ada",...}
 *     game     its main line; for a bad game, the legal beginning
 *     result   as recorded
 *     error    NULL, or the first fault of the game  pgn      the whole game with notes and variations
 *     warning  NULL, or the first serious problem that is not a fault: a null move in the main line
 *     file     the name of its file; NULL for text
 *     white, black    the players; NULL if they are not known
 *
 * Compressed files are decompressed; UTF-16 is refused.
 *
 * A bad game is a row with its error, and reading continues after it. Because the function opens files, it works only
 * in statements that a user typed, not inside views and triggers of a database.
 */
#include "sql.h"

#include "io/input.h"

#include <stdlib.h>

enum { NUMBER, TAGS, GAME, RESULT, ERROR, PGN, WARNING, FILE_NAME, WHITE, BLACK };

typedef struct cursor {
    sql_rows rows;
    struct {
        char *s; /* a copy of the argument */
        size_t n;
    } sources[SQL_ARGUMENTS_MAX];
    int n_sources, at; /* `at`: the next one */
    input *file;       /* NULL: the source is PGN text */
    tby_pgn *pgn;
    tby_game *game;
    char error[TBY_PGN_ERROR_SIZE], warning[TBY_PGN_ERROR_SIZE]; /* empty if there is none */
    size_t n_bytes;                                              /* 0 if the main line is not a chessgame */
    uint8_t bytes[TBY_CHESSGAME_SIZE];
} cursor;

static void close_source(cursor *c)
{
    tby_pgn_free(c->pgn);
    if (c->file)
        input_close(c->file);
    c->pgn = NULL;
    c->file = NULL;
}

static void end(void *memory)
{
    cursor *c = memory;
    close_source(c);
    tby_game_free(c->game);
    while (c->n_sources > 0)
        free(c->sources[--c->n_sources].s);
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

static void note_event(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    cursor *c = context;
    if (event->type == TBY_PGN_ERROR && !c->error[0])
        tby_pgn_error_write(c->error, sizeof c->error, pgn, event, (uint64_t)c->rows.number);
    if (event->type == TBY_PGN_WARNING && !c->warning[0])
        tby_pgn_error_write(c->warning, sizeof c->warning, pgn, event, (uint64_t)c->rows.number);
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

/* Is this the content of a compressed file, rather than its name or text? */
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

/* Opens a source; NULL if it cannot be read. */
static tby_pgn *open_source(cursor *c, const char *s, size_t n, sql_call *call)
{
    tby_failure failure;
    if (is_file(s)) {
        c->file = input_open_file(s, &failure);
        if (c->file)
            return tby_pgn_new(input_read, c->file, &how, NULL);
        sql_fail(call, "%s: %s", s, failure.text);
    } else if (is_compressed(s, n)) {
        sql_fail(call, "read_pgn() takes the name of a compressed file, not its bytes");
    } else if (tby_text_is_utf16(s, n)) {
        sql_fail(call, "read_pgn() cannot read UTF-16; convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8");
    } else if (n > 0 && !strpbrk(s, " [\t\r\n")) {
        sql_fail(call, "%s: cannot be opened", s);
    } else {
        return tby_pgn_new_memory(s, n, &how, NULL);
    }
    return NULL;
}

static bool next_source(cursor *c, sql_call *call)
{
    close_source(c);
    c->rows.is_end = c->at == c->n_sources;
    if (c->rows.is_end)
        return true;
    c->pgn = open_source(c, c->sources[c->at].s, c->sources[c->at].n, call);
    c->at++;
    return c->pgn || (call->error[0] ? false : sql_fail_memory(call));
}

static bool next_game(void *memory, sql_call *call)
{
    cursor *c = memory;
    tby_game_read answer = TBY_GAME_END;
    bool is_good = true;
    c->error[0] = c->warning[0] = '\0';
    c->rows.number++;
    while (!c->rows.is_end && is_good && (answer = tby_game_read_pgn(c->game, c->pgn, note_event, c)) == TBY_GAME_END)
        is_good = next_source(c, call);
    if (c->file && input_failure(c->file)) /* damage must not look like the end of the file */
        return sql_fail(call, "%s: %s", input_name(c->file), input_failure(c->file)->text);
    if (is_good && (answer == TBY_GAME_GOOD || answer == TBY_GAME_BAD))
        pack_game(c);
    return answer == TBY_GAME_NO_MEMORY ? sql_fail_memory(call) : is_good;
}

static bool keep_source(cursor *c, sql_call *call, const sql_value *value)
{
    char *copy = sql_copy(call, value->bytes, value->n);
    c->sources[c->n_sources].s = copy;
    c->sources[c->n_sources].n = value->n;
    c->n_sources += copy != NULL;
    return copy != NULL;
}

static bool begin(void *memory, sql_call *call)
{
    cursor *c = memory;
    if (sql_has_null(call))
        return true;
    for (int i = 0; i < call->n_args; i++)
        if (!keep_source(c, call, &call->args[i]))
            return false;
    c->game = tby_game_new(NULL);
    return (c->game || sql_fail_memory(call)) && next_source(c, call) && next_game(c, call);
}

/* ---- The table ----------------------------------------------------------------------------------------------- */

static void answer_player(const cursor *c, sql_call *call, const char *tag)
{
    const char *name = tby_game_tag(c->game, tag);
    if (name && name[0] && strcmp(name, "?") != 0)
        sql_answer_text(call, name);
}

static void answer_column(const void *memory, sql_call *call, int what)
{
    const cursor *c = memory;
    switch (what) {
    case NUMBER: sql_answer_number(call, c->rows.number); break;
    case TAGS:
        tby_json_write_tags(c->game, buffer_sink, &call->out);
        sql_answer_out(call, SQL_TEXT);
        break;
    case PGN:
        tby_pgn_write(c->game, 0, buffer_sink, &call->out);
        sql_answer_out(call, SQL_TEXT);
        break;
    case GAME:
        if (c->n_bytes > 0)
            sql_answer_bytes(call, c->bytes, c->n_bytes);
        break;
    case RESULT: sql_answer_text(call, tby_result_text(tby_game_result(c->game))); break;
    case FILE_NAME:
        if (c->file)
            sql_answer_text(call, input_name(c->file));
        break;
    case WHITE: answer_player(c, call, "White"); break;
    case BLACK: answer_player(c, call, "Black"); break;
    default: {
        const char *text = what == ERROR ? c->error : c->warning;
        if (text[0])
            sql_answer_text(call, text);
    }
    }
}

const sql_table sql_read_pgn = {
    .name = "read_pgn",
    .columns = {{"number", 'i', NUMBER},
                {"tags", 't', TAGS},
                {"game", 'b', GAME},
                {"result", 't', RESULT},
                {"error", 't', ERROR},
                {"pgn", 't', PGN},
                {"warning", 't', WARNING},
                {"file", 't', FILE_NAME},
                {"white", 't', WHITE},
                {"black", 't', BLACK}},
    .arguments = {"source", "source2", "source3", "source4", "source5", "source6", "source7", "source8"},
    .types = "tttttttt",
    .n_needed = 1,
    .opens_files = true,
    .cursor_size = sizeof(cursor),
    .begin = begin,
    .next = next_game,
    .column = answer_column,
    .end = end,
};
