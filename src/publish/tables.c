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

enum { RANGES_MOST = 4096 };

typedef struct counts {
    uint64_t games, results[4], n_elo, elo_sum, reached;
    uint64_t place; /* of the position in one of the games */
    int last_date;
} counts;

static void count_game(counts *c, const brief_game *game, tby_color side)
{
    c->games++;
    c->results[game->result]++;
    c->n_elo += game->elo[side] > 0;
    c->elo_sum += game->elo[side] > 0 ? (uint64_t)game->elo[side] : 0;
    c->last_date = game->date > c->last_date ? game->date : c->last_date;
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
    unsigned head = (unsigned)(c->games < MANY ? c->games : MANY);
    head |= c->reached == c->games ? SAME : 0;
    head |= c->n_elo == c->games ? RATED : 0;
    head |= c->last_date ? DATED : 0;
    for (unsigned i = 0; c->games == 1 && i < 4; i++)
        head |= c->results[i] ? i << 6 : 0;
    buffer_put(b, (unsigned)index);
    buffer_put(b, head);
    if (c->games >= MANY)
        varint_put(b, c->games - MANY);
    if (!(head & SAME))
        varint_put(b, c->reached - c->games);
    if (c->games > 1)
        put_results(b, c->results);
    if (!(head & RATED))
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
    size_t n_listed;
} counting;

static void count_visits(counting *c, const positions *all, tby_color side, const visit *of, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t place = all->places[of[i].game] + of[i].ply;
        const tby_move next = all->moves[place];
        size_t k = 0;
        if (i && of[i].game == of[i - 1].game)
            continue;
        c->n_games++;
        while (k < c->n_moves && c->moves[k] != next)
            k++;
        counts *to = k < c->n_moves || next == TBY_MOVE_NULL ? &c->of[k] : &c->ended;
        c->n_listed += to != &c->ended && to->games == 0;
        count_game(to, &all->games[of[i].game], side);
        to->place = place;
    }
}

static void count_reached(counting *c, const positions *all, const tby_position *pos)
{
    for (size_t i = 0; i <= c->n_moves; i++) {
        tby_position after = *pos;
        if (c->of[i].games == 0)
            continue;
        c->of[i].reached = c->of[i].games;
        if (i == c->n_moves || !publish_is_shared(all, c->of[i].place + 1))
            continue;
        tby_position_play(&after, c->moves[i], NULL);
        c->of[i].reached = publish_positions_games(all, &after);
    }
}

static bool count(counting *c, const positions *all, const visit *of, uint64_t n)
{
    tby_position pos;
    if (!position_of(&pos, all->p, of))
        return false;
    c->n_moves = tby_moves_list(c->moves, &pos);
    tby_moves_sort(c->moves, c->n_moves);
    memset(c->of, 0, (c->n_moves + 1) * sizeof *c->of);
    c->ended = (counts){0};
    c->n_games = c->n_listed = 0;
    count_visits(c, all, tby_position_side(&pos), of, n);
    count_reached(c, all, &pos);
    return true;
}

void publish_table_put(buffer *table, buffer *ranges, const positions *all, const visit *of, uint64_t n)
{
    counting c;
    buffer_clear(ranges);
    if (!count(&c, all, of, n)) {
        buffer_fail(table);
        return;
    }
    put_ranges(ranges, of, n);
    const bool is_apart = ranges->n > RANGES_MOST;
    varint_put(table, c.n_games);
    varint_put(table, c.n_listed * 2 + is_apart);
    varint_put(table, c.ended.games);
    if (c.ended.games)
        put_results(table, c.ended.results);
    for (size_t i = 0; i <= c.n_moves; i++)
        if (c.of[i].games)
            put_move(table, all->p, i, &c.of[i]);
    if (!is_apart) {
        buffer_add(table, ranges->s, ranges->n);
        buffer_clear(ranges);
    }
    if (c.n_games > PUBLISH_TOP)
        put_top(table, all->p, of, n);
    if (is_apart)
        buffer_add(table, "\0\0\0\0\0\0\0", 8);
}
