# The tables of explore, report, repertoire and novelty in the formats of --to.

$ game() { printf '[White "%s"]\n[Black "%s"]\n[Date "%s"]\n[Result "%s"]\n[WhiteElo "%s"]\n\n%s %s\n\n' "$1" "$2" \
    "$3" "$4" "$5" "$6" "$4"; }; { game 'Carlsen, Magnus' So 2019.05.01 1-0 2800 '1. e4 c5 2. Nf3'; \
    game 'Carlsen, Magnus' '=2+2' 2020.01.01 1/2-1/2 2801 '1. e4 e5'; \
    game Anna 'Carlsen, Magnus' '????.??.??' 0-1 '' '1. d4 d5'; \
    game Bert '<b>&Q' 2021.??.?? '*' '' '1. e4 c5 2. c3'; } >games.pgn; tabiya import games.db games.pgn; \
    printf '1. e4 c5 2. Nf3 *\n' >lines.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

$ tabiya explore games.db --to tsv; tabiya explore games.db --to csv --limit 1; \
    tabiya explore games.db --match 'Pe4' --to csv; \
    tabiya explore games.db 1. e4 --transpositions --to csv | tail -n 1
san	uci	games	reached	white	draw	black	unknown	elo	last
e4	e2e4	3	3	1	1	0	1	2801	2021
d4	d2d4	1	1	0	0	1	0		
san,uci,games,reached,white,draw,black,unknown,elo,last
e4,e2e4,3,3,1,1,0,1,2801,2021
san,side,games,white,draw,black,unknown,elo,last
c5,black,2,1,0,0,1,,2021
e5,black,1,0,1,0,0,,2020-01-01
e5,e7e5,1,1,0,1,0,0,,2020-01-01

$ tabiya explore games.db --to html | sed -n '/<table>/,$p'
<table>
<thead><tr><th>san</th><th>uci</th><th class="n">games</th><th class="n">reached</th><th class="n">white</th><th class="n">draw</th><th class="n">black</th><th class="n">unknown</th><th class="n">elo</th><th>last</th></tr></thead>
<tbody>
<tr><td>e4</td><td>e2e4</td><td class="n">3</td><td class="n">3</td><td class="n">1</td><td class="n">1</td><td class="n">0</td><td class="n">1</td><td class="n">2801</td><td>2021</td></tr>
<tr><td>d4</td><td>d2d4</td><td class="n">1</td><td class="n">1</td><td class="n">0</td><td class="n">0</td><td class="n">1</td><td class="n">0</td><td class="n"></td><td></td></tr>
</tbody>
</table>
</body>
</html>

# The numbers equal those in the JSON.

$ for q in '' '1. e4' '1. e4 c5'; do \
    cmp \
    <(tabiya explore games.db $q --json | jq -r \
    '.moves[] | [.san, .uci, .games, .reached, .white, .draw, .black, .unknown, .elo, .last] | @tsv') \
    <(tabiya explore games.db $q --tsv | tail -n +2); done; \
    cmp \
    <(tabiya report games.db carlsen --json | \
    jq -r \
    '.colors[], .openings[], .years[] | [.key, .games, .won, .drawn, .lost, .score, .elo, .performance] | @tsv') \
    <(tabiya report games.db carlsen --tsv | grep '^\(colors\|openings\|years\)' | cut -f 2-)

$ tabiya report games.db carlsen --to csv; tabiya report games.db bert --to spreadsheet --limit 1 | grep opponents; \
    tabiya report games.db carlsen --black --to spreadsheet --limit 1 | grep -c =; \
    tabiya report games.db 'carlsen' --white --to spreadsheet | grep =; tabiya report games.db nobody --to csv
by,key,games,won,drawn,lost,score,elo,performance
all,carlsen,3,2,1,0,83.3,,
colors,white,2,1,1,0,75,,
colors,black,1,1,0,0,100,,
openings,King's Pawn Game (white),1,0,1,0,50,,
openings,Queen's Pawn Game (black),1,1,0,0,100,,
openings,Sicilian Defense (white),1,1,0,0,100,,
variations,B27 Sicilian Defense (white),1,1,0,0,100,,
variations,C20 King's Pawn Game (white),1,0,1,0,50,,
variations,D00 Queen's Pawn Game (black),1,1,0,0,100,,
years,2019,1,1,0,0,100,,
years,2020,1,0,1,0,50,,
years,not known,1,1,0,0,100,,
ratings,not known,3,2,1,0,83.3,,
opponents,=2+2,1,0,1,0,50,,
opponents,Anna,1,1,0,0,100,,
opponents,So,1,1,0,0,100,,
names,"Carlsen, Magnus",3,2,1,0,83.3,,
opponents,<b>&Q,1,0,0,0,,,
0
opponents,'=2+2,1,0,1,0,50,,
tabiya: report: no game of "nobody" was found...
[1]

$ tabiya report games.db bert --to html --limit 1 | grep -o '<td>&lt.*' | head -n 1
<td>&lt;b&gt;&amp;Q</td><td class="n">1</td><td class="n">0</td><td class="n">0</td><td class="n">0</td><td class="n"></td><td class="n"></td><td class="n"></td></tr>

$ tabiya repertoire gaps games.db lines.pgn --to csv; tabiya repertoire deviations games.db lines.pgn --tsv; \
    tabiya repertoire gaps games.db lines.pgn --to html | grep -c '<tr>'
line,san,uci,by,planned,games,of,white,draw,black,unknown,fen
1. e4,e5,e7e5,opponent,c5,1,3,0,1,0,0,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
line	san	uci	by	planned	games	of	white	draw	black	unknown	fen
	d4	d2d4	own	e4	1	4	0	0	1	0	rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
1. e4	e5	e7e5	opponent	c5	1	3	0	1	0	0	rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
1. e4 c5	c3	c2c3	own	Nf3	1	2	0	0	0	1	rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
2

$ tabiya novelty games.db --to csv; tabiya novelty games.db 1 --any-date --tsv; \
    tabiya novelty games.db 1. e4 c5 --to csv; tabiya novelty games.db 'player nobody' --to csv; \
    tabiya novelty games.db --to html | grep -c '</html>'
source,id,white,black,date,ply,move,games,played,fen
games.db,1,"Carlsen, Magnus",So,2019.05.01,1,e4,0,,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
games.db,2,"Carlsen, Magnus",=2+2,2020.01.01,2,e5,1,c5 1,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
games.db,3,Anna,"Carlsen, Magnus",,1,d4,3,e4 3,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
games.db,4,Bert,<b>&Q,2021.??.??,3,c3,1,Nf3 1,rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
source	id	white	black	date	ply	move	games	played	fen
		Carlsen, Magnus	So	2019.05.01	3	Nf3	1	c3 1	rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
source,id,white,black,date,ply,move,games,played,fen
,,,,,2,,2,,rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
source,id,white,black,date,ply,move,games,played,fen
1

# Several sources, an order, a sample, and a file.

$ tabiya explore games.db games.pgn --to csv -o out.csv; cat out.csv; \
    tabiya report games.pgn carlsen --limit 2 --to csv -o out.csv; head -n 2 out.csv; \
    tabiya novelty games.db games.pgn --limit 2 --tsv -o out.csv; cut -f 1-3 out.csv; \
    tabiya repertoire gaps games.db lines.pgn --limit 1 --to csv -o out.csv; wc -l <out.csv; \
    tabiya explore games.db --to csv -o games.db
san,uci,games,reached,white,draw,black,unknown,elo,last
e4,e2e4,6,6,2,2,0,2,2801,2021
d4,d2d4,2,2,0,0,2,0,,
by,key,games,won,drawn,lost,score,elo,performance
all,carlsen,3,2,1,0,83.3,,
source	id	white
games.pgn	1	Carlsen, Magnus
games.pgn	2	Carlsen, Magnus
2
tabiya: explore: games.db cannot be both input and output
[2]

# Formats that do not apply to a table are refused with a list of those that do, and so are two formats at once.

$ tabiya explore games.db --to pgn; tabiya report games.db carlsen --ids; tabiya novelty games.db --count; \
    tabiya repertoire gaps games.db lines.pgn --to cmbr; tabiya report games.db carlsen --json --tsv; \
    tabiya explore games.db --json --to csv; tabiya explore games.db --html
tabiya: explore: option --to must be one of lines|tsv|csv|spreadsheet|json|html, not "pgn"
tabiya: report: unknown option --ids; --to accepts lines|tsv|csv|spreadsheet|json|html
tabiya: novelty: unknown option --count; --to accepts lines|tsv|csv|spreadsheet|json|html
tabiya: repertoire: option --to must be one of lines|tsv|csv|spreadsheet|json|html, not "cmbr"
tabiya: report: --json and --tsv cannot both be given
tabiya: explore: --json and --to csv cannot both be given
tabiya: explore: unknown option --html; use --to html
[2]

# Control characters in names do not reach the terminal.

$ printf '[White "A\033[2JB\007"]\n[Black "C\177D\302\233mE"]\n\n1. e4 *\n' >control.pgn; \
    for f in tsv csv spreadsheet html; do tabiya report control.pgn mE --to $f; tabiya novelty control.pgn --to $f; \
    done | LC_ALL=C tr -d '\n\t -~' | od -An -c; tabiya report control.pgn mE --to csv | grep -e names -e opponents
opponents,A [2JB ,1,0,0,0,,,
names,C D  mE,1,0,0,0,,,
