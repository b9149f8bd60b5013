/*
 * db.c - databases of games, whichever kind they are of: hands every call to the kind's own functions.
 */
#include "store/backend.h"
#include "store/tally.h"

#include <stdio.h>
#include <string.h>

/* ---- Errors --------------------------------------------------------------------------------------------- */

void tby_db_fail_list(tby_db *db, tby_status status, const char *format, va_list args)
{
    vsnprintf(db->error, sizeof db->error, format, args);
    db->status = status;
}

bool tby_db_fail(tby_db *db, tby_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tby_db_fail_list(db, status, format, args);
    va_end(args);
    return false;
}

const char *tby_db_error(const tby_db *db) { return db->error; }

static tby_status answer(const tby_db *db, bool is_good)
{
    return is_good ? TBY_OK : db->status != TBY_OK ? db->status : TBY_IO_ERROR;
}

static tby_status cannot(tby_db *db)
{
    tby_db_fail(db, TBY_CANNOT_HOLD, "this is for database files; on a server, PostgreSQL's own tools do it");
    return TBY_CANNOT_HOLD;
}

/* ---- Opening and closing -------------------------------------------------------------------------------- */

bool tby_db_is_server(const char *name)
{
    return strncmp(name, "postgresql://", 13) == 0 || strncmp(name, "postgres://", 11) == 0;
}

tby_status tby_db_open(tby_db **out, const char *name, tby_db_mode mode, char error[TBY_DB_ERROR_SIZE])
{
    tby_status status = TBY_OK;
    error[0] = '\0';
    *out = tby_db_is_server(name) ? tby_postgres_open(name, mode, &status, error)
                                  : tby_sqlite_open(name, mode, &status, error);
    return *out ? TBY_OK : status != TBY_OK ? status : TBY_IO_ERROR;
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
    if (db->kind->be_patient)
        db->kind->be_patient(db, milliseconds);
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

/* Where the user's part of an address ends: at its last @, because people forget to encode the @, / and ? of passwords.
   NULL if there is none. */
static const char *user_end(const char *begin)
{
    const char *question = begin + strcspn(begin, "?"), *end = begin + strlen(begin);
    const char *before = last_at(begin, question), *after = last_at(question, end);
    return after && !memchr(question, '=', (size_t)(after - question)) ? after : before;
}

/* Without any @ what should be a port may be a password. */
static bool is_port(const char *s, const char *end)
{
    for (; s < end; s++)
        if (*s < '0' || *s > '9')
            return false;
    return true;
}

/* What is secret before the parameters of an address; an empty range if nothing is. */
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
    text_buffer out = {0};
    const char *rest = name;
    if (tby_db_is_server(name)) {
        const char *from, *to;
        find_secret(strstr(name, "//") + 2, &from, &to);
        if (from < to) {
            tby_text_add(&out, name, (size_t)(from - name));
            tby_text_string(&out, "***");
            rest = to;
        }
        for (const char *secret; (secret = strstr(rest, "password=")) != NULL;) {
            secret += strlen("password=");
            tby_text_add(&out, rest, (size_t)(secret - rest));
            tby_text_string(&out, "***");
            rest = secret + strcspn(secret, "&");
        }
    }
    tby_text_string(&out, rest);
    const int n = snprintf(buf, cap, "%s", out.has_failed ? "?" : out.s);
    tby_text_free(&out);
    return n < 0 ? 0 : (size_t)n;
}

/* ---- Adding and deleting -------------------------------------------------------------------------------- */

tby_status tby_db_begin(tby_db *db) { return answer(db, db->kind->begin(db)); }
tby_status tby_db_commit(tby_db *db) { return answer(db, db->kind->commit(db)); }
void tby_db_rollback(tby_db *db) { db->kind->rollback(db); }

tby_status tby_db_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    return answer(db, db->kind->add(db, batch, duplicates, added));
}

tby_status tby_db_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    return answer(db, db->kind->index(db, plies, progress, context));
}

tby_status tby_db_limit_memory(tby_db *db, uint64_t n_bytes)
{
    if (db->kind->limit_memory)
        db->kind->limit_memory(db, n_bytes);
    return TBY_OK;
}

tby_status tby_db_want_index(tby_db *db, unsigned kinds)
{
    return db->kind->want_index ? answer(db, db->kind->want_index(db, kinds)) : cannot(db);
}

tby_status tby_db_delete(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    return db->kind->erase ? answer(db, db->kind->erase(db, ids, n_ids, n_deleted)) : cannot(db);
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

tby_status tby_db_n_games(tby_db *db, int64_t *out) { return answer(db, db->kind->n_games(db, out)); }
tby_status tby_db_last_id(tby_db *db, int64_t *out) { return answer(db, db->kind->last_id(db, out)); }
tby_status tby_db_row(tby_db *db, tby_game_id id, tby_row *out) { return answer(db, db->kind->row(db, id, out)); }

tby_status tby_db_game(tby_db *db, tby_game_id id, tby_game *out)
{
    tby_row row;
    tby_error err = {.status = TBY_OK};
    if (!db->kind->row(db, id, &row))
        return answer(db, false);
    const tby_status status = tby_row_game(out, &row, &err);
    if (status == TBY_NO_MEMORY)
        tby_db_fail_memory(db);
    else if (status != TBY_OK)
        tby_db_fail(db, TBY_INVALID_DATABASE, "game %lld is damaged: %s", (long long)id, err.detail);
    return answer(db, status == TBY_OK);
}

/* ---- Searching ------------------------------------------------------------------------------------------ */

tby_status tby_db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    return answer(db, db->kind->find(db, search, visit, context));
}

tby_status tby_db_facts_of(tby_db *db, tby_game_id id, tby_db_facts *out)
{
    tby_row row;
    if (db->kind->facts)
        return answer(db, db->kind->facts(db, id, out));
    if (!db->kind->row(db, id, &row))
        return answer(db, false);
    *out = (tby_db_facts){{row.elo[TBY_WHITE], row.elo[TBY_BLACK]}, row.date, row.result, (int)row.speed};
    return TBY_OK;
}

tby_status tby_db_count(tby_db *db, const tby_db_search *search, int64_t *out)
{
    return answer(db, db->kind->count(db, search, out));
}

tby_status tby_db_check_where(tby_db *db, const char *where) { return answer(db, db->kind->check_where(db, where)); }

tby_status tby_db_near_players(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context)
{
    return answer(db, tby_db_find_near(db, name, n, most, visit, context));
}

tby_status tby_db_suggest_players(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit,
                                  void *context)
{
    return answer(db, tby_db_suggest(db, typed, n, most, visit, context));
}

/* The text as the answer. */
static tby_status send(tby_db *db, bool is_good, text_buffer *text, tby_sink sink, void *context)
{
    if (is_good && text->has_failed)
        is_good = tby_db_fail_memory(db);
    if (is_good && !sink(context, text->s, text->n))
        is_good = tby_db_fail(db, TBY_IO_ERROR, "writing failed");
    tby_text_free(text);
    return answer(db, is_good);
}

tby_status tby_db_understand(tby_db *db, const char *typed, size_t n, const tby_query_options *options, tby_sink sink,
                             void *context, tby_query_error *err)
{
    text_buffer out = {0};
    return send(db, tby_db_read_typed(db, (tby_text){typed, n}, options, &out, err), &out, sink, context);
}

tby_status tby_db_explain(tby_db *db, const tby_db_search *search, tby_sink sink, void *context)
{
    text_buffer out = {0};
    return send(db, db->kind->explain(db, search, &out), &out, sink, context);
}

/* Does x go before y? */
static bool is_before(const tby_db_move *x, const tby_db_move *y)
{
    return x->games != y->games ? x->games > y->games : x->reached > y->reached;
}

/* Insertion, which leaves moves of equal rank in their order. */
void tby_db_order_moves(tby_db_moves *out, size_t n)
{
    out->n_moves = out->n_unplayed = 0;
    for (size_t i = 0; i < n; i++) {
        const tby_db_move m = out->moves[i];
        size_t k = out->n_moves + out->n_unplayed;
        if (m.games == 0 && m.reached == 0)
            continue;
        for (; k > 0 && is_before(&m, &out->moves[k - 1]); k--)
            out->moves[k] = out->moves[k - 1];
        out->moves[k] = m;
        if (m.games)
            out->n_moves++;
        else
            out->n_unplayed++;
    }
}

static void add_move(tby_db_move *to, const tby_db_move *m)
{
    to->reached += m->reached;
    tally_add(TALLY_OF(to), m->results, m->n_elo, m->elo_sum, m->last_date);
}

void tby_db_add_moves(tby_db_moves *out, size_t n_legal, const tby_db_moves *part, size_t n_part)
{
    out->games += part->games;
    out->ended += part->ended;
    for (int i = 0; i < 4; i++)
        out->results[i] += part->results[i];
    for (size_t i = 0; i < n_part; i++)
        for (size_t k = 0; k < n_legal; k++)
            if (out->moves[k].move == part->moves[i].move)
                add_move(&out->moves[k], &part->moves[i]);
}

tby_status tby_db_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    return answer(db, db->kind->explore(db, pos, among, out));
}

tby_status tby_db_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                                void *context)
{
    return answer(db, db->kind->explore_games(db, pos, among, meet, context));
}

tby_status tby_db_survey_position(tby_db *db, const tby_position *pos, const tby_db_survey_options *options,
                                  tby_db_survey *out)
{
    return answer(db, tby_db_make_survey(db, pos, options, out));
}

tby_status tby_db_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_sink sink,
                                  void *context)
{
    text_buffer out = {0};
    const bool is_good = (!db->kind->explain_explore || db->kind->explain_explore(db, pos, among, &out));
    return send(db, is_good && db->kind->explain(db, among, &out), &out, sink, context);
}

tby_status tby_db_explore_match(tby_db *db, const tby_db_search *search, tby_db_played *out)
{
    return answer(db, tby_db_count_match(db, search, out));
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

tby_status tby_db_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults)
{
    return db->kind->verify ? answer(db, db->kind->verify(db, fault, progress, context, n_faults)) : cannot(db);
}

tby_status tby_db_summarize(tby_db *db, tby_db_summary *out)
{
    return db->kind->summarize ? answer(db, db->kind->summarize(db, out)) : cannot(db);
}

tby_status tby_db_sizes(tby_db *db, tby_db_size visit, void *context)
{
    return db->kind->sizes ? answer(db, db->kind->sizes(db, visit, context)) : cannot(db);
}

tby_status tby_db_begin_reading(tby_db *db, int64_t *version)
{
    return db->kind->begin_reading ? answer(db, db->kind->begin_reading(db, version)) : cannot(db);
}

void tby_db_end_reading(tby_db *db)
{
    if (db->kind->end_reading)
        db->kind->end_reading(db);
}
