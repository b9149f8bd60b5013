/*
 * api_games.c - answers from the database: info, explore, find, names, game.
 */
#include "explore.h"
#include "info.h"
#include "listing.h"
#include "site_games.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIND_LIMIT = 50, FIND_LIMIT_MAX = 1000 };

/* ---- Conditions ------------------------------------------------------------------------------------------------- */

/* Those of the command, by the names of its options; the query itself is called q here. SQL is not offered, because the
   server is open to anybody. */
const char *condition_name(int index) { return index == QUERY_QUERY ? "q" : query_names[index]; }

bool find_takes(const char *name)
{
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (i != QUERY_WHERE && i != QUERY_THREADS && i != QUERY_PATTERNS && strcmp(condition_name(i), name) == 0)
            return true;
    return false;
}

/* In /api/explore the position is a separate parameter. */
bool explore_takes(const char *name)
{
    static const int others[] = {QUERY_FEN, QUERY_BOARD, QUERY_WITHIN, QUERY_LIMIT, QUERY_OFFSET, QUERY_CHESS960};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(query_names[others[i]], name) == 0)
            return false;
    return find_takes(name);
}

static bool conditions_read(query *out, const question *q, games *g, bool (*takes)(const char *name), const char *match,
                            tby_text facts)
{
    query_values values = {.who = "", .dashes = "", .patterns = g->patterns, .match = match, .facts = facts};
    bool is_chess960;
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (takes(condition_name(i)))
            values.of[i] = params_value(q->params, condition_name(i));
    if (!question_switch(&is_chess960, q, query_names[QUERY_CHESS960]))
        return false;
    if (!is_chess960)
        values.of[QUERY_CHESS960] = NULL;
    games_start_clock(g, q->request);
    const bool is_good = query_read(out, &values, g->db, q->problem);
    g->asked_by = NULL;
    return is_good;
}

bool games_conditions(query *out, const question *q, games *g, bool (*takes)(const char *name), tby_text facts)
{
    return conditions_read(out, q, g, takes, NULL, facts);
}

/* ---- Similar names ---------------------------------------------------------------------------------------------- */

static void write_name(void *context, tby_text name) { json_add(context, "%.*s", (int)name.n, name.s); }

bool games_offer_names(games *g, const question *q)
{
    enum { NAMES_MAX = 5 };
    static const int names[] = {QUERY_PLAYER, QUERY_WHITE, QUERY_BLACK};
    buffer *out = &q->response->body;
    const size_t end = out->n;
    int64_t n_names = 0, n_games = 0;
    const char *name = NULL;
    for (size_t i = 0; !name && i < sizeof names / sizeof *names; i++)
        name = params_value(q->params, query_names[names[i]]);
    if (!name)
        return true;
    tby_status status = tby_db_known(&n_names, &n_games, g->db, TBY_DB_PLAYERS, name, strlen(name));
    if (n_names)
        return games_are_read(g, q, status);
    json_add(out, "'near':[");
    const size_t begin = out->n;
    if (status == TBY_OK)
        status = tby_db_near_players(g->db, name, strlen(name), NAMES_MAX, write_name, out);
    if (out->n == begin)
        out->n = end;
    else
        buffer_string(out, "]");
    return games_are_read(g, q, status);
}

/* ---- Info ------------------------------------------------------------------------------------------------------- */

static bool write_info(games *g, const question *q, const void *with_tables)
{
    buffer *out = &q->response->body;
    return info_write(out, g->db, true, *(const bool *)with_tables) ||
           games_fail(g, q, out->has_failed ? TBY_NO_MEMORY : TBY_IO_ERROR);
}

bool answer_info(games *g, const question *q)
{
    bool with_tables;
    return question_switch(&with_tables, q, "tables") &&
           games_answer(g, q, with_tables ? "info tables" : "info", false, write_info, &with_tables);
}

/* ---- Explore ---------------------------------------------------------------------------------------------------- */

/* Answers are cached by request: a position without conditions, or else the unchanged target. */
enum { ASKED_SIZE = TBY_FEN_SIZE + 24 };

typedef struct exploring {
    tby_position pos;
    query among;
    const char *match;
    uint64_t limit;
} exploring;

static size_t least(uint64_t limit, size_t n) { return limit < n ? (size_t)limit : n; }

/* In a position, or where a query first held. */
static bool write_explored(games *g, const question *q, const void *context)
{
    const exploring *e = context;
    buffer *out = &q->response->body;
    explored played = {.pos = e->match ? NULL : &e->pos};
    const tby_status status =
        explored_read(&played, g->db, e->match || e->among.has_condition ? &e->among.search : NULL);
    bool is_good = status == TBY_NO_MEMORY ? problem_no_memory(q->problem) : games_are_read(g, q, status);
    if (is_good)
        explored_write_json(out, &played, e->match, least(e->limit, played.n_moves));
    if (is_good && !e->match && !played.games && !out->has_failed) {
        out->n -= strlen("}\n");
        is_good = games_offer_names(g, q);
        buffer_string(out, "}\n");
    }
    free(played.moves);
    return is_good;
}

bool answer_explore(games *g, const question *q)
{
    exploring e = {.match = params_value(q->params, "match")};
    char name[ASKED_SIZE];
    if (!question_number(&e.limit, q, "limit", TBY_MOVES_MAX, TBY_MOVES_MAX))
        return false;
    if (e.match && (params_value(q->params, "fen") || params_value(q->params, "moves")))
        return problem_set(q->problem, PROBLEM_ASKED, "match cannot be used with fen or moves");
    if (!question_position(&e.pos, NULL, q) ||
        !conditions_read(&e.among, q, g, explore_takes, e.match, (tby_text){NULL, 0}))
        return false;
    e.among.search.n_threads = 1;
    const size_t n = tby_fen_write_position(name, TBY_FEN_SIZE, &e.pos, 0);
    snprintf(name + n, ASKED_SIZE - n, " %" PRIu64, e.limit);
    const bool is_good =
        games_answer(g, q, e.match || e.among.has_condition ? q->request->target : name, true, write_explored, &e);
    query_free(&e.among);
    return is_good;
}

/* ---- Find ------------------------------------------------------------------------------------------------------- */

typedef struct finding {
    games *games;
    buffer *out;
    int64_t n_found, limit;
    bool is_ended; /* before the search was over */
    tby_status status;
} finding;

static bool write_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    f->is_ended = f->n_found++ == f->limit || games_are_late(f->games);
    if (f->is_ended)
        return false;
    tby_row row;
    f->status = tby_db_row(&row, f->games->db, hit->id);
    if (f->status != TBY_OK)
        return false;
    listing_write(f->out, LISTING_JSON, NULL, hit, &row);
    f->out->n -= f->out->n && f->out->s[f->out->n - 1] == '\n'; /* it is a line */
    f->games->has_found = true;
    return true;
}

/* Finds one more than is shown, to know whether more follow. With `soon`, only those found by then, if there are any. */
static bool find_games(int64_t *n, games *g, const question *q, query *conditions, uint64_t soon)
{
    finding f = {.games = g, .out = &q->response->body, .limit = conditions->search.limit};
    conditions->search.limit++;
    conditions->search.wanted = TBY_WANTED_ROWS;
    g->soon = soon ? g->deadline - DATABASE_SECONDS * 1000 + (int64_t)soon : 0;
    buffer_string(f.out, "{\"games\":[");
    const tby_status status = tby_db_find(g->db, &conditions->search, write_hit, &f);
    if (f.status != TBY_OK || g->is_late || (status != TBY_OK && f.n_found <= f.limit && !g->is_cut))
        return games_fail(g, q, f.status != TBY_OK ? f.status : status);
    if (g->is_cut) { /* the next request may find more */
        q->response->etag[0] = '\0';
        response_header(q->response, "Cache-Control", "no-store");
    }
    buffer_string(f.out, "]");
    json_add(f.out, "'more':%i", f.is_ended || status != TBY_OK);
    *n = f.n_found;
    return true;
}

/* The parameter sort: a column of the list, elo, length or id, with a minus before it for descending order. */
static bool sort_read(tby_order *out, const question *q)
{
    static const char *const names[] = {"id",        "date",   "elo",   "plies", "white", "white_elo", "black",
                                        "black_elo", "result", "event", "site",  "eco",   "length"};
    const char *value = params_value(q->params, "sort");
    bool is_good = !value;
    tby_text fault;
    *out = (tby_order){.n = 0};
    for (size_t i = 0; !is_good && i < sizeof names / sizeof *names; i++)
        is_good = strcmp(names[i], value + (*value == '-')) == 0 && tby_order_read(out, value, &fault);
    return is_good ||
           problem_set(q->problem, PROBLEM_ASKED,
                       "sort must be a column of the list, elo, length or id, perhaps after a minus, not \"%.50s\"",
                       value);
}

static bool count_games(int64_t *n, games *g, const question *q, query *conditions)
{
    conditions->search.limit = conditions->search.offset = 0;
    const tby_status status = tby_db_count(n, g->db, &conditions->search);
    if (status != TBY_OK)
        return games_fail(g, q, status);
    json_add(&q->response->body, "{'count':%lld", (long long)*n);
    return true;
}

bool answer_find(games *g, const question *q)
{
    query conditions;
    tby_order order;
    uint64_t soon;
    int64_t n = 0;
    bool is_count;
    if (!question_switch(&is_count, q, "count") || !sort_read(&order, q) ||
        !question_number(&soon, q, "soon", 0, DATABASE_SECONDS * 1000) ||
        !games_conditions(&conditions, q, g, find_takes, (tby_text){NULL, 0}))
        return false;
    conditions.search.n_threads = 1; /* other requests use the other threads */
    conditions.search.limit = conditions.search.limit ? conditions.search.limit : FIND_LIMIT;
    bool is_good = conditions.search.limit <= FIND_LIMIT_MAX ||
                   problem_set(q->problem, PROBLEM_ASKED, "limit must be a number from 1 to %d", FIND_LIMIT_MAX);
    const bool is_sorted = !is_count && (order.n || order.ids_fall);
    if (is_good && (is_good = is_sorted ? games_begin(g, q) : games_begin_one(g, q, NULL))) {
        conditions.search.order = is_sorted ? &order : NULL;
        is_good = is_count ? count_games(&n, g, q, &conditions)
                           : find_games(&n, g, q, &conditions, is_sorted ? 0 : soon);
        is_good = is_good && (n > 0 || games_offer_names(g, q));
        if (conditions.understood.n) /* what a text was understood as */
            json_add(&q->response->body, "'query':%.*s", (int)conditions.understood.n, conditions.understood.s);
        if (conditions.words.n)
            reading_write(&q->response->body, &conditions.words);
        buffer_string(&q->response->body, "}\n");
        games_end(g);
    }
    query_free(&conditions);
    return is_good;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static void write_named(void *context, tby_text name, int64_t n_games)
{
    json_add(context, "{'name':%.*s,'games':%lld}", (int)name.n, name.s, (long long)n_games);
}

typedef struct suggesting {
    const char *prefix;
    uint64_t limit;
} suggesting;

static bool write_names(games *g, const question *q, const void *context)
{
    const suggesting *s = context;
    buffer *out = &q->response->body;
    buffer_string(out, "{\"names\":[");
    const tby_status status =
        tby_db_suggest_players(g->db, s->prefix, strlen(s->prefix), (size_t)s->limit, write_named, out);
    buffer_string(out, "]}\n");
    return games_are_read(g, q, status);
}

bool answer_names(games *g, const question *q)
{
    enum { NAMES_LIMIT = 10, NAMES_LIMIT_MAX = 50 };
    suggesting s;
    return question_needed(&s.prefix, q, "prefix") &&
           question_number(&s.limit, q, "limit", NAMES_LIMIT, NAMES_LIMIT_MAX) &&
           games_answer(g, q, q->request->target, true, write_names, &s);
}

static bool write_collections(games *g, const question *q, const void *game)
{
    buffer *out = &q->response->body;
    buffer_string(out, "{\"collections\":[");
    const tby_status status = tby_db_collections(g->db, (tby_game_id) * (const uint64_t *)game, write_named, out);
    buffer_string(out, "]}\n");
    return games_are_read(g, q, status);
}

bool answer_collections(games *g, const question *q)
{
    uint64_t game;
    return question_number(&game, q, "game", 0, INT64_MAX) && games_answer(g, q, NULL, true, write_collections, &game);
}

/* ---- Game ------------------------------------------------------------------------------------------------------- */

static const char *type_of(const tby_game_notation *to)
{
    if (to->is_binary)
        return "application/octet-stream";
    return strcmp(to->name, "json") == 0 ? "application/json" : "text/plain;charset=utf-8";
}

/* `type` NULL is that of the notation. */
static bool write_game(games *g, const question *q, tby_game_id id, const tby_game_notation *to, const char *type)
{
    buffer *out = &q->response->body;
    char text[TBY_ERROR_SIZE];
    tby_error err = {.status = TBY_OK};
    const tby_status status = tby_db_game(g->game, g->db, id);
    if (status == TBY_NOT_FOUND)
        return problem_set(q->problem, PROBLEM_ABSENT, "there is no game %" PRId64, id);
    if (status != TBY_OK)
        return games_fail(g, q, status);
    if (to->write_header)
        to->write_header(buffer_sink, out);
    if (to->write(g->game, buffer_sink, out, &err) != TBY_OK) {
        if (out->has_failed || err.status == TBY_NO_MEMORY)
            return problem_no_memory(q->problem);
        tby_error_write(text, sizeof text, &err);
        return problem_set(q->problem, PROBLEM_ASKED, "%s: %s", to->name, text);
    }
    response_header(q->response, "Content-Type", type ? type : type_of(to));
    return true;
}

bool question_id(tby_game_id *out, const question *q)
{
    const char *number;
    uint64_t id = 0;
    const bool is_good = question_needed(&number, q, "id") &&
                         problem_number(&id, "id", number, 1, INT64_MAX, q->problem);
    *out = (tby_game_id)id;
    return is_good;
}

static bool read_game(games *g, const question *q, const tby_game_notation *to, const char *type)
{
    tby_game_id id;
    if (!question_id(&id, q) || !games_begin_one(g, q, NULL))
        return false;
    const bool is_good = write_game(g, q, id, to, type);
    games_end(g);
    return is_good;
}

bool answer_game(games *g, const question *q)
{
    const char *name = params_value(q->params, "to");
    const char *wanted = name ? name : "pgn";
    const tby_game_notation *to = tby_game_notation_find(wanted, strlen(wanted));
    if (!to)
        return problem_set(q->problem, PROBLEM_ASKED, "to: %.100s is not a notation of games", wanted);
    return read_game(g, q, to, NULL);
}

bool answer_masters_pgn(games *g, const question *q)
{
    return read_game(g, q, tby_game_notation_find("pgn", 3), "application/x-chess-pgn");
}
