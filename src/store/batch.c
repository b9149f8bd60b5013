/*
 * batch.c - makes games ready for the database.
 *
 * Ten tags have columns of their own: White Black Event Site Round ECO as they are, Date WhiteElo BlackElo Result as
 * numbers where the text can be had back from them. All other tags, and those of the ten that a number does not tell
 * exactly, stand as an object of JSON in `tags`. The names of all tags in their order are the game's `shape`, of which
 * there are few. UTCDate fills the column of a Date that is missing or unknown, the table of openings that of ECO. A
 * game that is more than its main line, or has a tag that JSON cannot hold, is kept whole as a CMBR record.
 */
#include "store/batch.h"
#include "base/utf8.h"
#include "game/array.h"
#include "game/game.h"
#include "store/same.h"
#include "store/tag_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory --------------------------------------------------------------------------------------------- */

tby_batch *tby_batch_new(void)
{
    tby_batch *b = calloc(1, sizeof *b);
    if (b)
        b->line = malloc((TBY_PLIES_MAX + 1) * sizeof *b->line);
    if (b && !b->line) {
        free(b);
        b = NULL;
    }
    return b;
}

void tby_batch_free(tby_batch *b)
{
    if (!b)
        return;
    free(b->bytes);
    free(b->games);
    free(b->line);
    free(b->names);
    free(b->others);
    free(b);
}

void tby_batch_restrict(tby_batch *b, size_t most_bytes) { b->most_bytes = most_bytes; }
void tby_batch_clear(tby_batch *b) { b->n_bytes = b->n_games = 0; }
size_t tby_batch_n_games(const tby_batch *b) { return b->n_games; }
size_t tby_batch_size(const tby_batch *b) { return b->n_bytes + b->n_games * sizeof *b->games; }

/* Room for `more` items; false, and a mark in the batch, if there is none. */
static bool grow(tby_batch *b, void *items, size_t *cap, size_t need, size_t size)
{
    const bool is_good = need < SPAN_NULL && array_reserve(items, cap, need, size, NULL);
    b->has_no_memory |= !is_good;
    return is_good;
}

static char *room(tby_batch *b, size_t n)
{
    return grow(b, &b->bytes, &b->cap_bytes, b->n_bytes + n + 1, 1) ? b->bytes + b->n_bytes : NULL;
}

static bool put(tby_batch *b, const char *s, size_t n)
{
    char *to = room(b, n);
    if (to && n)
        memcpy(to, s, n);
    b->n_bytes += to ? n : 0;
    return to != NULL;
}

static bool put_to_arena(void *batch, const char *s, size_t n) { return put(batch, s, n); }

static span put_span(tby_batch *b, const char *s, size_t n)
{
    const span made = {(uint32_t)b->n_bytes, (uint32_t)n};
    put(b, s, n);
    return made;
}

static span span_from(const tby_batch *b, size_t start)
{
    const span made = {(uint32_t)start, (uint32_t)(b->n_bytes - start)};
    return made;
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* The ten tags: first those whose columns hold their text. */
enum { TAG_DATE = N_TEXT_COLUMNS, TAG_WHITE_ELO, TAG_BLACK_ELO, TAG_RESULT, N_COLUMN_TAGS };

/* Most tags are told apart by their first letter. */
static int column_tag(const char *name)
{
    static const char *const names[N_COLUMN_TAGS] = {
        [COL_WHITE] = "White",        [COL_BLACK] = "Black",        [COL_EVENT] = "Event",
        [COL_SITE] = "Site",          [COL_ROUND] = "Round",        [COL_ECO] = "ECO",
        [TAG_DATE] = "Date",          [TAG_WHITE_ELO] = "WhiteElo", [TAG_RESULT] = "Result",
        [TAG_BLACK_ELO] = "BlackElo",
    };
    for (int i = 0; i < N_COLUMN_TAGS; i++)
        if (names[i][0] == name[0] && strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Is the tag's text what its column of numbers gives back? Fills that column. */
static bool number_tag(batch_game *g, int tag, const char *value, size_t n)
{
    switch (tag) {
    case TAG_WHITE_ELO: return (g->elo[TBY_WHITE] = tby_elo_read(value, n)) != 0;
    case TAG_BLACK_ELO: return (g->elo[TBY_BLACK] = tby_elo_read(value, n)) != 0;
    case TAG_RESULT:
        return strlen(tby_result_text(g->result)) == n && memcmp(value, tby_result_text(g->result), n) == 0;
    default: return false;
    }
}

/* A tag of the game, its text as it is: it may hold any byte. */
typedef struct tag_text {
    const char *name, *value;
    size_t n_name, n_value;
} tag_text;

static tag_text tag_at(const tby_game *game, size_t index)
{
    const game_tag *tag = &game->tags[index];
    return (tag_text){game->text + tag->name, game->text + tag->value, tag->n_name, tag->n_value};
}

static bool tag_is(const tag_text *tag, const char *name)
{
    return strlen(name) == tag->n_name && memcmp(name, tag->name, tag->n_name) == 0;
}

static void put_json_escape(tby_batch *b, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    const char named[2] = {'\\', (char)c}, numbered[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    if (c < ' ')
        put(b, numbered, sizeof numbered);
    else
        put(b, named, sizeof named);
}

static bool is_plain_json(char c) { return (unsigned char)c >= ' ' && c != '"' && c != '\\'; }

/* Bytes that are not UTF-8 become U+FFFD: then the game is kept whole beside. */
static void put_json_text(tby_batch *b, const char *s, size_t n)
{
    const bool is_utf8 = tby_utf8_is_valid(s, n);
    put(b, "\"", 1);
    for (size_t at = 0, end; at < n; at = end) {
        for (end = at; end < n && is_plain_json(s[end]) && (is_utf8 || (unsigned char)s[end] < 0x80); end++)
            continue;
        put(b, s + at, end - at);
        if (end < n && !is_plain_json(s[end]))
            put_json_escape(b, (unsigned char)s[end++]);
        else if (end < n && end++ < n)
            put(b, "\xef\xbf\xbd", 3);
    }
    put(b, "\"", 1);
    b->has_lost_text = b->has_lost_text || !is_utf8;
}

static void put_json_tag(tby_batch *b, const tag_text *tag, size_t start)
{
    put(b, b->n_bytes == start ? "{" : ",", 1);
    put_json_text(b, tag->name, tag->n_name);
    put(b, ":", 1);
    put_json_text(b, tag->value, tag->n_value);
}

static void add_name(tby_batch *b, const char *name, size_t n)
{
    if (!grow(b, &b->names, &b->cap_names, b->n_names + n + 1, 1))
        return;
    if (b->n_names)
        b->names[b->n_names++] = ' ';
    memcpy(b->names + b->n_names, name, n);
    b->n_names += n;
}

/* Games of one source mostly have the tags of the game before, in the same order. */
static span put_shape(tby_batch *b)
{
    const span last = b->n_games ? b->games[b->n_games - 1].shape : (span){0, SPAN_NULL};
    if (last.n == b->n_names && (last.n == 0 || memcmp(span_bytes(b, last), b->names, last.n) == 0))
        return last;
    return put_span(b, b->names, b->n_names);
}

/* Fills the column of the date: UTCDate stands in for a Date that is missing or unknown. False if there is a tag Date
   whose text the column does not give back. */
static bool set_date(batch_game *g, const tag_text *date, const tag_text *utc)
{
    char text[TAG_TEXT_SIZE];
    g->date = date->value ? tby_date_read(date->value, date->n_value) : 0;
    if (g->date == 0 && utc->value)
        g->date = tby_date_read(utc->value, utc->n_value);
    tby_date_write(text, g->date);
    return !date->value || (strlen(text) == date->n_value && memcmp(text, date->value, date->n_value) == 0);
}

/* The tags that columns hold; the others are noted. How many these are. */
static size_t put_columns(tby_batch *b, batch_game *g, const tby_game *game)
{
    const size_t n_tags = tby_game_n_tags(game);
    size_t n_others = 0, date_index = 0;
    tag_text date = {0}, utc = {0};
    for (size_t i = 0; i < n_tags; i++) {
        const tag_text tag = tag_at(game, i);
        const int column = column_tag(tag.name);
        add_name(b, tag.name, tag.n_name);
        if (column == TAG_DATE) {
            date = tag;
            date_index = i;
        } else if (column >= 0 && column < N_TEXT_COLUMNS &&
                   (column != COL_ECO || tby_eco_is_code(tag.value, tag.n_value))) {
            g->texts[column] = put_span(b, tag.value, tag.n_value);
        } else if (!number_tag(g, column, tag.value, tag.n_value)) {
            b->others[n_others++] = (uint32_t)i;
            if (tag_is(&tag, "UTCDate"))
                utc = tag;
        }
    }
    if (!set_date(g, &date, &utc))
        b->others[n_others++] = (uint32_t)date_index;
    return n_others;
}

/* The texts of columns, then the object of the others. */
static void put_tags(tby_batch *b, batch_game *g, const tby_game *game)
{
    b->n_names = 0;
    b->has_lost_text = false;
    if (!grow(b, &b->others, &b->cap_others, tby_game_n_tags(game), sizeof *b->others))
        return;
    const size_t n_others = put_columns(b, g, game), start = b->n_bytes;
    for (size_t i = 0; i < n_others; i++) {
        const tag_text tag = tag_at(game, b->others[i]);
        put_json_tag(b, &tag, start);
    }
    if (b->n_bytes > start) {
        put(b, "}", 1);
        g->tags = span_from(b, start);
    }
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

static void put_moves(tby_batch *b, batch_game *g, const tby_game *game)
{
    const size_t most = TBY_PACKED_BOARD_SIZE + TBY_PACKED_TRAILER_SIZE + 2 + 3 * (size_t)g->n_plies;
    char *to = room(b, most);
    if (!to)
        return;
    const size_t start = b->n_bytes;
    b->n_bytes += tby_packed_encode((uint8_t *)to, most, tby_game_start(game), b->line, g->n_plies, g->result);
    g->moves = span_from(b, start);
}

/* Not hashed: another version of the library may know more openings. */
static void name_opening(const tby_batch *b, batch_game *g)
{
    tby_opening opening;
    if (g->texts[COL_ECO].n == SPAN_NULL &&
        tby_opening_of_chessgame(&opening, (const uint8_t *)span_bytes(b, g->moves), g->moves.n) >= 0)
        g->eco = opening.eco;
}

static tby_status put_annotated(tby_batch *b, batch_game *g, const tby_game *game)
{
    const size_t start = b->n_bytes;
    if (tby_game_is_plain(game) && !tby_game_is_chess960(game) && !b->has_lost_text)
        return TBY_OK;
    const tby_status status = tby_cmbr_encode(game, put_to_arena, b, NULL, NULL);
    g->annotated = span_from(b, start);
    return status;
}

/* No NUL, and UTF-8. */
static bool can_be_text(const tag_text *tag)
{
    return !memchr(tag->value, '\0', tag->n_value) && tby_utf8_is_valid(tag->value, tag->n_value);
}

static tby_status check_limits(const tby_batch *b, const batch_game *g, const tby_game *game)
{
    bool can_hold = true;
    if (b->most_bytes == 0)
        return TBY_OK;
    for (size_t i = 0; i < tby_game_n_tags(game); i++) {
        const tag_text tag = tag_at(game, i);
        can_hold = can_hold && can_be_text(&tag);
    }
    return g->moves.n > b->most_bytes ? TBY_TOO_LONG : can_hold ? TBY_OK : TBY_CANNOT_HOLD;
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

tby_status tby_batch_add(tby_batch *b, const tby_game *game)
{
    static const span null = {0, SPAN_NULL};
    const size_t start = b->n_bytes, n_plies = tby_game_main_line(game, b->line, TBY_PLIES_MAX + 1);
    if (n_plies > TBY_PLIES_MAX)
        return TBY_TOO_LONG;
    b->has_no_memory = false;
    if (!grow(b, &b->games, &b->cap_games, b->n_games + 1, sizeof *b->games))
        return TBY_NO_MEMORY;
    batch_game *g = &b->games[b->n_games];
    *g = (batch_game){.tags = null, .annotated = null, .n_plies = (uint32_t)n_plies, .result = tby_game_result(game)};
    for (int i = 0; i < N_TEXT_COLUMNS; i++)
        g->texts[i] = null;
    put_tags(b, g, game);
    put_moves(b, g, game);
    tby_status status = b->has_no_memory ? TBY_NO_MEMORY : check_limits(b, g, game);
    if (status == TBY_OK)
        status = put_annotated(b, g, game);
    g->shape = put_shape(b);
    if (status != TBY_OK || b->has_no_memory) {
        b->n_bytes = start;
        return b->has_no_memory ? TBY_NO_MEMORY : status;
    }
    g->hash = tby_same_hash(game, (const uint8_t *)span_bytes(b, g->moves), g->moves.n);
    name_opening(b, g);
    b->n_games++;
    return TBY_OK;
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

static tby_text text_of(const tby_batch *b, span s)
{
    return s.n == SPAN_NULL ? (tby_text){NULL, 0} : (tby_text){span_bytes(b, s), s.n};
}

tby_row tby_batch_row(const tby_batch *b, size_t index)
{
    const batch_game *g = &b->games[index];
    return (tby_row){
        .white = text_of(b, g->texts[COL_WHITE]),
        .black = text_of(b, g->texts[COL_BLACK]),
        .event = text_of(b, g->texts[COL_EVENT]),
        .site = text_of(b, g->texts[COL_SITE]),
        .round = text_of(b, g->texts[COL_ROUND]),
        .eco = g->eco ? (tby_text){g->eco, strlen(g->eco)} : text_of(b, g->texts[COL_ECO]),
        .shape = text_of(b, g->shape),
        .tags = text_of(b, g->tags),
        .moves = text_of(b, g->moves),
        .annotated = text_of(b, g->annotated),
        .date = g->date,
        .elo = {g->elo[TBY_WHITE], g->elo[TBY_BLACK]},
        .result = g->result,
        .plies = g->n_plies,
        .hash = g->hash,
    };
}
