/*
 * api_games.c - what is asked of the database: info, explore, find, game.
 */
#include "explore.h"
#include "games.h"
#include "info.h"
#include "line.h"
#include "listing.h"
#include "query.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { FIND_LIMIT = 50, FIND_LIMIT_MAX = 1000 };

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
        is_good = info_write(out, g->to.db, true, with_tables);
        if (is_good)
            games_keep(g, name, out);
        else
            games_fail(g, q, tby_db_error(g->to.db));
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

static bool explore(games *g, const question *q, const tby_position *pos, uint64_t limit)
{
    char name[TBY_FEN_SIZE + 16];
    buffer *out = &q->response->body;
    const size_t n = tby_fen_write_position(name, TBY_FEN_SIZE, pos, 0);
    snprintf(name + n, sizeof name - n, " %" PRIu64, limit);
    if (games_find_kept(g, name, out))
        return true;
    if (!tby_db_explore(g->to.db, pos, false, g->moves))
        return games_fail(g, q, tby_db_error(g->to.db));
    explore_write_json(out, pos, g->moves, limit < g->moves->n_moves ? limit : g->moves->n_moves);
    games_keep(g, name, out);
    return true;
}

bool answer_explore(games *g, const question *q)
{
    const char *value = params_value(q->params, "limit");
    uint64_t limit = TBY_MOVES_MAX;
    tby_position pos;
    if ((value && !problem_number(&limit, "limit", value, 1, TBY_MOVES_MAX, q->problem)) || !read_position(&pos, q) ||
        !games_begin(g, q))
        return false;
    const bool is_good = explore(g, q, &pos, limit);
    games_end(g);
    return is_good;
}

/* ---- Find ------------------------------------------------------------------------------------------------------- */

/* The conditions of the command, by the names of its options. SQL is not for those whom the server does not know. */
bool find_takes(const char *name)
{
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (i != QUERY_WHERE && i != QUERY_THREADS && strcmp(query_names[i], name) == 0)
            return true;
    return false;
}

static bool read_conditions(query *out, const question *q, tby_db *db)
{
    query_values values = {.who = "", .dashes = ""};
    bool is_chess960;
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (find_takes(query_names[i]))
            values.of[i] = params_value(q->params, query_names[i]);
    if (!params_switch(&is_chess960, q->params, query_names[QUERY_CHESS960], q->problem))
        return false;
    if (!is_chess960)
        values.of[QUERY_CHESS960] = NULL;
    return query_read(out, &values, query_check_where, db, q->problem);
}

typedef struct finding {
    games *games;
    buffer *out;
    int64_t n_found, limit;
    bool has_failed;
} finding;

static bool write_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    if (f->n_found++ == f->limit || games_are_late(f->games))
        return false;
    buffer_string(f->out, f->n_found > 1 ? "," : "");
    tby_row row;
    f->has_failed = !tby_db_row(f->games->to.db, hit->id, &row);
    if (f->has_failed)
        return false;
    listing_write(f->out, LISTING_JSON, hit, &row);
    f->out->n -= f->out->n && f->out->s[f->out->n - 1] == '\n'; /* it is a line */
    return true;
}

/* One more than is shown, to know whether more follow. */
static bool find_games(games *g, const question *q, query *conditions)
{
    finding f = {.games = g, .out = &q->response->body, .limit = conditions->db.limit};
    conditions->db.limit++;
    buffer_string(f.out, "{\"games\":[");
    const bool is_found = tby_db_find(g->to.db, &conditions->db, write_hit, &f);
    if (f.has_failed || g->is_late || (!is_found && f.n_found <= f.limit))
        return games_fail(g, q, tby_db_error(g->to.db));
    buffer_printf(f.out, "],\"more\":%s}\n", f.n_found > f.limit ? "true" : "false");
    return true;
}

static bool count_games(games *g, const question *q, query *conditions)
{
    conditions->db.limit = conditions->db.offset = 0;
    const int64_t n = tby_db_count(g->to.db, &conditions->db);
    if (n < 0)
        return games_fail(g, q, tby_db_error(g->to.db));
    buffer_printf(&q->response->body, "{\"count\":%" PRId64 "}\n", n);
    return true;
}

bool answer_find(games *g, const question *q)
{
    query conditions;
    bool is_count;
    if (!params_switch(&is_count, q->params, "count", q->problem) || !read_conditions(&conditions, q, g->to.db))
        return false;
    conditions.db.n_threads = 1; /* the others have requests of their own */
    conditions.db.limit = conditions.db.limit ? conditions.db.limit : FIND_LIMIT;
    bool is_good = conditions.db.limit <= FIND_LIMIT_MAX ||
                   problem_tell(q->problem, PROBLEM_ASKED, "limit must be a number from 1 to %d", FIND_LIMIT_MAX);
    if (is_good && (is_good = games_begin(g, q))) {
        is_good = (is_count ? count_games : find_games)(g, q, &conditions);
        games_end(g);
    }
    query_free(&conditions);
    return is_good;
}

/* ---- Game ------------------------------------------------------------------------------------------------------- */

static const char *type_of(const tby_game_notation *to)
{
    if (to->is_binary)
        return "application/octet-stream";
    return strcmp(to->name, "json") == 0 ? "application/json" : "text/plain;charset=utf-8";
}

/* It is not there, or it cannot be read. */
static bool game_fails(games *g, const question *q, tby_game_id id)
{
    tby_row row;
    const bool is_there = tby_db_row(g->to.db, id, &row),
               is_read = is_there || sqlite3_errcode(tby_db_sqlite(g->to.db)) == SQLITE_OK;
    return is_read && !is_there ? problem_tell(q->problem, PROBLEM_ABSENT, "there is no game %" PRId64, id)
                                : games_fail(g, q, tby_db_error(g->to.db));
}

static bool write_game(games *g, const question *q, tby_game_id id, const tby_game_notation *to)
{
    buffer *out = &q->response->body;
    char text[TBY_ERROR_SIZE];
    tby_error err = {.status = TBY_OK};
    if (!tby_db_game(g->to.db, id, g->game))
        return game_fails(g, q, id);
    if (to->write_header)
        to->write_header(buffer_sink, out);
    if (to->write(g->game, buffer_sink, out, &err) != TBY_OK) {
        if (out->has_failed || err.status == TBY_NO_MEMORY)
            return problem_no_memory(q->problem);
        tby_error_write(text, sizeof text, &err);
        return problem_tell(q->problem, PROBLEM_ASKED, "%s: %s", to->name, text);
    }
    response_header(q->response, "Content-Type", type_of(to));
    return true;
}

bool answer_game(games *g, const question *q)
{
    const char *number = params_value(q->params, "id"), *name = params_value(q->params, "to");
    const char *wanted = name ? name : "pgn";
    const tby_game_notation *to = tby_game_notation_find(wanted, strlen(wanted));
    uint64_t id;
    if (!number)
        return problem_tell(q->problem, PROBLEM_ASKED, "the parameter id is missing");
    if (!to)
        return problem_tell(q->problem, PROBLEM_ASKED, "to: %.100s is no notation of games", wanted);
    if (!problem_number(&id, "id", number, 1, INT64_MAX, q->problem) || !games_begin(g, q))
        return false;
    const bool is_good = write_game(g, q, (tby_game_id)id, to);
    games_end(g);
    return is_good;
}
