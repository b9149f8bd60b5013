# tabiya import: adds games to a database.

$ . "$SOURCE/test/cli/games.sh"; ls
games.pgn
odd.pgn

$ tabiya import games.db games.pgn odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
10 games read: 10 stored, 0 duplicates, 0 rejected

$ tabiya import games.db games.pgn
5 games read: 0 stored, 5 duplicates, 0 rejected

$ tabiya import --duplicates keep games.db games.pgn
5 games read: 5 stored, 0 duplicates, 0 rejected

$ tabiya find --count games.db
15

$ tabiya verify games.db
games.db: game 6: warning: null move in the main line (ply 3)
15 games, 0 faults

# The counts are reported; faulty games are reported and written to a separate file.

$ printf '1. e4 e5 2. Ke3 *\n\n1. d4 *\n' >bad.pgn; tabiya import bad.db bad.pgn --rejects rejects.pgn
tabiya: bad.pgn:1:13: illegal move: "Ke3": the king cannot go there (game 1, 2.Ke3...
2 games read: 1 stored, 0 duplicates, 1 rejected
[1]

$ cat rejects.pgn
1. e4 e5 2. Ke3 *

# JSON lines are kept unchanged: empty lines used to appear between them.
$ cp "$SOURCE/test/cli/data/import/bad.json" bad.json; tabiya import json.db bad.json bad.json --rejects rejects.json 2>/dev/null; cat rejects.json
8 games read: 1 stored, 1 duplicate, 6 rejected
{"moves":[{"san":"e4"},{"san":"e4"}]}
null
{"moves":[{"san":"x"}]}
{"moves":[{"san":"e4"},{"san":"e4"}]}
null
{"moves":[{"san":"x"}]}

$ tabiya import json.db rejects.json --rejects again.json 2>/dev/null; cmp rejects.json again.json; \
    tabiya check bad.json bad.json --rejects again.json --clean clean.json >/dev/null; cmp rejects.json again.json; \
    cat clean.json
6 games read: 0 stored, 0 duplicates, 6 rejected
{"moves":[]}
{"moves":[]}

# So are PGN games, separated by an empty line, and CMBR records.
$ tabiya import pgn.db bad.pgn bad.pgn --rejects rejects.pgn 2>/dev/null; cat rejects.pgn; \
    tabiya import pgn.db rejects.pgn --rejects again.pgn 2>/dev/null; cmp rejects.pgn again.pgn
4 games read: 1 stored, 1 duplicate, 2 rejected
1. e4 e5 2. Ke3 *

[Event "?"]
1. e4 e5 2. Ke3 *
2 games read: 0 stored, 0 duplicates, 2 rejected

$ tabiya convert --to cmbr games.pgn -o bad.cmbr; printf x | dd of=bad.cmbr bs=1 seek=40 conv=notrunc status=none; \
    tabiya import cmbr.db bad.cmbr bad.cmbr --rejects rejects.cmbr 2>/dev/null; \
    tabiya import cmbr.db rejects.cmbr --rejects again.cmbr 2>/dev/null; cmp rejects.cmbr again.cmbr
10 games read: 4 stored, 4 duplicates, 2 rejected
2 games read: 0 stored, 0 duplicates, 2 rejected

$ tabiya import --json bad.db - <bad.pgn 2>/dev/null
{"read":2,"stored":0,"duplicates":1,"rejected":1}
[1]

$ gzip -k games.pgn; tabiya import other.db games.pgn.gz no.pgn
tabiya: no.pgn: No such file or directory
5 games read: 5 stored, 0 duplicates, 0 rejected
[2]

# If no file can be opened, no database is created.

$ tabiya import none.db no.pgn nothing.pgn; ls none.db*; tabiya import none.db no.pgn - <games.pgn
tabiya: no.pgn: No such file or directory
tabiya: nothing.pgn: No such file or directory
ls: cannot access 'none.db*': No such file or directory
tabiya: no.pgn: No such file or directory
5 games read: 5 stored, 0 duplicates, 0 rejected
[2]

# A file that is not a database is not touched.

$ tabiya import text.db
tabiya: import: a DB and at least one FILE are needed...
[2]

$ tabiya import
tabiya: import: a DB and at least one FILE are needed...
[2]

$ tabiya import games.pgn odd.pgn; cmp games.pgn <(zcat games.pgn.gz)
tabiya: import: games.pgn: not a database...

$ mkdir folder; tabiya import folder games.pgn
tabiya: import: folder: Is a directory
[2]

$ tabiya import no/such/folder.db games.pgn
tabiya: import: no/such/folder.db: No such file or directory
[2]

$ tabiya import games.db --index-plies 17698 games.pgn
tabiya: import: --index-plies must be a number from 0 to 17697, not "17698"
[2]

$ tabiya import games.db --index-plies deep games.pgn
tabiya: import: --index-plies must be a number from 0 to 17697, not "deep"
[2]

$ tabiya import games.db --duplicates merge games.pgn
tabiya: import: option --duplicates must be one of keep|skip, not "merge"
[2]

# A read-only file can be searched. (Root can write to any file: then another user tries, if possible.)

$ cat >run.sh <<<'if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --clear-groups -- "$@"; else "$@"; fi'; \
    chmod 711 .; chmod 444 games.db; bash run.sh tabiya --version >/dev/null 2>&1 || echo "exit 0" >skip

# not under Wine: its settings belong to one user
$ bash run.sh tabiya import games.db odd.pgn || { test -e skip && \
    echo 'tabiya: import: games.db: database: attempt to write a readonly database'; exit 2; }
tabiya: import: games.db: database: attempt to write a readonly database
[2]

# not under Wine: the same
$ bash run.sh tabiya find games.db --count || echo 15
15

# Names that SQLite does not treat as files would store nothing.

$ tabiya import '' games.pgn
tabiya: import: : the name of a file is needed
[2]

$ tabiya import :memory: games.pgn
tabiya: import: :memory:: SQLite does not treat this as a file name...
[2]

$ tabiya import 'file:x?mode=memory' games.pgn
tabiya: import: file:x?mode=memory: SQLite does not treat this as a file name...
[2]

$ tabiya import ./:memory: games.pgn
5 games read: 5 stored, 0 duplicates, 0 rejected

# A database can be read like a file of games, but not into itself.

$ tabiya import new.db games.db; tabiya import games.db games.db
tabiya: games.db:73:16: warning: null move in the main line: "--" (game 6)
15 games read: 10 stored, 5 duplicates, 0 rejected
tabiya: import: games.db cannot be both input and output
[2]

# Neither the order of tags nor line ends in comments make a different game.

$ printf '[White "A"]\n[Event "E"]\n\n1. e4 {good\nmove} e5 *\n' >order.pgn; tabiya import order.db order.pgn; \
    tabiya export order.db | tr '\n' '\r' | sed 's/\r/\r\n/g' | tabiya import order.db -
1 game read: 1 stored, 0 duplicates, 0 rejected
1 game read: 0 stored, 1 duplicate, 0 rejected

$ printf '[Event "E"]\n[White "A"]\n\n1. e4 {good move} e5 *\n' | tabiya import order.db -; \
    printf '[Event "E"]\n[White "A"]\n\n1. e4 {good move!} e5 *\n' | tabiya import order.db -
1 game read: 0 stored, 1 duplicate, 0 rejected
1 game read: 1 stored, 0 duplicates, 0 rejected

# A NUL in a tag is kept.

$ printf '[White "A\0B"]\n[Annotator "C\0D"]\n\n1. e4 *\n' >zero.pgn; tabiya import zero.db zero.pgn; \
    tabiya export zero.db | cmp - <(tabiya convert --to pgn zero.pgn); tabiya verify zero.db
1 game read: 1 stored, 0 duplicates, 0 rejected
1 game, 0 faults

# In capitals or not, also with accents.

$ printf '[White "Müller, Jörg"]\n\n1. e4 *\n' >accents.pgn; tabiya import accents.db accents.pgn; \
    tabiya find accents.db --player 'MÜLLER*' --count; tabiya pgn --count --white 'MÜLLER*' accents.pgn
1 game read: 1 stored, 0 duplicates, 0 rejected
1
1

# A game with more half-moves than can be stored is reported with its line.

$ (printf '1. e4 *\n\n'; for i in $(seq 4425); do printf 'Nf3 Nf6 Ng1 Ng8 '; done; printf '*\n') | tabiya import long.db -
tabiya: stdin:3: text too long: more than 17697 half-moves (game 2)
2 games read: 1 stored, 0 duplicates, 1 rejected
[1]

# Memory can be limited; what is stored is the same.

$ for m in 128M 9G; do tabiya import --memory $m --index all memory$m.db "$SOURCE/examples/selfplay.pgn"; done; \
    cmp <(tabiya export memory128M.db) <(tabiya export memory9G.db); tabiya verify memory128M.db
2997 games read: 2997 stored, 0 duplicates, 0 rejected
2997 games read: 2997 stored, 0 duplicates, 0 rejected
2997 games, 0 faults

$ for m in 127M x 9999999999999999999999999G; do tabiya import --memory $m memory.db games.pgn; done
tabiya: import: --memory must be at least 128M, not "127M"
tabiya: import: --memory must be a size...not "x"
tabiya: import: --memory must be a size...not "9999999999999999999999999G"
[2]

# A null move moves no piece: the corner a1 is empty here.

$ printf '1. Nc3 Nf6 2. Rb1 Ng8 3. -- e5 4. e4 -- 5. Nf3 *\n' >null.pgn; tabiya import null.db null.pgn; tabiya verify null.db
tabiya: null.pgn:1:26: warning: null move in the main line: "--" (game 1)
tabiya: null.pgn:1:38: warning: null move in the main line: "--" (game 1)
1 game read: 1 stored, 0 duplicates, 0 rejected
null.db: game 1: warning: null move in the main line (ply 5)
1 game, 0 faults

# A new file gets every index; an existing one keeps its indexes, and gets another only on request.

$ kinds() { \
    tabiya sql "$1" \
    "SELECT coalesce(group_concat(name, ' '), '-') AS kinds FROM (SELECT name FROM counter \
    WHERE name IN ('stood', 'material', 'pawns', 'events', 'eco') ORDER BY name)" \
    | tail -n 1; }; tabiya import kinds.db games.pgn >/dev/null; kinds kinds.db; for i in none pawns; do \
    tabiya import --index $i kinds-$i.db games.pgn >/dev/null; kinds kinds-$i.db; done; \
    tabiya import --index-plies none kinds-few.db games.pgn >/dev/null; kinds kinds-few.db; \
    tabiya import kinds-none.db "$SOURCE/examples/famous.pgn" >/dev/null; kinds kinds-none.db; \
    tabiya import --index eco kinds-pawns.db "$SOURCE/examples/famous.pgn" >/dev/null; kinds kinds-pawns.db; \
    tabiya verify kinds.db; tabiya verify kinds-pawns.db
eco events material pawns stood
-
pawns
-
-
eco pawns
5 games, 0 faults
63 games, 0 faults

$ rm -f games.db; cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected

# Each kind of index; the answers are the same.
$ tabiya find games.db --count 'Nf6 event "Casual game"'; for i in stood material pawns events eco; do \
    tabiya import --index $i $i.db games.pgn >out; tabiya find $i.db --count 'Nf6 event "Casual game"'; \
    tabiya verify $i.db; done
2
2
58 games, 0 faults
2
58 games, 0 faults
2
58 games, 0 faults
2
58 games, 0 faults
2
58 games, 0 faults

$ cp "$SOURCE/test/cli/data/elo.pgn" .

# Tags that no database can hold, games that are too long, other variants, several inputs, one of them missing.
$ printf '[Event "a\377b"]\n[White "\303"]\n\n1. e4 *\n' >latin.pgn; tabiya import latin.db latin.pgn; tabiya export latin.db | head -n 1
1 game read: 1 stored, 0 duplicates, 0 rejected
[Event "aÿb"]

$ printf '[Variant "Atomic"]\n\n1. e4 *\n' >atomic.pgn; tabiya import v.db atomic.pgn; \
    tabiya import --any-variant v.db atomic.pgn; tabiya pgn --any-variant --to san atomic.pgn; \
    tabiya check --any-variant atomic.pgn; tabiya import v.db no.pgn elo.pgn; \
    tabiya import --json --duplicates keep v.db elo.pgn
tabiya: atomic.pgn:1:1: the variant is not supported: "Atomic": only chess and Chess960 are (game 1)
1 game read: 0 stored, 0 duplicates, 1 rejected
1 game read: 1 stored, 0 duplicates, 0 rejected
e4
1 game, 1 good, 0 bad, 1 ply
tabiya: no.pgn: No such file or directory
4 games read: 4 stored, 0 duplicates, 0 rejected
{"read":4,"stored":4,"duplicates":0,"rejected":0}

$ printf '{ a comment\n1. e4 e9 *\n' >brace.pgn; \
    printf '[Event "x"]\n\n{open} 1. e4 e9 {and} *\n\n1. d4 d9 *\n' >brace2.pgn; \
    tabiya import --rejects rejects.pgn r.db brace2.pgn brace.pgn; cat rejects.pgn
tabiya: brace2.pgn:3:14: invalid move text: "e9": a square was expected (game 1, 1...e9...
tabiya: brace2.pgn:5:7: invalid move text: "d9": a square was expected (game 2, 1...d9...
tabiya: brace.pgn:1:1: invalid PGN: "{": the comment is not closed (game 1)
3 games read: 0 stored, 0 duplicates, 3 rejected
[Event "x"]

{open} 1. e4 e9 {and} *

[Event "?"]
1. d4 d9 *

[Event "?"]
{ a comment
1. e4 e9 *

$ { tabiya convert --to json elo.pgn | head -n 2 | sed '1s/"e4"/"e9"/'; echo '{"x"'; } >games.json; \
    tabiya import --rejects rejects.json j.db games.json; cat rejects.json; \
    tabiya check --rejects r1.json --clean c1.json games.json; cat r1.json c1.json
tabiya: games.json:1:129: invalid move text: a square was expected (game 1)
tabiya: games.json:3:5: invalid JSON: : expected (game 3)
3 games read: 1 stored, 0 duplicates, 2 rejected
{"tags":[["White","A"],["Black","B"],["WhiteElo","2500"],["BlackElo","2300"],["Result","1-0"]],"result":"1-0","moves":[{"san":"e9"},{"san":"e5"}]}
{"x"
games.json:1:129: invalid move text: a square was expected (game 1)
games.json:3:5: invalid JSON: : expected (game 3)
3 games, 1 good, 2 bad, 2 plies
{"tags":[["White","A"],["Black","B"],["WhiteElo","2500"],["BlackElo","2300"],["Result","1-0"]],"result":"1-0","moves":[{"san":"e9"},{"san":"e5"}]}
{"x"
{"tags":[["White","C"],["Black","D"],["WhiteElo","2450"],["Result","0-1"]],"result":"0-1","moves":[{"san":"d4"},{"san":"d5"}]}

# Without an input that can be opened, no database is created; a server is an input, too.

# not under Wine: without libpq it shows less of a URL
$ mkdir shelf; for w in shelf none 'none shelf' "postgresql://u:secret@127.0.0.1:1/x"; do \
    tabiya import absent.db $w 2>&1 | sed 's/: connection to .*/: no connection/'; ls absent.db* 2>/dev/null; done
tabiya: shelf: Is a directory
tabiya: none: No such file or directory
tabiya: none: No such file or directory
tabiya: shelf: Is a directory
tabiya: postgresql://u:***@127.0.0.1:1/x: no connection
[2]
