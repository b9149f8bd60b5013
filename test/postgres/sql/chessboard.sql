-- chessboard and boardquery: text, bytes, order, hashing.
SELECT 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'::chessboard;
SELECT '8/8/8/8/8/8/8/8 b - - 65535 65535'::chessboard, '4k3/8/8/8/8/8/8/4K3 w KQkq e3 7 9'::chessboard;
SELECT 'rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'::chessboard;
\echo :LAST_ERROR_SQLSTATE
SELECT '\x1200'::bytea::chessboard;
\echo :LAST_ERROR_SQLSTATE
SELECT board::bytea::chessboard = board, board::text::chessboard = board FROM (VALUES (getBoard('1. e4'))) AS v(board);
CREATE TABLE boards (board chessboard PRIMARY KEY);
INSERT INTO boards SELECT DISTINCT board FROM positions('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6');
SELECT count(*), count(DISTINCT placementKey(board)) FROM boards;
SELECT count(*) FROM boards a JOIN boards b USING (board);
SELECT count(*) FROM (SELECT board FROM boards INTERSECT SELECT board FROM boards) AS both_;
SELECT board < board AS less, board <= board AS least FROM boards LIMIT 1;
SELECT chessboard_hash(getBoard('')), chessboard_hash_extended(getBoard(''), 7);
DROP TABLE boards;

SELECT within(getBoard('1. e4')), withinPosition(getBoard('1. e4'), 10), within(getBoard(''), -5), within(getBoard(''), 1000000), withinMoves(getBoard('1. e4'));
SELECT q::text::boardquery::text = q::text AS same
    FROM (VALUES (within(getBoard('1. e4'))), (withinPosition(getBoard('1. e4'), 10)), (within(getBoard(''), -5)), (withinMoves(getBoard('1. e4'))), ('moves rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 within 3')) AS v(q);
SELECT 'nonsense'::boardquery;
SELECT 'board nonsense within 3'::boardquery;
SELECT 'board 8/8/8/8/8/8/8/8 w - - 0 1 within x'::boardquery;
SELECT '1. e4 e5 2. Nf3'::chessgame @~ withinMoves(getBoard('1. e4 e5')) AS played, '1. e4 e5'::chessgame @~ withinMoves(getBoard('1. e4 e5')) AS here, '1. Nf3 Nf6 2. e4'::chessgame @~ withinMoves(getBoard('1. e4 Nf6')) AS led_to,
    '1. e4'::chessgame @~ withinMoves(getBoard('1. e4 e5')) AS before, '1. e4 e5 2. Nf3'::chessgame @~ withinMoves('8/8/8/8/8/8/8/8 w - - 0 1') AS nowhere,
    '1. e4 e5 2. Nf3'::chessgame @~ 'moves rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 within 1' AS too_late;
SELECT '1. e4'::chessgame @~ 'board rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 within 0' AS has_it;
