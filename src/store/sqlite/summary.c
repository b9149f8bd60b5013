/*
 * summary.c - the contents of a database, and the size of its parts.
 *
 * Uses counters and the games' records, so that the games themselves need not be read.
 */
#include "store/sqlite/blocks.h"
#include "store/sqlite/index/positions.h"
#include "store/sqlite/schema.h"

#include <string.h>

/* ---- Facts ---------------------------------------------------------------------------------------------- */

typedef struct tally {
    tby_db_summary *out;
    const position_runs *runs;
    size_t run; /* the first run that does not end before the game */
    tby_game_id last_id;
} tally;

/* Returns how many games there are. */
static int64_t add_records(tby_db_summary *out, const uint8_t *records, size_t n)
{
    int64_t results[4] = {0}, n_games = 0;
    int first = out->first_date, last = out->last_date;
    for (const uint8_t *end = records + n * FACT_SIZE; records < end; records += FACT_SIZE) {
        if (!fact_is_there(records))
            continue;
        const fact f = fact_read(records);
        n_games++;
        results[f.result]++;
        first = f.date && (!first || f.date < first) ? f.date : first;
        last = f.date > last ? f.date : last;
    }
    for (int i = 0; i < 4; i++)
        out->results[i] += results[i];
    out->n_games += n_games;
    out->first_date = first;
    out->last_date = last;
    return n_games;
}

static void add_block(tally *t, int64_t number, const uint8_t *records, size_t n)
{
    const tby_game_id before = number * BLOCK_GAMES;
    int64_t left = t->last_id - before; /* a damaged file may have records without games */
    left = left < BLOCK_GAMES ? left : BLOCK_GAMES;
    left = left < (int64_t)n ? left : (int64_t)n;
    for (int64_t at = 0, end; at < left; at = end) {
        while (t->run < t->runs->n && t->runs->runs[t->run].last <= before + at)
            t->run++;
        const position_run *run = t->run < t->runs->n ? &t->runs->runs[t->run] : NULL;
        const bool is_indexed = run && run->first <= before + at + 1;
        end = !run ? left : (is_indexed ? run->last : run->first - 1) - before;
        end = end < left ? end : left;
        const int64_t n_games = add_records(t->out, records + at * FACT_SIZE, (size_t)(end - at));
        t->out->n_indexed += is_indexed ? n_games : 0;
    }
}

static bool add_facts(lite *db, tally *t)
{
    lite_rows r = lite_rows_of_facts(db, 0, block_of(UINT32_MAX));
    while (lite_next_up(&r)) {
        const lite_bytes records = lite_bytes_at(&r, 1);
        add_block(t, r.number, records.s, records.n / FACT_SIZE);
    }
    return lite_end(&r);
}

/* ---- The rest ------------------------------------------------------------------------------------------- */

static bool take_numbers(lite *db, tby_db_summary *out)
{
    return lite_counter(db, "plies", INT64_MAX, &out->n_plies) &&
           lite_counter(db, "annotated", INT64_MAX, &out->n_annotated) &&
           lite_number(db, "SELECT count(*) FROM player", &out->n_players) &&
           lite_number(db, "SELECT count(*) FROM event", &out->n_events) &&
           lite_number(db, "SELECT count(*) FROM site", &out->n_sites) &&
           lite_number(db, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", &out->file_size);
}

static void take_runs(const position_runs *runs, tby_db_summary *out)
{
    out->n_runs = (int64_t)runs->n;
    out->index_plies = runs->n ? TBY_INDEX_ALL : TBY_INDEX_NONE;
    for (size_t i = 0; i < runs->n; i++)
        out->index_plies = runs->runs[i].plies < out->index_plies ? runs->runs[i].plies : out->index_plies;
}

bool lite_summarize(tby_db *base, tby_db_summary *out)
{
    lite *db = lite_of(base);
    position_runs runs = {NULL, 0, 0};
    bool is_alone;
    memset(out, 0, sizeof *out);
    out->schema_version = db->version;
    if (!lite_begin_reading(db, &is_alone))
        return false;
    tally t = {.out = out, .runs = &runs};
    const bool is_good = positions_runs(db, &runs) && take_numbers(db, out) &&
                         lite_counter_or(db, "last_game", UINT32_MAX, &t.last_id) && add_facts(db, &t);
    take_runs(&runs, out);
    positions_free(&runs);
    lite_end_reading(db, is_alone);
    return is_good;
}

/* ---- Room ----------------------------------------------------------------------------------------------- */

/* Pages are counted with SQLite's table dbstat, which not every SQLite has. Its own sums have only 32 bits. */
bool lite_sizes(tby_db *base, tby_db_size visit, void *context)
{
    lite *db = lite_of(base);
    lite_rows r =
        lite_rows_of(db, lite_prepare(db, "SELECT name, pageno * (SELECT page_size FROM pragma_page_size) AS bytes "
                                          "FROM dbstat WHERE aggregate = TRUE ORDER BY bytes DESC, name"));
    while (lite_next(&r)) {
        const char *name = (const char *)sqlite3_column_text(r.s, 0);
        if (name)
            visit(context, name, sqlite3_column_int64(r.s, 1));
        else
            r.failed = !lite_fail_memory(db);
    }
    return lite_end(&r);
}
