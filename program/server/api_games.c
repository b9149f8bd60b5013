/*
 * api_games.c - answers from the database: info, explore, find, names, game.
 */
#include "explore.h"
#include "info.h"
#include "line.h"
#include "listing.h"
#include "query.h"
#include "site_games.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIND_LIMIT = 50, FIND_LIMIT_MAX = 1000 };

/* ---- Conditions ------------------------------------------------------------------------------------------------- */

/* Those of the command, by the names of its options; the query itself is called q here. SQL is not offered, because the
   server is open to anybody. */
static const char *name_of(int index) { return index == QUERY_QUERY ? "q" : query_names[index]; }

bool find_takes(const char *name)
{
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (i != QUERY_WHERE && i != QUERY_THREADS && i != QUERY_PATTERNS && strcmp(name_of(i), name) == 0)
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

static bool conditions_read(query *out, const question *q, games *g, bool (*takes)(const char *name), const char *match)
{
    query_values values = {.who = "", .dashes = "", .patterns = g->patterns, .match = match};
    bool is_chess960;
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (takes(name_of(i)))
            values.of[i] = params_value(q->params, name_of(i));
    if (!params_switch(&is_chess960, q->params, query_names[QUERY_CHESS960], q->problem))
        return false;
    if (!is_chess960)
        values.of[QUERY_CHESS960] = NULL;
    games_start_clock(g, q);
    const bool is_good = query_read(out, &values, g->db, q->problem);
    g->asked_by = NULL;
    return is_good;
}

bool games_conditions(query *out, const question *q, games *g) { return conditions_read(out, q, g, find_takes, NULL); }

/* ---- Members added to an answer
   ------------------------------------------------------------------------------------------------- */

static void write_name(void *context, tby_text name)
{
    buffer *out = context;
    buffer_string(out, out->s[out->n - 1] == '[' ? "" : ",");
    buffer_json(out, name.s, name.n);
}

/* The position before the final bracket and line end of an answer, which are removed; SIZE_MAX if there are none. */
static size_t reopen(buffer *out)
{
    if (out->has_failed || out->n < 2)
        return SIZE_MAX;
    out->n -= 2;
    return out->n;
}

/* What a text was understood as. */
static bool add_understood(const query *conditions, const question *q)
{
    buffer *out = &q->response->body;
    if (conditions->understood.n == 0 || reopen(out) == SIZE_MAX)
        return true;
    buffer_string(out, ",\"query\":");
    buffer_json(out, conditions->understood.s, conditions->understood.n);
    buffer_string(out, "}\n");
    return !out->has_failed || problem_no_memory(q->problem);
}

/* If a request about a player finds no games, the answer gets a last member: similar names, if there are any. */
static bool offer_names(games *g, const question *q)
{
    enum { NAMES_MAX = 5 };
    static const int names[] = {QUERY_PLAYER, QUERY_WHITE, QUERY_BLACK};
    buffer *out = &q->response->body;
    const char *name = NULL;
    for (size_t i = 0; !name && i < sizeof names / sizeof *names; i++)
        name = params_value(q->params, query_names[names[i]]);
    const size_t end = name ? reopen(out) : SIZE_MAX;
    if (end == SIZE_MAX)
        return true;
    buffer_string(out, ",\"near\":[");
    if (out->has_failed)
        return problem_no_memory(q->problem);
    const size_t begin = out->n;
    const tby_status status = tby_db_near_players(g->db, name, strlen(name), NAMES_MAX, write_name, out);
    if (out->n == begin)
        out->n = end;
    else
        buffer_string(out, "]");
    buffer_string(out, "}\n");
    return (status == TBY_OK && !g->is_late) || games_fail(g, q, status != TBY_OK ? status : TBY_IO_ERROR);
}

/* ---- Info ------------------------------------------------------------------------------------------------------- */

bool answer_info(games *g, const question *q)
{
    buffer *out = &q->response->body;
    bool with_tables;
    if (!params_switch(&with_tables, q->params, "tables", q->problem) || !games_begin(g, q))
        return false;
    const char *name = with_tables ? "info tables" : "info";
    bool is_good = games_find_kept(g, name, out);
    if (!is_good) {
        is_good = info_write(out, g->db, true, with_tables);
        if (is_good)
            games_keep(g, name, out);
        else
            games_fail(g, q, out->has_failed ? TBY_NO_MEMORY : TBY_IO_ERROR);
    }
    games_end(g);
    return is_good;
}

/* ---- Explore ---------------------------------------------------------------------------------------------------- */

static bool read_position(tby_position *pos, const question *q)
{
    const char *fen = params_value(q->params, "fen"), *moves = params_value(q->params, "moves");
    bool is_chess960;
    fen = fen ? fen : "startpos";
    return params_switch(&is_chess960, q->params, "chess960", q->problem) &&
           fen_position(pos, fen_named(fen, strlen(fen)), is_chess960 ? TBY_FEN_CHESS960 : 0, TBY_FAULTS_UNREACHABLE,
                        q->problem) &&
           (!moves || line_read(pos, NULL, "moves", moves, q->problem));
}

/* Answers are cached by request: a position without conditions, or else the unchanged target. */
enum { ASKED_SIZE = TBY_FEN_SIZE + 24 };

static void write_asked(char asked[ASKED_SIZE], const tby_position *pos, uint64_t limit)
{
    const size_t n = tby_fen_write_position(asked, TBY_FEN_SIZE, pos, 0);
    snprintf(asked + n, ASKED_SIZE - n, " %" PRIu64, limit);
}

static bool explore(games *g, const question *q, const char *asked, const tby_position *pos, const query *among,
                    uint64_t limit)
{
    buffer *out = &q->response->body;
    if (games_find_kept(g, asked, out))
        return true;
    const tby_status status = tby_db_explore(g->moves, g->db, pos, among->has_condition ? &among->search : NULL);
    if (status != TBY_OK || g->is_late)
        return games_fail(g, q, status);
    explore_write_json(out, pos, g->moves, limit < g->moves->n_moves ? (size_t)limit : g->moves->n_moves);
    if (g->moves->games == 0 && !offer_names(g, q))
        return false;
    games_keep(g, asked, out);
    return true;
}

/* The moves played where a query first held. */
static bool explore_match(games *g, const question *q, const query *found, const char *match, uint64_t limit)
{
    buffer *out = &q->response->body;
    tby_db_played played;
    if (games_find_kept(g, q->request->target, out))
        return true;
    const tby_status status = tby_db_explore_match(&played, g->db, &found->search);
    if (status != TBY_OK)
        return games_fail(g, q, status);
    const bool is_good = !g->is_late || games_fail(g, q, TBY_IO_ERROR);
    if (is_good) {
        explore_write_match(out, match, &played, limit < played.n_moves ? (size_t)limit : played.n_moves);
        games_keep(g, q->request->target, out);
    }
    tby_db_played_free(&played);
    return is_good;
}

static bool refuse_position(const question *q)
{
    if (!params_value(q->params, "fen") && !params_value(q->params, "moves"))
        return true;
    return problem_tell(q->problem, PROBLEM_ASKED, "match cannot be used with fen or moves");
}

bool answer_explore(games *g, const question *q)
{
    const char *value = params_value(q->params, "limit"), *match = params_value(q->params, "match");
    uint64_t limit = TBY_MOVES_MAX;
    char name[ASKED_SIZE];
    tby_position pos;
    query among;
    if ((value && !problem_number(&limit, "limit", value, 1, TBY_MOVES_MAX, q->problem)) ||
        (match && !refuse_position(q)) || !read_position(&pos, q) ||
        !conditions_read(&among, q, g, explore_takes, match))
        return false;
    among.search.n_threads = 1;
    write_asked(name, &pos, limit);
    const char *asked = match || among.has_condition ? q->request->target : name;
    bool is_good = games_begin_one(g, q, asked);
    if (is_good) {
        is_good = match ? explore_match(g, q, &among, match, limit) : explore(g, q, asked, &pos, &among, limit);
        games_end(g);
    }
    query_free(&among);
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
    buffer_string(f->out, f->n_found > 1 ? "," : "");
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
static bool find_games(games *g, const question *q, query *conditions, uint64_t soon)
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
    buffer_printf(f.out, "],\"more\":%s}\n", f.is_ended || status != TBY_OK ? "true" : "false");
    return true;
}

/* The parameter sort: a column of the list, elo or id, with a minus before it for descending order. */
static bool sort_read(tby_order *out, const question *q)
{
    static const char *const names[] = {"id",    "date",      "elo",    "plies", "white", "white_elo",
                                        "black", "black_elo", "result", "event", "site",  "eco"};
    const char *value = params_value(q->params, "sort");
    bool is_good = !value;
    tby_text fault;
    *out = (tby_order){.n = 0};
    for (size_t i = 0; !is_good && i < sizeof names / sizeof *names; i++)
        is_good = strcmp(names[i], value + (*value == '-')) == 0 && tby_order_read(out, value, &fault);
    return is_good ||
           problem_tell(q->problem, PROBLEM_ASKED,
                        "sort must be a column of the list, elo or id, perhaps after a minus, not \"%.50s\"", value);
}

static bool count_games(games *g, const question *q, query *conditions)
{
    int64_t n = 0;
    conditions->search.limit = conditions->search.offset = 0;
    const tby_status status = tby_db_count(&n, g->db, &conditions->search);
    if (status != TBY_OK)
        return games_fail(g, q, status);
    buffer_printf(&q->response->body, "{\"count\":%" PRId64 "}\n", n);
    return true;
}

/* Was nothing found? */
static bool is_empty(const buffer *answer)
{
    static const char *const none[] = {"{\"games\":[]", "{\"count\":0}"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (answer->n > strlen(none[i]) && memcmp(answer->s, none[i], strlen(none[i])) == 0)
            return true;
    return false;
}

bool answer_find(games *g, const question *q)
{
    query conditions;
    tby_order order;
    uint64_t soon;
    bool is_count;
    if (!params_switch(&is_count, q->params, "count", q->problem) || !sort_read(&order, q) ||
        !params_number(&soon, q->params, "soon", 0, DATABASE_SECONDS * 1000, q->problem) ||
        !conditions_read(&conditions, q, g, find_takes, NULL))
        return false;
    conditions.search.n_threads = 1; /* other requests use the other threads */
    conditions.search.limit = conditions.search.limit ? conditions.search.limit : FIND_LIMIT;
    bool is_good = conditions.search.limit <= FIND_LIMIT_MAX ||
                   problem_tell(q->problem, PROBLEM_ASKED, "limit must be a number from 1 to %d", FIND_LIMIT_MAX);
    const bool is_sorted = !is_count && (order.n || order.ids_fall);
    if (is_good && (is_good = is_sorted ? games_begin(g, q) : games_begin_one(g, q, NULL))) {
        conditions.search.order = is_sorted ? &order : NULL;
        is_good = is_count ? count_games(g, q, &conditions) : find_games(g, q, &conditions, is_sorted ? 0 : soon);
        if (is_good && is_empty(&q->response->body))
            is_good = offer_names(g, q);
        is_good = is_good && add_understood(&conditions, q);
        games_end(g);
    }
    query_free(&conditions);
    return is_good;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static void write_player(void *context, tby_text name, int64_t n_games)
{
    buffer *out = context;
    buffer_string(out, out->s[out->n - 1] == '[' ? "{\"name\":" : ",{\"name\":");
    buffer_json(out, name.s, name.n);
    buffer_printf(out, ",\"games\":%" PRId64 "}", n_games);
}

bool answer_names(games *g, const question *q)
{
    enum { NAMES_LIMIT = 10, NAMES_LIMIT_MAX = 50 };
    const char *prefix = params_value(q->params, "prefix"), *value = params_value(q->params, "limit");
    buffer *out = &q->response->body;
    uint64_t limit = NAMES_LIMIT;
    if (!prefix)
        return problem_tell(q->problem, PROBLEM_ASKED, "the parameter prefix is missing");
    if ((value && !problem_number(&limit, "limit", value, 1, NAMES_LIMIT_MAX, q->problem)) ||
        !games_begin_one(g, q, q->request->target))
        return false;
    bool is_good = games_find_kept(g, q->request->target, out);
    if (!is_good) {
        buffer_string(out, "{\"names\":[");
        const tby_status status =
            out->has_failed ? TBY_NO_MEMORY
                            : tby_db_suggest_players(g->db, prefix, strlen(prefix), (size_t)limit, write_player, out);
        buffer_string(out, "]}\n");
        is_good = status == TBY_OK && !g->is_late;
        if (is_good)
            games_keep(g, q->request->target, out);
        else
            games_fail(g, q, status);
    }
    games_end(g);
    return is_good;
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
        return problem_tell(q->problem, PROBLEM_ABSENT, "there is no game %" PRId64, id);
    if (status != TBY_OK)
        return games_fail(g, q, status);
    if (to->write_header)
        to->write_header(buffer_sink, out);
    if (to->write(g->game, buffer_sink, out, &err) != TBY_OK) {
        if (out->has_failed || err.status == TBY_NO_MEMORY)
            return problem_no_memory(q->problem);
        tby_error_write(text, sizeof text, &err);
        return problem_tell(q->problem, PROBLEM_ASKED, "%s: %s", to->name, text);
    }
    response_header(q->response, "Content-Type", type ? type : type_of(to));
    return true;
}

static bool read_game(games *g, const question *q, const tby_game_notation *to, const char *type)
{
    const char *number = params_value(q->params, "id");
    uint64_t id;
    if (!number)
        return problem_tell(q->problem, PROBLEM_ASKED, "the parameter id is missing");
    if (!problem_number(&id, "id", number, 1, INT64_MAX, q->problem) || !games_begin_one(g, q, NULL))
        return false;
    const bool is_good = write_game(g, q, (tby_game_id)id, to, type);
    games_end(g);
    return is_good;
}

bool answer_game(games *g, const question *q)
{
    const char *name = params_value(q->params, "to");
    const char *wanted = name ? name : "pgn";
    const tby_game_notation *to = tby_game_notation_find(wanted, strlen(wanted));
    if (!to)
        return problem_tell(q->problem, PROBLEM_ASKED, "to: %.100s is not a notation of games", wanted);
    return read_game(g, q, to, NULL);
}

bool answer_masters_pgn(games *g, const question *q)
{
    return read_game(g, q, tby_game_notation_find("pgn", 3), "application/x-chess-pgn");
}
