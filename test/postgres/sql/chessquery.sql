-- Queries: input and output, errors with their location, and matches by an index.
\getenv games TABIYA_SAMPLE_GAMES
SET client_min_messages = warning;

-- Input and output: the canonical form is read back as itself.
SELECT q::chessquery FROM (VALUES ('Pd4   and  Pe4'), ('either(iqp result 1-0)'), ('KRP+vKRP+ for 10'), ('Bxh7+,kxh7;10N-g5+'),
    ('N:f3-d2-f1-g3  opening "1. e4 e5"'), ('[QR]{7 8}>=2'), ('not ( not check )'), ('P-{8}=[RBN]')) AS t(q);
SELECT bool_and(q::chessquery::text = q::chessquery::text::chessquery::text) AS same FROM (VALUES ('shift (Pd4 P{c}=0 P{e}=0)'), ('greek-gift')) AS t(q);
SELECT 'rook-ending'::text::chessquery, 'iqp'::varchar::chessquery;
CREATE TABLE questions (q chessquery);
COPY questions FROM STDIN;
Q>=2   q>=2
mate
\.
SELECT q, length(q::text) FROM questions;
\set file :games '.queries'
COPY questions TO :'file' WITH (FORMAT binary);
COPY questions FROM :'file' WITH (FORMAT binary);
SELECT q::text, count(*) FROM questions GROUP BY 1 ORDER BY 1;

-- Errors: the location, what was expected, the nearest word.
SELECT 'plaer carlsen'::chessquery;
SELECT 'Pd4 Pe9'::chessquery;
SELECT ''::chessquery;
SELECT 'Pd4 ('::chessquery;
SELECT 'iqp ö'::chessquery;
SELECT 'Pd4 player carlsen'::chessquery;
SELECT 'comment good'::chessquery;
SELECT matches('1. e4', 'ipq');
SELECT matches('1. e4', 'elo 2400..');
SELECT matches('1. e9', 'Pe4');

-- Answers, and NULL.
SELECT matches('1. e4 e5', 'Pe4'), matches('1. e4 e5', 'Pd4'), matchPly('1. e4 e5', 'Pe4'), matchPly('1. e4 e5', 'Pd4'),
    matchPlies('1. e4 e5', 'Pe4'), matchPlies('1. e4 e5', 'Pd4'), matches(NULL, 'Pe4'), matches('1. e4', NULL);
SELECT matchPly('1. f3 e5 2. g4 Qh4#', 'mate'), matchPlies('1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8', 'repeats 3'), matchPly('1. e4 *', 'result 1-0'), matchPly('1. e4 1-0', 'result 1-0');

-- A query that differs by row is parsed when it changes.
SELECT q, matches('1. f3 e5 2. g4 Qh4#', q) FROM (SELECT DISTINCT q::text FROM questions) AS t(q) ORDER BY 1;
SELECT count(*) FILTER (WHERE matches(game, q::chessquery)) AS some FROM (VALUES ('1. e4'::chessgame)) AS g(game), (SELECT CASE n % 2 WHEN 0 THEN 'Pe4' ELSE 'Pd4' END FROM generate_series(1, 1000) n) AS t(q);

-- One that is the same for all rows is cached, however long it is.
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'games' ' WITH (FORMAT binary)'
:copy
DELETE FROM games WHERE id > 1000;
SELECT count(*) > 0 AS some FROM games WHERE matches(game, ('Q>=2' || repeat(' or (Q>=9 q>=9)', 500))::chessquery);

-- An index finds the games with what a query requires; the rest is checked on those.
CREATE INDEX games_by_moves ON games (game);
CREATE INDEX games_by_board ON games USING gin (game);
VACUUM ANALYZE games;
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE matches(game, 'board "8/8/8/8/8/2k5/1q6/K7"');
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE matches(game, 'fen "8/8/8/8/8/2k5/1q6/K7 w - - 0 1" check ; mate');
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE matches(game, 'opening "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4" Q=0');
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE matches(game, 'ever (board "8/8/8/8/8/2k5/1q6/K7") or Q>=2');
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE matches(game, 'not opening "1. e4"');
EXPLAIN (COSTS OFF) SELECT id FROM games WHERE matches(getFirstMoves(game, 20), 'opening "1. e4 c5"');
-- The same games with and without an index.
CREATE FUNCTION same_games(query text) RETURNS TABLE (games bigint, same boolean) LANGUAGE plpgsql AS $$
DECLARE plain integer[]; indexed integer[];
BEGIN
    EXECUTE format('SELECT coalesce(array_agg(id ORDER BY id), ''{}'') FROM games WHERE chessgame_matches(game, %L)', query) INTO plain;
    SET LOCAL enable_seqscan = off;
    EXECUTE format('SELECT coalesce(array_agg(id ORDER BY id), ''{}'') FROM games WHERE matches(game, %L)', query) INTO indexed;
    RETURN QUERY SELECT cardinality(plain)::bigint, plain = indexed;
END $$;
SELECT q, s.* FROM (VALUES ('opening "1. e4 c5"'), ('opening "1. e4 c5" o-o'), ('opening "1. e4" opening "1. e4 e5"'), ('O-O ; opening "1. d4" o-o'),
    ('fen "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"'), ('board "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR" ;10 Pd4'),
    ('fen "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2" , btm'), ('either (fen "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")'),
    ('ever (board "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR") mate'), ('never board "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"'),
    ('board "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" for 2'), ('Q>=2'), ('mate')) AS t(q), same_games(q) s;

-- Exploring the games that a query finds.
SELECT uci, games FROM unnest((SELECT nextMoves(game, getBoard('')) FILTER (WHERE matches(game, 'mate')) FROM games)) ORDER BY games DESC, uci LIMIT 3;
SELECT uci, count(*) FROM games, playedMove(game, getBoard('')) AS uci WHERE matches(game, 'mate') GROUP BY uci ORDER BY 2 DESC, uci LIMIT 3;
DROP TABLE games, questions;
DROP FUNCTION same_games(text);
