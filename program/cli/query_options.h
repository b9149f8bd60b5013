/*
 * query_options.h - the options that commands for games share: which games, in which order, and the output.
 *
 * A command's table of options begins with QUERY_OPTIONS, its own options are numbered from N_QUERY_OPTIONS on, and its
 * `n_shared` is N_QUERY_OPTIONS: then its help refers to `tabiya help query`, which describes them once.
 */
#ifndef TABIYA_CLI_QUERY_OPTIONS_H
#define TABIYA_CLI_QUERY_OPTIONS_H

#include "job.h"
#include "query.h"
#include "sources.h"
#include "tables.h"

/* These come after those that the server has too. */
enum { QUERY_SAMPLE = N_QUERY_SHARED, QUERY_SORT, N_QUERY_OPTIONS };

#define OPTION_EXPLAIN                                                                                                 \
    "explain", 0, NULL, NULL,                                                                                          \
        "only show how the games would be found: which index, which SQL, and what is checked against each game"

#define OPTION_PATTERNS                                                                                                \
    "patterns", 0, "FILE", NULL, "read named patterns for queries from FILE: one per line, a name, a space and a query"

/* For a command that prints or changes games: conditions, and which of the games that match. */
#define QUERY_OPTIONS QUERY_COLORS, QUERY_CONDITIONS, QUERY_CHOICE

#define QUERY_COLORS                                                                                                   \
    [QUERY_BLACK] = {"black", 0, "NAME", NULL, "games played by NAME as Black, in any spelling"},                      \
    [QUERY_WHITE] = {"white", 0, "NAME", NULL, "games played by NAME as White, in any spelling"}

#define QUERY_CONDITIONS                                                                                               \
    [QUERY_CHESS960] = {"chess960", 0, NULL, NULL,                                                                     \
                        "in a FEN, KQkq mean the outermost rooks (X-FEN); in files, games without a Variant tag are "  \
                        "Chess960 if their FEN tag has castling rights that only occur there"},                        \
    [QUERY_DATE] = {"date", 0, "RANGE", NULL, "games from these days, months or years: 2019, 2019.06.., 2019..2021"},  \
    [QUERY_ECO] = {"eco", 0, "CODE", NULL, "games with this opening code: B90, B9*, B90..B99"},                        \
    [QUERY_ELO] = {"elo", 0, "RANGE", NULL,                                                                            \
                   "games in which both players' ratings are in this range: 2400.., 2000..2199"},                      \
    [QUERY_FEN] = {"fen", 0, "FEN", NULL,                                                                              \
                   "games that reach this position, given as FEN or moves: same board, side to move, castling "        \
                   "rights, and en passant square if a capture is legal"},                                             \
    [QUERY_OPENING] =                                                                                                  \
        {"opening", 0, "MOVES", NULL,                                                                                  \
         "games that begin with these moves, or whose opening has this name: \"1. e4 c5 2. Nf3\", e2e4, Najdorf"},     \
    [QUERY_PATTERNS] = {OPTION_PATTERNS},                                                                              \
    [QUERY_PLAYER] = {"player", 0, "NAME", NULL, "games played by NAME, in any spelling; =NAME is exactly the name"},  \
    [QUERY_QUERY] = {"query", 0, "QUERY", NULL, "the QUERY, if it could be mistaken for the name of a file"},          \
    [QUERY_RESULT] = {"result", 0, "RESULT", NULL, "games with this result: 1-0, 0-1, 1/2-1/2 or *"},                  \
    [QUERY_THREADS] = {OPTION_THREADS},                                                                                \
    [QUERY_WHERE] = {"where", 0, "SQL", NULL,                                                                          \
                     "games that match an SQL condition on the view games: \"white_elo - black_elo > 300\", or with "  \
                     "the extension's functions: \"isCheckmate(game)\""}

#define QUERY_CHOICE                                                                                                   \
    [QUERY_LIMIT] = {"limit", 0, "N", NULL, "use at most N games"},                                                    \
    [QUERY_OFFSET] = {"offset", 0, "N", NULL, "skip the first N games"},                                               \
    [QUERY_SAMPLE] = {"sample", 0, "N[,SEED]", NULL,                                                                   \
                      "a random sample of N games; another SEED selects another sample (default: 0)"},                 \
    [QUERY_SORT] = {"sort", 0, "LIST", NULL,                                                                           \
                    "sort by these columns, separated by commas: date, white, black, event, site, round, eco, "        \
                    "result, white_elo, plies ..., elo (the mean rating), length (of a match: positions in a row), "   \
                    "id (the order of the input) or tag names; a leading minus means descending: --sort=-elo,date"}

/* For a command that counts games: --limit is a number of lines, and all games that match count. */
#define QUERY_LINES(usual)                                                                                             \
    [QUERY_LIMIT] = {"limit", 0, "N", NULL, usual}, [QUERY_OFFSET] = {OPTION_ABSENT},                                  \
    [QUERY_SAMPLE] = {OPTION_ABSENT}, [QUERY_SORT] = {OPTION_ABSENT}

/* The end of the description in --help of the commands that have these options. */
#define QUERY_HELP                                                                                                     \
    "SOURCE is a database, a server (postgresql://USER@HOST/NAME), or a file of games in any notation, compressed or " \
    "not; - is standard input. Several are read one after the other. `tabiya help query` explains the QUERY, "         \
    "and "                                                                                                             \
    "the options for conditions, order and sample that commands share."

/* The file of the option --patterns; NULL if it is not given. It is kept until the program ends. A file that cannot be
   read, or has a fault, ends the program. */
const patterns *patterns_of_option(const args *a, int index);
/* The query from the options and a text (NULL: none); `facts` are further facts in the query language, `match` is the
   query of explore --match, or NULL. `db` checks --where, and if it is not NULL, the text may be plain words; how they
   are read is said on standard error. An invalid value ends the program. */
void query_of_options(query *q, const args *a, const char *text, tby_text facts, const char *match, tby_db *db);
/* The same for a command that changes the database: the query language alone, and names match by their words. */
void query_of_strict_options(query *q, const args *a, const char *text, tby_db *db);
/* Adds a fact: a word of the query language and its value, which is quoted if necessary. */
void fact_add(buffer *facts, const char *word, const char *s, size_t n);
/* A query's text as a query; NULL for NULL. A fault ends the program, with `who`, the command, and a caret under its
   place. The patterns may be NULL. */
tby_query *query_of_text(const char *who, const char *text, const patterns *own);
/* The same, but NULL after a fault. */
tby_query *query_try(const char *s, size_t n, const patterns *own);
/* Ends the program if the query uses numbers of games, which games in files do not have. */
void query_refuse_ids(const char *who, const tby_query *asked);

/* ---- Checking games, one thread at a time ------------------------------------------------------------------------ */

/* What one thread needs; a NULL query selects all games. */
typedef struct filter filter;
filter *filter_new(const tby_query *asked);
void filter_free(filter *f);

typedef enum filter_answer { FILTER_NO, FILTER_YES, FILTER_TOO_LONG } filter_answer;
/* FILTER_TOO_LONG: a main line of more than TBY_PLIES_MAX half-moves, which is too long for queries. `*ply` is the first
   at which the query holds, 0 without a query. `id` is the number of the game, if the query uses it. */
filter_answer filter_first(filter *f, const tby_game *game, tby_game_id id, int *ply);
/* The length of the match in the game that was checked last, for --sort length; 0 without a query. */
uint32_t filter_length(filter *f);

/* ---- Words ------------------------------------------------------------------------------------------------------ */

/* What the words after the sources are, if they may be a position instead of a query. The first word of a FEN contains
   slashes; that of moves does not, and is read as a move rather than as a piece on a square. */
typedef enum words_kind { WORDS_NONE, WORDS_FEN, WORDS_MOVES, WORDS_QUERY } words_kind;
words_kind words_kind_of(const args *a, const char *text);
/* Cuts off a query behind a FEN or moves, "1. e4 elo 2400..", and returns it; NULL: there is none. */
char *text_behind_moves(char *text);
/* The query that a command's words mean: what begins with a FEN or a move number, such as "1. e4 e6", is no query but an
   opening or a position, up to the first word of the language. NULL stays NULL; `text` is freed if it is replaced. */
char *words_query(char *text);

/* Prints how the games of a database (NULL: of files) would be found, or explored in `pos` if it is not NULL. */
void query_explain(const query *q, const args *a, tby_db *db, const tby_position *pos);
void query_explain_all(const query *q, const sources *all, const tby_position *pos);
/* N,SEED of --sample; 0,0 without it. An invalid value ends the program. */
typedef struct sample_choice {
    uint64_t n, seed;
} sample_choice;
sample_choice sample_of_options(const args *a);
/* --sort and --sample: makes the search return games in that order, which is stored in `room`. An invalid value ends
   the program. */
void order_of_options(tby_db_search *search, tby_order *room, const args *a);
/* Adds the bytes by which memcmp sorts the game, with a match of that length. */
void order_key(buffer *out, const tby_order *order, const tby_row *row, uint32_t length);

/* ---- The output ------------------------------------------------------------------------------------------------- */

/* Options for the format and the file, which follow those above; a command's own options are then numbered from
   N_OUTPUT_OPTIONS on. */
enum { OUTPUT_JSON = N_QUERY_OPTIONS, OUTPUT_FILE, OUTPUT_TO, OUTPUT_TSV, N_OUTPUT_OPTIONS };

/* An option without a value that is named after a format is short for --to with that format. */
#define OUTPUT_OPTIONS_BESIDE_TO                                                                                       \
    [OUTPUT_JSON] = {"json", 0, NULL, NULL, "short for --to json"},                                                    \
    [OUTPUT_FILE] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},                         \
    [OUTPUT_TSV] = {"tsv", 0, NULL, NULL, "short for --to tsv"}

/* For a command that prints a table; `json` describes its JSON. */
#define OUTPUT_OPTIONS(json)                                                                                           \
    [OUTPUT_TO] = {"to", 0, "FORM", "lines|tsv|csv|spreadsheet|json|html",                                             \
                   "lines, a table as tsv, csv, spreadsheet (CSV in which formulas are quoted: '=2+2) or html, "       \
                   "or json (" json ") (default: lines)"},                                                             \
    OUTPUT_OPTIONS_BESIDE_TO

/* The format that --to, the option with the index `to`, or a short form names, or else `usual`. Exits with an error if they name two different ones. */
const char *form_of_options(const args *a, int to, const char *usual);

/* The output of a command that prints a table. */
typedef struct output {
    bool is_json;
    const tby_table_format *format; /* NULL: lines or JSON */
} output;
/* Opens the output file, if one is given. */
output output_begin(const args *a);
/* Prints the rows and removes them. `parts` as in table_write_as. */
void output_table(const output *o, table *t, unsigned parts);
/* Prints the whole table, and frees it. */
void output_whole(const output *o, table t);

#endif
