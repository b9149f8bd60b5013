/*
 * search.c - the second module, search.wasm: checks games against a query. Pages that search published games, or count some
 * games of a file, load it when it is first needed; everything else is in tabiya.wasm.
 *
 * A game is passed as bytes: eight numbers (date, ratings of White and Black, first and last possible day, result, speed,
 * half-moves), then ten texts, each after its length: white, black, event, site, round, eco, the names of all tags, other tags
 * as JSON, packed moves, CMBR record. Numbers have four bytes, the lowest first; the length 0xffffffff is no text.
 */
#include "answer.h"
#include "tabiya_db.h"
#include "tabiya_query.h"

#include <string.h>

typedef struct search {
    tby_query *query;
    tby_query_state *state;
} search;

/* The positions that every matching game reaches, as FENs. */
static void answer_musts(const tby_query *query)
{
    tby_query_must must;
    char fen[TBY_FEN_SIZE];
    for (size_t i = 0; tby_query_must_at(query, i, &must); i++)
        if (must.type == TBY_QUERY_MUST_POSITION) {
            tby_fen_write(fen, sizeof fen, &must.setup, TBY_FEN_SHREDDER);
            answer_add("%s", fen);
        }
}

/* A query, with {"needs":FLAGS,"positions":[FEN]} as the answer; NULL, and the error, if it is none. */
search *EXPORT(search_new)(const char *s, size_t n)
{
    tby_query_error err;
    tby_query *query = tby_query_new(s, n, NULL, NULL, &err);
    tby_query_state *state = query ? tby_query_state_new(query, NULL) : NULL;
    if (!query) {
        answer_query_error(&err);
        return NULL;
    }
    if (!state)
        __builtin_trap();
    search *made = memory_new(sizeof *made);
    *made = (search){query, state};
    answer_begin("{'needs':%u,'positions':[", tby_query_needs(query));
    answer_musts(query);
    answer_add("]}");
    return made;
}

void EXPORT(search_free)(search *s)
{
    tby_query_state_free(s->state);
    tby_query_free(s->query);
    memory_free(s);
}

/* The first ply of a game at which the query holds, or a negative number as tby_query_first returns it. */
int EXPORT(search_first)(search *s, const uint8_t *bytes, size_t n, double id)
{
    enum { NUMBERS = 8, TEXTS = 10, NONE = -1 };
    int32_t numbers[NUMBERS];
    tby_row row = {0};
    tby_text *const texts[TEXTS] = {&row.white, &row.black, &row.event, &row.site,  &row.round,
                                    &row.eco,   &row.shape, &row.tags,  &row.moves, &row.annotated};
    size_t at = sizeof numbers;
    if (n < at)
        return TBY_QUERY_DAMAGED;
    memcpy(numbers, bytes, sizeof numbers);
    for (int i = 0; i < TEXTS; i++) {
        int32_t length;
        if (n - at < sizeof length)
            return TBY_QUERY_DAMAGED;
        memcpy(&length, bytes + at, sizeof length);
        at += sizeof length;
        if (length == NONE)
            continue;
        if (length < 0 || (size_t)length > n - at)
            return TBY_QUERY_DAMAGED;
        *texts[i] = (tby_text){(const char *)bytes + at, (size_t)length};
        at += (size_t)length;
    }
    row.date = numbers[0];
    row.elo[TBY_WHITE] = numbers[1];
    row.elo[TBY_BLACK] = numbers[2];
    row.first_day = numbers[3];
    row.last_day = numbers[4];
    row.result = (tby_result)numbers[5];
    row.speed = (tby_speed)numbers[6];
    row.plies = (uint32_t)numbers[7];
    const tby_query_game game = tby_query_game_of_row(&row, (tby_game_id)id);
    return tby_query_first(s->state, &game);
}

/* The first ply at which the query holds in the first game of a PGN text; a game with a fault counts as far as it is good. */
int EXPORT(search_pgn)(search *s, const char *pgn, size_t n, double id)
{
    static tby_batch *batch; /* the game as a row */
    static tby_game *game;
    batch = batch ? batch : tby_batch_new();
    game = game ? game : tby_game_new(NULL);
    tby_pgn *reader = tby_pgn_new_memory(pgn, n, NULL, NULL);
    if (!batch || !game || !reader)
        __builtin_trap();
    tby_batch_clear(batch);
    const bool is_row = tby_game_read_pgn(game, reader, NULL, NULL) != TBY_GAME_END &&
                        tby_batch_add(batch, game) == TBY_OK;
    tby_pgn_free(reader);
    if (!is_row)
        return TBY_QUERY_DAMAGED;
    const tby_row row = tby_batch_row(batch, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, (tby_game_id)id);
    return tby_query_first(s->state, &asked);
}

/* The named patterns: [{"name":STRING,"sentence":STRING,"query":STRING}]. */
void EXPORT(search_patterns)(void)
{
    const tby_query_pattern *p;
    answer_begin("[");
    for (size_t i = 0; (p = tby_query_pattern_at(i)) != NULL; i++)
        answer_add("{'name':%s,'sentence':%s,'query':%s}", p->name, p->sentence, p->query);
    answer_add("]");
}
