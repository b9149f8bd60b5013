/*
 * positions_corpus.c - the files of the folder `positions` of a folder of test data: is what other programs say of
 * these FENs, moves and ends of games what the library says?
 *
 *     positions_corpus [--verbose] FOLDER
 *
 * Where another program follows other rules than ours, the case is in the table DIFFERENCES below with the reason;
 * it must then come out as the table says, so that a change is seen. The verdicts on the lines of
 * destruction-test_even.epd are printed with --verbose.
 *
 * The last line is "N passed, N failed". Exit code 0 if none failed, 1 if some did, 2 on bad arguments, 77 if the
 * folder has no such files.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

enum { LINE_BYTES = 4096, FIELDS = 9 };

static bool verbose;
static const char *folder;
static const char *part; /* the file being run */
static size_t n_passed, n_failed, n_part_passed, n_part_failed;

/* ---- Differences that the rules settle ------------------------------------------------------------------ */

static const struct {
    const char *file;
    const char *text; /* a part of the input */
    const char *what; /* was looked at: a move, or a word of the checks below */
    const char *reason;
} DIFFERENCES[] = {
    {"epd/kaufman.epd", "am Ne5", "Ne5", "ambiguous: both knights can capture there"},
    {"epd/kaufman.epd", "bm Bcx3 +", "Bcx3", "not SAN: Bxc3+ was meant"},
    {"epd/fortresses.epd", "bm f8 = Q", "f8", "blanks inside the move: the promotion is missing"},
    {"epd/fortresses.epd", "bm f8 = Q", "=", "blanks inside the move"},
    {"epd/fortresses.epd", "bm f8 = Q", "Q", "blanks inside the move"},
    {"valid_notation_tests.json", "4r3/8/2p2PPk/1p1r4/pP2p1R1/P1B5/2P2K2/8 b - - 0 44", "Rd1??",
     "judgement marks are read and not written"},
    {"valid_notation_tests.json", "r1bqk2r/ppp2ppp/2p2n2/4N3/4P3/2P5/PPP2PPP/R1BQK2R b KQkq - 0 7", "Qxd1",
     "it is check: Qxd1+"},
};
enum { N_DIFFERENCES = sizeof DIFFERENCES / sizeof *DIFFERENCES };

static bool difference_seen[N_DIFFERENCES];

static const char *difference(const char *text, const char *what)
{
    for (size_t i = 0; i < N_DIFFERENCES; i++)
        if (strcmp(DIFFERENCES[i].file, part) == 0 && strcmp(DIFFERENCES[i].what, what) == 0 &&
            strstr(text, DIFFERENCES[i].text)) {
            difference_seen[i] = true;
            return DIFFERENCES[i].reason;
        }
    return NULL;
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

/* One case: `agrees` with the file, or the table says why not. */
static void count(bool agrees, const char *text, const char *what, const char *format, ...)
{
    const char *reason = difference(text, what);
    if (agrees != (reason != NULL)) {
        n_part_passed++;
        return;
    }
    n_part_failed++;
    printf("%s: %s: %s: ", part, text, what);
    va_list arguments;
    va_start(arguments, format);
    if (reason)
        printf("agrees, though DIFFERENCES says: %s", reason);
    else
        vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

static void end_part(void)
{
    for (size_t i = 0; i < N_DIFFERENCES; i++)
        if (strcmp(DIFFERENCES[i].file, part) == 0 && !difference_seen[i]) {
            printf("%s: no case for DIFFERENCES: %s %s\n", part, DIFFERENCES[i].text, DIFFERENCES[i].what);
            n_part_failed++;
        }
    printf("%s: %zu passed, %zu failed\n", part, n_part_passed, n_part_failed);
    n_passed += n_part_passed;
    n_failed += n_part_failed;
    n_part_passed = n_part_failed = 0;
}

/* ---- Files ---------------------------------------------------------------------------------------------- */

static FILE *open_part(const char *name)
{
    char path[4096];
    part = name;
    snprintf(path, sizeof path, "%s/positions/%s", folder, name);
    return fopen(path, "rb");
}

/* Without its line end, and cut at a NUL: some of the files end their lines with one. */
static bool next_line(FILE *file, char line[LINE_BYTES])
{
    if (!fgets(line, LINE_BYTES, file))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static size_t split(char *line, char *fields[FIELDS])
{
    size_t n = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = line;
        n += *line != '\0';
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
    return n;
}

/* Calls `check` on the fields of every row of a table with a head line. */
static void run_table(const char *name, void (*check)(char *fields[FIELDS]))
{
    char line[LINE_BYTES], *fields[FIELDS];
    FILE *file = open_part(name);
    if (!file)
        return;
    bool is_head = true;
    while (next_line(file, line)) {
        if (line[0] == '#')
            continue;
        split(line, fields);
        if (!is_head)
            check(fields);
        is_head = false;
    }
    fclose(file);
    end_part();
}

static void run_lines(const char *name, void (*check)(char *line))
{
    char line[LINE_BYTES];
    FILE *file = open_part(name);
    if (!file)
        return;
    while (next_line(file, line))
        if (line[strspn(line, " \t")])
            check(line);
    fclose(file);
    end_part();
}

/* ---- Positions ------------------------------------------------------------------------------------------ */

static bool read_fen(tby_position *pos, const char *fen, size_t n, unsigned flags, tby_faults allowed, tby_error *err)
{
    tby_setup setup;
    return tby_fen_read(&setup, fen, n, flags, NULL, err) == TBY_OK &&
           tby_position_init(pos, &setup, allowed, err) == TBY_OK;
}

/* Any position that can be played; counts a failure if it cannot. */
static bool position_of(tby_position *pos, const char *fen)
{
    tby_error err = {0};
    if (read_fen(pos, fen, strlen(fen), 0, TBY_FAULTS_UNREACHABLE, &err))
        return true;
    count(false, fen, "fen", "%s", err.detail);
    return false;
}

static bool san_of(tby_move *m, const tby_position *pos, const char *text)
{
    return tby_san_read(m, pos, text, strlen(text), 0, NULL, NULL) == TBY_OK;
}

/* ---- fen_validity.tsv: fen, true or false, comment ------------------------------------------------------ */

/* What is valid there must be read here; what is not must be refused by strict reading or have a fault. */
static void check_validity(char *f[FIELDS])
{
    tby_position pos;
    tby_error err = {0};
    const bool is_valid = strcmp(f[1], "true") == 0;
    const bool got = read_fen(&pos, f[0], strlen(f[0]), is_valid ? 0 : TBY_FEN_STRICT, 0, &err);
    count(got == is_valid, f[0], "fen", "expected %s: %s", f[1], err.detail ? err.detail : "it is read");
}

/* ---- polyglot_keys.tsv: fen, key ------------------------------------------------------------------------ */

static void check_polyglot(char *f[FIELDS])
{
    tby_position pos;
    char got[32];
    if (!position_of(&pos, f[0]))
        return;
    snprintf(got, sizeof got, "%016llx", (unsigned long long)tby_polyglot_key(&pos));
    count(strcmp(got, f[1]) == 0, f[0], "key", "expected %s, got %s", f[1], got);
}

/* ---- Ends of games -------------------------------------------------------------------------------------- */

/* Check, checkmate, stalemate and insufficient material, as "1 1 0 0". */
static void check_status(const char *fen, char *f[4])
{
    tby_position pos;
    char expected[32], got[32];
    if (!position_of(&pos, fen))
        return;
    snprintf(expected, sizeof expected, "%.1s %.1s %.1s %.1s", f[0], f[1], f[2], f[3]);
    snprintf(got, sizeof got, "%d %d %d %d", tby_position_is_check(&pos), tby_position_is_checkmate(&pos),
             tby_position_is_stalemate(&pos), tby_material_is_draw(&pos.board));
    count(strcmp(expected, got) == 0, fen, "check, checkmate, stalemate, insufficient", "expected %s, got %s", expected,
          got);
}

/* fen, group, check, checkmate, stalemate, insufficient, repeated, clock, game. They are of real games: no fault. */
static void check_final(char *f[FIELDS])
{
    tby_position pos;
    tby_error err = {0};
    const bool is_read = read_fen(&pos, f[0], strlen(f[0]), TBY_FEN_STRICT, 0, &err);
    count(is_read, f[0], "fen", "%s", err.detail);
    if (is_read)
        count(pos.clock == strtoul(f[7], NULL, 10), f[0], "clock", "it is %u", pos.clock);
    check_status(f[0], f + 2);
}

/* fen, test, check, checkmate, stalemate, insufficient, number of legal moves */
static void check_status_row(char *f[FIELDS])
{
    tby_position pos;
    check_status(f[0], f + 2);
    if (position_of(&pos, f[0]))
        count(tby_moves_count(&pos) == strtoul(f[6], NULL, 10), f[0], "moves", "expected %s, got %zu", f[6],
              tby_moves_count(&pos));
}

/* ---- san_move_lists.tsv: fen, all legal moves in SAN ---------------------------------------------------- */

/* Is the text one of the words of the list? */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (strcspn(p, " ") == n && strncmp(p, word, n) == 0)
            return true;
    return false;
}

static void check_san_list(char *f[FIELDS])
{
    tby_position pos;
    tby_move moves[TBY_MOVES_MAX];
    size_t n_words = 0;
    if (!position_of(&pos, f[0]))
        return;
    for (const char *p = f[1]; *p; p += strcspn(p, " "), p += strspn(p, " "))
        n_words++;
    const size_t n = tby_moves_list(moves, &pos);
    count(n == n_words, f[0], "moves", "expected %zu, got %zu", n_words, n);
    for (size_t i = 0; i < n; i++) {
        char san[TBY_SAN_SIZE];
        tby_san_write(san, sizeof san, &pos, moves[i]);
        count(has_word(f[1], san), f[0], san, "not expected");
    }
}

/* ---- destruction-test_even.epd: FEN; what it is; what to do with it ------------------------------------- */

static bool says(const char *line, const char *word) { return strstr(line, word) != NULL; }

/* "OK" and "overridable": it can be played, by a game reached or not. "cull", "bad", "garbage": it cannot. */
static void check_destruction(char *line)
{
    tby_position pos;
    tby_error err = {0};
    tby_setup setup;
    const size_t n = strcspn(line, ";");
    const bool is_good = says(line, "OK") || says(line, "overridable") || says(line, "not a problem") ||
                         says(line, "leave it ok");
    /* What follows the FEN ("bm b8b7") is cut off at the first letter of an opcode. */
    const char *operation = strstr(line, " bm ");
    const size_t n_fen = operation && (size_t)(operation - line) < n ? (size_t)(operation - line) : n;
    const bool got = read_fen(&pos, line, n_fen, 0, TBY_FAULTS_UNREACHABLE, &err);
    if (verbose) {
        char text[TBY_ERROR_SIZE];
        tby_fen_error_write(text, sizeof text, &err);
        printf("%.*s: %s\n", (int)n, line, got ? "can be played" : text);
        if (tby_fen_read(&setup, line, n_fen, 0, NULL, NULL) == TBY_OK)
            for (tby_faults bit = 1; bit; bit <<= 1)
                if (tby_setup_faults(&setup) & bit)
                    printf("    %s\n", tby_fault_text(bit));
    }
    if (got) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n_moves = tby_moves_list(moves, &pos);
        for (size_t i = 0; i < n_moves; i++) {
            tby_position after = pos;
            tby_position_play(&after, moves[i], NULL);
            count(tby_position_is_consistent(&after), line, "play", "a move leaves an inconsistent position");
        }
    }
    count(got == is_good, line, "fen", "expected %s: %s", is_good ? "good" : "bad",
          err.detail ? err.detail : "it is read");
}

/* ---- frc_start_960.epd: the starts of Chess960 ---------------------------------------------------------- */

static bool start_seen[960];

static void check_start(char *line)
{
    tby_setup setup, start;
    char text[TBY_FEN_SIZE];
    unsigned number = 0;
    if (tby_fen_read(&setup, line, strlen(line), TBY_FEN_CHESS960 | TBY_FEN_STRICT, NULL, NULL) != TBY_OK) {
        count(false, line, "fen", "is not read");
        return;
    }
    count(tby_setup_faults(&setup) == 0, line, "faults", "it has some");
    tby_fen_write(text, sizeof text, &setup, TBY_FEN_XFEN);
    count(strcmp(text, line) == 0, line, "fen", "is written as %s", text);
    while (number < 960 && !(tby_setup_chess960(&start, number) && tby_setup_equal(&start, &setup)))
        number++;
    count(number < 960 && !start_seen[number], line, "number", "is no start of Chess960, or comes twice");
    if (number < 960)
        start_seen[number] = true;
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

/* Just enough of it: "key": "value" pairs in their order; a key of an object or a list has the value "". */
typedef struct json {
    char *at, *key, *value;
} json;

static char *json_string(char **at)
{
    char *start = *at + 1, *out = start, *p = start;
    while (*p && *p != '"') {
        if (*p == '\\' && p[1])
            p++;
        *out++ = *p++;
    }
    *at = *p ? p + 1 : p;
    *out = '\0';
    return start;
}

static bool json_next(json *j)
{
    static char nothing[1];
    for (;;) {
        j->at += strcspn(j->at, "\"");
        if (!*j->at)
            return false;
        j->key = json_string(&j->at);
        j->at += strspn(j->at, " \t\r\n");
        if (*j->at != ':')
            continue;
        j->at += 1 + strspn(j->at + 1, " \t\r\n");
        j->value = *j->at == '"' ? json_string(&j->at) : nothing;
        return true;
    }
}

static char *read_whole(const char *name)
{
    FILE *file = open_part(name);
    if (!file)
        return NULL;
    enum { CAP = 1 << 20 };
    char *text = calloc(CAP, 1);
    if (!text || fread(text, 1, CAP - 1, file) == CAP - 1) {
        fprintf(stderr, "positions_corpus: %s is too long\n", name);
        exit(2);
    }
    fclose(file);
    return text;
}

/* ---- rampart: start.fen, then expected: [{move, fen}], all legal moves in SAN with the FEN after --------- */

/* The en passant square after every double step, as we do, or only where a capture is legal: the files mix both. */
static void check_fen_after(const tby_position *pos, tby_move m, const char *fen)
{
    char before[TBY_FEN_SIZE], always[TBY_FEN_SIZE], legal[TBY_FEN_SIZE], san[TBY_SAN_SIZE];
    tby_position after = *pos;
    tby_position_play(&after, m, NULL);
    tby_fen_write_position(before, sizeof before, pos, 0);
    tby_fen_write_position(always, sizeof always, &after, 0);
    tby_fen_write_position(legal, sizeof legal, &after, TBY_FEN_EP_LEGAL);
    tby_san_write(san, sizeof san, pos, m);
    count(strcmp(always, fen) == 0 || strcmp(legal, fen) == 0, before, "fen after", "%s: expected %s, got %s", san, fen,
          always);
}

static void end_case(const char *fen, const tby_position *pos, size_t n_expected)
{
    if (fen)
        count(n_expected == tby_moves_count(pos), fen, "moves", "expected %zu, got %zu", n_expected,
              tby_moves_count(pos));
}

static void run_rampart(const char *name)
{
    char *text = read_whole(name);
    if (!text)
        return;
    json j = {text, NULL, NULL};
    const char *fen = NULL, *move = NULL;
    tby_position pos;
    size_t n_expected = 0;
    bool in_start = false;
    tby_position_start(&pos);
    while (json_next(&j)) {
        tby_move m;
        char san[TBY_SAN_SIZE];
        if (strcmp(j.key, "start") == 0) {
            end_case(fen, &pos, n_expected);
            in_start = true;
            fen = NULL;
            n_expected = 0;
        } else if (strcmp(j.key, "expected") == 0)
            in_start = false;
        else if (strcmp(j.key, "fen") == 0 && in_start)
            fen = position_of(&pos, j.value) ? j.value : NULL;
        else if (strcmp(j.key, "move") == 0) {
            move = j.value;
            n_expected++;
        } else if (strcmp(j.key, "fen") == 0 && fen && move) {
            const bool is_read = san_of(&m, &pos, move);
            count(is_read, fen, move, "is not read");
            if (!is_read)
                continue;
            tby_san_write(san, sizeof san, &pos, m);
            count(strcmp(san, move) == 0, fen, move, "written as %s", san);
            check_fen_after(&pos, m, j.value);
            move = NULL;
        }
    }
    end_case(fen, &pos, n_expected);
    free(text);
    end_part();
}

/* ---- valid_notation_tests.json: pos1, pos2, algText, longAlgText, uciText, description ------------------- */

static void check_notations(const char *pos1, const char *pos2, const char *san, const char *lan, const char *uci)
{
    tby_position pos;
    tby_move by_san, by_lan, by_uci;
    char text[TBY_SAN_SIZE];
    if (!position_of(&pos, pos1))
        return;
    const bool all_read = san_of(&by_san, &pos, san) && san_of(&by_lan, &pos, lan) &&
                          tby_uci_read(&by_uci, &pos, uci, strlen(uci), NULL) == TBY_OK;
    count(all_read && by_san == by_lan && by_san == by_uci, pos1, "moves", "%s, %s, %s are not the same", san, lan,
          uci);
    if (!all_read)
        return;
    tby_san_write(text, sizeof text, &pos, by_san);
    count(strcmp(text, san) == 0, pos1, san, "written as %s", text);
    tby_uci_write(text, sizeof text, &pos, by_san, 0);
    count(strcmp(text, uci) == 0, pos1, uci, "written as %s", text);
    check_fen_after(&pos, by_san, pos2);
}

static void run_valid_notations(const char *name)
{
    char *text = read_whole(name);
    const char *pos1 = "", *pos2 = "", *san = "", *lan = "";
    if (!text)
        return;
    json j = {text, NULL, NULL};
    while (json_next(&j)) {
        if (strcmp(j.key, "pos1") == 0)
            pos1 = j.value;
        else if (strcmp(j.key, "pos2") == 0)
            pos2 = j.value;
        else if (strcmp(j.key, "algText") == 0)
            san = j.value;
        else if (strcmp(j.key, "longAlgText") == 0)
            lan = j.value;
        else if (strcmp(j.key, "uciText") == 0)
            check_notations(pos1, pos2, san, lan, j.value);
    }
    free(text);
    end_part();
}

/* ---- epd: FEN of four or six fields, then "bm" (best moves) or "am" (moves to avoid) in SAN -------------- */

/* The first four fields. */
static size_t epd_length(const char *line)
{
    size_t n = strspn(line, " ");
    for (int field = 0; field < 4; field++) {
        n += strspn(line + n, " ");
        n += strcspn(line + n, " ;");
    }
    return n;
}

static void check_best_moves(const tby_position *pos, const char *line, const char *moves)
{
    for (const char *p = moves + strspn(moves, " "); *p && *p != ';'; p += strspn(p, " ")) {
        tby_move m;
        char word[32];
        const size_t n = strcspn(p, " ;");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        p += n;
        if (strspn(word, "+?!") == n)
            continue; /* "Qd1 +": a mark apart */
        count(san_of(&m, pos, word), line, word, "is not read");
    }
}

static void check_epd(char *line)
{
    tby_position pos;
    tby_error err = {0};
    const bool is_read = read_fen(&pos, line, epd_length(line), 0, TBY_FAULTS_UNREACHABLE, &err);
    count(is_read, line, "fen", "%s", err.detail);
    for (const char *p = line + epd_length(line); is_read && *p; p++)
        if ((*p == ' ' || *p == ';') && (strncmp(p + 1, "bm ", 3) == 0 || strncmp(p + 1, "am ", 3) == 0))
            check_best_moves(&pos, line, p + 4);
}

static void run_epd_folder(void)
{
    char path[4096], name[300];
    snprintf(path, sizeof path, "%s/positions/epd", folder);
    DIR *dir = opendir(path);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        snprintf(name, sizeof name, "epd/%s", entry->d_name);
        if (strlen(name) > 8 && strcmp(name + strlen(name) - 4, ".epd") == 0)
            run_lines(name, check_epd);
    }
    closedir(dir);
}

/* ---- popular_lichess_10000.epd: four fields ------------------------------------------------------------- */

static void check_popular(char *line)
{
    tby_setup setup;
    char text[TBY_FEN_SIZE];
    unsigned warnings = 0;
    if (tby_fen_read(&setup, line, strlen(line), 0, &warnings, NULL) != TBY_OK) {
        count(false, line, "fen", "is not read");
        return;
    }
    count(warnings == TBY_FEN_WARN_FIELDS, line, "warnings", "0x%x", warnings);
    count(tby_setup_faults(&setup) == 0, line, "faults", "it has some");
    tby_fen_write(text, sizeof text, &setup, TBY_FEN_EPD);
    count(strcmp(text, line) == 0, line, "fen", "is written as %s", text);
}

int main(int argc, char **argv)
{
    static const char *const rampart[] = {"castling",   "checkmates", "famous",  "pawns",
                                          "promotions", "stalemates", "standard"};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--verbose") == 0)
            verbose = true;
        else
            folder = argv[i];
    if (!folder || *folder == '-') {
        fprintf(stderr, "usage: positions_corpus [--verbose] FOLDER\n");
        return 2;
    }
    run_table("fen_validity.tsv", check_validity);
    run_table("polyglot_keys.tsv", check_polyglot);
    run_table("real_final_positions.tsv", check_final);
    run_table("status_positions.tsv", check_status_row);
    run_table("san_move_lists.tsv", check_san_list);
    run_lines("destruction-test_even.epd", check_destruction);
    run_lines("frc_start_960.epd", check_start);
    for (size_t i = 0; i < sizeof rampart / sizeof *rampart; i++) {
        char name[64];
        snprintf(name, sizeof name, "rampart/%s.json", rampart[i]);
        run_rampart(name);
    }
    run_valid_notations("valid_notation_tests.json");
    run_epd_folder();
    run_lines("popular_lichess_10000.epd", check_popular);
    if (n_passed + n_failed == 0) {
        fprintf(stderr, "positions_corpus: no files in %s/positions\n", folder);
        return 77;
    }
    printf("%zu passed, %zu failed\n", n_passed, n_failed);
    return n_failed != 0;
}
