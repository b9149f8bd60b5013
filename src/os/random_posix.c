/*
 * random_posix.c - random bytes of the kernel.
 */
#include "os/random.h"

#include <sys/random.h>
#include <unistd.h>

bool os_random(void *out, size_t n) { return getentropy(out, n) == 0; }
