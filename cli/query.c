/*
 * query.c - which games of a database, from the options of find, export and delete.
 */
#include "query.h"
#include "line.h"
#include "range.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* A condition is given once: the library knows one of each. */
static bool refuse_repetition(const args *a)
{
    bool seen[N_QUERY_OPTIONS] = {false};
    for (size_t i = 0; i < a->n_given; i++) {
        const int index = a->given[i].index;
        if (index >= N_QUERY_OPTIONS)
            continue;
        if (seen[index]) {
            error_print("%s: --%s is given twice; --where can say more", a->command->name,
                        a->command->options[index].name);
            return false;
        }
        seen[index] = true;
    }
    return true;
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
static bool read_count(unsigned long *out, const args *a, int index, unsigned long low, unsigned long high)
{
    char what[32];
    const char *value = args_value(a, index);
    *out = 0;
    snprintf(what, sizeof what, "%s: --%s", a->command->name, a->command->options[index].name);
    return !value || number_parse(out, what, value, low, high);
}

static bool read_counts(query *q, const args *a)
{
    unsigned long limit, offset, within, threads;
    if (!read_count(&limit, a, QUERY_LIMIT, 1, UINT32_MAX) || !read_count(&offset, a, QUERY_OFFSET, 0, UINT32_MAX) ||
        !read_count(&within, a, QUERY_WITHIN, 1, TBY_PLIES_MAX) ||
        !read_count(&threads, a, QUERY_THREADS, 1, THREADS_MAX))
        return false;
    q->db.limit = (int64_t)limit;
    q->db.offset = (int64_t)offset;
    q->db.max_ply = (int)within;
    q->db.n_threads = (unsigned)threads;
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
static bool read_fen(query *q, const char *name, const char *value, unsigned flags)
{
    const fen_input fen = fen_text(value);
    tby_position pos;
    if (count_fields(value) < 3 && strcmp(value, "startpos") != 0) {
        error_print("%s: --fen needs the side to move and the castling rights too, such as \"w KQkq\"; --board looks for "
                    "the pieces alone",
                    name);
        return false;
    }
    if (!position_read(&pos, &fen, flags, TBY_FAULTS_UNREACHABLE))
        return false;
    tby_target_position(&q->target, &pos);
    tby_position_setup(&q->board, &pos);
    return true;
}

static bool read_board(query *q, const char *value, unsigned flags)
{
    const fen_input fen = fen_text(value);
    if (!setup_read(&q->board, &fen, flags, NULL))
        return false;
    tby_target_placement(&q->target, &q->board.board);
    return true;
}

static bool read_target(query *q, const args *a)
{
    const char *name = a->command->name, *fen = args_value(a, QUERY_FEN), *board = args_value(a, QUERY_BOARD);
    const unsigned flags = args_has(a, QUERY_CHESS960) ? TBY_FEN_CHESS960 : 0;
    if (fen && board) {
        error_print("%s: --fen and --board cannot both be looked for", name);
        return false;
    }
    if (args_has(a, QUERY_WITHIN) && !fen && !board) {
        error_print("%s: --within needs --fen or --board", name);
        return false;
    }
    if (fen || board)
        q->db.target = &q->target;
    return (!fen || read_fen(q, name, fen, flags)) && (!board || read_board(q, board, flags));
}

/* The moves as a packed game. */
static bool pack_opening(query *q, const tby_position *start, const tby_move *moves, size_t n_moves)
{
    const size_t size = tby_packed_encode(NULL, 0, start, moves, n_moves, TBY_RESULT_NONE);
    if (n_moves == 0 || size == 0)
        return false;
    tby_packed_encode((uint8_t *)buffer_room(&q->opening, size), size, start, moves, n_moves, TBY_RESULT_NONE);
    q->db.opening = (const uint8_t *)q->opening.s;
    q->db.n_opening = q->opening.n = size;
    return true;
}

static bool read_opening(query *q, const char *name, const char *value)
{
    char what[32];
    tby_position start, pos;
    buffer moves = {0};
    if (!value)
        return true;
    tby_position_start(&start);
    pos = start;
    snprintf(what, sizeof what, "%s: --opening", name);
    const bool is_good = line_read(&pos, &moves, what, value) &&
                         (pack_opening(q, &start, (const tby_move *)(void *)moves.s, moves.n / sizeof(tby_move)) ||
                          value_refuse(name, "opening", value, "moves"));
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

static bool read_ranges(query *q, const args *a)
{
    const char *name = a->command->name;
    const char *elo = args_value(a, QUERY_ELO), *date = args_value(a, QUERY_DATE), *plies = args_value(a, QUERY_PLIES);
    range r;
    if (elo) {
        if (!range_of_numbers(&r, name, "elo", elo))
            return false;
        set_range(q, &r, &q->db.elo_min, &q->db.elo_max, "white_elo = 0 AND black_elo = 0");
        q->db.elo_min += q->db.elo_min == 0; /* both are known */
    }
    if (date) {
        if (!range_of_dates(&r, name, "date", date))
            return false;
        set_range(q, &r, &q->db.date_min, &q->db.date_max, "date = '0'");
        q->db.date_min += q->db.date_min == 0;
    }
    if (plies) {
        if (!range_of_numbers(&r, name, "plies", plies))
            return false;
        set_range(q, &r, &q->db.plies_min, &q->db.plies_max, "plies = 0");
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

static bool read_result(query *q, const char *name, const char *value)
{
    tby_result result;
    if (!value)
        return true;
    if (tby_result_read(&result, value, strlen(value), NULL) != TBY_OK)
        return value_refuse(name, "result", value, "1-0, 0-1, 1/2-1/2 or *");
    q->db.result = tby_result_text(result);
    return true;
}

bool query_check_where(void *db, const char *condition, char error[TBY_DB_ERROR_SIZE])
{
    sqlite3_stmt *s = NULL;
    char *sql = sqlite3_mprintf("SELECT id FROM games WHERE (%s)", condition);
    const bool is_good = sql && sqlite3_prepare_v2(tby_db_sqlite(db), sql, -1, &s, NULL) == SQLITE_OK;
    if (!is_good)
        snprintf(error, TBY_DB_ERROR_SIZE, "%s", sqlite3_errmsg(tby_db_sqlite(db)));
    sqlite3_finalize(s);
    sqlite3_free(sql);
    return is_good;
}

/* A mistake in the user's SQL is told before any work begins. */
static bool read_where(query *q, const args *a, query_check check, void *db)
{
    const char *value = args_value(a, QUERY_WHERE);
    char error[TBY_DB_ERROR_SIZE];
    if (!value)
        return true;
    const bool is_good = check(db, value, error);
    if (is_good)
        add_where(q, value);
    else
        error_print("%s: --where: %s", a->command->name, error);
    return is_good;
}

static bool has_condition(const args *a)
{
    for (int i = 0; i < N_QUERY_OPTIONS; i++) {
        const bool is_condition = i != QUERY_CHESS960 && i != QUERY_LIMIT && i != QUERY_OFFSET && i != QUERY_THREADS;
        if (is_condition && args_has(a, i))
            return true;
    }
    return false;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static bool read_all(query *q, const args *a, query_check check, void *db)
{
    const char *name = a->command->name;
    read_eco(q, args_value(a, QUERY_ECO));
    return refuse_repetition(a) && read_counts(q, a) && read_target(q, a) &&
           read_opening(q, name, args_value(a, QUERY_OPENING)) && read_ranges(q, a) &&
           read_result(q, name, args_value(a, QUERY_RESULT)) && read_where(q, a, check, db);
}

bool query_read(query *q, const args *a, query_check check, void *db)
{
    *q = (query){.has_condition = has_condition(a),
                 .db = {
                     .player = args_value(a, QUERY_PLAYER),
                     .white = args_value(a, QUERY_WHITE),
                     .black = args_value(a, QUERY_BLACK),
                     .event = args_value(a, QUERY_EVENT),
                     .site = args_value(a, QUERY_SITE),
                 }};
    if (!read_all(q, a, check, db)) {
        query_free(q);
        return false;
    }
    if (q->where.n) {
        buffer_add(&q->where, "", 1);
        q->db.where = q->where.s;
    }
    return true;
}

void query_free(query *q)
{
    buffer_free(&q->opening);
    buffer_free(&q->eco);
    buffer_free(&q->where);
}
