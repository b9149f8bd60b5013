/*
 * row.c - games as rows of a table, whichever database it is in.
 *
 * A tag's value is that in the object of JSON, if it stands there, else that of its column.
 */
#include "store/row.h"
#include "format/json_lex.h"
#include "store/same.h"
#include "store/tag_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Comparing ------------------------------------------------------------------------------------------ */

static bool same_text(tby_text a, tby_text b)
{
    return a.n == b.n && !a.s == !b.s && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static bool same_columns(const tby_row *a, const tby_row *b)
{
    return same_text(a->moves, b->moves) && same_text(a->white, b->white) && same_text(a->black, b->black) &&
           same_text(a->event, b->event) && same_text(a->site, b->site) && same_text(a->round, b->round) &&
           a->date == b->date && a->elo[0] == b->elo[0] && a->elo[1] == b->elo[1] && same_text(a->shape, b->shape) &&
           same_text(a->tags, b->tags) && same_text(a->annotated, b->annotated);
}

/* Is the name one of the shape's? */
static bool has_name(tby_text shape, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = shape.s, *end = shape.s + shape.n; at < end;) {
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        const size_t length = (size_t)((blank ? blank : end) - at);
        if (length == n && memcmp(at, name, n) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

bool tby_row_is_exact(const tby_row *a, const tby_row *b)
{
    return same_columns(a, b) && (same_text(a->eco, b->eco) || !has_name(a->shape, "ECO")) && a->result == b->result &&
           a->plies == b->plies && a->hash == b->hash;
}

/* Mostly the bytes tell; where only the order of tags or the comments differ, the games do. */
tby_status tby_row_same(const tby_row *a, const tby_row *b, bool *out)
{
    tby_game *x = NULL, *y = NULL;
    *out = false;
    if (a->hash != b->hash)
        return TBY_OK;
    if (same_columns(a, b) && same_text(a->eco, b->eco)) {
        *out = true;
        return TBY_OK;
    }
    tby_status status = (x = tby_game_new(NULL)) && (y = tby_game_new(NULL)) ? TBY_OK : TBY_NO_MEMORY;
    if (status == TBY_OK)
        status = tby_row_game(x, a, NULL);
    if (status == TBY_OK)
        status = tby_row_game(y, b, NULL);
    *out = status == TBY_OK && tby_same_game(x, y);
    tby_game_free(x);
    tby_game_free(y);
    return status == TBY_NO_MEMORY ? status : TBY_OK; /* a damaged game is like no other */
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* The value of the JSON object's member `name`, none if it has none; `memory` has room for the object's length. */
static tby_text member(tby_text object, const char *name, char *memory)
{
    json_text value;
    const char *at = NULL;
    if (!object.s)
        return (tby_text){NULL, 0};
    json_reader j = tby_json_begin(object.s, object.n);
    if (!tby_json_members(&j, &name, &at, 1) || !at)
        return (tby_text){NULL, 0};
    j.at = at;
    if (!tby_json_text(&j, &value))
        return (tby_text){NULL, 0};
    return (tby_text){memory, tby_json_unescape(memory, &value)};
}

static tby_text elo_text(int elo, char number[TAG_TEXT_SIZE])
{
    if (elo == 0)
        return (tby_text){NULL, 0};
    return (tby_text){number, (size_t)snprintf(number, TAG_TEXT_SIZE, "%d", elo)};
}

/* The text that a column gives; none for a tag without one. */
static tby_text column_text(const tby_row *row, const char *name, char number[TAG_TEXT_SIZE])
{
    const struct {
        const char *name;
        tby_text text;
    } columns[] = {
        {"White", row->white}, {"Black", row->black}, {"Event", row->event},
        {"Site", row->site},   {"Round", row->round}, {"ECO", row->eco},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].name, name) == 0)
            return columns[i].text;
    if (strcmp(name, "WhiteElo") == 0)
        return elo_text(row->elo[TBY_WHITE], number);
    if (strcmp(name, "BlackElo") == 0)
        return elo_text(row->elo[TBY_BLACK], number);
    if (strcmp(name, "Result") == 0)
        return (tby_text){tby_result_text(row->result), strlen(tby_result_text(row->result))};
    if (strcmp(name, "Date") != 0)
        return (tby_text){NULL, 0};
    tby_date_write(number, row->date);
    return (tby_text){number, strlen(number)};
}

static bool set_tag(tby_game *game, const tby_row *row, const char *name, char *memory)
{
    char number[TAG_TEXT_SIZE];
    tby_text value = member(row->tags, name, memory);
    if (!value.s)
        value = column_text(row, name, number);
    return !value.s || tby_game_set_tag(game, name, strlen(name), value.s, value.n);
}

/* In the order of the shape. */
static tby_status set_tags(tby_game *game, const tby_row *row)
{
    char *names = malloc(row->shape.n + 1), *memory = malloc(row->tags.n + 1);
    bool is_good = names && memory;
    if (is_good) {
        if (row->shape.n)
            memcpy(names, row->shape.s, row->shape.n);
        names[row->shape.n] = '\0';
    }
    for (char *name = names; is_good && *name;) {
        char *end = name + strcspn(name, " ");
        const bool is_last = !*end;
        *end = '\0';
        is_good = set_tag(game, row, name, memory);
        name = is_last ? end : end + 1;
    }
    free(names);
    free(memory);
    return is_good ? TBY_OK : TBY_NO_MEMORY;
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

static tby_status set_moves(tby_game *game, const tby_row *row, tby_error *err)
{
    const uint8_t *bytes = (const uint8_t *)row->moves.s;
    const size_t n = row->moves.n;
    tby_packed cursor;
    const tby_status status = tby_packed_check(bytes, n, err);
    if (status != TBY_OK)
        return status;
    tby_packed_begin(&cursor, bytes, n);
    if (!tby_game_set_start(game, &cursor.pos, false))
        return TBY_NO_MEMORY;
    tby_node node = TBY_ROOT;
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE;)
        if ((node = tby_game_add(game, node, m)) == TBY_NO_NODE)
            return TBY_NO_MEMORY;
    tby_game_set_result(game, tby_packed_result(bytes, n));
    return TBY_OK;
}

tby_status tby_row_game(tby_game *out, const tby_row *row, tby_error *err)
{
    tby_game_clear(out);
    if (row->annotated.s)
        return tby_cmbr_decode(out, (const uint8_t *)row->annotated.s, row->annotated.n, err);
    const tby_status status = set_moves(out, row, err);
    return status == TBY_OK ? set_tags(out, row) : status;
}
