/*
 * cmbr_encode.c - encodes a game as one record of a CMBR file.
 *
 *     payload = flags [fen] tags line* comment*
 *     flags     1 byte: bits 0-1 result (0 none, 1 white, 2 black, 3 draw), 2 Chess960, 3 a FEN follows, 4-7 zero
 *     fen       text                                          text = varint n, n bytes
 *     tags      varint n_tags, n_tags times: text name, text value
 *     line      varint n_words, n_words times 3 bytes         the main line, then variations 0, 1, 2 ...
 *     comment   varint step, text                             to the end
 *
 *      23       16 15        8 7        0
 *     +-----------+-----------+----------+
 *     |    to, from, piece    |  flags   |   a move: see notation/cmbr_move.c; from = to = king: a null move
 *     |    nag    |     0     |   0x08   |   a NAG of the move before it, or of the start
 *     |          nag          |   0x09   |   a NAG over 255
 *     |       variation       |   0x80   |   an alternative to the move before it; they are numbered in order
 *     +-----------+-----------+----------+
 *
 *     Every move has a number: 0 the start, then 1, 2 ... through all lines. A comment's place is 2 * number, plus 1 if
 *     it follows the move; `step` is its distance from the place of the comment before.
 *
 * Writes   a move, its NAGs, the pointers to its alternatives; FEN only if the start is not the usual one.
 * Refuses  TBY_CANNOT_HOLD more than 65535 variations, a start that FEN cannot express; TBY_TOO_LONG a payload over
 *          16 MiB; TBY_NO_MEMORY; TBY_IO_ERROR when the sink refuses. Then nothing is written.
 */
#include "codec/bytes.h"
#include "codec/cmbr.h"
#include "codec/stored.h"
#include "notation/refuse.h"

typedef struct encoder {
    const tby_game *game;
    buffer out;
    cmbr_lines lines;
    tby_status status;
    const char *detail;
    uint32_t place; /* place of the last comment */
} encoder;

static void encode_fail(encoder *e, tby_status status, const char *detail)
{
    if (e->status == TBY_OK) {
        e->status = status;
        e->detail = detail;
    }
}

static void put_text(encoder *e, const char *s, size_t n)
{
    if (n > CMBR_PAYLOAD_MAX || e->out.n > CMBR_FRAME + (size_t)CMBR_PAYLOAD_MAX) {
        encode_fail(e, TBY_TOO_LONG, "the game takes more than 16 MiB");
        return;
    }
    varint_put(&e->out, (uint32_t)n);
    buffer_add(&e->out, s, n);
}

/* ---- Head ------------------------------------------------------------------------------------------------ */

static void put_fen(encoder *e, const tby_position *start)
{
    char fen[TBY_FEN_SIZE];
    const size_t n = start_write(fen, start);
    if (n == 0)
        encode_fail(e, TBY_CANNOT_HOLD, "the starting position cannot be written as FEN");
    put_text(e, fen, n);
}

static void put_head(encoder *e)
{
    const tby_position *start = tby_game_start(e->game);
    const bool has_fen = !game_is_usual_start(start);
    buffer_put(&e->out, (unsigned)tby_game_result(e->game) | (tby_game_is_chess960(e->game) ? CMBR_CHESS960 : 0u) |
                            (has_fen ? CMBR_HAS_FEN : 0u));
    if (has_fen)
        put_fen(e, start);
}

static void put_tags(encoder *e)
{
    const tby_game *game = e->game;
    varint_put(&e->out, (uint32_t)game->n_tags);
    for (size_t i = 0; i < game->n_tags; i++) {
        put_text(e, game_tag_text(game, game->tags[i].name), game->tags[i].n_name);
        put_text(e, game_tag_text(game, game->tags[i].value), game->tags[i].n_value);
    }
}

/* ---- Lines ----------------------------------------------------------------------------------------------- */

/* The first of the alternatives written after this move: only the first of several siblings has any. */
static tby_node first_alternative(const tby_game *game, tby_node node)
{
    return game_is_first(game, node) ? tby_game_sibling(game, node) : TBY_NO_NODE;
}

static size_t count_words(const tby_game *game, tby_node node)
{
    size_t n = 1 + tby_game_n_nags(game, node);
    for (tby_node other = first_alternative(game, node); other != TBY_NO_NODE; other = tby_game_sibling(game, other))
        n++;
    return n;
}

static void put_nags(encoder *e, tby_node node)
{
    for (size_t i = 0; i < tby_game_n_nags(e->game, node); i++) {
        const uint32_t nag = tby_game_nag(e->game, node, i);
        buffer_put_24(&e->out, nag > CMBR_NARROW_NAG_MAX ? nag << 8 | CMBR_WIDE_NAG : nag << 16 | TBY_CMBR_NAG);
    }
}

static void put_pointers(encoder *e, tby_node node, const tby_position *before)
{
    for (tby_node other = first_alternative(e->game, node); other != TBY_NO_NODE;
         other = tby_game_sibling(e->game, other)) {
        const size_t number = e->lines.n - 1; /* the main line has no number */
        if (number >= CMBR_VARIATIONS_MAX) {
            encode_fail(e, TBY_CANNOT_HOLD, "more than 65535 variations");
            return;
        }
        if (!cmbr_lines_add(&e->lines, before, TBY_NO_NODE, other))
            encode_fail(e, TBY_NO_MEMORY, NULL);
        buffer_put_24(&e->out, (uint32_t)number << 8 | TBY_CMBR_VARIATION);
    }
}

static void put_move(encoder *e, tby_node node, tby_position *pos)
{
    const tby_move m = tby_game_move(e->game, node);
    const tby_position before = *pos;
    buffer_put_24(&e->out, m == TBY_MOVE_NULL ? cmbr_null_word(pos) : tby_cmbr_move_encode(pos, m));
    put_nags(e, node);
    put_pointers(e, node, &before);
    tby_line_play(pos, m);
}

static void put_line(encoder *e, size_t number)
{
    const tby_node head = e->lines.items[number].head;
    tby_position pos = e->lines.items[number].before;
    size_t n_words = number == 0 ? tby_game_n_nags(e->game, TBY_ROOT) : 0;
    for (tby_node node = head; node != TBY_NO_NODE; node = tby_game_child(e->game, node))
        n_words += count_words(e->game, node);
    if (n_words > CMBR_PAYLOAD_MAX / CMBR_WORD) {
        encode_fail(e, TBY_TOO_LONG, "the game takes more than 16 MiB");
        return;
    }
    varint_put(&e->out, (uint32_t)n_words);
    if (number == 0)
        put_nags(e, TBY_ROOT);
    for (tby_node node = head; node != TBY_NO_NODE && e->status == TBY_OK; node = tby_game_child(e->game, node))
        put_move(e, node, &pos);
}

static void put_lines(encoder *e)
{
    if (!cmbr_lines_add(&e->lines, tby_game_start(e->game), TBY_ROOT, tby_game_child(e->game, TBY_ROOT)))
        encode_fail(e, TBY_NO_MEMORY, NULL);
    for (size_t number = 0; number < e->lines.n && e->status == TBY_OK; number++)
        put_line(e, number);
}

/* ---- Comments -------------------------------------------------------------------------------------------- */

static void put_comments_of(encoder *e, tby_node node, uint32_t number)
{
    for (int i = TBY_COMMENT_BEFORE; i <= TBY_COMMENT_AFTER; i++) {
        const tby_comment_place side = (tby_comment_place)i;
        const size_t n = tby_game_n_comments(e->game, node, side);
        for (size_t k = 0; k < n; k++) {
            size_t length = 0;
            const char *text = tby_game_comment(e->game, node, side, k, &length);
            const uint32_t place = 2 * number + (uint32_t)i;
            varint_put(&e->out, place - e->place);
            put_text(e, text, length);
            e->place = place;
        }
    }
}

static void put_comments(encoder *e)
{
    uint32_t number = 0;
    put_comments_of(e, TBY_ROOT, number);
    for (size_t i = 0; i < e->lines.n; i++)
        for (tby_node node = e->lines.items[i].head; node != TBY_NO_NODE && e->status == TBY_OK;
             node = tby_game_child(e->game, node))
            put_comments_of(e, node, ++number);
}

/* ---- The record ------------------------------------------------------------------------------------------ */

/* Inserts a zero after every stem in the payload, from the end, so that nothing is overwritten before it has moved. */
static void stuff(buffer *out)
{
    size_t n_stems = 0;
    const uint8_t *end = out->data + out->n;
    for (const uint8_t *at = cmbr_find(out->data + CMBR_FRAME, end, CMBR_STEM); at != end;
         at = cmbr_find(at + CMBR_STEM, end, CMBR_STEM))
        n_stems++;
    if (n_stems == 0 || !buffer_reserve(out, n_stems))
        return;
    size_t from = out->n;
    out->n += n_stems;
    for (size_t to = out->n; to > from; out->data[--to] = out->data[--from])
        if (from >= CMBR_FRAME + CMBR_STEM && memcmp(out->data + from - CMBR_STEM, cmbr_marker(), CMBR_STEM) == 0)
            out->data[--to] = 0;
}

static void put_frame(encoder *e)
{
    uint8_t *bytes = e->out.data;
    const size_t length = e->out.n - CMBR_FRAME;
    if (length > CMBR_PAYLOAD_MAX) {
        encode_fail(e, TBY_TOO_LONG, "the game takes more than 16 MiB");
        return;
    }
    memcpy(bytes, cmbr_marker(), CMBR_MARKER);
    bytes_set_32(bytes + 4, (uint32_t)length);
    bytes_set_32(bytes + 8, crc32_of(crc32_of(0, bytes + 4, 4), bytes + CMBR_FRAME, length));
}

static void put_record(encoder *e)
{
    static const uint8_t room[CMBR_FRAME];
    buffer_add(&e->out, room, CMBR_FRAME);
    put_head(e);
    put_tags(e);
    put_lines(e);
    if (e->status == TBY_OK)
        put_comments(e);
    if (e->status == TBY_OK && !e->out.has_failed)
        stuff(&e->out);
    if (e->out.has_failed)
        encode_fail(e, TBY_NO_MEMORY, NULL);
    if (e->status == TBY_OK)
        put_frame(e);
}

tby_status tby_cmbr_encode(const tby_game *game, tby_sink sink, void *context, const tby_allocator *allocator,
                           tby_error *err)
{
    encoder e = {game, buffer_begin(allocator), {NULL, 0, 0, allocator_or_default(allocator)}, TBY_OK, NULL, 0};
    put_record(&e);
    if (e.status == TBY_OK && !sink(context, (const char *)e.out.data, e.out.n))
        encode_fail(&e, TBY_IO_ERROR, "the record could not be written");
    buffer_free(&e.out);
    cmbr_lines_free(&e.lines);
    return e.status == TBY_OK ? TBY_OK : refuse(err, e.status, 0, e.detail);
}
