/*
 * messages.h - reports and problems on stderr.
 */
#ifndef TABIYA_CLI_MESSAGES_H
#define TABIYA_CLI_MESSAGES_H

#include "console.h"
#include "notes.h"

/* Prints a report, every line as an error; `lines` lines and `games` games come before its part. */
void notes_print(const report *r, uint64_t lines, uint64_t games);
/* Ends the program with the problem, if there is one. */
void problem_exit(const problem *p);

#endif
