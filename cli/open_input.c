/*
 * open_input.c - opens what a command reads.
 */
#include "open_input.h"
#include "common.h"

#include <string.h>

input *input_open(const char *path)
{
    const char *error;
    input *in = input_open_file(path, &error);
    if (!in)
        error_print("%s: %s", strcmp(path, "-") == 0 ? "stdin" : path, error);
    return in;
}
