/*
 * fuzz_cmbr.c - CMBR that can be decoded is encoded and decoded to the same game.
 *
 *     byte 0   0: the rest is a whole file, 1: one record, else: a payload, which is put into a valid frame
 *
 * Random bytes hardly ever have the right checksum, hence the frame.
 */
#include "../cmbr_reader.h"
#include "codec/bytes.h"
#include "support.h"

static void check_game(const tby_game *game)
{
    memory record = {.n = 0};
    tby_game *back = tby_game_new(NULL);
    tby_error err;
    require(back != NULL && tby_cmbr_encode(game, to_memory, &record, NULL, &err) == TBY_OK);
    require(tby_cmbr_decode(back, (const uint8_t *)record.s, record.n, &err) == TBY_OK && tby_game_equal(game, back));
    free(record.s);
    tby_game_free(back);
}

static void check_record(const uint8_t *data, size_t size)
{
    tby_game *game = tby_game_new(NULL);
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    require(game != NULL);
    const tby_status status = tby_cmbr_decode(game, data, size, &err);
    require(status == err.status && err.offset <= size);
    if (status == TBY_OK)
        check_game(game);
    tby_game_free(game);
}

static void check_payload(const uint8_t *data, size_t size)
{
    uint8_t *record = malloc(size + 12);
    require(record != NULL);
    memcpy(record, "\xf5GM\x01", 4);
    memcpy(record + 12, data, size);
    for (int i = 0; i < 4; i++)
        record[4 + i] = (uint8_t)(size >> (24 - 8 * i));
    const uint32_t crc = crc32_of(crc32_of(0, record + 4, 4), record + 12, size);
    for (int i = 0; i < 4; i++)
        record[8 + i] = (uint8_t)(crc >> (24 - 8 * i));
    check_record(record, size + 12);
    free(record);
}

/* Reading and skipping find the same number of games. */
static void check_file(const uint8_t *data, size_t size)
{
    memory file = {.n = 0};
    to_memory(&file, (const char *)data, size);
    tby_games *reader = cmbr_new(from_memory, &file, NULL);
    tby_game *game = tby_game_new(NULL);
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    uint64_t n_games = 0;
    require(reader != NULL && game != NULL);
    for (tby_game_read answer; (answer = cmbr_next(reader, game, &err)) != TBY_GAME_END;) {
        require(answer != TBY_GAME_NO_MEMORY && (answer == TBY_GAME_GOOD || err.offset <= size));
        if (answer == TBY_GAME_GOOD)
            check_game(game);
        n_games = cmbr_number(reader);
    }
    tby_games_free(reader);
    file.at = 0;
    reader = cmbr_new(from_memory, &file, NULL);
    require(reader != NULL);
    while (tby_games_skip(reader))
        n_games--;
    require(n_games == 0);
    tby_games_free(reader);
    tby_game_free(game);
    free(file.s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] == 0)
        check_file(data + 1, size - 1);
    else if (data[0] == 1)
        check_record(data + 1, size - 1);
    else
        check_payload(data + 1, size - 1);
    return 0;
}
