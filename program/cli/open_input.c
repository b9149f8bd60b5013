/*
 * open_input.c - opens the inputs of a command.
 */
#include "open_input.h"
#include "database.h"
#include "progress.h"
#include "tabiya_db.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Games of a database or another input that are converted to PGN while they are read. */
typedef struct pgn_text {
    char name[1024];
    tby_game *game;
    buffer text; /* what is read from `at` on */
    size_t at;
    tby_db *db; /* NULL: another input */
    tby_game_id next, last;
    input *in;
    tby_games *games;
} pgn_text;

/* ---- Databases -------------------------------------------------------------------------------------------------- */

static bool add_hit(void *context, const tby_db_hit *hit)
{
    pgn_text *t = context;
    if (tby_db_game(t->game, t->db, hit->id) != TBY_OK) {
        progress_hide();
        error_print("%s: %s", t->name, tby_db_failure(t->db)->text);
        input_incomplete();
    } else {
        memory_need(tby_pgn_write(t->game, 0, buffer_sink, &t->text));
    }
    return true;
}

/* Writes the next games; false at the end. A few hundred at a time, so that memory does not depend on their number. */
static bool more_of_database(pgn_text *t)
{
    enum { STEP = 500 };
    char asked[64];
    if (t->next > t->last)
        return false;
    const int n = snprintf(asked, sizeof asked, "id %" PRId64 "..%" PRId64, t->next, t->next + STEP - 1);
    tby_query *query = tby_query_new(asked, (size_t)n, NULL, NULL, NULL);
    const tby_db_search search = {.query = query, .wanted = TBY_WANTED_GAMES, .n_threads = 1};
    memory_need(query);
    if (tby_db_find(t->db, &search, add_hit, t) != TBY_OK)
        error_exit("%s: %s", t->name, tby_db_failure(t->db)->text);
    tby_query_free(query);
    t->next += STEP;
    return true;
}

/* ---- Other notations -------------------------------------------------------------------------------------------- */

static void report_fault(void *context, const tby_game_fault *fault)
{
    const pgn_text *t = context;
    report r = {0};
    note_fault(&r, t->name, fault, tby_games_where(t->games).n_games);
    notes_print(&r, 0, 0);
    report_free(&r);
    input_incomplete();
}

static bool more_of_file(pgn_text *t)
{
    const tby_game_read read = tby_games_next(t->games, t->game, report_fault, t);
    memory_need(read != TBY_GAME_NO_MEMORY);
    memory_need(read != TBY_GAME_GOOD || tby_pgn_write(t->game, 0, buffer_sink, &t->text));
    if (read == TBY_GAME_END)
        input_is_whole(t->in);
    return read != TBY_GAME_END;
}

/* ---- Both ------------------------------------------------------------------------------------------------------- */

/* A tby_source. */
static size_t read_text(void *context, char *buf, size_t cap)
{
    pgn_text *t = context;
    if (t->at == t->text.n) {
        t->at = t->text.n = 0;
        while (t->text.n == 0 && (t->db ? more_of_database(t) : more_of_file(t)))
            ;
    }
    const size_t n = t->text.n - t->at < cap ? t->text.n - t->at : cap;
    memcpy(buf, t->text.s ? t->text.s + t->at : "", n);
    t->at += n;
    return n;
}

static void close_text(void *context)
{
    pgn_text *t = context;
    tby_db_close(t->db);
    tby_games_free(t->games);
    if (t->in)
        input_close(t->in);
    tby_game_free(t->game);
    buffer_free(&t->text);
    free(t);
}

static pgn_text *text_new(const char *name)
{
    pgn_text *t = memory_new(1, sizeof *t);
    tby_db_name_write(t->name, sizeof t->name, name);
    t->game = memory_got(tby_game_new(NULL));
    return t;
}

static input *input_of(pgn_text *t) { return memory_got(input_open_reader(t->name, read_text, t, close_text)); }

static input *open_database(const char *path)
{
    tby_failure failure;
    pgn_text *t = text_new(path);
    t->next = 1;
    if (tby_db_open(&t->db, path, TBY_DB_READ, &failure) == TBY_OK && tby_db_last_id(&t->last, t->db) == TBY_OK)
        return input_of(t); /* dates are those of the tags, so an earlier version makes no difference */
    error_print("%s: %s", t->name, t->db ? tby_db_failure(t->db)->text : failure.text);
    input_incomplete();
    close_text(t);
    return NULL;
}

input *input_open(const char *path)
{
    tby_failure failure;
    if (is_database(path))
        return open_database(path);
    input *in = input_open_file(path, &failure);
    memory_need(in ||
                failure.status != TBY_NO_MEMORY); /* not a fault of this file: the others could not be read either */
    if (!in) {
        error_print("%s: %s", strcmp(path, "-") == 0 ? "stdin" : path, failure.text);
        input_incomplete();
    }
    return in;
}

input *input_open_pgn(const char *path)
{
    input *in = input_open(path);
    const tby_game_notation *from = in ? input_notation(in, NULL) : NULL;
    if (!in || from->open_events)
        return in;
    pgn_text *t = text_new(input_name(in));
    t->in = in;
    t->games = memory_got(from->open(input_read, in, NULL));
    return input_of(t);
}

bool input_is_whole(const input *in)
{
    const tby_failure *failure = input_failure(in);
    if (!failure)
        return true;
    error_print("%s: %s", input_name(in), failure->text);
    input_incomplete();
    return false;
}

/* ---- One game --------------------------------------------------------------------------------------------------- */

static void read_from_database(tby_game *game, const char *who, const char *path, unsigned long number)
{
    tby_db *db = database_read(who, path);
    const tby_status status = tby_db_game(game, db, (tby_game_id)number);
    if (status == TBY_NOT_FOUND)
        error_exit("%s: %s has no game %lu", who, database_shown(path), number);
    if (status != TBY_OK)
        error_exit("%s: %s: %s", who, database_shown(path), tby_db_failure(db)->text);
    tby_db_close(db);
}

static void read_from_file(tby_game *game, const char *who, const char *path, unsigned long number)
{
    input *in = input_open(path);
    if (!in)
        exit(EXIT_FAILED);
    tby_games *games = memory_got(input_notation(in, NULL)->open(input_read, in, NULL));
    while (tby_games_where(games).n_games + 1 < number && tby_games_skip(games))
        ;
    const tby_game_read read = tby_games_next(games, game, NULL, NULL);
    if (interrupts_came())
        error_exit("%s: interrupted", who);
    if (read == TBY_GAME_END)
        error_exit("%s: %s has no game %lu", who, path, number);
    if (read != TBY_GAME_GOOD)
        error_exit("%s: %s: game %lu has a fault; `tabiya check` reports it", who, path, number);
    tby_games_free(games);
    input_close(in);
}

tby_game *one_game_read(const char *who, const char *path, unsigned long number)
{
    tby_game *game = memory_got(tby_game_new(NULL));
    if (is_database(path))
        read_from_database(game, who, path, number);
    else
        read_from_file(game, who, path, number);
    return game;
}
