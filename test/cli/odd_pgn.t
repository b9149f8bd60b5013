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

# In a Result tag, marks of a better position are forfeits; among moves they are NAGs.

$ for r in '+-' '+/-' '-+' '-/+' '+--'; do printf '[Result "%s"]\n\n1. e4 e5 2. Nf3 +- *\n\n' "$r"; \
    printf '[White "A"]\n[Result "%s"]\n\n*\n\n' "$r"; done >forfeits.pgn; tabiya check forfeits.pgn; \
    tabiya import forfeits.db forfeits.pgn 2>/dev/null; for q in 'result 1-0' 'result 0-1' 'tag Result "+/-"'; do \
    tabiya find forfeits.db "$q" --count; tabiya find forfeits.pgn "$q" --count 2>/dev/null; done; \
    tabiya pgn --limit 2 forfeits.pgn 2>/dev/null
forfeits.pgn:1:1: warning: forfeit read as a result: "+-" (game 1)
forfeits.pgn:6:1: warning: forfeit read as a result: "+-" (game 2)
forfeits.pgn:10:1: warning: forfeit read as a result: "+/-" (game 3)
forfeits.pgn:15:1: warning: forfeit read as a result: "+/-" (game 4)
forfeits.pgn:19:1: warning: forfeit read as a result: "-+" (game 5)
forfeits.pgn:24:1: warning: forfeit read as a result: "-+" (game 6)
forfeits.pgn:28:1: warning: forfeit read as a result: "-/+" (game 7)
forfeits.pgn:33:1: warning: forfeit read as a result: "-/+" (game 8)
forfeits.pgn:37:1: warning: forfeit read as a result: "+--" (game 9)
forfeits.pgn:42:1: warning: forfeit read as a result: "+--" (game 10)
10 games, 10 good, 0 bad, 15 plies
10 games read: 10 stored, 0 duplicates, 0 rejected
6
6
4
4
2
2
[Result "+-"]

1. e4 e5 2. Nf3 $18 1-0

[White "A"]
[Result "+-"]

1-0

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

$ for i in $(seq 1 30); do for j in $(seq 1 1500); do \
    printf '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7\n\n'; done; printf '[Event "x"]\n\n1. d4 *\n\n'; \
    done >large.pgn

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

