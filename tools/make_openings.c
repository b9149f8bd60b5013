/*
 * make_openings.c - prints the table of src/opening/openings.h as C.
 *
 *     make_openings src/opening/openings.tsv > openings.c
 *
 * A line of the input is a code, a name and moves, separated by tabs; lines that begin with # are comments. Every line
 * is replayed. A move that is not legal SAN in its export form, and a position that has a name already, are errors that
 * name the line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/packed.h"
#include "opening/openings.h"
#include "tabiya_value.h"

enum { MAX_OPENINGS = 65535, MAX_LINE = 1024, N_SETS = 1 << 16 };

typedef struct opening {
    uint64_t key;
    unsigned home_pawns;
    unsigned line;
    unsigned place;
    char eco[OPENING_ECO_SIZE];
    char *name;
} opening;

static opening openings[MAX_OPENINGS];
static size_t n_openings;
static bool is_ahead[N_SETS];

static void fail(unsigned line, const char *why, const char *what)
{
    fprintf(stderr, "openings.tsv:%u: %s: %s\n", line, why, what);
    exit(1);
}

/* ---- Reading --------------------------------------------------------------------------------------------- */

static tby_position play(char *moves, unsigned line)
{
    tby_position pos;
    tby_position_start(&pos);
    for (char *san = strtok(moves, " "); san; san = strtok(NULL, " ")) {
        tby_move move;
        if (tby_san_read(&move, &pos, san, strlen(san), TBY_SAN_STRICT, NULL, NULL) != TBY_OK)
            fail(line, "not a legal move", san);
        tby_position_play(&pos, move, NULL);
    }
    return pos;
}

static void read_line(char *text, unsigned line)
{
    char *name = strchr(text, '\t'), *moves = name ? strchr(name + 1, '\t') : NULL;
    if (!moves || name - text != OPENING_ECO_SIZE - 1 || n_openings == MAX_OPENINGS)
        fail(line, "not a code, a name and moves", text);
    *name++ = *moves++ = '\0';
    const tby_position pos = play(moves, line);
    opening *o = &openings[n_openings++];
    *o = (opening){
        .key = tby_position_key(&pos), .home_pawns = home_pawn_bits(home_pawn_squares(&pos.board)), .line = line};
    memcpy(o->eco, text, OPENING_ECO_SIZE);
    o->name = malloc(strlen(name) + 1);
    if (!o->name)
        fail(line, "no memory", name);
    strcpy(o->name, name);
}

static void read_table(FILE *in)
{
    char text[MAX_LINE];
    for (unsigned line = 1; fgets(text, sizeof text, in); line++) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] != '#')
            read_line(text, line);
    }
}

/* ---- Ordering -------------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const opening *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->line < y->line ? -1 : 1;
}

static int by_text(const void *a, const void *b)
{
    const opening *x = a, *y = b;
    const int order = strcmp(x->eco, y->eco);
    return order ? order : strcmp(x->name, y->name);
}

static void refuse_doubles(void)
{
    for (size_t i = 1; i < n_openings; i++)
        if (openings[i].key == openings[i - 1].key)
            fail(openings[i].line, "the position has a name already", openings[i - 1].name);
}

/* Every set that has all pawns of a named position at home, and perhaps more. */
static void find_ahead(void)
{
    for (size_t i = 0; i < n_openings; i++)
        is_ahead[openings[i].home_pawns] = true;
    for (unsigned pawn = 1; pawn < N_SETS; pawn <<= 1)
        for (unsigned set = 0; set < N_SETS; set++)
            if (set & pawn)
                is_ahead[set] |= is_ahead[set ^ pawn];
}

/* ---- Writing --------------------------------------------------------------------------------------------- */

static void print_text(void)
{
    unsigned at = 0;
    printf("const char opening_text[] =");
    for (size_t i = 0; i < n_openings; i++) {
        opening *o = &openings[i];
        if (i > 0 && by_text(o, o - 1) == 0) {
            o->place = o[-1].place;
            continue;
        }
        printf("\n    \"%s\\0\" \"%s\\0\"", o->eco, o->name);
        o->place = at;
        at += OPENING_ECO_SIZE + (unsigned)strlen(o->name) + 1;
    }
    printf(";\n\n");
}

static void print_number(size_t index, unsigned long long number)
{
    printf("%s0x%llx,", index % 6 == 0 ? "\n    " : " ", number);
}

static void print_keys(void)
{
    printf("const uint64_t opening_keys[] = {");
    for (size_t i = 0; i < n_openings; i++)
        print_number(i, openings[i].key);
    printf("\n};\n\nconst uint32_t opening_places[] = {");
    for (size_t i = 0; i < n_openings; i++)
        print_number(i, openings[i].place);
    printf("\n};\n\nconst uint16_t opening_firsts[] = {");
    size_t first = 0;
    for (size_t bucket = 0; bucket <= 1 << OPENING_FIRST_BITS; bucket++) {
        while (first < n_openings && openings[first].key >> (64 - OPENING_FIRST_BITS) < bucket)
            first++;
        print_number(bucket, first);
    }
    printf("\n};\n\n");
}

/* FNV-1a over the keys and names. */
static void print_checksum(void)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n_openings; i++) {
        sum = (sum ^ openings[i].key) * UINT64_C(0x100000001b3);
        for (const char *s = openings[i].name; *s; s++)
            sum = (sum ^ (uint8_t)*s) * UINT64_C(0x100000001b3);
    }
    printf("const int64_t opening_checksum = 0x%llx;\n\n", (unsigned long long)(sum >> 1));
}

static void print_ahead(void)
{
    printf("const uint64_t opening_ahead[] = {");
    for (size_t i = 0; i < N_SETS / 64; i++) {
        uint64_t word = 0;
        for (size_t bit = 0; bit < 64; bit++)
            word |= (uint64_t)is_ahead[64 * i + bit] << bit;
        print_number(i, word);
    }
    printf("\n};\n");
}

int main(int argc, char **argv)
{
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!in) {
        fprintf(stderr, "usage: make_openings openings.tsv\n");
        return 2;
    }
    read_table(in);
    fclose(in);
    printf("/* Written by tools/make_openings.c. */\n#include \"opening/openings.h\"\n\n");
    qsort(openings, n_openings, sizeof *openings, by_text);
    print_text();
    qsort(openings, n_openings, sizeof *openings, by_key);
    refuse_doubles();
    print_keys();
    print_checksum();
    find_ahead();
    print_ahead();
    return ferror(stdout) || fflush(stdout) != 0;
}
