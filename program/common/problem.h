/*
 * problem.h - why a request could not be answered: an error as a value, to be printed or sent.
 *
 * `status` is an HTTP status, which says whose mistake it is. A problem allocates no memory, so it can also report that
 * memory ran out.
 */
#ifndef TABIYA_COMMON_PROBLEM_H
#define TABIYA_COMMON_PROBLEM_H

#include "support/buffer.h"
#include "tabiya_value.h"

enum {
    PROBLEM_ASKED = 400,  /* the request makes no sense */
    PROBLEM_ABSENT = 404, /* what was requested does not exist */
    PROBLEM_TOO_LARGE = 413,
    PROBLEM_TOO_MANY = 429, /* one client sends too many requests */
    PROBLEM_BROKEN = 500,   /* something is damaged, or does not work here */
    PROBLEM_NOT_NOW = 503,  /* it may work later: no memory, a busy database */
};

enum { PROBLEM_SIZE = 4096 };

typedef struct problem {
    unsigned status;         /* 0: no problem */
    char text[PROBLEM_SIZE]; /* a sentence without a full stop; truncated if too long */
    bool has_place;          /* the location in the query */
    size_t offset, length;
    const char *field; /* the name of the value that is wrong; NULL: not known */
    char near[256];    /* similar names, each followed by a NUL, and another NUL; empty: none */
} problem;

/* Both return false, so that callers can return the result. The first problem is kept. */
bool problem_set(problem *p, unsigned status, const char *format, ...) PRINTF_LIKE(3, 4);
bool problem_no_memory(problem *p);

/* A whole number up to `high`: all of the text, or its first `n` bytes. */
bool digits_read(uint64_t *value, const char *s, uint64_t high);
bool digits_read_some(uint64_t *value, const char *s, size_t n, uint64_t high);
/* Is the name in a list, "a,b,c"? */
bool list_has(const char *list, char separator, const char *name);
/* A whole number from `low` to `high`; else a problem that names `what`. */
bool problem_number(uint64_t *out, const char *what, const char *s, uint64_t low, uint64_t high, problem *p);

#endif
