/*
 * fuzz_nag.c - marks, results and commands in comments: what is read is written and read back.
 */
#include "support.h"

static void try_nag(const char *s, size_t n)
{
    char mark[TBY_NAG_SIZE];
    const uint16_t nag = tby_nag_read(s, n);
    if (!nag)
        return;
    const size_t length = tby_nag_write(mark, sizeof mark, nag);
    require(length > 0 && length < sizeof mark);
    require(mark[0] == '$' || tby_nag_read(mark, length) == nag);
}

static void try_result(const char *s, size_t n)
{
    tby_result result, again;
    tby_error err = {.status = TBY_OK};
    if (tby_result_read(&result, s, n, &err) != TBY_OK) {
        require(err.offset <= n);
        return;
    }
    const char *text = tby_result_text(result);
    require(tby_result_read(&again, text, strlen(text), NULL) == TBY_OK && again == result);
}

static void try_commands(const char *s, size_t n)
{
    tby_command command;
    for (size_t at = 0, before = 0; tby_command_next(&command, s, n, &at); before = at) {
        require(at > before && at <= n && command.start + command.length <= n);
        require(command.n_marks <= TBY_COMMAND_MARKS);
        for (size_t i = 0; i < command.n_marks; i++)
            require(command.marks[i].from < 64 && command.marks[i].to < 64);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_nag((const char *)data, size);
    try_result((const char *)data, size);
    try_commands((const char *)data, size);
    return 0;
}
