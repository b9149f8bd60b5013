/*
 * json_tags.c - reads the tags of a game from a JSON object: {"Event":"?","White":"Ada"}
 *
 * Reads    strings; numbers, true and false as written; null is skipped. If a name occurs twice, the last value counts.
 * Refuses  anything but an object, names that PGN cannot hold, arrays and objects as values.
 */
#include "codec/bytes.h"
#include "pgn/game.h"
#include "support/json_lex.h"

static bool read_value(json_reader *j, json_plain *value, bool *is_null)
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

static bool read_tag(json_reader *j, tby_game *game, json_plain *name, json_plain *value)
{
    json_text key;
    bool is_null;
    if (!json_key(j, &key) || !json_resolve(j, &key, name) || !read_value(j, value, &is_null))
        return false;
    if (is_null)
        return true;
    if (!game_is_tag_name(name->s, name->n))
        return json_fail(j, key.s, TBY_INVALID_JSON, "PGN cannot hold a tag of this name");
    return tby_game_set_tag(game, name->s, name->n, value->s, value->n) || json_fail(j, j->at, TBY_NO_MEMORY, NULL);
}

static bool read_tags(json_reader *j, tby_game *game, json_plain *name, json_plain *value)
{
    if (json_peek(j) != '{')
        return json_fail(j, j->at, TBY_INVALID_JSON, "the tags must be a JSON object");
    for (bool more = json_enter(j, '{'); more; more = json_more(j, '}'))
        if (!read_tag(j, game, name, value))
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
    if (!read_tags(&j, game, &name, &value)) {
        remove_tags(game);
        if (err)
            *err = j.err;
    }
    buffer_free(&name.scratch);
    buffer_free(&value.scratch);
    return j.err.status;
}
