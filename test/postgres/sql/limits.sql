-- Long calls can be stopped, and memory does not grow.
\getenv games TABIYA_RANDOM_GAMES
CREATE TABLE games (id integer, game chessgame);
\set copy '\\copy games FROM ' :'games' ' WITH (FORMAT binary)'
:copy
SET statement_timeout = 50;
SELECT count(*) FROM parsePgn(repeat(E'[White "Ada"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 {' || repeat('x', 500) || E'} 1-0\n\n', 200000));
SELECT count(chessgameError('{' || repeat('word ', 10000000))) FROM generate_series(1, 100);
SELECT nextMoves(game, getBoard('')) FROM games, generate_series(1, 1000);
SELECT count(*) FROM games, generate_series(1, 1000) WHERE hasBoard(game, getBoard(''));
SELECT sum(length(toPgn(game))) FROM games;
RESET statement_timeout;
SELECT 'still here' AS server;

CREATE FUNCTION memory() RETURNS bigint LANGUAGE sql AS 'SELECT sum(total_bytes) FROM pg_backend_memory_contexts';
CREATE FUNCTION grows_by(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint;
BEGIN
    EXECUTE statement;
    PERFORM memory();
    before := memory();
    EXECUTE statement;
    EXECUTE statement;
    RETURN memory() - before;
END $$;
-- A million calls: text in and out, searches, derived games, rows.
SELECT grows_by(statement) < 200000 AS stays FROM (VALUES
    ('SELECT count(hasBoard(game, board)) FROM games, (SELECT board FROM positions(''1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6'')) AS b'),
    ('SELECT count(getFirstMoves(game, n)) FROM games, generate_series(1, 20) n'),
    ('SELECT count(hasOpening(game, opening(game))), count(openingEnd(game)) FROM games, generate_series(1, 8)'),
    ('SELECT count(game::text::chessgame) FROM games WHERE id % 10 = 1'),
    ('SELECT count(addMove(undoLastMove(game), ''a3'')) FROM games WHERE isValidMove(undoLastMove(game), ''a3'')'),
    ('SELECT count(m.san) FROM games, moves(game) m WHERE id % 20 = 1'),
    ('SELECT count(p.board) FROM games, positions(game) p WHERE id % 20 = 1'),
    ('SELECT count(p.tags) FROM games, parsePgn(toPgn(game)) p WHERE id % 10 = 1'),
    ('SELECT nextMoves(game, getBoard('''')) FROM games')) AS v(statement);
DROP TABLE games;
DROP FUNCTION memory(), grows_by(text);

-- nameWords and sortKey can be cancelled within a long text, and give the same for it as for its parts.
CREATE TABLE texts AS SELECT repeat('Müller-12 ', 3000000) AS long;
SELECT clock_timestamp() AS t \gset
SELECT cardinality(nameWords(long)) FROM texts;
SELECT clock_timestamp() AS t, clock_timestamp() - :'t' AS whole \gset
SET statement_timeout = '50ms';
SELECT cardinality(nameWords(long)) FROM texts;
RESET statement_timeout;
SELECT clock_timestamp() - :'t' < interval :'whole' / 2 AS is_early;
SELECT clock_timestamp() AS t \gset
SELECT length(sortKey(long)) FROM texts;
SELECT clock_timestamp() AS t, clock_timestamp() - :'t' AS whole \gset
SET statement_timeout = '50ms';
SELECT length(sortKey(long)) FROM texts;
RESET statement_timeout;
SELECT clock_timestamp() - :'t' < interval :'whole' / 2 AS is_early;
DROP TABLE texts;
SELECT nameWords(repeat('Ab-cd,', 20000)) = nameWords(repeat('ab cd ', 20000)) AS words, nameWords(repeat('é', 70000) || ' b') = ARRAY[repeat('e', 500), 'b'] AS long_word;
SELECT sortKey(repeat('Ab 7?', 20000)) = ('\x01' || convert_to(repeat('ab 0000000007?', 20000), 'UTF8') || '\x00') AS key, sortKey(repeat('?', 100000)) IS NULL AS unknown,
    length(sortKey(repeat('1', 100000))) AS number;
