/*
 * records_bound.c - checks games by their records of 8 bytes, and by their opening codes if these have an index.
 *
 * Works on one block of games at a time. A record is not always enough: a date may be only in a tag, a speed only in
 * the game's row, and a code outside the 500 only in its text. Such games are left open, and other steps decide them.
 */
#include "query/facts.h"
#include "row/dates.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/index/bound.h"
#include "store/sqlite/index/lists.h"
#include "store/sqlite/index/traits.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- Codes ---------------------------------------------------------------------------------------------- */

/* A fact about the code: the games in which it may hold, and those in which it holds. */
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

    block_games *values; /* for bound_query */

    /* The current block. */
    int64_t block;
    uint64_t records[BLOCK_GAMES]; /* all ones for games that do not exist */
    block_games wanted;            /* the games to check */
    block_games open;              /* games that the records leave undecided */
} judge;

static void put_game(void *context, int64_t id) { game_set_put(context, id); }

/* The games of one code in the block of `id`. */
static bool read_games(judge *j, uint32_t key, tby_game_id id, game_set *out)
{
    const int64_t row = list_row(id, key);
    sqlite3_stmt *s = lite_statement(j->db, traits_tables[TRAITS_ECO].get);
    bool failed = false;
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, row);
    if (lite_step(j->db, s, &failed) &&
        !lists_each(row, sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0), put_game, out))
        failed = !lite_fail(j->db, TBY_INVALID_DATABASE, "the index of eco is damaged");
    sqlite3_reset(s);
    return !failed;
}

/* The games in the block of `id` with a code for which the fact holds, and those with a code outside the 500. */
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
    if (!game_set_init(&eco->may, j->last_id) || !game_set_init(&eco->must, j->last_id))
        return lite_fail_memory(j->db);
    for (uint32_t key = 0; key <= ECO_NONE; key++) {
        traits_eco_text(text, key);
        holds[key] =
            conditions_hold(j->db->facts, node, (tby_text){key == ECO_NONE ? NULL : text, key == ECO_NONE ? 0 : 3});
    }
    for (tby_game_id id = 1;; id = list_block_end(id) + 1) {
        if (!next_stored_game(j->db, &id))
            return false;
        if (id == 0 || id > last)
            break;
        if (!read_block(j, eco, holds, id))
            return false;
    }
    game_set_add(&eco->may, &eco->must);
    game_set_put_rest(&eco->may, covered + 1);
    return !eco->may.has_failed || lite_fail_memory(j->db);
}

static bool read_ecos(judge *j)
{
    int64_t covered;
    if (!traits_covered(j->db, traits_tables[TRAITS_ECO].name, &covered))
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

/* ---- Records -------------------------------------------------------------------------------------------- */

/* Where a record has a column: its bits, and the offset to the row's number. */
typedef struct record_column {
    size_t offset; /* in tby_row */
    unsigned shift;
    uint64_t mask;
    unsigned more;
    bool may_lack; /* 0 means unknown: the game's row decides */
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
    const row_column *column = c->name ? column_named(c->name) : NULL;
    for (size_t i = 0; column && i < sizeof record_columns / sizeof *record_columns; i++)
        if (record_columns[i].offset == column->offset)
            return &record_columns[i];
    return NULL;
}

static bool is_id(const query_fact *f) { return f->columns[0].name && strcmp(f->columns[0].name, "id") == 0; }

/* Do records have all columns that the fact compares? */
static bool is_recorded(const query_fact *f)
{
    return is_id(f) || (record_column_of(&f->columns[0]) && (!f->columns[1].name || record_column_of(&f->columns[1])));
}

/* In which of 64 records is a number from `low` to `high`, both below 2^31? No column crosses the middle of a record,
   so one half is enough: four records at a time. Every x86-64 has SSE2. */
static inline uint64_t word_between(const uint64_t *records, const record_column *c, int low, int high)
{
    uint64_t word = 0;
#ifdef __SSE2__
    const __m128i shift = _mm_cvtsi32_si128((int)(c->shift % 32)), mask = _mm_set1_epi32((int)c->mask);
    const __m128i below = _mm_set1_epi32(low - 1), above = _mm_set1_epi32(high);
    for (unsigned i = 0; i < 64; i += 4) {
        const __m128 two = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)&records[i])),
                     more = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)&records[i + 2]));
        const __m128 halves = c->shift < 32 ? _mm_shuffle_ps(two, more, 0x88) : _mm_shuffle_ps(two, more, 0xdd);
        const __m128i numbers = _mm_and_si128(_mm_srl_epi32(_mm_castps_si128(halves), shift), mask);
        const __m128i is_in = _mm_andnot_si128(_mm_cmpgt_epi32(numbers, above), _mm_cmpgt_epi32(numbers, below));
        word |= (uint64_t)(unsigned)_mm_movemask_ps(_mm_castsi128_ps(is_in)) << i;
    }
#else
    for (unsigned i = 0; i < 64; i++) {
        const int number = (int)(records[i] >> c->shift & c->mask);
        word |= (uint64_t)(number >= low && number <= high) << i;
    }
#endif
    return word;
}

/* The games whose number in this column is from `low` to `high`; low <= high. */
static void numbers_between(uint64_t *out, const judge *j, const record_column *c, int64_t low, int64_t high)
{
    const int least = low > 0 ? low < INT32_MAX ? (int)low : INT32_MAX : 0,
              most = high < INT32_MAX ? high < 0 ? -1 : (int)high : INT32_MAX;
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out[w] = word_between(j->records + w * 64, c, least, most);
}

static void dates_between(uint64_t *out, const judge *j, int64_t low, int64_t high)
{
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 64; i++)
            word |= (uint64_t)date_meets((int)fact_date(j->records[w * 64 + i]), low, high) << i;
        out[w] = word;
    }
}

static void combinations_between(uint64_t *out, const judge *j, const query_fact *f, const query_node *node)
{
    const record_column *a = record_column_of(&f->columns[0]), *b = record_column_of(&f->columns[1]);
    const int64_t low = fact_bound(f, node->u.range.low), high = fact_bound(f, node->u.range.high);
    memset(out, 0, BLOCK_WORDS * sizeof *out);
    for (unsigned i = 0; i < BLOCK_GAMES; i++) {
        const int64_t x = (int64_t)(j->records[i] >> a->shift & a->mask),
                      y = (int64_t)(j->records[i] >> b->shift & b->mask);
        const int64_t number = fact_combined(f, x, y);
        const bool holds = x >= f->least && y >= f->least && number >= low && number <= high;
        out[i / 64] |= (uint64_t)holds << i % 64;
    }
}

static void ids_between(uint64_t *out, const judge *j, int64_t low, int64_t high)
{
    memset(out, 0, BLOCK_WORDS * sizeof *out);
    for (unsigned i = 0; i < BLOCK_GAMES; i++) {
        const int64_t id = j->block * BLOCK_GAMES + i + 1;
        out[i / 64] |= (uint64_t)(id >= low && id <= high) << i % 64;
    }
}

/* The games in which one column satisfies the fact. */
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
    if (fact_is_combined(f)) {
        combinations_between(out, j, f, node);
        return;
    }
    judge_column(out, j, f, node, record_column_of(&f->columns[0]));
    if (!f->columns[1].name)
        return;
    judge_column(second, j, f, node, record_column_of(&f->columns[1]));
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out[w] = f->of == OF_ANY ? out[w] | second[w] : out[w] & second[w];
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* Undecided games may match. For all other games, which are not `open`, the value is exact. */
static cover judge_recorded(judge *j, block_games *out, const query_node *node, bound_side side)
{
    const query_fact *f = fact_of_node(node);
    const record_column *c = record_column_of(&f->columns[0]);
    block_games lacking;
    query_node whole = *node;
    const bool is_part = f->value == VALUE_SPEED && node->number == TBY_SPEED_ULTRABULLET;
    if (is_part) /* part of bullet: the game's tags decide */
        whole.number = TBY_SPEED_BULLET;
    judge_record(out->words, j, f, &whole);
    for (unsigned w = 0; is_part && w < BLOCK_WORDS; w++) {
        j->open.words[w] |= out->words[w];
        out->words[w] = side == BOUND_MAY ? out->words[w] : 0;
    }
    if (!c || !c->may_lack)
        return COVER_EXACT;
    numbers_between(lacking.words, j, c, 0, 0);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        j->open.words[w] |= lacking.words[w];
        out->words[w] |= side == BOUND_MAY ? lacking.words[w] : 0;
    }
    return COVER_EXACT;
}

static cover judge_eco(judge *j, block_games *out, uint32_t id, bound_side side)
{
    for (size_t i = 0; i < j->n_ecos; i++) {
        if (j->ecos[i].id != id)
            continue;
        for (unsigned w = 0; w < BLOCK_WORDS; w++) {
            const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
            const uint64_t may = game_set_word(&j->ecos[i].may, first), must = game_set_word(&j->ecos[i].must, first);
            j->open.words[w] |= may & ~must;
            out->words[w] = side == BOUND_MAY ? may : must;
        }
        return COVER_EXACT;
    }
    return COVER_NONE;
}

static cover judge_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    return is_recorded(fact_of_node(node)) ? judge_recorded(context, value, node, side)
                                           : judge_eco(context, value, id, side);
}

static cover judge_query(judge *j) { return block_bound(judge_fact, j, j->values, j->query, BOUND_MAY); }

/* NULL if out of memory. */
static judge *judge_new(lite *db, const tby_query *query)
{
    judge *j = calloc(1, sizeof *j);
    if (!j || !(j->values = calloc(bound_n_values(query), sizeof *j->values))) {
        free(j);
        lite_fail_memory(db);
        return NULL;
    }
    j->db = db;
    j->query = query;
    return j;
}

static void judge_free(judge *j)
{
    for (size_t i = 0; i < j->n_ecos; i++) {
        game_set_free(&j->ecos[i].may);
        game_set_free(&j->ecos[i].must);
    }
    free(j->values);
    free(j);
}

/* Whether records decide a fact, without a block; the context says whether codes have an index. */
static cover cover_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    (void)value, (void)id, (void)side;
    return is_recorded(fact_of_node(node)) || (node->type == Q_ECO && *(bool *)context) ? COVER_EXACT : COVER_NONE;
}

bool records_cover(lite *db, const tby_query *query, cover *out)
{
    int64_t covered;
    if (!traits_covered(db, traits_tables[TRAITS_ECO].name, &covered))
        return false;
    bool has_eco = covered >= 0;
    block_games *values = calloc(bound_n_values(query), sizeof *values);
    if (!values)
        return lite_fail_memory(db);
    *out = block_bound(cover_fact, &has_eco, values, query, BOUND_MAY);
    free(values);
    return true;
}

/* ---- All games ------------------------------------------------------------------------------------------ */

/* Reads the records of the block; false if none of its games is to be checked. A damaged file may have records without
   games. */
static bool judge_take(judge *j, const uint8_t *records, size_t n)
{
    const int64_t left = j->last_id - j->block * BLOCK_GAMES;
    const size_t end = (int64_t)n < left ? n : left > 0 ? (size_t)left : 0;
    uint64_t any = 0;
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        uint64_t there = 0;
        for (size_t i = w * 64; i < w * 64 + 64; i++) {
            j->records[i] = i < end ? fact_word(records + i * FACT_SIZE) : UINT64_MAX;
            there |= (uint64_t)(j->records[i] != UINT64_MAX) << i % 64;
        }
        j->wanted.words[w] = there & (j->only ? game_set_word(j->only, first) : UINT64_MAX);
        any |= j->wanted.words[w];
    }
    return any != 0;
}

static void judge_block(judge *j, game_set *may, game_set *must)
{
    memset(&j->open, 0, sizeof j->open);
    const cover known = judge_query(j);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        const uint64_t found = (known == COVER_NONE ? UINT64_MAX : j->values[0].words[w]) & j->wanted.words[w];
        game_set_put_word(may, first, found);
        if (must && known == COVER_EXACT)
            game_set_put_word(must, first, found & ~j->open.words[w]);
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
        if (records && judge_take(j, records, (size_t)sqlite3_column_bytes(s, 1) / FACT_SIZE))
            judge_block(j, may, must);
    }
    sqlite3_finalize(s);
    return s && !failed;
}

bool records_judge(lite *db, const tby_query *query, tby_game_id last_id, const game_set *only, game_set *may,
                   game_set *must)
{
    judge *j = judge_new(db, query);
    if (!j)
        return false;
    if (!game_set_init(may, last_id) || (must && !game_set_init(must, last_id))) {
        judge_free(j);
        return lite_fail_memory(db);
    }
    j->last_id = last_id;
    j->only = only;
    const bool is_good = read_ecos(j) && judge_all(j, may, must) &&
                         (!(may->has_failed || (must && must->has_failed)) || lite_fail_memory(db));
    judge_free(j);
    return is_good;
}
