/*
 * tabiya_query.h - a query language for games and positions: see docs/query.md.
 *
 *     elo 2400.. either (iqp result 1-0)          KRP+vKRP+ for 10          greek-gift
 *
 * A query is a condition on a game and a ply. It is parsed once (tby_query_new) and checked against any number of games,
 * in any number of threads: the query itself never changes, and each thread has its own state. Conventions are those of
 * tabiya.h.
 */
#ifndef TABIYA_QUERY_H
#define TABIYA_QUERY_H

#include "tabiya_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Games as rows ------------------------------------------------------------------------------------- */

typedef int64_t tby_game_id; /* from 1; numbers are never reused */

/* How fast a game was. */
typedef enum tby_speed {
    TBY_SPEED_NONE = 0, /* unknown */
    TBY_SPEED_BULLET = 1,
    TBY_SPEED_BLITZ = 2,
    TBY_SPEED_RAPID = 3,
    TBY_SPEED_CLASSICAL = 4,
    TBY_SPEED_CORRESPONDENCE = 5,
    TBY_SPEED_ULTRABULLET = 6 /* the part of bullet under 30 seconds; rows have TBY_SPEED_BULLET for it */
} tby_speed;
/* From the first period of a TimeControl tag: base + 40 * increment seconds, under 180, 480, 1500, or more; "-" and
   "1/SECONDS" are correspondence. `*seconds` becomes that sum, or 0. */
TBY_API tby_speed tby_speed_read(const char *s, size_t n, int64_t *seconds);
/* "blitz"; NULL for TBY_SPEED_NONE. */
TBY_API const char *tby_speed_text(tby_speed speed);

/* A game as one row of a table, in any database: the columns of docs/formats/database.md, with names instead of their
   numbers. */
typedef struct tby_text {
    const char *s; /* NULL: no text. It need not end in NUL. */
    size_t n;
} tby_text;
typedef struct tby_row {
    tby_text white, black, event, site, round, eco;
    tby_text shape;            /* the names of all tags, separated by spaces */
    tby_text tags;             /* JSON */
    tby_text moves, annotated; /* bytes: a packed game, a CMBR record */
    int date, elo[2];          /* 0 = none */
    int first_day, last_day;   /* the possible days, with 0 and 9 for unknown digits, such as 20190500 and 20190599 */
    tby_result result;
    tby_speed speed;
    uint32_t plies;
    uint64_t hash;
} tby_row;

/* To keep a row's texts in your own memory, one after the other: the size in bytes, a copy, and a row that points to
   the copy. The last returns the size of the copy, after which another row's texts may begin. */
TBY_API size_t tby_row_texts_size(const tby_row *row);
TBY_API void tby_row_texts_copy(const tby_row *row, char *out);
TBY_API size_t tby_row_texts_point(tby_row *row, const char *texts);

/* The row's speed, or TBY_SPEED_ULTRABULLET if its tags say so. */
TBY_API tby_speed tby_row_speed(const tby_row *row);
/* Pools of games, by speed and by group of the mean of both ratings: 0 if a rating is unknown, then from 0, 1000, 1200,
   1400, 1600, 1800, 2000, 2200 and 2500 on. Move statistics on a server count by pool. */
enum { TBY_RATING_GROUPS = 10, TBY_SPEEDS = 7 };
TBY_API int tby_pool_of(tby_speed speed, int group);
TBY_API int tby_pool_of_row(const tby_row *row);
/* The least mean rating of a group from 1 to 9. */
TBY_API int tby_pool_least_mean(int group);
/* Like the query condition `rated`: does the event's name contain the word? */
TBY_API bool tby_row_is_rated(const tby_row *row);

/* The columns that lists of games show, in their order: "white", "white_elo" ... NULL after the last. */
TBY_API const char *tby_row_column_name(size_t index);
TBY_API bool tby_row_column_is_number(size_t index);
/* The value as shown in lists, a date as "2019-05-31", "2019-05" or "2019"; no text if unknown. `room` may be used for
   it. */
enum { TBY_ROW_TEXT_SIZE = 24 };
TBY_API tby_text tby_row_column_text(const tby_row *row, size_t index, char room[TBY_ROW_TEXT_SIZE]);
/* A date as shown in lists; NULL for 0. */
TBY_API const char *tby_row_date_text(char room[TBY_ROW_TEXT_SIZE], int date);

/* ---- The order of games -------------------------------------------------------------------------------- */

/* Twice the mean rating of a game: the sum of both ratings; 0 if one of them is unknown. */
TBY_API int tby_order_elo_twice(const int elo[2]);

/* The sort fields of games: columns of lists, elo (the mean rating), length (of a match), id, or tags by name. */
enum { TBY_ORDER_FIELDS = 16, TBY_ORDER_TAG_SIZE = 56 };
typedef struct tby_order_field {
    int column; /* of the row; negative if it is not a column */
    bool is_falling;
    char tag[TBY_ORDER_TAG_SIZE];
} tby_order_field;
typedef struct tby_order {
    size_t n;
    tby_order_field fields[TBY_ORDER_FIELDS];
    bool ids_fall; /* games that are equal in all fields are sorted by number, descending */
} tby_order;
/* "-elo,date": names separated by commas, each optionally with a minus for descending order. Returns false if a name is
   unknown or there are too many; `*fault` is that name. */
TBY_API bool tby_order_read(tby_order *out, const char *list, tby_text *fault);
/* What the order needs: without TBY_ORDER_NEEDS_ROW, only date and ratings. TBY_ORDER_NEEDS_KEY: tby_order_rank is not
   enough, because a field is text or there are several. */
enum {
    TBY_ORDER_NEEDS_ROW = 1,
    TBY_ORDER_NEEDS_TAGS = 2,
    TBY_ORDER_NEEDS_KEY = 4,
    TBY_ORDER_NEEDS_LENGTH = 8 /* tby_order_match_key */
};
TBY_API unsigned tby_order_needs(const tby_order *order);
/* A key that sorts games by memcmp; unknown values come last. Returns its size, and writes at most `cap` bytes. */
TBY_API size_t tby_order_key(char *buf, size_t cap, const tby_order *order, const tby_row *row);
/* The same for a game with a match of that length (tby_query_length); tby_order_key takes it for 0. */
TBY_API size_t tby_order_match_key(char *buf, size_t cap, const tby_order *order, const tby_row *row, uint32_t length);
/* The first field as a number, lowest first; 0 for all games if it is not numeric. */
TBY_API int64_t tby_order_rank(const tby_order *order, const tby_row *row);

/* ---- Rows in SQL --------------------------------------------------------------------------------------- */

/* The same columns in SQL, and all others except `id`, which comes before them. */
typedef enum tby_sql { TBY_SQL_SQLITE = 0, TBY_SQL_POSTGRES = 1 } tby_sql;
enum { TBY_SCHEMA_VERSION = 5 }; /* of the tables, in both */
/* As in CREATE TABLE. */
TBY_API void tby_columns_define(tby_sink sink, void *context, tby_sql sql);
/* As in CREATE VIEW: names instead of numbers, dates as text. The table is called `game`. */
TBY_API void tby_columns_show(tby_sink sink, void *context, tby_sql sql);
/* "white, white_elo ..." */
TBY_API void tby_columns_names(tby_sink sink, void *context);
/* The comment that identifies a table on a server: "games of tabiya, version 5". */
TBY_API void tby_columns_comment(tby_sink sink, void *context);

/* ---- Queries ------------------------------------------------------------------------------------------- */

typedef struct tby_query tby_query;

/* Limits of a query: bytes of text, nested brackets and prefixes, conditions (including those of named patterns), and
   conditions after `either`, `mirror` and `shift` are expanded. */
enum {
    TBY_QUERY_TEXT_MAX = 65536,
    TBY_QUERY_DEPTH_MAX = 100,
    TBY_QUERY_FACTS_MAX = 10000,
    TBY_QUERY_COPIES_MAX = 100000,
    TBY_QUERY_NUMBER_MAX = 999999999
};

/* What is wrong with a query. */
enum { TBY_QUERY_ERROR_SIZE = 320, TBY_QUERY_NEAR_SIZE = 64 };
typedef enum tby_query_part { TBY_QUERY_IN_TEXT = 0, TBY_QUERY_IN_PATTERNS = 1, TBY_QUERY_IN_FACTS = 2 } tby_query_part;
typedef struct tby_query_error {
    tby_status status;               /* TBY_INVALID_QUERY, or a limit */
    tby_query_part part;             /* which text it is in: the query's, or one of the options */
    size_t offset, length;           /* the place there: `length` bytes from `offset`; 0 at the end of the text */
    size_t line, column;             /* the same in that text, from 1; the column in characters */
    char text[TBY_QUERY_ERROR_SIZE]; /* one sentence: what was expected, and the nearest known word */
    /* The same in parts, for programs: */
    const char *field; /* the word of the language whose value is wrong; NULL: none */
    size_t n_expected; /* the bytes at the beginning of `text` that say what was expected, as "a number"; 0: none do */
    char near[TBY_QUERY_NEAR_SIZE]; /* the nearest known word; "" if there is none */
} tby_query_error;
/* The sentence, the line of `s` (the text of the error's part) that it refers to, and a caret under the place. Only the
 * part of a long line near the place is shown.
 *
 *     no such word: "plaer"; did you mean "player"?
 *       elo 2400.. plaer carlsen
 *                  ^
 */
enum { TBY_QUERY_MESSAGE_SIZE = 640 };
TBY_API size_t tby_query_error_write(char *buf, size_t cap, const tby_query_error *err, const char *s, size_t n);

typedef struct tby_query_options {
    /* The user's own named patterns, one per line: NAME, a space, a query, and optionally a tab and a sentence. */
    const char *patterns;
    size_t n_patterns;
    const char *facts; /* more conditions that must hold at the same ply, as collected by a tby_query_text; the query
                          may then be empty */
    size_t n_facts;
    bool without_row; /* games have no tags or comments: a condition on them is an error in the query */
} tby_query_options;

/* `options` and `err` may be NULL. Returns NULL if the query has an error or memory ran out: `err` says which. */
TBY_API tby_query *tby_query_new(const char *s, size_t n, const tby_query_options *options,
                                 const tby_allocator *allocator, tby_query_error *err);
TBY_API void tby_query_free(tby_query *query);
/* The query in its canonical form, which reads back as the same query. With cap 0 it only measures. */
TBY_API size_t tby_query_write(char *buf, size_t cap, const tby_query *query);

/* One of the conditions of a query that must all hold, with its place in the text: `player carlsen` of
   `player carlsen elo 2400.. (iqp or mate)`. */
typedef struct tby_query_condition {
    size_t offset, length;
    tby_text
        word; /* the word of the language, or the name of a pattern, that it begins with; no text if it is a piece, a
                       move, a combination ... */
    tby_text value; /* what follows the word, as it is written */
    tby_text name;  /* if that is a text, without quotes and marks: Carlsen, M; valid as long as the query */
} tby_query_condition;
/* By index, in the order of the text, `s`, from which the query was made; false past the end. */
TBY_API bool tby_query_condition_at(const tby_query *query, const char *s, size_t n, size_t index,
                                    tby_query_condition *out);

/* What a query needs to know about a game. */
enum {
    TBY_QUERY_NEEDS_ROW = 1 << 0,       /* tags */
    TBY_QUERY_NEEDS_MOVES = 1 << 1,     /* without it, the packed game may be missing */
    TBY_QUERY_NEEDS_ANNOTATED = 1 << 2, /* comments, NAGs, variations */
    TBY_QUERY_NEEDS_ID = 1 << 3,
    TBY_QUERY_NEEDS_COLLECTIONS = 1 << 4, /* collections, which only searches of a database can look up */
    TBY_QUERY_NEEDS_PEOPLE = 1 << 5       /* who has met whom: only searches of a database tell namesakes apart by it */
};
TBY_API unsigned tby_query_needs(const tby_query *query);
/* Is the query about the game as a whole, so that it holds at every ply or at none? */
TBY_API bool tby_query_is_of_game(const tby_query *query);
/* Is the query about a move: does it always hold because of the move played from that position? Then that move is what
   was searched for, not the one that led there. */
TBY_API bool tby_query_is_about_move(const tby_query *query);

/* The names after `player`, `white` and `black` that match by their words, by index: the person may have more games in
   other spellings. Valid as long as the query; false past the end. */
TBY_API bool tby_query_player_at(const tby_query *query, size_t index, tby_text *name);

/* What every matching game must have, for databases that have an index of it: positions or boards that it reaches, and
   moves that it begins with. By index; false past the end. There may be no such requirement. */
typedef enum tby_query_must_type {
    TBY_QUERY_MUST_POSITION = 0,
    TBY_QUERY_MUST_BOARD = 1,
    TBY_QUERY_MUST_OPEN = 2
} tby_query_must_type;
typedef struct tby_query_must {
    tby_query_must_type type;
    tby_setup setup;        /* the position; for a board, the 64 squares */
    const uint8_t *opening; /* the moves as a packed game; valid as long as the query */
    size_t n_opening;
} tby_query_must;
TBY_API bool tby_query_must_at(const tby_query *query, size_t index, tby_query_must *out);

/* ---- Evaluating ---------------------------------------------------------------------------------------- */

/* A game to check. For bytes that are not a game, the result is TBY_QUERY_DAMAGED, never a crash. */
typedef struct tby_query_game {
    const uint8_t *moves; /* a packed game; may be NULL if moves are not needed */
    size_t n_moves;
    const uint8_t *annotated; /* a CMBR record; NULL = a game without comments, NAGs and variations */
    size_t n_annotated;
    const tby_row *row; /* its moves and record are not used; may be NULL if no row is needed */
    tby_game_id id;     /* 0 = none, and matches no range */
} tby_query_game;

/* Memory for checking games one after the other; each thread needs its own. NULL if out of memory. */
typedef struct tby_query_state tby_query_state;
TBY_API tby_query_state *tby_query_state_new(const tby_query *query, const tby_allocator *allocator);
TBY_API void tby_query_state_free(tby_query_state *state);

enum { TBY_QUERY_NONE = -1, TBY_QUERY_NO_MEMORY = -2, TBY_QUERY_DAMAGED = -3 };
/* The first ply at which the query holds, or TBY_QUERY_NONE, or an error. What comes after that ply is not read: a game that
   is damaged there is one for tby_query_plies only. */
TBY_API int tby_query_first(tby_query_state *state, const tby_query_game *game);
/* All plies at which the query holds, in order; returns their number or an error, but never TBY_QUERY_NONE. They are
   valid until the state is used again. */
TBY_API int tby_query_plies(tby_query_state *state, const tby_query_game *game, const uint32_t **plies);
/* The length of a match: the most plies in a row at which the query holds; 0 if it holds nowhere, or an error. */
TBY_API int tby_query_length(tby_query_state *state, const tby_query_game *game);
/* The game of a row. */
TBY_API tby_query_game tby_query_game_of_row(const tby_row *row, tby_game_id id);

/* The words of the language, without those of named patterns, by index; NULL past the end. */
TBY_API const char *tby_query_word_at(size_t index);

/* ---- Building queries ---------------------------------------------------------------------------------- */

/* A value as written in a query, quoted if necessary: Carlsen, "Carlsen, M" */
TBY_API size_t tby_query_quote(char *buf, size_t cap, const char *s, size_t n);
/* A player's name that was given as an option or a parameter, as the value of `player`, `white` or `black`: the person in
   any spelling, ~"Magnus Carlsen". After =, exactly the name; with *, a pattern; without letters and digits, the text
   itself. */
TBY_API size_t tby_query_quote_person(char *buf, size_t cap, const char *s, size_t n);
/* A growing text of conditions: `player "Carlsen, M" elo 2400..`. Zero it before use. */
typedef struct tby_query_text {
    char *s; /* ends in NUL; NULL while empty */
    size_t n, cap;
    const tby_allocator *allocator; /* NULL = malloc */
    bool has_no_memory;             /* something could not be added */
} tby_query_text;
/* Adds a condition: a word of the language and its value, which is quoted if necessary. */
TBY_API void tby_query_text_add(tby_query_text *text, const char *word, const char *value, size_t n);
TBY_API void tby_query_text_free(tby_query_text *text);

/* The words of a name as they are compared: lower case without accents, each followed by a NUL. Writes at most `cap`
   bytes and returns the total number. */
TBY_API size_t tby_query_words(char *buf, size_t cap, const char *s, size_t n);

/* The words of a player's name: "magnus", "carlsen" for both "Carlsen, Magnus" and "Magnus Carlsen". Words of very long
   names are left out. */
enum { TBY_PERSON_SIZE = 256 };
typedef struct tby_person {
    char words[TBY_PERSON_SIZE]; /* as tby_query_words writes them: first names, then the last name */
    size_t n, last;              /* bytes of the words, and of those before the last name */
    bool has_comma;              /* if not, the last word is the last name */
    char mark;                   /* 'j' for Jr, 's' for Sr, else 0; these are not among the words */
} tby_person;
TBY_API void tby_person_read(tby_person *out, const char *s, size_t n);
/* May they be the same person? The last names must be equal, and the first names must match word by word as far as both
   have them; an initial matches any name that begins with it. Carlsen,M matches Magnus Carlsen; Carlsen alone matches
   neither. Names that differ in digits or in Jr and Sr never match. */
TBY_API bool tby_person_fits(const tby_person *a, const tby_person *b);

/* The rounds of events that each player took part in, to distinguish namesakes: one person does not play two games of a round. */
typedef struct tby_rounds tby_rounds;
TBY_API tby_rounds *tby_rounds_new(void); /* NULL: out of memory */
TBY_API void tby_rounds_free(tby_rounds *rounds);
/* Adds a game of two players, whom the caller has numbered by their names, up to TBY_ROUNDS_NUMBER_MAX. Returns TBY_OK or
   TBY_NO_MEMORY. */
enum { TBY_ROUNDS_NUMBER_MAX = 0x7ffffffe };
TBY_API tby_status tby_rounds_add(tby_rounds *rounds, const tby_row *row, uint32_t white, uint32_t black);
/* Are two names surely different people: have they met, or played different games in one round (the same Event, Site,
   year and Round)? Games against opponents for whom `is_same` holds, with the same colour, are one game with its names
   spelt in two ways. */
typedef bool (*tby_rounds_same)(void *context, uint32_t a, uint32_t b);
TBY_API bool tby_rounds_part(tby_rounds *rounds, uint32_t a, uint32_t b, tby_rounds_same is_same, void *context);

/* ---- Named patterns ------------------------------------------------------------------------------------ */

typedef struct tby_query_pattern {
    const char *name;     /* "iqp" */
    const char *query;    /* "Pd4 P{c}=0 P{e}=0 p{d}=0" */
    const char *sentence; /* "White has an isolated pawn on d4" */
    const char *also;     /* other names, separated by commas: "isolated queen's pawn,isolani"; NULL: none */
} tby_query_pattern;
/* The patterns available in every query, by index; NULL past the end. */
TBY_API const tby_query_pattern *tby_query_pattern_at(size_t index);

#ifdef __cplusplus
}
#endif

#endif
