/*
 * fuzz_base64.c - a base64 position that can be read is written in both alphabets and read back.
 *
 * Random bytes are rarely 43 digits, so the input is also read with its bytes mapped to digits.
 */
#include "support.h"

static void check(const char *s, size_t n)
{
    tby_setup setup, back;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    char text[TBY_BASE64_POSITION_SIZE];
    const tby_status status = tby_base64_position_read(&setup, s, n, &err);
    require(status == err.status && err.offset <= n);
    if (status != TBY_OK)
        return;
    for (unsigned flags = 0; flags <= TBY_BASE64_URL; flags += TBY_BASE64_URL) {
        const size_t length = tby_base64_position_write(text, sizeof text, &setup, flags, &err);
        require(length > 0 && length < sizeof text && err.status == TBY_OK);
        require(tby_base64_position_read(&back, text, length, &err) == TBY_OK && tby_setup_equal(&setup, &back));
    }
}

/* Pieces from the low four bits of each byte, White to move, then the rest unchanged. */
static void check_folded(const uint8_t *data, size_t size)
{
    static const char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[64];
    size_t n = 0;
    for (; n < size && n < 43; n++)
        text[n] = digits[data[n] & (n == 42 ? 60 : 63)];
    for (; n < size && n < sizeof text; n++)
        text[n] = (char)data[n];
    check(text, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check((const char *)data, size);
    check_folded(data, size);
    return 0;
}
