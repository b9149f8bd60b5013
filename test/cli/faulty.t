# A game with a fault, in every command that reads files of games: it is reported and left out, and the exit code is not 0. It is
# 1 if games are counted, stored or converted, and 2 if they are the output, which then lacks one. Only names counts it anyway.

$ printf '[White "A"]\n\n1. e4 e5 1-0\n\n[White "B"]\n\n1. e4 e5 2. Qh6 *\n\n[White "C"]\n\n1. d4 d5 1/2-1/2\n' >faulty.pgn

$ tabiya check faulty.pgn
faulty.pgn:7:13: illegal move: "Qh6": ...
3 games, 2 good, 1 bad, ...
[1]

$ tabiya import games.db faulty.pgn
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
3 games read: 2 stored, 0 duplicates, 1 rejected
[1]

$ tabiya rows faulty.pgn --columns White
White
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
A
C
[1]

$ tabiya tree grow --games faulty.pgn -o tree
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
5 nodes, depth 2
3 games read: 2 counted, 0 not from this root, 1 rejected
[1]

$ tabiya tree show faulty.pgn | tail -n 3; exit "${PIPESTATUS[0]}"
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
d4       d4    #1             1  +0 =1 -0
e4       e4    #2             1  +1 =0 -0
comment games ...
[1]

$ tabiya tree show faulty.pgn 1. d4 d5 2. c4
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
tabiya: tree show: node #3 has no move c4
[1]

$ tabiya tree export faulty.pgn --to pgn | grep -c ' d5$'; exit "${PIPESTATUS[0]}"
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
1
[1]

$ tabiya convert faulty.pgn --to uci
e2e4 e7e5

d2d4 d7d5
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
[2]

$ tabiya convert faulty.pgn --to json | wc -l; exit "${PIPESTATUS[0]}"
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
2
[2]

$ tabiya pgn faulty.pgn | grep -c White; exit "${PIPESTATUS[0]}"
tabiya: faulty.pgn:7:13: illegal move: "Qh6": ...
2
[2]

$ tabiya show faulty.pgn --game 2
tabiya: show: faulty.pgn: game 2 has a fault...
[2]

$ tabiya novelty games.db faulty.pgn --game 2
tabiya: novelty: faulty.pgn: game 2 has a fault...
[2]

# Its names count: the fault is in the moves.
$ tabiya names --all faulty.pgn
tabiya: faulty.pgn:7:13: illegal move: "Qh6": no such piece can go there (game 2, 2.Qh6...
A	1
B	1
C	1

# A game that is too long for a query was silently left out of a tree.
$ (printf '1. e4 *\n\n1. '; for i in $(seq 4425); do printf 'Nf3 Nf6 Ng1 Ng8 '; done; printf '*\n') >long.pgn

$ tabiya tree grow --games long.pgn --plies 1 -o long 'ply 0'
tabiya: long.pgn:3: text too long: the game has too many half-moves for a query (game 2)
2 nodes, depth 1
2 games found: 1 counted, 0 not from this root, 1 rejected
[1]

# The program does not search files.
$ tabiya find faulty.pgn 'player A'
tabiya: faulty.pgn:7:13: illegal move: "Qh6": no such piece can go there (game 2, 2.Qh6...
1  A - ?  1-0  ?  ?  C20 King's Pawn Game  2 plies
[2]

# For a game without a fault every command exits with 0.
$ printf '1. e4 e5 1-0\n' >good.pgn

$ for c in 'check' 'rows' 'convert --to uci' 'pgn' 'tree show' 'tree export' 'import good.db' \
    'tree grow -o good --games'; do tabiya $c good.pgn >/dev/null || echo "$c: $?"; done
