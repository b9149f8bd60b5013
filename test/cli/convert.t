# tabiya convert: any notation to any other.

$ for n in san uci lan boardinfo-moves base64-moves short cmbr-words fen epd boardinfo base64; do \
    tabiya convert --to $n '1. e4 e5 2. Nf3 Nc6 1-0'; done
1. e4 e5 2. Nf3 Nc6 1-0
e2e4 e7e5 g1f3 b8c6
e2-e4 e7-e5 Ng1-f3 Nb8-c6
e2e4 e7e5 g1f3 b8c6
0kMc+tBS
e4 e5 Nf3 Nc6
70c000 934800 546100 ab9900
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3;
XXWrnbqkb.rpppp.ppp.....n......p.......P.....N.....PPPP.PPPR.BQKBNR+2+4
sNqdy+7uDu4AwAAAAADgAAAAYAAAAAQAZmYGZjRSFQM:eAQE

$ tabiya convert --to pgn e2e4 e7e5
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. e4 e5 *

$ tabiya convert --to json '1. e4 e5 1-0'
{"tags":[],"result":"1-0","moves":[{"san":"e4"},{"san":"e5"}]}

# Two whole games, one of 28 moves and one of 19.

$ tabiya convert --to base64 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA

$ tabiya convert --to boardinfo rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
XXWrnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR+0+0

# A notation that is not named is guessed, and -v says which.

$ guess() { tabiya convert -v --to uci "$@" 2>&1 >/dev/null; }; \
    for t in e2e4 e4 e2-e4 '1. e4 e5' 0kMc '70c000 934800' '[Event "x"]' '{"moves":[]}' '{a comment} 1. e4'; do \
    guess "$t" | head -n 1; done
tabiya: read as uci
tabiya: read as san
tabiya: read as san
tabiya: read as san
tabiya: read as base64-moves
tabiya: read as cmbr-words
tabiya: read as pgn
tabiya: read as json
tabiya: read as san

$ for t in '8/8/8/8/8/8/8/K6k w - -' XXWrnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR+0+0 \
    vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA; do tabiya convert -v --to fen "$t" 2>&1; done
tabiya: read as fen
8/8/8/8/8/8/8/K6k w - - 0 1
tabiya: read as boardinfo
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
tabiya: read as base64
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

$ tabiya convert --to ascii 8/8/8/8/8/8/8/K6k w - - | tabiya convert -v --to epd -
tabiya: stdin: read as ascii
8/8/8/8/8/8/8/K6k w - -

$ printf '1. e4 e5\n2. Nf3 *\n' | tabiya convert -v --to uci -
tabiya: stdin: read as pgn
e2e4 e7e5 g1f3

$ printf '1. e4 e5 *\n1. d4 *\n' | tabiya convert -v --to uci -
tabiya: stdin: read as san
e2e4 e7e5
d2d4

$ tabiya convert --to uci games.pgn
tabiya: "games.pgn": no such file, and no notation matches this text
[2]

$ echo '???' >what.txt; tabiya convert --to uci what.txt
tabiya: what.txt: cannot detect the notation...
[2]

# Line by line: one that fails leaves an empty line, and is reported with its location.

$ printf 'e2e4\ne2e5\n\ne2e4 e7e5 1-0\n' | tabiya convert --from uci --to san - 2>/dev/null
1. e4 *

*
1. e4 e5 1-0
[2]

$ printf 'e2e4\ne2e4 e2e5\n' | tabiya convert --to san - 2>&1 >/dev/null
tabiya: stdin:2:6: illegal move: "e2e5": ... (1...e2e5, FEN rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1)
[2]

$ printf '8/8/8/8/8/8/8/K6k w - -\nx\n\n8/8/8/8/8/8/8/k6K b - - 3 9\n' | tabiya convert --from fen --to boardinfo -
XXWk......K........................................................+0+0


XXBK......k........................................................+14+17
tabiya: stdin:2: fen: field 1 (placement), column 1: ...
[2]

$ printf '{"moves":[{"san":"e4"}]}\n{"moves":[{"san":"e5"}]}\n' | tabiya convert --to uci -
e2e4

tabiya: stdin:2:19: illegal move: ... (game 2)
[2]

$ printf '\n\xef\xbb\xbf{"moves":[]}\r\n  \n{"moves":[{"san":"e5"}]}' | tabiya convert --from json --to fen - 2>&1 >/dev/null
tabiya: stdin:2:1: invalid JSON: ... (game 1)
tabiya: stdin:4:19: illegal move: ... (game 2)
[2]

$ tabiya convert --from fen --to fen 4k3/8/8/8/8/8/8/4K3 w K - 0 1
4k3/8/8/8/8/8/8/4K3 w - - 0 1
tabiya: warning: a castling right without its king or rook was dropped

# A move number that is written is read back.

$ tabiya convert --start '4k3/8/8/8/8/8/8/4K3 b - - 65535 65535' --to fen e8d8 | tabiya convert --from fen --to fen -
3k4/8/8/8/8/8/8/4K3 w - - 65535 65535

# Another start position.

$ tabiya convert --start '4k3/P7/8/8/8/8/8/4K3 w - - 0 9' --to san a7a8n e8d7
9. a8=N Kd7 *

$ tabiya convert --start '4k3/P7/8/8/8/8/8/4K3 b - - 0 9' --to pgn '9... Kd7 10. a8=Q 1-0' | tail -n 5
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 b - - 0 9"]

9... Kd7 10. a8=Q 1-0

$ tabiya convert --to uci --start x e2e4
tabiya: fen: field 1 ...
[2]

# A position is a game without moves.

$ tabiya convert --to pgn 4k3/8/8/8/8/8/8/4K3 w - - 0 1 | tail -n 5
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]

*

$ tabiya convert --to uci 4k3/8/8/8/8/8/8/4K3 w - - 0 1

tabiya: uci cannot hold the start position
[2]

$ tabiya convert --to san rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
*

# Pictures are separated by empty lines.

$ printf '8/8/8/8/8/8/8/K6k w - -\n8/8/8/8/8/8/8/7K w - -\n' | tabiya convert --to ascii - | tail -n 10
K . . . . . . k

. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . K

$ tabiya convert --to svg 8/8/8/8/8/8/8/K6k w - - | head -c 4
<svg

# What a notation cannot hold is refused and named; --lossy leaves it out and counts it.

$ printf '[Event "a"]\n\n1. e4 {good} e5! (1... c5) 1-0\n\n[Event "b"]\n\n1. d4 *\n' >notes.pgn

$ tabiya convert --to uci notes.pgn

d2d4
tabiya: notes.pgn:3:7: uci cannot hold comments (game 1)
[2]

$ tabiya convert --to uci --lossy notes.pgn
e2e4 e7e5
d2d4
tabiya: lost: comments (1)
tabiya: lost: NAGs (1)
tabiya: lost: variations (1)

$ tabiya convert --to json notes.pgn >notes.json; tabiya convert --to uci --lossy notes.json 2>&1 | sort
d2d4
e2e4 e7e5
tabiya: lost: NAGs (1)
tabiya: lost: comments (1)
tabiya: lost: variations (1)

$ tabiya convert --to fen notes.pgn
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1

$ tabiya convert --to base64-moves --start '4k3/P7/8/8/8/8/8/4K3 w - - 0 9' a7a8n

tabiya: base64-moves cannot hold a promotion to a piece other than a queen: 9.a8=N
[2]

$ tabiya convert --lossy --to base64-moves --start '4k3/P7/8/8/8/8/8/4K3 w - - 0 9' a7a8n
IA
tabiya: lost: a promotion to a piece other than a queen (1)

$ tabiya convert --to base64 '4k3/8/8/8/8/8/8/4K3 w - - 70 90'

tabiya: base64 cannot hold a half-move clock over 63: it is 70
[2]

$ tabiya convert --lossy --to base64 '4k3/8/8/8/8/8/8/4K3 w - - 70 90' | tabiya convert --to fen -
tabiya: lost: a half-move clock over 63 (1)
4k3/8/8/8/8/8/8/4K3 w - - 63 90

$ printf '[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Kd1 *\n' | tabiya convert --to uci -

tabiya: stdin:3:4: uci cannot hold the start position (game 1)
[2]

$ printf '[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Kd1 *\n' | tabiya convert --to uci --start '4k3/8/8/8/8/8/8/4K3 w - - 0 1' -
e1d1

# Null moves are kept, with a warning; notations without null moves say so, with the location.

$ printf '1. e4 -- 2. d4 *' | tabiya convert --from pgn --to uci -
e2e4 0000 d2d4
tabiya: stdin:1:7: warning: null move in the main line: "--" (game 1)

$ tabiya convert --to san 'e2e4 0000 d2d4'
1. e4 -- 2. d4 *
tabiya: warning: null move in the main line: "0000"

$ tabiya convert --to uci '1. e4 Z0 2. d4' 2>/dev/null | tabiya convert --from uci --to lan - 2>/dev/null | \
    tabiya convert --from lan --to boardinfo-moves - 2>/dev/null | \
    tabiya convert --from boardinfo-moves --to fen - 2>/dev/null
rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2

$ tabiya convert --from uci --to san 'e2e4 f7f6 d1h5 0000'

tabiya: illegal null move: "0000": the side to move is in check (2...0000, FEN ...)
[2]

$ for n in base64-moves short cmbr-words; do printf '1. e4 -- 2. d4 *' | tabiya convert --from pgn --to $n - | tr -d '\n'; done 2>&1 | grep cannot
tabiya: stdin:1:7: base64-moves cannot hold null moves (game 1)
tabiya: stdin:1:7: short cannot hold null moves (game 1)
tabiya: stdin:1:7: cmbr-words cannot hold null moves (game 1)

$ printf '1. e4 -- 2. d4 *' | tabiya convert --from pgn --to short --lossy -
e4
tabiya: stdin:1:7: warning: null move in the main line: "--" (game 1)
tabiya: lost: null moves (1)

# A game with a fault is left out, or truncated there.

$ printf '1. e4 e5 2. Ke3 *\n\n1. d4 *\n' >bad.pgn; tabiya convert --to uci bad.pgn

d2d4
tabiya: bad.pgn:1:13: illegal move: "Ke3": ... (game 1, 2.Ke3, FEN ...)
[2]

$ tabiya convert --to pgn bad.pgn 2>/dev/null
1. d4 *
[2]

$ tabiya convert --to uci --lossy bad.pgn
e2e4 e7e5
d2d4
tabiya: bad.pgn:1:13: illegal move: "Ke3": ... (game 1, 2.Ke3, FEN ...)
tabiya: lost: what follows a fault (1)
[2]

$ tabiya convert --to pgn '1. e4 {a} e5 2. Ke3'
tabiya: illegal move: "Ke3": ... (2.Ke3, FEN ...)
[2]

$ tabiya convert --to pgn '1. e4 {a} * 1. d4'
tabiya: a second game begins
[2]

# Games keep everything when converted to CMBR and JSON and back.

$ tabiya convert --to pgn notes.pgn >1.pgn; tabiya convert --to cmbr notes.pgn -o notes.cmbr; tabiya convert --to pgn notes.cmbr | cmp - 1.pgn

$ tabiya convert --to pgn notes.json | cmp - 1.pgn; tabiya convert --to json notes.cmbr | cmp - notes.json

$ cat notes.cmbr >cut.cmbr; printf 'x' >>cut.cmbr; tabiya convert --to uci --lossy cut.cmbr 2>/dev/null | head -n 2
e2e4 e7e5
d2d4

$ head -c 30 notes.cmbr >cut.cmbr; tabiya convert --to pgn cut.cmbr
tabiya: cut.cmbr: byte 30: invalid CMBR: the game is cut off (game 1, record at byte 8)
[2]

# Some games by their numbers, in every notation of games.

$ for i in 1 2 3 4; do tabiya convert --to pgn --start "4k3/8/8/8/8/8/8/4K3 w - - 0 $i" e1d1; done >four.pgn; \
    for n in json cmbr; do tabiya convert --to $n four.pgn -o four.$n; done

$ for n in pgn json cmbr; do for r in 1 2..3 3.. ..2 3..9; do \
    tabiya convert --to fen --games $r four.$n | cut -d ' ' -f 6 | paste -s -d ' '; done; done
1
2 3
3 4
1 2
3 4
1
2 3
3 4
1 2
3 4
1
2 3
3 4
1 2
3 4

$ tabiya convert --to pgn --games 2..3 four.cmbr | cmp - <(tabiya convert --to pgn --games 2..3 four.pgn)

$ tabiya convert --to pgn --games 5 four.cmbr
tabiya: four.cmbr: there is no game 5, only 4
[2]

$ tabiya convert --to fen --games 1 'e2e4 e7e5'
tabiya: --games needs games, but this is read as uci
[2]

$ for r in 0 x 3..2 .. 1..x ''; do tabiya convert --to fen --games "$r" four.pgn; done
tabiya: convert: --games must be a number or a range...not "0"
tabiya: convert: --games must be a number or a range...not "x"
tabiya: convert: --games must be a number or a range...not "3..2"
tabiya: convert: --games must be a number or a range...not ".."
tabiya: convert: --games must be a number or a range...not "1..x"
tabiya: convert: --games must be a number or a range...not ""
[2]

# Games that are not selected are not read, so damage in them is not reported.

$ { head -c 20 four.cmbr; printf XXXX; tail -c +25 four.cmbr; } >damaged.cmbr; tabiya convert --to fen --games 2..3 damaged.cmbr | cut -d ' ' -f 6
2
3

# Appending: to a file of the same notation, or to a new file.

$ for n in pgn json cmbr uci; do rm -f all.$n; for i in 1 2; do \
    tabiya convert --append --to $n 'e2e4 e7e5' -o all.$n; done; tabiya convert --from $n --to san all.$n; done
1. e4 e5 *
1. e4 e5 *
1. e4 e5 *
1. e4 e5 *
1. e4 e5 *
1. e4 e5 *
1. e4 e5 *
1. e4 e5 *

$ grep -c CMBR! <(tr '\0' '\n' <all.cmbr)
1

$ printf '{"moves":[]}' >open.json; tabiya convert --append --to json e2e4 -o open.json; cat open.json
{"moves":[]}
{"tags":[],"result":"*","moves":[{"san":"e4"}]}

$ tabiya convert --append --to cmbr e2e4 -o all.pgn
tabiya: convert: cannot append to all.pgn, which does not contain cmbr
[2]

$ tabiya convert --append --to pgn e2e4 -o all.cmbr
tabiya: convert: cannot append to all.cmbr, which does not contain pgn
[2]

$ gzip -c all.pgn >packed.pgn; tabiya convert --append --to pgn e2e4 -o packed.pgn
tabiya: convert: cannot append to packed.pgn, which is compressed
[2]

$ tabiya convert --append --to uci e2e4
tabiya: convert: --append needs -o FILE
[2]

# The help lists what the registry has.

$ for n in $(tabiya convert --to 2>&1 | sed 's/.*: //; s/|/ /g'); do \
    tabiya convert --help | sed '/^Options/,$d' | tr -s ' \n(),.;:' '\n' | grep -qx -e "$n" || echo "no $n"; done; \
    for n in $(tabiya moves --to 2>&1 | sed 's/.*: //; s/|/ /g'); do \
    tabiya moves --help | tr -s ' \n(),.;:' '\n' | grep -qx -e "$n" || echo "no $n"; done

# Compressed, from standard input, to a file.

$ gzip -c 1.pgn | tabiya convert --to fen -o out.fen -; cat out.fen
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1

$ cp 1.pgn 1.pgn.gz; tabiya convert -v --to san --lossy 1.pgn.gz 2>/dev/null
1. e4 e5 1-0
1. d4 *

$ printf '\x28\xb5\x2f\xfd\x00\x00\x59\x00\x001. e4 e5 *\n' | tabiya convert --to uci -
e2e4 e7e5

$ tabiya convert --to pgn 1.pgn -o 1.pgn
tabiya: convert: 1.pgn cannot be both input and output
[2]

$ tabiya convert --to uci 1.pgn >/dev/full
tabiya: cannot write to standard output: No space left on device
[2]

# Usage errors.

$ tabiya convert e4
tabiya: convert: --to NOTATION is missing...
[2]

$ tabiya convert --to uci
tabiya: convert: nothing to convert...
[2]

$ tabiya convert --to xyz e4
tabiya: convert: option --to must be one of fen|...|cmbr, not "xyz"
[2]

$ tabiya convert --from svg --to fen x
tabiya: convert: option --from must be one of ..., not "svg"
[2]

$ tabiya convert --threads 0 --to uci e4
tabiya: convert: --threads must be a number from 1 to 1024, not "0"
[2]

# Every notation that is offered exists.

$ for n in $(tabiya convert --to 2>&1 | sed 's/.*: //; s/|/ /g'); do tabiya convert --from san --to $n e4 >/dev/null || echo "$n fails"; done

# Many games, any number of threads: the same bytes.

$ awk \
    'BEGIN { for (i = 1; i <= 15000; i++) printf "[Event \"%d\"]\n[Result \"*\"]\n\n" \
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 %s 5. O-O *\n\n", i, i % 5000 ? "Nf6" : "Nf3" }' \
    >many.pgn

$ for n in uci pgn json cmbr fen; do for t in 1 2 5; do \
    tabiya convert --threads $t --to $n many.pgn -o $n.$t 2>e.$t; done; cmp $n.1 $n.2; cmp $n.1 $n.5; cmp e.1 e.5; \
    done; wc -l <uci.5; cut -d : -f 2-4 e.5
15000
 many.pgn:24999:38
 many.pgn:49999:38
 many.pgn:74999:38

$ for t in 1 4; do for n in san short; do tabiya convert --threads $t --from uci --to $n uci.1; done | cksum; done | uniq | wc -l
1

$ tabiya convert --to pgn json.5 | cmp - pgn.1; tabiya convert --to pgn cmbr.5 | cmp - pgn.1

# The tables of expected results, in all directions.

$ for c in 1:fen 2:base64 3:boardinfo; do tail -n +2 "$SOURCE"/test/vectors/positions.tsv | \
    cut -f ${c%:*} >${c#*:}.txt; done; for a in fen base64 boardinfo; do for b in fen base64 boardinfo; do \
    tabiya convert --from $a --to $b $a.txt | cmp - $b.txt; done; done; wc -l <fen.txt
420

$ for c in 1:san 2:uci 3:base64-moves; do tail -n +2 "$SOURCE"/test/vectors/lines.tsv | cut -f ${c%:*} >${c#*:}.txt; \
    done; for a in san uci base64-moves; do for b in san uci base64-moves; do \
    tabiya convert --from $a --to $b $a.txt | sed 's/ \*$//; s/[0-9]*\. //g' | cmp - $b.txt; done; done; \
    wc -l <uci.txt
32

# Castling written as 00 is a move, not a number to be skipped.

$ tabiya convert --to san '1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 00 00 5. d3 d6'
1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. d3 d6 *

$ tabiya convert --from san --to uci '1. e4 0000 2. d4'
e2e4 0000 d2d4
tabiya: warning: null move in the main line: "0000"

# If appending fails, the file keeps its contents.

$ printf '1. e4 *\n' >old.pgn; cp old.pgn kept.pgn; \
    (ulimit -f 1; yes '1. e4 e5 *' | head -n 20000 | \
    tabiya convert --from san --to pgn --append -o old.pgn - >/dev/null 2>&1) 2>/dev/null; cmp old.pgn kept.pgn; \
    printf 'e4\nxx\n' | tabiya convert --from san --to pgn --append -o old.pgn - 2>/dev/null; tail -n 2 old.pgn
1. e4 *

# A partial file left by kill -9 is removed by the next run; that of a running program stays.

$ mkfifo pipe; echo old >out.pgn; \
    (exec 3<>pipe; tabiya convert --from pgn --to pgn -o out.pgn pipe >/dev/null 2>&1 & p=$!; \
    until ls out.pgn.tabiya-* >/dev/null 2>&1; do sleep 0.05; done; \
    echo '1. e4 *' | tabiya convert --from pgn --to pgn -o out.pgn -; ls out.pgn.tabiya-* | wc -l; kill -9 $p; \
    wait $p 2>/dev/null; ls out.pgn.tabiya-* | wc -l); touch out.pgn.backup out.pgn.tabiya-mine; \
    echo '1. d4 *' | tabiya convert --from pgn --to pgn -o out.pgn -; ls out.pgn*; grep d4 out.pgn
1
1
out.pgn
out.pgn.backup
out.pgn.tabiya-mine
1. d4 *

# Strict reading refuses what is otherwise accepted.

$ for l in 'bm e5;' '; free text' '0 1 bm e5;' 'bm e5'; do for s in '' --strict; do \
    tabiya convert $s --from epd --to fen "4k3/8/8/8/8/8/8/4K3 w - - $l" 2>&1 | grep . | cut -c 1-19; done; done
4k3/8/8/8/8/8/8/4K3
4k3/8/8/8/8/8/8/4K3
4k3/8/8/8/8/8/8/4K3
tabiya: epd: column
4k3/8/8/8/8/8/8/4K3
tabiya: epd: column
4k3/8/8/8/8/8/8/4K3
tabiya: epd: column

$ tabiya convert --strict --from san --to uci '1. e4 e5 2. Ng1f3' 2>&1 | grep -o 'not the export form'; \
    tabiya convert --strict --from fen --to epd '4k3/8/8/8/8/8/8/4K3 w - -' 2>&1 | grep -o 'the field is missing'
not the export form
the field is missing

# All kinds of dashes are accepted between squares.

$ echo 'e2–e4 e7—e5' | tabiya convert --to san -
1. e4 e5 *

# The digits of correspondence chess are recognized automatically.

$ tabiya convert --to san '5254 5755 7163 2836 6134'; tabiya convert --to iccf '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O'
1. e4 e5 2. Nf3 Nc6 3. Bc4 *
5254 5755 7163 2836 6134 6835 5171

# Every position.

$ tabiya convert --to fen --all '1. e4 c5'; tabiya convert --to ascii --all '1. e4 c5' | grep -c '^$'; \
    tabiya convert --to fen --all "$SOURCE/examples/famous.pgn" | wc -l; \
    tabiya convert --to fen --all --games 1 "$SOURCE/examples/famous.pgn" | wc -l; \
    tabiya convert --to uci --all '1. e4'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
2
3437
16
tabiya: convert: --all needs a notation of positions, such as --to fen
[2]

# EPD: clock and move number are written together, unless they are 0 and 1.

$ for n in '0 1' '3 1' '0 5' '3 5'; do tabiya convert --to epd "4k3/8/8/8/8/8/8/4K2R w K - $n"; done
4k3/8/8/8/8/8/8/4K2R w K -
4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 1;
4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; fmvn 5;
4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 5;

# EPD keeps its operations; castling rights are all letters of wings or all letters of files.

$ printf '4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; bm O-O; id "a; b"; c0 no end\n' | tabiya convert --from epd --to epd -
4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 1; bm O-O; id "a; b"; c0 no end;

$ tabiya convert --to fen 'rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gga - 4 11'
rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gga - 4 11
