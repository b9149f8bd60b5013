/*
 * pgn_known.c - the games of tabiya pgn --known: of a file, or of a database.
 */
#include "pgn_known.h"
#include "database.h"
#include "progress.h"

#include <inttypes.h>

/* A database while its games are visited. */
typedef struct visiting {
    picking *picking;
    tby_db *db;
    const char *name;
    tby_game *game;
    buffer room;
    uint64_t n_games;
} visiting;

static void visit_game(visiting *v)
{
    const same_rule *rule = &v->picking->same;
    if (v->picking->pass == PASS_MARK) {
        same_mark(rule, v->game, &v->room);
        return;
    }
    const same_hashes hashes = same_hashes_of(rule, v->game, &v->room);
    same_add(rule, &hashes);
}

static bool visit_hit(void *context, const tby_db_hit *hit)
{
    visiting *v = context;
    database_progress(-1, ++v->n_games);
    if (tby_db_game(v->db, hit->id, v->game) == TBY_OK) {
        visit_game(v);
    } else if (v->picking->pass == PASS_KNOWN) {
        progress_hide();
        error_print("%s: game %" PRId64 ": %s", v->name, hit->id, tby_db_error(v->db));
        v->picking->n_bad++;
    }
    return true;
}

static bool read_database(picking *p, const char *path)
{
    const tby_db_search search = {.wanted = TBY_WANTED_GAMES};
    char error[TBY_DB_ERROR_SIZE], name[1024];
    visiting v = {.picking = p, .name = name, .game = tby_game_new(NULL)};
    if (!v.game)
        error_exit("out of memory");
    tby_db_name_write(name, sizeof name, path);
    if (tby_db_open(&v.db, path, TBY_DB_READ, error) != TBY_OK)
        error_exit("pgn: %s: %s", name, error);
    database_work(v.db, name);
    const bool is_read = tby_db_find(v.db, &search, visit_hit, &v) == TBY_OK;
    database_done(v.db);
    if (!is_read)
        error_print("%s: %s", name, tby_db_error(v.db));
    tby_db_close(v.db);
    tby_game_free(v.game);
    buffer_free(&v.room);
    return is_read;
}

bool known_read(picking *p, const char *path, unsigned n_threads)
{
    if (tby_db_is_server(path) || tby_db_is_file(path))
        return read_database(p, path);
    return picking_read(p, path, n_threads);
}
