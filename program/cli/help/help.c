/*
 * help.c - the text of --help, from the command table, and help on the query language.
 *
 * Writes   usage, what the command does, three examples, details, options, other examples and exit codes, filled to 79
 *          columns; headings are bold on a terminal.
 */
#include "commands.h"
#include "console.h"
#include "tabiya_query.h"

#include <limits.h>
#include <string.h>

enum { WIDTH = 79, OPTION_COLUMN = 24 };

static void help_heading(const char *text)
{
    out_printf("\n%s%s%s\n", color_code(COLOR_BOLD), text, color_code(COLOR_END));
}

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
static void help_option_line(const option *o)
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

/* The heading before an option; "Options" before the first. */
static void option_heading_of(const command *cmd, int index, bool is_first)
{
    const char *text = is_first ? "Options" : NULL;
    for (const option_heading *h = cmd->headings; h && h->text; h++)
        if (h->index == index)
            text = h->text;
    if (text)
        help_heading(text);
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
    bool is_first = true;
    for (int i = 0; i < cmd->n_shared || cmd->options[i].name; i++) {
        if ((i < cmd->n_shared && is_shared(cmd, i)) || option_is_absent(&cmd->options[i]))
            continue;
        option_heading_of(cmd, i, is_first);
        help_option_line(&cmd->options[i]);
        is_first = false;
    }
    option_heading_of(cmd, -1, is_first);
    help_option_line(&help_option);
    if (!cmd->n_shared)
        return;
    help_heading("Conditions, order and sample: see tabiya help query");
    for (int i = 0; i < cmd->n_shared; i++)
        if (is_shared(cmd, i))
            n += (size_t)snprintf(names + n, sizeof names - n, "%s--%s", n ? " " : "", cmd->options[i].name);
    fill(names, 2, 0);
}

/* At most `most` of them; returns the next one. */
static const example *example_lines(const example *e, int most)
{
    for (; e->line && most-- > 0; e++) {
        out_printf("  %s\n", e->line);
        fill(e->help, 6, 0);
    }
    return e;
}

static void exit_lines(const char *exits)
{
    help_heading("Exit codes");
    while (*exits) {
        char line[256];
        const size_t n = strcspn(exits, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n - 3, exits + 3);
        out_printf("  %c", *exits);
        fill(line, 5, 3);
        exits += n + (exits[n] == '\n');
    }
}

void help_command(const command *cmd)
{
    enum { FIRST_EXAMPLES = 3 };
    char usage[256];
    names_text text = text_with_names(cmd->description);
    char *details = strstr(text.text, "\n\n");
    if (details)
        *details++ = '\0';
    snprintf(usage, sizeof usage, "Usage: tabiya %s [OPTION]... %s", cmd->name, cmd->words);
    fill(usage, 6, 6);
    out_string("\n");
    fill(text.text, 0, 0);
    out_string("\n");
    const example *others = example_lines(cmd->examples, FIRST_EXAMPLES);
    if (details) {
        out_string("\n");
        fill(details + strspn(details, "\n"), 0, 0);
    }
    option_lines(cmd);
    if (others->line)
        help_heading("More examples");
    example_lines(others, INT_MAX);
    exit_lines(cmd->exits);
}

static void group_lines(command_group group, const command *const *all)
{
    static const char *const headings[N_GROUPS] = {
        [GROUP_LOOK] = "Look at games",      [GROUP_COLLECTION] = "Keep a collection",
        [GROUP_PGN] = "Work with PGN files", [GROUP_POSITIONS] = "Positions and notations",
        [GROUP_SERVERS] = "Servers",
    };
    out_printf("%s%s%s\n", color_code(COLOR_BOLD), headings[group], color_code(COLOR_END));
    for (; *all; all++)
        if ((*all)->group == group)
            out_printf("  %-12s%s\n", (*all)->name, (*all)->summary);
}

void help_program(const command *program, const command *const *all)
{
    out_printf("Usage: tabiya %s\n\n", program->words);
    fill(program->description, 0, 0);
    out_string("\n");
    for (const example *e = program->examples; e->line; e++)
        out_printf("  $ %-44s%s\n", e->line, e->help);
    out_string("\n");
    for (command_group group = 0; group < N_GROUPS; group++)
        group_lines(group, all);
    help_heading("Options");
    for (const option *o = program->options; o->name; o++)
        out_printf("  --%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    out_string("  -h, --help\n");
}

/* ---- Queries ------------------------------------------------------------------------------------------------------ */

/* What to write and what it means; a line without a meaning is a heading. */
static const struct {
    const char *text, *meaning;
} lines[] = {
    {"Conditions side by side must hold at the same ply", NULL},
    {"A or B, not A, ( A )", "or, not, grouping"},
    {"A for 6", "A at this ply and the next five"},
    {"A , B", "A, and B right after it"},
    {"A ; B    A ;10 B", "A, and B later; at most 10 plies later"},
    {"ever A, never A, always A", "at some, no, every ply of the game"},
    {"either A", "A, or A with colours reversed"},
    {"mirror A, shift A", "A, or A mirrored or shifted sideways"},
    {"Pieces: capitals are White's, lower case Black's", NULL},
    {"Pd4  bb4  R{7}  N{c-f4-6}", "a piece on a square, rank, file or area"},
    {"[RQ]{7 8}  M{d5}  m  _f1", "a set, any white, any black, an empty square"},
    {"Q>=2  P=p+1  points<=-1", "counts; material, White's minus Black's"},
    {"KRP*vKRP*  KQ+vK", "this material; + or more, * any number"},
    {"R attacks k", "a white rook attacks the black king"},
    {"Moves played from this position", NULL},
    {"N-g5  Bxh7+  Rx[bn]  M-#", "a move, a capture, what is captured, mate"},
    {"P-{8}=[RBN]  O-O  o-o-o  e.p.", "promotion, castling, en passant"},
    {"N:f3-d2-f1-g3", "the next moves of one piece"},
    {"The position", NULL},
    {"check double-check mate stalemate", ""},
    {"wtm btm", "White, Black to move"},
    {"initial terminal ply moveno", "the first and last ply; ply ..30, moveno 10.."},
    {"castling Kq  repeats 3", "these rights; the third occurrence"},
    {"opposite-bishops  legal=1", ""},
    {"insufficient-material", "neither side can ever mate with its pieces"},
    {"fen \"...\"  board \"...\"", "this position; this board"},
    {"After the move that led here", NULL},
    {"eval>=1.5  clock<10", "pawns, White's view; seconds left"},
    {"nag 14  !!  ?!  comment TEXT", ""},
    {"The game", NULL},
    {"player white black TEXT", "by words of the name"},
    {"event site round tag NAME TEXT", "\"Carl*\" whole, =\"...\" exact, \"\" no such tag"},
    {"place linares", "in the event or the site"},
    {"elo white-elo black-elo any-elo", "RANGE: 2400.., ..2000, 2000..2199"},
    {"mean-elo 2400..", "the mean of both ratings, both known"},
    {"collection \"My Najdorf\"", "in a collection of the database; \"\": in none"},
    {"elo-diff 200..  -50..50", "White's rating minus Black's"},
    {"date 2019..2021.06  plies  id", ""},
    {"result 1-0", ""},
    {"title GM", "either player; white-title, black-title"},
    {"human  fischer-random", "no engine played; Variant says Chess960"},
    {"rated  mode casual", "has the word in its event, or not"},
    {"eco B90..B99  named Najdorf", "by code, by the opening's name"},
    {"opening \"1. e4 c5\"", "by its first moves"},
    {"speed blitz  timecontrol TEXT", "ultrabullet bullet rapid classical ..."},
    {"termination TEXT  annotated", ""},
};

void help_query(const command *one)
{
    out_string("A query selects the games in which it holds at some ply. For example:\n\n"
               "  either (iqp result 1-0) elo 2400..     an isolated queen's pawn that won\n"
               "  KRP+vKRP+ for 10                       rook endings of ten plies or more\n"
               "  Bxh7+ , kxh7 ; N-g5+                   the Greek gift\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].meaning)
            out_printf(*lines[i].meaning ? "  %-33s%s\n" : "  %s\n", lines[i].text, lines[i].meaning);
        else
            help_heading(lines[i].text);
    help_heading("The same as options");
    out_string("  All of them must hold, and the query too. A NAME matches by words, ignoring\n"
               "  case and accents; with an asterisk, which matches any text, it must match the\n"
               "  whole name. A RANGE is LOW..HIGH, LOW.., ..HIGH or one value.\n\n");
    for (int i = 0; i < one->n_shared; i++)
        help_option_line(&one->options[i]);
    out_string("\n  So can --board, --event, --plies, --site and --tag TAG=VALUE be written, and\n"
               "  after --fen or --board --within N: among the first N half-moves.\n");
    help_heading("Where the games are");
    out_string("  find, export, explore, report, novelty, repertoire, names, annotate, pgn and\n"
               "  rows take any number of sources: databases, servers (postgresql://...), and\n"
               "  files of games in any notation, compressed or not; - is standard input. The\n"
               "  first words that are the name of a file, a URL or - are sources, and the words\n"
               "  after them are the query. A single word that is not a file may also come\n"
               "  before them. With --query nothing has to be guessed.\n\n"
               "  --explain shows how a query is answered; explore --match shows what was played\n"
               "  where it first held. Named patterns are part of the language (tabiya help\n"
               "  patterns); --patterns FILE adds more, one per line: a name, a space and a\n"
               "  query. docs/query.md is the full reference.\n");
}

void help_patterns(void)
{
    const tby_query_pattern *p;
    out_string("Names that queries can use. Structures and pieces are White's (\"either iqp\" means\n"
               "either side's); endings, moves and mates are those of either side.\n\n");
    for (size_t i = 0; (p = tby_query_pattern_at(i)); i++)
        out_printf("%s  %s\n    %s\n", p->name, p->sentence, p->query);
}
