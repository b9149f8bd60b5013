/*
 * sources.c - the games that a command looks at: databases, servers and files of games.
 */
#include "sources.h"
#include "console.h"
#include "job.h"
#include "notes.h"
#include "os/file.h"
#include "os/temporary.h"
#include "progress.h"
#include "query_options.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const args *args;
    const char *path;
    char name[1024];
    tby_db *db;         /* NULL: a file that is read in order */
    char *stored;       /* the path of its temporary database; NULL: it has none */
    tby_db *closed;     /* with it: its database, or all that are joined; NULL: another source closes it */
    const tby_row *row; /* of the game that is visited, if it is such a file */
    bool is_file, has_failed;
    int fault_code;
    tby_db_games how;       /* how it is read */
    tby_db_games_read read; /* of a file */
    source *next;           /* of those that are open */
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

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* The file, as far as it can be read, is not whole; its games so far count. */
static void report_failure(source *s, const char *name, const char *why)
{
    progress_hide();
    error_print("%s: %s", name, why);
    input_incomplete();
    s->has_failed = true;
}

static bool report_fault(void *context, const char *name, const tby_game_fault *fault, uint64_t game)
{
    report line = {0};
    if (game == 0 && fault->error.status == TBY_IO_ERROR)
        report_failure(context, name, fault->text);
    else
        note_fault(&line, name, fault, game);
    notes_print(&line, 0, 0);
    report_free(&line);
    return true;
}

static bool show_progress(void *context, const char *name, double fraction, uint64_t n_bytes, uint64_t n_games)
{
    static const char indexing[] = "indexing";
    static bool was_indexing;
    const bool is_indexing = strcmp(name, indexing) == 0;
    (void)context;
    if (is_indexing != was_indexing)
        progress_begin(name);
    was_indexing = is_indexing;
    progress_update(fraction, n_bytes, n_games);
    return !interrupts_came();
}

/* Games with a fault were counted. */
static void end_reading(const source *s)
{
    progress_hide();
    if (s->read.bad)
        exit_note(s->fault_code);
}

/* ---- Temporary databases ---------------------------------------------------------------------------------------- */

static source *opened; /* the last one */

/* The program may end while they are open. */
static void remove_temporary(void)
{
    for (source *s = opened; s; s = s->next)
        if (s->stored) {
            s->stored[os_name_in_path(s->stored) - s->stored] = '\0';
            os_temporary_folder_remove(s->stored);
        }
}

static _Noreturn void fail_to_store(const source *s, const tby_failure *failure)
{
    const char *who = s->args->command->name;
    if (failure->status == TBY_INTERRUPTED)
        error_exit("%s: interrupted", who);
    if (failure->status == TBY_TOO_MANY)
        error_exit("%s: %s has more than %" PRIu64 " games, which are too many to read at every start: write "
                   "`tabiya import games.db %s`, then `tabiya %s games.db`",
                   who, s->name, s->how.most, s->name, who);
    if (s->has_failed)
        exit(EXIT_FAILED);
    error_exit("%s: %s: %s", who, strcmp(s->path, "-") == 0 ? "stdin" : s->name, failure->text);
}

static void store_file(source *s, bool wants_positions)
{
    static bool is_watched;
    tby_failure failure;
    s->how.wants_positions = wants_positions;
    progress_begin(s->name);
    const tby_status status = tby_db_open_games(&s->db, &s->path, 1, &s->how, &failure);
    end_reading(s);
    if (status != TBY_OK)
        fail_to_store(s, &failure);
    if (!is_watched)
        atexit(remove_temporary);
    is_watched = true;
    s->stored = memory_got(strdup(tby_db_temporary_path(s->db)));
    s->closed = s->db;
    database_watch(s->db);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static bool has_files;

bool sources_have_files(void) { return has_files; }

/* Into its place in the list at once: it must not be lost if a message ends the program. */
static void source_open(sources *all, size_t i, source_use use)
{
    source *s = all->of[i] = memory_new(1, sizeof *s);
    const char *path = s->path = all->names[i];
    const unsigned n_threads = threads_read(all->args, QUERY_THREADS);
    s->args = all->args;
    s->next = opened;
    opened = s;
    s->fault_code = all->fault_code ? all->fault_code : EXIT_FAILED;
    s->is_file = !tby_db_is_server(path) && (all->from || !tby_db_is_file(path));
    s->how = (tby_db_games){.notation = all->from,
                            .flags = args_has(all->args, QUERY_CHESS960) ? TBY_PGN_CHESS960 : 0,
                            .n_threads = n_threads,
                            .takes_faulty = all->only_tags,
                            .most = all->most,
                            .counts = &s->read,
                            .fault = report_fault,
                            .progress = show_progress,
                            .context = s};
    tby_db_name_write(s->name, sizeof s->name, path);
    if (s->is_file) {
        os_about about;
        if (strcmp(path, "-") != 0 && !os_about_path(&about, path))
            error_exit("%s: %s: %s", s->args->command->name, path, strerror(errno));
        has_files = true;
        if (use != SOURCE_ONCE)
            store_file(s, use == SOURCE_POSITIONS);
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

static void source_close(source *s)
{
    source **link = &opened;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    tby_db_close(s->closed);
    free(s->stored);
    free(s);
}

int sources_close(sources *s, int code)
{
    for (size_t i = 0; i < s->n; i++) {
        const int own = s->of[i]->has_failed ? EXIT_FAILED : s->of[i]->read.bad ? s->of[i]->fault_code : code;
        code = own > code ? own : code;
        source_close(s->of[i]);
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

typedef struct finding {
    const sources *all;
    source *file;          /* that is read in order */
    tby_db *db;            /* or that is searched */
    int64_t offset, limit; /* that the database does not apply */
    int64_t n_seen;
    source_visit visit;
    void *context;
    bool is_over;
} finding;

static bool visit_game(finding *f, source *s, const tby_db_hit *hit)
{
    if (f->n_seen++ >= f->offset)
        f->is_over = !f->visit(f->context, s, hit) || (f->limit && f->n_seen - f->offset >= f->limit) ||
                     interrupts_came();
    return !f->is_over;
}

static bool visit_hit(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    tby_db_hit own = *hit;
    return visit_game(f, f->all->of[tby_db_place(f->db, &own.id)], &own);
}

static bool visit_row(void *context, const tby_db_hit *hit, const tby_row *row)
{
    finding *f = context;
    f->file->row = row;
    const bool goes_on = visit_game(f, f->file, hit);
    f->file->row = NULL;
    return goes_on;
}

static void find_stored(finding *f, const sources *all, const tby_db_search *search, const char *work)
{
    f->all = all;
    f->db = sources_db(all);
    if (work)
        database_work(f->db, work);
    if (tby_db_find(f->db, search, visit_hit, f) != TBY_OK && !interrupts_came())
        sources_failed(all);
}

static void find_in_file(finding *f, source *s, const tby_query *wanted)
{
    tby_failure failure;
    f->file = s;
    s->read = (tby_db_games_read){0};
    progress_begin(s->name);
    const tby_status status = tby_db_find_in_file(s->path, wanted, &s->how, visit_row, f, &failure);
    end_reading(s);
    if (status != TBY_OK && !interrupts_came())
        report_failure(s, strcmp(s->path, "-") == 0 ? "stdin" : s->name, failure.text);
}

void sources_find(const sources *all, const tby_db_search *search, const char *work, source_visit visit, void *context)
{
    finding f = {.visit = visit, .context = context};
    if (sources_db(all)) {
        find_stored(&f, all, search, work);
        return;
    }
    tby_db_search whole = *search; /* one after the other, because some are files */
    f.offset = search->offset;
    f.limit = search->limit;
    whole.offset = whole.limit = 0;
    for (size_t i = 0; i < all->n && !f.is_over && !interrupts_came(); i++) {
        const sources one = {.args = all->args, .of = all->of + i, .n = 1};
        if (all->of[i]->db)
            find_stored(&f, &one, &whole, work);
        else
            find_in_file(&f, all->of[i], search->query);
    }
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

tby_db_games_read source_count(source *s)
{
    int64_t n = 0;
    if (s->is_file)
        return s->read;
    if (tby_db_n_games(&n, s->db) != TBY_OK)
        source_failed(s);
    return (tby_db_games_read){.games = (uint64_t)n};
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
