/*
 * report.h - a player's games, counted by what they have in common.
 */
#ifndef TABIYA_CLI_REPORT_H
#define TABIYA_CLI_REPORT_H

#include "output_options.h"

/* How games ended for the player. */
typedef struct report_score {
    uint64_t games, won, drawn, lost;
    uint64_t n_elo, elo_sum; /* of the opponents */
    /* of the games with a result against rated opponents, from which the performance is computed */
    uint64_t n_rated, rated_sum, rated_points; /* points: 2 for a win, 1 for a draw */
} report_score;

/* Games with the same key. */
typedef struct report_line {
    char *key;
    report_score score;
} report_line;

typedef struct report_table {
    report_line *lines;
    size_t n, cap;
} report_table;

enum {
    REPORT_COLORS,
    REPORT_OPENINGS,
    REPORT_VARIATIONS,
    REPORT_YEARS,
    REPORT_RATINGS,
    REPORT_OPPONENTS,
    REPORT_NAMES,
    N_REPORT_TABLES
};

typedef struct report_of_player {
    report_score all;
    report_table tables[N_REPORT_TABLES];
} report_of_player;

/* Counts a game that the player has played with that colour. */
void report_add(report_of_player *r, const tby_row *row, tby_color color);
uint64_t report_n_games(const report_of_player *r);
/* At most `limit` openings, variations and opponents; 0 for all. */
void report_print(report_of_player *r, const char *name, size_t limit, const output *form);
void report_of_player_free(report_of_player *r);

#endif
