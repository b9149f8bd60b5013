/*
 * tables.c - what an explorer shows of one position, as bytes.
 *
 *     TABLE    GAMES LISTED*2+APART ENDED [WHITE DRAWN BLACK] MOVE... RANGES [TOP]
 *     MOVE     INDEX HEAD [GAMES] [REACHED] [WHITE DRAWN BLACK] [RATED] [RATINGS] [DATE]
 *     RANGES   of numbers of games: how many are left out, times two, plus one if the range has more than one game; then how
 *              many more than two
 *     TOP      the numbers of the first games by mean rating, if there are more than 12
 *
 * HEAD: bits 0-2 the games, 7 for 7 and more; 3 no other game reaches the position after the move; 4 all players have a
 * rating; 5 a date is known; 6-7 the result of a single game.
 */
#include "publish/tables.h"

#include <stdlib.h>

enum { RANGES_MOST = 4096 };

typedef struct counts {
    uint64_t games, results[4], n_elo, elo_sum, reached;
    int last_date;
} counts;

static void count_game(counts *c, const tby_row *row, tby_color side)
{
    c->games++;
    c->results[row->result]++;
    c->n_elo += row->elo[side] > 0;
    c->elo_sum += row->elo[side] > 0 ? (uint64_t)row->elo[side] : 0;
    c->last_date = row->date > c->last_date ? row->date : c->last_date;
}

static void put_results(buffer *b, const uint64_t results[4])
{
    varint_put(b, results[TBY_WHITE_WINS]);
    varint_put(b, results[TBY_DRAW]);
    varint_put(b, results[TBY_BLACK_WINS]);
}

static void put_move(buffer *b, const tby_publisher *p, size_t index, const counts *c)
{
    enum { MANY = 7, SAME = 8, RATED = 16, DATED = 32 };
    const bool is_one = c->games == 1;
    unsigned head = (unsigned)(c->games < MANY ? c->games : MANY);
    head |= c->games && c->reached == c->games ? SAME : 0;
    head |= c->games && c->n_elo == c->games ? RATED : 0;
    head |= c->last_date ? DATED : 0;
    for (unsigned i = 0; is_one && i < 4; i++)
        head |= c->results[i] ? i << 6 : 0;
    buffer_put(b, (unsigned)index);
    buffer_put(b, head);
    if (c->games >= MANY)
        varint_put(b, c->games - MANY);
    if (!(head & SAME))
        varint_put(b, c->reached - c->games);
    if (c->games > 1)
        put_results(b, c->results);
    if (c->games && !(head & RATED))
        varint_put(b, c->n_elo);
    if (c->n_elo)
        varint_put(b, c->elo_sum);
    if (c->last_date)
        varint_put(b, (uint64_t)p->newest - publish_date_code(c->last_date));
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* Writes each game once. */
static void put_ranges(buffer *b, const visit *of, uint64_t n)
{
    uint64_t end = 0; /* of the range before */
    for (uint64_t i = 0; i < n;) {
        const uint64_t first = of[i].game;
        uint64_t last = first;
        while (i < n && of[i].game <= last + 1)
            last = of[i++].game;
        const uint64_t more = last - first;
        varint_put(b, (first - end) << 1 | (more > 0));
        if (more)
            varint_put(b, more - 1);
        end = last + 1;
    }
}

/* The first games by mean rating; insertion keeps only those. */
static void put_top(buffer *b, const tby_publisher *p, const visit *of, uint64_t n)
{
    uint32_t top[PUBLISH_TOP];
    size_t n_top = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i && of[i].game == of[i - 1].game)
            continue;
        const publish_game *game = &p->games[of[i].game];
        if (n_top == PUBLISH_TOP && !publish_lists_is_stronger(game, &p->games[top[n_top - 1]]))
            continue;
        size_t k = n_top < PUBLISH_TOP ? n_top++ : n_top - 1;
        for (; k > 0 && publish_lists_is_stronger(game, &p->games[top[k - 1]]); k--)
            top[k] = top[k - 1];
        top[k] = of[i].game;
    }
    for (size_t i = 0; i < n_top; i++)
        publish_put_number(p, b, top[i]);
}

/* ---- A table -------------------------------------------------------------------------------------------- */

static bool position_of(tby_position *out, const tby_publisher *p, const visit *v)
{
    const tby_text moves = p->games[v->game].row.moves;
    return tby_chessgame_position(out, (const uint8_t *)moves.s, moves.n, v->ply);
}

typedef struct counting {
    tby_move moves[TBY_MOVES_MAX];
    size_t n_moves; /* the null move comes after them */
    counts of[TBY_MOVES_MAX + 1], ended;
    uint64_t n_games;
} counting;

static void count_visits(counting *c, const tby_publisher *p, tby_color side, const visit *of, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const tby_row *row = &p->games[of[i].game].row;
        size_t k = 0;
        if (i && of[i].game == of[i - 1].game)
            continue;
        c->n_games++;
        while (k < c->n_moves && c->moves[k] != of[i].next)
            k++;
        count_game(k < c->n_moves || of[i].next == TBY_MOVE_NULL ? &c->of[k] : &c->ended, row, side);
    }
}

static void count_reached(counting *c, const all_keys *keys, const tby_position *pos)
{
    const uint64_t base = publish_base_key(pos);
    for (size_t i = 0; i < c->n_moves; i++) {
        const uint64_t index = publish_keys_find(keys, publish_key_after(pos, base, c->moves[i]));
        c->of[i].reached = index == UINT64_MAX ? 0 : publish_keys_games(keys, index);
    }
    c->of[c->n_moves].reached = c->of[c->n_moves].games;
}

void publish_table_put(buffer *table, buffer *ranges, const tby_publisher *p, const all_keys *keys, const visit *of,
                       uint64_t n)
{
    counting *c = malloc(sizeof *c);
    tby_position pos;
    size_t n_listed = 0;
    if (!c || !position_of(&pos, p, of)) {
        free(c);
        buffer_fail(table);
        return;
    }
    c->n_moves = tby_moves_list(c->moves, &pos);
    tby_moves_sort(c->moves, c->n_moves);
    memset(c->of, 0, (c->n_moves + 1) * sizeof *c->of);
    c->ended = (counts){0};
    c->n_games = 0;
    count_visits(c, p, tby_position_side(&pos), of, n);
    count_reached(c, keys, &pos);
    for (size_t i = 0; i <= c->n_moves; i++)
        n_listed += c->of[i].reached > 0;
    buffer_clear(ranges);
    put_ranges(ranges, of, n);
    const bool is_apart = ranges->n > RANGES_MOST;
    varint_put(table, c->n_games);
    varint_put(table, n_listed * 2 + is_apart);
    varint_put(table, c->ended.games);
    if (c->ended.games)
        put_results(table, c->ended.results);
    for (size_t i = 0; i <= c->n_moves; i++)
        if (c->of[i].reached)
            put_move(table, p, i, &c->of[i]);
    if (!is_apart) {
        buffer_add(table, ranges->s, ranges->n);
        buffer_clear(ranges);
    }
    if (c->n_games > PUBLISH_TOP)
        put_top(table, p, of, n);
    if (is_apart)
        buffer_add(table, "\0\0\0\0\0\0\0", 8);
    free(c);
}
