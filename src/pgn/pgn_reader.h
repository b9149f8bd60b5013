/*
 * pgn_reader.h - the state of a PGN reader, and its window over the input.
 */
#ifndef TBY_PGN_PGN_READER_H
#define TBY_PGN_PGN_READER_H

#include "base/bitboard.h"

/* ---- A sliding window over an input of any length (pgn_window.c) ------------------------------------------------- */

/*
 *     buffer        at                               end
 *     |  kept bytes | what is still to be read ...    | NUL ...
 *
 * The last bytes before `at` stay readable, up to PGN_WINDOW_BEHIND, so that a token knows whether it begins a line and
 * whether the line before is empty; a NUL follows `end`, so that scans stop there. Lines are counted when a place is
 * asked for, or when bytes leave the window.
 */

/* Fuzz targets have a smaller window, whose end is reached sooner. */
#ifndef TBY_PGN_WINDOW_SIZE
#define TBY_PGN_WINDOW_SIZE (1 << 17)
#endif
enum { PGN_WINDOW_SIZE = TBY_PGN_WINDOW_SIZE, PGN_WINDOW_SLACK = 64, PGN_WINDOW_BEHIND = 64 };

typedef struct pgn_window {
    const char *at, *end;
    bool is_whole; /* the input ends at `end` */
    bool has_failed;
    tby_source source;
    void *context;
    uint64_t offset;     /* of buffer[0] in the input */
    uint64_t bias;       /* an address plus this is its offset in the input */
    uint64_t counted;    /* the offset up to which lines are counted */
    uint64_t line;       /* the number of the line there, from 0 */
    uint64_t line_start; /* the offset where that line begins */
    char buffer[PGN_WINDOW_SIZE + PGN_WINDOW_SLACK];
} pgn_window;

void pgn_window_init(pgn_window *w, tby_source source, void *context);
/* Makes room and reads until the window is full or the input has ended. */
void pgn_window_fill(pgn_window *w);
/* Line and column of an offset that is still in the window. */
void pgn_window_place(pgn_window *w, uint64_t offset, tby_pgn_place *place);

static inline uint64_t pgn_window_offset(const pgn_window *w, const char *at)
{
    return w->bias + (uint64_t)(uintptr_t)at;
}

/* Makes sure that at least `n` bytes are in the window, unless the input ends before. */
static inline void pgn_window_need(pgn_window *w, size_t n)
{
    if (__builtin_expect((size_t)(w->end - w->at) < n, 0) && !w->is_whole)
        pgn_window_fill(w);
}

/* ---- The reader -------------------------------------------------------------------------------------------------- */

enum { PGN_COMMENT_CHUNK = 16384, PGN_TOKEN_WINDOW = 512, PGN_GAME_BYTES = 1 << 20, PGN_PENDING = 4, PGN_NAMES = 64 };
/* A game is read to at most 16 times its limit: by default 16 MiB, the size of the largest game in the other notations. */
enum { PGN_LIMITS_MAX = 16 };

typedef enum pgn_state { PGN_BETWEEN, PGN_TAGS, PGN_TAGS_END, PGN_MOVES, PGN_AFTER } pgn_state;

/* One line of play: the main line, or a variation. The positions before and after the last move have different sides to
   move, so moves alternate between two positions and none is ever copied. */
typedef struct pgn_line {
    tby_position of[2]; /* with white and with black to move; before the first move there is only one */
    tby_color side;     /* to move now */
    bool has_moves;
    bool is_broken; /* after a fault: tokens are returned raw */
} pgn_line;

TBY_INLINE const tby_position *pgn_line_now(const pgn_line *line) { return &line->of[line->side]; }
TBY_INLINE const tby_position *pgn_line_before(const pgn_line *line)
{
    return &line->of[line->has_moves ? color_other(line->side) : line->side];
}

TBY_INLINE void pgn_line_start(pgn_line *line, const tby_position *pos)
{
    line->side = (tby_color)(pos->ply & 1);
    line->of[line->side] = *pos;
    line->has_moves = false;
}

/* A move was played and led to line->of[the other side]. */
TBY_INLINE void pgn_line_step(pgn_line *line)
{
    line->side = color_other(line->side);
    line->has_moves = true;
}

struct tby_pgn {
    pgn_state state;
    bool in_comment; /* within a long comment */
    bool in_line;    /* within a long line that is skipped */
    bool is_split;   /* the last game was ended at 16 times its limit, and the text after it belongs to it */
    bool is_line_comment;
    bool saw_empty_line; /* just before the token */
    bool needs_care;     /* warnings are wanted: no fast paths */
    bool is_chess960, saw_tags, saw_result, saw_result_tag, is_over_limit;
    bool is_forfeit;  /* the Result tag says that both sides have lost */
    bool saw_word;    /* a word that is no plain move, readable or not */
    bool begins_bare; /* the next game begins after an empty line, without tags */
    unsigned depth;
    unsigned too_deep; /* open brackets beyond TBY_PGN_DEPTH_MAX */
    unsigned comment_depth;
    unsigned n_pending;
    tby_result tag_result, result;
    uint64_t game, game_begin, game_end;
    uint64_t token; /* offset of the token being read */
    size_t n_fen;
    tby_pgn_place fen_place;   /* of the FEN tag; line 0 = there is none */
    tby_pgn_place tag_place;   /* of the last bad tag or long comment; line 0 = there is none */
    size_t n_names;            /* tags of the game; counted if warnings are wanted */
    uint64_t names[PGN_NAMES]; /* their hashes */
    tby_pgn_options options;
    tby_allocator allocator;
    pgn_line line; /* the line being read */
    pgn_line outer[TBY_PGN_DEPTH_MAX];
    tby_pgn_event pending[PGN_PENDING];
    const char *memory, *memory_end; /* tby_pgn_new_memory: what is still to be read */
    char fen[TBY_FEN_SIZE];
    char scratch[3 * PGN_COMMENT_CHUNK];
    pgn_window window;
};

/* Has the game just exceeded its limit, or 16 times that? Then skipping blanks and lines stops, so that this is handled
   here and not at the next token, which may be far away. */
static inline bool pgn_passes_limit(const tby_pgn *pgn)
{
    const uint64_t n = pgn_window_offset(&pgn->window, pgn->window.at) - pgn->game_begin;
    return pgn->state != PGN_BETWEEN && n / (pgn->is_over_limit ? PGN_LIMITS_MAX : 1) > pgn->options.max_game_bytes;
}

/* The line of a game without a FEN tag. */
static inline void pgn_restart_line(pgn_line *line)
{
    tby_position start;
    tby_position_start(&start);
    pgn_line_start(line, &start);
    line->is_broken = false;
}

/* The start of a game with this FEN tag. `is_chess960`: known from the Variant tag; set if TBY_PGN_CHESS960 in `flags`
   makes it Chess960. `warning` is TBY_PGN_WARN_FEN, TBY_PGN_WARN_CHESS960, or 0. */
tby_status pgn_read_start(tby_position *out, const char *fen, size_t n, unsigned flags, bool *is_chess960,
                          unsigned *warning, tby_error *err);
/* The text of a serious warning. */
const char *pgn_serious_text(tby_pgn_warning warning);
/* The meaning of a Variant tag. */
typedef enum pgn_variant { PGN_STANDARD, PGN_CHESS960, PGN_OTHER_VARIANT } pgn_variant;
pgn_variant pgn_read_variant(const char *s, size_t n);
/* Is a tag short enough to be read back after it is written with its escapes? */
bool pgn_tag_fits(size_t n_name, const char *value, size_t n);
/* The usual spelling of a tag that the reader knows in any case; other names unchanged. */
const char *pgn_tag_name(const char *name, size_t n);

#endif
