/*
 * cmd_sql.c - tabiya sql: runs SQL on a database, with the functions of the SQLite extension.
 *
 * Statements are arguments, or read line by line from standard input. Games and boards are shown as text.
 */
#include "commands.h"
#include "database.h"
#include "os/file.h"
#include "os/terminal.h"
#include "query_options.h"
#include "support/buffer.h"
#include "tabiya_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_HEADER, OPT_JSON, OPT_TO, OPT_WRITE };

static const option options[] = {
    [OPT_HEADER] = {"header", 0, NULL, NULL, "print the column names first"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "short for --to json"},
    [OPT_TO] = {"to", 0, "FORM", "lines|csv|spreadsheet|json",
                "lines, csv (with a header), spreadsheet (CSV in which formulas are quoted: '=2+2), or json (one "
                "object per row) (default: lines)"},
    [OPT_WRITE] = {"write", 0, NULL, NULL, "allow statements that change rows (default: read-only)"},
    {0},
};

static const example examples[] = {
    {"tabiya sql games.db 'SELECT white, count(*) FROM games GROUP BY 1'",
     "Lists the players with the most games as White."},
    {"tabiya sql games.db \"SELECT id FROM games WHERE isCheckmate(game)\"", "Shows where games ended in mate."},
    {"tabiya sql games.db --to csv <queries.sql", "Runs the statements in a file."},
    {0},
};

typedef enum form { FORM_LIST, FORM_CSV, FORM_JSON } form;

typedef struct session {
    tby_db_session *db;
    form form;
    bool has_header, is_for_sheets;
    buffer line, text;
    bool has_failed;
} session;

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* A game as move text, a board as FEN, other bytes as SQL writes them. */
static void write_blob(buffer *to, const uint8_t *bytes, size_t n)
{
    char fen[TBY_FEN_SIZE];
    tby_setup setup;
    const tby_value_kind kind = tby_value_kind_of(bytes, n);
    if (kind == TBY_CHESSGAME && tby_packed_check(bytes, n, NULL) == TBY_OK) {
        tby_chessgame_write(bytes, n, buffer_sink, to);
    } else if (kind == TBY_CHESSBOARD && tby_chessboard_decode(&setup, bytes, n)) {
        buffer_add(to, fen, tby_fen_write(fen, sizeof fen, &setup, 0));
    } else {
        buffer_string(to, "x'");
        buffer_hex(to, bytes, n);
        buffer_string(to, "'");
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static void write_field(session *s, const tby_db_field *field)
{
    s->text.n = 0;
    if (field->type == TBY_DB_BLOB)
        write_blob(&s->text, (const uint8_t *)field->s, field->n);
    else if (field->s)
        buffer_add(&s->text, field->s, field->n);
    const bool is_quoted = s->is_for_sheets && field->type == TBY_DB_TEXT && tby_csv_is_formula(field->s, field->n);
    if (s->form == FORM_CSV && field->type != TBY_DB_NULL)
        buffer_csv(&s->line, is_quoted ? "'" : "", s->text.s, s->text.n);
    else if (s->form == FORM_JSON && field->type == TBY_DB_NULL)
        buffer_string(&s->line, "null");
    else if (s->form == FORM_JSON && (field->type == TBY_DB_TEXT || field->type == TBY_DB_BLOB))
        buffer_json(&s->line, s->text.s, s->text.n);
    else
        buffer_add(&s->line, s->text.s, s->text.n);
}

/* A row, or the names of the columns, which are written as numbers are: unchanged, even if they look like formulas. */
static bool print_fields(void *context, const tby_db_field *fields, size_t n, bool is_row)
{
    session *s = context;
    if (!is_row && !s->has_header)
        return !interrupts_came();
    s->line.n = 0;
    buffer_string(&s->line, s->form == FORM_JSON ? "{" : "");
    for (size_t i = 0; i < n; i++) {
        const tby_db_field head = {.type = TBY_DB_INTEGER, .s = fields[i].name, .n = strlen(fields[i].name)};
        buffer_string(&s->line, i == 0 ? "" : s->form == FORM_LIST ? "|" : ",");
        if (s->form == FORM_JSON) {
            buffer_json_string(&s->line, fields[i].name);
            buffer_string(&s->line, ":");
        }
        write_field(s, is_row ? &fields[i] : &head);
    }
    buffer_string(&s->line, s->form == FORM_JSON ? "}\n" : "\n");
    out_bytes(s->line.s, s->line.n);
    return !interrupts_came();
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

static bool take_name(void *context, const tby_db_field *fields, size_t n, bool is_row)
{
    (void)n;
    if (is_row)
        buffer_add(context, fields[0].s, fields[0].n);
    return true;
}

/* A missing function may have another name: get_board or board for getBoard, getFen for fen. */
static void print_failure(session *s, const char *why)
{
    static const char missing[] = "no such function: ";
    const char *name = why + sizeof missing - 1;
    buffer sql = {0}, near = {0};
    tby_failure ignored;
    if (strncmp(why, missing, sizeof missing - 1) == 0 && !strpbrk(name, "' ")) {
        buffer_printf(&sql,
                      "WITH x(n) AS (SELECT replace(lower('%s'), '_', '')), f(name, m) AS (SELECT name, "
                      "replace(lower(name), '_', '') FROM pragma_function_list) SELECT name FROM f, x WHERE m IN (n, "
                      "'get' || n, 'is' || n, 'to' || n) OR n IN ('get' || m, 'is' || m, 'to' || m) LIMIT 1",
                      name);
        tby_db_session_run(s->db, sql.s, take_name, &near, &ignored);
    }
    if (near.n)
        error_print("sql: %s; did you mean %.*s?", why, (int)near.n, near.s);
    else
        error_print("sql: %s", why);
    buffer_free(&sql);
    buffer_free(&near);
}

/* Runs all statements of a text up to the first that fails. */
static void run_text(session *s, const char *sql)
{
    tby_failure failure;
    if (tby_db_session_run(s->db, sql, print_fields, s, &failure) == TBY_OK || interrupts_came())
        return;
    out_flush();
    print_failure(s, failure.text);
    s->has_failed = true;
}

static void run_lines(session *s)
{
    const bool is_asked = os_is_terminal(stdin);
    buffer statement = {0};
    char *line = NULL;
    size_t cap = 0;
    ptrdiff_t n;
    for (;;) {
        if (is_asked) {
            out_string(statement.n == 0 ? "sql> " : "...> ");
            out_flush();
        }
        if ((n = os_read_line(&line, &cap, stdin)) < 0 || interrupts_came())
            break;
        buffer_add(&statement, line, (size_t)n);
        if (!tby_db_session_is_complete(statement.s))
            continue;
        run_text(s, statement.s);
        statement.n = 0;
        if (s->has_failed && !is_asked)
            break;
    }
    if (ferror(stdin)) {
        error_print("sql: cannot read standard input: %s", strerror(errno));
        s->has_failed = true;
    }
    if (statement.n > 0 && !s->has_failed && !interrupts_came())
        run_text(s, statement.s);
    buffer_free(&statement);
    free(line);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static bool goes_on(void *context)
{
    (void)context;
    return !interrupts_came();
}

static void open_file(session *s, const args *a)
{
    tby_failure failure;
    if (a->n_words == 0)
        error_exit("sql: no database given; try --help");
    const char *path = a->words[0];
    if (tby_db_is_server(path))
        error_exit("sql: %s is on a server; use psql", database_name(a));
    if (!tby_db_is_file(path))
        error_exit("sql: %s: %s", path, !os_may_read(path) ? strerror(errno) : "not a database");
    database_extend();
    if (tby_db_session_open(&s->db, path, args_has(a, OPT_WRITE), goes_on, NULL, &failure) != TBY_OK)
        error_exit("sql: %s: %s", path, failure.text);
}

static int sql_run(const args *a)
{
    const char *to = form_of_options(a, OPT_TO, "lines");
    session s = {.is_for_sheets = strcmp(to, "spreadsheet") == 0};
    s.form = s.is_for_sheets || strcmp(to, "csv") == 0 ? FORM_CSV : strcmp(to, "json") == 0 ? FORM_JSON : FORM_LIST;
    s.has_header = s.form == FORM_CSV || (s.form == FORM_LIST && args_has(a, OPT_HEADER));
    open_file(&s, a);
    interrupts_catch();
    if (a->n_words == 1)
        run_lines(&s);
    for (size_t i = 1; i < a->n_words && !s.has_failed && !interrupts_came(); i++)
        run_text(&s, a->words[i]);
    out_close();
    if (interrupts_came())
        error_print("sql: interrupted; what was found is printed");
    if (tby_db_session_has_unsaved(s.db)) {
        error_print("sql: changes were not saved: the transaction was not ended with COMMIT");
        s.has_failed = true;
    }
    tby_db_session_close(s.db);
    if (args_has(a, OPT_WRITE))
        database_warn_of_log(a->words[0]);
    buffer_free(&s.line);
    buffer_free(&s.text);
    return s.has_failed || interrupts_came() ? EXIT_FAILED : EXIT_YES;
}

const command cmd_sql = {
    .name = "sql",
    .group = GROUP_LOOK,
    .words = "DB [SQL]...",
    .summary = "query a database with SQL statements",
    .description = "Runs SQL statements on the database DB and prints their rows. Statements are arguments or, without "
                   "any, read from standard input. The view games has one row per game, and all functions of the "
                   "SQLite extension are available (docs/sqlite.md): isCheckmate(game), matches(game, 'greek-gift'), "
                   "read_pgn('games.pgn') and many more. Games and boards are shown as text.\n\nThe file is opened "
                   "read-only. With --write, statements may change rows, but not the schema; run `tabiya verify` "
                   "afterwards. Each is "
                   "saved when it ends, after BEGIN all at COMMIT.",
    .exits = "0  done\n2  a statement failed, the database could not be read, or the statement was interrupted",
    .options = options,
    .examples = examples,
    .run = sql_run,
};
