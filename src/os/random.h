/*
 * random.h - random bytes for secrets.
 */
#ifndef TBY_OS_RANDOM_H
#define TBY_OS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* At most 256 of them. */
bool os_random(void *out, size_t n);

#endif
