/*
 * terminal.h - the terminal, and the words with which the program was started.
 */
#ifndef TBY_OS_TERMINAL_H
#define TBY_OS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* The first call of the program. Standard streams that the caller has closed become ones that fail, so that no other
   file takes their place; they carry bytes as they are, and a terminal gets UTF-8 and escape codes; a closed pipe
   becomes a write error. On Windows, changes the words to UTF-8. False if the system has no resources left. */
bool os_begin(int *argc, char ***argv);

bool os_is_terminal(FILE *stream);
/* Its width; 0 if it is none. */
unsigned os_terminal_columns(FILE *stream);
/* Does it show colours? */
bool os_terminal_has_color(FILE *stream);
/* Does the user's locale have UTF-8? */
bool os_has_unicode(void);
/* Does the process still have the terminal that started it? */
bool os_has_terminal(void);
/* Was the program started by a double click, so that its console closes when it ends? */
bool os_owns_console(void);
/* Does a command line need double quotes, because the shell does not know single ones? */
bool os_needs_double_quotes(void);
/* The files that a pattern such as *.pgn means, in the order of their names, if the shell leaves that to the program:
   to be freed, while the names themselves stay. NULL if it is no pattern, or there is no such file. */
char **os_expand(const char *word, size_t *n);
/* Where the program may keep its own files, which exists afterwards: to be freed, NULL on failure. */
char *os_state_folder(void);

#endif
