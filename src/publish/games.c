/*
 * games.c - the games in the order of their moves, in groups: each as a row and its moves, without those that it shares with
 * the game before.
 *
 *     group   64 games (the last one has fewer), each: ROW SHARED REST
 *     ROW     ID FLAGS ELO ELO DATE PLIES WHITE BLACK EVENT SITE ROUND ECO [SHAPE [DAYS] TAGS [NOTES]]
 *             numbers are varints, texts may be missing. What is in brackets is not part of the rows in players' lists.
 *     FLAGS   bits 0-1 result, 2-4 speed, 5 own days, 6 own start position, 7 comments or variations
 */
#include "codec/packed.h"
#include "publish/publish.h"
#include "row/columns.h"

#include <stdlib.h>

/* ---- The order ------------------------------------------------------------------------------------------ */

/* A game before it is at its place. */
typedef struct unsorted {
    uint64_t first; /* bytes of its moves */
    tby_text moves;
    tby_game_id id;
    uint32_t index;
} unsorted;

static int compare_moves(const void *x, const void *y)
{
    const unsorted *a = x, *b = y;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    const int order = text_order(a->moves, b->moves);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static uint64_t first_bytes(tby_text moves)
{
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof first; i++)
        first = first << 8 | (i < moves.n ? (uint8_t)moves.s[i] : 0);
    return first;
}

bool publish_games_sort(tby_publisher *p)
{
    unsorted *all = malloc((p->n_games + 1) * sizeof *all);
    publish_game *games = malloc((p->n_games + 1) * sizeof *games);
    if (!all || !games) {
        free(all);
        free(games);
        return failure_no_memory(p->failure);
    }
    for (size_t i = 0; i < p->n_games; i++) {
        const tby_text moves = p->games[i].row.moves;
        all[i] = (unsorted){first_bytes(moves), moves, p->games[i].id, (uint32_t)i};
    }
    qsort(all, p->n_games, sizeof *all, compare_moves);
    for (size_t i = 0; i < p->n_games; i++)
        games[i] = p->games[all[i].index];
    free(all);
    free(p->games);
    p->games = games;
    p->cap_games = p->n_games + 1;
    return true;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

uint32_t publish_date_code(int date)
{
    return date <= 0 ? 0 : (uint32_t)(date / 10000 * 416 + date / 100 % 100 * 32 + date % 100);
}

static bool has_own_days(const tby_row *row) { return row->first_day != row->date || row->last_day != row->date; }

static unsigned flags_of(const tby_row *row)
{
    enum { OWN_DAYS = 32, OWN_START = 64, NOTES = 128 };
    return (unsigned)row->result | (unsigned)row->speed << 2 | (has_own_days(row) ? OWN_DAYS : 0) |
           (((uint8_t)row->moves.s[0] & 15) != PACKED_START_USUAL ? OWN_START : 0) | (row->annotated.s ? NOTES : 0);
}

static void put_rest(buffer *b, const publish_game *game)
{
    const tby_row *row = &game->row;
    publish_put_text(b, row->shape, true);
    if (has_own_days(row)) {
        varint_put(b, (uint64_t)row->first_day);
        varint_put(b, (uint64_t)row->last_day);
    }
    publish_put_text(b, row->tags, true);
    if (row->annotated.s) {
        varint_put(b, game->notes_at);
        varint_put(b, game->notes_size);
    }
}

void publish_games_put_row(buffer *b, const publish_game *game, bool brief)
{
    const tby_row *row = &game->row;
    const tby_text texts[] = {row->white, row->black, row->event, row->site, row->round, row->eco};
    varint_put(b, (uint64_t)game->id);
    buffer_put(b, flags_of(row));
    varint_put(b, (uint64_t)row->elo[TBY_WHITE]);
    varint_put(b, (uint64_t)row->elo[TBY_BLACK]);
    varint_put(b, publish_date_code(row->date));
    varint_put(b, row->plies);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        publish_put_text(b, texts[i], true);
    if (!brief)
        put_rest(b, game);
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

static bool write_notes(tby_publisher *p)
{
    static const char header[] = {'C', 'M', 'B', 'R', '!', 1, 0, 0}; /* of a file of CMBR */
    buffer chunk = {0};
    const uint64_t start = p->out.at;
    bool is_good = true;
    publish_section(p, "notes");
    for (size_t i = 0; is_good && i < p->n_games; i++) {
        const tby_text record = p->games[i].row.annotated;
        if (!record.s)
            continue;
        p->games[i].notes_at = p->out.at - start;
        buffer_add(&chunk, header, sizeof header);
        buffer_add(&chunk, record.s, record.n);
        p->games[i].notes_size = publish_stream_pack(&p->out, &chunk);
        is_good = p->games[i].notes_size > 0;
    }
    buffer_free(&chunk);
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

static void make_group(void *context, size_t index, buffer *out)
{
    const tby_publisher *p = context;
    tby_text before = {NULL, 0};
    for (size_t i = index * PUBLISH_GROUP; i < p->n_games && i < (index + 1) * PUBLISH_GROUP; i++) {
        publish_games_put_row(out, &p->games[i], false);
        put_moves(out, before, p->games[i].row.moves);
        before = p->games[i].row.moves;
    }
}

static void take_group(void *context, size_t index, size_t size)
{
    tby_publisher *p = context;
    (void)index;
    varint_put(&p->groups, size);
}

bool publish_games_write(tby_publisher *p)
{
    const publish_chunks groups = {(p->n_games + PUBLISH_GROUP - 1) / PUBLISH_GROUP, make_group, take_group, p};
    if (!write_notes(p))
        return false;
    publish_section(p, "groups");
    return publish_chunks_write(p, &groups);
}
