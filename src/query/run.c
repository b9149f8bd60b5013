/*
 * run.c - checks a query against a game.
 *
 * The result of each node of the program is a set of plies, bit k for ply k. AND reduces the plies for which its next
 * child is checked, OR checks the next child only at plies without a match so far, and a sequence is a shift: so a fact
 * is evaluated only where its result matters. Before anything is decoded, the facts about the game and the summary of
 * its bytes may decide the result.
 */
#include "base/contract.h"
#include "query/bound.h"
#include "query/facts.h"
#include "query/members.h"

#include "base/bitboard.h"
#include "support/array.h"

enum { WORD = 64, SETS_A_LEVEL = 3 };

static void eval(tby_query_state *s, uint32_t id, const ply_bits *asked, ply_bits *out, ply_bits *memory);

/* ---- Memory --------------------------------------------------------------------------------------------- */

/* The state is followed by what is known of each node, and by the values of a glance. */
static size_t state_size(const tby_query *query)
{
    return sizeof(tby_query_state) + query->program.nodes.n + bound_n_values(query) * sizeof(bool);
}

tby_query_state *tby_query_state_new(const tby_query *query, const tby_allocator *allocator)
{
    const tby_allocator a = allocator_or_default(allocator);
    tby_query_state *s = alloc_new(a, state_size(query));
    if (!s)
        return NULL;
    s->query = query;
    s->allocator = a;
    s->known = (uint8_t *)(s + 1);
    s->glances = (bool *)(s->known + query->program.nodes.n);
    return s;
}

/* Arrays of words: the planes, then castling rights. */
enum { ARRAYS = 5, ARRAY_CASTLING = 4 };
static size_t plies_size(size_t cap)
{
    return cap * (ARRAYS * sizeof(uint64_t) + sizeof(tby_move) + sizeof(tby_square));
}

void tby_query_state_free(tby_query_state *s)
{
    if (!s)
        return;
    const tby_allocator a = s->allocator;
    array_list_free(&a, &s->memory, sizeof(ply_bits));
    array_list_free(&a, &s->repeats, sizeof(uint32_t));
    array_list_free(&a, &s->text, 1);
    array_list_free(&a, &s->answer, sizeof(uint32_t));
    array_list_free(&a, &s->spare, sizeof(ply_bits));
    array_list_free(&a, &s->nodes, sizeof(tby_node));
    tby_game_free(s->notes);
    members_free(s->own_members);
    alloc_free(a, s->plies.plane[0], plies_size(s->cap_positions));
    alloc_free(a, s, state_size(s->query));
}

/* Makes room for `cap` positions, all arrays in one block. */
static bool plies_room(tby_query_state *s, size_t cap)
{
    if (cap <= s->cap_positions)
        return true;
    cap = cap < 512 ? 512 : (cap + WORD - 1) / WORD * WORD; /* in whole words: see run_block.h */
    uint64_t *words =
        s->allocator.resize(s->allocator.context, s->plies.plane[0], plies_size(s->cap_positions), plies_size(cap));
    if (!words)
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    for (int i = 0; i < 4; i++)
        s->plies.plane[i] = words + (size_t)i * cap;
    s->plies.castling = words + ARRAY_CASTLING * cap;
    s->plies.moves = (tby_move *)(void *)(words + ARRAYS * cap);
    s->plies.en_passant = (tby_square *)(void *)(s->plies.moves + cap);
    s->cap_positions = cap;
    return true;
}

/* ---- Decoding ------------------------------------------------------------------------------------------- */

/* The number of sets needed for the deepest path through the program. */
static size_t set_count(const tby_query_state *s) { return (size_t)(s->query->depth + 2) * SETS_A_LEVEL; }

static bool sets_room(tby_query_state *s)
{
    s->memory.n = 0;
    return array_list_room(&s->allocator, &s->memory, set_count(s) * s->n_words, sizeof(ply_bits)) ||
           state_fail(s, TBY_QUERY_NO_MEMORY);
}

/* Facts are checked at four plies at once: after the last ply the boards are empty. Capacity is in whole words. */
static void clear_behind(const packed_plies *plies, size_t n)
{
    for (; n % 4; n++) {
        plies->plane[0][n] = plies->plane[1][n] = plies->plane[2][n] = plies->plane[3][n] = 0;
        plies->moves[n] = TBY_MOVE_NONE;
    }
}

/* How many positions to decode for the plies up to `last`: a move takes at least a byte, and one more position shows
   that the game continues. */
static size_t positions_to(const tby_query_state *s, uint32_t last)
{
    const size_t n = s->game->n_moves, most = (n < TBY_PLIES_MAX ? n : TBY_PLIES_MAX) + 1, seen = (size_t)last + 2;
    return seen < most ? seen : most;
}

static bool begin_decoding(tby_query_state *s)
{
    const tby_query_game *game = s->game;
    if (!game->moves || !tby_packed_begin(&s->cursor, game->moves, game->n_moves))
        return state_fail(s, TBY_QUERY_DAMAGED);
    s->first_ply = s->cursor.pos.ply;
    return plies_room(s, positions_to(s, s->query->last_ply));
}

/* Continues decoding where it stopped. */
static void decode_plies(tby_query_state *s, size_t cap)
{
    const size_t n = s->n_positions;
    const packed_plies *p = &s->plies;
    const packed_plies rest = {{p->plane[0] + n, p->plane[1] + n, p->plane[2] + n, p->plane[3] + n},
                               p->castling + n,
                               p->en_passant + n,
                               p->moves + n,
                               NULL};
    s->n_positions += packed_read_plies(&rest, cap - n, &s->cursor);
    clear_behind(p, s->n_positions);
    s->n_words = (s->n_positions + WORD - 1) / WORD;
    s->least_repeats = 0;
}

static bool is_decoded(const tby_query_state *s)
{
    return s->n_positions && s->plies.moves[s->n_positions - 1] == TBY_MOVE_NONE;
}

/* Decodes the positions that the results for the plies up to `last` depend on. */
static bool decode_to(tby_query_state *s, uint32_t last)
{
    if (!state_is_good(s) || (!s->n_positions && !begin_decoding(s)))
        return false;
    const size_t cap = positions_to(s, last);
    if (!is_decoded(s) && s->n_positions < cap)
        decode_plies(s, cap);
    if (!is_decoded(s) && s->n_positions > (size_t)last + 1)
        return sets_room(s);
    if (!is_decoded(s) || s->cursor.at >= s->cursor.end || *s->cursor.at != 0)
        return state_fail(s, TBY_QUERY_DAMAGED);
    return sets_room(s);
}

/* Decodes once per game. */
static bool decode(tby_query_state *s) { return s->n_positions ? state_is_good(s) : decode_to(s, s->query->last_ply); }

/* ---- Sets of plies -------------------------------------------------------------------------------------- */

static void fill(const tby_query_state *s, ply_bits *set)
{
    memset(set, 0xff, s->n_words * sizeof *set);
    if (s->n_positions % WORD)
        set[s->n_words - 1] = (1ULL << s->n_positions % WORD) - 1;
}

static void clear(const tby_query_state *s, ply_bits *set) { memset(set, 0, s->n_words * sizeof *set); }
static void copy(const tby_query_state *s, ply_bits *to, const ply_bits *from)
{
    memcpy(to, from, s->n_words * sizeof *to);
}

static bool is_empty(const tby_query_state *s, const ply_bits *set)
{
    ply_bits all = 0;
    for (size_t w = 0; w < s->n_words; w++)
        all |= set[w];
    return all == 0;
}

/* The first ply of a set; -1 if it is empty. */
static int64_t first_of(const tby_query_state *s, const ply_bits *set)
{
    for (size_t w = 0; w < s->n_words; w++)
        if (set[w])
            return (int64_t)(w * WORD) + __builtin_ctzll(set[w]);
    return -1;
}

static int64_t last_of(const tby_query_state *s, const ply_bits *set)
{
    for (size_t w = s->n_words; w-- > 0;)
        if (set[w])
            return (int64_t)(w * WORD) + 63 - __builtin_clzll(set[w]);
    return -1;
}

static void keep_common(const tby_query_state *s, ply_bits *set, const ply_bits *other)
{
    for (size_t w = 0; w < s->n_words; w++)
        set[w] &= other[w];
}

/* Word `w` of the set moved down by `n` plies: bit p is the set's bit p + n. */
static ply_bits down_word(const ply_bits *set, size_t n_words, size_t w, size_t n)
{
    const size_t from = w + n / WORD;
    const unsigned bits = n % WORD;
    ply_bits word = from < n_words ? set[from] >> bits : 0;
    if (bits && from + 1 < n_words)
        word |= set[from + 1] << (WORD - bits);
    return word;
}

static ply_bits up_word(const ply_bits *set, size_t w, size_t n)
{
    const size_t words = n / WORD;
    const unsigned bits = n % WORD;
    ply_bits word = w >= words ? set[w - words] << bits : 0;
    if (bits && w > words)
        word |= set[w - words - 1] >> (WORD - bits);
    return word;
}

/* bit p: does the set have all (or any) of the plies p to p + n - 1? */
static void window_down(const tby_query_state *s, ply_bits *set, size_t n, bool is_all)
{
    for (size_t done = 1; done < n;) {
        const size_t step = done < n - done ? done : n - done;
        for (size_t w = 0; w < s->n_words; w++) {
            const ply_bits moved = down_word(set, s->n_words, w, step);
            set[w] = is_all ? set[w] & moved : set[w] | moved;
        }
        done += step;
    }
}

/* bit p: does the set have any of the plies p - n + 1 to p? */
static void window_up(const tby_query_state *s, ply_bits *set, size_t n)
{
    for (size_t done = 1; done < n;) {
        const size_t step = done < n - done ? done : n - done;
        for (size_t w = s->n_words; w-- > 0;)
            set[w] |= up_word(set, w, step);
        done += step;
    }
}

/* Keeps only the plies from `low` to `high`. */
static void cut(const tby_query_state *s, ply_bits *set, int64_t low, int64_t high)
{
    for (size_t w = 0; w < s->n_words; w++) {
        const int64_t first = (int64_t)w * WORD, last = first + WORD - 1;
        if (last < low || first > high)
            set[w] = 0;
        if (first < low && last >= low)
            set[w] &= ~0ULL << (low - first);
        if (first <= high && last > high)
            set[w] &= ~0ULL >> (last - high);
    }
}

/* ---- Facts about the game ------------------------------------------------------------------------------- */

static const query_node *node_at(const tby_query_state *s, uint32_t id) { return tree_node(&s->query->program, id); }
static uint32_t kid_of(const tby_query_state *s, const query_node *node, uint32_t i)
{
    return tree_kid(&s->query->program, node, i);
}

static bool find_once(tby_query_state *s, uint32_t id, bool (*find)(tby_query_state *, uint32_t))
{
    if (s->known[id] == FACT_UNKNOWN)
        s->known[id] = find(s, id) ? FACT_TRUE : FACT_FALSE;
    return s->known[id] == FACT_TRUE;
}

static bool find_fact(tby_query_state *s, uint32_t id) { return run_game(s, node_at(s, id)); }

/* ever, always */
static bool find_over_game(tby_query_state *s, uint32_t id)
{
    const query_node *node = node_at(s, id);
    if (!decode(s))
        return false;
    /* Uses sets of its own, because the stack may be in use. A nested one allocates new sets. */
    const size_t n_words = s->n_words;
    array_list own = s->spare;
    s->spare = (array_list){NULL, 0, 0};
    own.n = 0;
    ply_bits *memory = array_list_room(&s->allocator, &own, set_count(s) * n_words, sizeof *memory);
    if (!memory) {
        array_list_free(&s->allocator, &own, sizeof(ply_bits));
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    }
    ply_bits *all = memory, *found = memory + n_words;
    fill(s, all);
    eval(s, kid_of(s, node, 0), all, found, memory + 2 * n_words);
    const bool holds = node->type == Q_EVER ? !is_empty(s, found) : memcmp(all, found, n_words * sizeof *all) == 0;
    array_list_free(&s->allocator, &s->spare, sizeof(ply_bits));
    s->spare = own;
    return holds;
}

/* Evaluates a node that looks only at the game. */
bool run_node_of_game(tby_query_state *s, uint32_t id)
{
    TBY_CONTRACT(id < s->query->program.nodes.n);
    const query_node *node = node_at(s, id);
    switch (node->type) {
    case Q_TRUE: return true;
    case Q_FALSE: return false;
    case Q_NOT: return !run_node_of_game(s, kid_of(s, node, 0));
    case Q_AND:
    case Q_OR:
        for (uint32_t i = 0; i < node->n_kids; i++)
            if (run_node_of_game(s, kid_of(s, node, i)) == (node->type == Q_OR))
                return node->type == Q_OR;
        return node->type == Q_AND;
    case Q_EVER:
    case Q_ALWAYS: return find_once(s, id, find_over_game);
    default: return find_once(s, id, find_fact);
    }
}

/* ---- Nodes ---------------------------------------------------------------------------------------------- */

static void eval_all(tby_query_state *s, const query_node *node, const ply_bits *asked, ply_bits *out, ply_bits *memory)
{
    copy(s, out, asked);
    for (uint32_t i = 0; i < node->n_kids && !is_empty(s, out); i++) {
        eval(s, kid_of(s, node, i), out, memory, memory + s->n_words);
        copy(s, out, memory);
    }
}

static void eval_any(tby_query_state *s, const query_node *node, const ply_bits *asked, ply_bits *out, ply_bits *memory)
{
    ply_bits *rest = memory, *found = memory + s->n_words;
    copy(s, rest, asked);
    clear(s, out);
    for (uint32_t i = 0; i < node->n_kids && !is_empty(s, rest); i++) {
        eval(s, kid_of(s, node, i), rest, found, memory + 2 * s->n_words);
        for (size_t w = 0; w < s->n_words; w++) {
            out[w] |= found[w];
            rest[w] &= ~found[w];
        }
    }
}

static void eval_not(tby_query_state *s, const query_node *node, const ply_bits *asked, ply_bits *out, ply_bits *memory)
{
    eval(s, kid_of(s, node, 0), asked, memory, memory + s->n_words);
    for (size_t w = 0; w < s->n_words; w++)
        out[w] = asked[w] & ~memory[w];
}

static void eval_for(tby_query_state *s, const query_node *node, const ply_bits *asked, ply_bits *out, ply_bits *memory)
{
    clear(s, out);
    if (node->number > (int64_t)s->n_positions)
        return;
    ply_bits *span = memory;
    copy(s, span, asked);
    window_up(s, span, (size_t)node->number);
    cut(s, span, 0, (int64_t)s->n_positions - 1);
    eval(s, kid_of(s, node, 0), span, out, memory + s->n_words);
    window_down(s, out, (size_t)node->number, true);
    keep_common(s, out, asked);
}

static void eval_soon(tby_query_state *s, const query_node *node, const ply_bits *asked, ply_bits *out,
                      ply_bits *memory)
{
    const int64_t last = (int64_t)s->n_positions - 1, low = node->u.range.low;
    const int64_t high = node->u.range.high < last ? node->u.range.high : last, first = first_of(s, asked);
    ply_bits *span = memory;
    clear(s, out);
    if (first < 0 || low > last - first)
        return;
    fill(s, span);
    for (size_t w = 0; low == high && w < s->n_words; w++)
        span[w] = up_word(asked, w, (size_t)low);
    cut(s, span, first + low, last_of(s, asked) + high < last ? last_of(s, asked) + high : last);
    eval(s, kid_of(s, node, 0), span, out, memory + s->n_words);
    for (size_t w = 0; w < s->n_words; w++)
        out[w] = down_word(out, s->n_words, w, (size_t)low);
    if (node->u.range.high >= last) {
        const int64_t end = last_of(s, out);
        copy(s, out, asked);
        cut(s, out, 0, end);
        return;
    }
    window_down(s, out, (size_t)(high - low + 1), false);
    keep_common(s, out, asked);
}

static void eval_fact(tby_query_state *s, const query_node *node, const ply_bits *asked, ply_bits *out)
{
    ply_evaluator *run = fact_of_node(node)->run;
    for (size_t w = 0; w < s->n_words; w++)
        out[w] = asked[w] ? run(s, node, w, asked[w]) : 0;
}

/* At which of the plies `asked` does the node hold? `memory` has room for all nodes below it. */
static void eval(tby_query_state *s, uint32_t id, const ply_bits *asked, ply_bits *out, ply_bits *memory)
{
    const query_node *node = node_at(s, id);
    switch (node->type) {
    case Q_AND: eval_all(s, node, asked, out, memory); break;
    case Q_OR: eval_any(s, node, asked, out, memory); break;
    case Q_NOT: eval_not(s, node, asked, out, memory); break;
    case Q_FOR: eval_for(s, node, asked, out, memory); break;
    case Q_SOON: eval_soon(s, node, asked, out, memory); break;
    default:
        if (fact_of_node(node)->scope != SCOPE_GAME)
            eval_fact(s, node, asked, out);
        else if (run_node_of_game(s, id))
            copy(s, out, asked);
        else
            clear(s, out);
    }
}

/* ---- Checking a game ------------------------------------------------------------------------------------ */

typedef enum verdict { HOLDS_NOWHERE, HOLDS_EVERYWHERE, HOLDS_SOMEWHERE } verdict;

/* Checks the plies from `first` to `last`; the result is the first set of the state's memory. */
static bool eval_plies(tby_query_state *s, int64_t first, int64_t last)
{
    ply_bits *out = s->memory.items, *all = out + s->n_words;
    fill(s, all);
    cut(s, all, first, last);
    eval(s, s->query->program.root, all, out, all + s->n_words);
    return !is_empty(s, out);
}

/* If only the first ply is wanted, either the beginning of a game or nearly all of it is usually needed. True if the
   result is known; otherwise all plies before `*first` have been checked. */
static bool eval_stages(tby_query_state *s, int64_t *first)
{
    enum { ONE_IN = 4 };
    for (int i = 0; i < QUERY_STAGES; i++) {
        if (s->query->stage_reach[i] >= s->query->last_ply || !trial_is_worth(&s->stages[i], ONE_IN))
            continue;
        const int64_t end = query_stage_plies(i);
        if (!decode_to(s, s->query->stage_reach[i]))
            return true;
        const bool is_found = eval_plies(s, *first, end - 1);
        trial_add(&s->stages[i], is_found);
        if (is_found)
            return true;
        *first = end;
    }
    return false;
}

/* HOLDS_SOMEWHERE: the plies, or with `is_first` the first of them, are the first set of the state's memory. */
static verdict query_run(tby_query_state *s, const tby_query_game *game, bool is_first)
{
    int64_t first = 0;
    const uint32_t root = s->query->program.root;
    s->game = game;
    s->fault = 0;
    s->n_positions = 0;
    s->has_notes = false;
    s->least_repeats = 0;
    memset(s->known, FACT_UNKNOWN, s->query->program.nodes.n);
    bool may_hold;
    const cover known = run_glance(s, &may_hold);
    if (!may_hold || !state_is_good(s))
        return HOLDS_NOWHERE;
    if (s->query->is_of_game)
        return known == COVER_EXACT || run_node_of_game(s, root) ? HOLDS_EVERYWHERE : HOLDS_NOWHERE;
    if (is_first && eval_stages(s, &first))
        return HOLDS_SOMEWHERE;
    if (decode_to(s, s->query->last_ply))
        eval_plies(s, first, (int64_t)s->n_positions - 1);
    return HOLDS_SOMEWHERE;
}

int tby_query_first(tby_query_state *s, const tby_query_game *game)
{
    TBY_CONTRACT(game != NULL);
    const verdict v = query_run(s, game, true);
    if (!state_is_good(s))
        return s->fault;
    return v == HOLDS_NOWHERE ? TBY_QUERY_NONE : v == HOLDS_EVERYWHERE ? 0 : (int)first_of(s, s->memory.items);
}

int tby_query_plies(tby_query_state *s, const tby_query_game *game, const uint32_t **plies)
{
    TBY_CONTRACT(game && plies);
    const verdict v = query_run(s, game, false);
    const ply_bits *set = s->memory.items;
    s->answer.n = 0;
    uint32_t *to = array_list_room(&s->allocator, &s->answer, v == HOLDS_SOMEWHERE ? s->n_positions : 1, sizeof *to);
    if (!state_is_good(s) || !to)
        return state_is_good(s) ? TBY_QUERY_NO_MEMORY : s->fault;
    int n = 0;
    if (v == HOLDS_EVERYWHERE)
        to[n++] = 0;
    for (size_t ply = 0; v == HOLDS_SOMEWHERE && ply < s->n_positions; ply++)
        if (set[ply / WORD] >> ply % WORD & 1)
            to[n++] = (uint32_t)ply;
    *plies = to;
    return n;
}

int tby_query_length(tby_query_state *s, const tby_query_game *game)
{
    TBY_CONTRACT(game != NULL);
    const uint32_t *plies;
    int longest = 0, length = 0;
    const int n = tby_query_plies(s, game, &plies);
    for (int i = 0; i < n; i++) {
        length = i && plies[i] == plies[i - 1] + 1 ? length + 1 : 1;
        longest = length > longest ? length : longest;
    }
    return n < 0 ? n : longest;
}
