/*
 * query_options.h - which games of a database, as the options of find, export and delete.
 *
 * A command's table of options begins with QUERY_OPTIONS, its own options are numbered from N_QUERY_OPTIONS on.
 */
#ifndef TABIYA_CLI_QUERY_OPTIONS_H
#define TABIYA_CLI_QUERY_OPTIONS_H

#include "database.h"
#include "parallel.h"
#include "patterns.h"
#include "query.h"

enum { N_QUERY_OPTIONS = N_QUERY_VALUES };

#define QUERY_OPTIONS                                                                                                  \
    [QUERY_BLACK] = {"black", 0, "NAME", NULL, "games played by NAME as Black"},                                       \
    [QUERY_BOARD] = {"board", 0, "PLACEMENT", NULL,                                                                    \
                     "games with this placement of pieces, whoever is to move: the first field of a FEN"},             \
    [QUERY_CHESS960] = OPTION_CHESS960,                                                                                \
    [QUERY_DATE] = {"date", 0, "RANGE", NULL, "games from these days, months or years: 2019, 2019.06.., 2019..2021"},  \
    [QUERY_ECO] = {"eco", 0, "CODE", NULL, "games with this opening code: B90, B9*, B90..B99"},                        \
    [QUERY_ELO] = {"elo", 0, "RANGE", NULL,                                                                            \
                   "games in which both players' ratings are in this range: 2400.., 2000..2199"},                      \
    [QUERY_EVENT] = {"event", 0, "NAME", NULL, "games of this event"},                                                 \
    [QUERY_FEN] = {"fen", 0, "FEN", NULL,                                                                              \
                   "games that reach this position: same board, side to move, castling rights, and en passant square " \
                   "if a capture is legal"},                                                                           \
    [QUERY_LIMIT] = {"limit", 0, "N", NULL, "use at most N games"},                                                    \
    [QUERY_OFFSET] = {"offset", 0, "N", NULL, "skip the first N games"},                                               \
    [QUERY_OPENING] =                                                                                                  \
        {"opening", 0, "MOVES", NULL,                                                                                  \
         "games that begin with these moves, or whose opening has this name: \"1. e4 c5 2. Nf3\", e2e4, Najdorf"},     \
    [QUERY_PATTERNS] = OPTION_PATTERNS, [QUERY_PLAYER] = {"player", 0, "NAME", NULL, "games played by NAME"},          \
    [QUERY_PLIES] = {"plies", 0, "RANGE", NULL, "games of this many half-moves: 40.., ..20"},                          \
    [QUERY_QUERY] = {"query", 0, "QUERY", NULL, "games that match QUERY: \"greek-gift\", \"KRP+vKRP+ for 10\""},       \
    [QUERY_RESULT] = {"result", 0, "RESULT", NULL, "games with this result: 1-0, 0-1, 1/2-1/2 or *"},                  \
    [QUERY_SITE] = {"site", 0, "NAME", NULL, "games played at this site"},                                             \
    [QUERY_TEXT] = {"text", 0, "TEXT", NULL,                                                                           \
                    "games meant by what you would type into a search field: a query, a player in any spelling "       \
                    "(\"Magnus Carlsen\" also finds Carlsen,M), or two players (\"carlsen caruana\")"},                \
    [QUERY_THREADS] = OPTION_THREADS,                                                                                  \
    [QUERY_WHERE] = {"where", 0, "SQL", NULL,                                                                          \
                     "games that match an SQL condition on the view games: \"white_elo - black_elo > 300\", or with "  \
                     "the extension's functions: \"isCheckmate(game)\""},                                              \
    [QUERY_WHITE] = {"white", 0, "NAME", NULL, "games played by NAME as White"},                                       \
    [QUERY_WITHIN] = {"within", 0, "N", NULL, "with --fen or --board: search only the first N half-moves"}

/* A paragraph about the values, for --help. */
#define QUERY_HELP                                                                                                     \
    "All conditions must hold. Each is a short form of the query language (docs/query.md), which QUERY can use in "    \
    "full. NAME matches by words, ignoring case and accents. In NAME and CODE an asterisk matches any text, and then " \
    "the whole value must match. A RANGE is LOW..HIGH, LOW.., ..HIGH or one value. A date with unknown parts matches " \
    "a range if it could be in it."

/* Words after the first `n_words` are a query; `match` is that of explore, or NULL. A value that makes no sense ends
   the program. */
void query_of_options(query *q, const args *a, size_t n_words, const char *match, tby_db *db);
/* Prints how the games would be found, or explored in `pos` if it is not NULL, and frees the query and the database:
   the exit code. */
int query_explain(query *q, const args *a, tby_db *db, const tby_position *pos);

#endif
