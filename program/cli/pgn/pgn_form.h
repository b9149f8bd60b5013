/*
 * pgn_form.h - the output formats of tabiya pgn.
 */
#ifndef TABIYA_CLI_PGN_FORM_H
#define TABIYA_CLI_PGN_FORM_H

#include "console.h"

/* Commas, for the table of options. */
#define FORM_NAMES "pgn|epd|html|json|lan|latex|san|uci"

typedef struct form {
    const char *name;
    bool is_page; /* one document with a beginning and an end, not separate games */
    void (*begin)(buffer *out);
    /* `flags`: TBY_PGN_... `name` is that of the form. */
    void (*write)(buffer *out, const tby_game *game, unsigned flags, const char *name);
    void (*end)(buffer *out);
} form;

/* One of FORM_NAMES. */
const form *form_find(const char *name);

/* pgn_html.c and pgn_latex.c */
void html_begin(buffer *out);
void html_write(buffer *out, const tby_game *game, unsigned flags, const char *name);
void html_end(buffer *out);
void latex_begin(buffer *out);
void latex_write(buffer *out, const tby_game *game, unsigned flags, const char *name);
void latex_end(buffer *out);

/* Visits the moves in the order of the text. */
typedef struct form_walker {
    buffer *out;
    const tby_game *game;
    unsigned flags;
    /* The move to `node` is played in `pos`; its number must be written even if it is Black's. */
    void (*move)(struct form_walker *w, const tby_position *pos, tby_node node, bool needs_number);
    void (*open)(struct form_walker *w);
    void (*close)(struct form_walker *w);
    unsigned depth; /* variations that are open */
} form_walker;
void form_walk(form_walker *w);

/* The tag's value; "?" if there is none. */
const char *form_tag(const tby_game *game, const char *name);
/* "12." or "12..."; nothing for a black move that needs none. */
void form_number(buffer *out, const tby_position *pos, bool needs_number);

#endif
