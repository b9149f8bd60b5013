/*
 * batch.c - converts games to database rows.
 *
 * A tag with a column of its own (row/columns.c) is stored there: texts unchanged; dates, ratings and the result as
 * numbers. All other tags, and those that a column would not reproduce exactly, are stored as one JSON object in
 * `tags`. The names of all tags in their order are the game's `shape`; there are few different ones. A game with more
 * than its main line, or with a tag that JSON cannot hold, is stored whole as a CMBR record.
 */
#include "base/utf8.h"
#include "pgn/game.h"
#include "row/columns.h"
#include "row/row.h"
#include "tabiya_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory --------------------------------------------------------------------------------------------- */

tby_batch *tby_batch_new(void) { return calloc(1, sizeof(tby_batch)); }

void tby_batch_free(tby_batch *b)
{
    if (!b)
        return;
    free(b->bytes);
    free(b->rows);
    buffer_free(&b->names);
    free(b);
}

void tby_batch_restrict(tby_batch *b, size_t most_bytes) { b->most_bytes = most_bytes; }
void tby_batch_clear(tby_batch *b) { b->n_bytes = b->n_rows = 0; }
size_t tby_batch_n_games(const tby_batch *b) { return b->n_rows; }
size_t tby_batch_size(const tby_batch *b) { return b->n_bytes + b->n_rows * sizeof *b->rows; }
tby_row tby_batch_row(const tby_batch *b, size_t index) { return b->rows[index]; }

/* The row being made comes after the others. */
static void move_texts(tby_batch *b, char *to)
{
    tby_text *text;
    for (tby_row *row = b->rows; row <= b->rows + b->n_rows; row++)
        for (size_t at = 0; (text = row_next_text(row, &at));)
            text->s = to + (text->s - b->bytes);
}

/* Allocates a new arena without realloc, because the rows still point into the old one. */
static bool grow_arena(tby_batch *b, size_t need)
{
    enum { FIRST = 4096 };
    char *bytes = need < SIZE_MAX / 2 ? malloc(need + need / 2 + FIRST) : NULL;
    if (!bytes) {
        b->has_no_memory = true;
        return false;
    }
    if (b->n_bytes)
        memcpy(bytes, b->bytes, b->n_bytes);
    move_texts(b, bytes);
    free(b->bytes);
    b->bytes = bytes;
    b->cap_bytes = need + need / 2 + FIRST;
    return true;
}

/* NULL, with the failure recorded in the batch, if there is no room. */
static char *room(tby_batch *b, size_t n)
{
    const bool has_room = n < b->cap_bytes - b->n_bytes || grow_arena(b, b->n_bytes + n + 1);
    return has_room ? b->bytes + b->n_bytes : NULL;
}

/* A tby_sink. */
static bool put(void *batch, const char *s, size_t n)
{
    tby_batch *b = batch;
    char *to = room(b, n);
    if (to && n)
        memcpy(to, s, n);
    b->n_bytes += to ? n : 0;
    return to != NULL;
}

/* The text written into the arena from `start` on; NULL if the arena could not grow. */
static tby_text text_from(const tby_batch *b, size_t start)
{
    return (tby_text){b->has_no_memory ? NULL : b->bytes + start, b->n_bytes - start};
}

static tby_text put_text(tby_batch *b, const char *s, size_t n)
{
    const size_t start = b->n_bytes;
    put(b, s, n);
    return text_from(b, start);
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* The original texts of a tag, which may contain any byte. */
static tby_text name_of(const tby_game *game, size_t index)
{
    return (tby_text){game->text + game->tags[index].name, game->tags[index].n_name};
}
static tby_text value_of(const tby_game *game, size_t index)
{
    return (tby_text){game->text + game->tags[index].value, game->tags[index].n_value};
}

static tby_row *row_of(tby_batch *b) { return &b->rows[b->n_rows]; }

static void add_name(tby_batch *b, tby_text name)
{
    if (b->names.n)
        buffer_put(&b->names, ' ');
    buffer_add(&b->names, name.s, name.n);
    b->has_no_memory |= b->names.has_failed;
}

/* Games of one source usually have the same tags as the game before, in the same order. */
static void put_shape(tby_batch *b)
{
    const tby_text last = b->n_rows ? row_of(b)[-1].shape : (tby_text){NULL, 0};
    const bool is_last = last.s && last.n == b->names.n && (last.n == 0 || memcmp(last.s, b->names.s, last.n) == 0);
    const tby_text shape = is_last ? last : put_text(b, b->names.s, b->names.n);
    row_of(b)->shape = shape;
}

static void put_column(tby_batch *b, const row_column *c, tby_text value)
{
    if (column_is(c, KINDS_WITH_TEXT)) {
        const tby_text text = put_text(b, value.s, value.n);
        *column_text(c, row_of(b)) = text;
    } else if (c->read) {
        column_set_number(c, row_of(b), c->read(value.s, value.n));
    }
}

/* Fills a column that no tag has set. A derived text belongs to the library, so it is copied. */
static void derive(tby_batch *b, const tby_game *game, const row_column *c)
{
    tby_text *text = column_is(c, KINDS_WITH_TEXT) ? column_text(c, row_of(b)) : NULL;
    const tby_text before = text ? *text : (tby_text){NULL, 0};
    c->derive(row_of(b), game);
    if (!text || text->s == before.s)
        return;
    const tby_text made = *text;
    *text = before;
    const tby_text copy = put_text(b, made.s, made.n);
    *text = copy;
}

enum { COLUMNS_KEPT = sizeof(((tby_batch *)NULL)->columns) / sizeof(row_column *) };

/* Does its column reproduce the tag's text? */
static bool is_in_column(const tby_batch *b, size_t index, tby_text name, tby_text value)
{
    char number[TBY_ROW_TEXT_SIZE];
    const row_column *c = index < COLUMNS_KEPT ? b->columns[index] : column_of_tag(name.s, name.n);
    const tby_text text = c ? column_tag(c, &b->rows[b->n_rows], number) : (tby_text){NULL, 0};
    return text.s && text.n == value.n && memcmp(text.s, value.s, text.n) == 0;
}

static void put_json_text(tby_batch *b, tby_text text)
{
    b->has_lost_text = b->has_lost_text || !utf8_is_valid(text.s, text.n);
    tby_json_write_text(text.s, text.n, put, b);
}

static void put_others(tby_batch *b, const tby_game *game)
{
    const size_t start = b->n_bytes;
    for (size_t i = 0; i < tby_game_n_tags(game); i++) {
        if (is_in_column(b, i, name_of(game, i), value_of(game, i)))
            continue;
        put(b, b->n_bytes == start ? "{" : ",", 1);
        put_json_text(b, name_of(game, i));
        put(b, ":", 1);
        put_json_text(b, value_of(game, i));
    }
    if (b->n_bytes > start) {
        put(b, "}", 1);
        row_of(b)->tags = text_from(b, start);
    }
}

/* Stores the columns, then the JSON object of the other tags, and the names of all tags. */
static void put_tags(tby_batch *b, const tby_game *game)
{
    buffer_clear(&b->names);
    b->has_lost_text = false;
    for (size_t i = 0; i < tby_game_n_tags(game); i++) {
        const tby_text name = name_of(game, i), value = value_of(game, i);
        const row_column *c = column_of_tag(name.s, name.n);
        if (i < COLUMNS_KEPT)
            b->columns[i] = c;
        add_name(b, name);
        if (c && (!c->takes || c->takes(value.s, value.n)))
            put_column(b, c, value);
    }
    for (size_t i = 0; i < n_row_columns && !b->has_no_memory; i++)
        if (row_columns[i].derive)
            derive(b, game, &row_columns[i]);
    if (!b->has_no_memory)
        put_others(b, game);
    if (!b->has_no_memory)
        put_shape(b);
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

static void put_moves(tby_batch *b, const tby_game *game, size_t n_plies)
{
    const size_t most = TBY_PACKED_BOARD_SIZE + TBY_PACKED_TRAILER_SIZE + 2 + 3 * n_plies, start = b->n_bytes;
    char *to = room(b, most);
    if (!to)
        return;
    b->n_bytes += tby_packed_encode((uint8_t *)to, most, tby_game_start(game), b->line, n_plies, tby_game_result(game));
    row_of(b)->moves = text_from(b, start);
}

static tby_status put_annotated(tby_batch *b, const tby_game *game, bool is_plain)
{
    const size_t start = b->n_bytes;
    if (is_plain && !tby_game_is_chess960(game) && !b->has_lost_text)
        return TBY_OK;
    const tby_status status = tby_cmbr_encode(game, put, b, NULL, NULL);
    row_of(b)->annotated = text_from(b, start);
    return status;
}

/* A server's texts are UTF-8 without NUL. */
static tby_status check_limits(const tby_batch *b, const tby_row *row, const tby_game *game)
{
    if (b->most_bytes == 0)
        return TBY_OK;
    if (row->moves.n > b->most_bytes)
        return TBY_TOO_LONG;
    for (size_t i = 0; i < tby_game_n_tags(game); i++) {
        const tby_text value = value_of(game, i);
        if (memchr(value.s, '\0', value.n) || !utf8_is_valid(value.s, value.n))
            return TBY_CANNOT_HOLD;
    }
    return TBY_OK;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* The usual case is quick to see: there are no lists of notes, and all nodes are on the main line up to its end or its
   first null move. */
static bool is_plain_game(const tby_game *game, size_t n_plies)
{
    return (game->n_words == 0 && game->n_nodes - game->n_free == n_plies + 1) || tby_game_is_plain(game);
}

static tby_status make_row(tby_batch *b, const tby_game *game, size_t n_plies, bool is_plain)
{
    *row_of(b) = (tby_row){.plies = (uint32_t)n_plies, .result = tby_game_result(game)};
    put_moves(b, game, n_plies);
    if (!b->has_no_memory)
        put_tags(b, game);
    tby_status status = b->has_no_memory ? TBY_NO_MEMORY : check_limits(b, row_of(b), game);
    if (status == TBY_OK)
        status = put_annotated(b, game, is_plain);
    return b->has_no_memory ? TBY_NO_MEMORY : status;
}

tby_status tby_batch_add(tby_batch *b, const tby_game *game)
{
    const size_t start = b->n_bytes, n_plies = tby_game_main_line(game, b->line, TBY_PLIES_MAX + 1);
    if (n_plies > TBY_PLIES_MAX)
        return TBY_TOO_LONG;
    if (!array_reserve(&b->rows, &b->cap_rows, b->n_rows + 1, sizeof *b->rows, NULL))
        return TBY_NO_MEMORY;
    b->has_no_memory = false;
    const bool is_plain = is_plain_game(game, n_plies);
    const tby_status status = make_row(b, game, n_plies, is_plain);
    if (status != TBY_OK) {
        b->n_bytes = start;
        return status;
    }
    tby_row *row = row_of(b);
    row->hash = same_hash(game, (const uint8_t *)row->moves.s, row->moves.n, is_plain);
    b->n_rows++;
    return TBY_OK;
}
