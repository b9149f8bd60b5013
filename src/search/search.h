/*
 * search.h - the searches of tabiya_db.h, for any kind of database.
 *
 * A function that returns false has called db_fail.
 */
#ifndef TBY_SEARCH_SEARCH_H
#define TBY_SEARCH_SEARCH_H

#include "store/access.h"

/* The games of `among` that reach a position; NULL: all games. */
bool search_reach(tby_db *db, const tby_position *pos, const tby_db_search *among, const reaching_visitor *visitor);
/* What they play in many positions; those of `many` remain to be looked at one by one unless it becomes done. */
bool search_reach_many(tby_db *db, const tby_db_search *among, reaching_many *many);
bool search_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
/* The same for those games that count, without how many reach other positions. */
typedef bool (*explore_filter)(void *context, const tby_db_reaching *game);
bool search_explore_some(tby_db *db, const tby_position *pos, const tby_db_search *among, explore_filter counts,
                         void *context, tby_db_moves *out);
bool search_survey(tby_db *db, const tby_position *pos, const tby_db_survey_options *options, tby_db_survey *out);
bool search_match(tby_db *db, const tby_db_search *search, tby_db_played *out);
/* (report.c) */
bool search_report(tby_db *db, const tby_db_search *search, tby_color color, tby_report *out);
bool search_novelty(tby_db *db, const tby_game *game, const tby_novelty_options *options, tby_novelty *out);
/* (repertoire.c) */
bool search_gaps(tby_db *db, const tby_repertoire *r, tby_color side, const tby_db_search *among,
                 tby_repertoire_rows *out);
bool search_deviations(tby_db *db, const tby_repertoire *r, tby_color side, const tby_db_search *search,
                       tby_repertoire_rows *out);
bool search_near(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context);
bool search_suggest(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit, void *context);
/* (save.c) */
bool search_save(tby_db *db, tby_game_id old, const tby_game *game, tby_game_id *id);
bool search_collect(tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                    int64_t *n_changed);
/* Does one of the words, of two letters or more, begin a word of the name? A quick test that rules out most names; letters
   beyond ASCII are left to an exact one. (suggest.c) */
bool name_may_fit(tby_text name, const char *words, size_t n_words);
/* (suggest.c) */
bool search_known(tby_db *db, tby_db_names of, tby_text text, int64_t *n_names, int64_t *n_games);

#endif
