/*
 * fuzz_serve.c - every request gets an answer: a known status, the security headers, and a body that is JSON, a file of
 * the program or, for a game, its text.
 *
 * The input consists of lines: method, target, host, If-None-Match; the rest is the body. The database contains the
 * sample games of this file.
 */
#include "support.h"

#include "server.h"

#include <stdio.h>
#include <unistd.h>

/* ---- JSON (RFC 8259), written here so that it does not share a mistake ------------------------------------ */

typedef struct scan {
    const unsigned char *s, *end;
} scan;

static bool json_value(scan *j, int depth);

static bool next_is(scan *j, char c)
{
    if (j->s == j->end || *j->s != (unsigned char)c)
        return false;
    j->s++;
    return true;
}

static bool utf8_character(scan *j)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned c = *j->s++;
    const size_t n = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
    uint32_t point = n == 1 ? c : n ? c & (0x7fu >> n) : 0;
    if (n == 0 || (size_t)(j->end - j->s) < n - 1)
        return false;
    for (size_t i = 1; i < n; i++, j->s++) {
        if (*j->s >> 6 != 2)
            return false;
        point = point << 6 | (*j->s & 63);
    }
    return point >= least[n] && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
}

static bool escape(scan *j)
{
    if (j->s == j->end)
        return false;
    const char c = (char)*j->s++;
    if (c != 'u')
        return strchr("\"\\/bfnrt", c) != NULL && c != '\0';
    for (int i = 0; i < 4; i++, j->s++)
        if (j->s == j->end || !strchr("0123456789abcdefABCDEF", *j->s) || *j->s == '\0')
            return false;
    return true;
}

static bool json_string(scan *j)
{
    if (!next_is(j, '"'))
        return false;
    while (j->s < j->end && *j->s != '"') {
        if (*j->s < ' ' || !(next_is(j, '\\') ? escape(j) : utf8_character(j)))
            return false;
    }
    return next_is(j, '"');
}

static bool json_list(scan *j, char end, bool has_names, int depth)
{
    if (next_is(j, end))
        return true;
    do {
        if ((has_names && !(json_string(j) && next_is(j, ':'))) || !json_value(j, depth + 1))
            return false;
    } while (next_is(j, ','));
    return next_is(j, end);
}

static bool json_word(scan *j, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(j->end - j->s) < n || memcmp(j->s, word, n) != 0)
        return false;
    j->s += n;
    return true;
}

/* The server writes only whole numbers. */
static bool json_number(scan *j)
{
    next_is(j, '-');
    const unsigned char *first = j->s;
    while (j->s < j->end && *j->s >= '0' && *j->s <= '9')
        j->s++;
    return j->s > first && (*first != '0' || j->s == first + 1);
}

static bool json_value(scan *j, int depth)
{
    if (depth > 100 || j->s == j->end)
        return false;
    if (*j->s == '"')
        return json_string(j);
    if (next_is(j, '{'))
        return json_list(j, '}', true, depth);
    if (next_is(j, '['))
        return json_list(j, ']', false, depth);
    return json_word(j, "null") || json_word(j, "true") || json_word(j, "false") || json_number(j);
}

static bool is_json_line(const buffer *text)
{
    scan j = {(const unsigned char *)text->s, (const unsigned char *)text->s + text->n};
    return json_value(&j, 0) && next_is(&j, '\n') && j.s == j.end;
}

/* ---- A site ---------------------------------------------------------------------------------------------- */

static const char sample[] =
    "[Event \"A\"]\n[White \"Ada\"]\n[Black \"Bo\"]\n[WhiteElo \"2000\"]\n[Date \"2020.01.02\"]\n"
    "\n1. e4 {best} e5 (1... c5) 2. Nf3 Nc6 1-0\n\n"
    "[Event \"B\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 1/2-1/2\n";

static void fill(const char *path)
{
    tby_failure failure;
    tby_db *db;
    tby_db_open(&db, path, TBY_DB_CREATE, &failure);
    tby_batch *batch = tby_batch_new();
    tby_game *game = tby_game_new(NULL);
    tby_pgn *pgn = tby_pgn_new_memory(sample, strlen(sample), NULL, NULL);
    tby_db_added added = {0, 0};
    require(db && batch && game && pgn);
    while (tby_game_read_pgn(game, pgn, NULL, NULL) == TBY_GAME_GOOD)
        require(tby_batch_add(batch, game) == TBY_OK);
    require(tby_db_begin(db) == TBY_OK && tby_db_add(&added, db, batch, TBY_DUPLICATES_SKIP) == TBY_OK &&
            tby_db_commit(db) == TBY_OK);
    require(added.stored == 2);
    tby_pgn_free(pgn);
    tby_game_free(game);
    tby_batch_free(batch);
    tby_db_close(db);
}

static char path[] = "/tmp/tabiya-fuzz-XXXXXX";

static void remove_database(void) { unlink(path); }

/* The file must exist: without it the database returns only errors. */
static site *the_site(void)
{
    static site *made;
    problem p = {0};
    if (made)
        return made;
    const int fd = mkstemp(path);
    require(fd >= 0);
    close(fd);
    fill(path);
    made = site_new(&(site_options){.database = path}, &p);
    require(made != NULL);
    atexit(remove_database);
    return made;
}

/* ---- One request ----------------------------------------------------------------------------------------- */

/* Takes a line of the input as text. A line that contains a NUL ends there, as a header would. */
static char *take_line(const char **s, size_t *n)
{
    const char *end = memchr(*s, '\n', *n);
    const size_t length = end ? (size_t)(end - *s) : *n, taken = end ? length + 1 : length;
    char *line = malloc(length + 1);
    require(line != NULL);
    if (length)
        memcpy(line, *s, length);
    line[length] = '\0';
    *s += taken;
    *n -= taken;
    return line;
}

static const char *header_of(const response *r, const char *name)
{
    for (size_t i = 0; i < r->n_headers; i++)
        if (strcmp(r->headers[i].name, name) == 0)
            return r->headers[i].value;
    return NULL;
}

static void check(const response *r)
{
    static const unsigned known[] = {200, 304, 400, 403, 404, 405, 413, 503};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= r->status == known[i];
    require(is_known);
    require(header_of(r, "Content-Security-Policy") && header_of(r, "Cache-Control"));
    require(r->status == 304 || header_of(r, "Content-Type"));
    if (r->asset || r->status == 304)
        require(r->body.n == 0);
    else if (strcmp(header_of(r, "Content-Type"), "application/json") == 0 ||
             strcmp(header_of(r, "Content-Type"), "application/x-ndjson") == 0)
        require(is_json_line(&r->body));
    else
        require(r->status == 200);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    char *method = take_line(&s, &size), *target = take_line(&s, &size), *host = take_line(&s, &size);
    char *known = take_line(&s, &size);
    const request r = {
        .method = method,
        .target = target,
        .host = *host ? host : "localhost",
        .if_none_match = *known ? known : NULL,
        .body = s,
        .n_body = size,
    };
    response out;
    site_answer(the_site(), &r, &out);
    check(&out);
    buffer_free(&out.body);
    free(method);
    free(target);
    free(host);
    free(known);
    return 0;
}
