/*
 * sources.c - the games that a command looks at: databases, servers and files of games.
 */
#include "sources.h"
#include "console.h"
#include "os/file.h"
#include "os/temporary.h"
#include "parallel.h"
#include "progress.h"
#include "query_options.h"
#include "whole_file.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_BYTES = 4 << 20 };

struct source {
    const args *args;
    const char *path, *from;
    char name[1024];
    tby_db *db;         /* NULL: a file that is read in order */
    char *stored;       /* the path of its temporary database; NULL: it has none */
    uint64_t most;      /* games that it may have; 0: any number */
    tby_db *closed;     /* with it: its database, or all that are joined; NULL: another source closes it */
    const tby_row *row; /* of the game that is visited, if it is such a file */
    bool is_file, has_failed, only_tags;
    int fault_code;
    source_counts read; /* of a file */
    tby_batch *batch;   /* of games that are being stored; NULL: none are */
};

/* ---- Which words are sources ------------------------------------------------------------------------------------ */

/* Does it have an extension, so that it is more likely the name of a missing file than a query? */
static bool has_ending(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot && dot[1] >= 'a' && dot[1] <= 'z' && !strpbrk(word, " \t\n") &&
           strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(dot + 1);
}

/* 1.e4 or 12...exd5: a move with its number, unless there is a file of that name. */
static bool is_numbered_move(const char *word)
{
    const char *dots = word + strspn(word, "0123456789"), *move = dots + strspn(dots, ".");
    return dots > word && move > dots && *move >= 'a' && *move <= 'h' &&
           ((move[1] >= '1' && move[1] <= '8') || move[1] == 'x');
}

/* A folder is not a source: the tree of chess has folders named like moves. */
static bool is_source(const char *word)
{
    os_about about;
    if (os_about_path(&about, word))
        return about.kind != OS_FOLDER;
    return strcmp(word, "-") == 0 || tby_db_is_server(word) || (has_ending(word) && !is_numbered_move(word));
}

sources sources_of_words(const args *a, size_t n_own)
{
    sources s = {.args = a};
    if (a->n_words == 0)
        error_exit("%s: no games given: name a database, a file of games, or - for standard input; try --help",
                   a->command->name);
    const bool query_is_first = a->n_words > 1 && !is_source(a->words[0]) && is_source(a->words[1]);
    s.names = a->words + query_is_first;
    s.n = 1;
    while (query_is_first + s.n < a->n_words && is_source(s.names[s.n]))
        s.n++;
    s.words = query_is_first ? a->words : a->words + s.n;
    s.n_words = query_is_first ? 1 : a->n_words - s.n;
    if (query_is_first && 1 + s.n < a->n_words)
        error_exit("%s: \"%s\" is not a file, and the query is already \"%s\"; put a query in quotes", a->command->name,
                   a->words[1 + s.n], a->words[0]);
    const args rest = {.words = s.words, .n_words = s.n_words};
    s.text = s.n_words > n_own ? words_join(&rest, n_own) : NULL;
    return s;
}

/* ---- Reading a file --------------------------------------------------------------------------------------------- */

/* Games that were read: all of them, or those that match the query. */
typedef struct result {
    tby_batch *batch;
    buffer hits; /* a tby_db_hit each, the id counted in the part; ply NO_GAME: the game has a fault */
    uint64_t n_bad;
} result;
enum { NO_GAME = -2 };

typedef struct stream {
    source *source;
    const tby_query *query; /* NULL: all games */
    bool keeps_places;      /* a game with a fault is replaced by an empty one */
    void (*take)(struct stream *st, const part *p, const result *res);
    atomic_bool is_over;
    /* of a search */
    source *const *of; /* those of the database that is searched */
    tby_db *db;
    const char *work;
    int64_t offset, limit; /* that the database does not apply */
    source_visit visit;
    void *context;
    int64_t n_seen;
    /* of storing */
    buffer gaps; /* tby_game_id of the empty games */
    int64_t n_stored;
} stream;

typedef struct reading {
    stream *st;
    result *result;
    part_games in;
    filter *filter;
    tby_game *empty;
    uint64_t games_before; /* counted if the query uses numbers */
} reading;

static void add_game(tby_batch *batch, const tby_game *game) { memory_need(tby_batch_add(batch, game) == TBY_OK); }

/* The first ply at which the query holds, -1 if it is about the game as a whole; NO_GAME if it does not hold. */
static int first_ply(reading *r, tby_game_id id)
{
    int ply;
    if (filter_first(r->filter, r->in.game, (tby_game_id)r->games_before + id, &ply) != FILTER_YES)
        return NO_GAME;
    return !r->st->query || tby_query_is_of_game(r->st->query) ? -1 : ply;
}

static void take_game(reading *r, bool is_good)
{
    const tby_game *game = r->in.game;
    tby_db_hit hit = {.id = (tby_game_id)tby_games_where(r->in.games).n_games, .ply = NO_GAME};
    if (is_good && tby_game_main_line(game, NULL, 0) > TBY_PLIES_MAX) {
        char why[64];
        snprintf(why, sizeof why, "more than %d half-moves", TBY_PLIES_MAX);
        part_games_refuse(&r->in, TBY_TOO_LONG, why);
        is_good = false;
    }
    r->result->n_bad += !is_good;
    if (is_good)
        hit.ply = first_ply(r, hit.id);
    if (hit.ply == NO_GAME && !r->st->keeps_places)
        return;
    add_game(r->result->batch, hit.ply == NO_GAME ? r->empty : game);
    buffer_add(&r->result->hits, (const char *)&hit, sizeof hit);
}

static void read_part(void *context, part *p)
{
    stream *st = context;
    reading r = {.st = st, .result = p->result};
    const bool needs_numbers = st->query && tby_query_needs(st->query) & TBY_QUERY_NEEDS_ID;
    tby_game_read read;
    r.empty = memory_got(tby_game_new(NULL));
    r.filter = filter_new(st->query);
    part_games_begin(&r.in, p, args_has(st->source->args, QUERY_CHESS960) ? TBY_PGN_CHESS960 : 0, NULL, NULL);
    r.games_before = needs_numbers ? part_games_before(p) : 0;
    while (!atomic_load(&st->is_over) && (read = part_games_next(&r.in)) != TBY_GAME_END) {
        take_game(&r, read == TBY_GAME_GOOD || st->source->only_tags);
        if (tby_batch_size(r.result->batch) > BATCH_BYTES)
            part_flush(p);
    }
    part_games_end(&r.in);
    if (needs_numbers)
        part_tell_games(p, p->n_games);
    filter_free(r.filter);
    tby_game_free(r.empty);
}

static void *result_new(void *context)
{
    result *res = memory_new(1, sizeof *res);
    (void)context;
    res->batch = memory_got(tby_batch_new());
    return res;
}

static void result_free(void *memory)
{
    result *res = memory;
    tby_batch_free(res->batch);
    buffer_free(&res->hits);
    free(res);
}

static void merge(void *context, part *p)
{
    stream *st = context;
    result *res = p->result;
    if (res->n_bad)
        exit_note(st->source->fault_code);
    part_print(p);
    if (!atomic_load(&st->is_over)) {
        st->source->read.bad += res->n_bad;
        st->source->read.games = p->games_before + p->n_games;
        st->take(st, p, res);
    }
    tby_batch_clear(res->batch);
    res->hits.n = 0;
    res->n_bad = 0;
}

/* If the file cannot be read to its end, that is reported. */
static void read_file(stream *st)
{
    job j = {.context = st, .result_new = result_new, .result_free = result_free, .work = read_part, .merge = merge};
    source *s = st->source;
    input *in = job_open(&j, s->path, s->from);
    s->has_failed |= !in || !parallel_run(in, threads_read(s->args, QUERY_THREADS), &j);
}

static tby_db_hit hit_of(const part *p, const result *res, size_t index)
{
    tby_db_hit hit;
    memcpy(&hit, res->hits.s + index * sizeof hit, sizeof hit);
    hit.id += (tby_game_id)p->games_before;
    return hit;
}

static void visit_game(stream *st, source *s, const tby_db_hit *hit)
{
    if (st->n_seen++ >= st->offset &&
        (!st->visit(st->context, s, hit) || (st->limit && st->n_seen - st->offset >= st->limit)))
        atomic_store(&st->is_over, true);
}

static void visit_games(stream *st, const part *p, const result *res)
{
    for (size_t i = 0; i < tby_batch_n_games(res->batch) && !atomic_load(&st->is_over); i++) {
        const tby_row row = tby_batch_row(res->batch, i);
        const tby_db_hit hit = hit_of(p, res, i);
        st->source->row = &row;
        visit_game(st, st->source, &hit);
        st->source->row = NULL;
    }
}

/* ---- A temporary database --------------------------------------------------------------------------------------- */

static char *temporary; /* its folder; NULL: there is none */

static void remove_temporary(void) { folder_remove(temporary); }

static void make_folder(void)
{
    temporary = os_temporary_folder();
    if (!temporary)
        error_exit("cannot create a temporary folder in %s: %s", os_temporary_place(), strerror(errno));
    atexit(remove_temporary);
}

static void store(source *s, const tby_batch *batch)
{
    tby_db_added added = {0};
    if (tby_db_add(&added, s->db, batch, TBY_DUPLICATES_KEEP) != TBY_OK)
        source_failed(s);
}

static void store_games(stream *st, const part *p, const result *res)
{
    for (size_t i = 0; i < tby_batch_n_games(res->batch); i++) {
        const tby_game_id id = ++st->n_stored;
        if (hit_of(p, res, i).ply == NO_GAME)
            buffer_add(&st->gaps, (const char *)&id, sizeof id);
    }
    if (st->source->most && (uint64_t)st->n_stored > st->source->most)
        error_exit("%s: %s has more than %" PRIu64 " games, which are too many to read at every start: write "
                   "`tabiya import games.db %s`, then `tabiya %s games.db`",
                   st->source->args->command->name, st->source->name, st->source->most, st->source->name,
                   st->source->args->command->name);
    store(st->source, res->batch);
    if (interrupts_came())
        error_exit("%s: interrupted", st->source->args->command->name);
}

static void begin_storing(source *s)
{
    static unsigned n_made;
    tby_failure failure;
    buffer path = {0};
    if (!temporary)
        make_folder();
    buffer_printf(&path, "%s/%u.db", temporary, n_made++);
    if (tby_db_open(&s->db, path.s, TBY_DB_CREATE, &failure) != TBY_OK)
        error_exit("%s: %s: %s", s->args->command->name, path.s, failure.text);
    s->stored = path.s;
    s->closed = s->db;
    database_watch(s->db);
    if (tby_db_begin(s->db) != TBY_OK)
        source_failed(s);
}

/* Games with a fault are deleted, so that their numbers stay unused. */
static void end_storing(source *s, source_use use, const buffer *gaps)
{
    int64_t n_deleted;
    if (tby_db_commit(s->db) != TBY_OK ||
        (gaps->n && tby_db_delete(&n_deleted, s->db, (const tby_game_id *)(const void *)gaps->s,
                                  gaps->n / sizeof(tby_game_id)) != TBY_OK))
        source_failed(s);
    if (use == SOURCE_POSITIONS) {
        database_work(s->db, "indexing");
        if (tby_db_index(s->db, TBY_INDEX_ALL, database_report, NULL) != TBY_OK)
            source_failed(s);
        database_done(s->db);
    }
}

static void store_file(source *s, source_use use)
{
    stream st = {.source = s, .keeps_places = true, .take = store_games};
    begin_storing(s);
    read_file(&st);
    end_storing(s, use, &st.gaps);
    buffer_free(&st.gaps);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static bool has_files;

bool sources_have_files(void) { return has_files; }

/* Into its place in the list at once: it must not be lost if a message ends the program. */
static void source_open(sources *all, size_t i, source_use use)
{
    source *s = all->of[i] = memory_new(1, sizeof *s);
    const char *path = s->path = all->names[i];
    s->args = all->args;
    s->from = all->from;
    s->only_tags = all->only_tags;
    s->most = all->most;
    s->fault_code = all->fault_code ? all->fault_code : EXIT_FAILED;
    s->is_file = !tby_db_is_server(path) && (all->from || !tby_db_is_file(path));
    tby_db_name_write(s->name, sizeof s->name, path);
    if (s->is_file) {
        os_about about;
        if (strcmp(path, "-") != 0 && !os_about_path(&about, path))
            error_exit("%s: %s: %s", s->args->command->name, path, strerror(errno));
        has_files = true;
        if (use != SOURCE_ONCE)
            store_file(s, use);
    } else {
        s->db = s->closed = database_read(s->args->command->name, path);
    }
}

/* Is the text plain words, to be looked up in the names of the games, or does it name a person, whose namesakes are known
   from all games? */
static bool needs_names(const sources *s, const char *text)
{
    tby_query *made = text ? query_try(text, strlen(text), patterns_of_option(s->args, QUERY_PATTERNS)) : NULL;
    const bool needs_them = made ? tby_query_needs(made) & TBY_QUERY_NEEDS_PEOPLE
                                 : text && plain_is_possible(text, strlen(text));
    tby_query_free(made);
    return needs_them;
}

static bool options_need_names(const sources *s)
{
    static const int indexes[] = {QUERY_PLAYER, QUERY_WHITE, QUERY_BLACK};
    bool need_them = needs_names(s, args_value(s->args, QUERY_QUERY));
    for (size_t i = 0; i < s->args->n_given; i++)
        for (size_t k = 0; k < sizeof indexes / sizeof *indexes; k++) {
            const given *g = &s->args->given[i];
            buffer fact = {0};
            if (g->index != indexes[k] || !g->value)
                continue;
            person_add(&fact, "player", g->value);
            need_them |= !fact.has_failed && needs_names(s, fact.s);
            buffer_free(&fact);
        }
    return need_them;
}

void sources_open(sources *s, source_use use, source_use others)
{
    const bool is_stored = args_has(s->args, QUERY_WHERE) || needs_names(s, s->text) || options_need_names(s);
    if (args_has(s->args, QUERY_WHERE))
        database_extend();
    interrupts_catch();
    s->of = memory_new(s->n, sizeof *s->of);
    for (size_t i = 0; i < s->n; i++) {
        const source_use wanted = i ? others : use;
        source_open(s, i, is_stored && wanted == SOURCE_ONCE ? SOURCE_AGAIN : wanted);
    }
}

int sources_close(sources *s, int code)
{
    for (size_t i = 0; i < s->n; i++) {
        const int own = s->of[i]->has_failed ? EXIT_FAILED : s->of[i]->read.bad ? s->of[i]->fault_code : code;
        code = own > code ? own : code;
        tby_db_close(s->of[i]->closed);
        free(s->of[i]->stored);
        free(s->of[i]);
    }
    free(s->of);
    free(s->text);
    return code;
}

/* ---- One source ------------------------------------------------------------------------------------------------- */

const char *source_name(const source *s) { return s->name; }
bool source_is_file(const source *s) { return s->is_file; }
tby_db *source_db(const source *s) { return s->db; }
const char *source_database(const source *s) { return s->stored ? s->stored : s->path; }
const char *source_error(const source *s) { return s->db ? tby_db_failure(s->db)->text : "out of memory"; }

void source_tell(const source *s, const char *why)
{
    progress_hide();
    error_print("%s: %s: %s", s->args->command->name, s->name, why);
    exit_note(EXIT_FAILED);
}

_Noreturn void source_failed(source *s)
{
    source_tell(s, source_error(s));
    exit(EXIT_FAILED);
}

/* ---- All sources ------------------------------------------------------------------------------------------------ */

static void join(const sources *all)
{
    tby_db **members = memory_new(all->n, sizeof *members);
    const char **names = memory_new(all->n, sizeof *names);
    tby_failure failure;
    for (size_t i = 0; i < all->n; i++) {
        assert(all->of[i]->closed == all->of[i]->db);
        members[i] = all->of[i]->db;
        names[i] = all->of[i]->name;
        all->of[i]->closed = NULL;
    }
    if (tby_db_join(&all->of[0]->closed, members, names, all->n, &failure) != TBY_OK)
        error_exit("%s: %s", all->args->command->name, failure.text);
    tby_db_use_own_ids(all->of[0]->closed);
    free(members);
    free(names);
}

tby_db *sources_db(const sources *all)
{
    const source *first = all->of[0];
    for (size_t i = 0; i < all->n; i++)
        if (!all->of[i]->db)
            return NULL;
    if (all->n == 1)
        return first->db;
    if (first->closed == first->db)
        join(all);
    return first->closed;
}

_Noreturn void sources_failed(const sources *all)
{
    if (all->n == 1)
        source_failed(all->of[0]);
    progress_hide();
    error_print("%s: %s", all->args->command->name, tby_db_failure(sources_db(all))->text);
    exit(EXIT_FAILED);
}

static bool visit_hit(void *context, const tby_db_hit *hit)
{
    stream *st = context;
    tby_db_hit own = *hit;
    visit_game(st, st->of[tby_db_place(st->db, &own.id)], &own);
    return !atomic_load(&st->is_over);
}

static void find_stored(stream *st, const sources *all, const tby_db_search *search)
{
    st->of = all->of;
    st->db = sources_db(all);
    if (st->work)
        database_work(st->db, st->work);
    if (tby_db_find(st->db, search, visit_hit, st) != TBY_OK && !interrupts_came())
        sources_failed(all);
}

/* One after the other, because some are files. */
static void find_in_each(stream *st, const sources *all, const tby_db_search *search)
{
    tby_db_search whole = *search;
    st->offset = search->offset;
    st->limit = search->limit;
    whole.offset = whole.limit = 0;
    for (size_t i = 0; i < all->n && !atomic_load(&st->is_over) && !interrupts_came(); i++) {
        const sources one = {.args = all->args, .of = all->of + i, .n = 1};
        st->source = all->of[i];
        if (st->source->db)
            find_stored(st, &one, &whole);
        else
            read_file(st);
    }
}

void sources_find(const sources *all, const tby_db_search *search, const char *work, source_visit visit, void *context)
{
    stream st = {.take = visit_games, .query = search->query, .work = work, .visit = visit, .context = context};
    if (sources_db(all))
        find_stored(&st, all, search);
    else
        find_in_each(&st, all, search);
}

void sources_done(const sources *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i]->db)
            database_done(all->of[i]->db);
    if (sources_db(all))
        database_done(sources_db(all));
    progress_hide();
}

/* ---- The games of a source -------------------------------------------------------------------------------------- */

source_counts source_count(source *s)
{
    int64_t n = 0;
    if (s->is_file)
        return s->read;
    if (tby_db_n_games(&n, s->db) != TBY_OK)
        source_failed(s);
    return (source_counts){.games = (uint64_t)n};
}

tby_status source_row(source *s, tby_game_id id, tby_row *out)
{
    if (s->db)
        return tby_db_row(out, s->db, id);
    *out = *s->row;
    return TBY_OK;
}

tby_status source_game(source *s, tby_game_id id, tby_game *out)
{
    return s->db ? tby_db_game(out, s->db, id) : tby_row_game(out, s->row, NULL);
}
