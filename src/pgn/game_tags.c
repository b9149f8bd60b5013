/*
 * game_tags.c - the tags of a game, in their order.
 *
 * Each name occurs once. A few tags are searched linearly; from MANY_TAGS on, a hash index finds them, because a
 * hostile game of 1 MiB can have 170,000. The hash starts from the address of the game, so that nobody can prepare
 * names that all fall into one bucket.
 *
 * Refuses  a name that PGN cannot hold: it must be a letter or digit, then letters, digits and _ + # = : -
 */
#include "pgn/game.h"

enum { MANY_TAGS = 32 };

const char *const game_roster[GAME_N_ROSTER] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};

/* ---- Finding -------------------------------------------------------------------------------------------- */

static uint32_t hash_name(const tby_game *game, const char *name, size_t n)
{
    uint64_t hash = (uint64_t)(uintptr_t)game * 0x9e3779b97f4a7c15ULL;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)name[i]) * 0xd6e8feb86659fd93ULL;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

size_t game_find_tag(const tby_game *game, const char *name, size_t n_name)
{
    size_t i = 0;
    if (game->n_buckets == 0) {
        while (i < game->n_tags && !game_tag_is(game, &game->tags[i], name, n_name))
            i++;
        return i;
    }
    const uint32_t hash = hash_name(game, name, n_name);
    for (i = game->buckets[hash & (game->n_buckets - 1)]; i != 0; i = game->tags[i - 1].chain)
        if (game->tags[i - 1].hash == hash && game_tag_is(game, &game->tags[i - 1], name, n_name))
            return i - 1;
    return game->n_tags;
}

/* ---- The index ------------------------------------------------------------------------------------------ */

static void put_in_bucket(tby_game *game, size_t index)
{
    game_tag *tag = &game->tags[index];
    tag->hash = hash_name(game, game_tag_text(game, tag->name), tag->n_name);
    uint32_t *bucket = &game->buckets[tag->hash & (game->n_buckets - 1)];
    tag->chain = *bucket;
    *bucket = (uint32_t)index + 1;
}

/* As many buckets as there is room for tags, a power of two; none for a few tags, or if out of memory. */
static void renew_index(tby_game *game)
{
    size_t n = MANY_TAGS;
    game->n_buckets = 0;
    if (game->n_tags < MANY_TAGS)
        return;
    while (n < game->cap_tags)
        n *= 2;
    if (!array_reserve(&game->buckets, &game->cap_buckets, n, sizeof *game->buckets, &game->allocator))
        return;
    game->n_buckets = n;
    memset(game->buckets, 0, n * sizeof *game->buckets);
    for (size_t i = 0; i < game->n_tags; i++)
        put_in_bucket(game, i);
}

/* ---- Changing ------------------------------------------------------------------------------------------- */

bool game_is_tag_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned letter = ((unsigned char)s[i] | 32U) - 'a', digit = (unsigned char)s[i] - (unsigned)'0';
        if (letter >= 26 && digit >= 10 && (i == 0 || !memchr("_+#=:-", s[i], 6)))
            return false;
    }
    return n > 0;
}

/* Name and value may both be part of the game's own text, which may move when the first of them is added. */
static bool add_texts(tby_game *game, game_tag *tag, const char *name, const char *value)
{
    const size_t n_text = game->n_text;
    const bool is_own = game_owns(game, value);
    const size_t place = is_own ? (size_t)(value - game->text) : 0;
    if (game_add_text(game, name, tag->n_name, &tag->name) &&
        game_add_text(game, is_own ? game->text + place : value, tag->n_value, &tag->value))
        return true;
    game->n_text = n_text;
    return false;
}

static bool add_tag(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value)
{
    if (!array_reserve(&game->tags, &game->cap_tags, game->n_tags + 1, sizeof *game->tags, &game->allocator))
        return false;
    game_tag *tag = &game->tags[game->n_tags];
    *tag = (game_tag){0, (uint32_t)n_name, 0, (uint32_t)n_value, 0, 0};
    if (n_name > UINT32_MAX || n_value > UINT32_MAX || !add_texts(game, tag, name, value))
        return false;
    game->n_tags++;
    if (game->n_buckets >= game->n_tags)
        put_in_bucket(game, game->n_tags - 1);
    else
        renew_index(game);
    return true;
}

/* A value that is not longer overwrites the old one. */
static bool change_value(tby_game *game, game_tag *tag, const char *value, size_t n)
{
    if (n > tag->n_value) {
        if (!game_add_text(game, value, n, &tag->value))
            return false;
    } else {
        if (n)
            memmove(game->text + tag->value, value, n);
        game->text[tag->value + n] = '\0';
    }
    tag->n_value = (uint32_t)n;
    return true;
}

bool tby_game_set_tag(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value)
{
    return game_is_tag_name(name, n_name) && game_put_tag(game, name, n_name, value, n_value);
}

bool game_put_tag(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value)
{
    const size_t index = game_find_tag(game, name, n_name);
    if (index == game->n_tags)
        return add_tag(game, name, n_name, value, n_value);
    return change_value(game, &game->tags[index], value, n_value);
}

bool tby_game_remove_tag(tby_game *game, const char *name)
{
    const size_t index = game_find_tag(game, name, strlen(name));
    if (index == game->n_tags)
        return false;
    game->n_tags--;
    memmove(game->tags + index, game->tags + index + 1, (game->n_tags - index) * sizeof *game->tags);
    renew_index(game);
    return true;
}

/* ---- Asking --------------------------------------------------------------------------------------------- */

size_t tby_game_n_tags(const tby_game *game) { return game->n_tags; }

const char *tby_game_tag_name(const tby_game *game, size_t index)
{
    return index < game->n_tags ? game_tag_text(game, game->tags[index].name) : NULL;
}

const char *tby_game_tag_value(const tby_game *game, size_t index)
{
    return index < game->n_tags ? game_tag_text(game, game->tags[index].value) : NULL;
}

const char *tby_game_tag(const tby_game *game, const char *name)
{
    return tby_game_tag_value(game, game_find_tag(game, name, strlen(name)));
}

static bool is_in_roster(const tby_game *game, const game_tag *tag)
{
    for (size_t i = 0; i < GAME_N_ROSTER; i++)
        if (game_tag_is(game, tag, game_roster[i], strlen(game_roster[i])))
            return true;
    return false;
}

bool game_next_tag(const tby_game *game, size_t *step, size_t *index)
{
    for (; *step < GAME_N_ROSTER; ++*step) {
        const char *name = game_roster[*step];
        *index = game_find_tag(game, name, strlen(name));
        if (*index < game->n_tags) {
            ++*step;
            return true;
        }
    }
    for (; *step - GAME_N_ROSTER < game->n_tags; ++*step) {
        *index = *step - GAME_N_ROSTER;
        if (!is_in_roster(game, &game->tags[*index])) {
            ++*step;
            return true;
        }
    }
    return false;
}
