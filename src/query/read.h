/*
 * read.h - what the parts of the reader share: its state, basic steps, and errors.
 *
 * The first error is kept; after it every function returns false or QUERY_NO_NODE.
 */
#ifndef TBY_QUERY_READ_H
#define TBY_QUERY_READ_H

#include "query/facts.h"

typedef struct query_reader {
    tby_query *query;
    const char *s;
    size_t n, at;
    const tby_query_options *options;
    array_list *patterns; /* query_pattern */
    uint32_t n_patterns;  /* usable patterns: those before the one being read */
    unsigned depth;
    array_list waiting; /* uint32_t: children of incomplete nodes */
    tby_query_part part;
    size_t base; /* the offset of the text in that part */
    size_t *n_facts;
    tby_query_error *err;
} query_reader;

/* ---- Faults (read_error.c) ------------------------------------------------------------------------------ */

/* Always returns false. */
bool query_fail(query_reader *r, size_t at, size_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool query_fail_status(query_reader *r, tby_status status, const char *text);
/* "... was expected, not "TEXT"": what is at the place, or a part of it. */
bool query_expect(query_reader *r, const char *what);
bool query_fail_expected(query_reader *r, size_t at, size_t length, const char *what, const char *s, size_t n);
/* Reports an unknown word, with the nearest known one and how to write a name. */
bool query_fail_word(query_reader *r, size_t at, size_t n);
static inline bool reader_is_good(const query_reader *r) { return r->err->status == TBY_OK; }
/* For `return no_node(query_expect(...))` where a node is returned. */
static inline uint32_t no_node(bool is_good)
{
    (void)is_good;
    return QUERY_NO_NODE;
}

/* ---- Small steps ---------------------------------------------------------------------------------------- */

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_small(char c) { return c >= 'a' && c <= 'z'; }
static inline bool is_letter(char c) { return is_small(c) || (c >= 'A' && c <= 'Z'); }
static inline bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static inline bool is_rank(char c) { return c >= '1' && c <= '8'; }

/* The byte `ahead` bytes after the place; NUL after the end. */
static inline char reader_peek(const query_reader *r, size_t ahead)
{
    return ahead < r->n - r->at ? r->s[r->at + ahead] : '\0';
}
static inline bool reader_is_at_end(const query_reader *r) { return r->at == r->n; }
static inline void reader_skip_blanks(query_reader *r)
{
    while (r->at < r->n && is_blank(r->s[r->at]))
        r->at++;
}
static inline bool reader_accept(query_reader *r, char c)
{
    if (r->at == r->n || r->s[r->at] != c)
        return false;
    r->at++;
    return true;
}
/* The length of the run of lower-case letters and hyphens here. */
static inline size_t reader_run(const query_reader *r)
{
    size_t n = 0;
    while (r->at + n < r->n && (is_small(r->s[r->at + n]) || (n > 0 && r->s[r->at + n] == '-')))
        n++;
    return n;
}

/* Adds a node to the tree; its text is from `at` to the reader's place. */
uint32_t query_put(query_reader *r, query_node *node, size_t at, const uint32_t *kids, size_t n_kids);
/* Adds a child to the lists of those that wait for their parent; false without one. */
bool query_wait(query_reader *r, uint32_t id);
/* A sequence in brackets, or combined with other facts, is a group; anything else stays as it is. */
uint32_t query_group(query_reader *r, uint32_t id, size_t at);
/* Copies bytes into the query. */
bool query_keep(query_reader *r, query_span *out, const char *s, size_t n);

/* ---- The parts (read.c, read_fact.c, read_pieces.c, read_value.c) ------------------------------------------- */

/* Reads a whole text. */
uint32_t query_read_text(query_reader *r);
/* The index of the pattern with this name, or -1. */
int32_t query_pattern_find(const query_reader *r, const char *s, size_t n);
/* Reads the meaning of a pattern. */
uint32_t query_pattern_read(query_reader *r, int32_t index, size_t at);
/* Adds the built-in patterns and those of the options. */
bool query_patterns_begin(query_reader *r);

/* Reads one fact that is not a combination. */
uint32_t query_read_fact(query_reader *r);
/* Reads the value of a fact. The reader is after its word, which begins at `at`. */
uint32_t query_read_word(query_reader *r, const query_fact *fact, size_t at);

bool query_read_pieces(query_reader *r, uint16_t *out);
bool query_is_piece(char c);
/* Reads squares, if there are any; sets `is_anywhere` otherwise. */
bool query_read_squares(query_reader *r, query_who *out);
bool query_read_who(query_reader *r, query_who *out);

bool query_read_number(query_reader *r, int64_t *out);
query_op query_read_op(query_reader *r);

#endif
