/*
 * engine.c - a UCI engine for the tests under Wine, which plays no chess: every search takes a moment and finds the first
 * move of the king's pawn.
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4096];
    setvbuf(stdout, NULL, _IONBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, "uci") == 0)
            printf("id name Windows test\nuciok\n");
        else if (strcmp(line, "isready") == 0)
            printf("readyok\n");
        else if (strncmp(line, "go", 2) == 0)
            printf("info depth 1 multipv 1 score cp 31 nodes 20 time 1 pv e2e4\nbestmove e2e4\n");
        else if (strcmp(line, "quit") == 0)
            break;
    }
    return 0;
}
