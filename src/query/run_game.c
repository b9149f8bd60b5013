/*
 * run_game.c - facts about the game: names, numbers, dates, openings.
 */
#include "pgn/pgn_reader.h"
#include "query/copy.h"
#include "query/facts.h"
#include "query/fold.h"
#include "query/members.h"
#include "row/columns.h"
#include "row/dates.h"

/* ---- Texts ---------------------------------------------------------------------------------------------- */

bool run_text_fits(const tby_query *q, const query_node *node, const char *s, size_t n)
{
    const query_span text = node->u.t.text, folded = node->u.t.folded;
    if (!s)
        return text.n == 0;
    switch ((text_way)node->way) {
    case TEXT_WORDS: return fold_has_words(s, n, query_bytes(q, folded), folded.n);
    case TEXT_PATTERN: return fold_fits(s, n, query_bytes(q, folded), folded.n);
    case TEXT_PERSON:
        return fold_has_words(s, n, query_bytes(q, node->u.t.name), node->u.t.name.n) &&
               person_is_asked(query_bytes(q, text), text.n, s, n) &&
               !people_part(q->people, (tby_text){query_bytes(q, text), text.n}, (tby_text){s, n});
    default: return n == text.n && (n == 0 || memcmp(s, query_bytes(q, text), n) == 0);
    }
}

static bool fits(const tby_query_state *s, const query_node *node, tby_text value)
{
    return run_text_fits(s->query, node, value.s, value.n);
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* The value of a tag without a column, in the state's memory if necessary; an empty text if there is none. */
static tby_text other_tag(tby_query_state *s, const char *name)
{
    json_text value;
    if (!row_other_tag(s->game->row, name, &value))
        return (tby_text){NULL, 0};
    if (!value.has_escapes)
        return (tby_text){value.s, value.n};
    s->text.n = 0;
    char *out = array_list_room(&s->allocator, &s->text, value.n + 1, 1);
    if (!out)
        return state_fail(s, TBY_QUERY_NO_MEMORY), (tby_text){NULL, 0};
    return (tby_text){out, json_unescape(out, &value)};
}

static tby_text tag(tby_query_state *s, const char *name, char room[TBY_ROW_TEXT_SIZE])
{
    const tby_text other = other_tag(s, name);
    const row_column *c = other.s ? NULL : column_of_tag(name, strlen(name));
    return c && row_has_tag(s->game->row, name) ? column_tag(c, s->game->row, room) : other;
}

static bool tag_fits(tby_query_state *s, const query_node *node, const char *name)
{
    char number[TBY_ROW_TEXT_SIZE];
    return fits(s, node, tag(s, name, number));
}

GAME_FACT(run_timecontrol) { return tag_fits(s, node, "TimeControl"); }
GAME_FACT(run_termination) { return tag_fits(s, node, "Termination"); }
GAME_FACT(run_title) { return tag_fits(s, node, "WhiteTitle") || tag_fits(s, node, "BlackTitle"); }
GAME_FACT(run_white_title) { return tag_fits(s, node, "WhiteTitle"); }
GAME_FACT(run_black_title) { return tag_fits(s, node, "BlackTitle"); }
GAME_FACT(run_chess960)
{
    const tby_text variant = other_tag(s, "Variant");
    (void)node;
    return variant.s && pgn_read_variant(variant.s, variant.n) == PGN_CHESS960;
}

/* ---- Relations ------------------------------------------------------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A decimal number of at most nine digits before the point, in millionths. */
static bool read_decimal(int64_t *out, tby_text text)
{
    enum { WHOLE = 9, PLACES = 6 };
    const size_t start = text.n > 0 && (text.s[0] == '-' || text.s[0] == '+');
    size_t at = start, places = 0;
    for (*out = 0; at < text.n && at - start < WHOLE && is_digit(text.s[at]); at++)
        *out = *out * 10 + (text.s[at] - '0');
    const bool has_digits = at > start;
    const bool has_point = at < text.n && text.s[at] == '.';
    at += has_point;
    for (; has_point && at < text.n && places < PLACES && is_digit(text.s[at]); at++, places++)
        *out = *out * 10 + (text.s[at] - '0');
    for (; places < PLACES; places++)
        *out *= 10;
    *out = start && text.s[0] == '-' ? -*out : *out;
    return has_digits && at == text.n;
}

/* Takes the next number of a text, without leading zeros, or the next byte. */
static tby_text take_run(tby_text *text, bool *is_number)
{
    size_t n = 0, zeros = 0;
    for (; n < text->n && is_digit(text->s[n]); n++)
        zeros += text->s[n] == '0' && zeros == n;
    *is_number = n > 0;
    const tby_text run = {text->s + zeros, n ? n - zeros : 1};
    *text = (tby_text){text->s + (n ? n : 1), text->n - (n ? n : 1)};
    return run;
}

static int lower(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

/* The order of --sort (order.c): without case, and with numbers by their value. */
static int natural_order(tby_text a, tby_text b)
{
    while (a.n && b.n) {
        bool are_numbers[2];
        const int first[] = {lower(*a.s), lower(*b.s)};
        const tby_text x = take_run(&a, &are_numbers[0]), y = take_run(&b, &are_numbers[1]);
        const int order = !are_numbers[0] || !are_numbers[1] ? first[0] - first[1]
                          : x.n != y.n                       ? (x.n > y.n) - (x.n < y.n)
                                                             : memcmp(x.s, y.s, x.n);
        if (order)
            return order;
    }
    return (a.n > 0) - (b.n > 0);
}

/* With a number only tags that are numbers compare, a time control by the seconds of its first period. */
static bool tag_compares(tby_query_state *s, const query_node *node, const char *name)
{
    const tby_text asked = {query_bytes(s->query, node->u.t.text), node->u.t.text.n};
    char room[TBY_ROW_TEXT_SIZE];
    const tby_text value = tag(s, name, room);
    int64_t a, b;
    if (!value.s || !value.n || value.s[0] == '?')
        return false;
    if (!read_decimal(&b, asked))
        return op_holds(node->op, natural_order(value, asked), 0);
    const int64_t seconds = strcmp(name, "TimeControl") == 0 ? speed_base(value.s, value.n) : -1;
    return seconds >= 0 ? op_holds(node->op, seconds * 1000000, b)
                        : read_decimal(&a, value) && op_holds(node->op, a, b);
}

GAME_FACT(run_tag)
{
    const char *name = query_bytes(s->query, node->u.t.name);
    return node->op ? tag_compares(s, node, name) : tag_fits(s, node, name);
}

bool tby_row_is_rated(const tby_row *row)
{
    return row->event.s && fold_has_words(row->event.s, row->event.n, "rated", 6);
}

/* The tag is needed to recognize ultrabullet within bullet. */
GAME_FACT(run_speed)
{
    const tby_row *row = s->game->row;
    const tby_speed speed = node->number == TBY_SPEED_ULTRABULLET ? tby_row_speed(row) : row->speed;
    return (int64_t)speed == node->number;
}

GAME_FACT(run_date)
{
    const date_range range = dates_range(node->u.range.low, node->u.range.high);
    return dates_meet(&range, s->game->row->first_day, s->game->row->last_day);
}

/* ---- Numbers -------------------------------------------------------------------------------------------- */

static bool is_in(const query_node *node, int64_t number)
{
    return number >= node->u.range.low && number <= node->u.range.high;
}

GAME_FACT(run_id) { return s->game->id > 0 && is_in(node, s->game->id); }

GAME_FACT(run_collection) { return members_have(s->members, s->query, node, s->game->id) != node_is_uncollected(node); }

GAME_FACT(run_result)
{
    const tby_query_game *game = s->game;
    const tby_result result = game->row ? game->row->result : tby_packed_result(game->moves, game->n_moves);
    return (int64_t)result == node->number;
}

GAME_FACT(run_plies)
{
    if (s->n_positions)
        return is_in(node, (int64_t)s->n_positions - 1);
    const tby_query_game *game = s->game;
    return is_in(node, game->row ? (int64_t)game->row->plies : (int64_t)tby_packed_n_plies(game->moves, game->n_moves));
}

/* ---- Openings ------------------------------------------------------------------------------------------- */

/* Ignores case; a code that begins with the bound is equal to it. */
static int compare_code(tby_text code, const char *bound, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int a = i < code.n ? code.s[i] & ~(code.s[i] >= 'a' ? 32 : 0) : 0,
                  b = bound[i] & ~(bound[i] >= 'a' ? 32 : 0);
        if (a != b)
            return a - b;
    }
    return 0;
}

GAME_FACT(run_eco)
{
    const tby_text code = s->game->row->eco;
    if (node->way != TEXT_CODES)
        return fits(s, node, code);
    const query_span low = node->u.t.text, high = node->u.t.name;
    return code.s && compare_code(code, query_bytes(s->query, low), low.n) >= 0 &&
           compare_code(code, query_bytes(s->query, high), high.n) <= 0;
}

GAME_FACT(run_named)
{
    tby_opening opening;
    const bool has_name = tby_opening_of_chessgame(&opening, s->game->moves, s->game->n_moves) >= 0;
    return run_text_fits(s->query, node, has_name ? opening.name : NULL, has_name ? strlen(opening.name) : 0);
}

GAME_FACT(run_opening)
{
    const query_span text = node->u.t.text;
    return tby_chessgame_has_opening(s->game->moves, s->game->n_moves, (const uint8_t *)query_bytes(s->query, text),
                                     text.n);
}

/* ---- Columns -------------------------------------------------------------------------------------------- */

static int column_number(const tby_row *row, const fact_column *c)
{
    int number;
    memcpy(&number, (const char *)row + c->offset, sizeof number);
    return number;
}

static bool column_holds(const tby_query_state *s, const query_node *node, const query_fact *fact, const fact_column *c)
{
    const tby_row *row = s->game->row;
    switch ((fact_value)fact->value) {
    case VALUE_RANGE: return column_number(row, c) >= fact->least && is_in(node, column_number(row, c));
    default: return fits(s, node, *(const tby_text *)((const char *)row + c->offset));
    }
}

static bool combination_holds(const tby_row *row, const query_node *node, const query_fact *fact)
{
    const int a = column_number(row, &fact->columns[0]), b = column_number(row, &fact->columns[1]);
    const int64_t number = fact_combined(fact, a, b);
    return a >= fact->least && b >= fact->least && number >= fact_bound(fact, node->u.range.low) &&
           number <= fact_bound(fact, node->u.range.high);
}

static bool columns_hold(const tby_query_state *s, const query_node *node, const query_fact *fact)
{
    if (fact_is_combined(fact))
        return combination_holds(s->game->row, node, fact);
    const bool first = column_holds(s, node, fact, &fact->columns[0]);
    return !fact->columns[1].name || first == (fact->of == OF_ANY) ? first
                                                                   : column_holds(s, node, fact, &fact->columns[1]);
}

bool run_game(tby_query_state *s, const query_node *node)
{
    const query_fact *fact = fact_of_node(node);
    return fact->holds ? fact->holds(s, node) : columns_hold(s, node, fact);
}
