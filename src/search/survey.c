/*
 * survey.c - the data of an opening explorer for a position, in any database: moves with their results, the games with
 * the best players, the latest games, and the results by month.
 *
 * The backend reports each game that reaches the position and matches the query, and all counting is done here; or it
 * has counts of the moves, and only reports the games that are listed. A game without a result is nowhere: clients take
 * it for a draw.
 */
#include "base/contract.h"
#include "search/search.h"
#include "store/tally.h"

#include <stdlib.h>
#include <string.h>

/* Games by month and result: year * 13 + month, month 0 if unknown. */
enum { N_MONTHS = 10000 * 13, BETWEEN_LOOKS = 256 };
typedef uint32_t by_result[4];

typedef struct surveying {
    tby_db *db;
    const tby_position *pos;
    const tby_db_survey_options *options;
    tby_db_survey *out;
    tby_order best, latest;
    tby_row row;       /* of the current game: the values needed for sorting */
    by_result *months; /* NULL: not wanted */
    uint64_t n_seen;
    bool has_unknown; /* counts include games without a result */
} surveying;

/* ---- Lists ---------------------------------------------------------------------------------------------- */

static bool comes_before(const tby_db_listed *a, const tby_db_listed *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->id > b->id;
}

/* Is there room, or a listed game that comes after this one? */
static inline bool is_listed(const tby_db_listed *list, size_t n, size_t most, int64_t rank, tby_game_id id)
{
    return n < most ||
           (most && (rank < list[most - 1].rank || (rank == list[most - 1].rank && id > list[most - 1].id)));
}

/* Keeps the first `most` games in order; among games of the same rank, those with the highest numbers. */
static void list_add(tby_db_listed *list, size_t *n, size_t most, tby_db_listed new)
{
    TBY_CONTRACT(most > 0 && *n <= most);
    size_t at = *n < most ? (*n)++ : most - 1;
    for (; at > 0 && comes_before(&new, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = new;
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

/* NULL at the end of a game, and for an illegal move: an index may be damaged. */
static tby_db_move *move_of(surveying *s, tby_move m)
{
    tby_db_survey *out = s->out;
    for (size_t i = 0; i < out->n_moves; i++)
        if (out->moves[i].move == m)
            return &out->moves[i];
    if (m == TBY_MOVE_NONE || out->n_moves > TBY_MOVES_MAX || (m != TBY_MOVE_NULL && !tby_move_is_legal(s->pos, m)))
        return NULL;
    out->moves[out->n_moves] = (tby_db_move){.move = m, .side = tby_position_side(s->pos)};
    return &out->moves[out->n_moves++];
}

static void count_move(tby_db_move *m, const tby_db_reaching *game, tby_color side)
{
    const tby_db_facts *f = &game->facts;
    const int other = f->elo[side == TBY_WHITE ? TBY_BLACK : TBY_WHITE];
    tally_game(m, f->result, f->elo[side], f->date);
    m->n_other += other > 0;
    m->other_sum += (uint64_t)other;
    if (game->id > m->last_id)
        m->last_id = game->id;
}

static void list_best(surveying *s, const tby_db_reaching *game, tby_move next)
{
    tby_db_survey *out = s->out;
    s->row.elo[TBY_WHITE] = game->facts.elo[TBY_WHITE];
    s->row.elo[TBY_BLACK] = game->facts.elo[TBY_BLACK];
    const int64_t rank = s->options->n_top ? tby_order_rank(&s->best, &s->row) : 0;
    if (is_listed(out->top, out->n_top, s->options->n_top, rank, game->id))
        list_add(out->top, &out->n_top, s->options->n_top, (tby_db_listed){game->id, next, rank});
}

static void list_latest(surveying *s, const tby_db_reaching *game, tby_move next)
{
    tby_db_survey *out = s->out;
    s->row.date = game->facts.date;
    const int64_t rank = s->options->n_recent ? tby_order_rank(&s->latest, &s->row) : 0;
    if (is_listed(out->recent, out->n_recent, s->options->n_recent, rank, game->id))
        list_add(out->recent, &out->n_recent, s->options->n_recent, (tby_db_listed){game->id, next, rank});
}

static void count_game(surveying *s, const tby_db_reaching *game)
{
    const tby_db_facts *f = &game->facts;
    tby_db_survey *out = s->out;
    tby_db_move *m = move_of(s, game->next);
    const tby_move next = m ? game->next : TBY_MOVE_NONE;
    out->games++;
    out->results[f->result]++;
    list_best(s, game, next);
    list_latest(s, game, next);
    if (s->months && f->date)
        s->months[f->date / 10000 % 10000 * 13 + f->date / 100 % 100 % 13][f->result]++;
    if (m)
        count_move(m, game, tby_position_side(s->pos));
    else
        out->ended++;
}

static bool look_at(void *context, const tby_db_reaching *game)
{
    surveying *s = context;
    if (s->n_seen++ % BETWEEN_LOOKS == 0 && !db_goes_on(s->db))
        return false;
    if (game->facts.result != TBY_RESULT_NONE)
        count_game(s, game);
    return true;
}

/* ---- From counts ---------------------------------------------------------------------------------------- */

static void add_counted(void *context, const tby_db_move *counted)
{
    surveying *s = context;
    tby_db_move known = *counted;
    known.results[TBY_RESULT_NONE] = 0;
    known.games = counted->games - counted->results[TBY_RESULT_NONE];
    tby_db_move *m = counted->games ? move_of(s, counted->move) : NULL;
    if (counted->games == 0) /* how many games reach the position after it is not shown */
        return;
    s->has_unknown |= counted->results[TBY_RESULT_NONE] > 0;
    s->out->games += known.games;
    for (int i = 0; i < 4; i++)
        s->out->results[i] += known.results[i];
    if (m)
        tally_add(m, known.results, known.n_elo, known.elo_sum, known.last_date);
    else
        s->out->ended += known.games;
}

/* The counts of ratings include games without a result. */
static void take_back(tby_db_move *m, int elo)
{
    m->n_elo -= elo > 0;
    m->elo_sum -= elo > 0 ? (uint64_t)elo : 0;
}

static bool has_unknown(void *context) { return ((surveying *)context)->has_unknown; }

static tby_move wanted_move(void *context, size_t i)
{
    const tby_db_survey *out = ((surveying *)context)->out;
    for (size_t k = 0; k < out->n_moves; k++)
        if (out->moves[k].games == 1 && i-- == 0)
            return out->moves[k].move;
    return TBY_MOVE_NONE;
}

static void list_game(void *context, reaching_list which, const tby_db_reaching *game)
{
    surveying *s = context;
    tby_db_move *m = move_of(s, game->next);
    switch (which) {
    case REACHING_BEST: list_best(s, game, m ? game->next : TBY_MOVE_NONE); break;
    case REACHING_LATEST: list_latest(s, game, m ? game->next : TBY_MOVE_NONE); break;
    case REACHING_WANTED:
        if (m)
            m->last_id = game->id;
        break;
    case REACHING_UNKNOWN:
        if (m)
            take_back(m, game->facts.elo[tby_position_side(s->pos)]);
    }
}

/* Moves that only games without a result play. */
static void drop_unplayed(tby_db_survey *out)
{
    size_t n = 0;
    for (size_t i = 0; i < out->n_moves; i++)
        if (out->moves[i].games)
            out->moves[n++] = out->moves[i];
    out->n_moves = n;
}

/* ---- The answer ----------------------------------------------------------------------------------------- */

static bool list_months(const surveying *s)
{
    buffer list = {0};
    for (size_t i = 0; s->months && i < N_MONTHS; i++) {
        const uint32_t *r = s->months[i];
        const tby_db_month month = {(int)(i / 13), (int)(i % 13), {r[0], r[1], r[2], r[3]}};
        if (r[0] | r[1] | r[2] | r[3])
            buffer_add(&list, &month, sizeof month);
    }
    if (list.has_failed) {
        buffer_free(&list);
        return db_fail_memory(s->db);
    }
    s->out->months = (tby_db_month *)(void *)list.data;
    s->out->n_months = list.n / sizeof *s->out->months;
    return true;
}

tby_status tby_db_survey_position(tby_db_survey *out, tby_db *db, const tby_position *pos,
                                  const tby_db_survey_options *options)
{
    TBY_CONTRACT(pos && options);
    surveying s = {.db = db, .pos = pos, .options = options, .out = out};
    tby_text fault;
    memset(out, 0, sizeof *out);
    if (options->n_top > TBY_SURVEY_LISTED || options->n_recent > TBY_SURVEY_LISTED)
        return db_answer(db, db_fail(db, TBY_TOO_LONG, "a survey lists at most %d games", TBY_SURVEY_LISTED));
    if (options->wants_months && !(s.months = calloc(N_MONTHS, sizeof *s.months)))
        return db_answer(db, db_fail_memory(db));
    tby_order_read(&s.best, "-elo", &fault);
    tby_order_read(&s.latest, "-date", &fault);
    s.best.ids_fall = s.latest.ids_fall = true;
    const reaching_lists lists = {.orders = {[REACHING_BEST] = &s.best, [REACHING_LATEST] = &s.latest},
                                  .n = {[REACHING_BEST] = options->n_top, [REACHING_LATEST] = options->n_recent},
                                  .add = add_counted,
                                  .has_unknown = has_unknown,
                                  .wanted = wanted_move,
                                  .list = list_game};
    const bool needs_all = options->wants_months || options->wants_opponents;
    const reaching_visitor visitor = {.visit = look_at, .context = &s, .lists = needs_all ? NULL : &lists};
    const bool is_good = search_reach(db, pos, options->among, &visitor) && list_months(&s);
    drop_unplayed(out);
    if (is_good && out->n_moves)
        qsort(out->moves, out->n_moves, sizeof *out->moves, tally_compare);
    free(s.months);
    return db_answer(db, is_good);
}

void tby_db_survey_free(tby_db_survey *survey)
{
    free(survey->months);
    *survey = (tby_db_survey){.n_moves = 0};
}
