# games.sh - for the transcripts about databases: two files of games that differ in every way that matters.

# Transpositions, a mate, a partial date, names in different case, a duplicate.
cat >games.pgn <<'END'
[Event "Open"]
[Site "Paris"]
[Date "2019.05.01"]
[Round "1"]
[White "Carlsen, M"]
[Black "So, W"]
[Result "1-0"]
[WhiteElo "2800"]
[BlackElo "2750"]
[ECO "B90"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0

[Event "Open"]
[Site "Paris"]
[Date "2019.??.??"]
[Round "2"]
[White "Anna"]
[Black "CARLSEN, M"]
[Result "0-1"]
[WhiteElo "1900"]
[BlackElo "2800"]
[ECO "B90"]

1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 0-1

[Event "Club \"A\""]
[Site "?"]
[Date "2020.02.??"]
[Round "1"]
[White "Bert"]
[Black "anna"]
[Result "0-1"]
[ECO "A00"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Open"]
[Site "Paris"]
[Date "????.??.??"]
[Round "3"]
[White "Bert"]
[Black "Anna"]
[Result "*"]
[WhiteElo "2100"]
[BlackElo "2050"]

1. d4 *

[Event "Club \"A\""]
[Site "?"]
[Date "2021.12.31"]
[Round "2"]
[White "Anna"]
[Black "So, W"]
[Result "1/2-1/2"]
[WhiteElo "1900"]
[BlackElo "2750"]
[ECO "C20"]

1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 1/2-1/2

END

# Comments, variations, null moves, other start positions, Chess960, unusual and missing tags.
cat >odd.pgn <<'END'
[Event "Annotated"]
[Date "2019"]
[White "Jörg \"J\" \\ Ö"]
[WhiteElo "2400?"]
[BlackElo ""]
[Black "B"]
[ECO "b90"]
[Annotator "N. N."]

{before} 1. e4 {good [%clk 0:01:00]} 1... c5! $14 (1... e5 2. Nf3 (2. f4 exf4) 2... Nc6) 2. -- d6 *

[White "X"]
[Date "1999.??.??"]
[Result "1-0"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]
[Result "*"]

1. c4 c5 *

[Event "Start"]
[SetUp "1"]
[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 60"]
[Date "2019.13.01"]
[UTCDate "2020.01.01"]
[Result "1/2-1/2"]

60. a8=Q Kg7 1/2-1/2

1. d4 d5 *

END
