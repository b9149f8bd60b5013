# tabiya check: the legality of every move.

$ printf '[Event "a"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[Event "b"]\n\n1. d4 d5 *\n' >good.pgn

$ tabiya check good.pgn
2 games, 2 good, 0 bad, 6 plies

# Each fault is reported with its location, move and position; the games after it are read.

$ printf '[Event "a"]\n\n1. e4 e5\n2. Nf6 Nc6 1-0\n\n[Event "b"]\n\n1. d4 d5 (1... Nf6 2. c4 c4) 2. c4 *\n\n[Event "c"]\n\n1. c4 *\n' >bad.pgn

$ tabiya check bad.pgn
bad.pgn:4:4: illegal move: "Nf6": ... (game 1, 2.Nf6, FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2)
bad.pgn:8:26: illegal move: "c4": ... (game 2, 2...c4, FEN rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq c3 0 2)
3 games, 1 good, 2 bad, 6 plies, 2 plies in variations
[1]

$ tabiya check - <bad.pgn | head -n 1
stdin:4:4: illegal move: "Nf6": ...

# Several files are counted together; a missing one does not stop the others.

$ tabiya check good.pgn bad.pgn | tail -n 1
5 games, 3 good, 2 bad, 12 plies, 2 plies in variations

$ tabiya check good.pgn none.pgn
tabiya: none.pgn: No such file or directory
2 games, 2 good, 0 bad, 6 plies
[2]

$ tabiya check . 2>&1 >/dev/null
tabiya: .: Is a directory
[2]

$ tabiya check
tabiya: check: no FILE given...
[2]

$ tabiya check - </dev/null
0 games, 0 good, 0 bad, 0 plies

# The summary for programs; faults go to standard error.

$ tabiya check --json bad.pgn 2>/dev/null
{"games":3,"good":1,"bad":2,"plies":6,"variation_plies":2,"warnings":null}
[1]

$ tabiya check --json bad.pgn 2>&1 >/dev/null | wc -l
2

# A null move is kept and counted; in the main line it causes a warning, in check it is a fault.

$ printf '1. e4 -- 2. d4 *' | tabiya check -
stdin:1:7: warning: null move in the main line: "--" (game 1)
1 game, 1 good, 0 bad, 3 plies

$ printf '1. e4 -- 2. d4 (2. -- d5) *' | tabiya check --warnings -
stdin:1:7: warning: null move in the main line: "--" (game 1)
1 game, 1 good, 0 bad, 3 plies, 2 plies in variations, 1 warning

$ printf '1. e4 f5 2. Qh5+ -- *' | tabiya check -
stdin:1:18: illegal null move: "--": the side to move is in check (game 1, 2...--, FEN rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2)
1 game, 0 good, 1 bad, 3 plies
[1]

$ printf '1. e4 (1. -- e5) *' | tabiya check -
1 game, 1 good, 0 bad, 1 ply, 2 plies in variations

# Warnings: the games are still read.

$ printf '[Result "1-0"]\n\n1. e4+ e5 2. Ng1f3 Nc6 4. Bb5 a6 0-1' | tabiya check --warnings -
stdin:3:4: warning: not the export form of the move: "e4+": check or mate mark wrong or missing (game 1, 1.e4+)
stdin:3:14: warning: not the export form of the move: "Ng1f3": needless disambiguation (game 1, 2.Ng1f3)
stdin:3:24: warning: wrong move number: "4" (game 1)
stdin:3:34: warning: result differs from the Result tag: "0-1" (game 1)
1 game, 1 good, 0 bad, 6 plies, 4 warnings

$ printf '1. e4+ e5' | tabiya check -
1 game, 1 good, 0 bad, 2 plies

# Every byte of the input goes to one of the two files.

$ tabiya check --rejects rejects.pgn --clean clean.pgn bad.pgn >/dev/null
[1]

$ cat clean.pgn
[Event "c"]

1. c4 *

$ cat rejects.pgn clean.pgn | cmp - bad.pgn

$ cp "$SOURCE/test/cli/data/check/odd.pgn" odd.pgn; tabiya check --clean odd-clean.pgn odd.pgn; cmp odd.pgn odd-clean.pgn
2 games, 2 good, 0 bad, 3 plies

# Texts of several inputs are kept apart.

$ printf '1. e4 *' >one.pgn; tabiya check --clean two.pgn one.pgn one.pgn; cat two.pgn
2 games, 2 good, 0 bad, 2 plies
1. e4 *

1. e4 *

$ tabiya check --clean bad.pgn bad.pgn
tabiya: check: bad.pgn cannot be both input and output
[2]

$ tabiya check --clean /dev/full good.pgn
...tabiya: cannot write to /dev/full: No space left on device
[2]

# Compressed files, several concatenated, and truncated ones.

$ gzip -c good.pgn >good.pgn.gz; tabiya check good.pgn.gz
2 games, 2 good, 0 bad, 6 plies

$ cat good.pgn.gz good.pgn.gz | tabiya check -
4 games, 4 good, 0 bad, 12 plies

$ head -c 60 good.pgn.gz | tabiya check - >/dev/null
tabiya: stdin: the compressed file is truncated
[2]

$ (cat good.pgn.gz; echo x) | tabiya check - >/dev/null
tabiya: stdin: damaged gzip data
[2]

$ printf '\x28\xb5\x2f\xfd\x00\x00\x59\x00\x001. e4 e5 *\n' >tiny.zst; tabiya check tiny.zst
1 game, 1 good, 0 bad, 2 plies

$ cat tiny.zst tiny.zst | tabiya check -
2 games, 2 good, 0 bad, 4 plies

$ head -c 12 tiny.zst | tabiya check - >/dev/null
tabiya: stdin: the compressed file is truncated
[2]

$ printf '\xfd7zXZ\x00\x00\x04' | tabiya check - >/dev/null
tabiya: stdin: compressed with xz, bzip2 or zip, which cannot be read: unpack it, or use gzip or zstd
[2]

# CMBR files and JSON lines: the same counts and exit codes; a fault is reported with its byte or line.

$ cp "$SOURCE/test/cli/data/check/three.pgn" three.pgn; for n in json cmbr; do tabiya convert --to $n three.pgn -o three.$n; done

$ for n in pgn json cmbr; do tabiya check three.$n; done
3 games, 3 good, 0 bad, 8 plies, 4 plies in variations
3 games, 3 good, 0 bad, 8 plies, 4 plies in variations
3 games, 3 good, 0 bad, 8 plies, 4 plies in variations

$ gzip -c three.cmbr | tabiya check --json -
{"games":3,"good":3,"bad":0,"plies":8,"variation_plies":4,"warnings":null}

$ first=$(tabiya convert --to cmbr --games 1 three.cmbr | wc -c); { head -c $((first + 20)) three.cmbr; printf X; \
    tail -c +$((first + 22)) three.cmbr; } >hurt.cmbr; cmp three.cmbr hurt.cmbr | wc -l
1

$ first=$(tabiya convert --to cmbr --games 1 three.cmbr | wc -c); tabiya check hurt.cmbr | sed "s/byte $first)/byte FIRST)/"
hurt.cmbr: byte ...: invalid CMBR: the checksum does not match (game 2, record at byte FIRST)
3 games, 2 good, 1 bad, 5 plies, 2 plies in variations

$ tabiya check hurt.cmbr >/dev/null
[1]

$ tabiya check --clean clean.cmbr --rejects rejects.cmbr hurt.cmbr | tail -n 1; tabiya check clean.cmbr; tabiya check rejects.cmbr
3 games, 2 good, 1 bad, 5 plies, 2 plies in variations
2 games, 2 good, 0 bad, 5 plies, 2 plies in variations
rejects.cmbr: byte ...: invalid CMBR: ... (game 1, record at byte 8)
1 game, 0 good, 1 bad, 0 plies
[1]

$ tabiya convert --to pgn clean.cmbr | cmp - <(tabiya convert --to pgn --games 1 three.pgn; tabiya convert --to pgn --games 3 three.pgn)

$ tabiya check --clean both.cmbr three.cmbr clean.cmbr; tabiya check both.cmbr
5 games, 5 good, 0 bad, 13 plies, 6 plies in variations
5 games, 5 good, 0 bad, 13 plies, 6 plies in variations

$ tabiya check --clean both.pgn three.pgn three.cmbr
tabiya: both.pgn cannot hold games both as pgn and as cmbr
[2]

# A file that is truncated, has no header, or is not a CMBR file.

$ head -c -5 three.cmbr >cut.cmbr; tabiya check cut.cmbr
cut.cmbr: byte ...: invalid CMBR: the game is cut off (game 3, record at byte ...)
3 games, 2 good, 1 bad, 7 plies, 2 plies in variations
[1]

$ tail -c +9 three.cmbr >headless.cmbr; tabiya check headless.cmbr
headless.cmbr: byte 0: invalid CMBR: the file does not begin with CMBR!
3 games, 3 good, 0 bad, 8 plies, 4 plies in variations
[1]

$ head -c 100 /dev/zero | tabiya check --from cmbr -
stdin: byte 0: invalid CMBR: the file does not begin with CMBR!
0 games, 0 good, 0 bad, 0 plies
[1]

$ { sed 2q three.json; echo '{"moves":[{"san":"e4"},{"san":"e4"}]}'; echo; \
    echo '{"moves":[{"san":"e4"},{"san":"--"}]}'; printf x; } >hurt.json; \
    tabiya check --clean clean.json --rejects rejects.json hurt.json
hurt.json:3:32: illegal move: no pawn can go there (game 3)
hurt.json:5: warning: null move in the main line (game 4, ply 2)
hurt.json:6:1: invalid JSON: { expected (game 5)
5 games, 3 good, 2 bad, 9 plies, 2 plies in variations
[1]

$ cmp clean.json <(sed -n '1,2p;5p' hurt.json); cmp rejects.json <(sed -n '3p;6p' hurt.json)

$ printf '1. e4 -- 2. d4 *' | tabiya convert --from pgn --to cmbr - -o null.cmbr 2>/dev/null; tabiya check null.cmbr
null.cmbr: byte 8: warning: null move in the main line (game 1, ply 2)
1 game, 1 good, 0 bad, 3 plies

$ tabiya check --from pgn three.json | tail -n 1
... bad, 0 plies

$ tabiya check --from uci three.json
tabiya: check: option --from must be one of pgn|json|cmbr, not "uci"
[2]

# Many games: any number of threads gives the same lines in the same order.

$ awk \
    'BEGIN { for (i = 1; i <= 15000; i++) printf "[Event \"%d\"]\n[Result \"*\"]\n\n" \
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 %s 5. O-O *\n\n", i, i % 5000 ? "Nf6" : "Nf3" }' \
    >many.pgn

$ tabiya check --threads 1 many.pgn
many.pgn:24999:38: illegal move: "Nf3": ... (game 5000, 4...Nf3, FEN ...)
many.pgn:49999:38: illegal move: "Nf3": ... (game 10000, 4...Nf3, FEN ...)
many.pgn:74999:38: illegal move: "Nf3": ... (game 15000, 4...Nf3, FEN ...)
15000 games, 14997 good, 3 bad, 134994 plies
[1]

$ for n in 1 2 4 9; do tabiya check --threads $n --rejects r$n --clean c$n many.pgn; done | sort | uniq -c | awk '{ print $1 }' | paste -s -d ' '
4 4 4 4

$ cmp r1 r4; cmp r1 r9; cmp c1 c2; cmp c1 c4; wc -l <r4
15

$ gzip -c many.pgn | tabiya check --threads 3 - | cmp - <(tabiya check - <many.pgn)

$ for n in json cmbr; do tabiya convert --to $n many.pgn -o many.$n 2>/dev/null; for t in 1 4; do \
    tabiya check --threads $t --clean c.$t many.$n; done | uniq; cmp c.1 many.$n; cmp c.4 many.$n; done
14997 games, 14997 good, 0 bad, 134973 plies
14997 games, 14997 good, 0 bad, 134973 plies

$ sed '14000s/Nc6/Nc9/' many.json >m.json; tabiya check --threads 4 m.json
m.json:14000:...: invalid move text: ... (game 14000)
14997 games, 14996 good, 1 bad, 134964 plies
[1]

# Without [Event lines the input cannot be split and is read as one stream.

$ awk 'BEGIN { for (i = 1; i <= 80000; i++) printf "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 %s *\n\n", i == 70000 ? "Nf3" : "Nf6" }' >stream.pgn

$ tabiya check --threads 4 --clean c.pgn --rejects r.pgn stream.pgn
stream.pgn:139999:38: illegal move: "Nf3": ... (game 70000, 4...Nf3, FEN ...)
80000 games, 79999 good, 1 bad, 639999 plies
[1]

$ cat r.pgn; wc -c <c.pgn
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf3 *

3519956

# Reading a text that is not PGN at all ends, and faults are reported every 16 MiB.

$ head -c 20000000 /dev/zero | tr '\0' e | tabiya check --threads 2 --rejects r.pgn - | tail -n 1; wc -c <r.pgn
2 games, 0 good, 2 bad, 0 plies
20000014

# What is written reads back as the same games: those without a result get one, those with an open comment are separated.

$ printf '[White "A"]\n\n1. e4 e5' >open.pgn; printf '1. d4 d5 2. c4 1-0\n' >plain.pgn; \
    tabiya check open.pgn plain.pgn --clean merged.pgn; tabiya check merged.pgn
2 games, 2 good, 0 bad, 5 plies
2 games, 2 good, 0 bad, 5 plies

$ printf '1. e4 {open' >comment.pgn; printf '{c} 1. d4 *' >begins.pgn; \
    tabiya check --from pgn --json comment.pgn comment.pgn begins.pgn plain.pgn comment.pgn begins.pgn --rejects \
    bad.pgn --clean good.pgn 2>/dev/null; tabiya check --json bad.pgn 2>/dev/null; tabiya check good.pgn
{"games":6,"good":3,"bad":3,"plies":8,"variation_plies":0,"warnings":null}
{"games":3,"good":0,"bad":3,"plies":3,"variation_plies":0,"warnings":null}
3 games, 3 good, 0 bad, 5 plies

# Games of other variants.

$ printf '[Variant "Atomic"]\n\n1. e4 e5 *\n' >atomic.pgn; tabiya check atomic.pgn; tabiya check --any-variant atomic.pgn
atomic.pgn:1:1: the variant is not supported: "Atomic": only chess and Chess960 are (game 1)
1 game, 0 good, 1 bad, 0 plies
1 game, 1 good, 0 bad, 2 plies

$ echo '{"tags":[["Variant","Atomic"]],"moves":[{"san":"e4"}]}' >atomic.json; tabiya check atomic.json; tabiya check --any-variant atomic.json
atomic.json:1: the variant is not supported: only chess and Chess960 are (game 1)
1 game, 0 good, 1 bad, 0 plies
1 game, 1 good, 0 bad, 1 ply

# UTF-16 is reported.

$ printf '\xff\xfe1\0.\0' | tabiya check -
tabiya: stdin: the text is UTF-16...
0 games, 0 good, 0 bad, 0 plies
[2]

$ for f in 'gzip -c' "$(command -v zstd >/dev/null && echo zstd -qc || echo gzip -c)"; do \
    printf '[White "A"]\n\n1. e4 *\n' | iconv -f UTF-8 -t UTF-16 | $f >utf16.packed; \
    tabiya check utf16.packed 2>&1 | head -n 1; done
tabiya: utf16.packed: the text is UTF-16...
tabiya: utf16.packed: the text is UTF-16...

# A Chess960 start is standard chess unless something says otherwise: lost castling rights are reported.

$ printf '[FEN "qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNKRN w KQkq - 0 1"]\n\n1. O-O *\n' >start960.pgn; tabiya check start960.pgn
start960.pgn:1:1: warning: dropped castling rights that only Chess960 has: [Variant "Chess960"] or --chess960 keeps them (game 1)
start960.pgn:3:4: illegal move: "O-O": the right to castle there is gone (game 1, 1.O-O, FEN qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNKRN w - - 0 1)
1 game, 0 good, 1 bad, 0 plies
[1]

$ tabiya check --chess960 start960.pgn; tabiya pgn --chess960 start960.pgn; \
    tabiya convert --chess960 --to fen start960.pgn; tabiya rows --chess960 --columns moves_uci start960.pgn
1 game, 1 good, 0 bad, 1 ply
[FEN "qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNKRN w KQkq - 0 1"]
[Variant "Chess960"]

1. O-O *

qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNRKN b kq - 1 1
moves_uci
f1g1

$ tabiya import --chess960 start960.db start960.pgn; tabiya export start960.db | tabiya check -
1 game read: 1 stored, 0 duplicates, 0 rejected
1 game, 1 good, 0 bad, 1 ply

# The end-of-file byte of DOS is not another game, in any notation.

$ printf '[White "A"]\r\n\r\n1. e4 *\r\n\032' >dos.pgn; tabiya check dos.pgn; tabiya import dos.db dos.pgn; { \
    tabiya convert --to json dos.pgn; printf '\032'; } >dos.json; tabiya check dos.json; \
    printf '4k3/8/8/8/8/8/8/4K3 w - - 0 1\r\n\032' | tabiya convert --from fen --to base64 - | head -n 1; \
    printf '4k3/8/8/8/8/8/8/4K2R w - - 0 1\r\n\032' | tabiya moves - | wc -l
1 game, 1 good, 0 bad, 1 ply
1 game read: 1 stored, 0 duplicates, 0 rejected
1 game, 1 good, 0 bad, 1 ply
AACQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAA:AAAA
14

$ printf '[White "A"]\n\n1. e4 -- 2. d4 *\n' >null.pgn

# Warnings as JSON.
$ tabiya check --json --warnings null.pgn
null.pgn:3:7: warning: null move in the main line: "--" (game 1)
{"games":1,"good":1,"bad":0,"plies":3,"variation_plies":0,"warnings":1}
