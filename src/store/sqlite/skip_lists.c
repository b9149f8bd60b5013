/*
 * skip_lists.c - drops the games that a query cannot hold for, by the indexes `material` and `pawns`: conditions on one
 * position, all of which something that the game has had must have allowed at the same time.
 */
#include "query/facts.h"
#include "store/sqlite/had.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/skip.h"

enum { VISITS_MAX = 1 << 14 };

/* ---- Bounds --------------------------------------------------------------------------------------------- */

/* Nothing is known. */
static query_bounds open_bounds(void)
{
    query_bounds b = {.promotes = {true, true}};
    for (int side = 0; side < 2; side++) {
        for (int kind = TBY_PAWN; kind <= TBY_QUEEN; kind++)
            b.high[side][kind] = BOUNDS_MOST;
        b.low[side][TBY_KING] = b.high[side][TBY_KING] = 1;
    }
    return b;
}

static query_bounds material_bounds(uint32_t signature)
{
    static const tby_kind kinds[] = {TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    query_bounds b = open_bounds();
    for (unsigned i = 0; i < 8; i++) {
        const int8_t n = signature >> 4 * i & 15;
        b.low[i / 4][kinds[i % 4]] = n;
        b.high[i / 4][kinds[i % 4]] = n < SIGNATURE_MOST ? n : BOUNDS_MOST;
    }
    return b;
}

static query_bounds pawns_bounds(uint32_t key)
{
    query_bounds b = open_bounds();
    b.has_files = true;
    for (unsigned i = 0; i < 16; i++)
        b.files_high[i / 8][i % 8] = key < PAWNS_SEVERAL ? 2 : 6;
    if (key >= PAWNS_THREE && key < PAWNS_SEVERAL) {
        b.files_low[(key - PAWNS_THREE) / 8][key % 8] = 3;
        b.files_high[(key - PAWNS_THREE) / 8][key % 8] = 6;
    }
    for (unsigned i = 0; key < PAWNS_THREE && i < 2 * PAWNS_FILES; i++) {
        const unsigned side = i / PAWNS_FILES, file = PAWNS_FIRST_FILE + i % PAWNS_FILES;
        b.files_low[side][file] = key >> i & 1;
        b.files_high[side][file] = key >> i & 1 ? 2 : 0;
    }
    return b;
}

/* What can be told by a list. */
typedef struct list_kind {
    had_list list;
    uint32_t start; /* what all games are taken to have had */
    query_bounds (*bounds)(uint32_t key);
    const char *told;
} list_kind;

static const list_kind kinds[] = {
    {HAD_MATERIAL, SIGNATURE_START, material_bounds, "material: by its index, which"},
    {HAD_PAWNS, PAWNS_START, pawns_bounds, "pawns: by the index of their files, which"},
};

/* May the node hold in a position within these bounds? */
static bool allows(const tby_query *q, uint32_t id, const query_bounds *b, unsigned *n_visits)
{
    const query_node *node = tree_node(&q->program, id);
    if (++*n_visits > VISITS_MAX)
        return true;
    switch ((query_type)node->type) {
    case Q_FALSE: return false;
    case Q_AND:
        for (uint32_t i = 0; i < node->n_kids; i++)
            if (!allows(q, tree_kid(&q->program, node, i), b, n_visits))
                return false;
        return true;
    case Q_OR:
        for (uint32_t i = 0; i < node->n_kids; i++)
            if (allows(q, tree_kid(&q->program, node, i), b, n_visits))
                return true;
        return false;
    case Q_SHIFT:
    case Q_FOR: return allows(q, tree_kid(&q->program, node, 0), b, n_visits);
    default: return !fact_of_node(node)->may_hold || fact_of_node(node)->may_hold(b, q, node);
    }
}

static bool key_allows(const list_kind *kind, const tby_query *q, uint32_t id, uint32_t key)
{
    const query_bounds b = kind->bounds(key);
    unsigned n_visits = 0;
    return allows(q, id, &b, &n_visits);
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* A search in one of the lists. */
typedef struct list_search {
    lite *db;
    const tby_query *query;
    const list_kind *kind;
    int64_t covered;
    tby_game_id last_id;
    game_set *among;
    bool is_used;
} list_search;

static void put_game(void *context, int64_t id) { game_set_put(context, id); }

/* The games that have had what allows the node, and those that are not in the index. */
static bool find_games(const list_search *l, uint32_t id, game_set *out)
{
    const char *name = tby_had_tables[l->kind->list].name;
    bool failed = false;
    int64_t before = LITE_FIRST;
    text_buffer sql = {0};
    tby_text_printf(&sql, "SELECT id, games FROM %s", name);
    sqlite3_stmt *s = lite_prepare_text(l->db, &sql);
    while (s && !failed && lite_step_up(l->db, s, &before, &failed)) {
        const int64_t row = sqlite3_column_int64(s, 0);
        if (!key_allows(l->kind, l->query, id, (uint32_t)row))
            continue;
        const uint8_t *bytes = sqlite3_column_blob(s, 1);
        if (!tby_lists_each(row, bytes, bytes ? (size_t)sqlite3_column_bytes(s, 1) : 0, put_game, out))
            failed = !lite_fail(l->db, TBY_INVALID_DATABASE, "the index of %s is damaged", name);
    }
    sqlite3_finalize(s);
    game_set_put_rest(out, l->covered + 1);
    return s && !failed;
}

/* What is asked of one position, and what of later ones. */
static bool skip(list_search *l, uint32_t id)
{
    const query_tree *program = &l->query->program;
    const query_node *node = tree_node(program, id);
    bool is_good = true;
    if (node->type == Q_SOON || node->type == Q_EVER)
        return skip(l, tree_kid(program, node, 0));
    /* What the start allows, all games allow. */
    if (!key_allows(l->kind, l->query, id, l->kind->start)) {
        game_set found = {0};
        is_good = tby_game_set_init(&found, l->last_id) || lite_fail_memory(l->db);
        is_good = is_good && find_games(l, id, &found);
        if (is_good)
            tby_game_set_keep(l->among, &found);
        tby_game_set_free(&found);
        l->is_used = true;
    }
    for (uint32_t i = 0; node->type == Q_AND && i < node->n_kids && is_good; i++) {
        const uint32_t kid = tree_kid(program, node, i);
        const unsigned type = tree_node(program, kid)->type;
        if (type == Q_SOON || type == Q_EVER)
            is_good = skip(l, kid);
    }
    return is_good;
}

bool tby_skip_by_lists(lite *db, const tby_query *query, tby_game_id last_id, game_set *among, text_buffer *told)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        list_search l = {.db = db, .query = query, .kind = &kinds[i], .last_id = last_id, .among = among};
        if (!tby_had_covered(db, tby_had_tables[kinds[i].list].name, &l.covered) ||
            (l.covered >= 0 && !skip(&l, query->program.root)))
            return false;
        if (l.is_used)
            tby_skip_tell(told, kinds[i].told, among);
    }
    return true;
}
