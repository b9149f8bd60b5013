-- Chess960: boards, games and fromFen read the same way. KQkq are standard chess unless something says Chess960: then they mean
-- the outermost rooks. Boards print the rooks' files.
\set xfen 'bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1'
\set files 'bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w CFcf - 0 1'
SELECT fromFen(:'xfen', true), fromFen(:'files', true) = fromFen(:'xfen', true) AS same, fromFen(:'files') = fromFen(:'xfen', true) AS by_files;
SELECT :'files'::chessboard = fromFen(:'xfen', true) AS board, getBoard(:'files'::chessgame) = fromFen(:'xfen', true) AS game,
    getBoard(('[Variant "Chess960"] [FEN "' || :'xfen' || '"] 1. e4')::chessgame, 0) = fromFen(:'xfen', true) AS variant;
-- In standard chess, without a king on e1 and a rook on h1, a game has no such rights, and a board that claims them is not legal.
-- Functions that drop them warn, unless the caller says that this is standard chess.
SELECT fromFen(:'xfen') = fromFen(:'xfen', false) AS same;
-- Every reader of boards warns, and none does if the rights are invalid in Chess960 too.
SELECT fromFenLegal(:'xfen') = fromFen(:'xfen', false) AS legal;
SELECT fromEpd('bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq -') = fromFen(:'xfen', false) AS epd;
SELECT fromFen('4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1'), fromEpd('4k3/8/8/8/8/8/8/4K3 w KQkq -');
SELECT getBoard(:'xfen'::chessgame) = fromFen(:'xfen', false) AS game, fromFen(:'xfen', false), positionErrors(:'xfen'::chessboard);
SELECT bool_and(isLegalPosition(board)) AS legal, bool_and(hasPosition(game, board)) AS found, bool_and(board::text::chessboard = board) AS text
    FROM (VALUES (('[Variant "Chess960"] [FEN "' || :'xfen' || '"] 1. e4 e5 2. Nc3 Nc6 3. Nd5 d6')::chessgame)) AS v(game), positions(game);
-- Castling in UCI: king takes rook if king or rook started on unusual squares.
SELECT toUci(game), fromUci(toUci(game), getBoard(game, 0)) = game AS back
    FROM (VALUES ('[Variant "Chess960"] [FEN "4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1"] 1. O-O'::chessgame), ('[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"] 1. O-O')) AS v(game);
SELECT fromEpd('4k3/8/8/8/8/8/8/1R3K1R w KQ -', true), fromFen(NULL, true) IS NULL AS nothing;
