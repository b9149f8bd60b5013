/*
 * db.c - databases of games of either kind: the functions of tabiya_db.h, implemented with those of access.h.
 */
#include "search/search.h"

#include <stdio.h>
#include <string.h>

/* ---- Errors --------------------------------------------------------------------------------------------- */

const tby_failure *tby_db_failure(const tby_db *db) { return &db->failure; }

static tby_status answer(const tby_db *db, bool is_good) { return failure_answer(&db->failure, is_good); }

/* ---- Opening and closing -------------------------------------------------------------------------------- */

bool tby_db_is_server(const char *name)
{
    return strncmp(name, "postgresql://", 13) == 0 || strncmp(name, "postgres://", 11) == 0;
}

tby_status tby_db_open_reporting(tby_db **out, const char *name, tby_db_mode mode, tby_db_progress progress,
                                 void *context, tby_failure *failure)
{
    const db_report report = {progress, context};
    failure_clear(failure);
    *out = tby_db_is_server(name) ? postgres_open(name, mode, failure) : sqlite_open(name, mode, report, failure);
    return failure_answer(failure, *out != NULL);
}

tby_status tby_db_open(tby_db **out, const char *name, tby_db_mode mode, tby_failure *failure)
{
    return tby_db_open_reporting(out, name, mode, NULL, NULL, failure);
}

void tby_db_close(tby_db *db)
{
    if (db)
        db->kind->close(db);
}

void tby_db_set_watch(tby_db *db, tby_db_watch watch, void *context)
{
    db->watch = watch;
    db->watch_context = context;
}

void tby_db_set_patience(tby_db *db, int milliseconds)
{
    db->kind->limit(db, DB_LIMIT_PATIENCE, milliseconds > 0 ? (uint64_t)milliseconds : 0);
}

size_t tby_db_max_moves_size(const tby_db *db) { return db->kind->most_bytes; }

/* The last @ before `end`, or NULL. */
static const char *last_at(const char *s, const char *end)
{
    const char *at = NULL;
    for (; s < end; s++)
        at = *s == '@' ? s : at;
    return at;
}

/* The end of the user part of an address: its last @, because people forget to encode the @, / and ? in passwords. NULL
   if there is none. */
static const char *user_end(const char *begin)
{
    const char *question = begin + strcspn(begin, "?"), *end = begin + strlen(begin);
    const char *before = last_at(begin, question), *after = last_at(question, end);
    return after && !memchr(question, '=', (size_t)(after - question)) ? after : before;
}

/* Without an @, the text in place of the port may be a password. */
static bool is_port(const char *s, const char *end) { return s + strspn(s, "0123456789") >= end; }

/* The secret part before the parameters of an address; an empty range if there is none. */
static void find_secret(const char *begin, const char **from, const char **to)
{
    const char *end = user_end(begin), *host_end = begin + strcspn(begin, "/?");
    const char *colon = memchr(begin, ':', (size_t)((end ? end : host_end) - begin));
    const bool has_list = memchr(begin, ',', (size_t)(host_end - begin)) != NULL;
    *from = *to = begin;
    if (!colon || (!end && (*begin == '[' || has_list || is_port(colon + 1, host_end))))
        return;
    *from = colon + 1;
    *to = end ? end : begin + strlen(begin);
}

/* scheme://user:***@host/name?password=***&... */
size_t tby_db_name_write(char *buf, size_t cap, const char *name)
{
    buffer out = {0};
    const char *rest = name;
    if (tby_db_is_server(name)) {
        const char *from, *to;
        find_secret(strstr(name, "//") + 2, &from, &to);
        if (from < to) {
            buffer_add(&out, name, (size_t)(from - name));
            buffer_string(&out, "***");
            rest = to;
        }
        for (const char *secret; (secret = strstr(rest, "password=")) != NULL;) {
            secret += strlen("password=");
            buffer_add(&out, rest, (size_t)(secret - rest));
            buffer_string(&out, "***");
            rest = secret + strcspn(secret, "&");
        }
    }
    buffer_string(&out, rest);
    const int n = snprintf(buf, cap, "%s", out.has_failed ? "?" : out.s);
    buffer_free(&out);
    return n < 0 ? 0 : (size_t)n;
}

/* ---- Adding and deleting -------------------------------------------------------------------------------- */

tby_status tby_db_begin(tby_db *db) { return answer(db, db->kind->begin(db)); }
tby_status tby_db_commit(tby_db *db) { return answer(db, db->kind->commit(db)); }
void tby_db_rollback(tby_db *db) { db->kind->rollback(db); }

tby_status tby_db_add(tby_db_added *added, tby_db *db, const tby_batch *batch, tby_duplicates duplicates)
{
    return answer(db, db->kind->add(db, batch, duplicates, added));
}

tby_status tby_db_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    return answer(db, db->kind->index(db, plies, progress, context));
}

tby_status tby_db_limit_memory(tby_db *db, uint64_t n_bytes)
{
    db->kind->limit(db, DB_LIMIT_MEMORY, n_bytes);
    return TBY_OK;
}

void tby_db_limit_threads(tby_db *db, unsigned n_threads) { db->n_threads = n_threads; }

tby_status tby_db_want_index(tby_db *db, unsigned kinds) { return answer(db, db->kind->want_index(db, kinds)); }

tby_status tby_db_delete(int64_t *n_deleted, tby_db *db, const tby_game_id *ids, size_t n_ids)
{
    return answer(db, db->kind->erase(db, ids, n_ids, n_deleted));
}

tby_status tby_db_save(tby_game_id *id, tby_db *db, tby_game_id old, const tby_game *game)
{
    return answer(db, search_save(db, old, game, id));
}

tby_status tby_db_collections(tby_db *db, tby_game_id game, tby_db_collection visit, void *context)
{
    return answer(db, db_list_collections(db, game, visit, context));
}

tby_status tby_db_collect(int64_t *n_changed, tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids)
{
    return answer(db, search_collect(db, name, ids, n_ids, true, n_changed));
}

tby_status tby_db_uncollect(int64_t *n_changed, tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids)
{
    return answer(db, search_collect(db, name, ids, n_ids, false, n_changed));
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

tby_status tby_db_n_games(int64_t *out, tby_db *db) { return answer(db, db->kind->n_games(db, out)); }
tby_status tby_db_last_id(int64_t *out, tby_db *db) { return answer(db, db->kind->last_id(db, out)); }
tby_status tby_db_row(tby_row *out, tby_db *db, tby_game_id id) { return answer(db, db->kind->row(db, id, out)); }

tby_status tby_db_game(tby_game *out, tby_db *db, tby_game_id id)
{
    tby_row row;
    tby_error err = {.status = TBY_OK};
    if (!db->kind->row(db, id, &row))
        return answer(db, false);
    const tby_status status = tby_row_game(out, &row, &err);
    if (status == TBY_NO_MEMORY)
        db_fail_memory(db);
    else if (status != TBY_OK)
        db_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged: %s", (long long)id, err.detail);
    return answer(db, status == TBY_OK);
}

/* ---- Searching ------------------------------------------------------------------------------------------ */

static const tby_db_search search_all = {.query = NULL};

static void plan_end(tby_db *db, db_plan *plan)
{
    if (plan)
        db->kind->plan_free(db, plan);
}

bool search_pass(tby_db *db, const tby_position *pos, const tby_db_search *among, const passing_visitor *visitor)
{
    db_plan *plan = db_plan_make(db, among ? among : &search_all, pos);
    const bool is_good = plan && db->kind->pass(db, plan, visitor);
    plan_end(db, plan);
    return is_good;
}

tby_status tby_db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    return answer(db, search_find(db, search, visit, context));
}

tby_status tby_db_facts_of(tby_db_facts *out, tby_db *db, tby_game_id id)
{
    return answer(db, db->kind->facts(db, id, out));
}

tby_status tby_db_count(int64_t *out, tby_db *db, const tby_db_search *search)
{
    if (!search->query && !search->where && !search->limit && !search->offset)
        return tby_db_n_games(out, db);
    db_plan *plan = db_plan_make(db, search, NULL);
    const bool is_good = plan && db->kind->count(db, plan, out);
    plan_end(db, plan);
    return answer(db, is_good);
}

tby_status tby_db_check_where(tby_db *db, const char *where) { return answer(db, db->kind->check_where(db, where)); }

tby_status tby_db_near_players(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context)
{
    return answer(db, search_near(db, name, n, most, visit, context));
}

tby_status tby_db_suggest_players(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit,
                                  void *context)
{
    return answer(db, search_suggest(db, typed, n, most, visit, context));
}

/* Passes the text to the sink. */
static bool send_text(tby_db *db, const buffer *text, tby_sink sink, void *context)
{
    return text->has_failed                  ? db_fail_memory(db)
           : sink(context, text->s, text->n) ? true
                                             : db_fail(db, TBY_IO_ERROR, "writing failed");
}

/* Passes the description of the plan to the sink. */
static tby_status tell_plan(tby_db *db, const tby_db_search *search, const tby_position *pos, tby_sink sink,
                            void *context)
{
    buffer out = {0};
    db_plan *plan = db_plan_make(db, search, pos);
    const bool is_good = plan && db->kind->tell(db, plan, &out) && send_text(db, &out, sink, context);
    plan_end(db, plan);
    buffer_free(&out);
    return answer(db, is_good);
}

tby_status tby_db_understand(tby_db *db, const char *typed, size_t n, const tby_query_options *options, tby_sink sink,
                             void *context, tby_query_error *err)
{
    buffer out = {0};
    const bool is_good = search_typed(db, (tby_text){typed, n}, options, &out, err) &&
                         send_text(db, &out, sink, context);
    buffer_free(&out);
    return answer(db, is_good);
}

tby_status tby_db_explain(tby_db *db, const tby_db_search *search, tby_sink sink, void *context)
{
    return tell_plan(db, search, NULL, sink, context);
}

tby_status tby_db_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_sink sink,
                                  void *context)
{
    return tell_plan(db, among ? among : &search_all, pos, sink, context);
}

tby_status tby_db_explore(tby_db_moves *out, tby_db *db, const tby_position *pos, const tby_db_search *among)
{
    return answer(db, search_explore(db, pos, among, out));
}

tby_status tby_db_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                                void *context)
{
    const passing_visitor visitor = {.meet = meet, .context = context};
    return answer(db, search_pass(db, pos, among, &visitor));
}

tby_status tby_db_survey_position(tby_db_survey *out, tby_db *db, const tby_position *pos,
                                  const tby_db_survey_options *options)
{
    return answer(db, search_survey(db, pos, options, out));
}

tby_status tby_db_explore_match(tby_db_played *out, tby_db *db, const tby_db_search *search)
{
    return answer(db, search_match(db, search, out));
}

/* ---- The whole database --------------------------------------------------------------------------------- */

tby_status tby_db_verify(int64_t *n_faults, tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context)
{
    return answer(db, db->kind->verify(db, fault, progress, context, n_faults));
}

tby_status tby_db_summarize(tby_db_summary *out, tby_db *db) { return answer(db, db->kind->summarize(db, out)); }

tby_status tby_db_sizes(tby_db *db, tby_db_size visit, void *context)
{
    return answer(db, db->kind->sizes(db, visit, context));
}

tby_status tby_db_begin_reading(int64_t *version, tby_db *db)
{
    return answer(db, db->kind->begin_reading(db, version));
}

void tby_db_end_reading(tby_db *db) { db->kind->end_reading(db); }
