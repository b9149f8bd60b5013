/*
 * openings_corpus.c - the files a.tsv to e.tsv of the folder `openings` of a folder of test data, lists of openings as
 * lichess.org publishes them: does the library give every line the same code and name?
 *
 *     openings_corpus FOLDER
 *
 * The last line is "N passed, N failed". Exit code 0 if none failed, 1 if some did, 2 on bad arguments, 77 if the
 * folder has no such files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

enum { LINE_BYTES = 1024, PATH_BYTES = 4096 };

static size_t n_passed, n_failed;

/* Plays "1. e4 e5 2. Nf3"; false at a move that is not legal. */
static bool play(tby_position *pos, const char *moves)
{
    const tby_move_notation *san = tby_move_notation_find("san", 3);
    size_t at = 0, start, length;
    tby_position_start(pos);
    while ((length = tby_line_next(san, moves, strlen(moves), &at, &start)) > 0) {
        tby_move move;
        if (tby_san_read(&move, pos, moves + start, length, TBY_SAN_STRICT, NULL, NULL) != TBY_OK)
            return false;
        tby_position_play(pos, move, NULL);
    }
    return true;
}

static void check_line(const char *eco, const char *name, const char *moves)
{
    tby_position pos;
    tby_opening opening = {"-", "-"};
    if (play(&pos, moves) && tby_opening_of(&opening, &pos) && strcmp(opening.eco, eco) == 0 &&
        strcmp(opening.name, name) == 0) {
        n_passed++;
        return;
    }
    n_failed++;
    printf("%s %s, %s: the library says %s %s\n", eco, name, moves, opening.eco, opening.name);
}

static void check_file(FILE *in)
{
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = '\0';
        char *eco = strtok(line, "\t"), *name = strtok(NULL, "\t"), *moves = strtok(NULL, "\t");
        if (moves && strcmp(eco, "eco") != 0)
            check_line(eco, name, moves);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: openings_corpus FOLDER\n");
        return 2;
    }
    for (char volume = 'a'; volume <= 'e'; volume++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/openings/%c.tsv", argv[1], volume);
        FILE *in = fopen(path, "r");
        if (!in)
            return 77;
        check_file(in);
        fclose(in);
    }
    printf("%zu passed, %zu failed\n", n_passed, n_failed);
    return n_failed == 0 && n_passed > 0 ? 0 : 1;
}
