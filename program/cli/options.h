/*
 * options.h - the command table: one description of every command, from which come parsing, --help, the man page and
 * the shell completions.
 *
 * A command file fills one `command`: its options in an array indexed by its own enum, ended by an entry without a
 * name. There are no options besides those in the table.
 */
#ifndef TABIYA_CLI_OPTIONS_H
#define TABIYA_CLI_OPTIONS_H

#include "problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct option {
    const char *name;    /* "threads", without dashes; NULL ends the table; empty: see OPTION_ABSENT */
    char letter;         /* 'o' for -o; 0 = none */
    const char *value;   /* what the value is called, "N"; "[=N]" = it may be left out; NULL = takes none */
    const char *choices; /* "on|off": the values allowed, with the words of options.c for names; NULL = any */
    const char *help;
} option;

/* An option that other commands have at this place of a shared table, and this one has not. */
#define OPTION_ABSENT "", 0, NULL, NULL, ""
static inline bool option_is_absent(const option *o) { return !*o->name; }

/* A text made from the registry. */
typedef struct names_text {
    char text[4096];
} names_text;
/* The choices of an option that has some, "on|off". */
names_text option_choices(const option *o);
bool option_has_choice(const option *o, const char *value);
/* A help or description with the names of the registry for @positions, @games and the like: see options.c. */
names_text text_with_names(const char *text);

typedef struct example {
    const char *line; /* NULL ends the list */
    const char *help;
} example;

/* A heading before an option in --help. */
typedef struct option_heading {
    int index;
    const char *text; /* NULL ends the list */
} option_heading;

/* An optional value is only accepted after an = sign. */
static inline bool value_is_optional(const option *o) { return o->value && o->value[0] == '['; }

/* The only option that every command has without listing it. */
extern const option help_option;

struct args;

/* Groups of commands: the order and headings of the list in `tabiya --help`. */
typedef enum command_group {
    GROUP_LOOK,
    GROUP_COLLECTION,
    GROUP_PGN,
    GROUP_POSITIONS,
    GROUP_SERVERS,
    N_GROUPS,
} command_group;

typedef struct command {
    const char *name;
    command_group group;
    const char *words;   /* "DEPTH [FEN]" */
    const char *summary; /* five to eight words, no full stop */
    const char
        *description;  /* paragraphs separated by an empty line; lines are filled again; examples follow the first */
    const char *exits; /* what 0, 1 and 2 mean here, one line each */
    const option *options;
    int n_shared; /* the first ones are those of query_options.h, which `tabiya help query` describes */
    const option_heading *headings; /* NULL: none */
    const example *examples;        /* what most people do comes first */
    int (*run)(const struct args *args);
} command;

/* An option on the command line. */
typedef struct given {
    int index; /* in the command's table, or GIVEN_WORD and more */
    const char *value;
} given;

typedef struct args {
    const command *command;
    const char **words; /* what is not an option */
    size_t n_words;
    given *given; /* in the order of the command line */
    size_t n_given;
    bool wants_help;
} args;

/* Parses the arguments after the command's name. Returns false after a mistake, which `p` describes. `out` must be
   freed either way. */
bool args_parse(args *out, const command *cmd, int argc, char **argv, problem *p);
void args_free(args *a);
/* Every command that takes a QUERY takes some of its words as options too, without a row in the table: those that are
   parameters of the server (query_names), and `tag`. `index` says which, counted from GIVEN_WORD. */
enum { GIVEN_WORD = 1000 };
/* An option as it is written, without dashes. */
const char *option_given(const command *cmd, const given *g);

/* How often an option is given. */
size_t args_count(const args *a, int index);
static inline bool args_has(const args *a, int index) { return args_count(a, index) > 0; }
/* The value given last; NULL if none. */
const char *args_value(const args *a, int index);

/* The same words, but only those options whose bits are set in `kept`: see TAKES. The array `given` must be freed. */
args args_keeping(const args *a, uint64_t kept);

/* The name in `names` most similar to `word`, or NULL if none is similar enough. */
const char *nearest_name(const char *word, const char *const *names, size_t n_names);

/* ---- Commands with several actions, named by their first word: tabiya tree grow, tabiya cluster add --------------- */

typedef struct action {
    const char *name;
    int (*run)(const args *a);
    uint64_t options; /* a bit for each that it takes */
} action;

#define TAKES(index) (1ULL << (index))

/* Ends the program if an option is given that an action does not take, or not for something: " to a DIR". */
void args_refuse(const args *a, uint64_t takes, const char *name, const char *what);
/* Finds the action named by the first word. A missing or unknown action, or an option that it does not take, ends the
   program. */
const action *action_of(const args *a, const action *actions, size_t n);

/* Writers over the whole table; `program` is the entry for tabiya itself, `commands` ends with a NULL. */
void help_program(const command *program, const command *const *commands);
void help_command(const command *cmd);
/* The query language and the options that commands share, those of one of them. */
void help_query(const command *one);
void help_patterns(void);
void man_write(const command *program, const command *const *commands);
void completions_write(const char *shell, const command *program, const command *const *commands);

#endif
