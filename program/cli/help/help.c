/*
 * help.c - the text of --help, from the command table.
 *
 * Writes   usage, description, options, examples and exit codes, filled to 79 columns; headings are bold on a terminal.
 */
#include "commands.h"
#include "console.h"

#include <string.h>

enum { WIDTH = 79, OPTION_COLUMN = 24 };

void help_heading(const char *text) { out_printf("\n%s%s%s\n", color_code(COLOR_BOLD), text, color_code(COLOR_END)); }

/* Writes the words of `text` in lines from column `indent` to WIDTH; the cursor is at `column`. An empty line in the
   text starts a paragraph. */
static void fill(const char *text, size_t indent, size_t column)
{
    bool line_is_empty = true;
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (!line_is_empty && column + 1 + n > WIDTH) {
            out_string("\n");
            column = 0;
            line_is_empty = true;
        }
        if (column < indent) {
            out_printf("%*s", (int)(indent - column), "");
            column = indent;
        }
        out_printf("%s%.*s", line_is_empty ? "" : " ", (int)n, text);
        column += n + !line_is_empty;
        line_is_empty = false;
        text += n;
        if (strncmp(text, "\n\n", 2) == 0) {
            out_string("\n\n");
            column = 0;
            line_is_empty = true;
        }
        text += strspn(text, " \n");
    }
    out_string("\n");
}

/* "  -o, --output FILE" and, from OPTION_COLUMN on, the help. */
void help_option_line(const option *o)
{
    char left[64];
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->value && !value_is_optional(o) ? " " : "",
             o->value ? o->value : "");
    out_string(left);
    size_t column = strlen(left);
    if (column + 2 > OPTION_COLUMN) {
        out_string("\n");
        column = 0;
    }
    fill(text_with_names(o->help).text, OPTION_COLUMN, column);
}

/* Does `tabiya help query` describe it with the same words? */
static bool is_shared(const command *cmd, int index)
{
    return strcmp(cmd->options[index].help, cmd_find.options[index].help) == 0;
}

/* Lists the shared options by name only. */
static void option_lines(const command *cmd)
{
    char names[1024] = "";
    size_t n = 0;
    help_heading("Options");
    for (int i = 0; i < cmd->n_shared; i++)
        if (!is_shared(cmd, i))
            help_option_line(&cmd->options[i]);
    for (const option *o = cmd->options + cmd->n_shared; o->name; o++)
        help_option_line(o);
    help_option_line(&help_option);
    if (!cmd->n_shared)
        return;
    help_heading("Conditions, order and sample: see tabiya help query");
    for (int i = 0; i < cmd->n_shared; i++)
        if (is_shared(cmd, i))
            n += (size_t)snprintf(names + n, sizeof names - n, "%s--%s", n ? " " : "", cmd->options[i].name);
    fill(names, 2, 0);
}

static void example_lines(const example *examples)
{
    help_heading("Examples");
    for (const example *e = examples; e->line; e++) {
        out_printf("  %s\n", e->line);
        fill(e->help, 6, 0);
    }
}

static void exit_lines(const char *exits)
{
    help_heading("Exit codes");
    while (*exits) {
        size_t n = strcspn(exits, "\n");
        out_printf("  %.*s\n", (int)n, exits);
        exits += n + (exits[n] == '\n');
    }
}

static void rest_of_help(const command *cmd)
{
    option_lines(cmd);
    example_lines(cmd->examples);
    exit_lines(cmd->exits);
}

void help_command(const command *cmd)
{
    out_printf("Usage: tabiya %s [OPTION]... %s\n\n", cmd->name, cmd->words);
    fill(text_with_names(cmd->description).text, 0, 0);
    rest_of_help(cmd);
}

static void group_lines(command_group group, const command *const *all)
{
    static const char *const headings[N_GROUPS] = {
        [GROUP_LOOK] = "Look at games",      [GROUP_COLLECTION] = "Keep a collection",
        [GROUP_PGN] = "Work with PGN files", [GROUP_POSITIONS] = "Positions and notations",
        [GROUP_SERVERS] = "Servers",
    };
    help_heading(headings[group]);
    for (; *all; all++)
        if ((*all)->group == group)
            out_printf("  %-12s%s\n", (*all)->name, (*all)->summary);
}

void help_program(const command *program, const command *const *all)
{
    out_printf("Usage: tabiya %s\n\n", program->words);
    fill(program->description, 0, 0);
    for (command_group group = 0; group < N_GROUPS; group++)
        group_lines(group, all);
    rest_of_help(program);
}
