-- tabiya--1.0.sql - the extension's objects. docs/postgres.md explains them.

\echo Use "CREATE EXTENSION tabiya" to load this file. \quit

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
    AS 'MODULE_PATHNAME', 'tabiya_game_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION chessopening_in(cstring) IS 'reads the text of a bound of an opening';
CREATE FUNCTION chessopening_out(chessopening) RETURNS cstring
    AS 'MODULE_PATHNAME', 'tabiya_game_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION chessopening_out(chessopening) IS 'writes the text of a bound of an opening';
CREATE FUNCTION chessopening_recv(internal) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_game_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessopening_recv(internal) IS 'reads the bytes of a bound of an opening, and checks them';
CREATE FUNCTION chessopening_send(chessopening) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_send(chessopening) IS 'the bytes of a bound of an opening';

CREATE FUNCTION chessgame_typanalyze(internal) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_typanalyze' LANGUAGE C STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_typanalyze(internal) IS 'gathers statistics of a column of games: common openings and positions';

-- Both share a category in which chessgame is preferred, so that a literal may stand for either where a function takes both.
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
COMMENT ON TYPE boardquery IS 'a board that is looked for in games, how it is compared, and up to which half-move';

CREATE TYPE chessopening (
    INPUT = chessopening_in, OUTPUT = chessopening_out, RECEIVE = chessopening_recv, SEND = chessopening_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = extended
);
COMMENT ON TYPE chessopening IS 'a bound of all games with an opening: what hasOpening is turned into for indexes';

-- ---- Casts ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION chessgame(bytea) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessgame(bytea) IS 'the game that packed bytes are, every move checked';
CREATE FUNCTION bytea(chessgame) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea(chessgame) IS 'the packed bytes of a game';
CREATE FUNCTION chessboard(bytea) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_board_of_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessboard(bytea) IS 'the board that packed bytes are, checked';
CREATE FUNCTION bytea(chessboard) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_value_bytes' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bytea(chessboard) IS 'the packed bytes of a board';
CREATE FUNCTION chessboard(chessgame) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_final_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION chessboard(chessgame) IS 'the final board of a game';
CREATE FUNCTION chessgame(chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_game_of_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION chessgame(chessboard) IS 'the game without moves from a board';

CREATE CAST (text AS chessgame) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (text AS chessgame) IS 'reads a game';
CREATE CAST (text AS chessboard) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (text AS chessboard) IS 'reads a board';
CREATE CAST (bytea AS chessgame) WITH FUNCTION chessgame(bytea);
COMMENT ON CAST (bytea AS chessgame) IS 'the game that packed bytes are';
CREATE CAST (chessgame AS bytea) WITH FUNCTION bytea(chessgame);
COMMENT ON CAST (chessgame AS bytea) IS 'the packed bytes of a game';
CREATE CAST (bytea AS chessboard) WITH FUNCTION chessboard(bytea);
COMMENT ON CAST (bytea AS chessboard) IS 'the board that packed bytes are';
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
COMMENT ON FUNCTION chessgame_ne(chessgame, chessgame) IS 'is the first other than the second?';
CREATE FUNCTION chessgame_ge(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_ge(chessgame, chessgame) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessgame_gt(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_gt(chessgame, chessgame) IS 'is the first after the second?';
CREATE FUNCTION chessgame_cmp(chessgame, chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_cmp(chessgame, chessgame) IS 'below 0, 0 or above 0 as the first stands before, with or after the second';
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
COMMENT ON OPERATOR <> (chessgame, chessgame) IS 'other than';
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
COMMENT ON FUNCTION chessboard_ne(chessboard, chessboard) IS 'is the first other than the second?';
CREATE FUNCTION chessboard_ge(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_ge(chessboard, chessboard) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessboard_gt(chessboard, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_gt(chessboard, chessboard) IS 'is the first after the second?';
CREATE FUNCTION chessboard_cmp(chessboard, chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessboard_cmp(chessboard, chessboard) IS 'below 0, 0 or above 0 as the first stands before, with or after the second';
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
COMMENT ON OPERATOR <> (chessboard, chessboard) IS 'other than';
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
    AS 'MODULE_PATHNAME', 'tabiya_everything_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_end_sel(internal, oid, internal, integer) IS 'all games: the lower bound has told';
CREATE FUNCTION chessopening_end_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_everything_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessopening_end_joinsel(internal, oid, internal, smallint, internal) IS 'all games: the lower bound has told';

CREATE FUNCTION openingFirst(chessgame) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION openingFirst(chessgame) IS 'the lower bound of all games with this opening';
CREATE FUNCTION openingLast(chessgame) RETURNS chessopening
    AS 'MODULE_PATHNAME', 'tabiya_opening_end' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
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
COMMENT ON FUNCTION chessgame_opening_ne(chessgame, chessopening) IS 'is the first other than the second?';
CREATE FUNCTION chessgame_opening_ge(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_ge(chessgame, chessopening) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessgame_opening_gt(chessgame, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_gt(chessgame, chessopening) IS 'is the first after the second?';
CREATE FUNCTION chessgame_opening_cmp(chessgame, chessopening) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessgame_opening_cmp(chessgame, chessopening) IS 'below 0, 0 or above 0 as the first stands before, with or after the second';

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
COMMENT ON OPERATOR <> (chessgame, chessopening) IS 'other than';
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
COMMENT ON FUNCTION chessopening_game_ne(chessopening, chessgame) IS 'is the first other than the second?';
CREATE FUNCTION chessopening_game_ge(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_ge(chessopening, chessgame) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessopening_game_gt(chessopening, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_gt(chessopening, chessgame) IS 'is the first after the second?';
CREATE FUNCTION chessopening_game_cmp(chessopening, chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_game_cmp(chessopening, chessgame) IS 'below 0, 0 or above 0 as the first stands before, with or after the second';

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
COMMENT ON OPERATOR <> (chessopening, chessgame) IS 'other than';
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
COMMENT ON FUNCTION chessopening_ne(chessopening, chessopening) IS 'is the first other than the second?';
CREATE FUNCTION chessopening_ge(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_ge(chessopening, chessopening) IS 'is the first the same as or after the second?';
CREATE FUNCTION chessopening_gt(chessopening, chessopening) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_gt(chessopening, chessopening) IS 'is the first after the second?';
CREATE FUNCTION chessopening_cmp(chessopening, chessopening) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION chessopening_cmp(chessopening, chessopening) IS 'below 0, 0 or above 0 as the first stands before, with or after the second';

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
COMMENT ON OPERATOR <> (chessopening, chessopening) IS 'other than';
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
    AS 'MODULE_PATHNAME', 'tabiya_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION within(chessboard) IS 'games that have this placement: the right side of @~';
CREATE FUNCTION within(chessboard, integer) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION within(chessboard, integer) IS 'games that have this placement, at this half-move at the latest';
CREATE FUNCTION withinPosition(chessboard) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION withinPosition(chessboard) IS 'games that have this position: the right side of @~';
CREATE FUNCTION withinPosition(chessboard, integer) RETURNS boardquery
    AS 'MODULE_PATHNAME', 'tabiya_within_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION withinPosition(chessboard, integer) IS 'games that have this position, at this half-move at the latest';
CREATE FUNCTION chessgame_reaches(chessgame, boardquery) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_reaches' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION chessgame_reaches(chessgame, boardquery) IS 'does the game have what is looked for?';
CREATE FUNCTION chessgame_reaches_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'tabiya_reaches_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_reaches_sel(internal, oid, internal, integer) IS 'estimates how many games have a board';
CREATE OPERATOR @~ (
    LEFTARG = chessgame, RIGHTARG = boardquery, FUNCTION = chessgame_reaches,
    RESTRICT = chessgame_reaches_sel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @~ (chessgame, boardquery) IS 'has the board';

CREATE FUNCTION hasBoard(chessgame, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 SUPPORT hasboard_support;
COMMENT ON FUNCTION hasBoard(chessgame, chessboard) IS 'does the placement stand in the game?';
CREATE FUNCTION hasBoard(chessgame, chessboard, integer) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 SUPPORT hasboard_support;
COMMENT ON FUNCTION hasBoard(chessgame, chessboard, integer) IS 'does the placement stand in the game, at this half-move at the latest?';
CREATE FUNCTION boardPly(chessgame, chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_board_ply' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION boardPly(chessgame, chessboard) IS 'the first half-move at which the placement stands in the game, or NULL';
CREATE FUNCTION hasPosition(chessgame, chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 SUPPORT hasposition_support;
COMMENT ON FUNCTION hasPosition(chessgame, chessboard) IS 'does the position stand in the game?';
CREATE FUNCTION hasPosition(chessgame, chessboard, integer) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_position' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 SUPPORT hasposition_support;
COMMENT ON FUNCTION hasPosition(chessgame, chessboard, integer) IS 'does the position stand in the game, at this half-move at the latest?';
CREATE FUNCTION positionPly(chessgame, chessboard) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_position_ply' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION positionPly(chessgame, chessboard) IS 'the first half-move at which the position stands in the game, or NULL';

-- ---- GIN index of placements ----------------------------------------------------------------------------------------

CREATE FUNCTION chessgame_gin_extract_value(chessgame, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_gin_extract_value' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION chessgame_gin_extract_value(chessgame, internal) IS 'the keys of a games placements';
CREATE FUNCTION chessgame_gin_extract_query(chessgame, internal, smallint, internal, internal, internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_gin_extract_query' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_extract_query(chessgame, internal, smallint, internal, internal, internal, internal) IS 'the key that is looked for';
CREATE FUNCTION chessgame_gin_consistent(internal, smallint, chessgame, integer, internal, internal, internal, internal) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_gin_consistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_consistent(internal, smallint, chessgame, integer, internal, internal, internal, internal) IS 'may a game with these keys match?';
CREATE FUNCTION chessgame_gin_triconsistent(internal, smallint, chessgame, integer, internal, internal, internal) RETURNS "char"
    AS 'MODULE_PATHNAME', 'tabiya_gin_triconsistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_triconsistent(internal, smallint, chessgame, integer, internal, internal, internal) IS 'may a game with these keys match?';
CREATE FUNCTION chessgame_gin_options(internal) RETURNS void
    AS 'MODULE_PATHNAME', 'tabiya_gin_options' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION chessgame_gin_options(internal) IS 'the options of the index';

-- Where GIN passes a query, its rules want the type of the column: it is a boardquery all the same.
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
CREATE FUNCTION getBoard(chessgame, integer) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_get_board' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getBoard(chessgame, integer) IS 'the board after so many half-moves, 0 for the start; NULL out of range';
CREATE FUNCTION getFirstMoves(chessgame, integer) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_get_first_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION getFirstMoves(chessgame, integer) IS 'the first half-moves, without a result unless they are the whole game';
CREATE FUNCTION undoLastMove(chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_undo_last_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION undoLastMove(chessgame) IS 'the game without its last half-move';
CREATE FUNCTION addMove(chessgame, text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_add_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION addMove(chessgame, text) IS 'the game with one half-move more, in SAN or UCI';
CREATE FUNCTION isValidMove(chessgame, text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_valid_move' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION isValidMove(chessgame, text) IS 'is this SAN or UCI move legal at the end of the game?';
CREATE FUNCTION plyCount(chessgame) RETURNS integer
    AS 'MODULE_PATHNAME', 'tabiya_ply_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION plyCount(chessgame) IS 'the number of half-moves';
CREATE FUNCTION hasOpening(chessgame, chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_has_opening' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT hasopening_support;
COMMENT ON FUNCTION hasOpening(chessgame, chessgame) IS 'does the first begin with the moves of the second?';
CREATE FUNCTION opening(chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_opening' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION opening(chessgame) IS 'the first of all games with this opening';
CREATE FUNCTION openingEnd(chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_opening_end' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
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
COMMENT ON FUNCTION isDrawByThreefoldRepetition(chessgame) IS 'does the final position stand for the third time?';
CREATE FUNCTION isDrawByFivefoldRepetition(chessgame) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_fivefold' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION isDrawByFivefoldRepetition(chessgame) IS 'does the final position stand for the fifth time?';
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
COMMENT ON FUNCTION isDeadPosition(chessgame) IS 'can no moves lead to mate? NULL: not found out';
CREATE FUNCTION isDeadPosition(chessboard) RETURNS boolean
    AS 'MODULE_PATHNAME', 'tabiya_is_dead' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION isDeadPosition(chessboard) IS 'can no moves lead to mate? NULL: not found out';
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
COMMENT ON FUNCTION fromFen(text) IS 'the board that is written as FEN';
CREATE FUNCTION toFenLegal(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toFenLegal(chessgame) IS 'the final board as FEN, en passant only if a capture is legal';
CREATE FUNCTION toFenLegal(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toFenLegal(chessboard) IS 'the board as FEN, en passant only if a capture is legal';
CREATE FUNCTION fromFenLegal(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_fen_legal' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromFenLegal(text) IS 'the board that is written as FEN, en passant only if a capture is legal';
CREATE FUNCTION toEpd(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toEpd(chessgame) IS 'the final board as EPD';
CREATE FUNCTION toEpd(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toEpd(chessboard) IS 'the board as EPD';
CREATE FUNCTION fromEpd(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_epd' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromEpd(text) IS 'the board that is written as EPD';
CREATE FUNCTION toBoardinfo(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toBoardinfo(chessgame) IS 'the final board as boardinfo';
CREATE FUNCTION toBoardinfo(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toBoardinfo(chessboard) IS 'the board as boardinfo';
CREATE FUNCTION fromBoardinfo(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBoardinfo(text) IS 'the board that is written as boardinfo';
CREATE FUNCTION toBase64(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toBase64(chessgame) IS 'the final board as base64';
CREATE FUNCTION toBase64(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toBase64(chessboard) IS 'the board as base64';
CREATE FUNCTION fromBase64(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_base64' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBase64(text) IS 'the board that is written as base64';
CREATE FUNCTION toBase64url(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toBase64url(chessgame) IS 'the final board as base64 with the URL-safe digits';
CREATE FUNCTION toBase64url(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toBase64url(chessboard) IS 'the board as base64 with the URL-safe digits';
CREATE FUNCTION fromBase64url(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_base64url' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromBase64url(text) IS 'the board that is written as base64 with the URL-safe digits';
CREATE FUNCTION toAscii(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toAscii(chessgame) IS 'the final board as a diagram of letters';
CREATE FUNCTION toAscii(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toAscii(chessboard) IS 'the board as a diagram of letters';
CREATE FUNCTION fromAscii(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_ascii' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromAscii(text) IS 'the board that is written as a diagram of letters';
CREATE FUNCTION toUnicode(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toUnicode(chessgame) IS 'the final board as a diagram of figurines';
CREATE FUNCTION toUnicode(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toUnicode(chessboard) IS 'the board as a diagram of figurines';
CREATE FUNCTION fromUnicode(text) RETURNS chessboard
    AS 'MODULE_PATHNAME', 'tabiya_from_unicode' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fromUnicode(text) IS 'the board that is written as a diagram of figurines';
CREATE FUNCTION toSvg(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_svg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION toSvg(chessgame) IS 'the final board as a picture';
CREATE FUNCTION toSvg(chessboard) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_svg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION toSvg(chessboard) IS 'the board as a picture';

-- ---- Notations of moves ---------------------------------------------------------------------------------------------

CREATE FUNCTION toSan(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION toSan(chessgame) IS 'the game as text: start, numbered moves in SAN, result';
CREATE FUNCTION fromSan(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromSan(text) IS 'the game of moves in SAN';
CREATE FUNCTION fromSan(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromSan(text, chessgame) IS 'the game of moves in SAN from the end of a game';
CREATE FUNCTION fromSan(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_san' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromSan(text, chessboard) IS 'the game of moves in SAN from a board';
CREATE FUNCTION toUci(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toUci(chessgame) IS 'the moves in UCI';
CREATE FUNCTION fromUci(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromUci(text) IS 'the game of moves in UCI';
CREATE FUNCTION fromUci(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromUci(text, chessgame) IS 'the game of moves in UCI from the end of a game';
CREATE FUNCTION fromUci(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_uci' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromUci(text, chessboard) IS 'the game of moves in UCI from a board';
CREATE FUNCTION toLan(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toLan(chessgame) IS 'the moves in long algebraic notation';
CREATE FUNCTION fromLan(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromLan(text) IS 'the game of moves in long algebraic notation';
CREATE FUNCTION fromLan(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromLan(text, chessgame) IS 'the game of moves in long algebraic notation from the end of a game';
CREATE FUNCTION fromLan(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_lan' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromLan(text, chessboard) IS 'the game of moves in long algebraic notation from a board';
CREATE FUNCTION toBoardinfoMoves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toBoardinfoMoves(chessgame) IS 'the moves in boardinfo moves';
CREATE FUNCTION fromBoardinfoMoves(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBoardinfoMoves(text) IS 'the game of moves in boardinfo moves';
CREATE FUNCTION fromBoardinfoMoves(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBoardinfoMoves(text, chessgame) IS 'the game of moves in boardinfo moves from the end of a game';
CREATE FUNCTION fromBoardinfoMoves(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_boardinfo_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBoardinfoMoves(text, chessboard) IS 'the game of moves in boardinfo moves from a board';
CREATE FUNCTION toBase64Moves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toBase64Moves(chessgame) IS 'the moves in base64 moves';
CREATE FUNCTION fromBase64Moves(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBase64Moves(text) IS 'the game of moves in base64 moves';
CREATE FUNCTION fromBase64Moves(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBase64Moves(text, chessgame) IS 'the game of moves in base64 moves from the end of a game';
CREATE FUNCTION fromBase64Moves(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_base64_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromBase64Moves(text, chessboard) IS 'the game of moves in base64 moves from a board';
CREATE FUNCTION toShort(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toShort(chessgame) IS 'the moves in the short moves of the tree';
CREATE FUNCTION fromShort(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromShort(text) IS 'the game of moves in the short moves of the tree';
CREATE FUNCTION fromShort(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromShort(text, chessgame) IS 'the game of moves in the short moves of the tree from the end of a game';
CREATE FUNCTION fromShort(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_short' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromShort(text, chessboard) IS 'the game of moves in the short moves of the tree from a board';
CREATE FUNCTION toCmbrMoves(chessgame) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION toCmbrMoves(chessgame) IS 'the moves in CMBR words';
CREATE FUNCTION fromCmbrMoves(text) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbrMoves(text) IS 'the game of moves in CMBR words';
CREATE FUNCTION fromCmbrMoves(text, chessgame) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbrMoves(text, chessgame) IS 'the game of moves in CMBR words from the end of a game';
CREATE FUNCTION fromCmbrMoves(text, chessboard) RETURNS chessgame
    AS 'MODULE_PATHNAME', 'tabiya_from_cmbr_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
COMMENT ON FUNCTION fromCmbrMoves(text, chessboard) IS 'the game of moves in CMBR words from a board';

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
COMMENT ON FUNCTION moves(chessgame) IS 'a row for every half-move, from 1, with the board after it';
CREATE FUNCTION positions(game chessgame) RETURNS TABLE (ply integer, board chessboard, fen text, position_key bigint, placement_key bigint)
    AS 'MODULE_PATHNAME', 'tabiya_positions' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 80;
COMMENT ON FUNCTION positions(chessgame) IS 'a row for every position, from ply 0';
CREATE FUNCTION legal_moves("position" chessgame) RETURNS TABLE (san text, uci text, board chessboard)
    AS 'MODULE_PATHNAME', 'tabiya_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 30;
COMMENT ON FUNCTION legal_moves(chessgame) IS 'a row for every legal move, in the order of the tree';
CREATE FUNCTION legal_moves("position" chessboard) RETURNS TABLE (san text, uci text, board chessboard)
    AS 'MODULE_PATHNAME', 'tabiya_legal_moves' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 30;
COMMENT ON FUNCTION legal_moves(chessboard) IS 'a row for every legal move, in the order of the tree';
CREATE FUNCTION parsePgn(pgn text) RETURNS TABLE (number integer, tags jsonb, game chessgame, result text, error text, annotated bytea)
    AS 'MODULE_PATHNAME', 'tabiya_parse_pgn' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 100;
COMMENT ON FUNCTION parsePgn(text) IS 'a row for every game of a PGN text, of bad ones too';

-- ---- What was played ------------------------------------------------------------------------------------------------

CREATE TYPE nextmove AS (
    san text, uci text, games bigint, reached bigint, white bigint, draws bigint, black bigint, unknown bigint
);
COMMENT ON TYPE nextmove IS 'a move from a position: games that played it, games that reach where it leads, results of the former';

CREATE FUNCTION nextmoves_add(internal, chessgame, chessboard) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION nextmoves_add(internal, chessgame, chessboard) IS 'counts a game';
CREATE FUNCTION nextmoves_combine(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_combine(internal, internal) IS 'adds up two counts';
CREATE FUNCTION nextmoves_serialize(internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_serialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_serialize(internal) IS 'a count as bytes';
CREATE FUNCTION nextmoves_deserialize(bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_deserialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_deserialize(bytea, internal) IS 'a count from bytes';
CREATE FUNCTION nextmoves_final(internal) RETURNS nextmove[]
    AS 'MODULE_PATHNAME', 'tabiya_next_moves_final' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION nextmoves_final(internal) IS 'the moves that were played, the most frequent first';
CREATE AGGREGATE nextMoves(chessgame, chessboard) (
    SFUNC = nextmoves_add, STYPE = internal, SSPACE = 16384, FINALFUNC = nextmoves_final,
    COMBINEFUNC = nextmoves_combine, SERIALFUNC = nextmoves_serialize, DESERIALFUNC = nextmoves_deserialize,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE nextMoves(chessgame, chessboard) IS 'the moves that games play in a position, with counts and results';

-- ---- The extension --------------------------------------------------------------------------------------------------

CREATE FUNCTION tabiyaVersion() RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_version' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION tabiyaVersion() IS 'the version of the library';
