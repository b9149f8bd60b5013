/*
 * postings.c - reads the rows of a database's index of positions.
 *
 *     row     [ group ][ group ] ...                 by rising key
 *     group   [ rest of the key: 6 bytes, highest first | number of postings | posting ... ]
 *     posting [ game: difference to the one before, at first to the run's first | ply | next move: 2 bytes ]
 *
 * Numbers are varints (varint.h), the move is a tby_move, lowest byte first, 0 where the game ends.
 */
#include "format/varint.h"
#include "tabiya_value.h"

enum { KEY_REST = 6 };
#define KEY_REST_MASK 0xffffffffffffULL

/* Numbers that no database has may wrap, but not overflow. */
int64_t tby_postings_row(int64_t run, uint64_t key)
{
    return (int64_t)((uint64_t)run * TBY_POSTINGS_ROWS + (key >> 48));
}

tby_postings tby_postings_begin(const uint8_t *bytes, size_t n, int64_t first)
{
    return (tby_postings){.at = bytes, .end = bytes ? bytes + n : bytes, .first = first};
}

static bool damaged(tby_postings *p)
{
    p->is_damaged = true;
    p->at = p->end;
    p->n_left = 0;
    return false;
}

bool tby_postings_next(tby_postings *p, tby_posting *out)
{
    byte_cursor c = {p->at, p->at, p->end};
    uint32_t step, ply;
    if (p->n_left == 0)
        return false;
    if (cursor_left(&c) >= 4 && !((c.at[0] | c.at[1]) & 0x80)) { /* mostly */
        step = c.at[0];
        ply = c.at[1];
        c.at += 2;
    } else if (!varint_take(&c, &step) || !varint_take(&c, &ply) || cursor_left(&c) < 2)
        return damaged(p);
    p->n_left--;
    p->game = (int64_t)((uint64_t)p->game + step);
    p->at = c.at + 2;
    *out = (tby_posting){p->game, ply, (tby_move)(c.at[0] | c.at[1] << 8)};
    return true;
}

bool tby_postings_group(tby_postings *p, uint64_t *rest)
{
    tby_posting passed;
    while (p->n_left > 0)
        tby_postings_next(p, &passed);
    if (p->at == p->end)
        return false;
    byte_cursor c = {p->at, p->at, p->end};
    if (cursor_left(&c) < KEY_REST)
        return damaged(p);
    *rest = 0;
    for (int i = 0; i < KEY_REST; i++)
        *rest = *rest << 8 | *c.at++;
    if (!varint_take(&c, &p->n_left))
        return damaged(p);
    p->at = c.at;
    p->game = p->first;
    return true;
}

bool tby_postings_find(tby_postings *p, uint64_t key)
{
    uint64_t rest;
    while (tby_postings_group(p, &rest))
        if (rest >= (key & KEY_REST_MASK)) {
            if (rest == (key & KEY_REST_MASK))
                return true;
            break;
        }
    p->n_left = 0;
    p->at = p->end;
    return false;
}
