/*
 * fuzz_query_eval.c - queries evaluated on any bytes: packed games, records and tags that were not checked.
 *
 *     byte 0   which query; byte 1: how much of the rest is the game, in sixteenths; then the record, also used as the JSON
 *              of the tags
 */
#include "support.h"
#include "tabiya_query.h"

static const char *const texts[] = {
    "either mirror (Pd4 P{c}=0) ; M-#",
    "shift (P{d}>=2) for 3 , [Mm]x",
    "KRP*vKRP* or points>=3 or legal<3 or opposite-bishops",
    "N:g1-f3-e5 or K:e1-g1-h1 or [Pp]:e2-e4-e5",
    "M attacks m or check or mate or stalemate",
    "repeats 2 castling K",
    "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\" or board \"8/8/8/8/8/8/8/8\" or terminal",
    "O-O or o-o-o or e.p. or P-{8}=[RBN]",
    "eval>1 or clock<10 or nag 1 or comment king or annotated",
    "player ada or tag X \"*a*\" or title GM or speed blitz or date 2019.. or rated",
    "named sicilian or opening e4 or eco B or plies 3 or result 1-0",
    "greek-gift or passed-pawn or smothered-mate or back-rank-mate",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

static void ask(const char *text, const tby_query_game *game)
{
    const uint32_t *plies;
    tby_query *q = tby_query_new(text, strlen(text), NULL, NULL, NULL);
    require(q != NULL);
    tby_query_state *s = tby_query_state_new(q, NULL);
    require(s != NULL);
    const int first = tby_query_first(s, game), n = tby_query_plies(s, game, &plies);
    if (first >= 0) /* the game may be damaged after that ply */
        require(n == TBY_QUERY_DAMAGED || (n > 0 && plies[0] == (uint32_t)first));
    else
        require(first == TBY_QUERY_NONE ? n == 0 : n == first);
    tby_query_state_free(s);
    tby_query_free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const size_t n = size - 2, n_game = n * (data[1] & 15) / 15;
    const uint8_t *rest = data + 2 + n_game;
    const tby_text text = {(const char *)rest, n - n_game};
    const tby_row row = {.white = text, .event = text, .shape = {"White Event TimeControl", 23}, .tags = text};
    const tby_query_game game = {
        .moves = data + 2, .n_moves = n_game, .annotated = rest, .n_annotated = n - n_game, .row = &row, .id = 1};
    ask(texts[data[0] % N_TEXTS], &game);
    return 0;
}
