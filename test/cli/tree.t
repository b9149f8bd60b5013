# tabiya tree: the counts are those of the table of positions, the texts those of the samples.

$ tabiya tree
tabiya: tree: no action given...
[2]

$ tabiya tree grwo
tabiya: tree: unknown action "grwo"; did you mean "grow"?
[2]

$ tabiya tree read --depth 3 x
tabiya: tree read: --depth does not apply
[2]

$ tabiya tree grow --depth 2
tabiya: tree grow: -o DIR, the folder to write, is missing...
[2]

$ tabiya tree grow -o tree
tabiya: tree grow: --depth N or --games FILE is missing...
[2]

$ tabiya tree grow --depth 2 -o tree
421 nodes, depth 2

$ tabiya tree grow --depth 2 -o tree
tabiya: tree: tree: the folder is not empty
[2]

$ tabiya tree grow --depth 2 -o no/such/folder
tabiya: tree: no/such/folder: cannot be written: No such file or directory
[2]

$ tabiya tree read tree
421 nodes, depth 2: good

$ tabiya tree read nothing
tabiya: tree: nothing: cannot be read: No such file or directory
[2]

# Every sample text of three half-moves, except those of the last level.
$ tabiya tree grow --depth 3 -o deeper && tabiya tree export deeper -o deeper.txt
5783 nodes, depth 3

$ awk '/^== /{if (f) close(f); f = sprintf("part%03d", ++n)} {print > f}' \
    "$SOURCE/test/vectors/tree_depth3_sample.txt"; for f in part*; do p=$(sed -n '1s/^== //p' $f); \
    tail -n +2 $f | cmp - deeper/$p || echo "$p differs"; done; ls part* | wc -l
13

# The export contains all files, one after the other; growing again gives the same bytes.
$ grep '^== ' deeper.txt | while read -r _ p; do echo "== $p"; cat "deeper/$p"; done | cmp - deeper.txt

$ tabiya tree grow --depth 3 --threads 1 -o again >/dev/null; diff -r deeper again

$ tabiya tree show deeper 1. a4 Na6
deeper/0/1/21/info.txt
8 r . b q k b n r
7 p p p p p p p p
6 n . . . . . . .
5 . . . . . . . .
4 P . . . . . . .
3 . . . . . . . .
2 . P P P P P P P
1 R N B Q K B N R
  a b c d e f g h

#21  r1bqkbnr/pppppppp/n7/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 1
from #1
a5       5     #421
b4       b4    #422
...
Ra2      2     #437
...

# A transposition is in another folder.
$ cmp <(tabiya tree show deeper e3 e6 d3) <(tabiya tree show deeper 1. d3 e6 2. e3) && tabiya tree show deeper e3 e6 d3 | head -n 1
deeper/0/8/173/.../info.txt

$ tabiya tree show tree e4 e5 Nf3
tabiya: tree show: node #194 has no move Nf3
[1]

$ tabiya tree show tree e4 e6 Ke3
tabiya: tree show: MOVES: column 7: illegal move: ...
[2]

# Faults are reported with their location.
$ sed -i 's/^e4) #9$/e4) #10/' tree/0/info.txt; rm tree/0/3/info.txt; tabiya tree read tree
tabiya: tree/0/info.txt:12: leads to #10, which is another position than rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0
tabiya: tree/0/info.txt:13: leads to #10, which is reached here for the first time and should be #9
tabiya: tree/0/3/info.txt:1: is missing
tabiya: tree/0/9: no move leads here
...
tabiya: tree: ... faults
[1]

# Counting
$ tabiya tree grow --count --depth 5
ply     positions           new
  0             1             1
  1            20            20
  2           400           400
  3          5362          5362
  4         72078         72013
  5        822518        821016

$ tabiya tree grow --count --depth 4 --memory 1M --threads 3 | tail -n 1
  4         72078         72013

$ tabiya tree grow --count --depth 2 --from '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'
ply     positions           new
  0             1             1
  1             0             0
  2             0             0

$ tabiya tree grow --count --depth 2 --memory much
tabiya: tree grow: --memory must be a size...not "much"
[2]

$ tabiya tree grow --count --depth 2 --temp /nonexistent
ply     positions           new
tabiya: tree: cannot create a temporary file in /nonexistent: No such file or directory
[2]

$ tabiya tree grow --count --depth 2 -o folder
tabiya: tree grow: --count writes nothing, so -o and --resume do not apply
[2]

# Games
$ printf '1. e4 e5 2. Nf3 1-0\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n1. e4 c5 *\n' >games.pgn

$ tabiya tree grow --games games.pgn -o book; cat book/0/info.txt
8 nodes, depth 3
3 games read: 3 counted, 0 not from this root, 0 rejected
#0
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0

from #7
e4) #1
Nf3) #2
draw by threefold repetition
comment games 3: 1-0 1, 1/2-1/2 1, 0-1 0, * 1

$ tabiya tree read book
8 nodes, depth 3: good

$ tabiya tree grow --games games.pgn --min-games 2 --plies 1 -o rare
2 nodes, depth 1
3 games read: 3 counted, 0 not from this root, 0 rejected

$ tabiya import games.db games.pgn && tabiya tree grow --games games.db -o fromdb && diff -r book fromdb
3 games read: 3 stored, 0 duplicates, 0 rejected
8 nodes, depth 3
3 games read: 3 counted, 0 not from this root, 0 rejected

$ tabiya tree show games.db e4
8 r n b q k b n r
...
#1  rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0
from #0
c5       c5    #3             1  +0 =0 -0
e5       e5    #4             1  +1 =0 -0
comment games 2: 1-0 1, 1/2-1/2 0, 0-1 0, * 1

$ echo '1. e4 e5 2. Ke3 *' | tabiya tree grow --games - -o bad
tabiya: stdin:1:13: illegal move: ...
1 node, depth 0
1 game read: 0 counted, 0 not from this root, 1 rejected
[1]

$ tabiya tree grow --games games.pgn --from 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' -o e4
4 nodes, depth 2
3 games read: 2 counted, 1 not from this root, 0 rejected

# Variations are not counted, which is reported, for files and databases.
$ cp "$SOURCE/test/cli/data/tree/varied.pgn" varied.pgn; tabiya tree grow --games varied.pgn -o varied; \
    tabiya import varied.db varied.pgn >/dev/null; tabiya tree grow --games varied.db -o varieddb; \
    diff -r varied varieddb; tabiya tree grow --games varied.pgn -o one 'result *'
5 nodes, depth 3
2 games read: 2 counted, 0 not from this root, 0 rejected; 6 half-moves of variations left out
5 nodes, depth 3
2 games read: 2 counted, 0 not from this root, 0 rejected; 6 half-moves of variations left out
3 nodes, depth 2
1 game found: 1 counted, 0 not from this root, 0 rejected

# PGN
$ tabiya tree export book --to pgn | tail -n +9
{#0} {draw by threefold repetition} {games 3: 1-0 1, 1/2-1/2 1, 0-1 0, * 1} 1.
e4 {games 2: 1-0 1, 1/2-1/2 0, 0-1 0, * 1} (1. Nf3
...
{games 1: 1-0 0, 1/2-1/2 1, 0-1 0, * 0} 2... Ng8 {= #0}) 1... c5
...
$ tabiya tree export book --to pgn | tabiya check -
1 game, 1 good, 0 bad, 2 plies, 6 plies in variations

# The most played move is the main line, wherever it is in tree order; move numbers continue from another start.

$ printf '1. a4 e5 *\n\n1. e4 c5 *\n\n1. e4 e5 2. Nf3 *\n\n1. e4 e5 *\n' >played.pgn; \
    tabiya tree grow --games played.pgn -o played >/dev/null; \
    tabiya tree export played --to pgn | tr -d '\n' | sed 's/ *{[^}]*} */ /g; s/.*"\*"\]//'; echo
 1. e4 (1. a4 1... e5 ) 1... e5 (1... c5 ) 2. Nf3 *

$ tabiya tree grow --from '4k3/8/8/8/8/8/8/R3K3 b - - 3 12' --depth 1 -o late >/dev/null; tail -n 1 late/0/info.txt; \
    tabiya tree read late; tabiya tree export late --to pgn | grep -e FEN -e Kd8
comment move 12
6 nodes, depth 1: good
[FEN "4k3/8/8/8/8/8/8/R3K3 b - - 3 12"]
12... Kd8 (12... Kf8) (12... Kd7) (12... Ke7) (12... Kf7) *

# An unfinished tree is not started again: the message mentions --resume.

$ tabiya tree grow --depth 1 -o begun >/dev/null; echo half >begun/unfinished; tabiya tree grow --depth 1 -o begun
tabiya: tree: begun: there is an unfinished tree...
[2]

# Games selected by a query.
$ cp "$SOURCE/test/cli/data/tree/games.pgn" games.pgn; tabiya tree grow --games games.pgn -o won 'result 1-0'; \
    tabiya tree grow --games games.db -o wondb --query 'result 1-0' >/dev/null; diff -r won wondb
4 nodes, depth 3
1 game found: 1 counted, 0 not from this root, 0 rejected

$ tabiya tree show games.db --query 'repeats 3' | tail -n 2
draw by threefold repetition
comment games 1: 1-0 0, 1/2-1/2 1, 0-1 0, * 0

$ tabiya tree grow --games games.pgn -o none 'reslut 1-0'
tabiya: tree: no such word: "reslut"; did you mean "result"?
  reslut 1-0
  ^
[2]

$ tabiya tree grow --depth 2 -o none 'result 1-0'
tabiya: tree grow: "result 1-0" selects games and needs --games...
[2]

$ tabiya tree grow --games games.db --explain 'result 1-0'
results, ratings, dates, speeds, openings: by the facts of the games, which leaves 1 game
left to check in each game: nothing

$ tabiya tree grow --games games.pgn --explain 'Pe4'
query: Pe4
files: every game is read
needed: moves
left to check in each game: the query

# A start position from another program, and an invalid FEN.
$ cp "$SOURCE/test/cli/data/tree/fen.pgn" fen.pgn; tabiya tree grow --games fen.pgn -o f1; \
    tabiya tree grow --games fen.pgn --from '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' -o f2; tabiya import fen.db fen.pgn; \
    tabiya tree grow --games fen.db --from '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' -o f3; \
    tabiya tree show fen.pgn --from '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' e4; tabiya tree show fen.db d4; \
    tabiya tree show f2 Kd1; tabiya tree grow --chess960 --depth 1 --from \
    bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR\ w\ KQkq\ -\ 0\ 1 -o f4
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

$ tabiya tree grow --depth 1 -o rules; for f in dot json pgn text transpositions; do \
    tabiya tree export rules --to $f | tail -n 1 | head -c 70; echo; done; \
    tabiya tree show rules --threads 2 e4 | head -n 3; rm rules/0/9/info.txt; tabiya tree show rules e4; \
    tabiya tree read rules; tabiya tree show rules/nothing
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
