/*
 * run_game.c - facts about the game: names, numbers, dates, openings.
 */
#include "query/run.h"

#include "query/fold.h"
#include "row/columns.h"

/* ---- Texts ---------------------------------------------------------------------------------------------- */

bool tby_run_text_fits(const tby_query *q, const query_node *node, const char *s, size_t n)
{
    const query_span text = node->u.t.text, folded = node->u.t.folded;
    if (!s)
        return text.n == 0;
    switch ((text_way)node->way) {
    case TEXT_WORDS: return tby_fold_has_words(s, n, query_bytes(q, folded), folded.n);
    case TEXT_PATTERN: return tby_fold_fits(s, n, query_bytes(q, folded), folded.n);
    default: return n == text.n && (n == 0 || memcmp(s, query_bytes(q, text), n) == 0);
    }
}

static bool fits(const tby_query_state *s, const query_node *node, tby_text value)
{
    return tby_run_text_fits(s->query, node, value.s, value.n);
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

/* The value of a tag that no column holds, in the state's memory if need be; none if there is none. */
static tby_text other_tag(tby_query_state *s, const char *name)
{
    json_text value;
    if (!tby_row_other_tag(s->game->row, name, &value))
        return (tby_text){NULL, 0};
    if (!value.has_escapes)
        return (tby_text){value.s, value.n};
    s->text.n = 0;
    char *out = tby_query_room(&s->allocator, &s->text, value.n + 1, 1);
    if (!out)
        return state_fail(s, TBY_QUERY_NO_MEMORY), (tby_text){NULL, 0};
    return (tby_text){out, tby_json_unescape(out, &value)};
}

static tby_text tag(tby_query_state *s, const char *name, char room[TBY_ROW_TEXT_SIZE])
{
    const tby_text other = other_tag(s, name);
    const row_column *c = other.s ? NULL : tby_column_of_tag(name, strlen(name));
    return c && tby_row_has_tag(s->game->row, name) ? tby_column_tag(c, s->game->row, room) : other;
}

static bool tag_fits(tby_query_state *s, const query_node *node, const char *name)
{
    char number[TBY_ROW_TEXT_SIZE];
    return fits(s, node, tag(s, name, number));
}

/* ---- Speeds --------------------------------------------------------------------------------------------- */

static bool speed_holds(const tby_query_state *s, const query_node *node)
{
    const tby_row *row = s->game->row;
    const tby_speed speed = node->number == TBY_SPEED_ULTRABULLET ? tby_row_speed(row) : row->speed;
    return (int64_t)speed == node->number;
}

/* ---- Dates ---------------------------------------------------------------------------------------------- */

/* A text that is not there has no end either. */
static const char *text_end(tby_text text) { return text.s ? text.s + text.n : NULL; }

/* Digits and question marks: the least and the greatest number that they may be; false for anything else. */
static bool read_part(const char **at, const char *end, int n, int *low, int *high)
{
    *low = *high = 0;
    for (int i = 0; i < n; i++, ++*at) {
        if (*at == end || ((**at < '0' || **at > '9') && **at != '?'))
            return false;
        *low = *low * 10 + (**at == '?' ? 0 : **at - '0');
        *high = *high * 10 + (**at == '?' ? 9 : **at - '0');
    }
    return true;
}

/* The first and the last day that a date can mean; false if its year is not known. */
static bool read_date(tby_text text, int64_t *first, int64_t *last)
{
    const char *at = text.s, *end = text_end(text);
    int low, high;
    if (!text.s || text.n < 4 || *at == '?' || !read_part(&at, end, 4, &low, &high))
        return false;
    *first = low;
    *last = high;
    for (int part = 0; part < 2; part++) {
        low = 0;
        high = 99;
        if (at < end && (*at == '.' || *at == '-' || *at == '/')) {
            at++;
            if (!read_part(&at, end, 2, &low, &high))
                return false;
        }
        *first = *first * 100 + low;
        *last = *last * 100 + high;
    }
    return at == end;
}

static bool is_date_in(tby_query_state *s, const query_node *node)
{
    const tby_row *row = s->game->row;
    int64_t first = row->date, last = row->date;
    if (row->date)
        last += row->date % 10000 == 0 ? 9999 : row->date % 100 == 0 ? 99 : 0;
    else if (!read_date(other_tag(s, "Date"), &first, &last) && !read_date(other_tag(s, "UTCDate"), &first, &last))
        return false;
    return last >= node->u.range.low && first <= node->u.range.high;
}

/* ---- Numbers -------------------------------------------------------------------------------------------- */

static bool is_in(const query_node *node, int64_t number)
{
    return number >= node->u.range.low && number <= node->u.range.high;
}

static bool is_elo_in(const query_node *node, int elo) { return elo > 0 && is_in(node, elo); }

/* Of halves too: 2400 and 2401 are above 2400 and under 2401. */
static bool is_mean_in(const query_node *node, const int elo[2])
{
    const int64_t twice = tby_order_elo_twice(elo);
    return elo[TBY_WHITE] && elo[TBY_BLACK] && twice >= mean_elo_bound(node->u.range.low) &&
           twice <= mean_elo_bound(node->u.range.high);
}

static bool elo_holds(const tby_row *row, const query_node *node)
{
    const bool white = is_elo_in(node, row->elo[TBY_WHITE]), black = is_elo_in(node, row->elo[TBY_BLACK]);
    switch (node->type) {
    case Q_MEAN_ELO: return is_mean_in(node, row->elo);
    case Q_ELO: return white && black;
    case Q_ANY_ELO: return white || black;
    default: return node->type == Q_WHITE_ELO ? white : black;
    }
}

static bool result_holds(const tby_query_game *game, const query_node *node)
{
    const tby_result result = game->row ? game->row->result : tby_packed_result(game->moves, game->n_moves);
    return (int64_t)result == node->number;
}

static bool plies_hold(tby_query_state *s, const query_node *node)
{
    if (s->n_positions)
        return is_in(node, (int64_t)s->n_positions - 1);
    const tby_query_game *game = s->game;
    return is_in(node, game->row ? (int64_t)game->row->plies : (int64_t)tby_packed_n_plies(game->moves, game->n_moves));
}

/* ---- Openings ------------------------------------------------------------------------------------------- */

/* Compares in upper case; a code that begins with the bound belongs to it. */
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

static bool eco_holds(const tby_query_state *s, const query_node *node)
{
    const tby_text code = s->game->row->eco;
    if (node->way != TEXT_CODES)
        return fits(s, node, code);
    const query_span low = node->u.t.text, high = node->u.t.name;
    return code.s && compare_code(code, query_bytes(s->query, low), low.n) >= 0 &&
           compare_code(code, query_bytes(s->query, high), high.n) <= 0;
}

static bool name_holds(const tby_query_state *s, const query_node *node)
{
    tby_opening opening;
    const bool has_name = tby_opening_of_chessgame(&opening, s->game->moves, s->game->n_moves) >= 0;
    return tby_run_text_fits(s->query, node, has_name ? opening.name : NULL, has_name ? strlen(opening.name) : 0);
}

/* ---- All of them ---------------------------------------------------------------------------------------- */

bool tby_row_is_rated(const tby_row *row)
{
    return row->event.s && tby_fold_has_words(row->event.s, row->event.n, "rated", 6);
}

bool tby_run_game(tby_query_state *s, const query_node *node)
{
    const tby_row *row = s->game->row;
    const query_span text = node->u.t.text;
    switch ((query_type)node->type) {
    case Q_WHITE: return fits(s, node, row->white);
    case Q_BLACK: return fits(s, node, row->black);
    case Q_PLAYER: return fits(s, node, row->white) || fits(s, node, row->black);
    case Q_EVENT: return fits(s, node, row->event);
    case Q_SITE: return fits(s, node, row->site);
    case Q_ROUND: return fits(s, node, row->round);
    case Q_TIMECONTROL: return tag_fits(s, node, "TimeControl");
    case Q_TERMINATION: return tag_fits(s, node, "Termination");
    case Q_TITLE: return tag_fits(s, node, "WhiteTitle") || tag_fits(s, node, "BlackTitle");
    case Q_TAG: return tag_fits(s, node, query_bytes(s->query, node->u.t.name));
    case Q_NAMED: return name_holds(s, node);
    case Q_ECO: return eco_holds(s, node);
    case Q_ELO:
    case Q_WHITE_ELO:
    case Q_BLACK_ELO:
    case Q_ANY_ELO:
    case Q_MEAN_ELO: return elo_holds(row, node);
    case Q_DATE: return is_date_in(s, node);
    case Q_PLIES: return plies_hold(s, node);
    case Q_ID: return s->game->id > 0 && is_in(node, s->game->id);
    case Q_RESULT: return result_holds(s->game, node);
    case Q_SPEED: return speed_holds(s, node);
    case Q_OPENING:
        return tby_chessgame_has_opening(s->game->moves, s->game->n_moves, (const uint8_t *)query_bytes(s->query, text),
                                         text.n);
    case Q_RATED: return tby_row_is_rated(row);
    case Q_ANNOTATED: return tby_run_is_annotated(s);
    default: return false;
    }
}
