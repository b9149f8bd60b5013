# Plain words as a query, and people in any spelling.

$ g() { \
    printf \
    '[Event "%s"]\n[Site "%s"]\n[Date "%s.01.15"]\n[Round "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n\n%s %s\n\n' \
    "$1" "$2" "$3" "$((n += 1))" "$4" "$5" "$6" "$7" "$6"; }; { \
    g 'Corus A' 'Wijk aan Zee' 2010 Carlsen,M Nakamura,Hi 1-0 '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6'; \
    g 'Tata Steel' 'Wijk aan Zee' 2019 'Carlsen, Magnus' Gormally,D 1/2-1/2 '1. d4 Nf6'; \
    g 'Hastings' 'London' 2019 'Gormally, Daniel' 'Magnus Carlsen' 0-1 '1. d4 Nf6 2. c4 c5 3. d5 e6'; \
    g 'Najdorf Memorial' 'Warsaw' 2019 'Najdorf, Miguel' 'Carlsen,Ni' 0-1 '1. e4 e6'; \
    g 'Team Rapid' 'Oslo' 2020 'Carlsen, Magnus/Aryan, T' 'Gormally, D/Bo, C' 1-0 '1. c4'; \
    g 'Gift' 'Oslo' 2021 'Anna' 'Bo' 1-0 \
    '1. e4 e6 2. d4 d5 3. e5 c5 4. c3 Nc6 5. Nf3 Nge7 6. Bd3 Ng6 7. O-O Be7 8. Qc2 O-O 9. Bxg6 h6 10. Bh7+ Kh8'; \
    } >games.pgn; tabiya import games.db games.pgn
6 games read: 6 stored, 0 duplicates, 0 rejected

# A name as an option or an argument is the person in any spelling; = is exactly, * and "" as ever. In a query, a name matches by
# its words.

$ for n in 'Magnus Carlsen' Carlsen,M 'carlsen, magnus' '=Carlsen,M' 'Carlsen, M*' Carlsen; do \
    tabiya find games.db --player "$n" --ids | tr '\n' ' '; tabiya report games.db "$n" | head -n 1; done; \
    tabiya find games.db --white 'Daniel Gormally' --ids; tabiya find games.db 'player "Magnus Carlsen"' --count; \
    tabiya find games.db 'white "Daniel Gormally"' --count; tabiya find games.db --player '' --count
1 2 3 5 Magnus Carlsen: 4 games
1 2 3 5 Carlsen,M: 4 games
1 2 3 5 carlsen, magnus: 4 games
1 =Carlsen,M: 1 game
2 5 Carlsen, M*: 2 games
1 2 3 4 5 Carlsen: 5 games
3
3
tabiya: find: player "Daniel Gormally" finds 1 game by these words...
1
0
[1]

# Commands that change a database take the language alone.

$ tabiya collection add games.db mine --player 'Magnus Carlsen'; tabiya collection add games.db mine gormally; \
    tabiya delete games.db gormally; tabiya delete games.db --player 'Daniel Gormally' 2>&1 | head -n 1; \
    tabiya collection list games.db
3 games added to mine
tabiya: collection: no such word: "gormally"; for a name: player gormally
  gormally
  ^
tabiya: delete: no such word: "gormally"; for a name: player gormally
  gormally
  ^
tabiya: delete: player "Daniel Gormally" finds 1 game by these words; in all spellings, the person has 3: player ~"Daniel Gormally"
      3  mine

# Plain words: openings come before players, players before places, events and patterns; years.

$ for w in gormally 'Gormally 2019' 'greek gift' 'isolated queen pawn' 'bishop pair' 'Wijk aan Zee 2010' \
    'wijk aan zee' najdorf Sicilian 'sicilian defence' benoni Benoni carlsen 'carlsen magnus' 'Carlsen, Magnus' \
    'magnus carlsen gormally' 'gormally - carlsen' 'nakamura 2010-2012' 'tata steel' 'tata steel carlsen' \
    'carlsen najdorf' london oslo; do tabiya find games.db "$w" --count; done 2>&1 | sed 's/^tabiya: find: //'
read as: player ~"gormally"
3
read as: player ~"Gormally" date 2019
2
read as: greek-gift
0
read as: iqp
0
read as: bishop-pair
0
read as: site "Wijk aan Zee" date 2010
1
read as: site "wijk aan zee"
2
read as: opening najdorf; for the player: player ~"najdorf"
1
read as: opening Sicilian
1
read as: opening "sicilian defense"
1
0
read as: opening Benoni
1
read as: player ~"carlsen"
5
read as: player ~"carlsen, magnus"
4
read as: player ~"Carlsen, Magnus"
4
read as: either (white ~"magnus carlsen" black ~"gormally")
3
read as: either (white ~"gormally" black ~"carlsen")
3
read as: player ~"nakamura" date 2010..2012
1
read as: event "tata steel"
1
read as: event "tata steel" player ~"carlsen"
1
read as: either (white ~"carlsen" black ~"najdorf")
1
read as: opening london
0
read as: site oslo
2

# The page's search field: one word that is a pattern and an opening means the opening. A file of games is read the same way, and
# options may be added.

$ tabiya find games.db 'opening benoni' --ids; tabiya find games.pgn gormally --date 2020.. --count; \
    tabiya explore games.db gormally | head -n 2; \
    tabiya find games.db 'gormally' --player carlsen --date 2019 --count; \
    cat games.pgn | tabiya find - 'wijk aan zee' --count
3
tabiya: find: read as: player ~"gormally"
1
tabiya: explore: read as: player ~"gormally"
move        games  share white  draw black                            unknown   Elo  last         reached
d4              2  66.7%    0%   50%   50%  ============------------        -     -  2019-01-15         2
tabiya: find: read as: player ~"gormally"
2
tabiya: find: read as: site "wijk aan zee"
2

# If a word is left over, the error is that of the language, and similar names are shown.

$ for w in 'gormally nonsense' 'playr carlsen' player 'carlsen 2019 xyzzy' 'elo 2400.. gormally' gormaly \
    'one two three four five six seven eight nine'; do tabiya find games.db "$w"; done
tabiya: find: no such word: "gormally"; for a name: player gormally
  gormally nonsense
  ^
tabiya: find: no such word: "playr"; did you mean "player"?
  playr carlsen
  ^
tabiya: find: a value was expected, not the end
  player
        ^
tabiya: find: no such word: "carlsen"; did you mean "carlsbad"? For a name: player carlsen
  carlsen 2019 xyzzy
  ^
tabiya: find: no such word: "gormally"; for a name: player gormally
  elo 2400.. gormally
             ^
tabiya: find: no such word: "gormaly"; for a name: player gormaly; similar names: "Gormally, D/Bo, C", "Gormally, Daniel", "Gormally,D"
  gormaly
  ^
tabiya: find: no such word: "one"; did you mean "or"? For a name: player one
  one two three four five six seven eight ...
  ^
[2]

$ tabiya find games.db --player 'Magnus Karlsen' --count; tabiya find games.db --player 'Daniel Gormaly'; tabiya report games.db 'Magnus Karlsen'
0
tabiya: find: no game found...
tabiya: find: similar names: Carlsen, Magnus; Carlsen, Magnus/Aryan, T; Magnus Carlsen
tabiya: find: no game found...
tabiya: find: similar names: Gormally, Daniel; Gormally, D/Bo, C; Gormally,D
tabiya: report: no game of "Magnus Karlsen" was found...
tabiya: report: similar names: Carlsen, Magnus; Carlsen, Magnus/Aryan, T; Magnus Carlsen
[1]

# Letters that stand alone name nobody: they would match a tenth of all names.

$ tabiya find games.db 'm d'; tabiya find games.db 'carlsen, m' --count
tabiya: find: a fact was expected, not "d"
  m d
    ^
tabiya: find: read as: player ~"carlsen, m"
4
