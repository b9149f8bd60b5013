# PGN that is not quite PGN is read where nothing else could be meant, with a warning: by every command that reads games.

$ printf '[Event "The "Big" Open"]\n[Result "+--"]\n\n1. e4 e5, 2. Qh5 Ke7 3. Qxe5 # 1-0\n' >odd.pgn

$ tabiya check odd.pgn
odd.pgn:1:1: warning: quotes without backslashes inside the value of a tag: "Event" (game 1)
odd.pgn:2:1: warning: forfeit read as a result: "+--" (game 1)
odd.pgn:4:9: warning: ignored: "," (game 1)
odd.pgn:4:30: warning: ignored: "#" (game 1)
1 game, 1 good, 0 bad, 5 plies

$ tabiya pgn odd.pgn 2>/dev/null
[Event "The \"Big\" Open"]
[Result "+--"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

# Games without tags end at an empty line, if a first move of White follows it.

$ printf '1. e4 e5\n\n1. d4 d5\n2. c4\n\n1.c4 {x}\n\n1... e5 (1... c5)\n' >bare.pgn

$ tabiya check bare.pgn
bare.pgn:3:1: warning: a game without tags begins after an empty line (game 2)
bare.pgn:6:1: warning: a game without tags begins after an empty line (game 3)
3 games, 3 good, 0 bad, 7 plies, 1 ply in variations

$ tabiya convert --lossy --to uci bare.pgn 2>&1 | grep -v lost
e2e4 e7e5
d2d4 d7d5 c2c4
c2c4 e7e5
tabiya: bare.pgn:3:1: warning: a game without tags begins after an empty line (game 2)
tabiya: bare.pgn:6:1: warning: a game without tags begins after an empty line (game 3)

$ tabiya rows --columns game,plies bare.pgn 2>/dev/null | tail -n 3
1,2
2,3
3,2

$ tabiya import bare.db bare.pgn 2>&1 | grep -c 'without tags'
2

$ tabiya find --count bare.db
3

$ tabiya sql bare.db "select number, warning from read_pgn('bare.pgn')"
1|
2|a game without tags begins after an empty line (game 2)
3|a game without tags begins after an empty line (game 3)

# Parts of a large file begin with games, whatever the number of threads.

$ for i in $(seq 1 30); do for j in $(seq 1 1500); do printf '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7\n\n'; done; printf '[Event "x"]\n\n1. d4 *\n\n'; done >large.pgn

$ tabiya check --threads 1 large.pgn | tail -n 1
45030 games, 45030 good, 0 bad, 450030 plies

$ tabiya check --threads 4 large.pgn | tail -n 1
45030 games, 45030 good, 0 bad, 450030 plies

$ tabiya check --threads 1 large.pgn >one.txt 2>&1; tabiya check --threads 4 large.pgn >four.txt 2>&1; cmp one.txt four.txt

$ tabiya pgn --count --threads 4 large.pgn 2>/dev/null
45030

# Good and bad games are separated at the same places.

$ printf '1. e4 Ke3\n\n1. d4 d5\n' | tabiya check --clean clean.pgn --rejects rejects.pgn - | tail -n 1
2 games, 1 good, 1 bad, 3 plies

$ cat clean.pgn
1. d4 d5

$ cat rejects.pgn
1. e4 Ke3

