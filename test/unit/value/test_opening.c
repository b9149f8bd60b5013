/*
 * test_opening.c - opening names: by position, by game, and every line of the table.
 */
#include "support.h"

enum { MAX_BYTES = 4096, MAX_PLIES = 400, LINE_BYTES = 1024 };

typedef struct played {
    tby_position start, pos;
    tby_move moves[MAX_PLIES];
    size_t n;
} played;

/* Plays SAN moves separated by blanks. */
static void play(played *g, const char *line)
{
    for (const char *s = line; *s; s += strcspn(s, " "), s += strspn(s, " ")) {
        tby_move move;
        if (tby_san_read(&move, &g->pos, s, strcspn(s, " "), 0, NULL, NULL) != TBY_OK)
            fail_msg("not legal: %s in %s", s, line);
        tby_position_play(&g->pos, move, NULL);
        g->moves[g->n++] = move;
    }
}

static played played_from(const tby_position *start, const char *line)
{
    played g = {.start = *start, .pos = *start};
    play(&g, line);
    return g;
}

static played played_of(const char *line)
{
    tby_position start;
    tby_position_start(&start);
    return played_from(&start, line);
}

static int opening_of_game(tby_opening *out, const played *g)
{
    uint8_t bytes[MAX_BYTES];
    const size_t n = tby_packed_encode(bytes, sizeof bytes, &g->start, g->moves, g->n, TBY_RESULT_NONE);
    assert_in_range(n, 1, sizeof bytes);
    return tby_opening_of_chessgame(out, bytes, n);
}

static void assert_name(const tby_position *pos, const char *eco, const char *name)
{
    tby_opening opening;
    if (!tby_opening_of(&opening, pos))
        fail_msg("no name: %s", name);
    assert_string_equal(opening.eco, eco);
    assert_string_equal(opening.name, name);
}

static void assert_no_name(const tby_position *pos)
{
    tby_opening opening = {"x", "y"};
    assert_false(tby_opening_of(&opening, pos));
    assert_string_equal(opening.eco, "x");
    assert_string_equal(opening.name, "y");
}

/* ---- Positions ------------------------------------------------------------------------------------------- */

TEST(test_opening__well_known_openings_have_their_names)
{
    static const struct {
        const char *line, *eco, *name;
    } cases[] = {
        {"e4", "B00", "King's Pawn Game"},
        {"e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez"},
        {"e4 e5 Nf3 Nc6 Bc4 Bc5", "C50", "Italian Game: Giuoco Piano"},
        {"e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"},
        {"e4 e6 d4 d5 Nc3 Bb4", "C15", "French Defense: Winawer Variation"},
        {"d4 d5 c4 e6", "D30", "Queen's Gambit Declined"},
        {"d4 Nf6 c4 e6 Nc3 Bb4", "E20", "Nimzo-Indian Defense"},
        {"d4 Nf6 c4 g6 Nc3 d5", "D80", "Grünfeld Defense"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const played g = played_of(cases[i].line);
        assert_name(&g.pos, cases[i].eco, cases[i].name);
    }
}

TEST(test_opening__transpositions_have_the_same_name)
{
    static const char *const orders[] = {
        "d4 Nf6 c4 e6 Nc3 Bb4",
        "c4 e6 Nc3 Nf6 d4 Bb4",
        "c4 Nf6 Nc3 e6 d4 Bb4",
        "d4 e6 c4 Nf6 Nc3 Bb4",
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const played g = played_of(orders[i]);
        assert_name(&g.pos, "E20", "Nimzo-Indian Defense");
    }
    /* Two half-moves slower. */
    const played slow = played_of("e3 e6 e4 e5 Nf3 Nc6 Bb5");
    assert_name(&slow.pos, "C60", "Ruy Lopez");
}

TEST(test_opening__the_start_and_unusual_positions_have_none)
{
    static const char *const lines[] = {"", "a4 a5 Ra3 Ra6", "e4 e5 Ke2 Ke7 Kd3"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const played g = played_of(lines[i]);
        assert_no_name(&g.pos);
    }
    const tby_position endgame = position_of("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert_no_name(&endgame);
}

TEST(test_opening__a_fen_has_the_name_of_its_position_whatever_its_counters)
{
    const tby_position after_e4[] = {
        position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 7 99"),
    };
    for (size_t i = 0; i < sizeof after_e4 / sizeof *after_e4; i++)
        assert_name(&after_e4[i], "B00", "King's Pawn Game");
}

TEST(test_opening__side_castling_rights_and_a_legal_en_passant_count)
{
    const tby_position white = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    const tby_position rights = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1");
    assert_no_name(&white);
    assert_no_name(&rights);
    /* The Old Benoni, 1. d4 c5 2. d5 e5: once dxe6 is no longer possible, it is a different position. */
    const tby_position chance = position_of("rnbqkbnr/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3");
    const tby_position gone = position_of("rnbqkbnr/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 3");
    assert_name(&chance, "A44", "Benoni Defense: Old Benoni");
    assert_no_name(&gone);
}

/* ---- The table ------------------------------------------------------------------------------------------- */

TEST(test_opening__every_line_of_the_table_is_found_under_its_own_name)
{
    char text[LINE_BYTES];
    size_t n_lines = 0;
    FILE *in = fopen(TBY_TEST_DIR "/../src/opening/openings.tsv", "r");
    assert_non_null(in);
    while (fgets(text, sizeof text, in)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] == '#')
            continue;
        char *eco = strtok(text, "\t"), *name = strtok(NULL, "\t"), *moves = strtok(NULL, "\t");
        const played g = played_of(moves);
        tby_opening opening;
        assert_name(&g.pos, eco, name);
        assert_int_equal(opening_of_game(&opening, &g), g.n);
        assert_string_equal(opening.name, name);
        n_lines++;
    }
    fclose(in);
    assert_in_range(n_lines, 3000, 65535);
}

/* ---- Games ----------------------------------------------------------------------------------------------- */

TEST(test_opening__of_a_game_is_that_of_its_last_named_position)
{
    tby_opening opening;
    const played opera = played_of("e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5");
    assert_int_equal(opening_of_game(&opening, &opera), 5);
    assert_string_equal(opening.eco, "C41");
    assert_string_equal(opening.name, "Philidor Defense");
}

TEST(test_opening__of_a_game_may_come_late)
{
    tby_opening opening;
    played g = played_of("");
    for (int i = 0; i < 90; i++)
        play(&g, "Nf3 Nf6 Ng1 Ng8");
    play(&g, "e4 c5");
    assert_int_equal(opening_of_game(&opening, &g), 362);
    assert_string_equal(opening.name, "Sicilian Defense");
}

TEST(test_opening__a_game_without_one_leaves_the_output_alone)
{
    tby_opening opening = {"x", "y"};
    const tby_position endgame = position_of("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    const played short_game = played_from(&endgame, "Kd7 Kd1"), empty = played_of("");
    const uint8_t nonsense[] = {0xff, 0x01, 0x02};
    assert_int_equal(opening_of_game(&opening, &short_game), -1);
    assert_int_equal(opening_of_game(&opening, &empty), -1);
    assert_int_equal(tby_opening_of_chessgame(&opening, nonsense, sizeof nonsense), -1);
    assert_int_equal(tby_opening_of_chessgame(&opening, NULL, 0), -1);
    assert_string_equal(opening.eco, "x");
    assert_string_equal(opening.name, "y");
}

TEST(test_opening__of_a_game_with_another_start)
{
    tby_opening opening;
    const tby_position after_e4 = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 30");
    const played at_once = played_from(&after_e4, "a5 a4"), later = played_from(&after_e4, "e6 d4");
    assert_int_equal(opening_of_game(&opening, &at_once), 1);
    assert_string_equal(opening.name, "Ware Defense");
    assert_int_equal(opening_of_game(&opening, &later), 2);
    assert_string_equal(opening.name, "French Defense: Normal Variation");
}

/* Checks every position, without stopping early. */
static int scan(tby_opening *out, const played *g)
{
    tby_position pos = g->start;
    int last = tby_opening_of(out, &pos) ? 0 : -1;
    for (size_t i = 0; i < g->n; i++) {
        tby_position_play(&pos, g->moves[i], NULL);
        if (tby_opening_of(out, &pos))
            last = (int)i + 1;
    }
    return last;
}

TEST(test_opening__stopping_early_changes_nothing)
{
    uint64_t random = 0x6f70656e696e67ULL;
    for (unsigned i = 0; i < 2000; i++) {
        played g = played_of(i % 2 ? "" : "d4 Nf6 c4 e6 Nc3");
        while (g.n < 60) {
            tby_move moves[TBY_MOVES_MAX];
            const size_t n = tby_moves_list(moves, &g.pos);
            if (n == 0)
                break;
            g.moves[g.n] = moves[random_below(&random, (unsigned)n)];
            tby_position_play(&g.pos, g.moves[g.n++], NULL);
        }
        tby_opening walked = {0}, scanned = {0};
        assert_int_equal(opening_of_game(&walked, &g), scan(&scanned, &g));
        assert_ptr_equal(walked.name, scanned.name);
    }
}

TEST(test_opening__damaged_bytes_do_no_harm)
{
    uint64_t random = 0x64616d6167656421ULL;
    const played g = played_of("d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3 Bg7 Bc4 O-O Ne2 c5 O-O Nc6 Be3 cxd4 cxd4");
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t bytes[MAX_BYTES];
        tby_opening opening;
        size_t n = tby_packed_encode(bytes, sizeof bytes, &g.start, g.moves, g.n, TBY_RESULT_NONE);
        for (unsigned k = random_below(&random, 4); k > 0; k--)
            bytes[random_below(&random, (unsigned)n)] = (uint8_t)random_below(&random, 256);
        n -= random_below(&random, 2) ? random_below(&random, (unsigned)n) : 0;
        assert_in_range(tby_opening_of_chessgame(&opening, bytes, n) + 1, 0, n);
    }
}

int main(void) { return tests_run(NULL, NULL); }
