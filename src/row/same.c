/*
 * same.c - hashes and compares games, to find duplicates.
 *
 * The hash is stored with each game: changing it requires a new version of the schema.
 */
#include "pgn/game.h"
#include "row/row.h"

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93;
    h ^= h >> 32;
    return h;
}

static uint64_t word_at(const unsigned char *s)
{
    return (uint64_t)s[0] | (uint64_t)s[1] << 8 | (uint64_t)s[2] << 16 | (uint64_t)s[3] << 24 | (uint64_t)s[4] << 32 |
           (uint64_t)s[5] << 40 | (uint64_t)s[6] << 48 | (uint64_t)s[7] << 56;
}

uint64_t bytes_hash(uint64_t seed, const void *bytes, size_t n)
{
    const unsigned char *s = bytes;
    uint64_t h = mix(seed ^ (uint64_t)n * 0x9e3779b97f4a7c15), word = 0;
    for (; n >= 8; s += 8, n -= 8)
        h = mix(h ^ word_at(s)) + 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)s[i] << (8 * i);
    return mix(h ^ word);
}

static uint64_t hash_number(uint64_t seed, uint64_t number) { return mix(seed ^ number) + 0x9e3779b97f4a7c15; }

/* ---- Comments ------------------------------------------------------------------------------------------- */

typedef struct piece {
    const char *s;
    size_t n;
} piece;

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || is_line_end(c); }

/* The text up to the next line break, without the blanks around it; `*rest` is the remainder. False after the last. */
static bool next_piece(piece *rest, piece *out)
{
    while (rest->n && is_blank(*rest->s)) {
        rest->s++;
        rest->n--;
    }
    *out = (piece){rest->s, 0};
    while (out->n < rest->n && !is_line_end(out->s[out->n]))
        out->n++;
    rest->s += out->n;
    rest->n -= out->n;
    while (out->n && is_blank(out->s[out->n - 1]))
        out->n--;
    return out->n > 0;
}

/* Hashes text that arrives in pieces as if it were one. */
typedef struct text_hash {
    uint64_t h, word;
    size_t n;
} text_hash;

static void hash_piece(text_hash *t, const char *s, size_t n)
{
    while (n > 0) {
        if (t->n % 8 == 0 && n >= 8) {
            t->h = hash_number(t->h, word_at((const unsigned char *)s));
            t->n += 8;
            s += 8;
            n -= 8;
            continue;
        }
        t->word |= (uint64_t)(unsigned char)*s++ << (8 * (t->n++ % 8));
        n--;
        if (t->n % 8 == 0) {
            t->h = hash_number(t->h, t->word);
            t->word = 0;
        }
    }
}

static uint64_t hash_comment(uint64_t seed, const tby_game *game, const uint32_t *item)
{
    piece rest = {game->text + item[0], item[1]}, part;
    text_hash t = {seed, 0, 0};
    while (next_piece(&rest, &part)) { /* usually one */
        if (t.n)
            hash_piece(&t, " ", 1);
        hash_piece(&t, part.s, part.n);
    }
    return hash_number(hash_number(t.h, t.word), t.n);
}

static uint64_t hash_comments(uint64_t h, const tby_game *game, uint32_t list)
{
    const size_t n = game_list_length(game, list);
    for (size_t i = 0; i < n; i += 2)
        h = hash_comment(h, game, game_list_items(game, list) + i);
    return hash_number(h, n);
}

/* The next byte of a comment, with line breaks and blanks normalized; -1 at the end. */
static int next_sign(piece *rest, piece *part, bool *is_first)
{
    if (part->n == 0) {
        const bool was_first = *is_first;
        if (!next_piece(rest, part))
            return -1;
        *is_first = false;
        if (!was_first)
            return ' ';
    }
    part->n--;
    return (unsigned char)*part->s++;
}

static bool same_comment(const char *s, size_t n_s, const char *t, size_t n_t)
{
    piece a = {s, n_s}, b = {t, n_t}, part_a = {NULL, 0}, part_b = {NULL, 0};
    bool first_a = true, first_b = true;
    for (;;) {
        const int x = next_sign(&a, &part_a, &first_a), y = next_sign(&b, &part_b, &first_b);
        if (x != y || x < 0)
            return x == y;
    }
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* A sum, so that the order does not matter. */
static uint64_t hash_tags(const tby_game *game)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < game->n_tags; i++) {
        const game_tag *tag = &game->tags[i];
        const uint64_t name = bytes_hash(0, game->text + tag->name, tag->n_name);
        sum += bytes_hash(name, game->text + tag->value, tag->n_value);
    }
    return sum;
}

static bool has_tag(const tby_game *game, const tby_game *other, const game_tag *tag)
{
    for (size_t i = 0; i < game->n_tags; i++) {
        const game_tag *own = &game->tags[i];
        if (game_same_text(game, own->name, own->n_name, other, tag->name, tag->n_name))
            return game_same_text(game, own->value, own->n_value, other, tag->value, tag->n_value);
    }
    return false;
}

static bool same_tags(const tby_game *a, const tby_game *b)
{
    if (a->n_tags != b->n_tags)
        return false;
    for (size_t i = 0; i < a->n_tags; i++)
        if (!has_tag(b, a, &a->tags[i]))
            return false;
    return true;
}

/* ---- Trees ---------------------------------------------------------------------------------------------- */

static uint64_t hash_node(uint64_t h, const tby_game *game, const game_node *node)
{
    const size_t n_nags = game_list_length(game, node->nags);
    const bool has_child = node->child != TBY_NO_NODE, has_next = node->next != TBY_NO_NODE;
    const bool has_comment = game_list_length(game, node->comments[0]) || game_list_length(game, node->comments[1]);
    h = hash_number(h, (uint64_t)node->move << 8 | (uint64_t)has_child << 2 | (uint64_t)has_next << 1 | has_comment);
    for (size_t i = 0; i < n_nags; i++)
        h = hash_number(h, (uint64_t)1 << 32 | game_list_items(game, node->nags)[i]);
    return has_comment ? hash_comments(hash_comments(h, game, node->comments[0]), game, node->comments[1]) : h;
}

static uint64_t hash_tree(const tby_game *game)
{
    uint64_t h = 0;
    tby_node node = TBY_ROOT;
    do {
        h = hash_node(h, game, &game->nodes[node]);
        node = game_following(game, node);
    } while (node != TBY_ROOT);
    return h;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* A plain game consists of its tags and packed moves. */
uint64_t same_hash(const tby_game *game, const uint8_t *moves, size_t n, bool is_plain)
{
    const uint64_t h = bytes_hash(game->is_chess960, moves, n) + hash_tags(game);
    return mix(is_plain ? h : h ^ hash_tree(game));
}

bool games_match(const tby_game *a, const tby_game *b) { return same_tags(a, b) && game_same_tree(a, b, same_comment); }
