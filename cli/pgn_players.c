/*
 * pgn_players.c - a file of games for each player.
 *
 * Names    a player is a tag's value, byte for byte. In the file's name _ stands for / \ : * ? " < > | and control
 *          characters, and for a dot or blank at its ends; it is cut at STEM_MAX bytes. A name that is taken then, in
 *          capitals or not, gets a number: no two players share a file, whatever the file system thinks of their names.
 * Files    those of an earlier run are replaced when all games are written; until then the new ones are in a folder of
 *          their own (whole_file.h). Games wait in memory until there are HELD_MAX bytes of them; then each file is
 *          opened, added to and closed, so that one is open at a time.
 */
#include "pgn_players.h"
#include "keep.h"
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { STEM_MAX = 100, HELD_MAX = 1 << 23 };

typedef struct player {
    char *name, *path;
    char *part;       /* where it is written */
    folder_file file; /* the same */
    buffer games;     /* that are still to be written */
    bool is_renamed;
    struct player *next; /* in the order of the input */
} player;

struct players {
    const char *pattern;
    const char *folder; /* of the parts */
    const args *args;
    player *first, **last;
    uint64_t n;
    size_t n_held; /* bytes in all buffers */
    void *by_name, *by_path;
};

players *players_new(const char *pattern, const args *a)
{
    players *p = memory_new(1, sizeof *p);
    p->pattern = pattern;
    p->args = a;
    p->last = &p->first;
    return p;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const player *)a)->name, ((const player *)b)->name);
}

static int compare_paths(const void *a, const void *b)
{
    return strcasecmp(((const player *)a)->path, ((const player *)b)->path);
}

/* ---- File names ------------------------------------------------------------------------------------------------- */

static bool is_safe(char c) { return (unsigned char)c >= ' ' && c != 127 && !strchr("/\\:*?\"<>|", c); }

/* At most STEM_MAX bytes, and no character of UTF-8 cut in two. */
static size_t stem_length(const char *name)
{
    size_t n = strlen(name);
    if (n <= STEM_MAX)
        return n;
    n = STEM_MAX;
    while (n > STEM_MAX - 4 && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void add_stem(buffer *path, const char *name)
{
    const size_t n = stem_length(name);
    for (size_t i = 0; i < n; i++) {
        const bool is_end = (i == 0 || i == n - 1) && (name[i] == '.' || name[i] == ' ');
        buffer_add(path, is_safe(name[i]) && !is_end ? name + i : "_", 1);
    }
    if (n == 0)
        buffer_string(path, "_");
}

/* There is one for every player, so no byte more than it needs. */
static char *copy_of(const char *s)
{
    char *copy = memory_new(strlen(s) + 1, 1);
    strcpy(copy, s);
    return copy;
}

/* `number` 0 adds none. */
static char *path_of(const players *p, const char *name, uint64_t number)
{
    const char *place = strstr(p->pattern, "%s");
    buffer path = {0};
    buffer_add(&path, p->pattern, (size_t)(place - p->pattern));
    add_stem(&path, name);
    if (number) {
        buffer_string(&path, "-");
        buffer_number(&path, number);
    }
    buffer_add(&path, place + 2, strlen(place + 2) + 1);
    char *whole = copy_of(path.s);
    buffer_free(&path);
    return whole;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static _Noreturn void failed(const char *path) { error_exit("cannot write to %s: %s", path, strerror(errno)); }

/* The folder that all files go to, or a folder above. */
static const char *open_folder(const char *pattern)
{
    buffer folder = {0};
    size_t n = (size_t)(strstr(pattern, "%s") - pattern);
    while (n > 0 && pattern[n - 1] != '/')
        n--;
    buffer_add(&folder, pattern, n);
    buffer_add(&folder, "", 1);
    const char *path = whole_folder_open(folder.s);
    if (!path)
        failed(*folder.s ? folder.s : ".");
    buffer_free(&folder);
    return path;
}

/* Makes the player's part, which has the name that the file will have. False if that is another player's, whatever the
   file system takes for the same name. */
static bool create(players *p, player *new)
{
    const char *slash = strrchr(new->path, '/');
    buffer part = {0};
    if (!p->folder)
        p->folder = open_folder(p->pattern);
    refuse_overwriting(new->path, p->args);
    buffer_printf(&part, "%s/%s", p->folder, slash ? slash + 1 : new->path);
    buffer_add(&part, "", 1);
    const int fd = open(part.s, O_WRONLY | O_CREAT | O_EXCL, 0666);
    const bool is_made = fd >= 0;
    if (!is_made && errno != EEXIST)
        failed(new->path);
    if (is_made) {
        close(fd);
        new->part = copy_of(part.s);
        new->file.path = new->part;
        whole_folder_add(&new->file);
    }
    buffer_free(&part);
    return is_made;
}

static void write_held(players *p)
{
    for (player *one = p->first; one; one = one->next) {
        if (one->games.n == 0)
            continue;
        FILE *file = fopen(one->part, "a");
        if (!file)
            failed(one->path);
        const bool is_written = fwrite(one->games.s, 1, one->games.n, file) == one->games.n;
        if (fclose(file) != 0 || !is_written)
            failed(one->path);
        buffer_free(&one->games);
    }
    p->n_held = 0;
}

/* ---- Players ---------------------------------------------------------------------------------------------------- */

/* A number that is new for each player: names that are made to clash are not tried again and again. */
static void choose_path(players *p, player *new)
{
    uint64_t number = p->n;
    new->path = path_of(p, new->name, 0);
    while (tfind(new, &p->by_path, compare_paths) || !create(p, new)) {
        free(new->path);
        new->path = path_of(p, new->name, ++number);
        new->is_renamed = true;
    }
}

static void remember(void *found)
{
    if (!found)
        error_exit("out of memory");
}

static player *add_player(players *p, const char *name)
{
    player *new = memory_new(1, sizeof *new);
    buffer plain = {0};
    new->name = copy_of(name);
    choose_path(p, new);
    add_stem(&plain, name);
    new->is_renamed |= plain.n != strlen(name) || memcmp(plain.s, name, plain.n) != 0;
    buffer_free(&plain);
    remember(tsearch(new, &p->by_name, compare_names));
    remember(tsearch(new, &p->by_path, compare_paths));
    *p->last = new;
    p->last = &new->next;
    p->n++;
    return new;
}

void players_add(players *p, const char *name, const char *game, size_t n)
{
    const player key = {.name = (char *)name};
    player *const *found = tfind(&key, &p->by_name, compare_names);
    player *one = found ? *found : add_player(p, name);
    buffer_add(&one->games, game, n);
    p->n_held += n;
    if (p->n_held > HELD_MAX)
        write_held(p);
}

static void player_free(players *p, player *one)
{
    tdelete(one, &p->by_name, compare_names);
    tdelete(one, &p->by_path, compare_paths);
    buffer_free(&one->games);
    free(one->name);
    free(one->path);
    free(one->part);
    free(one);
}

/* A control character in the name would spoil a terminal. */
static void print_name(const player *one)
{
    out_printf("%s: \"", one->path);
    for (const char *s = one->name; *s; s++)
        out_bytes((unsigned char)*s < ' ' || *s == 127 ? "?" : s, 1);
    out_string("\"\n");
}

void players_close(players *p, uint64_t n_games)
{
    write_held(p);
    for (player *one = p->first; one; one = one->next)
        if (!whole_folder_move(&one->file, one->path))
            failed(one->path);
    whole_folder_close();
    for (player *one = p->first; one; one = one->next)
        if (one->is_renamed)
            print_name(one);
    out_printf("%" PRIu64 " games of %" PRIu64 " players\n", n_games, p->n);
    for (player *one = p->first, *next; one; one = next) {
        next = one->next;
        player_free(p, one);
    }
    free(p);
}
