/*
 * api_write.c - changes to the database, with serve --write: games are saved, replaced and deleted, collections
 * changed.
 *
 *     POST   /api/games               {"id":0}
 *     PUT    /api/games/{id}          {"id":0}
 *     DELETE /api/games/{id}          {"id":0,"pgn":STRING,"collections":[STRING]}: what is needed to undo it
 *     POST   /api/collections/{name}  {"name":STRING,"changed":0}
 *     DELETE /api/collections/{name}  {"name":STRING,"changed":0}
 *
 * Each change uses a separate connection, which is closed afterwards, because the other connections are read-only.
 */
#include "os/clock.h"
#include "site_games.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WRITE_MILLISECONDS = 5000, IDS_MAX = 10000 };

static bool fail(const tby_db *db, const question *q, tby_status status)
{
    const unsigned answer = status == TBY_NOT_FOUND                               ? PROBLEM_ABSENT
                            : status == TBY_CANNOT_HOLD || status == TBY_TOO_LONG ? PROBLEM_ASKED
                            : status == TBY_BUSY || status == TBY_NO_MEMORY       ? PROBLEM_NOT_NOW
                                                                                  : PROBLEM_BROKEN;
    return problem_set(q->problem, answer, "%s", tby_db_failure(db)->text);
}

/* Opens the database, changes it, and closes it. */
typedef bool (*change)(tby_db *db, games *g, const question *q);

static bool change_games(games *g, const question *q, change make)
{
    tby_failure failure;
    tby_db *db;
    const tby_status status = tby_db_open(&db, g->path, TBY_DB_WRITE, &failure);
    if (status != TBY_OK)
        return status == TBY_NO_MEMORY ? problem_no_memory(q->problem)
                                       : problem_set(q->problem, PROBLEM_BROKEN, "%s", failure.text);
    tby_db_set_patience(db, WRITE_MILLISECONDS);
    const bool is_good = make(db, g, q);
    tby_db_close(db);
    return is_good;
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static bool save(tby_db *db, games *g, const question *q)
{
    const bool is_new = !params_value(q->params, "id");
    tby_game_id old = 0, id;
    if (!is_new && !question_id(&old, q))
        return false;
    if (q->request->n_body == 0)
        return problem_set(q->problem, PROBLEM_ASKED, "the game is missing: send it as the body");
    if (!read_one_game(g->game, (span){q->request->body, q->request->n_body}, true, q->problem))
        return false;
    const tby_status status = tby_db_save(&id, db, old, g->game);
    if (status != TBY_OK)
        return fail(db, q, status);
    if (id == 0)
        return problem_set(q->problem, 409, "the database has this game already");
    q->response->status = is_new ? 201 : 200;
    buffer_printf(&q->response->body, "{\"id\":%" PRId64 "}\n", id);
    return true;
}

static void put_name(void *context, tby_text name, int64_t n_games)
{
    (void)n_games;
    json_add(context, "%.*s", (int)name.n, name.s);
}

/* The game is read first, because the answer contains it for undoing. */
static bool erase(tby_db *db, games *g, const question *q)
{
    buffer *out = &q->response->body, pgn = {0};
    tby_error err = {.status = TBY_OK};
    tby_game_id id;
    int64_t n = 0;
    if (!question_id(&id, q))
        return false;
    tby_status status = tby_db_game(g->game, db, id);
    if (status != TBY_OK)
        return fail(db, q, status);
    bool is_good = tby_game_notation_find("pgn", 3)->write(g->game, buffer_sink, &pgn, &err) == TBY_OK ||
                   problem_no_memory(q->problem);
    json_add(out, "{'id':%lld,'pgn':%.*s,'collections':[", (long long)id, (int)pgn.n, pgn.s);
    buffer_free(&pgn);
    if (is_good && (status = tby_db_collections(db, id, put_name, out)) != TBY_OK)
        is_good = fail(db, q, status);
    buffer_string(out, "]}\n");
    if (is_good && out->has_failed)
        is_good = problem_no_memory(q->problem);
    if (is_good && (status = tby_db_delete(&n, db, &id, 1)) != TBY_OK)
        is_good = fail(db, q, status);
    return is_good && (n == 1 || problem_set(q->problem, PROBLEM_ABSENT, "there is no game %" PRId64, id));
}

bool answer_save(games *g, const question *q)
{
    return change_games(g, q, strcmp(q->request->method, "DELETE") == 0 ? erase : save);
}

/* ---- Collections ------------------------------------------------------------------------------------------------ */

static bool add_hit(void *context, const tby_db_hit *hit)
{
    buffer_add(context, (const char *)&hit->id, sizeof hit->id);
    return true;
}

/* "1,5,9" */
static bool read_ids(buffer *out, const char *list, const question *q)
{
    char item[24];
    size_t n_ids = 0;
    for (; *list; n_ids++) {
        const size_t n = strcspn(list, ",");
        uint64_t id;
        snprintf(item, sizeof item, "%.*s", n < sizeof item ? (int)n : (int)sizeof item - 1, list);
        if (!problem_number(&id, "ids", item, 1, INT64_MAX, q->problem))
            return false;
        if (n_ids == IDS_MAX)
            return problem_set(q->problem, PROBLEM_ASKED, "ids has more than %d numbers", IDS_MAX);
        buffer_add(out, (const char *)&id, sizeof id);
        list += n + (list[n] == ',');
    }
    return !out->has_failed || problem_no_memory(q->problem);
}

static bool is_in_time(void *context) { return clock_milliseconds() < *(const int64_t *)context; }

/* As long as any search of the server may take; a change is not interrupted. */
static bool find(buffer *out, tby_db *db, tby_db_search *search, const question *q)
{
    int64_t deadline = clock_milliseconds() + DATABASE_SECONDS * 1000;
    search->n_threads = 1;
    tby_db_set_watch(db, is_in_time, &deadline);
    const tby_status status = tby_db_find(db, search, add_hit, out);
    tby_db_set_watch(db, NULL, NULL);
    if (status == TBY_INTERRUPTED)
        return problem_set(q->problem, PROBLEM_NOT_NOW, "this takes more than %d seconds", DATABASE_SECONDS);
    return status == TBY_OK ? !out->has_failed || problem_no_memory(q->problem) : fail(db, q, status);
}

/* The games of `ids`, or those that the conditions find. */
static bool pick(buffer *out, bool *are_all, tby_db *db, games *g, const question *q)
{
    const char *ids = params_value(q->params, "ids");
    query conditions;
    *are_all = false;
    if (ids)
        return read_ids(out, ids, q);
    if (!games_conditions(&conditions, q, g, find_takes, (tby_text){NULL, 0}))
        return false;
    *are_all = !conditions.has_condition;
    const bool is_good = *are_all || find(out, db, &conditions.search, q);
    query_free(&conditions);
    return is_good;
}

static bool collect(tby_db *db, games *g, const question *q)
{
    const bool is_adding = strcmp(q->request->method, "POST") == 0;
    const char *name = params_value(q->params, "name");
    buffer ids = {0};
    int64_t n = 0;
    bool are_all, is_good = pick(&ids, &are_all, db, g, q);
    if (is_good && are_all && is_adding)
        is_good = problem_set(q->problem, PROBLEM_ASKED, "no games selected; give ids or conditions");
    if (is_good) {
        const tby_game_id *list = (const tby_game_id *)(const void *)(are_all ? NULL : ids.s ? ids.s : "");
        const tby_status status = are_all || ids.n || is_adding ? (is_adding ? tby_db_collect : tby_db_uncollect)(
                                                                      &n, db, name, list, ids.n / sizeof *list)
                                                                : TBY_OK;
        is_good = status == TBY_OK || fail(db, q, status);
    }
    json_add(&q->response->body, "{'name':%s,'changed':%lld}\n", name, (long long)n);
    buffer_free(&ids);
    return is_good;
}

bool answer_collect(games *g, const question *q) { return change_games(g, q, collect); }
