/*
 * patterns.c - reads the user's named patterns.
 */
#include "patterns.h"
#include "messages.h"

#include <errno.h>
#include <string.h>

enum { PATTERNS_MAX = 1 << 20 };

const patterns *patterns_of_option(const args *a, int index)
{
    static patterns own;
    problem p = {0};
    char who[32];
    if (own.path || !args_has(a, index))
        return own.path ? &own : NULL;
    own.path = args_value(a, index);
    FILE *file = fopen(own.path, "rb");
    size_t n = 1;
    while (file && n && own.text.n <= PATTERNS_MAX) {
        n = fread(buffer_room(&own.text, 4096), 1, 4096, file);
        own.text.n += n;
    }
    if (!file || ferror(file))
        error_exit("%s: --patterns: %s: %s", a->command->name, own.path, strerror(errno));
    fclose(file);
    if (own.text.n > PATTERNS_MAX)
        error_exit("%s: --patterns: %s: more than a megabyte", a->command->name, own.path);
    snprintf(who, sizeof who, "%s: ", a->command->name);
    patterns_check(&own, who, &p);
    problem_exit(&p);
    return &own;
}
