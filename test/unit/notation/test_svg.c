/*
 * test_svg.c - SVG diagrams: structure, well-formedness, both sides, marks, small buffers; and the sprite of the web
 * page, which must be what tools/make_sprite.c makes of the same drawings.
 */
#include <stdio.h>
#include <string.h>

#include "notation/svg_pieces.h"
#include "tabiya_value.h"
#include "tests.h"

#define SQ(file, rank) TBY_SQUARE((file) - 'a', (rank)-1)

enum { ROOM = 65536 };
static char doc[ROOM];

static const tby_svg_options PLAIN = {.check = TBY_NO_SQUARE};

static tby_board start_board(void)
{
    tby_setup setup;
    tby_setup_start(&setup);
    return setup.board;
}

static void draw(const tby_board *board, const tby_svg_options *options)
{
    size_t length = tby_svg_write(doc, sizeof doc, board, options);
    assert_true(length < sizeof doc);
    assert_int_equal(strlen(doc), length);
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

static void assert_has(const char *part) { assert_non_null(strstr(doc, part)); }
static void assert_has_not(const char *part) { assert_null(strstr(doc, part)); }

/* Elements are closed in order and attributes are quoted. Understands only the XML that svg.c writes. */
static void assert_well_formed(const char *text)
{
    char open[16][24];
    int depth = 0, roots = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
        const char *end = strchr(at, '>');
        size_t name = strcspn(at + 1, " />\n");
        assert_non_null(end);
        if (at[1] == '!') {
            at = end;
            continue;
        }
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal((size_t)(end - at - 2), strlen(open[depth]));
            assert_memory_equal(at + 2, open[depth], strlen(open[depth]));
        } else {
            int quotes = 0;
            for (const char *c = at; c < end; c++)
                quotes += *c == '"';
            assert_int_equal(quotes % 2, 0);
            roots += depth == 0;
            if (end[-1] != '/') {
                assert_true(depth < 16 && name < sizeof open[0]);
                memcpy(open[depth], at + 1, name);
                open[depth++][name] = '\0';
            }
        }
        at = end;
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
    assert_null(strchr(text, '&'));
}

TEST(test_svg__document_is_whole_and_accessible)
{
    tby_board board = start_board();
    draw(&board, NULL);
    assert_memory_equal(doc, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39);
    assert_string_equal(doc + strlen(doc) - 7, "</svg>\n");
    assert_has("viewBox=\"0 0 320 320\" width=\"360\" height=\"360\" role=\"img\"");
    assert_has("<title>Chess board seen from white's side</title>");
    assert_has("<desc>White: king e1, queen d1, rooks a1 h1, bishops c1 f1, knights b1 g1, pawns a2 b2 c2 d2 e2 f2 g2 "
               "h2. Black: king e8, queen d8, rooks a8 h8, bishops c8 f8, knights b8 g8, pawns a7 b7 c7 d7 e7 f7 g7 "
               "h7.</desc>");
    assert_well_formed(doc);
}

TEST(test_svg__shapes_are_defined_once_and_used)
{
    tby_board board = start_board();
    draw(&board, &PLAIN);
    assert_int_equal(count(doc, "<g id=\"tby-"), 6);
    assert_int_equal(count(doc, "<use "), 32);
    assert_int_equal(count(doc, "xlink:href=\"#tby-p\""), 16);
    assert_int_equal(count(doc, SVG_PIECE_STYLE[TBY_WHITE]), 1);
    assert_int_equal(count(doc, SVG_PIECE_STYLE[TBY_BLACK]), 1);
}

TEST(test_svg__unused_shapes_are_left_out)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    draw(&setup.board, &PLAIN);
    assert_well_formed(doc);
    assert_has_not("<use ");
    assert_has_not("id=");
    assert_has("White: no piece. Black: no piece.");
    tby_setup_put(&setup, SQ('c', 3), TBY_PIECE(TBY_BLACK, TBY_QUEEN));
    draw(&setup.board, &PLAIN);
    assert_int_equal(count(doc, "<g id=\"tby-"), 1);
    assert_has("<use xlink:href=\"#tby-q\" x=\"80\" y=\"200\"/>");
    assert_has("White: no piece. Black: queen c3.");
}

TEST(test_svg__from_blacks_side_the_board_is_turned)
{
    tby_setup setup;
    tby_svg_options options = PLAIN;
    tby_setup_clear(&setup);
    tby_setup_put(&setup, SQ('a', 1), TBY_PIECE(TBY_WHITE, TBY_ROOK));
    draw(&setup.board, &options);
    assert_has("<use xlink:href=\"#tby-r\" x=\"0\" y=\"280\"/>");
    options.flags = TBY_DIAGRAM_BLACK_UP;
    draw(&setup.board, &options);
    assert_has("<use xlink:href=\"#tby-r\" x=\"280\" y=\"0\"/>");
    assert_has("seen from black's side");
}

/* a1 is dark: the path of the dark squares contains the lower left one and not the upper left one. */
TEST(test_svg__a1_is_dark)
{
    tby_board board = start_board();
    draw(&board, NULL);
    assert_has("M0 280h40v40h-40z");
    assert_has_not("M0 0h40v40h-40z");
    assert_int_equal(count(doc, "h40v40h-40z"), 32);
}

TEST(test_svg__squares_have_the_requested_colours)
{
    tby_board board = start_board();
    tby_svg_options options = PLAIN;
    draw(&board, &options);
    assert_has("fill=\"#f0e2cb\"");
    assert_has("fill=\"#b58d6b\"");
    options.light = 0xffffff;
    options.dark = 0x00a0ff;
    draw(&board, &options);
    assert_has("height=\"320\" fill=\"#ffffff\"");
    assert_has("<path fill=\"#00a0ff\"");
    assert_has_not("#b58d6b");
}

TEST(test_svg__coordinates_turn_with_the_board)
{
    tby_board board = start_board();
    tby_svg_options options = PLAIN;
    draw(&board, &options);
    assert_has_not("<text");
    options.flags = TBY_DIAGRAM_COORDINATES;
    draw(&board, &options);
    assert_well_formed(doc);
    assert_int_equal(count(doc, "<text"), 16);
    assert_has("<text x=\"-9\" y=\"24\">8</text>");
    assert_has("<text x=\"20\" y=\"332\">a</text>");
    options.flags |= TBY_DIAGRAM_BLACK_UP;
    draw(&board, &options);
    assert_has("<text x=\"-9\" y=\"24\">1</text>");
    assert_has("<text x=\"20\" y=\"332\">h</text>");
}

TEST(test_svg__the_size_is_in_pixels)
{
    tby_board board = start_board();
    tby_svg_options options = PLAIN;
    options.pixels = 120;
    draw(&board, &options);
    assert_has(" width=\"120\" height=\"120\" role");
}

TEST(test_svg__the_last_move_tints_two_squares)
{
    tby_board board = start_board();
    tby_svg_options options = PLAIN;
    options.last_move = TBY_MOVE(SQ('e', 2), SQ('e', 4), 0);
    draw(&board, &options);
    assert_int_equal(count(doc, "fill-opacity"), 2);
    assert_has("<rect x=\"160\" y=\"240\" width=\"40\"");
    assert_has("<rect x=\"160\" y=\"160\" width=\"40\"");
    assert_has(" Last move e2 e4.");
}

TEST(test_svg__castling_tints_the_squares_of_the_king)
{
    tby_board board = start_board();
    tby_svg_options options = PLAIN;
    options.last_move = TBY_MOVE(SQ('e', 1), SQ('h', 1), TBY_KING);
    draw(&board, &options);
    assert_int_equal(count(doc, "fill-opacity"), 2);
    assert_has(" Last move e1 g1.");
}

TEST(test_svg__a_null_move_tints_nothing)
{
    tby_board board = start_board();
    tby_svg_options options = PLAIN;
    options.last_move = TBY_MOVE_NULL;
    draw(&board, &options);
    assert_has_not("fill-opacity");
    assert_has_not("Last move");
}

TEST(test_svg__check_is_shown_only_under_a_king)
{
    tby_board board = start_board();
    tby_svg_options options = {0}; /* check = a1, where a rook is */
    draw(&board, &options);
    assert_has_not("tby-check");
    options.check = SQ('e', 8);
    draw(&board, &options);
    assert_well_formed(doc);
    assert_int_equal(count(doc, "<radialGradient id=\"tby-check\""), 1);
    assert_has("<rect x=\"160\" y=\"0\" width=\"40\" height=\"40\" fill=\"url(#tby-check)\"/>");
    assert_has(" Check on e8.");
}

TEST(test_svg__arrows_and_circles_have_their_colours)
{
    tby_board board = start_board();
    tby_arrow arrows[] = {
        {SQ('e', 2), SQ('e', 4), 0x15781b},
        {SQ('d', 5), SQ('d', 5), 0x0000ff},
        {TBY_NO_SQUARE, SQ('d', 5), 0x123456},
        {SQ('d', 5), 255, 0x123456},
    };
    tby_svg_options options = PLAIN;
    options.arrows = arrows;
    options.n_arrows = 4;
    draw(&board, &options);
    assert_well_formed(doc);
    assert_has("<path d=\"M176.8 248L176.8 197.5L171 197.5L180 183L189 197.5L183.2 197.5L183.2 248z\" "
               "fill=\"#15781b\"/>");
    assert_has("<circle cx=\"140\" cy=\"140\" r=\"18\" fill=\"none\" stroke-width=\"3\" stroke=\"#0000ff\"/>");
    assert_has_not("#123456");
}

/* No arrow leaves the board: a negative number would appear as a huge one. */
TEST(test_svg__every_arrow_stays_on_the_board)
{
    tby_board board = {{0}};
    for (unsigned pair = 0; pair < 64 * 64; pair++) {
        tby_arrow arrow = {(tby_square)(pair / 64), (tby_square)(pair % 64), 0};
        tby_svg_options options = PLAIN;
        options.arrows = &arrow;
        options.n_arrows = 1;
        if (arrow.from == arrow.to)
            continue;
        draw(&board, &options);
        const char *at = strstr(doc, "<g opacity");
        assert_non_null(at);
        at = strstr(at, "d=\"M");
        assert_non_null(at);
        for (at += 3; *at != 'z'; at++) {
            char *end;
            double value = strtod(at + 1, &end);
            assert_true(end > at + 1 && value > 0 && value < 320);
            at = end - 1;
        }
    }
}

TEST(test_svg__a_small_buffer_holds_the_empty_text)
{
    tby_board board = start_board();
    size_t whole = tby_svg_write(NULL, 0, &board, NULL);
    for (size_t cap = 1; cap <= whole; cap += cap < 64 ? 1 : 61) {
        memset(doc, '#', sizeof doc);
        assert_int_equal(tby_svg_write(doc, cap, &board, NULL), whole);
        assert_int_equal(doc[0], '\0');
        assert_int_equal(doc[cap], '#');
    }
    assert_int_equal(tby_svg_write(doc, whole, &board, NULL), whole);
    assert_int_equal(doc[0], '\0');
    assert_int_equal(tby_svg_write(doc, whole + 1, &board, NULL), whole);
    assert_int_equal(strlen(doc), whole);
}

static void read_sprite(void)
{
    static const char path[] = TBY_TEST_DIR "/../web/pieces.svg";
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    memset(doc, 0, sizeof doc);
    assert_true(fread(doc, 1, sizeof doc - 1, file) > 0);
    fclose(file);
}

TEST(test_svg__the_sprite_holds_the_same_drawings)
{
    static const tby_kind kinds[6] = {TBY_KING, TBY_QUEEN, TBY_ROOK, TBY_BISHOP, TBY_KNIGHT, TBY_PAWN};
    read_sprite();
    assert_well_formed(doc);
    assert_int_equal(count(doc, "<g id="), 12);
    for (int i = 0; i < 12; i++) {
        char group[4096];
        int length = snprintf(group, sizeof group, "<g id=\"%c%c\" %s>%s</g>", "wb"[i / 6], "kqrbnp"[i % 6],
                              SVG_PIECE_STYLE[i / 6], SVG_PIECE_SHAPE[kinds[i % 6]]);
        assert_true(length > 0 && length < (int)sizeof group);
        if (!strstr(doc, group))
            fail_msg("web/pieces.svg is stale: run tools/make_sprite.c");
    }
}

int main(void) { return tests_run(NULL, NULL); }
