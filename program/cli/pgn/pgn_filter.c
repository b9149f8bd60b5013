/*
 * pgn_filter.c - which games of a file are picked: those for which a query holds.
 */
#include "pgn_filter.h"
#include "messages.h"
#include "tabiya_db.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct filter {
    const char *command;
    const patterns *patterns; /* NULL: none */
    tby_query_text facts;
    buffer matches;   /* further queries, each of which must hold somewhere */
    tby_query *query; /* NULL: all games */
};

filter *filter_new(const char *name, const patterns *own)
{
    filter *f = memory_new(1, sizeof *f);
    f->command = name;
    f->patterns = own;
    return f;
}

void filter_free(filter *f)
{
    tby_query_free(f->query);
    tby_query_text_free(&f->facts);
    buffer_free(&f->matches);
    free(f);
}

/* ---- Conditions from text --------------------------------------------------------------------------------------- */

/* NAME=VALUE is the word `tag NAME` and its value. */
static void add_tag(tby_query_text *facts, const char *value)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        error_exit("pgn: --tag must be NAME=VALUE, not \"%s\"", value);
    const size_t n = (size_t)(equals - value), n_name = tby_query_quote(NULL, 0, value, n);
    char *word = memory_new(n_name + 5, 1);
    memcpy(word, "tag ", 4);
    tby_query_quote(word + 4, n_name + 1, value, n);
    tby_query_text_add(facts, word, equals + 1, strlen(equals + 1));
    free(word);
}

static void add(tby_query_text *facts, const char *name, const char *value)
{
    if (strcmp(name, "tag") == 0)
        add_tag(facts, value);
    else
        tby_query_text_add(facts, name, value, strlen(value));
    if (facts->has_no_memory)
        error_exit("out of memory");
}

/* Moves and names in place of a FEN are for the program: a query has the FEN. */
static const char *position_read_by(const char *name, const char *value, char fen[TBY_FEN_SIZE])
{
    tby_setup setup;
    problem p = {0};
    if (strcmp(name, "fen") != 0 && strcmp(name, "board") != 0)
        return value;
    if (!fen_setup(&setup, fen_named(value, strlen(value)), 0, NULL, &p))
        error_exit("pgn: --%s: %s", name, p.text);
    tby_fen_write(fen, TBY_FEN_SIZE, &setup, TBY_FEN_SHREDDER);
    if (strcmp(name, "board") == 0)
        fen[strcspn(fen, " ")] = '\0';
    return fen;
}

/* Each is also read alone, so that a fault can name its option. */
void filter_add(filter *f, const char *name, const char *value)
{
    tby_query_text alone = {0};
    tby_query_error err;
    char fen[TBY_FEN_SIZE];
    value = position_read_by(name, value, fen);
    add(&alone, name, value);
    const tby_query_options options = {.facts = alone.s, .n_facts = alone.n};
    tby_query *q = tby_query_new("", 0, &options, NULL, &err);
    if (!q)
        error_exit("pgn: --%s: %s", name, err.text);
    tby_query_free(q);
    tby_query_text_free(&alone);
    add(&f->facts, name, value);
}

/* A fault ends the program. */
static tby_query *query_made(const filter *f, const char *query, const char *facts, size_t n_facts)
{
    const patterns *own = f->patterns;
    const tby_query_options options = {
        .facts = facts, .n_facts = n_facts, .patterns = own ? own->text.s : NULL, .n_patterns = own ? own->text.n : 0};
    tby_query_error err;
    problem p = {0};
    char who[32];
    snprintf(who, sizeof who, "%s: ", f->command);
    tby_query *made = tby_query_new(query, strlen(query), &options, NULL, &err);
    if (!made)
        query_fault(&p, who, &err, query, &options, own);
    problem_exit(&p);
    return made;
}

void filter_check(const filter *f, const char *query) { tby_query_free(query_made(f, query, NULL, 0)); }

void filter_add_match(filter *f, const char *query)
{
    filter_check(f, query);
    buffer_printf(&f->matches, "ever (%s)\n", query);
}

/* The facts beside the matches are one text. */
void filter_end(filter *f, const char *query)
{
    buffer facts = {0};
    buffer_add(&facts, f->facts.s ? f->facts.s : "", f->facts.n);
    buffer_string(&facts, " ");
    buffer_add(&facts, f->matches.s ? f->matches.s : "", f->matches.n);
    if (query || f->facts.n || f->matches.n)
        f->query = query_made(f, query ? query : "", facts.s, facts.n);
    buffer_free(&facts);
}

const tby_query *filter_query(const filter *f) { return f->query; }

void filter_refuse_ids(const filter *f)
{
    if (f->query && tby_query_needs(f->query) & TBY_QUERY_NEEDS_ID)
        error_exit("%s: \"id\" is a game's number in a database, and a file is not a database", f->command);
}

void filter_explain(const filter *f)
{
    const unsigned needs = f->query ? tby_query_needs(f->query) : 0;
    if (!f->query) {
        out_string("files: every game is read\nleft to ask of each game: nothing\n");
        return;
    }
    const size_t n = tby_query_write(NULL, 0, f->query);
    char *text = memory_new(n + 1, 1);
    tby_query_write(text, n + 1, f->query);
    out_printf("query: %s\n", text);
    free(text);
    out_printf("files: every game is read\nlooked at:%s%s%s\nleft to ask of each game: the query\n",
               needs & TBY_QUERY_NEEDS_ROW ? " tags" : "", needs & TBY_QUERY_NEEDS_MOVES ? " moves" : "",
               needs & TBY_QUERY_NEEDS_ANNOTATED ? " comments" : "");
}

/* Has it an ending, so that it is rather the name of a file that is missing than a query? */
static bool has_ending(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot && dot[1] >= 'a' && dot[1] <= 'z' && !strpbrk(word, " \t\n") &&
           strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(dot + 1);
}

static bool is_file(const char *word)
{
    return strcmp(word, "-") == 0 || tby_db_is_server(word) || has_ending(word) || access(word, F_OK) == 0;
}

const char *filter_query_word(const args *a)
{
    const size_t last = a->n_words - 1;
    if (a->n_words < 2)
        return NULL;
    return !is_file(a->words[last]) ? a->words[last] : !is_file(a->words[0]) ? a->words[0] : NULL;
}

/* ---- Asking ----------------------------------------------------------------------------------------------------- */

struct filter_worker {
    tby_query_state *state; /* NULL: all games */
    tby_batch *batch;       /* the game as a row */
};

filter_worker *filter_worker_new(const filter *f)
{
    filter_worker *w = memory_new(1, sizeof *w);
    if (!f->query)
        return w;
    w->state = tby_query_state_new(f->query, NULL);
    w->batch = tby_batch_new();
    if (!w->state || !w->batch)
        error_exit("out of memory");
    return w;
}

void filter_worker_free(filter_worker *w)
{
    tby_query_state_free(w->state);
    tby_batch_free(w->batch);
    free(w);
}

filter_answer filter_first(filter_worker *w, const tby_game *game, int *ply)
{
    if (ply)
        *ply = 0;
    if (!w->state)
        return FILTER_YES;
    tby_batch_clear(w->batch);
    const tby_status status = tby_batch_add(w->batch, game);
    if (status == TBY_TOO_LONG)
        return FILTER_TOO_LONG;
    if (status != TBY_OK)
        error_exit("out of memory");
    const tby_row row = tby_batch_row(w->batch, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, 0);
    const int first = tby_query_first(w->state, &asked);
    if (first < TBY_QUERY_NONE)
        error_exit("out of memory");
    if (ply)
        *ply = first;
    return first >= 0 ? FILTER_YES : FILTER_NO;
}
