/*
 * own_names.c - reads and writes a game with the library, in a program whose functions have the names of internal ones.
 */
#include <stdio.h>
#include <string.h>

static bool print(void *context, const char *s, size_t n)
{
    (void)context;
    return fwrite(s, 1, n, stdout) == n;
}

int main(void)
{
    static const char text[] =
        "{\"tags\":[[\"Event\",\"?\"]],\"result\":\"1-0\",\"moves\":[{\"san\":\"e4\"},{\"san\":\"e5\"}]}";
    tby_game *game = tby_game_new(NULL);
    const bool is_good = game && tby_json_read(game, text, strlen(text), NULL) == TBY_OK &&
                         tby_json_write(game, print, NULL);
    tby_game_free(game);
    return is_good ? 0 : 1;
}
