/*
 * copies.c - a second output file next to standard output, for unchanged copies of games.
 */
#include "copies.h"
#include "open_input.h"
#include "whole_file.h"

#include <stdlib.h>
#include <string.h>

struct copy_file {
    whole_file *file;
    const char *path;
    const tby_game_notation *notation;
    char last[2]; /* the last bytes written, without carriage returns */
    bool begins_input, is_empty;
    game_end end; /* of the last game */
    bool is_bare; /* as in kept */
};

/* ---- Between games ---------------------------------------------------------------------------------------------- */

typedef struct joint {
    const char *end, *begin; /* of the game before, and of the next */
} joint;

static joint joint_of(game_end before, bool is_bare, const char first[GAME_FIRST_SIZE])
{
    const bool has_event = memcmp(first, "[Event \"", GAME_FIRST_SIZE) == 0;
    const bool needs_event = *first == '{' || *first == ';' || (before == GAME_BROKEN && !has_event);
    joint j = {"", needs_event ? "[Event \"?\"]\n" : ""};
    if (*first == '%') /* a fault, which would not be one at the start of a line */
        j.begin = "[Event \"?\"] ";
    if (before == GAME_OPEN && (is_bare || !has_event))
        j.end = "*\n\n";
    else if (before == GAME_BROKEN && is_bare)
        j.end = "[Event \"?\"]\n\n";
    return j;
}

/* The last two bytes of a text, without carriage returns; `last` has those before it. */
static void note_last(char last[2], const char *s, size_t n)
{
    for (size_t i = n > 4 ? n - 4 : 0; i < n; i++)
        if (s[i] != '\r') {
            last[0] = last[1];
            last[1] = s[i];
        }
}

/* The missing line ends: one after a game, or two if an empty line must separate it from the next. */
static const char *line_ends(const char last[2], bool wants_empty_line)
{
    if (last[1] != '\n')
        return wants_empty_line ? "\n\n" : "\n";
    return wants_empty_line && last[0] != '\n' ? "\n" : "";
}

void copied_begin_game(copied *k, const char first[GAME_FIRST_SIZE])
{
    if (k->text.n == 0) {
        k->begins_game = true;
        memcpy(k->first, first, GAME_FIRST_SIZE);
        return;
    }
    char last[2] = {0};
    note_last(last, k->text.s, k->text.n);
    buffer_string(&k->text, line_ends(last, k->end != GAME_CLOSED));
    const joint j = joint_of(k->end, k->is_bare, first);
    buffer_string(&k->text, j.end);
    buffer_string(&k->text, j.begin);
}

void copied_clear(copied *k)
{
    k->text.n = 0;
    k->begins_game = false;
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

void refuse_overwriting(const char *path, const args *a)
{
    for (size_t i = 0; path && i < a->n_words; i++)
        if (input_is_same_file(path, a->words[i]))
            error_exit("%s: %s cannot be both input and output", a->command->name, path);
}

copy_file *copy_open(const char *path, const args *a)
{
    if (!path)
        return NULL;
    refuse_overwriting(path, a);
    copy_file *k = memory_new(1, sizeof *k);
    k->path = path;
    k->is_empty = true;
    k->file = whole_file_open(path);
    if (!k->file)
        write_failed(path);
    return k;
}

void copy_bytes(copy_file *k, const char *s, size_t n)
{
    if (!k)
        return;
    if (fwrite(s, 1, n, k->file->file) != n)
        write_failed(k->path);
    note_last(k->last, s, n);
    k->is_empty &= n == 0;
}

static void put_string(copy_file *k, const char *s) { copy_bytes(k, s, strlen(s)); }

static bool put_header(void *context, const char *s, size_t n)
{
    copy_bytes(context, s, n);
    return true;
}

void copy_begin_input(copy_file *k, const tby_game_notation *notation)
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

void copy_write(copy_file *k, const copied *games)
{
    if (!k || games->text.n == 0)
        return;
    const bool parts_games = games->begins_game && !k->is_empty;
    const bool wants_empty_line = k->notation->open_events && (k->begins_input || k->end != GAME_CLOSED);
    if ((k->begins_input || parts_games) && !k->is_empty)
        put_string(k, line_ends(k->last, wants_empty_line));
    if (games->begins_game && k->is_empty)
        put_string(k, joint_of(GAME_CLOSED, false, *games->first == '%' ? games->first : "[Event \"").begin);
    if (parts_games) {
        const joint j = joint_of(k->end, k->is_bare, games->first);
        put_string(k, j.end);
        put_string(k, j.begin);
    }
    k->begins_input = false;
    copy_bytes(k, games->text.s, games->text.n);
    k->end = games->end;
    k->is_bare = games->is_bare;
}

void copy_close(copy_file *k)
{
    if (!k)
        return;
    if (!whole_file_close(k->file))
        write_failed(k->path);
    free(k);
}
