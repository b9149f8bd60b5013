/*
 * fuzz_json.c - JSON that can be read is written and read back; the same through CMBR.
 */
#include "support.h"

/* Every game that was read can be written: its variations are not nested deeper, and its start came from a FEN. */
static void check_game(const tby_game *game)
{
    memory line = {.n = 0}, again = {.n = 0}, record = {.n = 0};
    tby_game *back = tby_game_new(NULL);
    require(back != NULL && tby_json_write(game, to_memory, &line));
    require(line.n > 0 && line.s[line.n - 1] == '\n' && !memchr(line.s, '\n', line.n - 1));
    require(tby_json_read(back, line.s, line.n, NULL) == TBY_OK && tby_game_equal(game, back));
    require(tby_json_write(back, to_memory, &again));
    require(again.n == line.n && memcmp(again.s, line.s, line.n) == 0);
    require(tby_cmbr_encode(game, to_memory, &record, NULL, NULL) == TBY_OK);
    require(tby_cmbr_decode(back, (const uint8_t *)record.s, record.n, NULL) == TBY_OK);
    require(tby_game_equal(game, back));
    free(line.s);
    free(again.s);
    free(record.s);
    tby_game_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_game *game = tby_game_new(NULL);
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    require(game != NULL);
    const tby_status status = tby_json_read(game, (const char *)data, size, &err);
    require(status == err.status && err.offset <= size);
    if (status == TBY_OK)
        check_game(game);
    tby_game_free(game);
    return 0;
}
