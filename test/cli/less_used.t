# What the other transcripts leave out, command by command.

$ cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn; printf '[White "A"]\n[Black "B"]\n[WhiteElo "2500"]\n[BlackElo "2300"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n[White "C"]\n[Black "D"]\n[WhiteElo "2450"]\n[Result "0-1"]\n\n1. d4 d5 0-1\n\n[White "E"]\n[Black "F"]\n[Result "*"]\n\n1. c4 *\n\n[White "G"]\n[Black "H"]\n[BlackElo "2600"]\n\n1. Nf3 Nf6 2. g3 *\n' >elo.pgn; tabiya import elo.db elo.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected
4 games read: 4 stored, 0 duplicates, 0 rejected

# Ratings: the mean, or the known one; unknown ratings come last.
$ tabiya find elo.db --sort elo; tabiya find elo.db --sort=-elo; tabiya find elo.db --sort plies,elo --limit 2
1  A (2500) - B (2300)  1-0  ?  ?  C20 King's Pawn Game  2 plies
2  C (2450) - D  0-1  ?  ?  D00 Queen's Pawn Game  2 plies
3  E - F  *  ?  ?  A10 English Opening  1 ply
4  G - H (2600)  *  ?  ?  A05 Zukertort Opening  3 plies
1  A (2500) - B (2300)  1-0  ?  ?  C20 King's Pawn Game  2 plies
2  C (2450) - D  0-1  ?  ?  D00 Queen's Pawn Game  2 plies
3  E - F  *  ?  ?  A10 English Opening  1 ply
4  G - H (2600)  *  ?  ?  A05 Zukertort Opening  3 plies
3  E - F  *  ?  ?  A10 English Opening  1 ply
1  A (2500) - B (2300)  1-0  ?  ?  C20 King's Pawn Game  2 plies

$ tabiya pgn --sort elo --to san elo.pgn; tabiya pgn --sort=-elo --to san elo.pgn; tabiya pgn --sort plies,-white --to san elo.pgn; tabiya pgn --sort Annotator --to san elo.pgn
e4 e5
d4 d5
c4
Nf3 Nf6 g3
e4 e5
d4 d5
c4
Nf3 Nf6 g3
c4
d4 d5
e4 e5
Nf3 Nf6 g3
e4 e5
d4 d5
c4
Nf3 Nf6 g3

# Each kind of index; the answers are the same.
$ tabiya find games.db --count 'Nf6 event "Casual game"'; for i in stood material pawns events eco; do tabiya import --index $i $i.db games.pgn >out; tabiya find $i.db --count 'Nf6 event "Casual game"'; tabiya verify $i.db; done
2
2
58 games, 0 faults
2
58 games, 0 faults
2
58 games, 0 faults
2
58 games, 0 faults
2
58 games, 0 faults

# import: tags that no database can hold, games that are too long, other variants, several inputs, one of them missing.
$ printf '[Event "a\377b"]\n[White "\303"]\n\n1. e4 *\n' >latin.pgn; tabiya import latin.db latin.pgn; tabiya export latin.db | head -n 1
1 game read: 1 stored, 0 duplicates, 0 rejected
[Event "aÿb"]

$ printf '[Variant "Atomic"]\n\n1. e4 *\n' >atomic.pgn; tabiya import v.db atomic.pgn; tabiya import --any-variant v.db atomic.pgn; tabiya pgn --any-variant --to san atomic.pgn; tabiya check --any-variant atomic.pgn; tabiya import v.db no.pgn elo.pgn; tabiya import --json --duplicates keep v.db elo.pgn
tabiya: atomic.pgn:1:1: the variant is not supported: "Atomic": only chess and Chess960 are (game 1)
1 game read: 0 stored, 0 duplicates, 1 rejected
1 game read: 1 stored, 0 duplicates, 0 rejected
e4
1 game, 1 good, 0 bad, 1 ply
tabiya: no.pgn: No such file or directory
4 games read: 4 stored, 0 duplicates, 0 rejected
{"read":4,"stored":4,"duplicates":0,"rejected":0}

$ printf '{ a comment\n1. e4 e9 *\n' >brace.pgn; printf '[Event "x"]\n\n{open} 1. e4 e9 {and} *\n\n1. d4 d9 *\n' >brace2.pgn; tabiya import --rejects rejects.pgn r.db brace2.pgn brace.pgn; cat rejects.pgn
tabiya: brace2.pgn:3:14: invalid move text: "e9": a square was expected (game 1, 1...e9, FEN rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1)
tabiya: brace2.pgn:5:7: invalid move text: "d9": a square was expected (game 2, 1...d9, FEN rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1)
tabiya: brace.pgn:1:1: invalid PGN: "{": the comment is not closed (game 1)
3 games read: 0 stored, 0 duplicates, 3 rejected
[Event "x"]

{open} 1. e4 e9 {and} *

[Event "?"]
1. d4 d9 *

[Event "?"]
{ a comment
1. e4 e9 *

$ { tabiya convert --to json elo.pgn | head -n 2 | sed '1s/"e4"/"e9"/'; echo '{"x"'; } >games.json; tabiya import --rejects rejects.json j.db games.json; cat rejects.json; tabiya check --rejects r1.json --clean c1.json games.json; cat r1.json c1.json
tabiya: games.json:1:129: invalid move text: a square was expected (game 1)
tabiya: games.json:3:5: invalid JSON: : expected (game 3)
3 games read: 1 stored, 0 duplicates, 2 rejected
{"tags":[["White","A"],["Black","B"],["WhiteElo","2500"],["BlackElo","2300"],["Result","1-0"]],"result":"1-0","moves":[{"san":"e9"},{"san":"e5"}]}
{"x"
games.json:1:129: invalid move text: a square was expected (game 1)
games.json:3:5: invalid JSON: : expected (game 3)
3 games, 1 good, 2 bad, 2 plies
{"tags":[["White","A"],["Black","B"],["WhiteElo","2500"],["BlackElo","2300"],["Result","1-0"]],"result":"1-0","moves":[{"san":"e9"},{"san":"e5"}]}
{"x"
{"tags":[["White","C"],["Black","D"],["WhiteElo","2450"],["Result","0-1"]],"result":"0-1","moves":[{"san":"d4"},{"san":"d5"}]}

# A null move in the main line, in tables.
$ printf '[White "A"]\n\n1. e4 -- 2. d4 *\n' >null.pgn; tabiya rows null.pgn; tabiya rows --positions --columns fen,move null.pgn; tabiya import null.db null.pgn; tabiya rows --moves null.db; tabiya tree grow --games null.db -o null; tabiya tree grow --games null.pgn -o null2; tabiya show --game 1 --ply 2 --svg null.pgn | grep -c '<svg'; tabiya explore null.db e4; tabiya novelty games.db null.pgn
game,White,Black,result,white_elo,black_elo,Date,Event,eco,opening,plies
tabiya: null.pgn:3:7: warning: null move in the main line: "--" (game 1)
1,A,,*,,,,,B00,King's Pawn Game,3
tabiya: rows: column "move": there is no such column; tags begin with a capital
tabiya: null.pgn:3:7: warning: null move in the main line: "--" (game 1)
1 game read: 1 stored, 0 duplicates, 0 rejected
game,ply,side,san,uci,fen,result
1,1,white,e4,e2e4,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,*
1,2,black,--,0000,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1,*
1,3,white,d4,d2d4,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2,*
2 nodes, depth 1
1 game read: 1 counted, 0 not from this root, 0 rejected
tabiya: null.pgn:3:7: warning: null move in the main line: "--" (game 1)
2 nodes, depth 1
1 game read: 1 counted, 0 not from this root, 0 rejected
1
B00 King's Pawn Game
move        games  share white  draw black                            unknown   Elo  last         reached
--              1 100.0%     -     -     -                                  1     -  -                  1
total           1            -     -     -                                  1
tabiya: null.pgn:3:7: warning: null move in the main line: "--" (game 1)
nothing new in 1 half-move; 27 games reach the end
[1]

# check: warnings as JSON.
$ tabiya check --json --warnings null.pgn
null.pgn:3:7: warning: null move in the main line: "--" (game 1)
{"games":1,"good":1,"bad":0,"plies":3,"variation_plies":0,"warnings":1}

# report: names, limits, games without ratings or openings.
$ tabiya report elo.db A; tabiya report --json elo.db C; tabiya report --limit 1 games.db 'morphy' | tail -n 4; tabiya report --json --limit 1 games.db morphy | tr , '\n' | grep -c key
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

# names
$ for n in 'Tal, Mihail' 'Tal, M' 'Tal,Mikhail' 'Kasparov, Garry' 'Kasparov, G.' 'Kasparow, Garry' 'Kasparovv, Garry' 'Ta' 'Tal' '?' '' 'van der Berg, Jan' 'Van den Berg, Jan' 'Li' 'Lin'; do printf '[White "%s"]\n[Black "x"]\n\n1. e4 *\n\n' "$n"; done >spellings.pgn; tabiya names spellings.pgn
Kasparov, G.	Kasparov, Garry	1	1
Tal, M	Tal, Mihail	1	1
Tal,Mikhail	Tal, Mihail	1	1

$ printf '# a comment\n\nTal, M\tTal, Mikhail\n\r\n' >names.txt; tabiya pgn --names names.txt spellings.pgn 'white "Tal, M"' | grep White; printf 'no tab\n' >names.txt; tabiya pgn --names names.txt spellings.pgn; printf '\tx\n' >names.txt; tabiya pgn --names names.txt spellings.pgn; printf 'x\t\n' >names.txt; tabiya pgn --names names.txt spellings.pgn
[White "Tal, Mikhail"]
tabiya: pgn: names.txt:1: a name, a tab and another name were expected
tabiya: pgn: names.txt:1: a name, a tab and another name were expected
tabiya: pgn: names.txt:1: a name, a tab and another name were expected
[2]

# delete: numbers from standard input.
# not under Wine: its error for a folder as standard input is another
$ cp elo.db d.db; printf '1\n\n 3\n' | tabiya delete d.db --ids - ; printf 'x\n' | tabiya delete d.db --ids -; tabiya delete d.db --ids - <.; tabiya find d.db --count
2 games deleted
tabiya: delete: --ids must be a number or a range such as 10..20, not "x"
tabiya: cannot read standard input: Is a directory
2

# explore
$ tabiya explore elo.db --match 'Pe4'; tabiya explore elo.db --json --match Pe4; tabiya explore elo.db 8/8/8/8/8/8/8/K6k w - -; tabiya explore --match Pe4 elo.db 1. e4
move        games  share white  draw black                            unknown   Elo  last
...e5           1 100.0%  100%    0%    0%  ########################        -  2300  -
total           1         100%    0%    0%  ########################        -
{"match":"Pe4","games":1,"ended":0,"white":1,"draw":0,"black":0,"unknown":0,"moves":[{"san":"e5","side":"black","games":1,"white":1,"draw":0,"black":0,"unknown":0,"elo":2300,"last":null}]}
move        games  share white  draw black                            unknown   Elo  last         reached
total           0            -     -     -                                  -
tabiya: explore: --match cannot be used with a position; --fen and --opening select games
[2]

# tree: a start position from another program, and an invalid FEN.
$ printf '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Ke7 *\n\n1. e4 e5 *\n' >fen.pgn; tabiya tree grow --games fen.pgn -o f1; tabiya tree grow --games fen.pgn --from '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' -o f2; tabiya import fen.db fen.pgn; tabiya tree grow --games fen.db --from '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' -o f3; tabiya tree show fen.pgn --from '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' e4; tabiya tree show fen.db d4; tabiya tree show f2 Kd1; tabiya tree grow --chess960 --depth 1 --from bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR\ w\ KQkq\ -\ 0\ 1 -o f4
3 nodes, depth 2
2 games read: 1 counted, 1 not from this root, 0 rejected
3 nodes, depth 2
2 games read: 1 counted, 1 not from this root, 0 rejected
2 games read: 2 stored, 0 duplicates, 0 rejected
3 nodes, depth 2
2 games read: 1 counted, 1 not from this root, 0 rejected
8 . . . . k . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . P . . .
3 . . . . . . . .
2 . . . . . . . .
1 . . . . K . . .
  a b c d e f g h

#1  4k3/8/8/8/4P3/8/8/4K3 b - - 0
from #0
Ke7      e     #2             1  +0 =0 -0
comment games 1: 1-0 0, 1/2-1/2 0, 0-1 0, * 1
tabiya: tree show: node #0 has no move d4
tabiya: tree show: node #0 has no move Kd1
21 nodes, depth 1

$ tabiya tree grow --depth 1 -o rules; for f in dot json pgn text transpositions; do tabiya tree export rules --to $f | tail -n 1 | head -c 70; echo; done; tabiya tree show rules --threads 2 e4 | head -n 3; rm rules/0/9/info.txt; tabiya tree show rules e4; tabiya tree read rules; tabiya tree show rules/nothing
21 nodes, depth 1
}

{"id":20,"epd":"rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq -"


from #0


rules/0/9/info.txt
8 r n b q k b n r
7 p p p p p p p p
tabiya: tree: rules/0/9/info.txt: is missing
tabiya: rules/0/9/info.txt:1: is missing
tabiya: tree: 1 fault
tabiya: rules/nothing: No such file or directory
[2]

# Polyglot: equal weights, invalid moves, the same move twice.
$ tabiya tree export elo.db --to polyglot -o book.bin; tabiya tree show book.bin; cat book.bin book.bin | head -c 160 >twice.bin; tabiya tree show book.bin 1. a4; tabiya tree export book.bin --to pgn | tail -n 2; head -c 17 book.bin >odd.bin; tabiya tree show odd.bin
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h

e4           2
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 P . . . . . . .
3 . . . . . . . .
2 . P P P P P P P
1 R N B Q K B N R
  a b c d e f g h

tabiya: tree show: the book has no move here
1. e4 {weight 2} *

tabiya: odd.bin:1:1: invalid move text: "F": a square was expected (game 1, 1.F, FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h

#0  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0
comment games 0: 1-0 0, 1/2-1/2 0, 0-1 0, * 0
[1]

$ printf '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n[White "C"]\n[Black "D"]\n[Result "0-1"]\n\n1. d4 d5 0-1\n\n[Result "*"]\n\n*\n' >three.pgn

# pgn: removing the start or the end of games, by number, from the end, and by a query.
$ tabiya pgn --drop 0 --to san three.pgn; tabiya pgn --drop=-100 --to san three.pgn; tabiya pgn --drop 3 --to san three.pgn; tabiya pgn --drop Pd4 three.pgn; tabiya pgn --drop=-1 --to uci three.pgn; tabiya pgn --cut Pe5 --to san three.pgn; tabiya pgn --cut=-1 three.pgn
e4 e5
d4 d5

e4 e5
d4 d5

[White "C"]
[Black "D"]
[Result "0-1"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1"]

1... d5 0-1

e7e5
d7d5

e4 e5
d4 d5

tabiya: pgn: one of = != < <= > >= was expected, not the end
  -1
    ^
[2]

# pgn: tags and comments.
$ tabiya pgn --rename-tag White=Weiss --rename-tag Nothing=None three.pgn | head -n 3; tabiya pgn --keep-tags White,Black three.pgn | head -n 3; tabiya pgn --set ECO=X --strip nags three.pgn | head -n 5; tabiya pgn --add opening three.pgn | head -n 5; tabiya pgn --add eco --to epd three.pgn | head -n 1
[Black "B"]
[Result "1-0"]
[Weiss "A"]
[White "A"]
[Black "B"]

[White "A"]
[Black "B"]
[Result "1-0"]
[ECO "X"]

[White "A"]
[Black "B"]
[Result "1-0"]
[Opening "King's Pawn Game"]

rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4; c0 "A - B, ?, ?, ?"; c1 "1-0";

$ tabiya pgn --note fen,final-fen three.pgn | tail -n 8; tabiya pgn --note final-fen three.pgn | tail -n 5; tabiya pgn --mark 'here' three.pgn 'pd5' | tail -n 2; tabiya pgn --mark here three.pgn | grep -c here

1. d4 {rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1} 1... d5
{rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2} 0-1

[Result "*"]

{rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1} *


[Result "*"]

{rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1} *

1. d4 d5 {here} 0-1

tabiya: pgn: --mark needs a query or a condition
0
[1]

$ tabiya pgn --unique=near --to san three.pgn three.pgn; tabiya pgn --unique --count three.pgn three.pgn; tabiya pgn --unique --duplicates twice.pgn --count three.pgn three.pgn; grep -c Result twice.pgn; tabiya pgn --limit 1 --to san three.pgn three.pgn; tabiya pgn --lossy --to san - <<<'1. e4 e9 *'; tabiya pgn --sample 2 --sort white --split player -o 'p-%s.pgn' three.pgn; ls p-*
e4 e5
d4 d5

3
3
3
e4 e5
e4
tabiya: stdin:1:7: invalid move text: "e9": a square was expected (game 1, 1...e9, FEN rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1)
p-_.pgn: "?"
2 games of 3 players
p-A.pgn
p-B.pgn
p-_.pgn

$ tabiya pgn --to html --strip tags,comments,nags,variations three.pgn | grep -c '<h'; printf '[Event "E"]\n[White "A"]\n[Site "S"]\n[Date "2000"]\n\n1. e4 -- $1 (1... e5 {c} 2. d4) *\n' >marks.pgn; tabiya pgn --to html marks.pgn 2>&1 | grep -c 'e4'; tabiya pgn --to latex --strip comments,nags,tags marks.pgn 2>&1 | tail -n 3
3
1
\[\showboard\]
tabiya: marks.pgn:6:7: warning: null move in the main line: "--" (game 1)
\end{document}

# Piece letters: comments and tags are not changed.
$ printf '[Event "S; {K} \\"L\\" %%"]\n[White "Karl"]\n\n1. e4 {Sf3 Lc4} e5 ; Dh5 Kxe7\n%% Tal Sax\n2. Sf3 Sc6 3. Lc4 *\n' >german.pgn; tabiya pgn german.pgn; tabiya pgn --letters german --letters-out figurine german.pgn; tabiya pgn --letters SLTDK --letters-out NBRQK german.pgn | tail -n 2; tabiya pgn --letters SLTDO german.pgn; tabiya pgn --letters SSTDK german.pgn; tabiya pgn --letters sltdk german.pgn
[Event "S; {K} \"L\" %"]
[White "Karl"]

1. e4 {Sf3 Lc4} 1... e5 { Dh5 Kxe7} 2. Nf3 Nc6 3. Bc4 *

tabiya: pgn: 1 game was read with the piece letters SLTDK (german)
[Event "S; {K} \"L\" %"]
[White "Karl"]

1. e4 {Sf3 Lc4} 1... e5 { Dh5 Kxe7} 2. ♘f3 ♘c6 3. ♗c4 *

1. e4 {Sf3 Lc4} 1... e5 { Dh5 Kxe7} 2. Nf3 Nc6 3. Bc4 *

tabiya: pgn: --letters takes the letters of knight, bishop, rook, queen and king, such as SLTDK, or a language, such as german, not "SLTDO"
tabiya: pgn: --letters takes the letters of knight, bishop, rook, queen and king, such as SLTDK, or a language, such as german, not "SSTDK"
tabiya: pgn: --letters takes the letters of knight, bishop, rook, queen and king, such as SLTDK, or a language, such as german, not "sltdk"
[2]

# Criteria: comments, blanks, marks, and errors.
$ printf '%% a comment\n# another\n\n  White "A"  \r\n' >c.txt; tabiya pgn --criteria c.txt --to san three.pgn; printf '%% nothing\n' >c.txt; tabiya pgn --criteria c.txt three.pgn; for l in 'White' '"A"' 'White <=> "A"' 'WhiteElo >= "x"' 'WhiteElo < "999999"' 'White "A'; do echo "$l" >c.txt; tabiya pgn --criteria c.txt --to san three.pgn; done; echo 'Result "1/2"' >c.txt; tabiya pgn --criteria c.txt --count three.pgn; echo 'WhiteElo < "0"' >c.txt; tabiya pgn --criteria c.txt --count three.pgn; echo xyzzy >o.txt; tabiya pgn --openings o.txt three.pgn; tabiya pgn --positions o.txt three.pgn; echo '1. e4' >o.txt; tabiya pgn --openings o.txt --to san three.pgn; tabiya pgn --positions o.txt --to san three.pgn
e4 e5
tabiya: pgn: c.txt: the file contains no conditions
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected: White "Tal", Date >= "1962"
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected: White "Tal", Date >= "1962"
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected: White "Tal", Date >= "1962"
tabiya: pgn: c.txt:1: a number was expected
tabiya: pgn: c.txt:1: a number was expected
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected: White "Tal", Date >= "1962"
0
0
tabiya: pgn: o.txt:1: moves from the start position were expected
tabiya: pgn: o.txt:1: fen: field 1 (placement), column 1: unknown piece letter
e4 e5
e4 e5

# Books: the most played first, then by square; an illegal move is left out, a repeated one is listed once.
$ for m in 'e4 e5' 'e4 c5' 'd4 d5' 'c4 c5' 'Nf3 d5'; do printf '[Result "1-0"]\n\n1. %s 1-0\n\n' "$m"; done >book.pgn; tabiya tree export book.pgn --to polyglot -o many.bin; tabiya tree show many.bin | tail -n 4; start='\106\073\226\030\026\221\374\234'; { printf "$start"'\377\377\0\7\0\0\0\0'; printf "$start"'\003\034\0\5\0\0\0\0'; printf "$start"'\003\034\0\1\0\0\0\0'; } >wrong.bin; tabiya tree show wrong.bin | tail -n 2; tabiya tree export wrong.bin --to pgn | tail -n 2; : >empty.bin; tabiya tree show empty.bin | tail -n 1
e4           4
Nf3          2
c4           2
d4           2

e4           5
1. e4 {weight 5} *

tabiya: tree show: the book has no move here

