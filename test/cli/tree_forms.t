# tabiya tree: other forms, books, counts.

$ printf '1. e4 e6 2. d4 d5 1-0\n\n1. d4 e6 2. e4 c5 0-1\n\n1. d4 d5 1/2-1/2\n' >games.pgn; \
    tabiya tree show games.pgn | tail -n 3; tabiya tree show games.pgn 1. d4 e6 | tail -n 2
d4       d4    #1             2  +0 =1 -1
e4       e4    #2             1  +1 =0 -0
comment games 3: 1-0 1, 1/2-1/2 1, 0-1 1, * 0
e4       e4    #6             2  +1 =0 -1
comment games 1: 1-0 0, 1/2-1/2 0, 0-1 1, * 0

$ tabiya tree grow --games games.pgn -o book | tail -n 1; tabiya tree show book 1. d4 e6 | tail -n 2; tabiya tree export book --to transpositions
3 games read: 3 counted, 0 not from this root, 0 rejected
e4       e4    #6             2  +1 =0 -1
comment games 1: 1-0 0, 1/2-1/2 0, 0-1 1, * 0
#6  rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -  2 games
  1. d4 e6 2. e4
  1. e4 e6 2. d4

$ tabiya tree export games.pgn --plies 1 --to dot; tabiya tree export games.pgn --plies 1 --to json
digraph tree {
rankdir=LR;
node [shape=box];
n0 [label="#0\n3 games"];
n0 -> n1 [label="d4"];
n0 -> n2 [label="e4"];
n1 [label="#1\n2 games"];
n2 [label="#2\n1 game"];
}
[{"id":0,"epd":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","games":3,"white":1,"draws":1,"black":1,"from":[],"moves":[{"san":"d4","node":1},{"san":"e4","node":2}]},
{"id":1,"epd":"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -","games":2,"white":0,"draws":1,"black":1,"from":[0],"moves":[]},
{"id":2,"epd":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","games":1,"white":1,"draws":0,"black":0,"from":[0],"moves":[]}]

# A Polyglot book: 463b96181691fc9c is the key of the start position, 031c e2e4, 02db d2d4; two points per win, one per draw.

$ tabiya tree export games.pgn --to polyglot -o book.bin; od -An -tx1 -v -w16 book.bin | grep '46 3b 96 18'; \
    wc -c <book.bin; tabiya tree show book.bin | tail -n 2; tabiya tree show book.bin 1. d4 | tail -n 2
 46 3b 96 18 16 91 fc 9c 03 1c 00 02 00 00 00 00
 46 3b 96 18 16 91 fc 9c 02 db 00 01 00 00 00 00
96
e4           2
d4           1
e6           2
d5           1

$ tabiya tree show book.bin 1. a4 >/dev/null; tabiya tree export book.bin --to pgn; tabiya tree export book.bin --to dot
tabiya: tree show: the book has no move here
1. e4 {weight 2} (1. d4 {weight 1} 1... e6 {weight 2} (1... d5 {weight 1})) *

tabiya: tree export: a book can only be exported --to pgn
[2]

# A weight is that of the move, not of the position it leads to: both games were lost, and each played Nf6 once.

$ cp "$SOURCE/test/cli/data/tree_forms/lost.pgn" lost.pgn; tabiya tree export lost.pgn --to polyglot -o lost.bin; \
    tabiya tree show lost.bin 1. e4 e5 2. Nf3 Nc6 3. Nc3 | tail -n 1; \
    tabiya tree show lost.bin 1. e4 e5 2. Nf3 | tail -n 2; tabiya tree show lost.bin 1. e4 e5 >/dev/null
Nf6          2
Nc6          2
Nf6          2
tabiya: tree show: the book has no move here
[1]

# A folder counts games per position only.

$ tabiya tree grow --games lost.pgn -o lost >/dev/null; echo old >kept.bin; \
    tabiya tree export lost --to polyglot -o kept.bin; cat kept.bin; tabiya tree grow --depth 1 -o rules >/dev/null; \
    tabiya tree export rules --to polyglot | wc -c
tabiya: tree export: a DIR counts games per position, and a Polyglot book needs them per move...
old
320

# En passant that looks possible but is illegal is part of the key, as in `tabiya status`.

$ printf '1. e4 c5 2. e5 Qb6 3. Nf3 Qe6 4. Ng1 d5 5. d4 1-0\n' >ep.pgn; \
    tabiya tree export ep.pgn --to polyglot -o ep.bin; od -An -tx1 -v -w8 -N8 ep.bin | tr -d ' '; \
    tabiya status 1. e4 c5 2. e5 Qb6 3. Nf3 Qe6 4. Ng1 d5 | grep polyglot; \
    tabiya tree show ep.bin 1. e4 c5 2. e5 Qb6 3. Nf3 Qe6 4. Ng1 d5 | tail -n 1
25de71ab91a7d1c5
polyglot key           25de71ab91a7d1c5
d4           2

# Castling and promotion, both ways.

$ cp "$SOURCE/test/cli/data/tree_forms/castled.pgn" c.pgn; tabiya tree export c.pgn --to polyglot -o c.bin; \
    tabiya tree export c.bin --to pgn | tabiya pgn --to san -
a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 axb8=N g6 Nf3 Bg7 g3 Nf6 Bg2 O-O O-O

# A file that is not a book.

$ head -c 48 /dev/zero | tr '\0' 'z' >z.bin; tabiya tree show z.bin >/dev/null; \
    printf 'zzzzzzzzzzzzzzzzaaaaaaaaaaaaaaaa' >y.bin; tabiya tree show y.bin; : >e.bin; \
    tabiya tree export e.bin --to pgn
tabiya: tree show: the book has no move here
tabiya: y.bin: not a Polyglot book: entry 2 is not in order
*
[1]

$ tabiya tree export games.pgn --to json 'result 1-0' | grep -c games; tabiya tree export book --min-games 2; tabiya tree export
...
tabiya: tree export: --min-games does not apply to a DIR
tabiya: tree export: a DIR, a DB or a file is needed...
[2]

$ cp "$SOURCE/test/cli/data/elo.pgn" .; tabiya import elo.db elo.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

# Polyglot: equal weights, invalid moves, the same move twice.
$ tabiya tree export elo.db --to polyglot -o book.bin; tabiya tree show book.bin; \
    cat book.bin book.bin | head -c 160 >twice.bin; tabiya tree show book.bin 1. a4; \
    tabiya tree export book.bin --to pgn | tail -n 2; head -c 17 book.bin >odd.bin; tabiya tree show odd.bin
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

tabiya: odd.bin:1:1: invalid move text: "F": a square was expected (game 1, 1.F...
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

# Books: the most played first, then by square; an illegal move is left out, a repeated one is listed once.
$ for m in 'e4 e5' 'e4 c5' 'd4 d5' 'c4 c5' 'Nf3 d5'; do printf '[Result "1-0"]\n\n1. %s 1-0\n\n' "$m"; \
    done >book.pgn; tabiya tree export book.pgn --to polyglot -o many.bin; tabiya tree show many.bin | tail -n 4; \
    start='\106\073\226\030\026\221\374\234'; { printf "$start"'\377\377\0\7\0\0\0\0'; \
    printf "$start"'\003\034\0\5\0\0\0\0'; printf "$start"'\003\034\0\1\0\0\0\0'; } >wrong.bin; \
    tabiya tree show wrong.bin | tail -n 2; tabiya tree export wrong.bin --to pgn | tail -n 2; : >empty.bin; \
    tabiya tree show empty.bin | tail -n 1
e4           4
Nf3          2
c4           2
d4           2

e4           5
1. e4 {weight 5} *

tabiya: tree show: the book has no move here
