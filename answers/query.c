/*
 * query.c - which games of a database, from texts to what the library takes.
 */
#include "query.h"
#include "line.h"
#include "position.h"
#include "range.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

const char *const query_names[N_QUERY_VALUES] = {
    [QUERY_BLACK] = "black", [QUERY_BOARD] = "board",   [QUERY_CHESS960] = "chess960", [QUERY_DATE] = "date",
    [QUERY_ECO] = "eco",     [QUERY_ELO] = "elo",       [QUERY_EVENT] = "event",       [QUERY_FEN] = "fen",
    [QUERY_LIMIT] = "limit", [QUERY_OFFSET] = "offset", [QUERY_OPENING] = "opening",   [QUERY_PLAYER] = "player",
    [QUERY_PLIES] = "plies", [QUERY_RESULT] = "result", [QUERY_SITE] = "site",         [QUERY_THREADS] = "threads",
    [QUERY_WHERE] = "where", [QUERY_WHITE] = "white",   [QUERY_WITHIN] = "within",
};

/* While the values are read. */
typedef struct reading {
    query *q;
    const query_values *values;
    problem *p;
    char what[48]; /* the value being read, by its name */
} reading;

/* Its value, and its name for a problem. */
static const char *take(reading *r, int index)
{
    snprintf(r->what, sizeof r->what, "%s%s%s", r->values->who, r->values->dashes, query_names[index]);
    return r->values->of[index];
}

static void add_where(query *q, const char *condition)
{
    if (q->where.n)
        buffer_string(&q->where, " AND ");
    buffer_string(&q->where, "(");
    buffer_string(&q->where, condition);
    buffer_string(&q->where, ")");
}

/* 0 if it is not given. */
static bool read_count(reading *r, uint64_t *out, int index, uint64_t low, uint64_t high)
{
    const char *value = take(r, index);
    *out = 0;
    return !value || problem_number(out, r->what, value, low, high, r->p);
}

static bool read_counts(reading *r)
{
    uint64_t limit, offset, within, threads;
    if (!read_count(r, &limit, QUERY_LIMIT, 1, UINT32_MAX) || !read_count(r, &offset, QUERY_OFFSET, 0, UINT32_MAX) ||
        !read_count(r, &within, QUERY_WITHIN, 1, TBY_PLIES_MAX) ||
        !read_count(r, &threads, QUERY_THREADS, 1, QUERY_THREADS_MAX))
        return false;
    r->q->db.limit = (int64_t)limit;
    r->q->db.offset = (int64_t)offset;
    r->q->db.max_ply = (int)within;
    r->q->db.n_threads = (unsigned)threads;
    return true;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

/* Of a FEN, blanks between. */
static size_t count_fields(const char *s)
{
    size_t n = 0;
    for (s += strspn(s, " \t"); *s; s += strspn(s, " \t"), n++)
        s += strcspn(s, " \t");
    return n;
}

/* Castling rights that are left out would be none, and hardly any game would be found. */
static bool read_fen(reading *r, const char *value, unsigned flags)
{
    tby_position pos;
    if (count_fields(value) < 3 && strcmp(value, "startpos") != 0)
        return problem_tell(r->p, PROBLEM_ASKED,
                            "%s%sfen needs the side to move and the castling rights too, such as \"w KQkq\"; %sboard looks "
                            "for the pieces alone",
                            r->values->who, r->values->dashes, r->values->dashes);
    if (!fen_position(&pos, fen_named(value, strlen(value)), flags, TBY_FAULTS_UNREACHABLE, r->p))
        return false;
    tby_target_position(&r->q->target, &pos);
    tby_position_setup(&r->q->board, &pos);
    return true;
}

static bool read_board(reading *r, const char *value, unsigned flags)
{
    if (!fen_setup(&r->q->board, fen_named(value, strlen(value)), flags, NULL, r->p))
        return false;
    tby_target_placement(&r->q->target, &r->q->board.board);
    return true;
}

static bool read_target(reading *r)
{
    const char *who = r->values->who, *dashes = r->values->dashes, *const *of = r->values->of;
    const char *fen = of[QUERY_FEN], *board = of[QUERY_BOARD];
    const unsigned flags = of[QUERY_CHESS960] ? TBY_FEN_CHESS960 : 0;
    if (fen && board)
        return problem_tell(r->p, PROBLEM_ASKED, "%s%sfen and %sboard cannot both be looked for", who, dashes, dashes);
    if (of[QUERY_WITHIN] && !fen && !board)
        return problem_tell(r->p, PROBLEM_ASKED, "%s%swithin needs %sfen or %sboard", who, dashes, dashes, dashes);
    if (fen || board)
        r->q->db.target = &r->q->target;
    return (!fen || read_fen(r, fen, flags)) && (!board || read_board(r, board, flags));
}

/* The moves as a packed game. */
static bool pack_opening(reading *r, const tby_position *start, const tby_move *moves, size_t n_moves)
{
    buffer *opening = &r->q->opening;
    const size_t size = tby_packed_encode(NULL, 0, start, moves, n_moves, TBY_RESULT_NONE);
    if (n_moves == 0 || size == 0)
        return value_refuse(r->what, r->values->of[QUERY_OPENING], "moves", r->p);
    uint8_t *to = (uint8_t *)buffer_room(opening, size);
    if (!to)
        return problem_no_memory(r->p);
    tby_packed_encode(to, size, start, moves, n_moves, TBY_RESULT_NONE);
    r->q->db.opening = to;
    r->q->db.n_opening = opening->n = size;
    return true;
}

static bool read_opening(reading *r)
{
    const char *value = take(r, QUERY_OPENING);
    tby_position start, pos;
    buffer moves = {0};
    if (!value)
        return true;
    tby_position_start(&start);
    pos = start;
    const bool is_good = line_read(&pos, &moves, r->what, value, r->p) &&
                         pack_opening(r, &start, (const tby_move *)(void *)moves.s, moves.n / sizeof(tby_move));
    buffer_free(&moves);
    return is_good;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* 0 is an open end in the library; a range that ends at 0 is said in SQL. */
static void set_range(query *q, const range *r, int *min, int *max, const char *none)
{
    *min = r->low > INT_MAX ? INT_MAX : (int)r->low;
    *max = r->high > INT_MAX ? 0 : (int)r->high;
    if (r->high == 0)
        add_where(q, none);
}

static bool read_ranges(reading *r)
{
    tby_db_query *db = &r->q->db;
    const char *value;
    range found;
    if ((value = take(r, QUERY_ELO)) != NULL) {
        if (!range_of_numbers(&found, r->what, value, r->p))
            return false;
        set_range(r->q, &found, &db->elo_min, &db->elo_max, "white_elo = 0 AND black_elo = 0");
        db->elo_min += db->elo_min == 0; /* both are known */
    }
    if ((value = take(r, QUERY_DATE)) != NULL) {
        if (!range_of_dates(&found, r->what, value, r->p))
            return false;
        set_range(r->q, &found, &db->date_min, &db->date_max, "date = '0'");
        db->date_min += db->date_min == 0;
    }
    if ((value = take(r, QUERY_PLIES)) != NULL) {
        if (!range_of_numbers(&found, r->what, value, r->p))
            return false;
        set_range(r->q, &found, &db->plies_min, &db->plies_max, "plies = 0");
    }
    return true;
}

static void read_eco(query *q, const char *value)
{
    const char *dots = value ? strstr(value, "..") : NULL;
    if (!dots) {
        q->db.eco = value;
        return;
    }
    buffer_add(&q->eco, value, (size_t)(dots - value));
    buffer_add(&q->eco, "", 1);
    q->db.eco_min = q->eco.s;
    q->db.eco_max = dots[2] ? dots + 2 : NULL;
}

static bool read_result(reading *r)
{
    const char *value = take(r, QUERY_RESULT);
    tby_result result;
    if (!value)
        return true;
    if (tby_result_read(&result, value, strlen(value), NULL) != TBY_OK)
        return value_refuse(r->what, value, "1-0, 0-1, 1/2-1/2 or *", r->p);
    r->q->db.result = tby_result_text(result);
    return true;
}

bool query_check_where(void *db, const char *condition, problem *p)
{
    sqlite3_stmt *s = NULL;
    char *sql = sqlite3_mprintf("SELECT id FROM games WHERE (%s)", condition);
    const bool is_good = sql && sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &s, NULL) == SQLITE_OK;
    if (!is_good)
        problem_tell(p, PROBLEM_ASKED, "%s", sql ? sqlite3_errmsg(tby_db_sqlite(db)) : "out of memory");
    sqlite3_finalize(s);
    sqlite3_free(sql);
    return is_good;
}

/* A mistake in the user's SQL is told before any work begins. */
static bool read_where(reading *r, query_check check, void *db)
{
    const char *value = take(r, QUERY_WHERE);
    problem p = {0};
    if (!value)
        return true;
    if (!check(db, value, &p))
        return problem_tell(r->p, p.status, "%s: %s", r->what, p.text);
    add_where(r->q, value);
    return true;
}

static bool has_condition(const query_values *values)
{
    for (int i = 0; i < N_QUERY_VALUES; i++) {
        const bool is_condition = i != QUERY_CHESS960 && i != QUERY_LIMIT && i != QUERY_OFFSET && i != QUERY_THREADS;
        if (is_condition && values->of[i])
            return true;
    }
    return false;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

/* A buffer without memory would leave a condition out, and more games would be found than asked for. */
static bool has_memory(const query *q, problem *p)
{
    return !(q->opening.has_failed || q->eco.has_failed || q->where.has_failed) || problem_no_memory(p);
}

static bool read_all(reading *r, query_check check, void *db)
{
    read_eco(r->q, r->values->of[QUERY_ECO]);
    return read_counts(r) && read_target(r) && read_opening(r) && read_ranges(r) && read_result(r) &&
           read_where(r, check, db) && has_memory(r->q, r->p);
}

bool query_read(query *q, const query_values *values, query_check check, void *db, problem *p)
{
    const char *const *of = values->of;
    *q = (query){.has_condition = has_condition(values),
                 .db = {
                     .player = of[QUERY_PLAYER],
                     .white = of[QUERY_WHITE],
                     .black = of[QUERY_BLACK],
                     .event = of[QUERY_EVENT],
                     .site = of[QUERY_SITE],
                 }};
    reading r = {.q = q, .values = values, .p = p};
    bool is_good = read_all(&r, check, db);
    if (is_good && q->where.n) {
        buffer_add(&q->where, "", 1);
        q->db.where = q->where.s;
        is_good = has_memory(q, p);
    }
    if (!is_good)
        query_free(q);
    return is_good;
}

void query_free(query *q)
{
    buffer_free(&q->opening);
    buffer_free(&q->eco);
    buffer_free(&q->where);
}
