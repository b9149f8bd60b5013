/*
 * info.c - what is in a database, and what takes up its space: for people and as JSON.
 */
#include "info.h"

#include <inttypes.h>

typedef struct writer {
    buffer *out;
    bool as_json;
} writer;

static void write_summary(writer *w, const tby_db_summary *s)
{
    char first[TBY_ROW_TEXT_SIZE], last[TBY_ROW_TEXT_SIZE];
    const bool has_depth = s->index_plies != TBY_INDEX_NONE && s->index_plies != TBY_INDEX_ALL;
    const struct {
        const char *name, *label;
        int64_t number;
        bool is_text; /* then it is this; NULL: none */
        const char *text;
    } rows[] = {
        {"games", "games", s->n_games, false, NULL},
        {"plies", "half-moves", s->n_plies, false, NULL},
        {"annotated", "annotated games", s->n_annotated, false, NULL},
        {"players", "players", s->n_players, false, NULL},
        {"events", "events", s->n_events, false, NULL},
        {"sites", "sites", s->n_sites, false, NULL},
        {"first_date", "first date", 0, true, tby_row_date_text(first, s->first_date)},
        {"last_date", "last date", 0, true, tby_row_date_text(last, s->last_date)},
        {"white_wins", "1-0", s->results[TBY_WHITE_WINS], false, NULL},
        {"draws", "1/2-1/2", s->results[TBY_DRAW], false, NULL},
        {"black_wins", "0-1", s->results[TBY_BLACK_WINS], false, NULL},
        {"unknown_results", "*", s->results[TBY_RESULT_NONE], false, NULL},
        {"index_runs", "index runs", s->n_runs, false, NULL},
        {"index_games", "games in the index", s->n_indexed, false, NULL},
        {"index_plies", "index depth", s->index_plies, !has_depth, s->index_plies == TBY_INDEX_ALL ? "all" : NULL},
        {"schema_version", "schema version", s->schema_version, false, NULL},
        {"file_size", "file size", s->file_size, false, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (w->as_json && rows[i].is_text)
            json_add(w->out, "%s:%s", rows[i].name, rows[i].text);
        else if (w->as_json)
            json_add(w->out, "%s:%lld", rows[i].name, (long long)rows[i].number);
        else if (rows[i].is_text)
            buffer_printf(w->out, "%-28s%s\n", rows[i].label, rows[i].text ? rows[i].text : "none");
        else
            buffer_printf(w->out, "%-28s%" PRId64 "\n", rows[i].label, rows[i].number);
}

static void write_size(void *context, const char *name, int64_t n_bytes)
{
    writer *w = context;
    if (w->as_json)
        json_add(w->out, "%s:%lld", name, (long long)n_bytes);
    else
        buffer_printf(w->out, "  %-26s%" PRId64 "\n", name, n_bytes);
}

bool info_write(buffer *out, tby_db *db, bool as_json, bool with_sizes)
{
    tby_db_summary summary;
    writer w = {.out = out, .as_json = as_json};
    if (tby_db_summarize(&summary, db) != TBY_OK)
        return false;
    buffer_string(out, as_json ? "{" : "");
    write_summary(&w, &summary);
    if (with_sizes) {
        buffer_string(out, as_json ? ",\"tables\":{" : "");
        if (tby_db_sizes(db, write_size, &w) != TBY_OK)
            return false;
        buffer_string(out, as_json ? "}" : "");
    }
    buffer_string(out, as_json ? "}\n" : "");
    return true;
}
