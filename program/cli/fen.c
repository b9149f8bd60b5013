/*
 * fen.c - the FEN arguments of the commands: from words, from standard input, to a setup or a position.
 *
 * Reads    "startpos", nothing at all, one argument, the fields as several arguments, "-" for standard input; moves
 *          from the start position ("1. e4 c5") in place of a FEN.
 * Reports  every bad line with its number, and continues with the next.
 */
#include "console.h"

#include <stdlib.h>
#include <string.h>

typedef int (*fen_visit)(const args *a, const fen_input *fen);

/* ---- Where FENs come from --------------------------------------------------------------------------------------- */

fen_input fen_text(const char *s)
{
    const span named = fen_named(s, strlen(s));
    return (fen_input){.s = named.s, .n = named.n};
}

static int visit_stdin(const args *a, fen_visit f)
{
    int worst = EXIT_YES;
    unsigned long n_before = 0;
    line_reader l = lines_open(a->command->name, NULL);
    while (lines_next(&l)) {
        const span named = fen_named(l.line, l.n);
        if (strspn(l.line, " \t\x1a") >= l.n) /* blank */
            continue;
        const int code = f(a, &(fen_input){named.s, named.n, l.number, n_before++});
        worst = code > worst ? code : worst;
    }
    return worst;
}

char *words_join(const args *a, size_t first)
{
    buffer joined = {0};
    buffer_string(&joined, "");
    for (size_t i = first; i < a->n_words; i++) {
        buffer_string(&joined, i > first ? " " : "");
        buffer_string(&joined, a->words[i]);
    }
    return joined.s;
}

int fen_one(const args *a, size_t first_word, fen_visit f)
{
    char *joined = words_join(a, first_word);
    const fen_input fen = fen_text(a->n_words > first_word ? joined : "startpos");
    const int code = f(a, &fen);
    free(joined);
    return code;
}

int fen_each(const args *a, size_t first_word, fen_visit f)
{
    bool from_stdin = a->n_words == first_word + 1 && strcmp(a->words[first_word], "-") == 0;
    return from_stdin ? visit_stdin(a, f) : fen_one(a, first_word, f);
}

/* ---- From FEN to setup and position ----------------------------------------------------------------------------- */

/* "stdin:3: ", or nothing for the command line. */
typedef struct place {
    char text[32];
} place;

static place place_of(const fen_input *fen)
{
    place p = {""};
    if (fen->line)
        snprintf(p.text, sizeof p.text, "stdin:%lu: ", fen->line);
    return p;
}

void fen_refuse(const fen_input *fen, const problem *p) { error_print("%s%s", place_of(fen).text, p->text); }

bool setup_read(tby_setup *out, const fen_input *fen, unsigned flags, unsigned *warnings)
{
    problem p = {0};
    if (fen_setup(out, (span){fen->s, fen->n}, flags, warnings, &p))
        return true;
    fen_refuse(fen, &p);
    return false;
}

bool position_read(tby_position *out, const fen_input *fen, unsigned flags, tby_faults allowed)
{
    tby_setup setup;
    unsigned warnings = 0;
    if (!setup_read(&setup, fen, flags, &warnings))
        return false;
    for (unsigned bit = 1; tby_fen_warning_text(bit); bit <<= 1)
        if (warnings & TBY_FEN_WARN_MEANING & bit)
            error_print("%swarning: %s", place_of(fen).text, tby_fen_warning_text(bit));
    const tby_faults faults = tby_setup_faults(&setup) & ~allowed;
    if (!faults && tby_position_init(out, &setup, allowed, NULL) == TBY_OK)
        return true;
    problem p = {0};
    const bool is_playable = !(faults & ~(tby_faults)TBY_FAULTS_UNREACHABLE);
    fen_faults(faults, &p);
    error_print("%s%s%s", place_of(fen).text, p.text, is_playable ? "\n  (use --any to allow it)" : "");
    return false;
}
