/*
 * pg_find.c - finds games on a PostgreSQL server: the conditions of query.h as one SQL statement.
 *
 * Each condition means what it means to a database file (src/store/sqlite/find.c). The extension's functions are called plainly:
 * the server knows which indexes serve them.
 */
#include "pg.h"

#include <inttypes.h>
#include <string.h>

/* ---- The statement ---------------------------------------------------------------------------------------------- */

typedef struct statement {
    buffer text;
    pg_values values;
    bool has_condition;
} statement;

static void statement_free(statement *s)
{
    buffer_free(&s->text);
    pg_values_free(&s->values);
}

static void condition(statement *s, const char *format, ...) PRINTF_LIKE(2, 3);
static void condition(statement *s, const char *format, ...)
{
    va_list list;
    buffer_string(&s->text, s->has_condition ? " AND " : " WHERE ");
    va_start(list, format);
    buffer_list(&s->text, format, list);
    va_end(list);
    s->has_condition = true;
}

/* The text with * for %, and what LIKE would misunderstand escaped. */
static void like_pattern(buffer *out, const char *pattern)
{
    for (const char *c = pattern; *c; c++) {
        if (*c == '%' || *c == '_' || *c == '\\')
            buffer_string(out, "\\");
        buffer_add(out, *c == '*' ? "%" : c, 1);
    }
    buffer_add(out, "", 1);
}

/* "LIKE lower($1)" or "= lower($1)": what a column in small letters is compared with. */
static void add_pattern(statement *s, char out[64], const char *pattern)
{
    buffer like = {0};
    const bool is_like = strchr(pattern, '*') != NULL;
    if (is_like)
        like_pattern(&like, pattern);
    snprintf(out, 64, "%s lower($%zu COLLATE \"C\")", is_like ? "LIKE" : "=",
             pg_value(&s->values, is_like ? like.s : pattern));
    buffer_free(&like);
}

/* A name that a game lacks fits the empty pattern only. */
static void name_condition(statement *s, const char *column, const char *pattern)
{
    char fits[64];
    if (!pattern)
        return;
    add_pattern(s, fits, pattern);
    if (*pattern)
        condition(s, "lower(g.%s) %s", column, fits);
    else
        condition(s, "(lower(g.%s) %s OR g.%s IS NULL)", column, fits, column);
}

static void player_condition(statement *s, const char *pattern)
{
    char fits[64];
    if (!pattern)
        return;
    add_pattern(s, fits, pattern);
    condition(s, "(lower(g.white) %s OR lower(g.black) %s%s)", fits, fits,
              *pattern ? "" : " OR g.white IS NULL OR g.black IS NULL");
}

static void eco_condition(statement *s, const tby_db_query *asked)
{
    name_condition(s, "eco", asked->eco);
    if (asked->eco_min)
        condition(s, "lower(g.eco) >= lower($%zu COLLATE \"C\")", pg_value(&s->values, asked->eco_min));
    if (asked->eco_max) {
        const size_t n = pg_value(&s->values, asked->eco_max);
        condition(s, "lower(substr(g.eco, 1, length($%zu))) <= lower($%zu COLLATE \"C\")", n, n);
    }
}

static void range_condition(statement *s, const char *expression, int min, int max)
{
    if (min > 0)
        condition(s, "%s >= %d", expression, min);
    if (max > 0)
        condition(s, "%s <= %d", expression, max);
}

static void opening_condition(statement *s, const uint8_t *bytes, size_t n)
{
    buffer hex = {0};
    buffer_string(&hex, "\\x");
    for (size_t i = 0; i < n; i++)
        buffer_printf(&hex, "%02x", bytes[i]);
    buffer_add(&hex, "", 1);
    condition(s, "hasOpening(g.moves, $%zu::bytea::chessgame)", pg_value(&s->values, hex.s));
    buffer_free(&hex);
}

/* The last day that a date with unknown parts can mean. */
#define LAST_DAY "(g.date + CASE WHEN g.date % 10000 = 0 THEN 9999 WHEN g.date % 100 = 0 THEN 99 ELSE 0 END)"

static void conditions(statement *s, const query *q, size_t board)
{
    const tby_db_query *asked = &q->db;
    const char *has = asked->target && asked->target->is_placement ? "hasBoard" : "hasPosition";
    if (asked->target && asked->max_ply > 0)
        condition(s, "%s(g.moves, $%zu::chessboard, %d)", has, board, asked->max_ply);
    else if (asked->target)
        condition(s, "%s(g.moves, $%zu::chessboard)", has, board);
    if (asked->n_opening)
        opening_condition(s, asked->opening, asked->n_opening);
    player_condition(s, asked->player);
    name_condition(s, "white", asked->white);
    name_condition(s, "black", asked->black);
    name_condition(s, "event", asked->event);
    name_condition(s, "site", asked->site);
    eco_condition(s, asked);
    if (asked->result)
        condition(s, "g.result = $%zu", pg_value(&s->values, asked->result));
    range_condition(s, "g.white_elo", asked->elo_min, asked->elo_max);
    range_condition(s, "g.black_elo", asked->elo_min, asked->elo_max);
    range_condition(s, LAST_DAY, asked->date_min, 0);
    range_condition(s, "g.date", 0, asked->date_max);
    range_condition(s, "g.plies", asked->plies_min, asked->plies_max);
    if (asked->where)
        condition(s, "g.id IN (SELECT id FROM tabiya.games WHERE %s)", asked->where);
}

/* In the order of ids. */
static void limits(statement *s, const tby_db_query *asked)
{
    buffer_string(&s->text, " ORDER BY g.id");
    if (asked->limit)
        buffer_printf(&s->text, " LIMIT %" PRId64, asked->limit);
    if (asked->offset)
        buffer_printf(&s->text, " OFFSET %" PRId64, asked->offset);
}

/* The board that is looked for, as a value; 0 if there is none. */
static size_t board_value(statement *s, const query *q)
{
    char fen[TBY_FEN_SIZE];
    if (!q->db.target)
        return 0;
    tby_fen_write(fen, sizeof fen, &q->board, 0);
    return pg_value(&s->values, fen);
}

/* "SELECT id, ply, ... FROM tabiya.game g WHERE ... ORDER BY id LIMIT ..." */
static statement statement_of(const query *q, wanted what)
{
    static const char *const columns[] = {
        [WANTED_IDS] = "", [WANTED_ROWS] = ", " PG_ROW_COLUMNS, [WANTED_GAMES] = ", " PG_GAME_COLUMNS};
    statement s = {.has_condition = false};
    const size_t board = board_value(&s, q);
    buffer_string(&s.text, "SELECT g.id, ");
    if (board)
        buffer_printf(&s.text, "%s(g.moves, $%zu::chessboard)", q->db.target->is_placement ? "boardPly" : "positionPly",
                      board);
    else
        buffer_string(&s.text, "-1");
    buffer_string(&s.text, columns[what]);
    buffer_string(&s.text, " FROM tabiya.game g");
    conditions(&s, q, board);
    limits(&s, &q->db);
    buffer_add(&s.text, "", 1);
    return s;
}

/* "SELECT count(*) FROM (SELECT FROM tabiya.game g WHERE ... LIMIT ...) AS x" */
static statement statement_of_count(const query *q)
{
    statement s = {.has_condition = false};
    const size_t board = board_value(&s, q);
    buffer_string(&s.text, "SELECT count(*) FROM (SELECT FROM tabiya.game g");
    conditions(&s, q, board);
    if (q->db.limit || q->db.offset)
        limits(&s, &q->db);
    buffer_string(&s.text, ") AS x");
    buffer_add(&s.text, "", 1);
    return s;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

tby_row pg_row(const pg *p, wanted what)
{
    enum { DATE = PG_FIRST, PLIES, WHITE_ELO, BLACK_ELO, RESULT, WHITE, BLACK, EVENT, SITE, ROUND, ECO, MOVES, SHAPE };
    enum { TAGS = SHAPE + 1, ANNOTATED, HASH };
    const tby_text result = pg_text(p, RESULT);
    tby_row row = {
        .date = (int)pg_number(p, DATE),
        .plies = (uint32_t)pg_number(p, PLIES),
        .elo = {(int)pg_number(p, WHITE_ELO), (int)pg_number(p, BLACK_ELO)},
        .white = pg_text(p, WHITE),
        .black = pg_text(p, BLACK),
        .event = pg_text(p, EVENT),
        .site = pg_text(p, SITE),
        .round = pg_text(p, ROUND),
        .eco = pg_text(p, ECO),
        .moves = pg_text(p, MOVES),
    };
    if (tby_result_read(&row.result, result.s, result.n, NULL) != TBY_OK)
        row.result = TBY_RESULT_NONE;
    if (what == WANTED_GAMES) {
        row.shape = pg_text(p, SHAPE);
        row.tags = pg_text(p, TAGS);
        row.annotated = pg_text(p, ANNOTATED);
        row.hash = (uint64_t)pg_number(p, HASH);
    }
    return row;
}

/* A search while it goes on. */
typedef struct finding {
    tby_db_visit visit;
    void *context;
} finding;

static bool visit_row(void *context, pg *p)
{
    const finding *f = context;
    const tby_db_hit hit = {pg_number(p, PG_ID), (int)pg_number(p, PG_PLY)};
    return f->visit(f->context, &hit);
}

bool pg_find(void *db, const query *q, wanted what, tby_db_visit visit, void *context)
{
    pg *p = db;
    finding f = {visit, context};
    statement s = statement_of(q, what);
    p->what = what;
    const bool is_good = pg_query(p, s.text.s, &s.values, visit_row, &f);
    statement_free(&s);
    return is_good;
}

bool pg_row_visited(void *db, tby_game_id id, tby_row *out)
{
    pg *p = db;
    tby_error err;
    *out = pg_row(p, p->what);
    if (tby_packed_check((const uint8_t *)out->moves.s, out->moves.n, &err) != TBY_OK)
        return pg_fail(p, "game %" PRId64 " is damaged: %s", id, err.detail);
    return true;
}

static bool take_count(void *context, pg *p)
{
    *(int64_t *)context = pg_number(p, 0);
    return true;
}

int64_t pg_count(void *db, const query *q)
{
    int64_t n = 0;
    statement s = statement_of_count(q);
    const bool is_good = pg_query(db, s.text.s, &s.values, take_count, &n);
    statement_free(&s);
    return is_good ? n : -1;
}

int64_t pg_last_id(void *db)
{
    int64_t id;
    return pg_number_of(db, "SELECT max(id) FROM tabiya.game", 1, &id) ? id : -1;
}

bool pg_check_where(void *db, const char *condition, problem *why)
{
    pg *p = db;
    buffer sql = {0};
    buffer_printf(&sql, "SELECT id FROM tabiya.games WHERE (%s)", condition);
    buffer_add(&sql, "", 1);
    const bool is_good = pg_check(p, sql.s);
    if (!is_good)
        problem_tell(why, PROBLEM_ASKED, "%s", p->error);
    buffer_free(&sql);
    return is_good;
}
