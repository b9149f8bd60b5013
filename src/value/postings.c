/*
 * postings.c - reads and writes the rows of a database's position index; postings.h shows their format.
 */
#include "value/postings.h"

enum { ROW_BITS_BITS = 5, PART_BITS_BITS = 6, GAME_BITS_BITS = 6 };

/* Impossible numbers may wrap around, but must not overflow. */
int64_t tby_postings_row(int64_t run, unsigned row_bits, uint64_t key)
{
    const uint64_t row = row_bits && row_bits <= TBY_POSTINGS_ROW_BITS ? key >> (64 - row_bits) : 0;
    return (int64_t)((uint64_t)run * TBY_POSTINGS_ROWS + row);
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

static bool damaged(tby_postings *p)
{
    p->is_damaged = true;
    p->n_groups = p->n_left = 0;
    return false;
}

static uint64_t take(tby_postings *p, unsigned n) { return bits_take(p->bytes, &p->at, p->end, n); }
static uint64_t take_number(tby_postings *p, unsigned k) { return bits_take_number(p->bytes, &p->at, p->end, k); }

tby_postings tby_postings_begin(const uint8_t *bytes, size_t n, int64_t first)
{
    tby_postings p = {.bytes = bytes, .end = bytes ? (uint64_t)n * 8 : 0, .first = first};
    if (p.end == 0)
        return p;
    p.row_bits = (uint8_t)take(&p, ROW_BITS_BITS);
    p.part_bits = (uint8_t)take(&p, PART_BITS_BITS);
    p.game_bits = (uint8_t)take(&p, GAME_BITS_BITS);
    const uint64_t n_groups = take_number(&p, POSTINGS_GROUPS_STEP);
    if (p.at > p.end || p.row_bits > TBY_POSTINGS_ROW_BITS || p.part_bits > POSTINGS_PART_BITS ||
        p.row_bits + p.part_bits > 64 || p.game_bits > POSTINGS_GAME_BITS || n_groups > UINT32_MAX ||
        n_groups > p.end - p.at) {
        damaged(&p);
        return p;
    }
    p.n_groups = (uint32_t)n_groups;
    p.part_step = (uint8_t)postings_step(p.part_bits, p.n_groups);
    return p;
}

/* Holds some bits at once, because there may be millions of postings. */
typedef struct window {
    const uint8_t *bytes;
    uint64_t at, end;
    uint64_t word; /* the next bits, at the top */
    unsigned left; /* how many of them are valid */
} window;

static inline void look(window *w)
{
    w->word = bits_peek(w->bytes, w->at, w->end);
    w->left = BITS_MOST;
}

static inline void pass(window *w, unsigned n)
{
    w->word <<= n;
    w->left -= n;
    w->at += n;
}

static inline uint64_t see(window *w, unsigned n)
{
    if (w->left < n)
        look(w);
    const uint64_t value = w->word >> (64 - n);
    pass(w, n);
    return value;
}

static inline uint64_t see_number(window *w, unsigned k)
{
    const unsigned zeros = w->word ? (unsigned)__builtin_clzll(w->word) : 64, n = 2 * zeros + 1 + k;
    if (n > w->left) {
        const uint64_t value = bits_take_number(w->bytes, &w->at, w->end, k);
        look(w);
        return value;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): n <= left <= BITS_MOST */
    const uint64_t value = (w->word >> (64 - n)) - ((uint64_t)1 << k);
    pass(w, n);
    return value;
}

static bool take_first(tby_postings *p, tby_posting *out)
{
    p->is_first = false;
    p->game = (int64_t)((uint64_t)p->first + take(p, p->game_bits));
    const uint64_t ply = p->has_ply ? take_number(p, POSTINGS_PLY_STEP) : 0;
    *out = (tby_posting){p->game, p->has_ply ? (int)ply : -1, TBY_MOVE_NONE};
    return (p->at <= p->end && ply <= TBY_PLIES_MAX) || damaged(p);
}

/* Reads a posting other than the first of its group. */
static inline bool take_posting(tby_postings *p, window *w)
{
    uint64_t ply = (uint64_t)p->ply;
    const uint64_t step = see_number(w, p->game_step);
    if (w->left < 15)
        look(w);
    const uint64_t word = w->word;
    if (word >> 62 == 3) { /* usually: the same ply and the same move, */
        pass(w, 2);
    } else if (word >> 62 == 2 && !(word >> 49 & 1)) { /* or the same ply and a plain move */
        p->next = (tby_move)(word >> 50 & 4095);
        pass(w, 15);
    } else {
        ply = see(w, 1) ? ply : see_number(w, POSTINGS_PLY_STEP);
        if (!see(w, 1)) {
            const uint64_t squares = see(w, 12);
            p->next = (tby_move)(squares | (see(w, 1) ? see(w, 4) << 12 : 0));
        }
    }
    p->game = (int64_t)((uint64_t)p->game + step + 1);
    p->ply = (int)ply;
    return w->at <= w->end && ply <= TBY_PLIES_MAX;
}

bool tby_postings_next(tby_postings *p, tby_posting *out)
{
    if (p->n_left == 0)
        return false;
    p->n_left--;
    if (p->is_first)
        return take_first(p, out);
    window w = {p->bytes, p->at, p->end, 0, 0};
    look(&w);
    const bool is_good = take_posting(p, &w);
    p->at = w.at;
    *out = (tby_posting){p->game, p->ply, p->next};
    return is_good || damaged(p);
}

static inline bool has_game(uint64_t *const *pages, size_t n_pages, int64_t game)
{
    const uint64_t w = (uint64_t)game / 64;
    const uint64_t *page = w / POSTINGS_PAGE_WORDS < n_pages ? pages[w / POSTINGS_PAGE_WORDS] : NULL;
    return page && (page[w % POSTINGS_PAGE_WORDS] >> (uint64_t)game % 64 & 1);
}

size_t postings_take_of(tby_postings *postings, uint64_t *const *pages, size_t n_pages, tby_posting *out, size_t most)
{
    tby_postings p = *postings; /* a local copy that nothing else points to */
    window w = {p.bytes, p.at, p.end, 0, 0};
    size_t n = 0;
    bool is_good = true;
    look(&w);
    while (p.n_left > 0 && n < most && is_good) {
        p.n_left--;
        is_good = take_posting(&p, &w);
        if (is_good && has_game(pages, n_pages, p.game))
            out[n++] = (tby_posting){p.game, p.ply, p.next};
    }
    p.at = w.at;
    *postings = p;
    if (!is_good)
        damaged(postings);
    return n;
}

/* After the last group, zeros fill the byte. */
static bool at_end(tby_postings *p)
{
    if (p->is_damaged || p->end == p->at)
        return false;
    if (p->end - p->at >= 8 || take(p, (unsigned)(p->end - p->at)) != 0)
        damaged(p);
    return false;
}

bool tby_postings_group(tby_postings *p)
{
    tby_posting passed;
    while (tby_postings_next(p, &passed))
        continue;
    if (p->n_groups == 0)
        return at_end(p);
    p->n_groups--;
    const uint64_t step = take_number(p, p->part_step), n = take_number(p, 0);
    const uint64_t most = ((uint64_t)1 << p->part_bits) - 1;
    if (p->at > p->end || step > most - p->part || n / 2 >= UINT32_MAX || n / 2 > p->end - p->at)
        return damaged(p);
    p->part += step;
    p->n_left = (uint32_t)(n / 2) + 1;
    p->has_ply = n & 1;
    p->game_step = (uint8_t)postings_step(p->game_bits, p->n_left);
    p->ply = 0;
    p->next = TBY_MOVE_NONE;
    p->is_first = true;
    return true;
}

bool tby_postings_find(tby_postings *p, uint64_t key)
{
    const uint64_t part = postings_part(key, p->row_bits, p->part_bits);
    while (tby_postings_group(p))
        if (p->part >= part) {
            if (p->part == part)
                return true;
            break;
        }
    p->n_left = p->n_groups = 0;
    p->at = p->end;
    return false;
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

static uint32_t count_groups(const position_entry *e, size_t n)
{
    uint32_t n_groups = 0;
    for (size_t i = 0; i < n; i = group_end(e, n, i))
        n_groups++;
    return n_groups;
}

static void put_head(bit_buffer *row, const postings_form *form, uint32_t n_groups)
{
    row->bytes.n = 0;
    row->n = 0;
    row->word = 0;
    bits_put(row, form->row_bits, ROW_BITS_BITS);
    bits_put(row, form->part_bits, PART_BITS_BITS);
    bits_put(row, form->game_bits, GAME_BITS_BITS);
    bits_put_number(row, n_groups, POSTINGS_GROUPS_STEP);
}

static void put_move(bit_buffer *row, tby_move move)
{
    bits_put(row, move & 0xfff, 12);
    bits_put(row, move >> 12 != 0, 1);
    if (move >> 12)
        bits_put(row, move >> 12, 4);
}

static void put_postings(bit_buffer *row, const position_entry *e, size_t n, unsigned step)
{
    unsigned ply = 0;
    tby_move next = TBY_MOVE_NONE;
    for (size_t i = 1; i < n; i++) {
        bits_put_number(row, e[i].game - e[i - 1].game - 1, step);
        bits_put(row, e[i].ply == ply, 1);
        if (e[i].ply != ply)
            bits_put_number(row, e[i].ply, POSTINGS_PLY_STEP);
        bits_put(row, e[i].next == next, 1);
        if (e[i].next != next)
            put_move(row, e[i].next);
        ply = e[i].ply;
        next = e[i].next;
    }
}

void postings_put(bit_buffer *row, const postings_form *form, const position_entry *entries, size_t n)
{
    const uint32_t n_groups = count_groups(entries, n);
    const unsigned part_step = postings_step(form->part_bits, n_groups);
    uint64_t before = 0;
    put_head(row, form, n_groups);
    for (size_t i = 0, end; i < n; i = end) {
        const position_entry *first = &entries[i];
        const uint64_t part = postings_part(first->key, form->row_bits, form->part_bits);
        end = group_end(entries, n, i);
        const bool has_ply = group_is_alike(entries, n, i, end, form->row_bits, form->part_bits);
        bits_put_number(row, part - before, part_step);
        bits_put_number(row, 2 * (end - i - 1) + has_ply, 0);
        bits_put(row, first->game, form->game_bits);
        if (has_ply)
            bits_put_number(row, first->ply, POSTINGS_PLY_STEP);
        put_postings(row, first, end - i, postings_step(form->game_bits, (uint32_t)(end - i)));
        before = part;
    }
    bits_fill(row);
}
