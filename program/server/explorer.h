/*
 * explorer.h - /lichess, /masters and /player: what the files of the explorer share.
 *
 *     explorer_ask.c     what is asked: parameters, speeds, groups of ratings
 *     explorer.c         counting
 *     explorer_write.c   the answer
 */
#ifndef TABIYA_SERVER_EXPLORER_H
#define TABIYA_SERVER_EXPLORER_H

#include "site_games.h"

enum { LISTED_MAX = 15 };

typedef enum explorer_kind { EXPLORER_LICHESS, EXPLORER_MASTERS, EXPLORER_PLAYER } explorer_kind;

typedef struct wish {
    explorer_kind kind;
    tby_position pos;
    tby_opening opening; /* the last that has a name on the way there */
    int date_min, date_max;
    unsigned speeds, groups; /* sets of bits; 0 = all */
    tby_color color;         /* of the player */
    const char *player;
    uint64_t n_moves, n_top, n_recent;
    bool is_rated, is_casual; /* only those */
    bool wants_months;
} wish;

/* False after a problem. */
bool wish_read(wish *out, explorer_kind kind, const question *q);
/* Does a game with these facts fit? */
bool wish_fits(const wish *w, const tby_db_facts *facts);
/* Is it the player's game? True if no player was asked for. */
bool wish_fits_player(const wish *w, const tby_row *row);

/* How a game was played: its speed, by the tag TimeControl, and whether it is rated, as its event says. */
typedef struct manner {
    uint8_t speed; /* SPEED_UNKNOWN, or an index for speed_name */
    bool is_rated;
} manner;
enum { SPEED_UNKNOWN = 7 };
/* `room` is for a tag's value. */
manner manner_of(buffer *room, const tby_row *row);
const char *speed_name(unsigned speed); /* "blitz"; NULL if it is not known */
/* Is there more to ask of a game with these facts, which fits by them? */
bool wish_needs_manner(const wish *w, const tby_db_facts *facts);
bool wish_fits_manner(const wish *w, manner m);

/* The mean of both, 0 unless both are known. */
static inline int mean_rating(const int elo[2]) { return elo[0] && elo[1] ? (elo[0] + elo[1]) / 2 : 0; }

/* A game that may be shown. */
typedef struct listed {
    tby_game_id id;
    tby_move move;
    int64_t rank; /* the higher the better; then the later number */
} listed;

typedef struct list {
    listed entries[LISTED_MAX];
    size_t n, most;
} list;

typedef struct counted {
    tby_move move;
    uint64_t results[4], n_elo, elo_sum, n_opponents, opponent_sum;
    tby_game_id last; /* one of the games */
} counted;

/* Games by month and result: year * 13 + month, with 0 for a month that is not known. */
enum { N_MONTHS = 10000 * 13 };
typedef uint32_t by_result[4];

typedef struct tally {
    games *games;
    const wish *wish;
    uint64_t results[4];
    counted moves[TBY_MOVES_MAX + 1]; /* and the null move */
    size_t n_moves;
    list top, recent;
    by_result *months; /* N_MONTHS; NULL unless they are wanted */
    buffer control;    /* for a tag's value */
    uint64_t n_seen;
    bool has_failed;
} tally;

/* The answer; false if the database failed. */
bool tally_write(tally *t, buffer *out);
/* All results that are known. */
static inline uint64_t total(const uint64_t results[4])
{
    return results[TBY_WHITE_WINS] + results[TBY_DRAW] + results[TBY_BLACK_WINS];
}

#endif
