/*
 * publish.c - takes in games, and writes them as files that any web server can serve.
 *
 * A directory, loaded once, has the size and the place of everything else. It is a file of gzip with:
 *
 *     LENGTH JSON    the length of the JSON in four bytes: counts, sections, files, and what they hold
 *     GROUPS         the sizes of the groups of games, as varints
 *     FIRSTS         the first keys of the blocks of positions: see blocks.c
 */
#include "publish/publish.h"
#include "os/threads.h"

#include <stdlib.h>

tby_publisher *tby_publisher_new(void) { return calloc(1, sizeof(tby_publisher)); }

void tby_publisher_free(tby_publisher *p)
{
    for (publish_memory *part = p ? p->memory : NULL, *next; part; part = next) {
        next = part->next;
        free(part);
    }
    for (publish_kind kind = 0; p && kind < N_PUBLISH_KINDS; kind++)
        publish_names_free(&p->names[kind]);
    free(p ? p->games : NULL);
    free(p);
}

uint64_t tby_publisher_n_games(const tby_publisher *p) { return p->n_games; }

/* ---- Adding games --------------------------------------------------------------------------------------- */

/* A name is stored once, and counts each game once. */
static bool take_name(tby_publisher *p, publish_game *game, int which, tby_text *text)
{
    const publish_kind kind = publish_kinds[which];
    if (!text->s)
        return true;
    const uint32_t number = publish_names_number(p, kind, *text);
    if (number == UINT32_MAX)
        return false;
    const bool is_again = which == NAME_BLACK && game->names[NAME_WHITE] == number + 1;
    game->names[which] = number + 1;
    p->names[kind].of[number].n_games += !is_again;
    *text = p->names[kind].of[number].text;
    return true;
}

static bool take_text(tby_publisher *p, tby_text *text)
{
    if (text->s)
        text->s = publish_copy(p, text->s, text->n);
    return text->s || text->n == 0;
}

static bool take_game(tby_publisher *p, publish_game *game)
{
    tby_row *row = &game->row;
    tby_text *const names[] = {&row->white, &row->black, &row->event, &row->site, &row->eco, &row->shape};
    tby_text *const texts[] = {&row->round, &row->tags, &row->moves, &row->annotated};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (!take_name(p, game, i, names[i]))
            return false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!take_text(p, texts[i]))
            return false;
    return array_add(&p->games, &p->n_games, &p->cap_games, game, sizeof *game, NULL);
}

tby_status tby_publisher_add(tby_publisher *p, const tby_row *row, tby_game_id id, tby_failure *failure)
{
    tby_error err;
    publish_game game = {.row = *row, .id = id};
    failure_clear(failure);
    const tby_status status = tby_packed_check((const uint8_t *)row->moves.s, row->moves.n, &err);
    if (status != TBY_OK)
        failure_keep(failure, status, "game %lld is damaged", (long long)id);
    else if (id <= 0 || id >= (int64_t)1 << 53)
        failure_keep(failure, TBY_CANNOT_HOLD, "the number of game %lld is too large to be published", (long long)id);
    else if (p->n_games >= UINT32_MAX / 2 || !take_game(p, &game))
        failure_no_memory(failure);
    else
        p->n_positions += row->plies + 1;
    return failure->status;
}

static uint64_t digest_text(uint64_t digest, tby_text text)
{
    const uint64_t length = text.s ? text.n + 1 : 0;
    return publish_hash(publish_hash(digest, &length, sizeof length), text.s, text.s ? text.n : 0);
}

uint64_t tby_publisher_digest(const tby_publisher *p, uint64_t n)
{
    uint64_t digest = publish_hash(PUBLISH_HASH_BEGIN, NULL, 0);
    for (size_t i = 0; i < p->n_games && i < n; i++) {
        const tby_row *row = &p->games[i].row;
        const int64_t numbers[] = {p->games[i].id,       row->date,      row->elo[0],
                                   row->elo[1],          row->first_day, row->last_day,
                                   (int64_t)row->result, row->speed,     row->plies};
        const tby_text texts[] = {row->white, row->black, row->event, row->site,  row->round,
                                  row->eco,   row->shape, row->tags,  row->moves, row->annotated};
        digest = publish_hash(digest, numbers, sizeof numbers);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            digest = digest_text(digest, texts[k]);
    }
    return digest;
}

/* ---- Parts that all share ------------------------------------------------------------------------------- */

bool publish_report(tby_publisher *p, double fraction)
{
    const tby_publish_options *o = p->options;
    p->fraction = fraction;
    return !o->progress || o->progress(o->progress_context, fraction) || failure_interrupted(p->failure);
}

void publish_section(tby_publisher *p, const char *name)
{
    buffer_printf(&p->sections, ",\"%s\":%llu", name, (unsigned long long)p->out.at);
}

void publish_put_number(const tby_publisher *p, buffer *b, size_t number)
{
    for (unsigned i = p->number_bytes; i > 0; i--)
        buffer_put(b, (unsigned)(number >> (8 * (i - 1))) & 0xff);
}

void publish_put_text(buffer *b, tby_text text, bool may_be_missing)
{
    const size_t n = text.s ? text.n : 0;
    varint_put(b, n + (may_be_missing && text.s));
    if (n)
        buffer_add(b, text.s, n);
}

unsigned publish_threads(const tby_publisher *p)
{
    enum { MOST = 64 };
    const unsigned n = threads_wanted(p->options->n_threads, (int64_t)p->n_games);
    return n < MOST ? n : MOST;
}

/* ---- The directory -------------------------------------------------------------------------------------- */

static void put_contents(buffer *b, tby_publisher *p)
{
    uint8_t length[4];
    buffer json = {0};
    buffer_printf(&json,
                  "{\"format\":\"tabiya-published\",\"version\":%d,\"games\":%zu,\"number-bytes\":%u,\"newest\":%d",
                  TBY_PUBLISH_VERSION, p->n_games, p->number_bytes, p->newest);
    buffer_add(&json, p->sections.s, p->sections.n);
    buffer_string(&json, ",\"files\":[");
    buffer_add(&json, p->out.files.s, p->out.files.n);
    buffer_string(&json, "]}");
    bytes_set_32(length, (uint32_t)json.n);
    buffer_add(b, length, sizeof length);
    buffer_add(b, json.s, json.n);
    buffer_add(b, p->groups.s, p->groups.n);
    buffer_add(b, p->firsts.s, p->firsts.n);
    b->has_failed |= json.has_failed || p->sections.has_failed || p->groups.has_failed || p->firsts.has_failed ||
                     p->out.files.has_failed;
    buffer_free(&json);
}

static bool write_directory(tby_publisher *p)
{
    char name[PUBLISH_NAME_SIZE];
    buffer directory = {0}, manifest = {0};
    buffer contents = {0};
    put_contents(&contents, p);
    publish_pack(&directory, &contents);
    buffer_free(&contents);
    publish_stream_name(name, directory.data, directory.n, ".dir");
    buffer_printf(&manifest, "{\"format\":\"tabiya-published\",\"version\":%d,\"title\":", TBY_PUBLISH_VERSION);
    buffer_json_string(&manifest, p->options->title);
    buffer_printf(&manifest, ",\"games\":%zu,\"bytes\":%llu,\"directory\":\"%s\",\"directory-bytes\":%zu}\n",
                  p->n_games, (unsigned long long)p->out.at, name, directory.n);
    bool is_good = !directory.has_failed && !manifest.has_failed;
    if (!is_good)
        failure_no_memory(p->failure);
    is_good = is_good && ((p->out.put(p->out.context, name, directory.data, directory.n) &&
                           p->out.put(p->out.context, "manifest.json", manifest.data, manifest.n)) ||
                          failure_keep(p->failure, TBY_IO_ERROR, "the directory could not be written"));
    buffer_free(&directory);
    buffer_free(&manifest);
    return is_good;
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

static void measure(tby_publisher *p)
{
    for (size_t i = 0; i < p->n_games; i++) {
        const int date = (int)publish_date_code(p->games[i].row.date);
        p->newest = date > p->newest ? date : p->newest;
    }
    p->number_bytes = p->n_games <= 1 << 16 ? 2 : p->n_games <= 1 << 24 ? 3 : 4;
}

static bool write_files(tby_publisher *p)
{
    measure(p);
    return publish_report(p, 0) && publish_games_sort(p) && publish_report(p, 0.05) && publish_games_write(p) &&
           publish_report(p, 0.2) && publish_lists_write(p) && publish_names_write(p) && publish_report(p, 0.3) &&
           publish_blocks_write(p) && publish_stream_end(&p->out) && write_directory(p);
}

tby_status tby_publisher_write(tby_publisher *p, const tby_publish_options *options, tby_publish_file put,
                               void *context, tby_failure *failure)
{
    static const tby_publish_options standard = {0};
    p->options = options ? options : &standard;
    p->failure = failure_clear(failure);
    p->out = (publish_stream){.put = put, .context = context, .failure = failure};
    const bool is_good = write_files(p);
    buffer_free(&p->out.file);
    buffer_free(&p->out.files);
    buffer_free(&p->sections);
    buffer_free(&p->groups);
    buffer_free(&p->firsts);
    return failure_answer(failure, is_good);
}
