# Every command that looks at games accepts databases, files and servers, any number of them.

$ . "$SOURCE/test/cli/games.sh"; tabiya import --index none games.db games.pgn; \
    tabiya convert --to json games.pgn >games.json; tabiya export games.db --to cmbr -o games.cmbr; gzip -k games.pgn
5 games read: 5 stored, 0 duplicates, 0 rejected

# The same answer from each kind.
$ for s in games.db games.pgn games.json games.cmbr games.pgn.gz; do tabiya find $s 'player anna elo 1900..' --tsv | md5sum; done | sort -u | wc -l
1

$ for s in games.db games.pgn games.cmbr -; do tabiya explore $s 1. e4 c5 <games.pgn | md5sum; done | sort -u | wc -l
1

$ for s in games.db games.pgn games.json -; do tabiya report $s anna <games.pgn | md5sum; done | sort -u | wc -l
1

$ for s in games.db games.pgn games.json; do tabiya find $s 'plies 5..' --sort=-plies,white --limit 2; done
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies

$ for s in games.db games.pgn; do tabiya find $s --sample 2,3 --ids | paste -s -d ' '; done | sort -u | wc -l
1

$ tabiya find games.pgn 'mate' --all-plies --json; tabiya find games.pgn 'id 2..3' --ids; tabiya find games.pgn --offset 1 --limit 2 --ids
{"id":3,"white":"Bert","white_elo":null,"black":"anna","black_elo":null,"result":"0-1","date":"2020-02","event":"Club \"A\"","site":"?","round":"1","eco":"A00","plies":4,"speed":null,"ply":[4],"fen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"}
2
3
2
3

$ tabiya find games.pgn --where 'white_elo > black_elo' --ids
1
4

$ tabiya find games.pgn 'player anna' --to pgn | cmp - <(tabiya pgn games.pgn 'player anna') && \
    tabiya export games.db 'player anna' | cmp - <(tabiya pgn games.db 'player anna')

# The number of a game is its position in the file, also after a game with a fault.
$ { tabiya find games.pgn 'id 1' --to pgn; echo '[White "Bad"]'; echo; echo '1. e5 *'; echo; \
    tabiya find games.pgn 'id 3' --to pgn; } >bad.pgn; tabiya find bad.pgn; tabiya find bad.pgn --sort=-id
tabiya: bad.pgn:16:4: illegal move: "e5": no pawn can go there (game 2, 1.e5, FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
tabiya: bad.pgn:16:4: illegal move: "e5": no pawn can go there (game 2, 1.e5...
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
[2]

# Several sources: the name comes before the number.
$ tabiya find games.pgn games.db 'player carlsen'
games.pgn:1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
games.pgn:2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
games.db:1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
games.db:2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies

$ tabiya find games.pgn games.db 'player carlsen' --sort date --limit 3 --to csv | cut -d, -f1-4
source,id,white,white_elo
games.pgn,2,Anna,1900
games.db,2,Anna,1900
games.pgn,1,"Carlsen, M"

$ tabiya find games.pgn games.db 'id 2' --json | cut -c1-60; \
    tabiya find games.pgn games.db --ids --offset 4 --limit 2; tabiya find games.pgn games.db --count; \
    tabiya find games.pgn games.db --count --offset 3 --limit 4
{"source":"games.pgn","id":2,"white":"Anna","white_elo":1900
{"source":"games.db","id":2,"white":"Anna","white_elo":1900,
games.pgn:5
games.db:1
10
4

$ tabiya explore games.pgn games.db 1. e4
B00 King's Pawn Game
move        games  share white  draw black                            unknown   Elo  last         reached
c5              2  50.0%  100%    0%    0%  ########################        -  2750  2019-05-01         2
e5              2  50.0%    0%  100%    0%  ========================        -  2750  2021-12-31         2
total           4          50%   50%    0%  ############============        -

$ tabiya explore games.db games.pgn --match 'plies 4..'
move        games  share white  draw black                            unknown   Elo  last
e4              4  50.0%   50%   50%    0%  ############============        -  2350  2021-12-31
Nf3             2  25.0%    0%    0%  100%  ------------------------        -  1900  2019
f3              2  25.0%    0%    0%  100%  ------------------------        -     -  2020-02
total           8          25%   25%   50%  ######======------------        -

# Several databases give the answer of one with all their games, however many they are; id is the number in each.
$ tabiya find games.db 'id ..2' --to pgn >early.pgn; tabiya find games.db 'id 3..' --to pgn >late.pgn; \
    tabiya import late.db late.pgn; for how in '' '1. e4 --json' '--match check' '--limit 2'; do \
    tabiya explore early.pgn late.db $how >parts; tabiya explore games.db $how | cmp - parts; done
3 games read: 3 stored, 0 duplicates, 0 rejected

$ tabiya find games.db late.db 'id 2..3' --sort=-id --ids | paste -s -d ' '; \
    tabiya find games.db late.db 'id 2' --sort=-length --sample 5 --ids | paste -s -d ' '; \
    tabiya explore games.db late.db 'id 2' | tail -n 1; tabiya find $(yes late.db | head -n 600) 'id 3' --count
late.db:3 late.db:2 games.db:3 games.db:2
games.db:2 late.db:2
total           2           0%    0%  100%  ------------------------        1
600

# People who have met are distinguished by the games of all sources: in all of them, Wang, Y is the one with more games.
$ game() { printf '[White "%s"]\n[Black "%s"]\n\n1. e4 *\n\n' "$1" "$2"; }; { game 'Wang, Yue' 'Wang, Yi'; \
    game 'Wang, Yue' A; game 'Wang, Yue' B; } >w1.pgn; { game 'Wang, Yi' C; game 'Wang, Yi' D; game 'Wang, Yi' E; \
    } >w2.pgn; tabiya find w1.pgn w2.pgn --player 'Wang, Y' --sort id --ids | paste -s -d ' '; \
    tabiya explore w1.pgn w2.pgn --player 'Wang, Y' --json | grep -o '"games":[0-9]*,"ended"'
w1.pgn:1 w2.pgn:1 w2.pgn:2 w2.pgn:3
"games":4,"ended"

$ for s in games.db games.pgn 'games.pgn games.cmbr'; do \
    tabiya explore $s --match 'ply 1' --json --query 'player anna'; done | grep -o '"games":[0-9]*,"ended"'
"games":4,"ended"
"games":4,"ended"
"games":8,"ended"

# All conditions, limits and orders, whatever they find.
$ for s in games.db games.pgn games.json games.cmbr games.pgn.gz -; do \
    for how in '--player anna' '--date 2019' 'elo 1900.. --limit 1' '--offset 1 --limit 2' \
    '--sort=-plies,white --moves' "--where plies>4" anna 'tag Event Open --positions' 'id 2..3' \
    '--result 0-1 --sample 1'; do tabiya rows $s $how <games.pgn; tabiya names --all $s $how <games.pgn 2>&1; \
    done 2>&1 | grep -v 'option --' | md5sum; done | sort -u | wc -l
1

$ tabiya rows games.pgn games.cmbr --columns game,White,plies --sort=-plies --limit 3; \
    tabiya rows games.pgn games.pgn.gz --columns game,White --player anna; \
    tabiya rows games.db games.pgn --columns game,White --offset 4 --limit 2
game,White,plies
2,Anna,11
7,Anna,11
1,"Carlsen, M",10
game,White
2,Anna
3,Bert
4,Bert
5,Anna
7,Anna
8,Bert
9,Bert
10,Anna
game,White
5,Anna
6,"Carlsen, M"

$ tabiya rows games.pgn --player anna --limit 1 -o rows.csv
5 games, 0 bad, 1 picked, 11 plies: 1 row, 0 left out

$ tabiya names --all games.pgn games.db --player anna; tabiya names games.pgn --player nobody
Anna	6
Bert	4
CARLSEN, M	2
So, W	2
anna	2
tabiya: names: no game found...
[1]

$ tabiya find games.pgn games.db carlsen; tabiya find games.pgn 'player carlsen' --count; tabiya report games.pgn anna carlsen | head -n 1
tabiya: find: read as: player ~"carlsen"
games.pgn:1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
games.pgn:2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
games.db:1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
games.db:2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
2
tabiya: report: read as: player ~"carlsen"
anna: 1 game

# The arguments: the first ones that are files or URLs are sources, the rest is the query; one word may come before them.
$ tabiya find 'player bert' games.pgn --ids; tabiya find games.pgn player bert --ids; tabiya pgn 'player bert' games.pgn games.db --count
3
4
3
4
4

$ tabiya find 'player bert' games.pgn mate
tabiya: find: "mate" is not a file, and the query is already "player bert"...
[2]

$ echo >mate; tabiya find games.pgn mate; tabiya find games.pgn --query mate --ids
games.pgn:1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
games.pgn:2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
games.pgn:3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
games.pgn:4  Bert (2100) - Anna (2050)  *  ?  Open  A40 Queen's Pawn Game  1 ply
games.pgn:5  Anna (1900) - So, W (2750)  1/2-1/2  2021-12-31  Club "A"  C20 King's Knight Opening  7 plies
3

# Conditions may be repeated, and then all must hold.
$ tabiya find games.db --player anna --player bert --ids; tabiya pgn games.pgn --player anna --player bert --count; \
    tabiya find games.db --limit 1 --limit 2
3
4
2
tabiya: find: --limit is given twice
[2]

$ tabiya find games.db 'tag Round 1 ever mate' --ids
3

# Forms.
$ for f in lines tsv csv spreadsheet json ids count; do tabiya find games.pgn 'id 3' --to $f | tail -n 1; done
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
3	Bert		anna		0-1	2020-02	Club "A"	?	1	A00	4		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
3,Bert,,anna,,0-1,2020-02,"Club ""A""",?,1,A00,4,,0,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
3,Bert,,anna,,0-1,2020-02,"Club ""A""",?,1,A00,4,,0,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
{"id":3,"white":"Bert","white_elo":null,"black":"anna","black_elo":null,"result":"0-1","date":"2020-02","event":"Club \"A\"","site":"?","round":"1","eco":"A00","plies":4,"speed":null,"ply":0,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
3
1

$ tabiya find games.pgn 'id 3' --to uci; tabiya find games.pgn 'id 3' --to html | grep -c 'Bert'; \
    tabiya export games.db --sort -elo --limit 1 --to san; tabiya export games.db 'id 3' --json
f2f3 e7e5 g2g4 d8h4
1
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
{"tags":[["Event","Club \"A\""],["Site","?"],["Date","2020.02.??"],["Round","1"],["White","Bert"],["Black","anna"],["Result","0-1"],["ECO","A00"]],"result":"0-1","moves":[{"san":"f3"},{"san":"e5"},{"san":"g4"},{"san":"Qh4#"}]}

$ tabiya find games.pgn --to csv --tsv; tabiya find games.pgn --to csv --to csv | head -n 1; \
    tabiya export games.db --to cmbr -o x.cmbr; tabiya find x.cmbr --count
tabiya: find: --tsv and --to csv cannot both be given
id,white,white_elo,black,black_elo,result,date,event,site,round,eco,plies,speed,ply,fen
5

# Commands that count games can count a random sample, or the first ones in some order; the same for delete and collection.
$ tabiya export games.pgn --player anna --sort=-date --limit 2 | tabiya report - anna | head -n 1; \
    tabiya explore games.db --sort=-date; tabiya explore games.db --limit 1 | tail -n 2; \
    tabiya names games.db --all --limit 2
anna: 2 games
tabiya: explore: unknown option --sort=-date; all games are used here; to use some, pass them on: tabiya export SOURCE --sort=-date --limit 100 | tabiya report - NAME
... and 3 more moves
total           5          25%   25%   50%  ######======------------        1
Anna	3
Bert	2

$ tabiya explore games.db --sort date; tabiya report games.db anna --offset 2; \
    tabiya repertoire gaps games.db games.pgn --seed 1; tabiya explore games.db --sort nonsense --limit 1; \
    tabiya delete games.db --sort date --yes; tabiya collection add games.db late --ids 1 --sample 2
tabiya: explore: unknown option --sort; all games are used here; to use some, pass them on: tabiya export SOURCE --sort=-date --limit 100 | tabiya report - NAME
tabiya: report: unknown option --offset; all games are used here...
tabiya: repertoire: unknown option --seed; all games are used here...
tabiya: explore: unknown option --sort; all games are used here; to use some, pass them on: tabiya export SOURCE --sort=-date --limit 100 | tabiya report - NAME
tabiya: delete: --sort needs --limit N here, to select the first N games
tabiya: collection: --ids and conditions cannot both be given
[2]

$ cp games.db less.db; tabiya collection add less.db late --sort=-date --limit 2; \
    tabiya find less.db 'collection late' --ids | paste -s; \
    tabiya find less.db --sort=-date --limit 2 --ids | sort | paste -s; tabiya delete less.db --sort date --limit 2; \
    tabiya delete less.db --sort date --limit 2 --yes; tabiya find less.db --ids | paste -s; \
    tabiya delete less.db --sample 2 --yes; tabiya find less.db --count
2 games added to late
3	5
3	5
tabiya: delete: 2 games would be deleted...
2 games deleted
3	4	5
2 games deleted
1

# pgn and rows read databases and every notation, as check and convert do.
$ tabiya pgn games.db games.json 'player bert' --add plies --to san; \
    tabiya rows games.db games.pgn 'player bert' --columns game,White; tabiya check games.json games.db
f3 e5 g4 Qh4#
d4
f3 e5 g4 Qh4#
d4
game,White
3,Bert
4,Bert
8,Bert
9,Bert
10 games, 10 good, 0 bad, 66 plies

$ tabiya pgn --unique --known games.json games.db --count; for s in games.pgn games.db; do \
    tabiya pgn $s --where 'plies > 9' --to san 'player carlsen'; \
    tabiya pgn - --where 'plies > 9' --count <games.pgn; done; tabiya pgn games.pgn --where 'plies >'; \
    tabiya pgn games.pgn --where 'plies > 3' --invert
0
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2
2
e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6
Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2
2
tabiya: pgn: --where: near ")": syntax error
tabiya: pgn: --where and --invert cannot both be given
[2]

$ tabiya find games.pgn games.db 'player bert' --explain
games.pgn:
query: player bert
files: every game is read
needed: tags
left to check in each game: the query

games.db:
sql: ...
...
left to check in each game: nothing

# No files are left.
# not under Wine: it writes to that folder, too
$ mkdir t; TMPDIR=$PWD/t tabiya explore games.pgn >/dev/null; ls t; TMPDIR=/no/such tabiya explore games.pgn
tabiya: explore: games.pgn: cannot create a temporary folder in /no/such: No such file or directory
[2]
