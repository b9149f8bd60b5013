-- What CREATE EXTENSION creates is valid: operator classes, comments, function properties, and names that do not get in the way.
SELECT opcname, amname, amvalidate(c.oid)
    FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod JOIN pg_type t ON t.oid = opcintype
    WHERE typname IN ('chessgame', 'chessboard', 'boardquery', 'chessopening') ORDER BY 1, 2;

-- Every object of the extension has a comment.
SELECT pg_describe_object(classid, objid, 0) AS uncommented
    FROM pg_depend
    WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tabiya')
        AND classid <> 'pg_type'::regclass
        AND obj_description(objid, classid::regclass::name) IS NULL
    ORDER BY 1;
SELECT typname AS uncommented FROM pg_type
    WHERE typname IN ('chessgame', 'chessboard', 'boardquery', 'chessopening', 'nextmove') AND obj_description(oid, 'pg_type') IS NULL;

-- Functions are immutable and parallel safe, and all but a few are strict.
SELECT provolatile, proparallel, count(*) > 0 AS some FROM pg_proc WHERE probin LIKE '%tabiya%' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT proname FROM pg_proc WHERE probin LIKE '%tabiya%' AND (provolatile <> 'i' OR NOT proisstrict) ORDER BY 1;

-- It can be installed in any schema.
CREATE SCHEMA elsewhere;
ALTER EXTENSION tabiya SET SCHEMA elsewhere;
SELECT elsewhere.hasOpening('1. e4 e5', '1. e4'), elsewhere.hasBoard('1. e4', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
CREATE TABLE away (game elsewhere.chessgame);
INSERT INTO away SELECT x::elsewhere.chessgame FROM unnest('{1. e4 e5,1. e4 c5,1. d4}'::text[]) x;
CREATE INDEX ON away (game);
CREATE INDEX ON away USING gin (game);
SET enable_seqscan = off;
SELECT count(*) FROM away WHERE elsewhere.hasOpening(game, '1. e4');
SELECT count(*) FROM away WHERE elsewhere.hasBoard(game, 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1', 5);
EXPLAIN (COSTS OFF) SELECT * FROM away WHERE elsewhere.hasOpening(game, '1. e4');
RESET enable_seqscan;
DROP TABLE away;
ALTER EXTENSION tabiya SET SCHEMA public;
