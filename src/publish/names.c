/*
 * names.c - the names of players, events, sites and openings, each stored once; and, in the files, in their order:
 *
 *     SHARED REST NAME GAMES AT BEFORE SIZES
 *
 * SHARED and REST are the key, without what it shares with the one before: of an event, a site or an opening its name, of a
 * player each word of it, as queries compare them. NAME is missing if it is the key. GAMES, AT, BEFORE and SIZES are its
 * list of games.
 */
#include "publish/publish.h"

#include <stdio.h>
#include <stdlib.h>

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
}

/* ---- Keys ----------------------------------------------------------------------------------------------- */

typedef struct key {
    tby_text text;
    const publish_name *name;
} key;

typedef struct keys {
    tby_publisher *p;
    publish_kind kind;
    key *of;
    size_t n, cap;
    buffer words;   /* of one name */
    size_t *chunks; /* the first key of each, and the end */
    size_t n_chunks, cap_chunks;
} keys;

/* The order of UTF-16, in which JavaScript compares texts: characters of four bytes come before those from U+E000 on. */
static int compare_texts(tby_text a, tby_text b)
{
    const size_t n = a.n < b.n ? a.n : b.n;
    size_t i = 0;
    while (i < n && a.s[i] == b.s[i])
        i++;
    if (i == n)
        return (a.n > b.n) - (a.n < b.n);
    const unsigned x = (uint8_t)a.s[i], y = (uint8_t)b.s[i];
    return (x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0)) == (x < y) ? 1 : -1;
}

static int compare_keys(const void *x, const void *y)
{
    const key *a = x, *b = y;
    const int order = compare_texts(a->text, b->text);
    return order ? order : compare_texts(a->name->text, b->name->text);
}

static bool add_key(keys *k, tby_text text, const publish_name *name)
{
    const key one = {text, name};
    return array_add(&k->of, &k->n, &k->cap, &one, sizeof one, NULL);
}

/* Adds the words of a name, each once. */
static bool add_words(keys *k, const publish_name *name)
{
    const size_t n = tby_query_words(NULL, 0, name->text.s, name->text.n), first = k->n;
    buffer_clear(&k->words);
    char *room = buffer_room(&k->words, n + 1);
    if (!room)
        return false;
    tby_query_words(room, n, name->text.s, name->text.n);
    const char *texts = publish_copy(k->p, room, n);
    if (!texts)
        return false;
    for (size_t at = 0; at < n; at += strlen(texts + at) + 1) {
        const tby_text one = {texts + at, strlen(texts + at)};
        bool is_known = false;
        for (size_t i = first; i < k->n; i++)
            is_known |= compare_texts(k->of[i].text, one) == 0;
        if (!is_known && !add_key(k, one, name))
            return false;
    }
    return true;
}

static bool collect_keys(keys *k)
{
    const publish_names *names = &k->p->names[k->kind];
    for (size_t i = 0; i < names->n; i++)
        if (k->kind == PUBLISH_PLAYERS ? !add_words(k, &names->of[i]) : !add_key(k, names->of[i].text, &names->of[i]))
            return false;
    if (k->n)
        qsort(k->of, k->n, sizeof *k->of, compare_keys);
    return true;
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

static bool cut_chunks(keys *k)
{
    enum { REST = 12 }; /* bytes of a key besides texts, about */
    size_t n = PUBLISH_NAMES;
    for (size_t i = 0; i <= k->n; i++) {
        if ((n >= PUBLISH_NAMES || i == k->n) &&
            !array_add(&k->chunks, &k->n_chunks, &k->cap_chunks, &i, sizeof i, NULL))
            return false;
        n = (n >= PUBLISH_NAMES ? 0 : n) + (i < k->n ? k->of[i].text.n + k->of[i].name->text.n + REST : 0);
    }
    return true;
}

static size_t shared(tby_text a, tby_text b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.s[n] == b.s[n])
        n++;
    return n;
}

static void make_chunk(void *context, size_t index, buffer *out)
{
    const keys *k = context;
    tby_text before = {NULL, 0};
    for (size_t i = k->chunks[index]; i < k->chunks[index + 1]; i++) {
        const tby_text text = k->of[i].text;
        const publish_name *name = k->of[i].name;
        const size_t n = shared(before, text);
        varint_put(out, n);
        publish_put_text(out, (tby_text){text.s + n, text.n - n}, false);
        publish_put_text(out, k->kind == PUBLISH_PLAYERS ? name->text : (tby_text){NULL, 0}, true);
        varint_put(out, name->n_games);
        varint_put(out, name->list_at);
        varint_put(out, name->n_before);
        publish_put_text(out, (tby_text){name->sizes.s, name->sizes.n}, false);
        before = text;
    }
}

static void take_chunk(void *context, size_t index, size_t size)
{
    const keys *k = context;
    const tby_text first = k->of[k->chunks[index]].text;
    buffer_string(&k->p->sections, index ? "," : "");
    buffer_json(&k->p->sections, first.s, first.n);
    buffer_printf(&k->p->sections, ",%zu", size);
}

static bool write_kind(keys *k)
{
    static const char *const names[] = {"players", "events", "sites", "eco"};
    tby_publisher *p = k->p;
    if (!collect_keys(k) || !cut_chunks(k))
        return failure_no_memory(p->failure);
    const publish_chunks chunks = {k->n_chunks - 1, make_chunk, take_chunk, k};
    publish_section(p, names[k->kind]);
    buffer_printf(&p->sections, ",\"%s-chunks\":[", names[k->kind]);
    const bool is_good = publish_chunks_write(p, &chunks);
    buffer_string(&p->sections, "]");
    return is_good;
}

bool publish_names_write(tby_publisher *p)
{
    bool is_good = true;
    for (publish_kind kind = 0; is_good && kind < PUBLISH_SHAPES; kind++) {
        keys k = {.p = p, .kind = kind};
        is_good = write_kind(&k);
        free(k.of);
        free(k.chunks);
        buffer_free(&k.words);
    }
    return is_good;
}
