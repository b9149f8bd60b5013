-- chessgame: text, bytes, casts, order, hashing.
SELECT '1.e4 e5 2.Nf3'::chessgame, ''::chessgame AS empty, 'e2e4 e7e5 1-0'::chessgame AS uci;
SELECT '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'::chessgame;
SELECT '1. e4 e5 2. Qh6'::chessgame;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x00'::bytea::chessgame;
\echo :LAST_ERROR_SQLSTATE

-- Text and bytes, both ways.
SELECT game::text::chessgame = game AS text, game::bytea::chessgame = game AS bytes, length(game::bytea), pg_column_size(game)
    FROM (VALUES (''::chessgame), ('1. e4 e5 1-0'), ('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 7"] 7... Kd7 8. e4 0-1')) AS v(game);
SELECT '1. e4'::chessgame::chessboard, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'::chessboard::chessgame;
SELECT '8/8/8/8/8/8/8/8 w - - 0 1'::chessboard::chessgame;

-- An untyped literal may be a game or a board.
SELECT isCheckmate('1.f3 e5 2.g4 Qh4#'), isCheckmate('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'), pg_typeof(undoLastMove('1. e4'));

-- Text can be stored in a column of games.
CREATE TABLE texts (game text);
CREATE TABLE games (game chessgame PRIMARY KEY);
INSERT INTO texts VALUES ('1. e4 c5'), ('1. d4'), ('1. e4'), ('1. e4 1-0'), ('');
INSERT INTO games SELECT game FROM texts;
INSERT INTO games VALUES ('e2e4');
\echo :LAST_ERROR_SQLSTATE
SELECT game FROM games ORDER BY game;
SELECT game FROM games ORDER BY game DESC LIMIT 2;
SELECT min(game::text), count(DISTINCT game) FROM games;
SELECT count(*) FROM games a JOIN games b USING (game);
SET enable_mergejoin = off; SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM games a JOIN (SELECT * FROM games OFFSET 0) AS b USING (game);
SELECT count(*) FROM games a JOIN games b USING (game);
RESET enable_mergejoin; RESET enable_nestloop;
SET enable_hashjoin = off; SET enable_nestloop = off;
SELECT count(*) FROM games a JOIN games b USING (game);
RESET enable_hashjoin; RESET enable_nestloop;

-- Partitions by hash and by range.
CREATE TABLE parts (game chessgame) PARTITION BY HASH (game);
CREATE TABLE parts0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT game FROM games;
SELECT count(*) FROM parts;
SELECT count(*) FROM parts WHERE game = '1. e4';
CREATE TABLE ranges (game chessgame) PARTITION BY RANGE (game);
CREATE TABLE ranges0 PARTITION OF ranges FOR VALUES FROM (MINVALUE) TO ('1. d4');
CREATE TABLE ranges1 PARTITION OF ranges FOR VALUES FROM ('1. d4') TO (MAXVALUE);
INSERT INTO ranges SELECT game FROM games;
SELECT tableoid::regclass, count(*) FROM ranges GROUP BY 1 ORDER BY 1;

-- Hashes and keys are stored: they never change.
SELECT chessgame_hash('1. e4 e5 2. Nf3 1-0'), chessgame_hash_extended('1. e4 e5 2. Nf3 1-0', 42), chessgame_hash_extended('', 0);
SELECT placementKey(getBoard('')), positionKey(getBoard(''));
SELECT '1. e4 e5 2. Nf3 1-0'::chessgame::bytea;

-- A game that is too long for a row of a B-tree is reported, and stored anyway.
CREATE TABLE long (game chessgame);
INSERT INTO long SELECT string_agg('Nf3 Nf6 Ng1 Ng8', ' ')::chessgame FROM generate_series(1, 2500);
SELECT plyCount(game), game = game::text::chessgame AS same FROM long;
CREATE INDEX ON long USING gin (game);
SELECT count(*) FROM long WHERE hasBoard(game, 'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1');
SELECT string_agg('Nf3 Nf6 Ng1 Ng8', ' ')::chessgame FROM generate_series(1, 4425);
DROP TABLE texts, games, parts, ranges, long;
