/*
 * contents.c - what a database on PostgreSQL contains: numbers of games, half-moves, results, names and dates.
 *
 * From 10,000 games on, a table counts the games of each name, date and result, so that reading every game is not
 * needed. A trigger adds rows to a second table, which are read with the first, so writers do not wait for each other;
 * an import folds them in. On Citus, which has no triggers, the program adds these rows for its own changes.
 */
#include "store/postgres/server.h"

#include <stdio.h>
#include <string.h>

/* ---- Counting games --------------------------------------------------------------------------------------------- */

/* A row for each name, date and result of the games g: the relation, a condition, and "-" for games that go. */
#define COUNTED(relation, condition, sign)                                                                             \
    "SELECT x.kind, x.name, " sign "sum(x.n) FROM " relation                                                           \
    " g, unnest(ARRAY['player', 'player', 'event', 'site', 'date', 'result', 'plies', 'annotated'], ARRAY[g.white,"    \
    " g.black, g.event, g.site, lpad(g.date::text, 8, '0'), g.result, '', CASE WHEN g.annotated IS NOT NULL THEN ''"   \
    " END], ARRAY[1, 1, 1, 1, 1, 1, g.plies, 1]) AS x (kind, name, n) WHERE x.name IS NOT NULL" condition              \
    " GROUP BY 1, 2"

#define NEW "INSERT INTO tabiya.game_content_new "

#define COUNT_ADDED NEW COUNTED("added", "", "")
#define COUNT_REMOVED NEW COUNTED("removed", "", "-")
#define COUNT_ALL COUNTED("tabiya.game", "", "")

/* The same checks as for the move statistics: the function runs with the rights of the owner of the games. */
static const char make_trigger[] =
    "CREATE FUNCTION tabiya.game_content_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path ="
    " pg_catalog, pg_temp SET jit = off AS $$\n"
    "BEGIN\n"
    "    IF TG_RELID <> 'tabiya.game'::regclass THEN\n"
    "        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'this trigger counts the games of"
    " another table';\n"
    "    END IF;\n"
    "    PERFORM %1$stabiya_check_stats('tabiya.game'::regclass, current_user, '{_content,_content_new}'::text[]);\n"
    "    IF TG_OP = 'TRUNCATE' THEN\n"
    "        LOCK TABLE tabiya.game_content IN SHARE ROW EXCLUSIVE MODE;\n"
    "        DELETE FROM tabiya.game_content_new;\n"
    "        DELETE FROM tabiya.game_content WHERE kind <> 'names';\n"
    "        UPDATE tabiya.game_content SET n = 0;\n"
    "        RETURN NULL;\n"
    "    END IF;\n"
    "    IF TG_OP <> 'DELETE' THEN\n"
    "        " COUNT_ADDED ";\n"
    "    END IF;\n"
    "    IF TG_OP <> 'INSERT' THEN\n"
    "        " COUNT_REMOVED ";\n"
    "    END IF;\n"
    "    RETURN NULL;\n"
    "END $$;\n"
    "REVOKE ALL ON FUNCTION tabiya.game_content_change() FROM PUBLIC;\n"
    "CREATE TRIGGER game_content_insert AFTER INSERT ON tabiya.game REFERENCING NEW TABLE AS added FOR EACH STATEMENT"
    " EXECUTE FUNCTION tabiya.game_content_change();\n"
    "CREATE TRIGGER game_content_delete AFTER DELETE ON tabiya.game REFERENCING OLD TABLE AS removed FOR EACH"
    " STATEMENT EXECUTE FUNCTION tabiya.game_content_change();\n"
    "CREATE TRIGGER game_content_update AFTER UPDATE ON tabiya.game REFERENCING OLD TABLE AS removed NEW TABLE AS added"
    " FOR EACH STATEMENT EXECUTE FUNCTION tabiya.game_content_change();\n"
    "CREATE TRIGGER game_content_truncate AFTER TRUNCATE ON tabiya.game FOR EACH STATEMENT EXECUTE FUNCTION"
    " tabiya.game_content_change();\n"
    "DO $$ BEGIN EXECUTE format('ALTER FUNCTION tabiya.game_content_change() OWNER TO %%s', (SELECT"
    " relowner::regrole FROM pg_class WHERE oid = 'tabiya.game'::regclass)); END $$";

static const char make_tables[] =
    "CREATE TABLE tabiya.game_content (kind text COLLATE \"C\", name text COLLATE \"C\", n bigint NOT NULL, PRIMARY KEY"
    " (kind, name));\n"
    "CREATE TABLE tabiya.game_content_new (kind text COLLATE \"C\" NOT NULL, name text COLLATE \"C\" NOT NULL, n bigint"
    " NOT NULL);\n"
    "COMMENT ON TABLE tabiya.game_content IS 'how many games have a name, date or result; and how many names there"
    " are';\n"
    "COMMENT ON TABLE tabiya.game_content_new IS 'what is to be added to it';\n"
    "DO $$ DECLARE holder text := (SELECT relowner::regrole FROM pg_class WHERE oid = 'tabiya.game'::regclass); BEGIN\n"
    "    EXECUTE format('ALTER TABLE tabiya.game_content OWNER TO %1$s', holder);\n"
    "    EXECUTE format('ALTER TABLE tabiya.game_content_new OWNER TO %1$s', holder);\n"
    "END $$;\n";

static const char fold[] =
    "WITH gone AS (DELETE FROM tabiya.game_content_new RETURNING *), fresh AS (SELECT kind, name, sum(n)::bigint AS n"
    " FROM gone GROUP BY 1, 2 HAVING sum(n) <> 0), change AS (SELECT f.kind, (coalesce(c.n, 0) + f.n > 0)::integer -"
    " (coalesce(c.n, 0) > 0)::integer AS more FROM fresh f LEFT JOIN tabiya.game_content c USING (kind, name))"
    " INSERT INTO tabiya.game_content AS c SELECT kind, name, n FROM fresh UNION ALL SELECT 'names', k.kind,"
    " coalesce(sum(h.more), 0) FROM (VALUES ('player'), ('event'), ('site')) AS k (kind) LEFT JOIN change h USING"
    " (kind) GROUP BY k.kind ON CONFLICT (kind, name) DO UPDATE SET n = c.n + excluded.n";

#define LOCK_CONTENT "LOCK TABLE tabiya.game_content IN SHARE ROW EXCLUSIVE MODE"

bool contents_make(server *s)
{
    bool has_tables;
    buffer sql = {0};
    if (!server_has(s, "game_content", &has_tables) || has_tables)
        return has_tables || pg_is_good(&s->to);
    buffer_string(&sql, make_tables);
    if (!s->has_citus)
        buffer_printf(&sql, make_trigger, s->ext);
    const bool is_good = sql.has_failed ? db_fail_memory(&s->to.base) : pg_run(&s->to, sql.s);
    buffer_free(&sql);
    return is_good;
}

/* The first time, and after the table was emptied. Writers wait meanwhile; on Citus, all who count games take turns. */
static const char empty[] =
    "LOCK TABLE tabiya.game_content IN SHARE ROW EXCLUSIVE MODE;DELETE FROM tabiya.game_content_new;"
    "DELETE FROM tabiya.game_content;";
static const char count_all[] =
    "WITH counted AS MATERIALIZED (" COUNT_ALL ") INSERT INTO tabiya.game_content SELECT * FROM counted UNION ALL"
    " SELECT 'names', k.kind, count(c.kind) FROM (VALUES ('player'), ('event'), ('site')) AS k (kind) LEFT JOIN counted"
    " c USING (kind) GROUP BY k.kind";

/* Adds up what was counted since. */
static bool fold_new(server *s)
{
    return pg_run(&s->to, s->has_citus ? PG_TAKE_TURN : "BEGIN") &&
           pg_end(&s->to, pg_run(&s->to, LOCK_CONTENT) && pg_run(&s->to, fold)) &&
           pg_run(&s->to, "VACUUM ANALYZE tabiya.game_content, tabiya.game_content_new");
}

bool contents_keep(server *s, buffer *beside)
{
    enum { WORTH_FOLDING = 2000 };
    bool is_counted;
    int64_t n_new;
    if (!pg_is_true(&s->to, "SELECT count(*) FROM tabiya.game_content WHERE kind = 'names'", &is_counted) ||
        !pg_number_of(&s->to, "SELECT count(*) FROM tabiya.game_content_new", 0, &n_new))
        return false;
    if (is_counted)
        return n_new < WORTH_FOLDING || fold_new(s);
    if (s->has_citus)
        return pg_run(&s->to, PG_TAKE_TURN) && pg_end(&s->to, pg_run(&s->to, empty) && pg_run(&s->to, count_all)) &&
               pg_run(&s->to, "ANALYZE tabiya.game_content");
    buffer_printf(beside, "LOCK TABLE tabiya.game IN SHARE MODE;%s%s;ANALYZE tabiya.game_content;", empty, count_all);
    return true;
}

bool contents_count_games(server *s, const char *ids, bool are_gone)
{
    static const char *const statements[] = {
        NEW COUNTED("tabiya.game", " AND g.id = ANY ($1::bigint[])", ""),
        NEW COUNTED("tabiya.game", " AND g.id = ANY ($1::bigint[])", "-"),
    };
    bool has_tables;
    pg_values v = {.n = 0};
    pg_value(&v, ids);
    const bool is_good = server_has(s, "game_content", &has_tables) &&
                         (!has_tables || pg_query(&s->to, statements[are_gone], &v, NULL));
    pg_values_free(&v);
    return is_good;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

enum { PLAYERS, EVENTS, SITES, PLIES, ANNOTATED, UNKNOWN, WHITE, DRAWS, BLACK, FIRST, LAST, KNOWN, N_NUMBERS };
static const char *const numbers[N_NUMBERS] = {
    [PLAYERS] = "names player", [EVENTS] = "names event", [SITES] = "names site", [PLIES] = "plies ",
    [ANNOTATED] = "annotated ", [UNKNOWN] = "result *",   [WHITE] = "result 1-0", [DRAWS] = "result 1/2-1/2",
    [BLACK] = "result 0-1",     [FIRST] = "first date",   [LAST] = "last date",   [KNOWN] = "known",
};

/* The first or last date that some game has. */
#define DATE(function, order)                                                                                          \
    "(SELECT " function "(d.name)::bigint FROM ((SELECT c.name FROM tabiya.game_content c WHERE c.kind = 'date' AND"   \
    " c.n > 0 AND NOT EXISTS (SELECT 1 FROM change h WHERE h.kind = 'date' AND h.name = c.name AND h.n <= 0) ORDER BY" \
    " c.name " order " LIMIT 1) UNION ALL SELECT h.name FROM change h WHERE h.kind = 'date' AND h.n > 0) AS d)"

/* A row for each of the numbers, with its name. */
static const char counted[] =
    "WITH fresh AS MATERIALIZED (SELECT kind, name, sum(n) AS n FROM tabiya.game_content_new GROUP BY 1, 2), change AS"
    " MATERIALIZED (SELECT f.kind, f.name, coalesce(c.n, 0) + f.n AS n, f.n AS added, (coalesce(c.n, 0) + f.n > 0)"
    "::integer - (coalesce(c.n, 0) > 0)::integer AS more FROM fresh f LEFT JOIN tabiya.game_content c USING (kind,"
    " name)) SELECT t.kind || ' ' || t.name, sum(t.n)::bigint FROM (SELECT kind, name, n FROM tabiya.game_content WHERE"
    " kind IN ('names', 'plies', 'annotated', 'result') UNION ALL SELECT kind, name, added FROM change WHERE kind IN"
    " ('plies', 'annotated', 'result') UNION ALL SELECT 'names', kind, more FROM change WHERE kind IN ('player',"
    " 'event', 'site')) AS t GROUP BY t.kind, t.name UNION ALL SELECT 'first date', " DATE(
        "min", "ASC") " UNION ALL SELECT 'last date', " DATE("max", "DESC") " UNION ALL SELECT 'known', count(*) FROM "
                                                                            "tabiya.game_content WHERE kind = 'names'";

static void take_numbers(tby_db_summary *out, const int64_t n[N_NUMBERS])
{
    out->n_games = n[UNKNOWN] + n[WHITE] + n[DRAWS] + n[BLACK];
    out->n_plies = n[PLIES];
    out->n_annotated = n[ANNOTATED];
    out->n_players = n[PLAYERS];
    out->n_events = n[EVENTS];
    out->n_sites = n[SITES];
    out->results[TBY_RESULT_NONE] = n[UNKNOWN];
    out->results[TBY_WHITE_WINS] = n[WHITE];
    out->results[TBY_DRAW] = n[DRAWS];
    out->results[TBY_BLACK_WINS] = n[BLACK];
    out->first_date = (int)n[FIRST];
    out->last_date = (int)n[LAST];
}

/* Rights may have been granted before the tables existed. */
static bool may_read_counts(server *s, bool *out)
{
    return pg_is_true(&s->to,
                      "SELECT coalesce(has_table_privilege(to_regclass('tabiya.game_content'), 'SELECT') AND"
                      " has_table_privilege(to_regclass('tabiya.game_content_new'), 'SELECT'), FALSE)::integer",
                      out);
}

static bool read_counts(server *s, tby_db_summary *out, bool *is_known)
{
    int64_t n[N_NUMBERS] = {0};
    bool may_read;
    *is_known = false;
    if (!may_read_counts(s, &may_read) || !may_read)
        return pg_is_good(&s->to);
    pg_send(&s->to, counted, NULL);
    while (pg_next(&s->to)) {
        const tby_text name = pg_text(&s->to, 0);
        for (int i = 0; i < N_NUMBERS; i++)
            if (name.n == strlen(numbers[i]) && memcmp(name.s, numbers[i], name.n) == 0)
                n[i] = pg_number(&s->to, 1);
    }
    *is_known = n[KNOWN] > 0;
    take_numbers(out, n);
    return pg_is_good(&s->to);
}

static const char from_games[] =
    "SELECT 0, 0, 0, sum(plies), count(annotated), count(*) FILTER (WHERE result NOT IN ('1-0', '1/2-1/2', '0-1')),"
    " count(*) FILTER (WHERE result = '1-0'), count(*) FILTER (WHERE result = '1/2-1/2'), count(*) FILTER (WHERE"
    " result = '0-1'), min(date), max(date), 0 FROM tabiya.game";

static bool read_games(server *s, tby_db_summary *out)
{
    int64_t n[N_NUMBERS] = {0};
    pg_send(&s->to, from_games, NULL);
    while (pg_next(&s->to))
        for (int i = 0; i < N_NUMBERS; i++)
            n[i] = pg_number(&s->to, i);
    take_numbers(out, n);
    return pg_is_good(&s->to) && server_count_names(s, PG_PLAYERS, &out->n_players) &&
           server_count_names(s, PG_EVENTS, &out->n_events) && server_count_names(s, PG_SITES, &out->n_sites);
}

#define BYTES                                                                                                          \
    "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = 'tabiya'::regnamespace"        \
    " AND relkind = 'r'"

bool postgres_summarize(tby_db *db, tby_db_summary *out)
{
    server *s = (server *)db;
    int64_t depth;
    bool is_known;
    memset(out, 0, sizeof *out);
    if (!read_counts(s, out, &is_known) || (!is_known && !read_games(s, out)) ||
        !pg_number_of(&s->to, s->has_citus ? citus_bytes : BYTES, 0, &out->file_size) || !server_index_depth(s, &depth))
        return false;
    out->schema_version = TBY_SCHEMA_VERSION;
    out->n_runs = depth >= 0;
    out->n_indexed = depth < 0 ? 0 : out->n_games;
    out->index_plies = depth < 0 ? TBY_INDEX_NONE : (int)depth;
    return true;
}

bool contents_verify(server *s, bool *are_right)
{
    tby_db_summary kept = {0}, from = {0};
    bool is_known;
    *are_right = true;
    if (!read_counts(s, &kept, &is_known) || (is_known && !read_games(s, &from)))
        return false;
    *are_right = !is_known || memcmp(&kept, &from, sizeof kept) == 0;
    return true;
}
