/*
 * main_line.h - the main line of a game, as rows need it: tags, moves, and data from the comments on each move.
 *
 * A ply of a line is the position after that many half-moves, 0 the start; notes belong to the move that led there.
 */
#ifndef TBY_TABLE_MAIN_LINE_H
#define TBY_TABLE_MAIN_LINE_H

#include "codec/bytes.h"
#include "tabiya_table.h"

enum { LINE_NAGS = 8 };

/* The notes on a move. */
typedef struct line_notes {
    int64_t clock, spent; /* milliseconds; negative = not given */
    int32_t eval, mate;   /* for white */
    bool has_eval, has_mate;
    uint8_t n_nags;
    uint16_t nags[LINE_NAGS];
    uint32_t comment, n_comment; /* in `text`, without commands; n 0 = none */
} line_notes;

typedef struct line_tag {
    const char *name; /* the plan's */
    uint32_t at, n;   /* its value in `text` */
    bool is_there;
} line_tag;

typedef struct line {
    tby_allocator allocator;
    bool wants_notes;
    line_tag *tags; /* the tags in the plan */
    size_t n_tags;
    buffer text;
    buffer comment; /* a comment that arrives in pieces */
    buffer moves;   /* tby_move */
    buffer notes;   /* line_notes, one more than moves; empty if not wanted */
    tby_position start;
    bool is_chess960;
    tby_result result;
} line;

static inline size_t line_n_plies(const line *l) { return l->moves.n / sizeof(tby_move); }
static inline const tby_move *line_moves(const line *l) { return (const tby_move *)(const void *)l->moves.data; }
static inline bool line_has_failed(const line *l)
{
    return l->text.has_failed || l->comment.has_failed || l->moves.has_failed || l->notes.has_failed;
}
/* NULL if notes are not wanted. */
static inline line_notes *line_notes_at(const line *l, size_t ply)
{
    return l->wants_notes ? (line_notes *)(void *)l->notes.data + ply : NULL;
}
static inline const char *line_tag_text(const line *l, size_t index, size_t *n)
{
    *n = l->tags[index].n;
    if (!l->tags[index].is_there)
        return NULL;
    return *n ? (const char *)l->text.data + l->tags[index].at : "";
}

void line_init(line *l, line_tag *tags, size_t n_tags, bool wants_notes, const tby_allocator *allocator);
void line_finish(line *l);
/* Empties it for the next game. */
void line_clear(line *l);
void line_add_tag(line *l, const char *name, size_t n_name, const char *s, size_t n);
void line_add_moves(line *l, const tby_move *moves, size_t n);
void line_add_nag(line *l, uint16_t nag);
/* `more`: the next piece continues the comment. */
void line_add_comment(line *l, const char *s, size_t n, bool more);
/* Takes the whole main line of a tree. */
void line_of_game(line *l, const tby_game *game);

#endif
