-- What an index answers is what a look at every game answers, also after updates and deletes.
\getenv games TABIYA_RANDOM_GAMES
CREATE EXTENSION amcheck;
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'games' ' WITH (FORMAT binary)'
:copy
SELECT count(*), count(DISTINCT game) > 9000 AS many, bool_and(game::text::chessgame = game) AS same, max(plyCount(game)) > 256 AS long FROM games;

-- A total order.
SELECT count(*) FROM games a, games b WHERE a.id <= 300 AND b.id <= 300
    AND ((a.game < b.game)::int + (a.game = b.game)::int + (a.game > b.game)::int <> 1
        OR (a.game <= b.game) <> (a.game < b.game OR a.game = b.game) OR (a.game < b.game) <> (b.game > a.game));

CREATE INDEX games_by_moves ON games (game);
SELECT bt_index_check('games_by_moves', true);

DELETE FROM games WHERE id > 4000;
VACUUM games;
CREATE INDEX games_by_hash ON games USING hash (game);
CREATE INDEX games_by_board ON games USING gin (game);

CREATE TABLE wanted AS
    SELECT row_number() OVER () AS n, getFirstMoves(game, id % 12) AS opening, getBoard(game, id % greatest(plyCount(game), 1)) AS board,
        CASE id % 3 WHEN 0 THEN id % 40 ELSE 400 END AS ply
    FROM games WHERE id % 23 = 0;
CREATE FUNCTION answers() RETURNS TABLE (query text, n bigint, found bigint, sum numeric) LANGUAGE sql AS $$
    SELECT 'opening', w.n, count(g.id), sum(g.id) FROM wanted w LEFT JOIN games g ON hasOpening(g.game, w.opening) GROUP BY w.n
    UNION ALL SELECT 'board', w.n, count(g.id), sum(g.id) FROM wanted w LEFT JOIN games g ON hasBoard(g.game, w.board, w.ply) GROUP BY w.n
    UNION ALL SELECT 'position', w.n, count(g.id), sum(g.id) FROM wanted w LEFT JOIN games g ON hasPosition(g.game, w.board) GROUP BY w.n
    UNION ALL SELECT 'game', w.n, count(g.id), sum(g.id) FROM wanted w LEFT JOIN games g ON g.game = w.opening GROUP BY w.n
$$;
CREATE FUNCTION compare() RETURNS TABLE (same bigint, different bigint) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true);
    CREATE TEMP TABLE by_index AS SELECT * FROM answers();
    PERFORM set_config('enable_seqscan', 'on', true);
    PERFORM set_config('enable_indexscan', 'off', true);
    PERFORM set_config('enable_indexonlyscan', 'off', true);
    PERFORM set_config('enable_bitmapscan', 'off', true);
    CREATE TEMP TABLE by_scan AS SELECT * FROM answers();
    RETURN QUERY SELECT count(*) FILTER (WHERE (i.found, i.sum) IS NOT DISTINCT FROM (s.found, s.sum)),
        count(*) FILTER (WHERE (i.found, i.sum) IS DISTINCT FROM (s.found, s.sum))
        FROM by_index i FULL JOIN by_scan s USING (query, n);
    DROP TABLE by_index, by_scan;
END $$;
SELECT * FROM compare();

UPDATE games SET game = undoLastMove(game) WHERE id % 7 = 0;
UPDATE games SET id = -id WHERE id % 11 = 0;
DELETE FROM games WHERE id % 5 = 0;
SELECT * FROM compare();
VACUUM games;
SELECT bt_index_check('games_by_moves', true);
SELECT * FROM compare();

DROP INDEX games_by_board;
CREATE INDEX games_by_board ON games USING gin (game chessgame_gin_ops (max_ply = 20, key_bits = 12)) WITH (fastupdate = off);
UPDATE games SET game = undoLastMove(game) WHERE id % 13 = 0;
SELECT * FROM compare();
DROP TABLE games, wanted;
DROP FUNCTION answers(), compare();
