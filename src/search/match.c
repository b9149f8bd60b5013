/*
 * match.c - the moves played where a query first matched, in any database.
 *
 * The positions differ from game to game, so moves are named by what they do on the board: the piece, a capture, the
 * square, the promotion. Nbd7 and Nfd7 are both Nd7. The number of such names is limited, so all moves fit into one
 * small table.
 */
#include "base/contract.h"
#include "search/search.h"
#include "store/tally.h"

#include <stdlib.h>
#include <string.h>

/* Per side: five kinds of pieces to 64 squares with or without a capture, two castlings, and about 200 pawn moves. */
enum { SLOTS = 1 << 12 };

typedef struct matching {
    tby_db *db;
    tby_db_played *out;
    uint64_t keys[SLOTS]; /* 0: free */
    uint16_t places[SLOTS];
    bool has_failed;
} matching;

/* "e7xd8=Q+" becomes exd8=Q, "Ng1-f3" Nf3; castling and the null move are not changed. */
static void write_short(char out[TBY_SAN_SIZE], const tby_position *before, tby_move m)
{
    char lan[TBY_SAN_SIZE];
    if (m == TBY_MOVE_NULL) {
        memcpy(out, "--", 3);
        return;
    }
    const size_t n = tby_lan_write(lan, sizeof lan, before, m);
    const bool is_castling = lan[0] == 'O', is_pawn = lan[0] >= 'a' && lan[0] <= 'h';
    size_t at = is_castling ? 0 : is_pawn ? 2 : 3, to = 0;
    if (!is_castling && (!is_pawn || lan[2] == 'x'))
        out[to++] = lan[0];
    at += !is_castling && lan[at] == '-';
    for (; at < n && lan[at] != '+' && lan[at] != '#'; at++)
        out[to++] = lan[at];
    out[to] = '\0';
}

/* The entry of the move in the list, added if necessary. */
static tby_db_move *next_of(matching *m, const char *san, tby_color side)
{
    TBY_CONTRACT(strlen(san) < sizeof(uint64_t));
    uint64_t key = 0;
    memcpy(&key, san, strlen(san)); /* seven letters at most: exd8=Q, O-O-O */
    key = key << 1 | (side == TBY_BLACK);
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 52);
    while (m->keys[slot] && m->keys[slot] != key)
        slot = (slot + 1) % SLOTS;
    if (!m->keys[slot]) {
        m->keys[slot] = key;
        m->places[slot] = (uint16_t)m->out->n_moves++;
        tby_db_move *new = &m->out->moves[m->places[slot]];
        *new = (tby_db_move){.move = TBY_MOVE_NONE, .side = side};
        memcpy(new->san, san, strlen(san) + 1);
    }
    return &m->out->moves[m->places[slot]];
}

/* The move played after `ply` half-moves; none at the end of the game. */
static tby_move move_at(tby_position *before, const tby_row *row, int ply)
{
    tby_packed cursor;
    tby_move played = TBY_MOVE_NONE;
    if (!tby_packed_begin(&cursor, (const uint8_t *)row->moves.s, row->moves.n))
        return TBY_MOVE_NONE;
    for (int i = 0; i <= ply; i++) {
        *before = cursor.pos;
        played = tby_packed_next(&cursor);
    }
    return played;
}

static void count_game(matching *m, const tby_row *row, int ply)
{
    char san[TBY_SAN_SIZE];
    tby_position before;
    const tby_move played = move_at(&before, row, ply < 0 ? 0 : ply);
    m->out->games++;
    m->out->results[row->result]++;
    if (played == TBY_MOVE_NONE) {
        m->out->ended++;
        return;
    }
    const tby_color side = tby_position_side(&before);
    write_short(san, &before, played);
    tby_db_move *next = next_of(m, san, side);
    tally_game(next, row->result, row->elo[side], row->date);
}

static bool look_at(void *context, const tby_db_hit *hit)
{
    matching *m = context;
    tby_row row;
    m->has_failed = !m->db->kind->row(m->db, hit->id, &row);
    if (!m->has_failed)
        count_game(m, &row, hit->ply);
    return !m->has_failed;
}

tby_status tby_db_explore_match(tby_db_played *out, tby_db *db, const tby_db_search *search)
{
    TBY_CONTRACT(out && search);
    matching *m = calloc(1, sizeof *m);
    tby_db_search all = *search;
    *out = (tby_db_played){.moves = malloc(SLOTS / 2 * sizeof *out->moves)};
    bool is_good = m && out->moves;
    if (is_good) {
        m->db = db;
        m->out = out;
        all.limit = all.offset = 0;
        all.wanted = TBY_WANTED_ROWS;
        is_good = db_find(db, &all, look_at, m) && !m->has_failed;
        qsort(out->moves, out->n_moves, sizeof *out->moves, tally_compare);
    } else {
        db_fail_memory(db);
    }
    free(m);
    if (!is_good)
        tby_db_played_free(out);
    return db_answer(db, is_good);
}

void tby_db_played_free(tby_db_played *played)
{
    free(played->moves);
    *played = (tby_db_played){.n_moves = 0};
}
