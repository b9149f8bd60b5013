/*
 * pgn_unique.c - lines of play by their hash, and when two games of tabiya pgn --unique are the same.
 *
 * Open addressing, linear probing. With 128 bits, the probability that two of a billion different lines have the same
 * hash is one in 10^21.
 */
#include "pgn_unique.h"
#include "tabiya_query.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 12 };

struct line_set {
    line_hash *places; /* b = 0: free */
    atomic_uchar *marks;
    size_t cap, n;
};

/* ---- Hashes ----------------------------------------------------------------------------------------------------- */

/* The finisher of MurmurHash3: every bit of the result depends on every bit of x. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

line_hash line_begin(const tby_position *start)
{
    const uint64_t key = tby_position_key(start);
    return (line_hash){mix(key), mix(key + 1) | 1};
}

line_hash line_play(line_hash hash, tby_move m)
{
    return (line_hash){mix(hash.a + m), mix(hash.b ^ (uint64_t)m << 40) | 1};
}

line_hash line_mix(line_hash hash, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (line_hash){mix(hash.a + (uint8_t)s[i]), mix(hash.b ^ (uint64_t)(uint8_t)s[i] << 32) | 1};
    return hash;
}

/* ---- Sets ------------------------------------------------------------------------------------------------------- */

static void set_memory(line_set *set, size_t cap)
{
    set->cap = cap;
    set->n = 0;
    set->places = memory_new(cap, sizeof *set->places);
    set->marks = memory_new(cap, sizeof *set->marks);
}

line_set *line_set_new(void)
{
    line_set *set = memory_new(1, sizeof *set);
    set_memory(set, FIRST_CAPACITY);
    return set;
}

void line_set_free(line_set *set)
{
    if (set) {
        free(set->places);
        free(set->marks);
    }
    free(set);
}

/* Its slot, or the free slot for it. */
static size_t find(const line_set *set, line_hash hash)
{
    size_t i = (size_t)hash.a & (set->cap - 1);
    while (set->places[i].b && (set->places[i].a != hash.a || set->places[i].b != hash.b))
        i = (i + 1) & (set->cap - 1);
    return i;
}

static void grow(line_set *set)
{
    const line_set old = {.places = set->places, .marks = set->marks, .cap = set->cap};
    set_memory(set, old.cap * 2);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.places[i].b)
            continue;
        const size_t place = find(set, old.places[i]);
        set->places[place] = old.places[i];
        set->marks[place] = old.marks[i];
        set->n++;
    }
    free(old.places);
    free(old.marks);
}

bool line_set_add(line_set *set, line_hash hash)
{
    size_t place = find(set, hash);
    if (set->places[place].b)
        return false;
    if (set->n >= set->cap / 4 * 3) {
        grow(set);
        place = find(set, hash);
    }
    set->places[place] = hash;
    set->n++;
    return true;
}

void line_set_mark(line_set *set, line_hash hash)
{
    const size_t place = find(set, hash);
    if (set->places[place].b)
        atomic_store_explicit(&set->marks[place], 1, memory_order_relaxed);
}

bool line_set_is_marked(const line_set *set, line_hash hash)
{
    return atomic_load_explicit(&set->marks[find(set, hash)], memory_order_relaxed) != 0;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

bool same_has_prefixes(const same_rule *rule) { return rule->kind == UNIQUE_PREFIX || rule->kind == UNIQUE_NEAR; }

static line_hash hash_position(const tby_game *game, unsigned long ply)
{
    tby_position pos = *tby_game_start(game);
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE && ply > 0; ply--) {
        tby_line_play(&pos, tby_game_move(game, node));
        node = tby_game_child(game, node);
    }
    return line_begin(&pos);
}

/* Extends a hash by the moves of the main line; if `lines` is not NULL, every line before the last move is marked in
   it. */
static line_hash hash_moves(line_hash hash, const tby_game *game, line_set *lines)
{
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        if (lines)
            line_set_mark(lines, hash);
        hash = line_play(hash, tby_game_move(game, node));
    }
    return hash;
}

/* The last name of a player as it is compared: lower case without accents. */
static void put_last_name(buffer *out, const char *s)
{
    tby_person person;
    tby_person_read(&person, s, strlen(s));
    for (size_t i = person.last; i + 1 < person.n; i++)
        buffer_add(out, person.words[i] ? person.words + i : " ", 1);
}

static void put_last_names(buffer *out, const tby_game *game)
{
    const char *white = tby_game_tag(game, "White"), *black = tby_game_tag(game, "Black");
    out->n = 0;
    put_last_name(out, white ? white : "?");
    buffer_string(out, "\n");
    put_last_name(out, black ? black : "?");
}

/* A date without any digit is unknown. */
static void put_date(buffer *out, const tby_game *game)
{
    const char *date = tby_game_tag(game, "Date");
    buffer_string(out, "\n");
    if (date && strpbrk(date, "0123456789"))
        buffer_string(out, date);
}

/* Where a game with these players and this date begins. */
static line_hash begin_tagged(const tby_game *game, buffer *room)
{
    put_last_names(room, game);
    put_date(room, game);
    return line_mix(line_begin(tby_game_start(game)), room->s, room->n);
}

same_hashes same_hashes_of(const same_rule *rule, const tby_game *game, buffer *room)
{
    same_hashes out = {0};
    if (rule->kind == UNIQUE_POSITION)
        out.whole = hash_position(game, rule->ply);
    else
        out.whole = hash_moves(line_begin(tby_game_start(game)), game, NULL);
    if (same_has_prefixes(rule))
        out.tagged = hash_moves(begin_tagged(game, room), game, NULL);
    if (rule->kind == UNIQUE_NEAR) {
        put_last_names(room, game);
        out.near = line_mix(hash_position(game, rule->ply), room->s, room->n);
    }
    return out;
}

void same_mark(const same_rule *rule, const tby_game *game, buffer *room)
{
    hash_moves(begin_tagged(game, room), game, rule->lines);
}

/* A game that is the beginning of a longer one is not compared with others by position: the longer one, which may be
   near to it, must stay. */
bool same_is_duplicate(const same_rule *rule, const same_hashes *game)
{
    if (!rule->lines)
        return false;
    const bool is_known = !line_set_add(rule->lines, game->whole);
    if (same_has_prefixes(rule) && line_set_is_marked(rule->lines, game->tagged))
        return true;
    const bool is_near = rule->kind == UNIQUE_NEAR && !line_set_add(rule->lines, game->near);
    return is_near || is_known;
}
