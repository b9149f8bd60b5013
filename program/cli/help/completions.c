/*
 * completions.c - shell completions, from the command table.
 *
 * Writes   a script for bash, zsh or fish. Each offers the commands, then the options of the command given, then the
 *          listed values of an option; a value called FILE completes to files.
 */
#include "console.h"

#include <string.h>

/* Are the command's arguments files rather than a FEN? */
static bool takes_files(const command *cmd)
{
    return strstr(cmd->words, "FILE") || strstr(cmd->words, "SOURCE") || strstr(cmd->words, "INPUT") ||
           strstr(cmd->words, "DIR") || strncmp(cmd->words, "DB", 2) == 0;
}

/* ---- bash ------------------------------------------------------------------------------------------------------- */

static void bash_options(const option *options)
{
    for (; options->name; options++) {
        if (option_is_absent(options))
            continue;
        out_printf(" --%s", options->name);
        if (options->letter)
            out_printf(" -%c", options->letter);
    }
    out_string(" --help -h");
}

static void words_of_choices(const char *choices)
{
    for (; *choices; choices++)
        out_bytes(*choices == '|' ? " " : choices, 1);
}

/* "    perft:--to) ... ;;" for each option that takes a value. */
static void bash_values(const char *name, const option *options)
{
    for (; options->name; options++) {
        if (option_is_absent(options) || !options->value || value_is_optional(options))
            continue;
        out_printf("        %s:--%s", name, options->name);
        if (options->letter)
            out_printf(" | %s:-%c", name, options->letter);
        out_string(") ");
        if (options->choices) {
            out_string("COMPREPLY=($(compgen -W \"");
            words_of_choices(option_choices(options).text);
            out_string("\" -- \"$word\")); ");
        } else if (strcmp(options->value, "FILE") == 0) {
            out_string("COMPREPLY=($(compgen -f -- \"$word\")); ");
        }
        out_string("return ;;\n");
    }
}

static void bash_write(const command *program, const command *const *commands)
{
    out_string("# bash completion for tabiya\n"
               "_tabiya() {\n"
               "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= names= files=\n"
               "    if ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi\n"
               "    COMPREPLY=()\n"
               "    case $command:$before in\n");
    bash_values("*", program->options);
    for (const command *const *c = commands; *c; c++)
        bash_values((*c)->name, (*c)->options);
    out_string("    esac\n"
               "    case $command in\n"
               "        '') names=\"");
    for (const command *const *c = commands; *c; c++)
        out_printf("%s ", (*c)->name);
    out_string("help");
    bash_options(program->options);
    out_string("\" ;;\n");
    for (const command *const *c = commands; *c; c++) {
        out_printf("        %s) %s", (*c)->name, takes_files(*c) ? "files=1 names=\"" : "names=\"startpos");
        bash_options((*c)->options);
        out_string("\" ;;\n");
    }
    out_string("    esac\n"
               "    COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
               "    if [[ $files ]]; then COMPREPLY+=($(compgen -f -- \"$word\")); fi\n"
               "}\n"
               "complete -F _tabiya tabiya\n");
}

/* ---- zsh -------------------------------------------------------------------------------------------------------- */

/* Help texts contain no quotes, but may contain brackets and colons, which are special in _arguments. */
static void zsh_text(const char *s)
{
    for (; *s; s++) {
        if (strchr("[]:\\", *s))
            out_string("\\");
        if (*s == '\'')
            out_string("'\\''");
        else
            out_bytes(s, 1);
    }
}

static void zsh_value(const option *o)
{
    out_printf("%s:%s:", value_is_optional(o) ? ":" : "", value_is_optional(o) ? "value" : o->value);
    if (o->choices) {
        out_string("(");
        words_of_choices(option_choices(o).text);
        out_string(")");
    } else if (strcmp(o->value, "FILE") == 0) {
        out_string("_files");
    }
}

static void zsh_option(const option *o, const char *dashes, const char *name)
{
    out_printf(" \\\n            '*%s%s%s[", dashes, name,
               !o->value || !dashes[1] ? ""
               : value_is_optional(o)  ? "=-"
                                       : "=");
    zsh_text(text_with_names(o->help).text);
    out_string("]");
    if (o->value)
        zsh_value(o);
    out_string("'");
}

static void zsh_options(const option *options)
{
    for (; options->name; options++) {
        if (option_is_absent(options))
            continue;
        char letter[2] = {options->letter, '\0'};
        zsh_option(options, "--", options->name);
        if (options->letter)
            zsh_option(options, "-", letter);
    }
    out_string(" \\\n            '(-)'{-h,--help}'[show help]'");
}

static void zsh_write(const command *program, const command *const *commands)
{
    out_string("#compdef tabiya\n"
               "_tabiya() {\n"
               "    local -a commands\n"
               "    commands=(");
    for (const command *const *c = commands; *c; c++) {
        out_printf("\n        '%s:", (*c)->name);
        zsh_text((*c)->summary);
        out_string("'");
    }
    out_string(")\n"
               "    if ((CURRENT == 2)); then\n"
               "        [[ $words[2] != -* ]] && _describe command commands\n"
               "        _arguments -S");
    zsh_options(program->options);
    out_string("\n        return\n"
               "    fi\n"
               "    local name=$words[2]\n"
               "    shift words\n"
               "    ((CURRENT--))\n"
               "    case $name in\n");
    for (const command *const *c = commands; *c; c++) {
        out_printf("        %s) _arguments -S", (*c)->name);
        zsh_options((*c)->options);
        out_printf(" \\\n            '*:%s' ;;\n", takes_files(*c) ? "FILE:_files" : "FEN:(startpos)");
    }
    out_string("    esac\n"
               "}\n"
               "_tabiya \"$@\"\n");
}

/* ---- fish ------------------------------------------------------------------------------------------------------- */

static void fish_text(const char *s)
{
    out_string("'");
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            out_string("\\");
        out_bytes(s, 1);
    }
    out_string("'");
}

static void fish_options(const char *condition, const char *name, const option *options)
{
    for (; options->name; options++) {
        if (option_is_absent(options))
            continue;
        out_printf("complete -c tabiya -n '%s%s' -l %s", condition, name, options->name);
        if (options->letter)
            out_printf(" -s %c", options->letter);
        if (options->value && !value_is_optional(options))
            out_string(strcmp(options->value, "FILE") == 0 ? " -r -F" : " -x");
        if (options->choices && !value_is_optional(options)) {
            out_string(" -a '");
            words_of_choices(option_choices(options).text);
            out_string("'");
        }
        out_string(" -d ");
        fish_text(text_with_names(options->help).text);
        out_string("\n");
    }
}

static void fish_write(const command *program, const command *const *commands)
{
    out_string("# fish completion for tabiya\n"
               "complete -c tabiya -f\n"
               "complete -c tabiya -s h -l help -d 'show help'\n");
    fish_options("__fish_use_subcommand", "", program->options);
    for (; *commands; commands++) {
        out_printf("complete -c tabiya -n __fish_use_subcommand -a %s -d ", (*commands)->name);
        fish_text((*commands)->summary);
        out_string("\n");
        if (takes_files(*commands))
            out_printf("complete -c tabiya -n '__fish_seen_subcommand_from %s' -F\n", (*commands)->name);
        fish_options("__fish_seen_subcommand_from ", (*commands)->name, (*commands)->options);
    }
}

void completions_write(const char *shell, const command *program, const command *const *commands)
{
    static const struct {
        const char *shell;
        void (*write)(const command *program, const command *const *commands);
    } writers[] = {{"bash", bash_write}, {"zsh", zsh_write}, {"fish", fish_write}};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(shell, writers[i].shell) == 0)
            writers[i].write(program, commands);
}
