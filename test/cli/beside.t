# Files that someone has put beside a database.

$ printf '[White "Ada"]\n\n1. e4 e5 *\n' >games.pgn; tabiya import games.db games.pgn
1 game read: 1 stored, 0 duplicates, 0 rejected

# A journal that names a super-journal: its header, and at its end the name, its length, the sum of its bytes, and the magic number.

$ name=$PWD/precious.txt; sum=0; for b in $(printf %s "$name" | od -An -v -tu1); do sum=$((sum + b)); done; be() { \
    printf \
    "\\$(printf %03o $(($1 >> 24 & 255)))\\$(printf %03o $(($1 >> 16 & 255)))\\$(printf %03o \
    $(($1 >> 8 & 255)))\\$(printf %03o $(($1 & 255)))"; }; magic='\331\325\005\371\040\241\143\327'; { \
    printf "$magic"; be 0; be 1; be 1; be 512; be 8192; head -c 484 /dev/zero; be 131073; printf %s "$name"; \
    be ${#name}; be $sum; printf "$magic"; } >planted

$ try() { echo precious >precious.txt; cp planted games.db-journal; timeout 20 tabiya $1 >out 2>err </dev/null; \
    echo "$? $(cat precious.txt) $(grep -c 'on several databases' err): $1"; rm -f games.db-journal; }; \
    for c in 'info games.db' 'find games.db --count' 'verify games.db' 'check games.db' 'export games.db -o out.pgn' \
    'delete games.db --ids 1' 'collection list games.db' 'serve games.db --port 0' 'sql games.db' \
    'sql games.db --write' 'explore games.db' 'report games.db Ada' 'names games.db' 'rows games.db --to csv' \
    'pgn games.db' 'convert games.db --to pgn' 'novelty games.db games.db' 'import games.db games.pgn' \
    'import other.db games.db'; do try "$c"; done
2 precious 1: info games.db
2 precious 1: find games.db --count
2 precious 1: verify games.db
2 precious 1: check games.db
2 precious 1: export games.db -o out.pgn
2 precious 1: delete games.db --ids 1
2 precious 1: collection list games.db
2 precious 1: serve games.db --port 0
2 precious 1: sql games.db
2 precious 1: sql games.db --write
2 precious 1: explore games.db
2 precious 1: report games.db Ada
2 precious 1: names games.db
2 precious 1: rows games.db --to csv
2 precious 1: pgn games.db
2 precious 1: convert games.db --to pgn
2 precious 1: novelty games.db games.db
2 precious 1: import games.db games.pgn
2 precious 1: import other.db games.db
