# tabiya verify: checks that everything in the database is consistent.

$ . "$SOURCE/test/cli/games.sh"; tabiya import games.db games.pgn odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
10 games read: 10 stored, 0 duplicates, 0 rejected

$ tabiya verify games.db
games.db: game 6: warning: null move in the main line (ply 3)
10 games, 0 faults

$ tabiya import --index-plies none games.db games.pgn >/dev/null; tabiya verify games.db
games.db: game 6: warning: null move in the main line (ply 3)
10 games, 0 faults

# A comment was changed in the file; its record has a checksum.

$ cp games.db bad.db; LC_ALL=C sed -i 's/N\. N\./N. M./' bad.db; tabiya verify bad.db
bad.db: game 6: the checksum does not match
10 games, 1 fault
[1]

# A name was changed: the index of names no longer matches either.

$ cp games.db bad.db; LC_ALL=C sed -i 's/Carlsen, M/Carlsen, N/g' bad.db; tabiya verify bad.db
bad.db: game 1: its columns do not match its game
bad.db: game 6: warning: null move in the main line (ply 3)
bad.db: the index of words does not match the names
10 games, 2 faults
[1]

# A truncated file.

$ head -c 60000 games.db >cut.db; tabiya verify cut.db
tabiya: verify: cut.db: database: database disk image is malformed
[2]

$ tabiya verify no.db
tabiya: verify: no.db: No such file or directory
[2]

$ tabiya verify games.pgn
tabiya: verify: games.pgn: not a database...
[2]

$ tabiya verify
tabiya: verify: no database given...
[2]

# Records after the last game: no command treats them as games, and verify reports them.

$ tabiya import --index all grown.db "$SOURCE/examples/famous.pgn"; for t in fact sketch stood; do \
    for more in 0000000000000000 ffffffffffffffff 00; do cp grown.db bad.db; \
    tabiya sql bad.db --write "UPDATE $t SET records = CAST(records || x'$more' AS BLOB)"; tabiya verify bad.db; \
    tabiya info bad.db | head -n 1; tabiya find bad.db --count 'not id 100'; \
    tabiya find bad.db --tsv 'elo ..1 or not elo 1..' | cut -f 1 | tail -n 1; done; done
58 games read: 58 stored, 0 duplicates, 0 rejected
bad.db: the table fact has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table fact has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table fact has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table sketch has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table sketch has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table sketch has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table stood has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table stood has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
bad.db: the table stood has records after the last game, or parts of records
58 games, 1 fault
games                       58
58
58
