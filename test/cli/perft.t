# tabiya perft: the counts are those that all engines agree on.

$ tabiya perft 5
nodes 4865609
time  ... s
rate  ... M/s

$ tabiya perft 0 | head -n 1
nodes 1

$ tabiya perft 1 --divide
a2a4: 1
a2a3: 1
b2b4: 1
b2b3: 1
c2c4: 1
c2c3: 1
d2d4: 1
d2d3: 1
e2e4: 1
e2e3: 1
f2f4: 1
f2f3: 1
g2g4: 1
g2g3: 1
h2h4: 1
h2h3: 1
b1a3: 1
b1c3: 1
g1f3: 1
g1h3: 1

nodes 20
...

$ tabiya perft 4 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 --threads 3 | head -n 1
nodes 4085603

$ for t in 1 2 7; do tabiya perft 4 --divide --threads $t startpos | grep -v -e time -e rate | cksum; done | sort -u | wc -l
1

$ for d in 0 1 2 3; do tabiya perft $d --threads 4 | head -n 1; done
nodes 1
nodes 20
nodes 400
nodes 8902

$ tabiya perft 2 --divide 8/8/8/8/8/8/8/K6k w - - | sed 's/time .*//; s/rate .*//'
a1a2: 3
a1b2: 3
a1b1: 3

nodes 9

# Castling is written as the king's two steps, or as king takes rook.

$ tabiya perft 1 --divide 4k3/8/8/8/8/8/8/4K2R w K - | grep e1g
e1g1: 1

$ tabiya perft 1 --divide --chess960 4k3/8/8/8/8/8/8/4K2R w K - | grep e1h
e1h1: 1

# A finished game has no moves.

$ tabiya perft 1 '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' | head -n 1
nodes 0

$ tabiya perft
tabiya: perft: DEPTH is missing...
[2]

$ tabiya perft x
tabiya: perft: DEPTH must be a number from 0 to 64, not "x"
[2]

$ tabiya perft 65
tabiya: perft: DEPTH must be a number from 0 to 64, not "65"
[2]

$ tabiya perft 99999999999999999999
tabiya: perft: DEPTH must be a number from 0 to 64, not "99999999999999999999"
[2]

$ tabiya perft 3 --threads 0
tabiya: perft: --threads must be a number from 1 to 1024, not "0"
[2]

$ tabiya perft 3 --threads=
tabiya: perft: --threads must be a number from 1 to 1024, not ""
[2]

$ tabiya perft 3 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1
tabiya: not a legal position:
  ...
[2]

$ tabiya perft 3 rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
tabiya: fen: field 1 (placement), column ...
[2]

# Strict reading refuses an incomplete FEN.

$ tabiya perft 1 --strict 4k3/8/8/8/8/8/8/4K3 w - -
tabiya: fen: field 5 (clock), column 26: the field is missing
[2]
