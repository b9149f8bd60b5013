/*
 * opening.c - the index of named openings: lists of the games of each.
 *
 * A key is the number of the game's last named position in the table of openings, which grows from version to version: the
 * checksum tells whether it is the same table.
 */
#include "opening/openings.h"
#include "store/sqlite/index/index.h"

#include <string.h>

/* While a game is replayed: the key, and whether no named position can follow. */
enum { BEYOND = 1 << 30 };

static uint32_t n_openings(void) { return opening_firsts[1 << OPENING_FIRST_BITS]; }

static void begin_game(game_traits *g, const tby_position *start)
{
    (void)start;
    g->now[INDEX_opening] = n_openings();
}

/* The name is that of the last named position, also if it is the final one, after which no move was played. */
static void play(game_traits *g, const played_plies *p)
{
    uint32_t *now = &g->now[INDEX_opening];
    for (size_t i = 0; i < p->n && !(*now & BEYOND); i++) {
        const tby_board board = board_at(p, i);
        const int number = opening_number(p->plies->keys[i]);
        if (opening_is_beyond(&board))
            *now |= BEYOND;
        else if (number >= 0)
            *now = (uint32_t)number;
    }
}

static void end_game(game_traits *g, const tby_position *end)
{
    (void)end;
    traits_add(g, INDEX_opening, g->now[INDEX_opening] & ~(uint32_t)BEYOND);
}

static bool decides(const query_node *node) { return node->type == fact_type(fact_find("named", 5)); }

static tby_text name_of(char room[8], uint32_t key)
{
    tby_opening opening;
    (void)room;
    return tby_opening_at(&opening, key) ? (tby_text){opening.name, strlen(opening.name)} : (tby_text){NULL, 0};
}

const db_index index_opening = {.name = "opening",
                                .about = "games of each named opening, 2",
                                .storage = STORED_AS_LISTS,
                                .begin = begin_game,
                                .play = play,
                                .end = end_game,
                                .decides = decides,
                                .n_texts = n_openings,
                                .text_of = name_of,
                                .checksum = &opening_checksum};
