/*
 * explore.c - the moves played in a position or where a query held: as rows of a table, as JSON, and added up over
 * several databases.
 *
 *     {"fen":STRING,"eco":STRING,"name":STRING,"games":0,"ended":0,"white":0,"draw":0,"black":0,"unknown":0,
 *      "moves":[{"san":STRING,"uci":STRING,"games":0,"reached":0,"white":0,"draw":0,"black":0,"unknown":0,
 *                "elo":0,"last":STRING}]}
 *
 * and for a query
 *
 *     {"match":STRING,"games":0,"ended":0,"white":0,"draw":0,"black":0,"unknown":0,
 *      "moves":[{"san":STRING,"side":"white","games":0,"white":0,"draw":0,"black":0,"unknown":0,
 *                "elo":0,"last":STRING}]}
 *
 * Keeps    names, order and types; eco, name, elo and last are null where they are not known.
 */
#include "explore.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* The last columns of both tables. */
enum { WHITE, DRAW, BLACK, UNKNOWN, ELO, LAST, N_TAIL };
#define TAIL_COLUMNS                                                                                                   \
    {"white", TBY_COLUMN_INT64, false}, {"draw", TBY_COLUMN_INT64, false}, {"black", TBY_COLUMN_INT64, false},         \
        {"unknown", TBY_COLUMN_INT64, false}, {"elo", TBY_COLUMN_INT32, true},                                         \
    {                                                                                                                  \
        "last", TBY_COLUMN_TEXT, true                                                                                  \
    }

static void end_row(table *t, const uint64_t results[4], uint64_t n_elo, uint64_t elo_sum, int last_date)
{
    const size_t first = t->n_columns - N_TAIL;
    char date[TBY_ROW_TEXT_SIZE];
    table_put(t, first + WHITE, results[TBY_WHITE_WINS]);
    table_put(t, first + DRAW, results[TBY_DRAW]);
    table_put(t, first + BLACK, results[TBY_BLACK_WINS]);
    table_put(t, first + UNKNOWN, results[TBY_RESULT_NONE]);
    table_put_known(t, first + ELO, n_elo ? (elo_sum + n_elo / 2) / n_elo : 0);
    table_put_text(t, first + LAST, tby_row_date_text(date, last_date));
    table_end_row(t);
}

table explore_table(const tby_position *pos, const tby_db_moves *moves, size_t n_shown)
{
    static const tby_column columns[] = {{"san", TBY_COLUMN_TEXT, false},
                                         {"uci", TBY_COLUMN_TEXT, false},
                                         {"games", TBY_COLUMN_INT64, false},
                                         {"reached", TBY_COLUMN_INT64, false},
                                         TAIL_COLUMNS};
    table t = table_new(columns, sizeof columns / sizeof *columns);
    char san[TBY_SAN_SIZE], uci[TBY_UCI_SIZE];
    for (const tby_db_move *m = moves->moves; m < moves->moves + n_shown; m++) {
        tby_san_write(san, sizeof san, pos, m->move);
        tby_uci_write(uci, sizeof uci, pos, m->move, 0);
        table_put_text(&t, 0, san);
        table_put_text(&t, 1, uci);
        table_put(&t, 2, m->games);
        table_put(&t, 3, m->reached);
        end_row(&t, m->results, m->n_elo, m->elo_sum, m->last_date);
    }
    return t;
}

table explore_match_table(const tby_db_played *played, size_t n_shown)
{
    static const tby_column columns[] = {{"san", TBY_COLUMN_TEXT, false},
                                         {"side", TBY_COLUMN_TEXT, false},
                                         {"games", TBY_COLUMN_INT64, false},
                                         TAIL_COLUMNS};
    table t = table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n_shown; i++) {
        const tby_db_next *m = &played->moves[i];
        table_put_text(&t, 0, m->san);
        table_put_text(&t, 1, m->side == TBY_WHITE ? "white" : "black");
        table_put(&t, 2, m->games);
        end_row(&t, m->results, m->n_elo, m->elo_sum, m->last_date);
    }
    return t;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* The end of the object; frees the table. */
static void write_moves(buffer *out, const uint64_t results[4], table t)
{
    json_results(out, results);
    json_name(out, "moves");
    table_write_array(out, &t);
    buffer_string(out, "}\n");
    table_free(&t);
}

void explore_write_json(buffer *out, const tby_position *pos, const tby_db_moves *moves, size_t n_shown)
{
    char fen[TBY_FEN_SIZE];
    tby_opening opening = {NULL, NULL};
    tby_opening_of(&opening, pos);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    buffer_string(out, "{");
    json_string(out, "fen", fen);
    json_string(out, "eco", opening.eco);
    json_string(out, "name", opening.name);
    json_number(out, "games", (int64_t)moves->games);
    json_number(out, "ended", (int64_t)moves->ended);
    write_moves(out, moves->results, explore_table(pos, moves, n_shown));
}

void explore_write_match(buffer *out, const char *match, const tby_db_played *played, size_t n_shown)
{
    buffer_string(out, "{");
    json_string(out, "match", match);
    json_number(out, "games", (int64_t)played->games);
    json_number(out, "ended", (int64_t)played->ended);
    write_moves(out, played->results, explore_match_table(played, n_shown));
}

/* ---- Adding up -------------------------------------------------------------------------------------------------- */

static void add_results(uint64_t to[4], const uint64_t from[4])
{
    for (int i = 0; i < 4; i++)
        to[i] += from[i];
}

/* The counts that a tby_db_move and a tby_db_next share. */
#define ADD_COUNTS(to, from)                                                                                           \
    do {                                                                                                               \
        (to)->games += (from)->games;                                                                                  \
        add_results((to)->results, (from)->results);                                                                   \
        (to)->n_elo += (from)->n_elo;                                                                                  \
        (to)->elo_sum += (from)->elo_sum;                                                                              \
        (to)->last_date = (to)->last_date > (from)->last_date ? (to)->last_date : (from)->last_date;                   \
    } while (0)

static void add_move(tby_db_moves *to, size_t n, const tby_db_move *from)
{
    size_t i = 0;
    while (i < n && to->moves[i].move != from->move)
        i++;
    tby_db_move *m = &to->moves[i];
    if (i == n)
        *m = (tby_db_move){.move = from->move};
    to->n_unplayed += i == n;
    m->reached += from->reached;
    ADD_COUNTS(m, from);
}

/* In the library's order: the most played first, then the most reached, then by name. */
static bool comes_before(const tby_position *pos, const tby_db_move *x, const tby_db_move *y)
{
    char san[2][TBY_SAN_SIZE];
    if (x->games != y->games || x->reached != y->reached)
        return x->games != y->games ? x->games > y->games : x->reached > y->reached;
    tby_san_write(san[0], TBY_SAN_SIZE, pos, x->move);
    tby_san_write(san[1], TBY_SAN_SIZE, pos, y->move);
    return strcmp(san[0], san[1]) < 0;
}

void explore_add(tby_db_moves *to, const tby_db_moves *from, const tby_position *pos)
{
    to->games += from->games;
    to->ended += from->ended;
    add_results(to->results, from->results);
    for (size_t i = 0; i < from->n_moves + from->n_unplayed; i++)
        add_move(to, to->n_moves + to->n_unplayed, &from->moves[i]);
    const size_t n = to->n_moves + to->n_unplayed;
    for (size_t i = 1; i < n; i++) {
        const tby_db_move m = to->moves[i];
        size_t at = i;
        for (; at && comes_before(pos, &m, &to->moves[at - 1]); at--)
            to->moves[at] = to->moves[at - 1];
        to->moves[at] = m;
    }
    for (to->n_moves = 0; to->n_moves < n && to->moves[to->n_moves].games;)
        to->n_moves++;
    to->n_unplayed = n - to->n_moves;
}

static tby_db_next *next_of(tby_db_played *in, const tby_db_next *m)
{
    size_t i = 0;
    while (i < in->n_moves && (in->moves[i].side != m->side || strcmp(in->moves[i].san, m->san) != 0))
        i++;
    if (i == in->n_moves) {
        in->moves[in->n_moves] = (tby_db_next){.side = m->side};
        memcpy(in->moves[in->n_moves++].san, m->san, sizeof m->san);
    }
    return &in->moves[i];
}

/* In the library's order: the most played first, then White's, then alphabetically. */
static int by_games(const void *a, const void *b)
{
    const tby_db_next *x = a, *y = b;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return x->side != y->side ? (int)x->side - (int)y->side : strcmp(x->san, y->san);
}

bool explore_add_match(tby_db_played *to, const tby_db_played *from)
{
    tby_db_next *moves = realloc(to->moves, (to->n_moves + from->n_moves + 1) * sizeof *moves);
    if (!moves)
        return false;
    to->moves = moves;
    to->games += from->games;
    to->ended += from->ended;
    add_results(to->results, from->results);
    for (size_t i = 0; i < from->n_moves; i++) {
        const tby_db_next *m = &from->moves[i];
        tby_db_next *sum = next_of(to, m);
        ADD_COUNTS(sum, m);
    }
    qsort(to->moves, to->n_moves, sizeof *to->moves, by_games);
    return true;
}
