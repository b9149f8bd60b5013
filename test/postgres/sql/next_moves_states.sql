-- The state of nextMoves and mergeMoves, a type that is passed between processes and between machines.
CREATE TABLE games (id serial, game chessgame);
INSERT INTO games (game) VALUES ('1. e4 e5 1-0'), ('1. e4 c5 0-1'), ('1. d4 d5 1/2-1/2'), ('1. e4 e5 2. Nf3 *'), (''), ('1. d4 d5 2. e4'), (NULL);
-- States are transferred as text and as bytes, and add up to the same answer: as in Citus, and between machines.
CREATE AGGREGATE partly(chessgame, chessboard) (SFUNC = tabiya_nextmoves_add, STYPE = nextmovestate);
CREATE AGGREGATE wholly(nextmovestate) (SFUNC = tabiya_nextmoves_combine, STYPE = nextmovestate, FINALFUNC = tabiya_nextmoves_list);
CREATE TABLE parts AS SELECT partly(game, getBoard('')) AS state FROM games GROUP BY id % 3;
SELECT wholly(state) = (SELECT nextMoves(game, getBoard('')) FROM games) AS is_same, wholly(state::text::nextmovestate) = wholly(state) AS as_text FROM parts;
\getenv folder TABIYA_FOLDER
\set file :folder '/states.copy'
COPY parts TO :'file' WITH (FORMAT binary);
CREATE TABLE arrived (LIKE parts);
COPY arrived FROM :'file' WITH (FORMAT binary);
SELECT wholly(a.state) = (SELECT wholly(state) FROM parts) AS as_bytes FROM arrived a;
-- What is not a state is refused.
SELECT left(state::text, 20)::nextmovestate FROM parts;
SELECT (state::text || '00')::nextmovestate FROM parts;
SELECT ('7fffffff' || substr(state::text, 9))::nextmovestate FROM parts;
SELECT ('00000000' || substr(state::text, 9))::nextmovestate FROM parts;
SELECT 'x'::nextmovestate;
SELECT tabiya_nextmoves_add(state, '1. e4', getBoard('')) FROM parts;
SELECT tabiya_nextmoves_combine(state, state) FROM parts;
SELECT wholly(s) FROM (SELECT partly(game, getBoard('', id - 1)) AS s FROM (VALUES (1, '1. e4'::chessgame), (1, '1. d4')) AS v(id, game)
    UNION ALL SELECT partly('1. e4 e5', getBoard('1. e4'))) AS x;
-- Nor is a damaged one that was stored: a type with the same storage stands in for it.
CREATE CAST (polygon AS nextmovestate) WITHOUT FUNCTION;
CREATE TABLE damaged AS SELECT ('(' || string_agg(format('(%s,%1$s)', x), ',') || ')')::polygon::nextmovestate AS state
    FROM generate_series(1, 400) AS n, unnest('{0,1e300,1e-320}'::float8[]) AS x GROUP BY x, n % 3
    UNION ALL SELECT '((0,0))'::polygon::nextmovestate;
CREATE FUNCTION refused(query text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
    EXECUTE query;
    RETURN 'no error';
EXCEPTION WHEN invalid_binary_representation THEN RETURN SQLERRM; END $$;
SELECT DISTINCT refused(format('SELECT %s FROM damaged WHERE ctid = %L', f, ctid))
    FROM damaged, unnest('{state::text,nextmovestate_send(state),tabiya_nextmoves_list(state),wholly(state)}'::text[]) AS f;
DROP TABLE damaged;
DROP CAST (polygon AS nextmovestate);
DROP FUNCTION refused(text);
DROP AGGREGATE partly(chessgame, chessboard);
DROP AGGREGATE wholly(nextmovestate);
DROP TABLE parts, arrived;
DROP TABLE games;
