/*
 * by_facts.c - judges the games by their facts.
 *
 * A date that is not known may still be told by a tag; that is for others to find out.
 */
#include "store/sqlite/by_facts.h"
#include "store/sqlite/blocks.h"

/* A program shares its nodes, so the way through it may be much longer than it is. */
enum { VISITS_MAX = 64 };

/* ---- What they can say ---------------------------------------------------------------------------------- */

static facts_say say(const tby_query *q, uint32_t id, unsigned *n_visits)
{
    const query_node *node = tree_node(&q->program, id);
    facts_say most = FACTS_NOTHING, least = FACTS_ALL;
    if (++*n_visits > VISITS_MAX)
        return FACTS_NOTHING;
    switch ((query_type)node->type) {
    case Q_RESULT:
    case Q_ELO:
    case Q_WHITE_ELO:
    case Q_BLACK_ELO:
    case Q_ANY_ELO:
    case Q_DATE:
    case Q_ID: return FACTS_ALL;
    case Q_AND:
    case Q_OR:
    case Q_NOT:
        for (uint32_t i = 0; i < node->n_kids; i++) {
            const facts_say one = say(q, tree_kid(&q->program, node, i), n_visits);
            most = one > most ? one : most;
            least = one < least ? one : least;
        }
        return least == FACTS_ALL ? FACTS_ALL : most > FACTS_NOTHING ? FACTS_SOME : FACTS_NOTHING;
    case Q_EVER:
    case Q_ALWAYS:
    case Q_FOR:
    case Q_SOON:
        most = say(q, tree_kid(&q->program, node, 0), n_visits);
        return most > FACTS_NOTHING ? FACTS_SOME : FACTS_NOTHING;
    default: return FACTS_NOTHING;
    }
}

facts_say tby_facts_say(const tby_query *query)
{
    unsigned n_visits = 0;
    const facts_say answer = say(query, query->program.root, &n_visits);
    return n_visits > VISITS_MAX ? FACTS_NOTHING : answer;
}

/* ---- One game ------------------------------------------------------------------------------------------- */

/* Does it hold at no ply, at every ply, or cannot that be told? */
typedef enum verdict { VERDICT_NO, VERDICT_MAYBE, VERDICT_YES } verdict;

static verdict verdict_of(bool holds) { return holds ? VERDICT_YES : VERDICT_NO; }

static bool is_in(const query_node *node, int64_t value)
{
    return value > 0 && value >= node->u.range.low && value <= node->u.range.high;
}

static verdict judge_date(const query_node *node, int date)
{
    const int unknown = date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0;
    if (date == 0)
        return VERDICT_MAYBE;
    return verdict_of(date + unknown >= node->u.range.low && date <= node->u.range.high);
}

static verdict judge(const tby_query *q, uint32_t id, const fact *f, tby_game_id game);

/* The least of all, or the most. */
static verdict judge_list(const tby_query *q, const query_node *node, const fact *f, tby_game_id game)
{
    const bool is_and = node->type == Q_AND;
    verdict answer = is_and ? VERDICT_YES : VERDICT_NO;
    for (uint32_t i = 0; i < node->n_kids; i++) {
        const verdict one = judge(q, tree_kid(&q->program, node, i), f, game);
        answer = (is_and ? one < answer : one > answer) ? one : answer;
    }
    return answer;
}

static verdict judge(const tby_query *q, uint32_t id, const fact *f, tby_game_id game)
{
    const query_node *node = tree_node(&q->program, id);
    const int *elo = f->elo;
    switch ((query_type)node->type) {
    case Q_RESULT: return verdict_of(f->result == (tby_result)node->number);
    case Q_ELO: return verdict_of(is_in(node, elo[0]) && is_in(node, elo[1]));
    case Q_ANY_ELO: return verdict_of(is_in(node, elo[0]) || is_in(node, elo[1]));
    case Q_WHITE_ELO: return verdict_of(is_in(node, elo[TBY_WHITE]));
    case Q_BLACK_ELO: return verdict_of(is_in(node, elo[TBY_BLACK]));
    case Q_DATE: return judge_date(node, f->date);
    case Q_ID: return verdict_of(is_in(node, game));
    case Q_AND:
    case Q_OR: return judge_list(q, node, f, game);
    case Q_NOT: return (verdict)(VERDICT_YES - judge(q, tree_kid(&q->program, node, 0), f, game));
    case Q_EVER:
    case Q_ALWAYS: return judge(q, tree_kid(&q->program, node, 0), f, game);
    case Q_FOR:
    case Q_SOON: /* the game may be too short */
        return judge(q, tree_kid(&q->program, node, 0), f, game) == VERDICT_NO ? VERDICT_NO : VERDICT_MAYBE;
    default: return VERDICT_MAYBE;
    }
}

/* ---- All games ------------------------------------------------------------------------------------------ */

static void judge_block(const tby_query *q, int64_t number, const uint8_t *records, size_t n, game_set *may,
                        game_set *must)
{
    for (size_t i = 0; i < n && i < BLOCK_GAMES; i++) {
        const tby_game_id id = number * BLOCK_GAMES + (int64_t)i + 1;
        if (!fact_is_there(records + i * FACT_SIZE))
            continue;
        const fact f = fact_read(records + i * FACT_SIZE);
        const verdict v = judge(q, q->program.root, &f, id);
        if (v != VERDICT_NO)
            game_set_put(may, id);
        if (v == VERDICT_YES)
            game_set_put(must, id);
    }
}

bool tby_facts_judge(lite *db, const tby_query *query, tby_game_id last_id, game_set *may, game_set *must)
{
    bool failed = false;
    if (!game_set_init(may, last_id) || !game_set_init(must, last_id))
        return lite_fail_memory(db);
    sqlite3_stmt *s = lite_prepare(db, "SELECT block, records FROM fact WHERE block BETWEEN 0 AND ?1");
    if (s)
        sqlite3_bind_int64(s, 1, block_of(last_id));
    while (s && lite_step(db, s, &failed)) {
        const uint8_t *records = sqlite3_column_blob(s, 1);
        if (records)
            judge_block(query, sqlite3_column_int64(s, 0), records, (size_t)sqlite3_column_bytes(s, 1) / FACT_SIZE, may,
                        must);
    }
    sqlite3_finalize(s);
    return s && !failed;
}
