/*
 * find.c - finds games on a PostgreSQL server: as much of a query as possible becomes one SQL statement.
 *
 * Conditions on the moves that SQL cannot express are left to the extension's function matches, so that the server
 * checks its own games and sends only matches. Other conditions on tags and comments are checked here by the evaluator.
 */
#include "store/postgres/find.h"
#include "query/members.h"
#include "query/order.h"
#include "support/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The view that --where refers to; its game has a second name. */
#define WHERE_TABLE "(SELECT *, moves AS game FROM tabiya.games) AS games"

/* ---- Beginning -------------------------------------------------------------------------------------------------- */

/* An import may have created the index meanwhile. */
static bool find_words(finding *f)
{
    server *p = f->to;
    int64_t is_there = p->has_words;
    if (f->base.search->ignores_index)
        return true;
    if (!p->has_words && p->is_utf8 && f->base.search->query &&
        !pg_number_of(&p->to, "SELECT (to_regclass('tabiya.game_words') IS NOT NULL)::integer", 0, &is_there))
        return false;
    p->has_words = is_there;
    f->values.has_words = p->has_words;
    return true;
}

/* ---- What the server matches ------------------------------------------------------------------------------------ */

/* The facts of a query that need only the moves, or the others, as a query; NULL if there are none, or if they cannot
   be parsed separately. */
static tby_query *part_of(const tby_query *query, bool is_of_moves, buffer *text)
{
    const tby_query_options options = {.without_row = is_of_moves};
    const size_t n = query_write_part(NULL, 0, query, is_of_moves);
    char *room = buffer_room(text, n + 1);
    if (!room)
        return NULL;
    query_write_part(room, n + 1, query, is_of_moves);
    text->n += n;
    tby_query *made = n && !text->has_failed ? tby_query_new(text->s, n, &options, NULL, NULL) : NULL;
    members_share(made, query);
    return made;
}

/* Can SQL express the facts about tags exactly? */
static bool is_said(const finding *f, const tby_query *of_rows)
{
    pg_values values = {.has_words = f->values.has_words};
    plan trial;
    const bool is_good = sql_plan(&trial, of_rows, &values, f->to) && trial.covered == COVER_EXACT;
    plan_free(&trial);
    pg_values_free(&values);
    return is_good;
}

/* Leaves the conditions on moves that SQL cannot express to the server; `start` is where the values of this search
   begin. */
static bool match_rest(finding *f, const tby_query *of_rows, const char *of_moves, dialect_mark start)
{
    plan_free(&f->plan);
    f->values.n = start.n_values;
    f->values.texts.n = start.n_bytes;
    const bool is_good = sql_plan(&f->plan, of_rows, &f->values, f->to);
    f->plan.position = NULL; /* its node belongs to `of_rows` */
    f->plan.covered = COVER_EXACT;
    f->match = pg_value(&f->values, of_moves);
    buffer_string(&f->matched, of_moves);
    return is_good && !f->values.texts.has_failed && !f->matched.has_failed;
}

/* Splits a query into facts about tags and facts about moves; if that is not possible, the evaluator decides. */
static bool split(finding *f, dialect_mark start)
{
    buffer moves = {0}, rows = {0};
    tby_query *of_moves = part_of(f->base.search->query, true, &moves),
              *of_rows = part_of(f->base.search->query, false, &rows);
    const bool is_read = of_moves && (of_rows || rows.n == 0);
    bool has_memory = !moves.has_failed && !rows.has_failed;
    if (has_memory && is_read && (!of_rows || is_said(f, of_rows)))
        has_memory = match_rest(f, of_rows, moves.s, start);
    tby_query_free(of_moves);
    tby_query_free(of_rows);
    buffer_free(&moves);
    buffer_free(&rows);
    return has_memory || db_fail_memory(&f->to->to.base);
}

static bool is_decided(const plan *p) { return p->is_position || p->covered == COVER_EXACT; }

/* What the statement asks of the server, and what is left. */
static void add_steps(finding *f)
{
    plan *p = &f->plan;
    if (p->where.n)
        plan_add(p, BY_SQL, "sql:", p->where.s);
    if (p->is_position && p->max_ply < TBY_PLIES_MAX)
        plan_add(p, BY_POSITION, "position: in the moves of each game", NULL);
    if (f->match)
        plan_add(p, BY_MATCH, "moves: by the server, matches", f->matched.s);
    if (f->base.search->where)
        plan_add(p, BY_WHERE, "where:", f->base.search->where);
    if (!is_decided(p))
        plan_add(p, BY_EVALUATOR, "query", NULL);
}

/* Results from the servers of a cluster can only be merged by numbers. */
static bool can_sort(const finding *f)
{
    const server *s = f->to;
    const tby_order *order = f->base.search->order;
    return order &&
           (order_is_numeric(order) || (order_is_sql(order) && s->has_matches && !s->has_citus && s->n_siblings == 0));
}

bool finding_begin(finding *f)
{
    const tby_query *query = f->base.search->query;
    const dialect_mark start = {.n_values = f->values.n, .n_bytes = f->values.texts.n};
    if (!find_words(f) || (f->base.search->where && !server_widen_path(f->to)))
        return false;
    if (!sql_plan(&f->plan, query, &f->values, f->to))
        return db_fail_memory(&f->to->to.base);
    if (!is_decided(&f->plan) && f->to->has_matches && !f->base.search->ignores_index && !split(f, start))
        return false;
    add_steps(f);
    if (!finding_is_exact(f) && !(f->state = tby_query_state_new(query, NULL)))
        return db_fail_memory(&f->to->to.base);
    f->base.is_sorted = finding_is_exact(f) && !f->base.search->sample && can_sort(f);
    return true;
}

void finding_end(finding *f)
{
    tby_query_state_free(f->state);
    plan_free(&f->plan);
    pg_values_free(&f->values);
    buffer_free(&f->sql);
    buffer_free(&f->matched);
}

/* ---- The statement ---------------------------------------------------------------------------------------------- */

static void put_condition(finding *f, const plan_step *s)
{
    switch (s->by) {
    case BY_POSITION:
        f->board = f->board ? f->board : board_value(&f->values, f->plan.position);
        buffer_printf(&f->sql, "%1$s%2$s(g.moves, $%3$zu::%1$schessboard, %4$d::bigint)", f->to->ext,
                      f->plan.position->type == Q_BOARD ? "hasBoard" : "hasPosition", f->board, f->plan.max_ply);
        return;
    case BY_MATCH: buffer_printf(&f->sql, "%1$smatches(g.moves, $%2$zu::%1$schessquery)", f->to->ext, f->match); return;
    case BY_WHERE:
        if (f->to->has_citus)
            citus_put_where(&f->sql, s->condition);
        else
            buffer_printf(&f->sql, "g.id IN (SELECT id FROM " WHERE_TABLE " WHERE (%s))", s->condition);
        return;
    default: buffer_printf(&f->sql, "(%s)", s->condition); return;
    }
}

/* Each step but the evaluator is a condition. */
static void put_conditions(finding *f)
{
    const plan *p = &f->plan;
    for (const plan_step *s = p->steps; s < p->steps + p->n_steps && s->by != BY_EVALUATOR; s++) {
        buffer_string(&f->sql, s == p->steps ? " WHERE " : " AND ");
        put_condition(f, s);
    }
    if (f->upto)
        buffer_printf(&f->sql, "%s g.id > %" PRId64 " AND g.id <= %" PRId64,
                      p->n_steps && p->steps[0].by != BY_EVALUATOR ? " AND" : " WHERE", f->after, f->upto);
}

static void put_limits(finding *f)
{
    if (finding_is_exact(f) && f->base.search->limit > 0)
        buffer_printf(&f->sql, " LIMIT %" PRId64, f->base.search->limit - f->n_found);
    if (finding_is_exact(f) && f->base.search->offset > 0)
        buffer_printf(&f->sql, " OFFSET %" PRId64, f->base.search->offset);
}

/* The columns that the caller wants and that the evaluator needs. Games that the caller sorts are not listed yet: the
   columns for sorting are enough. */
static unsigned wanted(const finding *f)
{
    const tby_db_search *s = f->base.search;
    if (finding_is_exact(f) && s->wanted != TBY_WANTED_ROWS && s->wanted != TBY_WANTED_FACTS)
        return s->wanted == TBY_WANTED_GAMES ? KINDS_ALL : 0;
    if (finding_is_exact(f))
        return s->order && !f->base.is_sorted ? order_kinds(s->order) : KINDS_OF_ROWS;
    const bool needs_row = tby_query_needs(s->query) & (TBY_QUERY_NEEDS_ROW | TBY_QUERY_NEEDS_ANNOTATED);
    return needs_row || s->wanted == TBY_WANTED_GAMES ? KINDS_ALL : KINDS_OF_ROWS;
}

void server_put_columns(buffer *out, unsigned kinds)
{
    if (kinds == 0)
        return;
    buffer_string(out, ", ");
    columns_select(buffer_sink, out, TBY_SQL_POSTGRES, kinds,
                   "(SELECT names FROM tabiya.shape WHERE shape.id = g.shape)");
}

/* "SELECT id, ply, ... FROM tabiya.game g WHERE ... ORDER BY id LIMIT ...". In later parts of the games, where hits are
   rare, the limit applies only after all hits are found: with a limit the server would plan to use one processor. */
static void put_statement(finding *f)
{
    const bool is_rare = f->after && finding_is_exact(f);
    char key[sizeof f->to->ext + 8];
    buffer_string(&f->sql, is_rare ? "WITH found AS MATERIALIZED (SELECT g.id, " : "SELECT g.id, ");
    if (f->plan.is_position && !f->board)
        f->board = board_value(&f->values, f->plan.position);
    if (f->plan.is_position)
        buffer_printf(&f->sql, "%1$s%2$s(g.moves, $%3$zu::%1$schessboard)", f->to->ext,
                      f->plan.position->type == Q_BOARD ? "boardPly" : "positionPly", f->board);
    else if (f->match && !f->base.search->query->is_of_game)
        buffer_printf(&f->sql, "%1$smatchPly(g.moves, $%2$zu::%1$schessquery)", f->to->ext, f->match);
    else
        buffer_string(&f->sql, "-1");
    server_put_columns(&f->sql, wanted(f));
    buffer_string(&f->sql, " FROM tabiya.game g");
    put_conditions(f);
    if (is_rare)
        buffer_string(&f->sql, ") SELECT * FROM found g");
    snprintf(key, sizeof key, "%ssortKey", f->to->ext);
    order_write_sql(buffer_sink, &f->sql, f->base.is_sorted ? f->base.search->order : NULL, "g", key);
    put_limits(f);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static tby_text text_at(const void *from, int at) { return pg_text(from, at); }
static int64_t number_at(const void *from, int at) { return pg_number(from, at); }

tby_row server_visited_row(const connection *p, unsigned kinds)
{
    const cells from = {text_at, number_at, p, PG_FIRST};
    tby_row row;
    row_of_cells(&row, &from, kinds);
    return row;
}

static bool check_moves(server *p, tby_game_id id, const tby_row *row)
{
    tby_error err;
    if (tby_packed_check((const uint8_t *)row->moves.s, row->moves.n, &err) != TBY_OK)
        return db_fail(&p->to.base, TBY_INVALID_DATABASE, "game %" PRId64 " is damaged: %s", id, err.detail);
    return true;
}

/* Copies the texts of the row into one block. */
static bool keep_row(server *p, tby_row *out)
{
    *out = server_visited_row(&p->to, KINDS_ALL);
    if (!array_reserve(&p->kept, &p->cap_kept, tby_row_texts_size(out) + 1, 1, NULL))
        return db_fail_memory(&p->to.base);
    tby_row_texts_copy(out, p->kept);
    tby_row_texts_point(out, p->kept);
    return true;
}

bool server_game_send(server *p, tby_game_id id)
{
    buffer sql = {0};
    pg_values v = {.n = 0};
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, (int64_t)id);
    pg_value(&v, number);
    buffer_string(&sql, "SELECT g.id, -1");
    server_put_columns(&sql, KINDS_ALL);
    buffer_string(&sql, " FROM tabiya.game g WHERE g.id = $1::bigint");
    const bool is_good = pg_send_often(&p->to, PG_GAME, sql.has_failed ? NULL : sql.s, &v);
    buffer_free(&sql);
    pg_values_free(&v);
    return is_good;
}

bool server_game_take(server *p, tby_game_id id, tby_row *out)
{
    bool is_there = false, is_good = true;
    while (pg_next(&p->to)) {
        is_there = true;
        is_good = keep_row(p, out);
    }
    if (!pg_is_good(&p->to) || !is_good)
        return false;
    return is_there ? check_moves(p, id, out)
                    : db_fail(&p->to.base, TBY_NOT_FOUND, "there is no game %" PRId64, (int64_t)id);
}

bool server_row(server *p, tby_game_id id, tby_row *out)
{
    if (!p->to.row)
        return server_game_send(p, id) && server_game_take(p, id, out);
    if (p->what == 0 || pg_number(&p->to, PG_ID) != id)
        return db_fail(&p->to.base, TBY_NOT_FOUND, "game %" PRId64 " is not the one being visited", id);
    *out = server_visited_row(&p->to, p->what);
    return !(p->what & KIND(COLUMN_MOVES)) || check_moves(p, id, out);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static int ask(const finding *f, tby_game_id id)
{
    const tby_row row = server_visited_row(&f->to->to, f->to->what);
    tby_query_game game = tby_query_game_of_row(&row, id);
    if (!(tby_query_needs(f->base.search->query) & TBY_QUERY_NEEDS_ROW))
        game.row = NULL;
    return tby_query_first(f->state, &game);
}

static bool send(finding *f, void (*put)(finding *f))
{
    f->sql.n = 0;
    put(f);
    f->to->what = wanted(f);
    return f->sql.has_failed ? db_fail_memory(&f->to->to.base) : pg_send(&f->to->to, f->sql.s, &f->values);
}

bool finding_send(finding *f) { return send(f, put_statement); }

/* The evaluator returned an error instead of a ply. */
static bool fail_asking(const finding *f, tby_game_id id, int answer)
{
    if (answer == TBY_QUERY_NO_MEMORY)
        db_fail_memory(&f->to->to.base);
    else
        db_fail(&f->to->to.base, TBY_INVALID_DATABASE, "game %" PRId64 " is damaged", id);
    pg_stop(&f->to->to, true);
    f->to->to.has_failed = true;
    return false;
}

bool finding_next(const finding *f, tby_db_hit *hit)
{
    while (pg_next(&f->to->to)) {
        *hit = (tby_db_hit){pg_number(&f->to->to, PG_ID), (int)pg_number(&f->to->to, PG_PLY)};
        if (finding_is_exact(f))
            return true;
        hit->ply = ask(f, hit->id);
        if (hit->ply == TBY_QUERY_NO_MEMORY || hit->ply == TBY_QUERY_DAMAGED)
            return fail_asking(f, hit->id, hit->ply);
        if (hit->ply < 0)
            continue;
        hit->ply = f->base.search->query->is_of_game ? -1 : hit->ply;
        return true;
    }
    return false;
}

/* Stops; the rest depends on whether the server knows the limit. */
void finding_stop(const finding *f)
{
    enum { FEW = 1000 };
    pg_stop(&f->to->to, !finding_is_exact(f) || f->base.search->limit <= 0 || f->base.search->limit > FEW);
}

bool snapshot_begin(server *s, bool *is_own)
{
    *is_own = !s->to.is_reading && !s->to.is_writing;
    if (*is_own && !pg_run(&s->to, PG_BEGIN))
        return false;
    s->to.is_reading |= *is_own;
    return true;
}

void snapshot_end(server *s, bool is_own)
{
    if (is_own)
        pg_leave(&s->to);
    s->to.is_reading &= !is_own;
}

/* ---- Counting --------------------------------------------------------------------------------------------------- */

int64_t within_limits(int64_t n, const tby_db_search *search)
{
    n = n > search->offset ? n - search->offset : 0;
    return search->limit > 0 && n > search->limit ? search->limit : n;
}

/* "SELECT count(*) FROM (SELECT 1 FROM tabiya.game g WHERE ... LIMIT ...) AS x"; Citus cannot plan a SELECT without
   columns. */
static void put_count(finding *f)
{
    buffer_string(&f->sql, "SELECT count(*) FROM (SELECT 1 FROM tabiya.game g");
    put_conditions(f);
    put_limits(f);
    buffer_string(&f->sql, ") AS x");
}

bool finding_send_count(finding *f) { return send(f, finding_is_exact(f) ? put_count : put_statement); }

/* Counts here if the server cannot. */
bool finding_take_count(const finding *f, int64_t *out)
{
    tby_db_hit hit;
    *out = 0;
    if (finding_is_exact(f)) {
        while (pg_next(&f->to->to))
            *out = pg_number(&f->to->to, 0);
    } else {
        while (finding_next(f, &hit))
            ++*out;
        *out = within_limits(*out, f->base.search);
    }
    return pg_is_good(&f->to->to);
}

bool server_last_id(server *s, int64_t *out) { return pg_number_of(&s->to, "SELECT max(id) FROM tabiya.game", 0, out); }

/* Uses the indexes of lower(white) and lower(black), from $1 to $2, and from $3 on, beyond ASCII; or the index of
   words, with the prefix in $1. */
static void put_players(buffer *sql, const server *s, const char *column, bool is_anywhere)
{
    buffer_printf(sql, "SELECT %1$s AS name, count(*) AS n FROM tabiya.game g WHERE ", column);
    if (is_anywhere)
        buffer_printf(sql, PG_WORDS " OPERATOR(pg_catalog.@@) $1::tsquery", s->ext, "g.", column);
    else
        buffer_printf(sql, "lower(g.%1$s) >= $1 AND lower(g.%1$s) < $2 OR lower(g.%1$s) >= $3", column);
    buffer_printf(sql, " GROUP BY %s", column);
}

/* Without letters, all words would match. */
bool server_has_players(const player_search *search) { return !search->is_anywhere || search->beginning[0]; }

bool server_send_players(server *s, const player_search *search)
{
    pg_values v = {.n = 0};
    buffer to = {0}, sql = {0};
    const size_t n = strlen(search->beginning);
    if (search->is_anywhere)
        buffer_printf(&to, "'%s':*", search->beginning); /* letters and digits */
    else
        buffer_add(&to, search->beginning, n);
    pg_value(&v, to.has_failed || !to.s ? "" : to.s);
    if (!search->is_anywhere) {
        if (n && !to.has_failed)
            to.s[n - 1]++; /* a letter or digit */
        pg_value(&v, n && !to.has_failed ? to.s : "");
        pg_value(&v, "\xc2\x80");
    }
    buffer_string(&sql, "SELECT name, sum(n)::bigint FROM (");
    put_players(&sql, s, "white", search->is_anywhere);
    buffer_string(&sql, " UNION ALL ");
    put_players(&sql, s, "black", search->is_anywhere);
    buffer_string(&sql, s->n_siblings ? ") AS x GROUP BY name ORDER BY name COLLATE \"C\"" : ") AS x GROUP BY name");
    const bool is_good = to.has_failed || sql.has_failed || v.texts.has_failed ? db_fail_memory(&s->to.base)
                                                                               : pg_send(&s->to, sql.s, &v);
    buffer_free(&to);
    buffer_free(&sql);
    pg_values_free(&v);
    return is_good;
}

bool server_check_where(server *s, const char *where)
{
    buffer sql = {0};
    buffer_printf(&sql, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", where);
    const bool is_good = sql.has_failed ? db_fail_memory(&s->to.base) : server_widen_path(s) && pg_check(&s->to, sql.s);
    buffer_free(&sql);
    return is_good;
}

/* ---- Conditions for others -------------------------------------------------------------------------------------- */

bool server_search_conditions(server *p, const tby_db_search *search, pg_values *v, buffer *out, bool *is_said)
{
    finding f = {.base = {.search = search}, .to = p, .values = *v};
    *v = (pg_values){.n = 0};
    const bool is_good = finding_begin(&f);
    *is_said = is_good && finding_is_exact(&f);
    if (*is_said)
        put_conditions(&f);
    if (*is_said && f.sql.n)
        buffer_printf(out, " AND %s", f.sql.s + strlen(" WHERE "));
    out->has_failed |= f.sql.has_failed;
    *v = f.values;
    f.values = (pg_values){.n = 0};
    finding_end(&f);
    return is_good;
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

bool finding_explain(finding *f, buffer *out)
{
    buffer extra = {0};
    f->sql.n = 0;
    buffer_string(&f->sql, "EXPLAIN (COSTS OFF) ");
    put_statement(f);
    pg_send(&f->to->to, f->sql.has_failed ? NULL : f->sql.s, &f->values);
    while (pg_next(&f->to->to)) {
        const tby_text line = pg_text(&f->to->to, 0);
        buffer_printf(&extra, "plan: %.*s\n", (int)line.n, line.s ? line.s : "");
    }
    const bool is_good = pg_is_good(&f->to->to);
    if (is_good)
        plan_tell(&f->plan, extra.s, 0, out);
    out->has_failed |= extra.has_failed;
    buffer_free(&extra);
    return is_good;
}
