-- tabiya--1.1.sql - the extension's objects. docs/postgres.md explains them.

\echo Use "CREATE EXTENSION tabiya" to load this file. \quit

-- A half-move is a bigint: this accepts every integer type and an untyped parameter; two overloads would accept
-- neither.
--
-- A LEAKPROOF function raises no error that depends on the game and has no side effect, so it may run before the
-- conditions of row-level security and security barriers, where it can then use an index. No function whose errors
-- quote a move, a board or a text is LEAKPROOF.

-- ---- Types ----------------------------------------------------------------------------------------------------------

CREATE TYPE chessgame;
CREATE TYPE chessboard;
CREATE TYPE boardquery;
CREATE TYPE chessopening;

CREATE FUNCTION chessgame_in(cstring) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION chessgame_in(cstring) IS 'reads the text of a chessgame';
CREATE FUNCTION chessgame_out(chessgame) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_game_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION chessgame_out(chessgame) IS 'writes the text of a chessgame';
CREATE FUNCTION chessgame_recv(internal) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessgame_recv(internal) IS 'reads the bytes of a chessgame, and checks them';
CREATE FUNCTION chessgame_send(chessgame) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_send(chessgame) IS 'the bytes of a chessgame';

CREATE FUNCTION chessboard_in(cstring) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_board_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessboard_in(cstring) IS 'reads the text of a chessboard';
CREATE FUNCTION chessboard_out(chessboard) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_board_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessboard_out(chessboard) IS 'writes the text of a chessboard';
CREATE FUNCTION chessboard_recv(internal) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_board_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessboard_recv(internal) IS 'reads the bytes of a chessboard, and checks them';
CREATE FUNCTION chessboard_send(chessboard) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessboard_send(chessboard) IS 'the bytes of a chessboard';

CREATE FUNCTION boardquery_in(cstring) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_query_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION boardquery_in(cstring) IS 'reads the text of a boardquery';
CREATE FUNCTION boardquery_out(boardquery) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_query_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION boardquery_out(boardquery) IS 'writes the text of a boardquery';
CREATE FUNCTION boardquery_recv(internal) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_query_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION boardquery_recv(internal) IS 'reads the bytes of a boardquery, and checks them';
CREATE FUNCTION boardquery_send(boardquery) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION boardquery_send(boardquery) IS 'the bytes of a boardquery';

CREATE FUNCTION chessopening_in(cstring) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION chessopening_in(cstring) IS 'reads the text of a bound of an opening';
CREATE FUNCTION chessopening_out(chessopening) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_game_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION chessopening_out(chessopening) IS 'writes the text of a bound of an opening';
CREATE FUNCTION chessopening_recv(internal) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessopening_recv(internal) IS 'reads the bytes of a bound of an opening, and checks them';
CREATE FUNCTION chessopening_send(chessopening) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_send(chessopening) IS 'the bytes of a bound of an opening';

CREATE FUNCTION chessgame_typanalyze(internal) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_typanalyze' LANGUAGE C STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_typanalyze(internal) IS 'gathers statistics of a column of games: common openings and positions';

-- Both share a category in which chessgame is preferred, so that a literal may be either where a function takes both.
CREATE TYPE chessgame (
    INPUT = chessgame_in, OUTPUT = chessgame_out, RECEIVE = chessgame_recv, SEND = chessgame_send,
    ANALYZE = chessgame_typanalyze, INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended,
    CATEGORY = 'c', PREFERRED = true
);
COMMENT ON TYPE chessgame IS 'a game of chess: its start, its main line and its result';

CREATE TYPE chessboard (
    INPUT = chessboard_in, OUTPUT = chessboard_out, RECEIVE = chessboard_recv, SEND = chessboard_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended,
    CATEGORY = 'c'
);
COMMENT ON TYPE chessboard IS 'a chess board, legal or not: the six fields of FEN';

CREATE TYPE boardquery (
    INPUT = boardquery_in, OUTPUT = boardquery_out, RECEIVE = boardquery_recv, SEND = boardquery_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended
);
COMMENT ON TYPE boardquery IS 'a board to search for in games, how it is compared, and up to which half-move';

CREATE TYPE chessopening (
    INPUT = chessopening_in, OUTPUT = chessopening_out, RECEIVE = chessopening_recv, SEND = chessopening_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended
);
COMMENT ON TYPE chessopening IS 'a bound of all games with an opening: what hasOpening is turned into for indexes';

-- ---- Casts ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION chessgame(bytea) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessgame(bytea) IS 'a game from packed bytes; every move is checked';
CREATE FUNCTION bytea(chessgame) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea(chessgame) IS 'the packed bytes of a game';
CREATE FUNCTION chessboard(bytea) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_board_of_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessboard(bytea) IS 'a board from packed bytes, which are checked';
CREATE FUNCTION bytea(chessboard) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea(chessboard) IS 'the packed bytes of a board';
CREATE FUNCTION chessboard(chessgame) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_final_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION chessboard(chessgame) IS 'the final board of a game';
CREATE FUNCTION chessgame(chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessgame(chessboard) IS 'the game without moves from a board';

CREATE CAST (text AS chessgame) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS chessgame) IS 'reads a game';
CREATE CAST (varchar AS chessgame) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS chessgame) IS 'reads a game';
CREATE CAST (text AS chessboard) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS chessboard) IS 'reads a board';
CREATE CAST (varchar AS chessboard) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS chessboard) IS 'reads a board';
CREATE CAST (bytea AS chessgame) WITH FUNCTION chessgame(bytea);
COMMENT ON CAST (bytea AS chessgame) IS 'a game from packed bytes';
CREATE CAST (chessgame AS bytea) WITH FUNCTION bytea(chessgame);
COMMENT ON CAST (chessgame AS bytea) IS 'the packed bytes of a game';
CREATE CAST (bytea AS chessboard) WITH FUNCTION chessboard(bytea);
COMMENT ON CAST (bytea AS chessboard) IS 'a board from packed bytes';
CREATE CAST (chessboard AS bytea) WITH FUNCTION bytea(chessboard);
COMMENT ON CAST (chessboard AS bytea) IS 'the packed bytes of a board';
CREATE CAST (chessgame AS chessboard) WITH FUNCTION chessboard(chessgame);
COMMENT ON CAST (chessgame AS chessboard) IS 'the final board of a game';
CREATE CAST (chessboard AS chessgame) WITH FUNCTION chessgame(chessboard);
COMMENT ON CAST (chessboard AS chessgame) IS 'the game without moves from a board';

-- ---- Order and equality ---------------------------------------------------------------------------------------------

CREATE FUNCTION chessgame_lt(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_lt(chessgame, chessgame) IS 'is the first before the second?';
CREATE FUNCTION chessgame_le(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_le(chessgame, chessgame) IS 'is the first before or the same as the second?';
CREATE FUNCTION chessgame_eq(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_eq(chessgame, chessgame) IS 'is the first the same as the second?';
CREATE FUNCTION chessgame_ne(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_ne(chessgame, chessgame) IS 'is the first different from the second?';
CREATE FUNCTION chessgame_ge(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_ge(chessgame, chessgame) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessgame_gt(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_gt(chessgame, chessgame) IS 'is the first after the second?';
CREATE FUNCTION chessgame_cmp(chessgame, chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_cmp(chessgame, chessgame) IS 'negative, 0 or positive as the first sorts before, equal to or after the second';
CREATE FUNCTION chessgame_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME', 'tabiya_sortsupport' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_sortsupport(internal) IS 'sorts faster';
CREATE FUNCTION chessgame_hash(chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_hash(chessgame) IS 'hash';
CREATE FUNCTION chessgame_hash_extended(chessgame, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'tabiya_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_hash_extended(chessgame, bigint) IS 'seeded hash of 64 bits';

CREATE OPERATOR < (
    LEFTARG = chessgame, RIGHTARG = chessgame, FUNCTION = chessgame_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (chessgame, chessgame) IS 'before';
CREATE OPERATOR <= (
    LEFTARG = chessgame, RIGHTARG = chessgame, FUNCTION = chessgame_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (chessgame, chessgame) IS 'before or the same as';
CREATE OPERATOR = (
    LEFTARG = chessgame, RIGHTARG = chessgame, FUNCTION = chessgame_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (chessgame, chessgame) IS 'the same as';
CREATE OPERATOR <> (
    LEFTARG = chessgame, RIGHTARG = chessgame, FUNCTION = chessgame_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (chessgame, chessgame) IS 'different from';
CREATE OPERATOR >= (
    LEFTARG = chessgame, RIGHTARG = chessgame, FUNCTION = chessgame_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (chessgame, chessgame) IS 'the same as or after';
CREATE OPERATOR > (
    LEFTARG = chessgame, RIGHTARG = chessgame, FUNCTION = chessgame_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (chessgame, chessgame) IS 'after';

CREATE OPERATOR CLASS chessgame_ops DEFAULT FOR TYPE chessgame USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 chessgame_cmp(chessgame, chessgame),
    FUNCTION 2 chessgame_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS chessgame_ops USING btree IS 'games by their moves: serves hasOpening too';
COMMENT ON OPERATOR FAMILY chessgame_ops USING btree IS 'games by their moves';

CREATE OPERATOR CLASS chessgame_hash_ops DEFAULT FOR TYPE chessgame USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 chessgame_hash(chessgame),
    FUNCTION 2 chessgame_hash_extended(chessgame, bigint);
COMMENT ON OPERATOR CLASS chessgame_hash_ops USING hash IS 'equal chessgames';
COMMENT ON OPERATOR FAMILY chessgame_hash_ops USING hash IS 'equal chessgames';

CREATE FUNCTION chessboard_lt(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_lt(chessboard, chessboard) IS 'is the first before the second?';
CREATE FUNCTION chessboard_le(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_le(chessboard, chessboard) IS 'is the first before or the same as the second?';
CREATE FUNCTION chessboard_eq(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_eq(chessboard, chessboard) IS 'is the first the same as the second?';
CREATE FUNCTION chessboard_ne(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_ne(chessboard, chessboard) IS 'is the first different from the second?';
CREATE FUNCTION chessboard_ge(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_ge(chessboard, chessboard) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessboard_gt(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_gt(chessboard, chessboard) IS 'is the first after the second?';
CREATE FUNCTION chessboard_cmp(chessboard, chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_cmp(chessboard, chessboard) IS 'negative, 0 or positive as the first sorts before, equal to or after the second';
CREATE FUNCTION chessboard_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME', 'tabiya_sortsupport' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessboard_sortsupport(internal) IS 'sorts faster';
CREATE FUNCTION chessboard_hash(chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_hash(chessboard) IS 'hash';
CREATE FUNCTION chessboard_hash_extended(chessboard, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'tabiya_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_hash_extended(chessboard, bigint) IS 'seeded hash of 64 bits';

CREATE OPERATOR < (
    LEFTARG = chessboard, RIGHTARG = chessboard, FUNCTION = chessboard_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (chessboard, chessboard) IS 'before';
CREATE OPERATOR <= (
    LEFTARG = chessboard, RIGHTARG = chessboard, FUNCTION = chessboard_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (chessboard, chessboard) IS 'before or the same as';
CREATE OPERATOR = (
    LEFTARG = chessboard, RIGHTARG = chessboard, FUNCTION = chessboard_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
COMMENT ON OPERATOR = (chessboard, chessboard) IS 'the same as';
CREATE OPERATOR <> (
    LEFTARG = chessboard, RIGHTARG = chessboard, FUNCTION = chessboard_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (chessboard, chessboard) IS 'different from';
CREATE OPERATOR >= (
    LEFTARG = chessboard, RIGHTARG = chessboard, FUNCTION = chessboard_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (chessboard, chessboard) IS 'the same as or after';
CREATE OPERATOR > (
    LEFTARG = chessboard, RIGHTARG = chessboard, FUNCTION = chessboard_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (chessboard, chessboard) IS 'after';

CREATE OPERATOR CLASS chessboard_ops DEFAULT FOR TYPE chessboard USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 chessboard_cmp(chessboard, chessboard),
    FUNCTION 2 chessboard_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS chessboard_ops USING btree IS 'boards by their bytes';
COMMENT ON OPERATOR FAMILY chessboard_ops USING btree IS 'boards by their bytes';

CREATE OPERATOR CLASS chessboard_hash_ops DEFAULT FOR TYPE chessboard USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 chessboard_hash(chessboard),
    FUNCTION 2 chessboard_hash_extended(chessboard, bigint);
COMMENT ON OPERATOR CLASS chessboard_hash_ops USING hash IS 'equal chessboards';
COMMENT ON OPERATOR FAMILY chessboard_hash_ops USING hash IS 'equal chessboards';

-- ---- Games and the bounds of openings -------------------------------------------------------------------------------

-- The same order, with estimates of its own: game >= first AND game < end is one opening, not two conditions.

CREATE FUNCTION chessopening_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_opening_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_sel(internal, oid, internal, integer) IS 'estimates how many games have an opening, of its lower bound';
CREATE FUNCTION chessopening_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_opening_join_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_joinsel(internal, oid, internal, smallint, internal) IS 'estimates how many games have an opening that is not known yet';
CREATE FUNCTION chessopening_end_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_opening_end_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_end_sel(internal, oid, internal, integer) IS 'estimates how many games are before a bound of an opening';
CREATE FUNCTION chessopening_end_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_everything_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_end_joinsel(internal, oid, internal, smallint, internal) IS 'all games: the lower bound decides';

CREATE FUNCTION openingFirst(chessgame) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION openingFirst(chessgame) IS 'the lower bound of all games with this opening';
CREATE FUNCTION openingLast(chessgame) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_end' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION openingLast(chessgame) IS 'the bound after all games with this opening';

CREATE FUNCTION chessgame_opening_lt(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_lt(chessgame, chessopening) IS 'is the first before the second?';
CREATE FUNCTION chessgame_opening_le(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_le(chessgame, chessopening) IS 'is the first before or the same as the second?';
CREATE FUNCTION chessgame_opening_eq(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_eq(chessgame, chessopening) IS 'is the first the same as the second?';
CREATE FUNCTION chessgame_opening_ne(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_ne(chessgame, chessopening) IS 'is the first different from the second?';
CREATE FUNCTION chessgame_opening_ge(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_ge(chessgame, chessopening) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessgame_opening_gt(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_gt(chessgame, chessopening) IS 'is the first after the second?';
CREATE FUNCTION chessgame_opening_cmp(chessgame, chessopening) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_cmp(chessgame, chessopening) IS 'negative, 0 or positive as the first sorts before, equal to or after the second';

CREATE OPERATOR < (
    LEFTARG = chessgame, RIGHTARG = chessopening, FUNCTION = chessgame_opening_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = chessopening_end_sel, JOIN = chessopening_end_joinsel
);
COMMENT ON OPERATOR < (chessgame, chessopening) IS 'before';
CREATE OPERATOR <= (
    LEFTARG = chessgame, RIGHTARG = chessopening, FUNCTION = chessgame_opening_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (chessgame, chessopening) IS 'before or the same as';
CREATE OPERATOR = (
    LEFTARG = chessgame, RIGHTARG = chessopening, FUNCTION = chessgame_opening_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR = (chessgame, chessopening) IS 'the same as';
CREATE OPERATOR <> (
    LEFTARG = chessgame, RIGHTARG = chessopening, FUNCTION = chessgame_opening_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (chessgame, chessopening) IS 'different from';
CREATE OPERATOR >= (
    LEFTARG = chessgame, RIGHTARG = chessopening, FUNCTION = chessgame_opening_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = chessopening_sel, JOIN = chessopening_joinsel
);
COMMENT ON OPERATOR >= (chessgame, chessopening) IS 'the same as or after';
CREATE OPERATOR > (
    LEFTARG = chessgame, RIGHTARG = chessopening, FUNCTION = chessgame_opening_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (chessgame, chessopening) IS 'after';

CREATE FUNCTION chessopening_game_lt(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_lt(chessopening, chessgame) IS 'is the first before the second?';
CREATE FUNCTION chessopening_game_le(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_le(chessopening, chessgame) IS 'is the first before or the same as the second?';
CREATE FUNCTION chessopening_game_eq(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_eq(chessopening, chessgame) IS 'is the first the same as the second?';
CREATE FUNCTION chessopening_game_ne(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_ne(chessopening, chessgame) IS 'is the first different from the second?';
CREATE FUNCTION chessopening_game_ge(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_ge(chessopening, chessgame) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessopening_game_gt(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_gt(chessopening, chessgame) IS 'is the first after the second?';
CREATE FUNCTION chessopening_game_cmp(chessopening, chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_cmp(chessopening, chessgame) IS 'negative, 0 or positive as the first sorts before, equal to or after the second';

CREATE OPERATOR < (
    LEFTARG = chessopening, RIGHTARG = chessgame, FUNCTION = chessopening_game_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (chessopening, chessgame) IS 'before';
CREATE OPERATOR <= (
    LEFTARG = chessopening, RIGHTARG = chessgame, FUNCTION = chessopening_game_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = chessopening_sel, JOIN = chessopening_joinsel
);
COMMENT ON OPERATOR <= (chessopening, chessgame) IS 'before or the same as';
CREATE OPERATOR = (
    LEFTARG = chessopening, RIGHTARG = chessgame, FUNCTION = chessopening_game_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR = (chessopening, chessgame) IS 'the same as';
CREATE OPERATOR <> (
    LEFTARG = chessopening, RIGHTARG = chessgame, FUNCTION = chessopening_game_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (chessopening, chessgame) IS 'different from';
CREATE OPERATOR >= (
    LEFTARG = chessopening, RIGHTARG = chessgame, FUNCTION = chessopening_game_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (chessopening, chessgame) IS 'the same as or after';
CREATE OPERATOR > (
    LEFTARG = chessopening, RIGHTARG = chessgame, FUNCTION = chessopening_game_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = chessopening_end_sel, JOIN = chessopening_end_joinsel
);
COMMENT ON OPERATOR > (chessopening, chessgame) IS 'after';

CREATE FUNCTION chessopening_lt(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_lt(chessopening, chessopening) IS 'is the first before the second?';
CREATE FUNCTION chessopening_le(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_le(chessopening, chessopening) IS 'is the first before or the same as the second?';
CREATE FUNCTION chessopening_eq(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_eq(chessopening, chessopening) IS 'is the first the same as the second?';
CREATE FUNCTION chessopening_ne(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_ne(chessopening, chessopening) IS 'is the first different from the second?';
CREATE FUNCTION chessopening_ge(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_ge(chessopening, chessopening) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessopening_gt(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_gt(chessopening, chessopening) IS 'is the first after the second?';
CREATE FUNCTION chessopening_cmp(chessopening, chessopening) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_cmp(chessopening, chessopening) IS 'negative, 0 or positive as the first sorts before, equal to or after the second';

CREATE OPERATOR < (
    LEFTARG = chessopening, RIGHTARG = chessopening, FUNCTION = chessopening_lt, COMMUTATOR = >, NEGATOR = >=,
    RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (chessopening, chessopening) IS 'before';
CREATE OPERATOR <= (
    LEFTARG = chessopening, RIGHTARG = chessopening, FUNCTION = chessopening_le, COMMUTATOR = >=, NEGATOR = >,
    RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (chessopening, chessopening) IS 'before or the same as';
CREATE OPERATOR = (
    LEFTARG = chessopening, RIGHTARG = chessopening, FUNCTION = chessopening_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, MERGES
);
COMMENT ON OPERATOR = (chessopening, chessopening) IS 'the same as';
CREATE OPERATOR <> (
    LEFTARG = chessopening, RIGHTARG = chessopening, FUNCTION = chessopening_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (chessopening, chessopening) IS 'different from';
CREATE OPERATOR >= (
    LEFTARG = chessopening, RIGHTARG = chessopening, FUNCTION = chessopening_ge, COMMUTATOR = <=, NEGATOR = <,
    RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (chessopening, chessopening) IS 'the same as or after';
CREATE OPERATOR > (
    LEFTARG = chessopening, RIGHTARG = chessopening, FUNCTION = chessopening_gt, COMMUTATOR = <, NEGATOR = <=,
    RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (chessopening, chessopening) IS 'after';

ALTER OPERATOR FAMILY chessgame_ops USING btree ADD
    OPERATOR 1 < (chessgame, chessopening),
    OPERATOR 2 <= (chessgame, chessopening),
    OPERATOR 3 = (chessgame, chessopening),
    OPERATOR 4 >= (chessgame, chessopening),
    OPERATOR 5 > (chessgame, chessopening),
    FUNCTION 1 (chessgame, chessopening) chessgame_opening_cmp(chessgame, chessopening),
    OPERATOR 1 < (chessopening, chessgame),
    OPERATOR 2 <= (chessopening, chessgame),
    OPERATOR 3 = (chessopening, chessgame),
    OPERATOR 4 >= (chessopening, chessgame),
    OPERATOR 5 > (chessopening, chessgame),
    FUNCTION 1 (chessopening, chessgame) chessopening_game_cmp(chessopening, chessgame),
    OPERATOR 1 < (chessopening, chessopening),
    OPERATOR 2 <= (chessopening, chessopening),
    OPERATOR 3 = (chessopening, chessopening),
    OPERATOR 4 >= (chessopening, chessopening),
    OPERATOR 5 > (chessopening, chessopening),
    FUNCTION 1 (chessopening, chessopening) chessopening_cmp(chessopening, chessopening);

-- ---- Planner support ------------------------------------------------------------------------------------------------

CREATE FUNCTION hasopening_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_has_opening_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hasopening_support(internal) IS 'turns hasOpening into a range of a B-tree, and estimates it';
CREATE FUNCTION hasboard_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_has_board_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hasboard_support(internal) IS 'turns hasBoard into the operator @~';
CREATE FUNCTION hasposition_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_has_position_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hasposition_support(internal) IS 'turns hasPosition into the operator @~';

-- ---- Boards in games ------------------------------------------------------------------------------------------------

CREATE FUNCTION within(chessboard) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION within(chessboard) IS 'games that have this placement: the right side of @~';
CREATE FUNCTION within(chessboard, bigint) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION within(chessboard, bigint) IS 'the 64 squares of a board, to search for up to a half-move';
CREATE FUNCTION withinPosition(chessboard) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION withinPosition(chessboard) IS 'games that have this position: the right side of @~';
CREATE FUNCTION withinPosition(chessboard, bigint) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION withinPosition(chessboard, bigint) IS 'the position of a board, to search for up to a half-move';
CREATE FUNCTION withinMoves(chessboard) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION withinMoves(chessboard) IS 'games that have this position, or one that a legal move there leads to: all that nextMoves counts';
CREATE FUNCTION chessgame_reaches(chessgame, boardquery) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_reaches' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10;
COMMENT ON FUNCTION chessgame_reaches(chessgame, boardquery) IS 'does the game reach the board?';
CREATE FUNCTION chessgame_reaches_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_reaches_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_reaches_sel(internal, oid, internal, integer) IS 'estimates how many games have a board';
CREATE OPERATOR @~ (
    LEFTARG = chessgame, RIGHTARG = boardquery, FUNCTION = chessgame_reaches,
    RESTRICT = chessgame_reaches_sel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @~ (chessgame, boardquery) IS 'has the board';

CREATE FUNCTION hasBoard(chessgame, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10 SUPPORT hasboard_support;
COMMENT ON FUNCTION hasBoard(chessgame, chessboard) IS 'does the game reach this placement of pieces?';
CREATE FUNCTION hasBoard(chessgame, chessboard, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10 SUPPORT hasboard_support;
COMMENT ON FUNCTION hasBoard(chessgame, chessboard, bigint) IS 'does the game reach the 64 squares of the board, up to a half-move?';
CREATE FUNCTION boardPly(chessgame, chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_board_ply' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION boardPly(chessgame, chessboard) IS 'the first half-move at which the game reaches this placement of pieces, or NULL';
CREATE FUNCTION hasPosition(chessgame, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10 SUPPORT hasposition_support;
COMMENT ON FUNCTION hasPosition(chessgame, chessboard) IS 'does the game reach this position?';
CREATE FUNCTION hasPosition(chessgame, chessboard, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 10 SUPPORT hasposition_support;
COMMENT ON FUNCTION hasPosition(chessgame, chessboard, bigint) IS 'does the game reach the position of the board, up to a half-move?';
CREATE FUNCTION positionPly(chessgame, chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_position_ply' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION positionPly(chessgame, chessboard) IS 'the first half-move at which the game reaches this position, or NULL';

-- ---- GIN index of placements ----------------------------------------------------------------------------------------

CREATE FUNCTION chessgame_gin_extract_value(chessgame, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_gin_extract_value' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessgame_gin_extract_value(chessgame, internal) IS 'the keys of the placements of a game';
CREATE FUNCTION chessgame_gin_extract_query(chessgame, internal, smallint, internal, internal, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_gin_extract_query' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_extract_query(chessgame, internal, smallint, internal, internal, internal, internal) IS 'the key to search for';
CREATE FUNCTION chessgame_gin_consistent(internal, smallint, chessgame, integer, internal, internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gin_consistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_consistent(internal, smallint, chessgame, integer, internal, internal, internal, internal) IS 'may a game with these keys match?';
CREATE FUNCTION chessgame_gin_triconsistent(internal, smallint, chessgame, integer, internal, internal, internal) RETURNS "char"
    AS 'MODULE_PATHNAME', 'tabiya_gin_triconsistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_triconsistent(internal, smallint, chessgame, integer, internal, internal, internal) IS 'may a game with these keys match?';
CREATE FUNCTION chessgame_gin_options(internal) RETURNS void
    AS 'MODULE_PATHNAME', 'tabiya_gin_options' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_options(internal) IS 'the options of the index';

-- GIN requires the type of the column for the query argument, although it is a boardquery.
CREATE OPERATOR CLASS chessgame_gin_ops DEFAULT FOR TYPE chessgame USING gin AS
    OPERATOR 1 @~ (chessgame, boardquery),
    FUNCTION 1 btint4cmp(integer, integer),
    FUNCTION 2 chessgame_gin_extract_value(chessgame, internal),
    FUNCTION 3 chessgame_gin_extract_query(chessgame, internal, smallint, internal, internal, internal, internal),
    FUNCTION 4 chessgame_gin_consistent(internal, smallint, chessgame, integer, internal, internal, internal, internal),
    FUNCTION 6 chessgame_gin_triconsistent(internal, smallint, chessgame, integer, internal, internal, internal),
    FUNCTION 7 chessgame_gin_options(internal),
    STORAGE integer;
COMMENT ON OPERATOR CLASS chessgame_gin_ops USING gin IS 'the placements of games: serves hasBoard and hasPosition';
COMMENT ON OPERATOR FAMILY chessgame_gin_ops USING gin IS 'the placements of games';
CREATE FUNCTION buildIndex(statement text) RETURNS void
    AS 'MODULE_PATHNAME', 'tabiya_build_index' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION buildIndex(text) IS 'runs CREATE INDEX ... USING gin (game) several times as fast: the index is the same';

-- ---- Games ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION chessgameError(text) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_game_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION chessgameError(text) IS 'why the text is not a game, or NULL';
CREATE FUNCTION legalPrefix(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_legal_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION legalPrefix(text) IS 'the game up to its first fault';
CREATE FUNCTION getBoard(chessgame) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_final_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getBoard(chessgame) IS 'the final board';
CREATE FUNCTION getBoard(chessgame, bigint) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getBoard(chessgame, bigint) IS 'the board after n half-moves, 0 for the start; NULL out of range';
CREATE FUNCTION getFirstMoves(chessgame, bigint) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_get_first_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getFirstMoves(chessgame, bigint) IS 'the first n half-moves, without a result';
CREATE FUNCTION undoLastMove(chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_undo_last_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION undoLastMove(chessgame) IS 'the game without its last half-move';
CREATE FUNCTION addMove(chessgame, text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_add_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION addMove(chessgame, text) IS 'the game with one more half-move, in SAN or UCI';
CREATE FUNCTION isValidMove(chessgame, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_valid_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isValidMove(chessgame, text) IS 'is this SAN or UCI move legal at the end of the game?';
CREATE FUNCTION plyCount(chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_ply_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION plyCount(chessgame) IS 'the number of half-moves';
-- A call is declared more expensive than the two comparisons that replace it for a known opening, so that a prepared
-- statement is still planned for the actual opening.
CREATE FUNCTION hasOpening(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_opening' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF COST 3 SUPPORT hasopening_support;
COMMENT ON FUNCTION hasOpening(chessgame, chessgame) IS 'does the first begin with the moves of the second?';
CREATE FUNCTION opening(chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_opening' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION opening(chessgame) IS 'the first of all games with this opening';
-- The upper bound of an opening is not a game: only chessopening reads it.
CREATE FUNCTION openingEnd(chessgame) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_end' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION openingEnd(chessgame) IS 'the bound after all games with this opening';
CREATE FUNCTION getOpeningMoves(chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_get_opening_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getOpeningMoves(chessgame) IS 'the half-moves up to the last position with a name, or NULL';
CREATE FUNCTION getOpeningName(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_opening_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getOpeningName(chessgame) IS 'the name of the opening, or NULL';
CREATE FUNCTION getEco(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_eco' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getEco(chessgame) IS 'the ECO code of the opening, or NULL';
CREATE FUNCTION isDrawByThreefoldRepetition(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_threefold' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION isDrawByThreefoldRepetition(chessgame) IS 'does the final position occur for the third time?';
CREATE FUNCTION isDrawByFivefoldRepetition(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_fivefold' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION isDrawByFivefoldRepetition(chessgame) IS 'does the final position occur for the fifth time?';
CREATE FUNCTION getGameResult(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_game_result' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION getGameResult(chessgame) IS 'the recorded result; if there is none, what the rules say; else *';
CREATE FUNCTION getTermination(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_termination' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION getTermination(chessgame) IS 'why the rules end the game: checkmate, stalemate, dead position, 75, fivefold, fifty, threefold, or NULL';

-- ---- Positions: a board, or the final board of a game ---------------------------------------------------------------

CREATE FUNCTION isCheck(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_check' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isCheck(chessgame) IS 'is the side to move in check?';
CREATE FUNCTION isCheck(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_check' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isCheck(chessboard) IS 'is the side to move in check?';
CREATE FUNCTION isCheckmate(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_checkmate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isCheckmate(chessgame) IS 'is the side to move checkmated?';
CREATE FUNCTION isCheckmate(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_checkmate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isCheckmate(chessboard) IS 'is the side to move checkmated?';
CREATE FUNCTION isStalemate(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_stalemate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isStalemate(chessgame) IS 'is the side to move stalemated?';
CREATE FUNCTION isStalemate(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_stalemate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isStalemate(chessboard) IS 'is the side to move stalemated?';
CREATE FUNCTION isInsufficientMaterial(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_insufficient' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isInsufficientMaterial(chessgame) IS 'can neither side mate, by material alone?';
CREATE FUNCTION isInsufficientMaterial(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_insufficient' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isInsufficientMaterial(chessboard) IS 'can neither side mate, by material alone?';
CREATE FUNCTION isDeadPosition(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_dead' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION isDeadPosition(chessgame) IS 'can no moves lead to mate? NULL: unknown';
CREATE FUNCTION isDeadPosition(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_dead' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION isDeadPosition(chessboard) IS 'can no moves lead to mate? NULL: unknown';
CREATE FUNCTION isDrawByFiftyMoveRule(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_fifty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isDrawByFiftyMoveRule(chessgame) IS '100 half-moves without capture or pawn move?';
CREATE FUNCTION isDrawByFiftyMoveRule(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_fifty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isDrawByFiftyMoveRule(chessboard) IS '100 half-moves without capture or pawn move?';
CREATE FUNCTION isDrawBySeventyFiveMoveRule(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_seventy_five' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isDrawBySeventyFiveMoveRule(chessgame) IS '150 half-moves without capture or pawn move?';
CREATE FUNCTION isDrawBySeventyFiveMoveRule(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_seventy_five' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isDrawBySeventyFiveMoveRule(chessboard) IS '150 half-moves without capture or pawn move?';
CREATE FUNCTION getLegalMoves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION getLegalMoves(chessgame) IS 'the legal moves in SAN, in the order of the tree';
CREATE FUNCTION getLegalMoves(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION getLegalMoves(chessboard) IS 'the legal moves in SAN, in the order of the tree';
CREATE FUNCTION getLegalMovesUci(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_legal_moves_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION getLegalMovesUci(chessgame) IS 'the legal moves in UCI, in the order of the tree';
CREATE FUNCTION getLegalMovesUci(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_legal_moves_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION getLegalMovesUci(chessboard) IS 'the legal moves in UCI, in the order of the tree';
CREATE FUNCTION countLegalMoves(chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_count_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION countLegalMoves(chessgame) IS 'how many moves are legal';
CREATE FUNCTION countLegalMoves(chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_count_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION countLegalMoves(chessboard) IS 'how many moves are legal';

-- ---- Boards ---------------------------------------------------------------------------------------------------------

CREATE FUNCTION isLegalPosition(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_legal_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION isLegalPosition(chessboard) IS 'can a game lead to this board?';
CREATE FUNCTION positionErrors(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_position_errors' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION positionErrors(chessboard) IS 'the names of all reasons why no game can lead to this board';
CREATE FUNCTION getPieceSquareValue(chessboard, text) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_get_piece_square_value' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION getPieceSquareValue(chessboard, text) IS 'the sum of the positional values of a piece letter, or that of the piece on a square';
CREATE FUNCTION placementKey(chessboard) RETURNS bigint
    AS 'MODULE_PATHNAME', 'tabiya_placement_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION placementKey(chessboard) IS 'the key of the 64 squares';
CREATE FUNCTION positionKey(chessboard) RETURNS bigint
    AS 'MODULE_PATHNAME', 'tabiya_position_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION positionKey(chessboard) IS 'the key of the position';
CREATE FUNCTION polyglotKey(chessboard) RETURNS bigint
    AS 'MODULE_PATHNAME', 'tabiya_polyglot_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION polyglotKey(chessboard) IS 'the key of Polyglot opening books';
CREATE FUNCTION samePlacement(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_same_placement' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION samePlacement(chessboard, chessboard) IS 'the same 64 squares?';
CREATE FUNCTION samePosition(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_same_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5;
COMMENT ON FUNCTION samePosition(chessboard, chessboard) IS 'the same position for the rules?';

-- ---- Notations of positions -----------------------------------------------------------------------------------------

CREATE FUNCTION toFen(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toFen(chessgame) IS 'the final board as FEN';
CREATE FUNCTION toFen(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toFen(chessboard) IS 'the board as FEN';
CREATE FUNCTION fromFen(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromFen(text) IS 'reads a board from FEN';
CREATE FUNCTION toFenLegal(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toFenLegal(chessgame) IS 'the final board as FEN, en passant only if a capture is legal';
CREATE FUNCTION toFenLegal(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toFenLegal(chessboard) IS 'the board as FEN, en passant only if a capture is legal';
CREATE FUNCTION fromFenLegal(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromFenLegal(text) IS 'reads a board from FEN, en passant only if a capture is legal';
CREATE FUNCTION toEpd(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toEpd(chessgame) IS 'the final board as EPD';
CREATE FUNCTION toEpd(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toEpd(chessboard) IS 'the board as EPD';
CREATE FUNCTION fromEpd(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromEpd(text) IS 'reads a board from EPD';
CREATE FUNCTION toBoardinfo(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toBoardinfo(chessgame) IS 'the final board as boardinfo';
CREATE FUNCTION toBoardinfo(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toBoardinfo(chessboard) IS 'the board as boardinfo';
CREATE FUNCTION fromBoardinfo(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBoardinfo(text) IS 'reads a board from boardinfo';
CREATE FUNCTION toBase64(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toBase64(chessgame) IS 'the final board as base64';
CREATE FUNCTION toBase64(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toBase64(chessboard) IS 'the board as base64';
CREATE FUNCTION fromBase64(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBase64(text) IS 'reads a board from base64';
CREATE FUNCTION toBase64url(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toBase64url(chessgame) IS 'the final board as base64 with the URL-safe digits';
CREATE FUNCTION toBase64url(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toBase64url(chessboard) IS 'the board as base64 with the URL-safe digits';
CREATE FUNCTION fromBase64url(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBase64url(text) IS 'reads a board from base64 with the URL-safe digits';
CREATE FUNCTION toAscii(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toAscii(chessgame) IS 'the final board as a diagram of letters';
CREATE FUNCTION toAscii(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toAscii(chessboard) IS 'the board as a diagram of letters';
CREATE FUNCTION fromAscii(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromAscii(text) IS 'reads a board from a diagram of letters';
CREATE FUNCTION toUnicode(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toUnicode(chessgame) IS 'the final board as a diagram of figurines';
CREATE FUNCTION toUnicode(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toUnicode(chessboard) IS 'the board as a diagram of figurines';
CREATE FUNCTION fromUnicode(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromUnicode(text) IS 'reads a board from a diagram of figurines';
CREATE FUNCTION toSvg(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_svg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toSvg(chessgame) IS 'the final board as an SVG image';
CREATE FUNCTION toSvg(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_svg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toSvg(chessboard) IS 'the board as an SVG image';

-- ---- Notations of moves ---------------------------------------------------------------------------------------------

CREATE FUNCTION toSan(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION toSan(chessgame) IS 'the game as text: start, numbered moves in SAN, result';
-- The inverse of toSan, from any start.
CREATE FUNCTION fromSan(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromSan(text) IS 'a game from moves in SAN';
CREATE FUNCTION fromSan(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromSan(text, chessgame) IS 'a game from moves in SAN that continue a game';
CREATE FUNCTION fromSan(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromSan(text, chessboard) IS 'a game from moves in SAN that start from a board';
CREATE FUNCTION toUci(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toUci(chessgame) IS 'the moves in UCI';
CREATE FUNCTION fromUci(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromUci(text) IS 'a game from moves in UCI';
CREATE FUNCTION fromUci(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromUci(text, chessgame) IS 'a game from moves in UCI that continue a game';
CREATE FUNCTION fromUci(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromUci(text, chessboard) IS 'a game from moves in UCI that start from a board';
CREATE FUNCTION toLan(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toLan(chessgame) IS 'the moves in long algebraic notation';
CREATE FUNCTION fromLan(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromLan(text) IS 'a game from moves in long algebraic notation';
CREATE FUNCTION fromLan(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromLan(text, chessgame) IS 'a game from moves in long algebraic notation that continue a game';
CREATE FUNCTION fromLan(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromLan(text, chessboard) IS 'a game from moves in long algebraic notation that start from a board';
CREATE FUNCTION toBoardinfoMoves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toBoardinfoMoves(chessgame) IS 'the moves in boardinfo moves';
CREATE FUNCTION fromBoardinfoMoves(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBoardinfoMoves(text) IS 'a game from moves in boardinfo moves';
CREATE FUNCTION fromBoardinfoMoves(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBoardinfoMoves(text, chessgame) IS 'a game from moves in boardinfo moves that continue a game';
CREATE FUNCTION fromBoardinfoMoves(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBoardinfoMoves(text, chessboard) IS 'a game from moves in boardinfo moves that start from a board';
CREATE FUNCTION toBase64Moves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toBase64Moves(chessgame) IS 'the moves in base64 moves';
CREATE FUNCTION fromBase64Moves(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBase64Moves(text) IS 'a game from moves in base64 moves';
CREATE FUNCTION fromBase64Moves(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBase64Moves(text, chessgame) IS 'a game from moves in base64 moves that continue a game';
CREATE FUNCTION fromBase64Moves(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBase64Moves(text, chessboard) IS 'a game from moves in base64 moves that start from a board';
CREATE FUNCTION toShort(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toShort(chessgame) IS 'the moves in the short moves of the tree';
CREATE FUNCTION fromShort(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromShort(text) IS 'a game from moves in the short moves of the tree';
CREATE FUNCTION fromShort(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromShort(text, chessgame) IS 'a game from moves in the short moves of the tree that continue a game';
CREATE FUNCTION fromShort(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromShort(text, chessboard) IS 'a game from moves in the short moves of the tree that start from a board';
CREATE FUNCTION toCmbrMoves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toCmbrMoves(chessgame) IS 'the moves in CMBR words';
CREATE FUNCTION fromCmbrMoves(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbrMoves(text) IS 'a game from moves in CMBR words';
CREATE FUNCTION fromCmbrMoves(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbrMoves(text, chessgame) IS 'a game from moves in CMBR words that continue a game';
CREATE FUNCTION fromCmbrMoves(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbrMoves(text, chessboard) IS 'a game from moves in CMBR words that start from a board';

-- ---- Notations of games ---------------------------------------------------------------------------------------------

CREATE FUNCTION toPgn(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_pgn' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION toPgn(chessgame) IS 'the game as PGN without tags';
CREATE FUNCTION toPgn(chessgame, tags jsonb, annotated bytea DEFAULT NULL) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_pgn_with_tags' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION toPgn(chessgame, jsonb, bytea) IS 'the game as PGN with tags, and with the notes and variations that parsePgn found';
CREATE FUNCTION toJson(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION toJson(chessgame) IS 'the game as a line of JSON';
CREATE FUNCTION toCmbr(chessgame) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_to_cmbr' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION toCmbr(chessgame) IS 'the game as a CMBR record';
CREATE FUNCTION fromPgn(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION fromPgn(text) IS 'the main line of a game in PGN';
CREATE FUNCTION fromJson(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION fromJson(text) IS 'the main line of a game in JSON';
CREATE FUNCTION fromCmbr(bytea) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbr(bytea) IS 'the main line of a CMBR record';

-- ---- Rows -----------------------------------------------------------------------------------------------------------

CREATE FUNCTION moves(game chessgame) RETURNS TABLE (ply integer, san text, uci text, board chessboard)
    AS 'MODULE_PATHNAME', 'tabiya_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 80;
COMMENT ON FUNCTION moves(chessgame) IS 'one row per half-move, from 1, with the board after it';
CREATE FUNCTION positions(game chessgame) RETURNS TABLE (ply integer, board chessboard, fen text, position_key bigint, placement_key bigint)
    AS 'MODULE_PATHNAME', 'tabiya_positions' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 80;
COMMENT ON FUNCTION positions(chessgame) IS 'one row per position, from ply 0';
CREATE FUNCTION legal_moves("position" chessgame) RETURNS TABLE (san text, uci text, board chessboard)
    AS 'MODULE_PATHNAME', 'tabiya_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 30;
COMMENT ON FUNCTION legal_moves(chessgame) IS 'one row per legal move, in the order of the tree';
CREATE FUNCTION legal_moves("position" chessboard) RETURNS TABLE (san text, uci text, board chessboard)
    AS 'MODULE_PATHNAME', 'tabiya_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 30;
COMMENT ON FUNCTION legal_moves(chessboard) IS 'one row per legal move, in the order of the tree';
CREATE FUNCTION parsePgn(pgn text) RETURNS TABLE (number integer, tags jsonb, game chessgame, result text, error text, annotated bytea)
    AS 'MODULE_PATHNAME', 'tabiya_parse_pgn' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 100;
COMMENT ON FUNCTION parsePgn(text) IS 'one row per game of a PGN text, including bad ones';

-- ---- What was played ------------------------------------------------------------------------------------------------

CREATE TYPE nextmove AS (
    san text, uci text, games bigint, reached bigint, white bigint, draws bigint, black bigint, unknown bigint
);
COMMENT ON TYPE nextmove IS 'a move in a position: games that played it, games that reach the position after it, results of the former';

-- postgres_fdw sends a call to another machine only if its result type belongs to the extension. An array type never
-- does, but a domain over it can.

CREATE DOMAIN nextmovelist AS nextmove[];
COMMENT ON DOMAIN nextmovelist IS 'the moves that were played in a position, the most frequent first';

-- The state of the aggregates is a type, so that it can be sent to other processes and machines.
CREATE TYPE nextmovestate;
CREATE FUNCTION nextmovestate_in(cstring) RETURNS nextmovestate
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_state_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nextmovestate_in(cstring) IS 'reads the digits of a count of moves, and checks them';
CREATE FUNCTION nextmovestate_out(nextmovestate) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_state_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nextmovestate_out(nextmovestate) IS 'writes a count of moves as hexadecimal digits';
CREATE FUNCTION nextmovestate_recv(internal) RETURNS nextmovestate
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_state_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nextmovestate_recv(internal) IS 'reads the bytes of a count of moves, and checks them';
CREATE FUNCTION nextmovestate_send(nextmovestate) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_state_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nextmovestate_send(nextmovestate) IS 'the bytes of a count of moves';
CREATE TYPE nextmovestate (
    INPUT = nextmovestate_in, OUTPUT = nextmovestate_out, RECEIVE = nextmovestate_recv, SEND = nextmovestate_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = double, STORAGE = plain
);
COMMENT ON TYPE nextmovestate IS 'what nextMoves has counted so far';

CREATE FUNCTION nextmoves_add(nextmovestate, chessgame, chessboard) RETURNS nextmovestate
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION nextmoves_add(nextmovestate, chessgame, chessboard) IS 'counts a game';
CREATE FUNCTION nextmoves_combine(nextmovestate, nextmovestate) RETURNS nextmovestate
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_combine(nextmovestate, nextmovestate) IS 'adds up two counts';
CREATE FUNCTION nextmoves_list(nextmovestate) RETURNS nextmovelist
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_final' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_list(nextmovestate) IS 'the moves that were played, the most frequent first';
CREATE AGGREGATE nextMoves(chessgame, chessboard) (
    SFUNC = nextmoves_add, STYPE = nextmovestate, SSPACE = 16384, FINALFUNC = nextmoves_list, COMBINEFUNC = nextmoves_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE nextMoves(chessgame, chessboard) IS 'the moves that games play in a position, with counts and results';

CREATE FUNCTION nextmoves_merge(nextmovestate, nextmove[], chessboard) RETURNS nextmovestate
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION nextmoves_merge(nextmovestate, nextmove[], chessboard) IS 'adds counts that nextMoves has made elsewhere';
CREATE AGGREGATE mergeMoves(nextmove[], chessboard) (
    SFUNC = nextmoves_merge, STYPE = nextmovestate, SSPACE = 16384, FINALFUNC = nextmoves_list, COMBINEFUNC = nextmoves_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE mergeMoves(nextmove[], chessboard) IS 'adds up results of nextMoves for one board, from several tables or machines';

-- ---- Texts as arguments ---------------------------------------------------------------------------------------------

-- A column or parameter of type text or varchar can be passed as a game or a board. Where both are possible, it is a
-- game, like a literal.

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
COMMENT ON FUNCTION legal_moves(text) IS 'one row per legal move, in the order of the tree';
CREATE FUNCTION fromSan(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromSan($1, $2::chessgame);
COMMENT ON FUNCTION fromSan(text, text) IS 'a game from moves in SAN that continue a game or start from a bare FEN';
CREATE FUNCTION fromUci(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromUci($1, $2::chessgame);
COMMENT ON FUNCTION fromUci(text, text) IS 'a game from moves in UCI that continue a game or start from a bare FEN';
CREATE FUNCTION toIccf(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_iccf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toIccf(chessgame) IS 'the moves in the digits of correspondence chess';
CREATE FUNCTION fromIccf(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_iccf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromIccf(text) IS 'a game from moves in the digits of correspondence chess';
CREATE FUNCTION fromIccf(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_iccf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromIccf(text, chessgame) IS 'a game from moves in the digits of correspondence chess that continue a game';
CREATE FUNCTION fromIccf(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_iccf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromIccf(text, chessboard) IS 'a game from moves in the digits of correspondence chess that start from a board';
CREATE FUNCTION fromIccf(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromIccf($1, $2::chessgame);
COMMENT ON FUNCTION fromIccf(text, text) IS 'a game from moves in the digits of correspondence chess that continue a game or start from a bare FEN';
CREATE FUNCTION fromLan(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromLan($1, $2::chessgame);
COMMENT ON FUNCTION fromLan(text, text) IS 'a game from moves in long algebraic notation that continue a game or start from a bare FEN';
CREATE FUNCTION fromBoardinfoMoves(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromBoardinfoMoves($1, $2::chessgame);
COMMENT ON FUNCTION fromBoardinfoMoves(text, text) IS 'a game from moves in boardinfo moves that continue a game or start from a bare FEN';
CREATE FUNCTION fromBase64Moves(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromBase64Moves($1, $2::chessgame);
COMMENT ON FUNCTION fromBase64Moves(text, text) IS 'a game from moves in base64 moves that continue a game or start from a bare FEN';
CREATE FUNCTION fromShort(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromShort($1, $2::chessgame);
COMMENT ON FUNCTION fromShort(text, text) IS 'a game from moves in the short moves of the tree that continue a game or start from a bare FEN';
CREATE FUNCTION fromCmbrMoves(text, text) RETURNS chessgame LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
    RETURN fromCmbrMoves($1, $2::chessgame);
COMMENT ON FUNCTION fromCmbrMoves(text, text) IS 'a game from moves in CMBR words that continue a game or start from a bare FEN';

-- ---- Other names ----------------------------------------------------------------------------------------------------

-- Aliases: names that users try first; bindings/sql/functions.c has the list for SQLite and DuckDB.

CREATE FUNCTION board(chessgame) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_final_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION board(chessgame) IS 'the same as getBoard';
CREATE FUNCTION board(chessgame, bigint) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION board(chessgame, bigint) IS 'the same as getBoard';
CREATE FUNCTION eco(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_eco' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION eco(chessgame) IS 'the same as getEco';
CREATE FUNCTION fen(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION fen(chessgame) IS 'the same as toFen';
CREATE FUNCTION fen(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fen(chessboard) IS 'the same as toFen';
CREATE FUNCTION fen(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toFen($1::chessgame);
COMMENT ON FUNCTION fen(text) IS 'the same as toFen';
CREATE FUNCTION is_check(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_check' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION is_check(chessgame) IS 'the same as isCheck';
CREATE FUNCTION is_check(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_check' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION is_check(chessboard) IS 'the same as isCheck';
CREATE FUNCTION is_check(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isCheck($1::chessgame);
COMMENT ON FUNCTION is_check(text) IS 'the same as isCheck';
CREATE FUNCTION is_checkmate(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_checkmate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION is_checkmate(chessgame) IS 'the same as isCheckmate';
CREATE FUNCTION is_checkmate(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_checkmate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION is_checkmate(chessboard) IS 'the same as isCheckmate';
CREATE FUNCTION is_checkmate(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isCheckmate($1::chessgame);
COMMENT ON FUNCTION is_checkmate(text) IS 'the same as isCheckmate';
CREATE FUNCTION is_stalemate(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_stalemate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION is_stalemate(chessgame) IS 'the same as isStalemate';
CREATE FUNCTION is_stalemate(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_stalemate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION is_stalemate(chessboard) IS 'the same as isStalemate';
CREATE FUNCTION is_stalemate(text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN isStalemate($1::chessgame);
COMMENT ON FUNCTION is_stalemate(text) IS 'the same as isStalemate';
CREATE FUNCTION opening_name(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_opening_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION opening_name(chessgame) IS 'the same as getOpeningName';
CREATE FUNCTION pgn(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_pgn' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION pgn(chessgame) IS 'the same as toPgn';
CREATE FUNCTION pgn(chessgame, tags jsonb, annotated bytea DEFAULT NULL) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_pgn_with_tags' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION pgn(chessgame, jsonb, bytea) IS 'the same as toPgn';
CREATE FUNCTION plies(chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_ply_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION plies(chessgame) IS 'the same as plyCount';
CREATE FUNCTION ply_count(chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_ply_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION ply_count(chessgame) IS 'the same as plyCount';
CREATE FUNCTION position_at(chessgame) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_final_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION position_at(chessgame) IS 'the same as getBoard';
CREATE FUNCTION position_at(chessgame, bigint) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION position_at(chessgame, bigint) IS 'the same as getBoard';
CREATE FUNCTION result(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_get_game_result' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION result(chessgame) IS 'the same as getGameResult';
CREATE FUNCTION san(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION san(chessgame) IS 'the same as toSan';
CREATE FUNCTION to_fen(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION to_fen(chessgame) IS 'the same as toFen';
CREATE FUNCTION to_fen(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION to_fen(chessboard) IS 'the same as toFen';
CREATE FUNCTION to_fen(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 50
    RETURN toFen($1::chessgame);
COMMENT ON FUNCTION to_fen(text) IS 'the same as toFen';
CREATE FUNCTION uci(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION uci(chessgame) IS 'the same as toUci';

-- ---- Chess960 -------------------------------------------------------------------------------------------------------

-- Text is standard chess unless marked otherwise: by an argument, a Variant tag, or file letters as castling rights.

CREATE FUNCTION fromFen(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_fen' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromFen(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromFenLegal(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromFenLegal(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromEpd(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromEpd(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromBoardinfo(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBoardinfo(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromBase64(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBase64(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromBase64url(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBase64url(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromAscii(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromAscii(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';
CREATE FUNCTION fromUnicode(text, chess960 boolean) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromUnicode(text, boolean) IS 'reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks';

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

-- ---- Annotated games ------------------------------------------------------------------------------------------------

CREATE FUNCTION annotations(annotated bytea) RETURNS TABLE (
        node integer, parent integer, ply integer, line integer, san text, uci text, nags integer[], before text, comment text,
        eval integer, mate integer, depth integer, clock double precision, elapsed double precision, board chessboard)
    AS 'MODULE_PATHNAME', 'tabiya_annotations' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 100;
COMMENT ON FUNCTION annotations(bytea) IS 'a whole game as rows: moves and variations with comments, NAGs, evaluations and clocks';

CREATE FUNCTION moves(game chessgame, annotated bytea) RETURNS TABLE (ply integer, san text, uci text, board chessboard,
        nags integer[], comment text, eval integer, mate integer, clock double precision)
    AS 'MODULE_PATHNAME', 'tabiya_moves_annotated' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000 ROWS 80;
COMMENT ON FUNCTION moves(chessgame, bytea) IS 'one row per half-move, from 1, with the board after it and what its comments say';
CREATE FUNCTION positions(game chessgame, annotated bytea) RETURNS TABLE (ply integer, board chessboard, fen text,
        position_key bigint, placement_key bigint, nags integer[], comment text, eval integer, mate integer, clock double precision)
    AS 'MODULE_PATHNAME', 'tabiya_positions_annotated' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000 ROWS 80;
COMMENT ON FUNCTION positions(chessgame, bytea) IS 'one row per position, from ply 0, with what the comments after the last move say';

-- ---- Move statistics ------------------------------------------------------------------------------------------------

CREATE FUNCTION playedMove(chessgame, chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_played_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION playedMove(chessgame, chessboard) IS 'the move in UCI that a game plays in a position, the first time it reaches it; empty if it ends there';
CREATE FUNCTION playedMoves(game chessgame) RETURNS TABLE (position_key bigint, board chessboard, uci text, is_white boolean, result smallint)
    AS 'MODULE_PATHNAME', 'tabiya_played_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 80;
COMMENT ON FUNCTION playedMoves(chessgame) IS 'one row per distinct position of a game, with the move played there; result: 0 unknown, 1 White, 2 Black, 3 a draw';
CREATE FUNCTION chessgame_result(chessgame) RETURNS smallint
    AS 'MODULE_PATHNAME', 'tabiya_game_result_code' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_result(chessgame) IS 'the recorded result: 0 none, 1 White won, 2 Black won, 3 a draw';
CREATE FUNCTION frequentPositions(query text, n_games bigint, min_games integer) RETURNS TABLE (position_key bigint, board chessboard, games bigint)
    AS 'MODULE_PATHNAME', 'tabiya_frequent_positions' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 1000;
COMMENT ON FUNCTION frequentPositions(text, bigint, integer) IS 'the positions that at least min_games of the n_games games of a query reach in their first 40 half-moves';
CREATE FUNCTION countMoves(query text, positions bigint[]) RETURNS TABLE (position_key bigint, uci text, class integer, year integer,
        white integer, draws integer, black integer, unknown integer, n_elo integer, elo_sum bigint, last_date integer)
    AS 'MODULE_PATHNAME', 'tabiya_count_moves' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 100000;
COMMENT ON FUNCTION countMoves(text, bigint[]) IS 'what the games of a query play in these positions; rows of one move add up. Columns of the query: game, class, year, ratings of White and Black, date';
CREATE FUNCTION waitForWriters(regclass) RETURNS void AS 'MODULE_PATHNAME', 'tabiya_wait_for_writers' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION waitForWriters(regclass) IS 'waits for all transactions that have changed rows of a table; meanwhile others can change rows';

-- Statements are built from templates. Every {word} is replaced once, so a value may contain anything, and function
-- bodies in dollar quotes use a safe delimiter: a name may contain dollar signs too.

CREATE FUNCTION tabiya_fill(template text, parts jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    sql text := '';
    piece text;
    filled text;
    is_body boolean := false;
    is_word boolean;
BEGIN
    FOREACH piece IN ARRAY string_to_array(template, '$$') LOOP
        filled := '';
        is_word := false;
        FOREACH piece IN ARRAY string_to_array(replace(piece, '{', '}'), '}') LOOP
            IF is_word AND parts ->> piece IS NULL THEN
                RAISE EXCEPTION USING ERRCODE = 'internal_error', MESSAGE = format('nothing replaces {%s}', piece);
            END IF;
            filled := filled || CASE WHEN is_word THEN parts ->> piece ELSE piece END;
            is_word := NOT is_word;
        END LOOP;
        sql := sql || CASE WHEN NOT is_body THEN filled WHEN strpos(filled, '$$') = 0 THEN '$$' || filled || '$$' ELSE quote_literal(filled) END;
        is_body := NOT is_body;
    END LOOP;
    RETURN sql;
END $function$;
COMMENT ON FUNCTION tabiya_fill(text, jsonb) IS 'a template with its {words} replaced, each once';

-- createMoveStats creates tables and functions for one table of games. Rows of NAME_played are added up, never changed:
-- a deleted game adds rows with negative counts. last_date is exact unless games of that date were deleted. NAME_totals
-- has sums of the rows that are folded: few rows then cover all games, a class or a year. Rows added since then are
-- included when the counts are read, so writers do not touch the sums.
--
-- The trigger writes as the owner of the statistics, so that users who change games need no rights on the counts, and
-- only for its own table. Every name in these functions is in pg_catalog or qualified with its schema, and arguments of
-- the extension's functions have their exact types: no object that others create can be called instead.

-- The words of the statements about one table of games: its tables, and the expressions that are counted.

CREATE FUNCTION moveStatsParts(games regclass, game name, white_elo name DEFAULT NULL, black_elo name DEFAULT NULL, date name DEFAULT NULL)
    RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    counts text := $sql$p.position_key, p.uci, {class}, {year}, {sign}count(*) FILTER (WHERE p.result = 1), {sign}count(*) FILTER (WHERE p.result = 3),
            {sign}count(*) FILTER (WHERE p.result = 2), {sign}count(*) FILTER (WHERE p.result = 0), {sign}count({elo}), {sign}coalesce(sum({elo}), 0), max({date})$sql$;
    -- of positions: the sums, what came since, and all rows where there is no sum
    rows text := $sql$SELECT {numbers} FROM {totals} t WHERE t.position = {key} AND t.level = {level} AND {narrowed}
                UNION ALL SELECT {numbers} FROM {moves} t WHERE t.position = {key} AND NOT t.is_folded AND {narrowed}
                UNION ALL SELECT {numbers} FROM {moves} t WHERE summed = 0 AND t.position = {key} AND t.is_folded AND {narrowed}$sql$;
    ext text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'tabiya');
    has_elo boolean := white_elo IS NOT NULL AND black_elo IS NOT NULL;
    schema text; relation text; kind text; parts jsonb;
BEGIN
    SELECT nspname, relname INTO schema, relation FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = games;
    IF octet_length(relation) > 45 THEN
        RAISE EXCEPTION USING ERRCODE = 'name_too_long', MESSAGE = format('the name %I leaves no room for those of its move statistics', relation);
    END IF;
    IF (SELECT atttypid FROM pg_attribute WHERE attrelid = games AND attname = game) IS DISTINCT FROM (ext || '.chessgame')::regtype::oid THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_column', MESSAGE = format('%s has no column %I of type chessgame', games, game);
    END IF;
    SELECT atttypid::regtype::text INTO kind FROM pg_attribute WHERE attrelid = games AND attname = date;
    IF date IS NOT NULL AND kind NOT IN ('integer', 'date') OR date IS NOT NULL AND kind IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_column', MESSAGE = format('%s has no column %I of type date or integer', games, date);
    END IF;
    parts := jsonb_build_object('ext', ext, 'few', 100, 'games', format('%I.%I', schema, relation), 'games literal', format('%L', format('%I.%I', schema, relation)),
        'game', quote_ident(game), 'moves', format('%I.%I', schema, relation || '_played'), 'totals', format('%I.%I', schema, relation || '_totals'),
        'tracked', format('%I.%I', schema, relation || '_tracked'), 'change', format('%I.%I', schema, relation || '_played_change'),
        'choose', format('%I.%I', schema, relation || '_played_choose'), 'count', format('%I.%I', schema, relation || '_played_count'),
        'refresh', format('%I.%I', schema, relation || '_played_refresh'), 'fold', format('%I.%I', schema, relation || '_played_fold'),
        'drop', format('%I.%I', schema, relation || '_played_drop'), 'explore', format('%I.%I', schema, relation || '_explore'), 'read', format('%I.%I', schema, relation || '_counts'),
        'insert trigger', quote_ident(relation || '_played_insert'), 'delete trigger', quote_ident(relation || '_played_delete'),
        'update trigger', quote_ident(relation || '_played_update'), 'truncate trigger', quote_ident(relation || '_played_truncate'));
    parts := parts || jsonb_build_object(
        'class', CASE WHEN has_elo THEN format('CASE WHEN g.%1$I > 0 AND g.%2$I > 0 THEN least(g.%1$I, g.%2$I) / 200 ELSE 0 END', white_elo, black_elo) ELSE '0' END,
        'elo', CASE WHEN has_elo THEN format('CASE WHEN p.is_white THEN g.%I ELSE g.%I END', white_elo, black_elo) ELSE 'NULL::integer' END,
        'elos', CASE WHEN has_elo THEN format('g.%I::integer, g.%I::integer', white_elo, black_elo) ELSE 'NULL::integer, NULL::integer' END,
        'mover', CASE WHEN has_elo THEN format('CASE WHEN split_part($1::text, '' '', 2) = ''w'' THEN g.%I ELSE g.%I END', white_elo, black_elo) ELSE 'NULL::integer' END,
        'year', CASE kind WHEN 'integer' THEN format('coalesce(g.%I, 0) / 10000', date) WHEN 'date' THEN format('coalesce(extract(year FROM g.%I)::integer, 0)', date) ELSE '0' END,
        'date', CASE kind WHEN 'integer' THEN format('g.%I', date) WHEN 'date' THEN format('to_char(g.%I, ''YYYYMMDD'')::integer', date) ELSE 'NULL::integer' END,
        'narrowed', '(classes IS NULL OR t.class <@ classes) AND (years IS NULL OR t.year <@ years)',
        'numbers', 't.position, t.uci, t.games, t.white, t.draws, t.black, t.unknown, t.n_elo, t.elo_sum, t.last_date, t.is_sure',
        'sums', 'SELECT position, grouping(uci, class, year), uci, class, year, sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum), max(last_date), bool_and(is_sure)',
        'sets', 'GROUP BY GROUPING SETS ((position, uci, class), (position, uci, year), (position, uci), (position, class), (position, year), (position)) ORDER BY 2, 1',
        'sure date', $sql$max(m.last_date) FILTER (WHERE m.games > 0) AS last_date, bool_and(m.is_sure)
                AND NOT coalesce(max(m.last_date) FILTER (WHERE m.games < 0) >= max(m.last_date) FILTER (WHERE m.games > 0), false) AS is_sure$sql$);
    EXECUTE format('SELECT $1 || jsonb_build_object(''games query'', quote_literal(%1$s.tabiya_fill(''SELECT g.{game} FROM {games} g'', $1)),
        ''moves query'', quote_literal(%1$s.tabiya_fill(''SELECT g.{game}, ({class})::integer, ({year})::integer, {elos}, {date} FROM {games} g'', $1)), ''counts plus'', %1$s.tabiya_fill($2, $1 || ''{"sign": ""}''::jsonb),
        ''counts minus'', %1$s.tabiya_fill($2, $1 || ''{"sign": "-"}''::jsonb), ''rows here'', %1$s.tabiya_fill($3, $1 || ''{"key": "key", "level": "summed"}''::jsonb),
        ''rows behind'', %1$s.tabiya_fill($3, $1 || ''{"key": "ANY (behind)", "level": "4 + summed"}''::jsonb))', ext)
        INTO parts USING parts, counts, rows;
    RETURN parts;
END $function$;
COMMENT ON FUNCTION moveStatsParts(regclass, name, name, name, name) IS 'the names and expressions of the statements of createMoveStats, for tabiya_fill';

CREATE FUNCTION moveStatsSql(games regclass, game name, white_elo name DEFAULT NULL, black_elo name DEFAULT NULL, date name DEFAULT NULL)
    RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    template text := $sql$
-- The counted positions and the moves played in them: by class (the rating of the lower rated player divided by 200; 0
-- if a rating is unknown) and by year (0 if unknown). uci is empty if the game ends there. A position is counted if
-- many games reach it; then all positions one move later are counted too, with n_games 0. n_games is the number of
-- games that had reached it when it was chosen; position 0 means all games. The counts of a chosen position are
-- complete.
CREATE TABLE {tracked} (position bigint PRIMARY KEY, is_popular boolean NOT NULL, n_games bigint NOT NULL, is_wanted boolean NOT NULL DEFAULT true);
CREATE TABLE {moves} (
    position bigint NOT NULL, uci text COLLATE "C" NOT NULL, class integer NOT NULL, year integer NOT NULL,
    white integer NOT NULL, draws integer NOT NULL, black integer NOT NULL, unknown integer NOT NULL,
    n_elo integer NOT NULL, elo_sum bigint NOT NULL, last_date integer, is_sure boolean NOT NULL DEFAULT true, is_folded boolean NOT NULL DEFAULT false,
    games integer NOT NULL GENERATED ALWAYS AS (white + draws + black + unknown) STORED
);
CREATE INDEX ON {moves} (position);
CREATE INDEX ON {moves} (position) WHERE NOT is_folded;
-- Sums of the folded rows. level: 1 over all years, 2 over all classes, 3 over both; plus 4: over all moves.
CREATE TABLE {totals} (
    position bigint NOT NULL, level integer NOT NULL, uci text COLLATE "C", class integer, year integer,
    white integer NOT NULL, draws integer NOT NULL, black integer NOT NULL, unknown integer NOT NULL,
    n_elo integer NOT NULL, elo_sum bigint NOT NULL, last_date integer, is_sure boolean NOT NULL,
    games integer NOT NULL GENERATED ALWAYS AS (white + draws + black + unknown) STORED
);
CREATE INDEX ON {totals} (position, level);
COMMENT ON TABLE {tracked} IS 'the positions whose moves are counted';
COMMENT ON TABLE {moves} IS 'what was played in them; rows of one position and move add up';
COMMENT ON TABLE {totals} IS 'sums of the folded rows, over years, classes, both, and over all moves';

CREATE FUNCTION {change}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
    IF TG_RELID <> {games literal}::regclass THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'this trigger counts the moves of another table';
    END IF;
    IF TG_OP = 'TRUNCATE' THEN
        LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
        DELETE FROM {moves};
        DELETE FROM {totals};
        RETURN NULL;
    END IF;
    IF (SELECT true FROM {tracked} LIMIT 1) IS NULL THEN
        RETURN NULL;
    END IF;
    -- A transaction that reads from an older snapshot must not miss a position that is counted since then.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        PERFORM 1 FROM {tracked} WHERE position = 0 FOR SHARE;
    END IF;
    -- For a few games each position is looked up; for many, reading all that are counted is faster.
    IF TG_OP <> 'DELETE' THEN
        IF (SELECT count(*) FROM (SELECT 1 FROM added LIMIT {few}) AS x) < {few} THEN
            INSERT INTO {moves} SELECT {counts plus} FROM added g, {ext}.playedMoves(g.{game}) p
                WHERE (SELECT true FROM {tracked} t WHERE t.position = p.position_key) GROUP BY 1, 2, 3, 4;
        ELSE
            INSERT INTO {moves} SELECT {counts plus} FROM added g, {ext}.playedMoves(g.{game}) p JOIN {tracked} t ON t.position = p.position_key
                GROUP BY 1, 2, 3, 4;
        END IF;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        IF (SELECT count(*) FROM (SELECT 1 FROM removed LIMIT {few}) AS x) < {few} THEN
            INSERT INTO {moves} SELECT {counts minus} FROM removed g, {ext}.playedMoves(g.{game}) p
                WHERE (SELECT true FROM {tracked} t WHERE t.position = p.position_key) GROUP BY 1, 2, 3, 4;
        ELSE
            INSERT INTO {moves} SELECT {counts minus} FROM removed g, {ext}.playedMoves(g.{game}) p JOIN {tracked} t ON t.position = p.position_key
                GROUP BY 1, 2, 3, 4;
        END IF;
    END IF;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION {change}() FROM PUBLIC;
CREATE TRIGGER {insert trigger} AFTER INSERT ON {games} REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {change}();
CREATE TRIGGER {delete trigger} AFTER DELETE ON {games} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION {change}();
CREATE TRIGGER {update trigger} AFTER UPDATE ON {games} REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {change}();
CREATE TRIGGER {truncate trigger} AFTER TRUNCATE ON {games} FOR EACH STATEMENT EXECUTE FUNCTION {change}();

CREATE FUNCTION {choose}(min_games integer DEFAULT 1000) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
    LOCK TABLE {games} IN ACCESS SHARE MODE; -- before the totals, as TRUNCATE does
    LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
    UPDATE {tracked} SET is_wanted = false, n_games = 0;
    WITH frequent AS MATERIALIZED (SELECT * FROM {ext}.frequentPositions({games query}::text, (SELECT count(*) FROM {games}), min_games))
        INSERT INTO {tracked} SELECT x.key, false, max(x.n_games) FROM (SELECT position_key, games FROM frequent
            UNION ALL SELECT {ext}.positionKey(l.board), 0 FROM frequent f, {ext}.legal_moves(f.board) l) AS x (key, n_games) GROUP BY x.key
        ON CONFLICT (position) DO UPDATE SET is_wanted = true, n_games = excluded.n_games;
    n := (SELECT count(*) FROM {tracked} t WHERE t.n_games > 0);
    INSERT INTO {tracked} SELECT 0, false, count(*) FROM {games} ON CONFLICT (position) DO UPDATE SET is_wanted = true, n_games = excluded.n_games;
    RETURN n;
END $$;
COMMENT ON FUNCTION {choose}(integer) IS 'chooses the positions that are counted: those that at least that many games reach in their first 40 half-moves; NAME_played_count counts them, in a separate transaction';

-- Waits for writers that do not know yet which positions were chosen. It takes no lock, so other writers need not wait.
-- Games that are added or deleted from then on have their own rows of counts, and the snapshot of the counting statement
-- sees both or neither.
CREATE FUNCTION {count}() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    LOCK TABLE {games} IN ACCESS SHARE MODE;
    LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
    PERFORM {ext}.waitForWriters({games literal}::regclass);
    DELETE FROM {tracked} WHERE NOT is_wanted;
    UPDATE {tracked} SET is_popular = n_games > 0 WHERE position <> 0 AND is_popular <> (n_games > 0);
    WITH gone AS (DELETE FROM {moves}), old AS (DELETE FROM {totals}), counted AS (
        INSERT INTO {moves} SELECT position_key, uci, class, year, sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum), max(last_date),
            true, true FROM {ext}.countMoves({moves query}::text, ARRAY(SELECT position FROM {tracked})) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2 RETURNING *)
    INSERT INTO {totals} {sums} FROM counted {sets};
END $$;
COMMENT ON FUNCTION {count}() IS 'counts what is played in the chosen positions; readers and writers continue';

CREATE FUNCTION {refresh}(min_games integer DEFAULT 1000) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
    LOCK TABLE {games} IN SHARE MODE;
    n := {choose}(min_games);
    PERFORM {count}();
    RETURN n;
END $$;
COMMENT ON FUNCTION {refresh}(integer) IS 'chooses positions and counts them in one transaction; writers wait, readers continue';

CREATE FUNCTION {fold}() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
    WITH gone AS (DELETE FROM {moves} RETURNING *), old AS (DELETE FROM {totals}), folded AS (
        INSERT INTO {moves} SELECT position, uci, class, year, sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum), {sure date}, true
        FROM gone m GROUP BY 1, 2, 3, 4 HAVING sum(games) <> 0 ORDER BY 1, 2 RETURNING *)
    INSERT INTO {totals} {sums} FROM folded {sets};
END $$;
COMMENT ON FUNCTION {fold}() IS 'merges rows that belong together, and updates the totals; run VACUUM afterwards';

-- The counts for a position: no rows if it is not counted; otherwise a row with only its key, a row for each move, and
-- for each of the positions `behind` the number of games that reach it. tabiya explore reads this too.
CREATE FUNCTION {read}(board {ext}.chessboard, behind bigint[], classes int4range DEFAULT NULL, years int4range DEFAULT NULL)
    RETURNS TABLE (position_key bigint, uci text, games bigint, white bigint, draws bigint, black bigint, unknown bigint, n_elo bigint,
        elo_sum bigint, last_date integer)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    key bigint := {ext}.positionKey(board);
    summed integer := CASE WHEN classes IS NULL THEN 2 ELSE 0 END + CASE WHEN years IS NULL THEN 1 ELSE 0 END;
    r record;
BEGIN
    IF (SELECT is_popular FROM {tracked} WHERE position = key) IS NOT TRUE THEN
        RETURN;
    END IF;
    position_key := key;
    RETURN NEXT;
    FOR r IN SELECT m.uci, sum(m.games) AS games, sum(m.white) AS white, sum(m.draws) AS draws, sum(m.black) AS black, sum(m.unknown) AS unknown,
            sum(m.n_elo) AS n_elo, sum(m.elo_sum)::bigint AS elo_sum, {sure date} FROM ({rows here}) AS m GROUP BY m.uci LOOP
        uci := r.uci; games := r.games; white := r.white; draws := r.draws; black := r.black; unknown := r.unknown;
        n_elo := r.n_elo; elo_sum := r.elo_sum; last_date := r.last_date;
        -- where the last game of a move has gone, only the games say which is the last now
        IF NOT r.is_sure AND r.games > 0 THEN
            last_date := (SELECT max({date}) FROM {games} g WHERE {ext}.hasPosition(g.{game}, $1) AND {ext}.playedMove(g.{game}, $1) = r.uci
                AND (classes IS NULL OR {class} <@ classes) AND (years IS NULL OR {year} <@ years));
        END IF;
        RETURN NEXT;
    END LOOP;
    RETURN QUERY SELECT m.position, NULL::text, sum(m.games), 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, NULL::integer
        FROM ({rows behind}) AS m GROUP BY m.position;
END $$;
COMMENT ON FUNCTION {read}({ext}.chessboard, bigint[], int4range, int4range) IS 'the counts of a position and of those reached from it; no row if it is not counted';

CREATE FUNCTION {explore}(board {ext}.chessboard, classes int4range DEFAULT NULL, years int4range DEFAULT NULL)
    RETURNS TABLE (uci text, games bigint, reached bigint, white bigint, draws bigint, black bigint, unknown bigint, n_elo bigint,
        elo_sum bigint, last_date integer)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    IF (SELECT is_popular FROM {tracked} WHERE position = {ext}.positionKey(board)) THEN
        RETURN QUERY
        WITH legal AS (
            SELECT l.uci, l.ordinality, {ext}.positionKey(l.board) AS key FROM {ext}.legal_moves($1) WITH ORDINALITY AS l
        ), counted AS MATERIALIZED (
            SELECT * FROM {read}($1, (SELECT array_agg(key) FROM legal), classes, years)
        )
        SELECT c.uci, c.games, CASE c.uci WHEN '0000' THEN c.games ELSE coalesce(r.games, 0) END, c.white, c.draws, c.black, c.unknown, c.n_elo, coalesce(c.elo_sum, 0), c.last_date
        FROM counted c LEFT JOIN legal l USING (uci) LEFT JOIN counted r ON r.position_key = l.key AND r.uci IS NULL WHERE c.uci IS NOT NULL AND c.games > 0
        ORDER BY c.games DESC, coalesce(r.games, 0) DESC, l.ordinality;
        RETURN;
    END IF;
    RETURN QUERY
    WITH counted AS (
        SELECT {ext}.playedMove(g.{game}, $1) AS uci, count(*) AS games, count(*) FILTER (WHERE {ext}.chessgame_result(g.{game}) = 1) AS white,
            count(*) FILTER (WHERE {ext}.chessgame_result(g.{game}) = 3) AS draws, count(*) FILTER (WHERE {ext}.chessgame_result(g.{game}) = 2) AS black,
            count(*) FILTER (WHERE {ext}.chessgame_result(g.{game}) = 0) AS unknown, count({mover}) AS n_elo, sum({mover})::bigint AS elo_sum, max({date}) AS last_date
        FROM {games} g WHERE {ext}.hasPosition(g.{game}, $1) AND (classes IS NULL OR {class} <@ classes) AND (years IS NULL OR {year} <@ years)
        GROUP BY 1
    ), listed AS (
        SELECT r.uci, r.reached, r.ordinality FROM (SELECT {ext}.nextMoves(g.{game}, $1) AS list FROM {games} g
            WHERE g.{game} OPERATOR({ext}.@~) {ext}.withinMoves($1) AND (classes IS NULL OR {class} <@ classes) AND (years IS NULL OR {year} <@ years)) AS x,
            unnest(x.list) WITH ORDINALITY AS r
    )
    SELECT uci, c.games, coalesce(l.reached, 0), c.white, c.draws, c.black, c.unknown, c.n_elo, coalesce(c.elo_sum, 0), c.last_date
    FROM counted c LEFT JOIN listed l USING (uci)
    ORDER BY c.games DESC, coalesce(l.reached, 0) DESC, l.ordinality;
END $$;
COMMENT ON FUNCTION {explore}({ext}.chessboard, int4range, int4range) IS 'what was played in a position: exact, from the counts if the position is counted, else from the games';

CREATE FUNCTION {drop}() RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    DROP TRIGGER IF EXISTS {insert trigger} ON {games};
    DROP TRIGGER IF EXISTS {delete trigger} ON {games};
    DROP TRIGGER IF EXISTS {update trigger} ON {games};
    DROP TRIGGER IF EXISTS {truncate trigger} ON {games};
    DROP FUNCTION {explore}({ext}.chessboard, int4range, int4range);
    DROP FUNCTION {read}({ext}.chessboard, bigint[], int4range, int4range);
    DROP FUNCTION {fold}();
    DROP FUNCTION {refresh}(integer);
    DROP FUNCTION {count}();
    DROP FUNCTION {choose}(integer);
    DROP FUNCTION {change}();
    DROP TABLE {moves}, {totals}, {tracked};
    DROP FUNCTION {drop}();
$$;
COMMENT ON FUNCTION {drop}() IS 'drops the move statistics';
$sql$;
BEGIN
    EXECUTE format('SELECT %1$s.tabiya_fill($1, %1$s.moveStatsParts($2, $3, $4, $5, $6))', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'tabiya'))
        INTO template USING template, games, game, white_elo, black_elo, date;
    RETURN template;
END $function$;
COMMENT ON FUNCTION moveStatsSql(regclass, name, name, name, name) IS 'the statements that createMoveStats runs';

CREATE FUNCTION createMoveStats(games regclass, game name, white_elo name DEFAULT NULL, black_elo name DEFAULT NULL,
    date name DEFAULT NULL) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE sql text;
BEGIN
    EXECUTE format('SELECT %s.moveStatsSql($1, $2, $3, $4, $5)', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'tabiya'))
        INTO sql USING games, game, white_elo, black_elo, date;
    EXECUTE sql;
END $$;
COMMENT ON FUNCTION createMoveStats(regclass, name, name, name, name) IS 'move statistics for a table of games: NAME_played_refresh fills them, triggers maintain them, NAME_explore reads them';

-- ---- Shards ---------------------------------------------------------------------------------------------------------

-- Games on several servers: each shard has the tables of `tabiya import`; the coordinator has one table, for SQL, whose
-- partitions are those of the shards. The program queries the shards directly. The hash of a game determines its shard,
-- so two copies of a game are on the same one. Games are numbered over all shards. `tabiya cluster init` runs these
-- statements; all may be run again.

CREATE FUNCTION gamesSql(part text) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_games_sql' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gamesSql(text) IS 'the columns of the tables of tabiya import: define, show, or the comment with their version';

CREATE FUNCTION shardSql(shards text[], remote_user text DEFAULT current_user)
    RETURNS TABLE (server text, sql text) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    parts jsonb;
    ext text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'tabiya');
    shard text := $sql$SET search_path = pg_catalog, pg_temp;
{extension}
CREATE SCHEMA IF NOT EXISTS tabiya;
CREATE TABLE IF NOT EXISTS tabiya.shape (id integer PRIMARY KEY, names text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS tabiya.game (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, {columns},
    shard integer NOT NULL DEFAULT {n} CHECK (shard = {n}));
CREATE INDEX IF NOT EXISTS game_hash ON tabiya.game (hash);
DO $$ BEGIN
    IF to_regclass('tabiya.game_played') IS NULL THEN
        PERFORM {ext}.createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date');
    END IF;
END $$;
CREATE OR REPLACE VIEW tabiya.games AS {games};
CREATE OR REPLACE VIEW tabiya.game_of_shard AS SELECT *, (SELECT names FROM tabiya.shape WHERE shape.id = game.shape) AS names FROM tabiya.game;
COMMENT ON SCHEMA tabiya IS 'games stored by tabiya import: one of several shards';
COMMENT ON TABLE tabiya.game IS '{comment}';
COMMENT ON TABLE tabiya.shape IS 'which tags games have, in what order';
COMMENT ON VIEW tabiya.games IS 'the games in readable form: dates as text';
COMMENT ON VIEW tabiya.game_of_shard IS 'the games as the coordinator has them, of shard {n} of {n_shards}';
$sql$;
    root text := $sql$SET search_path = pg_catalog, pg_temp;
{extension}
CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA {ext};
CREATE SCHEMA IF NOT EXISTS tabiya;
CREATE TABLE IF NOT EXISTS tabiya.game (shard integer NOT NULL, id bigint NOT NULL, {columns}, names text COLLATE "C") PARTITION BY LIST (shard);
CREATE OR REPLACE VIEW tabiya.games AS {games};
CREATE OR REPLACE VIEW tabiya.shards AS SELECT shard, count(*) AS games, sum(plies) AS plies, sum(octet_length(moves::bytea)) AS move_bytes FROM tabiya.game GROUP BY shard;
COMMENT ON SCHEMA tabiya IS 'games stored by tabiya import, on several servers';
COMMENT ON TABLE tabiya.game IS '{comment}';
COMMENT ON VIEW tabiya.games IS 'the games in readable form: dates as text';
COMMENT ON VIEW tabiya.shards IS 'what each shard has; counted there';
-- The planner does not know how many games the shards have, and considers sorting here cheap. Shards sort by their
-- indexes.
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET enable_partitionwise_aggregate = on', current_database());
    EXECUTE format('ALTER DATABASE %I SET enable_sort = off', current_database());
END $$;
$sql$;
    part text := $sql$CREATE SERVER IF NOT EXISTS tabiya_shard_{n} FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS ({options}, extensions 'tabiya', async_capable 'true', fetch_size '1000', batch_size '500', fdw_tuple_cost '1');
CREATE USER MAPPING IF NOT EXISTS FOR CURRENT_USER SERVER tabiya_shard_{n} OPTIONS ({user});
CREATE FOREIGN TABLE IF NOT EXISTS tabiya.game_{n} PARTITION OF tabiya.game FOR VALUES IN ({n}) SERVER tabiya_shard_{n} OPTIONS (table_name 'game_of_shard', fetch_size '200');
$sql$;
    -- key=value, or key='value' with \' and \\ in it, as libpq has them
    option text := $r$(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'(?!\S)|([^'\s]\S*))$r$;
    options text; login text; all_parts text := '';
BEGIN
    -- the extension is where the coordinator has it, because calls are sent by the names that functions have there
    parts := jsonb_build_object('ext', ext, 'n_shards', cardinality(shards), 'extension', CASE ext WHEN 'public' THEN ''
        ELSE format(E'CREATE SCHEMA IF NOT EXISTS %s;\n', ext) END || format('CREATE EXTENSION IF NOT EXISTS tabiya SCHEMA %s;', ext));
    EXECUTE format('SELECT $1 || jsonb_build_object(''columns'', replace(%1$s.gamesSql(''define''::text), '' chessgame '', $2),
        ''games'', ''SELECT id, '' || %1$s.gamesSql(''show''::text) || '' FROM tabiya.game'', ''comment'', %1$s.gamesSql(''comment''::text))', ext)
        INTO parts USING parts, ' ' || ext || '.chessgame ';
    FOR i IN 1 .. cardinality(shards) LOOP
        SELECT string_agg(format('%s %L', m[1], value), ', ') FILTER (WHERE m[1] NOT IN ('user', 'password')),
                coalesce(string_agg(format('%s %L', m[1], value), ', ') FILTER (WHERE m[1] IN ('user', 'password')), format('user %L', remote_user))
            INTO options, login FROM regexp_matches(shards[i], option, 'g') AS m,
                LATERAL (SELECT coalesce(m[3], regexp_replace(m[2], $r$\\(.)$r$, $r$\1$r$, 'g')) AS value) AS v;
        IF options IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('shard %s has no options of a connection: %L', i, shards[i]),
                HINT = 'Write host=... port=... dbname=...';
        END IF;
        IF regexp_replace(shards[i], option, '', 'g') ~ '\S' THEN
            RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('shard %s: unexpected %L in the options of its connection',
                i, btrim(regexp_replace(shards[i], option, '', 'g'))), HINT = 'Write host=... port=... dbname=..., with single quotes around a value with spaces.';
        END IF;
        server := shards[i];
        parts := parts || jsonb_build_object('n', i, 'options', options, 'user', login);
        EXECUTE format('SELECT %1$s.tabiya_fill($1, $3), $4 || %1$s.tabiya_fill($2, $3)', ext) INTO sql, all_parts USING shard, part, parts, all_parts;
        RETURN NEXT;
    END LOOP;
    server := 'coordinator';
    EXECUTE format('SELECT %s.tabiya_fill($1, $2) || $3', ext) INTO sql USING root, parts, all_parts;
    RETURN NEXT;
END $function$;
COMMENT ON FUNCTION shardSql(text[], text) IS 'the statements for each shard and for the coordinator that distribute games over several servers';

-- ---- Queries --------------------------------------------------------------------------------------------------------

CREATE TYPE chessquery;
CREATE FUNCTION chessquery_in(cstring) RETURNS chessquery
    AS 'MODULE_PATHNAME', 'tabiya_chessquery_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessquery_in(cstring) IS 'reads a query, and checks it';
CREATE FUNCTION chessquery_out(chessquery) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_chessquery_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessquery_out(chessquery) IS 'writes a query in canonical form';
CREATE FUNCTION chessquery_recv(internal) RETURNS chessquery
    AS 'MODULE_PATHNAME', 'tabiya_chessquery_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessquery_recv(internal) IS 'reads a query from a client, and checks it';
CREATE FUNCTION chessquery_send(chessquery) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_chessquery_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessquery_send(chessquery) IS 'the text of a query';
CREATE TYPE chessquery (
    INPUT = chessquery_in, OUTPUT = chessquery_out, RECEIVE = chessquery_recv, SEND = chessquery_send, LIKE = text
);
COMMENT ON TYPE chessquery IS 'a query about games and positions in tabiya''s query language';
CREATE CAST (text AS chessquery) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS chessquery) IS 'reads a query';
CREATE CAST (varchar AS chessquery) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS chessquery) IS 'reads a query';

CREATE FUNCTION matches_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_matches_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION matches_support(internal) IS 'lets the planner use indexes for what a query needs';
CREATE FUNCTION chessgame_matches(chessgame, chessquery) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_matches' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessgame_matches(chessgame, chessquery) IS 'the part of matches that remains after an index was used';
CREATE FUNCTION matches(chessgame, chessquery) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_matches' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100 SUPPORT matches_support;
COMMENT ON FUNCTION matches(chessgame, chessquery) IS 'does the query hold at some half-move of the game?';
CREATE FUNCTION matchPly(chessgame, chessquery) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_match_ply' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION matchPly(chessgame, chessquery) IS 'the first half-move at which the query holds, NULL if there is none';
CREATE FUNCTION matchPlies(chessgame, chessquery) RETURNS integer[]
    AS 'MODULE_PATHNAME', 'tabiya_match_plies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION matchPlies(chessgame, chessquery) IS 'all half-moves at which the query holds';

CREATE FUNCTION nameWords(text) RETURNS text[]
    AS 'MODULE_PATHNAME', 'tabiya_name_words' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION nameWords(text) IS 'the words of a name, in lower case without accents';
CREATE FUNCTION sortKey(text) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_sort_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION sortKey(text) IS 'a key that sorts names and other texts as find --sort does; NULL if unknown';

-- ---- The extension --------------------------------------------------------------------------------------------------

CREATE FUNCTION tabiyaVersion() RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_version' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tabiyaVersion() IS 'the version of the library';
