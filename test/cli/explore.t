# tabiya explore: the moves played in a position.

$ . "$SOURCE/test/cli/games.sh"; tabiya import games.db games.pgn odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
10 games read: 10 stored, 0 duplicates, 0 rejected

$ tabiya explore games.db
move        games  share white  draw black                            unknown   Elo  last         reached
e4              3  37.5%   50%   50%    0%  ############============        1  2350  2021-12-31         3
d4              2  25.0%     -     -     -                                  2  2100  -                  2
f3              2  25.0%    0%    0%  100%  ------------------------        -     -  2020-02            2
Nf3             1  12.5%    0%    0%  100%  ------------------------        -  1900  2019               1
total           8          20%   20%   60%  #####=====--------------        3

$ tabiya explore games.db --limit 2
move        games  share white  draw black                            unknown   Elo  last         reached
e4              3  37.5%   50%   50%    0%  ############============        1  2350  2021-12-31         3
d4              2  25.0%     -     -     -                                  2  2100  -                  2
... and 2 more moves
total           8          20%   20%   60%  #####=====--------------        3

$ tabiya explore games.db --limit 1 --json
{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","eco":null,"name":null,"games":8,"ended":0,"white":1,"draw":1,"black":3,"unknown":3,"moves":[{"san":"e4","uci":"e2e4","games":3,"reached":3,"white":1,"draw":1,"black":0,"unknown":1,"elo":2350,"last":"2021-12-31"}]}

# By moves, with or without numbers, or by FEN; transpositions are counted.

$ tabiya explore games.db 1. e4 c5
B20 Sicilian Defense
move        games  share white  draw black                            unknown   Elo  last         reached
Nf3             1  50.0%  100%    0%    0%  ########################        -  2800  2019-05-01         2
--              1  50.0%     -     -     -                                  1     -  2019               1
total           2         100%    0%    0%  ########################        1

$ tabiya explore games.db 'e2e4 c7c5' | cmp - <(tabiya explore games.db rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2)

$ tabiya explore games.db startpos --json | cmp - <(tabiya explore games.db --json)

# Games that end here; a repeated position counts once.

$ tabiya explore games.db 1. f3 e5 2. g4 'Qh4#'
A00 Barnes Opening: Fool's Mate
move        games  share white  draw black                            unknown   Elo  last         reached
(end)           2 100.0%
total           2           0%    0%  100%  ------------------------        -

$ tabiya explore games.db '1. e4 e5 2. Nf3'
C40 King's Knight Opening
move        games  share white  draw black                            unknown   Elo  last         reached
Nf6             1 100.0%    0%  100%    0%  ========================        -  2750  2021-12-31         1
total           1           0%  100%    0%  ========================        -

# A move that was not played here is listed only on request: its position may be reached by another move order.

$ tabiya explore games.db 1. e4 d6 2. Nf3
move        games  share white  draw black                            unknown   Elo  last         reached
total           0            -     -     -                                  -
[1]

$ tabiya explore --transpositions games.db 1. e4 d6 2. Nf3
move        games  share white  draw black                            unknown   Elo  last         reached
c5              0   0.0%     -     -     -                                  -     -  -                  2
total           0            -     -     -                                  -
[1]

$ tabiya explore games.db 1. h4
A00 Kádas Opening
move        games  share white  draw black                            unknown   Elo  last         reached
total           0            -     -     -                                  -
[1]

$ tabiya explore games.db 1. h4 --json
{"fen":"rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq h3 0 1","eco":"A00","name":"Kádas Opening","games":0,"ended":0,"white":0,"draw":0,"black":0,"unknown":0,"moves":[]}
[1]

$ tabiya explore games.db --chess960 bqnbrkrn/pppppppp/8/8/2P5/8/PP1PPPPP/BQNBRKRN b KQkq - 0 1
move        games  share white  draw black                            unknown   Elo  last         reached
c5              1 100.0%     -     -     -                                  1     -  -                  1
total           1            -     -     -                                  1

# Errors.

$ tabiya explore games.db 1. e4 e4
tabiya: explore: column 7: illegal move: "e4": no pawn can go there (1...e4...
[2]

$ tabiya explore games.db 8/8/8/8/8/8/8/8 w - - 0 1
tabiya: not a legal position:
  white has no king
  black has no king
[2]

$ tabiya explore no.db
tabiya: explore: no.db: No such file or directory
[2]

$ tabiya explore
tabiya: explore: no games given: name a database, a file of games, or - for standard input...
[2]

$ tabiya explore games.db --limit x
tabiya: explore: --limit must be a number from 1 to 720, not "x"
[2]

# Among some of the games.

$ tabiya explore games.db --player carlsen | tail -n 1; tabiya explore games.db --query 'result 0-1 or result 1-0' | grep -c '^[a-h]'
total           2          50%    0%   50%  ############------------        -
2

# A query instead of a position; Nf3 is still a move.

$ tabiya explore games.db 'player carlsen' | tail -n 1; tabiya explore games.db Nf3 | head -n 1
total           2          50%    0%   50%  ############------------        -
A04 Zukertort Opening

$ tabiya explore games.db plaer carlsen
tabiya: explore: no such word: "plaer"; did you mean "player"?
  plaer carlsen
  ^
[2]

# The moves played where a query first matched.

$ tabiya explore games.db --match 'Pe4 Nf3'
move        games  share white  draw black                            unknown   Elo  last
...d6           2  66.7%   50%    0%   50%  ############------------        -  2775  2019-05-01
...Nf6          1  33.3%    0%  100%    0%  ========================        -  2750  2021-12-31
total           3          33%   33%   33%  ########========--------        -

$ tabiya explore games.db --match mate --json
{"match":"mate","games":2,"ended":2,"white":0,"draw":0,"black":2,"unknown":0,"moves":[]}

$ tabiya explore games.db --match 'Pd4 or Pe4' --result 1-0 --limit 1
move        games  share white  draw black                            unknown   Elo  last
...c5           1 100.0%  100%    0%    0%  ########################        -  2750  2019-05-01
total           1         100%    0%    0%  ########################        -

$ tabiya explore games.db --match 'Q>=3'
move        games  share white  draw black                            unknown   Elo  last
total           0            -     -     -                                  -
[1]

$ tabiya explore games.db --match iqp 1. e4; tabiya explore games.db --match mate --match check
tabiya: explore: --match cannot be used with a position...
tabiya: explore: --match is given twice
[2]

$ tabiya explore games.db --match ipq
tabiya: explore: no such word: "ipq"; did you mean "iqp"?
  ipq
  ^
[2]

# Eighty columns suffice; games without a result are then counted in the last line.
$ command -v script >/dev/null || { echo 80; echo 3 unknown; exit; }; \
    LC_ALL=C script -qec 'stty cols 80; tabiya explore games.db' /dev/null | tr -d '\r' >narrow.txt; \
    awk 'length > n { n = length } END { print n }' narrow.txt; grep -o '[0-9]* unknown' narrow.txt
80
3 unknown

# Moves with or without a blank after their number, quoted or not, are the same everywhere; a file of that name is a source.
$ for moves in '1. e4 e5' '1.e4 e5' '1.e4 e5 2.Nf3' '1. e4 e5 2. Nf3' '1.Nf3'; do \
    for command in explore novelty 'find --ids' 'export --to san' 'pgn --to san' 'rows --tsv'; do \
    cmp <(tabiya $command games.db $moves 2>&1) <(tabiya $command games.db "$moves" 2>&1); done; \
    cmp <(tabiya find games.db $moves --ids) <(tabiya find games.db "opening \"$moves\"" --ids); \
    tabiya explore games.db $moves | tail -n 1; done; \
    cmp <(tabiya find games.db 1.e4 e5) <(tabiya find games.db 1. e4 e5)
total           1           0%  100%    0%  ========================        -
total           1           0%  100%    0%  ========================        -
total           1           0%  100%    0%  ========================        -
total           1           0%  100%    0%  ========================        -
total           1           0%    0%  100%  ------------------------        -

$ tabiya explore games.db 1...e5; tabiya delete games.db 1.e4; cp games.db 1.e4; tabiya explore games.db 1.e4 | tail -n 1; rm 1.e4
tabiya: explore: column 5: illegal move: "e5": no pawn can go there (1.e5...
tabiya: delete: moves are written opening "1. e4 e5"
  1.e4
  ^
total          16          20%   20%   60%  #####=====--------------        6

$ cp "$SOURCE/test/cli/data/elo.pgn" .; tabiya import elo.db elo.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

# The moves played where a query matches, and positions that no game has
$ tabiya explore elo.db --match 'Pe4'; tabiya explore elo.db --json --match Pe4; \
    tabiya explore elo.db 8/8/8/8/8/8/8/K6k w - -; tabiya explore --match Pe4 elo.db 1. e4
move        games  share white  draw black                            unknown   Elo  last
...e5           1 100.0%  100%    0%    0%  ########################        -  2300  -
total           1         100%    0%    0%  ########################        -
{"match":"Pe4","games":1,"ended":0,"white":1,"draw":0,"black":0,"unknown":0,"moves":[{"san":"e5","side":"black","games":1,"white":1,"draw":0,"black":0,"unknown":0,"elo":2300,"last":null}]}
move        games  share white  draw black                            unknown   Elo  last         reached
total           0            -     -     -                                  -
tabiya: explore: --match cannot be used with a position...
[2]

# --explain describes the search that runs: files of games have no index.

$ for s in games.pgn games.db; do tabiya explore $s --explain 1. e4; done
moves: from 2 games one by one, by replaying them
moves: from 3 games one by one, by the index of positions as far as it goes
