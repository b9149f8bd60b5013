/*
 * cmd_serve.c - tabiya serve: the web board and the JSON API.
 */
#include "analyse.h"
#include "commands.h"
#include "database.h"
#include "desk.h"
#include "engine_files.h"
#include "os/file.h"
#include "os/process.h"
#include "os/random.h"
#include "os/terminal.h"
#include "query_options.h"
#include "sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_OPEN,
    OPT_PATTERNS,
    OPT_PORT,
    OPT_WRITE,
    OPT_BROWSER_ENGINE,
    OPT_ENGINE,
    OPT_ENGINE_HASH,
    OPT_ENGINE_MEMORY,
    OPT_ENGINE_SECONDS,
    OPT_ENGINE_THREADS,
    OPT_ENGINES,
    OPT_ALLOW_ORIGIN,
    OPT_BASE,
    OPT_BEHIND_PROXY,
    OPT_BIND,
    OPT_CLIENT_LIMIT,
    OPT_HOST,
    OPT_LOG,
    OPT_MAX_AGE,
    OPT_TIMEOUT
};

static const option options[] = {
    [OPT_OPEN] = {"open", 0, NULL, NULL,
                  "open the page in the browser; if these games are being served already, only that. A port that is in "
                  "use is replaced by a free one, unless --port is given"},
    [OPT_PATTERNS] = {OPTION_PATTERNS},
    [OPT_PORT] = {"port", 0, "N", NULL, "listen on this port (default: 8064); 0 picks a free one"},
    [OPT_WRITE] = {"write", 0, NULL, NULL,
                   "let the page at the printed address, which has a secret token, save, change and delete games; only "
                   "for this machine"},
    [OPT_BROWSER_ENGINE] = {"browser-engine", 0, "DIR", NULL,
                            "offer the engine in DIR, a worker script with its .wasm file, which runs in the browser"},
    [OPT_ENGINE] = {"engine", 0, "PROGRAM", NULL, "offer this UCI engine, such as stockfish, on the page"},
    [OPT_ENGINE_HASH] = {"engine-hash", 0, "MIB", NULL, "size of an engine's hash table (default: 64)"},
    [OPT_ENGINE_MEMORY] = {"engine-memory", 0, "MIB", NULL,
                           "memory limit of an engine (default: its hash size + 1024)"},
    [OPT_ENGINE_SECONDS] = {"engine-seconds", 0, "N", NULL, "time limit of an analysis (default: 60)"},
    [OPT_ENGINE_THREADS] = {"engine-threads", 0, "N", NULL, "threads per engine (default: 1)"},
    [OPT_ENGINES] = {"engines", 0, "N", NULL, "run at most N engines at a time (default: 2)"},
    [OPT_ALLOW_ORIGIN] =
        {"allow-origin", 0, "ORIGIN", NULL,
         "let pages from ORIGIN, such as https://example.org, read the answers; * allows any; repeatable"},
    [OPT_BASE] = {"base", 0, "PATH", NULL, "serve everything under PATH, such as /chess (default: the root)"},
    [OPT_BEHIND_PROXY] = {"behind-proxy", 0, NULL, NULL,
                          "take clients' addresses, for --log and --client-limit, from the last entry of "
                          "X-Forwarded-For; only safe behind a proxy that sets it"},
    [OPT_BIND] = {"bind", 0, "ADDRESS", NULL,
                  "listen on this address (default: 127.0.0.1); 0.0.0.0 or :: listens on all"},
    [OPT_CLIENT_LIMIT] = {"client-limit", 0, "N", NULL,
                          "answer at most N heavy requests (searches, conversions, explorer) per client at a time, and "
                          "further ones with 429 (default: no limit)"},
    [OPT_HOST] = {"host", 0, "NAME", NULL,
                  "also answer requests for this host name, as a proxy forwards them; repeatable"},
    [OPT_LOG] = {"log", 0, "FILE", NULL, "append one line per request to FILE; SIGHUP reopens it"},
    [OPT_MAX_AGE] = {"max-age", 0, "SECONDS", NULL,
                     "let browsers and proxies cache answers from the database this long (default: 0)"},
    [OPT_TIMEOUT] =
        {"timeout", 0, "SECONDS", NULL,
         "close connections whose request is not received, answered and read within this time (default: 30)"},
    {0},
};

static const option_heading headings[] = {
    {OPT_OPEN, "The page"}, {OPT_BROWSER_ENGINE, "Engines"}, {OPT_ALLOW_ORIGIN, "A server for others"}, {0}};

static const example examples[] = {
    {"tabiya serve", "Serves the board and converter at http://127.0.0.1:8064/."},
    {"tabiya serve games.pgn", "Adds an explorer of the games of a file."},
    {"tabiya serve --open games.db", "Shows the games in the browser."},
    {"tabiya serve masters.db mine.db", "The same for the games of two databases together."},
    {"tabiya serve games.db --host chess.example.org --base /games",
     "Runs behind a proxy that forwards https://chess.example.org/games/."},
    {"tabiya serve games.db --log access.log --client-limit 4",
     "Logs requests, and keeps one client from occupying all threads."},
    {"tabiya serve games.db --engine stockfish", "Adds engine analysis."},
    {"tabiya serve games.db --browser-engine stockfish-lite/", "Adds an engine that runs in the visitor's browser."},
    {"tabiya serve games.db --write", "Lets the page change the database."},
    {"curl 'http://127.0.0.1:8064/api/explore?moves=1.+e4+c5'", "Queries the JSON API."},
    {0},
};

/* ---- What is served --------------------------------------------------------------------------------------------- */

/* Games of a file that are read at every start, which takes some seconds. */
enum { FILE_GAMES_MAX = 100000 };

static bool is_file_of_games(const char *path)
{
    return strcmp(path, "-") == 0 || (os_is_file(path) && !tby_db_is_file(path));
}

static void refuse_folder(const char *path)
{
    if (!tby_db_is_server(path) && os_is_folder(path))
        error_exit("serve: %s is a folder; to serve the games in it, write `tabiya import games.db %s/*.pgn`, then "
                   "`tabiya serve games.db`",
                   path, path);
}

/* Reads the games into a temporary database, which remains until the program ends: its path, to be freed. */
static char *read_games(const args *a, const char *path)
{
    const args without_options = {.command = a->command};
    sources all = {
        .args = &without_options, .names = &path, .n = 1, .most = FILE_GAMES_MAX, .fault_code = FAULTS_ALLOWED};
    sources_open(&all, SOURCE_POSITIONS, SOURCE_POSITIONS);
    const tby_db_games_read read = source_count(all.of[0]);
    if (read.games == read.bad)
        error_exit("serve: %s: it is neither a database nor a file with games", path);
    char *stored = memory_got(strdup(source_database(all.of[0])));
    free(all.of);
    return stored;
}

/* The server opens the database itself, and reports failures. */
static void report_note(const char *path)
{
    tby_failure ignored;
    tby_db *db;
    if (tby_db_is_server(path) || tby_db_open(&db, path, TBY_DB_READ, &ignored) != TBY_OK)
        return;
    database_tell_note("serve", path, db);
    tby_db_close(db);
}

/* The paths of all databases, ended by NULL; with the name of what they are, unless it is one database. */
static char **open_words(const args *a, buffer *name)
{
    char **paths = memory_new(a->n_words + 1, sizeof *paths);
    for (size_t i = 0; i < a->n_words; i++) {
        const char *word = a->words[i], *shown = database_shown(word);
        const bool is_of_games = is_file_of_games(word);
        refuse_folder(word);
        if (a->n_words > 1 || is_of_games)
            buffer_printf(name, "%s%s", i ? ", " : "", os_name_in_path(shown));
        if (!is_of_games)
            report_note(word);
        paths[i] = is_of_games ? read_games(a, word) : memory_got(strdup(word));
    }
    return paths;
}

/* The token at the end of the printed address: 16 random bytes as hex digits. */
enum { TOKEN_BYTES = 16 };
static char token[2 * TOKEN_BYTES + 1];

/* NULL without --write. */
static const char *make_token(const args *a)
{
    unsigned char bytes[TOKEN_BYTES];
    if (!args_has(a, OPT_WRITE))
        return NULL;
    if (a->n_words != 1 || is_file_of_games(a->words[0]))
        error_exit("serve: --write needs a database, and only one");
    if (args_has(a, OPT_BEHIND_PROXY))
        error_exit("serve: --write cannot be used with --behind-proxy: it serves this machine only");
    if (!os_random(bytes, sizeof bytes))
        error_exit("serve: cannot get random numbers for a token from the system");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return token;
}

/* ---- The user's browser ----------------------------------------------------------------------------------------- */

/* With --open: its place among the servers. */
static desk own_desk = {-1};
static bool opens;

/* A page that is not shown is no failure: the address is printed. */
static void open_page(const char *url)
{
    if (!os_open_in_browser(url))
        error_print("serve: no browser was found; open the address in one");
}

/* With --open, are the games served already? */
static bool is_served(const args *a)
{
    char url[DESK_URL_SIZE];
    opens = args_has(a, OPT_OPEN);
    if (!opens || desk_take(&own_desk, url, a->words, a->n_words))
        return false;
    out_printf("%s\nis running already, and is shown in the browser.\n", url);
    out_flush();
    open_page(url);
    return true;
}

static void tell_opened(const char *url)
{
    char whole[DESK_URL_SIZE];
    snprintf(whole, sizeof whole, "%s%s%s", url, *token ? "?token=" : "", token);
    desk_tell(&own_desk, whole);
    out_string(os_owns_console() ? "The board is in the browser. To stop it, close this window or press Ctrl-C in it.\n"
                                 : "The board is in the browser. Ctrl-C stops it.\n");
    out_flush();
    open_page(whole);
}

/* Warnings are printed before the address. */
static void report_address(const char *url, bool is_open)
{
    if (is_open)
        error_print("serve: warning: others can connect to %s; there is no encryption and there are no passwords", url);
    if (!site_has_board())
        error_print("serve: warning: the page will show no board, because this program was built without tabiya.wasm; "
                    "install clang, lld and wasi-libc (tools/setup.sh does), and build again");
    out_printf("%s%s%s\n", url, *token ? "?token=" : "", token);
    out_flush();
    if (opens)
        tell_opened(url);
}

/* All values of an option, ended by NULL; to be freed. */
static const char **values_of(const args *a, int index)
{
    const char **values = memory_new(a->n_given + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].index == index)
            values[n++] = a->given[i].value;
    return values;
}

/* "/chess", "chess" and "/chess/" are all the same; the root is NULL. To be freed. */
static char *read_base(const char *value)
{
    value = value ? value + strspn(value, "/") : "";
    size_t n = strlen(value);
    while (n && value[n - 1] == '/')
        n--;
    if (n == 0)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)value[i]) && !strchr("-._~/", value[i]))
            error_exit("serve: --base must be a path of letters, digits, - . _ ~ and /, not \"%s\"", value);
    char *base = memory_new(n + 2, 1);
    base[0] = '/';
    memcpy(base + 1, value, n);
    return base;
}

static unsigned number_of(const args *a, int index, unsigned none, unsigned low, unsigned high)
{
    return (unsigned)option_number(a, index, none, low, high);
}

/* NULL if none was requested; an engine that does not start ends the program. */
static engines *read_engines(engines *room, const args *a)
{
    problem p = {0};
    const unsigned hash = number_of(a, OPT_ENGINE_HASH, 64, 1, 1 << 20);
    *room = (engines){
        .options = {.program = args_value(a, OPT_ENGINE),
                    .threads = number_of(a, OPT_ENGINE_THREADS, 1, 1, 1024),
                    .hash = hash,
                    .memory = number_of(a, OPT_ENGINE_MEMORY, 1024 + hash, 1, 1 << 26),
                    .lines = 1},
        .most = number_of(a, OPT_ENGINES, 2, 1, 100),
        .seconds = number_of(a, OPT_ENGINE_SECONDS, 60, 1, 86400),
    };
    if (!room->options.program)
        return NULL;
    if (!engines_try(room, &p))
        error_exit("serve: %s", p.text);
    return room;
}

/* NULL if none was requested. */
static const engine_files *read_browser_engine(engine_files *room, const args *a)
{
    problem p = {0};
    *room = (engine_files){.n = 0};
    if (!args_has(a, OPT_BROWSER_ENGINE))
        return NULL;
    if (!engine_files_read(room, args_value(a, OPT_BROWSER_ENGINE), &p))
        error_exit("serve: --browser-engine: %s", p.text);
    return room;
}

/* Its readers may have kept changes out of the file. */
static void settle(const char *path)
{
    tby_failure failure;
    tby_db *db;
    if (!tby_db_is_server(path) && tby_db_open(&db, path, TBY_DB_WRITE, &failure) == TBY_OK)
        database_close(db, path);
}

static int serve_run(const args *a)
{
    engines room;
    engine_files browser_room;
    const char *address = args_value(a, OPT_BIND);
    buffer name = {0};
    if (is_served(a))
        return EXIT_YES;
    const char *written = make_token(a);
    char **paths = open_words(a, &name);
    const char **hosts = values_of(a, OPT_HOST), **origins = values_of(a, OPT_ALLOW_ORIGIN);
    char *base = read_base(args_value(a, OPT_BASE));
    const server_options o = {
        .site = {.database = paths[0],
                 .others = a->n_words > 1 ? (const char *const *)paths + 1 : NULL,
                 .name = name.s,
                 .patterns = patterns_of_option(a, OPT_PATTERNS),
                 .base = base,
                 .hosts = hosts,
                 .origins = origins,
                 .token = written,
                 .engines = read_engines(&room, a),
                 .browser_engine = read_browser_engine(&browser_room, a),
                 .max_age = number_of(a, OPT_MAX_AGE, 0, 0, 31536000)},
        .address = address ? address : "127.0.0.1",
        .may_move = opens && !args_has(a, OPT_PORT),
        .port = number_of(a, OPT_PORT, 8064, 0, 65535),
        .seconds = number_of(a, OPT_TIMEOUT, 30, 1, 3600),
        .log = args_value(a, OPT_LOG),
        .has_proxy = args_has(a, OPT_BEHIND_PROXY),
        .most_heavy = number_of(a, OPT_CLIENT_LIMIT, 0, 1, 1000),
    };
    memory_may_fail();
    problem p = {0};
    if (!server_run(&o, report_address, &p))
        error_exit("serve: %s", p.text);
    desk_leave(&own_desk);
    if (o.site.token && o.site.database)
        settle(o.site.database);
    for (size_t i = 0; i < a->n_words; i++)
        free(paths[i]);
    free(paths);
    buffer_free(&name);
    engine_files_free(&browser_room);
    free(hosts);
    free(origins);
    free(base);
    return EXIT_YES;
}

const command cmd_serve = {
    .name = "serve",
    .group = GROUP_SERVERS,
    .words = "[GAMES]...",
    .summary = "serve the web board and a database",
    .description =
        "Serves a page with a board and a converter and, with GAMES, an explorer of them; the same as a JSON API under "
        "/api. The address is printed. Only this machine can connect unless --bind says otherwise: there is no "
        "encryption and there are no passwords.\n\nGAMES are databases, PostgreSQL databases "
        "(postgresql://USER@HOST/NAME) or files of up to 100,000 games, which are read into a temporary database at "
        "the start (import more with tabiya import); several are read as one. A database is opened read-only unless "
        "--write is given; games may be imported meanwhile, and if the file is replaced, the next request uses the new "
        "one. No other file is read while the server runs.\n\nThe server runs until SIGTERM or SIGINT, and finishes "
        "pending answers before it exits; SIGHUP reopens the database and the log. /health says whether the database "
        "can be read, /metrics counts requests. A listening socket that is passed with LISTEN_FDS, as systemd's socket "
        "units do, replaces --bind and --port. docs/api.md describes the API, docs/operations.md a public server.",
    .exits = "0  stopped by a signal\n2  the games, the address or the port cannot be used",
    .options = options,
    .headings = headings,
    .examples = examples,
    .run = serve_run,
};
