# tabiya rows: games, positions and moves as tables.

$ cp "$SOURCE/test/cli/data/rows/games.pgn" games.pgn

$ tabiya rows games.pgn
game,White,Black,result,white_elo,black_elo,Date,Event,eco,opening,plies
1,Ada,,1-0,2100,,,"a, b",C20,King's Pawn Game: Wayward Queen Attack,5
2,Bob,,1/2-1/2,,,,b,D00,Queen's Pawn Game,2

$ tabiya rows --positions --columns game,ply,san,eval games.pgn | head -n 4
game,ply,san,eval
1,0,,
1,1,e4,30
1,2,e5,

$ tabiya rows --moves --to jsonl --columns game,ply,uci,score,White games.pgn | tail -n 2
{"game":2,"ply":1,"uci":"d2d4","score":0.5,"White":"Bob"}
{"game":2,"ply":2,"uci":"d7d5","score":0.5,"White":"Bob"}

# Training text: the positions that have an evaluation in games that have a result.

$ tabiya rows --to nnue games.pgn
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 | 30 | 1.0
rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2 | 10 | 1.0
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1 | -25 | 0.5

$ tabiya rows --to nnue --columns fen,ply,score games.pgn | head -n 1
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 0 | 1.0

# With a file, the counts are printed and recorded next to it. The file gets its name only when it is complete.

$ tabiya rows --positions --quiet --skip-plies 1 games.pgn -o out.csv
2 games, 0 bad, 7 plies: 5 rows, 4 left out

$ cat out.csv.json
{"program":"tabiya ...","format":"csv","columns":["game","ply","fen","next_uci","result"],"inputs":["games.pgn"],"options":{"positions":true,"quiet":true,"skip-plies":"1","output":"out.csv"},"games":2,"bad":0,"plies":7,"rows":5,"left_out":4}

$ ls out*
out.csv
out.csv.json

$ tabiya rows games.pgn -o /dev/null && ls /dev/null*
2 games, 0 bad, 7 plies: 2 rows, 0 left out
/dev/null

# A position that occurs again, by any move order, has one row.

$ printf '1. e4 e5 2. Nf3 *\n\n1. Nf3 e5 2. e4 *\n' | tabiya rows --positions --distinct --columns game,ply,san -
game,ply,san
1,0,
1,1,e4
1,2,e5
1,3,Nf3
2,1,Nf3
2,2,e5

# A sample is the same for the same seed, and in order.

$ tabiya rows --moves --sample 3,1 --columns game,ply games.pgn >one && \
    tabiya rows --moves --sample 3,1 --threads 1 --columns game,ply games.pgn | cmp - one && \
    sort -c -t, -k1n -k2n <(tail -n 3 one) && wc -l <one
4

$ tabiya rows --moves --sample 100 --columns game,ply games.pgn | wc -l
8

# A game with a fault produces no row, is reported, and keeps its number.

$ printf '[Event "a"]\n\n1. e4 e6 2. Ke3 *\n\n[Event "b"]\n\n1. d4 *\n\n[Event "c"]\n\n1. c4 -- *\n' | tabiya rows --moves --columns game,san -
game,san
tabiya: stdin:3:13: illegal move: "Ke3": ... (game 1, 2.Ke3, FEN ...)
tabiya: stdin:11:7: warning: null move in the main line: "--" (game 3)
2,d4
3,c4
3,--
[1]

# Games of several files are numbered consecutively; other notations are read too.

$ tabiya convert --to cmbr games.pgn >games.cmbr && tabiya convert --to json games.pgn >games.json

$ tabiya rows --columns game,White,plies games.pgn games.cmbr games.json
game,White,plies
1,Ada,5
2,Bob,2
3,Ada,5
4,Bob,2
5,Ada,5
6,Bob,2

$ for i in 1 2 5; do tabiya rows --positions --threads $i --to jsonl --columns game,ply,fen,key,clock,White \
    "$SOURCE"/examples/*.pgn | sha256sum; done | uniq | wc -l
1

# Errors.

$ tabiya rows --columns game,fen games.pgn
tabiya: rows: column "fen": only positions and moves have such a column
[2]

$ tabiya rows --positions --columns game,elo games.pgn
tabiya: rows: column "elo": there is no such column...
[2]

$ tabiya rows --quiet games.pgn
tabiya: rows: --quiet needs --positions or --moves
[2]

$ tabiya rows --moves --games games.pgn
tabiya: rows: only one of --games, --positions and --moves can be given
[2]

$ tabiya rows --to nnue --columns fen games.pgn
tabiya: rows: --to nnue: training text has the columns fen, eval and score
[2]

$ tabiya rows --to xlsx games.pgn
tabiya: ...
[2]

$ tabiya rows
tabiya: rows: no games given: name a database, a file of games, or - for standard input...
[2]

$ tabiya rows none.pgn games.pgn --columns game
tabiya: rows: none.pgn: No such file or directory
[2]

$ tabiya rows games.pgn -o games.pgn
tabiya: ...
[2]

$ tabiya rows games.pgn -o nowhere/out.csv
tabiya: cannot write to nowhere/out.csv: No such file or directory
[2]

$ tabiya rows games.pgn >/dev/full
tabiya: cannot write to standard output: No space left on device
[2]

# A query selects games, from files and databases; the report says how many.

$ tabiya import games.db games.pgn
2 games read: 2 stored, 0 duplicates, 0 rejected

$ tabiya rows --columns game,White games.pgn 'mate'
game,White
1,Ada

$ tabiya rows --columns game,White --query 'mate' games.db
game,White
1,Ada

$ tabiya rows --columns game,White --query 'result 1/2-1/2' games.db -o picked.csv && cat picked.csv.json
2 games, 0 bad, 1 picked, 2 plies: 1 row, 0 left out
{"program":"tabiya ...","format":"csv","columns":["game","White"],"inputs":["games.db"],"query":"result 1/2-1/2","options":{"columns":"game,White","query":"result 1/2-1/2","output":"picked.csv"},"games":2,"bad":0,"picked":1,"plies":2,"rows":1,"left_out":0}

# A database gives the same rows as its files, with any number of threads, including comments and evaluations.

$ for kind in games positions moves; do tabiya rows --$kind games.pgn >a.csv; tabiya rows --$kind games.db >b.csv; \
    tabiya rows --$kind --threads 1 games.db >c.csv; cmp a.csv b.csv && cmp b.csv c.csv; done

$ tabiya rows --to nnue games.db | wc -l
3

# Of several clocks or evaluations of a move, the first one counts, as in queries.

$ cp "$SOURCE/test/cli/data/rows/twice.pgn" twice.pgn; tabiya import twice.db twice.pgn >/dev/null; \
    for source in twice.pgn twice.db; do tabiya rows --moves --columns san,clock,spent,eval,mate $source | \
    sed -n 2p; tabiya find --count $source 'clock=60 eval=0.1'; tabiya find --count $source 'clock=59'; done
e4,60,2,10,
1
0
e4,60,2,10,
1
0
[1]

# Games of a database keep their numbers.

$ tabiya delete games.db --ids 1 >/dev/null; tabiya rows --columns game,White games.db
game,White
2,Bob

$ tabiya rows --columns game,White games.db 'id 2'
game,White
2,Bob

$ tabiya rows games.pgn 'id 2'
game,White,Black,result,white_elo,black_elo,Date,Event,eco,opening,plies
2,Bob,,1/2-1/2,,,,b,D00,Queen's Pawn Game,2

# If the query has an error, nothing is written.

$ tabiya rows games.db 'plaer x' -o no.csv; ls no.csv*
tabiya: rows: no such word: "plaer"; did you mean "player"?
  plaer x
  ^
ls: ...
[2]

$ tabiya rows games.db --query mate 'no mate'
tabiya: rows: a query is given twice: as "no mate" and by --query
[2]

$ printf 'SQLite format 3\0 and no more' >broken.db; tabiya rows broken.db
tabiya: rows: broken.db: ...
[2]

# For spreadsheets: text that would be a formula starts with an apostrophe; numbers, and a lone minus, are unchanged.

$ cp "$SOURCE/test/cli/data/rows/sheet.pgn" sheet.pgn; \
    tabiya rows --to spreadsheet --columns White,Black,Event,Site,Round,result sheet.pgn; \
    tabiya rows --to csv --columns White sheet.pgn; \
    tabiya rows --positions --to spreadsheet --columns Site,eval sheet.pgn; \
    tabiya import sheet.db sheet.pgn >/dev/null; tabiya find sheet.db --to spreadsheet | cut -d , -f 1-11; \
    tabiya find sheet.db --to csv | tail -n 1 | cut -d , -f 2; \
    tabiya sql sheet.db --to spreadsheet "SELECT white, black, -5 AS n, '-' AS minus FROM games"
White,Black,Event,Site,Round,result
'=HYPERLINK(1),"'+A, B",'@x,'-y,-,*
White
=HYPERLINK(1)
Site,eval
'-y,
'-y,-37
id,white,white_elo,black,black_elo,result,date,event,site,round,eco
1,'=HYPERLINK(1),,"'+A, B",,*,,'@x,'-y,-
=HYPERLINK(1)
white,black,n,minus
'=HYPERLINK(1),"'+A, B",-5,-

# Notes before the first move of a variation belong to the main line, whatever the games are read from.

$ cp "$SOURCE/test/cli/data/rows/early.pgn" early.pgn; \
    tabiya rows --positions --columns ply,comment,nags,eval early.pgn; tabiya pgn --to json early.pgn >early.json; \
    tabiya import early.db early.pgn >/dev/null; for from in early.pgn early.json early.db; do \
    tabiya rows --positions --columns ply,comment,nags,eval $from | cksum; done | uniq | wc -l
ply,comment,nags,eval
0,s,,
1,a,$6,
2,d x z,$2 $5,50
1

$ rm -f games.db; cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected

# A null move in the main line, in tables.
$ printf '[White "A"]\n\n1. e4 -- 2. d4 *\n' >null.pgn; tabiya rows null.pgn; \
    tabiya rows --positions --columns fen,move null.pgn; tabiya import null.db null.pgn; \
    tabiya rows --moves null.db; tabiya tree grow --games null.db -o null; \
    tabiya tree grow --games null.pgn -o null2; tabiya show --game 1 --ply 2 --to svg null.pgn | grep -c '<svg'; \
    tabiya explore null.db e4; tabiya novelty games.db null.pgn
game,White,Black,result,white_elo,black_elo,Date,Event,eco,opening,plies
tabiya: null.pgn:3:7: warning: null move in the main line: "--" (game 1)
1,A,,*,,,,,B00,King's Pawn Game,3
tabiya: rows: column "move": there is no such column...
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
