/*
 * explore_counts.c - what is played in a position that many games reach, from counts that are kept.
 *
 * The extension's createMoveStats keeps them, by class of the lower rating and by year: an index of some thousand rows
 * in place of every game. They answer for all games, for ratings from a multiple of 200 on, and for whole years; other
 * searches look at the games. A shard counts the positions that its own games reach, so some may have counts and others
 * not.
 */
#include "query/ast.h"
#include "store/postgres/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_WIDTH = 200, MOST_ELO = 9999, MOST_YEAR = 9999 };

/* ---- What counts can say ---------------------------------------------------------------------------------------- */

typedef struct filter {
    int64_t low_class, low_year, high_year; /* 0: any */
} filter;

/* Both players have at least that. */
static bool take_elo(filter *f, const query_node *node)
{
    const int64_t low = node->u.range.low, class = low / CLASS_WIDTH;
    if (low < CLASS_WIDTH || low % CLASS_WIDTH != 0 || node->u.range.high < MOST_ELO)
        return false;
    f->low_class = class > f->low_class ? class : f->low_class;
    return true;
}

static bool take_years(filter *f, const query_node *node)
{
    const int64_t low = node->u.range.low, high = node->u.range.high;
    if ((low > 0 && low % 10000 != 0) || (high < MOST_YEAR * 10000 && high % 10000 != 9999))
        return false;
    const int64_t first = low < 10000 ? 1 : low / 10000, last = high / 10000 > MOST_YEAR ? MOST_YEAR : high / 10000;
    f->low_year = first > f->low_year ? first : f->low_year;
    f->high_year = f->high_year && f->high_year < last ? f->high_year : last;
    return true;
}

static bool take_node(pg *p, filter *f, const query_node *node)
{
    return node->type == Q_ELO    ? take_elo(f, node)
           : node->type == Q_DATE ? !p->has_odd_dates && take_years(f, node)
                                  : node->type == Q_TRUE;
}

/* Do counts tell the games of the search? */
static bool filter_of(filter *f, pg *p, const tby_db_search *among)
{
    *f = (filter){0};
    if (!among)
        return true;
    if (among->where)
        return false;
    const query_tree *tree = &among->query->program;
    const query_node *top = tree_node(tree, tree->root);
    if (top->type != Q_AND)
        return take_node(p, f, top);
    for (uint32_t i = 0; i < top->n_kids; i++)
        if (!take_node(p, f, tree_node(tree, tree_kid(tree, top, i))))
            return false;
    return true;
}

static void put_filter(text_buffer *sql, const filter *f)
{
    if (f->low_class)
        tby_text_printf(sql, " AND class >= %" PRId64, f->low_class);
    if (f->high_year)
        tby_text_printf(sql, " AND year BETWEEN %" PRId64 " AND %" PRId64, f->low_year, f->high_year);
}

/* ---- Who counts ------------------------------------------------------------------------------------------------- */

typedef struct tracking {
    text_buffer shards; /* "1,3" */
    size_t n;
    bool is_unsure[TBY_NEXT_MOVES_MAX]; /* the last date, by the place of the legal move */
    exploring *e;
} tracking;

static bool take_shard(void *context, pg *p)
{
    tracking *t = context;
    tby_text_printf(&t->shards, "%s%" PRId64, t->n++ ? "," : "", pg_number(p, 0));
    return true;
}

/* An import may have made the counts meanwhile. */
static bool find_tables(pg *p)
{
    int64_t is_there = p->has_counts;
    if (!is_there && !pg_number_of(p, "SELECT (to_regclass('tabiya.game_tracked') IS NOT NULL)::integer", 0, &is_there))
        return false;
    p->has_counts = is_there;
    return true;
}

static bool find_trackers(tracking *t)
{
    pg *p = t->e->to;
    char sql[160];
    if (!find_tables(p))
        return false;
    if (!p->has_counts)
        return true;
    snprintf(sql, sizeof sql, "SELECT %s FROM tabiya.game_tracked WHERE position = %" PRId64 " AND is_popular",
             p->is_coordinator ? "shard" : "0", (int64_t)tby_position_key(t->e->pos));
    return pg_query(p, sql, NULL, take_shard, t) && (!t->shards.has_failed || tby_db_fail_memory(&p->base));
}

/* Those that do not count. */
static void put_others(const pg *p, const tracking *t, text_buffer *out)
{
    for (size_t i = 0; i < p->n_shards; i++) {
        char number[16];
        const int n = snprintf(number, sizeof number, "%d", p->shards[i].number);
        bool is_among = false;
        for (const char *at = t->shards.s; at && *at && !is_among;) {
            const size_t length = strcspn(at, ",");
            is_among = length == (size_t)n && memcmp(at, number, length) == 0;
            at += length + (at[length] == ',');
        }
        if (!is_among)
            tby_text_printf(out, "%s%s", out->n ? "," : "", number);
    }
}

/* ---- Counts ----------------------------------------------------------------------------------------------------- */

/* A row of the statements below: a move, of a position that a move leads to how many games come there, or nothing but
   that the position is counted. */
enum { POSITION, UCI, GAMES, WHITE, DRAWS, BLACK, UNKNOWN, N_ELO, ELO_SUM, LAST, LAST_GONE, IS_SURE };

static bool take_move(tracking *t, pg *p)
{
    tby_db_moves *out = t->e->out;
    const tby_text uci = pg_text(p, UCI);
    const int64_t n = pg_number(p, GAMES);
    const uint64_t results[4] = {[TBY_RESULT_NONE] = (uint64_t)pg_number(p, UNKNOWN),
                                 [TBY_WHITE_WINS] = (uint64_t)pg_number(p, WHITE),
                                 [TBY_BLACK_WINS] = (uint64_t)pg_number(p, BLACK),
                                 [TBY_DRAW] = (uint64_t)pg_number(p, DRAWS)};
    tby_db_move *m = pg_explored_move(t->e, uci);
    if (n < 0 || (uci.n && !m)) {
        t->e->is_wrong = true;
        return false;
    }
    out->games += (uint64_t)n;
    for (int i = 0; i < 4; i++) {
        out->results[i] += results[i];
        if (m)
            m->results[i] += results[i];
    }
    if (!m) {
        out->ended += (uint64_t)n;
        return true;
    }
    const size_t place = (size_t)(m - out->moves);
    m->games += (uint64_t)n;
    m->reached += m->move == TBY_MOVE_NULL ? (uint64_t)n : 0;
    m->n_elo += (uint64_t)pg_number(p, N_ELO);
    m->elo_sum += (uint64_t)pg_number(p, ELO_SUM);
    if (n && (!pg_number(p, IS_SURE) || (pg_text(p, LAST_GONE).s && pg_number(p, LAST_GONE) >= pg_number(p, LAST))))
        t->is_unsure[place] = true;
    else if (n && pg_number(p, LAST) > m->last_date)
        m->last_date = (int)pg_number(p, LAST);
    return true;
}

static bool take_counts(void *context, pg *p)
{
    tracking *t = context;
    const exploring *e = t->e;
    if (pg_text(p, UCI).s)
        return take_move(t, p);
    if (!pg_text(p, POSITION).s)
        t->n = 1;
    for (size_t i = 0; pg_text(p, POSITION).s && i < e->n_legal; i++)
        if (e->legal[i].move != TBY_MOVE_NULL && (int64_t)e->legal[i].key == pg_number(p, POSITION))
            e->out->moves[i].reached += (uint64_t)pg_number(p, GAMES);
    return true;
}

/* A server without shards looks by the same statement whether it counts the position. */
static void put_rest(text_buffer *sql, const tracking *t, const filter *f, const char *column)
{
    const bool has_shards = t->e->to->is_coordinator;
    put_filter(sql, f);
    if (has_shards)
        tby_text_printf(sql, " AND shard = ANY ('{%s}')", t->shards.s);
    else
        tby_text_printf(sql,
                        " AND EXISTS (SELECT FROM tabiya.game_tracked WHERE position = %" PRId64 " AND is_popular)",
                        (int64_t)tby_position_key(t->e->pos));
    tby_text_printf(sql, " GROUP BY %s%s", has_shards ? "shard, " : "", column);
}

static void put_moves(text_buffer *sql, const tracking *t, const filter *f)
{
    const int64_t key = (int64_t)tby_position_key(t->e->pos);
    tby_text_printf(sql,
                    "SELECT %" PRId64 "::bigint, uci, sum(games), sum(white), sum(draws), sum(black), sum(unknown),"
                    " sum(n_elo), sum(elo_sum)::bigint, max(last_date) FILTER (WHERE games > 0),"
                    " max(last_date) FILTER (WHERE games < 0), bool_and(is_sure) FROM tabiya.game_played"
                    " WHERE position = %" PRId64,
                    key, key);
    put_rest(sql, t, f, "uci");
}

#define NO_COUNTS "NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, "
#define NO_DATES "NULL::integer, NULL::integer, NULL::boolean"

static void put_reached(text_buffer *sql, const tracking *t, const filter *f)
{
    const exploring *e = t->e;
    tby_text_string(sql, "SELECT position, NULL::text, sum(games), " NO_COUNTS NO_DATES
                         " FROM tabiya.game_played WHERE position = ANY ('{");
    for (size_t i = 0; i < e->n_legal && e->legal[i].move != TBY_MOVE_NULL; i++)
        tby_text_printf(sql, "%s%" PRId64, i ? "," : "", (int64_t)e->legal[i].key);
    tby_text_string(sql, "}'::bigint[])");
    put_rest(sql, t, f, "position");
}

static bool ask(tracking *t, text_buffer *sql)
{
    const bool is_good = pg_query(t->e->to, sql->has_failed ? NULL : sql->s, NULL, take_counts, t);
    sql->n = 0;
    return is_good;
}

static bool ask_shards(tracking *t, const filter *f)
{
    text_buffer sql = {0};
    bool is_good = find_trackers(t);
    if (is_good && t->n) {
        put_moves(&sql, t, f);
        is_good = ask(t, &sql);
    }
    if (is_good && t->n) {
        put_reached(&sql, t, f);
        is_good = ask(t, &sql);
    }
    tby_text_free(&sql);
    return is_good;
}

/* One statement. Should the tables have been dropped, it fails once. */
static bool ask_server(tracking *t, const filter *f)
{
    text_buffer sql = {0};
    if (!find_tables(t->e->to))
        return false;
    if (!t->e->to->has_counts)
        return true;
    tby_text_printf(&sql,
                    "SELECT NULL::bigint, NULL::text, NULL::bigint, " NO_COUNTS NO_DATES
                    " FROM tabiya.game_tracked WHERE position = %" PRId64 " AND is_popular UNION ALL (",
                    (int64_t)tby_position_key(t->e->pos));
    put_moves(&sql, t, f);
    tby_text_string(&sql, ") UNION ALL (");
    put_reached(&sql, t, f);
    tby_text_string(&sql, ")");
    t->e->to->has_counts = ask(t, &sql);
    tby_text_free(&sql);
    return t->e->to->has_counts;
}

/* ---- Dates ------------------------------------------------------------------------------------------------------ */

static bool take_date(void *context, pg *p)
{
    tracking *t = context;
    tby_db_move *m = pg_explored_move(t->e, pg_text(p, 0));
    const int date = (int)pg_number(p, 1);
    if (m && t->is_unsure[m - t->e->out->moves] && date > m->last_date)
        m->last_date = date;
    return true;
}

/* Where the last game of a move has gone, only the games tell which is the last now. */
static bool ask_dates(tracking *t)
{
    exploring *e = t->e;
    text_buffer sql = {0};
    pg_values v = {.n = 0};
    char fen[TBY_FEN_SIZE];
    bool is_needed = false;
    for (size_t i = 0; i < e->n_legal; i++)
        is_needed |= t->is_unsure[i];
    if (!is_needed)
        return true;
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(&v, fen);
    tby_text_string(&sql, "SELECT playedMove(g.moves, $1::chessboard), max(g.date) FROM tabiya.game g"
                          " WHERE hasPosition(g.moves, $1::chessboard)");
    if (e->to->is_coordinator)
        tby_text_printf(&sql, " AND g.shard = ANY ('{%s}')", t->shards.s);
    bool is_good = pg_explored_games(e, &sql, &v);
    tby_text_string(&sql, e->to->is_coordinator ? " GROUP BY g.shard, 1" : " GROUP BY 1");
    is_good = is_good && pg_query(e->to, sql.has_failed ? NULL : sql.s, &v, take_date, t);
    pg_values_free(&v);
    tby_text_free(&sql);
    return is_good;
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

bool pg_explore_counts(exploring *e, bool *is_done)
{
    filter f;
    tracking *t = calloc(1, sizeof *t);
    *is_done = false;
    if (!t)
        return tby_db_fail_memory(&e->to->base);
    t->e = e;
    bool is_good = pg_find_odd_dates(e->to, e->among ? e->among->query : NULL);
    if (is_good && filter_of(&f, e->to, e->among)) {
        is_good = (e->to->is_coordinator ? ask_shards(t, &f) : ask_server(t, &f)) && (t->n == 0 || ask_dates(t));
        if (t->n)
            put_others(e->to, t, &e->shards);
        *is_done = t->n && e->shards.n == 0;
        is_good = is_good && (!e->shards.has_failed || tby_db_fail_memory(&e->to->base));
    }
    tby_text_free(&t->shards);
    free(t);
    return is_good;
}

bool pg_explain_counts(exploring *e, text_buffer *out)
{
    filter f;
    tracking *t = calloc(1, sizeof *t);
    if (!t)
        return tby_db_fail_memory(&e->to->base);
    t->e = e;
    bool is_good = pg_find_odd_dates(e->to, e->among ? e->among->query : NULL);
    const bool is_told = is_good && filter_of(&f, e->to, e->among);
    is_good = is_good && (!is_told || find_trackers(t));
    if (is_good && !is_told)
        tby_text_string(out,
                        "moves: from the games; counts are kept for ratings from a multiple of 200, and for years\n");
    else if (is_good && t->n == 0)
        tby_text_string(out, "moves: from the games; no counts are kept of this position\n");
    else if (is_good && t->n < e->to->n_shards)
        tby_text_printf(out,
                        "moves: from the counts that shards %s keep of this position, and from the games of others\n",
                        t->shards.s);
    else if (is_good)
        tby_text_string(out, "moves: from the counts that are kept of this position\n");
    tby_text_free(&t->shards);
    free(t);
    return is_good;
}
