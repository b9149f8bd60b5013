-- Move statistics: their answers equal those of a scan, also after inserts, updates and deletes.
\getenv games TABIYA_SAMPLE_GAMES
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'games' ' WITH (FORMAT binary)'
:copy
ALTER TABLE games ADD white_elo integer, ADD black_elo integer, ADD date integer, ADD speed text, ADD tags json;
UPDATE games SET white_elo = nullif(1500 + id * 7 % 1300, 1507), black_elo = CASE WHEN id % 9 > 0 THEN 1400 + id * 11 % 1500 END,
    date = CASE WHEN id % 5 > 0 THEN 19900000 + id % 30 * 10000 + id % 12 * 100 + id % 28 END,
    speed = (ARRAY['bullet', 'blitz', 'classical', NULL])[1 + id % 4], tags = CASE WHEN id % 8 = 0 THEN json_build_object('TimeControl', '15+0') END;
CREATE INDEX games_by_board ON games USING gin (game);
ANALYZE games;
SELECT createMoveStats('games', 'game', 'white_elo', 'black_elo', 'date', 'speed', 'tags');
SELECT games_played_refresh(100) > 20 AS tracked;

-- The expected values: by nextMoves, and by playedMove for ratings and dates.
CREATE FUNCTION truth(board chessboard, classes int4range DEFAULT NULL, years int4range DEFAULT NULL, results integer[] DEFAULT NULL, pools integer[] DEFAULT NULL)
    RETURNS TABLE (uci text, games bigint, reached bigint, white bigint, draws bigint, black bigint, unknown bigint, n_elo bigint, elo_sum bigint, last_date integer)
    LANGUAGE sql AS $$
    WITH wanted AS MATERIALIZED (SELECT * FROM games g WHERE (classes IS NULL OR coalesce(least(g.white_elo, g.black_elo) / 200 * (g.white_elo + g.black_elo > 0)::integer, 0) <@ classes)
            AND (years IS NULL OR coalesce(date, 0) / 10000 <@ years) AND (results IS NULL OR chessgame_result(game) = ANY (results))
            AND (pools IS NULL OR CASE speed WHEN 'bullet' THEN CASE WHEN tags IS NULL THEN 10 ELSE 60 END WHEN 'blitz' THEN 20 WHEN 'rapid' THEN 30 WHEN 'classical' THEN 40 ELSE 0 END
                + CASE WHEN white_elo + black_elo > 0 THEN 1 + width_bucket((white_elo + black_elo) / 2.0, ARRAY[1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]) ELSE 0 END = ANY (pools))),
    moves AS (SELECT m.* FROM (SELECT nextMoves(game, board) AS list FROM wanted) AS x, unnest(list) WITH ORDINALITY AS m),
    here AS (SELECT playedMove(game, board) AS uci, count(*) AS n, count(CASE WHEN board::text LIKE '% w %' THEN white_elo ELSE black_elo END) AS n_elo,
            coalesce(sum(CASE WHEN board::text LIKE '% w %' THEN white_elo ELSE black_elo END), 0) AS elo_sum, max(date) AS last_date,
            count(*) FILTER (WHERE getGameResult(game) = '1-0') AS white
        FROM wanted WHERE hasPosition(game, board) GROUP BY 1)
    SELECT m.uci, m.games, reached, m.white, draws, black, unknown, coalesce(n_elo, 0), coalesce(elo_sum, 0), last_date
    FROM moves m LEFT JOIN here USING (uci) WHERE m.games > 0 ORDER BY ordinality
$$;
CREATE TABLE boards AS SELECT DISTINCT ON (positionKey(board)) board FROM games, positions(game) WHERE ply <= id % 11 AND id % 250 = 1;
CREATE FUNCTION compare() RETURNS TABLE (boards bigint, tracked bigint, wrong bigint) LANGUAGE sql AS $$
    SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM games_tracked WHERE position = positionKey(board) AND is_popular)),
        count(*) FILTER (WHERE (SELECT array_agg(e) FROM games_explore(board) e WHERE uci <> '') IS DISTINCT FROM (SELECT array_agg(t) FROM truth(board) t)
            OR (SELECT coalesce(sum(games), 0) FROM games_explore(board)) <> (SELECT count(*) FROM games WHERE hasPosition(game, board)))
    FROM boards
$$;
SELECT * FROM games_explore(getBoard('')) LIMIT 4;
SELECT boards > 20 AS some, tracked > 5 AS tracked, wrong FROM compare();
-- Restricted to some ratings and years.
SELECT count(*) FILTER (WHERE (SELECT array_agg(e) FROM games_explore(board, '[9,12)', '[1995,2010)') e WHERE uci <> '')
    IS DISTINCT FROM (SELECT array_agg(t) FROM truth(board, '[9,12)', '[1995,2010)') t)) AS wrong FROM boards WHERE positionKey(board) % 3 = 0;
-- Totals over ratings, over years and by result, also if some rows are newer than the totals.
CREATE FUNCTION compare_narrower() RETURNS TABLE (wrong bigint) LANGUAGE sql AS $$
    SELECT count(*) FILTER (WHERE (SELECT array_agg(e) FROM games_explore(board, '[9,12)') e WHERE uci <> '') IS DISTINCT FROM (SELECT array_agg(t) FROM truth(board, '[9,12)') t))
        + count(*) FILTER (WHERE (SELECT array_agg(e) FROM games_explore(board, NULL, '[1995,2010)') e WHERE uci <> '')
            IS DISTINCT FROM (SELECT array_agg(t) FROM truth(board, NULL, '[1995,2010)') t))
        + count(*) FILTER (WHERE (SELECT array_agg(e) FROM games_explore(board, results => '{1}') e WHERE uci <> '') IS DISTINCT FROM (SELECT array_agg(t) FROM truth(board, results => '{1}') t))
        + count(*) FILTER (WHERE (SELECT array_agg(e) FROM games_explore(board, '[9,12)', NULL, '{0,3}') e WHERE uci <> '')
            IS DISTINCT FROM (SELECT array_agg(t) FROM truth(board, '[9,12)', NULL, '{0,3}') t)) FROM boards WHERE positionKey(board) % 3 = 0
$$;
-- By pool, and together with the others: ratings from 1800 to 2500, blitz and bullet without ultrabullet.
CREATE FUNCTION compare_pools() RETURNS TABLE (wrong bigint, n_answers bigint) LANGUAGE sql AS $$
    SELECT count(*) FILTER (WHERE given IS DISTINCT FROM wanted), count(*) FILTER (WHERE wanted IS NOT NULL) FROM boards,
        (VALUES (NULL::int4range, NULL::int4range, NULL::integer[], '{6,7,8,16,17,18,26,27,28,46,47,48,66,67,68}'::integer[]), (NULL, NULL, NULL, '{10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29}'),
            (NULL, NULL, NULL, '{0,60}'), ('[9,12)', NULL, NULL, '{16,17,18,66,67}'), (NULL, '[1995,2010)', NULL, '{7,17,27,47,67}'), (NULL, NULL, '{1,2}', '{6,46}'),
            ('[8,)', '[1995,2010)', '{1,3}', '{6,7,8,9,46,47,48,49}'), (NULL, NULL, NULL, '{}')) AS f (classes, years, results, pools),
        LATERAL (SELECT (SELECT array_agg(e) FROM games_explore(board, classes, years, results, pools) e WHERE uci <> '') AS given, (SELECT array_agg(t) FROM truth(board, classes, years, results, pools) t) AS wanted) AS x
        WHERE positionKey(board) % 3 = 0
$$;
SELECT wrong, n_answers > 40 AS answers FROM compare_pools();
-- Every level equals the sum of the rows folded into it.
CREATE FUNCTION compare_totals() RETURNS TABLE (levels bigint, wrong bigint) LANGUAGE sql AS $$
    WITH folded AS (SELECT position, sum(games) AS n FROM games_played WHERE is_folded GROUP BY 1),
    summed AS (SELECT position, level, sum(games) AS n FROM games_totals GROUP BY 1, 2)
    SELECT count(DISTINCT level), count(*) FILTER (WHERE s.n IS DISTINCT FROM f.n) FROM folded f FULL JOIN summed s USING (position)
$$;
SELECT * FROM compare_narrower();
SELECT * FROM compare_totals();

INSERT INTO games SELECT -id, undoLastMove(game), black_elo, white_elo, 20250101, speed, tags FROM games WHERE id % 6 = 0;
INSERT INTO games VALUES (0, '1. e4 e5 2. Nf3 1-0', 3000, NULL, 20260101);
SELECT wrong FROM compare();
SELECT * FROM compare_narrower();
SELECT * FROM compare_totals();
DELETE FROM games WHERE id % 7 = 0;
UPDATE games SET game = getFirstMoves(game, 9), date = date - 10000 WHERE id % 11 = 3;
UPDATE games SET speed = 'rapid', tags = NULL WHERE id % 13 = 5;
UPDATE games SET white_elo = white_elo + 150 WHERE id % 17 = 5;
-- For many moves, the latest game has been deleted.
DELETE FROM games WHERE date >= 20250000;
SELECT wrong FROM compare();
SELECT * FROM compare_narrower();
SELECT wrong FROM compare_pools();
SELECT games_played_fold();
SELECT count(*) = count(DISTINCT (position, uci, class, year, result, pool)) AS folded FROM games_played;
SELECT wrong FROM compare();
SELECT * FROM compare_narrower();
SELECT wrong FROM compare_pools();
SELECT * FROM compare_totals();
-- The start position is answered from few rows.
SELECT count(*) <= 21 AS is_few FROM games_totals WHERE position = positionKey(getBoard('')) AND level = 3;
-- Adding one game looks up its positions and does not read all counts.
VACUUM ANALYZE games_tracked;
SELECT reltuples > 500 AS many FROM pg_class WHERE oid = 'games_tracked'::regclass;
BEGIN;
DELETE FROM games WHERE id = 1;
UPDATE games SET date = 20200101 WHERE id = 2;
INSERT INTO games SELECT -3, game, white_elo, black_elo, date FROM games WHERE id = 3;
SELECT seq_tup_read < 10 AS few_read, idx_scan > 100 AS looked_up FROM pg_stat_xact_user_tables WHERE relname = 'games_tracked';
ROLLBACK;
-- What is rolled back is not counted.
BEGIN;
DELETE FROM games;
SELECT count(*) FROM games_explore(getBoard(''));
ROLLBACK;
SELECT wrong FROM compare();
SELECT games_played_refresh(1000000) AS tracked;
SELECT wrong FROM compare();
SELECT games_played_refresh(50) > 20 AS tracked;
TRUNCATE games;
SELECT count(*) FROM games_explore(getBoard(''));
SELECT count(*) FROM games_totals;
INSERT INTO games VALUES (1, '1. e4 e5 1-0', 2000, 2100, 20200101);
SELECT * FROM games_explore(getBoard(''));
-- The limits of the pools, and what is unknown.
SELECT w, b, tabiya_pool(w, b, 'blitz', NULL) FROM (VALUES (1, 1), (999, 1000), (1000, 1000), (1399, 1400), (1400, 1400), (2499, 2500), (2500, 2500), (3500, 3500), (0, 2500), (2500, NULL), (NULL, NULL), (-5, 9000)) AS v (w, b);
SELECT s, t, tabiya_pool(2100, 2100, s, t) FROM (VALUES ('bullet', NULL::json), ('bullet', '{"TimeControl":"15+0"}'), ('bullet', '{"TimeControl":"60+0"}'), ('bullet', '{"Other":"15+0"}'), ('bullet', '[1]'), ('blitz', '{"TimeControl":"15+0"}'),
    ('ultrabullet', NULL), ('rapid', NULL), ('classical', NULL), ('correspondence', NULL), ('fast', NULL), ('', NULL), (NULL, NULL)) AS v (s, t);


\set VERBOSITY terse
SELECT createMoveStats('games', 'game', date => 'game');
\set VERBOSITY default
SELECT games_played_drop();
SELECT relname FROM pg_class WHERE relname LIKE 'games\_%' ORDER BY 1;
-- Without ratings and dates, and with odd names.
CREATE SCHEMA "Odd ""schema";
CREATE TABLE "Odd ""schema"."My games" ("the Game" chessgame, day date);
SELECT createMoveStats('"Odd ""schema"."My games"', 'the Game', date => 'day');
INSERT INTO "Odd ""schema"."My games" VALUES ('1. e4', '2020-02-03'), ('1. e4 c5', NULL), ('1. d4', '2021-01-01');
SELECT "Odd ""schema"."My games_played_refresh"(1);
INSERT INTO "Odd ""schema"."My games" VALUES ('1. e4 1-0', '2020-02-04');
SELECT * FROM "Odd ""schema"."My games_explore"(getBoard(''));
SELECT * FROM "Odd ""schema"."My games_explore"(getBoard(''), NULL, '[2021,)');
SELECT * FROM "Odd ""schema"."My games_explore"(getBoard(''), pools => '{0}');
SELECT count(*) FROM "Odd ""schema"."My games_counts"(getBoard(''), '{}', pools => '{0}');
DROP SCHEMA "Odd ""schema" CASCADE;
-- Names that look like keywords and quotes in the generated statements.
CREATE SCHEMA "{ext}$$";
CREATE TABLE "{ext}$$"."{moves} $$ '{game}'" ("$$ {date}" chessgame, "{white}" integer, "$sql$" integer, "{totals}" date);
SELECT createMoveStats('"{ext}$$"."{moves} $$ ''{game}''"', '$$ {date}', '{white}', '$sql$', '{totals}');
INSERT INTO "{ext}$$"."{moves} $$ '{game}'" VALUES ('1. e4 e5 1-0', 2100, 2200, '2020-02-03'), ('1. e4 c5', 1900, NULL, NULL);
SELECT "{ext}$$"."{moves} $$ '{game}'_played_refresh"(1);
INSERT INTO "{ext}$$"."{moves} $$ '{game}'" VALUES ('1. e4 1-0', 2500, 2600, '2020-02-04');
SELECT * FROM "{ext}$$"."{moves} $$ '{game}'_explore"(getBoard(''));
SELECT * FROM "{ext}$$"."{moves} $$ '{game}'_explore"(getBoard(''), '[10,)', '[2020,)');
SELECT "{ext}$$"."{moves} $$ '{game}'_played_drop"();
SET client_min_messages = warning;
DROP SCHEMA "{ext}$$" CASCADE;
RESET client_min_messages;
DROP FUNCTION truth(chessboard, int4range, int4range, integer[], integer[]), compare(), compare_narrower(), compare_pools(), compare_totals();
DROP TABLE games, boards;
