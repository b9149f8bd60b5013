/*
 * cmbr_decode.c - decodes a record of a CMBR file into a game, checking every word against its position.
 *
 *     marker length checksum | flags [fen] tags line* comment*          cmbr_encode.c draws the bytes
 *
 * Reads    NAGs and pointers after a move in any order; a NAG's number in the lower byte if the upper one is zero;
 *          checkmate also with the check flag set.
 * Refuses  TBY_INVALID_CMBR everything that cmbr_encode.c does not describe: unknown bits, numbers that are not in
 *          their shortest form or point outside the payload, a tag twice, misplaced words, variations that are not
 *          numbered in order (so none can lead back to itself), comments on moves that do not exist. TBY_ILLEGAL_MOVE,
 *          TBY_ILLEGAL_NULL_MOVE, TBY_ILLEGAL_POSITION, and the errors of FEN and of single words.
 * Keeps    no recursion; time and memory in proportion to the actual bytes, whatever they claim.
 */
#include "codec/bytes.h"
#include "codec/cmbr.h"
#include "codec/stored.h"
#include "notation/refuse.h"

typedef struct decoder {
    tby_game *game;
    byte_cursor in;
    cmbr_lines lines;
    tby_error err;
} decoder;

/* The state of a line while it is read. */
typedef struct line_state {
    tby_position before, now; /* the last move */
    tby_node parent;          /* of the first move */
    tby_node node;            /* the last move; TBY_NO_NODE before the first */
    bool is_main;
} line_state;

static bool fail_at(decoder *d, const uint8_t *at, tby_status status, const char *detail)
{
    refuse(&d->err, status, (size_t)(at - d->in.start), detail);
    return false;
}

static bool decode_fail(decoder *d, tby_status status, const char *detail)
{
    return fail_at(d, d->in.at, status, detail);
}

static bool fail_memory(decoder *d) { return decode_fail(d, TBY_NO_MEMORY, NULL); }

static bool take_number(decoder *d, uint32_t *out)
{
    return varint_take(&d->in, out) || decode_fail(d, TBY_INVALID_CMBR, "a number expected");
}

static bool take_text(decoder *d, const char **text, size_t *n)
{
    uint32_t length = 0;
    const uint8_t *start = d->in.at;
    if (!take_number(d, &length))
        return false;
    if (length > cursor_left(&d->in))
        return fail_at(d, start, TBY_INVALID_CMBR, "a text is longer than what is left");
    *text = (const char *)d->in.at;
    *n = length;
    d->in.at += length;
    return true;
}

/* ---- Head ------------------------------------------------------------------------------------------------ */

static bool take_fen(decoder *d, tby_position *start)
{
    const char *fen = NULL;
    size_t n = 0;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (!take_text(d, &fen, &n))
        return false;
    if (start_read(start, fen, n, &err) == TBY_OK)
        return true;
    d->err = err;
    d->err.offset = (size_t)((const uint8_t *)fen - d->in.start) + (err.offset < n ? err.offset : n);
    return false;
}

static bool take_head(decoder *d)
{
    tby_position start;
    tby_position_start(&start);
    if (cursor_left(&d->in) == 0)
        return decode_fail(d, TBY_INVALID_CMBR, "the record is empty");
    const unsigned flags = *d->in.at;
    if (flags & CMBR_UNUSED)
        return decode_fail(d, TBY_INVALID_CMBR, "unknown flags");
    d->in.at++;
    if ((flags & CMBR_HAS_FEN) && !take_fen(d, &start))
        return false;
    tby_game_set_start(d->game, &start, (flags & CMBR_CHESS960) != 0);
    tby_game_set_result(d->game, (tby_result)(flags & CMBR_RESULT));
    return true;
}

static bool take_tag(decoder *d)
{
    const uint8_t *start = d->in.at;
    const char *name = NULL, *value = NULL;
    size_t n_name = 0, n_value = 0;
    if (!take_text(d, &name, &n_name) || !take_text(d, &value, &n_value))
        return false;
    const char *detail;
    const tby_status status = tags_add(d->game, name, n_name, value, n_value, TBY_INVALID_CMBR, &detail);
    return status == TBY_OK || fail_at(d, start, status, detail);
}

static bool take_tags(decoder *d)
{
    uint32_t n_tags = 0;
    if (!take_number(d, &n_tags))
        return false;
    for (uint32_t i = 0; i < n_tags; i++)
        if (!take_tag(d))
            return false;
    return true;
}

/* ---- Words ----------------------------------------------------------------------------------------------- */

static bool fail_word(decoder *d, const line_state *line, const char *detail)
{
    refuse_with(&d->err, TBY_INVALID_CMBR, cursor_offset(&d->in), detail, (int)line->now.ply, 0);
    return false;
}

static bool take_null(decoder *d, line_state *line)
{
    line->before = line->now;
    if (tby_position_play_null(&line->now, NULL) == TBY_OK)
        return true;
    refuse_with(&d->err, TBY_ILLEGAL_NULL_MOVE, cursor_offset(&d->in), "half-move %d: the side to move is in check",
                (int)line->now.ply + 1, 0);
    return false;
}

/* The move of a word, except for castling and unusual words: most words need no list of moves. */
static tby_move plain_move(const tby_position *pos, uint32_t word)
{
    static const uint8_t promotions[8] = {[4] = TBY_BISHOP, [5] = TBY_KNIGHT, [6] = TBY_ROOK, [7] = TBY_QUEEN};
    const unsigned to = word >> 18 & 63, from = word >> 12 & 63, piece = word >> 8 & 7;
    const unsigned kind = piece == 0 && to == pos->en_passant ? TBY_PAWN : promotions[word >> 4 & 7];
    const tby_move m = TBY_MOVE(from, to, kind);
    return tby_move_is_legal(pos, m) && tby_cmbr_move_encode(pos, m) == word ? m : TBY_MOVE_NONE;
}

static bool take_legal(decoder *d, line_state *line, uint32_t word, tby_move *m)
{
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    *m = plain_move(&line->now, word);
    if (*m == TBY_MOVE_NONE && tby_cmbr_move_decode(m, &line->now, word, &err) != TBY_OK) {
        d->err = err;
        d->err.offset += cursor_offset(&d->in);
        return false;
    }
    line->before = line->now;
    tby_position_play(&line->now, *m, NULL);
    return true;
}

static bool take_move(decoder *d, line_state *line, uint32_t word)
{
    tby_move m = TBY_MOVE_NULL;
    if (word == cmbr_null_word(&line->now) ? !take_null(d, line) : !take_legal(d, line, word, &m))
        return false;
    line->node = tby_game_add(d->game, line->node == TBY_NO_NODE ? line->parent : line->node, m);
    return line->node != TBY_NO_NODE || fail_memory(d);
}

/* The number is in the top byte, or if that is zero in the next one; a wide NAG uses both. */
static bool take_nag(decoder *d, const line_state *line, uint32_t word)
{
    const uint32_t value = word >> 8, flags = word & 0xff;
    const bool is_wide = flags == CMBR_WIDE_NAG;
    if (line->node == TBY_NO_NODE && !line->is_main)
        return fail_word(d, line, "half-move %d: a variation begins with a NAG");
    if ((flags != TBY_CMBR_NAG && !is_wide) || (is_wide && value <= CMBR_NARROW_NAG_MAX) ||
        (!is_wide && value > CMBR_NARROW_NAG_MAX && (value & 0xff)))
        return fail_word(d, line, "half-move %d: a NAG with invalid bits");
    const uint32_t nag = !is_wide && value > CMBR_NARROW_NAG_MAX ? value >> 8 : value;
    const tby_node node = line->node == TBY_NO_NODE ? TBY_ROOT : line->node;
    return tby_game_add_nag(d->game, node, (uint16_t)nag) || fail_memory(d);
}

/* Variations are numbered in order: a pointer leads to a later line that no other pointer leads to. */
static bool take_pointer(decoder *d, const line_state *line, uint32_t word)
{
    const size_t number = d->lines.n - 1;
    if (line->node == TBY_NO_NODE)
        return fail_word(d, line, "half-move %d: a variation without a move before it");
    if ((word & 0xff) != TBY_CMBR_VARIATION)
        return fail_word(d, line, "half-move %d: a variation with invalid bits");
    if (word >> 8 != number || number >= CMBR_VARIATIONS_MAX)
        return fail_word(d, line, "half-move %d: a variation that is not the next one");
    return cmbr_lines_add(&d->lines, &line->before, tby_game_parent(d->game, line->node), TBY_NO_NODE) ||
           fail_memory(d);
}

/* ---- Lines ----------------------------------------------------------------------------------------------- */

static bool take_word(decoder *d, line_state *line)
{
    const uint32_t word = bytes_get_24(d->in.at);
    const bool taken = word & TBY_CMBR_VARIATION ? take_pointer(d, line, word)
                       : word & TBY_CMBR_NAG     ? take_nag(d, line, word)
                                                 : take_move(d, line, word);
    d->in.at += taken ? CMBR_WORD : 0;
    return taken;
}

static bool take_line(decoder *d, size_t number)
{
    const cmbr_line *from = &d->lines.items[number];
    line_state line = {from->before, from->before, from->parent, TBY_NO_NODE, number == 0};
    uint32_t n_words = 0;
    if (!take_number(d, &n_words))
        return false;
    if (n_words > cursor_left(&d->in) / CMBR_WORD)
        return decode_fail(d, TBY_INVALID_CMBR, "a line is longer than what is left");
    for (uint32_t i = 0; i < n_words; i++) {
        const bool is_first = line.node == TBY_NO_NODE;
        if (!take_word(d, &line))
            return false;
        if (is_first)
            d->lines.items[number].head = line.node;
    }
    return line.node != TBY_NO_NODE || line.is_main || decode_fail(d, TBY_INVALID_CMBR, "a variation without moves");
}

static bool take_lines(decoder *d)
{
    if (!cmbr_lines_add(&d->lines, tby_game_start(d->game), TBY_ROOT, TBY_NO_NODE))
        return fail_memory(d);
    for (size_t number = 0; number < d->lines.n; number++)
        if (!take_line(d, number))
            return false;
    return true;
}

/* ---- Comments -------------------------------------------------------------------------------------------- */

/* The moves in the order of their numbers. */
typedef struct walk {
    tby_node node;
    size_t next_line;
    uint32_t number;
} walk;

static bool walk_on(const decoder *d, walk *w)
{
    tby_node next = w->next_line == 0 ? TBY_NO_NODE : tby_game_child(d->game, w->node);
    if (next == TBY_NO_NODE && w->next_line < d->lines.n)
        next = d->lines.items[w->next_line++].head;
    if (next == TBY_NO_NODE)
        return false;
    w->node = next;
    w->number++;
    return true;
}

static bool take_comment(decoder *d, walk *w, uint64_t *place)
{
    const uint8_t *start = d->in.at;
    uint32_t step = 0;
    const char *text = NULL;
    size_t n = 0;
    if (!take_number(d, &step) || !take_text(d, &text, &n))
        return false;
    *place += step;
    while (w->number < *place / 2)
        if (!walk_on(d, w))
            return fail_at(d, start, TBY_INVALID_CMBR, "a comment on a move that does not exist");
    const tby_comment_place side = *place % 2 ? TBY_COMMENT_AFTER : TBY_COMMENT_BEFORE;
    return tby_game_add_comment(d->game, w->node, side, text, n) || fail_memory(d);
}

static bool take_comments(decoder *d)
{
    walk w = {TBY_ROOT, 0, 0};
    uint64_t place = 0;
    while (cursor_left(&d->in) > 0)
        if (!take_comment(d, &w, &place))
            return false;
    return true;
}

/* ---- The record ------------------------------------------------------------------------------------------ */

tby_status cmbr_decode_payload(tby_game *game, const uint8_t *bytes, size_t n, tby_error *err)
{
    decoder d = {game, cursor_begin(bytes, n), {NULL, 0, 0, game->allocator}, {TBY_OK, {0, 0}, 0, NULL}};
    tby_game_clear(game);
    const bool is_good = take_head(&d) && take_tags(&d) && take_lines(&d) && take_comments(&d);
    cmbr_lines_free(&d.lines);
    if (is_good)
        return TBY_OK;
    tby_game_clear(game);
    if (err)
        *err = d.err;
    return d.err.status;
}

tby_status cmbr_check_frame(const uint8_t *bytes, size_t n, tby_error *err)
{
    if (n < CMBR_MARKER || memcmp(bytes, cmbr_marker(), CMBR_MARKER) != 0)
        return refuse(err, TBY_INVALID_CMBR, 0, "no game begins here");
    if (n < CMBR_FRAME)
        return refuse(err, TBY_INVALID_CMBR, n, "the game is cut off");
    const uint32_t length = bytes_get_32(bytes + 4);
    if (length > CMBR_PAYLOAD_MAX)
        return refuse(err, TBY_TOO_LONG, 4, "the game claims to take more than 16 MiB");
    if (length > n - CMBR_FRAME)
        return refuse(err, TBY_INVALID_CMBR, n, "the game is cut off");
    if (crc32_of(crc32_of(0, bytes + 4, 4), bytes + CMBR_FRAME, length) != bytes_get_32(bytes + 8))
        return refuse(err, TBY_INVALID_CMBR, 8, "the checksum does not match");
    return TBY_OK;
}

bool cmbr_unstuff(uint8_t *bytes, size_t *n)
{
    const uint8_t *end = bytes + *n, *from = bytes;
    uint8_t *to = bytes;
    for (;;) {
        const uint8_t *stem = cmbr_find(from, end, CMBR_STEM);
        const size_t length = (size_t)(stem - from) + (stem == end ? 0 : CMBR_STEM);
        if (to != from)
            memmove(to, from, length);
        to += length;
        from += length;
        if (stem == end)
            break;
        if (from == end || *from++ != 0)
            return false;
    }
    *n = (size_t)(to - bytes);
    return true;
}

/* Works on a copy, because the zeros must be removed. */
static tby_status decode_stuffed(tby_game *game, const uint8_t *bytes, size_t n, tby_error *err)
{
    buffer copy = buffer_begin(&game->allocator);
    tby_status status;
    buffer_add(&copy, bytes, n);
    if (copy.has_failed)
        status = refuse(err, TBY_NO_MEMORY, 0, NULL);
    else if (!cmbr_unstuff(copy.data, &copy.n))
        status = refuse(err, TBY_INVALID_CMBR, 0, "a marker inside the game");
    else
        status = cmbr_decode_payload(game, copy.data, copy.n, err);
    buffer_free(&copy);
    return status;
}

tby_status tby_cmbr_decode(tby_game *game, const uint8_t *bytes, size_t n, tby_error *err)
{
    tby_game_clear(game);
    tby_status status = cmbr_check_frame(bytes, n, err);
    if (status != TBY_OK)
        return status;
    const size_t length = bytes_get_32(bytes + 4);
    const uint8_t *payload = bytes + CMBR_FRAME;
    if (length != n - CMBR_FRAME)
        return refuse(err, TBY_INVALID_TRAILING, CMBR_FRAME + length, "bytes after the game");
    if (cmbr_find(payload, payload + length, CMBR_STEM) != payload + length)
        status = decode_stuffed(game, payload, length, err);
    else
        status = cmbr_decode_payload(game, payload, length, err);
    if (status != TBY_OK && err)
        err->offset += CMBR_FRAME;
    return status;
}
