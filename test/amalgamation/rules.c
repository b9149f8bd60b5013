/* rules.c - a program with the rules alone, built with -DTABIYA_RULES_ONLY. */
#include "tabiya.h"

#include <stdio.h>

#ifdef TBY_CHESSGAME_SIZE
#error "TABIYA_RULES_ONLY should leave out packed games"
#endif

int main(void)
{
    tby_position pos;
    tby_move move;
    tby_game *game = tby_game_new(NULL);
    tby_position_start(&pos);
    if (!game || tby_san_read(&move, &pos, "e4", 2, 0, NULL, NULL) != TBY_OK)
        return 1;
    tby_position_play(&pos, move, NULL);
    tby_game_add(game, TBY_ROOT, move);
    printf("%u moves, %u nodes\n", (unsigned)tby_moves_count(&pos), (unsigned)tby_game_n_nodes(game));
    tby_game_free(game);
    return 0;
}
