/*
 * choices.c - the names of the library's registry in options and texts, so that a new notation appears in parsing,
 * help, man page and completions at once.
 *
 *     @read @written        positions that can be read, or written
 *     @positions @diagrams  those of one line, and of several
 *     @lines @games @moves @tables @game_columns @ply_columns
 */
#include "convert.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

#include <tabiya_table.h>

/* If game notations can be chosen too, `cmbr` means the file; a line of CMBR words is then `cmbr-words`. */
typedef enum kind {
    POSITIONS_TO_READ,
    ALL_POSITIONS,
    POSITIONS, /* of one line */
    DIAGRAMS,
    LINES,
    MOVES,
    GAMES,
    TABLES,
    GAME_COLUMNS,
    PLY_COLUMNS
} kind;

/* A name of the registry, and what a text says about it in parentheses. */
typedef struct entry {
    const char *name, *note; /* NULL: it is not of that kind; there is no note */
    char example[TBY_SAN_SIZE];
} entry;

static void take_position(entry *e, kind k, const tby_position_notation *p)
{
    if (k == ALL_POSITIONS || (k == POSITIONS_TO_READ ? p->read != NULL : p->one_line == (k == POSITIONS)))
        e->name = p->name;
    if (!p->read)
        e->note = "write only";
}

/* All moves are shown with the same one as an example. */
static void take_moves(entry *e, kind k, const tby_move_notation *m)
{
    tby_position start;
    tby_position_start(&start);
    e->name = k == LINES ? m->line_name : m->name;
    if (k == MOVES &&
        m->write(e->example, sizeof e->example, &start, TBY_MOVE(TBY_SQUARE(6, 0), TBY_SQUARE(5, 2), 0), 0, NULL) > 0)
        e->note = e->example;
}

/* False after the last. */
static bool entry_at(entry *e, kind k, size_t i)
{
    const tby_position_notation *p = k <= DIAGRAMS ? tby_position_notation_at(i) : NULL;
    const tby_move_notation *m = k == LINES || k == MOVES ? tby_move_notation_at(i) : NULL;
    const tby_game_notation *g = k == GAMES ? tby_game_notation_at(i) : NULL;
    const tby_table_format *f = k == TABLES ? tby_table_format_at(i) : NULL;
    const tby_rows_column *c = k == GAME_COLUMNS || k == PLY_COLUMNS ? tby_rows_column_at(i) : NULL;
    *e = (entry){.name = g ? g->name : f ? f->name : NULL, .note = g ? g->summary : f ? f->summary : NULL};
    if (p)
        take_position(e, k, p);
    if (m)
        take_moves(e, k, m);
    if (c && c->is_of_game == (k == GAME_COLUMNS))
        e->name = c->name;
    return p || m || g || f || c;
}

static void add_text(names_text *to, const char *s, size_t n)
{
    const size_t length = strlen(to->text);
    snprintf(to->text + length, sizeof to->text - length, "%.*s", (int)n, s);
}

static void add_string(names_text *to, const char *s) { add_text(to, s, strlen(s)); }

static void add_names(names_text *to, kind k, const char *separator, bool has_notes)
{
    entry e;
    bool is_first = true;
    for (size_t i = 0; entry_at(&e, k, i); i++) {
        if (!e.name)
            continue;
        add_string(to, is_first ? "" : separator);
        add_string(to, e.name);
        is_first = false;
        if (e.note && has_notes) {
            add_string(to, " (");
            add_string(to, e.note);
            add_string(to, ")");
        }
    }
}

static names_text expand(const char *text, const char *separator, bool has_notes)
{
    static const char *const words[] = {[POSITIONS_TO_READ] = "@read",
                                        [ALL_POSITIONS] = "@written",
                                        [POSITIONS] = "@positions",
                                        [DIAGRAMS] = "@diagrams",
                                        [LINES] = "@lines",
                                        [MOVES] = "@moves",
                                        [GAMES] = "@games",
                                        [TABLES] = "@tables",
                                        [GAME_COLUMNS] = "@game_columns",
                                        [PLY_COLUMNS] = "@ply_columns"};
    names_text whole = {""};
    while (*text) {
        size_t n = strcspn(text, "@");
        add_text(&whole, text, n);
        text += n;
        n = *text ? 1 : 0; /* an @ that is not one of these words */
        for (kind k = 0; k <= PLY_COLUMNS; k++)
            if (strncmp(text, words[k], strlen(words[k])) == 0) {
                add_names(&whole, k, separator, has_notes);
                text += strlen(words[k]);
                n = 0;
            }
        add_text(&whole, text, n);
        text += n;
    }
    return whole;
}

names_text option_choices(const option *o) { return expand(o->choices, "|", false); }
names_text text_with_names(const char *text) { return expand(text, ", ", true); }
