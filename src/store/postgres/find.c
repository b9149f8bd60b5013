/*
 * find.c - finds games on a PostgreSQL server: as much of a query as possible becomes one SQL statement.
 *
 * Conditions on the moves that SQL cannot express are left to the extension's function matches, so that the server
 * checks its own games and sends only matches. Other conditions on tags and comments are checked here by the evaluator.
 */
#include "store/postgres/find.h"
#include "query/order.h"
#include "query/run.h"
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
    server *p = f->server;
    if (f->base.search->ignores_index)
        return true;
    if (!p->has_words && p->is_utf8 && f->base.search->query && !server_has(p, "game_words", &p->has_words))
        return false;
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
    if (made)
        made->people = query->people;
    return made;
}

/* Splits a query into facts about tags, if SQL can express them exactly, and facts about moves, which are left to the
   server; otherwise the evaluator decides. */
static bool split(finding *f)
{
    buffer moves = {0}, rows = {0};
    tby_query *of_moves = part_of(f->base.search->query, true, &moves),
              *of_rows = part_of(f->base.search->query, false, &rows);
    plan said = {.covered = COVER_NONE}, old = f->plan;
    pg_values values = {.has_words = f->values.has_words}, old_values = f->values;
    bool has_memory = !moves.has_failed && !rows.has_failed;
    if (has_memory && of_moves && (of_rows || rows.n == 0))
        has_memory = sql_plan(&said, of_rows, f->base.members, &values, f->server);
    if (has_memory && said.covered == COVER_EXACT) {
        f->match = pg_value(&values, moves.s);
        f->plan = said;
        f->plan.position = NULL; /* its node belongs to `of_rows` */
        f->values = values;
        f->matched = moves;
        said = old;
        values = old_values;
        moves = (buffer){0};
    }
    tby_query_free(of_moves);
    tby_query_free(of_rows);
    plan_free(&said);
    pg_values_free(&values);
    buffer_free(&moves);
    buffer_free(&rows);
    return has_memory || db_fail_memory(&f->server->to.base);
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

static bool can_sort(const finding *f)
{
    const server *s = f->server;
    const tby_order *order = f->base.search->order;
    return order && (order_is_numeric(order) || (order_is_sql(order) && s->has_matches && !s->has_citus));
}

bool finding_begin(finding *f)
{
    const tby_query *query = f->base.search->query;
    if (!find_words(f) || (f->base.search->where && !server_widen_path(f->server)))
        return false;
    if (!sql_plan(&f->plan, query, f->base.members, &f->values, f->server))
        return db_fail_memory(&f->server->to.base);
    if (!is_decided(&f->plan) && f->server->has_matches && !f->base.search->ignores_index && !split(f))
        return false;
    add_steps(f);
    if (!finding_is_exact(f) && !(f->state = tby_query_state_new(query, NULL)))
        return db_fail_memory(&f->server->to.base);
    if (f->state)
        f->state->members = f->base.members;
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
        buffer_printf(&f->sql, "%1$s%2$s(g.moves, $%3$zu::%1$schessboard, %4$d::bigint)", f->server->ext,
                      f->plan.position->type == Q_BOARD ? "hasBoard" : "hasPosition", f->board, f->plan.max_ply);
        return;
    case BY_MATCH:
        buffer_printf(&f->sql, "%1$smatches(g.moves, $%2$zu::%1$schessquery)", f->server->ext, f->match);
        return;
    case BY_WHERE:
        if (f->server->has_citus)
            citus_put_where(&f->sql, s->condition);
        else
            buffer_printf(&f->sql, "g.id IN (SELECT id FROM " WHERE_TABLE " WHERE (%s))", s->condition);
        return;
    default: buffer_printf(&f->sql, "(%s)", s->condition); return;
    }
}

/* Each step but the evaluator is a condition; `word` comes before the first. */
static void put_conditions(finding *f, const char *word)
{
    const plan *p = &f->plan;
    for (const plan_step *s = p->steps; s < p->steps + p->n_steps && s->by != BY_EVALUATOR; s++, word = " AND ") {
        buffer_string(&f->sql, word);
        put_condition(f, s);
    }
    if (f->upto)
        buffer_printf(&f->sql, "%sg.id > %" PRId64 " AND g.id <= %" PRId64, word, f->after, f->upto);
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

/* ", g.white ..." for the table g */
static void put_columns(buffer *out, unsigned kinds)
{
    if (kinds == 0)
        return;
    buffer_string(out, ", ");
    columns_select(buffer_sink, out, TBY_SQL_POSTGRES, kinds,
                   "(SELECT names FROM tabiya.shape WHERE shape.id = g.shape)");
}

void server_put_games(buffer *out, const char *condition)
{
    buffer_string(out, "SELECT g.id, -1");
    put_columns(out, KINDS_ALL);
    buffer_printf(out, " FROM tabiya.game g WHERE %s", condition);
}

/* "SELECT id, ply, ... FROM tabiya.game g WHERE ... ORDER BY id LIMIT ...". In later parts of the games, where hits are
   rare, the limit applies only after all hits are found: with a limit the server would plan to use one processor. */
static void put_statement(finding *f)
{
    const bool is_rare = f->after && finding_is_exact(f);
    char key[sizeof f->server->ext + 8];
    buffer_string(&f->sql, is_rare ? "WITH found AS MATERIALIZED (SELECT g.id, " : "SELECT g.id, ");
    if (f->plan.is_position && !f->board)
        f->board = board_value(&f->values, f->plan.position);
    if (f->plan.is_position)
        buffer_printf(&f->sql, "%1$s%2$s(g.moves, $%3$zu::%1$schessboard)", f->server->ext,
                      f->plan.position->type == Q_BOARD ? "boardPly" : "positionPly", f->board);
    else if (f->match && !f->base.search->query->is_of_game)
        buffer_printf(&f->sql, "%1$smatchPly(g.moves, $%2$zu::%1$schessquery)", f->server->ext, f->match);
    else
        buffer_string(&f->sql, "-1");
    put_columns(&f->sql, wanted(f));
    buffer_string(&f->sql, " FROM tabiya.game g");
    put_conditions(f, " WHERE ");
    if (is_rare)
        buffer_string(&f->sql, ") SELECT * FROM found g");
    snprintf(key, sizeof key, "%ssortKey", f->server->ext);
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

enum { N_PLACES = 4096 };

void server_note_place(server *s, tby_game_id id, int64_t hash)
{
    if (s->has_citus && !s->places)
        s->places = calloc(N_PLACES, sizeof *s->places);
    if (s->places)
        s->places[(uint64_t)id % N_PLACES] = (game_place){id, hash};
}

static const game_place *find_place(const server *s, tby_game_id id)
{
    const game_place *place = s->places ? &s->places[(uint64_t)id % N_PLACES] : NULL;
    return place && place->id == id && id ? place : NULL;
}

/* A game by its number, of the place where it was seen, if any. */
static bool ask_for_game(server *p, tby_game_id id, const game_place *place, tby_row *out)
{
    buffer sql = {0};
    pg_values v = {.n = 0};
    char number[24];
    bool is_there = false, is_good = true;
    snprintf(number, sizeof number, "%" PRId64, (int64_t)id);
    pg_value(&v, number);
    snprintf(number, sizeof number, "%" PRId64, place ? place->hash : 0);
    if (place)
        pg_value(&v, number);
    server_put_games(&sql, place ? "g.id = $1::bigint AND g.hash = $2::bigint" : "g.id = $1::bigint");
    pg_send_often(&p->to, place ? PG_GAME_AT : PG_GAME, sql.has_failed ? NULL : sql.s, &v);
    buffer_free(&sql);
    pg_values_free(&v);
    while (pg_next(&p->to)) {
        is_there = true;
        is_good = keep_row(p, out);
    }
    if (!pg_is_good(&p->to) || !is_good)
        return false;
    if (!is_there && place)
        return ask_for_game(p, id, NULL, out);
    return is_there ? check_moves(p, id, out)
                    : db_fail(&p->to.base, TBY_NOT_FOUND, "there is no game %" PRId64, (int64_t)id);
}

bool postgres_row(tby_db *db, tby_game_id id, tby_row *out)
{
    server *p = (server *)db;
    if (!p->to.row)
        return ask_for_game(p, id, find_place(p, id), out);
    if (p->what == 0 || pg_number(&p->to, PG_ID) != id)
        return db_fail(&p->to.base, TBY_NOT_FOUND, "game %" PRId64 " is not the one being visited", id);
    *out = server_visited_row(&p->to, p->what);
    return !(p->what & KIND(COLUMN_MOVES)) || check_moves(p, id, out);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static int ask(const finding *f, tby_game_id id)
{
    const tby_row row = server_visited_row(&f->server->to, f->server->what);
    tby_query_game game = tby_query_game_of_row(&row, id);
    if (!(tby_query_needs(f->base.search->query) & TBY_QUERY_NEEDS_ROW))
        game.row = NULL;
    return tby_query_first(f->state, &game);
}

static bool send(finding *f, void (*put)(finding *f))
{
    f->sql.n = 0;
    put(f);
    f->server->what = wanted(f);
    return f->sql.has_failed ? db_fail_memory(&f->server->to.base) : pg_send(&f->server->to, f->sql.s, &f->values);
}

bool finding_send(finding *f) { return send(f, put_statement); }

bool finding_send_about(finding *f, const char *format, const char *column, const char *end)
{
    char fen[TBY_FEN_SIZE];
    tby_fen_write_position(fen, sizeof fen, f->base.pos, 0);
    return finding_send_with(f, format, pg_value(&f->values, fen), column, end);
}

bool finding_send_with(finding *f, const char *format, size_t value, const char *column, const char *end)
{
    f->sql.n = 0;
    buffer_printf(&f->sql, format, f->server->ext, value, column);
    if (f->ids)
        buffer_printf(&f->sql, " AND g.id = ANY ($%zu::bigint[])", f->ids);
    else
        put_conditions(f, " AND ");
    buffer_string(&f->sql, end);
    return pg_send(&f->server->to, f->sql.has_failed ? NULL : f->sql.s, &f->values);
}

/* The evaluator returned an error instead of a ply. */
static bool fail_asking(const finding *f, tby_game_id id, int answer)
{
    if (answer == TBY_QUERY_NO_MEMORY)
        db_fail_memory(&f->server->to.base);
    else
        db_fail(&f->server->to.base, TBY_INVALID_DATABASE, "game %" PRId64 " is damaged", id);
    pg_stop(&f->server->to, true);
    f->server->to.has_failed = true;
    return false;
}

bool finding_next(finding *f)
{
    tby_db_hit *hit = &f->hit;
    while (pg_next(&f->server->to)) {
        *hit = (tby_db_hit){pg_number(&f->server->to, PG_ID), (int)pg_number(&f->server->to, PG_PLY)};
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
    pg_stop(&f->server->to, !finding_is_exact(f) || f->base.search->limit <= 0 || f->base.search->limit > FEW);
}

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* "SELECT count(*) FROM (SELECT 1 FROM tabiya.game g WHERE ... LIMIT ...) AS x" */
static void put_count(finding *f)
{
    buffer_string(&f->sql, "SELECT count(*) FROM (SELECT 1 FROM tabiya.game g");
    put_conditions(f, " WHERE ");
    put_limits(f);
    buffer_string(&f->sql, ") AS x");
}

/* Counts here if the server cannot. */
bool finding_count(finding *f, int64_t *out)
{
    int64_t n = 0;
    if (!send(f, finding_is_exact(f) ? put_count : put_statement))
        return false;
    if (finding_is_exact(f)) {
        while (pg_next(&f->server->to))
            n = pg_number(&f->server->to, 0);
    } else {
        while (finding_next(f))
            n++;
        n = db_within_limits(n, f->base.search);
    }
    *out = n;
    return pg_is_good(&f->server->to);
}

bool postgres_check_where(tby_db *db, const char *where)
{
    server *s = (server *)db;
    buffer sql = {0};
    buffer_printf(&sql, "SELECT id FROM " WHERE_TABLE " WHERE (%s)", where);
    const bool is_good = sql.has_failed ? db_fail_memory(&s->to.base) : server_widen_path(s) && pg_check(&s->to, sql.s);
    buffer_free(&sql);
    return is_good;
}

/* ---- Explaining ------------------------------------------------------------------------------------------------- */

bool finding_explain(finding *f, buffer *out)
{
    buffer extra = {0};
    f->sql.n = 0;
    buffer_string(&f->sql, "EXPLAIN (COSTS OFF) ");
    put_statement(f);
    pg_send(&f->server->to, f->sql.has_failed ? NULL : f->sql.s, &f->values);
    while (pg_next(&f->server->to)) {
        const tby_text line = pg_text(&f->server->to, 0);
        buffer_printf(&extra, "plan: %.*s\n", (int)line.n, line.s ? line.s : "");
    }
    const bool is_good = pg_is_good(&f->server->to);
    if (is_good)
        plan_describe(&f->plan, extra.s, 0, out);
    out->has_failed |= extra.has_failed;
    buffer_free(&extra);
    return is_good;
}
