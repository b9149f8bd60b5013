/*
 * row.c - games as rows of a table, in any database.
 */
#include "row/row.h"
#include "row/columns.h"
#include "support/array.h"
#include "tabiya_db.h"
#include "tabiya_value.h"
#include "value/chessgame.h"

#include <stdlib.h>
#include <string.h>

/* ---- Comparing ------------------------------------------------------------------------------------------ */

/* Usually the bytes decide; the games are compared only if they may differ just in tag order or comments. */
tby_status tby_row_same(bool *out, const tby_row *a, const tby_row *b)
{
    tby_game *x = NULL, *y = NULL;
    *out = false;
    if (a->hash != b->hash)
        return TBY_OK;
    if (row_is_equal(a, b, false)) {
        *out = true;
        return TBY_OK;
    }
    tby_status status = (x = tby_game_new(NULL)) && (y = tby_game_new(NULL)) ? TBY_OK : TBY_NO_MEMORY;
    if (status == TBY_OK)
        status = tby_row_game(x, a, NULL);
    if (status == TBY_OK)
        status = tby_row_game(y, b, NULL);
    *out = status == TBY_OK && games_match(x, y);
    tby_game_free(x);
    tby_game_free(y);
    return status == TBY_NO_MEMORY ? status : TBY_OK; /* a damaged game equals no other */
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* A row that lost a tag, because a name or the shape is missing, is no game with fewer tags. */
static tby_status fail_tag(tby_error *err)
{
    if (err)
        *err = (tby_error){.status = TBY_INVALID_DATABASE, .detail = "a tag that the game has is missing"};
    return TBY_INVALID_DATABASE;
}

static tby_status put_tag(tby_game *game, const char *name, const char *value, size_t n)
{
    return tby_game_set_tag(game, name, strlen(name), value, n) ? TBY_OK : TBY_NO_MEMORY;
}

/* `other` is its value in the JSON object, or NULL; `memory` must have the size of that object. */
static tby_status set_tag(tby_game *game, const tby_row *row, const char *name, const char *other, char *memory,
                          tby_error *err)
{
    char number[TBY_ROW_TEXT_SIZE];
    json_reader j = json_begin(row->tags.s, row->tags.n);
    json_text text;
    j.at = other;
    if (other && json_take_string(&j, &text))
        return put_tag(game, name, memory, json_unescape(memory, &text));
    const row_column *c = column_of_tag(name, strlen(name));
    const tby_text value = c ? column_tag(c, row, number) : (tby_text){NULL, 0};
    return value.s ? put_tag(game, name, value.s, value.n) : fail_tag(err);
}

/* Lists the names of the shape, and ends each with a NUL. */
static size_t list_names(const char **out, char *names)
{
    size_t n = 0;
    for (char *name = names; *name;) {
        char *end = name + strcspn(name, " ");
        const bool is_last = !*end;
        *end = '\0';
        out[n++] = name;
        name = is_last ? end : end + 1;
    }
    return n;
}

/* Sets the tags in the order of the shape; the JSON object is read once for all of them. */
static tby_status set_tags(tby_game *game, const tby_row *row, tby_error *err)
{
    if (!row->shape.s)
        return fail_tag(err);
    const size_t most = row->shape.n / 2 + 1;
    char *shape = text_copy(row->shape.s, row->shape.n), *memory = malloc(row->tags.n + 1);
    const char **names = malloc(2 * most * sizeof *names), **others = names ? names + most : NULL;
    tby_status status = shape && memory && names ? TBY_OK : TBY_NO_MEMORY;
    const size_t n = status == TBY_OK ? list_names(names, shape) : 0;
    json_reader j = json_begin(row->tags.s, row->tags.n);
    const bool has_others = n && row->tags.s && json_members(&j, names, others, n);
    for (size_t i = 0; status == TBY_OK && i < n; i++)
        status = set_tag(game, row, names[i], has_others ? others[i] : NULL, memory, err);
    free(shape);
    free(memory);
    free(names);
    return status;
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

static tby_status set_moves(tby_game *game, const tby_row *row, tby_error *err)
{
    const uint8_t *bytes = (const uint8_t *)row->moves.s;
    const tby_status status = tby_packed_check(bytes, row->moves.n, err);
    return status != TBY_OK || chessgame_to_game(game, bytes, row->moves.n) ? status : TBY_NO_MEMORY;
}

tby_status tby_row_game(tby_game *out, const tby_row *row, tby_error *err)
{
    tby_game_clear(out);
    if (row->annotated.s)
        return tby_cmbr_decode(out, (const uint8_t *)row->annotated.s, row->annotated.n, err);
    const tby_status status = set_moves(out, row, err);
    return status == TBY_OK ? set_tags(out, row, err) : status;
}
