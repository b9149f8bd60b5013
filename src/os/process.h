/*
 * process.h - other programs: one to talk with, one that turns a file into another, and the pager.
 */
#ifndef TBY_OS_PROCESS_H
#define TBY_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- A program to talk with ----------------------------------------------------------------------------- */

typedef struct os_process os_process;

/* Starts a program, by path or by name, with pipes to its standard input and output; what it writes to its standard error
   is dropped. It runs at a low priority, does not get our Ctrl-C, has no window, and on Windows ends when we do. NULL on
   failure. */
os_process *os_process_start(const char *program);
/* Allocations beyond the limit fail; without effect where the system cannot do it. */
void os_process_limit_memory(os_process *p, unsigned mebibytes);
/* Both wait for at most that time. How many bytes; -1 on failure, with errno EAGAIN if the time is up; reading returns 0
   when the program has closed its output. */
ptrdiff_t os_process_write(os_process *p, const void *bytes, size_t n, int milliseconds);
ptrdiff_t os_process_read(os_process *p, void *to, size_t n, int milliseconds);
/* Kills it, with all it has started. */
void os_process_end(os_process *p);

/* ---- Others --------------------------------------------------------------------------------------------- */

/* Runs a program, found by its name, that reads `in` and writes `out`: its exit code, or -1, with errno 0 if it ended in
   another way. The first argument is the name; NULL follows the last. */
int os_run(const char *const *arguments, FILE *in, FILE *out);
/* Replaces standard output by a pipe to the user's pager, or by one to `usual`, until the program ends. False if there is
   none. */
bool os_page_output(const char *usual);
/* Of this process. */
unsigned long os_process_number(void);
/* Opens an address in the user's browser. */
bool os_open_in_browser(const char *url);

#endif
