/*
 * options.c - splits a command line by its command's table.
 *
 * Reads    --name, --name=value, --name value (unless the value may be left out), -o value, -ovalue, options and words
 *          in any order, -- before words that start with a dash; a single - is a word.
 * Refuses  unknown options (naming a near one), missing, needless and unlisted values.
 */
#include "options.h"
#include "commands.h"
#include "console.h"
#include "convert.h"
#include "os/terminal.h"
#include "query_options.h"
#include "support/distance.h"

#include <stdlib.h>
#include <string.h>

/* The list of all commands. */
const command *const commands[N_COMMANDS + 1] = {
    &cmd_annotate, &cmd_check, &cmd_cluster, &cmd_collection, &cmd_convert, &cmd_delete, &cmd_explore,
    &cmd_export,   &cmd_find,  &cmd_import,  &cmd_info,       &cmd_moves,   &cmd_names,  &cmd_novelty,
    &cmd_perft,    &cmd_pgn,   &cmd_publish, &cmd_repertoire, &cmd_report,  &cmd_rows,   &cmd_serve,
    &cmd_show,     &cmd_sql,   &cmd_status,  &cmd_tree,       &cmd_verify,  NULL,
};

const option help_option = {"help", 'h', NULL, NULL, "show help"};

/* ---- Near names ------------------------------------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 32 };

const char *nearest_name(const char *word, const char *const *names, size_t n_names)
{
    /* Two typos in a long word, one in a short one: --site is not close to --date. */
    const size_t n = strlen(word);
    unsigned best = n > 4 ? 3 : 2;
    const char *nearest = NULL;
    for (size_t i = 0; i < n_names; i++) {
        const bool begins = n > 1 && strncmp(names[i], word, n) == 0;
        const unsigned distance = begins ? 1 : word_distance_within(word, n, names[i], strlen(names[i]), best);
        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

/* ---- Names of the registry -------------------------------------------------------------------------------------- */

/* A new notation appears in parsing, help, man page and completions at once:

       @read @written        positions that can be read, or written
       @positions @diagrams  those of one line, and of several
       @lines @games @moves @tables @game_columns @ply_columns
       @indexes              of a database */

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
    PLY_COLUMNS,
    DB_INDEXES,
    N_KINDS
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
    tby_db_index_about x;
    *e = (entry){.name = g ? g->name : f ? f->name : NULL, .note = g ? g->summary : f ? f->summary : NULL};
    if (k == DB_INDEXES && tby_db_index_at(&x, i))
        *e = (entry){.name = x.name, .note = x.about};
    if (p)
        take_position(e, k, p);
    if (m)
        take_moves(e, k, m);
    if (c && c->is_of_game == (k == GAME_COLUMNS))
        e->name = c->name;
    return p || m || g || f || c || (k == DB_INDEXES && e->name);
}

static void add_text(names_text *to, const char *s, size_t n)
{
    const size_t length = strlen(to->text), room = sizeof to->text - 1 - length, most = n < room ? n : room;
    memcpy(to->text + length, s, most);
    to->text[length + most] = '\0';
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
                                        [PLY_COLUMNS] = "@ply_columns",
                                        [DB_INDEXES] = "@indexes"};
    names_text whole = {""};
    while (*text) {
        size_t n = strcspn(text, "@");
        add_text(&whole, text, n);
        text += n;
        n = *text ? 1 : 0; /* an @ that is not one of these words */
        for (kind k = 0; k < N_KINDS; k++)
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

/* ---- Parsing ---------------------------------------------------------------------------------------------------- */

/* By its name or, if that is NULL, its letter; -1 if there is none. */
static int find_option(const command *cmd, const char *name, size_t n, char letter)
{
    for (int i = 0; cmd->options[i].name; i++) {
        const option *o = &cmd->options[i];
        if (!option_is_absent(o) &&
            (name ? strlen(o->name) == n && memcmp(o->name, name, n) == 0 : o->letter == letter))
            return i;
    }
    return -1;
}

/* "perft: ", or nothing for the program itself. */
static const char *prefix_of(const command *cmd, char buf[NAME_MAX_LENGTH])
{
    buf[0] = '\0';
    if (cmd->run)
        snprintf(buf, NAME_MAX_LENGTH, "%s: ", cmd->name);
    return buf;
}

bool option_has_choice(const option *o, const char *value) { return list_has(option_choices(o).text, '|', value); }

/* Options that people try or that earlier versions had, the option that a command must have, and what is meant. The first
   row counts: what has gone comes first. */
static const struct {
    const char *names, *needs, *hint;
} tried[] = {
    {"match", "query", "write it into the QUERY: \"ever (iqp)\""},
    {"text", "query", "the QUERY itself may be plain words: \"carlsen caruana\""},
    {"all-plies", "query", "tabiya find --all-plies lists them"},
    {"explain", "query", "tabiya find --explain shows how a query is answered"},
    {"seed", "sample", "the seed follows the number: --sample 100,7"},
    {"openings|positions", "queries", "--queries FILE takes positions and lines of moves, too"},
    {"limit|offset|sample|seed|sort", "query",
     "all games are used here; to use some, pass them on: tabiya export SOURCE --sort=-date --limit 100 | tabiya "
     "report "
     "- NAME"},
    {"since|until|year|years|before|after|from", "date", "dates are ranges: --date 2020.., --date ..2019, --date 2020"},
    {"rating|ratings|min-elo|max-elo|minelo|maxelo|min-rating", "elo",
     "ratings are ranges: --elo 2400.., --elo ..2000"},
    {"position|pos|positions", "fen", "a position is --fen FEN, or the moves to it: --opening \"1. e4 e5\""},
    {"moves|move|line", "opening", "moves are --opening \"1. e4 e5\"; the number of half-moves is \"plies ..40\""},
    {"length|ply|half-moves", "query", "the number of half-moves is the QUERY \"plies ..40\""},
    {"name|opponent|vs|against", "player", "a player is --player NAME; given twice, both have played"},
    {"winner|win|won|score", "result", "results are --result 1-0, --result 0-1, --result 1/2-1/2"},
    {"order|order-by|sort-by|desc|descending|reverse", "sort",
     "an order is --sort date, or --sort=-date for the latest first"},
    {"first|max|top|count-max|number", "limit", "for the first N games: --limit N"},
    {"last|latest", "sort", "for the latest N games: --sort=-date --limit N"},
    {"random|shuffle", "sample", "for a random choice: --sample N"},
    {"format|form|type", "to", "formats are --to FORM; try --help"},
    {"id|game|games", "query", "a game by its number is the query \"id 17\""},
};

static bool unknown_option(const command *cmd, const char *word, problem *p)
{
    const char *names[64] = {help_option.name};
    size_t n = 1;
    char prefix[NAME_MAX_LENGTH];
    char name[NAME_MAX_LENGTH + 1];
    for (size_t i = 0; cmd->options[i].name && n < 64; i++)
        if (!option_is_absent(&cmd->options[i]))
            names[n++] = cmd->options[i].name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *tag = name + strspn(name, "-"), *near = nearest_name(tag, names, n);
    const int to = find_option(cmd, "to", 2, 0);
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (find_option(cmd, tried[i].needs, strlen(tried[i].needs), 0) >= 0 && list_has(tried[i].names, '|', tag))
            return problem_set(p, PROBLEM_ASKED, "%sunknown option %s; %s", prefix_of(cmd, prefix), word,
                               tried[i].hint);
    if (to >= 0 && cmd->options[to].choices && option_has_choice(&cmd->options[to], tag))
        return problem_set(p, PROBLEM_ASKED, "%sunknown option %s; use --to %s", prefix_of(cmd, prefix), word, tag);
    /* An output format of some command. */
    if (to >= 0 && cmd->options[to].choices && option_has_choice(&cmd_find.options[OUTPUT_TO], tag))
        return problem_set(p, PROBLEM_ASKED, "%sunknown option %s; --to accepts %s", prefix_of(cmd, prefix), word,
                           option_choices(&cmd->options[to]).text);
    if (near)
        return problem_set(p, PROBLEM_ASKED, "%sunknown option %s; did you mean --%s?", prefix_of(cmd, prefix), word,
                           near);
    if (find_option(cmd, "query", 5, 0) >= 0 && *tag >= 'a' && *tag <= 'z' && strlen(tag) > 1)
        return problem_set(p, PROBLEM_ASKED,
                           "%sunknown option %s; games with a tag are the QUERY \"tag %c%s VALUE\"; try --help",
                           prefix_of(cmd, prefix), word, *tag - 'a' + 'A', tag + 1);
    return problem_set(p, PROBLEM_ASKED, "%sunknown option %s; try --help", prefix_of(cmd, prefix), word);
}

static bool check_value(const command *cmd, const option *o, const char *value, problem *p)
{
    char prefix[NAME_MAX_LENGTH];
    if (!value && (!o->value || value_is_optional(o)))
        return true;
    if (!value)
        return problem_set(p, PROBLEM_ASKED, "%soption --%s needs a value: %s", prefix_of(cmd, prefix), o->name,
                           o->choices ? option_choices(o).text : o->value);
    if (!o->value)
        return problem_set(p, PROBLEM_ASKED, "%soption --%s takes no value", prefix_of(cmd, prefix), o->name);
    return !o->choices || option_has_choice(o, value) ||
           problem_set(p, PROBLEM_ASKED, "%soption --%s must be one of %s, not \"%s\"", prefix_of(cmd, prefix), o->name,
                       option_choices(o).text, value);
}

/* The shell of Windows passes single quotes on, and takes what is between them apart. */
static bool check_quotes(const command *cmd, const char *word, problem *p)
{
    char prefix[NAME_MAX_LENGTH];
    return !word || *word != '\'' || strchr(word, ' ') || !os_needs_double_quotes() ||
           problem_set(
               p, PROBLEM_ASKED,
               "%s%s begins with a single quote, which cmd.exe takes for any other sign; use double quotes, and \\\" "
               "for one inside them",
               prefix_of(cmd, prefix), word);
}

/* ---- Words of the query as options ------------------------------------------------------------------------------- */

enum { GIVEN_TAG = GIVEN_WORD + N_QUERY_VALUES };

/* Below 0 if it is none, or the command takes no query; `text` is none, because the QUERY is that. */
static int find_word(const command *cmd, const char *name, size_t n)
{
    if (!cmd->n_shared)
        return -1;
    for (int i = N_QUERY_SHARED; i < N_QUERY_VALUES; i++)
        if (i != QUERY_TEXT && strlen(query_names[i]) == n && memcmp(query_names[i], name, n) == 0)
            return GIVEN_WORD + i;
    return n == 3 && memcmp(name, "tag", n) == 0 ? GIVEN_TAG : -1;
}

const char *option_given(const command *cmd, const given *g)
{
    return g->index < GIVEN_WORD   ? cmd->options[g->index].name
           : g->index == GIVEN_TAG ? "tag"
                                   : query_names[g->index - GIVEN_WORD];
}

/* Takes the option at argv[*i] and its value, if that is the next argument: *i becomes the index of the last one
   used. */
static bool take_option(args *a, int argc, char **argv, int *i, problem *p)
{
    const char *word = argv[*i];
    const char *value = NULL;
    int index;
    if (word[1] == '-') {
        size_t n = strcspn(word + 2, "=");
        index = find_option(a->command, word + 2, n, 0);
        index = index < 0 ? find_word(a->command, word + 2, n) : index;
        value = word[2 + n] ? word + 2 + n + 1 : NULL;
    } else {
        index = find_option(a->command, NULL, 0, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (index < 0)
        return unknown_option(a->command, word, p);
    const given taken = {index, value};
    const option condition = {option_given(a->command, &taken), 0, index == GIVEN_TAG ? "TAG=VALUE" : "VALUE", NULL,
                              NULL};
    const option *o = index < GIVEN_WORD ? &a->command->options[index] : &condition;
    if (o->value && !value && !value_is_optional(o) && *i + 1 < argc)
        value = argv[++*i];
    a->given[a->n_given++] = (given){index, value};
    return check_quotes(a->command, value, p) && check_value(a->command, o, value, p);
}

/* A word, or all files that it means. */
static bool take_word(args *a, size_t *room, char *word, problem *p)
{
    size_t n;
    char **names = os_expand(word, &n);
    if (names) {
        *room += n;
        a->words = memory_got(realloc(a->words, *room * sizeof *a->words));
    }
    for (size_t i = 0; i < n; i++)
        a->words[a->n_words++] = names[i];
    if (!names)
        a->words[a->n_words++] = word;
    free(names);
    return check_quotes(a->command, word, p);
}

bool args_parse(args *out, const command *cmd, int argc, char **argv, problem *p)
{
    bool only_words = false, is_good = true;
    size_t room = (size_t)argc;
    *out = (args){.command = cmd};
    out->words = memory_new((size_t)argc, sizeof *out->words);
    out->given = memory_new((size_t)argc, sizeof *out->given);
    for (int i = 0; is_good && i < argc; i++) {
        /* No option is a digit, but a query may start with a negative number. */
        bool is_word = only_words || argv[i][0] != '-' || !argv[i][1] || (argv[i][1] >= '0' && argv[i][1] <= '9');
        if (is_word)
            is_good = take_word(out, &room, argv[i], p);
        else if (strcmp(argv[i], "--") == 0)
            only_words = true;
        else if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0)
            out->wants_help = true;
        else
            is_good = take_option(out, argc, argv, &i, p);
    }
    return is_good;
}

void args_free(args *a)
{
    free(a->words);
    free(a->given);
}

/* A word of the query is taken where the query is. */
static bool is_taken(const given *g, uint64_t takes)
{
    return (takes & TAKES(g->index < GIVEN_WORD ? g->index : (int)QUERY_QUERY)) != 0;
}

args args_keeping(const args *a, uint64_t kept)
{
    args out = *a;
    out.given = memory_new(a->n_given, sizeof *out.given);
    out.n_given = 0;
    for (size_t i = 0; i < a->n_given; i++)
        if (is_taken(&a->given[i], kept))
            out.given[out.n_given++] = a->given[i];
    return out;
}

const char *args_value(const args *a, int index)
{
    for (size_t i = a->n_given; i-- > 0;)
        if (a->given[i].index == index)
            return a->given[i].value;
    return NULL;
}

size_t args_count(const args *a, int index)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_given; i++)
        n += a->given[i].index == index;
    return n;
}

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

enum { ACTIONS_MAX = 8 };

/* "grow, read, show or export" */
static names_text list_names(const char *const *names, size_t n)
{
    names_text out = {""};
    for (size_t i = 0, at = 0; i < n && at < sizeof out.text; i++)
        at += (size_t)snprintf(out.text + at, sizeof out.text - at, "%s%s",
                               i == 0      ? ""
                               : i + 1 < n ? ", "
                                           : " or ",
                               names[i]);
    return out;
}

void args_refuse(const args *a, uint64_t takes, const char *name, const char *what)
{
    for (size_t i = 0; i < a->n_given; i++)
        if (!is_taken(&a->given[i], takes))
            error_exit("%s %s: --%s does not apply%s", a->command->name, name, option_given(a->command, &a->given[i]),
                       what);
}

const action *action_of(const args *a, const action *actions, size_t n)
{
    const char *of = a->command->name, *names[ACTIONS_MAX] = {NULL};
    const action *what = NULL;
    for (size_t i = 0; i < n; i++) {
        names[i] = actions[i].name;
        if (a->n_words && strcmp(names[i], a->words[0]) == 0)
            what = &actions[i];
    }
    if (a->n_words == 0)
        error_exit("%s: no action given; use %s; try --help", of, list_names(names, n).text);
    const char *near = what ? NULL : nearest_name(a->words[0], names, n);
    if (near)
        error_exit("%s: unknown action \"%s\"; did you mean \"%s\"?", of, a->words[0], near);
    if (!what)
        error_exit("%s: unknown action \"%s\"; use %s", of, a->words[0], list_names(names, n).text);
    args_refuse(a, what->options, what->name, "");
    return what;
}
