/*
 * main.c - the command line program: finds the command and runs it.
 */
#include "click.h"
#include "commands.h"
#include "console.h"
#include "os/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_COLOR, OPT_COMPLETIONS, OPT_MAN, OPT_VERSION };

static const option program_options[] = {
    [OPT_COLOR] = {"color", 0, "WHEN", "auto|always|never",
                   "colour headings and errors, also after a command (default: auto, on a terminal unless "
                   "NO_COLOR is set)"},
    [OPT_COMPLETIONS] = {"completions", 0, "SHELL", "bash|zsh|fish", "print a completion script for bash, zsh or fish"},
    [OPT_MAN] = {"man", 0, NULL, NULL, "print the man page in troff format"},
    [OPT_VERSION] = {"version", 0, NULL, NULL, "print the version"},
    {0},
};

static const example program_examples[] = {
    {"tabiya import games.db games.pgn", "Stores the games of a file."},
    {"tabiya explore games.db 1. e4 c5", "Shows what was played next."},
    {"tabiya find games.db 'player morphy mate'", "Finds games by a query."},
    {"tabiya serve --open games.db", "Shows them on a board."},
    {"tabiya help find", "Explains a command."},
    {"tabiya help query", "Explains queries."},
    {0},
};

static const command program = {
    .name = "tabiya",
    .words = "COMMAND [OPTION]... [ARGUMENT]...",
    .summary = "find, check and convert chess games and positions",
    .description =
        "Chess games and positions as data: finds games among millions by position, moves, players and patterns, shows "
        "what was played and how it scored, edits PGN files, converts notations, knows the rules.",
    .exits = "0  yes, or done\n1  the answer is no\n2  something failed: wrong usage, unreadable input, full disk",
    .options = program_options,
    .examples = program_examples,
};

static const command *find_command(const char *name)
{
    const char *names[N_COMMANDS + 1] = {"help"};
    if (strcmp(name, "shard") == 0) /* its name up to 1.1 */
        error_exit("unknown command \"shard\"; it is called cluster now");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        names[i + 1] = commands[i]->name;
    }
    const char *near = nearest_name(name, names, N_COMMANDS + 1);
    if (near)
        error_exit("unknown command \"%s\"; did you mean \"%s\"?", name, near);
    error_exit("unknown command \"%s\"; try --help", name);
}

static int run_program(const args *a)
{
    if (a->wants_help)
        help_program(&program, commands);
    else if (args_has(a, OPT_VERSION))
        out_printf("tabiya %s\n", tby_version());
    else if (args_has(a, OPT_MAN))
        man_write(&program, commands);
    else if (args_has(a, OPT_COMPLETIONS))
        completions_write(args_value(a, OPT_COMPLETIONS), &program, commands);
    else if (out_is_terminal())
        help_program(&program, commands);
    else
        error_exit("no command given; try --help");
    return EXIT_YES;
}

static int run_help(int argc, char **argv)
{
    page_output();
    if (argc > 0 && strcmp(argv[0], "query") == 0)
        help_query(&cmd_find);
    else if (argc > 0 && strcmp(argv[0], "patterns") == 0)
        help_patterns();
    else if (argc > 0)
        help_command(find_command(argv[0]));
    else
        help_program(&program, commands);
    return EXIT_YES;
}

/* --color WHEN applies to every command: it is removed wherever it is, up to a --. Returns the number of remaining
   words. */
static int take_color(int argc, char **argv)
{
    static const char *const modes[] = {[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
    int n = 0;
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        only_words |= strcmp(argv[i], "--") == 0;
        const bool is_apart = strcmp(argv[i], "--color") == 0;
        if (only_words || (!is_apart && strncmp(argv[i], "--color=", 8) != 0)) {
            argv[n++] = argv[i];
            continue;
        }
        const char *value = !is_apart ? argv[i] + 8 : i + 1 < argc ? argv[++i] : "";
        size_t mode = 0;
        while (mode < 3 && strcmp(value, modes[mode]) != 0)
            mode++;
        if (mode == 3)
            error_exit("option --color must be one of auto|always|never, not \"%s\"%s", value,
                       strcmp(value, "white") == 0 || strcmp(value, "black") == 0
                           ? "; a player's colour is --white or --black"
                           : "");
        color_set((color_mode)mode);
    }
    return n;
}

static int program_run(int argc, char **argv)
{
    argc = take_color(argc, argv);
    if (argc > 0 && strcmp(argv[0], "help") == 0)
        return run_help(argc - 1, argv + 1);
    const bool has_command = argc > 0 && argv[0][0] != '-';
    const command *cmd = has_command ? find_command(argv[0]) : &program;
    problem p = {0};
    args a;
    args_parse(&a, cmd, argc - has_command, argv + has_command, &p);
    problem_exit(&p);
    int code = EXIT_YES;
    if (a.wants_help)
        page_output();
    if (!has_command)
        code = run_program(&a);
    else if (a.wants_help)
        help_command(cmd);
    else
        code = cmd->run(&a);
    args_free(&a);
    return code;
}

/* Pipes and files get a buffer of 64 KB, since stdio's own of 4 KB takes a system call or two for each game. A terminal
   keeps its lines. */
static void widen_output(void)
{
    static char room[1 << 16];
    if (!os_is_terminal(stdout))
        setvbuf(stdout, room, _IOFBF, sizeof room);
}

/* A double click, or files that are dropped on the program. */
static int program_click(int argc, char **argv)
{
    char **words = click_words(&argc, argv, program_run);
    const int code = program_run(argc, words ? words : argv);
    if (code == EXIT_YES)
        click_done();
    free(words);
    return code;
}

int main(int argc, char **argv)
{
    if (!os_begin(&argc, &argv))
        _Exit(EXIT_FAILED);
    widen_output();
    exit_note((os_owns_console() ? program_click : program_run)(argc > 0 ? argc - 1 : 0, argv + 1));
    out_close();
    return exit_code();
}
