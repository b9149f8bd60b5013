-- Arguments have names, in functions and in their second names.
SELECT hasBoard(game => '1. e4 e5', board => getBoard('1. e4', ply => 1)) AS board,
    hasBoard(game => '1. e4 e5', board => getBoard('1. e4 e5', ply => 2), plies => 1) AS too_late,
    hasPosition(game => '1. e4 e5', board => getBoard(game => '1. e4 e5')) AS position,
    hasOpening(game => '1. e4 e5', opening => '1. e4') AS opening, isCheck(board => getBoard(game => '1. e4')) AS checked;
SELECT getFirstMoves(game => '1. e4 e5', plies => 1), getOpening(game => '1. e4 e5', plies => 1),
    addMove(game => '1. e4', move => 'c5'), isValidMove(game => '1. e4', move => 'e4') AS valid;
SELECT matches(game => '1. f3 e5 2. g4 Qh4#', query => 'mate') AS mate, matchPly(game => '1. f3 e5 2. g4 Qh4#', query => 'mate') AS ply;
SELECT fromUci('c7c5', start => '1. e4'::chessgame), samePlacement(board => getBoard('1. e4'), other => getBoard('1. d4')) AS same;
SELECT toPgn(game => '1. e4', tags => '{"White": "Anna"}') LIKE '%Anna%' AS tags, getPieceSquareValue(board => getBoard('*'), piece => 'N') <> 0 AS value;
-- Each function and aggregate that a user calls has them.
SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'tabiya'
    WHERE p.prokind <> 'p' AND p.pronargs > 0 AND (p.proargnames IS NULL OR '' = ANY (p.proargnames))
        AND p.proname !~ '^(chessgame|chessboard|chessopening|boardquery|chessquery|nextmovestate|tabiya)_';
-- Legal moves as an array.
SELECT getLegalMovesArray('4k3/8/8/8/8/8/8/4K3 w - - 0 1'::chessboard);
SELECT getLegalMovesArray('1. f3 e5 2. g4 Qh4#'::chessgame), cardinality(getLegalMovesArray('1. e4'::text));
-- One symbol serves every function that PostgreSQL shares with SQLite and DuckDB, by its name in the database.
CREATE SCHEMA again;
CREATE FUNCTION again.countLegalMoves(board chessboard) RETURNS integer AS '$libdir/tabiya', 'tabiya_shared' LANGUAGE C IMMUTABLE STRICT;
CREATE FUNCTION again.nothing(board chessboard) RETURNS integer AS '$libdir/tabiya', 'tabiya_shared' LANGUAGE C IMMUTABLE STRICT;
SELECT again.countLegalMoves(getBoard(game)), countLegalMoves(getBoard(game)) FROM unnest(ARRAY['', '1. e4', '1. f3 e5 2. g4 Qh4#']::chessgame[]) game;
SELECT again.nothing(getBoard(''));
DROP SCHEMA again CASCADE;
