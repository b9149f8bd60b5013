/*
 * near.c - what to say when no game was found.
 *
 *     tabiya: find: no games found
 *       player carlsn: no game; similar names: Carlsen, Magnus
 *       elo 2600..: finds games by itself
 *
 * Each option and each of the query's conditions that must all hold is tried alone.
 */
#include "near.h"
#include "os/file.h"
#include "os/terminal.h"
#include "query_options.h"
#include "support/named.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 5 };
/* A file is read again for each part, so this is done only if it is fast. */
enum { FILE_MAX = 20 << 20 };

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* Another source may have it too. */
static void add_name(void *context, tby_text name) { memory_got(named_get(context, name.s, name.n, sizeof(char *))); }

/* "Carlsen, Magnus; Carlsen, H" after `intro`; nothing if there are none. A file is first stored in a temporary
   database. */
static void names_near(buffer *out, const char *intro, const sources *all, const char *name)
{
    named_list found = {0};
    for (size_t i = 0; i < all->n && found.n < NAMES_MAX; i++) {
        const bool is_stored = source_db(all->of[i]) != NULL;
        sources one = {.args = all->args, .names = all->names + i, .n = 1, .from = all->from, .of = all->of + i};
        if (!is_stored)
            sources_open(&one, SOURCE_AGAIN, SOURCE_AGAIN);
        tby_db_near_players(source_db(one.of[0]), name, strlen(name), NAMES_MAX - found.n, add_name, &found);
        if (!is_stored)
            sources_close(&one, EXIT_NO);
    }
    for (size_t i = 0; i < found.n; i++) {
        const char *s = *(char *const *)found.list[i];
        buffer_string(out, i ? "; " : intro);
        buffer_harmless(out, s, strlen(s), '?');
    }
    named_free(&found);
}

bool may_know_player(const sources *all, const char *name)
{
    int64_t n_names = 0, n_games;
    for (size_t i = 0; i < all->n && !n_names; i++)
        if (!source_db(all->of[i]) ||
            tby_db_known(&n_names, &n_games, source_db(all->of[i]), TBY_DB_PLAYERS, name, strlen(name)) != TBY_OK)
            return true;
    return n_names;
}

void near_players(const sources *all, const char *name)
{
    buffer text = {0};
    names_near(&text, "similar names: ", all, name);
    if (text.n)
        error_print("%s: %s", all->args->command->name, text.s);
    buffer_free(&text);
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

static bool stop_at_first(void *context, source *s, const tby_db_hit *hit)
{
    (void)s, (void)hit;
    *(bool *)context = true;
    return false;
}

bool finds_games(const sources *all, tby_db_search search)
{
    bool is_found = false;
    search.limit = 1;
    search.wanted = TBY_WANTED_IDS;
    for (size_t i = 0; i < all->n && !is_found; i++) {
        const sources one = {.args = all->args, .of = all->of + i, .n = 1};
        sources_find(&one, &search, NULL, stop_at_first, &is_found);
    }
    return is_found;
}

/* Can all of them be searched again? */
static bool are_quick(const sources *all)
{
    os_about about;
    for (size_t i = 0; i < all->n; i++)
        if (!source_db(all->of[i]) &&
            (!os_about_path(&about, all->names[i]) || about.kind != OS_FILE || about.size > FILE_MAX))
            return false;
    return true;
}

static tby_query *query_of(const char *s, size_t n, const args *a)
{
    return query_try(s, n, patterns_of_option(a, QUERY_PATTERNS));
}

typedef struct trial {
    const sources *all;
    unsigned n_parts, n_empty;
    buffer report;
} trial;

static bool is_text(tby_text text, const char *s) { return text.n == strlen(s) && memcmp(text.s, s, text.n) == 0; }

static void try_part(trial *t, const char *s, const tby_query_condition *c, const tby_query *piece)
{
    const bool is_found = finds_games(t->all, (tby_db_search){.query = piece});
    const bool is_name = is_text(c->word, "player") || is_text(c->word, "white") || is_text(c->word, "black");
    t->n_parts++;
    t->n_empty += !is_found;
    buffer_string(&t->report, "  ");
    buffer_harmless(&t->report, s + c->offset, c->length, '?');
    buffer_string(&t->report, is_found ? ": finds games by itself" : ": no game");
    if (!is_found && is_name && c->name.n) {
        char *name = text_copy(c->name.s, c->name.n);
        names_near(&t->report, "; similar names: ", t->all, name);
        free(name);
    }
    buffer_string(&t->report, "\n");
}

static void try_text(trial *t, const char *s, size_t n)
{
    tby_query *whole = query_of(s, n, t->all->args);
    tby_query_condition c;
    for (size_t i = 0; whole && tby_query_condition_at(whole, s, n, i, &c); i++) {
        tby_query *piece = query_of(s + c.offset, c.length, t->all->args);
        if (piece)
            try_part(t, s, &c, piece);
        tby_query_free(piece);
    }
    tby_query_free(whole);
}

static bool is_player(int index) { return index == QUERY_PLAYER || index == QUERY_WHITE || index == QUERY_BLACK; }

/* The options as words of the query language. */
static void try_options(trial *t)
{
    const args *a = t->all->args;
    for (size_t i = 0; i < a->n_given; i++) {
        const given *g = &a->given[i];
        buffer text = {0};
        if (g->index >= N_QUERY_SHARED || !g->value || g->index == QUERY_QUERY)
            continue;
        if (is_player(g->index))
            person_add(&text, query_names[g->index], g->value);
        else
            fact_add(&text, query_names[g->index], g->value, strlen(g->value));
        try_text(t, text.s, text.n);
        buffer_free(&text);
    }
}

/* A name that was given without an asterisk, and so must match whole words. */
static const given *given_name(const args *a)
{
    for (size_t i = 0; i < a->n_given; i++)
        if (is_player(a->given[i].index) && a->given[i].value && *a->given[i].value &&
            !strpbrk(a->given[i].value, "*="))
            return &a->given[i];
    return NULL;
}

static void try_all(const sources *all, const char *text)
{
    const char *asked = text ? text : args_value(all->args, QUERY_QUERY);
    trial t = {.all = all};
    if (!are_quick(all))
        return;
    try_options(&t);
    if (asked)
        try_text(&t, asked, strlen(asked));
    if (t.report.n && (t.n_parts > 1 || t.n_empty)) {
        fwrite(t.report.s, 1, t.report.n, stderr);
        if (!t.n_empty)
            fputs("  but no game matches all of them\n", stderr);
    }
    buffer_free(&t.report);
}

void none_found(const sources *all, const char *text)
{
    const args *a = all->args;
    const given *name = given_name(a);
    sources opened = *all;
    opened.text = NULL; /* it is not freed twice */
    if (name)
        error_print(
            "%s: no game found; --%s means a person in any spelling; \"%s*\" matches any name that begins with it",
            a->command->name, a->command->options[name->index].name, name->value);
    if (name && all->of && !may_know_player(all, name->value))
        near_players(all, name->value);
    if (!os_is_terminal(stderr))
        return;
    if (!name)
        error_print("%s: no games found", a->command->name);
    if (!all->of)
        sources_open(&opened, SOURCE_ONCE, SOURCE_ONCE);
    try_all(&opened, text);
    if (!all->of)
        sources_close(&opened, EXIT_NO);
}
