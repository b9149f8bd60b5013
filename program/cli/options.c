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
#include "output_options.h"

#include <stdlib.h>
#include <string.h>

const option help_option = {"help", 'h', NULL, NULL, "show help"};

/* ---- Near names ------------------------------------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

enum { NAME_MAX_LENGTH = 32 };

/* The number of letters to insert, delete or replace; two swapped letters count as one (optimal string alignment). */
static size_t name_distance(const char *a, const char *b)
{
    size_t d[NAME_MAX_LENGTH + 1][NAME_MAX_LENGTH + 1]; /* between the first i letters and the first j */
    const size_t n_a = strlen(a), n_b = strlen(b);
    if (n_a > NAME_MAX_LENGTH || n_b > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    for (size_t i = 0; i <= n_a; i++)
        for (size_t j = 0; j <= n_b; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = smaller(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), smaller(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n_a][n_b];
}

const char *nearest_name(const char *word, const char *const *names, size_t n_names)
{
    /* Two typos in a long word, one in a short one: --site is not close to --date. */
    size_t best = strlen(word) > 4 ? 3 : 2;
    const char *nearest = NULL;
    for (size_t i = 0; i < n_names; i++) {
        bool begins = strlen(word) > 1 && strncmp(names[i], word, strlen(word)) == 0;
        size_t distance = begins ? 1 : name_distance(word, names[i]);
        if (distance < best) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

/* ---- Parsing ---------------------------------------------------------------------------------------------------- */

static int find_name(const command *cmd, const char *name, size_t n)
{
    for (int i = 0; cmd->options[i].name; i++)
        if (strlen(cmd->options[i].name) == n && memcmp(cmd->options[i].name, name, n) == 0)
            return i;
    return -1;
}

static int find_letter(const command *cmd, char letter)
{
    for (int i = 0; cmd->options[i].name; i++)
        if (cmd->options[i].letter == letter)
            return i;
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

bool option_has_choice(const option *o, const char *value)
{
    const names_text choices = option_choices(o);
    const size_t n = strlen(value);
    for (const char *c = choices.text; *c; c += *c == '|') {
        const size_t length = strcspn(c, "|");
        if (length == n && memcmp(c, value, n) == 0)
            return true;
        c += length;
    }
    return false;
}

/* The command's option --to, if `name` is an output format of some command; else NULL. */
static const option *to_option(const command *cmd, const char *name)
{
    const int to = find_name(cmd, "to", 2);
    return to >= 0 && cmd->options[to].choices && option_has_choice(&cmd_find.options[OUTPUT_TO], name)
               ? &cmd->options[to]
               : NULL;
}

static bool unknown_option(const command *cmd, const char *word, problem *p)
{
    const char *names[64] = {help_option.name};
    size_t n = 1;
    char prefix[NAME_MAX_LENGTH];
    char name[NAME_MAX_LENGTH + 1];
    for (size_t i = 0; cmd->options[i].name && n < 64; i++)
        names[n++] = cmd->options[i].name;
    snprintf(name, sizeof name, "%.*s", (int)smaller(strcspn(word, "="), NAME_MAX_LENGTH), word);
    const char *tag = name + strspn(name, "-"), *near = nearest_name(tag, names, n);
    const option *to = to_option(cmd, tag);
    if (to)
        return problem_tell(p, PROBLEM_ASKED, "%sunknown option %s; --to accepts %s", prefix_of(cmd, prefix), word,
                            option_choices(to).text);
    if (near)
        return problem_tell(p, PROBLEM_ASKED, "%sunknown option %s; did you mean --%s?", prefix_of(cmd, prefix), word,
                            near);
    if (find_name(cmd, "tag", 3) >= 0 && *tag >= 'a' && *tag <= 'z' && strlen(tag) > 1)
        return problem_tell(p, PROBLEM_ASKED,
                            "%sunknown option %s; to select games by a tag, use --tag %c%s=VALUE; try --help",
                            prefix_of(cmd, prefix), word, *tag - 'a' + 'A', tag + 1);
    return problem_tell(p, PROBLEM_ASKED, "%sunknown option %s; try --help", prefix_of(cmd, prefix), word);
}

static bool check_value(const command *cmd, const option *o, const char *value, problem *p)
{
    char prefix[NAME_MAX_LENGTH];
    if (!value && (!o->value || value_is_optional(o)))
        return true;
    if (!value)
        return problem_tell(p, PROBLEM_ASKED, "%soption --%s needs a value: %s", prefix_of(cmd, prefix), o->name,
                            o->choices ? option_choices(o).text : o->value);
    if (!o->value)
        return problem_tell(p, PROBLEM_ASKED, "%soption --%s takes no value", prefix_of(cmd, prefix), o->name);
    return !o->choices || option_has_choice(o, value) ||
           problem_tell(p, PROBLEM_ASKED, "%soption --%s must be one of %s, not \"%s\"", prefix_of(cmd, prefix),
                        o->name, option_choices(o).text, value);
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
        index = find_name(a->command, word + 2, n);
        value = word[2 + n] ? word + 2 + n + 1 : NULL;
    } else {
        index = find_letter(a->command, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (index < 0)
        return unknown_option(a->command, word, p);
    const option *o = &a->command->options[index];
    if (o->value && !value && !value_is_optional(o) && *i + 1 < argc)
        value = argv[++*i];
    a->given[a->n_given++] = (given){index, value};
    return check_value(a->command, o, value, p);
}

static bool is_help(const char *word) { return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0; }

bool args_parse(args *out, const command *cmd, int argc, char **argv, problem *p)
{
    bool only_words = false, is_good = true;
    *out = (args){.command = cmd};
    out->words = memory_new((size_t)argc, sizeof *out->words);
    out->given = memory_new((size_t)argc, sizeof *out->given);
    for (int i = 0; is_good && i < argc; i++) {
        /* No option is a digit, but a query may start with a negative number. */
        bool is_word = only_words || argv[i][0] != '-' || !argv[i][1] || (argv[i][1] >= '0' && argv[i][1] <= '9');
        if (is_word)
            out->words[out->n_words++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            only_words = true;
        else if (is_help(argv[i]))
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

void args_drop(args *a, int index)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].index != index)
            a->given[n++] = a->given[i];
    a->n_given = n;
}

const char *args_value(const args *a, int index)
{
    for (size_t i = a->n_given; i-- > 0;)
        if (a->given[i].index == index)
            return a->given[i].value;
    return NULL;
}

bool args_has(const args *a, int index)
{
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].index == index)
            return true;
    return false;
}

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

enum { LIST_SIZE = 128, ACTIONS_MAX = 8 };

/* "grow, read, show or export" */
static void list_names(char out[LIST_SIZE], const action *actions, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n && at < LIST_SIZE; i++)
        at += (size_t)snprintf(out + at, LIST_SIZE - at, "%s%s",
                               i == 0      ? ""
                               : i + 1 < n ? ", "
                                           : " or ",
                               actions[i].name);
}

static const action *find_action(const args *a, const action *actions, size_t n)
{
    const char *name = a->words[0], *of = a->command->name, *names[ACTIONS_MAX] = {NULL};
    char list[LIST_SIZE];
    for (size_t i = 0; i < n; i++) {
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
        names[i] = actions[i].name;
    }
    const char *near = nearest_name(name, names, n);
    if (near)
        error_exit("%s: unknown action \"%s\"; did you mean \"%s\"?", of, name, near);
    list_names(list, actions, n);
    error_exit("%s: unknown action \"%s\"; use %s", of, name, list);
}

const action *action_of(const args *a, const action *actions, size_t n)
{
    char list[LIST_SIZE];
    if (a->n_words == 0) {
        list_names(list, actions, n);
        error_exit("%s: no action given; use %s; try --help", a->command->name, list);
    }
    const action *what = find_action(a, actions, n);
    for (size_t i = 0; i < a->n_given; i++)
        if (!(what->options & TAKES(a->given[i].index)))
            error_exit("%s %s: --%s does not apply", a->command->name, what->name,
                       a->command->options[a->given[i].index].name);
    return what;
}
