/*
 * patterns.h - the options of every command that takes a query: --patterns and --explain.
 */
#ifndef TABIYA_CLI_PATTERNS_H
#define TABIYA_CLI_PATTERNS_H

#include "console.h"
#include "query_fault.h"

#define OPTION_EXPLAIN                                                                                                 \
    {                                                                                                                  \
        "explain", 0, NULL, NULL,                                                                                      \
            "only show how the games would be found: which index, which SQL, and what is checked against each game"    \
    }

#define OPTION_PATTERNS                                                                                                \
    {                                                                                                                  \
        "patterns", 0, "FILE", NULL,                                                                                   \
            "read named patterns for queries from FILE: one per line, a name, a space and a query"                     \
    }

/* The file of the option --patterns; NULL if it is not given. It is kept until the program ends. A file that cannot be
   read, or has a fault, ends the program. */
const patterns *patterns_of_option(const args *a, int index);

#endif
