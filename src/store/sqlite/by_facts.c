/*
 * by_facts.c - judges the games by their facts, and by the codes of their openings where these have an index.
 *
 * A block of games at a time: of each part of the query, for which games it may hold and for which it must. A date that
 * is not known may still be told by a tag, a speed by the game's row, and a code that is none of the 500 by its text;
 * that is for others to find out.
 */
#include "store/sqlite/by_facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/had.h"
#include "store/sqlite/lists.h"

#include <string.h>

/* A program shares its nodes, so the way through it may be much longer than it is. */
enum { VISITS_MAX = 64, BLOCK_WORDS = BLOCK_GAMES / 64 };

/* ---- What they can say ---------------------------------------------------------------------------------- */

static facts_say say(const tby_query *q, uint32_t id, bool has_eco, unsigned *n_visits)
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
    case Q_MEAN_ELO:
    case Q_DATE:
    case Q_ID: return FACTS_ALL;
    case Q_SPEED: return node->number == TBY_SPEED_ULTRABULLET ? FACTS_SOME : FACTS_ALL;
    case Q_ECO: return has_eco ? FACTS_ALL : FACTS_NOTHING;
    case Q_AND:
    case Q_OR:
    case Q_NOT:
        for (uint32_t i = 0; i < node->n_kids; i++) {
            const facts_say one = say(q, tree_kid(&q->program, node, i), has_eco, n_visits);
            most = one > most ? one : most;
            least = one < least ? one : least;
        }
        return least == FACTS_ALL ? FACTS_ALL : most > FACTS_NOTHING ? FACTS_SOME : FACTS_NOTHING;
    case Q_EVER:
    case Q_ALWAYS:
    case Q_FOR:
    case Q_SOON:
        most = say(q, tree_kid(&q->program, node, 0), has_eco, n_visits);
        return most > FACTS_NOTHING ? FACTS_SOME : FACTS_NOTHING;
    default: return FACTS_NOTHING;
    }
}

bool tby_facts_say(lite *db, const tby_query *query, facts_say *out)
{
    unsigned n_visits = 0;
    int64_t eco;
    if (!tby_had_covered(db, tby_had_tables[HAD_ECO].name, &eco))
        return false;
    *out = say(query, query->program.root, eco >= 0, &n_visits);
    if (n_visits > VISITS_MAX)
        *out = FACTS_NOTHING;
    return true;
}

/* ---- Codes ---------------------------------------------------------------------------------------------- */

/* A fact about the code: the games that it may hold for, and those that it holds for. */
typedef struct eco_fact {
    uint32_t id; /* of the node */
    game_set may, must;
} eco_fact;

enum { ECO_FACTS_MAX = 8 };
typedef struct judge {
    lite *db;
    const tby_query *query;
    tby_game_id last_id;
    const game_set *only; /* NULL: all games */
    eco_fact ecos[ECO_FACTS_MAX];
    size_t n_ecos;

    /* The block that is looked at. */
    int64_t block;
    uint64_t facts[BLOCK_GAMES];  /* ones for games that are not there */
    uint64_t wanted[BLOCK_WORDS]; /* a bit for each game of it that is asked for; words without any are not judged */
} judge;

static void put_game(void *context, int64_t id) { game_set_put(context, id); }

/* The games of one code, of those in the block of `id`. */
static bool read_games(judge *j, uint32_t key, tby_game_id id, game_set *out)
{
    const int64_t row = list_row(id, key);
    sqlite3_stmt *s = lite_statement(j->db, tby_had_tables[HAD_ECO].get);
    bool failed = false;
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, row);
    if (lite_step(j->db, s, &failed) &&
        !tby_lists_each(row, sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0), put_game, out))
        failed = !lite_fail(j->db, TBY_INVALID_DATABASE, "the index of eco is damaged");
    sqlite3_reset(s);
    return !failed;
}

/* The games of the block of `id` whose code is one that the fact holds for, and those whose code is none of the 500. */
static bool read_block(judge *j, eco_fact *eco, const bool holds[ECO_CODES + 1], tby_game_id id)
{
    for (uint32_t key = 0; key <= ECO_NONE; key++)
        if (holds[key] && !read_games(j, key, id, &eco->must))
            return false;
    return read_games(j, ECO_OTHER, id, &eco->may);
}

static bool read_eco(judge *j, eco_fact *eco, int64_t covered)
{
    char text[4];
    bool holds[ECO_CODES + 1];
    const query_node *node = tree_node(&j->query->program, eco->id);
    const int64_t last = covered < j->last_id ? covered : j->last_id;
    if (!tby_game_set_init(&eco->may, j->last_id) || !tby_game_set_init(&eco->must, j->last_id))
        return lite_fail_memory(j->db);
    for (uint32_t key = 0; key <= ECO_NONE; key++) {
        tby_had_eco_text(text, key);
        holds[key] =
            tby_conditions_hold(j->db->facts, node, (tby_text){key == ECO_NONE ? NULL : text, key == ECO_NONE ? 0 : 3});
    }
    for (tby_game_id id = 1;; id = list_block_end(id) + 1) {
        if (!tby_next_game(j->db, &id))
            return false;
        if (id == 0 || id > last)
            break;
        if (!read_block(j, eco, holds, id))
            return false;
    }
    tby_game_set_add(&eco->may, &eco->must);
    game_set_put_rest(&eco->may, covered + 1);
    return !eco->may.has_failed || lite_fail_memory(j->db);
}

static bool read_ecos(judge *j)
{
    int64_t covered;
    if (!tby_had_covered(j->db, tby_had_tables[HAD_ECO].name, &covered))
        return false;
    for (uint32_t id = 0; covered >= 0 && id <= j->query->program.root && j->n_ecos < ECO_FACTS_MAX; id++)
        if (tree_node(&j->query->program, id)->type == Q_ECO) {
            eco_fact *eco = &j->ecos[j->n_ecos++];
            eco->id = id;
            if (!read_eco(j, eco, covered))
                return false;
        }
    return true;
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* A bit for each game of a block: it may hold at some ply; it holds at every ply. */
typedef struct verdict {
    uint64_t may[BLOCK_WORDS], must[BLOCK_WORDS];
} verdict;

/* What is not known is 0, and in no range. */
static inline bool is_in(const query_node *node, int64_t value)
{
    const int64_t low = node->u.range.low > 1 ? node->u.range.low : 1;
    return node->u.range.high >= low && (uint64_t)(value - low) <= (uint64_t)(node->u.range.high - low);
}
static inline bool white_is_in(const query_node *node, uint64_t record)
{
    return is_in(node, (int64_t)(record & 0xffff));
}
static inline bool black_is_in(const query_node *node, uint64_t record)
{
    return is_in(node, (int64_t)(record >> 16 & 0xffff));
}
static inline bool both_are_in(const query_node *node, uint64_t record)
{
    return (int)white_is_in(node, record) & (int)black_is_in(node, record); /* no branch */
}
static inline bool any_is_in(const query_node *node, uint64_t record)
{
    return (int)white_is_in(node, record) | (int)black_is_in(node, record);
}
static inline bool mean_is_in(const query_node *node, uint64_t record)
{
    const int64_t white = (int64_t)(record & 0xffff), black = (int64_t)(record >> 16 & 0xffff), twice = white + black;
    return (int)(white > 0) & (int)(black > 0) & (int)(twice >= mean_elo_bound(node->u.range.low)) &
           (int)(twice <= mean_elo_bound(node->u.range.high));
}
static inline bool has_result(const query_node *node, uint64_t record)
{
    return (record >> 32 & 3) == (uint64_t)node->number;
}

/* Parts that are not known may be anything. */
static inline bool date_is_in(const query_node *node, uint64_t record)
{
    const int64_t date = fact_date(record);
    if (date >= node->u.range.low || date + 9999 < node->u.range.low)
        return is_in(node, date);
    const int64_t unknown = date % 10000 == 0 ? 9999 : date % 100 == 0 ? 99 : 0;
    return date > 0 && date <= node->u.range.high && date + unknown >= node->u.range.low;
}
static inline bool has_no_date(const query_node *node, uint64_t record)
{
    (void)node;
    return fact_date(record) == 0;
}
static inline bool is_bullet(const query_node *node, uint64_t record)
{
    (void)node;
    return fact_speed(record) < 0 || fact_speed(record) == TBY_SPEED_BULLET;
}
static inline bool has_speed(const query_node *node, uint64_t record) { return fact_speed(record) == node->number; }
static inline bool has_no_speed(const query_node *node, uint64_t record)
{
    (void)node;
    return fact_speed(record) < 0;
}

/* The games of the block for which `holds` is true. */
static inline void each(uint64_t *out, const judge *j, const query_node *node,
                        bool (*holds)(const query_node *, uint64_t))
{
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        uint64_t word = 0;
        for (unsigned i = 0; j->wanted[w] && i < 64; i++)
            word |= (uint64_t)holds(node, j->facts[w * 64 + i]) << i;
        out[w] = word;
    }
}

static bool judge_fact(verdict *out, const judge *j, const query_node *node)
{
    switch ((query_type)node->type) {
    case Q_RESULT: each(out->must, j, node, has_result); return true;
    case Q_ELO: each(out->must, j, node, both_are_in); return true;
    case Q_ANY_ELO: each(out->must, j, node, any_is_in); return true;
    case Q_MEAN_ELO: each(out->must, j, node, mean_is_in); return true;
    case Q_WHITE_ELO: each(out->must, j, node, white_is_in); return true;
    case Q_BLACK_ELO: each(out->must, j, node, black_is_in); return true;
    case Q_DATE: each(out->must, j, node, date_is_in); return true;
    case Q_SPEED: each(out->must, j, node, has_speed); return true;
    case Q_ID:
        for (unsigned i = 0; i < BLOCK_GAMES; i++)
            out->must[i / 64] |= (uint64_t)is_in(node, j->block * BLOCK_GAMES + i + 1) << i % 64;
        return true;
    default: return false;
    }
}

static bool judge_eco(verdict *out, const judge *j, uint32_t id)
{
    for (size_t i = 0; i < j->n_ecos; i++)
        for (unsigned w = 0; j->ecos[i].id == id && w < BLOCK_WORDS; w++) {
            const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
            out->may[w] = game_set_word(&j->ecos[i].may, first);
            out->must[w] = game_set_word(&j->ecos[i].must, first);
        }
    for (size_t i = 0; i < j->n_ecos; i++)
        if (j->ecos[i].id == id)
            return true;
    return false;
}

/* ---- Nodes ---------------------------------------------------------------------------------------------- */

static void judge_node(verdict *out, const judge *j, uint32_t id);

static void judge_list(verdict *out, const judge *j, const query_node *node)
{
    verdict one;
    judge_node(out, j, tree_kid(&j->query->program, node, 0));
    for (uint32_t i = 1; i < node->n_kids; i++) {
        judge_node(&one, j, tree_kid(&j->query->program, node, i));
        for (unsigned w = 0; w < BLOCK_WORDS; w++) {
            out->may[w] = node->type == Q_AND ? out->may[w] & one.may[w] : out->may[w] | one.may[w];
            out->must[w] = node->type == Q_AND ? out->must[w] & one.must[w] : out->must[w] | one.must[w];
        }
    }
}

static void judge_not(verdict *out, const judge *j, const query_node *node)
{
    verdict kid;
    judge_node(&kid, j, tree_kid(&j->query->program, node, 0));
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        out->may[w] = ~kid.must[w];
        out->must[w] = ~kid.may[w];
    }
}

static void judge_leaf(verdict *out, const judge *j, const query_node *node, uint32_t id)
{
    memset(out, 0, sizeof *out);
    if (judge_fact(out, j, node)) {
        if (node->type == Q_DATE)
            each(out->may, j, node, has_no_date);
        else if (node->type == Q_SPEED)
            each(out->may, j, node, node->number == TBY_SPEED_ULTRABULLET ? is_bullet : has_no_speed);
        for (unsigned w = 0; w < BLOCK_WORDS; w++)
            out->may[w] |= out->must[w];
    } else if (!judge_eco(out, j, id)) {
        memset(out->may, 0xff, sizeof out->may);
    }
}

static void judge_node(verdict *out, const judge *j, uint32_t id)
{
    const query_node *node = tree_node(&j->query->program, id);
    switch ((query_type)node->type) {
    case Q_AND:
    case Q_OR: judge_list(out, j, node); break;
    case Q_NOT: judge_not(out, j, node); break;
    case Q_EVER:
    case Q_ALWAYS: judge_node(out, j, tree_kid(&j->query->program, node, 0)); break;
    case Q_FOR:
    case Q_SOON: /* the game may be too short */
        judge_node(out, j, tree_kid(&j->query->program, node, 0));
        memset(out->must, 0, sizeof out->must);
        break;
    default: judge_leaf(out, j, node, id);
    }
}

/* ---- All games ------------------------------------------------------------------------------------------ */

/* Which games of the block are asked for, of the first `n`; false if none is. */
static bool set_wanted(judge *j, const uint8_t *records, size_t n)
{
    const int64_t left = j->last_id - j->block * BLOCK_GAMES; /* a damaged file may have records of no games */
    uint64_t any = 0;
    if ((int64_t)n > left)
        n = left > 0 ? (size_t)left : 0;
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        const uint64_t asked = j->only ? game_set_word(j->only, first) : UINT64_MAX;
        uint64_t there = 0;
        for (size_t i = w * 64; asked && i < w * 64 + 64; i++) {
            j->facts[i] = i < n ? fact_word(records + i * FACT_SIZE) : UINT64_MAX;
            there |= (uint64_t)(j->facts[i] != UINT64_MAX) << i % 64;
        }
        j->wanted[w] = asked & there;
        any |= j->wanted[w];
    }
    return any != 0;
}

static void judge_block(judge *j, game_set *may, game_set *must)
{
    verdict v;
    judge_node(&v, j, j->query->program.root);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        game_set_put_word(may, first, v.may[w] & j->wanted[w]);
        game_set_put_word(must, first, v.must[w] & j->wanted[w]);
    }
}

static bool judge_all(judge *j, game_set *may, game_set *must)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *s = lite_prepare(j->db, "SELECT block, records FROM fact WHERE block BETWEEN 0 AND ?1");
    if (s)
        sqlite3_bind_int64(s, 1, block_of(j->last_id));
    while (s && lite_step_up(j->db, s, &before, &failed)) {
        const uint8_t *records = sqlite3_column_blob(s, 1);
        j->block = sqlite3_column_int64(s, 0);
        if (records && set_wanted(j, records, (size_t)sqlite3_column_bytes(s, 1) / FACT_SIZE))
            judge_block(j, may, must);
    }
    sqlite3_finalize(s);
    return s && !failed;
}

bool tby_facts_judge(lite *db, const tby_query *query, tby_game_id last_id, const game_set *only, game_set *may,
                     game_set *must)
{
    judge *j = calloc(1, sizeof *j);
    if (!j || !tby_game_set_init(may, last_id) || !tby_game_set_init(must, last_id)) {
        free(j);
        return lite_fail_memory(db);
    }
    j->db = db;
    j->query = query;
    j->last_id = last_id;
    j->only = only;
    const bool is_good = read_ecos(j) && judge_all(j, may, must) &&
                         (!(may->has_failed || must->has_failed) || lite_fail_memory(db));
    for (size_t i = 0; i < j->n_ecos; i++) {
        tby_game_set_free(&j->ecos[i].may);
        tby_game_set_free(&j->ecos[i].must);
    }
    free(j);
    return is_good;
}
