/*
 * eco.c - the index of opening codes: lists of the games of each. A00 to E99 are the keys 0 to 499.
 */
#include "store/sqlite/index/index.h"

enum { CODES = 500, NO_CODE = CODES, OTHER_CODE };

static uint32_t key_of(tby_text eco)
{
    if (!eco.s)
        return NO_CODE;
    if (eco.n != 3 || eco.s[0] < 'A' || eco.s[0] > 'E' || eco.s[1] < '0' || eco.s[1] > '9' || eco.s[2] < '0' ||
        eco.s[2] > '9')
        return OTHER_CODE;
    return (uint32_t)((eco.s[0] - 'A') * 100 + (eco.s[1] - '0') * 10 + (eco.s[2] - '0'));
}

static void begin_game(game_traits *g, const tby_position *start)
{
    (void)start;
    traits_add(g, INDEX_eco, key_of(g->eco));
}

static bool decides(const query_node *node) { return node->type == Q_ECO; }

static uint32_t n_codes(void) { return CODES; }

static tby_text text_of_code(char room[8], uint32_t key)
{
    room[0] = (char)('A' + key / 100);
    room[1] = (char)('0' + key / 10 % 10);
    room[2] = (char)('0' + key % 10);
    return (tby_text){room, 3};
}

const db_index index_eco = {.name = "eco",
                            .about = "games of each code, 2",
                            .storage = STORED_AS_LISTS,
                            .begin = begin_game,
                            .decides = decides,
                            .n_texts = n_codes,
                            .text_of = text_of_code};
