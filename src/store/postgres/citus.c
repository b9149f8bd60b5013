/*
 * citus.c - games on a Citus coordinator: all statements specific to Citus, and replacements for what it does not
 * support.
 *
 * Citus distributes the rows of a table over its workers and plans queries for them, so a server with Citus is queried
 * like any other. `game` is distributed by its hash, so two copies of a game are on the same worker; its primary key
 * must contain the hash. `shape` and `game_tracked` are small, and on every node. Counts are distributed by position: a
 * query for one position goes to one worker. Citus does not support triggers and the function grouping() on distributed
 * tables, and collects the rows of data-modifying statements in WITH on the coordinator: so the importer counts its
 * games itself, with the same statements as the extension's functions (tabiya_stats_parts), under the lock that
 * serializes imports. Commits over several workers are two-phase commits by Citus.
 */
#include "store/postgres/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Detecting Citus -------------------------------------------------------------------------------------------- */

/* Workers know the tables too, without their comments and some of their functions. */
bool citus_find_tables(server *s)
{
    bool is_worker;
    return pg_is_true(&s->to, "SELECT groupid FROM pg_dist_local_group", &is_worker) &&
           (!is_worker || pg_fail(&s->to, "this is a worker of a cluster; use its coordinator")) &&
           pg_is_true(&s->to, "SELECT count(*) FROM pg_dist_partition WHERE logicalrelid = to_regclass('tabiya.game')",
                      &s->has_citus) &&
           pg_is_true(&s->to,
                      "SELECT coalesce(has_table_privilege(to_regclass('tabiya.change'), 'SELECT'), FALSE)::integer",
                      &s->has_changes);
}

/* ---- Versions --------------------------------------------------------------------------------------------------- */

/* The snapshot of a coordinator does not show changes on its workers, which commit after it. So every change counts a
   number up once it is committed everywhere. If the program or a worker dies in between, Citus completes the commit
   within a minute: the list of commits that it has yet to confirm is part of the version, too. Without the number,
   every moment counts as a new version. */
const char *citus_version(const server *s)
{
    return s->has_changes ? PG_BEGIN "; SELECT hashtextextended(c.n || ' ' || t.n || coalesce(t.last, ''), 0::bigint)"
                                     " FROM (SELECT max(n) AS n FROM tabiya.change) AS c, (SELECT count(*) AS n,"
                                     " max(gid) AS last FROM pg_dist_transaction) AS t"
                          : PG_BEGIN "; SELECT hashtextextended(clock_timestamp()::text, 0::bigint)";
}

bool citus_note_change(server *s) { return !s->has_changes || pg_run(&s->to, "UPDATE tabiya.change SET n = n + 1"); }

/* For transactions that change tables of every node and distributed ones, or make one from the other: one connection
   per worker. */
#define SEQUENTIAL "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"

/* ---- Setting up ------------------------------------------------------------------------------------------------- */

/* Tables that can be moved while others write need a replica identity. All statements may be run again. */
static const char make_counts[] =
    "DO $$ BEGIN\n"
    "    IF to_regclass('tabiya.game_played') IS NULL THEN\n"
    "        PERFORM %1$screateMoveStats(" PG_COUNTED ");\n"
    "    END IF;\n"
    "    IF EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = 'tabiya.game'::regclass AND tgname ="
    " 'game_played_insert') THEN\n"
    "        DROP TRIGGER game_played_insert ON tabiya.game;\n"
    "        DROP TRIGGER game_played_delete ON tabiya.game;\n"
    "        DROP TRIGGER game_played_update ON tabiya.game;\n"
    "        DROP TRIGGER game_played_truncate ON tabiya.game;\n"
    "        ALTER TABLE tabiya.game_played REPLICA IDENTITY FULL;\n"
    "        ALTER TABLE tabiya.game_totals REPLICA IDENTITY FULL;\n"
    "    END IF;\n"
    "    IF to_regclass('tabiya.game_folding') IS NULL THEN\n"
    "        CREATE TABLE tabiya.game_folding (LIKE tabiya.game_played INCLUDING ALL);\n"
    "        ALTER TABLE tabiya.game_folding REPLICA IDENTITY FULL;\n"
    "        COMMENT ON TABLE tabiya.game_folding IS 'rows of game_played while they are added up';\n"
    "    END IF;\n"
    "    IF to_regclass('tabiya.change') IS NULL THEN\n"
    "        CREATE TABLE tabiya.change (n bigint NOT NULL);\n"
    "        INSERT INTO tabiya.change VALUES (0);\n"
    "        COMMENT ON TABLE tabiya.change IS 'a number that grows when games are added or deleted';\n"
    "    END IF;\n"
    "    IF to_regprocedure('tabiya.game_content_change()') IS NOT NULL THEN\n"
    "        DROP FUNCTION tabiya.game_content_change() CASCADE;\n" /* and its triggers */
    "    END IF;\n"
    "    IF to_regprocedure('tabiya.games_changed()') IS NULL THEN\n"
    "        CREATE FUNCTION tabiya.games_changed() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp"
    " AS $f$ BEGIN\n"
    "            UPDATE tabiya.game_tracked SET is_popular = FALSE WHERE is_popular;\n"
    "            DELETE FROM tabiya.game_tracked WHERE position = 0;\n"
    "            IF to_regclass('tabiya.game_content') IS NOT NULL THEN\n"
    "                DELETE FROM tabiya.game_content WHERE kind = 'names';\n"
    "            END IF;\n"
    "            UPDATE tabiya.change SET n = n + 1;\n"
    "        END $f$;\n"
    "        COMMENT ON FUNCTION tabiya.games_changed() IS 'to be called after games were changed without tabiya: "
    "counts"
    " are not used until the next import counts again, and kept answers are forgotten';\n"
    "    END IF;\n"
    "    IF EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass('tabiya.member') AND conname ="
    " 'member_game_fkey') THEN\n"
    "        ALTER TABLE tabiya.member DROP CONSTRAINT member_game_fkey;\n"
    "    END IF;\n"
    "    IF (SELECT cardinality(conkey) FROM pg_constraint WHERE conrelid = 'tabiya.game'::regclass AND contype = 'p')"
    " = 1 THEN\n"
    "        ALTER TABLE tabiya.game DROP CONSTRAINT game_pkey, ADD CONSTRAINT game_pkey PRIMARY KEY (id, hash);\n"
    "    END IF;\n"
    "END $$";

/* How many parts a table has: enough to add workers later, few enough to keep each query short, and the same number for
   each worker. */
#define DEFAULT_SHARDS                                                                                                 \
    "least(greatest((SELECT w * greatest(2, (w + 7) / w) FROM (SELECT greatest(count(*), 1) AS w FROM pg_dist_node"    \
    " WHERE groupid > 0) AS n), (SELECT count(*) FROM tabiya.game) / 4000000), 1024)::integer"
#define SAME_SHARDS "(SELECT count(*)::integer FROM pg_dist_shard WHERE logicalrelid = 'tabiya.game'::regclass)"

/* In this order; a table without a column is on every node. */
static const struct {
    const char *name, *column, *with;
} tables[] = {
    {"tabiya.shape", NULL, NULL},
    {"tabiya.game_tracked", NULL, NULL},
    {"tabiya.game", "hash", "'none', shard_count => "},
    {"tabiya.game_played", "position", "'none', shard_count => " SAME_SHARDS},
    {"tabiya.game_totals", "position", "'tabiya.game_played'"},
    {"tabiya.game_folding", "position", "'tabiya.game_played'"},
};

/* The name by which the nodes reach each other; the folder of a socket is not one. */
static void put_address(buffer *out, const pg_address *at)
{
    pg_put_literal(out, at->host[0] == '/' || !at->host[0] ? "localhost" : at->host);
    buffer_printf(out, ", %d", at->port);
}

/* Runs one statement, or a few that change no distributed table; or prints them. */
static bool step(server *s, const citus_plan *p, buffer *sql)
{
    const bool is_good = sql->has_failed ? db_fail_memory(&s->to.base)
                         : !p->print     ? pg_run(&s->to, sql->s)
                                         : (p->print(p->context, sql->s, sql->n) && p->print(p->context, ";\n", 2)) ||
                                           pg_fail(&s->to, "writing failed");
    sql->n = 0;
    return is_good;
}

static bool add_node(server *s, const citus_plan *p, const pg_address *at, buffer *sql)
{
    buffer_string(sql, "SELECT citus_add_node(");
    put_address(sql, at);
    buffer_string(sql, ") WHERE NOT EXISTS (SELECT 1 FROM pg_dist_node WHERE (nodename, nodeport) = (");
    put_address(sql, at);
    buffer_string(sql, "))");
    return step(s, p, sql);
}

static bool distribute(server *s, const citus_plan *p, buffer *sql)
{
    bool is_good = true;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && is_good; i++) {
        char number[16] = "";
        const bool is_game = tables[i].column && strcmp(tables[i].column, "hash") == 0;
        if (p->n_shards)
            snprintf(number, sizeof number, "%d", p->n_shards);
        if (tables[i].column)
            buffer_printf(sql, "SELECT create_distributed_table('%s', '%s', colocate_with => %s%s)", tables[i].name,
                          tables[i].column, tables[i].with,
                          !is_game      ? ""
                          : p->n_shards ? number
                                        : DEFAULT_SHARDS);
        else
            buffer_printf(sql, "SELECT create_reference_table('%s')", tables[i].name);
        buffer_printf(sql, " WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = '%s'::regclass)",
                      tables[i].name);
        is_good = step(s, p, sql);
    }
    return is_good;
}

/* Citus names a coordinator "localhost" if it was used without workers, and then refuses workers elsewhere: such a name
   is replaced. */
static bool name_coordinator(server *s, const citus_plan *p, buffer *sql)
{
    buffer_string(sql, "SELECT citus_set_coordinator_host(");
    put_address(sql, &p->coordinator);
    buffer_string(sql,
                  ") WHERE NOT EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid = 0 AND (nodename <> 'localhost' OR"
                  " (nodename, nodeport) = (");
    put_address(sql, &p->coordinator);
    buffer_string(sql, ")))");
    return step(s, p, sql);
}

static bool make_tables(server *s, const citus_plan *p, bool has_game, buffer *sql)
{
    if (!has_game)
        server_put_tables(s, sql);
    if (!has_game && !step(s, p, sql))
        return false;
    buffer_printf(sql, make_counts, s->ext);
    return step(s, p, sql) && distribute(s, p, sql);
}

/* Within the transaction. What follows CREATE EXTENSION names its schema, so it is created for printing, too. */
static bool set_up(server *s, server_tables *t, const citus_plan *p, buffer *sql)
{
    bool is_good = true;
    if (p->print)
        buffer_string(sql, "BEGIN;\n" SEQUENTIAL ";\n" PG_ADD_EXTENSION);
    is_good = !p->print || step(s, p, sql);
    is_good = is_good && (t->has_extension || server_add_extension(s, t)) && name_coordinator(s, p, sql);
    for (size_t i = 0; i < p->n_workers && is_good; i++)
        is_good = add_node(s, p, &p->workers[i], sql);
    is_good = is_good && make_tables(s, p, t->has_game, sql);
    buffer_string(sql, "COMMIT");
    return is_good && step(s, p, sql);
}

bool citus_set_up(server *s, server_tables *t, const citus_plan *p)
{
    buffer sql = {0};
    const bool is_good = pg_run(&s->to, "BEGIN") && pg_run(&s->to, SEQUENTIAL) && set_up(s, t, p, &sql);
    const tby_failure failure = s->to.base.failure;
    if (!is_good || p->print)
        pg_roll_back(&s->to);
    s->to.base.failure = failure;
    buffer_free(&sql);
    return is_good;
}

/* ---- Transactions ----------------------------------------------------------------------------------------------- */

/* An import writes shapes, which every node has, and games, and reads both together before it commits. Citus refuses
   this if they were written over several connections to one worker; with SEQUENTIAL each worker has one. Workers are
   also told to use their indexes: Citus sends them the whole text that such a SET is part of, so it is sent separately.
   */
bool citus_begin_import(server *s)
{
    return pg_run(&s->to, SEQUENTIAL) && pg_run(&s->to, "SET LOCAL citus.propagate_set_commands = 'local'") &&
           pg_run(&s->to, "SET LOCAL enable_seqscan = off");
}

/* ---- Indexes ---------------------------------------------------------------------------------------------------- */

/* Citus would send CREATE INDEX to every part of the table, where GIN's own build takes several times as long as
   buildIndex. So each part runs buildIndex, with the name that Citus would give the index; then the nodes, whose tables
   have no rows, create one, too. An index of an earlier attempt is replaced. */
static const char build_parts[] =
    "SELECT coalesce(string_agg(result, ' ') FILTER (WHERE NOT success), '') FROM run_command_on_shards("
    "'tabiya.game'::regclass, $c$DO $d$ DECLARE part text := '%%s'; name text := 'game_positions' || "
    "coalesce(substring("
    "part FROM '_[0-9]+$'), ''); BEGIN SET LOCAL maintenance_work_mem = '256MB'; EXECUTE format('DROP INDEX IF EXISTS"
    " tabiya.%%%%I', name); PERFORM %1$sbuildIndex(format('CREATE INDEX %%%%I ON %%%%s USING gin (moves"
    " %1$schessgame_gin_ops%2$s)', name, part)); END $d$$c$)";
#define TELL_NODE                                                                                                      \
    "DO $d$ BEGIN IF to_regclass('tabiya.game') IS NOT NULL THEN SET LOCAL citus.enable_ddl_propagation = off; CREATE" \
    " INDEX IF NOT EXISTS game_positions ON tabiya.game USING gin (moves %1$schessgame_gin_ops%2$s); END IF; END $d$"
static const char tell_workers[] =
    "SELECT coalesce(string_agg(result, ' ') FILTER (WHERE NOT success), '') FROM run_command_on_workers($c$" TELL_NODE
    "$c$)";

/* Runs a command on others; what it returns is why it failed somewhere. */
static bool tell_others(server *s, const char *sql)
{
    buffer why = {0};
    const bool is_good = pg_send(&s->to, sql, NULL) && pg_texts(&s->to, &why) &&
                         (!why.n || pg_fail(&s->to, "a worker has failed: %.300s", why.s));
    buffer_free(&why);
    return is_good;
}

bool citus_index_positions(server *s, const char *limit)
{
    buffer parts = {0}, workers = {0}, here = {0};
    buffer_printf(&parts, build_parts, s->ext, limit);
    buffer_printf(&workers, tell_workers, s->ext, limit);
    buffer_printf(&here, TELL_NODE, s->ext, limit);
    const bool is_good = parts.has_failed || workers.has_failed || here.has_failed
                             ? db_fail_memory(&s->to.base)
                             : tell_others(s, parts.s) && tell_others(s, workers.s) && pg_run(&s->to, here.s);
    buffer_free(&parts);
    buffer_free(&workers);
    buffer_free(&here);
    return is_good;
}

/* ANALYZE samples as many rows of a small table as of a large one: 300 per unit of its target. The parts share the
   sample of one table. */
static const char analyze_parts[] =
    "SELECT coalesce(string_agg(result, ' ') FILTER (WHERE NOT success), '') FROM run_command_on_shards('%1$s'"
    "::regclass, format($f$DO $d$ BEGIN SET LOCAL default_statistics_target = %%s; ANALYZE %%%%s; END $d$$f$,"
    " (SELECT greatest(25, current_setting('default_statistics_target')::integer / count(*)) FROM pg_dist_shard WHERE"
    " logicalrelid = '%1$s'::regclass)))";

bool citus_analyze(server *s, const char *table)
{
    char sql[512];
    snprintf(sql, sizeof sql, analyze_parts, table);
    return pg_run_format(&s->to, "VACUUM %s", table) && tell_others(s, sql);
}

/* ---- Duplicates ------------------------------------------------------------------------------------------------- */

/* Citus sends a list of values to every part of the table that has one of them, so each part would get nearly all. */
static const char part_hashes[] =
    "SELECT array_agg(h)::text FROM unnest($1::bigint[]) AS h GROUP BY width_bucket(worker_hash(h), (SELECT"
    " array_agg(shardminvalue::integer ORDER BY shardminvalue::integer) FROM pg_dist_shard WHERE logicalrelid ="
    " 'tabiya.game'::regclass))";

bool citus_part_hashes(server *s, const char *hashes, buffer *out)
{
    pg_values v = {.n = 0};
    pg_value(&v, hashes);
    const bool is_good = pg_send(&s->to, part_hashes, &v) && pg_texts(&s->to, out);
    pg_values_free(&v);
    return is_good;
}

/* ---- Conditions in SQL ------------------------------------------------------------------------------------------ */

/* Workers evaluate the condition for their own games, because the subquery is joined on the distribution column. The
   view that users query does not have that column. */
void citus_put_where(buffer *out, const char *condition)
{
    buffer_string(out,
                  "(g.hash, g.id) IN (SELECT games.\"the hash\", games.id FROM (SELECT hash AS \"the hash\", id, ");
    tby_columns_show(buffer_sink, out, TBY_SQL_POSTGRES);
    buffer_printf(out, ", moves AS game FROM tabiya.game) AS games WHERE (%s))", condition);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------ */

bool citus_add(server *s, const pg_address *worker)
{
    const citus_plan run = {.print = NULL};
    buffer sql = {0};
    const bool is_good = add_node(s, &run, worker, &sql);
    buffer_free(&sql);
    return is_good;
}

bool citus_rebalance(server *s) { return pg_run(&s->to, "SELECT citus_rebalance_start()"); }

/* Number, place, reachable, error, games, bytes, version of the server, version of the extension, standbys, lag. */
const char citus_nodes[] =
    "SELECT n.nodeid, n.nodename || ':' || n.nodeport, r.success::integer, CASE WHEN NOT r.success THEN r.said END,"
    " (SELECT sum(p.result::bigint)::bigint FROM run_command_on_placements('tabiya.game', 'SELECT count(*) FROM %s')"
    " AS p WHERE p.success AND p.nodename = n.nodename AND p.nodeport = n.nodeport), split_part(r.result, ' ', 1)"
    "::bigint, split_part(r.result, ' ', 2), split_part(r.result, ' ', 3), split_part(r.result, ' ', 4)::bigint,"
    " nullif(split_part(r.result, ' ', 5), '')::bigint FROM (SELECT nodename, nodeport, success, CASE WHEN success THEN"
    " result ELSE '0   0 ' END AS result, result AS said FROM run_command_on_workers($$SELECT coalesce((SELECT"
    " sum(pg_total_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = to_regnamespace('tabiya') AND relkind"
    " = 'r'), 0) || ' ' || split_part(current_setting('server_version'), ' ', 1) || ' ' || coalesce((SELECT extversion"
    " FROM pg_extension WHERE extname = 'tabiya'), '') || ' ' || (SELECT count(*) FROM pg_stat_replication) || ' ' ||"
    " coalesce((SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint FROM pg_stat_replication"
    " WHERE NOT pg_is_in_recovery())::text, '')$$)) AS r JOIN pg_dist_node AS n USING (nodename, nodeport)"
    " ORDER BY n.nodeid";

/* ---- Sizes ------------------------------------------------------------------------------------------------------ */

#define TABLES                                                                                                         \
    " FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid WHERE relnamespace = 'tabiya'::regnamespace"
const char citus_bytes[] = "SELECT sum(citus_total_relation_size(logicalrelid))::bigint" TABLES;
const char citus_sizes[] = "SELECT relname::text, citus_total_relation_size(logicalrelid)" TABLES " ORDER BY 2 DESC, 1";

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* Fills in a statement whose {words} are those of the extension's statistics of tabiya.game. */
static bool fill(server *s, const char *pattern, buffer *out)
{
    char sql[512];
    pg_values v = {.n = 0};
    pg_value(&v, pattern);
    snprintf(sql, sizeof sql, "SELECT %1$stabiya_fill($1::text, %1$stabiya_stats_parts(" PG_COUNTED "))", s->ext);
    const bool is_good = pg_send(&s->to, sql, &v) && pg_texts(&s->to, out);
    pg_values_free(&v);
    return is_good;
}

/* Sends such a statement, with up to three values. */
static bool send(server *s, const char *pattern, const char *const values[3])
{
    buffer sql = {0};
    pg_values v = {.n = 0};
    for (size_t i = 0; i < 3 && values[i]; i++)
        pg_value(&v, values[i]);
    const bool is_good = fill(s, pattern, &sql) && pg_send(&s->to, sql.s, &v);
    pg_values_free(&v);
    buffer_free(&sql);
    return is_good;
}

static bool citus_run(server *s, const char *pattern)
{
    return send(s, pattern, (const char *[3]){0}) && pg_count(&s->to, NULL);
}

static bool list_tracked(server *s, buffer *out)
{
    return pg_send(&s->to, "SELECT ARRAY(SELECT position FROM tabiya.game_tracked WHERE is_wanted)::text", NULL) &&
           pg_texts(&s->to, out);
}

bool citus_count_games(server *s, const char *ids, bool are_gone)
{
    bool is_counting;
    if (!pg_is_true(&s->to, "SELECT count(*) FROM (SELECT 1 FROM tabiya.game_tracked LIMIT 1) AS x", &is_counting))
        return false;
    return !is_counting ||
           (send(s, are_gone ? "{count deleted}" : "{count stored}", (const char *[3]){ids}) && pg_count(&s->to, NULL));
}

static bool add_up(server *s)
{
    /* Each is read from rows of those before it. */
    static const char *const sums[] = {"{sum 1}", "{sum 2}", "{sum 11}", "{sum 19}", "{sum 3}",
                                       "{sum 5}", "{sum 6}", "{sum 15}", "{sum 23}", "{sum 7}"};
    bool is_good = pg_run(&s->to, "DELETE FROM tabiya.game_totals");
    for (size_t i = 0; i < sizeof sums / sizeof *sums && is_good; i++)
        is_good = citus_run(s, sums[i]);
    return is_good;
}

/* The same as game_played_choose. If MIN_GAMES games reach a position, some part of the table has at least its share of
   them: so each part lists such positions by their boards, then all parts count the games that reach these. No worker
   has to send the many positions that few games reach. */
#define MIN_GAMES "1000"
#define SHARE                                                                                                          \
    "SELECT (" MIN_GAMES " + count(*) - 1) / count(*) FROM pg_dist_shard WHERE logicalrelid = 'tabiya.game'::regclass"

typedef struct choice {
    buffer boards, keys;    /* of the candidates, as arrays of SQL */
    buffer chosen, n_games; /* of the positions that are frequent */
} choice;

/* All parts of the table must have answered. */
static bool take_boards(server *s, choice *c)
{
    bool is_whole = false;
    while (pg_next(&s->to)) {
        const tby_text list = pg_text(&s->to, 1);
        is_whole = pg_number(&s->to, 0) != 0;
        buffer_string(&c->boards, "{");
        buffer_add(&c->boards, list.s ? list.s : "", list.n);
        buffer_string(&c->boards, "}");
    }
    return pg_is_good(&s->to) && (is_whole || pg_fail(&s->to, "a worker has not listed its frequent positions")) &&
           (!c->boards.has_failed || db_fail_memory(&s->to.base));
}

/* The query for a part of the table, whose name Citus fills in. It returns an empty text instead of NULL. */
static bool find_candidates(server *s, choice *c, int64_t n_games)
{
    char command[512];
    int64_t share;
    if (!pg_number_of(&s->to, SHARE, 1, &share))
        return false;
    snprintf(command, sizeof command,
             "SELECT string_agg('\"' || f.board::text || '\"', ',') FROM (SELECT '%%s'::text AS name) AS s,"
             " %stabiya_frequent_positions('SELECT g.moves FROM ' || s.name || ' g', %" PRId64 "::bigint, %" PRId64
             "::integer) AS f",
             s->ext, n_games, share);
    return send(s,
                "SELECT bool_and(success)::integer, string_agg(nullif(result, ''), ',') FROM"
                " run_command_on_shards('tabiya.game'::regclass, $1::text)",
                (const char *[3]){command}) &&
           take_boards(s, c) &&
           send(s, "SELECT ARRAY(SELECT DISTINCT {ext}.positionKey(b) FROM unnest($1::{ext}.chessboard[]) AS b)::text",
                (const char *[3]){c->boards.s}) &&
           pg_texts(&s->to, &c->keys);
}

static bool count_candidates(server *s, choice *c, int64_t n_games)
{
    buffer_string(&c->chosen, "{0"); /* 0 means all games */
    buffer_printf(&c->n_games, "{%" PRId64, n_games);
    const bool is_sent = send(s,
                              "SELECT p.position_key, count(*) FROM {games} g,"
                              " {ext}.playedMoves({ext}.getFirstMoves(g.{game}, 40::bigint), $1::bigint[]) p"
                              " GROUP BY 1 HAVING count(*) >= " MIN_GAMES,
                              (const char *[3]){c->keys.s});
    while (is_sent && pg_next(&s->to)) {
        buffer_printf(&c->chosen, ",%" PRId64, pg_number(&s->to, 0));
        buffer_printf(&c->n_games, ",%" PRId64, pg_number(&s->to, 1));
    }
    buffer_string(&c->chosen, "}");
    buffer_string(&c->n_games, "}");
    return is_sent && pg_is_good(&s->to) &&
           (!(c->chosen.has_failed || c->n_games.has_failed) || db_fail_memory(&s->to.base));
}

static bool store_choice(server *s, const choice *c)
{
    return pg_run(&s->to, PG_TAKE_TURN) &&
           pg_end(&s->to, citus_run(s, "{forget choice}") &&
                              send(s, "{choose given}", (const char *[3]){c->chosen.s, c->n_games.s, c->boards.s}) &&
                              pg_count(&s->to, NULL));
}

static bool choose(server *s)
{
    choice c;
    memset(&c, 0, sizeof c);
    int64_t n_games;
    const bool is_good = pg_number_of(&s->to, "SELECT count(*) FROM tabiya.game", 0, &n_games) &&
                         find_candidates(s, &c, n_games) && count_candidates(s, &c, n_games) && store_choice(s, &c);
    buffer_free(&c.boards);
    buffer_free(&c.keys);
    buffer_free(&c.chosen);
    buffer_free(&c.n_games);
    return is_good;
}

/* Chosen positions are counted in a separate transaction, before it writes the tables that all nodes have: then the
   workers can use several connections each for counting. */
static bool recount(server *s)
{
    buffer tracked = {0};
    const bool is_good = list_tracked(s, &tracked) && citus_run(s, "DELETE FROM {moves}") &&
                         send(s, "{count all}", (const char *[3]){tracked.s}) && pg_count(&s->to, NULL) && add_up(s) &&
                         citus_run(s, "{drop unchosen}") && citus_run(s, "{mark popular}");
    buffer_free(&tracked);
    return is_good;
}

bool citus_recount(server *s) { return choose(s) && pg_run(&s->to, PG_TAKE_TURN) && pg_end(&s->to, recount(s)); }

#define ADDED_UP                                                                                                       \
    "position, uci, class, year, white, draws, black, unknown, n_elo, elo_sum, last_date, is_sure, is_folded, "        \
    "result, pool"

bool citus_fold(server *s)
{
    return pg_run(&s->to, PG_TAKE_TURN) &&
           pg_end(&s->to,
                  pg_run(&s->to, "DELETE FROM tabiya.game_folding") &&
                      citus_run(s, "INSERT INTO tabiya.game_folding (" ADDED_UP ") {folded}") &&
                      citus_run(s, "DELETE FROM {moves}") &&
                      citus_run(s, "INSERT INTO {moves} (" ADDED_UP ") SELECT " ADDED_UP " FROM tabiya.game_folding") &&
                      pg_run(&s->to, "DELETE FROM tabiya.game_folding") && add_up(s));
}
