/*
 * cmbr.h - what the parts of the CMBR codec share: the frame of a record, the non-move words, lines of play.
 *
 *     0             4        8        12                              docs/formats/cmbr.md has the details
 *     +-------------+--------+--------+------------- - -
 *     | F5 47 4D 01 | length | CRC-32C| payload                       length: of the stored payload
 *     +-------------+--------+--------+------------- - -              checksum: of the length and the payload
 *
 * Keeps    the four bytes of the marker never occur in a payload: after their first three bytes, the stem, the writer
 *          inserts a zero and the reader removes it. So a record ends before the next marker, whatever its length says,
 *          and a reader looks at no byte more than twice.
 */
#ifndef TBY_CODEC_CMBR_H
#define TBY_CODEC_CMBR_H

#include "codec/bytes.h"
#include "tabiya_value.h"

enum {
    CMBR_VERSION = 1,
    CMBR_STEM = 3,
    CMBR_MARKER = 4,
    CMBR_FRAME = 12,
    CMBR_PAYLOAD_MAX = 1 << 24,
    CMBR_VARIATIONS_MAX = 65535, /* a variation's number has 16 bits */
    CMBR_WORD = 3
};

/* The first byte of the payload. */
enum { CMBR_RESULT = 0x03, CMBR_CHESS960 = 0x04, CMBR_HAS_FEN = 0x08, CMBR_UNUSED = 0xf0 };

/* NAGs over 255 take all 16 bits; a null move is the king's step to its own square. */
enum { CMBR_WIDE_NAG = TBY_CMBR_NAG | 0x01, CMBR_KING = 5, CMBR_BLACK_KING = 13, CMBR_NARROW_NAG_MAX = 255 };

/* F5 never occurs in UTF-8, and the stem cannot overlap itself. The last byte is the version of the payload. */
static inline const uint8_t *cmbr_marker(void)
{
    static const uint8_t marker[CMBR_MARKER] = {0xf5, 'G', 'M', CMBR_VERSION};
    return marker;
}

/* The first place in [at, end) with the first `n` bytes of the marker; `end` if there is none. */
static inline const uint8_t *cmbr_find(const uint8_t *at, const uint8_t *end, size_t n)
{
    const uint8_t *marker = cmbr_marker();
    while ((size_t)(end - at) >= n) {
        at = memchr(at, marker[0], (size_t)(end - at) - n + 1);
        if (!at)
            break;
        if (memcmp(at, marker, n) == 0)
            return at;
        at++;
    }
    return end;
}

/* The word of a null move. */
static inline uint32_t cmbr_null_word(const tby_position *pos)
{
    const tby_color side = tby_position_side(pos);
    const tby_bitboard king = tby_board_pieces(&pos->board, TBY_PIECE(side, TBY_KING));
    const uint32_t square = (uint32_t)__builtin_ctzll(king);
    return square << 18 | square << 12 | (uint32_t)(side == TBY_BLACK ? CMBR_BLACK_KING : CMBR_KING) << 8;
}

/* ---- Lines of play --------------------------------------------------------------------------------------- */

/* The main line and the variations in the order of their numbers. */
typedef struct cmbr_line {
    tby_position before; /* its first move */
    tby_node parent, head;
} cmbr_line;

typedef struct cmbr_lines {
    cmbr_line *items;
    size_t n, cap;
    tby_allocator allocator;
} cmbr_lines;

static inline void cmbr_lines_free(cmbr_lines *lines)
{
    alloc_free(lines->allocator, lines->items, lines->cap * sizeof *lines->items);
}

/* False if out of memory. */
static inline bool cmbr_lines_add(cmbr_lines *lines, const tby_position *before, tby_node parent, tby_node head)
{
    const cmbr_line line = {*before, parent, head};
    return array_add(&lines->items, &lines->n, &lines->cap, &line, sizeof line, &lines->allocator);
}

/* ---- Decoding -------------------------------------------------------------------------------------------- */

/* Do the `n` bytes at `bytes` begin with a whole record of this version? */
tby_status cmbr_check_frame(const uint8_t *bytes, size_t n, tby_error *err);
/* Removes the zeros after stems and updates the length `*n`. False if a zero is missing. */
bool cmbr_unstuff(uint8_t *bytes, size_t *n);
/* Decodes an unstuffed payload. The error's offset counts from `bytes`. On failure `game` is empty. */
tby_status cmbr_decode_payload(tby_game *game, const uint8_t *bytes, size_t n, tby_error *err);

#endif
