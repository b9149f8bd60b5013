/*
 * cmd_names.c - tabiya names: spellings of players' names that may be the same player.
 *
 *     Carlsen,M <tab> Carlsen, Magnus <tab> 12 <tab> 3071       a spelling, the one it may be a variant of, games
 *
 * The lines are a proposal: the user deletes wrong ones, and `tabiya pgn --names FILE` applies the rest.
 */
#include "commands.h"
#include "copies.h"
#include "near.h"
#include "support/named.h"
#include "visits.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum { OPT_ALL = N_QUERY_OPTIONS, OPT_OUTPUT };

static const option options[] = {
    QUERY_COLORS,
    QUERY_CONDITIONS,
    QUERY_LINES("list at most N names"),
    [OPT_ALL] = {"all", 0, NULL, NULL, "list every name with its number of games, instead of proposals"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},
    {0},
};

static const example examples[] = {
    {"tabiya names games.pgn -o names.tsv", "Proposes names that may be the same player."},
    {"tabiya pgn --names names.tsv games.pgn -o clean.pgn", "Applies the proposals, after you have reviewed them."},
    {"tabiya names --all games.db more.pgn.gz 'event \"World Championship\"'",
     "Lists the players of some events, in a database and a file."},
    {0},
};

/* ---- Collecting ------------------------------------------------------------------------------------------------- */

typedef struct name {
    char *text;
    uint64_t games;
    uint32_t number; /* from 1, in the order in which they are met */
    tby_person person;
    struct name *same; /* the spelling it is a variant of; NULL: none */
} name;

typedef struct collecting {
    named_list names;
    buffer numbered;    /* the names (name *) by their numbers */
    tby_rounds *rounds; /* NULL: all names are listed */
    uint64_t n_games;
} collecting;

/* Counts a game of the name and returns its number. Empty names and "?" are not counted: 0. */
static uint32_t add_name(collecting *c, tby_text text)
{
    if (text.n == 0 || *text.s == '?')
        return 0;
    name *one = memory_got(named_get(&c->names, text.s, text.n, sizeof *one));
    if (one->games++ == 0) {
        tby_person_read(&one->person, text.s, text.n);
        buffer_add(&c->numbered, (const char *)&one, sizeof one);
        one->number = (uint32_t)(c->numbered.n / sizeof one);
    }
    return one->number;
}

static bool collect_game(void *context, source *s, const tby_db_hit *hit)
{
    collecting *c = context;
    tby_row row;
    if (source_row(s, hit->id, &row) != TBY_OK)
        source_failed(s);
    const uint32_t white = add_name(c, row.white), black = add_name(c, row.black);
    if (c->rounds)
        memory_need(tby_rounds_add(c->rounds, &row, white, black) == TBY_OK);
    c->n_games++;
    return true;
}

/* ---- The same player? ------------------------------------------------------------------------------------------- */

/* The library decides which spellings may belong to the same person: tby_person_fits, and which surely do not:
   tby_rounds_part. */

/* The last name, a NUL after each word. */
static const char *last_of(const name *one) { return one->person.words + one->person.last; }
static size_t last_size(const name *one) { return one->person.n - one->person.last; }

static int compare_last(const name *a, const name *b)
{
    const size_t n = last_size(a), m = last_size(b);
    const int order = memcmp(last_of(a), last_of(b), n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

static int by_last(const void *a, const void *b)
{
    const int order = compare_last(*(name *const *)a, *(name *const *)b);
    return order ? order : named_order(a, b);
}

static const name *name_at(const collecting *c, uint32_t number)
{
    const name *one;
    memcpy(&one, c->numbered.s + (number - 1) * sizeof one, sizeof one);
    return one;
}

static bool are_same(void *context, uint32_t a, uint32_t b)
{
    return a && b && tby_person_fits(&name_at(context, a)->person, &name_at(context, b)->person);
}

static bool names_fit(collecting *c, const name *a, const name *b)
{
    return a == b ||
           (tby_person_fits(&a->person, &b->person) && !tby_rounds_part(c->rounds, a->number, b->number, are_same, c));
}

/* The spelling to keep of two that match: the one with more games, else the longer one, else the first. */
static bool is_better(const name *a, const name *b)
{
    if (a->games != b->games)
        return a->games > b->games;
    if (strlen(a->text) != strlen(b->text))
        return strlen(a->text) > strlen(b->text);
    return strcmp(a->text, b->text) < 0;
}

/* Do all names that match this one, among those with the same last name, also match each other? With both Magnus and
   Maria, "Carlsen,M" is a variant of neither. */
static bool is_clear(collecting *c, name *const *group, size_t n, const name *one)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (names_fit(c, group[i], one) && names_fit(c, group[k], one) && !names_fit(c, group[i], group[k]))
                return false;
    return true;
}

/* Does `a` have only an initial where `b`, which it matches, has the full name? */
static bool is_shorter(const name *a, const name *b)
{
    const char *x = a->person.words, *y = b->person.words, *x_end = last_of(a), *y_end = last_of(b);
    for (; x < x_end && y < y_end; x += strlen(x) + 1, y += strlen(y) + 1)
        if (!x[1] && y[1])
            return true;
    return false;
}

/* A name is never shortened to an initial: Georgy may be another player than the G with more games. */
static name *best_of(collecting *c, name *const *group, size_t n, name *one)
{
    name *best = one;
    for (size_t i = 0; i < n; i++)
        if (names_fit(c, group[i], one) && !is_shorter(group[i], one) && is_better(group[i], best))
            best = group[i];
    return best;
}

/* With more spellings of one last name than this, comparing all pairs would take too long. */
enum { GROUP_MAX = 300 };

static void judge_group(collecting *c, name *const *group, size_t n)
{
    for (size_t i = 0; n > 1 && n <= GROUP_MAX && i < n; i++)
        if (is_clear(c, group, n, group[i]))
            group[i]->same = best_of(c, group, n, group[i]);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* Control characters in names, such as tabs, are replaced. */
static void print_name(const name *one, const name *proposed)
{
    buffer line = {0};
    buffer_harmless(&line, one->text, strlen(one->text), '?');
    if (proposed) {
        buffer_string(&line, "\t");
        buffer_harmless(&line, proposed->text, strlen(proposed->text), '?');
    }
    buffer_printf(&line, "\t%" PRIu64, one->games);
    if (proposed)
        buffer_printf(&line, "\t%" PRIu64, proposed->games);
    buffer_string(&line, "\n");
    out_buffer(&line);
}

/* Prints all names in their order, or those that may be a variant of another one; returns how many. */
static size_t print_names(collecting *c, bool takes_all, size_t limit)
{
    named_list *all = &c->names;
    size_t n_printed = 0, begin = 0;
    if (!takes_all)
        named_sort(all, by_last);
    for (size_t i = 1; !takes_all && i <= all->n; i++)
        if (i == all->n || compare_last(all->list[i], all->list[begin]) != 0) {
            judge_group(c, (name *const *)all->list + begin, i - begin);
            begin = i;
        }
    named_sort(all, named_order);
    for (size_t i = 0; i < all->n && n_printed < limit; i++) {
        const name *one = all->list[i], *same = one->same;
        const bool is_proposed = same && same != one && same->same == same; /* not ambiguous, nor renamed itself */
        if (takes_all || is_proposed)
            print_name(one, takes_all ? NULL : same);
        n_printed += takes_all || is_proposed;
    }
    return n_printed;
}

static int names_run(const args *a)
{
    collecting c = {.n_games = 0};
    query q;
    sources all = sources_of_words(a, 0);
    const size_t limit = option_number(a, QUERY_LIMIT, ULONG_MAX, 1, ULONG_MAX);
    all.only_tags = true;
    refuse_overwriting(args_value(a, OPT_OUTPUT), a);
    c.rounds = args_has(a, OPT_ALL) ? NULL : memory_got(tby_rounds_new());
    sources_open(&all, SOURCE_ONCE, SOURCE_ONCE);
    query_of_options(&q, a, all.text, (tby_text){0}, NULL, source_db(all.of[0]));
    q.search.wanted = TBY_WANTED_ROWS;
    visits_run(&(visits){.sources = &all, .query = &q, .work = "names", .visit = collect_game, .context = &c});
    if (interrupts_came())
        error_exit("names: interrupted");
    out_open(args_value(a, OPT_OUTPUT));
    const size_t n = print_names(&c, args_has(a, OPT_ALL), limit);
    if (!c.n_games)
        none_found(&all, all.text);
    named_free(&c.names);
    buffer_free(&c.numbered);
    tby_rounds_free(c.rounds);
    query_free(&q);
    return sources_close(&all, n ? EXIT_YES : EXIT_NO);
}

const command cmd_names = {
    .name = "names",
    .group = GROUP_COLLECTION,
    .words = "SOURCE... [QUERY]",
    .summary = "find different spellings of the same player",
    .description =
        "Reads the players' names of games, and prints one line for each spelling that may be a variant of another: "
        "the spelling, the other one, and the number of games of each, separated by tabs. Two spellings are considered "
        "the same player if they differ only in case, accents, dots, the order of first and last name, initials for "
        "first names, or one letter of a long first name, and no third spelling contradicts that; never if they differ "
        "in digits or in Jr and Sr, have met, or played different games in one round of one event. The spelling with "
        "the most games is kept. `tabiya pgn --names FILE` applies such a list. A game with a fault in its moves is "
        "reported, and its names count.\n\n" QUERY_HELP,
    .exits = "0  spellings were found\n1  none were found\n2  something could not be read",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = names_run,
};
