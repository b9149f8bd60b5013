-- What users may do and see: nothing that is not a game can be stored; views work for users who may not use the
-- extension's schema; row-level security and security barriers let the plain calls use their indexes.

-- Only chessopening accepts the upper bound of an opening, as text and as bytes.
CREATE TABLE kept (game chessgame);
INSERT INTO kept VALUES ('openingEnd 1. e4 e5');
\echo :LAST_ERROR_SQLSTATE
INSERT INTO kept SELECT openingEnd('1. e4 e5');
INSERT INTO kept SELECT openingEnd('1. e4 e5')::text::chessgame;
INSERT INTO kept SELECT chessgame_send('1. e4 e5')::chessgame;
INSERT INTO kept SELECT chessopening_send(openingEnd('1. e4 e5'))::chessgame;
\echo :LAST_ERROR_SQLSTATE
SELECT * FROM kept;
SELECT openingEnd('1. e4 e5')::text::chessopening = openingEnd('1. e4 e5') AS as_text;
CREATE TABLE bounds AS SELECT openingFirst(o) AS first, openingEnd(o) AS "end"
    FROM unnest('{1. e4 e5,1. d4 1-0,""}'::text[]) AS t(s), chessgame(s) AS o;
\getenv folder TABIYA_FOLDER
\set file :folder '/bounds.copy'
COPY bounds TO :'file' WITH (FORMAT binary);
CREATE TABLE copied (LIKE bounds);
COPY copied FROM :'file' WITH (FORMAT binary);
SELECT count(*) FROM copied JOIN bounds USING (first, "end");
DROP TABLE kept, bounds, copied;

-- A user without any rights on the extension's schema can read through views.
CREATE SCHEMA hidden;
ALTER EXTENSION tabiya SET SCHEMA hidden;
SET search_path = public, hidden;
CREATE TABLE games (id integer, owner text, game chessgame);
INSERT INTO games SELECT n, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END, s::chessgame
    FROM generate_series(1, 3000) n, LATERAL (SELECT (ARRAY['1. e4 e5', '1. d4 d5', '1. e4 c5', '1. c4', '1. Nf3 d5 2. g3', '1. b3'])[1 + n % 5]) AS x(s);
INSERT INTO games VALUES (4000, 'even', '1. b3 e5'), (4001, 'odd', '1. b3 d5');
CREATE INDEX games_by_moves ON games (game);
CREATE INDEX games_by_board ON games USING gin (game);
VACUUM ANALYZE games;
CREATE VIEW by_opening AS SELECT id FROM games WHERE hasOpening(game, '1. b3');
CREATE VIEW by_board AS SELECT id FROM games WHERE hasBoard(game, getBoard('1. b3'), 5);
CREATE VIEW by_position AS SELECT id FROM games WHERE hasPosition(game, getBoard('1. b3'));
CREATE ROLE tabiya_reader;
GRANT SELECT ON by_opening, by_board, by_position TO tabiya_reader;
SET ROLE tabiya_reader;
SELECT has_schema_privilege('hidden', 'USAGE') AS may_use;
SELECT * FROM by_opening ORDER BY id;
SELECT * FROM by_board ORDER BY id;
SELECT * FROM by_position ORDER BY id;
RESET ROLE;
DROP VIEW by_opening, by_board, by_position;
ALTER EXTENSION tabiya SET SCHEMA public;
RESET search_path;
DROP SCHEMA hidden;

-- Row-level security.
ALTER TABLE games ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON games USING (owner = current_setting('tabiya.owner'));
GRANT SELECT ON games TO tabiya_reader;
SET ROLE tabiya_reader;
SET tabiya.owner = 'even';
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasBoard(game, getBoard('1. b3'), 5);
SELECT id FROM games WHERE hasBoard(game, getBoard('1. b3'), 5);
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE hasPosition(game, getBoard('1. b3'));
SELECT id FROM games WHERE hasPosition(game, getBoard('1. b3'));
SELECT id FROM games WHERE hasOpening(game, '1. b3');
SET plan_cache_mode = force_generic_plan;
PREPARE by_opening(chessgame) AS SELECT id FROM games WHERE hasOpening(game, $1);
EXPLAIN (COSTS OFF) EXECUTE by_opening('1. b3');
EXECUTE by_opening('1. b3');
RESET plan_cache_mode;
RESET ROLE;
-- A security barrier.
CREATE VIEW guarded WITH (security_barrier) AS SELECT id, game FROM games WHERE owner = 'odd';
EXPLAIN (COSTS OFF) SELECT id FROM guarded WHERE hasBoard(game, getBoard('1. b3'));
SELECT id FROM guarded WHERE hasBoard(game, getBoard('1. b3'));
-- Functions whose errors can quote a game are not leakproof; those that are leakproof are meant to be.
SELECT proname, pg_get_function_arguments(oid) FROM pg_proc
    WHERE proleakproof AND pronamespace = 'public'::regnamespace AND proname !~ '_(lt|le|eq|ne|ge|gt|cmp|hash|hash_extended|smaller|larger)$' ORDER BY 1, 2;
RESET enable_seqscan;
DROP VIEW guarded;
DROP TABLE games;
DROP ROLE tabiya_reader;
DEALLOCATE ALL;
