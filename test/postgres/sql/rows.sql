-- Games and boards as rows, PGN as rows.
SELECT * FROM moves('1. e4 e5 2. Qh5 Ke7 3. Qxe5#');
SELECT ply, fen FROM positions('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 7"] 7... Kd7 8. e4');
SELECT san, uci FROM legal_moves('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
SELECT g.n, m.san FROM (VALUES (1, '1. e4'::chessgame), (2, '1. d4 d5')) AS g(n, game), moves(g.game) m ORDER BY 1, m.ply;
SELECT (moves('1. e4 e5')).san;
SELECT count(*) FROM (SELECT * FROM moves('1. e4 e5 2. Nf3') LIMIT 1) AS one;

\set pgn '[White "Ada"]\n[Black "Bob \\"B\\" Smith"]\n[Annotator "Zoé"]\n[Result "1-0"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 1-0\n\n[White "Eve"]\n\n1. e4 Ke7 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n\n1. e4 -- 2. d4 *'
SELECT number, tags, game, result, error FROM parsePgn(replace(:'pgn', '\n', chr(10)));
SELECT toPgn(game, tags, annotated) FROM parsePgn(replace(:'pgn', '\n', chr(10))) WHERE number = 1;
SELECT toPgn(game, tags) FROM parsePgn(replace(:'pgn', '\n', chr(10))) WHERE number = 1;
SELECT toPgn(game, '{"White": "Ada", "WhiteElo": 2800, "Round": null}') FROM parsePgn('1. e4 *');
SELECT toPgn('1. e4', '{"a b": "c"}');
SELECT toPgn('1. e4', '[1]');
SELECT toPgn('1. e4', '{"White": {"a": 1}}');
SELECT toPgn(NULL, '{}') IS NULL AS nothing, toPgn('1. e4', NULL);
SELECT toPgn(NULL, NULL, '\x00');
SELECT count(*) FROM parsePgn('');
SELECT count(*) FROM parsePgn(NULL);
-- What the comments of a whole game say about the main line.
CREATE TABLE noted AS SELECT game, annotated FROM parsePgn('{before} 1. e4 $1 {[%clk 0:01:00.5] good [%eval 0.25] move} (1. d4 {no}) {more} 1... e5 $14 $6 {[%eval #-3]} 2. Nf3 *');
SELECT m.ply, san, nags, comment, eval, mate, clock FROM noted, moves(game, annotated) m;
SELECT p.ply, nags, comment, eval, mate, clock FROM noted, positions(game, annotated) p;
SELECT * FROM moves('1. e4', NULL);
SELECT count(*) FROM positions(NULL, NULL);
SELECT count(*) FROM noted, moves(NULL, annotated);
SELECT * FROM moves('1. e4', '\x00');
DROP TABLE noted;
