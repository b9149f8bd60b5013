/*
 * explore_counts.c - what is played in a position that many games reach, from counts that are kept.
 *
 * The extension's createMoveStats keeps them, by class of the lower rating and by year: some thousand rows in place of
 * every game, and totals of them over classes and years: some dozen. They answer for all games, for ratings from a
 * multiple of 200 on, and for whole years; other searches look at the games. A shard counts the positions that its own
 * games reach, so some may have counts and others not.
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

/* ---- Who counts ------------------------------------------------------------------------------------------------- */

static bool take_shard(void *context, pg *p)
{
    exploring *e = context;
    buffer_printf(&e->trackers, "%s%" PRId64, e->n_trackers++ ? "," : "", pg_number(p, 0));
    return true;
}

/* An import may have made the counts meanwhile. */
static bool find_tables(pg *p)
{
    int64_t is_there = p->has_counts;
    if (!is_there && !pg_number_of(p, "SELECT " PG_HAS_COUNTS, 0, &is_there))
        return false;
    p->has_counts = is_there;
    return true;
}

static bool find_trackers(exploring *e)
{
    pg *p = e->to;
    char sql[192];
    if (!find_tables(p))
        return false;
    if (!p->has_counts)
        return true;
    snprintf(sql, sizeof sql,
             "SELECT %s FROM tabiya.game_tracked WHERE position = %" PRId64 " AND is_popular ORDER BY 1",
             p->is_coordinator ? "shard" : "0", (int64_t)tby_position_key(e->pos));
    return pg_query(p, sql, NULL, take_shard, e) && (!e->trackers.has_failed || db_fail_memory(&p->base));
}

/* Those that do not count. */
static void put_others(exploring *e)
{
    const pg *p = e->to;
    buffer *out = &e->shards;
    for (size_t i = 0; i < p->n_shards; i++) {
        char number[16];
        const int n = snprintf(number, sizeof number, "%d", p->shards[i].number);
        bool is_among = false;
        for (const char *at = e->trackers.s; at && *at && !is_among;) {
            const size_t length = strcspn(at, ",");
            is_among = length == (size_t)n && memcmp(at, number, length) == 0;
            at += length + (at[length] == ',');
        }
        if (!is_among)
            buffer_printf(out, "%s%s", out->n ? "," : "", number);
    }
}

/* ---- Counts ----------------------------------------------------------------------------------------------------- */

/* A row of the statements below: a move, of a position that a move leads to how many games come there, or nothing but
   that the position is counted. */
enum { POSITION, UCI, GAMES, WHITE, DRAWS, BLACK, UNKNOWN, N_ELO, ELO_SUM, LAST, LAST_GONE, IS_SURE };

static bool take_move(exploring *e, pg *p)
{
    tby_db_moves *out = e->out;
    const tby_text uci = pg_text(p, UCI);
    const int64_t n = pg_number(p, GAMES);
    const uint64_t results[4] = {[TBY_RESULT_NONE] = (uint64_t)pg_number(p, UNKNOWN),
                                 [TBY_WHITE_WINS] = (uint64_t)pg_number(p, WHITE),
                                 [TBY_BLACK_WINS] = (uint64_t)pg_number(p, BLACK),
                                 [TBY_DRAW] = (uint64_t)pg_number(p, DRAWS)};
    tby_db_move *m = pg_explored_move(e, uci);
    if (n < 0 || (uci.n && !m)) {
        e->is_wrong = true;
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
        e->is_unsure[place] = true;
    else if (n && pg_number(p, LAST) > m->last_date)
        m->last_date = (int)pg_number(p, LAST);
    return true;
}

static bool take_counts(void *context, pg *p)
{
    exploring *e = context;
    if (pg_text(p, UCI).s)
        return take_move(e, p);
    if (!pg_text(p, POSITION).s && pg_number(p, GAMES) < 0)
        e->has_odd_dates = true;
    else if (!pg_text(p, POSITION).s)
        e->n_trackers = 1;
    for (size_t i = 0; pg_text(p, POSITION).s && i < e->n_legal; i++)
        if (e->legal[i].move != TBY_MOVE_NULL && (int64_t)e->legal[i].key == pg_number(p, POSITION))
            e->out->moves[i].reached += (uint64_t)pg_number(p, GAMES);
    return true;
}

#define SUMS                                                                                                           \
    "sum(games), sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum)::bigint,"                  \
    " max(last_date) FILTER (WHERE games > 0), max(last_date) FILTER (WHERE games < 0), bool_and(is_sure)"
#define NO_COUNTS "NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, "
#define NO_DATES "NULL::integer, NULL::integer, NULL::boolean"

/* Where the moves lead. */
static void put_legal(buffer *out, const exploring *e)
{
    buffer_string(out, "{");
    for (size_t i = 0; i < e->n_legal && e->legal[i].move != TBY_MOVE_NULL; i++)
        buffer_printf(out, "%s%" PRId64, i ? "," : "", (int64_t)e->legal[i].key);
    buffer_add(out, "}", 2);
}

/* ---- By the coordinator ----------------------------------------------------------------------------------------- */

static void put_filter(buffer *sql, const exploring *e, const filter *f)
{
    if (f->low_class)
        buffer_printf(sql, " AND class >= %" PRId64, f->low_class);
    if (f->high_year)
        buffer_printf(sql, " AND year BETWEEN %" PRId64 " AND %" PRId64, f->low_year, f->high_year);
    buffer_printf(sql, " AND shard = ANY ('{%s}')", e->trackers.s);
}

static void put_moves(buffer *sql, const exploring *e, const filter *f)
{
    const int64_t key = (int64_t)tby_position_key(e->pos);
    buffer_printf(sql, "SELECT %" PRId64 "::bigint, uci, " SUMS " FROM tabiya.game_played WHERE position = %" PRId64,
                  key, key);
    put_filter(sql, e, f);
    buffer_string(sql, " GROUP BY shard, uci");
}

static void put_reached(buffer *sql, const exploring *e, const filter *f)
{
    buffer legal = {0};
    put_legal(&legal, e);
    buffer_printf(sql,
                  "SELECT position, NULL::text, sum(games), " NO_COUNTS NO_DATES
                  " FROM tabiya.game_played WHERE position = ANY ('%s'::bigint[])",
                  legal.has_failed ? "{}" : legal.s);
    put_filter(sql, e, f);
    buffer_string(sql, " GROUP BY shard, position");
    sql->has_failed |= legal.has_failed;
    buffer_free(&legal);
}

static bool ask(exploring *e, buffer *sql)
{
    const bool is_good = pg_query(e->to, sql->has_failed ? NULL : sql->s, NULL, take_counts, e);
    sql->n = 0;
    return is_good;
}

static bool ask_coordinator(exploring *e, const filter *f)
{
    buffer sql = {0};
    bool is_good = find_trackers(e);
    if (is_good && e->n_trackers) {
        put_moves(&sql, e, f);
        is_good = ask(e, &sql);
    }
    if (is_good && e->n_trackers) {
        put_reached(&sql, e, f);
        is_good = ask(e, &sql);
    }
    buffer_free(&sql);
    return is_good;
}

/* ---- Of one server ---------------------------------------------------------------------------------------------- */

/* Rows of positions: totals, and what came since they were made. No total is of a class and a year. */
static void put_rows(buffer *sql, const char *positions, int more, const filter *f)
{
    static const char columns[] =
        "position, uci, games, white, draws, black, unknown, n_elo, elo_sum, last_date, is_sure";
    const char *among = f->low_class && f->high_year
                            ? " AND class >= $3::integer AND year BETWEEN $4::integer AND $5::integer"
                        : f->low_class ? " AND class >= $3::integer"
                        : f->high_year ? " AND year BETWEEN $3::integer AND $4::integer"
                                       : "";
    const int level = more + (f->low_class ? 0 : 2) + (f->high_year ? 0 : 1);
    const bool has_totals = level != more;
    if (has_totals)
        buffer_printf(sql, "SELECT %s FROM tabiya.game_totals WHERE position %s AND level = %d%s UNION ALL ", columns,
                      positions, level, among);
    buffer_printf(sql, "SELECT %s FROM tabiya.game_played WHERE position %s%s%s", columns, positions,
                  has_totals ? " AND NOT is_folded" : "", among);
}

static void put_statement(buffer *sql, const filter *f)
{
    enum { WITHOUT_MOVES = 4 };
    buffer_string(sql, "SELECT NULL::bigint, NULL::text, NULL::bigint, " NO_COUNTS NO_DATES
                       " FROM tabiya.game_tracked WHERE position = $1::bigint AND is_popular UNION ALL"
                       " SELECT $1::bigint, uci, " SUMS " FROM (");
    put_rows(sql, "= $1::bigint", 0, f);
    buffer_string(sql, ") AS m GROUP BY uci UNION ALL SELECT position, NULL::text, sum(games), " NO_COUNTS NO_DATES
                       " FROM (");
    put_rows(sql, "= ANY ($2::bigint[])", WITHOUT_MOVES, f);
    buffer_string(sql, ") AS n GROUP BY position");
    if (f->high_year)
        buffer_string(sql, " UNION ALL (SELECT NULL::bigint, NULL::text, -1::bigint, " NO_COUNTS NO_DATES
                           " FROM tabiya.odd_dates LIMIT 1)");
}

static void put_values(pg_values *v, const exploring *e, const filter *f)
{
    char number[24];
    buffer legal = {0};
    const int64_t others[] = {f->low_class, f->low_year, f->high_year};
    snprintf(number, sizeof number, "%" PRId64, (int64_t)tby_position_key(e->pos));
    pg_value(v, number);
    put_legal(&legal, e);
    pg_value(v, legal.has_failed ? "{}" : legal.s);
    for (size_t i = f->low_class ? 0 : 1; i < (f->high_year ? 3 : 1); i++) {
        snprintf(number, sizeof number, "%" PRId64, others[i]);
        pg_value(v, number);
    }
    v->texts.has_failed |= legal.has_failed;
    buffer_free(&legal);
}

static bool send_statement(exploring *e, const filter *f)
{
    static const pg_often statements[2][2] = {{PG_COUNTS, PG_COUNTS_OF_YEARS},
                                              {PG_COUNTS_OF_CLASSES, PG_COUNTS_OF_BOTH}};
    buffer sql = {0};
    pg_values v = {.n = 0};
    put_statement(&sql, f);
    put_values(&v, e, f);
    e->is_asked =
        pg_send_often(e->to, statements[f->low_class != 0][f->high_year != 0], sql.has_failed ? NULL : sql.s, &v);
    buffer_free(&sql);
    pg_values_free(&v);
    return e->is_asked;
}

/* Should the tables have been dropped, it fails once. */
static bool take_statement(exploring *e)
{
    pg_step step;
    e->is_asked = false;
    while ((step = pg_next(e->to)) == PG_ROW)
        if (!e->is_wrong)
            take_counts(e, e->to);
    if (step != PG_END)
        e->to->has_counts = e->to->tells_odd_dates = false;
    return step == PG_END;
}

static bool ask_server(exploring *e, const filter *f)
{
    if (!find_tables(e->to))
        return false;
    return !e->to->has_counts || (send_statement(e, f) && take_statement(e));
}

/* The statement also tells whether there are odd dates. */
bool pg_explore_send_counts(exploring *e)
{
    filter f;
    e->to->has_odd_dates = false;
    if (!filter_of(&f, e->to, e->among) || (f.high_year && !e->to->tells_odd_dates))
        return true;
    e->has_years = f.high_year != 0;
    if (!find_tables(e->to))
        return false;
    return !e->to->has_counts || send_statement(e, &f);
}

static bool is_any_unsure(const exploring *e)
{
    for (size_t i = 0; i < e->n_legal; i++)
        if (e->is_unsure[i])
            return true;
    return false;
}

bool pg_explore_take_counts(exploring *e)
{
    if (!e->is_asked)
        return true;
    const bool is_good = take_statement(e);
    e->is_done = is_good && !e->is_wrong && !e->has_odd_dates && e->n_trackers && !is_any_unsure(e);
    e->has_no_counts = is_good && !e->n_trackers && !e->has_years;
    if (!e->is_done)
        pg_explore_empty(e);
    return is_good;
}

/* ---- Dates ------------------------------------------------------------------------------------------------------ */

static bool take_date(void *context, pg *p)
{
    exploring *e = context;
    tby_db_move *m = pg_explored_move(e, pg_text(p, 0));
    const int date = (int)pg_number(p, 1);
    if (m && e->is_unsure[m - e->out->moves] && date > m->last_date)
        m->last_date = date;
    return true;
}

/* Where the last game of a move has gone, only the games tell which is the last now. */
static bool ask_dates(exploring *e)
{
    buffer sql = {0};
    pg_values v = {.n = 0};
    char fen[TBY_FEN_SIZE];
    if (!is_any_unsure(e))
        return true;
    tby_fen_write_position(fen, sizeof fen, e->pos, 0);
    pg_value(&v, fen);
    buffer_printf(&sql,
                  "SELECT %1$splayedMove(g.moves, $1::%1$schessboard), max(g.date) FROM tabiya.game g"
                  " WHERE %1$shasPosition(g.moves, $1::%1$schessboard)",
                  e->to->ext);
    if (e->to->is_coordinator)
        buffer_printf(&sql, " AND g.shard = ANY ('{%s}')", e->trackers.s);
    bool is_good = pg_explored_games(e, &sql, &v);
    buffer_string(&sql, e->to->is_coordinator ? " GROUP BY g.shard, 1" : " GROUP BY 1");
    is_good = is_good && pg_query(e->to, sql.has_failed ? NULL : sql.s, &v, take_date, e);
    pg_values_free(&v);
    buffer_free(&sql);
    return is_good;
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

bool pg_explore_counts(exploring *e)
{
    filter f;
    if (!pg_find_odd_dates(e->to, e->among ? e->among->query : NULL))
        return false;
    if (!filter_of(&f, e->to, e->among))
        return true;
    if (!(e->to->is_coordinator ? ask_coordinator(e, &f) : ask_server(e, &f)))
        return false;
    if (e->n_trackers == 0) {
        pg_explore_empty(e);
        return true;
    }
    put_others(e);
    e->is_done = e->shards.n == 0;
    return ask_dates(e) && (!e->shards.has_failed || db_fail_memory(&e->to->base));
}

bool pg_explain_counts(exploring *e, buffer *out)
{
    filter f;
    if (!pg_find_odd_dates(e->to, e->among ? e->among->query : NULL))
        return false;
    const bool is_told = filter_of(&f, e->to, e->among);
    if (is_told && !find_trackers(e))
        return false;
    if (!is_told)
        buffer_string(out,
                      "moves: from the games; counts are kept for ratings from a multiple of 200, and for years\n");
    else if (e->n_trackers == 0)
        buffer_string(out, "moves: from the games; no counts are kept of this position\n");
    else if (e->n_trackers < e->to->n_shards)
        buffer_printf(out, "moves: from the counts that %s %s %s of this position, and from the games of others\n",
                      e->n_trackers == 1 ? "shard" : "shards", e->trackers.s, e->n_trackers == 1 ? "keeps" : "keep");
    else
        buffer_string(out, "moves: from the counts that are kept of this position\n");
    return true;
}
