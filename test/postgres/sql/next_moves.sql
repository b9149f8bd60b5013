-- The aggregate nextMoves: edges, nodes, results; the same in parallel.
CREATE TABLE games (id serial, game chessgame);
INSERT INTO games (game) VALUES ('1. e4 e5 1-0'), ('1. e4 c5 0-1'), ('1. d4 d5 1/2-1/2'), ('1. e4 e5 2. Nf3 *'), (''),
    ('1. d4 d5 2. e4'), ('1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0'), (NULL), ('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
SELECT m.* FROM (SELECT nextMoves(game, getBoard('')) AS list FROM games) AS x, unnest(list) AS m;
-- Nodes count the games that reach them by any move order.
SELECT m.* FROM (SELECT nextMoves(game, getBoard('1. d4')) AS list FROM (VALUES
    ('1. d4 d5 2. c4'::chessgame), ('1. d4 Nf6 2. c4 d5'), ('1. Nf3 d5 2. d4 Nf6 3. Ng1 Ng8')) AS v(game)) AS x, unnest(list) AS m;
SELECT nextMoves(game, NULL) FROM games;
SELECT nextMoves(game, getBoard('')) FROM games WHERE false;
SELECT cardinality(nextMoves(game, '4k3/8/8/8/8/8/8/4K3 w - - 0 1')) FROM games;
SELECT nextMoves(game, '8/8/8/8/8/8/8/8 w - - 0 1') FROM games;
SELECT nextMoves(game, getBoard('1. e4 e5', id % 2)) FROM games;
-- A game that reaches a position twice counts once, for the first time.
SELECT m.san, games FROM (SELECT nextMoves(game, getBoard('')) AS list FROM games WHERE id = 7) AS x, unnest(list) AS m;
-- A null move is reported on input, and counts as a move here, also when merging.
CREATE TABLE nulls AS SELECT game::chessgame FROM (VALUES ('1. e4 -- 2. d4 1-0'), ('1. e4 *')) AS v(game);
SELECT m.* FROM (SELECT nextMoves(game, getBoard('1. e4')) AS list FROM nulls) AS x, unnest(list) AS m;
SELECT m.* FROM (SELECT mergeMoves(list, getBoard('1. e4')) AS list FROM (SELECT nextMoves(game, getBoard('1. e4')) AS list FROM nulls GROUP BY game) AS x) AS y, unnest(list) AS m;
SELECT playedMove(game, getBoard('1. e4')), toUci(game), plyCount(game) FROM nulls ORDER BY 1 DESC;
SELECT number, game, error FROM parsePgn('1. e4 -- 2. d4 1-0');
DROP TABLE nulls;

-- Answers for parts of the games add up to the answer for all.
SELECT m.* FROM (SELECT mergeMoves(list, getBoard('')) AS list
    FROM (SELECT nextMoves(game, getBoard('')) AS list FROM games GROUP BY id % 3) AS x) AS y, unnest(list) AS m;
SELECT mergeMoves(NULL, getBoard('')), mergeMoves('{}', getBoard('')), mergeMoves('{}', NULL);
SELECT mergeMoves(list, getBoard('1. e4')) FROM (SELECT nextMoves(game, getBoard('')) AS list FROM games) AS x;
SELECT mergeMoves('{NULL}', getBoard(''));
SELECT mergeMoves('{"(e4,e2e4,1,1,1,0,0,-1)"}', getBoard(''));
SELECT mergeMoves('{"(e4,,1,1,1,0,0,0)"}', getBoard(''));

CREATE TABLE many (game chessgame);
INSERT INTO many SELECT game FROM games, generate_series(1, 3000) WHERE game IS NOT NULL;
ANALYZE many;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT nextMoves(game, getBoard('')) FROM many;
SELECT m.san, games, reached, white, draws, black, unknown FROM (SELECT nextMoves(game, getBoard('')) AS list FROM many) AS x, unnest(list) AS m;
DROP TABLE games, many;
