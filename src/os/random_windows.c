/*
 * random_windows.c - random bytes of the system's generator.
 */
#define _CRT_RAND_S
#include "os/random.h"

#include <stdlib.h>
#include <string.h>

bool os_random(void *out, size_t n)
{
    unsigned char *at = out;
    for (unsigned word; n > 0; at += sizeof word) {
        if (rand_s(&word) != 0)
            return false;
        const size_t some = n < sizeof word ? n : sizeof word;
        memcpy(at, &word, some);
        n -= some;
        if (n == 0)
            break;
    }
    return true;
}
