/*
 * pgn_start.c - where a game of PGN starts: what its FEN and Variant tags mean.
 *
 * Reads    a FEN leniently, as standard chess unless the Variant tag says Chess960, or the board is a start position of
 *          Chess960 with KQkq, because not every file has that tag. Boards that no game leads to are played from.
 * Refuses  what is no FEN, and a board that cannot be played on.
 */
#include "game/pgn_lex.h"
#include "game/pgn_reader.h"

#include <string.h>

/* Is it one of the 960 start positions, with all castling rights? */
static bool is_chess960_start(const tby_setup *setup)
{
    tby_setup start;
    for (unsigned number = 0; tby_setup_chess960(&start, number); number++)
        if (tby_setup_equal(&start, setup))
            return true;
    return false;
}

tby_status tby_pgn_read_start(tby_position *out, const char *fen, size_t n, bool is_chess960, bool *is_mended,
                              tby_error *err)
{
    tby_setup setup;
    unsigned warnings = 0;
    tby_status status = tby_fen_read(&setup, fen, n, is_chess960 ? TBY_FEN_CHESS960 : 0, &warnings, err);
    if (status == TBY_OK && (warnings & TBY_FEN_WARN_CASTLING)) {
        tby_setup other;
        if (tby_fen_read(&other, fen, n, TBY_FEN_CHESS960, NULL, NULL) == TBY_OK && is_chess960_start(&other))
            setup = other;
    }
    if (status == TBY_OK)
        status = tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, err);
    *is_mended = status == TBY_OK &&
                 ((warnings & (TBY_FEN_WARN_CASTLING | TBY_FEN_WARN_EN_PASSANT)) || tby_setup_faults(&setup));
    return status;
}

static bool contains(const char *s, size_t n, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++)
        if (pgn_same_letters(s + i, length, word))
            return true;
    return false;
}

bool tby_pgn_variant_is_chess960(const char *s, size_t n) { return contains(s, n, "960") || contains(s, n, "fischer"); }

bool tby_pgn_variant_is_standard(const char *s, size_t n)
{
    static const char *const names[] = {"", "standard", "chess", "normal", "from position", "?"};
    while (n > 0 && s[0] == ' ') {
        s++;
        n--;
    }
    while (n > 0 && s[n - 1] == ' ')
        n--;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (pgn_same_letters(s, n, names[i]))
            return true;
    return false;
}
