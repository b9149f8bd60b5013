/*
 * reaching.c - the games that reach a position, one by one or counted together.
 *
 * The index has the ply at which a game reaches the position and the move played there, the records have the result and
 * the ratings, so no game's row is read. For positions that many games reach, a run of the index has stored counts
 * (counts.h).
 */
#include "base/contract.h"
#include "store/sqlite/find_plan.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/scan.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* From this many games on, threads are worth starting if the caller does not set their number. */
enum { MANY_GAMES = 1 << 17 };

/* The work of one thread. */
typedef struct reaching {
    struct reaching *next; /* that of another thread */
    lite *db;
    find_plan *plan; /* finds the games of the search */
    const reaching_visitor *visitor;
    void *context; /* the visitor's */
    block facts;
    game_set among; /* the games that count; without pages: all */
    tby_move legal[TBY_MOVES_MAX];
    size_t n_legal;
    tby_target targets[TBY_MOVES_MAX + 1]; /* the position, and those after each legal move */
    uint64_t reached[TBY_MOVES_MAX];       /* how many games reach these */
} reaching;

static void set_targets(reaching *p)
{
    p->n_legal = tby_moves_list(p->legal, p->plan->base.pos);
    for (size_t i = 0; i < p->n_legal; i++) {
        tby_position after = *p->plan->base.pos;
        tby_position_play(&after, p->legal[i], NULL);
        tby_target_position(&p->targets[i + 1], &after);
    }
}

/* Does the search leave out any games? */
static bool is_search(const reaching *p) { return p->plan->base.search->query || p->plan->base.search->where; }

/* Few games are left: another plan may be better. */
static bool find_among(reaching *p, const tby_db_search *search, const game_set *only)
{
    find_plan made;
    const bool is_good = find_plan_make(&made, p->db, search, p->plan->base.members, only) &&
                         lite_find_into(p->db, &made, search, &p->among);
    find_plan_free(&made);
    return is_good;
}

/* Finds the games of the search; those not in `only` may be left out. */
static bool set_games(reaching *p, const game_set *only)
{
    tby_game_id last_id = 0;
    if (!is_search(p))
        return true;
    tby_db_search all = *p->plan->base.search;
    all.limit = all.offset = 0;
    p->db->base.failure.text[0] = '\0';
    if (!lite_last_id(p->db, &last_id))
        return false;
    if (!game_set_init(&p->among, last_id < UINT32_MAX ? last_id : UINT32_MAX))
        return lite_fail_memory(p->db);
    const bool is_good = only ? find_among(p, &all, only) : lite_find_into(p->db, p->plan, &all, &p->among);
    return is_good && !p->db->base.failure.text[0] && (!p->among.has_failed || lite_fail_memory(p->db));
}

static bool visit_hit(void *context, const hit *h)
{
    reaching *p = context;
    if (h->target > 0) {
        p->reached[h->target - 1]++;
        return true;
    }
    const uint8_t *record = block_get(&p->facts, p->db, h->id);
    if (!record)
        return false;
    const tby_db_reaching game = {h->id, h->ply, h->next, fact_read(record)};
    return p->visitor->visit(p->context, &game) || lite_fail(p->db, TBY_INTERRUPTED, "interrupted");
}

static void count_reached(void *context, size_t target, uint32_t n_games)
{
    ((reaching *)context)->reached[target - 1] += n_games;
}

/* Adds the stored counts of a position in a run. */
static void add_counts(void *context, const position_counts *counts)
{
    const reaching *p = context;
    const tby_color side = tby_position_side(p->plan->base.pos);
    tby_db_move ended = {.move = TBY_MOVE_NONE, .games = counts->numbers[POSITION_ENDED]};
    for (int k = 0; k < 4; k++)
        ended.results[k] = counts->numbers[POSITION_RESULTS + k];
    for (size_t i = 0; i < counts->n_moves; i++) {
        const counted_move *from = &counts->moves[i];
        tby_db_move m = {.move = from->move,
                         .games = from->numbers[MOVE_GAMES],
                         .n_elo = from->numbers[MOVE_RATINGS + 3 * side],
                         .elo_sum = counted_ratings(from, side),
                         .last_date = (int)from->numbers[MOVE_DATE]};
        for (int k = 0; k < 4; k++) {
            m.results[k] = from->numbers[MOVE_RESULTS + k];
            ended.results[k] -= m.results[k];
        }
        p->visitor->add(p->context, &m);
    }
    p->visitor->add(p->context, &ended);
}

/* ---- Running -------------------------------------------------------------------------------------------- */

static reaching *reaching_new(lite *db, find_plan *made, const reaching_visitor *visitor, void *context)
{
    reaching *p = malloc(sizeof *p);
    if (!p) {
        lite_fail_memory(db);
        return NULL;
    }
    memset(p, 0, offsetof(reaching, targets)); /* which are many, and are set before they are used */
    memset(p->reached, 0, sizeof p->reached);
    p->db = db;
    p->plan = made;
    p->visitor = visitor;
    p->context = context;
    p->facts = facts_begin();
    tby_target_position(&p->targets[0], made->base.pos);
    return p;
}

static void reaching_free(reaching *p)
{
    block_finish(&p->facts);
    game_set_free(&p->among);
    free(p);
}

static void *reaching_of(void *context, unsigned number)
{
    reaching *first = context;
    lite *db = lite_reader(first->db, number);
    void *own = db ? first->visitor->context_of(first->context, number) : NULL;
    reaching *p = own ? reaching_new(db, first->plan, first->visitor, own) : NULL;
    if (!p)
        return NULL;
    p->next = first->next;
    return first->next = p;
}

/* Adds up the counts of this thread and the others, and ends these. */
static void add_reached(reaching *p)
{
    for (reaching *other; (other = p->next) != NULL;) {
        p->next = other->next;
        for (size_t i = 0; i < p->n_legal; i++)
            p->reached[i] += other->reached[i];
        reaching_free(other);
    }
    for (size_t i = 0; i < p->n_legal; i++) {
        const tby_db_move m = {.move = p->legal[i], .reached = p->reached[i]};
        if (m.reached)
            p->visitor->add(p->context, &m);
    }
}

static scan_options options_of(const reaching *p, size_t n_targets)
{
    return (scan_options){.targets = p->targets,
                          .n_targets = n_targets,
                          .max_ply = TBY_PLIES_MAX,
                          .search = p->plan->base.search,
                          .among = p->among.pages ? &p->among : NULL};
}

/* Games may be reported together if the index or stored counts have many at once. */
static bool reach_counted(reaching *p)
{
    if (!set_games(p, NULL))
        return false;
    set_targets(p);
    scan_options options = options_of(p, p->n_legal + 1);
    options.count = count_reached;
    options.take = add_counts;
    options.first_counted = 1;
    if (p->visitor->context_of && p->among.pages && (options.search->n_threads > 1 || p->among.last > MANY_GAMES))
        options.context_of = reaching_of;
    const bool is_good = scan_games(p->db, &options, visit_hit, p);
    add_reached(p);
    return is_good;
}

/* ---- Games one by one ----------------------------------------------------------------------------------- */

/* If few games reach the position, these are listed first, and the search only has to check these: `*is_done`. */
static bool reach_rare(reaching *p, bool *is_done)
{
    hit_list list = {.db = p->db};
    game_set games = {0};
    scan_options options = options_of(p, 1);
    tby_game_id last_id = 0;
    bool is_good = lite_last_id(p->db, &last_id);
    options.n_wanted = last_id / FEW + 1;
    is_good = is_good && scan_games(p->db, &options, hit_list_add, &list);
    *is_done = is_good && (int64_t)list.n < options.n_wanted;
    if (*is_done) {
        is_good = game_set_init(&games, last_id < UINT32_MAX ? last_id : UINT32_MAX);
        for (size_t i = 0; i < list.n && is_good; i++)
            game_set_put(&games, list.hits[i].id);
        is_good = is_good && !games.has_failed ? set_games(p, &games) : lite_fail_memory(p->db);
    }
    for (size_t i = 0; is_good && *is_done && i < list.n; i++)
        if (game_set_has(&p->among, list.hits[i].id))
            is_good = visit_hit(p, &list.hits[i]);
    game_set_free(&games);
    free(list.hits);
    return is_good;
}

/* For other positions, the games of the search are found first. */
static bool reach_games(reaching *p)
{
    bool is_done = false;
    if (is_search(p) && !reach_rare(p, &is_done))
        return false;
    if (is_done)
        return true;
    if (!set_games(p, NULL))
        return false;
    const scan_options options = options_of(p, 1);
    return scan_games(p->db, &options, visit_hit, p);
}

bool lite_reach(tby_db *base, db_plan *made, const reaching_visitor *visitor)
{
    TBY_CONTRACT(made->pos && visitor->visit);
    reaching *p = reaching_new(lite_of(base), (find_plan *)made, visitor, visitor->context);
    if (!p)
        return false;
    const bool is_good = visitor->add ? reach_counted(p) : reach_games(p);
    reaching_free(p);
    return is_good;
}
