/*
 * explore_counts.c - the moves played in a position that many games reach, from stored counts.
 *
 * The extension's createMoveStats maintains them, by class of the lower rating and by year: a few thousand rows instead
 * of every game, and totals of them over classes and years: a few dozen. They can be used for all games, for ratings
 * from a multiple of 200 on, and for whole years; other searches look at the games. The statement is the extension's
 * own function game_counts.
 */
#include "query/ast.h"
#include "store/postgres/explore.h"
#include "store/tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASS_WIDTH = 200, MOST_ELO = 9999, MOST_YEAR = 9999 };

/* ---- Searches that counts can answer ---------------------------------------------------------------------------- */

typedef struct filter {
    int64_t low_class, low_year, high_year; /* 0: any */
} filter;

/* A condition that both players have at least this rating. */
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

static bool take_node(filter *f, const query_node *node)
{
    return node->type == Q_ELO ? take_elo(f, node) : node->type == Q_DATE ? take_years(f, node) : node->type == Q_TRUE;
}

/* Can the counts answer the search? */
static bool filter_of(filter *f, const tby_db_search *among)
{
    *f = (filter){0};
    if (!among)
        return true;
    if (among->where)
        return false;
    const query_tree *tree = &among->query->program;
    const query_node *top = tree_node(tree, tree->root);
    if (top->type != Q_AND)
        return take_node(f, top);
    for (uint32_t i = 0; i < top->n_kids; i++)
        if (!take_node(f, tree_node(tree, tree_kid(tree, top, i))))
            return false;
    return true;
}

/* ---- Which counts exist ----------------------------------------------------------------------------------------- */

/* An import may have created the counts meanwhile. */
static bool find_counts(server *s)
{
    int64_t has_counts = s->has_counts;
    if (!has_counts && !pg_number_of(&s->to, "SELECT " PG_HAS_COUNTS, 0, &has_counts))
        return false;
    s->has_counts = has_counts;
    return true;
}

/* Is there a game that is not in the counts by year? */
static bool is_in_several_years(server *s, int64_t *out)
{
    return pg_number_of(
        &s->to, "SELECT count(*) FROM (SELECT 1 FROM tabiya.game WHERE " PG_IN_SEVERAL_YEARS " LIMIT 1) AS x", 0, out);
}

/* ---- Counts ----------------------------------------------------------------------------------------------------- */

/* A row is a move; or, for a position after a move, the number of games that reach it; or, for the position itself, a
   note that it is counted; or, without a position, a note that some game has no single year. */
enum { POSITION, UCI, GAMES, WHITE, DRAWS, BLACK, UNKNOWN, N_ELO, ELO_SUM, LAST };

static bool take_move(exploring *e)
{
    const connection *row = &e->to->to;
    tby_db_moves *out = &e->counted;
    const tby_text uci = pg_text(row, UCI);
    const int64_t n = pg_number(row, GAMES);
    const uint64_t results[4] = {[TBY_RESULT_NONE] = (uint64_t)pg_number(row, UNKNOWN),
                                 [TBY_WHITE_WINS] = (uint64_t)pg_number(row, WHITE),
                                 [TBY_BLACK_WINS] = (uint64_t)pg_number(row, BLACK),
                                 [TBY_DRAW] = (uint64_t)pg_number(row, DRAWS)};
    tby_db_move *m = explored_move(e, uci);
    if (n < 0 || (uci.n && !m))
        return false;
    out->games += (uint64_t)n;
    for (int i = 0; i < 4; i++)
        out->results[i] += results[i];
    if (!m) {
        out->ended += (uint64_t)n;
        return true;
    }
    tally_add(TALLY_OF(m), results, (uint64_t)pg_number(row, N_ELO), (uint64_t)pg_number(row, ELO_SUM),
              n ? (int)pg_number(row, LAST) : 0);
    return true;
}

static void take_row(exploring *e)
{
    const connection *row = &e->to->to;
    const int64_t position = pg_number(row, POSITION);
    if (pg_text(row, UCI).s)
        e->is_wrong |= !take_move(e);
    else if (!pg_text(row, POSITION).s)
        e->is_partial = true;
    else if (position == (int64_t)tby_position_key(e->pos))
        e->is_counted = true;
    for (size_t i = 0; !pg_text(row, UCI).s && pg_text(row, POSITION).s && i < e->n_legal; i++)
        if (e->legal[i].move != TBY_MOVE_NULL && (int64_t)e->legal[i].key == position)
            e->counted.moves[i].reached += (uint64_t)pg_number(row, GAMES);
}

/* The board, the positions after its moves, and the ranges, or NULL for all. */
static void put_values(pg_values *v, const exploring *e, const filter *f)
{
    char text[TBY_FEN_SIZE];
    buffer legal = {0};
    tby_fen_write_position(text, sizeof text, e->pos, 0);
    pg_value(v, text);
    buffer_string(&legal, "{");
    for (size_t i = 0; i < e->n_legal && e->legal[i].move != TBY_MOVE_NULL; i++)
        buffer_printf(&legal, "%s%" PRId64, i ? "," : "", (int64_t)e->legal[i].key);
    buffer_string(&legal, "}");
    pg_value_take(v, &legal);
    snprintf(text, sizeof text, "[%" PRId64 ",)", f->low_class);
    pg_value(v, f->low_class ? text : "");
    snprintf(text, sizeof text, "[%" PRId64 ",%" PRId64 "]", f->low_year, f->high_year);
    pg_value(v, f->high_year ? text : "");
}

/* Citus would run the function as part of a distributed statement, in which it cannot query the workers: there the
   years are checked separately. */
static bool send_statement(exploring *e, const filter *f)
{
    const bool is_of_years = f->high_year && !e->to->has_citus;
    buffer sql = {0};
    pg_values v = {.n = 0};
    buffer_printf(&sql,
                  "SELECT * FROM tabiya.game_counts($1::%schessboard, $2::bigint[], nullif($3::text, '')"
                  "::int4range, nullif($4::text, '')::int4range)",
                  e->to->ext);
    if (is_of_years)
        buffer_string(&sql, " UNION ALL (SELECT NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0 FROM tabiya.game"
                            " WHERE " PG_IN_SEVERAL_YEARS " LIMIT 1)");
    put_values(&v, e, f);
    e->is_asked =
        pg_send_often(&e->to->to, is_of_years ? PG_COUNTS_OF_YEARS : PG_COUNTS, sql.has_failed ? NULL : sql.s, &v);
    buffer_free(&sql);
    pg_values_free(&v);
    return e->is_asked;
}

bool exploring_send_counts(exploring *e)
{
    filter f;
    int64_t is_partial = 0;
    if (!filter_of(&f, e->among))
        return true;
    if (!find_counts(e->to))
        return false;
    if (!e->to->has_counts)
        return true;
    if (f.high_year && e->to->has_citus && !is_in_several_years(e->to, &is_partial))
        return false;
    return is_partial || send_statement(e, &f);
}

/* If the tables were dropped meanwhile, one query fails and the next one recovers. */
bool exploring_take_counts(exploring *e)
{
    if (!e->is_asked)
        return true;
    e->is_asked = false;
    while (pg_next(&e->to->to))
        if (!e->is_wrong)
            take_row(e);
    const bool is_good = pg_is_good(&e->to->to);
    if (!is_good)
        e->to->has_counts = false;
    e->is_done = is_good && e->is_counted && !e->is_partial && !e->is_wrong;
    if (!e->is_done)
        exploring_empty(e);
    return is_good && !exploring_is_wrong(e);
}

bool exploring_explain(server *s, const tby_position *pos, const tby_db_search *among, pg_source *out)
{
    filter f;
    int64_t is_counted = 0, is_partial = 0;
    char sql[128];
    *out = PG_FROM_GAMES;
    if (among && !among->query && !among->where)
        among = NULL;
    if (!filter_of(&f, among))
        return true;
    if (!find_counts(s) || (f.high_year && !is_in_several_years(s, &is_partial)))
        return false;
    if (is_partial)
        return true;
    snprintf(sql, sizeof sql, "SELECT 1 FROM tabiya.game_tracked WHERE position = %" PRId64 " AND is_popular",
             (int64_t)tby_position_key(pos));
    if (s->has_counts && !pg_number_of(&s->to, sql, 0, &is_counted))
        return false;
    *out = is_counted ? PG_FROM_COUNTS : PG_NOT_COUNTED;
    return true;
}
