/*
 * fuzz_fen.c - any bytes as FEN: refusals are located; what is read is written with every spelling of castling and read
 * back; strict reading accepts nothing that lenient reading would repair, and writing returns the same text; a position
 * is read like its setup.
 */
#include "support.h"

/* Does the third field contain file letters? Then the same rights have another spelling too. */
static bool has_file_letters(const char *s, size_t n)
{
    int blanks = 0;
    for (size_t i = 0; i < n; i++) {
        blanks += s[i] == ' ';
        if (blanks == 2 && ((s[i] >= 'a' && s[i] <= 'h') || (s[i] >= 'A' && s[i] <= 'H')))
            return true;
    }
    return false;
}

static void check_written(const tby_setup *setup, unsigned write_flags, unsigned read_flags)
{
    char text[TBY_FEN_SIZE], small[TBY_FEN_SIZE];
    tby_setup back;
    const size_t length = tby_fen_write(text, sizeof text, setup, write_flags);
    require(length < sizeof text && strlen(text) == length);
    require(tby_fen_read(&back, text, length, read_flags, NULL, NULL) == TBY_OK && tby_setup_equal(setup, &back));
    require(tby_fen_write(small, length, setup, write_flags) == length && small[0] == '\0');
}

static void check_modes(const tby_setup *setup, unsigned raw)
{
    check_written(setup, 0, raw);
    check_written(setup, 0, raw | TBY_FEN_STRICT);
    check_written(setup, TBY_FEN_SHREDDER, raw);
    check_written(setup, TBY_FEN_XFEN, raw | TBY_FEN_CHESS960);
    if (!raw)
        require(!(tby_setup_faults(setup) & (TBY_FAULT_CASTLING | TBY_FAULT_EN_PASSANT)));
}

static bool check_read(tby_setup *setup, const char *s, size_t n, unsigned flags, unsigned *warnings)
{
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    char sentence[TBY_ERROR_SIZE];
    const tby_status status = tby_fen_read(setup, s, n, flags, warnings, &err);
    require(status == err.status);
    if (status == TBY_OK) {
        check_modes(setup, flags & TBY_FEN_RAW);
        return true;
    }
    require(status >= TBY_INVALID_PLACEMENT && status <= TBY_INVALID_TRAILING && err.offset <= n && err.detail);
    require(tby_fen_error_write(sentence, sizeof sentence, &err) < sizeof sentence);
    return false;
}

static void check_strict(const char *s, size_t n, unsigned flags, unsigned write_flags)
{
    tby_setup strict, lenient;
    unsigned warnings = 0;
    char text[TBY_FEN_SIZE];
    if (!check_read(&strict, s, n, flags | TBY_FEN_STRICT, &warnings))
        return;
    require(warnings == 0);
    require(check_read(&lenient, s, n, flags, &warnings) && warnings == 0 && tby_setup_equal(&strict, &lenient));
    if (!has_file_letters(s, n)) {
        require(tby_fen_write(text, sizeof text, &strict, write_flags) == n);
        require(memcmp(text, s, n) == 0);
    }
}

/* A position read from the text equals that of the setup read from it. */
static void check_position(const char *s, size_t n)
{
    tby_setup setup;
    tby_position at_once, by_fields;
    const bool is_position = tby_fen_read(&setup, s, n, 0, NULL, NULL) == TBY_OK &&
                             tby_position_init(&by_fields, &setup, 0, NULL) == TBY_OK;
    require((tby_fen_read_position(&at_once, s, n, 0, NULL, NULL) == TBY_OK) == is_position);
    require(!is_position || memcmp(&at_once, &by_fields, sizeof at_once) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    tby_setup setup;
    check_read(&setup, s, size, 0, NULL);
    check_read(&setup, s, size, TBY_FEN_RAW, NULL);
    check_read(&setup, s, size, TBY_FEN_CHESS960, NULL);
    check_read(&setup, s, size, TBY_FEN_CHESS960 | TBY_FEN_RAW, NULL);
    check_position(s, size);
    check_strict(s, size, 0, 0);
    check_strict(s, size, TBY_FEN_CHESS960, TBY_FEN_XFEN);
    return 0;
}
