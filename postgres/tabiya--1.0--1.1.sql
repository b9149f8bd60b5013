-- tabiya--1.0--1.1.sql - what 1.1 adds to 1.0 and changes in it. CREATE EXTENSION runs both files, one after the other.

\echo Use "ALTER EXTENSION tabiya UPDATE TO '1.1'" to load this file. \quit

-- ---- Openings -------------------------------------------------------------------------------------------------------

-- The bound behind an opening is not a game: only chessopening reads it, and openingEnd has that type.

CREATE OR REPLACE FUNCTION chessopening_in(cstring) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE OR REPLACE FUNCTION chessopening_recv(internal) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

DROP FUNCTION openingEnd(chessgame);
CREATE FUNCTION openingEnd(chessgame) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_end' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION openingEnd(chessgame) IS 'the bound behind all games with this opening';

CREATE OR REPLACE FUNCTION chessopening_end_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_opening_end_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_end_sel(internal, oid, internal, integer) IS 'estimates how many games are before a bound of an opening';

-- ---- Leakproof ------------------------------------------------------------------------------------------------------

-- These raise no error that depends on the game and have no side effect, so they may run before the conditions of row-level
-- security and of security barriers, which lets them use an index there. No function that can name a move, a board or a
-- text in an error is among them.

ALTER FUNCTION openingFirst(chessgame) LEAKPROOF;
ALTER FUNCTION openingLast(chessgame) LEAKPROOF;
ALTER FUNCTION hasOpening(chessgame, chessgame) LEAKPROOF;
ALTER FUNCTION chessgame_reaches(chessgame, boardquery) LEAKPROOF;
ALTER FUNCTION hasBoard(chessgame, chessboard) LEAKPROOF;
ALTER FUNCTION hasPosition(chessgame, chessboard) LEAKPROOF;
ALTER FUNCTION within(chessboard) LEAKPROOF;
ALTER FUNCTION withinPosition(chessboard) LEAKPROOF;
ALTER FUNCTION hasBoard(chessgame, chessboard, integer) LEAKPROOF;
ALTER FUNCTION hasPosition(chessgame, chessboard, integer) LEAKPROOF;
ALTER FUNCTION within(chessboard, integer) LEAKPROOF;
ALTER FUNCTION withinPosition(chessboard, integer) LEAKPROOF;

-- ---- Half-moves of any integer type ---------------------------------------------------------------------------------

-- A bigint takes every integer type and an untyped parameter; two functions beside each other would take neither. The
-- functions of 1.0 keep what was built on them.

ALTER FUNCTION getBoard(chessgame, integer) RENAME TO getboard_1_0;
CREATE FUNCTION getBoard(chessgame, bigint) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_board_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getBoard(chessgame, bigint) IS 'the board after n half-moves, 0 the start; NULL where there is none';
ALTER FUNCTION getFirstMoves(chessgame, integer) RENAME TO getfirstmoves_1_0;
CREATE FUNCTION getFirstMoves(chessgame, bigint) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_get_first_moves_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getFirstMoves(chessgame, bigint) IS 'the first n half-moves, without a result';
ALTER FUNCTION within(chessboard, integer) RENAME TO within_1_0;
CREATE FUNCTION within(chessboard, bigint) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION within(chessboard, bigint) IS 'the 64 squares of a board, looked for up to a half-move';
ALTER FUNCTION withinPosition(chessboard, integer) RENAME TO withinposition_1_0;
CREATE FUNCTION withinPosition(chessboard, bigint) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_position_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION withinPosition(chessboard, bigint) IS 'the position of a board, looked for up to a half-move';
ALTER FUNCTION hasBoard(chessgame, chessboard, integer) RENAME TO hasboard_1_0;
CREATE FUNCTION hasBoard(chessgame, chessboard, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_board_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10 SUPPORT hasboard_support;
COMMENT ON FUNCTION hasBoard(chessgame, chessboard, bigint) IS 'does the game come to the 64 squares of the board, up to a half-move?';
ALTER FUNCTION hasPosition(chessgame, chessboard, integer) RENAME TO hasposition_1_0;
CREATE FUNCTION hasPosition(chessgame, chessboard, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_position_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10 SUPPORT hasposition_support;
COMMENT ON FUNCTION hasPosition(chessgame, chessboard, bigint) IS 'does the game come to the position of the board, up to a half-move?';

-- ---- Texts as arguments ---------------------------------------------------------------------------------------------

-- A column or parameter of type text or varchar goes where a game or a board is wanted. Where either is, it is a game, as
-- a literal is.

DROP CAST (text AS chessgame);
DROP CAST (text AS chessboard);
CREATE CAST (text AS chessgame) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS chessgame) IS 'reads a game';
CREATE CAST (text AS chessboard) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS chessboard) IS 'reads a board';
CREATE CAST (varchar AS chessgame) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS chessgame) IS 'reads a game';
CREATE CAST (varchar AS chessboard) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS chessboard) IS 'reads a board';

CREATE FUNCTION isCheck(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isCheck($1::chessgame);
COMMENT ON FUNCTION isCheck(text) IS 'is the side to move in check?';
CREATE FUNCTION isCheckmate(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isCheckmate($1::chessgame);
COMMENT ON FUNCTION isCheckmate(text) IS 'is the side to move checkmated?';
CREATE FUNCTION isStalemate(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isStalemate($1::chessgame);
COMMENT ON FUNCTION isStalemate(text) IS 'is it stalemate?';
CREATE FUNCTION isInsufficientMaterial(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isInsufficientMaterial($1::chessgame);
COMMENT ON FUNCTION isInsufficientMaterial(text) IS 'is there too little material for mate?';
CREATE FUNCTION isDeadPosition(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000
    RETURN isDeadPosition($1::chessgame);
COMMENT ON FUNCTION isDeadPosition(text) IS 'can no legal moves end in mate?';
CREATE FUNCTION isDrawByFiftyMoveRule(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isDrawByFiftyMoveRule($1::chessgame);
COMMENT ON FUNCTION isDrawByFiftyMoveRule(text) IS 'may a draw be claimed by the fifty-move rule?';
CREATE FUNCTION isDrawBySeventyFiveMoveRule(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isDrawBySeventyFiveMoveRule($1::chessgame);
COMMENT ON FUNCTION isDrawBySeventyFiveMoveRule(text) IS 'is it a draw by the 75-move rule?';
CREATE FUNCTION getLegalMoves(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN getLegalMoves($1::chessgame);
COMMENT ON FUNCTION getLegalMoves(text) IS 'the legal moves in SAN';
CREATE FUNCTION getLegalMovesUci(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN getLegalMovesUci($1::chessgame);
COMMENT ON FUNCTION getLegalMovesUci(text) IS 'the legal moves in UCI';
CREATE FUNCTION countLegalMoves(text) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN countLegalMoves($1::chessgame);
COMMENT ON FUNCTION countLegalMoves(text) IS 'how many legal moves there are';
CREATE FUNCTION toFen(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toFen($1::chessgame);
COMMENT ON FUNCTION toFen(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toFenLegal(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toFenLegal($1::chessgame);
COMMENT ON FUNCTION toFenLegal(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toEpd(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toEpd($1::chessgame);
COMMENT ON FUNCTION toEpd(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toBoardinfo(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toBoardinfo($1::chessgame);
COMMENT ON FUNCTION toBoardinfo(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toBase64(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toBase64($1::chessgame);
COMMENT ON FUNCTION toBase64(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toBase64url(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toBase64url($1::chessgame);
COMMENT ON FUNCTION toBase64url(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toAscii(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toAscii($1::chessgame);
COMMENT ON FUNCTION toAscii(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toUnicode(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toUnicode($1::chessgame);
COMMENT ON FUNCTION toUnicode(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION toSvg(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toSvg($1::chessgame);
COMMENT ON FUNCTION toSvg(text) IS 'the final board of a game, or a bare FEN, in another notation';
CREATE FUNCTION legal_moves("position" text) RETURNS TABLE (san text, uci text, board chessboard)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 30
    BEGIN ATOMIC SELECT m.san, m.uci, m.board FROM legal_moves($1::chessgame) AS m; END;
COMMENT ON FUNCTION legal_moves(text) IS 'a row for every legal move, in the order of the tree';
-- What toSan writes is read again, from any start.
CREATE OR REPLACE FUNCTION fromSan(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
CREATE FUNCTION fromSan(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromSan($1, $2::chessgame);
COMMENT ON FUNCTION fromSan(text, text) IS 'the game of moves in SAN from the end of a game, or from a bare FEN';
CREATE FUNCTION fromUci(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromUci($1, $2::chessgame);
COMMENT ON FUNCTION fromUci(text, text) IS 'the game of moves in UCI from the end of a game, or from a bare FEN';
CREATE FUNCTION fromLan(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromLan($1, $2::chessgame);
COMMENT ON FUNCTION fromLan(text, text) IS 'the game of moves in long algebraic notation from the end of a game, or from a bare FEN';
CREATE FUNCTION fromBoardinfoMoves(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromBoardinfoMoves($1, $2::chessgame);
COMMENT ON FUNCTION fromBoardinfoMoves(text, text) IS 'the game of moves in boardinfo moves from the end of a game, or from a bare FEN';
CREATE FUNCTION fromBase64Moves(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromBase64Moves($1, $2::chessgame);
COMMENT ON FUNCTION fromBase64Moves(text, text) IS 'the game of moves in base64 moves from the end of a game, or from a bare FEN';
CREATE FUNCTION fromShort(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromShort($1, $2::chessgame);
COMMENT ON FUNCTION fromShort(text, text) IS 'the game of moves in the short moves of the tree from the end of a game, or from a bare FEN';
CREATE FUNCTION fromCmbrMoves(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromCmbrMoves($1, $2::chessgame);
COMMENT ON FUNCTION fromCmbrMoves(text, text) IS 'the game of moves in CMBR words from the end of a game, or from a bare FEN';

-- ---- Least and greatest ---------------------------------------------------------------------------------------------

CREATE FUNCTION chessgame_smaller(chessgame, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_smaller' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_smaller(chessgame, chessgame) IS 'the first of the two in the order of chessgames';
CREATE AGGREGATE min(chessgame) (
    SFUNC = chessgame_smaller, STYPE = chessgame, COMBINEFUNC = chessgame_smaller, SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(chessgame) IS 'the first game in their order';
CREATE FUNCTION chessgame_larger(chessgame, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_larger' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_larger(chessgame, chessgame) IS 'the last of the two in the order of chessgames';
CREATE AGGREGATE max(chessgame) (
    SFUNC = chessgame_larger, STYPE = chessgame, COMBINEFUNC = chessgame_larger, SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(chessgame) IS 'the last game in their order';
CREATE FUNCTION chessboard_smaller(chessboard, chessboard) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_smaller' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_smaller(chessboard, chessboard) IS 'the first of the two in the order of chessboards';
CREATE AGGREGATE min(chessboard) (
    SFUNC = chessboard_smaller, STYPE = chessboard, COMBINEFUNC = chessboard_smaller, SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(chessboard) IS 'the first board in their order';
CREATE FUNCTION chessboard_larger(chessboard, chessboard) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_larger' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_larger(chessboard, chessboard) IS 'the last of the two in the order of chessboards';
CREATE AGGREGATE max(chessboard) (
    SFUNC = chessboard_larger, STYPE = chessboard, COMBINEFUNC = chessboard_larger, SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(chessboard) IS 'the last board in their order';

-- ---- What was played, over many machines ----------------------------------------------------------------------------

-- postgres_fdw sends a call to another machine only if the type of its answer belongs to the extension. An array type never
-- does, a domain over it can.

CREATE DOMAIN nextmovelist AS nextmove[];
COMMENT ON DOMAIN nextmovelist IS 'the moves that were played in a position, the most frequent first';

ALTER AGGREGATE nextMoves(chessgame, chessboard) RENAME TO nextmoves_1_0;
CREATE FUNCTION nextmoves_list(internal) RETURNS nextmovelist
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_final' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_list(internal) IS 'the moves that were played, the most frequent first';
CREATE AGGREGATE nextMoves(chessgame, chessboard) (
    SFUNC = nextmoves_add, STYPE = internal, SSPACE = 16384, FINALFUNC = nextmoves_list,
    COMBINEFUNC = nextmoves_combine, SERIALFUNC = nextmoves_serialize, DESERIALFUNC = nextmoves_deserialize,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE nextMoves(chessgame, chessboard) IS 'the moves that games play in a position, with counts and results';

CREATE FUNCTION nextmoves_merge(internal, nextmove[], chessboard) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION nextmoves_merge(internal, nextmove[], chessboard) IS 'adds what nextMoves has counted elsewhere';
CREATE AGGREGATE mergeMoves(nextmove[], chessboard) (
    SFUNC = nextmoves_merge, STYPE = internal, SSPACE = 16384, FINALFUNC = nextmoves_list,
    COMBINEFUNC = nextmoves_combine, SERIALFUNC = nextmoves_serialize, DESERIALFUNC = nextmoves_deserialize,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE mergeMoves(nextmove[], chessboard) IS 'adds up answers of nextMoves for one board, of several tables or machines';
