/*
 * records_bound.c - checks games by their records of 8 bytes, and by the lists of an index that decides a fact.
 *
 * Works on one block of games at a time, in several threads if there are many blocks. A record is not always enough: a
 * date may be only in a tag, a speed only in the game's row, and a code outside the 500 only in its text. Such games are
 * left open, and other steps decide them.
 */
#include "base/contract.h"
#include "query/facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/conditions.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/readers.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- Lists ---------------------------------------------------------------------------------------------- */

/* A fact that lists decide: the games in which it may hold, and those in which it holds. */
typedef struct listed_fact {
    uint32_t id; /* of the node */
    index_place index;
    int64_t covered;
    game_set may, must;
} listed_fact;

/* The index that decides a fact; N_INDEXES if there is none. */
static bool find_index(index_place *out, int64_t *covered, lite *db, const query_node *node)
{
    bool is_good = true;
    for (*out = 0; *out < N_INDEXES; ++*out) {
        const db_index *x = db_indexes[*out];
        if (x->decides && x->decides(node))
            break;
    }
    *covered = -1;
    if (*out < N_INDEXES)
        is_good = index_covered(db, *out, covered);
    *out = *covered < 0 ? N_INDEXES : *out;
    return is_good;
}

/* What to decide, shared by all threads. */
enum { LISTED_MAX = 8 };
typedef struct question {
    const record_question *asked;
    bool wants_must;
    listed_fact listed[LISTED_MAX];
    size_t n_listed;
    int64_t n_deleted; /* games, when the search began */
    int64_t n_at_once; /* blocks that a thread takes at a time */
    struct decider *deciders[THREADS_MAX];
} question;

/* The work of one thread. */
typedef struct decider {
    const question *of;
    game_set may, must;
    block_games *values; /* for bound_query */

    /* The current block. */
    int64_t block;
    uint64_t records[BLOCK_GAMES]; /* all ones for games that do not exist */
    block_games wanted;            /* the games to check */
    block_games open;              /* games that the records leave undecided */
} decider;

/* The keys of the texts for which the fact holds, and the last key, with which a game is open. */
static bool keys_that_hold(buffer *keys, uint32_t *open, tby_query_state *state, const db_index *x,
                           const query_node *node)
{
    const uint32_t n = x->n_texts();
    char room[8];
    for (uint32_t key = 0; key <= n; key++)
        if (conditions_hold(state, node, key < n ? x->text_of(room, key) : (tby_text){NULL, 0}))
            buffer_add(keys, &key, sizeof key);
    *open = n + 1;
    return !keys->has_failed;
}

/* The games of some keys in the block of game `id`. */
static bool read_block(lite *db, listed_fact *f, const buffer *keys, uint32_t open, tby_game_id id)
{
    const lite_table table = index_table(f->index);
    uint32_t key;
    for (size_t at = 0; at < keys->n; at += sizeof key) {
        memcpy(&key, keys->data + at, sizeof key);
        if (!lists_read(db, table, list_row(id, key), &f->must))
            return false;
    }
    return lists_read(db, table, list_row(id, open), &f->may);
}

static bool read_lists(const question *q, lite *db, listed_fact *f, const buffer *keys, uint32_t open)
{
    const tby_game_id last_id = q->asked->last_id, last = f->covered < last_id ? f->covered : last_id;
    if (!game_set_init(&f->may, last_id) || !game_set_init(&f->must, last_id))
        return lite_fail_memory(db);
    for (tby_game_id id = 1;; id = list_block_end(id) + 1) {
        if (!next_stored_game(db, &id))
            return false;
        if (id == 0 || id > last)
            break;
        if (!read_block(db, f, keys, open, id))
            return false;
    }
    game_set_add(&f->may, &f->must);
    return bound_put_rest(db, &f->may, f->covered + 1) && (!f->may.has_failed || lite_fail_memory(db));
}

static bool read_listed(question *q, lite *db)
{
    const query_tree *program = &q->asked->query->program;
    bool is_good = true;
    for (uint32_t id = 0; is_good && id <= program->root && q->n_listed < LISTED_MAX; id++) {
        const query_node *node = tree_node(program, id);
        listed_fact *f = &q->listed[q->n_listed];
        buffer keys = {0};
        uint32_t open;
        is_good = find_index(&f->index, &f->covered, db, node);
        if (!is_good || f->index == N_INDEXES)
            continue;
        f->id = id;
        q->n_listed++;
        is_good = (keys_that_hold(&keys, &open, q->asked->state, db_indexes[f->index], node) || lite_fail_memory(db)) &&
                  read_lists(q, db, f, &keys, open);
        buffer_free(&keys);
    }
    return is_good;
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
    {offsetof(tby_row, date), 34, FACT_DATE_MASK, 0, true},
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
static void numbers_between(uint64_t *out, const decider *j, const record_column *c, int64_t low, int64_t high)
{
    const int least = low > 0 ? low < INT32_MAX ? (int)low : INT32_MAX : 0,
              most = high < INT32_MAX ? high < 0 ? -1 : (int)high : INT32_MAX;
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out[w] = word_between(j->records + w * 64, c, least, most);
}

/* Like dates_meet: the dates from `low` to `high`, and the month or year of `low` without a day. */
static void dates_between(uint64_t *out, const decider *j, const record_column *c, int64_t low, int64_t high)
{
    const int64_t earlier[] = {low - low % 100, low - low % 10000};
    numbers_between(out, j, c, low > 1 ? low : 1, high);
    for (size_t i = 0; i < 2; i++) {
        uint64_t more[BLOCK_WORDS];
        if (earlier[i] < 1 || earlier[i] >= low || earlier[i] > high)
            continue;
        numbers_between(more, j, c, earlier[i], earlier[i]);
        for (unsigned w = 0; w < BLOCK_WORDS; w++)
            out[w] |= more[w];
    }
}

static void add_open_dates(uint64_t *to, const decider *j, const record_column *c)
{
    uint64_t open[BLOCK_WORDS];
    numbers_between(open, j, c, FACT_OPEN_DATE, FACT_DATE_MASK);
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        to[w] |= open[w];
}

static void combinations_between(uint64_t *out, const decider *j, const query_fact *f, const query_node *node)
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

static void ids_between(uint64_t *out, const decider *j, int64_t low, int64_t high)
{
    memset(out, 0, BLOCK_WORDS * sizeof *out);
    for (unsigned i = 0; i < BLOCK_GAMES; i++) {
        const int64_t id = j->block * BLOCK_GAMES + i + 1;
        out[i / 64] |= (uint64_t)(id >= low && id <= high) << i % 64;
    }
}

/* The games in which one column satisfies the fact. */
static void decide_column(uint64_t *out, const decider *j, const query_fact *f, const query_node *node,
                          const record_column *c)
{
    const bool is_range = f->value == VALUE_RANGE;
    const int64_t low = is_range ? node->u.range.low : node->number + c->more,
                  high = is_range ? node->u.range.high : low, least = is_range ? f->least : 0;
    if (f->value == VALUE_DATES)
        dates_between(out, j, c, node->u.range.low, node->u.range.high);
    else if (high >= (low > least ? low : least))
        numbers_between(out, j, c, low > least ? low : least, high);
    else
        memset(out, 0, BLOCK_WORDS * sizeof *out);
}

static void decide_record(uint64_t *out, const decider *j, const query_fact *f, const query_node *node)
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
    decide_column(out, j, f, node, record_column_of(&f->columns[0]));
    if (!f->columns[1].name)
        return;
    decide_column(second, j, f, node, record_column_of(&f->columns[1]));
    for (unsigned w = 0; w < BLOCK_WORDS; w++)
        out[w] = f->of == OF_ANY ? out[w] | second[w] : out[w] & second[w];
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

/* Undecided games may match. For all other games, which are not `open`, the value is exact. */
static cover decide_recorded(decider *j, block_games *out, const query_node *node, bound_side side)
{
    const query_fact *f = fact_of_node(node);
    const record_column *c = record_column_of(&f->columns[0]);
    block_games undecided = {{0}};
    query_node whole = *node;
    const bool is_part = f->value == VALUE_SPEED && node->number == TBY_SPEED_ULTRABULLET;
    if (is_part) /* part of bullet: the game's tags decide */
        whole.number = TBY_SPEED_BULLET;
    decide_record(out->words, j, f, &whole);
    if (c && c->may_lack)
        numbers_between(undecided.words, j, c, 0, 0);
    if (c && f->value == VALUE_DATES)
        add_open_dates(undecided.words, j, c);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const uint64_t open = undecided.words[w] | (is_part ? out->words[w] : 0);
        j->open.words[w] |= open;
        out->words[w] = side == BOUND_MAY ? out->words[w] | open : out->words[w] & ~open;
    }
    return COVER_EXACT;
}

static cover decide_listed(decider *j, block_games *out, uint32_t id, bound_side side)
{
    for (const listed_fact *f = j->of->listed; f < j->of->listed + j->of->n_listed; f++) {
        if (f->id != id)
            continue;
        for (unsigned w = 0; w < BLOCK_WORDS; w++) {
            const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
            const uint64_t may = game_set_word(&f->may, first), must = game_set_word(&f->must, first);
            j->open.words[w] |= may & ~must;
            out->words[w] = side == BOUND_MAY ? may : must;
        }
        return COVER_EXACT;
    }
    return COVER_NONE;
}

static cover decide_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    const decider *j = context;
    if (node == j->of->asked->given) {
        memset(value, 0xff, sizeof(block_games));
        return COVER_EXACT;
    }
    return is_recorded(fact_of_node(node)) ? decide_recorded(context, value, node, side)
                                           : decide_listed(context, value, id, side);
}

typedef struct covering {
    lite *db;
    const query_node *given;
    bool has_failed;
} covering;

/* Whether records and lists decide a fact, without a block. */
static cover cover_fact(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    covering *c = context;
    index_place index;
    int64_t covered;
    (void)value, (void)id, (void)side;
    if (node == c->given || is_recorded(fact_of_node(node)))
        return COVER_EXACT;
    c->has_failed |= !find_index(&index, &covered, c->db, node);
    return covered >= 0 ? COVER_EXACT : COVER_NONE;
}

bool records_cover(lite *db, const tby_query *query, const query_node *given, cover *out)
{
    covering c = {.db = db, .given = given};
    block_games *values = calloc(bound_n_values(query), sizeof *values);
    if (!values)
        return lite_fail_memory(db);
    *out = block_bound(cover_fact, &c, values, query, BOUND_MAY);
    free(values);
    return !c.has_failed;
}

/* ---- One block ------------------------------------------------------------------------------------------ */

/* Reads the records of the block; false if none of its games is to be checked. A damaged file may have records without
   games. A record of all ones has a White rating that is impossible otherwise. */
static bool decide_take(decider *j, const uint8_t *records, size_t n)
{
    const record_question *q = j->of->asked;
    const int64_t left = q->last_id - j->block * BLOCK_GAMES;
    const size_t most = n < BLOCK_GAMES ? n : BLOCK_GAMES, end = (int64_t)most < left ? most
                                                                 : left > 0           ? (size_t)left
                                                                                      : 0;
    uint64_t any = 0;
    for (size_t i = 0; i < end; i++)
        j->records[i] = fact_word(records + i * FACT_SIZE);
    for (size_t i = end; i < BLOCK_GAMES; i++)
        j->records[i] = UINT64_MAX;
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        const uint64_t *of = j->records + w * 64;
        uint64_t missing = word_between(of, &record_columns[0], 0xffff, 0xffff);
        for (uint64_t rest = missing; rest; rest &= rest - 1)
            if (of[__builtin_ctzll(rest)] != UINT64_MAX)
                missing ^= rest & -rest;
        j->wanted.words[w] = ~missing & (q->only ? game_set_word(q->only, first) : UINT64_MAX);
        any |= j->wanted.words[w];
    }
    return any != 0;
}

static void decide_block(decider *j)
{
    memset(&j->open, 0, sizeof j->open);
    const cover known = block_bound(decide_fact, j, j->values, j->of->asked->query, BOUND_MAY);
    for (unsigned w = 0; w < BLOCK_WORDS; w++) {
        const tby_game_id first = j->block * BLOCK_GAMES + w * 64 + 1;
        const uint64_t found = (known == COVER_NONE ? UINT64_MAX : j->values[0].words[w]) & j->wanted.words[w];
        game_set_put_word(&j->may, first, found);
        if (j->of->wants_must && known == COVER_EXACT)
            game_set_put_word(&j->must, first, found & ~j->open.words[w]);
    }
}

static bool decide_blocks(decider *j, lite *db, int64_t first, int64_t last)
{
    lite_rows r = lite_rows_of_facts(db, first, last);
    while (lite_next_up(&r)) {
        const lite_bytes records = lite_bytes_at(&r, 1);
        j->block = r.number;
        if (records.s && decide_take(j, records.s, records.n / FACT_SIZE))
            decide_block(j);
    }
    return lite_end(&r);
}

/* ---- Threads -------------------------------------------------------------------------------------------- */

static void decide_free(decider *j)
{
    game_set_free(&j->may);
    game_set_free(&j->must);
    free(j->values);
    free(j);
}

static decider *decide_new(const question *q)
{
    decider *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->of = q;
    j->values = calloc(bound_n_values(q->asked->query), sizeof *j->values);
    if (j->values && game_set_init(&j->may, q->asked->last_id) &&
        (!q->wants_must || game_set_init(&j->must, q->asked->last_id)))
        return j;
    decide_free(j);
    return NULL;
}

/* A connection that already sees later deletions leaves the work to the others. */
static bool decide_join(void *context, lite *db, unsigned thread)
{
    question *q = context;
    int64_t n_deleted = 0;
    if (!lite_counter(db, "deleted", UINT32_MAX, &n_deleted) || n_deleted != q->n_deleted)
        return false;
    q->deciders[thread] = decide_new(q);
    return q->deciders[thread] || lite_fail_memory(db);
}

static bool decide_work(void *context, lite *db, unsigned thread, int64_t number)
{
    const question *q = context;
    decider *j = q->deciders[thread];
    const int64_t first = number * q->n_at_once, end = first + q->n_at_once - 1, last = block_of(q->asked->last_id);
    return decide_blocks(j, db, first, end < last ? end : last) &&
           (!(j->may.has_failed || j->must.has_failed) || lite_fail_memory(db));
}

bool records_decide(lite *db, const record_question *asked, game_set *may, game_set *must)
{
    TBY_CONTRACT(asked->query && may);
    enum { AT_ONCE = 8, SHARES = 256, BLOCKS_OF_THREAD = 16 };
    const int64_t last = block_of(asked->last_id);
    bool is_alone;
    question q = {.asked = asked, .wants_must = must, .n_at_once = last / SHARES > AT_ONCE ? last / SHARES : AT_ONCE};
    const readers_work work = {decide_join,           decide_work, &q, asked->n_threads, last / BLOCKS_OF_THREAD,
                               last / q.n_at_once + 1};
    if (!lite_begin_reading(db, &is_alone))
        return false;
    bool is_good = lite_counter(db, "deleted", UINT32_MAX, &q.n_deleted) && read_listed(&q, db) &&
                   readers_run(db, &work);
    lite_end_reading(db, is_alone);
    is_good = is_good && lite_set_begin(db, may, asked->last_id) && (!must || lite_set_begin(db, must, asked->last_id));
    for (decider **j = q.deciders; j < q.deciders + THREADS_MAX && *j; j++) {
        if (is_good)
            game_set_add(may, &(*j)->may);
        if (is_good && must)
            game_set_add(must, &(*j)->must);
        decide_free(*j);
    }
    is_good = is_good && (!(may->has_failed || (must && must->has_failed)) || lite_fail_memory(db));
    for (size_t i = 0; i < q.n_listed; i++) {
        game_set_free(&q.listed[i].may);
        game_set_free(&q.listed[i].must);
    }
    return is_good;
}
