# Damaged databases: what can be read is printed, the rest is reported, and the exit code is 2.

$ cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn
58 games read: 58 stored, 0 duplicates, 0 rejected

# The comments of one game are damaged.
$ cp games.db one.db; tabiya sql one.db --write "UPDATE game SET annotated = x'00' WHERE id = 2"; tabiya verify one.db
one.db: game 2: no game begins here
58 games, 1 fault
[1]

$ tabiya find one.db --to pgn >out; echo $?; grep -c Event out; tabiya export one.db >out; echo $?; grep -c '^.Event ' out
tabiya: find: one.db: game 2 is damaged: no game begins here
2
57
tabiya: export: one.db: game 2 is damaged: no game begins here
2
57

$ tabiya rows one.db >out; echo $?; wc -l <out; tabiya rows --threads 1 one.db >out; echo $?; wc -l <out; tabiya rows one.db -o out.csv
tabiya: one.db: game 2 is damaged: no game begins here
2
58
tabiya: one.db: game 2 is damaged: no game begins here
2
58
tabiya: one.db: game 2 is damaged: no game begins here
tabiya: out.csv was not replaced: some input could not be read
58 games, 1 bad, 3366 plies: 57 rows, 0 left out
[2]

$ tabiya show --game 2 one.db; tabiya novelty one.db 2; tabiya convert --to pgn one.db | head -n 5
tabiya: show: one.db: game 2 is damaged: no game begins here
tabiya: novelty: one.db: game 2 is damaged: no game begins here
tabiya: one.db: game 2 is damaged: no game begins here
[Event "Casual game"]
[Site "?"]
[Date "1620.??.??"]
[Round "?"]
[White "Gioachino Greco"]

# The moves of one game are damaged.
$ cp games.db moves.db; tabiya sql moves.db --write "UPDATE game SET moves = x'ff', annotated = NULL WHERE id = 5"; \
    tabiya tree grow --games moves.db -o tree; tabiya find moves.db mate >out; \
    tabiya find moves.db --tsv --all-plies mate >out
tabiya: tree: moves.db: game 5 is damaged
1443 nodes, depth 30
58 games read: 57 counted, 0 not from this root, 1 rejected; 67 half-moves of variations left out
tabiya: find: moves.db: game 5 is damaged
tabiya: find: moves.db: game 5 is damaged
[2]

# All others say so too, with their exit code, and replace nothing. (The first publication is that of the undamaged games.)
$ tabiya publish games.db -o site --data-only >out; cp site/data/manifest.json before; \
    for c in "pgn moves.db" "convert moves.db --to uci" "check moves.db" "import copy.db moves.db" "export moves.db" \
    "rows moves.db" "publish moves.db -o site --data-only"; do tabiya $c 2>err >out; \
    echo "$? $(grep -c 'game 5.*\(is damaged\|invalid\)' err) $c"; done; cmp before site/data/manifest.json
2 1 pgn moves.db
2 1 convert moves.db --to uci
2 1 check moves.db
2 1 import copy.db moves.db
2 1 export moves.db
2 1 rows moves.db
2 1 publish moves.db -o site --data-only

# A page of the file is lost: that of the players' names.
$ cp games.db page.db; page=$(tabiya sql page.db "SELECT rootpage FROM sqlite_master WHERE name = 'player'"); \
    size=$(tabiya sql page.db 'PRAGMA page_size'); \
    dd if=/dev/zero of=page.db bs=$size seek=$((page - 1)) count=1 conv=notrunc status=none

$ for c in "find page.db" "find page.db --count mate" "find page.db --sort=white" "find page.db --to pgn" \
    "export page.db" "rows page.db" "names page.db" "report page.db morphy" "explore page.db" \
    "explore page.db --match mate" "novelty page.db 3" "show --game 3 page.db" "tree grow --games page.db -o none" \
    "tree show page.db" "delete page.db --player morphy" "import page.db games.pgn" "verify page.db" "info page.db"; \
    do { tabiya $c >out; echo "$c: $?"; } 2>&1 | uniq; done
tabiya: find: page.db: database: database disk image is malformed
find page.db: 2
find page.db --count mate: 0
tabiya: find: page.db: database: database disk image is malformed
find page.db --sort=white: 2
tabiya: find: page.db: database: database disk image is malformed
find page.db --to pgn: 2
tabiya: export: page.db: database: database disk image is malformed
export page.db: 2
tabiya: rows: page.db: database: database disk image is malformed
rows page.db: 2
tabiya: names: page.db: database: database disk image is malformed
names page.db: 2
tabiya: report: page.db: database: database disk image is malformed
report page.db morphy: 2
explore page.db: 0
tabiya: explore: page.db: database: database disk image is malformed
explore page.db --match mate: 2
tabiya: novelty: page.db: database: database disk image is malformed
novelty page.db 3: 2
tabiya: show: page.db: database: database disk image is malformed
show --game 3 page.db: 2
tabiya: tree: page.db: database: database disk image is malformed
tree grow --games page.db -o none: 2
tabiya: tree: page.db: database: database disk image is malformed
tree show page.db: 2
tabiya: delete: page.db: database: database disk image is malformed
delete page.db --player morphy: 2
tabiya: import: page.db: database: database disk image is malformed
import page.db games.pgn: 2
tabiya: verify: page.db: database: database disk image is malformed
verify page.db: 2
tabiya: info: page.db: database: database disk image is malformed
info page.db: 2

# The page of the games.
$ cp games.db page.db; page=$(tabiya sql page.db "SELECT rootpage FROM sqlite_master WHERE name = 'game'"); \
    size=$(tabiya sql page.db 'PRAGMA page_size'); \
    dd if=/dev/zero of=page.db bs=$size seek=$((page - 1)) count=1 conv=notrunc status=none

$ for c in "find page.db" "find page.db --count mate" "find page.db --sort=white" "find page.db --to pgn" \
    "export page.db" "rows page.db" "names page.db" "report page.db morphy" "explore page.db" \
    "explore page.db --match mate" "novelty page.db 3" "show --game 3 page.db" "tree grow --games page.db -o none" \
    "tree show page.db" "delete page.db --player morphy" "import page.db games.pgn" "verify page.db" "info page.db" \
    "import --duplicates keep page.db games.pgn"; do { tabiya $c >out; echo "$c: $?"; } 2>&1 | uniq; done
tabiya: find: page.db: database: database disk image is malformed
find page.db: 2
tabiya: find: page.db: database: database disk image is malformed
find page.db --count mate: 2
tabiya: find: page.db: database: database disk image is malformed
find page.db --sort=white: 2
tabiya: find: page.db: database: database disk image is malformed
find page.db --to pgn: 2
tabiya: export: page.db: database: database disk image is malformed
export page.db: 2
tabiya: rows: page.db: database: database disk image is malformed
rows page.db: 2
tabiya: names: page.db: database: database disk image is malformed
names page.db: 2
tabiya: report: page.db: database: database disk image is malformed
report page.db morphy: 2
tabiya: explore: page.db: database: database disk image is malformed
explore page.db: 2
tabiya: explore: page.db: database: database disk image is malformed
explore page.db --match mate: 2
tabiya: novelty: page.db: database: database disk image is malformed
novelty page.db 3: 2
tabiya: show: page.db: database: database disk image is malformed
show --game 3 page.db: 2
tabiya: tree: page.db: database: database disk image is malformed
tree grow --games page.db -o none: 2
tabiya: tree: page.db: database: database disk image is malformed
tree show page.db: 2
tabiya: delete: 5 games would be deleted...
delete page.db --player morphy: 2
tabiya: import: page.db: database: database disk image is malformed
import page.db games.pgn: 2
tabiya: verify: page.db: database: database disk image is malformed
verify page.db: 2
info page.db: 0
tabiya: import: page.db: database: database disk image is malformed
import --duplicates keep page.db games.pgn: 2

# Half of the file is lost.
$ head -c $(($(wc -c <games.db) / 2)) games.db >half.db; \
    for c in "find half.db" "export half.db" "rows half.db" "names half.db" "report half.db morphy" \
    "explore half.db" "tree grow --games half.db -o none" "import half.db games.pgn" "verify half.db" "info half.db" \
    "show --game 2 half.db"; do { tabiya $c >out; echo "$c: $?"; } 2>&1 | uniq; done
tabiya: find: half.db: database: database disk image is malformed
find half.db: 2
tabiya: export: half.db: database: database disk image is malformed
export half.db: 2
tabiya: rows: half.db: database: database disk image is malformed
rows half.db: 2
tabiya: names: half.db: database: database disk image is malformed
names half.db: 2
tabiya: report: half.db: database: database disk image is malformed
report half.db morphy: 2
tabiya: explore: half.db: database: database disk image is malformed
explore half.db: 2
tabiya: tree: half.db: database: database disk image is malformed
tree grow --games half.db -o none: 2
tabiya: import: half.db: database: database disk image is malformed
import half.db games.pgn: 2
tabiya: verify: half.db: database: database disk image is malformed
verify half.db: 2
tabiya: info: half.db: database: database disk image is malformed
info half.db: 2
tabiya: show: half.db: database: database disk image is malformed
show --game 2 half.db: 2

# The table of sites is lost: no game is written without its tag, and the file of the last export stays.
$ printf '[Site "Paris"]\n[White "Ada"]\n\n1. e4 *\n' >site.pgn; tabiya import site.db site.pgn; \
    tabiya sql site.db --write 'DELETE FROM site'; echo old >out.pgn; tabiya export site.db -o out.pgn; cat out.pgn; \
    tabiya pgn site.db; tabiya verify site.db
1 game read: 1 stored, 0 duplicates, 0 rejected
tabiya: export: site.db: game 1 is damaged: a tag that the game has is missing
tabiya: out.pgn was not replaced: some input could not be read
old
tabiya: site.db: game 1 is damaged: a tag that the game has is missing
site.db: game 1: a tag that the game has is missing
1 game, 1 fault
[1]

# Lists, tables and sorted lists notice it, too; the other games are listed.
$ printf '[Site "Rome"]\n[White "Bob"]\n\n1. d4 *\n' | cat site.pgn - >sites.pgn; tabiya import lost.db sites.pgn; \
    tabiya sql lost.db --write "DELETE FROM site WHERE name = 'Paris'"; \
    for c in 'find' 'find --to csv' 'find --sort site' 'export --sort site --to san' 'rows --games --to csv' \
    'publish -o shop'; do tabiya $c lost.db >out 2>err; echo "$? $(grep -c Bob out) $(head -n 1 err)"; done; \
    ls shop 2>/dev/null; true
2 games read: 2 stored, 0 duplicates, 0 rejected
2 1 tabiya: find: lost.db: game 1 is damaged: a tag that the game has is missing
2 1 tabiya: find: lost.db: game 1 is damaged: a tag that the game has is missing
2 0 tabiya: find: lost.db: game 1 is damaged: its site is missing
2 0 tabiya: export: lost.db: game 1 is damaged: its site is missing
2 1 tabiya: rows: lost.db: game 1 is damaged: a tag that the game has is missing
2 0 tabiya: publish: lost.db: game 1 is damaged: a tag that the game has is missing
$ tabiya import gone.db sites.pgn; tabiya sql gone.db --write 'DELETE FROM game WHERE id = 1'; tabiya find gone.db --sort site
2 games read: 2 stored, 0 duplicates, 0 rejected
2  Bob - ?  *  ?  ?  A40 Queen's Pawn Game  1 ply
