-- tabiya--1.1--2.0.sql - updates the extension. docs/postgres.md explains what happens to move statistics of 1.1.

\echo Use "ALTER EXTENSION tabiya UPDATE" to load this file. \quit

-- Shards on plain servers are gone.
DROP FUNCTION shardSql(text[], text);
DROP FUNCTION gamesSql(text);

-- Internal functions are called tabiya_. Move statistics, whose functions call some of them, are created again below.
DROP FUNCTION moveStatsParts(regclass, name, name, name, name);
DROP FUNCTION moveStatsSql(regclass, name, name, name, name);
DROP FUNCTION createMoveStats(regclass, name, name, name, name);
ALTER FUNCTION frequentPositions(text, bigint, integer) RENAME TO tabiya_frequent_positions;
DROP FUNCTION countMoves(text, bigint[]);
ALTER FUNCTION waitForWriters(regclass) RENAME TO tabiya_wait_for_writers;
ALTER FUNCTION hasopening_support(internal) RENAME TO tabiya_hasopening_support;
ALTER FUNCTION hasboard_support(internal) RENAME TO tabiya_hasboard_support;
ALTER FUNCTION hasposition_support(internal) RENAME TO tabiya_hasposition_support;
ALTER FUNCTION matches_support(internal) RENAME TO tabiya_matches_support;
ALTER FUNCTION nextmoves_add(nextmovestate, chessgame, chessboard) RENAME TO tabiya_nextmoves_add;
ALTER FUNCTION nextmoves_combine(nextmovestate, nextmovestate) RENAME TO tabiya_nextmoves_combine;
ALTER FUNCTION nextmoves_list(nextmovestate) RENAME TO tabiya_nextmoves_list;
ALTER FUNCTION nextmoves_merge(nextmovestate, nextmove[], chessboard) RENAME TO tabiya_nextmoves_merge;

CREATE FUNCTION playedMoves(game chessgame, positions bigint[]) RETURNS TABLE (position_key bigint, uci text, is_white boolean, result smallint)
    AS 'MODULE_PATHNAME', 'tabiya_played_among' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 20;
COMMENT ON FUNCTION playedMoves(chessgame, bigint[]) IS 'the rows of playedMoves(game) for these positions, without boards';

CREATE FUNCTION tabiya_count_moves(query text, positions bigint[]) RETURNS TABLE (position_key bigint, uci text, class integer, year integer,
        white integer, draws integer, black integer, unknown integer, n_elo integer, elo_sum bigint, last_date integer, result integer, pool smallint)
    AS 'MODULE_PATHNAME', 'tabiya_count_moves' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 100000;
COMMENT ON FUNCTION tabiya_count_moves(text, bigint[]) IS 'what the games of a query play in these positions; rows of one move add up. Columns of the query: game, class, year, ratings of White and Black, date, pool';

CREATE OR REPLACE FUNCTION getOpening(chessgame, bigint) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_get_first_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getOpening(chessgame, bigint) IS 'the same as getFirstMoves';

-- SECTION Move statistics

-- ---- Statistics made by version 1.1 -----------------------------------------------------------------------------------

-- Their triggers run with the rights of whoever created them, often a superuser. They get new functions, which run with
-- the rights of the owner of the games; their tables stay. Nothing in the schemas of users is called: the columns that
-- they count are found in the text of the trigger's function, which contains known expressions for each.
DO $do$
DECLARE
    ext text := (SELECT extnamespace::pg_catalog.regnamespace FROM pg_catalog.pg_extension WHERE extname = 'tabiya');
    suffixes text[] := '{_played,_totals,_tracked}';
    suffix text;
    function regprocedure;
    s record;
    reason text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    FOR s IN SELECT c.oid::regclass AS games, c.relname AS name, c.relnamespace::regnamespace AS schema, c.relowner::regrole AS owner, p.proowner AS maker, p.prosrc AS body,
            ARRAY(SELECT (c.relname || x)::name FROM unnest('{_played_change,_played_choose,_played_count,_played_refresh,_played_fold,_played_drop,_explore,_counts}'::text[]) AS x) AS functions
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE p.pronamespace = c.relnamespace AND p.prosecdef AND p.proname = (c.relname || '_played_change')::name AND t.tgname = (c.relname || '_played_truncate')::name
    LOOP
        FOREACH suffix IN ARRAY '{_insert,_delete,_update,_truncate}'::text[] LOOP
            EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', s.name || '_played' || suffix, s.games);
        END LOOP;
        FOR function IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = s.schema AND proname = ANY (s.functions) AND proowner = s.maker LOOP
            EXECUTE format('DROP FUNCTION %s', function);
        END LOOP;
        BEGIN
            FOREACH suffix IN ARRAY suffixes LOOP
                IF NOT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = s.schema AND relname = (s.name || suffix)::name AND relkind = 'r' AND relowner IN (s.maker, s.owner)) THEN
                    RAISE EXCEPTION USING MESSAGE = format('%s.%I is not a table of %s', s.schema, s.name || suffix, s.maker::regrole);
                END IF;
                EXECUTE format('ALTER TABLE %s.%I RENAME TO %I', s.schema, s.name || suffix, s.name || suffix || '_1_1');
            END LOOP;
            EXECUTE format('SELECT %s.createMoveStats($1, $2, $3, $4, $5, $6, $7)', ext) USING s.games,
                (SELECT attname FROM pg_attribute WHERE attrelid = s.games AND strpos(s.body, format('.playedMoves(g.%I) p', attname)) > 0),
                (SELECT w.attname FROM pg_attribute w, pg_attribute b WHERE w.attrelid = s.games AND b.attrelid = s.games
                    AND strpos(s.body, format('CASE WHEN p.is_white THEN g.%I ELSE g.%I END', w.attname, b.attname)) > 0),
                (SELECT b.attname FROM pg_attribute w, pg_attribute b WHERE w.attrelid = s.games AND b.attrelid = s.games
                    AND strpos(s.body, format('CASE WHEN p.is_white THEN g.%I ELSE g.%I END', w.attname, b.attname)) > 0),
                (SELECT attname FROM pg_attribute WHERE attrelid = s.games AND (strpos(s.body, format('max(g.%I)', attname)) > 0
                    OR strpos(s.body, format('max(to_char(g.%I, ''YYYYMMDD'')::integer)', attname)) > 0)),
                -- 1.1 did not count speeds; the program's own table has them
                (SELECT attname FROM pg_attribute WHERE attrelid = s.games AND s.games = to_regclass('tabiya.game') AND attname = 'speed'),
                (SELECT attname FROM pg_attribute WHERE attrelid = s.games AND s.games = to_regclass('tabiya.game') AND attname = 'tags');
            -- what a script of an extension creates belongs to the extension, unless it is released
            FOR function IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = s.schema AND proname = ANY (s.functions) AND proowner = s.owner LOOP
                EXECUTE format('ALTER EXTENSION tabiya DROP FUNCTION %s', function);
            END LOOP;
            FOREACH suffix IN ARRAY suffixes LOOP
                EXECUTE format('DROP TABLE %s.%I', s.schema, s.name || suffix);
                EXECUTE format('ALTER TABLE %s.%I RENAME TO %I', s.schema, s.name || suffix || '_1_1', s.name || suffix);
                EXECUTE format('ALTER TABLE %s.%I OWNER TO %s', s.schema, s.name || suffix, s.owner);
            END LOOP;
            EXECUTE format('ALTER TABLE %s.%I ADD result integer, ADD pool smallint', s.schema, s.name || '_played');
            EXECUTE format('ALTER TABLE %s.%I ADD result integer, ADD pool smallint', s.schema, s.name || '_totals');
            EXECUTE format('CREATE INDEX ON %s.%I (position) WHERE result IS NULL', s.schema, s.name || '_played');
            EXECUTE format('SELECT %s.tabiya_check_stats($1, $2, $3)', ext) USING s.games, (SELECT rolname FROM pg_roles WHERE oid = s.owner), ARRAY['_played', '_totals', '_tracked'];
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS reason = MESSAGE_TEXT;
            RAISE WARNING USING MESSAGE = format('the move statistics of %s were removed: %s', s.games, reason),
                HINT = format('What is left of them are the tables %s_played, %1$s_totals and %1$s_tracked: drop them, and call createMoveStats again.', s.name);
        END;
    END LOOP;
END $do$;
