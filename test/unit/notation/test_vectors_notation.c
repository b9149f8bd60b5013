/*
 * test_vectors_notation.c - the tables of test/vectors in both directions, and the samples of the specifications.
 *
 *     positions.tsv   fen, base64 (or !halfmove: must be refused), boardinfo
 *     moves.tsv       fen, uci, san, CMBR word in hex, short move ((empty) = the empty text)
 *     short_all.tsv   fen, every legal move as uci:short in the tree's order
 *     lines.tsv       a line from the start in SAN, UCI and base64 moves
 */
#include <stdio.h>

#include "notation/short_move.h"
#include "notation_support.h"

/* ---- Tables -------------------------------------------------------------------------------------------- */

enum { LINE_MAX_BYTES = 1 << 16, FIELDS_MAX = 5 };

static FILE *open_table(const char *name)
{
    char path[4096];
#ifdef TBY_TEST_DIR
    snprintf(path, sizeof path, "%s/vectors/%s", TBY_TEST_DIR, name);
#else
    /* This file is in test/unit/notation, the tables are in test/vectors. */
    const char *here = __FILE__, *slash = strrchr(here, '/');
    snprintf(path, sizeof path, "%.*s/../vectors/%s", slash ? (int)(slash - here) : 1, slash ? here : ".", name);
#endif
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(path, sizeof path, "test/vectors/%s", name);
        file = fopen(path, "r");
    }
    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

/* Calls `check` with the fields of every row except the first, and returns the number of rows. */
static size_t for_each_row(const char *name, size_t n_fields, void (*check)(char *fields[FIELDS_MAX]))
{
    static char line[LINE_MAX_BYTES];
    FILE *file = open_table(name);
    size_t n_rows = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *fields[FIELDS_MAX] = {line};
        size_t n = 1;
        line[strcspn(line, "\r\n")] = '\0';
        for (char *p = line; *p && n < FIELDS_MAX; p++)
            if (*p == '\t') {
                *p = '\0';
                fields[n++] = p + 1;
            }
        if (n != n_fields)
            fail_msg("%s: %zu fields instead of %zu: %s", name, n, n_fields, line);
        check(fields);
        n_rows++;
    }
    fclose(file);
    return n_rows;
}

/* ---- One notation by its name -------------------------------------------------------------------------- */

static const tby_position_notation *position_notation(const char *name)
{
    const tby_position_notation *notation = tby_position_notation_find(name, strlen(name));
    assert_non_null(notation);
    return notation;
}

static const tby_move_notation *move_notation(const char *name)
{
    const tby_move_notation *notation = tby_move_notation_find(name, strlen(name));
    assert_non_null(notation);
    return notation;
}

static void assert_position(const char *name, const tby_setup *setup, const char *text)
{
    char buf[TBY_DIAGRAM_SIZE];
    tby_setup back;
    tby_error err;
    const tby_position_notation *notation = position_notation(name);
    assert_int_equal(notation->write(buf, sizeof buf, setup, 0, &err), strlen(text));
    assert_string_equal(buf, text);
    if (notation->read(&back, text, strlen(text), 0, NULL, &err) != TBY_OK)
        fail_msg("%s: %s", text, err.detail);
    if (!tby_setup_equal(&back, setup))
        fail_msg("%s %s reads as another position", name, text);
}

static void assert_move(const char *name, const tby_position *pos, tby_move m, const char *text)
{
    char buf[32];
    tby_move back = TBY_MOVE_NONE;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    const tby_move_notation *notation = move_notation(name);
    assert_int_equal(notation->write(buf, sizeof buf, pos, m, 0, &err), strlen(text));
    assert_int_equal(err.status, TBY_OK);
    assert_string_equal(buf, text);
    if (notation->read(&back, pos, text, strlen(text), 0, &err) != TBY_OK)
        fail_msg("%s %s: %s", name, text, err.detail);
    assert_int_equal(back, m);
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static void check_position_row(char *fields[FIELDS_MAX])
{
    const tby_setup setup = setup_of(fields[0]);
    assert_position("fen", &setup, fields[0]);
    assert_position("boardinfo", &setup, fields[2]);
    if (fields[1][0] != '!') {
        assert_position("base64", &setup, fields[1]);
        return;
    }
    char buf[TBY_BASE64_POSITION_SIZE];
    tby_error err;
    assert_int_equal(tby_base64_position_write(buf, sizeof buf, &setup, 0, &err), 0);
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
}

TEST(test_vectors_notation__positions) { assert_int_equal(for_each_row("positions.tsv", 3, check_position_row), 420); }

static void check_move_row(char *fields[FIELDS_MAX])
{
    const tby_position pos = position_of(fields[0]);
    const tby_move m = move_of(&pos, fields[1]);
    if (m == TBY_MOVE_NONE)
        fail_msg("%s: %s is not legal", fields[0], fields[1]);
    assert_move("uci", &pos, m, fields[1]);
    assert_move("san", &pos, m, fields[2]);
    assert_move("cmbr", &pos, m, fields[3]);
    assert_move("short", &pos, m, strcmp(fields[4], "(empty)") ? fields[4] : "-");
}

TEST(test_vectors_notation__moves) { assert_int_equal(for_each_row("moves.tsv", 5, check_move_row), 2408); }

/* Compares "uci:short uci:short ..." with all legal moves, in the library's order. */
static void check_short_row(char *fields[FIELDS_MAX])
{
    static char texts[TBY_MOVES_MAX][TBY_SHORT_MOVE_SIZE];
    const tby_position pos = position_of(fields[0]);
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, &pos);
    tby_moves_sort(moves, n_moves);
    short_moves_write_all(texts, &pos, moves, n_moves);
    const char *p = fields[1];
    for (size_t i = 0; i < n_moves; i++) {
        char uci[TBY_UCI_SIZE], expected[32], found[TBY_UCI_SIZE + TBY_SHORT_MOVE_SIZE + 1];
        tby_move back = TBY_MOVE_NONE;
        tby_uci_write(uci, sizeof uci, &pos, moves[i], 0);
        snprintf(found, sizeof found, "%s:%.*s", uci, TBY_SHORT_MOVE_SIZE - 1, texts[i]);
        const size_t length = strcspn(p, " ");
        snprintf(expected, sizeof expected, "%.*s", (int)length, p);
        if (strcmp(expected + strcspn(expected, ":"), ":(empty)") == 0)
            expected[strcspn(expected, ":") + 1] = '\0';
        assert_string_equal(found, expected);
        assert_int_equal(tby_short_move_read(&back, &pos, texts[i], strlen(texts[i]), NULL), TBY_OK);
        assert_int_equal(back, moves[i]);
        p += length;
        p += strspn(p, " ");
    }
    assert_string_equal(p, "");
}

TEST(test_vectors_notation__short_moves_of_whole_positions)
{
    assert_int_equal(for_each_row("short_all.tsv", 2, check_short_row), 117);
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* Reads a line in one notation and writes it in another. */
static void convert_line(char *out, size_t cap, const char *from, const char *line, const char *to)
{
    const tby_move_notation *source = move_notation(from), *target = move_notation(to);
    tby_position pos;
    size_t at = 0, start, length, n_out = 0;
    out[0] = '\0';
    tby_position_start(&pos);
    while ((length = tby_line_next(source, line, strlen(line), &at, &start)) > 0) {
        tby_move m;
        tby_error err;
        char text[32];
        if (source->read(&m, &pos, line + start, length, 0, &err) != TBY_OK)
            fail_msg("%s %.*s: %s", from, (int)length, line + start, err.detail);
        if (target->write(text, sizeof text, &pos, m, 0, &err) == 0)
            strcpy(text, "-"); /* a forced move in a line of short moves */
        n_out += (size_t)snprintf(out + n_out, cap - n_out, "%s%s", n_out ? target->separator : "", text);
        assert_true(n_out < cap);
        tby_position_play(&pos, m, NULL);
    }
}

static void assert_same_line(const char *const names[], const char *const texts[], size_t n)
{
    static char out[LINE_MAX_BYTES];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            convert_line(out, sizeof out, names[i], texts[i], names[j]);
            assert_string_equal(out, texts[j]);
        }
}

static void check_line_row(char *fields[FIELDS_MAX])
{
    const char *const names[3] = {"san", "uci", "base64-moves"};
    const char *const texts[3] = {fields[0], fields[1], fields[2]};
    assert_same_line(names, texts, 3);
    /* And through the other notations, there and back. */
    static char other[LINE_MAX_BYTES], back[LINE_MAX_BYTES];
    static const char *const others[] = {"lan", "cmbr", "boardinfo-moves", "short"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        convert_line(other, sizeof other, "san", fields[0], others[i]);
        convert_line(back, sizeof back, others[i], other, "san");
        assert_string_equal(back, fields[0]);
    }
}

TEST(test_vectors_notation__lines) { assert_int_equal(for_each_row("lines.tsv", 3, check_line_row), 32); }

/* ---- The samples of the documents ---------------------------------------------------------------------- */

TEST(test_vectors_notation__sample_game_of_28_moves)
{
    static const char san_numbered[] =
        "1. e4 h5\n2. d4 a6\n3. Nc3 h4\n4. Bg5 Nc6\n5. d5 e5\n6. Bxd8 b6\n7. Bxc7 Nge7\n8. dxc6 f6\n9. Nd5 a5\n"
        "10. cxd7+ Kxd7\n11. Bb5+ Ke6\n12. Nf4+ Kf7\n13. Bc4+ Be6\n14. Bxe6+ Ke8\n15. Qd8+ Rxd8\n16. Bxd8 Ng6\n"
        "17. Nxg6 a4\n18. O-O-O Bc5\n19. Nxh8 Bd4\n20. Bc7 Ke7\n21. Bf5 b5\n22. Nf3 a3\n23. Nxd4 g6\n24. Nxg6+ Ke8\n"
        "25. Nxb5 axb2+\n26. Kxb2 Kf7\n27. Rd7+ Ke8\n28. Re7#\n";
    static const char uci[] = "e2e4 h7h5 d2d4 a7a6 b1c3 h5h4 c1g5 b8c6 d4d5 e7e5 g5d8 b7b6 d8c7 g8e7 d5c6 "
                              "f7f6 c3d5 a6a5 c6d7 e8d7 f1b5 d7e6 d5f4 e6f7 b5c4 c8e6 c4e6 f7e8 d1d8 a8d8 "
                              "c7d8 e7g6 f4g6 a5a4 e1c1 f8c5 g6h8 c5d4 d8c7 e8e7 e6f5 b6b5 g1f3 a4a3 f3d4 "
                              "g7g6 h8g6 e7e8 d4b5 a3b2 c1b2 e8f7 d1d7 f7e8 d7e7";
    static const char base64_broken[] = "0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWH\n"
                                        "ajDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM\n";
    static const char base64[] = "0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWH"
                                 "ajDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM";
    char out[1024], san[1024];
    convert_line(out, sizeof out, "san", san_numbered, "uci");
    assert_string_equal(out, uci);
    convert_line(out, sizeof out, "san", san_numbered, "base64-moves");
    assert_string_equal(out, base64);
    convert_line(out, sizeof out, "base64-moves", base64_broken, "uci");
    assert_string_equal(out, uci);
    convert_line(san, sizeof san, "base64-moves", base64_broken, "san");
    convert_line(out, sizeof out, "uci", uci, "san");
    assert_string_equal(out, san);
    assert_string_equal(san + strlen(san) - 4, "Re7#");
}

TEST(test_vectors_notation__sample_game_of_19_moves)
{
    static const char game[] = "1.e4 e5 2.h3 d5 3.exd5 Bc5 4.Bc4 c6 5.Nc3 Nf6 6.d3 a5 7.Bg5 Nbd7 8.dxc6 bxc6\n"
                               "9.Nf3 O-O 10.O-O h6 11.Bh4 Qc7 12.d4 exd4 13.Nxd4 Bd6 14.Nf5 Bh2+ 15.Kh1 Ne5\n"
                               "16.Bb3 Ba6 17.Re1 Ng6 18.Bxf6 gxf6 19.Qh5  1-0\n";
    static const char san[] =
        "e4 e5 h3 d5 exd5 Bc5 Bc4 c6 Nc3 Nf6 d3 a5 Bg5 Nbd7 dxc6 bxc6 Nf3 O-O O-O h6 Bh4 Qc7 d4 exd4 Nxd4 Bd6 Nf5 "
        "Bh2+ Kh1 Ne5 Bb3 Ba6 Re1 Ng6 Bxf6 gxf6 Qh5";
    char out[1024];
    convert_line(out, sizeof out, "san", game, "san");
    assert_string_equal(out, san);
}

TEST(test_vectors_notation__start_position)
{
    const tby_setup start = setup_of(START_FEN);
    assert_position("fen", &start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_position("epd", &start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    assert_position("base64", &start, "vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA");
    assert_position("boardinfo", &start, "XXWrnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR+0+0");
}

int main(void) { return tests_run(NULL, NULL); }
