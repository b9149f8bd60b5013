/*
 * click.h - a double click on the program, and files that are dropped on it.
 */
#ifndef TABIYA_CLI_CLICK_H
#define TABIYA_CLI_CLICK_H

/* The program was started without a shell, in a console of its own. Returns the words of `tabiya serve --open` for the files
   that its words name, or for the games that were served last; NULL if the words are a command. Games of other files are
   imported first, with `run`, into databases beside them. To be freed, but not the words themselves. */
char **click_words(int *argc, char **argv, int (*run)(int argc, char **argv));
/* The work is done: the window may close at once, which else waits for a reader. */
void click_done(void);

#endif
