/*
 * output_options.h - the options for the output format and the output file, shared by all commands for games.
 *
 * They follow those of query_options.h; a command's own options are numbered from N_OUTPUT_OPTIONS on.
 */
#ifndef TABIYA_CLI_OUTPUT_OPTIONS_H
#define TABIYA_CLI_OUTPUT_OPTIONS_H

#include "query_options.h"
#include "tables.h"

enum {
    OUTPUT_CSV = N_QUERY_OPTIONS,
    OUTPUT_JSON,
    OUTPUT_FILE,
    OUTPUT_SPREADSHEET,
    OUTPUT_TO,
    OUTPUT_TSV,
    N_OUTPUT_OPTIONS
};

/* An option without a value that is named after a format is short for --to with that format. */
#define OUTPUT_OPTIONS_BESIDE_TO                                                                                       \
    [OUTPUT_CSV] = {"csv", 0, NULL, NULL, "short for --to csv"},                                                       \
    [OUTPUT_JSON] = {"json", 0, NULL, NULL, "short for --to json"},                                                    \
    [OUTPUT_FILE] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output"},                         \
    [OUTPUT_SPREADSHEET] = {"spreadsheet", 0, NULL, NULL, "short for --to spreadsheet"},                               \
    [OUTPUT_TSV] = {"tsv", 0, NULL, NULL, "short for --to tsv"}

/* For a command that prints a table; `json` describes its JSON. */
#define OUTPUT_OPTIONS(json)                                                                                           \
    [OUTPUT_TO] = {"to", 0, "FORM", "lines|tsv|csv|spreadsheet|json|html",                                             \
                   "lines, a table as tsv, csv, spreadsheet (CSV in which formulas are quoted: '=2+2) or html, "       \
                   "or json (" json ") (default: lines)"},                                                             \
    OUTPUT_OPTIONS_BESIDE_TO

/* The format that the options name, or else `usual`. Exits with an error if they name two different ones. */
const char *form_of_options(const args *a, const char *usual);

/* The output of a command that prints a table. */
typedef struct output {
    bool is_json;
    const tby_table_format *format; /* NULL: lines or JSON */
} output;
/* Opens the output file, if one is given. */
output output_begin(const args *a);
/* Prints the rows and removes them. `parts` as in table_write_as. */
void output_table(const output *o, table *t, unsigned parts);
/* Prints the whole table, and frees it. */
void output_whole(const output *o, table t);

#endif
