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
    if (!in && strcmp(error, "out of memory") == 0)
        error_exit("%s", error); /* which is nothing about this file: the others would not be read either */
    if (!in) {
        error_print("%s: %s", strcmp(path, "-") == 0 ? "stdin" : path, error);
        input_incomplete();
    }
    return in;
}

bool input_is_whole(const input *in)
{
    const char *error = input_error(in);
    if (!error)
        return true;
    error_print("%s: %s", input_name(in), error);
    input_incomplete();
    return false;
}
