/*
 * novelty.h - writes the first new move of a game.
 */
#ifndef TABIYA_COMMON_NOVELTY_H
#define TABIYA_COMMON_NOVELTY_H

#include "support/buffer.h"
#include "tabiya_db.h"

/* Members of a JSON object, without its brackets: 'new':true,'ply':0,'fen':STRING,'games':0,'move':STRING,
   'played':[{'san':STRING,'games':0}]. Without a new move, move is null and nothing is listed. */
void novelty_write_json(buffer *out, const tby_novelty *n);
/* The same numbers as text: "Nf3 12, d4 3"; nothing without a new move. */
void novelty_write_played(buffer *out, const tby_novelty *n);

#endif
