/*
 * help_query.c - help on the query language: its words at a glance, and its named patterns.
 */
#include "common.h"

#include "tabiya_query.h"

/* What to write, and what it means; without a meaning, a heading. */
static const struct {
    const char *text, *meaning;
} lines[] = {
    {"Facts side by side must hold at the same ply", NULL},
    {"A or B, not A, ( A )", "one of them, not, brackets"},
    {"A for 6", "here and at the next five plies"},
    {"A , B", "A, and B right after it"},
    {"A ; B    A ;10 B", "A, and B later; at most 10 plies later"},
    {"ever A, never A, always A", "at some, no, every ply of the game"},
    {"either A", "A, or A with the colours exchanged"},
    {"mirror A, shift A", "A, or A with the files turned round; moved sideways"},
    {"Men: big letters are White's, small ones Black's", NULL},
    {"Pd4  bb4  R{7}  N{c-f4-6}", "who stands where"},
    {"[RQ]{7 8}  M{d5}  m  _f1", "a set, any white man, any black man, an empty square"},
    {"Q>=2  P=p+1  points<=-1", "counts; points: white's men less black's, 9 5 3 3 1"},
    {"KRP*vKRP*  KQ+vK", "exactly this material; + or more, * any number"},
    {"R attacks k", "one of these attacks one of those"},
    {"Moves, played from this position", NULL},
    {"N-g5  Bxh7+  Rx[bn]  M-#", "a move, a capture, a captured man, mate"},
    {"P-{8}=[RBN]  O-O  o-o-o  e.p.", "promotion, castling, en passant"},
    {"N:f3-d2-f1-g3", "one man's next moves, whatever is played between"},
    {"The position", NULL},
    {"check double-check mate stalemate", ""},
    {"wtm btm", "White, Black to move"},
    {"initial terminal ply moveno", "the first and last ply; ply ..30, moveno 10.."},
    {"castling Kq  repeats 3", "has these rights; stands for the third time"},
    {"opposite-bishops  legal=1", ""},
    {"fen \"...\"  board \"...\"", "this position; these 64 squares"},
    {"After the move that led here", NULL},
    {"eval>=1.5  clock<10", "pawns, from White's side; seconds left"},
    {"nag 14  !!  ?!  comment TEXT", ""},
    {"The game", NULL},
    {"player white black TEXT", "words of the name, large or small, accents or not"},
    {"event site round tag NAME TEXT", "\"Carl*\" the whole value, =\"...\" exactly, \"\" a missing tag"},
    {"elo white-elo black-elo any-elo", "RANGE: 2400.., ..2000, 2000..2199"},
    {"mean-elo 2400..", "the mean of both ratings, both known"},
    {"elo-diff 200..  -50..50", "White's rating minus Black's"},
    {"date 2019..2021.06  plies  id", ""},
    {"result 1-0  title GM", ""},
    {"rated  mode casual", "has the word in its event, or not"},
    {"eco B90..B99  named Najdorf", "by code, by the opening's name"},
    {"opening \"1. e4 c5\"", "by its first moves"},
    {"speed blitz  timecontrol TEXT", "ultrabullet bullet blitz rapid classical correspondence"},
    {"termination TEXT  annotated", ""},
};

void help_query(void)
{
    out_string("A query asks for games: those in which it holds at some ply. For example\n\n"
               "  either (iqp result 1-0) elo 2400..     an isolani, and its owner won\n"
               "  KRP+vKRP+ for 10                       rook endings that lasted\n"
               "  Bxh7+ , kxh7 ; N-g5+                   the Greek gift\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].meaning)
            out_printf(*lines[i].meaning ? "  %-33s%s\n" : "  %s\n", lines[i].text, lines[i].meaning);
        else
            help_heading(lines[i].text);
    out_string("\nfind, export, delete, explore, pgn and tree grow take a query; explore --match shows\n"
               "what was played where it first held. --explain shows how it is answered. Named\n"
               "patterns are words too (tabiya help patterns), and --patterns FILE adds more, a line\n"
               "each: a name, a blank, a query. docs/query.md has it all.\n");
}

void help_patterns(void)
{
    const tby_query_pattern *p;
    out_string("Names that queries may use. Structures and men are White's (either iqp is either\n"
               "side's), endings, moves and mates of either side.\n\n");
    for (size_t i = 0; (p = tby_query_pattern_at(i)); i++)
        out_printf("%s  %s\n    %s\n", p->name, p->sentence, p->query);
}
