/*
 * pgn_form.h - the output formats of tabiya pgn.
 */
#ifndef TABIYA_CLI_PGN_PGN_FORM_H
#define TABIYA_CLI_PGN_PGN_FORM_H

#include "console.h"
#include "options.h"

/* Commas, for the table of options. */
#define FORM_NAMES "pgn|epd|fen|html|json|lan|latex|san|uci"

typedef struct form {
    const char *name;
    bool is_page; /* one document with a beginning and an end, not separate games */
    void (*begin)(buffer *out);
    /* `flags`: TBY_PGN_... `ply`: where the query first holds in the main line, below 0 if there is none. `name` is that
       of the form. */
    void (*write)(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name);
    void (*end)(buffer *out);
} form;

/* One of FORM_NAMES, or "diagrams": a page with the positions found. */
const form *form_find(const char *name);

/* pgn_html.c, pgn_diagrams.c and pgn_latex.c */
void html_begin(buffer *out);
void html_write(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name);
void html_end(buffer *out);
void diagrams_begin(buffer *out);
void diagrams_write(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name);
void diagrams_end(buffer *out);
/* The position after the move to `node` as SVG, with its arrows and circles. */
void html_diagram(buffer *out, const tby_game *game, tby_node node, const tby_position *pos);
/* Text with & < > and quotes escaped. */
void html_text(buffer *out, const char *s, size_t n);
void latex_begin(buffer *out);
void latex_write(buffer *out, const tby_game *game, unsigned flags, int ply, const char *name);
void latex_end(buffer *out);

/* The form of --to; with --diagrams, html is a page of diagrams. */
#define OPTION_DIAGRAMS                                                                                                \
    "diagrams", 0, NULL, NULL,                                                                                         \
        "with --to html: only a diagram of the position where the query first holds, for each game"
const form *form_of(const args *a, const char *name, int diagrams);

/* Visits the moves in the order of the text. */
typedef struct form_walker {
    buffer *out;
    const tby_game *game;
    tby_node at; /* where the query first holds; TBY_NO_NODE: nowhere */
    unsigned flags;
    /* The move to `node` is played in `pos`; its number must be written even if it is Black's. */
    void (*move)(struct form_walker *w, const tby_position *pos, tby_node node, bool needs_number);
    void (*open)(struct form_walker *w);
    void (*close)(struct form_walker *w);
    unsigned depth; /* variations that are open */
} form_walker;
void form_walk(form_walker *w);

/* The node after `ply` half-moves of the main line, or its last one. */
tby_node form_node_at(const tby_game *game, int ply);
/* The tag's value; "?" if there is none. */
const char *form_tag(const tby_game *game, const char *name);
/* "12." or "12..."; nothing for a black move that needs none. */
void form_number(buffer *out, const tby_position *pos, bool needs_number);

#endif
