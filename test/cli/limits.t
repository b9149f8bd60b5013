# What one notation can hold and another cannot is reported, and nothing is written that could not be read back (docs/limits.md).

# A comment of more than a mebibyte, a tag of more than 8,192 bytes: JSON lines and CMBR can hold them, PGN cannot.

$ comment() { printf '{"tags":[],"result":"*","moves":[{"san":"e4","after":["'; head -c $1 /dev/zero | tr '\0' c; \
    printf '"]}]}\n'; }; comment 1100000 >big.json; comment 1000000 >less.json

$ tag() { printf '{"tags":[["Event","'; head -c $1 /dev/zero | tr '\0' t; printf '"]],"result":"*","moves":[]}\n'; \
    }; tag 8183 >tag.json; tag 8182 >short.json

$ tabiya convert --to pgn -o big.pgn big.json; tabiya convert --to pgn -o tag.pgn tag.json
tabiya: big.json:1: pgn cannot hold more than 1 MiB of text in a game (game 1)
tabiya: tag.json:1: pgn cannot hold a tag of more than 8192 bytes (game 1)
[2]

$ for f in big less tag short; do tabiya convert --to cmbr -o $f.cmbr $f.json; \
    tabiya convert --to json $f.cmbr | cmp - $f.json; done; for f in less short; do \
    tabiya convert --to pgn -o $f.pgn $f.json; tabiya convert --to json $f.pgn | tail -c 100 | head -c 10; echo; done
cccccccccc
tttttttttt

# Databases can hold them too.

$ tabiya import limits.db big.json tag.json less.json; tabiya export limits.db --to json | wc -l; \
    tabiya export limits.db -o out.pgn; tabiya check out.pgn; tabiya export limits.db --to cmbr -o out.cmbr; \
    tabiya check out.cmbr
3 games read: 3 stored, 0 duplicates, 0 rejected
3
tabiya: export: limits.db: game 1: the notation cannot hold this: more than 1 MiB of text in a game
tabiya: export: limits.db: game 2: the notation cannot hold this: a tag of more than 8192 bytes
1 game, 1 good, 0 bad, 1 ply
3 games, 3 good, 0 bad, 2 plies

# Lines of JSON and CMBR games have at most 16 MiB.

$ comment() { printf '{"tags":[],"result":"*","moves":[{"san":"e4","after":["'; head -c $1 /dev/zero | tr '\0' c; \
    printf '"]}]}\n'; }; comment 16777150 | tabiya convert --from json --to cmbr -o most.cmbr -; \
    tabiya check most.cmbr; tabiya convert --to json most.cmbr | wc -c; comment 16777160 | tabiya check --from json -
1 game, 1 good, 0 bad, 1 ply
16777211
stdin:1:16777217: text too long: a line of more than 16 MiB (game 1)
1 game, 0 good, 1 bad, 0 plies
[1]

# The text of a CMBR game may be longer as JSON.

$ { printf '1. e4 {'; head -c 1000000 /dev/zero | tr '\0' '\001'; printf '} *\n'; \
    } | tabiya convert --to cmbr -o signs.cmbr -; tabiya convert --to json signs.cmbr | wc -c
6000061

# Numbers of games go up to 2^32 - 1.

$ tabiya convert --to pgn --games 4294967295 less.json; tabiya convert --to pgn --games 4294967296 less.json
tabiya: less.json: there is no game 4294967295, only 1
tabiya: convert: --games must be a number or a range...not "4294967296"
[2]

$ tabiya pgn --games 4294967295 less.pgn; tabiya pgn --games 4294967296 less.pgn
tabiya: pgn: --games must be a number or a range...not "4294967296"
[2]

$ tabiya find limits.db 'id 1..4294967295' --count; tabiya find limits.db 'id 4294967296..' --count
3
0
[1]

# A line of moves has at most 16 MiB.

$ head -c 20000000 /dev/zero | tr '\0' e | tabiya convert --from uci --to san -
tabiya: stdin: a line of more than 16777216 bytes
[2]

$ { printf '1. '; for i in $(seq 30000); do printf 'Nf3 Nf6 Ng1 Ng8 '; done; } | tabiya convert --from san --to uci - | wc -w
120000
