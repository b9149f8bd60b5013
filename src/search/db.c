/*
 * db.c - databases of games of either kind: the functions of tabiya_db.h, implemented with those of access.h.
 */
#include "base/contract.h"
#include "query/run.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Errors --------------------------------------------------------------------------------------------- */

const tby_failure *tby_db_failure(const tby_db *db) { return &db->failure; }

/* ---- Opening and closing -------------------------------------------------------------------------------- */

/* The length of postgresql: or postgres: in upper or lower case; 0 if the name does not begin so. */
static size_t scheme_length(const char *name)
{
    const size_t n = strcspn(name, ":");
    return name[n] && name[n + 1] && name[n + 1] != ' ' &&
                   ((n == 8 && strncasecmp(name, "postgres", n) == 0) ||
                    (n == 10 && strncasecmp(name, "postgresql", n) == 0))
               ? n + 1
               : 0;
}

/* The form that libpq reads as a URL. */
static bool is_url(const char *name)
{
    return strncmp(name, "postgresql://", 13) == 0 || strncmp(name, "postgres://", 11) == 0;
}

/* The place after the word password, in upper or lower case; NULL if there is none. */
static const char *after_password(const char *s)
{
    for (; *s; s++)
        if (strncasecmp(s, "password", 8) == 0)
            return s + 8;
    return NULL;
}

/* "host=... password=...": does it begin with an option of a connection, or have a password anywhere? */
static bool is_pairs(const char *name)
{
    static const char *const options[] = {"host",
                                          "hostaddr",
                                          "port",
                                          "dbname",
                                          "user",
                                          "service",
                                          "sslmode",
                                          "scram_client_key",
                                          "scram_server_key",
                                          "oauth_client_secret"};
    const char *first = name + strspn(name, " \t"), *password = after_password(name);
    const size_t n = strcspn(first, " \t=");
    bool is_option = false;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        is_option = is_option || (strlen(options[i]) == n && strncasecmp(first, options[i], n) == 0);
    return (is_option && first[n + strspn(first + n, " \t")] == '=') ||
           (password && password[strspn(password, " \t")] == '=');
}

/* Also addresses with mistakes: they must not become names of files, with the password in them. */
bool tby_db_is_server(const char *name) { return scheme_length(name) || is_pairs(name); }

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

static void close_all(tby_db *const *members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tby_db_close(members[i]);
}

tby_status tby_db_join(tby_db **out, tby_db *const *members, const char *const *names, size_t n, tby_failure *failure)
{
    failure_clear(failure);
    *out = n == 1 ? members[0] : n > 1 && n <= UNION_MEMBERS_MAX ? union_new(members, names, n) : NULL;
    if (*out)
        return TBY_OK;
    close_all(members, n);
    return failure_answer(failure,
                          n > 1 && n <= UNION_MEMBERS_MAX
                              ? failure_keep(failure, TBY_NO_MEMORY, "out of memory")
                              : failure_keep(failure, TBY_TOO_MANY, "%zu databases cannot be joined, only 1 to %d", n,
                                             UNION_MEMBERS_MAX));
}

tby_status tby_db_open_all(tby_db **out, const char *const *names, size_t n, tby_failure *failure)
{
    tby_db **members = calloc(n ? n : 1, sizeof *members);
    tby_status status = members ? TBY_OK : TBY_NO_MEMORY;
    *out = NULL;
    if (!members)
        failure_keep(failure, TBY_NO_MEMORY, "out of memory");
    for (size_t i = 0; status == TBY_OK && i < n; i++) {
        status = tby_db_open(&members[i], names[i], TBY_DB_READ, failure);
        if (status != TBY_OK)
            close_all(members, i);
    }
    if (status == TBY_OK)
        status = tby_db_join(out, members, names, n, failure);
    free(members);
    return status;
}

size_t tby_db_place(const tby_db *db, tby_game_id *id) { return union_place(db, id); }
void tby_db_use_own_ids(tby_db *db) { union_use_own_ids(db); }

void tby_db_close(tby_db *db) { db_close(db); }

const char *tby_db_note(const tby_db *db) { return db->note; }

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

/* Is the name of this parameter, which may be encoded, that of a password? */
static bool is_secret(const char *name, size_t n)
{
    char plain[64];
    size_t length = 0;
    for (size_t i = 0; i < n && length < sizeof plain - 1; i++) {
        const char digits[] = {i + 2 < n ? name[i + 1] : '0', i + 2 < n ? name[i + 2] : '0', '\0'};
        const bool is_encoded = name[i] == '%' && i + 2 < n;
        plain[length++] = is_encoded ? (char)strtol(digits, NULL, 16) : name[i];
        i += is_encoded ? 2 : 0;
    }
    plain[length] = '\0';
    return after_password(plain) || length == sizeof plain - 1;
}

/* scheme://user:***@host/name?password=***&... */
static void put_url(buffer *out, const char *name)
{
    const char *from, *to, *rest = name;
    find_secret(strstr(name, "//") + 2, &from, &to);
    if (from < to) {
        buffer_add(out, name, (size_t)(from - name));
        buffer_string(out, "***");
        rest = to;
    }
    for (size_t n; *rest; rest += n) {
        const char *value = rest + strcspn(rest, "=&?");
        n = (size_t)(value - rest) + (*value != '\0');
        buffer_add(out, rest, n);
        if (*value == '=' && is_secret(rest, (size_t)(value - rest))) {
            buffer_string(out, "***");
            n += strcspn(value + 1, "&");
        }
    }
}

/* Passwords are what libpq takes for one, and what people may have meant to be one. */
size_t tby_db_name_write(char *buf, size_t cap, const char *name)
{
    buffer out = {0};
    if (!tby_db_is_server(name)) {
        buffer_string(&out, name);
    } else if (is_url(name)) {
        put_url(&out, name);
        if (!out.has_failed && !postgres_is_harmless(name, out.s)) {
            buffer_clear(&out);
            buffer_string(&out, "postgresql://***");
        }
    } else if (!postgres_put_pairs(name, &out)) {
        buffer_clear(&out);
        buffer_add(&out, name, scheme_length(name));
        buffer_string(&out, "***");
    }
    const int n = snprintf(buf, cap, "%s", out.has_failed ? "?" : out.s);
    buffer_free(&out);
    return n < 0 ? 0 : (size_t)n;
}

/* ---- Adding and deleting -------------------------------------------------------------------------------- */

bool search_may_write(tby_db *db)
{
    return db->kind->add ||
           db_fail(db, TBY_IO_ERROR, "several databases can only be read together; open the one to be changed alone");
}

tby_status tby_db_begin(tby_db *db) { return db_answer(db, search_may_write(db) && db->kind->begin(db)); }
tby_status tby_db_commit(tby_db *db) { return db_answer(db, search_may_write(db) && db->kind->commit(db)); }

void tby_db_rollback(tby_db *db)
{
    if (db->kind->rollback)
        db->kind->rollback(db);
}

tby_status tby_db_add(tby_db_added *added, tby_db *db, const tby_batch *batch, tby_duplicates duplicates)
{
    return db_answer(db, search_may_write(db) && db->kind->add(db, batch, duplicates, added));
}

tby_status tby_db_index(tby_db *db, int plies, tby_db_progress progress, void *context)
{
    return db_answer(db, search_may_write(db) && db->kind->index(db, plies, progress, context));
}

tby_status tby_db_limit_memory(tby_db *db, uint64_t n_bytes)
{
    db->kind->limit(db, DB_LIMIT_MEMORY, n_bytes);
    return TBY_OK;
}

void tby_db_limit_threads(tby_db *db, unsigned n_threads) { db->n_threads = n_threads; }

tby_status tby_db_want_index(tby_db *db, const char *name)
{
    return db_answer(db, search_may_write(db) && db->kind->want_index(db, name));
}

tby_status tby_db_delete(int64_t *n_deleted, tby_db *db, const tby_game_id *ids, size_t n_ids)
{
    return db_answer(db, search_may_write(db) && db->kind->erase(db, ids, n_ids, n_deleted));
}

tby_status tby_db_collections(tby_db *db, tby_game_id game, tby_db_collection visit, void *context)
{
    TBY_CONTRACT(visit && game >= 0);
    return db_answer(db, db_list_collections(db, game, visit, context));
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

tby_status tby_db_n_games(int64_t *out, tby_db *db) { return db_answer(db, db->kind->n_games(db, out)); }
tby_status tby_db_last_id(int64_t *out, tby_db *db) { return db_answer(db, db->kind->last_id(db, out)); }
tby_status tby_db_row(tby_row *out, tby_db *db, tby_game_id id) { return db_answer(db, db->kind->row(db, id, out)); }

tby_status tby_db_game(tby_game *out, tby_db *db, tby_game_id id)
{
    tby_row row;
    return db_answer(db, db->kind->row(db, id, &row) && db_game_of_row(db, id, &row, out));
}

/* ---- Searching ------------------------------------------------------------------------------------------ */

static const tby_db_search search_all = {.query = NULL};

bool search_reach(tby_db *db, const tby_position *pos, const tby_db_search *among, const reaching_visitor *visitor)
{
    TBY_CONTRACT(pos && visitor->visit);
    tby_db_search own = among ? *among : search_all;
    db_plan *plan = db_plan_make(db, &own, pos);
    const bool is_good = plan && db->kind->reach(db, plan, visitor);
    db_plan_free(db, plan);
    return is_good;
}

bool search_reach_many(tby_db *db, const tby_db_search *among, reaching_many *many)
{
    TBY_CONTRACT(many->n > 0 && many->add);
    tby_db_search own = among ? *among : search_all;
    many->is_done = false;
    if (!db->kind->reach_many)
        return true;
    db_plan *plan = db_plan_make(db, &own, many->positions[0]);
    const bool is_good = plan && db->kind->reach_many(db, plan, many);
    db_plan_free(db, plan);
    return is_good;
}

tby_status tby_db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context)
{
    TBY_CONTRACT(search && visit);
    return db_answer(db, db_find(db, search, visit, context));
}

tby_query_state *tby_db_query_state(tby_db *db, const tby_query *query)
{
    query_members *members;
    tby_query_state *s = db_find_members(&members, db, query) ? tby_query_state_new(query, NULL) : NULL;
    if (s)
        s->members = s->own_members = members;
    else
        members_free(members);
    return s;
}

tby_status tby_db_facts_of(tby_db_facts *out, tby_db *db, tby_game_id id)
{
    return db_answer(db, db->kind->facts(db, id, out));
}

tby_status tby_db_count(int64_t *out, tby_db *db, const tby_db_search *search)
{
    TBY_CONTRACT(out && search);
    if (!search->query && !search->where && !search->limit && !search->offset)
        return tby_db_n_games(out, db);
    tby_db_search own = *search;
    db_plan *plan = db_plan_make(db, &own, NULL);
    const bool is_good = plan && db->kind->count(db, plan, out);
    db_plan_free(db, plan);
    return db_answer(db, is_good);
}

tby_status tby_db_check_where(tby_db *db, const char *where) { return db_answer(db, db->kind->check_where(db, where)); }

/* Passes the text to the sink. */
static bool send_text(tby_db *db, const buffer *text, tby_sink sink, void *context)
{
    return text->has_failed                  ? db_fail_memory(db)
           : sink(context, text->s, text->n) ? true
                                             : db_fail(db, TBY_IO_ERROR, "writing failed");
}

/* Passes the description of the plan to the sink. */
static tby_status describe_plan(tby_db *db, const tby_db_search *search, const tby_position *pos, tby_sink sink,
                                void *context)
{
    buffer out = {0};
    tby_db_search own = *search;
    db_plan *plan = db_plan_make(db, &own, pos);
    const bool is_good = plan && db->kind->describe(db, plan, &out) && send_text(db, &out, sink, context);
    db_plan_free(db, plan);
    buffer_free(&out);
    return db_answer(db, is_good);
}

tby_status tby_db_explain(tby_db *db, const tby_db_search *search, tby_sink sink, void *context)
{
    return describe_plan(db, search, NULL, sink, context);
}

tby_status tby_db_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_sink sink,
                                  void *context)
{
    return describe_plan(db, among ? among : &search_all, pos, sink, context);
}

tby_status tby_db_explore(tby_db_moves *out, tby_db *db, const tby_position *pos, const tby_db_search *among)
{
    return db_answer(db, search_explore(db, pos, among, out));
}

tby_status tby_db_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among,
                                tby_db_visit_reaching visit, void *context)
{
    const reaching_visitor visitor = {.visit = visit, .context = context};
    return db_answer(db, search_reach(db, pos, among, &visitor));
}

/* ---- The whole database --------------------------------------------------------------------------------- */

tby_status tby_db_verify(int64_t *n_faults, tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context)
{
    return db_answer(db, db->kind->verify(db, fault, progress, context, n_faults));
}

tby_status tby_db_summarize(tby_db_summary *out, tby_db *db) { return db_answer(db, db->kind->summarize(db, out)); }

tby_status tby_db_sizes(tby_db *db, tby_db_size visit, void *context)
{
    return db_answer(db, db->kind->sizes(db, visit, context));
}

tby_status tby_db_begin_reading(int64_t *version, tby_db *db)
{
    return db_answer(db, db->kind->begin_reading(db, version));
}

void tby_db_end_reading(tby_db *db) { db->kind->end_reading(db); }
