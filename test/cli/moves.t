# tabiya moves: the legal moves in the order of the tree of chess.

$ tabiya moves | paste -s -d ' '
a4 a3 b4 b3 c4 c3 d4 d3 e4 e3 f4 f3 g4 g3 h4 h3 Na3 Nc3 Nf3 Nh3

$ tabiya moves --to uci startpos | head -n 2
a2a4
a2a3

$ tabiya moves --to lan | tail -n 2
Ng1-f3
Ng1-h3

$ tabiya moves 8/P6k/8/8/8/8/8/K7 w - - 0 1
a8=B
a8=N
a8=Q
a8=R
Ka2
Kb2
Kb1

$ tabiya moves --to uci '8/P6k/8/8/8/8/8/K7 w - - 0 1' | head -n 4
a7a8b
a7a8n
a7a8q
a7a8r

# Checkmate: no moves, which is not a failure.

$ tabiya moves '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'

# Standard input: one FEN per line, answers separated by an empty line, empty lines skipped, a carriage return dropped.

$ printf '8/8/8/8/8/8/8/K6k w - -\r\n\n8/8/8/8/8/8/8/K6k b - -\n' | tabiya moves -
Ka2
Kb2
Kb1

Kg2
Kh2
Kg1

$ printf '8/8/8/8/8/8/8/K6k w - -' | tabiya moves - | wc -l
3

$ tabiya moves - </dev/null

# A bad line is reported, and the next is read.

$ printf 'x\n\n8/8/8/8/8/8/8/K6k w - -\n' | tabiya moves - 2>&1 >/dev/null
tabiya: stdin:1: fen: field 1 (placement), column 1: ...
[2]

$ printf 'x\n\n8/8/8/8/8/8/8/K6k w - -\n' | tabiya moves - 2>/dev/null | tail -n 1
Kb1

# Every line has its block, even a bad one, wherever it is.

$ printf '8/8/8/8/8/8/8/K6k w - -\nx\n8/8/8/8/8/8/8/k6K w - -\nx\n' | tabiya moves - 2>/dev/null | tr '\n' ,
Ka2,Kb2,Kb1,,,Kg2,Kh2,Kg1,,

# Missing fields that may change the position are reported with the values assumed.

$ tabiya moves 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b' 2>&1 >/dev/null
tabiya: warning: the castling rights were missing: read as none

$ tabiya moves 4k3/8/8/8/8/8/8/4K3 2>&1 >/dev/null
tabiya: warning: the side to move was missing: read as white

# KQkq with a king that is not on the e-file are invalid in standard chess.

$ tabiya moves 'r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1' 2>&1 >moves.txt; wc -l <moves.txt
tabiya: warning: a castling right without its king or rook was dropped
23

$ printf '8/8/8/8/8/8/8/K6k w\0 - -\n' | tabiya moves -
tabiya: stdin:1: fen: field 2 ...
[2]

$ tabiya moves ''
tabiya: fen: ...
[2]

# What the reader had to drop is reported.

$ tabiya moves 4k3/8/8/8/8/8/8/4K3 w K - 0 1 2>&1 >/dev/null
tabiya: warning: a castling right without its king or rook was dropped

$ tabiya moves 4k3/8/8/8/8/8/8/4K3 w - e3 0 1 2>&1 >/dev/null
tabiya: warning: an en passant square that no pawn can just have passed was dropped

# A setup that is not a position is refused, with all its reasons.

$ tabiya moves 8/8/8/8/8/8/8/P7 w - - 0 1
tabiya: not a legal position:
  ...
  ...
  ...
[2]

$ tabiya moves 4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1
tabiya: not a legal position:
  ...
  (use --any to allow it)
[2]

$ tabiya moves --any 4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1 | wc -l
16

$ tabiya moves --chess960 --to uci 4k3/8/8/8/8/8/8/5KR1 w K - 0 1 | grep f1g1
f1g1

# Every move notation.

$ for n in san uci lan boardinfo-moves base64-moves short cmbr; do tabiya moves --to $n 4k3/8/8/8/8/8/4P3/4K3 w - - | paste -s -d ' '; done
e4 e3 Kd2 Kf2 Kd1 Kf1
e2e4 e2e3 e1d2 e1f2 e1d1 e1f1
e2-e4 e2-e3 Ke1-d2 Ke1-f2 Ke1-d1 Ke1-f1
e2e4 e2e3 e1d2 e1f2 e1d1 e1f1
0k 0s 8z 81 87 89
4 3 d2 f2 d1 f1
70c000 50c000 2c4500 344500 0c4500 144500

$ tabiya moves --to short 7k/8/5K2/6Q1/8/8/8/8 b - -
-

$ tabiya moves --to base64-moves 8/P6k/8/8/8/8/8/K7 w - - 2>/dev/null | head -n 4


IA

$ tabiya moves --to base64-moves 8/P6k/8/8/8/8/8/K7 w - - 2>&1 >/dev/null
tabiya: base64-moves: a8=B: ...queen
tabiya: base64-moves: a8=N: ...queen
tabiya: base64-moves: a8=R: ...queen
[2]

$ tail -n +2 "$SOURCE"/test/vectors/short_all.tsv >all.tsv; \
    cut -f 1 all.tsv | tabiya moves --to short - | sed '/^$/d' | \
    cmp - <(cut -f 2 all.tsv | tr ' ' '\n' | sed 's/.*://; s/^$/-/'); wc -l <all.tsv
117

# Strict reading refuses an incomplete FEN.

$ tabiya moves --strict 4k3/8/8/8/8/8/8/4K3 w - -
tabiya: fen: field 5 (clock), column 26: the field is missing
[2]
