/*
 * test_vectors_rules.c - every row of test/vectors/rules.tsv and test/vectors/status.tsv.
 *
 *     rules.tsv    id, kind, FEN, input, expected, basis (which independent program said so)
 *     status.tsv   FEN, number of legal moves, check, checkmate, stalemate, insufficient material as 0 or 1
 *
 * Each kind of row has a function that writes the library's answer in the format of the `expected` column. All rows are
 * run; one that fails is reported with its id, FEN, input, and the expected and the actual answer.
 */
#include "support.h"

/* ---- Tables --------------------------------------------------------------------------------------------- */

enum { LINE_BYTES = 4096, FIELDS = 6, GOT_BYTES = 256 };

static FILE *open_table(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "test/vectors/%s", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s: the tests run in the root of the source", path);
    return file;
}

/* The fields of the next row; false at the end. */
static bool next_row(FILE *file, char line[LINE_BYTES], char *fields[FIELDS])
{
    if (!fgets(line, LINE_BYTES, file))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    for (size_t i = 0; i < FIELDS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
    return true;
}

typedef struct row {
    const char *id, *kind, *fen, *input, *expected;
} row;

/* ---- Moves and FEN fields ------------------------------------------------------------------------------- */

static const char *family(tby_status status)
{
    if (status == TBY_PROMOTION_MISSING)
        return "PROMOTION_MISSING";
    if (status == TBY_AMBIGUOUS_MOVE)
        return "AMBIGUOUS";
    return status == TBY_ILLEGAL_MOVE ? "ILLEGAL" : "INVALID";
}

static void say_san_read(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    tby_move m;
    const tby_status status = tby_san_read(&m, &pos, r->input, strlen(r->input), 0, NULL, NULL);
    if (status == TBY_OK)
        tby_uci_write(got, GOT_BYTES, &pos, m, 0);
    else
        strcpy(got, family(status));
}

static void say_san_write(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    const tby_move m = move_of(&pos, r->input);
    if (m == TBY_MOVE_NONE)
        strcpy(got, "not a legal move");
    else
        tby_san_write(got, GOT_BYTES, &pos, m);
}

/* "O-O,O-O-O", the king's side first; with `uci`, "O-O=e1h1". */
static void say_castling_moves(const tby_position *pos, bool uci, char *got)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    size_t length = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < n; i++) {
            char san[TBY_SAN_SIZE], squares[TBY_UCI_SIZE];
            const bool king_side = TBY_MOVE_TO(moves[i]) > TBY_MOVE_FROM(moves[i]);
            if (!TBY_MOVE_IS_CASTLING(moves[i]) || king_side != (side == 0))
                continue;
            tby_san_write(san, sizeof san, pos, moves[i]);
            tby_uci_write(squares, sizeof squares, pos, moves[i], TBY_UCI_CHESS960);
            length += (size_t)snprintf(got + length, GOT_BYTES - length, "%s%s%s%s", length ? "," : "", san,
                                       uci ? "=" : "", uci ? squares : "");
        }
    if (length == 0)
        strcpy(got, "-");
}

static void say_castles(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    say_castling_moves(&pos, false, got);
}

static void say_castles960(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    say_castling_moves(&pos, true, got);
}

/* The n-th field of a FEN, from 0. */
static void copy_field(char *got, const char *fen, int n)
{
    while (n-- > 0)
        fen += strcspn(fen, " ") + 1;
    snprintf(got, GOT_BYTES, "%.*s", (int)strcspn(fen, " "), fen);
}

static void say_ep_field(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    char fen[TBY_FEN_SIZE];
    const unsigned flags = strcmp(r->input, "xfen") == 0    ? TBY_FEN_EP_XFEN
                           : strcmp(r->input, "legal") == 0 ? TBY_FEN_EP_LEGAL
                                                            : 0;
    tby_fen_write_position(fen, sizeof fen, &pos, flags);
    copy_field(got, fen, 3);
}

static void say_castling_field(const row *r, unsigned read_flags, unsigned write_flags, char *got)
{
    tby_setup setup;
    char fen[TBY_FEN_SIZE];
    if (tby_fen_read(&setup, r->fen, strlen(r->fen), read_flags, NULL, NULL) != TBY_OK) {
        strcpy(got, "refused");
        return;
    }
    tby_fen_write(fen, sizeof fen, &setup, write_flags);
    copy_field(got, fen, 2);
}

static void say_fen960(const row *r, char *got)
{
    say_castling_field(r, TBY_FEN_CHESS960, strcmp(r->input, "xfen") ? TBY_FEN_SHREDDER : TBY_FEN_XFEN, got);
}

static void say_fen_sanitized(const row *r, char *got) { say_castling_field(r, 0, 0, got); }

/* ---- Lines of moves ------------------------------------------------------------------------------------- */

enum { PLIES = 64 };

/* Plays the moves of a row; `keys` receives the keys of all positions on the way. Returns their number, or 0 if a move
   could not be read. */
static size_t play_moves(const row *r, tby_position *pos, uint64_t keys[PLIES])
{
    const tby_move_notation *notation = tby_move_notation_find("san", 3);
    size_t n_keys = 0, at = 0, start, length;
    *pos = position_of(r->fen);
    keys[n_keys++] = tby_position_key(pos);
    while ((length = tby_line_next(notation, r->input, strlen(r->input), &at, &start)) > 0) {
        tby_move m;
        if (n_keys == PLIES || tby_san_read(&m, pos, r->input + start, length, 0, NULL, NULL) != TBY_OK)
            return 0;
        tby_position_play(pos, m, NULL);
        keys[n_keys++] = tby_position_key(pos);
    }
    return n_keys;
}

static void say_fen_after(const row *r, char *got)
{
    tby_position pos;
    uint64_t keys[PLIES];
    if (play_moves(r, &pos, keys))
        tby_fen_write_position(got, GOT_BYTES, &pos, 0);
    else
        strcpy(got, "a move cannot be read");
}

static void say_polyglot(const row *r, char *got)
{
    tby_position pos;
    uint64_t keys[PLIES];
    if (play_moves(r, &pos, keys))
        snprintf(got, GOT_BYTES, "%016llx", (unsigned long long)tby_polyglot_key(&pos));
    else
        strcpy(got, "a move cannot be read");
}

static void say_threefold(const row *r, char *got)
{
    tby_position pos;
    uint64_t keys[PLIES];
    const size_t n = play_moves(r, &pos, keys);
    if (n)
        snprintf(got, GOT_BYTES, "now=%d,claim=%d", tby_repetition_is_threefold(keys, n),
                 tby_repetition_can_claim(&pos, keys, n));
    else
        strcpy(got, "a move cannot be read");
}

/* ---- The end of the game -------------------------------------------------------------------------------- */

static void say_result(const row *r, char *got)
{
    tby_result result;
    const bool is_read = tby_result_read(&result, r->input, strlen(r->input), NULL) == TBY_OK;
    strcpy(got, is_read ? tby_result_text(result) : "INVALID");
}

static void say_termination(const row *r, char *got)
{
    static const char *const names[] = {"NONE",     "CHECKMATE",   "STALEMATE", "INSUFFICIENT", "SEVENTYFIVE_MOVES",
                                        "FIVEFOLD", "FIFTY_MOVES", "THREEFOLD"};
    const tby_position pos = position_of(r->fen);
    const tby_outcome outcome = tby_outcome_of(&pos, 1, TBY_UNKNOWN, false);
    snprintf(got, GOT_BYTES, "%s,claim50=%d", names[outcome.reason], tby_move_clock_can_claim_fifty(&pos));
}

static void say_insufficient(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    snprintf(got, GOT_BYTES, "W=%d,B=%d", tby_material_is_insufficient(&pos.board, TBY_WHITE),
             tby_material_is_insufficient(&pos.board, TBY_BLACK));
}

static void say_dead(const row *r, char *got)
{
    static const char *const names[] = {"NO", "YES", "UNKNOWN"};
    const tby_position pos = position_of(r->fen);
    const size_t size = (size_t)TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE;
    void *work = malloc(size);
    assert_non_null(work);
    strcpy(got, names[tby_dead_position(&pos, work, size)]);
    free(work);
}

static void say_legal_moves(const row *r, char *got)
{
    const tby_position pos = position_of(r->fen);
    snprintf(got, GOT_BYTES, "%zu", tby_moves_count(&pos));
}

/* ---- Faults --------------------------------------------------------------------------------------------- */

/*
 * The names that python-chess uses. Where one of its names covers several of our faults, at least one of them must be
 * reported (`any_of`). `also` are faults that our rules add and that python-chess does not know.
 */
static const struct {
    const char *name;
    tby_faults any_of, also;
} PYTHON_CHESS[] = {
    {"VALID", 0, 0},
    {"NO_WK", TBY_FAULT_NO_WHITE_KING, 0},
    {"NO_BK", TBY_FAULT_NO_BLACK_KING, 0},
    {"EMPTY", TBY_FAULT_NO_WHITE_KING, 0}, /* not a separate fault here */
    {"PAWN_BACKRANK", TBY_FAULT_PAWN_BACKRANK, 0},
    {"BAD_EP", TBY_FAULT_EN_PASSANT, 0},
    {"BAD_CASTLING", TBY_FAULT_CASTLING, 0},
    {"OPP_CHECK", TBY_FAULT_OPPONENT_CHECK | TBY_FAULT_KINGS_ADJACENT, 0},
    {"MANY_W", TBY_FAULT_MANY_WHITE_PIECES, TBY_FAULT_WHITE_PROMOTIONS}, /* python-chess does not count promotions */
    {"MANY_CHECKERS", TBY_FAULT_MANY_CHECKERS, 0},
    {"IMPOSSIBLE_CHECK",
     TBY_FAULT_MANY_CHECKERS | TBY_FAULT_ALIGNED_CHECKERS | TBY_FAULT_STEPPER_CHECKERS | TBY_FAULT_EN_PASSANT_CHECK, 0},
};

static void say_faults(tby_faults faults, char *got)
{
    size_t length = 0;
    strcpy(got, "VALID");
    for (tby_faults bit = 1; bit; bit <<= 1)
        if (faults & bit)
            length +=
                (size_t)snprintf(got + length, GOT_BYTES - length, "%s%s", length ? "|" : "", tby_fault_name(bit));
}

/* A setup's castling rights include the rook, so KQkq with a king on d1 are valid Chess960 rights. That they are
   invalid in a FEN of standard chess is for its reader to report. */
static tby_faults faults_of(const char *fen)
{
    tby_setup setup = setup_of(fen);
    tby_faults faults = tby_setup_faults(&setup);
    unsigned warnings = 0;
    tby_fen_read(&setup, fen, strlen(fen), 0, &warnings, NULL);
    return faults | (warnings & TBY_FEN_WARN_CASTLING ? TBY_FAULT_CASTLING : 0);
}

/* Writes what was expected if our faults match it, and our faults otherwise. */
static void say_status_pychess(const row *r, char *got)
{
    const tby_faults faults = faults_of(r->fen);
    tby_faults allowed = 0;
    bool fits = true;
    for (const char *name = r->expected; *name; name += strcspn(name, "|"), name += *name == '|') {
        size_t i = 0;
        while (i < sizeof PYTHON_CHESS / sizeof *PYTHON_CHESS &&
               (strlen(PYTHON_CHESS[i].name) != strcspn(name, "|") ||
                strncmp(PYTHON_CHESS[i].name, name, strcspn(name, "|")) != 0))
            i++;
        if (i == sizeof PYTHON_CHESS / sizeof *PYTHON_CHESS) {
            snprintf(got, GOT_BYTES, "unknown name %s", name);
            return;
        }
        fits = fits && (!PYTHON_CHESS[i].any_of || (faults & PYTHON_CHESS[i].any_of));
        allowed |= PYTHON_CHESS[i].any_of | PYTHON_CHESS[i].also;
    }
    if (fits && !(faults & ~allowed))
        strcpy(got, r->expected);
    else
        say_faults(faults, got);
}

static void say_status(const row *r, char *got)
{
    const tby_faults faults = faults_of(r->fen);
    if (faults == TBY_FAULT_WHITE_PROMOTIONS)
        strcpy(got, "OVERPROMO_W");
    else
        say_faults(faults, got);
}

/* ---- Running rows --------------------------------------------------------------------------------------- */

typedef struct kind {
    const char *name;
    void (*say)(const row *r, char *got);
    unsigned n_rows; /* so that no row is skipped unnoticed */
} kind;

static const kind KINDS[] = {
    {"castles", say_castles, 11},
    {"castles960", say_castles960, 2},
    {"dead", say_dead, 8},
    {"ep_field", say_ep_field, 27},
    {"fen960", say_fen960, 2},
    {"fen_after", say_fen_after, 1},
    {"fen_sanitized", say_fen_sanitized, 1},
    {"insufficient", say_insufficient, 13},
    {"legal_moves", say_legal_moves, 2},
    {"polyglot", say_polyglot, 3},
    {"result", say_result, 14},
    {"san_read", say_san_read, 46},
    {"san_write", say_san_write, 13},
    {"seed_game_final", say_fen_after, 1},
    {"status", say_status, 1},
    {"status_pychess", say_status_pychess, 12},
    {"termination", say_termination, 8},
    {"threefold", say_threefold, 7},
};

static unsigned run_rows(const kind *k, unsigned *n_failed)
{
    char line[LINE_BYTES], *f[FIELDS], got[GOT_BYTES];
    unsigned n_rows = 0;
    FILE *file = open_table("rules.tsv");
    next_row(file, line, f);
    while (next_row(file, line, f)) {
        const row r = {f[0], f[1], f[2], f[3], f[4]};
        if (strcmp(r.kind, k->name) != 0)
            continue;
        n_rows++;
        k->say(&r, got);
        if (strcmp(got, r.expected) == 0)
            continue;
        ++*n_failed;
        print_error("%s %s: %s: \"%s\": expected %s, got %s\n", r.id, r.kind, r.fen, r.input, r.expected, got);
    }
    fclose(file);
    return n_rows;
}

static void test_rows_of_kind(void **state)
{
    const kind *k = *state;
    unsigned n_failed = 0;
    assert_int_equal(run_rows(k, &n_failed), k->n_rows);
    assert_int_equal(n_failed, 0);
}

static void test_vectors_rules__every_kind_of_row_is_run(void **state)
{
    (void)state;
    char line[LINE_BYTES], *f[FIELDS];
    unsigned n_rows = 0, n_of_kinds = 0;
    FILE *file = open_table("rules.tsv");
    next_row(file, line, f);
    while (next_row(file, line, f))
        n_rows++;
    fclose(file);
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        n_of_kinds += KINDS[i].n_rows;
    assert_int_equal(n_rows, n_of_kinds);
}

/* The faults that rules.md, section 12, lists one by one; python-chess has one name for three of them. */
static void test_vectors_rules__faults_of_section_12(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        tby_faults faults;
    } rows[] = {
        {"8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", TBY_FAULT_STEPPER_CHECKERS},
        {"3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", TBY_FAULT_ALIGNED_CHECKERS},
        {"1k1q1r2/8/8/6n1/8/5Kq1/8/8 w - - 0 1", TBY_FAULT_MANY_CHECKERS},
        {"rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1", TBY_FAULT_EN_PASSANT_CHECK},
        {"2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81", TBY_FAULT_PAWN_BACKRANK},
        {"4k3/8/8/8/8/8/8/8 w - - 0 1", TBY_FAULT_NO_WHITE_KING},
        {"4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w - - 0 1", TBY_FAULT_WHITE_PROMOTIONS},
        {"3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tby_faults faults = faults_of(rows[i].fen);
        char got[GOT_BYTES], expected[GOT_BYTES];
        say_faults(faults, got);
        say_faults(rows[i].faults, expected);
        if (faults != rows[i].faults)
            fail_msg("%s: expected %s, got %s", rows[i].fen, expected, got);
    }
}

/* With adjacent kings, the side not to move is also in check: one or both faults may be reported, nothing else. */
static void test_vectors_rules__adjacent_kings_are_refused(void **state)
{
    (void)state;
    const tby_faults faults = faults_of("4kK2/8/8/8/8/8/8/8 w - - 0 1");
    assert_true(faults & TBY_FAULT_KINGS_ADJACENT);
    assert_false(faults & ~(tby_faults)(TBY_FAULT_KINGS_ADJACENT | TBY_FAULT_OPPONENT_CHECK));
}

/* ---- status.tsv ----------------------------------------------------------------------------------------- */

static void test_vectors_rules__status_tsv(void **state)
{
    (void)state;
    char line[LINE_BYTES], *f[FIELDS], got[64], expected[64];
    unsigned n_rows = 0, n_failed = 0;
    FILE *file = open_table("status.tsv");
    next_row(file, line, f);
    while (next_row(file, line, f)) {
        const tby_position pos = position_of(f[0]);
        n_rows++;
        snprintf(expected, sizeof expected, "%.8s %.8s %.8s %.8s %.8s", f[1], f[2], f[3], f[4], f[5]);
        snprintf(got, sizeof got, "%zu %d %d %d %d", tby_moves_count(&pos), tby_position_is_check(&pos),
                 tby_position_is_checkmate(&pos), tby_position_is_stalemate(&pos), tby_material_is_draw(&pos.board));
        if (strcmp(got, expected) == 0)
            continue;
        n_failed++;
        print_error("status.tsv: %s: moves check checkmate stalemate insufficient: expected %s, got %s\n", f[0],
                    expected, got);
    }
    fclose(file);
    assert_int_equal(n_rows, 480);
    assert_int_equal(n_failed, 0);
}

/* One test per kind of row, named after it. */
#define ROWS(name, index)                                                                                              \
    {                                                                                                                  \
        "test_vectors_rules__" name, test_rows_of_kind, NULL, NULL, (void *)(uintptr_t)&KINDS[index]                   \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROWS("castles", 0),
        ROWS("castles960", 1),
        ROWS("dead", 2),
        ROWS("ep_field", 3),
        ROWS("fen960", 4),
        ROWS("fen_after", 5),
        ROWS("fen_sanitized", 6),
        ROWS("insufficient", 7),
        ROWS("legal_moves", 8),
        ROWS("polyglot", 9),
        ROWS("result", 10),
        ROWS("san_read", 11),
        ROWS("san_write", 12),
        ROWS("seed_game_final", 13),
        ROWS("status", 14),
        ROWS("status_pychess", 15),
        ROWS("termination", 16),
        ROWS("threefold", 17),
        cmocka_unit_test(test_vectors_rules__every_kind_of_row_is_run),
        cmocka_unit_test(test_vectors_rules__faults_of_section_12),
        cmocka_unit_test(test_vectors_rules__adjacent_kings_are_refused),
        cmocka_unit_test(test_vectors_rules__status_tsv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
