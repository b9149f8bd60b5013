/*
 * fuzz_san.c - any bytes as SAN, in a position that the input plays or names.
 *
 *     FEN \n text          a position by its FEN
 *     n moves text         from the start, n (a byte, blank = 0) bytes each picking one of the legal moves
 *
 * What is read is legal, and is the same move, without a warning, after writing and reading. There are warnings exactly
 * if the text is not in export format; strict reading accepts the export format, with any check marks, and nothing
 * else. What is refused is located and does not change the caller's move.
 */
#include "support.h"

/* ---- The position --------------------------------------------------------------------------------------- */

static bool position_of_fen(tby_position *pos, const char *s, size_t n)
{
    tby_setup setup;
    return tby_fen_read(&setup, s, n, TBY_FEN_CHESS960, NULL, NULL) == TBY_OK &&
           tby_position_init(pos, &setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
}

/* Returns the number of bytes used. */
static size_t play_input(tby_position *pos, const uint8_t *data, size_t size)
{
    const size_t n_plies = size ? (uint8_t)(data[0] - ' ') : 0;
    size_t at = size ? 1 : 0;
    tby_position_start(pos);
    for (size_t ply = 0; ply < n_plies && at < size; ply++) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n_moves = tby_moves_list(moves, pos);
        if (n_moves == 0)
            break;
        tby_position_play(pos, moves[data[at++] % n_moves], NULL);
    }
    return at;
}

/* ---- The text ------------------------------------------------------------------------------------------- */

static size_t without_mark(const char *s, size_t n) { return n && (s[n - 1] == '+' || s[n - 1] == '#') ? n - 1 : n; }

static tby_status read_text(tby_move *m, const tby_position *pos, const char *s, size_t n, unsigned flags,
                            unsigned *warnings)
{
    const tby_move untouched = *m;
    tby_error err = {TBY_OK, {0, 0}, n + 1, NULL};
    const tby_status status = tby_san_read(m, pos, s, n, flags, warnings, &err);
    if (status == TBY_OK) {
        require(tby_move_is_legal(pos, *m));
    } else {
        require(err.status == status && err.offset <= n && err.detail && *m == untouched);
        require(status == TBY_INVALID_SAN || err.offset == 0);
    }
    return status;
}

/* Writes the move in both forms and reads it back. */
static void check_move(const tby_position *pos, tby_move m)
{
    char text[TBY_SAN_SIZE], small[TBY_SAN_SIZE];
    tby_move back = TBY_MOVE_NONE;
    unsigned warnings = ~0U;
    size_t length = tby_san_write(text, sizeof text, pos, m);
    require(length < sizeof text && strlen(text) == length);
    require(tby_san_write(small, length, pos, m) == length && small[0] == '\0');
    require(read_text(&back, pos, text, length, TBY_SAN_STRICT, &warnings) == TBY_OK && back == m && warnings == 0);
    length = tby_lan_write(text, sizeof text, pos, m);
    require(length < sizeof text && strlen(text) == length);
    require(read_text(&back, pos, text, length, 0, NULL) == TBY_OK && back == m);
}

static void check_text(const tby_position *pos, const char *s, size_t n)
{
    char text[TBY_SAN_SIZE];
    tby_move m = TBY_MOVE_NONE, strict = TBY_MOVE_NONE, queen = TBY_MOVE_NONE;
    unsigned warnings = 0;
    const tby_status status = read_text(&m, pos, s, n, 0, &warnings);
    const tby_status strict_status = read_text(&strict, pos, s, n, TBY_SAN_STRICT, NULL);
    const tby_status queen_status = read_text(&queen, pos, s, n, TBY_SAN_AUTO_QUEEN, NULL);
    if (status != TBY_OK) {
        require(strict_status == status);
        require(queen_status == (status == TBY_PROMOTION_MISSING ? TBY_OK : status));
        if (queen_status == TBY_OK)
            require(TBY_MOVE_KIND(queen) == TBY_QUEEN);
        return;
    }
    require(queen_status == TBY_OK && queen == m);
    check_move(pos, m);
    const size_t length = tby_san_write(text, sizeof text, pos, m), bare = without_mark(s, n);
    const bool is_export = length == n && memcmp(text, s, n) == 0;
    const bool but_for_mark = bare == without_mark(text, length) && memcmp(text, s, bare) == 0;
    require((warnings == 0) == is_export);
    require(!but_for_mark || !(warnings & ~(unsigned)TBY_SAN_WARN_SUFFIX));
    require(strict_status == (but_for_mark ? TBY_OK : TBY_INVALID_SAN));
    require(!but_for_mark || strict == m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *feed = size ? memchr(data, '\n', size) : NULL;
    tby_position pos;
    tby_move moves[TBY_MOVES_MAX];
    size_t at;
    if (feed && position_of_fen(&pos, (const char *)data, (size_t)(feed - data)))
        at = (size_t)(feed - data) + 1;
    else
        at = play_input(&pos, data, size);
    check_text(&pos, (const char *)data + at, size - at);
    const size_t n_moves = tby_moves_list(moves, &pos);
    if (n_moves > 0)
        check_move(&pos, moves[size % n_moves]);
    return 0;
}
