# What people type first: moves and positions with a query behind them, codes of openings, names of several words, and options of
# other programs.

$ cp "$SOURCE/examples/famous.pgn" .; tabiya import s.db famous.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected

# A line of moves ends at the first word of the language; a FEN is the position.

$ for c in 'find s.db' 'find famous.pgn' 'pgn s.db' 'pgn famous.pgn'; do \
    for w in '1 e4 e5' '1. e4 e5 plies ..40' '1.e4 e5 elo 2400.. or plies ..40' \
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' \
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 result 1-0'; do tabiya $c $w --count; \
    tabiya $c "$w" --count; done | paste -s; done
20	20	5	5	5	5	27	27	19	19
20	20	5	5	5	5	27	27	19	19
20	20	5	5	5	5	27	27	19	19
20	20	5	5	5	5	27	27	19	19

$ for w in '1.e4 e5 plies ..40' '1. e4 e5 plies ..40' 'e4 e5 plies ..40' \
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 plies ..40'; do \
    tabiya explore s.db $w | tail -n 1; tabiya explore famous.pgn "$w" | tail -n 1; done
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -
total           5          40%   20%   40%  ##########====----------        -

$ tabiya find s.db 1.e4 e5 2.Nf9; tabiya explore s.db 1.e4 e5 2.Nf9; tabiya explore s.db 1.e4 plies
tabiya: find: invalid move text: "Nf9": a square was expected (ply 3...
  opening "1.e4 e5 2.Nf9"
                     ^
tabiya: explore: column 11: invalid move text: "Nf9": a square was expected (2.Nf9...
tabiya: explore: a number or a range such as 2400.. was expected, not the end
  plies
       ^
[2]

# A result or a number alone is no line of moves.

$ for w in 1-0 1/2-1/2 17 1. '1. e4'; do tabiya delete s.db "$w"; done; tabiya find s.db 1-0
tabiya: delete: write the word before a result: result 1-0
  1-0
  ^
tabiya: delete: write the word before a result: result 1/2-1/2
  1/2-1/2
  ^
tabiya: delete: a number alone: a game's number is written id 17
  17
  ^
tabiya: delete: moves are written opening "1. e4 e5"
  1.
  ^
tabiya: delete: moves are written opening "1. e4 e5"
  1. e4
  ^
tabiya: find: write the word before a result: result 1-0
  1-0
  ^
[2]

# Codes of openings, ranges of them with a hyphen, and their beginnings.

$ for w in 'C41' 'C40-C49' 'c41' 'eco C40..C49' 'eco C40-C49' 'eco C4' 'eco C' 'eco C4..C4' 'eco =C4' \
    'C41 paul morphy'; do tabiya find s.db "$w" --count; done; tabiya find famous.pgn --eco C40-C49 --count
tabiya: find: read as: eco C41
4
tabiya: find: read as: eco C40-C49
5
tabiya: find: read as: eco c41
4
5
5
5
22
5
0
tabiya: find: read as: eco C41 player ~"paul morphy"
2
5

# A report takes a name of several words, or --player.

$ for w in 'paul morphy' 'Morphy, Paul' 'Paul Morphy eco C41' 'morphy eco C41' 'paul morphy 1858' 'morphy philidor' \
    'Paul Murphy' '--player morphy' '--player morphy --white'; do tabiya report s.db $w | head -n 1; done; \
    tabiya report famous.pgn Morphy, Paul | head -n 1; tabiya report s.db Nobody At All; tabiya report s.db
paul morphy: 5 games
Morphy, Paul: 5 games
Paul Morphy: 2 games
morphy: 2 games
tabiya: report: read as: date 1858
paul morphy: 3 games
tabiya: report: read as: opening philidor
morphy: 2 games
tabiya: report: no such word: "Murphy"; for a name: player Murphy
  Murphy
  ^
morphy: 5 games
morphy: 2 games
Morphy, Paul: 5 games
tabiya: report: no game of "Nobody At All" was found...
tabiya: report: no player given...
[2]

# Words and options that are meant.

$ for w in checkmate draws 'KRP-KR' KRPKR krpvkr 'opposite colored bishops' 'rating 2400'; do tabiya find s.db "$w" 2>&1 | head -n 1; done
tabiya: find: no such word: "checkmate"; mate ends a game; M-# is the move that mates
tabiya: find: no such word: "draws"; write result 1-0, result 0-1 or result 1/2-1/2
tabiya: find: no such word: "KRP-KR"; material is written KRPvKR, with White's pieces first
tabiya: find: no such word: "KRPKR"; material is written KRPvKR, with White's pieces first
tabiya: find: no such word: "krpvkr"; material is written KRPvKR, with White's pieces first
tabiya: find: no such word: "opposite"; bishops on different colours are opposite-bishops
tabiya: find: no such word: "rating"; ratings are ranges: elo 2400.., any-elo 2600.., white-elo ..2000

$ for o in position moves rating name order first last random format id color=white; do \
    tabiya find s.db --$o x 2>&1; done; tabiya report s.db morphy --vs anderssen; tabiya perft --position x; \
    tabiya moves --first
tabiya: find: unknown option --position; a position is --fen FEN, or the moves to it: --opening "1. e4 e5"
tabiya: find: unknown option --moves; moves are --opening "1. e4 e5"; the number of half-moves is "plies ..40"
tabiya: find: unknown option --rating; ratings are ranges: --elo 2400.., --elo ..2000
tabiya: find: unknown option --name; a player is --player NAME; given twice, both have played
tabiya: find: unknown option --order; an order is --sort date, or --sort=-date for the latest first
tabiya: find: unknown option --first; for the first N games: --limit N
tabiya: find: unknown option --last; for the latest N games: --sort=-date --limit N
tabiya: find: unknown option --random; for a random choice: --sample N
tabiya: find: unknown option --format; formats are --to FORM; try --help
tabiya: find: unknown option --id; a game by its number is the query "id 17"
tabiya: option --color must be one of auto|always|never, not "white"...
tabiya: report: unknown option --vs; a player is --player NAME; given twice, both have played
tabiya: perft: unknown option --position; try --help
tabiya: moves: unknown option --first; try --help
[2]

# A player known by an initial has only the words that are his: others are an opening, a place or a pattern. Two players who have
# not met may be a player and a place.

$ g() { printf '[White "%s"]\n[Black "%s"]\n[Site "%s"]\n[Result "1-0"]\n\n%s 1-0\n\n' "$@"; }; { \
    g Kasparov,G Karpov,A Linares '1. d4 Nf6 2. c4 g6 3. Nc3 d5'; g Karpov,A Kasparov,G Moscow '1. e4 c5'; \
    g Linares,M Karpov,A Gibraltar '1. d4 d5'; g Karpov,A Grunfeld,E Vienna '1. c4 e5'; \
    g Kasparov,G 'Polgar, J' Gibraltar '1. c4 c5'; } >initials.pgn; tabiya import initials.db initials.pgn
5 games read: 5 stored, 0 duplicates, 0 rejected

$ for w in 'greek gift kasparov' 'grunfeld kasparov' 'kasparov grunfeld' 'gibraltar garry kasparov' \
    'kasparov linares' 'garry kasparov' 'judit polgar' 'karpov linares'; do \
    tabiya find initials.db "$w" --ids 2>&1 | sed 's/.*read as: //' | paste -sd' '; done
greek-gift player ~"kasparov"
opening grunfeld player ~"kasparov"; for the player: either (white ~"grunfeld" black ~"kasparov") 1
player ~"kasparov" opening grunfeld; for the player: either (white ~"kasparov" black ~"grunfeld") 1
site gibraltar player ~"garry kasparov" 5
player ~"kasparov" site linares 1
player ~"garry kasparov" 1 2 5
player ~"judit polgar" 5
either (white ~"karpov" black ~"linares") 3

# Words beside a year are not names, although an event may have them.

$ cp "$SOURCE/test/cli/data/typed/year.pgn" year.pgn; for w in 'year 2020' 'new year 2020' 'ada 2020'; do tabiya find year.pgn "$w" --count; done
tabiya: find: no such word: "year"; dates are ranges: date 2020.., date ..2019, date 2020
  year 2020
  ^
tabiya: find: read as: event "new year" date 2020
1
tabiya: find: read as: player ~"ada" date 2020
1
