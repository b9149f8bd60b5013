# tabiya show: any board, legal or not, as text or SVG.

$ tabiya show --to ascii
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h

$ tabiya show --to unicode 8/8/8/8/8/8/8/Kk6 w - - 0 1 | tail -n 2
1 ♔ ♚ · · · · · ·
  a b c d e f g h

$ tabiya show --flip --to ascii | head -n 1
1 R N B K Q B N R

# Letters unless a terminal shows UTF-8.

$ tabiya show | head -n 1
8 r n b q k b n r

$ command -v script >/dev/null || { echo ♜; exit; }; script -qec 'tabiya show' /dev/null | grep -o ♜ | head -n 1
♜

$ command -v script >/dev/null || { echo r; exit; }; LC_ALL=C script -qec 'tabiya show' /dev/null | grep -o r | head -n 1
r

$ printf 'startpos\n8/8/8/8/8/8/8/8 w - - 0 1\n' | tabiya show - | grep -c '^8'
2

$ tabiya show --to svg | head -c 4
<svg

$ tabiya show --to svg --last-move e2e4 --arrow e7e5 --arrow d4:cc0000 -o board.svg; grep -c -i cc0000 board.svg
1

$ if command -v xmllint >/dev/null; then xmllint --noout board.svg; fi

$ test "$(tabiya show --to svg)" = "$(tabiya show --to svg --flip)"
[1]

$ printf 'startpos\nstartpos\n' | tabiya show --to svg - >/dev/null
tabiya: show: --to svg draws one position only
[2]

$ tabiya show --arrow e2e4
tabiya: show: --arrow, --last-move and --size need --to svg or --to png
[2]

$ tabiya show --to svg --arrow e2
<svg...
...

$ tabiya show --to svg --arrow e2e9
tabiya: show: --arrow must look like e2e4, e4 or e2e4:cc0000, not "e2e9"
[2]

$ tabiya show --to svg --arrow e2e4:red
tabiya: show: --arrow must look like e2e4, e4 or e2e4:cc0000, not "e2e4:red"
[2]

$ tabiya show --to svg --last-move e2
tabiya: show: --last-move must be a move such as e2e4, not "e2"
[2]

$ tabiya show --to svg --last-move ''
tabiya: show: --last-move must be a move such as e2e4, not ""
[2]

# A file is not touched if there is nothing to write to it.

$ echo old >kept; tabiya show -o kept nonsense 2>/dev/null; cat kept
old

$ tabiya show nonsense
tabiya: fen: field 1 (placement), column 2: ...
[2]

# Strict reading refuses an incomplete FEN.

$ tabiya show --strict 4k3/8/8/8/8/8/8/4K3 w - -
tabiya: fen: field 5 (clock), column 26: the field is missing
[2]

# Moves in place of a FEN, for every command that takes one.

$ tabiya show 1. e4 c5 | head -n 4; tabiya show 'e2e4 c7c5' | cmp - <(tabiya show 1. e4 c5); \
    printf '1. d4\n1. d4 e4\n8/8/8/8/8/8/8/8\n' | tabiya show - | grep -c .
8 r n b q k b n r
7 p p . p p p p p
6 . . . . . . . .
5 . . p . . . . .
tabiya: stdin:2: moves: column 7: illegal move: "e4": no pawn can go there (1...e4...
18

$ tabiya moves 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 | grep '#'; tabiya perft 1 1. e4 | head -n 1; tabiya status 1. f3 e5 2. g4 Qh4# 0-1 | grep outcome
Qxf7#
nodes 20
outcome                0-1 checkmate

# A position of a game.

$ tabiya show "$SOURCE/examples/famous.pgn" --game 1 --ply 1 | cmp - <(tabiya show 1. e4); \
    tabiya import games.db "$SOURCE/examples/famous.pgn" >/dev/null; tabiya show games.db --game 1 | head -n 3; \
    tabiya show games.db --game 1 --ply 15 --to svg | grep -c 'Last move d3 g6'
8 r n . q k b . r
7 p . p p p . . P
6 . p . . . . B .
1

$ tabiya show games.db --game 1 --ply 16; tabiya show games.db --game 99; tabiya show --ply 3; tabiya show --game 1
tabiya: show: the game has 15 half-moves, not 16
tabiya: show: games.db has no game 99
tabiya: show: --ply needs --game
tabiya: show: --game needs one file or database
[2]

# A PNG image: its size, and the reason if the converter is missing.

# not under Wine: rsvg-convert is a program of this system
$ tabiya show --to png --size 120 --last-move e2e4 --arrow c7c5 --arrow d4:cc0000 -o b.png \
    'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'; od -An -tx1 -N24 b.png
 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52
 00 00 00 78 00 00 00 78

# not under Wine: it is found on the PATH itself
$ program=$(command -v tabiya); PATH=/nowhere "$program" show --to png -o c.png startpos; ls c.png 2>/dev/null
tabiya: show: --to png needs the program rsvg-convert (No such file or directory); on Debian, install librsvg2-bin; or use --to svg
[2]

# not under Wine: the same
$ tabiya show --size 100; tabiya show --to png --size 5; printf '8/8/8/8/8/8/8/8\n8/8/8/8/8/8/8/8\n' | tabiya show --to png - | wc -c
tabiya: show: --arrow, --last-move and --size need --to svg or --to png
tabiya: show: --size must be ...
tabiya: show: --to png draws one position only
...
