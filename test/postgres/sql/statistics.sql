-- After ANALYZE, estimates are within a factor of three: common openings; the start, common and rare positions.
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

-- Every opening that at least one game in fifty has.
WITH openings AS (
    SELECT getFirstMoves(game, n)::text AS opening FROM games, generate_series(0, 12) n
    WHERE plyCount(game) >= n GROUP BY 1 HAVING count(DISTINCT id) > 60
)
SELECT count(*) > 20 AS some, bool_and(estimated BETWEEN actual / 3 AND actual * 3) AS good
    FROM openings, estimate(format('hasOpening(game, %L)', opening));
-- Every placement that at least one game in fifty has, and the final one of some games.
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
-- A common placement, but earlier than any game reaches it.
SELECT n, estimated BETWEEN actual / 3 AND actual * 3 OR (estimated < 5 AND actual < 5) AS good
    FROM generate_series(0, 3) n, estimate(format('hasBoard(game, getBoard(''1. e4 e5''), %s)', n));
-- The games without an opening.
WITH openings AS (
    SELECT getFirstMoves(game, n)::text AS opening FROM games, generate_series(0, 4) n
    WHERE plyCount(game) >= n GROUP BY 1 HAVING count(DISTINCT id) > 60
)
SELECT count(*) > 10 AS some, bool_and(estimated BETWEEN actual * 0.9 - 2 AND actual * 1.1 + 2) AS good
    FROM openings, estimate(format('NOT hasOpening(game, %L)', opening));
-- An opening or a board that is known only at run time: as many games as the most common one has, but not all.
SET plan_cache_mode = force_generic_plan;
PREPARE by_opening(chessgame) AS SELECT * FROM games WHERE hasOpening(game, $1);
PREPARE not_by_opening(chessgame) AS SELECT * FROM games WHERE NOT hasOpening(game, $1);
PREPARE by_board(chessboard) AS SELECT * FROM games WHERE hasBoard(game, $1);
CREATE FUNCTION plan_of(statement text, what text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) EXECUTE ' || statement INTO plan;
    RETURN plan->0->'Plan'->>what;
END $$;
WITH common AS (
    SELECT max(n) AS n, (SELECT count(*) FROM games) AS n_games
        FROM (SELECT count(*) AS n FROM games GROUP BY getFirstMoves(game, 1)::text) moves
)
SELECT opening BETWEEN n * 0.9 AND n * 1.1 AS opening, n_games - not_opening BETWEEN n * 0.9 AND n * 1.1 AS not_opening,
        board BETWEEN n * 0.9 AND n_games * 0.9 AS board
    FROM common,
        CAST(plan_of($$by_opening('1. a3')$$, 'Plan Rows') AS float) AS opening,
        CAST(plan_of($$not_by_opening('1. a3')$$, 'Plan Rows') AS float) AS not_opening,
        CAST(plan_of($$by_board('8/8/8/8/8/8/8/8 w - - 0 1')$$, 'Plan Rows') AS float) AS board;
RESET plan_cache_mode;
-- So a prepared statement keeps planning for the opening, however often it has run with another.
CREATE INDEX games_by_moves ON games (game);
VACUUM ANALYZE games;
SELECT round, plan_of($$by_opening('1. e4')$$, 'Node Type') AS common,
        plan_of($$by_opening('1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6')$$, 'Node Type') <> 'Seq Scan' AS rare_by_index
    FROM generate_series(1, 8) round WHERE round IN (1, 7, 8) OR plan_of($$by_opening('1. e4')$$, 'Node Type') IS NULL;
DEALLOCATE ALL;
DROP FUNCTION plan_of(text, text);
DROP INDEX games_by_moves;

-- A query is checked against a sample: frequent facts are within a factor of three, rare ones are few.
SELECT query, estimated BETWEEN actual / 3 AND actual * 3 OR (estimated <= n * 0.002 AND actual <= n * 0.002) AS good
    FROM (SELECT count(*) AS n FROM games) all_games,
        unnest(ARRAY['mate', 'not mate', 'check', 'O-O', 'O-O-O', 'result 1-0', 'plies ..60', 'Q=0 q=0', 'e.p.', 'stalemate',
            'mate O-O-O', 'plies 9999..']) query,
        estimate(format('matches(game, %L)', query));
SELECT estimated <= 1 AS null_is_good FROM estimate('matches(game, NULL)');

-- An empty column, and columns of NULLs, of games without moves, of one game.
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
DROP TABLE odd, games;
DROP FUNCTION estimate(text);
