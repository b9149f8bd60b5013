/*
 * man.c - the man page, from the command table.
 *
 * Writes   troff with the man macros. There is no date, so that the same source always produces the same page.
 * Keeps    backslashes, dashes, quotes, and a dot at the start of a line as they are.
 */
#include "console.h"

static void troff_char(char c)
{
    if (c == '\\')
        out_string("\\e");
    else if (c == '-')
        out_string("\\-");
    else if (c == '\'')
        out_string("\\(aq");
    else if (c == '`')
        out_string("\\(ga");
    else
        out_bytes(&c, 1);
}

/* Writes text on separate lines; an empty line becomes a paragraph break. */
static void troff_text(const char *s)
{
    bool line_starts = true;
    for (; *s; s++) {
        if (s[0] == '\n' && s[1] == '\n') {
            out_string("\n.PP");
            continue;
        }
        if (line_starts && *s == '.')
            out_string("\\&");
        troff_char(*s);
        line_starts = *s == '\n';
    }
    out_string("\n");
}

static void option_entry(const option *o)
{
    out_string(".TP\n");
    if (o->letter)
        out_printf("\\fB\\-%c\\fR, ", o->letter);
    out_string("\\fB\\-\\-");
    for (const char *s = o->name; *s; s++)
        troff_char(*s);
    out_string("\\fR");
    if (o->value)
        out_printf("%s\\fI%s\\fR", value_is_optional(o) ? "" : " ", o->value);
    out_string("\n");
    troff_text(text_with_names(o->help).text);
}

static void option_entries(const option *options)
{
    for (; options->name; options++)
        option_entry(options);
}

static void example_entries(const example *examples)
{
    for (; examples->line; examples++) {
        out_string(".PP\n");
        troff_text(examples->help);
        out_string(".RS 4\n.nf\n");
        troff_text(examples->line);
        out_string(".fi\n.RE\n");
    }
}

static void exit_entries(const char *exits)
{
    out_string(".PP\nExit codes:\n.nf\n");
    troff_text(exits);
    out_string(".fi\n");
}

static void command_section(const command *cmd)
{
    out_printf(".SS %s\n", cmd->name);
    out_printf("\\fBtabiya %s\\fR [\\fIOPTION\\fR]... ", cmd->name);
    troff_text(cmd->words);
    out_string(".PP\n");
    troff_text(text_with_names(cmd->description).text);
    option_entries(cmd->options + cmd->n_shared);
    if (cmd->n_shared)
        out_string(".PP\nThe options under CONDITIONS.\n");
    example_entries(cmd->examples);
    exit_entries(cmd->exits);
}

void man_write(const command *program, const command *const *commands)
{
    out_printf(".TH TABIYA 1 \"\" \"tabiya %s\" \"User Commands\"\n", tby_version());
    out_string(".SH NAME\n");
    out_printf("tabiya \\- %s\n", program->summary);
    out_string(".SH SYNOPSIS\n\\fBtabiya\\fR ");
    troff_text(program->words);
    out_string(".SH DESCRIPTION\n");
    troff_text(program->description);
    out_string(".SH OPTIONS\n");
    option_entries(program->options);
    option_entry(&help_option);
    out_string(".SH COMMANDS\n");
    const command *one = NULL; /* the first of those that share options */
    for (; *commands; commands++) {
        command_section(*commands);
        one = (*commands)->n_shared ? *commands : one;
    }
    out_string(".SH CONDITIONS\nOptions of all commands that look at games; `tabiya help query` explains queries.\n");
    for (int i = 0; one && i < one->n_shared; i++)
        option_entry(&one->options[i]);
    out_string(".SH EXIT STATUS\n.nf\n");
    troff_text(program->exits);
    out_string(".fi\n.SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\n");
    out_string("If set, output is never coloured. Otherwise colour is used only on a terminal.\n");
}
