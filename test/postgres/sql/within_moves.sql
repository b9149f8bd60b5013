-- withinMoves finds the games that nextMoves counts, with an index and without.
\getenv copied TABIYA_RANDOM_GAMES
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'copied' ' WITH (FORMAT binary)'
:copy
DELETE FROM games WHERE id > 1000;
CREATE INDEX games_by_board ON games USING gin (game);
VACUUM ANALYZE games;
CREATE FUNCTION found_by(boardquery) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM games WHERE game @~ $1';
CREATE TABLE boards AS SELECT getBoard(game, n) AS board FROM games, unnest('{0, 1, 2, 9, 30, 80}'::integer[]) AS n WHERE id IN (3, 500) AND plyCount(game) >= n;
CREATE TABLE truth AS SELECT board, (SELECT count(*) FROM games g WHERE hasPosition(g.game, b.board)
    OR EXISTS (SELECT FROM legal_moves(b.board) l WHERE hasPosition(g.game, l.board))) AS n FROM boards b;
SET enable_seqscan = off; SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT nextMoves(game, getBoard('1. e4 e5')) FROM games WHERE game @~ withinMoves(getBoard('1. e4 e5'));
SELECT count(*) AS boards, sum(n) > 1000 AS many, bool_and(found_by(withinMoves(board)) = n) AS same FROM truth;
SET enable_seqscan = on; SET enable_bitmapscan = off;
SELECT bool_and(found_by(withinMoves(board)) = n) AS same FROM truth;
RESET enable_bitmapscan;
SELECT bool_and(a.list::text = b.list::text) AS same FROM boards,
    LATERAL (SELECT nextMoves(game, board) AS list FROM games) AS a, LATERAL (SELECT nextMoves(game, board) AS list FROM games WHERE game @~ withinMoves(board)) AS b;
DROP FUNCTION found_by(boardquery);
DROP TABLE games, boards, truth;
