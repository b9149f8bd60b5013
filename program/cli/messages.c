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
