/*
 * fuzz_boardinfo.c - a boardinfo text that can be read is written and read back. EPD and diagrams cannot hold
 * everything; for them the board is compared.
 */
#include "support.h"

static void check_boardinfo(const char *s, size_t n)
{
    tby_setup setup, back;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    char text[TBY_BOARDINFO_SIZE];
    const tby_status status = tby_boardinfo_read(&setup, s, n, &err);
    require(status == err.status && err.offset <= n);
    if (status != TBY_OK)
        return;
    const size_t length = tby_boardinfo_write(text, sizeof text, &setup, 0, &err);
    require(length > 0 && length < sizeof text && err.status == TBY_OK);
    require(tby_boardinfo_read(&back, text, length, &err) == TBY_OK && tby_setup_equal(&setup, &back));
}

static void check_by_name(const char *name, const char *s, size_t n)
{
    const tby_position_notation *notation = tby_position_notation_find(name, strlen(name));
    tby_setup setup, back;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    char text[TBY_DIAGRAM_SIZE];
    if (notation->read(&setup, s, n, 0, NULL, &err) != TBY_OK) {
        require(err.status != TBY_OK && err.offset <= n);
        return;
    }
    const size_t length = notation->write(text, sizeof text, &setup, 0, &err);
    require(length > 0 && length < sizeof text);
    require(notation->read(&back, text, length, 0, NULL, &err) == TBY_OK);
    require(memcmp(&setup.board, &back.board, sizeof setup.board) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_boardinfo((const char *)data, size);
    check_by_name("epd", (const char *)data, size);
    check_by_name("ascii", (const char *)data, size);
    check_by_name("unicode", (const char *)data, size);
    return 0;
}
