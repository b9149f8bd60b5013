/*
 * listing.h - what a search found, a line a game: for people, as tab-separated values, or as JSON.
 */
#ifndef TABIYA_CLI_LISTING_H
#define TABIYA_CLI_LISTING_H

#include "buffer.h"
#include "database.h"

typedef enum listing_form { LISTING_TEXT, LISTING_TSV, LISTING_JSON } listing_form;
typedef struct listing listing;

/* NULL if the database has no such games, with SQLite's error. */
listing *listing_new(tby_db *db, listing_form form);
void listing_free(listing *l);
/* Adds the header, if the form has one. */
void listing_header(const listing *l, buffer *out);
/* Adds the game's line; false if it could not be read, with SQLite's error. */
bool listing_write(listing *l, buffer *out, const tby_db_hit *hit);

#endif
