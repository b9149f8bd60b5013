/*
 * cmd_publish.c - tabiya publish: writes a folder with games and the web board that any web server can serve.
 *
 *     DIR/index.html, worker.mjs ...    the page
 *     DIR/v/VERSION/                    its other files, which browsers may keep forever
 *     DIR/data/                         the games: docs/formats/published.md
 *     DIR/engine/                       an engine that runs in the browser, with --engine
 *
 * A file gets its name when it is complete, and data/manifest.json comes last: until then the old games are shown, and
 * then the new ones. Files of an earlier publication that nothing refers to any more are removed at the end.
 */
#include "assets.h"
#include "commands.h"
#include "engine_files.h"
#include "os/folder.h"
#include "progress.h"
#include "published_base.h"
#include "single.h"
#include "tabiya_publish.h"
#include "visits.h"
#include "whole_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_DATA_ONLY = N_QUERY_OPTIONS, OPT_ENGINE, OPT_MEMORY, OPT_OUTPUT, OPT_SINGLE, OPT_TITLE };

static const option options[] = {
    QUERY_COLORS,
    QUERY_CONDITIONS,
    [QUERY_LIMIT] = {OPTION_ABSENT},
    [QUERY_OFFSET] = {OPTION_ABSENT},
    [QUERY_SAMPLE] = {OPTION_ABSENT},
    [QUERY_SORT] = {OPTION_ABSENT},
    [OPT_DATA_ONLY] = {"data-only", 0, NULL, NULL, "write only the folder data/, without the page"},
    [OPT_ENGINE] =
        {"engine", 0, "DIR", NULL,
         "add the engine in DIR, which runs in the browser: a worker script, its .wasm file and its licence"},
    [OPT_MEMORY] = {"memory", 0, "SIZE", NULL,
                    "memory for sorting positions, besides about 800 bytes per game; less is slower (default: 3G)"},
    [OPT_OUTPUT] = {"output", 'o', "DIR", NULL, "the folder to write; games that were published there are replaced"},
    [OPT_SINGLE] = {"single", 0, "FILE", NULL,
                    "write the page and the games as one HTML file of up to 20 MB, which also opens from a disk"},
    [OPT_TITLE] = {"title", 0, "TEXT", NULL, "what the page calls the games (default: the name of the source)"},
    {0},
};

static const example examples[] = {
    {"tabiya publish games.db -o site", "Writes a folder to be copied to a web server."},
    {"tabiya publish club.pgn --title 'Club championship' -o site", "Publishes the games of a file."},
    {"tabiya publish games.db 'elo 2400..' -o site", "Publishes some of the games."},
    {"tabiya publish club.pgn --single club.html", "Writes one file, to be sent by mail or opened from a disk."},
    {"tabiya publish games.db --data-only -o games", "Publishes the games for programs, without the page."},
    {0},
};

/* Bytes of games in one HTML file: they become a third more. */
enum { SINGLE_MAX = 14000000 };

typedef struct publishing {
    const args *args;
    sources sources;
    tby_publisher *publisher;
    tby_publisher *late; /* also the games after those of the base; NULL: no base */
    published_base base; /* of the games that were published in this folder before */
    uint64_t digest;     /* of the games of a new base */
    bool is_delta;       /* only the late games are written */
    buffer manifest;     /* as the library wrote it */
    buffer path;         /* of the file being written, after the folder */
    size_t n_folder;
    buffer files; /* of a page that is one file */
    engine_files engine;
    buffer kept; /* names of the data files, each with a NUL */
    uint64_t n_bytes, n_new;
    uint64_t memory; /* 0: the default */
} publishing;

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static const char *path_of(publishing *w, const char *name)
{
    w->path.n = w->n_folder;
    buffer_string(&w->path, name);
    return w->path.s;
}

static void make_folder(publishing *w, const char *name)
{
    const char *path = path_of(w, name);
    if (!os_folder_make(path) && errno != EEXIST)
        error_exit("publish: %s: %s", path, strerror(errno));
}

/* Is a file with this name and size there? The name says what is in it. */
static bool is_there(const char *path, size_t n)
{
    os_about about;
    return os_about_path(&about, path) && about.kind == OS_FILE && about.size == n;
}

static void write_bytes(publishing *w, const char *name, const void *bytes, size_t n)
{
    char *path = memory_got(strdup(path_of(w, name))); /* whole_file_close still needs it */
    whole_file *file = whole_file_open(path);
    if (!file)
        write_failed(path);
    const bool is_good = n == 0 || fwrite(bytes, 1, n, file->file) == n;
    if (!whole_file_close(file) || !is_good)
        write_failed(path);
    free(path);
    w->n_new += n;
}

static bool put_data(void *context, const char *name, const uint8_t *bytes, size_t n)
{
    publishing *w = context;
    buffer path = {0};
    buffer_printf(&path, "data/%s", name);
    buffer_add(&w->kept, name, strlen(name) + 1);
    w->n_bytes += n;
    if (strcmp(name, "manifest.json") == 0) {
        buffer_add(&w->manifest, bytes, n);
        buffer_free(&path);
        return !interrupts_came();
    }
    if (args_value(w->args, OPT_SINGLE)) {
        single_add(&w->files, path.s, bytes, n);
        buffer_free(&path);
        return w->n_bytes <= SINGLE_MAX && !interrupts_came();
    }
    if (!is_there(path_of(w, path.s), n))
        write_bytes(w, path.s, bytes, n);
    buffer_free(&path);
    return !interrupts_came();
}

/* "0123456789abcdef.tby": this program's own. */
static bool is_data_name(const char *name)
{
    const size_t n = strspn(name, "0123456789abcdef");
    return n == 16 && (strcmp(name + n, ".tby") == 0 || strcmp(name + n, ".dir") == 0);
}

static bool is_kept(const publishing *w, const char *name)
{
    for (size_t at = 0; at < w->kept.n; at += strlen(w->kept.s + at) + 1)
        if (strcmp(w->kept.s + at, name) == 0)
            return true;
    return false;
}

/* Removes the files of earlier publications. */
static void remove_old(publishing *w)
{
    os_list *folder = os_list_open(path_of(w, "data"));
    buffer path = {0};
    for (const os_entry *entry; folder && (entry = os_list_next(folder)) != NULL;) {
        if (!is_data_name(entry->name) || is_kept(w, entry->name))
            continue;
        buffer_clear(&path);
        buffer_printf(&path, "data/%s", entry->name);
        if (!os_remove(path_of(w, path.s)))
            error_print("publish: %s: %s", w->path.s, strerror(errno));
    }
    os_list_close(folder);
    buffer_free(&path);
}

/* ---- The page --------------------------------------------------------------------------------------------------- */

static bool is_page(const asset *a) { return strcmp(a->path, "/") == 0; }
/* The server's alone. */
static bool is_of_server(const asset *a) { return strncmp(a->path, "/api/", 5) == 0; }
/* Browsers look for these beside the page. */
static bool is_beside_page(const asset *a)
{
    static const char *const names[] = {"/worker.mjs", "/manifest.webmanifest", "/icon.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(a->path, names[i]) == 0)
            return true;
    return false;
}

/* Reads the engine before anything is written. */
static void read_engine(publishing *w)
{
    problem p = {0};
    const char *folder = args_value(w->args, OPT_ENGINE);
    if (!folder)
        return;
    if (args_has(w->args, OPT_SINGLE) || args_has(w->args, OPT_DATA_ONLY))
        error_exit("publish: --engine needs the page: use it with -o DIR, without --data-only");
    if (!engine_files_read(&w->engine, folder, &p))
        error_exit("publish: --engine: %s", p.text);
    if (!w->engine.has_licence)
        error_exit("publish: --engine: %s has no licence; put the engine's there, as LICENSE or COPYING, because it is "
                   "published too",
                   folder);
    for (size_t i = 0; i < w->engine.n; i++)
        if (w->engine.of[i].n_bytes > TBY_PUBLISH_FILE_MAX)
            error_exit("publish: --engine: %s%s has more than 24 MB, which many hosts refuse; use a smaller engine",
                       folder, w->engine.of[i].path + strlen("/engine"));
}

static void write_engine(publishing *w)
{
    if (w->engine.n)
        make_folder(w, "engine");
    for (size_t i = 0; i < w->engine.n; i++)
        write_bytes(w, w->engine.of[i].path + 1, w->engine.of[i].bytes, w->engine.of[i].n_bytes);
}

static const char ENGINE_META[] = "\n  <meta name=\"tabiya-engine\" content=\"";

/* Did an earlier publication have an engine? */
static bool had_engine(publishing *w)
{
    enum { PAGE_MOST = 1 << 20 };
    buffer page = {0};
    FILE *file = fopen(path_of(w, "index.html"), "rb");
    const bool had = file && file_read(&page, file, PAGE_MOST) && page.n && strstr(page.s, ENGINE_META);
    buffer_free(&page);
    return had;
}

/* Removes its files, except those of the present one. */
static void remove_engine(publishing *w)
{
    os_list *folder = os_list_open(path_of(w, "engine"));
    buffer path = {0};
    for (const os_entry *entry; folder && (entry = os_list_next(folder)) != NULL;) {
        bool is_new = false;
        for (size_t i = 0; i < w->engine.n; i++)
            is_new |= strcmp(w->engine.of[i].path + strlen("/engine/"), entry->name) == 0;
        buffer_clear(&path);
        buffer_printf(&path, "engine/%s", entry->name);
        if (!is_new && !path.has_failed)
            os_remove(path_of(w, path.s));
    }
    os_list_close(folder);
    buffer_free(&path);
    if (w->engine.n == 0)
        os_folder_remove(path_of(w, "engine"));
}

/* <meta name="tabiya-engine" content="NAME NAME">, the script first. */
static void put_engine(buffer *out, const engine_files *engine)
{
    const char *separator = ENGINE_META;
    for (size_t i = 0; i < engine->n; i++)
        if (engine_file_name(&engine->of[i])) {
            buffer_printf(out, "%s%s", separator, engine_file_name(&engine->of[i]));
            separator = " ";
        }
    buffer_string(out, engine->n ? "\">" : "");
}

/* The page, which says where its games are. */
static void write_page(publishing *w, const asset *page)
{
    static const char head[] = "<meta charset=\"utf-8\">";
    buffer text = {0}, out = {0};
    buffer_add(&text, page->bytes, page->n_bytes);
    const char *at = strstr(text.s, head);
    const size_t n = at ? (size_t)(at - text.s) + strlen(head) : 0;
    buffer_add(&out, text.s, n);
    buffer_string(&out, "\n  <meta name=\"tabiya-games\" content=\"data/\">");
    put_engine(&out, &w->engine);
    buffer_add(&out, text.s + n, text.n - n);
    write_bytes(w, "index.html", out.s, out.n);
    buffer_free(&text);
    buffer_free(&out);
}

static void write_site(publishing *w)
{
    buffer name = {0};
    const asset *page = NULL;
    buffer_printf(&name, "v/%s", assets_version);
    make_folder(w, "v");
    make_folder(w, name.s);
    for (const asset *a = assets; a->path; a++) {
        if (is_page(a))
            page = a;
        if (is_page(a) || is_of_server(a) || strcmp(a->path, "/single.mjs") == 0)
            continue;
        buffer_clear(&name);
        buffer_printf(&name, "v/%s%s", assets_version, a->path);
        if (!is_there(path_of(w, name.s), a->n_bytes))
            write_bytes(w, name.s, a->bytes, a->n_bytes);
        if (is_beside_page(a))
            write_bytes(w, a->path + 1, a->bytes, a->n_bytes);
    }
    const bool has_old_engine = had_engine(w);
    write_engine(w);
    if (page)
        write_page(w, page);
    if (has_old_engine)
        remove_engine(w);
    buffer_clear(&name); /* other pages need an address that stays */
    buffer_printf(&name, "export * from './v/%s/tabiya-embed.js';\n", assets_version);
    write_bytes(w, "tabiya-embed.js", name.s, name.n);
    buffer_free(&name);
}

/* The page with its games as one file. */
static void write_single(publishing *w)
{
    buffer page = {0};
    if (!single_write(&page, &w->files))
        error_exit("publish: --single: this program was built without the web page");
    if (page.has_failed || w->files.has_failed)
        memory_failed();
    w->n_folder = 0;
    write_bytes(w, args_value(w->args, OPT_SINGLE), page.s, page.n);
    buffer_free(&page);
    buffer_free(&w->files);
}

/* ---- Games ------------------------------------------------------------------------------------------------------ */

static bool leave_out(source *s, const char *why)
{
    source_tell(s, why);
    input_incomplete();
    return true;
}

/* Games of several sources are numbered in their order, because each source has numbers of its own. */
static bool take_game(void *context, source *s, const tby_db_hit *hit)
{
    publishing *w = context;
    tby_row row;
    tby_failure failure;
    const bool is_one = w->sources.n == 1;
    const tby_game_id id = is_one ? hit->id : (tby_game_id)tby_publisher_n_games(w->publisher) + 1;
    const tby_status status = source_row(s, hit->id, &row);
    if (status == TBY_INVALID_DATABASE)
        return leave_out(s, source_error(s));
    if (status != TBY_OK)
        source_failed(s);
    if (tby_publisher_add(w->publisher, &row, id, &failure) == TBY_NO_MEMORY)
        memory_failed();
    else if (failure.status != TBY_OK)
        return leave_out(s, failure.text);
    if (w->late && tby_publisher_n_games(w->publisher) > w->base.n_games &&
        tby_publisher_add(w->late, &row, id, &failure) == TBY_NO_MEMORY)
        memory_failed();
    return !interrupts_came();
}

static bool show_progress(void *context, double fraction)
{
    (void)context;
    progress_update(fraction, 0, 0);
    return !interrupts_came();
}

/* The last part of a path, without its ending. */
static char *name_of(const char *path)
{
    const char *last = strrchr(path, '/');
    char *name = memory_got(strdup(last ? last + 1 : path)), *dot = strchr(name, '.');
    if (dot && dot > name)
        *dot = '\0';
    return name;
}

/* ---- Publishing again ------------------------------------------------------------------------------------------- */

/* More than that: the games are published as a whole again. */
enum { DELTA_SHARE = 4 };

static void find_base(publishing *w)
{
    buffer dir = {0};
    buffer_printf(&dir, "%s/", args_value(w->args, OPT_OUTPUT));
    if (published_base_read(&w->base, dir.s))
        w->late = memory_got(tby_publisher_new());
    buffer_free(&dir);
}

/* The files of the base stay: are they all there? */
static bool keep_base(publishing *w)
{
    char name[PUBLISHED_NAME_SIZE];
    buffer path = {0};
    bool is_good = true;
    for (size_t i = 0; is_good && published_base_file(&w->base, i, name); i++) {
        os_about about;
        buffer_clear(&path);
        buffer_printf(&path, "data/%s", name);
        is_good = is_data_name(name) && os_about_path(&about, path_of(w, path.s)) && about.kind == OS_FILE;
        if (is_good)
            buffer_add(&w->kept, name, strlen(name) + 1);
    }
    buffer_free(&path);
    return is_good;
}

/* Is each game of the base still the same, and are there few more? */
static bool decide_delta(publishing *w)
{
    const uint64_t n = tby_publisher_n_games(w->publisher), n_base = w->base.n_games;
    if (!w->late || n < n_base || n - n_base > n_base / DELTA_SHARE ||
        tby_publisher_digest(w->publisher, n_base) != w->base.digest)
        return false;
    if (keep_base(w))
        return true;
    buffer_clear(&w->kept);
    return false;
}

/* The manifest comes last: until then the old games are shown. */
static void write_manifest(publishing *w)
{
    buffer text = {0};
    if (w->is_delta)
        published_base_write_delta(&text, &w->base, w->manifest.n ? &w->manifest : NULL);
    else
        published_base_write(&text, &w->manifest, w->digest, &w->kept);
    if (text.has_failed || w->manifest.has_failed || w->kept.has_failed)
        memory_failed();
    if (args_has(w->args, OPT_SINGLE))
        single_add(&w->files, "data/manifest.json", text.s, text.n);
    else
        write_bytes(w, "data/manifest.json", text.s, text.n);
    w->n_bytes += w->is_delta ? w->base.n_bytes : 0;
    buffer_free(&text);
    buffer_free(&w->manifest);
    published_base_free(&w->base);
}

static void write_games(publishing *w)
{
    tby_failure failure;
    char *name = name_of(source_name(w->sources.of[0]));
    const char *title = args_value(w->args, OPT_TITLE);
    const tby_publish_options o = {
        .title = title ? title : name,
        .n_threads = (unsigned)option_number(w->args, QUERY_THREADS, 0, 1, 256),
        .memory = w->memory,
        .progress = show_progress,
    };
    tby_publisher *wanted = w->is_delta ? w->late : w->publisher;
    progress_begin("publishing");
    if (tby_publisher_n_games(wanted) && tby_publisher_write(wanted, &o, put_data, w, &failure) != TBY_OK) {
        progress_hide();
        if (w->n_bytes > SINGLE_MAX && args_value(w->args, OPT_SINGLE))
            error_exit(
                "publish: --single: the games take more than 14 MB, and one file is at most 20; publish a folder "
                "with -o DIR");
        error_exit("publish: %s",
                   interrupts_came() ? "interrupted; the games published before are unchanged" : failure.text);
    }
    progress_hide();
    free(name);
    write_manifest(w);
}

static void open_folder(publishing *w)
{
    buffer_printf(&w->path, "%s/", args_value(w->args, OPT_OUTPUT));
    w->n_folder = w->path.n;
    make_folder(w, "");
    make_folder(w, "data");
}

static int publish_run(const args *a)
{
    query q;
    publishing w = {.args = a, .sources = sources_of_words(a, 0), .publisher = memory_got(tby_publisher_new())};
    const bool is_single = args_has(a, OPT_SINGLE);
    if (is_single == args_has(a, OPT_OUTPUT) || (is_single && args_has(a, OPT_DATA_ONLY)))
        error_exit("publish: name the folder to write with -o DIR, or one file with --single FILE");
    read_engine(&w);
    if (args_has(a, OPT_MEMORY))
        w.memory = size_read("publish: --memory", args_value(a, OPT_MEMORY));
    sources_open(&w.sources, SOURCE_ONCE, SOURCE_ONCE);
    w.sources.text = words_query(w.sources.text);
    query_of_options(&q, a, w.sources.text, (tby_text){0}, NULL, source_db(w.sources.of[0]));
    q.search.wanted = TBY_WANTED_GAMES;
    if (!is_single)
        find_base(&w);
    const visits each = {.sources = &w.sources, .query = &q, .work = "reading", .visit = take_game, .context = &w};
    visits_run(&each);
    if (interrupts_came())
        error_exit("publish: interrupted; nothing is written");
    if (whole_files_are_spoiled())
        error_exit("publish: some input could not be read; nothing is written");
    const uint64_t n = tby_publisher_n_games(w.publisher);
    if (n == 0)
        error_exit("publish: there are no such games; nothing is written");
    if (!is_single)
        open_folder(&w);
    if (!is_single && !args_has(a, OPT_DATA_ONLY))
        write_site(&w);
    w.is_delta = !is_single && decide_delta(&w);
    w.digest = w.is_delta ? 0 : tby_publisher_digest(w.publisher, n);
    write_games(&w);
    is_single ? write_single(&w) : remove_old(&w);
    out_printf("%" PRIu64 " %s, %.1f MB, %.1f MB of it new\n", n, plural(n, "game", "games"), (double)w.n_bytes / 1e6,
               (double)w.n_new / 1e6);
    tby_publisher_free(w.publisher);
    tby_publisher_free(w.late);
    buffer_free(&w.path);
    buffer_free(&w.kept);
    engine_files_free(&w.engine);
    query_free(&q);
    return sources_close(&w.sources, EXIT_YES);
}

const command cmd_publish = {
    .name = "publish",
    .group = GROUP_SERVERS,
    .words = "SOURCE... [QUERY]",
    .summary = "write games as files for any web server",
    .description =
        "Writes a folder with the games and the web board. Copy it to any web server or static host: the page "
        "explores, searches and shows the games without a program on the server, because it fetches only the parts of "
        "the files that it needs (HTTP range requests). The folder works under any path. Publishing again writes only "
        "games that are new, if the others are the same as before; files with the same content keep their names, so "
        "that browsers and hosts need not load them again. Several sources become one collection, whose games are "
        "numbered in their order.\n\n" QUERY_HELP,
    .exits = "0  the folder was written\n2  wrong usage, a source could not be read, or the folder not written",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = publish_run,
};
