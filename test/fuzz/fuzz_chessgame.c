/*
 * fuzz_chessgame.c - any text as a chessgame: what is read is in canonical form, and its text is read back to the same
 * bytes; every fault has a message; the legal prefix, if there is one, is a game.
 */
#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

typedef struct text {
    char s[40 * 10000];
    size_t n;
} text;

static bool keep(void *context, const char *s, size_t n)
{
    text *t = context;
    require(n <= sizeof t->s - t->n);
    memcpy(t->s + t->n, s, n);
    t->n += n;
    return true;
}

static void check_game(const uint8_t *bytes, size_t n)
{
    static uint8_t again[TBY_CHESSGAME_SIZE];
    static text t;
    size_t n_again;
    require(tby_packed_check(bytes, n, NULL) == TBY_OK);
    t.n = 0;
    require(tby_chessgame_write(bytes, n, keep, &t));
    require(tby_chessgame_read(again, &n_again, t.s, t.n, 0, NULL, NULL) == TBY_OK);
    require(n_again == n && memcmp(again, bytes, n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[TBY_CHESSGAME_SIZE];
    char message[TBY_CHESSGAME_ERROR_SIZE];
    const char *s = (const char *)data;
    tby_chessgame_error err;
    size_t n;
    const tby_status status = tby_chessgame_read(bytes, &n, s, size, 0, NULL, &err);
    require(status == err.error.status);
    if (status == TBY_OK)
        check_game(bytes, n);
    else
        require(tby_chessgame_error_write(message, sizeof message, &err) < sizeof message);
    if (tby_chessgame_read(bytes, &n, s, size, TBY_CHESSGAME_PREFIX, NULL, &err) == TBY_OK)
        check_game(bytes, n);
    return 0;
}
