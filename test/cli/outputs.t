# Output files: a file is replaced only by a complete one.

$ cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected

# A missing input: the file keeps its contents, whatever the command.

$ for c in "pgn no.pgn" "pgn games.pgn no.pgn" "pgn games.pgn --unique --known no.pgn" "rows no.pgn" "names no.pgn" \
    "convert --to json no.pgn" "rows no.db --to parquet"; do echo OLD >old; tabiya $c -o old >out; \
    echo "$? $(cat old)"; done; ls
tabiya: no.pgn: No such file or directory
tabiya: old was not replaced: some input could not be read
2 OLD
tabiya: no.pgn: No such file or directory
tabiya: old was not replaced: some input could not be read
2 OLD
tabiya: no.pgn: No such file or directory
tabiya: old was not replaced: some input could not be read
2 OLD
tabiya: rows: no.pgn: No such file or directory
2 OLD
tabiya: names: no.pgn: No such file or directory
2 OLD
tabiya: "no.pgn": no such file, and no notation matches this text
tabiya: old was not replaced: some input could not be read
2 OLD
tabiya: rows: no.db: No such file or directory
2 OLD
games.db
games.pgn
old
out

# An input that ends unexpectedly.

$ gzip -c games.pgn | head -c 6000 >cut.pgn.gz; \
    for c in "pgn cut.pgn.gz" "rows cut.pgn.gz" "names cut.pgn.gz" "convert --to json cut.pgn.gz" \
    "convert --append --to pgn cut.pgn.gz"; do echo "[Event \"OLD\"]" >old; tabiya $c -o old >out 2>err; \
    echo "$? $(cat old)"; done; grep -v game err
2 [Event "OLD"]
2 [Event "OLD"]
2 [Event "OLD"]
2 [Event "OLD"]
2 [Event "OLD"]
tabiya: cut.pgn.gz: the compressed file is truncated
tabiya: old was not replaced: some input could not be read

# Several files are replaced together, or none.

$ for i in 1 2 3; do echo OLD >part-$i.pgn; done; tabiya pgn --split 2 -o part-%d.pgn cut.pgn.gz 2>/dev/null; cat part-*; ls -a | grep tabiya
OLD
OLD
OLD
[1]

$ tabiya pgn --split 20 -o part-%d.pgn games.pgn; for i in 1 2 3; do tabiya pgn --count part-$i.pgn; done; ls -a | grep tabiya
20
20
18
[1]

$ tabiya pgn --split event -o 'of-%s.pgn' cut.pgn.gz 2>err; grep -v game err; ls of-*
tabiya: cut.pgn.gz: the compressed file is truncated
tabiya: no file of-%s.pgn was written: some input could not be read
ls: cannot access 'of-*': No such file or directory
[2]

$ echo OLD >good.pgn; echo OLD >bad.pgn; echo OLD >others.pgn; \
    tabiya check --clean good.pgn --rejects bad.pgn cut.pgn.gz >out 2>&1; \
    tabiya pgn --others others.pgn cut.pgn.gz >out 2>&1; cat good.pgn bad.pgn others.pgn
OLD
OLD
OLD

# A damaged database. Without -o, what can be read is written.

$ cp games.db bad.db; tabiya sql bad.db --write "UPDATE game SET annotated = x'00' WHERE id = 2"; echo OLD >old; tabiya export bad.db -o old; cat old
tabiya: export: bad.db: game 2 is damaged: no game begins here
tabiya: old was not replaced: some input could not be read
OLD

$ cp games.db page.db; page=$(tabiya sql page.db "SELECT rootpage FROM sqlite_master WHERE name = 'player'"); \
    size=$(tabiya sql page.db 'PRAGMA page_size'); \
    dd if=/dev/zero of=page.db bs=$size seek=$((page - 1)) count=1 conv=notrunc status=none

$ for c in "rows page.db --to parquet" "export page.db" "names page.db"; do echo OLD >old; tabiya $c -o old >out 2>&1; echo "$? $(cat old)"; done
2 OLD
2 OLD
2 OLD

# A game with a fault is left out, as always.

$ printf '[White "A"]\n\n1. e4 e9 *\n\n[White "B"]\n\n1. d4 *\n' >faulty.pgn; echo OLD >old; \
    tabiya pgn faulty.pgn -o old 2>/dev/null; echo $?; grep -c White old
2
1

# A reader that closes the pipe early does not change the exit code: what was found until then counts.

$ tabiya sql bad.db --write 'UPDATE game SET plies = plies + 1'; set +o pipefail; { tabiya verify bad.db; \
    echo $? >code; } | head -n 1 >/dev/null; cat code
1

$ for i in 1 2 3 4 5 6 7 8 9; do cat faulty.pgn faulty.pgn faulty.pgn faulty.pgn; done >many.pgn; { \
    tabiya check many.pgn; echo $? >code; } | true; cat code; { tabiya pgn many.pgn 2>/dev/null; echo $? >code; \
    } | true; cat code; { tabiya export bad.db 2>/dev/null; echo $? >code; } | true; cat code; { \
    tabiya rows many.pgn 2>/dev/null; echo $? >code; } | true; cat code
1
2
2
1

# Output where a query holds: FEN, the last column of tables, a page that opens there, a page of diagrams.

$ cp "$SOURCE/test/cli/data/outputs/where.pgn" where.pgn

$ tabiya pgn --to fen where.pgn B-b5
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3

$ tabiya pgn --to fen where.pgn
r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4

$ tabiya find where.pgn --to fen B-b5
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3

$ tabiya find where.pgn --json B-b5 | grep -o '"ply".*'
"ply":4,"fen":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"}

$ tabiya find where.pgn --to csv B-b5 | cut -d, -f14,15
ply,fen
4,r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3

$ tabiya pgn --to html where.pgn B-b5 >where.html; grep -o '<a class="at".*</a>' where.html; \
    grep -o 'data-s="[^"]*"' where.html; grep -c 'class="d"' where.html
<a class="at" data-f="r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R">Nc6</a>
data-s="f3e515781b,e4d5882020,d4d4e68f00"
1

$ tabiya find where.pgn --to html --diagrams B-b5 | grep -o '<figcaption>.*'
<figcaption><b>A&lt;b&gt; &ndash; B</b>, E<br>after 2... Nc6; White to move (*)</figcaption>

$ tabiya find where.pgn --to pgn --diagrams
tabiya: find: --diagrams needs --to html
[2]

$ tabiya show --to svg where.pgn --game 1 --ply 3 | grep -c -e '#15781b' -e '#882020' -e '#e68f00'
3

# --drop keeps --mark, and a comment after a variation stays there.

$ tabiya pgn --drop B-b5 --mark HERE --strip tags where.pgn 'Bb5'
3. {after} Bb5 {HERE} 3... a6 *

$ tabiya pgn --drop 4 --mark HERE --strip tags where.pgn N-f3
3. {HERE} {after} Bb5 a6 *

# find and rows write the same CSV: an empty text is quoted, nothing at all is unknown.

$ printf '[White "A, \\"B\\""]\n[Black ""]\n[Event "=x"]\n\n1. e4 *\n' >cells.pgn; \
    tabiya find cells.pgn --to csv | cut -d, -f2-5,9,10; tabiya rows cells.pgn --columns White,Black,Event; \
    tabiya find cells.pgn --to spreadsheet | cut -d, -f9
white,white_elo,black,black_elo,site,round
"A, ""B""",,"",=x,
White,Black,Event
"A, ""B""","",=x
site
'=x
