-- Whole games as rows: variations, comments, NAGs, evaluations and clocks; and back to PGN.
\set pgn '{Before all} 1. e4 $1 {[%clk 0:10:00] [%eval 0.25,20] fine [%csl Ge4]} 1... c5 ({Another} 1... e5 2. Nf3 {[%emt 0:00:01.5]} (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6) (1... e6) 2. Nf3 {[%eval #-3]} {second} 2... d6 $2 $14 *'
CREATE TABLE whole AS SELECT game, annotated FROM parsePgn(:'pgn');
SELECT node, parent, ply, line, san, uci, nags, before, comment, eval, mate, depth, clock, elapsed FROM whole, annotations(annotated) ORDER BY node;
-- The main line is the game, and every board follows from its parent's.
SELECT string_agg(san, ' ' ORDER BY ply) AS main FROM whole, annotations(annotated) WHERE line = 0;
SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM legal_moves(p.board) l WHERE l.uci = c.uci AND l.board = c.board)) AS sound
    FROM whole, annotations(annotated) c JOIN LATERAL (SELECT * FROM annotations(annotated)) p ON c.parent = p.node;
SELECT toPgn(NULL, NULL, annotated) FROM whole;
SELECT annotated = (SELECT p.annotated FROM parsePgn(toPgn(NULL, NULL, whole.annotated)) p) AS same FROM whole;
SELECT count(*) FROM annotations(toCmbr('1. e4 e5'));
SELECT count(*) FROM annotations(NULL);
SELECT * FROM annotations('\x00');
SELECT * FROM annotations('');
-- Many nested variations.
SELECT count(*), max(line) FROM parsePgn('1. e4 ' || repeat('(1. d4 ', 200) || repeat(') ', 200) || '*') p, annotations(p.annotated);
-- Of several clocks or evaluations, the first one counts.
SELECT san, eval, mate, depth, clock, elapsed FROM parsePgn('1. e4 {[%clk 0:01:00] [%emt 2] [%eval 0.1]} {[%clk 0:00:59] [%emt 3] [%eval #2,9]} *') p, annotations(p.annotated) WHERE ply = 1;
DROP TABLE whole;
