/*
 * help_query.c - help on the query language: a summary, and the named patterns.
 */
#include "console.h"

#include "tabiya_query.h"

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
    {"collection \"My Najdorf\"", "in a collection of the database (tabiya help collection); \"\": in none"},
    {"elo-diff 200..  -50..50", "White's rating minus Black's"},
    {"date 2019..2021.06  plies  id", ""},
    {"result 1-0  title GM", ""},
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
