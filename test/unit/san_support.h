/*
 * san_support.h - shared by the tests of SAN: positions, warnings, and what a text is read as.
 */
#ifndef SAN_SUPPORT_H
#define SAN_SUPPORT_H

#include "notation_support.h"

#define A6_FEN "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
#define B7_FEN "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3" /* exf6 e.p. */
#define PROMOTION_FEN "8/4P3/8/8/8/8/k6K/8 w - - 0 1"
#define CASTLING_FEN "6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1"
#define MATE_FEN "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2" /* Qh4# */

enum {
    SUFFIX = TBY_SAN_WARN_SUFFIX,
    MARKS = TBY_SAN_WARN_MARKS,
    CASTLING = TBY_SAN_WARN_CASTLING,
    FIGURINE = TBY_SAN_WARN_FIGURINE,
    CAPTURE = TBY_SAN_WARN_CAPTURE,
    ORIGIN = TBY_SAN_WARN_ORIGIN,
    PROMOTION = TBY_SAN_WARN_PROMOTION,
    EN_PASSANT = TBY_SAN_WARN_EN_PASSANT,
    COORDINATE = TBY_SAN_WARN_COORDINATE
};

/* ---- What a text is read as ------------------------------------------------------------------------------ */

static inline size_t without_mark(const char *s)
{
    const size_t n = strlen(s);
    return n && (s[n - 1] == '+' || s[n - 1] == '#') ? n - 1 : n;
}

/* Strict reading accepts the export format, with any check mark or none, and nothing else. */
static inline void expect_strict(const tby_position *pos, const char *text, tby_move m)
{
    char written[TBY_SAN_SIZE];
    tby_move got = TBY_MOVE_NONE;
    tby_san_write(written, sizeof written, pos, m);
    const size_t n = without_mark(text);
    const bool is_export = n == without_mark(written) && memcmp(text, written, n) == 0;
    const tby_status status = tby_san_read(&got, pos, text, strlen(text), TBY_SAN_STRICT, NULL, NULL);
    if (status != (is_export ? TBY_OK : TBY_INVALID_SAN))
        fail_msg("strict: %s (%s): status %d", text, written, status);
    assert_int_equal(got, is_export ? m : TBY_MOVE_NONE);
}

static inline void reads_as(const char *fen, const char *text, const char *uci, unsigned warnings, unsigned flags)
{
    const tby_position pos = position_of(fen);
    const tby_move expected = move_of(&pos, uci);
    char *copy = exact_copy(text, strlen(text));
    tby_move m = TBY_MOVE_NONE;
    tby_error err = {0};
    unsigned got = 0xdead;
    if (tby_san_read(&m, &pos, copy, strlen(text), flags, &got, &err) != TBY_OK)
        fail_msg("%s: \"%s\": %s at %zu", fen, text, err.detail, err.offset);
    if (m != expected)
        fail_msg("%s: \"%s\" is not read as %s", fen, text, uci);
    if (got != warnings)
        fail_msg("%s: \"%s\": warnings 0x%x instead of 0x%x", fen, text, got, warnings);
    m = TBY_MOVE_NONE;
    assert_int_equal(tby_san_read(&m, &pos, copy, strlen(text), flags, NULL, NULL), TBY_OK);
    assert_int_equal(m, expected);
    if (!(flags & TBY_SAN_AUTO_QUEEN))
        expect_strict(&pos, text, m);
    free(copy);
}

static inline void reads(const char *fen, const char *text, const char *uci, unsigned warnings)
{
    reads_as(fen, text, uci, warnings, 0);
}

/* Takes the length, for texts with NUL. The move passed in is not changed. */
static inline void refuses_bytes(const char *fen, const char *text, size_t n, unsigned flags, tby_status status,
                                 size_t offset, const char *detail)
{
    const tby_position pos = position_of(fen);
    char *copy = exact_copy(text, n);
    tby_move m = 0x1234;
    tby_error err = {TBY_OK, {7, 7}, 12345, NULL};
    const tby_status got = tby_san_read(&m, &pos, copy, n, flags, NULL, &err);
    if (got != status)
        fail_msg("%s: \"%s\": status %d instead of %d", fen, text, got, status);
    if (strcmp(err.detail, detail) != 0 || err.offset != offset)
        fail_msg("%s: \"%s\": \"%s\" at %zu instead of \"%s\" at %zu", fen, text, err.detail, err.offset, detail,
                 offset);
    assert_int_equal(err.status, status);
    assert_int_equal(tby_san_read(&m, &pos, copy, n, flags, NULL, NULL), status);
    assert_int_equal(m, 0x1234);
    free(copy);
}

static inline void refuses(const char *fen, const char *text, tby_status status, size_t offset, const char *detail)
{
    refuses_bytes(fen, text, strlen(text), 0, status, offset, detail);
}

static inline void is_invalid(const char *fen, const char *text, size_t offset, const char *detail)
{
    refuses(fen, text, TBY_INVALID_SAN, offset, detail);
}

static inline void is_illegal(const char *fen, const char *text, const char *detail)
{
    refuses(fen, text, TBY_ILLEGAL_MOVE, 0, detail);
}

static inline void is_ambiguous(const char *fen, const char *text)
{
    refuses(fen, text, TBY_AMBIGUOUS_MOVE, 0, "more than one such piece can go there");
}

static const char NO_PIECE_CAN[] = "no such piece can go there";
static const char NO_PAWN_CAN[] = "no pawn can go there";
static const char IN_CHECK[] = "the king would be in check";
static const char SQUARE_EXPECTED[] = "a square was expected";
static const char ENDED[] = "the move has ended here";

#endif
