/*
 * info.c - what is in a database, and what takes up its space: for people and as JSON.
 */
#include "info.h"

#include <inttypes.h>

typedef struct writer {
    buffer *out;
    bool as_json;
} writer;

static void write_name(writer *w, const char *name, const char *label)
{
    if (w->as_json)
        json_add(w->out, "%s:", name);
    else
        buffer_printf(w->out, "%-28s", label);
}

static void write_number(writer *w, const char *name, const char *label, int64_t number)
{
    write_name(w, name, label);
    buffer_printf(w->out, "%" PRId64 "%s", number, w->as_json ? "" : "\n");
}

/* NULL if it is not known. */
static void write_string(writer *w, const char *name, const char *label, const char *text)
{
    write_name(w, name, label);
    if (w->as_json)
        buffer_json_string(w->out, text);
    else
        buffer_printf(w->out, "%s\n", text ? text : "none");
}

static void write_date(writer *w, const char *name, const char *label, int date)
{
    char text[TBY_ROW_TEXT_SIZE];
    write_string(w, name, label, tby_row_date_text(text, date));
}

static void write_depth(writer *w, int plies)
{
    if (plies == TBY_INDEX_NONE || plies == TBY_INDEX_ALL)
        write_string(w, "index_plies", "index depth", plies == TBY_INDEX_ALL ? "all" : NULL);
    else
        write_number(w, "index_plies", "index depth", plies);
}

static void write_summary(writer *w, const tby_db_summary *s)
{
    write_number(w, "games", "games", s->n_games);
    write_number(w, "plies", "half-moves", s->n_plies);
    write_number(w, "annotated", "annotated games", s->n_annotated);
    write_number(w, "players", "players", s->n_players);
    write_number(w, "events", "events", s->n_events);
    write_number(w, "sites", "sites", s->n_sites);
    write_date(w, "first_date", "first date", s->first_date);
    write_date(w, "last_date", "last date", s->last_date);
    write_number(w, "white_wins", "1-0", s->results[TBY_WHITE_WINS]);
    write_number(w, "draws", "1/2-1/2", s->results[TBY_DRAW]);
    write_number(w, "black_wins", "0-1", s->results[TBY_BLACK_WINS]);
    write_number(w, "unknown_results", "*", s->results[TBY_RESULT_NONE]);
    write_number(w, "index_runs", "index runs", s->n_runs);
    write_number(w, "index_games", "games in the index", s->n_indexed);
    write_depth(w, s->index_plies);
    write_number(w, "schema_version", "schema version", s->schema_version);
    write_number(w, "file_size", "file size", s->file_size);
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
