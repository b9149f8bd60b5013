/*
 * messages.c - reports and problems on stderr.
 */
#include "messages.h"
#include "progress.h"

#include <string.h>

void notes_print(const report *r, uint64_t lines, uint64_t games)
{
    buffer text = {0};
    if (r->text.n == 0)
        return;
    progress_hide();
    out_flush();
    report_resolve(&text, r, lines, games);
    for (size_t at = 0; at < text.n;) {
        const char *line = text.s + at, *end = memchr(line, '\n', text.n - at);
        const size_t n = end ? (size_t)(end - line) : text.n - at;
        error_print("%.*s", (int)n, line);
        at += n + 1;
    }
    buffer_free(&text);
}

void problem_exit(const problem *p)
{
    if (p->status)
        error_exit("%s", p->text);
}

void hint_at_names(const args *a)
{
    static const char *const names[] = {"player", "white", "black", "event", "site"};
    for (size_t i = 0; i < a->n_given; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const char *value = a->given[i].value;
            if (strcmp(a->command->options[a->given[i].index].name, names[k]) != 0 || !value || strchr(value, '*'))
                continue;
            error_print("%s: no game found; --%s takes whole words of a name, and \"%s*\" is any name that begins so",
                        a->command->name, names[k], value);
            return;
        }
}
