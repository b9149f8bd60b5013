-- The answers of an index equal those of a scan, also after updates and deletes.
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

-- buildIndex builds the same index, here in parts; some rows were updated in place and one has no game.
SET maintenance_work_mem = '1MB';
INSERT INTO games VALUES (0, NULL);
ALTER TABLE games ADD note integer;
UPDATE games SET note = 1 WHERE id % 3 = 0;
DROP INDEX games_by_board;
SELECT buildIndex('CREATE INDEX games_by_board ON games USING gin (game)');
SELECT * FROM compare();
INSERT INTO games SELECT id + 10000, game FROM games WHERE id % 17 = 0;
DELETE FROM games WHERE id % 19 = 0;
VACUUM games;
SELECT * FROM compare();
DROP INDEX games_by_board;
SELECT buildIndex('CREATE INDEX games_by_board ON games USING gin (game chessgame_gin_ops (max_ply = 20, key_bits = 12))');
SELECT * FROM compare();
SELECT buildIndex('CREATE INDEX IF NOT EXISTS games_by_board ON games USING gin (game)');
SELECT buildIndex('CREATE INDEX ON games (id)');
SELECT buildIndex('CREATE INDEX CONCURRENTLY ON games USING gin (game)');
SELECT buildIndex('DROP TABLE games');
SELECT buildIndex('');
CREATE TABLE parts (game chessgame) PARTITION BY LIST (game);
SELECT buildIndex('CREATE INDEX ON parts USING gin (game)');
RESET maintenance_work_mem;

-- Counts made in C equal those made in SQL.
CREATE TABLE small AS SELECT id, game FROM games;
SELECT count(*) AS different FROM (SELECT position_key, games FROM tabiya_frequent_positions('SELECT game FROM small', 4000, 20)) AS a FULL JOIN
    (SELECT p.position_key, count(*) AS games FROM small, playedMoves(getFirstMoves(game, 40)) p GROUP BY 1 HAVING count(*) >= 20) AS b
    USING (position_key) WHERE a.games IS DISTINCT FROM b.games;
SET work_mem = '64kB';
SELECT count(*) > 1000 AS many, count(*) FILTER (WHERE a.games IS DISTINCT FROM b.games OR a.elo IS DISTINCT FROM b.elo OR a.date IS DISTINCT FROM b.date) AS different FROM
    (SELECT position_key, uci, class, sum(white + draws + black + unknown) AS games, sum(elo_sum) AS elo, max(last_date) AS date
        FROM tabiya_count_moves('SELECT game, id % 3, 7, id, CASE WHEN id % 2 = 0 THEN id END, CASE WHEN id % 5 = 0 THEN id END FROM small',
            ARRAY(SELECT position_key FROM small, positions(game))) GROUP BY 1, 2, 3) AS a FULL JOIN
    (SELECT p.position_key, p.uci, id % 3 AS class, count(*) AS games, coalesce(sum(CASE WHEN is_white THEN id WHEN id % 2 = 0 THEN id END), 0) AS elo,
        max(id) FILTER (WHERE id % 5 = 0) AS date FROM small, playedMoves(game) p GROUP BY 1, 2, 3) AS b USING (position_key, uci, class);
RESET work_mem;
SELECT * FROM tabiya_count_moves('SELECT 1', '{}');
SELECT * FROM tabiya_frequent_positions('SELECT game::text FROM small', 1, 1);
SELECT * FROM tabiya_frequent_positions('DELETE FROM small', 1, 1);
SELECT count(*) FROM tabiya_frequent_positions('SELECT NULL::chessgame', 1, -1);
DROP TABLE games, wanted, parts, small;
DROP FUNCTION answers(), compare();
