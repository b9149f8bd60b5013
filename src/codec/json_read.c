/*
 * json_read.c - reads a game from one line of JSON.
 *
 *     game = { tags?: [[name, value]...], fen?, chess960?, result?, nags?, before?, after?, moves?: line }
 *     line = [ { san, nags?: [0...65535], before?: [text...], after?: [text...], variations?: [line...] } ... ]
 *
 * Reads    what json_write.c writes, with keys in any order; other keys are skipped; lenient SAN; "--" for a null move.
 *          An object is scanned once to find its keys, then its values are read in the order needed: start before
 *          moves, a move before its variations.
 * Refuses  TBY_INVALID_JSON, and the errors of FEN, SAN and results, each with its place; TBY_TOO_DEEP;
 *          TBY_INVALID_TRAILING anything but blanks after the object. Then `game` is empty.
 * Keeps    recursion only for variations, at most 64 deep; so no byte is skipped more than 67 times.
 */
#include "codec/bytes.h"
#include "codec/stored.h"
#include "notation/refuse.h"
#include "support/json_lex.h"

typedef struct reader {
    json_reader json;
    tby_game *game;
    json_plain plain[2]; /* the last strings; a tag has two */
} reader;

static bool fail_memory(reader *r) { return json_fail(&r->json, r->json.at, TBY_NO_MEMORY, NULL); }

/* Reports another reader's error about `text`. If an escape precedes it, the place is the start of the string. */
static bool fail_inside(reader *r, const json_text *text, const tby_error *err)
{
    if (json_is_good(&r->json)) {
        const size_t offset = text->has_escapes || err->offset > text->n ? 0 : err->offset;
        r->json.err = *err;
        r->json.err.offset = (size_t)(text->s - r->json.start) + offset;
    }
    return false;
}

/* The next string, in plain[which]. */
static bool take_text(reader *r, int which, json_text *text)
{
    return json_take_string(&r->json, text) && json_resolve(&r->json, text, &r->plain[which]);
}

/* ---- Notes ----------------------------------------------------------------------------------------------- */

static bool read_nags(reader *r, tby_node node)
{
    for (bool more = json_enter(&r->json, '['); more; more = json_more(&r->json, ']')) {
        uint32_t nag = 0;
        if (!json_natural(&r->json, UINT16_MAX, &nag))
            return false;
        if (!tby_game_add_nag(r->game, node, (uint16_t)nag))
            return fail_memory(r);
    }
    return json_is_good(&r->json);
}

static bool read_comments(reader *r, tby_node node, tby_comment_place place)
{
    for (bool more = json_enter(&r->json, '['); more; more = json_more(&r->json, ']')) {
        json_text text;
        if (!take_text(r, 0, &text))
            return false;
        if (!tby_game_add_comment(r->game, node, place, r->plain[0].s, r->plain[0].n))
            return fail_memory(r);
    }
    return json_is_good(&r->json);
}

/* The keys that the start and the moves share. */
enum { NAGS, BEFORE, AFTER, N_NOTES };

static bool read_notes(reader *r, tby_node node, const char *const values[N_NOTES])
{
    for (int i = 0; i < N_NOTES; i++) {
        if (!values[i])
            continue;
        r->json.at = values[i];
        if (!(i == NAGS ? read_nags(r, node)
                        : read_comments(r, node, i == BEFORE ? TBY_COMMENT_BEFORE : TBY_COMMENT_AFTER)))
            return false;
    }
    return true;
}

/* ---- Moves ----------------------------------------------------------------------------------------------- */

static bool read_line(reader *r, tby_node parent, const tby_position *start, int depth);

static bool read_san(reader *r, tby_position *pos, tby_move *m)
{
    json_text text;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (!take_text(r, 0, &text))
        return false;
    const char *s = r->plain[0].s;
    const size_t n = r->plain[0].n;
    if (n == 2 && memcmp(s, "--", 2) == 0) {
        *m = TBY_MOVE_NULL;
        err = (tby_error){TBY_ILLEGAL_NULL_MOVE, {0, 0}, 0, "the side to move is in check"};
        return tby_position_play_null(pos, NULL) == TBY_OK || fail_inside(r, &text, &err);
    }
    if (tby_san_read(m, pos, s, n, 0, NULL, &err) != TBY_OK)
        return fail_inside(r, &text, &err);
    tby_position_play(pos, *m, NULL);
    return true;
}

static bool read_variations(reader *r, tby_node parent, const tby_position *before, int depth)
{
    if (depth == JSON_VARIATIONS_MAX)
        return json_fail(&r->json, r->json.at, TBY_TOO_DEEP, "variations more than 64 deep");
    for (bool more = json_enter(&r->json, '['); more; more = json_more(&r->json, ']')) {
        json_peek(&r->json);
        const char *start = r->json.at;
        const size_t n_nodes = r->game->n_nodes;
        if (!read_line(r, parent, before, depth + 1))
            return false;
        if (r->game->n_nodes == n_nodes)
            return json_fail(&r->json, start, TBY_INVALID_JSON, "a variation without moves");
    }
    return json_is_good(&r->json);
}

/* Adds a move after `*node`, sets `*node` to it, and plays it. */
static bool read_move(reader *r, tby_node *node, tby_position *pos, int depth)
{
    static const char *const names[] = {"nags", "before", "after", "san", "variations"};
    enum { SAN = N_NOTES, VARIATIONS, N_KEYS };
    const char *values[N_KEYS], *start = r->json.at;
    const tby_position before = *pos;
    const tby_node parent = *node;
    tby_move m = TBY_MOVE_NONE;
    if (!json_members(&r->json, names, values, N_KEYS))
        return false;
    const char *end = r->json.at;
    if (!values[SAN])
        return json_fail(&r->json, start, TBY_INVALID_JSON, "a move without san");
    r->json.at = values[SAN];
    if (!read_san(r, pos, &m))
        return false;
    *node = tby_game_add(r->game, parent, m);
    if (*node == TBY_NO_NODE)
        return fail_memory(r);
    if (!read_notes(r, *node, values))
        return false;
    r->json.at = values[VARIATIONS];
    if (values[VARIATIONS] && !read_variations(r, parent, &before, depth))
        return false;
    r->json.at = end;
    return true;
}

static bool read_line(reader *r, tby_node parent, const tby_position *start, int depth)
{
    tby_position pos = *start;
    tby_node node = parent;
    for (bool more = json_enter(&r->json, '['); more; more = json_more(&r->json, ']')) {
        json_peek(&r->json);
        if (!read_move(r, &node, &pos, depth))
            return false;
    }
    return json_is_good(&r->json);
}

/* ---- The game -------------------------------------------------------------------------------------------- */

static bool read_tag(reader *r)
{
    json_text name, value;
    json_peek(&r->json);
    const char *start = r->json.at;
    if (!json_enter(&r->json, '[') || !take_text(r, 0, &name) || !json_more(&r->json, ']') ||
        !take_text(r, 1, &value) || json_more(&r->json, ']') || !json_is_good(&r->json))
        return json_fail(&r->json, start, TBY_INVALID_JSON, "[name, value] expected");
    const char *detail;
    const tby_status status =
        tags_add(r->game, r->plain[0].s, r->plain[0].n, r->plain[1].s, r->plain[1].n, TBY_INVALID_JSON, &detail);
    return status == TBY_OK || json_fail(&r->json, start, status, detail);
}

static bool read_tags(reader *r)
{
    for (bool more = json_enter(&r->json, '['); more; more = json_more(&r->json, ']'))
        if (!read_tag(r))
            return false;
    return json_is_good(&r->json);
}

static bool read_fen(reader *r)
{
    json_text text;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    return take_text(r, 0, &text) &&
           (start_read(&r->game->start, r->plain[0].s, r->plain[0].n, &err) == TBY_OK || fail_inside(r, &text, &err));
}

static bool read_chess960(reader *r) { return json_boolean(&r->json, &r->game->is_chess960); }

static bool read_result(reader *r)
{
    json_text text;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    return take_text(r, 0, &text) && (tby_result_read(&r->game->result, r->plain[0].s, r->plain[0].n, &err) == TBY_OK ||
                                      fail_inside(r, &text, &err));
}

static bool read_moves(reader *r) { return read_line(r, TBY_ROOT, &r->game->start, 0); }

/* Reads the value of a key, if the object has it. */
static bool read_if(reader *r, const char *value, bool (*read)(reader *r))
{
    r->json.at = value;
    return !value || read(r);
}

static bool read_game(reader *r)
{
    static const char *const names[] = {"nags", "before", "after", "tags", "fen", "chess960", "result", "moves"};
    enum { TAGS = N_NOTES, FEN, CHESS960, RESULT, MOVES, N_KEYS };
    const char *values[N_KEYS];
    if (!json_members(&r->json, names, values, N_KEYS))
        return false;
    json_peek(&r->json);
    if (r->json.at != r->json.end)
        return json_fail(&r->json, r->json.at, TBY_INVALID_TRAILING, "one game per line");
    return read_if(r, values[FEN], read_fen) && read_if(r, values[CHESS960], read_chess960) &&
           read_notes(r, TBY_ROOT, values) && read_if(r, values[TAGS], read_tags) &&
           read_if(r, values[RESULT], read_result) && read_if(r, values[MOVES], read_moves);
}

tby_status tby_json_read(tby_game *game, const char *s, size_t n, tby_error *err)
{
    reader r = {.json = json_begin(s, n), .game = game};
    r.plain[0].scratch = r.plain[1].scratch = buffer_begin(&game->allocator);
    tby_game_clear(game);
    const bool is_good = read_game(&r);
    buffer_free(&r.plain[0].scratch);
    buffer_free(&r.plain[1].scratch);
    if (is_good)
        return TBY_OK;
    tby_game_clear(game);
    if (err)
        *err = r.json.err;
    return r.json.err.status;
}
