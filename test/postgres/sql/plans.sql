-- The plain call uses its index: for a constant, in a join, with a sub-select, in a generic plan.
\getenv games TABIYA_RANDOM_GAMES
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'games' ' WITH (FORMAT binary)'
:copy
DELETE FROM games WHERE id > 3000;
CREATE TABLE favourites AS SELECT game FROM games WHERE id IN (11, 1003, 2007);
CREATE INDEX games_by_moves ON games (game);
CREATE INDEX games_by_board ON games USING gin (game);
VACUUM ANALYZE games;
ANALYZE favourites;

-- hasOpening: a range of the B-tree, without a filter.
EXPLAIN (COSTS OFF) SELECT count(*) FROM games WHERE hasOpening(game, '1. a3 a6 2. a4 a5 3. b3');
EXPLAIN (COSTS OFF) SELECT * FROM games WHERE hasOpening(game, '1. a3 a6');
EXPLAIN (COSTS OFF) SELECT g.id FROM games g, favourites f WHERE hasOpening(g.game, getFirstMoves(f.game, 10));
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasOpening(game, (SELECT getFirstMoves(game, 10) FROM favourites LIMIT 1));
SET plan_cache_mode = force_generic_plan;
PREPARE by_opening(chessgame) AS SELECT count(*) FROM games WHERE hasOpening(game, $1);
EXPLAIN (COSTS OFF) EXECUTE by_opening('1. e4 e5');
PREPARE by_board(chessboard, integer) AS SELECT count(*) FROM games WHERE hasBoard(game, $1, $2);
EXPLAIN (COSTS OFF) EXECUTE by_board('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1', 10);
PREPARE by_position(chessboard) AS SELECT count(*) FROM games WHERE hasPosition(game, $1);
EXPLAIN (COSTS OFF) EXECUTE by_position('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1');
RESET plan_cache_mode;

-- hasBoard, hasPosition: the GIN index, and a recheck of what it finds.
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasBoard(game, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 10);
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasPosition(game, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
EXPLAIN (COSTS OFF) SELECT g.id FROM favourites f, games g WHERE hasBoard(g.game, getBoard(f.game, 20));
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasBoard(game, (SELECT getBoard(game, 20) FROM favourites LIMIT 1), 30);

-- A table of boards: one search for all of them.
CREATE TABLE boards AS SELECT getBoard(game, 20) AS board FROM favourites;
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE game @~ ANY (ARRAY(SELECT within(board) FROM boards));
SELECT count(*) > 2 AS some, count(*) = (SELECT count(*) FROM games WHERE EXISTS (SELECT FROM boards WHERE hasBoard(game, board))) AS same
    FROM games WHERE game @~ ANY (ARRAY(SELECT within(board) FROM boards));
DROP TABLE boards;

-- The index for games that are too long for a B-tree.
CREATE INDEX games_by_beginning ON games (getFirstMoves(game, 100));
SET enable_seqscan = off; SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasOpening(getFirstMoves(game, 100), '1. a3 a6 2. a4');
SELECT count(*) = (SELECT count(*) FROM games WHERE hasOpening(game, '1. a3 a6')) AS same FROM games WHERE hasOpening(getFirstMoves(game, 100), '1. a3 a6');
RESET enable_seqscan; RESET enable_bitmapscan;
DROP INDEX games_by_beginning;

-- Nothing to look for.
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasBoard(game, NULL);
SELECT count(*) FROM games WHERE hasBoard(game, getBoard(''), -1);
SELECT count(*) FROM games WHERE hasPosition(game, '8/8/8/8/8/8/8/8 w - - 0 1');

-- An index up to a half-move is used for searches that go no further; others scan all games.
DROP INDEX games_by_board;
CREATE INDEX games_by_board ON games USING gin (game chessgame_gin_ops (max_ply = 20));
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasBoard(game, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 20);
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasBoard(game, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 21);
SET enable_seqscan = off;
SELECT count(*) FROM favourites f, games g WHERE hasBoard(g.game, getBoard(f.game, 40));
RESET enable_seqscan;
CREATE INDEX ON games USING gin (game chessgame_gin_ops (max_ply = -1));
CREATE INDEX ON games USING gin (game chessgame_gin_ops (plies = 1));

-- Without indexes, parallel workers share the search.
DROP INDEX games_by_board, games_by_moves;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT count(*) FROM games WHERE hasBoard(game, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 20);
CREATE FUNCTION workers(query text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO plan;
    RETURN substring(plan::text FROM '"Workers Launched": (\d+)');
END $$;
SELECT workers('SELECT count(*) FROM games WHERE hasBoard(game, getBoard(''1. e4''))') > 0 AS has_workers;
SELECT workers('SELECT nextMoves(game, getBoard('''')) FROM games') > 0 AS has_workers;
DROP FUNCTION workers(text);
DROP TABLE games, favourites;
DEALLOCATE ALL;
