/*
 * choices.c - the names of the library's registry in options and texts, so that a new notation appears in parsing,
 * help, man page and completions at once.
 *
 *     choices   "on|off" as written in the table, or one of CHOICES_...
 *     texts     @positions @diagrams @lines @games @moves @tables @game_columns @ply_columns: names in words
 */
#include "convert.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

#include <tabiya_table.h>

typedef struct list {
    char *s;
    size_t cap;
    const char *separator;
    size_t n_names;
} list;

static void add_text(list *l, const char *s, size_t n)
{
    const size_t length = strlen(l->s);
    snprintf(l->s + length, l->cap - length, "%.*s", (int)n, s);
}

static void add_string(list *l, const char *s) { add_text(l, s, strlen(s)); }

static void add_name(list *l, const char *name)
{
    if (l->n_names++ > 0)
        add_string(l, l->separator);
    add_string(l, name);
}

/* ... (note) */
static void add_note(list *l, const char *note)
{
    add_string(l, " (");
    add_string(l, note);
    add_string(l, ")");
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static void add_positions(list *l, bool to_read)
{
    const tby_position_notation *p;
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++)
        if (p->read || !to_read)
            add_name(l, p->name);
}

/* If game notations can be chosen too, `cmbr` means the file; a line of CMBR words is then `cmbr-words`. */
static void add_lines(list *l)
{
    const tby_move_notation *m;
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++)
        add_name(l, m->line_name);
}

static void add_moves(list *l)
{
    const tby_move_notation *m;
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++)
        add_name(l, m->name);
}

static void add_games(list *l)
{
    const tby_game_notation *g;
    for (size_t i = 0; (g = tby_game_notation_at(i)) != NULL; i++)
        add_name(l, g->name);
}

static void add_tables(list *l)
{
    const tby_table_format *f;
    for (size_t i = 0; (f = tby_table_format_at(i)) != NULL; i++)
        add_name(l, f->name);
}

names_text option_choices(const option *o)
{
    names_text out = {""};
    list l = {out.text, sizeof out.text, "|", 0};
    if (*o->choices != '@') {
        add_string(&l, o->choices);
    } else if (strcmp(o->choices, CHOICES_MOVES) == 0) {
        add_moves(&l);
    } else if (strcmp(o->choices, CHOICES_TABLES) == 0) {
        add_tables(&l);
    } else {
        if (strcmp(o->choices, CHOICES_GAMES) != 0) {
            add_positions(&l, strcmp(o->choices, CHOICES_FROM) == 0);
            add_lines(&l);
        }
        add_games(&l);
    }
    return out;
}

/* ---- Names in texts --------------------------------------------------------------------------------------------- */

static void tell_positions(list *l, bool one_line)
{
    const tby_position_notation *p;
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++) {
        if (p->one_line != one_line)
            continue;
        add_name(l, p->name);
        if (!p->read)
            add_note(l, "write only");
    }
}

static void tell_line_positions(list *l) { tell_positions(l, true); }
static void tell_diagrams(list *l) { tell_positions(l, false); }

static void tell_games(list *l)
{
    const tby_game_notation *g;
    for (size_t i = 0; (g = tby_game_notation_at(i)) != NULL; i++) {
        add_name(l, g->name);
        add_note(l, g->summary);
    }
}

static void tell_tables(list *l)
{
    const tby_table_format *f;
    for (size_t i = 0; (f = tby_table_format_at(i)) != NULL; i++) {
        add_name(l, f->name);
        add_note(l, f->summary);
    }
}

static void tell_columns_of(list *l, bool is_of_game)
{
    const tby_rows_column *c;
    for (size_t i = 0; (c = tby_rows_column_at(i)) != NULL; i++)
        if (c->is_of_game == is_of_game)
            add_name(l, c->name);
}

static void tell_game_columns(list *l) { tell_columns_of(l, true); }
static void tell_ply_columns(list *l) { tell_columns_of(l, false); }

/* Each with the same move as an example. */
static void tell_moves(list *l)
{
    const tby_move_notation *m;
    const tby_move knight_to_f3 = TBY_MOVE(TBY_SQUARE(6, 0), TBY_SQUARE(5, 2), 0);
    char move[TBY_SAN_SIZE];
    tby_position start;
    tby_position_start(&start);
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++) {
        add_name(l, m->name);
        if (m->write(move, sizeof move, &start, knight_to_f3, 0, NULL) > 0)
            add_note(l, move);
    }
}

names_text text_with_names(const char *text)
{
    static const struct {
        const char *word;
        void (*add)(list *l);
    } words[] = {{"@positions", tell_line_positions},
                 {"@diagrams", tell_diagrams},
                 {"@lines", add_lines},
                 {"@games", tell_games},
                 {"@moves", tell_moves},
                 {"@tables", tell_tables},
                 {"@game_columns", tell_game_columns},
                 {"@ply_columns", tell_ply_columns}};
    names_text whole = {""};
    list l = {whole.text, sizeof whole.text, ", ", 0};
    while (*text) {
        size_t n = strcspn(text, "@");
        add_text(&l, text, n);
        text += n;
        n = *text ? 1 : 0; /* an @ that is not one of these words */
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strncmp(text, words[i].word, strlen(words[i].word)) == 0) {
                l.n_names = 0;
                words[i].add(&l);
                text += strlen(words[i].word);
                n = 0;
            }
        add_text(&l, text, n);
        text += n;
    }
    return whole;
}
