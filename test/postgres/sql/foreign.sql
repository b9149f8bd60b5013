-- postgres_fdw pushes calls and counting down to the shards, and only answers are transferred.
CREATE EXTENSION postgres_fdw;
SELECT current_setting('unix_socket_directories') AS host, current_database() AS db \gset
CREATE SERVER near FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'host', dbname :'db', extensions 'tabiya', async_capable 'true');
CREATE USER MAPPING FOR CURRENT_USER SERVER near OPTIONS (user 'postgres', password_required 'false');
CREATE TABLE games1 (shard integer DEFAULT 1, id integer, game chessgame);
CREATE TABLE games2 (shard integer DEFAULT 2, id integer, game chessgame);
INSERT INTO games1 VALUES (1, 1, '1. e4 e5 1-0'), (1, 2, '1. e4 c5 0-1'), (1, 3, '1. d4'), (1, 6, '1. e4 c5 2. Nf3 1/2-1/2');
INSERT INTO games2 VALUES (2, 4, '1. e4 e5 2. Nf3'), (2, 5, '1. Nf3 Nf6 2. Ng1 Ng8 3. e4 0-1');
CREATE TABLE games (shard integer, id integer, game chessgame) PARTITION BY LIST (shard);
CREATE FOREIGN TABLE far1 PARTITION OF games FOR VALUES IN (1) SERVER near OPTIONS (table_name 'games1');
CREATE FOREIGN TABLE far2 PARTITION OF games FOR VALUES IN (2) SERVER near OPTIONS (table_name 'games2');
EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM games WHERE hasOpening(game, '1. e4') AND hasBoard(game, getBoard('1. e4 c5'), 10);
SELECT id FROM games WHERE hasOpening(game, '1. e4') AND hasBoard(game, getBoard('1. e4 c5'), 10) ORDER BY id;
SELECT id FROM far1 WHERE game >= opening('1. e4') AND game < openingEnd('1. e4') ORDER BY id;
-- Also in a plan made before the opening is known.
SET plan_cache_mode = force_generic_plan;
PREPARE by_opening(chessgame) AS SELECT id FROM far1 WHERE hasOpening(game, $1);
EXPLAIN (VERBOSE, COSTS OFF) EXECUTE by_opening('1. e4 e5');
EXECUTE by_opening('1. e4 e5');
DEALLOCATE by_opening;
RESET plan_cache_mode;

-- Patterns are searched for on the shards.
EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM games WHERE matches(game, 'opening "1. e4" Nf3');
SELECT id, matchPly(game, 'opening "1. e4" Nf3') FROM games WHERE matches(game, 'opening "1. e4" Nf3') ORDER BY id;

-- The moves played: counted shard by shard, added up here.
SET enable_partitionwise_aggregate = on;
EXPLAIN (VERBOSE, COSTS OFF)
    SELECT mergeMoves(list, getBoard('')) FROM (SELECT shard, nextMoves(game, getBoard('')) AS list FROM games GROUP BY shard) AS x;
SELECT m.* FROM (SELECT mergeMoves(list, getBoard('')) AS list
    FROM (SELECT shard, nextMoves(game, getBoard('')) AS list FROM games GROUP BY shard) AS x) AS y, unnest(list) AS m;
SELECT (SELECT mergeMoves(list, getBoard('')) FROM (SELECT shard, nextMoves(game, getBoard('')) AS list FROM games GROUP BY shard) AS x)
    = (SELECT nextMoves(game, getBoard('')) FROM (SELECT * FROM games1 UNION ALL SELECT * FROM games2) AS all_games) AS same;
EXPLAIN (VERBOSE, COSTS OFF) SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM games WHERE hasOpening(game, '1. e4') GROUP BY shard) AS x;
-- LIMIT: each shard returns at most that many.
EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM far1 WHERE hasOpening(game, '1. e4') ORDER BY id LIMIT 2;
DROP EXTENSION postgres_fdw CASCADE;
DROP TABLE games, games1, games2;
