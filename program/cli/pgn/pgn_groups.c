/*
 * pgn_groups.c - games sorted into files by a name: of a player, an event, an opening.
 *
 * Names    a group is a tag's value, or its first bytes. In the file's name _ replaces / \ : * ? " < > | and control
 * characters, and for a dot or blank at its ends; it is cut at STEM_MAX bytes. A name that is taken then, in capitals
 * or not, gets a number: no two groups share a file, whatever the file system thinks of their names. Files    those of
 * an earlier run are replaced when all games are written; until then the new ones are in a folder of
 *          their own (whole_file.h). Games wait in memory until there are HELD_MAX bytes of them; then each file is
 *          opened, added to and closed, so that one is open at a time.
 */
#include "pgn_pick.h"
#include "whole_file.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEM_MAX = 100, HELD_MAX = 1 << 23 };

typedef struct group {
    char *name, *path;
    char *part;       /* where it is written */
    folder_file file; /* the same */
    buffer games;     /* that are still to be written */
    bool is_renamed;
} group;

struct groups {
    const char *pattern;
    const char *folder; /* of the parts */
    const args *args;
    named_list all; /* of `group`, in the order of the input */
    size_t n_held;  /* bytes in all buffers */
    void *by_path;
};

/* ---- By what ---------------------------------------------------------------------------------------------------- */

static const grouping groupings[] = {
    {"player", NULL, 0, "player", "players"}, {"event", "Event", 0, "event", "events"},
    {"site", "Site", 0, "site", "sites"},     {"eco", "ECO", 0, "opening code", "opening codes"},
    {"eco:1", "ECO", 1, "letter", "letters"}, {"eco:2", "ECO", 2, "opening code", "opening codes"},
    {"year", "Date", 4, "year", "years"},     {"month", "Date", 7, "month", "months"},
};

bool grouping_read(grouping *out, const char *name)
{
    for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++)
        if (strcmp(groupings[i].name, name) == 0) {
            *out = groupings[i];
            return true;
        }
    if (*name < 'A' || *name > 'Z')
        return false;
    *out = (grouping){name, name, 0, "value", "values"};
    return true;
}

static void add_name(buffer *names, const tby_game *game, const char *tag, size_t length)
{
    const char *value = tby_game_tag(game, tag);
    value = value ? value : "?";
    buffer_add(names, value, strnlen(value, length ? length : SIZE_MAX));
    buffer_add(names, "", 1);
}

void grouping_names(buffer *names, const grouping *by, const tby_game *game)
{
    const size_t begin = names->n;
    if (by->tag) {
        add_name(names, game, by->tag, by->length);
        return;
    }
    add_name(names, game, "White", 0);
    const size_t second = names->n;
    add_name(names, game, "Black", 0);
    if (strcmp(names->s + begin, names->s + second) == 0)
        names->n = second;
}

/* ---- Groups ----------------------------------------------------------------------------------------------------- */

groups *groups_new(const char *pattern, const args *a)
{
    groups *p = memory_new(1, sizeof *p);
    p->pattern = pattern;
    p->args = a;
    return p;
}

static int compare_paths(const void *a, const void *b)
{
    return strcasecmp(((const group *)a)->path, ((const group *)b)->path);
}

/* ---- File names ------------------------------------------------------------------------------------------------- */

static bool is_safe(char c) { return (unsigned char)c >= ' ' && c != 127 && !strchr("/\\:*?\"<>|", c); }

/* At most STEM_MAX bytes, without splitting a UTF-8 character. */
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

/* `number` 0 adds none. */
static char *path_of(const groups *p, const char *name, uint64_t number)
{
    const char *place = strstr(p->pattern, "%s");
    buffer path = {0};
    buffer_add(&path, p->pattern, (size_t)(place - p->pattern));
    add_stem(&path, name);
    if (number) {
        buffer_string(&path, "-");
        buffer_number(&path, number);
    }
    buffer_string(&path, place + 2);
    char *whole = memory_got(strdup(path.s)); /* one per group, so it is kept as small as possible */
    buffer_free(&path);
    return whole;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* The folder of all files, or one above it. */
static const char *open_folder(const char *pattern)
{
    buffer folder = {0};
    size_t n = (size_t)(strstr(pattern, "%s") - pattern);
    while (n > 0 && !os_is_separator(pattern[n - 1]))
        n--;
    buffer_add(&folder, pattern, n);
    const char *path = whole_folder_open(folder.s);
    if (!path)
        write_failed(*folder.s ? folder.s : ".");
    buffer_free(&folder);
    return path;
}

/* Creates the partial file of a group, under the name that the file will have. False if that is the name of another
   group, or the same name for the file system. */
static bool create(groups *p, group *new)
{
    buffer file = {0};
    if (!p->folder)
        p->folder = open_folder(p->pattern);
    refuse_overwriting(new->path, p->args);
    buffer_printf(&file, "%s/%s", p->folder, os_name_in_path(new->path));
    new->part =
        memory_got(strdup(file.s)); /* before the file is created: a file without a group would be left behind */
    buffer_free(&file);
    const int fd = os_open(new->part, OS_WRITE | OS_NEW, 0666);
    const bool is_made = fd >= 0;
    if (!is_made && errno != EEXIST)
        write_failed(new->path);
    if (is_made) {
        os_close(fd);
        new->file.path = new->part;
        whole_folder_add(&new->file);
    } else {
        free(new->part);
    }
    return is_made;
}

static void write_held(groups *p)
{
    for (size_t i = 0; i < p->all.n; i++) {
        group *one = p->all.list[i];
        if (one->games.n == 0)
            continue;
        FILE *file = os_open_stream(one->part, "a");
        if (!file)
            write_failed(one->path);
        const bool is_written = fwrite(one->games.s, 1, one->games.n, file) == one->games.n;
        if (fclose(file) != 0 || !is_written)
            write_failed(one->path);
        buffer_free(&one->games);
    }
    p->n_held = 0;
}

/* ---- Groups ---------------------------------------------------------------------------------------------------- */

/* A number that is new for each group, so that names made to clash do not cause many attempts. */
static void choose_path(groups *p, group *new)
{
    uint64_t number = p->all.n - 1;
    new->path = path_of(p, new->name, 0);
    while (tfind(new, &p->by_path, compare_paths) || !create(p, new)) {
        free(new->path);
        new->path = path_of(p, new->name, ++number);
        new->is_renamed = true;
    }
}

static void begin_group(groups *p, group *new)
{
    buffer plain = {0};
    choose_path(p, new);
    add_stem(&plain, new->name);
    new->is_renamed |= plain.n != strlen(new->name) || memcmp(plain.s, new->name, plain.n) != 0;
    buffer_free(&plain);
    memory_got(tsearch(new, &p->by_path, compare_paths));
}

void groups_add(groups *p, const char *name, const char *game, size_t n)
{
    group *one = memory_got(named_get(&p->all, name, strlen(name), sizeof *one));
    if (!one->path)
        begin_group(p, one);
    buffer_add(&one->games, game, n);
    p->n_held += n;
    if (p->n_held > HELD_MAX)
        write_held(p);
}

static void print_name(const group *one)
{
    buffer line = {0};
    buffer_printf(&line, "%s: \"", one->path);
    buffer_harmless(&line, one->name, strlen(one->name), '?');
    buffer_string(&line, "\"\n");
    out_buffer(&line);
}

/* Renames all files, and lists those whose name differs from the group's. */
static void put_in_place(const groups *p, uint64_t n_games, const grouping *by)
{
    group *const *list = (group *const *)p->all.list;
    const size_t n = p->all.n;
    for (size_t i = 0; i < n; i++)
        if (!whole_folder_move(&list[i]->file, list[i]->path))
            write_failed(list[i]->path);
    for (size_t i = 0; i < n; i++)
        if (list[i]->is_renamed)
            print_name(list[i]);
    out_printf("%" PRIu64 " %s of %zu %s\n", n_games, plural(n_games, "game", "games"), n,
               plural(n, by->one, by->many));
}

void groups_close(groups *p, uint64_t n_games, const grouping *by)
{
    write_held(p);
    if (whole_files_are_spoiled())
        error_print("no file %s was written: some input could not be read", p->pattern);
    else
        put_in_place(p, n_games, by);
    whole_folder_close();
    for (size_t i = 0; i < p->all.n; i++) {
        group *one = p->all.list[i];
        tdelete(one, &p->by_path, compare_paths);
        free(one->path);
        free(one->part);
    }
    named_free(&p->all);
    free(p);
}
