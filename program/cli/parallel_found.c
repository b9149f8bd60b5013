/*
 * parallel_found.c - runs a job on the games of a database that a query finds: the database finds them, with its
 * indexes, and the parts of the job have their PGN.
 */
#include "database.h"
#include "parallel.h"
#include "progress.h"

enum { PART_BYTES = 1 << 15 };

typedef struct finding {
    tby_db *db;
    const char *name;
    tby_game *game;
    buffer text;
    struct run *run;
    const job *job;
} finding;

static bool add_game(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    f->text.n = 0;
    if (tby_db_game(f->game, f->db, hit->id) != TBY_OK) {
        progress_hide();
        error_print("%s: %s", f->name, tby_db_failure(f->db)->text);
        input_incomplete();
        return true;
    }
    memory_need(tby_pgn_write(f->game, 0, buffer_sink, &f->text));
    if (part_add(parallel_part(f->run), f->text.s, f->text.n) >= PART_BYTES)
        parallel_hand_over(f->run);
    return !f->job->is_full || !atomic_load(f->job->is_full);
}

bool parallel_found(tby_db *db, const char *name, const tby_db_search *asked, const job *j)
{
    finding f = {.db = db, .name = name, .game = memory_got(tby_game_new(NULL)), .job = j};
    tby_db_search search = *asked;
    search.wanted = TBY_WANTED_GAMES;
    search.progress = database_report;
    database_work(db, name);
    f.run = parallel_begin(j, asked->n_threads);
    const bool is_found = tby_db_find(db, &search, add_game, &f) == TBY_OK;
    if (part_add(parallel_part(f.run), NULL, 0) > 0)
        parallel_hand_over(f.run);
    parallel_end(f.run);
    database_done(db);
    if (!is_found)
        error_print("%s: %s", name, tby_db_failure(db)->text);
    if (j->end)
        j->end(j->context);
    tby_game_free(f.game);
    buffer_free(&f.text);
    return is_found;
}
