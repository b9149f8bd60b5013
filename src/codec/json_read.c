/*
 * json_read.c - reads a game from one line of JSON, or its tags from an object.
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

/* ---- Tags alone: {"Event":"?","White":"Ada"} --------------------------------------------------------------------- */

/*
 * Reads    strings; numbers, true and false as written; null is skipped. If a name occurs twice, the last value counts.
 * Refuses  anything but an object, names that PGN cannot hold, arrays and objects as values.
 */
static bool read_member_value(json_reader *j, json_plain *value, bool *is_null)
{
    json_text text;
    const char c = json_peek(j);
    *is_null = c == 'n';
    if (c == '"')
        return json_take_string(j, &text) && json_resolve(j, &text, value);
    if (c == '{' || c == '[')
        return json_fail(j, j->at, TBY_INVALID_JSON, "a tag must be a text");
    value->s = j->at;
    if (!json_skip(j))
        return false;
    value->n = (size_t)(j->at - value->s);
    return true;
}

static bool read_member(json_reader *j, tby_game *game, json_plain *name, json_plain *value)
{
    json_text key;
    bool is_null;
    if (!json_key(j, &key) || !json_resolve(j, &key, name) || !read_member_value(j, value, &is_null))
        return false;
    if (is_null)
        return true;
    if (!game_is_tag_name(name->s, name->n))
        return json_fail(j, key.s, TBY_INVALID_JSON, "PGN cannot hold a tag of this name");
    return tby_game_set_tag(game, name->s, name->n, value->s, value->n) || json_fail(j, j->at, TBY_NO_MEMORY, NULL);
}

static bool read_members(json_reader *j, tby_game *game, json_plain *name, json_plain *value)
{
    if (json_peek(j) != '{')
        return json_fail(j, j->at, TBY_INVALID_JSON, "the tags must be a JSON object");
    for (bool more = json_enter(j, '{'); more; more = json_more(j, '}'))
        if (!read_member(j, game, name, value))
            return false;
    if (json_is_good(j) && json_peek(j))
        return json_fail(j, j->at, TBY_INVALID_TRAILING, "one object expected");
    return json_is_good(j);
}

static void remove_tags(tby_game *game)
{
    while (tby_game_n_tags(game) > 0)
        tby_game_remove_tag(game, tby_game_tag_name(game, 0));
}

tby_status tby_json_read_tags(tby_game *game, const char *s, size_t n, tby_error *err)
{
    json_reader j = json_begin(s, n);
    json_plain name = {NULL, 0, buffer_begin(&game->allocator)}, value = {NULL, 0, buffer_begin(&game->allocator)};
    remove_tags(game);
    if (!read_members(&j, game, &name, &value)) {
        remove_tags(game);
        if (err)
            *err = j.err;
    }
    buffer_free(&name.scratch);
    buffer_free(&value.scratch);
    return j.err.status;
}
