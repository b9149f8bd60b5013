-- Arguments of every type that a column or a driver may have: text, varchar, any integer, untyped parameters.
CREATE TABLE typed (t text, v varchar(100), fen text, n2 smallint, n4 integer, n8 bigint);
INSERT INTO typed VALUES ('1. e4 e5 2. Nf3', '1. e4', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1', 1, 2, 3);
SELECT hasOpening(t, v), hasOpening(v, t), hasBoard(t, fen), hasPosition(v, fen, n8), boardPly(t, fen), plyCount(v) FROM typed;
SELECT getBoard(t, n2) = getBoard(t, n4 - 1) AS same, getBoard(t, n8), getBoard(t, n8 + 1) IS NULL AS beyond FROM typed;
SELECT getFirstMoves(t, n2), getFirstMoves(t, n8 - 1), getFirstMoves(t, 9223372036854775807), getFirstMoves(t, -9223372036854775808) FROM typed;
SELECT hasBoard(t, fen, n2), hasBoard(t, fen, 0), hasBoard(t, fen, 4294967296), hasBoard(t, fen, -4294967295), hasPosition(t, fen, n8) FROM typed;
SELECT within(fen, n8), within(fen, 5000000000)::text = within(fen)::text AS same, withinPosition(fen, n2) FROM typed;
-- Where both a game and a board are accepted, a text is a game, and a bare FEN is a game without moves.
SELECT isCheck(t), isCheckmate(v), countLegalMoves(fen), toFen(v), toFen(fen), getLegalMovesUci('4k3/8/8/8/8/8/8/4K3 w - - 0 1') FROM typed;
SELECT count(*) FROM typed, legal_moves(t);
SELECT fromUci('e7e5', fen), fromSan('e5', v::text) FROM typed;
SELECT isCheck('1. e4 Ke7'::text);
\echo :LAST_ERROR_SQLSTATE
-- Comparisons, joins and assignments.
SELECT t = '1. e4 e5 2. Nf3'::chessgame AS text_game, '1. e4'::chessgame = v AS game_varchar, fen = getBoard(v) AS text_board FROM typed;
CREATE TABLE games (game chessgame);
INSERT INTO games SELECT v FROM typed;
INSERT INTO games SELECT t FROM typed;
SELECT count(*) FROM games JOIN typed ON game = v;
-- A parameter without a type.
PREPARE untyped AS SELECT getBoard(game, $1), hasBoard(game, $2, $1) FROM games WHERE hasOpening(game, $3);
EXECUTE untyped(1, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1', '1. e4 e5');
DEALLOCATE untyped;
-- Minimum and maximum.
INSERT INTO games VALUES ('1. d4'), (NULL), ('1. a3');
SELECT min(game) = (SELECT game FROM games WHERE game IS NOT NULL ORDER BY game LIMIT 1) AS first,
    max(game) = (SELECT game FROM games WHERE game IS NOT NULL ORDER BY game DESC LIMIT 1) AS last,
    min(getBoard(game)) < max(getBoard(game)) AS boards FROM games;
SELECT min(game) IS NULL AS none FROM games WHERE false;
CREATE INDEX ON games (game);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT min(game), max(game) FROM games;
RESET enable_seqscan;
DROP TABLE typed, games;
-- Text with an unread rest is refused, with its location.
SELECT '1. e4 e5 2. 0-0'::chessgame;
SELECT '1. e4 { e5 2. Nf3'::chessgame;
SELECT chessgameError('1. e4 { e5 2. Nf3') IS NOT NULL AS told, legalPrefix('1. e4 e5 2. 0-0');
