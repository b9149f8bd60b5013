/*
 * core.c - uses the library from its amalgamation: rules, a notation, PGN, packed games and a query.
 */
#include "tabiya.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char text[] = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
    static uint8_t packed[TBY_CHESSGAME_SIZE];
    char fen[TBY_FEN_SIZE];
    tby_position pos;
    tby_opening opening;
    size_t n;

    tby_position_start(&pos);
    printf("perft %llu\n", (unsigned long long)tby_perft(&pos, 4));
    if (tby_chessgame_read(packed, &n, text, strlen(text), 0, NULL, NULL) != TBY_OK)
        return 1;
    tby_chessgame_final(&pos, packed, n);
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    printf("%s\n%s\n", fen, tby_result_text(tby_packed_result(packed, n)));
    tby_position_start(&pos);
    if (tby_fen_read_position(&pos, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 60, 0, NULL,
                              NULL) == TBY_OK &&
        tby_opening_of(&opening, &pos))
        printf("%s %s\n", opening.eco, opening.name);

    tby_query *query = tby_query_new("mate", 4, NULL, NULL, NULL);
    tby_query_state *state = tby_query_state_new(query, NULL);
    const tby_query_game game = {.moves = packed, .n_moves = n};
    printf("mate at ply %d\n", tby_query_first(state, &game));
    tby_query_state_free(state);
    tby_query_free(query);
    return 0;
}
