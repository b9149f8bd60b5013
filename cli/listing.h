/*
 * listing.h - what a search found, a line a game: for people, as tab-separated values, or as JSON.
 */
#ifndef TABIYA_CLI_LISTING_H
#define TABIYA_CLI_LISTING_H

#include "database.h"

typedef enum listing_form { LISTING_TEXT, LISTING_TSV, LISTING_JSON } listing_form;
typedef struct listing listing;

/* Prints the header, if the form has one. Failures end the program. */
listing *listing_new(const args *a, tby_db *db, listing_form form);
void listing_free(listing *l);
void listing_print(listing *l, const tby_db_hit *hit);

#endif
