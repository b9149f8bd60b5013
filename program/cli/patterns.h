/*
 * patterns.h - what every command that takes a query has: named patterns of the user, and --explain.
 */
#ifndef TABIYA_CLI_PATTERNS_H
#define TABIYA_CLI_PATTERNS_H

#include "common.h"
#include "query_fault.h"

#define OPTION_EXPLAIN                                                                                                 \
    {                                                                                                                  \
        "explain", 0, NULL, NULL,                                                                                      \
            "only print how the games would be found: by which index, by which SQL, and what is left to ask of each"   \
    }

#define OPTION_PATTERNS                                                                                                \
    {                                                                                                                  \
        "patterns", 0, "FILE", NULL,                                                                                   \
            "named patterns of your own for queries: a line each, a name, a blank and a query"                         \
    }

/* The file of the option --patterns; NULL if it is not given. It is kept to the end of the program. A file that cannot
   be read, or has a fault, ends the program. */
const patterns *patterns_of_option(const args *a, int index);

#endif
