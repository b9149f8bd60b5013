-- ANALYZE makes estimates within three times of the truth: common openings; the start, common and rare positions.
\getenv games TABIYA_SAMPLE_GAMES
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'games' ' WITH (FORMAT binary)'
:copy
INSERT INTO games VALUES (0, ''), (-1, NULL);
ANALYZE games;
CREATE FUNCTION estimate(condition text, OUT estimated float, OUT actual float) LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT * FROM games WHERE ' || condition INTO plan;
    estimated := plan->0->'Plan'->>'Plan Rows';
    EXECUTE 'SELECT count(*) FROM games WHERE ' || condition INTO actual;
END $$;

-- Every opening that one game in fifty has.
WITH openings AS (
    SELECT getFirstMoves(game, n)::text AS opening FROM games, generate_series(0, 12) n
    WHERE plyCount(game) >= n GROUP BY 1 HAVING count(DISTINCT id) > 60
)
SELECT count(*) > 20 AS some, bool_and(estimated BETWEEN actual / 3 AND actual * 3) AS good
    FROM openings, estimate(format('hasOpening(game, %L)', opening));
-- Every placement that one game in fifty has, and the last one of some games.
WITH common AS (
    SELECT min(board::text) AS board FROM games, positions(game) GROUP BY placement_key HAVING count(DISTINCT id) > 60
)
SELECT count(*) > 20 AS some, bool_and(estimated BETWEEN actual / 3 AND actual * 3) AS good
    FROM common, estimate(format('hasBoard(game, %L)', board));
SELECT count(*), bool_and(estimated BETWEEN actual / 3 AND actual * 3) AS good
    FROM games, estimate(format('hasPosition(game, %L)', getBoard(game)))
    WHERE id % 100 = 1;
SELECT estimated BETWEEN actual / 3 AND actual * 3 AS start_is_good FROM estimate($$hasBoard(game, getBoard(''), 10)$$);
SELECT estimated <= 1 AS never_is_good FROM estimate($$hasBoard(game, getBoard(''), -1)$$);

-- A column of nothing, of NULLs, of games without moves, of one game.
CREATE TABLE odd (game chessgame);
ANALYZE odd;
INSERT INTO odd VALUES (NULL), (NULL);
ANALYZE odd;
INSERT INTO odd VALUES (''), ('1-0'), ('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
ANALYZE odd;
SELECT count(*) FROM odd WHERE hasBoard(game, getBoard(''));
TRUNCATE odd;
INSERT INTO odd SELECT '1. e4' FROM generate_series(1, 1000);
ANALYZE odd;
SELECT most_common_freqs, most_common_elem_freqs FROM pg_stats WHERE tablename = 'odd';
EXPLAIN (COSTS OFF) SELECT * FROM odd WHERE hasOpening(game, openingEnd('1. e4'));
DROP TABLE odd, games;
DROP FUNCTION estimate(text);
