/*
 * names.c - the names of players, events, sites and openings, each stored once: numbered by how many games they have, and
 * the words of players' names in alphabetical order.
 *
 *     names   TEXT GAMES [AT SIZES]      in the order of their ranks; AT and SIZES locate the list of their games
 *     words   WORD RANK GAMES TEXT       each word of a name as queries compare it: the beginning that it shares with the
 *                                        word before, and the rest
 */
#include "publish/publish.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const NAMES[N_PUBLISH_KINDS] = {"players", "events", "sites", "eco", "shapes"};
const publish_kind publish_kinds[6] = {PUBLISH_PLAYERS, PUBLISH_PLAYERS, PUBLISH_EVENTS,
                                       PUBLISH_SITES,   PUBLISH_ECO,     PUBLISH_SHAPES};

char *publish_copy(tby_publisher *p, const char *s, size_t n)
{
    enum { PART = 1 << 20 };
    if (!p->memory || n + 1 > p->memory->cap - p->memory->n) {
        const size_t cap = n + 1 > PART ? n + 1 : PART;
        publish_memory *part = malloc(sizeof *part + cap);
        if (!part)
            return NULL;
        *part = (publish_memory){.next = p->memory, .cap = cap};
        p->memory = part;
    }
    char *copy = p->memory->bytes + p->memory->n;
    p->memory->n += n + 1;
    if (n)
        memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

/* ---- Numbers -------------------------------------------------------------------------------------------- */

static size_t slot_of(const publish_names *names, tby_text text)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < text.n; i++)
        hash = (hash ^ (uint8_t)text.s[i]) * 16777619u;
    size_t slot = hash & (names->n_slots - 1);
    while (names->slots[slot]) {
        const tby_text other = names->of[names->slots[slot] - 1].text;
        if (other.n == text.n && memcmp(other.s, text.s, text.n) == 0)
            break;
        slot = (slot + 1) & (names->n_slots - 1);
    }
    return slot;
}

/* The hash table is at most half full. */
static bool grow(publish_names *names)
{
    enum { FIRST = 1024 };
    if (names->n * 2 < names->n_slots)
        return true;
    const size_t n = names->n_slots ? names->n_slots * 2 : FIRST;
    uint32_t *slots = calloc(n, sizeof *slots);
    if (!slots)
        return false;
    free(names->slots);
    names->slots = slots;
    names->n_slots = n;
    for (size_t i = 0; i < names->n; i++)
        slots[slot_of(names, names->of[i].text)] = (uint32_t)i + 1;
    return true;
}

uint32_t publish_names_number(tby_publisher *p, publish_kind kind, tby_text text)
{
    publish_names *names = &p->names[kind];
    if (!grow(names))
        return UINT32_MAX;
    const size_t slot = slot_of(names, text);
    if (!names->slots[slot]) {
        const publish_name name = {.text = {publish_copy(p, text.s, text.n), text.n}};
        if (!name.text.s || !array_add(&names->of, &names->n, &names->cap, &name, sizeof name, NULL))
            return UINT32_MAX;
        names->slots[slot] = (uint32_t)names->n;
    }
    return names->slots[slot] - 1;
}

void publish_names_free(publish_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        buffer_free(&names->of[i].sizes);
    free(names->of);
    free(names->slots);
    free(names->by_rank);
}

/* ---- Ranks ---------------------------------------------------------------------------------------------- */

typedef struct ranked {
    uint32_t n_games, number;
    tby_text text;
} ranked;

static int compare_texts(tby_text a, tby_text b)
{
    const size_t n = a.n < b.n ? a.n : b.n;
    const int order = n ? memcmp(a.s, b.s, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int compare_ranked(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    return a->n_games != b->n_games ? (a->n_games < b->n_games) - (a->n_games > b->n_games)
                                    : compare_texts(a->text, b->text);
}

bool publish_names_rank(publish_names *names)
{
    ranked *all = malloc((names->n + 1) * sizeof *all);
    free(names->by_rank);
    names->by_rank = malloc((names->n + 1) * sizeof *names->by_rank);
    if (!all || !names->by_rank) {
        free(all);
        return false;
    }
    for (size_t i = 0; i < names->n; i++)
        all[i] = (ranked){names->of[i].n_games, (uint32_t)i, names->of[i].text};
    qsort(all, names->n, sizeof *all, compare_ranked);
    for (size_t i = 0; i < names->n; i++) {
        names->by_rank[i] = all[i].number;
        names->of[all[i].number].rank = (uint32_t)i;
    }
    free(all);
    return true;
}

/* ---- Names by rank -------------------------------------------------------------------------------------- */

static void put_text(buffer *b, tby_text text)
{
    varint_put(b, text.n);
    buffer_add(b, text.s, text.n);
}

/* Writes [COUNT,SIZE], ... into the directory. */
static bool write_kind(tby_publisher *p, publish_kind kind)
{
    const publish_names *names = &p->names[kind];
    buffer chunk = {0};
    bool is_good = true;
    uint32_t n = 0;
    const uint64_t start = p->out.at;
    buffer_printf(&p->sections, ",\"%s-chunks\":[", NAMES[kind]);
    for (size_t i = 0; is_good && i < names->n; i++) {
        const publish_name *name = &names->of[names->by_rank[i]];
        put_text(&chunk, name->text);
        varint_put(&chunk, name->n_games);
        if (kind != PUBLISH_SHAPES) {
            varint_put(&chunk, name->list_at);
            put_text(&chunk, (tby_text){name->sizes.s, name->sizes.n});
        }
        n++;
        if (chunk.n < PUBLISH_CHUNK && i + 1 < names->n)
            continue;
        const size_t size = publish_stream_chunk(&p->out, &chunk);
        is_good = size > 0;
        buffer_printf(&p->sections, "%s[%u,%zu]", i + 1 == n ? "" : ",", n, size);
        n = 0;
    }
    buffer_string(&p->sections, "]");
    buffer_free(&chunk);
    publish_section(p, NAMES[kind], start);
    return is_good;
}

/* ---- Words ---------------------------------------------------------------------------------------------- */

typedef struct word {
    const char *s;
    uint32_t rank;
} word;

static int compare_words(const void *x, const void *y)
{
    const word *a = x, *b = y;
    const int order = strcmp(a->s, b->s);
    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

typedef struct words {
    word *of;
    size_t n, cap;
    buffer texts; /* of one name */
} words;

/* Adds the words of a name, each once. */
static bool add_words(tby_publisher *p, words *w, const publish_name *name)
{
    const size_t n = tby_query_words(NULL, 0, name->text.s, name->text.n), first = w->n;
    buffer_clear(&w->texts);
    char *room = buffer_room(&w->texts, n + 1);
    if (!room)
        return false;
    tby_query_words(room, n, name->text.s, name->text.n);
    const char *texts = publish_copy(p, room, n);
    if (!texts)
        return false;
    for (size_t at = 0; at < n; at += strlen(texts + at) + 1) {
        const word one = {texts + at, name->rank};
        bool is_known = false;
        for (size_t i = first; i < w->n; i++)
            is_known |= strcmp(w->of[i].s, one.s) == 0;
        if (!is_known && !array_add(&w->of, &w->n, &w->cap, &one, sizeof one, NULL))
            return false;
    }
    return true;
}

static size_t shared(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

static bool write_words(tby_publisher *p, const words *w)
{
    buffer chunk = {0};
    const char *before = "";
    bool is_good = true;
    const uint64_t start = p->out.at;
    size_t n_chunks = 0, first = 0;
    buffer_string(&p->sections, ",\"words-chunks\":[");
    for (size_t i = 0; is_good && i < w->n; i++) {
        const word *one = &w->of[i];
        const publish_name *name = &p->names[PUBLISH_PLAYERS].of[p->names[PUBLISH_PLAYERS].by_rank[one->rank]];
        const size_t n = shared(before, one->s);
        varint_put(&chunk, n);
        put_text(&chunk, (tby_text){one->s + n, strlen(one->s + n)});
        varint_put(&chunk, one->rank);
        varint_put(&chunk, name->n_games);
        put_text(&chunk, name->text);
        before = one->s;
        if (chunk.n < PUBLISH_CHUNK && i + 1 < w->n)
            continue;
        const size_t size = publish_stream_chunk(&p->out, &chunk);
        is_good = size > 0;
        buffer_printf(&p->sections, "%s[", n_chunks++ ? "," : "");
        buffer_json(&p->sections, w->of[first].s, strlen(w->of[first].s));
        buffer_printf(&p->sections, ",%zu]", size);
        first = i + 1;
        before = "";
    }
    buffer_string(&p->sections, "]");
    buffer_free(&chunk);
    publish_section(p, "words", start);
    return is_good;
}

bool publish_names_write(tby_publisher *p)
{
    words w = {0};
    bool is_good = true;
    for (publish_kind kind = 0; is_good && kind < N_PUBLISH_KINDS; kind++)
        is_good = write_kind(p, kind);
    for (size_t i = 0; is_good && i < p->names[PUBLISH_PLAYERS].n; i++)
        is_good = add_words(p, &w, &p->names[PUBLISH_PLAYERS].of[i]) || failure_no_memory(p->failure);
    if (is_good && w.n)
        qsort(w.of, w.n, sizeof *w.of, compare_words);
    is_good = is_good && write_words(p, &w);
    free(w.of);
    buffer_free(&w.texts);
    return is_good;
}
