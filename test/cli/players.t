# tabiya names, report and novelty.

$ game() { \
    printf '[White "%s"]\n[Black "%s"]\n[Date "%s"]\n[Result "%s"]\n[WhiteElo "%s"]\n[BlackElo "%s"]\n\n%s %s\n\n' \
    "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$4"; }; { \
    game 'Carlsen, Magnus' 'So, W' 2019.05.01 1-0 2800 2750 '1. e4 c5 2. Nf3 d6 3. Bb5+'; \
    game 'Carlsen, Magnus' 'So, Wesley' 2020.01.01 1/2-1/2 2800 2750 '1. e4 c5 2. Nf3 d6 3. d4'; \
    game 'Carlsen,M' 'Anna' 2020.01.02 0-1 2800 '' '1. d4 d5'; \
    game Bert 'Magnus Carlsen' '????.??.??' '*' 2500 2800 '1. d4 d5 2. c4'; \
    game 'Polgar, J' 'Karpov, Anatoly' 2021.01.01 1-0 '' '' '1. c4'; \
    game 'Polgar, Judit' 'Li, M' 2021.01.01 1-0 '' '' '1. c4'; \
    game 'Li, Ming' 'Li, Mo' 2021.01.01 1-0 '' '' '1. Nf3'; \
    game 'Karpov, Anatoli' 'Polgár, Judit' 2021.01.01 1-0 '' '' '1. Nc3'; } >games.pgn; tabiya check games.pgn
8 games, 8 good, 0 bad, 19 plies

# Spellings that may be the same player, but not those that may be one player or another.

$ tabiya names games.pgn -o names.tsv; cat names.tsv
Carlsen,M	Carlsen, Magnus	1	2
Karpov, Anatoly	Karpov, Anatoli	1	1
Magnus Carlsen	Carlsen, Magnus	1	2
Polgar, J	Polgár, Judit	1	1
Polgar, Judit	Polgár, Judit	1	1
So, W	So, Wesley	1	1

# A name never becomes an initial, nor a spelling that may be several players.

$ g() { for i in $(seq "$2"); do printf '[White "%s"]\n\n1. e4 *\n\n' "$1"; done; }; { g Kasparov,G 5; \
    g Kasparov,Georgy 2; } >two.pgn; tabiya names two.pgn; { cat two.pgn; g Kasparov,Garry 3; g 'Georgy Kasparov' 1; \
    } >three.pgn; tabiya names three.pgn
Georgy Kasparov	Kasparov,Georgy	1	2

# People whom a source numbers, father and son, and people who have met or played different games in one round of one event
# are never proposed, nor joined by ~; one game whose names are spelt in two ways is.

$ g() { printf '[Event "%s"]\n[Round "%s"]\n[White "%s"]\n[Black "%s"]\n\n1. e4 *\n\n' "$1" "$2" "$3" "$4"; }; { \
    g A 1 Fridman,D Bo; g A 2 Fridman,D2 Bo; g B 1 Stratil,L Bo; g B 2 'Stratil,L jr' Bo; g C 1 Nagy,G Nagy,Gabor; \
    g D 1 Erwich,Frans Al; g D 1 Erwich,Frank Cy; g E 1 'Short, N' 'Adams, M'; g E 1 'Nigel Short' 'Michael Adams'; \
    } >apart.pgn; tabiya import apart.db apart.pgn; for s in apart.pgn apart.db; do tabiya names $s; done; \
    for n in Fridman,D Stratil,L Nagy,G 'Erwich, Frans' 'N Short' Fridman; do \
    tabiya find apart.db "player ~\"$n\"" --count; done
9 games read: 9 stored, 0 duplicates, 0 rejected
Adams, M	Michael Adams	1	1
Short, N	Nigel Short	1	1
Adams, M	Michael Adams	1	1
Short, N	Nigel Short	1	1
1
1
1
1
2
2

# The same people in a file, a database and from standard input; II and III are as different as Jr and Sr.

$ g() { printf '[Event "%s"]\n[Round "%s"]\n[White "%s"]\n[Black "%s"]\n\n1. e4 *\n\n' "$1" "$2" "$3" "$4"; }; { \
    g A 1 Fridman,D Bo; g A 2 Fridman,D2 Bo; g C 1 Nagy,G Nagy,Gabor; g D 1 Erwich,Frans Al; g D 1 Erwich,Frank Cy; \
    g E 1 'Short, N' 'Adams, M'; g E 1 'Nigel Short' 'Michael Adams'; g F 1 'Fort,Zeb II' Al; \
    g F 2 'Fort,Zeb III' Al; g F 3 'Fort,Z' Al; \
    g H 1 Sai,S Al; g H 2 Sai,Sr Al; } >people.pgn; tabiya import people.db people.pgn; \
    for n in Fridman,D Nagy,G 'Erwich, Frans' 'N Short' Fridman 'Zeb Fort II' Fort,Zeb; do \
    for s in people.db people.pgn -; do tabiya find $s --player "$n" --count <people.pgn; \
    tabiya export $s "player ~\"$n\"" --to count <people.pgn; \
    tabiya rows $s --query "white ~\"$n\" or black ~\"$n\"" --columns game <people.pgn | grep -c '^[0-9]'; \
    tabiya report $s "$n" <people.pgn | sed -n '1s/.*: \([0-9]*\) .*/\1/p'; done | paste -s; done; \
    tabiya names people.pgn
12 games read: 12 stored, 0 duplicates, 0 rejected
1	1	1	1	1	1	1	1	1	1	1	1
1	1	1	1	1	1	1	1	1	1	1	1
1	1	1	1	1	1	1	1	1	1	1	1
2	2	2	2	2	2	2	2	2	2	2	2
2	2	2	2	2	2	2	2	2	2	2	2
1	1	1	1	1	1	1	1	1	1	1	1
1	1	1	1	1	1	1	1	1	1	1	1
Adams, M	Michael Adams	1	1
Short, N	Nigel Short	1	1

$ tabiya pgn --names names.tsv games.pgn -o clean.pgn; tabiya names clean.pgn; tabiya names --all clean.pgn
Anna	1
Bert	1
Carlsen, Magnus	4
Karpov, Anatoli	2
Li, M	1
Li, Ming	1
Li, Mo	1
Polgár, Judit	3
So, Wesley	2

$ tabiya import games.db games.pgn >/dev/null; tabiya names games.db | cmp - names.tsv; printf 'Anna\n' >bad; \
    tabiya pgn --names bad games.pgn; printf 'A\tB\nA\tC\n' >bad; tabiya pgn --names bad games.pgn; tabiya names; \
    tabiya names missing.pgn
tabiya: pgn: bad:1: a name, a tab and another name were expected
tabiya: pgn: bad:2: "A" is renamed twice
tabiya: names: no games given: name a database, a file of games, or - for standard input...
tabiya: names: missing.pgn: No such file or directory
[2]

# A player's score.

$ tabiya report games.db carlsen
carlsen: 4 games

colour                             games   won drawn  lost   score    Elo  perf
white                                  3     1     1     1   50.0%   2750  2941
black                                  1     0     0     0       -      -     -

opening                            games   won drawn  lost   score    Elo  perf
Sicilian Defense (white)               2     1     1     0   75.0%   2750  2941
Queen's Gambit (black)                 1     0     0     0       -      -     -
Queen's Pawn Game (white)              1     0     0     1    0.0%      -     -

variation                          games   won drawn  lost   score    Elo  perf
B50 Sicilian Defense (white)           1     0     1     0   50.0%   2750  2750
B51 Moscow Variation (white)           1     1     0     0  100.0%   2750  3550
D00 Queen's Pawn Game (white)          1     0     0     1    0.0%      -     -
D06 Queen's Gambit (black)             1     0     0     0       -      -     -

year                               games   won drawn  lost   score    Elo  perf
2019                                   1     1     0     0  100.0%   2750  3550
2020                                   2     0     1     1   25.0%   2750  2750
not known                              1     0     0     0       -      -     -

opponent's Elo                     games   won drawn  lost   score    Elo  perf
2400-2599                              1     0     0     0       -      -     -
2600-2799                              2     1     1     0   75.0%   2750  2941
not known                              1     0     0     1    0.0%      -     -

opponent                           games   won drawn  lost   score    Elo  perf
Anna                                   1     0     0     1    0.0%      -     -
Bert                                   1     0     0     0       -      -     -
So, W                                  1     1     0     0  100.0%   2750  3550
So, Wesley                             1     0     1     0   50.0%   2750  2750

name                               games   won drawn  lost   score    Elo  perf
Carlsen, Magnus                        2     1     1     0   75.0%   2750  2941
Carlsen,M                              1     0     0     1    0.0%      -     -
Magnus Carlsen                         1     0     0     0       -      -     -

$ tabiya report games.db 'Carlsen, M*' 'date 2020' --limit 1 | sed -n '1,/more/p'; \
    tabiya report --json --limit 1 games.db anna; tabiya report games.db nobody; \
    tabiya report games.db anna 'no such'; tabiya report games.db
Carlsen, M*: 1 game

colour                             games   won drawn  lost   score    Elo  perf
white                                  1     0     1     0   50.0%   2750  2750

opening                            games   won drawn  lost   score    Elo  perf
Sicilian Defense (white)               1     0     1     0   50.0%   2750  2750

variation                          games   won drawn  lost   score    Elo  perf
B50 Sicilian Defense (white)           1     0     1     0   50.0%   2750  2750

year                               games   won drawn  lost   score    Elo  perf
2020                                   1     0     1     0   50.0%   2750  2750

opponent's Elo                     games   won drawn  lost   score    Elo  perf
2600-2799                              1     0     1     0   50.0%   2750  2750

opponent                           games   won drawn  lost   score    Elo  perf
So, Wesley                             1     0     1     0   50.0%   2750  2750
{"player":"anna","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600,"colors":[{"key":"black","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}],"openings":[{"key":"Queen's Pawn Game (black)","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}],"variations":[{"key":"D00 Queen's Pawn Game (black)","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}],"years":[{"key":"2020","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}],"ratings":[{"key":"2800-2999","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}],"opponents":[{"key":"Carlsen,M","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}],"names":[{"key":"Anna","games":1,"won":1,"drawn":0,"lost":0,"score":100,"elo":2800,"performance":3600}]}
tabiya: report: no game of "nobody" was found...
tabiya: report: no such word: "no"; did you mean "not"?
  no such
  ^
tabiya: report: no player given...
[2]

# The performance is the rating whose expectations against each opponent add up to the score: 2 of 3 against 2000, 2000 and 2800. A game without a result counts in neither column.

$ for game in 'x 2000 1-0' 'y 2000 1-0' 'z 2800 0-1' 'u 1000 *'; do set -f; set -- $game; \
    printf '[White "p"]\n[Black "%s"]\n[BlackElo "%s"]\n[Result "%s"]\n\n1. e4 e5 %s\n\n' "$1" "$2" "$3" "$3"; \
    done >perf.pgn; tabiya report perf.pgn p | sed -n 3,4p
colour                             games   won drawn  lost   score    Elo  perf
white                                  4     2     0     1   66.7%   2267  2466

# Moves played equally often are in the order of the tree, however the games arrived.

$ for order in 'e5 c5 a6' 'a6 c5 e5'; do rm -f ties.db; for move in $order; do \
    printf '[White "w%s"]\n\n1. e4 %s *\n' $move $move; done | tabiya import ties.db - >/dev/null; \
    tabiya novelty ties.db 1. e4 h5; done
new: 1... h5 (ply 2)
3 games reach the position before it
  a6             1  last ?
  c5             1  last ?
  e5             1  last ?
new: 1... h5 (ply 2)
3 games reach the position before it
  a6             1  last ?
  c5             1  last ?
  e5             1  last ?

# Novelties: the game itself and later ones do not count, transpositions do.

$ tabiya novelty games.db 2; tabiya novelty games.db 1
new: 3. d4 (ply 5)
1 game reaches the position before it
  Bb5+           1  last 2019-05-01
new: 1. e4 (ply 1)
0 games reach the position before it

$ tabiya novelty games.db 1 --any-date; tabiya novelty games.db 1. Nf3 c5 2. e4 d6 3. Bb5+ Nd7; \
    tabiya novelty games.db 1. e4 c5; tabiya novelty games.db games.pgn --game 4 --any-date
new: 3. Bb5+ (ply 5)
1 game reaches the position before it
  d4             1  last 2020-01-01
new: 1... c5 (ply 2)
1 game reaches the position before it
nothing new in 2 half-moves; 2 games reach the end
new: 2. c4 (ply 3)
1 game reaches the position before it

# A stored game is not compared with itself, given by its number or in a file, stored once or twice; a game of other
# players with the same moves counts.

$ tabiya import twice.db games.pgn >/dev/null; tabiya import --duplicates keep twice.db games.pgn >/dev/null; \
    for g in 2 10 'games.pgn --game 2'; do tabiya novelty twice.db $g | head -n 1; done; \
    tabiya novelty games.db games.pgn --game 2 | head -n 1; sed 's/So, Wesley/Anna/' games.pgn >others.pgn; \
    tabiya novelty games.db others.pgn --game 2
new: 3. d4 (ply 5)
new: 3. d4 (ply 5)
new: 3. d4 (ply 5)
new: 3. d4 (ply 5)
nothing new in 5 half-moves; 1 game reaches the end
[1]

$ tabiya novelty --json games.db 2; tabiya novelty games.db 99; tabiya novelty games.db 1. e5; \
    tabiya novelty games.db games.pgn --game 99; tabiya novelty games.db
{"new":true,"ply":5,"fen":"rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3","games":1,"move":"d4","played":[{"san":"Bb5+","games":1}]}
tabiya: novelty: games.db has no game 99
tabiya: novelty: "1. e5" is neither a game of the database nor a file nor a line of moves: illegal move: "e5": no pawn can go there (ply 1...
tabiya: novelty: games.pgn has no game 99
game     new              before  players
1        1. e4                 0  Carlsen, Magnus - So, W  2019.05.01
2        3. d4                 1  Carlsen, Magnus - So, Wesley  2020.01.01
3        1. d4                 2  Carlsen,M - Anna  2020.01.02
4        2. c4                 1  Bert - Magnus Carlsen  ????.??.??
5        -                     1  Polgar, J - Karpov, Anatoly  2021.01.01
6        -                     1  Polgar, Judit - Li, M  2021.01.01
7        1. Nf3                6  Li, Ming - Li, Mo  2021.01.01
8        1. Nc3                6  Karpov, Anatoli - Polgár, Judit  2021.01.01

# Control characters in names do not reach the terminal: ESC, BEL, DEL, and CSI as one Unicode character.

$ cp "$SOURCE/test/cli/data/players/control.pgn" control.pgn; tabiya import control.db control.pgn; \
    for c in "find control.db" "find control.db --tsv" "find control.db --to csv" "names control.db --all" \
    "names control.pgn" "report control.db mE"; do tabiya $c; done >out 2>&1; \
    LC_ALL=C tr -d '\n\t -~' <out | od -An -c; tabiya find control.db --limit 1; tabiya names control.db --all; \
    tabiya find control.db --to csv --limit 1 | tail -n 1 | cut -d , -f 1-7
2 games read: 2 stored, 0 duplicates, 0 rejected
1  A?[2JB? - C?D??mE  *  ?  E?]0;x  ?c King's Pawn Game  1 ply
A?[2JB?	2
C?D??mE	1
c?D??mE	1
1,A [2JB ,,C D  mE,,*,

# Nor do those in messages, whatever they quote.

# not under Wine: it starts no scripts
$ printf '%s\n' '#!/bin/sh' \
    'read l; printf "id name E\033[31mvil\nuciok\n"; while read l && [ "$l" != isready ]; do :; done; echo readyok; read l' \
    >engine; chmod +x engine; tabiya annotate --engine ./engine control.pgn >/dev/null; \
    tabiya pgn "$(printf 'no\033[2J.pgn')"
tabiya: annotate: E?[31mvil has ended
tabiya: no?[2J.pgn: No such file or directory
[2]

# To find the game itself, only games that may be the same are read, so a damaged game that is longer does not matter. A
# game that repeats a position or has a null move is found too, however often it is stored.

$ cp "$SOURCE/test/cli/data/players/short.pgn" short.pgn; tabiya import short.db short.pgn; \
    tabiya sql short.db --write "UPDATE game SET annotated = x'00' WHERE id = 2"; tabiya novelty short.db 1
2 games read: 2 stored, 0 duplicates, 0 rejected
new: 1. e4 (ply 1)
0 games reach the position before it

$ cp "$SOURCE/test/cli/data/players/again.pgn" again.pgn; tabiya import again.db again.pgn; tabiya novelty again.db; \
    tabiya novelty again.db again.pgn --game 4
tabiya: again.pgn:12:7: warning: null move in the main line: "--" (game 3)
tabiya: again.pgn:17:7: warning: null move in the main line: "--" (game 4)
4 games read: 4 stored, 0 duplicates, 0 rejected
game     new              before  players
1        1. Nf3                2  A - ?  ?
2        1. Nf3                2  A - ?  ?
3        1. e4                 2  A - ?  ?
4        1. e4                 2  A - ?  ?
new: 1. e4 (ply 1)
2 games reach the position before it
  Nf3            2  last ?

# Other games of the same players count, even if they end in the same position.

$ cp "$SOURCE/test/cli/data/players/order.pgn" order.pgn; tabiya import order.db order.pgn; tabiya novelty order.db
2 games read: 2 stored, 0 duplicates, 0 rejected
game     new              before  players
1        1. e4                 1  A - ?  ?
2        1. Nf3                1  A - ?  ?

# Many games: a table, for a query, for a whole file against a database, or for a file against itself.

$ tabiya novelty games.db 'player carlsen'; tabiya novelty games.db games.pgn 'player polgar' --any-date; \
    tabiya novelty games.pgn --limit 2; tabiya novelty games.db 'player nobody'
game     new              before  players
1        1. e4                 0  Carlsen, Magnus - So, W  2019.05.01
2        3. d4                 1  Carlsen, Magnus - So, Wesley  2020.01.01
3        1. d4                 2  Carlsen,M - Anna  2020.01.02
4        2. c4                 1  Bert - Magnus Carlsen  ????.??.??
game     new              before  players
5        -                     1  Polgar, J - Karpov, Anatoly  2021.01.01
6        -                     1  Polgar, Judit - Li, M  2021.01.01
8        1. Nc3                7  Karpov, Anatoli - Polgár, Judit  2021.01.01
game     new              before  players
1        1. e4                 0  Carlsen, Magnus - So, W  2019.05.01
2        3. d4                 1  Carlsen, Magnus - So, Wesley  2020.01.01
[1]

$ tabiya novelty games.db 'id 1..2' --json; tabiya novelty games.db --sort=-date --limit 2; \
    tabiya novelty games.db games.pgn --sample 3,1 | wc -l; tabiya novelty games.db 1. e4 --sort date
{"source":"games.db","id":1,"white":"Carlsen, Magnus","black":"So, W","date":"2019.05.01","new":true,"ply":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","games":0,"move":"e4","played":[]}
{"source":"games.db","id":2,"white":"Carlsen, Magnus","black":"So, Wesley","date":"2020.01.01","new":true,"ply":5,"fen":"rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3","games":1,"move":"d4","played":[{"san":"Bb5+","games":1}]}
game     new              before  players
5        -                     1  Polgar, J - Karpov, Anatoly  2021.01.01
6        -                     1  Polgar, Judit - Li, M  2021.01.01
4
tabiya: novelty: conditions, --limit, --offset, --sort and --sample do not apply to a single game
[2]

# A short word is not an abbreviation of a longer name: "and" is not Anderson.

$ tabiya report "$SOURCE/examples/famous.pgn" anderson
tabiya: report: no game of "anderson" was found...
tabiya: report: similar names: Adolf Anderssen
[1]

# --limit 0 lists all opponents, however many there are.

$ for i in $(seq 1203); do printf '[White "Hero"]\n[Black "Foe %d"]\n\n1. e4 e5 1-0\n\n' $i; done >many.pgn; \
    tabiya report --tsv --limit 0 many.pgn Hero | grep -c Foe; \
    tabiya report --tsv --limit 0 many.pgn Hero | grep -c others
1203
0
[1]

$ cp "$SOURCE/test/cli/data/elo.pgn" .; tabiya import elo.db elo.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

$ rm -f games.db; cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected

# Reports: names, limits, games without ratings or openings.
$ tabiya report elo.db A; tabiya report --json elo.db C; tabiya report --limit 1 games.db 'morphy' | tail -n 4; \
    tabiya report --json --limit 1 games.db morphy | tr , '\n' | grep -c key
A: 1 game

colour                             games   won drawn  lost   score    Elo  perf
white                                  1     1     0     0  100.0%   2300  3100

opening                            games   won drawn  lost   score    Elo  perf
King's Pawn Game (white)               1     1     0     0  100.0%   2300  3100

variation                          games   won drawn  lost   score    Elo  perf
C20 King's Pawn Game (white)           1     1     0     0  100.0%   2300  3100

year                               games   won drawn  lost   score    Elo  perf
not known                              1     1     0     0  100.0%   2300  3100

opponent's Elo                     games   won drawn  lost   score    Elo  perf
2200-2399                              1     1     0     0  100.0%   2300  3100

opponent                           games   won drawn  lost   score    Elo  perf
B                                      1     1     0     0  100.0%   2300  3100
{"player":"C","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null,"colors":[{"key":"white","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}],"openings":[{"key":"Queen's Pawn Game (white)","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}],"variations":[{"key":"D00 Queen's Pawn Game (white)","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}],"years":[{"key":"not known","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}],"ratings":[{"key":"not known","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}],"opponents":[{"key":"D","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}],"names":[{"key":"C","games":1,"won":0,"drawn":0,"lost":1,"score":0,"elo":null,"performance":null}]}

opponent                           games   won drawn  lost   score    Elo  perf
Adolf Anderssen                        1     1     0     0  100.0%      -     -
... and 4 more
9

# Spellings of names
$ for n in 'Tal, Mihail' 'Tal, M' 'Tal,Mikhail' 'Kasparov, Garry' 'Kasparov, G.' 'Kasparow, Garry' \
    'Kasparovv, Garry' 'Ta' 'Tal' '?' '' 'van der Berg, Jan' 'Van den Berg, Jan' 'Li' 'Lin'; do \
    printf '[White "%s"]\n[Black "x"]\n\n1. e4 *\n\n' "$n"; done >spellings.pgn; tabiya names spellings.pgn
Kasparov, G.	Kasparov, Garry	1	1
Tal, M	Tal, Mihail	1	1
Tal,Mikhail	Tal, Mihail	1	1

$ printf '# a comment\n\nTal, M\tTal, Mikhail\n\r\n' >names.txt; \
    tabiya pgn --names names.txt spellings.pgn 'white "Tal, M"' | grep White; printf 'no tab\n' >names.txt; \
    tabiya pgn --names names.txt spellings.pgn; printf '\tx\n' >names.txt; \
    tabiya pgn --names names.txt spellings.pgn; printf 'x\t\n' >names.txt; tabiya pgn --names names.txt spellings.pgn
[White "Tal, Mikhail"]
tabiya: pgn: names.txt:1: a name, a tab and another name were expected
tabiya: pgn: names.txt:1: a name, a tab and another name were expected
tabiya: pgn: names.txt:1: a name, a tab and another name were expected
[2]
