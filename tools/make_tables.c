/*
 * make_tables.c - prints the constant tables of src/base/tables.h as C.
 *
 * Run by the build on the host; the library itself computes nothing at start. Attack tables follow from the way the
 * pieces move. Zobrist constants are the output of SplitMix64 from a fixed seed, drawn in the order below: they are
 * stored in users' indexes and must never change (test_zobrist pins them).
 */
#include "tabiya.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED 0x7461626979612121ULL /* "tabiya!!" */

typedef struct step {
    int file, rank;
} step;

static const step KNIGHT[8] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const step ROOK[4] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const step BISHOP[4] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

static int on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }
static uint64_t bit(int file, int rank) { return on_board(file, rank) ? 1ULL << (rank * 8 + file) : 0; }

/* The squares a slider sees along one direction, the first blocker included. */
static uint64_t ray(int square, step s, uint64_t occupied)
{
    uint64_t seen = 0;
    int file = square % 8 + s.file, rank = square / 8 + s.rank;
    while (on_board(file, rank)) {
        seen |= bit(file, rank);
        if (occupied & bit(file, rank))
            break;
        file += s.file;
        rank += s.rank;
    }
    return seen;
}

static uint64_t slide(int square, const step steps[4], uint64_t occupied)
{
    uint64_t seen = 0;
    for (int i = 0; i < 4; i++)
        seen |= ray(square, steps[i], occupied);
    return seen;
}

/* The squares whose occupation matters to a slider: its rays without their last square. */
static uint64_t relevant(int square, const step steps[4])
{
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t r = ray(square, steps[i], 0);
        for (int sq = 0; sq < 64; sq++)
            if ((r >> sq & 1) && on_board(sq % 8 + steps[i].file, sq / 8 + steps[i].rank))
                mask |= 1ULL << sq;
    }
    return mask;
}

static uint64_t between(int a, int b)
{
    for (int i = 0; i < 8; i++) {
        step s = i < 4 ? ROOK[i] : BISHOP[i - 4];
        if (ray(a, s, 0) >> b & 1)
            return ray(a, s, 1ULL << b) & ~(1ULL << b);
    }
    return 0;
}

static void print_begin(const char *declaration) { printf("const %s = {", declaration); }

static void print_word(int index, uint64_t word)
{
    printf("%s0x%llx,", index % 6 == 0 ? "\n    " : " ", (unsigned long long)word);
}

/* A word of a table whose rows have n words. */
static void print_cell(int index, int n, uint64_t word)
{
    if (index % n == 0)
        printf("\n    {");
    else if (index % 6 == 0)
        printf("\n    ");
    printf(" 0x%llx%s", (unsigned long long)word, index % n == n - 1 ? "}," : ",");
}

static void print_end(void) { printf("\n};\n\n"); }

static uint64_t knight(int square)
{
    uint64_t to = 0;
    for (int i = 0; i < 8; i++)
        to |= bit(square % 8 + KNIGHT[i].file, square / 8 + KNIGHT[i].rank);
    return to;
}

static uint64_t king(int square) { return slide(square, ROOK, ~0ULL) | slide(square, BISHOP, ~0ULL); }

/* A member of the structure that begins with print_begin. */
static void print_member(const char *name, uint64_t (*value)(int square))
{
    printf("\n  .%s = {", name);
    for (int sq = 0; sq < 64; sq++)
        print_word(sq, value(sq));
    printf("},");
}

static uint64_t white_pawn(int square)
{
    return bit(square % 8 - 1, square / 8 + 1) | bit(square % 8 + 1, square / 8 + 1);
}
static uint64_t black_pawn(int square)
{
    return bit(square % 8 - 1, square / 8 - 1) | bit(square % 8 + 1, square / 8 - 1);
}
static uint64_t rook_rays(int square) { return slide(square, ROOK, 0); }
static uint64_t bishop_rays(int square) { return slide(square, BISHOP, 0); }
static uint64_t rook_mask(int square) { return relevant(square, ROOK); }
static uint64_t bishop_mask(int square) { return relevant(square, BISHOP); }

/* The bits of `word` at the squares of `mask`, packed together, as pext does. */
static unsigned gather(uint64_t word, uint64_t mask)
{
    unsigned bits = 0;
    for (int i = 0; mask; mask &= mask - 1, i++)
        bits |= (unsigned)(word >> __builtin_ctzll(mask) & 1) << i;
    return bits;
}

/* All attacks of a slider in pext order, square by square, each as 16 bits of the squares that can be attacked. */
static void print_pext_table(const char *name, const step steps[4], int total)
{
    char text[80];
    int index = 0;
    snprintf(text, sizeof text, "uint16_t %s_table[%d]", name, total);
    printf("static ");
    print_begin(text);
    for (int sq = 0; sq < 64; sq++) {
        uint64_t mask = relevant(sq, steps), rays = slide(sq, steps, 0), occupied = 0;
        do {
            print_word(index++, gather(slide(sq, steps, occupied), rays));
            occupied = (occupied - mask) & mask;
        } while (occupied);
    }
    print_end();
}

/* Where the attacks of each square begin in that table. */
static void print_pext_starts(const char *name, const step steps[4])
{
    int offset = 0;
    printf("\n  .%s = {", name);
    for (int sq = 0; sq < 64; sq++) {
        printf("%s%s_table + %d,", sq % 4 == 0 ? "\n    " : " ", name, offset);
        offset += 1 << __builtin_popcountll(relevant(sq, steps));
    }
    printf("},");
}

static void print_attacks(void)
{
    printf("#ifdef TBY_HAVE_V3\n");
    print_pext_table("rook", ROOK, 102400);
    print_pext_table("bishop", BISHOP, 5248);
    printf("#endif\n\n");
    print_begin("struct attack_tables attack_tables");
    print_member("knight", knight);
    print_member("king", king);
    print_member("pawn[0]", white_pawn);
    print_member("pawn[1]", black_pawn);
    print_member("rook_rays", rook_rays);
    print_member("bishop_rays", bishop_rays);
    printf("\n#ifdef TBY_HAVE_V3");
    print_member("rook_mask", rook_mask);
    print_member("bishop_mask", bishop_mask);
    print_pext_starts("rook", ROOK);
    print_pext_starts("bishop", BISHOP);
    printf("\n#endif");
    print_end();
}

/* The square `steps` ranks behind another, as a pawn of that colour sees it. */
static uint64_t behind(tby_color color, int square, int steps)
{
    const int origin = square - (color == TBY_WHITE ? 8 : -8) * steps;
    return origin >= 0 && origin < 64 ? 1ULL << origin : 0;
}

/* Where pawns can come from, except when they promote. */
static uint64_t pawn_origins(tby_color color, int square, bool takes)
{
    const int rank = color == TBY_WHITE ? square / 8 : 7 - square / 8;
    if (rank == 7)
        return 0;
    if (takes)
        return color == TBY_WHITE ? black_pawn(square) : white_pawn(square);
    return (rank > 1 ? behind(color, square, 1) : 0) | (rank == 3 ? behind(color, square, 2) : 0);
}

/* The rows of origin_table: see base/tables.h. */
static uint64_t origins(int row, int square)
{
    switch (row) {
    case 0: return pawn_origins(TBY_WHITE, square, true);
    case TBY_PAWN: return pawn_origins(TBY_WHITE, square, false);
    case TBY_KNIGHT: return knight(square);
    case TBY_BISHOP: return slide(square, BISHOP, 0);
    case TBY_ROOK: return slide(square, ROOK, 0);
    case TBY_QUEEN: return slide(square, BISHOP, 0) | slide(square, ROOK, 0);
    case TBY_KING: return king(square);
    default: return pawn_origins(TBY_BLACK, square, row == 7);
    }
}

static void print_origins(void)
{
    print_begin("uint64_t origin_table[9][64]");
    for (int row = 0; row < 9; row++) {
        printf("\n    {");
        for (int sq = 0; sq < 64; sq++)
            print_word(sq, origins(row, sq));
        printf("},");
    }
    print_end();
}

static void print_between(void)
{
    print_begin("uint64_t between_table[64][64]");
    for (int a = 0; a < 64; a++) {
        printf("\n    {");
        for (int b = 0; b < 64; b++)
            print_word(b, between(a, b));
        printf("},");
    }
    print_end();
}

/* The halves of the four lines through a square: where its numbers rise, and where they fall. */
static void print_halves(void)
{
    static const step up[4] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};
    print_begin("struct line_masks line_mask_table[64][4]");
    for (int sq = 0; sq < 64; sq++) {
        printf("\n    {");
        for (int i = 0; i < 4; i++) {
            const step down = {-up[i].file, -up[i].rank};
            printf("{0x%llx, 0x%llx},%s", (unsigned long long)ray(sq, up[i], 0), (unsigned long long)ray(sq, down, 0),
                   i < 3 ? " " : "");
        }
        printf("},");
    }
    print_end();
}

/* Both directions along a line. */
static uint64_t line(int square, step s, uint64_t occupied)
{
    const step back = {-s.file, -s.rank};
    return ray(square, s, occupied) | ray(square, back, occupied);
}

/* The tables for sliders without pext; see attacks.h. */
static void print_line_attacks(void)
{
    static const step along_rank = {1, 0}, along_file = {0, 1}, rising = {1, 1}, falling = {-1, 1};
    print_begin("struct rook_lines rook_line_table[64]");
    for (int sq = 0; sq < 64; sq++)
        printf("\n    {0x%llx, 0x%llx, 0x%llx, 0x%llx},", (unsigned long long)line(sq, along_rank, 0),
               (unsigned long long)line(sq, along_file, 0), 1ULL << (57 - (sq & 56)),
               0x0080402010080400ULL >> sq % 8); /* the a-file's squares become the last rank's */
    print_end();
    print_begin("uint64_t diagonal_table[64][2]");
    for (int i = 0; i < 128; i++)
        print_cell(i, 2, line(i / 2, i % 2 ? falling : rising, 0));
    print_end();
    print_begin("uint64_t rank_attack_table[8][64]");
    for (int i = 0; i < 512; i++)
        print_cell(i, 64, line(i / 64, along_rank, (uint64_t)(i % 64) << 1) * 0x0101010101010101ULL);
    print_end();
    print_begin("uint64_t file_attack_table[8][64]");
    for (int i = 0; i < 512; i++) {
        uint64_t occupied = 0;
        for (int rank = 1; rank < 7; rank++)
            occupied |= (uint64_t)(i >> (6 - rank) & 1) << (8 * rank);
        print_cell(i, 64, line(i / 64 * 8, along_file, occupied) * 0xff);
    }
    print_end();
}

/* Where the move codes of src/codec/move_code.h lead, 64 = off the board: kind by kind, square by square. */
static int code_target(int kind, int square, int code)
{
    int file = square % 8, rank = square / 8;
    if (kind < 2) { /* white pawn, black pawn: one step, two steps, capture west, capture east */
        static const step pawn[4] = {{0, 1}, {0, 2}, {-1, 1}, {1, 1}};
        file += pawn[code].file;
        rank += kind == 0 ? pawn[code].rank : -pawn[code].rank;
    } else if (kind == 2) {
        file += KNIGHT[code].file;
        rank += KNIGHT[code].rank;
    } else if (kind == 6) { /* king; its codes from 8 on are castling */
        const step s = code < 4 ? ROOK[code] : BISHOP[code & 3];
        file += code < 8 ? s.file : 8;
        rank += s.rank;
    } else if (kind == 4 || (kind == 5 && code < 16)) { /* along the rank to a file, along the file to a rank */
        if (code < 8)
            file = code;
        else
            rank = code - 8;
    } else { /* along the rising or the falling diagonal to a file */
        int distance = code % 8 - file;
        file += distance;
        rank += code % 16 < 8 ? distance : -distance;
    }
    return on_board(file, rank) && rank * 8 + file != square ? rank * 8 + file : 64;
}

static void print_move_codes(void)
{
    static const int shifts[7] = {2, 2, 3, 4, 4, 5, 4};
    int index = 0;
    print_begin("uint8_t code_targets[7168]");
    for (int kind = 0; kind < 7; kind++)
        for (int sq = 0; sq < 64; sq++)
            for (int code = 0; code < 1 << shifts[kind]; code++)
                print_word(index++, (uint64_t)code_target(kind, sq, code));
    print_end();
}

/* The other way round for sliders: the code of a queen that goes from one square to another; 0 if she cannot. */
static int queen_code(int from, int to)
{
    for (int code = 0; code < 32; code++)
        if (code_target(5, from, code) == to && (code < 16 || abs(to % 8 - from % 8) == abs(to / 8 - from / 8)))
            return code;
    return 0;
}

static void print_queen_codes(void)
{
    print_begin("uint8_t queen_codes[64][64]");
    for (int from = 0; from < 64; from++) {
        printf("\n    {");
        for (int to = 0; to < 64; to++)
            print_word(to, (uint64_t)queen_code(from, to));
        printf("},");
    }
    print_end();
}

static uint64_t next_random(void)
{
    static uint64_t state = SEED;
    uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static uint64_t piece_key(uint64_t bits[4][64], int piece, int square)
{
    uint64_t key = 0;
    for (int plane = 0; plane < 4; plane++)
        key ^= piece >> plane & 1 ? bits[plane][square] : 0;
    return key;
}

static void print_zobrist(void)
{
    /* one constant for every bit of the board's four planes; a piece is the xor of its planes' */
    uint64_t bits[4][64];
    for (int i = 0; i < 256; i++)
        bits[i / 64][i % 64] = next_random();
    print_begin("uint64_t zobrist_piece[16][64]");
    for (int piece = 0; piece < 16; piece++) {
        int is_piece = (piece & 7) >= 1 && (piece & 7) <= 6;
        printf("\n    {");
        for (int sq = 0; sq < 64; sq++)
            print_word(sq, is_piece ? piece_key(bits, piece, sq) : 0);
        printf("},");
    }
    print_end();
    print_begin("uint64_t zobrist_planes[4][8][256]");
    for (int i = 0; i < 32; i++) {
        printf("%s\n    {", i % 8 == 0 ? "\n  {" : "");
        for (int byte = 0; byte < 256; byte++) {
            uint64_t key = 0;
            for (int file = 0; file < 8; file++)
                key ^= byte >> file & 1 ? bits[i / 8][i % 8 * 8 + file] : 0;
            print_word(byte, key);
        }
        printf("},%s", i % 8 == 7 ? "\n  }," : "");
    }
    print_end();
    /* the first two ranks of the start position; kinds are numbered as in tabiya.h */
    static const int start[16] = {4, 3, 2, 6, 5, 2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1};
    uint64_t start_key = 0;
    for (int sq = 0; sq < 16; sq++)
        start_key ^= piece_key(bits, start[sq], sq) ^ piece_key(bits, start[sq] + 8, sq ^ 56);
    printf("const uint64_t zobrist_start = 0x%llx;\n\n", (unsigned long long)start_key);
    uint64_t rook[2][8];
    for (int i = 0; i < 16; i++)
        rook[i / 8][i % 8] = next_random();
    print_begin("uint64_t zobrist_castling[2][256]");
    for (int color = 0; color < 2; color++) {
        printf("\n    {");
        for (int files = 0; files < 256; files++) {
            uint64_t key = 0;
            for (int file = 0; file < 8; file++)
                key ^= files >> file & 1 ? rook[color][file] : 0;
            print_word(files, key);
        }
        printf("},");
    }
    print_end();
    print_begin("uint64_t zobrist_en_passant[8]");
    for (int file = 0; file < 8; file++)
        print_word(file, next_random());
    print_end();
    printf("const uint64_t zobrist_black = 0x%llx;\n", (unsigned long long)next_random());
}

int main(void)
{
    printf("/* Made by tools/make_tables.c. */\n#include \"base/tables.h\"\n\n");
    print_attacks();
    print_origins();
    print_between();
    print_line_attacks();
    print_halves();
    print_move_codes();
    print_queen_codes();
    print_zobrist();
    return ferror(stdout) != 0;
}
