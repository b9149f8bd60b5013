/*
 * pgn_start.c - the start of a PGN game: what its FEN and Variant tags mean.
 *
 * Reads    a FEN leniently, as standard chess unless the Variant tag or Shredder letters indicate Chess960; with
 *          TBY_PGN_CHESS960 also if only Chess960 allows the castling rights. Accepts playable boards that no game
 *          leads to.
 * Refuses  text that is not a FEN, unplayable boards, and variants other than chess and Chess960.
 */
#include "pgn/pgn_reader.h"

#include <string.h>

/* Warnings about the start: some part of the tag was dropped, or no game leads there. */
static unsigned start_warnings(const tby_setup *setup, unsigned fen_warnings)
{
    return (fen_warnings & (TBY_FEN_WARN_CASTLING | TBY_FEN_WARN_EN_PASSANT)) || tby_setup_faults(setup)
               ? TBY_PGN_WARN_FEN
               : 0;
}

tby_status pgn_read_start(tby_position *out, const char *fen, size_t n, unsigned flags, bool *is_chess960,
                          unsigned *warning, tby_error *err)
{
    tby_setup setup, other;
    unsigned warnings = 0, other_warnings = 0;
    tby_status status = tby_fen_read(&setup, fen, n, *is_chess960 ? TBY_FEN_CHESS960 : 0, &warnings, err);
    *warning = 0;
    if (status == TBY_OK && (warnings & TBY_FEN_WARN_CASTLING) && !*is_chess960 &&
        tby_fen_read(&other, fen, n, TBY_FEN_CHESS960, &other_warnings, NULL) == TBY_OK &&
        !(other_warnings & TBY_FEN_WARN_CASTLING)) {
        *is_chess960 = (flags & TBY_PGN_CHESS960) != 0;
        setup = *is_chess960 ? other : setup;
        warnings = *is_chess960 ? other_warnings : warnings;
        *warning = *is_chess960 ? 0 : TBY_PGN_WARN_CHESS960;
    }
    if (status == TBY_OK)
        status = tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, err);
    if (status == TBY_OK && !*warning)
        *warning = start_warnings(&setup, warnings);
    return status;
}

/* ---- Variants ------------------------------------------------------------------------------------------- */

enum { VARIANT_SIZE = 64 };

/* Letters and digits only, in lower case: "From Position" and "from-position" are the same. */
static size_t plain_name(char out[VARIANT_SIZE], const char *s, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n && length < VARIANT_SIZE; i++) {
        const char small = (char)(s[i] | 32);
        if ((small >= 'a' && small <= 'z') || (s[i] >= '0' && s[i] <= '9') || (unsigned char)s[i] >= 0x80)
            out[length++] = s[i] >= '0' && s[i] <= '9' ? s[i] : small;
    }
    return length;
}

/* The length of the first of `words` that s begins with; 0 if there is none. */
static size_t word_length(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) <= n && memcmp(s, *words, strlen(*words)) == 0)
            return strlen(*words);
    return 0;
}

/* A name is made of known words: Chess960, "Fischer Random Chess", wild/fr; Crazyhouse960 is not. */
pgn_variant pgn_read_variant(const char *s, size_t n)
{
    static const char *const standard[] = {
        "standard",  "chess",         "normal",     "regular",  "classical", "classic",
        "orthodox",  "international", "western",    "rated",    "setup",     "fromposition",
        "fromsetup", "position",      "nocastling", "nocastle", NULL};
    static const char *const chess960[] = {"960",    "fischerrandom", "fischerandom", "fischer", "freestyle",
                                           "wildfr", "frc",           "9lx",          NULL};
    char name[VARIANT_SIZE];
    const size_t n_name = plain_name(name, s, n);
    pgn_variant variant = PGN_STANDARD;
    for (size_t at = 0, length; at < n_name; at += length) {
        length = word_length(name + at, n_name - at, chess960);
        if (length)
            variant = PGN_CHESS960;
        else
            length = word_length(name + at, n_name - at, standard);
        if (!length)
            return PGN_OTHER_VARIANT;
    }
    return variant;
}
