# tabiya find: finds games of a database by any condition.

$ . "$SOURCE/test/cli/games.sh"; tabiya import --index none games.db games.pgn
5 games read: 5 stored, 0 duplicates, 0 rejected

$ tabiya find games.db
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
4  Bert (2100) - Anna (2050)  *  ?  Open  A40 Queen's Pawn Game  1 ply
5  Anna (1900) - So, W (2750)  1/2-1/2  2021-12-31  Club "A"  C20 King's Knight Opening  7 plies

# On a terminal a line leaves out what does not fit: the opening's name, the event, the length, the ratings.
$ command -v script >/dev/null || { printf '%s\n' \
    '2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90  11 plies' '2  Anna - CARLSEN, M  0-1  2019  B90'; \
    exit; }; for n in 80 40; do script -qec "stty cols $n; tabiya find games.db 'id 2' 2>/dev/null" /dev/null | \
    tr -d '\r'; done
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90  11 plies
2  Anna - CARLSEN, M  0-1  2019  B90

$ tabiya find games.db --tsv
id	white	white_elo	black	black_elo	result	date	event	site	round	eco	plies	speed	ply	fen
1	Carlsen, M	2800	So, W	2750	1-0	2019-05-01	Open	Paris	1	B90	10		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
2	Anna	1900	CARLSEN, M	2800	0-1	2019	Open	Paris	2	B90	11		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
3	Bert		anna		0-1	2020-02	Club "A"	?	1	A00	4		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
4	Bert	2100	Anna	2050	*		Open	Paris	3	A40	1		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
5	Anna	1900	So, W	2750	1/2-1/2	2021-12-31	Club "A"	?	2	C20	7		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

$ tabiya find games.db --json --limit 1
{"id":1,"white":"Carlsen, M","white_elo":2800,"black":"So, W","black_elo":2750,"result":"1-0","date":"2019-05-01","event":"Open","site":"Paris","round":"1","eco":"B90","plies":10,"speed":null,"ply":0,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}

$ tabiya find games.db --ids | paste -s -d ' '
1 2 3 4 5

$ tabiya find games.db --count
5

$ tabiya find games.db --to pgn | cmp - games.pgn

# A position, by any move order; side, castling rights and en passant count, the clocks do not.

$ tabiya find games.db --fen 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6'
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies  ply 10 (5... a6)
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies  ply 10 (5... a6)

$ tabiya find games.db --fen 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w Kkq - 9 90'
[1]

$ tabiya find games.db --fen 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 0 6'
[1]

$ tabiya find games.db 'board "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R"' --ids
1
2

$ tabiya find games.db 'board "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b - - 0 1"' --ids
1
2

$ tabiya find games.db --fen 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1' --ids
4

$ tabiya find games.db --fen 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1' --ids
4

$ tabiya find games.db --fen startpos --count
5

$ tabiya find games.db --fen 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies  ply 4 (2... Qh4#)

# A game counts once, for its first visit.

$ tabiya find games.db --fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
5  Anna (1900) - So, W (2750)  1/2-1/2  2021-12-31  Club "A"  C20 King's Knight Opening  7 plies  ply 3 (2. Nf3)

$ tabiya find games.db 'fen "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3" ply ..3'
[1]

$ tabiya find games.db 'fen "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3" ply ..4' --ids
5

# Openings are the first moves in the order they were played.

$ tabiya find games.db --opening '1. e4 c5' --ids
1

$ tabiya find games.db --opening 'e2e4 e7e5' --ids
5

$ tabiya find games.db --opening '1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 1-0' --ids
1

$ tabiya find games.db --opening '1.d4 d5'
[1]

# Names, numbers, dates: as in tabiya pgn.

$ ids() { tabiya find games.db --ids "$@" | paste -s -d ' '; \
    tabiya pgn "$@" games.pgn | sed -n 's/^.White "\(.*\)"./\1/p; s/^.Black "\(.*\)"./\1/p' | paste -s -d '-'; }; \
    declare -f ids >ids.sh

$ . ./ids.sh; ids --player 'carlsen*'
1 2
Carlsen, M-So, W-Anna-CARLSEN, M

$ . ./ids.sh; ids --player ANNA
2 3 4 5
Anna-CARLSEN, M-Bert-anna-Bert-Anna-Anna-So, W

$ . ./ids.sh; ids --white anna
2 5
Anna-CARLSEN, M-Anna-So, W

$ . ./ids.sh; ids --black 'a*a'
3 4
Bert-anna-Bert-Anna

$ . ./ids.sh; ids 'event "*\"a\""'
3 5
Bert-anna-Anna-So, W

$ . ./ids.sh; ids 'event "%"' 2>/dev/null

$ . ./ids.sh; ids --elo 2000..
1 4
Carlsen, M-So, W-Bert-Anna

$ . ./ids.sh; ids --elo ..2100
4
Bert-Anna

$ . ./ids.sh; ids --elo 0..
1 2 4 5
Carlsen, M-So, W-Anna-CARLSEN, M-Bert-Anna-Anna-So, W

$ . ./ids.sh; ids --elo ..0

$ . ./ids.sh; ids --date 2019
1 2
Carlsen, M-So, W-Anna-CARLSEN, M

$ . ./ids.sh; ids --date 2019.05.02..2019.06
2
Anna-CARLSEN, M

$ . ./ids.sh; ids --date 2020-02-15..
3 5
Bert-anna-Anna-So, W

$ . ./ids.sh; ids --date ..2020
1 2 3
Carlsen, M-So, W-Anna-CARLSEN, M-Bert-anna

$ . ./ids.sh; ids --eco b90
1 2
Carlsen, M-So, W-Anna-CARLSEN, M

$ . ./ids.sh; ids --eco 'B*'
1 2
Carlsen, M-So, W-Anna-CARLSEN, M

$ . ./ids.sh; ids --eco b00..C20
1 2 5
Carlsen, M-So, W-Anna-CARLSEN, M-Anna-So, W

$ . ./ids.sh; ids --result '*'
4
Bert-Anna

$ . ./ids.sh; ids --result 0:1
2 3
Anna-CARLSEN, M-Bert-anna

$ . ./ids.sh; ids 'plies 4..7'
3 5
Bert-anna-Anna-So, W

$ . ./ids.sh; ids 'plies ..0'

$ tabiya find games.db 'site paris' --ids | paste -s -d ' '
1 2 4

# A game without the ECO tag gets the code from the library's table of openings.

$ tabiya find games.db --eco ..b89 --tsv | cut -f 1,11
id	eco
3	A00
4	A40

$ tabiya find games.db --eco ''
[1]

# Conditions in any combination.

$ tabiya find games.db --player 'carlsen*' --result 0-1 --fen 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6'
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies  ply 10 (5... a6)

$ tabiya find games.db --white Anna --black Anna
tabiya: find: no game found...
[1]

$ tabiya find games.db --opening '1. e4' --fen 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1' --count
0
[1]

$ tabiya find games.db --where "white_elo > 2000 AND date IS NULL" --ids
4

$ tabiya find games.db --where "event LIKE 'Club%' OR id = 1" --elo 2000.. --ids
1

$ tabiya find games.db --limit 2 --offset 1 --ids | paste -s -d ' '
2 3

$ tabiya find games.db --offset 4 --ids --fen startpos
5

$ tabiya find games.db --offset 9
[1]

# Other start positions, and games with missing tags.

$ tabiya import odd.db odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
5 games read: 5 stored, 0 duplicates, 0 rejected

$ tabiya find odd.db
1  Jörg "J" \ Ö - B  *  2019  Annotated  b90 Sicilian Defense  4 plies
2  X - ?  0-1  1999  ?  A00 Barnes Opening: Fool's Mate  4 plies
3  ? - ?  *  ?  960  ?  2 plies
4  ? - ?  1/2-1/2  2019  Start  ?  2 plies
5  ? - ?  *  ?  ?  D00 Queen's Pawn Game  2 plies

$ tabiya find odd.db --tsv --limit 2
id	white	white_elo	black	black_elo	result	date	event	site	round	eco	plies	speed	ply	fen
1	Jörg "J" \ Ö		B		*	2019	Annotated			b90	4		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
2	X				0-1	1999				A00	4		0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

$ tabiya find odd.db --fen '8/P6k/8/8/8/8/8/K7 w - - 0 1'
4  ? - ?  1/2-1/2  2019  Start  ?  2 plies  ply 0 (start)

$ tabiya find odd.db --fen 'bqnbrkrn/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/BQNBRKRN w GEge - 0 2'
3  ? - ?  *  ?  960  ?  2 plies  ply 2 (1... c5)

$ tabiya find odd.db --chess960 --fen 'bqnbrkrn/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/BQNBRKRN w KQkq - 0 2' --ids
3

$ tabiya find odd.db --white '' --ids | paste -s -d ' '
3 4 5

$ tabiya find odd.db --white '*' --ids | paste -s -d ' '
1 2

$ tabiya find odd.db --eco '' --ids | paste -s -d ' '
3 4

# With an index of any depth, or without one, the answers are the same.

$ for plies in none 0 3 10 all; do rm -f i.db; \
    tabiya import i.db --index-plies $plies games.pgn odd.pgn >/dev/null 2>&1; \
    for fen in startpos 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6' \
    'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3' \
    'rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2'; do tabiya find i.db --fen "$fen"; \
    tabiya find i.db --query "ply ..3" --fen "$fen"; tabiya explore i.db "$fen"; done | cksum; done | sort -u | wc -l
1

$ tabiya find i.db --threads 1 'board "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR"'
10  ? - ?  *  ?  ?  D00 Queen's Pawn Game  2 plies  ply 2 (1... d5)

# Conditions that make no sense are reported.

$ tabiya find games.db --fen '8/8/8/8/8/8/8/8 w - - 0 1'
tabiya: not a legal position:
  white has no king
  black has no king
[2]

$ tabiya find games.db 'board "8/8/8/8/8/8/8/8"'
[1]

$ tabiya find games.db 'board "8/8/8"'
tabiya: find: fen: field 1 (placement), column 6: 8 ranks expected, 3 found
  board "8/8/8"
         ^
[2]

$ tabiya find games.db --opening '1. e4 c5 2. Ke3'
tabiya: find: --opening: column 13: illegal move: "Ke3": the king cannot go there (2.Ke3...
[2]

$ tabiya find games.db --opening ''
tabiya: find: --opening must be moves, not ""
[2]

$ tabiya find games.db --elo strong
tabiya: find: --elo must be a number or a range...not "strong"
[2]

$ tabiya find games.db --date May
tabiya: find: --date must be a date or a range such as 2019..2021.06, not "May"...
[2]

$ for o in since until year; do tabiya find games.db --$o 2020; done; tabiya find games.db 'since 2020'; tabiya find games.db --date '3 years'
tabiya: find: unknown option --since; dates are ranges: --date 2020.., --date ..2019, --date 2020
tabiya: find: unknown option --until; dates are ranges: --date 2020.., --date ..2019, --date 2020
tabiya: find: unknown option --year; dates are ranges: --date 2020.., --date ..2019, --date 2020
tabiya: find: no such word: "since"; dates are ranges: date 2020.., date ..2019, date 2020
  since 2020
  ^
tabiya: find: --date must be a date or a range such as 2019..2021.06, not "3 years"...
[2]

# The message shows a form that works.
$ tabiya find games.db 'iqp for 20 moveno ..20'; tabiya find games.db 'iqp or carlsbad for 2 check'; \
    tabiya find games.db --count 'iqp moveno ..20 for 20'; \
    tabiya find games.db --count '(iqp or carlsbad) check for 2'
tabiya: find: after "for N" only facts about the game can follow: write iqp moveno ..20 for 20, or put this after "," or ";" as a step of its own
  iqp for 20 moveno ..20
             ^
tabiya: find: after "for N" only facts about the game can follow: write (iqp or carlsbad) check for 2, or put this after "," or ";" as a step of its own
  iqp or carlsbad for 2 check
                        ^
0
0
[1]

$ tabiya find games.db --result 2-0
tabiya: find: --result must be 1-0, 0-1, 1/2-1/2 or *, not "2-0"
[2]

$ tabiya find games.db --where 'colour = 1'
tabiya: find: --where: no such column: colour
[2]

$ tabiya find games.db --where 'white ='
tabiya: find: --where: near ")": syntax error
[2]

$ tabiya find games.db --player Anna --player Bert
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
4  Bert (2100) - Anna (2050)  *  ?  Open  A40 Queen's Pawn Game  1 ply

$ tabiya find games.db --json --tsv
tabiya: find: --json and --tsv cannot both be given
[2]

$ tabiya find games.db --limit 0
tabiya: find: --limit must be a number from 1 to 4294967295, not "0"
[2]

$ tabiya find games.db --mate
tabiya: find: unknown option --mate; did you mean --date?
[2]

# So is a file that is not a database.

$ tabiya find
tabiya: find: no games given: name a database, a file of games, or - for standard input...
[2]

$ tabiya find no.db; ls no.db
tabiya: find: no.db: No such file or directory
ls: cannot access 'no.db': No such file or directory
[2]

$ tabiya find games.pgn
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies
2  Anna (1900) - CARLSEN, M (2800)  0-1  2019  Open  B90 Sicilian Defense: Najdorf Variation, Opocensky Variation  11 plies
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies
4  Bert (2100) - Anna (2050)  *  ?  Open  A40 Queen's Pawn Game  1 ply
5  Anna (1900) - So, W (2750)  1/2-1/2  2021-12-31  Club "A"  C20 King's Knight Opening  7 plies

$ : >empty.db; tabiya find empty.db
[1]

$ printf 'SQLite format 3\0' >cut.db; tabiya find cut.db
tabiya: find: cut.db: database: file is not a database
[2]

# The schema version is in the four bytes from byte 60 on, the application id in those from byte 68 on.

$ cp games.db new.db; printf '\0\0\0\11' | dd of=new.db bs=1 seek=60 conv=notrunc status=none; tabiya find new.db
tabiya: find: new.db: its schema has version 9, this program supports version 6
[2]

$ cp games.db other.db; printf '\0\0\0\0' | dd of=other.db bs=1 seek=68 conv=notrunc status=none; tabiya find other.db
tabiya: find: other.db: not a tabiya database
[2]

# Unexpected words, and a FEN without castling rights, do not silently find nothing.

$ tabiya find games.db nonsense more words
tabiya: find: no such word: "nonsense"; for a name: player nonsense
  nonsense more words
  ^
[2]

$ tabiya find games.db --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b'
tabiya: find: --fen needs the side to move and the castling rights too, such as "w KQkq"; the query board "..." looks for the pieces alone
[2]

$ tabiya find games.db --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -' --count
2

# A date that is not a day means its known part; UTCDate replaces one that is missing or unknown.

$ for d in '[Date "2020.13.45"]' '[Date "2020.02.30"]' '[Date "2020.00.00"]' \
    '[Date "????.??.??"] [UTCDate "2021.03.04"]' '[UTCDate "2021.05.06"]'; do echo "$d *"; echo; done >dates.pgn; \
    tabiya import dates.db dates.pgn; tabiya find dates.db
5 games read: 5 stored, 0 duplicates, 0 rejected
1  ? - ?  *  2020  ?  ?  0 plies
2  ? - ?  *  2020-02  ?  ?  0 plies
3  ? - ?  *  2020  ?  ?  0 plies
4  ? - ?  *  2021-03-04  ?  ?  0 plies
5  ? - ?  *  2021-05-06  ?  ?  0 plies

$ tabiya find dates.db --date 2020.02 --ids | paste -s -d ' '; tabiya export dates.db | grep Date; tabiya verify dates.db
1 2 3
[Date "2020.13.45"]
[Date "2020.02.30"]
[Date "2020.00.00"]
[Date "????.??.??"]
[UTCDate "2021.03.04"]
[UTCDate "2021.05.06"]
5 games, 0 faults

# An empty or unknown ECO tag is not a code.

$ printf '[ECO "?"]\n\n1. e4 c5 *\n' | tabiya import eco.db - >/dev/null; tabiya find eco.db --eco B20; \
    tabiya find eco.db --eco '?'; tabiya export eco.db
1  ? - ?  *  ?  ?  B20 Sicilian Defense  2 plies
[ECO "?"]

1. e4 c5 *

# A query, alone or with short forms; what remains to be checked against each game.

$ tabiya find games.db 'player carlsen result 1-0'
1  Carlsen, M (2800) - So, W (2750)  1-0  2019-05-01  Open  B90 Sicilian Defense: Najdorf Variation  10 plies

$ tabiya find games.db q-h4# --result 0-1
3  Bert - anna  0-1  2020-02  Club "A"  A00 Barnes Opening: Fool's Mate  4 plies  ply 3 (2... Qh4#)

$ tabiya find games.db 'Pe4 pe5' --ids | paste -s -d ' '; tabiya find games.db --query 'Pe4 pe5' --count; \
    tabiya find games.db 'Pe4 , pe5' --query mate
5
1
tabiya: find: a query is given twice: as "Pe4 , pe5" and by --query
[2]

$ tabiya find games.db 'player carlsen mate' --explain | grep -v ^plan
sql, by an index: ((game.white IN (1,4)) OR (game.black IN (1,4))), which leaves 2 games
left to check in 2 of 5 games: the query

$ tabiya find games.db --fen startpos --white Anna --explain | grep -v ^plan
position: by its index, and by the sketches of games that it does not hold
sql: (game.white IN (3,6))
left to check in each game: nothing

$ tabiya find games.db --fen startpos --date 2000.. --explain
position: by its index, and by the sketches of games that it does not hold
results, ratings, dates, speeds, openings: by the facts of the games
left to check in each game: nothing

# Conditions under NOT are used by indexes too.
$ tabiya find games.db 'not (result 1-0 or check)' --explain
results, ratings, dates, speeds, openings: by the facts of the games, which leaves 4 games
sql, game by game: ((game.result = '1-0') IS NOT TRUE)
left to check in 4 of 5 games: the query

# All half-moves at which a query matches, for programs.
$ tabiya find games.db 'Pe4' --tsv --all-plies --limit 2 | cut -f 1,14
id	ply
1	1,2,3,4,5,6,7,8,9,10
2	3,4,5,6,7,8,9,10,11

$ tabiya find games.db mate --all-plies
tabiya: find: --all-plies needs --to tsv, csv or json
[2]

$ tabiya find games.db --json --all-plies --limit 1 | grep -o '"ply".*'
"ply":[0],"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}

$ tabiya find games.db 'player anna' --explain | tail -n 1; tabiya explore games.db --query mate --explain | tail -n 1
left to check in each game: nothing
left to check in each game: the query

# The explanation is that of the exploration that runs: stored counts or single games, and how the games of a query are found.
$ tabiya explore games.db --explain; tabiya explore games.db 1. e4 --query 'elo 1..' --explain; for i in $(seq 300); \
    do printf '[White "w%s"]\n\n1. e4 *\n\n' $i; done >many.pgn; tabiya import many.db many.pgn >/dev/null; \
    tabiya explore many.db --explain
moves: from 5 games one by one, by the index of positions as far as it goes
moves: from 2 games one by one, by the index of positions as far as it goes
among the games that match the query:
results, ratings, dates, speeds, openings: by the facts of the games, which leaves 4 games
left to check in each game: nothing
moves: from the stored counts of this position, 300 games

$ tabiya find games.db mate --count
1

# A query may start with a negative number.

$ printf '[White "A"]\n\n1. e4 d5 2. exd5 *\n' >gone.pgn; tabiya import gone.db gone.pgn; tabiya find gone.db '-1 < points points > 0' --count
1 game read: 1 stored, 0 duplicates, 0 rejected
1

# User-defined patterns.

$ cp "$SOURCE/test/cli/data/find/own.txt" own.txt; tabiya find games.db broad-fight --patterns own.txt --ids
1
2

$ tabiya find games.db broad-fight
tabiya: find: no such word: "broad-fight"; for a name: player broad-fight
  broad-fight
  ^
[2]

$ printf 'good-one Pd4\nbad-one Pd4 Pe9\n' >faulty.txt; tabiya find games.db --count --patterns faulty.txt
tabiya: find: faulty.txt:2:13: a file needs braces: write P{e}
  bad-one Pd4 Pe9
              ^
[2]

$ tabiya find games.db --patterns no.txt
tabiya: find: --patterns: no.txt: No such file or directory
[2]

$ tabiya find games.db "$(printf 'player anna %.0s' $(seq 500))plaer x"
tabiya: find: no such word: "plaer"; did you mean "player"?
  ...player anna player anna player anna player anna player anna plaer x
                                                                 ^
[2]

# Functions of the extension in an SQL condition, which may only read.

$ tabiya find games.db --where "matches(game, 'Pe4 , nf6')" --ids
1
2
5

$ tabiya find games.db --where "isCheckmate(game) AND EXISTS (SELECT 1 FROM moves(games.moves) WHERE san = 'g4')" --ids
3

$ tabiya find games.db --where "matches(game, 'Pe4 , nf9')" --ids
tabiya: find: games.db: database: query, column 7: a file needs braces: write n{f}
[2]

$ for w in "load_extension('x')" "EXISTS (SELECT 1 FROM sqlite_schema)" \
    "EXISTS (SELECT 1 FROM pragma_database_list)" "EXISTS (SELECT 1 FROM read_pgn('games.pgn'))" \
    "EXISTS (SELECT 1 FROM READ_PGN('games.pgn'))" 'EXISTS (SELECT 1 FROM SQLITE_MASTER)' \
    'EXISTS (SELECT 1 FROM "Sqlite_Schema")' 'EXISTS (SELECT 1 FROM Pragma_Database_List)' \
    'EXISTS (SELECT 1 FROM DBSTAT)' "LOAD_EXTENSION('x')"; do tabiya find games.db --where "$w"; done
tabiya: find: --where: a condition may only read the tables of games: not authorized to use function: load_extension
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized
tabiya: find: --where: a condition may only read the tables of games: not authorized to use function: LOAD_EXTENSION
[2]

$ tabiya find games.db --where '1); DELETE FROM game; --'
tabiya: find: --where: one condition expected, with nothing after it
[2]

$ tabiya delete games.db --where "1) AND EXISTS (SELECT writefile('x', '')" --yes
tabiya: delete: --where: no such function: writefile
[2]

$ tabiya find games.db --count
5

# Other orders, samples, and comma-separated values.

$ tabiya import order.db "$SOURCE/examples/famous.pgn" >/dev/null; \
    tabiya find order.db --sort=-date,white --limit 2 --ids; \
    tabiya find order.db --sort plies --limit 1 --offset 1 --to csv; \
    tabiya find order.db --sort=-plies --limit 1 --ids; \
    tabiya find order.db --where 'plies = (SELECT max(plies) FROM games)' --ids
58
57
id,white,white_elo,black,black_elo,result,date,event,site,round,eco,plies,speed,ply,fen
1,Gioachino Greco,,NN,,1-0,1620,Casual game,?,?,B00,15,,0,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
35
35

$ tabiya find order.db --sample 4,7 --ids >a; tabiya find order.db --sample 4,7 --ids | cmp - a; \
    sort -n a | cmp - a; wc -l <a; tabiya find order.db --sample 100 --ids | wc -l; tabiya find order.db --sort moves
4
58
tabiya: find: --sort takes ... not "moves"
[2]

$ printf '[White "A, \\"B\\""]\n\n1. e4 *\n' >q.pgn; tabiya import q.db q.pgn >/dev/null; tabiya find q.db --to csv
id,white,white_elo,black,black_elo,result,date,event,site,round,eco,plies,speed,ply,fen
1,"A, ""B""",,,,*,,,,,B00,1,,0,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

# A query about a move shows that move, which is played from the position at the ply; others show the move that led there.

$ printf '1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Nxd4 Qh4 *\n' >move.pgn; tabiya import move.db move.pgn >/dev/null; \
    for q in Nxd4 'Nxd4 wtm' 'either Nxd4' 'Nxd4 or Rxd4' 'Nxd4 , q-h4' 'N:f3-d4' '(N-f3) ; pxd4' 'pd4' 'pd4 , q-h4' \
    'Nxd4 or pd4' 'not Rxd4 pd4' 'ever (Nxd4) pd4'; do \
    tabiya find move.db "$q" | sed "s/.*  ply/$(printf %-16s "$q")ply/"; done; \
    tabiya find move.db --json Nxd4 | grep -o '"ply":.*'
Nxd4            ply 6 (4. Nxd4)
Nxd4 wtm        ply 6 (4. Nxd4)
either Nxd4     ply 6 (4. Nxd4)
Nxd4 or Rxd4    ply 6 (4. Nxd4)
Nxd4 , q-h4     ply 6 (4. Nxd4)
N:f3-d4         ply 6 (4. Nxd4)
(N-f3) ; pxd4   ply 2 (2. Nf3)
pd4             ply 6 (3... exd4)
pd4 , q-h4      ply 6 (3... exd4)
Nxd4 or pd4     ply 6 (3... exd4)
not Rxd4 pd4    ply 6 (3... exd4)
ever (Nxd4) pd4 ply 6 (3... exd4)
"ply":6,"fen":"r1bqkbnr/pppp1ppp/2n5/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4"}

# Text that is no player, event or place may be an opening.
$ tabiya find games.db najdorf --ids; tabiya find games.pgn 'Sicilian Defense' --count; tabiya find games.db 'sicilian nonsense' --ids
tabiya: find: read as: opening najdorf
1
2
tabiya: find: read as: opening "Sicilian Defense"
2
tabiya: find: no such word: "sicilian"; for a name: player sicilian
  sicilian nonsense
  ^
[2]

# Similar names: the nearest first, of these the one with the most games; an initial is not similar to a whole name.
$ for w in Kasparov,Aram Kasparov,G Kasparov,G Dvorak,K; do \
    printf '[White "%s"]\n[Round "%d"]\n\n1. e4 *\n\n' "$w" $((n += 1)); done >near.pgn; \
    tabiya import near.db near.pgn; for s in near.db near.pgn; do tabiya find $s Kasparof; done
4 games read: 4 stored, 0 duplicates, 0 rejected
tabiya: find: no such word: "Kasparof"; for a name: player Kasparof; similar names: "Kasparov,G", "Kasparov,Aram"
  Kasparof
  ^
tabiya: find: no such word: "Kasparof"; for a name: player Kasparof; similar names: "Kasparov,Aram", "Kasparov,G"
  Kasparof
  ^
[2]

# Words of the query as options, also those without a line in the help: all must hold, those given twice too.

$ for s in criteria.pgn criteria.db; do cp "$SOURCE/test/cli/data/criteria.pgn" .; \
    [ -e criteria.db ] || tabiya import criteria.db criteria.pgn >report; tabiya find $s --event open --count; \
    tabiya find $s --event open --event 9 --site net --plies ..4 --count; tabiya pgn $s --tag WhiteTitle=GM --count; \
    tabiya find $s --board rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR --within 2 --elo 2000.. --count; \
    tabiya explore $s --site=riga --json | grep -o '"games":[0-9]*' | head -1; done
5
1
3
3
"games":2
5
1
3
3
"games":2

$ for o in '--tag WhiteTitle' '--tag =GM' '--within 3' '--event' '--board 8/8'; do tabiya find criteria.db $o; done; \
    tabiya find criteria.db --fen '1. e4' --within 3 --within 4; tabiya collection list criteria.db --event x; \
    tabiya tree grow criteria.db --event x
tabiya: find: --tag must be TAG=VALUE, not "WhiteTitle"
tabiya: find: --tag must be TAG=VALUE, not "=GM"
tabiya: find: --within needs --fen or --board
tabiya: find: option --event needs a value: VALUE
tabiya: fen: field 1 (placement), column 4: 8 ranks expected, 2 found
tabiya: find: --within is given twice
tabiya: collection list: --event does not apply...
tabiya: tree: unknown option --event...
[2]
