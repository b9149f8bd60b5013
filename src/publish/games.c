/*
 * games.c - the games in the order of their moves, in groups: each as a row and its moves, without those that it shares with
 * the game before.
 *
 *     group   64 games (the last one has fewer), each: ROW SHARED REST
 *     ROW     ID WHITE BLACK EVENT SITE ECO FLAGS ELO ELO DATE PLIES ROUND [SHAPE [DAYS] TAGS [NOTES]]
 *             numbers are varints; names are ranks + 1, texts lengths + 1, 0 is none. What is in brackets is not part of the
 *             rows in players' lists.
 *     FLAGS   bits 0-1 result, 2-4 speed, 5 own days, 6 own start position, 7 comments or variations
 */
#include "codec/packed.h"
#include "publish/publish.h"
#include "row/columns.h"

#include <stdlib.h>

/* ---- The order ------------------------------------------------------------------------------------------ */

static int compare_moves(const void *x, const void *y)
{
    const publish_game *a = x, *b = y;
    const int order = text_order(a->row.moves, b->row.moves);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

void publish_games_sort(tby_publisher *p)
{
    if (p->n_games)
        qsort(p->games, p->n_games, sizeof *p->games, compare_moves);
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

uint32_t publish_date_code(int date)
{
    return date <= 0 ? 0 : (uint32_t)(date / 10000 * 416 + date / 100 % 100 * 32 + date % 100);
}

static void put_text(buffer *b, tby_text text)
{
    varint_put(b, text.s ? text.n + 1 : 0);
    buffer_add(b, text.s, text.s ? text.n : 0);
}

static void put_name(const tby_publisher *p, buffer *b, const publish_game *game, int which)
{
    const uint32_t number = game->names[which];
    varint_put(b, number ? (uint64_t)p->names[publish_kinds[which]].of[number - 1].rank + 1 : 0);
}

static bool has_own_days(const tby_row *row) { return row->first_day != row->date || row->last_day != row->date; }

static unsigned flags_of(const tby_row *row)
{
    enum { OWN_DAYS = 32, OWN_START = 64, NOTES = 128 };
    return (unsigned)row->result | (unsigned)row->speed << 2 | (has_own_days(row) ? OWN_DAYS : 0) |
           (((uint8_t)row->moves.s[0] & 15) != PACKED_START_USUAL ? OWN_START : 0) | (row->annotated.s ? NOTES : 0);
}

static void put_rest(const tby_publisher *p, buffer *b, const publish_game *game)
{
    const tby_row *row = &game->row;
    put_name(p, b, game, NAME_SHAPE);
    if (has_own_days(row)) {
        varint_put(b, (uint64_t)row->first_day);
        varint_put(b, (uint64_t)row->last_day);
    }
    put_text(b, row->tags);
    if (row->annotated.s) {
        varint_put(b, game->notes_at);
        varint_put(b, row->annotated.n);
    }
}

void publish_games_put_row(const tby_publisher *p, buffer *b, const publish_game *game, bool brief)
{
    const tby_row *row = &game->row;
    varint_put(b, (uint64_t)game->id);
    for (int i = NAME_WHITE; i <= NAME_ECO; i++)
        put_name(p, b, game, i);
    buffer_put(b, flags_of(row));
    varint_put(b, (uint64_t)row->elo[TBY_WHITE]);
    varint_put(b, (uint64_t)row->elo[TBY_BLACK]);
    varint_put(b, publish_date_code(row->date));
    varint_put(b, row->plies);
    put_text(b, row->round);
    if (!brief)
        put_rest(p, b, game);
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

static bool write_notes(tby_publisher *p)
{
    buffer chunk = {0};
    const uint64_t start = p->out.at;
    bool is_good = true;
    for (size_t i = 0; is_good && i < p->n_games; i++) {
        const tby_text record = p->games[i].row.annotated;
        if (!record.s)
            continue;
        p->games[i].notes_at = p->out.at - start;
        buffer_add(&chunk, record.s, record.n);
        is_good = publish_stream_chunk(&p->out, &chunk) > 0;
    }
    buffer_free(&chunk);
    publish_section(p, "notes", start);
    return is_good;
}

static void put_moves(buffer *b, tby_text before, tby_text moves)
{
    const size_t most = before.n < moves.n ? before.n : moves.n;
    size_t n = 0;
    while (n < most && before.s[n] == moves.s[n])
        n++;
    varint_put(b, n);
    varint_put(b, moves.n - n);
    buffer_add(b, moves.s + n, moves.n - n);
}

static bool write_groups(tby_publisher *p)
{
    buffer chunk = {0};
    const uint64_t start = p->out.at;
    bool is_good = true;
    for (size_t i = 0; is_good && i < p->n_games; i++) {
        const publish_game *game = &p->games[i];
        publish_games_put_row(p, &chunk, game, false);
        put_moves(&chunk, i % PUBLISH_GROUP ? game[-1].row.moves : (tby_text){NULL, 0}, game->row.moves);
        if (i % PUBLISH_GROUP < PUBLISH_GROUP - 1 && i + 1 < p->n_games)
            continue;
        const size_t size = publish_stream_chunk(&p->out, &chunk);
        is_good = size > 0;
        varint_put(&p->groups, size);
    }
    buffer_free(&chunk);
    publish_section(p, "groups", start);
    return is_good;
}

bool publish_games_write(tby_publisher *p) { return write_notes(p) && write_groups(p); }
