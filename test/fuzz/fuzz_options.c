/*
 * fuzz_options.c - any arguments for any command: they are refused with a message, or parsed; the parsed options and
 * words, written in the simplest form, are parsed the same.
 *
 * The first byte chooses the command; the arguments follow it, separated by line ends.
 */
#include "support.h"

#include "commands.h"

enum { ARGUMENTS_MAX = 64 };

static int split(char **argv, char *text)
{
    int n = 0;
    for (char *next; n < ARGUMENTS_MAX && text; text = next) {
        next = strchr(text, '\n');
        if (next)
            *next++ = '\0';
        argv[n++] = text;
    }
    return n;
}

/* --name=value or --name of an option that was given. */
static char *written(const command *cmd, const given *g)
{
    const char *name = option_given(cmd, g);
    const size_t n = strlen(name) + (g->value ? strlen(g->value) : 0) + 4;
    char *out = malloc(n);
    require(out != NULL);
    snprintf(out, n, g->value ? "--%s=%s" : "--%s", name, g->value);
    return out;
}

static void require_same_again(const args *a)
{
    char *argv[2 * ARGUMENTS_MAX + 2];
    int argc = 0;
    problem p = {0};
    args again;
    for (size_t i = 0; i < a->n_given; i++)
        argv[argc++] = written(a->command, &a->given[i]);
    argv[argc++] = strdup("--");
    for (size_t i = 0; i < a->n_words; i++)
        argv[argc++] = strdup(a->words[i]);
    require(args_parse(&again, a->command, argc, argv, &p) && !again.wants_help);
    require(again.n_given == a->n_given && again.n_words == a->n_words);
    for (size_t i = 0; i < a->n_given; i++) {
        const given *left = &a->given[i], *right = &again.given[i];
        require(left->index == right->index && !left->value == !right->value);
        require(!left->value || strcmp(left->value, right->value) == 0);
        require(args_has(&again, left->index));
    }
    for (size_t i = 0; i < a->n_words; i++)
        require(strcmp(a->words[i], again.words[i]) == 0);
    args_free(&again);
    while (argc > 0)
        free(argv[--argc]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[ARGUMENTS_MAX];
    problem p = {0};
    args a;
    if (size == 0)
        return 0;
    const command *cmd = commands[data[0] % N_COMMANDS];
    char *text = calloc(size, 1);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    const int argc = split(argv, text);
    const bool is_good = args_parse(&a, cmd, argc, argv, &p);
    require(is_good == (p.status == 0) && a.n_words + a.n_given <= (size_t)argc);
    if (is_good)
        require_same_again(&a);
    else
        require(strncmp(p.text, cmd->name, strlen(cmd->name)) == 0 && strstr(p.text, ": "));
    args_free(&a);
    free(text);
    return 0;
}
