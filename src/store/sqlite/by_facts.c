/*
 * by_facts.c - judges the games by their facts, and by the codes of their openings where these have an index.
 *
 * A block of games at a time: of each part of the query, for which games it may hold and for which it must. A date that
 * is not known may still be told by a tag, a speed by the game's row, and a code that is none of the 500 by its text;
 * that is for others to find out.
 */
#include "store/sqlite/by_facts.h"
#include "query/dates.h"
#include "query/facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/had.h"
#include "store/sqlite/lists.h"

#include <string.h>

/* A program shares its nodes, so the way through it may be much longer than it is. */
enum { VISITS_MAX = 64, BLOCK_WORDS = BLOCK_GAMES / 64 };

static bool is_recorded(const query_fact *f);

/* ---- What they can say ---------------------------------------------------------------------------------- */

static facts_say say(const tby_query *q, uint32_t id, bool has_eco, unsigned *n_visits)
{
    const query_node *node = tree_node(&q->program, id);
    facts_say most = FACTS_NOTHING, least = FACTS_ALL;
    if (++*n_visits > VISITS_MAX)
        return FACTS_NOTHING;
    switch ((query_type)node->type) {
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
    default: return is_recorded(fact_of_node(node)) ? FACTS_ALL : FACTS_NOTHING;
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
    eco_fact ecos[ECO_FACTS_MAX];
    size_t n_ecos;

    /* The block that is looked at. */
    int64_t block;
    uint64_t facts[BLOCK_GAMES]; /* ones for games that are not there */
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

/* ---- Records -------------------------------------------------------------------------------------------- */

/* Where a record has a column: bits, and what must be added to the row's number. */
typedef struct record_column {
    size_t offset; /* in tby_row */
    unsigned shift;
    uint64_t mask;
    unsigned more;
    bool may_lack; /* 0 says nothing: the game's row tells */
} record_column;

static const record_column record_columns[] = {
    {offsetof(tby_row, elo[TBY_WHITE]), 0, 0xffff, 0, false},
    {offsetof(tby_row, elo[TBY_BLACK]), 16, 0xffff, 0, false},
    {offsetof(tby_row, result), 32, 3, 0, false},
    {offsetof(tby_row, date), 34, 0x7ffffff, 0, true},
    {offsetof(tby_row, speed), 61, 7, 1, true},
};

static const record_column *record_column_of(const fact_column *c)
{
    const row_column *column = c->name ? tby_column_named(c->name) : NULL;
    for (size_t i = 0; column && i < sizeof record_columns / sizeof *record_columns; i++)
        if (record_columns[i].offset == column->offset)
            return &record_columns[i];
    return NULL;
}

static bool is_id(const query_fact *f) { return f->columns[0].name && strcmp(f->columns[0].name, "id") == 0; }

/* Do records tell all that the fact compares? */
static bool is_recorded(const query_fact *f)
{
    return is_id(f) || (record_column_of(&f->columns[0]) && (!f->columns[1].name || record_column_of(&f->columns[1])));
}

/* The games whose number in this column is from `low` to `high`. */
static void numbers_between(uint64_t *out, const judge *j, const record_column *c, int64_t low, int64_t high)
{
    const unsigned shift = c->shift;
    const uint64_t mask = c->mask, first = (uint64_t)low, width = (uint64_t)(high - low);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 64; i++)
            word |= (uint64_t)((j->facts[w * 64 + i] >> shift & mask) - first <= width) << i;
        out[w] = word;
    }
}

static void dates_between(uint64_t *out, const judge *j, int64_t low, int64_t high)
{
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 64; i++)
            word |= (uint64_t)date_meets(fact_date(j->facts[w * 64 + i]), low, high) << i;
        out[w] = word;
    }
}

static void differences_between(uint64_t *out, const judge *j, const query_fact *f, const query_node *node)
{
    const record_column *a = record_column_of(&f->columns[0]), *b = record_column_of(&f->columns[1]);
    for (unsigned i = 0; i < BLOCK_GAMES; i++) {
        const int64_t x = (int64_t)(j->facts[i] >> a->shift & a->mask),
                      y = (int64_t)(j->facts[i] >> b->shift & b->mask);
        const bool holds = x >= f->least && y >= f->least && x - y >= node->u.range.low && x - y <= node->u.range.high;
        out[i / 64] |= (uint64_t)holds << i % 64;
    }
}

static void ids_between(uint64_t *out, const judge *j, int64_t low, int64_t high)
{
    for (unsigned i = 0; i < BLOCK_GAMES; i++) {
        const int64_t id = j->block * BLOCK_GAMES + i + 1;
        out[i / 64] |= (uint64_t)(id >= low && id <= high) << i % 64;
    }
}

/* The games for which one column is as the fact wants it. */
static void judge_column(uint64_t *out, const judge *j, const query_fact *f, const query_node *node,
                         const record_column *c)
{
    const bool is_range = f->value == VALUE_RANGE;
    const int64_t low = is_range ? node->u.range.low : node->number + c->more,
                  high = is_range ? node->u.range.high : low, least = is_range ? f->least : 0;
    if (f->value == VALUE_DATES)
        dates_between(out, j, node->u.range.low, node->u.range.high);
    else if (high >= (low > least ? low : least))
        numbers_between(out, j, c, low > least ? low : least, high);
    else
        memset(out, 0, BLOCK_WORDS * sizeof *out);
}

static void judge_record(uint64_t *out, const judge *j, const query_fact *f, const query_node *node)
{
    uint64_t second[BLOCK_WORDS];
    if (is_id(f)) {
        ids_between(out, j, node->u.range.low, node->u.range.high);
        return;
    }
    if (f->of == OF_DIFFERENCE) {
        differences_between(out, j, f, node);
        return;
    }
    judge_column(out, j, f, node, record_column_of(&f->columns[0]));
    if (!f->columns[1].name)
        return;
    judge_column(second, j, f, node, record_column_of(&f->columns[1]));
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out[w] = f->of == OF_ANY ? out[w] | second[w] : out[w] & second[w];
}

static bool judge_fact(verdict *out, const judge *j, const query_node *node)
{
    const query_fact *f = fact_of_node(node);
    if (!is_recorded(f))
        return false;
    judge_record(out->must, j, f, node);
    if (record_column_of(&f->columns[0]) && record_column_of(&f->columns[0])->may_lack)
        numbers_between(out->may, j, record_column_of(&f->columns[0]), 0, 0);
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out->may[w] |= out->must[w];
    return true;
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
    if (!judge_fact(out, j, node) && !judge_eco(out, j, id))
        memset(out->may, 0xff, sizeof out->may);
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

static void judge_block(judge *j, const uint8_t *records, size_t n, game_set *may, game_set *must)
{
    verdict v;
    for (size_t i = 0; i < BLOCK_GAMES; i++)
        j->facts[i] = i < n ? fact_word(records + i * FACT_SIZE) : UINT64_MAX;
    judge_node(&v, j, j->query->program.root);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        uint64_t there = 0;
        for (unsigned i = 0; i < 64; i++)
            there |= (uint64_t)(j->facts[w * 64 + i] != UINT64_MAX) << i;
        game_set_put_word(may, first, v.may[w] & there);
        game_set_put_word(must, first, v.must[w] & there);
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
        if (records)
            judge_block(j, records, (size_t)sqlite3_column_bytes(s, 1) / FACT_SIZE, may, must);
    }
    sqlite3_finalize(s);
    return s && !failed;
}

bool tby_facts_judge(lite *db, const tby_query *query, tby_game_id last_id, game_set *may, game_set *must)
{
    judge *j = calloc(1, sizeof *j);
    if (!j || !tby_game_set_init(may, last_id) || !tby_game_set_init(must, last_id)) {
        free(j);
        return lite_fail_memory(db);
    }
    j->db = db;
    j->query = query;
    j->last_id = last_id;
    const bool is_good = read_ecos(j) && judge_all(j, may, must) &&
                         (!(may->has_failed || must->has_failed) || lite_fail_memory(db));
    for (size_t i = 0; i < j->n_ecos; i++) {
        tby_game_set_free(&j->ecos[i].may);
        tby_game_set_free(&j->ecos[i].must);
    }
    free(j);
    return is_good;
}
