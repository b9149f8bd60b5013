-- tabiya--2.0.sql - the extension's objects. docs/postgres.md explains them.

\echo Use "CREATE EXTENSION tabiya" to load this file. \quit

-- A half-move is a bigint: this accepts every integer type and an untyped parameter; two overloads would accept
-- neither.
--
-- A LEAKPROOF function raises no error that depends on the game and has no side effect, so it may run before the
-- conditions of row-level security and security barriers, where it can then use an index. No function whose errors
-- quote a move, a board or a text is LEAKPROOF.

-- ---- Families of functions ------------------------------------------------------------------------------------------

-- Most functions are declared alike. These procedures create them from lists, in a schema of their own, where nobody else
-- can create overloads, and are dropped at the end. It is not pg_temp, because Citus creates the extension on its workers
-- in a transaction of two phases, which must not use temporary objects. All names in them are qualified or in pg_catalog,
-- and arguments have their exact types, because users may create objects in the schema of the extension.

CREATE SCHEMA tabiya_script;

-- A line for each function, IMMUTABLE STRICT PARALLEL SAFE where its options do not say otherwise:
--
--     NAME(ARGUMENTS) RESULT | SYMBOL OPTIONS | COMMENT
--
-- The argument `position` is a game at its end, a board, or a text: three functions. The symbol `sql` is the same function
-- with the last argument, a text, read as a game: where a text could be a game or a board, it is a game, like a literal.
CREATE PROCEDURE tabiya_script.tabiya_define(list text) LANGUAGE plpgsql AS $procedure$
DECLARE
    line text;
    part text[];
    arguments text;
    is_sql boolean;
BEGIN
    FOREACH line IN ARRAY pg_catalog.string_to_array(pg_catalog.btrim(list, E'\n'), E'\n') LOOP
        part := pg_catalog.regexp_match(line, '^ *(\w+)\(([^()]*)\) ([^|]*?) *\| (\w+) ?([^|]*?) *\| (.*)$');
        IF part IS NULL THEN
            RAISE EXCEPTION USING MESSAGE = pg_catalog.format('not a function: %s', line);
        END IF;
        FOREACH arguments IN ARRAY CASE part[2] WHEN 'position' THEN ARRAY['chessgame', 'chessboard', 'text'] ELSE ARRAY[part[2]] END LOOP
            is_sql := part[4] = 'sql' OR part[2] = 'position' AND arguments = 'text';
            EXECUTE pg_catalog.format('CREATE FUNCTION %s(%s) RETURNS %s LANGUAGE %s %s %s %s %s %s',
                part[1], arguments, part[3], CASE WHEN is_sql THEN 'sql' ELSE 'C' END, CASE WHEN part[5] !~ 'STABLE|VOLATILE' THEN 'IMMUTABLE' END,
                CASE WHEN part[5] !~ 'CALLED' THEN 'STRICT' END, CASE WHEN part[5] !~ 'PARALLEL' THEN 'PARALLEL SAFE' END, part[5],
                CASE WHEN NOT is_sql THEN pg_catalog.format('AS ''MODULE_PATHNAME'', %L', part[4])
                    ELSE pg_catalog.format('RETURN %s(%s::chessgame)', part[1], CASE arguments WHEN 'text' THEN '$1' ELSE '$1, $2' END) END);
            EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s(%s) IS %L', part[1], arguments, part[6]);
        END LOOP;
    END LOOP;
END $procedure$;

-- The functions PREFIX_lt and so on, and the operators of two types. Bounds of openings have estimates of their own:
-- `first_sign` compares games with the lower one, `end_sign` with the upper one.
CREATE PROCEDURE tabiya_script.tabiya_compare(prefix text, left_type text, right_type text, first_sign text, end_sign text) LANGUAGE plpgsql AS $procedure$
DECLARE
    suffix text; sign text; commutator text; negator text; estimate text; words text;
BEGIN
    FOR suffix, sign, commutator, negator, estimate, words IN VALUES
        ('lt', '<', '>', '>=', 'scalarlt', 'before'), ('le', '<=', '>=', '>', 'scalarle', 'before or the same as'),
        ('eq', '=', '=', '<>', 'eq', 'the same as'), ('ne', '<>', '<>', '=', 'neq', 'different from'),
        ('ge', '>=', '<=', '<', 'scalarge', 'the same as or after'), ('gt', '>', '<', '<=', 'scalargt', 'after') LOOP
        CALL tabiya_script.tabiya_define(pg_catalog.format('%1$s_%2$s(%3$s, %4$s) boolean | tabiya_%2$s LEAKPROOF | is the first %5$s the second?',
            prefix, suffix, left_type, right_type, words));
        EXECUTE pg_catalog.format('CREATE OPERATOR %s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %s_%s, COMMUTATOR = %s, NEGATOR = %s, RESTRICT = %8$ssel, JOIN = %8$sjoinsel%9$s)',
            sign, left_type, right_type, prefix, suffix, commutator, negator,
            CASE sign WHEN first_sign THEN 'chessopening_' WHEN end_sign THEN 'chessopening_end_' ELSE estimate END,
            CASE WHEN sign <> '=' THEN '' WHEN prefix IN ('chessgame', 'chessboard') THEN ', HASHES, MERGES' ELSE ', MERGES' END);
        EXECUTE pg_catalog.format('COMMENT ON OPERATOR %s (%s, %s) IS %L', sign, left_type, right_type, words);
    END LOOP;
    CALL tabiya_script.tabiya_define(pg_catalog.format('%s_cmp(%s, %s) integer | tabiya_cmp LEAKPROOF | negative, 0 or positive as the first sorts before, equal to or after the second',
        prefix, left_type, right_type));
END $procedure$;

-- ---- Types ----------------------------------------------------------------------------------------------------------

CREATE TYPE chessgame;
CREATE TYPE chessboard;
CREATE TYPE boardquery;
CREATE TYPE chessopening;

CALL tabiya_script.tabiya_define($$
    chessgame_in(cstring) chessgame          | tabiya_game_in COST 500      | reads the text of a chessgame
    chessgame_out(chessgame) cstring         | tabiya_game_out COST 300     | writes the text of a chessgame
    chessgame_recv(internal) chessgame       | tabiya_game_recv COST 100    | reads the bytes of a chessgame, and checks them
    chessgame_send(chessgame) bytea          | tabiya_value_bytes           | the bytes of a chessgame
    chessboard_in(cstring) chessboard        | tabiya_board_in COST 20      | reads the text of a chessboard
    chessboard_out(chessboard) cstring       | tabiya_board_out COST 20     | writes the text of a chessboard
    chessboard_recv(internal) chessboard     | tabiya_board_recv COST 20    | reads the bytes of a chessboard, and checks them
    chessboard_send(chessboard) bytea        | tabiya_value_bytes           | the bytes of a chessboard
    boardquery_in(cstring) boardquery        | tabiya_query_in COST 20      | reads the text of a boardquery
    boardquery_out(boardquery) cstring       | tabiya_query_out COST 20     | writes the text of a boardquery
    boardquery_recv(internal) boardquery     | tabiya_query_recv COST 20    | reads the bytes of a boardquery, and checks them
    boardquery_send(boardquery) bytea        | tabiya_value_bytes           | the bytes of a boardquery
    chessopening_in(cstring) chessopening    | tabiya_opening_in COST 500   | reads the text of a bound of an opening
    chessopening_out(chessopening) cstring   | tabiya_game_out COST 300     | writes the text of a bound of an opening
    chessopening_recv(internal) chessopening | tabiya_opening_recv COST 100 | reads the bytes of a bound of an opening, and checks them
    chessopening_send(chessopening) bytea    | tabiya_value_bytes           | the bytes of a bound of an opening
$$::text);

CALL tabiya_script.tabiya_define($$
    chessgame_typanalyze(internal) boolean | tabiya_typanalyze VOLATILE | gathers statistics of a column of games: common openings and positions
$$::text);

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

CALL tabiya_script.tabiya_define($$
    chessgame(bytea) chessgame       | tabiya_game_of_bytes COST 100  | a game from packed bytes; every move is checked
    bytea(chessgame) bytea           | tabiya_value_bytes             | the packed bytes of a game
    chessboard(bytea) chessboard     | tabiya_board_of_bytes COST 20  | a board from packed bytes, which are checked
    bytea(chessboard) bytea          | tabiya_value_bytes             | the packed bytes of a board
    chessboard(chessgame) chessboard | tabiya_get_final_board COST 50 | the final board of a game
    chessgame(chessboard) chessgame  | tabiya_game_of_board COST 20   | the game without moves from a board
$$::text);

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

CALL tabiya_script.tabiya_compare('chessgame'::text, 'chessgame'::text, 'chessgame'::text, ''::text, ''::text);
CALL tabiya_script.tabiya_compare('chessboard'::text, 'chessboard'::text, 'chessboard'::text, ''::text, ''::text);
CALL tabiya_script.tabiya_define($$
    chessgame_sortsupport(internal) void                  | tabiya_sortsupport             | sorts faster
    chessgame_hash(chessgame) integer                     | tabiya_hash LEAKPROOF          | hash
    chessgame_hash_extended(chessgame, bigint) bigint     | tabiya_hash_extended LEAKPROOF | seeded hash of 64 bits
    chessgame_smaller(chessgame, chessgame) chessgame     | tabiya_smaller LEAKPROOF       | the first of the two in the order of chessgames
    chessgame_larger(chessgame, chessgame) chessgame      | tabiya_larger LEAKPROOF        | the last of the two in the order of chessgames
    chessboard_sortsupport(internal) void                 | tabiya_sortsupport             | sorts faster
    chessboard_hash(chessboard) integer                   | tabiya_hash LEAKPROOF          | hash
    chessboard_hash_extended(chessboard, bigint) bigint   | tabiya_hash_extended LEAKPROOF | seeded hash of 64 bits
    chessboard_smaller(chessboard, chessboard) chessboard | tabiya_smaller LEAKPROOF       | the first of the two in the order of chessboards
    chessboard_larger(chessboard, chessboard) chessboard  | tabiya_larger LEAKPROOF        | the last of the two in the order of chessboards
$$::text);

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

CREATE AGGREGATE min(chessgame) (
    SFUNC = chessgame_smaller, STYPE = chessgame, COMBINEFUNC = chessgame_smaller, SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(chessgame) IS 'the first game in their order';
CREATE AGGREGATE max(chessgame) (
    SFUNC = chessgame_larger, STYPE = chessgame, COMBINEFUNC = chessgame_larger, SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(chessgame) IS 'the last game in their order';
CREATE AGGREGATE min(chessboard) (
    SFUNC = chessboard_smaller, STYPE = chessboard, COMBINEFUNC = chessboard_smaller, SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(chessboard) IS 'the first board in their order';
CREATE AGGREGATE max(chessboard) (
    SFUNC = chessboard_larger, STYPE = chessboard, COMBINEFUNC = chessboard_larger, SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(chessboard) IS 'the last board in their order';

-- ---- Games and the bounds of openings -------------------------------------------------------------------------------

-- The same order, with estimates of its own: game >= first AND game < end is one opening, not two conditions.

CALL tabiya_script.tabiya_define($$
    chessopening_sel(internal, oid, internal, integer) double precision | tabiya_opening_sel STABLE | estimates how many games have an opening, of its lower bound
    chessopening_joinsel(internal, oid, internal, smallint, internal) double precision | tabiya_opening_join_sel STABLE | estimates how many games have an opening that is not known yet
    chessopening_end_sel(internal, oid, internal, integer) double precision | tabiya_opening_end_sel STABLE | estimates how many games are before a bound of an opening
    chessopening_end_joinsel(internal, oid, internal, smallint, internal) double precision | tabiya_everything_sel STABLE | all games: the lower bound decides
$$::text);

CALL tabiya_script.tabiya_define($$
    openingFirst(chessgame) chessopening | tabiya_opening LEAKPROOF     | the lower bound of all games with this opening
    openingLast(chessgame) chessopening  | tabiya_opening_end LEAKPROOF | the bound after all games with this opening
$$::text);

CALL tabiya_script.tabiya_compare('chessgame_opening'::text, 'chessgame'::text, 'chessopening'::text, '>='::text, '<'::text);
CALL tabiya_script.tabiya_compare('chessopening_game'::text, 'chessopening'::text, 'chessgame'::text, '<='::text, '>'::text);
CALL tabiya_script.tabiya_compare('chessopening'::text, 'chessopening'::text, 'chessopening'::text, ''::text, ''::text);

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

CALL tabiya_script.tabiya_define($$
    tabiya_hasopening_support(internal) internal  | tabiya_has_opening_support  | turns hasOpening into a range of a B-tree, and estimates it
    tabiya_hasboard_support(internal) internal    | tabiya_has_board_support    | turns hasBoard into the operator @~
    tabiya_hasposition_support(internal) internal | tabiya_has_position_support | turns hasPosition into the operator @~
$$::text);

-- ---- Boards in games ------------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    within(chessboard) boardquery                    | tabiya_within LEAKPROOF          | games that have this placement: the right side of @~
    within(chessboard, bigint) boardquery            | tabiya_within LEAKPROOF          | the 64 squares of a board, to search for up to a half-move
    withinPosition(chessboard) boardquery            | tabiya_within_position LEAKPROOF | games that have this position: the right side of @~
    withinPosition(chessboard, bigint) boardquery    | tabiya_within_position LEAKPROOF | the position of a board, to search for up to a half-move
    withinMoves(chessboard) boardquery               | tabiya_within_moves LEAKPROOF    | games that have this position, or one that a legal move there leads to: all that nextMoves counts
    chessgame_reaches(chessgame, boardquery) boolean | tabiya_reaches LEAKPROOF COST 10 | does the game reach the board?
    chessgame_reaches_sel(internal, oid, internal, integer) double precision | tabiya_reaches_sel STABLE | estimates how many games have a board
$$::text);
CREATE OPERATOR @~ (
    LEFTARG = chessgame, RIGHTARG = boardquery, FUNCTION = chessgame_reaches,
    RESTRICT = chessgame_reaches_sel, JOIN = contjoinsel
);
COMMENT ON OPERATOR @~ (chessgame, boardquery) IS 'has the board';

CALL tabiya_script.tabiya_define($$
    hasBoard(chessgame, chessboard) boolean            | tabiya_has_board LEAKPROOF COST 10 SUPPORT tabiya_hasboard_support | does the game reach this placement of pieces?
    hasBoard(chessgame, chessboard, bigint) boolean    | tabiya_has_board LEAKPROOF COST 10 SUPPORT tabiya_hasboard_support | does the game reach the 64 squares of the board, up to a half-move?
    boardPly(chessgame, chessboard) integer            | tabiya_board_ply COST 10                                    | the first half-move at which the game reaches this placement of pieces, or NULL
    hasPosition(chessgame, chessboard) boolean         | tabiya_has_position LEAKPROOF COST 10 SUPPORT tabiya_hasposition_support | does the game reach this position?
    hasPosition(chessgame, chessboard, bigint) boolean | tabiya_has_position LEAKPROOF COST 10 SUPPORT tabiya_hasposition_support | does the game reach the position of the board, up to a half-move?
    positionPly(chessgame, chessboard) integer         | tabiya_position_ply COST 10                                 | the first half-move at which the game reaches this position, or NULL
$$::text);

-- ---- GIN index of placements ----------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    chessgame_gin_extract_value(chessgame, internal) internal | tabiya_gin_extract_value COST 100 | the keys of the placements of a game
    chessgame_gin_extract_query(chessgame, internal, smallint, internal, internal, internal, internal) internal | tabiya_gin_extract_query          | the key to search for
    chessgame_gin_consistent(internal, smallint, chessgame, integer, internal, internal, internal, internal) boolean | tabiya_gin_consistent             | may a game with these keys match?
    chessgame_gin_triconsistent(internal, smallint, chessgame, integer, internal, internal, internal) "char" | tabiya_gin_triconsistent | may a game with these keys match?
    chessgame_gin_options(internal) void | tabiya_gin_options | the options of the index
$$::text);

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
CALL tabiya_script.tabiya_define($$
    buildIndex(statement text) void | tabiya_build_index VOLATILE PARALLEL UNSAFE | runs CREATE INDEX ... USING gin (game) several times as fast: the index is the same
$$::text);

-- ---- Games ----------------------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    chessgameError(text) text                  | tabiya_game_error COST 500     | why the text is not a game, or NULL
    legalPrefix(text) chessgame                | tabiya_legal_prefix COST 500   | the game up to its first fault
    getBoard(chessgame) chessboard             | tabiya_get_final_board COST 50 | the final board
    getBoard(chessgame, bigint) chessboard     | tabiya_get_board COST 50       | the board after n half-moves, 0 for the start; NULL out of range
    getFirstMoves(chessgame, bigint) chessgame | tabiya_get_first_moves COST 50 | the first n half-moves, without a result
    undoLastMove(chessgame) chessgame          | tabiya_undo_last_move COST 50  | the game without its last half-move
    addMove(chessgame, text) chessgame         | tabiya_add_move COST 100       | the game with one more half-move, in SAN or UCI
    isValidMove(chessgame, text) boolean       | tabiya_is_valid_move COST 50   | is this SAN or UCI move legal at the end of the game?
    plyCount(chessgame) integer                | tabiya_ply_count COST 50       | the number of half-moves
$$::text);
-- A call is declared more expensive than the two comparisons that replace it for a known opening, so that a prepared
-- statement is still planned for the actual opening.
CALL tabiya_script.tabiya_define($$
    hasOpening(chessgame, chessgame) boolean | tabiya_has_opening LEAKPROOF COST 3 SUPPORT tabiya_hasopening_support | does the first begin with the moves of the second?
    opening(chessgame) chessgame             | tabiya_opening | the first of all games with this opening
$$::text);
-- The upper bound of an opening is not a game: only chessopening reads it.
CALL tabiya_script.tabiya_define($$
    openingEnd(chessgame) chessopening             | tabiya_opening_end LEAKPROOF     | the bound after all games with this opening
    getOpeningMoves(chessgame) chessgame           | tabiya_get_opening_moves COST 50 | the half-moves up to the last position with a name, or NULL
    getOpeningName(chessgame) text                 | tabiya_get_opening_name COST 50  | the name of the opening, or NULL
    getEco(chessgame) text                         | tabiya_get_eco COST 50           | the ECO code of the opening, or NULL
    isDrawByThreefoldRepetition(chessgame) boolean | tabiya_is_threefold COST 100     | does the final position occur for the third time?
    isDrawByFivefoldRepetition(chessgame) boolean  | tabiya_is_fivefold COST 100      | does the final position occur for the fifth time?
    getGameResult(chessgame) text                  | tabiya_get_game_result COST 500  | the recorded result; if there is none, what the rules say; else *
    getTermination(chessgame) text                 | tabiya_get_termination COST 5000 | why the rules end the game: checkmate, stalemate, dead position, 75, fivefold, fifty, threefold, or NULL
$$::text);

-- ---- Positions: a board, or the final board of a game ---------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    isCheck(position) boolean                     | tabiya_is_check COST 50             | is the side to move in check?
    isCheckmate(position) boolean                 | tabiya_is_checkmate COST 50         | is the side to move checkmated?
    isStalemate(position) boolean                 | tabiya_is_stalemate COST 50         | is the side to move stalemated?
    isInsufficientMaterial(position) boolean      | tabiya_is_insufficient COST 50      | can neither side mate, by material alone?
    isDeadPosition(position) boolean              | tabiya_is_dead COST 5000            | can no moves lead to mate? NULL: unknown
    isDrawByFiftyMoveRule(position) boolean       | tabiya_is_fifty COST 50             | 100 half-moves without capture or pawn move?
    isDrawBySeventyFiveMoveRule(position) boolean | tabiya_is_seventy_five COST 50      | 150 half-moves without capture or pawn move?
    getLegalMoves(position) text                  | tabiya_get_legal_moves COST 100     | the legal moves in SAN, in the order of the tree
    getLegalMovesUci(position) text               | tabiya_get_legal_moves_uci COST 100 | the legal moves in UCI, in the order of the tree
    countLegalMoves(position) integer             | tabiya_count_legal_moves COST 50    | how many moves are legal
$$::text);

-- ---- Boards ---------------------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    isLegalPosition(chessboard) boolean           | tabiya_is_legal_position COST 5      | can a game lead to this board?
    positionErrors(chessboard) text               | tabiya_position_errors COST 5        | the names of all reasons why no game can lead to this board
    getPieceSquareValue(chessboard, text) integer | tabiya_get_piece_square_value COST 5 | the sum of the positional values of a piece letter, or that of the piece on a square
    placementKey(chessboard) bigint               | tabiya_placement_key COST 5          | the key of the 64 squares
    positionKey(chessboard) bigint                | tabiya_position_key COST 5           | the key of the position
    polyglotKey(chessboard) bigint                | tabiya_polyglot_key COST 5           | the key of Polyglot opening books
    samePlacement(chessboard, chessboard) boolean | tabiya_same_placement COST 5         | the same 64 squares?
    samePosition(chessboard, chessboard) boolean  | tabiya_same_position COST 5          | the same position for the rules?
$$::text);

-- ---- Notations of positions and moves -------------------------------------------------------------------------------

-- Text is standard chess unless marked otherwise: by an argument, a Variant tag, or file letters as castling rights.
DO $do$
DECLARE
    name text; words text; symbol text;
BEGIN
    FOR name, words IN VALUES
        ('Fen', 'FEN'), ('FenLegal', 'FEN, en passant only if a capture is legal'), ('Epd', 'EPD'), ('Boardinfo', 'boardinfo'),
        ('Base64', 'base64'), ('Base64url', 'base64 with the URL-safe digits'), ('Ascii', 'a diagram of letters'),
        ('Unicode', 'a diagram of figurines'), ('Svg', 'an SVG image') LOOP
        symbol := pg_catalog.lower(pg_catalog.regexp_replace(name, '([a-z])([A-Z])', '\1_\2'));
        CALL tabiya_script.tabiya_define(pg_catalog.format($list$
    to%1$s(chessgame) text  | tabiya_to_%2$s COST 50 | the final board as %3$s
    to%1$s(chessboard) text | tabiya_to_%2$s COST 20 | the board as %3$s
    to%1$s(text) text       | sql COST 50            | the final board of a game, or a bare FEN, in another notation
$list$, name, symbol, words));
        CONTINUE WHEN name = 'Svg';
        CALL tabiya_script.tabiya_define(pg_catalog.format($list$
    from%1$s(text) chessboard                   | tabiya_from_%2$s COST 20 | reads a board from %3$s
    from%1$s(text, chess960 boolean) chessboard | tabiya_from_%2$s COST 20 | reads a board, of Chess960 if the second argument is true: KQkq then mean the outermost rooks
$list$, name, symbol, words));
    END LOOP;
END $do$;

-- fromSan without a start is the inverse of toSan, from any start.
CALL tabiya_script.tabiya_define($$
    toSan(chessgame) text   | tabiya_to_san COST 300       | the game as text: start, numbered moves in SAN, result
    fromSan(text) chessgame | tabiya_game_of_text COST 300 | a game from moves in SAN
$$::text);
DO $do$
DECLARE
    name text; words text; symbol text;
BEGIN
    FOR name, words IN VALUES
        ('San', 'SAN'), ('Uci', 'UCI'), ('Lan', 'long algebraic notation'), ('BoardinfoMoves', 'boardinfo moves'), ('Base64Moves', 'base64 moves'),
        ('Short', 'the short moves of the tree'), ('Iccf', 'the digits of correspondence chess'), ('CmbrMoves', 'CMBR words') LOOP
        symbol := pg_catalog.lower(pg_catalog.regexp_replace(name, '([a-z0-9])(Moves)', '\1_\2'));
        CALL tabiya_script.tabiya_define(pg_catalog.format($list$
    from%1$s(text, chessgame) chessgame  | tabiya_from_%2$s COST 300 | a game from moves in %3$s that continue a game
    from%1$s(text, chessboard) chessgame | tabiya_from_%2$s COST 300 | a game from moves in %3$s that start from a board
    from%1$s(text, text) chessgame       | sql COST 300              | a game from moves in %3$s that continue a game or start from a bare FEN
$list$, name, symbol, words));
        CONTINUE WHEN name = 'San';
        CALL tabiya_script.tabiya_define(pg_catalog.format($list$
    to%1$s(chessgame) text   | tabiya_to_%2$s COST 200   | the moves in %3$s
    from%1$s(text) chessgame | tabiya_from_%2$s COST 300 | a game from moves in %3$s
$list$, name, symbol, words));
    END LOOP;
END $do$;

-- ---- Notations of games ---------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    toPgn(chessgame) text | tabiya_to_pgn COST 500 | the game as PGN without tags
$$::text);
CREATE FUNCTION toPgn(chessgame, tags jsonb, annotated bytea DEFAULT NULL) RETURNS text
    AS 'MODULE_PATHNAME', 'tabiya_to_pgn_with_tags' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION toPgn(chessgame, jsonb, bytea) IS 'the game as PGN with tags, and with the notes and variations that parsePgn found';
CALL tabiya_script.tabiya_define($$
    toJson(chessgame) text    | tabiya_to_json COST 500      | the game as a line of JSON
    toCmbr(chessgame) bytea   | tabiya_to_cmbr COST 300      | the game as a CMBR record
    fromPgn(text) chessgame   | tabiya_game_of_text COST 500 | the main line of a game in PGN
    fromJson(text) chessgame  | tabiya_from_json COST 500    | the main line of a game in JSON
    fromCmbr(bytea) chessgame | tabiya_from_cmbr COST 300    | the main line of a CMBR record
$$::text);

-- ---- Rows -----------------------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    moves(game chessgame) TABLE (ply integer, san text, uci text, board chessboard) | tabiya_moves COST 500 ROWS 80 | one row per half-move, from 1, with the board after it
    positions(game chessgame) TABLE (ply integer, board chessboard, fen text, position_key bigint, placement_key bigint) | tabiya_positions COST 500 ROWS 80 | one row per position, from ply 0
    legal_moves("position" chessgame) TABLE (san text, uci text, board chessboard) | tabiya_legal_moves COST 500 ROWS 30 | one row per legal move, in the order of the tree
    legal_moves("position" chessboard) TABLE (san text, uci text, board chessboard) | tabiya_legal_moves COST 500 ROWS 30 | one row per legal move, in the order of the tree
$$::text);
CREATE FUNCTION legal_moves("position" text) RETURNS TABLE (san text, uci text, board chessboard)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 30
    BEGIN ATOMIC SELECT m.san, m.uci, m.board FROM legal_moves($1::chessgame) AS m; END;
COMMENT ON FUNCTION legal_moves(text) IS 'one row per legal move, in the order of the tree';
CALL tabiya_script.tabiya_define($$
    parsePgn(pgn text) TABLE (number integer, tags jsonb, game chessgame, result text, error text, annotated bytea) | tabiya_parse_pgn COST 500 ROWS 100 | one row per game of a PGN text, including bad ones
$$::text);

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
CALL tabiya_script.tabiya_define($$
    nextmovestate_in(cstring) nextmovestate    | tabiya_next_moves_state_in   | reads the digits of a count of moves, and checks them
    nextmovestate_out(nextmovestate) cstring   | tabiya_next_moves_state_out  | writes a count of moves as hexadecimal digits
    nextmovestate_recv(internal) nextmovestate | tabiya_next_moves_state_recv | reads the bytes of a count of moves, and checks them
    nextmovestate_send(nextmovestate) bytea    | tabiya_next_moves_state_send | the bytes of a count of moves
$$::text);
CREATE TYPE nextmovestate (
    INPUT = nextmovestate_in, OUTPUT = nextmovestate_out, RECEIVE = nextmovestate_recv, SEND = nextmovestate_send,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = double, STORAGE = plain
);
COMMENT ON TYPE nextmovestate IS 'what nextMoves has counted so far';

CALL tabiya_script.tabiya_define($$
    tabiya_nextmoves_add(nextmovestate, chessgame, chessboard) nextmovestate | tabiya_next_moves_add COST 100 CALLED ON NULL INPUT | counts a game
    tabiya_nextmoves_combine(nextmovestate, nextmovestate) nextmovestate | tabiya_next_moves_combine CALLED ON NULL INPUT | adds up two counts
    tabiya_nextmoves_list(nextmovestate) nextmovelist | tabiya_next_moves_final CALLED ON NULL INPUT | the moves that were played, the most frequent first
$$::text);
CREATE AGGREGATE nextMoves(chessgame, chessboard) (
    SFUNC = tabiya_nextmoves_add, STYPE = nextmovestate, SSPACE = 16384, FINALFUNC = tabiya_nextmoves_list, COMBINEFUNC = tabiya_nextmoves_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE nextMoves(chessgame, chessboard) IS 'the moves that games play in a position, with counts and results';

CALL tabiya_script.tabiya_define($$
    tabiya_nextmoves_merge(nextmovestate, nextmove[], chessboard) nextmovestate | tabiya_next_moves_merge COST 100 CALLED ON NULL INPUT | adds counts that nextMoves has made elsewhere
$$::text);
CREATE AGGREGATE mergeMoves(nextmove[], chessboard) (
    SFUNC = tabiya_nextmoves_merge, STYPE = nextmovestate, SSPACE = 16384, FINALFUNC = tabiya_nextmoves_list, COMBINEFUNC = tabiya_nextmoves_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE mergeMoves(nextmove[], chessboard) IS 'adds up results of nextMoves for one board, from several tables or machines';

-- ---- Other names ----------------------------------------------------------------------------------------------------

-- Aliases, names that users try first: bindings/sql/functions.c has the list.
CREATE FUNCTION tabiya_other_names() RETURNS TABLE (name text, of text)
    AS 'MODULE_PATHNAME', 'tabiya_other_names' LANGUAGE C IMMUTABLE;
DO $do$
DECLARE
    other record;
    function oid;
    definition text;
BEGIN
    FOR other IN SELECT * FROM tabiya_other_names() LOOP
        FOR function IN SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
            WHERE d.deptype = 'e' AND d.refobjid = (SELECT e.oid FROM pg_catalog.pg_extension e WHERE e.extname = 'tabiya')
                AND p.proname = pg_catalog.lower(other.of)::pg_catalog.name LOOP
            definition := pg_catalog.pg_get_functiondef(function);
            EXECUTE pg_catalog.format('CREATE FUNCTION %s(%s) RETURNS %s %s', other.name, pg_catalog.pg_get_function_arguments(function),
                pg_catalog.pg_get_function_result(function), pg_catalog.substr(definition, pg_catalog.strpos(definition, E'\n LANGUAGE ')));
            EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s(%s) IS %L', other.name, pg_catalog.pg_get_function_identity_arguments(function),
                pg_catalog.format('the same as %s', other.of));
        END LOOP;
    END LOOP;
END $do$;
DROP FUNCTION tabiya_other_names();

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

-- ---- Moves that were played ------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    playedMove(chessgame, chessboard) text | tabiya_played_move COST 20 | the move in UCI that a game plays in a position, the first time it reaches it; empty if it ends there
    playedMoves(game chessgame) TABLE (position_key bigint, board chessboard, uci text, is_white boolean, result smallint) | tabiya_played_moves COST 500 ROWS 80 | one row per distinct position of a game, with the move played there; result: 0 unknown, 1 White, 2 Black, 3 a draw
    playedMoves(game chessgame, positions bigint[]) TABLE (position_key bigint, uci text, is_white boolean, result smallint) | tabiya_played_among COST 500 ROWS 20 | the rows of playedMoves(game) for these positions, without boards
    chessgame_result(chessgame) smallint | tabiya_game_result_code | the recorded result: 0 none, 1 White won, 2 Black won, 3 a draw
    tabiya_frequent_positions(query text, n_games bigint, min_games integer) TABLE (position_key bigint, board chessboard, games bigint) | tabiya_frequent_positions STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000 | the positions that at least min_games of the n_games games of a query reach in their first 40 half-moves
$$::text);
CREATE FUNCTION tabiya_count_moves(query text, positions bigint[]) RETURNS TABLE (position_key bigint, uci text, class integer, year integer,
        white integer, draws integer, black integer, unknown integer, n_elo integer, elo_sum bigint, last_date integer, result integer, pool smallint)
    AS 'MODULE_PATHNAME', 'tabiya_count_moves' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 100000;
COMMENT ON FUNCTION tabiya_count_moves(text, bigint[]) IS 'what the games of a query play in these positions; rows of one move add up. Columns of the query: game, class, year, ratings of White and Black, date, pool';
CALL tabiya_script.tabiya_define($$
    tabiya_wait_for_writers(regclass) void | tabiya_wait_for_writers VOLATILE PARALLEL UNSAFE | waits for all transactions that have changed rows of a table; meanwhile others can change rows
$$::text);

-- ---- Move statistics ------------------------------------------------------------------------------------------------

-- All of this section is also in the script that updates version 1.1 (make-upgrade.sh).

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

-- A pool of games: 10 times the speed (0 unknown, 1 bullet, 2 blitz, 3 rapid, 4 classical, 5 correspondence, 6 ultrabullet,
-- which the tags tell from bullet) plus the group of the mean of both ratings (0 unknown, 1 below 1000, then from 1000,
-- 1200, 1400, 1600, 1800, 2000, 2200 and 2500 on).
CREATE FUNCTION tabiya_pool(white_elo integer, black_elo integer, speed text, tags json) RETURNS smallint
    AS 'MODULE_PATHNAME', 'tabiya_pool' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 2;
COMMENT ON FUNCTION tabiya_pool(integer, integer, text, json) IS 'the pool of a game: 10 times its speed plus the group of the mean of its ratings';

-- createMoveStats creates tables and functions for one table of games. Rows of NAME_played are added up, never changed:
-- a deleted game adds rows with negative counts. last_date is exact unless games of that date were deleted. NAME_totals
-- has sums of the rows that are folded: few rows then cover all games, a class or a year. Rows added since then are
-- included when the counts are read, so writers do not touch the sums.
--
-- The trigger writes as the owner of the table of games, so that users who change games need no rights on the counts, and
-- only for its own table. The statistics belong to that owner too, whoever creates them. Every name in these functions is
-- in pg_catalog or qualified with its schema, and arguments of the extension's functions have their exact types: no
-- object that others create can be called instead.

-- A role that owns a schema can replace anything in it. So functions that run with the rights of a role may only use what
-- is in a schema of that role, of a superuser, or of a role that can act as it. A role that is no superuser also trusts
-- the roles that it is a member of, and the owner of the database. The functions of the statistics check this for their
-- own role, and the kind and owner of the tables that they use.
CREATE FUNCTION tabiya_check_stats(games regclass, role name, tables text[]) RETURNS void LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    me oid := quote_ident(role)::regrole;
    is_super boolean := pg_has_role(me, 10::oid, 'MEMBER'); -- every server has a superuser with this number
    of record;
    other text;
BEGIN
    SELECT c.relname, c.relnamespace, c.relowner INTO of FROM pg_class c WHERE c.oid = games;
    IF of.relowner <> me THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('%s belongs to %s, but its move statistics belong to %s',
            games, of.relowner::regrole, me::regrole), HINT = format('Drop the triggers, functions and tables of the statistics by their names, and create them again: %s could have replaced %I_played_drop().', me::regrole, of.relname);
    END IF;
    other := (SELECT n.oid::regnamespace FROM pg_namespace n, pg_database d,
            LATERAL (SELECT CASE n.nspowner WHEN 'pg_database_owner'::regrole THEN d.datdba ELSE n.nspowner END) AS o (id)
        WHERE n.oid IN (of.relnamespace, (SELECT extnamespace FROM pg_extension WHERE extname = 'tabiya')) AND d.datname = current_database()
            AND NOT (pg_has_role(o.id, me, 'MEMBER') OR NOT is_super AND (pg_has_role(me, o.id, 'MEMBER') OR o.id = d.datdba)) LIMIT 1);
    IF other IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('the owner of the schema %s could replace what the move statistics of %s use as %s',
            other, games, me::regrole), HINT = format('The schema should belong to %s or to a superuser.', me::regrole);
    END IF;
    other := (SELECT format('%s.%I', of.relnamespace::regnamespace, of.relname || s.suffix) FROM unnest(tables) AS s (suffix)
        LEFT JOIN pg_class c ON c.relnamespace = of.relnamespace AND c.relname = (of.relname || s.suffix)::name
        WHERE (c.relkind = 'r' AND c.relowner = me AND NOT (c.relhasrules OR c.relhastriggers OR c.relrowsecurity)
            AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhparent = c.oid)) IS NOT TRUE LIMIT 1);
    IF other IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('%s is not a plain table of %s, as the move statistics of %s need it',
            other, me::regrole, games), HINT = format('Drop what replaces it or is attached to it; drop the statistics with %I_played_drop(), and create them again.', of.relname);
    END IF;
END $function$;
COMMENT ON FUNCTION tabiya_check_stats(regclass, name, text[]) IS 'raises an error unless the tables of the move statistics are plain tables of this role, which owns the games';

-- The words of the statements about one table of games: its tables, the expressions that are counted, and whole statements,
-- which a server with Citus runs too: it has no triggers on such tables, so the importer counts its own games.

CREATE FUNCTION tabiya_stats_parts(games regclass, game name, white_elo name DEFAULT NULL, black_elo name DEFAULT NULL, date name DEFAULT NULL,
    speed name DEFAULT NULL, tags name DEFAULT NULL)
    RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    counts text := $sql$p.position_key, p.uci, {class}, {year}, {sign}count(*) FILTER (WHERE p.result = 1), {sign}count(*) FILTER (WHERE p.result = 3),
            {sign}count(*) FILTER (WHERE p.result = 2), {sign}count(*) FILTER (WHERE p.result = 0), {sign}count({elo}), {sign}coalesce(sum({elo}), 0), max({date}), p.result, {pool}$sql$;
    played text := 'INSERT INTO {moves} ({columns}) SELECT {%s} FROM %s g, {ext}.playedMoves(g.{game}) p %s GROUP BY 1, 2, 3, 4, 12, 13';
    choose text := $sql$INSERT INTO {tracked} SELECT x.key, false, max(x.n_games) FROM (SELECT c.position_key, c.games FROM {chosen} AS c (position_key, games)
        UNION ALL SELECT {ext}.positionKey(l.board), 0 FROM {boards} AS f (board), {ext}.legal_moves(f.board) l) AS x (key, n_games) GROUP BY x.key
        ON CONFLICT (position) DO UPDATE SET is_wanted = true, n_games = excluded.n_games$sql$;
    folded text := $sql$SELECT position, uci, class, year, sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum), {sure date}, true, result, pool
        FROM {rows} m GROUP BY position, uci, class, year, result, pool HAVING sum(games) <> 0 ORDER BY position, uci$sql$;
    summed text := $sql$INSERT INTO {totals} ({totals columns}) SELECT position, %s, %s, %s, %s, %s, %s, sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum),
        max(last_date), bool_and(is_sure) FROM %s GROUP BY position%s ORDER BY position$sql$;
    -- the games that reach a position: what is summed by move, where that is shown, and else the counts
    passed text := $sql$(SELECT {summed columns} FROM {totals} WHERE level = %s UNION ALL SELECT {summed columns} FROM {moves} WHERE is_folded AND NOT {shown}) AS m$sql$;
    -- of positions: the sums, what came since, and all rows where there is no sum
    rows text := $sql$SELECT {numbers} FROM {totals} t WHERE t.position = {key} AND t.level = {level} AND {narrowed}
                UNION ALL SELECT {numbers} FROM {moves} t WHERE t.position = {key} AND NOT t.is_folded AND {narrowed}
                UNION ALL SELECT {numbers} FROM {moves} t WHERE summed = 0 AND t.position = {key} AND t.is_folded AND {narrowed}$sql$;
    ext text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'tabiya');
    has_elo boolean := white_elo IS NOT NULL AND black_elo IS NOT NULL;
    has_pools boolean := has_elo AND speed IS NOT NULL;
    schema text; relation text; holder oid; kind text; parts jsonb; word text[]; sql text;
BEGIN
    SELECT nspname, relname, relowner INTO schema, relation, holder FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = games;
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
    parts := jsonb_build_object('ext', ext, 'few', 100, 'stats tables', $sql$ARRAY['_played', '_totals', '_tracked']$sql$, 'owner', holder::regrole, 'games', format('%I.%I', schema, relation), 'games literal', format('%L', format('%I.%I', schema, relation)),
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
        'pool', CASE WHEN has_pools THEN format('%1$s.tabiya_pool(g.%2$I::integer, g.%3$I::integer, g.%4$I::text, %5$s::json)', ext, white_elo, black_elo, speed, coalesce(format('g.%I', tags), 'NULL'))
            ELSE 'NULL::smallint' END, 'has pools', has_pools,
        'narrowed', '(classes IS NULL OR t.class <@ classes) AND (years IS NULL OR t.year <@ years) AND (results IS NULL OR t.result = ANY (results)) AND (pools IS NULL OR t.pool = ANY (pools))',
        'narrowed games', '(classes IS NULL OR {class} <@ classes) AND (years IS NULL OR {year} <@ years) AND (results IS NULL OR {ext}.chessgame_result(g.{game}) = ANY (results)) AND (pools IS NULL OR {pool} = ANY (pools))',
        'columns', 'position, uci, class, year, white, draws, black, unknown, n_elo, elo_sum, last_date, result, pool', 'folded columns', 'position, uci, class, year, white, draws, black, unknown, n_elo, elo_sum, last_date, is_sure, is_folded, result, pool',
        'totals columns', 'position, level, uci, class, year, result, pool, white, draws, black, unknown, n_elo, elo_sum, last_date, is_sure',
        'summed columns', 'position, class, year, result, pool, white, draws, black, unknown, n_elo, elo_sum, last_date, is_sure',
        'numbers', 't.position, t.uci, t.games, t.white, t.draws, t.black, t.unknown, t.n_elo, t.elo_sum, t.last_date, t.is_sure',
        'sure date', $sql$max(m.last_date) FILTER (WHERE m.games > 0) AS last_date, bool_and(m.is_sure)
                AND NOT coalesce(max(m.last_date) FILTER (WHERE m.games < 0) >= max(m.last_date) FILTER (WHERE m.games > 0), false) AS is_sure$sql$);
    FOREACH word SLICE 1 IN ARRAY ARRAY[
        ['games query', 'SELECT g.{game} FROM {games} g', '{}'],
        ['moves query', 'SELECT g.{game}, ({class})::integer, ({year})::integer, {elos}, {date}, {pool}::integer FROM {games} g', '{}'],
        -- which positions are counted: `frequent` has those that many games reach; on Citus they are parameters
        ['choose frequent', choose, '{"chosen": "(SELECT position_key, games FROM frequent)", "boards": "(SELECT board FROM frequent)"}'],
        ['choose given', choose, jsonb_build_object('chosen', 'unnest($1::bigint[], $2::bigint[])',
            'boards', format('(SELECT b FROM unnest($3::%1$s.chessboard[]) AS b WHERE %1$s.positionKey(b) = ANY ($1::bigint[]))', ext))::text],
        ['forget choice', 'UPDATE {tracked} SET is_wanted = false, n_games = 0', '{}'],
        ['drop unchosen', 'DELETE FROM {tracked} WHERE NOT is_wanted', '{}'],
        ['mark popular', 'UPDATE {tracked} SET is_popular = n_games > 0 WHERE position <> 0 AND is_popular <> (n_games > 0)', '{}'],
        -- what games play there: for a few games each position is looked up; for many, reading all that are counted is faster
        ['plus', counts, '{"sign": ""}'],
        ['minus', counts, '{"sign": "-"}'],
        ['looked up', 'WHERE (SELECT true FROM {tracked} t WHERE t.position = p.position_key)', '{}'],
        ['joined', 'JOIN {tracked} t ON t.position = p.position_key', '{}'],
        ['count few added', format(played, 'plus', 'added', '{looked up}'), '{}'],
        ['count added', format(played, 'plus', 'added', '{joined}'), '{}'],
        ['count few removed', format(played, 'minus', 'removed', '{looked up}'), '{}'],
        ['count removed', format(played, 'minus', 'removed', '{joined}'), '{}'],
        ['count stored', format(played, 'plus', '{games}', '{joined} WHERE g.id = ANY ($1::bigint[])'), '{}'],
        ['count deleted', format(played, 'minus', '{games}', '{joined} WHERE g.id = ANY ($1::bigint[])'), '{}'],
        ['count all', 'INSERT INTO {moves} ({columns}, is_sure, is_folded) SELECT {plus}, true, true FROM {games} g, {ext}.playedMoves(g.{game}, $1::bigint[]) p GROUP BY 1, 2, 3, 4, 12, 13', '{}'],
        -- rows of one position and move added up; then the totals, one statement per level, which Citus can send to its workers
        ['folded gone', folded, '{"rows": "gone"}'],
        ['folded', folded, jsonb_build_object('rows', parts -> 'moves')::text],
        ['shown', 'position IN (SELECT t.position FROM {tracked} t WHERE t.is_popular OR t.n_games > 0)', '{}'],
        ['sum 1', format(summed, 1, 'uci', 'class', 'NULL::integer', 'NULL::integer', 'NULL::smallint', '{moves} WHERE is_folded AND {shown}', ', uci, class'), '{}'],
        ['sum 2', format(summed, 2, 'uci', 'NULL::integer', 'year', 'NULL::integer', 'NULL::smallint', '{moves} WHERE is_folded AND {shown}', ', uci, year'), '{}'],
        ['sum 11', format(summed, 11, 'uci', 'NULL::integer', 'NULL::integer', 'result', 'NULL::smallint', '{moves} WHERE is_folded AND {shown}', ', uci, result'), '{}'],
        ['sum 19', format(summed, 19, 'uci', 'NULL::integer', 'NULL::integer', 'NULL::integer', 'pool', '{moves} WHERE is_folded AND {shown}', ', uci, pool'), '{}'],
        ['sum 3', format(summed, 3, 'uci', 'NULL::integer', 'NULL::integer', 'NULL::integer', 'NULL::smallint', '{totals} WHERE level = 11', ', uci'), '{}'],
        ['sum 5', format(summed, 5, 'NULL::text', 'class', 'NULL::integer', 'NULL::integer', 'NULL::smallint', format(passed, 1), ', class'), '{}'],
        ['sum 6', format(summed, 6, 'NULL::text', 'NULL::integer', 'year', 'NULL::integer', 'NULL::smallint', format(passed, 2), ', year'), '{}'],
        ['sum 15', format(summed, 15, 'NULL::text', 'NULL::integer', 'NULL::integer', 'result', 'NULL::smallint', format(passed, 11), ', result'), '{}'],
        ['sum 23', format(summed, 23, 'NULL::text', 'NULL::integer', 'NULL::integer', 'NULL::integer', 'pool', format(passed, 19), ', pool'), '{}'],
        ['sum 7', format(summed, 7, 'NULL::text', 'NULL::integer', 'NULL::integer', 'NULL::integer', 'NULL::smallint', '{totals} WHERE level = 15', ''), '{}'],
        ['sums', E'DELETE FROM {totals};\n    {sum 1};\n    {sum 2};\n    {sum 11};\n    {sum 19};\n    {sum 3};\n    {sum 5};\n    {sum 6};\n    {sum 15};\n    {sum 23};\n    {sum 7}', '{}'],
        ['narrowed games', parts ->> 'narrowed games', '{}'],
        ['rows here', rows, '{"key": "key", "level": "summed"}'],
        ['rows behind', rows, '{"key": "ANY (behind)", "level": "4 + summed"}']
    ] LOOP
        EXECUTE format('SELECT %s.tabiya_fill($1, $2)', ext) INTO sql USING word[2], parts || word[3]::jsonb;
        parts := parts || jsonb_build_object(word[1], CASE WHEN word[1] LIKE '% query' THEN quote_literal(sql) ELSE sql END);
    END LOOP;
    RETURN parts;
END $function$;
COMMENT ON FUNCTION tabiya_stats_parts(regclass, name, name, name, name, name, name) IS 'the names and expressions of the statements of createMoveStats, for tabiya_fill';

CREATE FUNCTION moveStatsSql(games regclass, game name, white_elo name DEFAULT NULL, black_elo name DEFAULT NULL, date name DEFAULT NULL,
    speed name DEFAULT NULL, tags name DEFAULT NULL)
    RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
    template text := $sql$
-- The counted positions and the moves played in them: by class (the rating of the lower rated player divided by 200; 0
-- if a rating is unknown), year (0 if unknown), result (0 unknown, 1 White wins, 2 Black wins, 3 draw) and pool (tabiya_pool; NULL
-- without columns for ratings and speed). Rows of version 1.1 have neither result nor pool: they add up several. uci is empty if the game ends there. A position is counted if
-- many games reach it; then all positions one move later are counted too, with n_games 0. n_games is the number of
-- games that had reached it when it was chosen; position 0 means all games. The counts of a chosen position are
-- complete.
CREATE TABLE {tracked} (position bigint PRIMARY KEY, is_popular boolean NOT NULL, n_games bigint NOT NULL, is_wanted boolean NOT NULL DEFAULT true);
CREATE TABLE {moves} (
    position bigint NOT NULL, uci text COLLATE "C" NOT NULL, class integer NOT NULL, year integer NOT NULL,
    white integer NOT NULL, draws integer NOT NULL, black integer NOT NULL, unknown integer NOT NULL,
    n_elo integer NOT NULL, elo_sum bigint NOT NULL, last_date integer, is_sure boolean NOT NULL DEFAULT true, is_folded boolean NOT NULL DEFAULT false,
    pool smallint, games integer NOT NULL GENERATED ALWAYS AS (white + draws + black + unknown) STORED, result integer
);
CREATE INDEX ON {moves} (position);
CREATE INDEX ON {moves} (position) WHERE NOT is_folded;
CREATE INDEX ON {moves} (position) WHERE result IS NULL;
-- Sums of the folded rows. level: 1 over all years, 2 over all classes, 3 over both; plus 4: over all moves; plus 8: of one result; plus 16: of one pool.
-- Positions that are counted because they are one move later have only those over all moves.
CREATE TABLE {totals} (
    position bigint NOT NULL, level integer NOT NULL, uci text COLLATE "C", class integer, year integer,
    white integer NOT NULL, draws integer NOT NULL, black integer NOT NULL, unknown integer NOT NULL,
    n_elo integer NOT NULL, elo_sum bigint NOT NULL, last_date integer, is_sure boolean NOT NULL,
    pool smallint, games integer NOT NULL GENERATED ALWAYS AS (white + draws + black + unknown) STORED, result integer
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
    PERFORM {ext}.tabiya_check_stats({games literal}::regclass, current_user, {stats tables});
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
    IF TG_OP <> 'DELETE' THEN
        IF (SELECT count(*) FROM (SELECT 1 FROM added LIMIT {few}) AS x) < {few} THEN
            {count few added};
        ELSE
            {count added};
        END IF;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        IF (SELECT count(*) FROM (SELECT 1 FROM removed LIMIT {few}) AS x) < {few} THEN
            {count few removed};
        ELSE
            {count removed};
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER {insert trigger} AFTER INSERT ON {games} REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {change}();
CREATE TRIGGER {delete trigger} AFTER DELETE ON {games} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION {change}();
CREATE TRIGGER {update trigger} AFTER UPDATE ON {games} REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {change}();
CREATE TRIGGER {truncate trigger} AFTER TRUNCATE ON {games} FOR EACH STATEMENT EXECUTE FUNCTION {change}();

CREATE FUNCTION {choose}(min_games integer DEFAULT 1000) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
    PERFORM {ext}.tabiya_check_stats({games literal}::regclass, current_user, {stats tables});
    LOCK TABLE {games} IN ACCESS SHARE MODE; -- before the totals, as TRUNCATE does
    LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
    {forget choice};
    WITH frequent AS MATERIALIZED (SELECT * FROM {ext}.tabiya_frequent_positions({games query}::text, (SELECT count(*) FROM {games}), min_games))
    {choose frequent};
    n := (SELECT count(*) FROM {tracked} t WHERE t.n_games > 0);
    INSERT INTO {tracked} SELECT 0, false, count(*) FROM {games} ON CONFLICT (position) DO UPDATE SET is_wanted = true, n_games = excluded.n_games;
    RETURN n;
END $$;
COMMENT ON FUNCTION {choose}(integer) IS 'chooses the positions that are counted: those that at least that many games reach in their first 40 half-moves; NAME_played_count counts them, in a separate transaction';

-- Waits for writers that do not know yet which positions were chosen. It takes no lock, so other writers need not wait.
-- Games that are added or deleted from then on have their own rows of counts, and the snapshot of the counting statement
-- sees both or neither.
CREATE FUNCTION {count}() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM {ext}.tabiya_check_stats({games literal}::regclass, current_user, {stats tables});
    LOCK TABLE {games} IN ACCESS SHARE MODE;
    LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
    PERFORM {ext}.tabiya_wait_for_writers({games literal}::regclass);
    {drop unchosen};
    {mark popular};
    -- in one statement: writers add rows meanwhile
    WITH gone AS (DELETE FROM {moves})
    INSERT INTO {moves} ({columns}, is_sure, is_folded) SELECT position_key, uci, class, year, sum(white), sum(draws), sum(black), sum(unknown), sum(n_elo), sum(elo_sum),
        max(last_date), result, pool, true, true FROM {ext}.tabiya_count_moves({moves query}::text, ARRAY(SELECT position FROM {tracked})) GROUP BY 1, 2, 3, 4, result, pool ORDER BY 1, 2;
    {sums};
END $$;
COMMENT ON FUNCTION {count}() IS 'counts what is played in the chosen positions; readers and writers continue';

CREATE FUNCTION {refresh}(min_games integer DEFAULT 1000) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE n bigint;
BEGIN
    LOCK TABLE {games} IN SHARE MODE;
    n := {choose}(min_games);
    PERFORM {count}();
    RETURN n;
END $$;
COMMENT ON FUNCTION {refresh}(integer) IS 'chooses positions and counts them in one transaction; writers wait, readers continue';

CREATE FUNCTION {fold}() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM {ext}.tabiya_check_stats({games literal}::regclass, current_user, {stats tables});
    LOCK TABLE {totals} IN SHARE ROW EXCLUSIVE MODE;
    WITH gone AS (DELETE FROM {moves} RETURNING *)
    INSERT INTO {moves} ({folded columns}) {folded gone};
    {sums};
END $$;
COMMENT ON FUNCTION {fold}() IS 'merges rows that belong together, and updates the totals; run VACUUM afterwards';

-- The counts for a position: no rows if it is not counted; otherwise a row with only its key, a row for each move, and
-- for each of the positions `behind` the number of games that reach it. tabiya explore reads this too.
CREATE FUNCTION {read}(board {ext}.chessboard, behind bigint[], classes int4range DEFAULT NULL, years int4range DEFAULT NULL, results integer[] DEFAULT NULL,
        pools integer[] DEFAULT NULL)
    RETURNS TABLE (position_key bigint, uci text, games bigint, white bigint, draws bigint, black bigint, unknown bigint, n_elo bigint,
        elo_sum bigint, last_date integer)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    key bigint := {ext}.positionKey(board);
    summed integer := CASE WHEN classes IS NULL THEN 2 ELSE 0 END + CASE WHEN years IS NULL THEN 1 ELSE 0 END;
    r record;
BEGIN
    IF results IS NOT NULL OR pools IS NOT NULL THEN
        summed := CASE WHEN summed < 3 OR results IS NOT NULL AND pools IS NOT NULL THEN 0 WHEN pools IS NULL THEN 11 ELSE 19 END;
    END IF;
    IF (SELECT is_popular FROM {tracked} WHERE position = key) IS NOT TRUE OR pools IS NOT NULL AND NOT {has pools}
        OR (results IS NOT NULL OR pools IS NOT NULL) AND EXISTS (SELECT 1 FROM {moves} WHERE result IS NULL) THEN
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
                AND {narrowed games});
        END IF;
        RETURN NEXT;
    END LOOP;
    RETURN QUERY SELECT m.position, NULL::text, sum(m.games), 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::bigint, NULL::integer
        FROM ({rows behind}) AS m GROUP BY m.position;
END $$;
COMMENT ON FUNCTION {read}({ext}.chessboard, bigint[], int4range, int4range, integer[], integer[]) IS 'the counts of a position and of those reached from it; no row if it is not counted';

CREATE FUNCTION {explore}(board {ext}.chessboard, classes int4range DEFAULT NULL, years int4range DEFAULT NULL, results integer[] DEFAULT NULL,
        pools integer[] DEFAULT NULL)
    RETURNS TABLE (uci text, games bigint, reached bigint, white bigint, draws bigint, black bigint, unknown bigint, n_elo bigint,
        elo_sum bigint, last_date integer)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    IF pools IS NOT NULL AND NOT {has pools} THEN
        RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = 'these move statistics have no pools', HINT = 'Create them again with the columns of the ratings and the speed.';
    END IF;
    IF (SELECT is_popular FROM {tracked} WHERE position = {ext}.positionKey(board)) AND (results IS NULL AND pools IS NULL OR NOT EXISTS (SELECT 1 FROM {moves} WHERE result IS NULL)) THEN
        RETURN QUERY
        WITH legal AS (
            SELECT l.uci, l.ordinality, {ext}.positionKey(l.board) AS key FROM {ext}.legal_moves($1) WITH ORDINALITY AS l
        ), counted AS MATERIALIZED (
            SELECT * FROM {read}($1, (SELECT array_agg(key) FROM legal), classes, years, results, pools)
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
        FROM {games} g WHERE {ext}.hasPosition(g.{game}, $1) AND {narrowed games}
        GROUP BY 1
    ), listed AS (
        SELECT r.uci, r.reached, r.ordinality FROM (SELECT {ext}.nextMoves(g.{game}, $1) AS list FROM {games} g
            WHERE g.{game} OPERATOR({ext}.@~) {ext}.withinMoves($1) AND {narrowed games}) AS x,
            unnest(x.list) WITH ORDINALITY AS r
    )
    SELECT uci, c.games, coalesce(l.reached, 0), c.white, c.draws, c.black, c.unknown, c.n_elo, coalesce(c.elo_sum, 0), c.last_date
    FROM counted c LEFT JOIN listed l USING (uci)
    ORDER BY c.games DESC, coalesce(l.reached, 0) DESC, l.ordinality;
END $$;
COMMENT ON FUNCTION {explore}({ext}.chessboard, int4range, int4range, integer[], integer[]) IS 'what was played in a position: exact, from the counts if the position is counted, else from the games';

CREATE FUNCTION {drop}() RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    DROP TRIGGER IF EXISTS {insert trigger} ON {games};
    DROP TRIGGER IF EXISTS {delete trigger} ON {games};
    DROP TRIGGER IF EXISTS {update trigger} ON {games};
    DROP TRIGGER IF EXISTS {truncate trigger} ON {games};
    DROP FUNCTION {explore}({ext}.chessboard, int4range, int4range, integer[], integer[]);
    DROP FUNCTION {read}({ext}.chessboard, bigint[], int4range, int4range, integer[], integer[]);
    DROP FUNCTION {fold}();
    DROP FUNCTION {refresh}(integer);
    DROP FUNCTION {count}();
    DROP FUNCTION {choose}(integer);
    DROP FUNCTION {change}();
    DROP TABLE {moves}, {totals}, {tracked};
    DROP FUNCTION {drop}();
$$;
COMMENT ON FUNCTION {drop}() IS 'drops the move statistics';

-- All belongs to the owner of the games, with whose rights the first five functions run, so only the owner may call them.
REVOKE ALL ON FUNCTION {change}(), {choose}(integer), {count}(), {refresh}(integer), {fold}() FROM PUBLIC;
ALTER FUNCTION {change}() OWNER TO {owner};
ALTER FUNCTION {choose}(integer) OWNER TO {owner};
ALTER FUNCTION {count}() OWNER TO {owner};
ALTER FUNCTION {refresh}(integer) OWNER TO {owner};
ALTER FUNCTION {fold}() OWNER TO {owner};
ALTER FUNCTION {read}({ext}.chessboard, bigint[], int4range, int4range, integer[], integer[]) OWNER TO {owner};
ALTER FUNCTION {explore}({ext}.chessboard, int4range, int4range, integer[], integer[]) OWNER TO {owner};
ALTER FUNCTION {drop}() OWNER TO {owner};
ALTER TABLE {tracked} OWNER TO {owner};
ALTER TABLE {moves} OWNER TO {owner};
ALTER TABLE {totals} OWNER TO {owner};
$sql$;
BEGIN
    EXECUTE format('SELECT %1$s.tabiya_fill($1, %1$s.tabiya_stats_parts($2, $3, $4, $5, $6, $7, $8))', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'tabiya'))
        INTO template USING template, games, game, white_elo, black_elo, date, speed, tags;
    RETURN template;
END $function$;
COMMENT ON FUNCTION moveStatsSql(regclass, name, name, name, name, name, name) IS 'the statements that createMoveStats runs';

CREATE FUNCTION createMoveStats(games regclass, game name, white_elo name DEFAULT NULL, black_elo name DEFAULT NULL,
    date name DEFAULT NULL, speed name DEFAULT NULL, tags name DEFAULT NULL) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ext text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'tabiya');
    holder oid := (SELECT relowner FROM pg_class WHERE oid = games);
    sql text;
BEGIN
    EXECUTE format('SELECT %s.moveStatsSql($1, $2, $3, $4, $5, $6, $7)', ext)
        INTO sql USING games, game, white_elo, black_elo, date, speed, tags;
    IF NOT pg_has_role(holder, 'MEMBER') THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = format('only %s, the owner of %s, can create its move statistics', holder::regrole, games);
    END IF;
    EXECUTE sql;
    EXECUTE format('SELECT %s.tabiya_check_stats($1, $2, $3)', ext) USING games, (SELECT rolname FROM pg_roles WHERE oid = holder), ARRAY['_played', '_totals', '_tracked'];
END $$;
COMMENT ON FUNCTION createMoveStats(regclass, name, name, name, name, name, name) IS 'move statistics for a table of games: NAME_played_refresh fills them, triggers maintain them, NAME_explore reads them';

-- ---- Queries --------------------------------------------------------------------------------------------------------

CREATE TYPE chessquery;
CALL tabiya_script.tabiya_define($$
    chessquery_in(cstring) chessquery    | tabiya_chessquery_in   | reads a query, and checks it
    chessquery_out(chessquery) cstring   | tabiya_chessquery_out  | writes a query in canonical form
    chessquery_recv(internal) chessquery | tabiya_chessquery_recv | reads a query from a client, and checks it
    chessquery_send(chessquery) bytea    | tabiya_chessquery_send | the text of a query
$$::text);
CREATE TYPE chessquery (
    INPUT = chessquery_in, OUTPUT = chessquery_out, RECEIVE = chessquery_recv, SEND = chessquery_send, LIKE = text
);
COMMENT ON TYPE chessquery IS 'a query about games and positions in tabiya''s query language';
CREATE CAST (text AS chessquery) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (text AS chessquery) IS 'reads a query';
CREATE CAST (varchar AS chessquery) WITH INOUT AS IMPLICIT;
COMMENT ON CAST (varchar AS chessquery) IS 'reads a query';

CALL tabiya_script.tabiya_define($$
    tabiya_matches_support(internal) internal               | tabiya_matches_support                          | lets the planner use indexes for what a query needs
    chessgame_matches(chessgame, chessquery) boolean | tabiya_matches COST 100                         | the part of matches that remains after an index was used
    matches(chessgame, chessquery) boolean           | tabiya_matches COST 100 SUPPORT tabiya_matches_support | does the query hold at some half-move of the game?
    matchPly(chessgame, chessquery) integer          | tabiya_match_ply COST 100                       | the first half-move at which the query holds, NULL if there is none
    matchPlies(chessgame, chessquery) integer[]      | tabiya_match_plies COST 100                     | all half-moves at which the query holds
    nameWords(text) text[]                           | tabiya_name_words COST 10                       | the words of a name, in lower case without accents
    sortKey(text) bytea                              | tabiya_sort_key COST 10                         | a key that sorts names and other texts as find --sort does; NULL if unknown
$$::text);

-- ---- Names of arguments ---------------------------------------------------------------------------------------------

-- The update from 1.1 runs this section too.
CREATE FUNCTION getLegalMovesArray(game chessgame) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN pg_catalog.string_to_array(getLegalMoves(game), ' ');
COMMENT ON FUNCTION getLegalMovesArray(chessgame) IS 'the legal moves in SAN, in the order of the tree, as an array';
CREATE FUNCTION getLegalMovesArray(board chessboard) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN pg_catalog.string_to_array(getLegalMoves(board), ' ');
COMMENT ON FUNCTION getLegalMovesArray(chessboard) IS 'the legal moves in SAN, in the order of the tree, as an array';
CREATE FUNCTION getLegalMovesArray("text" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
    RETURN getLegalMovesArray("text"::chessgame);
COMMENT ON FUNCTION getLegalMovesArray(text) IS 'the legal moves in SAN, in the order of the tree, as an array';

-- Functions that users call get names for arguments without one, by their types: hasBoard(game => ..., board => ...).
DO $do$
DECLARE
    f record; part text; name text; named text[]; definition text;
BEGIN
    FOR f IN SELECT p.oid, n.nspname, p.proname::pg_catalog.text AS proname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
        WHERE d.deptype = 'e' AND d.refobjid = (SELECT e.oid FROM pg_catalog.pg_extension e WHERE e.extname = 'tabiya')
            AND p.prokind = 'f' AND p.pronargs > 0 AND (p.proargnames IS NULL OR '' = ANY (p.proargnames))
            AND p.proname !~ '^(chessgame|chessboard|chessopening|boardquery|chessquery|nextmovestate|tabiya)_' LOOP
        named := '{}';
        FOREACH part IN ARRAY pg_catalog.string_to_array(pg_catalog.pg_get_function_arguments(f.oid), ', ') LOOP
            name := CASE
                WHEN pg_catalog.strpos(part, ' ') > 0 THEN ''
                WHEN pg_catalog.cardinality(named) = 1 AND f.proname ~ '^from' THEN 'start'
                ELSE CASE pg_catalog.regexp_replace(part, '^.*[.]', '')
                    WHEN 'chessgame' THEN CASE WHEN pg_catalog.cardinality(named) = 1 OR f.proname ~ '^opening(end|first|last)?$' THEN 'opening' ELSE 'game' END
                    WHEN 'chessboard' THEN CASE WHEN named[1] = 'board chessboard' THEN 'other' ELSE 'board' END
                    WHEN 'bigint' THEN CASE WHEN f.proname IN ('getboard', 'board', 'position_at') THEN 'ply' ELSE 'plies' END
                    WHEN 'chessquery' THEN 'query'
                    WHEN 'bytea' THEN 'bytes'
                    WHEN 'regclass' THEN 'games'
                    WHEN 'text' THEN CASE WHEN f.proname IN ('addmove', 'isvalidmove') THEN 'move' WHEN f.proname = 'getpiecesquarevalue' THEN 'piece' ELSE 'text' END
                    ELSE 'value' END
                END;
            named := named || pg_catalog.btrim(pg_catalog.concat(name, ' ', part));
        END LOOP;
        definition := pg_catalog.pg_get_functiondef(f.oid);
        EXECUTE pg_catalog.format('CREATE OR REPLACE FUNCTION %I.%I(%s) RETURNS %s %s', f.nspname, f.proname, pg_catalog.array_to_string(named, ', '),
            pg_catalog.pg_get_function_result(f.oid), pg_catalog.substr(definition, pg_catalog.strpos(definition, E'\n LANGUAGE ')));
    END LOOP;
END $do$;

-- ---- The extension --------------------------------------------------------------------------------------------------

CALL tabiya_script.tabiya_define($$
    tabiyaVersion() text | tabiya_version | the version of the library
$$::text);

DROP PROCEDURE tabiya_script.tabiya_compare(text, text, text, text, text);
DROP PROCEDURE tabiya_script.tabiya_define(text);
DROP SCHEMA tabiya_script;
