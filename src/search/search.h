/*
 * search.h - the searches of tabiya_db.h, for any kind of database.
 *
 * A function that returns false has called db_fail.
 */
#ifndef TBY_SEARCH_SEARCH_H
#define TBY_SEARCH_SEARCH_H

#include "store/access.h"

bool search_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
/* The games of `among` that reach a position; NULL: all games. */
bool search_pass(tby_db *db, const tby_position *pos, const tby_db_search *among, const passing_visitor *visitor);
bool search_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
bool search_survey(tby_db *db, const tby_position *pos, const tby_db_survey_options *options, tby_db_survey *out);
bool search_match(tby_db *db, const tby_db_search *search, tby_db_played *out);
bool search_near(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context);
bool search_suggest(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit, void *context);
/* (save.c) */
bool search_save(tby_db *db, tby_game_id old, const tby_game *game, tby_game_id *id);
bool search_collect(tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                    int64_t *n_changed);
/* The query meant by typed text; must be freed, even after a failure. */
bool search_typed(tby_db *db, tby_text typed, const tby_query_options *options, buffer *out, tby_query_error *err);

#endif
