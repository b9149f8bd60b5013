/*
 * console.h - what all commands share: output that is checked, errors, numbers, and the FEN arguments.
 *
 * Exit codes: 0 yes or done, 1 the answer is no, 2 something failed.
 */
#ifndef TABIYA_CLI_CONSOLE_H
#define TABIYA_CLI_CONSOLE_H

#include "notes.h"
#include "options.h"
#include "position.h"

#include <stdint.h>

enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_FAILED = 2 };

/* ---- Output: a failed write ends the program, with code 2 or, if the reader has gone away,
        quietly, with the code noted so far ----------------------------------------------------------------------------
 */

void out_printf(const char *format, ...) PRINTF_LIKE(1, 2);
void out_string(const char *s);
void out_bytes(const char *s, size_t n);
/* Writes the text and frees it. */
void out_buffer(buffer *text);
/* As json_add. */
void out_json(const char *format, ...) PRINTF_LIKE(1, 2);
/* Adds a text without control characters, cut or filled with blanks to `width` characters, of one or more bytes each. */
void buffer_cell(buffer *out, const char *s, size_t width);
/* The number of characters of a text. */
size_t text_width(const char *s);
/* A tby_sink. */
bool out_sink(void *context, const char *s, size_t n);
/* Sends output to a file from here on, which appears when it is closed; NULL, or a file that is open already, changes
   nothing. */
void out_open(const char *path);
/* Continues with another file; all of them appear together, when the last one is closed. */
void out_next(const char *path);
/* Like out_open, but appends to the file. */
void out_append(const char *path);
/* Ends the program: a file could not be written, errno says why. */
_Noreturn void write_failed(const char *path);
bool out_is_terminal(void);
/* The width of the output terminal; 0 if the output is not a terminal or its width is unknown. */
unsigned out_columns(void);
/* Call this before writing to another stream. */
void out_flush(void);
void out_close(void);

/* ---- Errors on stderr: "tabiya: ..." ---------------------------------------------------------------------------- */

void error_print(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void error_exit(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void memory_failed(void);
/* From now on a buffer without memory is only marked as failed: a request fails, not the server. */
void memory_may_fail(void);
/* Prints a report, every line as an error; `lines` lines and `games` games come before its part. */
void notes_print(const report *r, uint64_t lines, uint64_t games);
/* Ends the program with the problem, if there is one. */
void problem_exit(const problem *p);
/* The exit code will be at least `code`, even if the output is closed early. */
void exit_note(int code);
int exit_code(void);
/* An input could not be read to its end, which has been reported: the exit code is EXIT_FAILED, and no file that is
   being written replaces an existing one. */
void input_incomplete(void);
/* Does `stream` (stdout or stderr) go to a terminal that may be coloured? NO_COLOR says no. */
bool stream_has_color(FILE *stream);
/* A code for the terminal, empty if standard output is not coloured. */
typedef enum color { COLOR_END, COLOR_BOLD, COLOR_GREEN, COLOR_YELLOW, COLOR_RED } color_name;
const char *color_code(color_name c);
/* --color: overrides the check. */
typedef enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color_mode;
void color_set(color_mode mode);
/* From here on, standard output that goes to a terminal is shown by $PAGER (default: less -FRX, if there is one), until
   the program ends. */
void page_output(void);
/* Does stdout go to a terminal that shows UTF-8? */
bool stdout_has_unicode(void);

/* ---- Arguments -------------------------------------------------------------------------------------------------- */

/* A whole number from `low` to `high`; anything else ends the program, naming `what`. */
unsigned long number_read(const char *what, const char *s, unsigned long low, unsigned long high);
/* The same for the value of an option; `none` if it is not given. */
unsigned long option_number(const args *a, int index, unsigned long none, unsigned long low, unsigned long high);
/* Numbers of games, from 1: LOW..HIGH, LOW.., ..HIGH, or one number; both ends are included. An open end is 1 or
   UINT64_MAX. Anything else ends the program, naming `what`. */
typedef struct range {
    uint64_t low, high;
} range;
range range_read(const char *what, const char *s);
/* A number of bytes: 500M, 4G, or without a letter. */
uint64_t size_read(const char *what, const char *s);
/* The lines of a text file, or of standard input if `path` is NULL. Failures end the program, naming `who`. */
typedef struct line_reader {
    const char *who, *path;
    FILE *file;
    char *line; /* the last one, without its end; a NUL follows its `n` bytes */
    size_t n, cap;
    unsigned long number; /* of the line, from 1 */
} line_reader;
line_reader lines_open(const char *who, const char *path);
/* The next line; NULL after the last, and then everything is closed. */
char *lines_next(line_reader *l);
/* Adds the contents of a file, but not much more than `most` bytes, and closes it. False, and errno, on failure and for
   NULL. */
bool file_read(buffer *out, FILE *file, size_t most);
/* Zeroed memory; ends the program if there is none. */
void *memory_new(size_t n, size_t size);
/* Ends the program unless there was enough memory. */
static inline void memory_need(bool is_enough)
{
    if (!is_enough)
        memory_failed();
}
/* Returns what was allocated; NULL ends the program. */
static inline void *memory_got(void *memory)
{
    memory_need(memory);
    return memory;
}

/* ---- FEN -------------------------------------------------------------------------------------------------------- */

/* A FEN and where it came from. */
typedef struct fen_input {
    const char *s;
    size_t n;
    unsigned long line;  /* of standard input, from 1; 0 = the command line */
    unsigned long index; /* how many FENs came before it, good or not */
} fen_input;

/* The options about how positions are read, the same for all commands. */
#define OPTION_CHESS960                                                                                                \
    "chess960", 0, NULL, NULL, "KQkq mean the outermost rooks (X-FEN), and castling is written as king takes rook"
#define OPTION_ANY "any", 0, NULL, NULL, "allow positions that can be played but cannot arise in a game"

#define OPTION_STRICT "strict", 0, NULL, NULL, "refuse a FEN that deviates from the standard, instead of repairing it"

/* Which games are accepted. */
#define OPTION_ANY_VARIANT                                                                                             \
    "any-variant", 0, NULL, NULL, "read games of other variants as chess, as far as their moves are legal"

#define OPTION_GAMES_CHESS960                                                                                          \
    "chess960", 0, NULL, NULL,                                                                                         \
        "treat games without a Variant tag as Chess960 if their FEN tag has castling rights that only occur there"

/* The end of the description in --help of all these commands. */
#define FEN_HELP                                                                                                       \
    "FEN may be one argument or several; startpos, or no FEN at all, is the start position. Moves from the start "     \
    "position may replace it: 1. e4 c5."
#define FEN_HELP_STDIN FEN_HELP " A single - reads one FEN from each line of standard input; empty lines are skipped."

/* TBY_FEN_CHESS960 and TBY_FEN_STRICT, if those options are given. */
static inline unsigned fen_flags(const args *a, int chess960, int strict)
{
    return (args_has(a, chess960) ? (unsigned)TBY_FEN_CHESS960 : 0) |
           (args_has(a, strict) ? (unsigned)TBY_FEN_STRICT : 0);
}

/* TBY_PGN_ANY_VARIANT and TBY_PGN_CHESS960, if those options are given. */
static inline unsigned variant_flags(const args *a, int any_variant, int chess960)
{
    return (args_has(a, any_variant) ? (unsigned)TBY_PGN_ANY_VARIANT : 0) |
           (args_has(a, chess960) ? (unsigned)TBY_PGN_CHESS960 : 0);
}

/* Calls `visit` with the FEN that the words from `first_word` on name, or with each line of standard input for "-".
   Returns the worst exit code. */
int fen_each(const args *a, size_t first_word, int (*visit)(const args *a, const fen_input *fen));
/* Like fen_each, but for a command that takes one position only. */
int fen_one(const args *a, size_t first_word, int (*visit)(const args *a, const fen_input *fen));

/* One text as a FEN; startpos is the start position. */
fen_input fen_text(const char *s);
/* The words from `first` on, joined with spaces; the caller frees it. */
char *words_join(const args *a, size_t first);

/* Reports the problem, with the location of the FEN. */
void fen_refuse(const fen_input *fen, const problem *p);

/* Both say what is wrong with error_print and return false. */
bool setup_read(tby_setup *out, const fen_input *fen, unsigned flags, unsigned *warnings);
/* Reads a playable position: refuses all faults that are not in `allowed`, and reports what it repaired. */
bool position_read(tby_position *out, const fen_input *fen, unsigned flags, tby_faults allowed);

#endif
