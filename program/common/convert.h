/*
 * convert.h - from any notation to any other.
 *
 *     input --> reader of its notation --> position, line or game --> writer of the other notation --> output
 *
 *     convert_notation.c  names and guesses          convert_line.c    reads positions and lines of moves
 *     convert_write.c     writes positions,          convert_game.c    reads games, and chooses among these
 *                         lines and games            convert_events.c  games to lines and positions, no tree built
 *
 * A unit is one line of text, or one game. A unit that fails is reported and, if units are lines, leaves an empty line,
 * so that line n of the output still belongs to unit n of the input. If memory runs out, the whole conversion ends with
 * an error.
 */
#ifndef TABIYA_COMMON_CONVERT_H
#define TABIYA_COMMON_CONVERT_H

#include "notes.h"
#include "position.h"

/* ---- Notations -------------------------------------------------------------------------------------------------- */

typedef enum notation_kind { KIND_POSITION, KIND_LINE, KIND_GAME } notation_kind;

typedef struct notation {
    notation_kind kind;
    const char *name;
    const tby_position_notation *position; /* KIND_POSITION */
    const tby_move_notation *moves;        /* KIND_LINE */
    const tby_game_notation *game;         /* KIND_GAME */
} notation;

/* All of them: positions, lines of moves, games. False after the last. */
bool notation_at(notation *out, size_t i);
bool notation_find(notation *out, const char *name, size_t n);
/* Guesses from the first bytes of a text, and from `game`, the notation of games that they look like (or NULL). Lines
   of moves are tried from `start`. */
bool notation_guess(notation *out, span first, const tby_game_notation *game, tby_likeness likeness,
                    const tby_position *start);

/* ---- What is lost ----------------------------------------------------------------------------------------------- */

enum { LOSSES_MAX = 16 };

typedef struct losses {
    struct {
        const char *what; /* static; counts up to a colon */
        uint64_t n;
    } list[LOSSES_MAX];
    size_t n;
} losses;

void losses_add(losses *l, const char *what, uint64_t n);

/* ---- A conversion ----------------------------------------------------------------------------------------------- */

typedef struct conversion {
    notation from, to;
    bool is_lossy;
    bool takes_all_positions;       /* of a line or a game, not only the last */
    unsigned flags;                 /* of the notations */
    uint64_t first_game, last_game; /* of each input, from 1 */
    tby_position start;             /* where lines start */
    size_t result_size;             /* larger results are handed over */
    const char *name;               /* of the input */
    bool has_output;
    uint64_t n_failed;
    losses lost;
} conversion;

/* What a text was converted to. */
typedef struct conversion_result {
    buffer out;
    report notes;
    uint64_t n_failed;
    losses lost;
    bool is_out_of_memory; /* the rest is then incomplete */
} conversion_result;

/* A text, or a part of one. */
typedef struct conversion_text {
    void *context;
    tby_source read;
    /* The next line without its end; false after the last. Do not mix with `read`. */
    bool (*line)(void *context, const char **s, size_t *n);
    /* The result has more than result_size bytes: takes it over and empties it, or ends the text. */
    void (*hand_over)(void *context);
    uint64_t n_lines, n_games; /* set when the text is at its end */
} conversion_text;

/* A text while it is converted. */
typedef struct converter {
    const conversion *c;
    conversion_text *text;
    conversion_result *result;
    uint64_t line, game; /* of the unit being read, from 1 in the text; 0 = not counted */
    tby_games *games;    /* being read */
    tby_pgn *pgn;        /* during its event, else NULL */
    const tby_pgn_event *event;
    size_t begin;     /* of the unit in result->out */
    size_t n_written; /* moves of the line being written */
    tby_game *tree;   /* created when needed */
    tby_move *moves;
    size_t n_moves, cap_moves;
} converter;

/* False if there was no memory. */
bool convert_part(const conversion *c, conversion_text *text, conversion_result *result);
void result_clear(conversion_result *result);
bool takes_all_games(const conversion *c);

/* Readers of a whole text, one for each kind of input. */
void convert_lines(converter *k);
void convert_events(converter *k);

/* ---- Units ------------------------------------------------------------------------------------------------------ */

/* Is the output one line or one diagram per unit? */
static inline bool gives_lines(const conversion *c) { return c->to.kind == KIND_POSITION || c->to.kind == KIND_LINE; }

void unit_begin(converter *k);
void unit_end(converter *k);
/* Removes what was already written of it. */
void unit_fail(converter *k);

/* Begin and end the message for a unit; what is wrong is written between the two. */
void fault_begin(converter *k, uint64_t column);
void fault_end(converter *k);
/* The whole message. Returns false. */
bool unit_fault(converter *k, uint64_t column, const char *format, ...) PRINTF_LIKE(3, 4);
/* With --lossy, counts the loss; without it, reports the fault and returns false. */
bool unit_loses(converter *k, const char *what, uint64_t n);

/* ---- Writing: false, and reported, if the unit cannot be written ------------------------------------------------- */

bool write_setup(converter *k, const tby_setup *setup);
bool write_position(converter *k, const tby_position *pos);
/* Moves one by one; then the end of the line. */
bool line_add(converter *k, const tby_position *before, tby_move m);
/* How games are read: TBY_PGN_... */
unsigned conversion_pgn_flags(const conversion *c);
/* Not all notations have null moves. */
bool line_holds(const converter *k, tby_move m);
void line_end(converter *k, tby_result result);
bool write_game(converter *k, const tby_game *game);
/* The moves read into k->moves. */
bool write_moves(converter *k, const tby_position *start, tby_result result);

/* Adds the tags that a file in the output notation should have, even if their values are unknown. False if memory runs
   out. */
bool add_roster(converter *k, tby_game *game, tby_result result);
/* An empty game to be filled; NULL if memory runs out. */
tby_game *converter_tree(converter *k);
/* Returns `is_good`; if it is false, records that memory ran out. */
bool has_memory(converter *k, bool is_good);

#endif
