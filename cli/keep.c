/*
 * keep.c - a second output file beside standard output, for games kept as they are.
 */
#include "keep.h"
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct keep {
    FILE *file;
    const char *path;
    const tby_game_notation *notation;
    char last[2]; /* the bytes written last, carriage returns left out */
    bool begins_input, is_empty;
};

static _Noreturn void failed(const char *path) { error_exit("cannot write to %s: %s", path, strerror(errno)); }

void refuse_overwriting(const char *path, const args *a)
{
    for (size_t i = 0; path && i < a->n_words; i++)
        if (input_is_same_file(path, a->words[i]))
            error_exit("%s: %s is both read and written", a->command->name, path);
}

keep *keep_open(const char *path, const args *a)
{
    if (!path)
        return NULL;
    refuse_overwriting(path, a);
    keep *k = memory_new(1, sizeof *k);
    k->path = path;
    k->is_empty = true;
    k->file = fopen(path, "w");
    if (!k->file)
        failed(path);
    return k;
}

static void put(keep *k, const char *s, size_t n)
{
    if (fwrite(s, 1, n, k->file) != n)
        failed(k->path);
    for (size_t i = n > 4 ? n - 4 : 0; i < n; i++)
        if (s[i] != '\r') {
            k->last[0] = k->last[1];
            k->last[1] = s[i];
        }
    k->is_empty = false;
}

static bool put_header(void *context, const char *s, size_t n)
{
    put(context, s, n);
    return true;
}

void keep_begin_input(keep *k, const tby_game_notation *notation)
{
    if (!k)
        return;
    if (k->notation && k->notation != notation)
        error_exit("%s cannot hold games both as %s and as %s", k->path, k->notation->name, notation->name);
    if (!k->notation && notation->write_header)
        notation->write_header(put_header, k);
    k->notation = notation;
    k->begins_input = !notation->is_binary;
}

void keep_write(keep *k, const buffer *text)
{
    if (!k || text->n == 0)
        return;
    if (k->begins_input && !k->is_empty) {
        if (k->last[1] != '\n')
            put(k, "\n", 1);
        if (k->last[0] != '\n')
            put(k, "\n", 1);
    }
    k->begins_input = false;
    put(k, text->s, text->n);
}

void keep_close(keep *k)
{
    if (!k)
        return;
    if (fclose(k->file) != 0)
        failed(k->path);
    free(k);
}
