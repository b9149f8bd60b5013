# Errors: options that need or exclude each other, wrong values, files that cannot be read or written. What every
# option refuses in the same way is in options.py.

$ cp "$SOURCE/examples/famous.pgn" games.pgn; tabiya import games.db games.pgn; echo mate >queries; mkdir folder
58 games read: 58 stored, 0 duplicates, 0 rejected

# convert
$ tabiya convert --to uci; tabiya convert --to uci xyzzy
tabiya: convert: nothing to convert...
tabiya: "xyzzy": no such file, and no notation matches this text
[2]

$ tabiya convert --to pgn --games 5..2 games.pgn
tabiya: convert: --games must be a number or a range...not "5..2"
[2]

$ tabiya convert --to pgn --append games.pgn
tabiya: convert: --append needs -o FILE
[2]

$ tabiya convert --to pgn -o games.pgn games.pgn; tabiya convert --to pgn -o folder games.pgn; tabiya convert --to pgn -o no/out games.pgn
tabiya: convert: games.pgn cannot be both input and output
tabiya: cannot write to folder: Is a directory
tabiya: cannot write to no/out: No such file or directory
[2]

$ tabiya convert --to cmbr --append -o folder games.pgn
tabiya: cannot write to folder: Is a directory
[2]

# pgn
$ exec >out; tabiya pgn; tabiya pgn no.pgn; tabiya pgn folder
tabiya: pgn: no games given: name a database, a file of games, or - for standard input...
tabiya: no.pgn: No such file or directory
tabiya: folder: Is a directory
[2]

$ exec >out; tabiya pgn --known games.pgn games.pgn; tabiya pgn --duplicates out games.pgn; tabiya pgn --unique=near --known - games.pgn
tabiya: pgn: --known needs --unique
tabiya: pgn: --duplicates needs --unique
tabiya: pgn: --unique=near reads its input several times, so it cannot read standard input
[2]

$ exec >out; tabiya pgn --unique=x games.pgn; tabiya pgn --unique= games.pgn; tabiya pgn --unique=10001 games.pgn
tabiya: pgn: --unique takes prefix...not "x"
tabiya: pgn: --unique takes prefix...not ""

$ exec >out; tabiya pgn --games x games.pgn; tabiya pgn --games "$(printf %070d 1)" games.pgn; tabiya pgn --games 5..2 games.pgn
tabiya: pgn: --games must be a number or a range...not "x"
tabiya: pgn: --games takes numbers and ranges such as 10..20, not "0000000000000000000000000000000000000000000000000000000000000000000001"
tabiya: pgn: --games must be a number or a range...not "5..2"
[2]

$ exec >out; tabiya pgn --sort '' games.pgn; tabiya pgn --sort xyzzy games.pgn; tabiya pgn --sort A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A games.pgn
tabiya: pgn: --sort takes white...not ""
tabiya: pgn: --sort takes white...not "xyzzy"
tabiya: pgn: --sort takes at most 16 names
[2]

$ exec >out; tabiya pgn --set x games.pgn; tabiya pgn --set =x games.pgn; tabiya pgn --rename-tag x games.pgn
tabiya: pgn: --set must be NAME=VALUE, not "x"
tabiya: pgn: --set must be NAME=VALUE, not "=x"
tabiya: pgn: --rename-tag must be NAME=NAME, not "x"
[2]

$ exec >out; tabiya pgn --strip moves games.pgn; tabiya pgn --add moves games.pgn; tabiya pgn --note moves games.pgn
tabiya: pgn: --strip takes comments...not "moves"
tabiya: pgn: --add takes eco...not "moves"
tabiya: pgn: --note takes fen...not "moves"
[2]

$ exec >out; tabiya pgn --split 5 games.pgn; tabiya pgn --split 5 -o out games.pgn; \
    tabiya pgn --split player -o out games.pgn; tabiya pgn --split xyzzy -o %s games.pgn; \
    tabiya pgn --split 2 --to html -o %d.html games.pgn
tabiya: pgn: --split needs -o with %d in the name, such as -o part-%d.pgn
tabiya: pgn: --split needs -o with %d in the name, such as -o part-%d.pgn
tabiya: pgn: --split player needs -o with %s in the name, such as -o %s.pgn
tabiya: pgn: --split takes a number of games...not "xyzzy"
tabiya: pgn: --to html writes one page, which --split cannot divide
[2]

$ exec >out; tabiya pgn --letters-out german --to uci games.pgn; tabiya pgn --letters QQQQQ games.pgn; tabiya pgn --letters-out xyz games.pgn
tabiya: pgn: --letters-out needs --to pgn or --to san
tabiya: pgn: --letters takes the letters of knight...not "QQQQQ"
tabiya: pgn: --letters-out takes the letters of knight...not "xyz"
[2]

$ exec >out; tabiya pgn --query mate games.pgn check; tabiya pgn 'id 5' games.pgn; tabiya pgn --cut xyzzy games.pgn; tabiya pgn --drop=-x games.pgn
tabiya: pgn: a query is given twice: as "check" and by --query
tabiya: pgn: "id" needs a database...
tabiya: pgn: no such word: "xyzzy"; for a name: player xyzzy
  xyzzy
  ^
tabiya: pgn: a fact was expected, not "-x"
  -x
  ^
[2]

$ for o in criteria queries names patterns known; do tabiya pgn --unique --$o no/file games.pgn >out; done
tabiya: pgn: no/file: No such file or directory
tabiya: pgn: no/file: No such file or directory
tabiya: pgn: no/file: No such file or directory
tabiya: pgn: --patterns: no/file: No such file or directory
tabiya: no/file: No such file or directory
[2]

$ for o in criteria queries names patterns known; do tabiya pgn --unique --$o folder games.pgn >out; done
tabiya: pgn: folder: Is a directory
tabiya: pgn: folder: Is a directory
tabiya: pgn: folder: Is a directory
tabiya: pgn: --patterns: folder: Is a directory
tabiya: folder: Is a directory
[2]

$ exec >out; for o in others duplicates output; do tabiya pgn --unique --$o no/out games.pgn; tabiya pgn --unique --$o games.pgn games.pgn; done
tabiya: cannot write to no/out: No such file or directory
tabiya: pgn: games.pgn cannot be both input and output
tabiya: cannot write to no/out: No such file or directory
tabiya: pgn: games.pgn cannot be both input and output
tabiya: cannot write to no/out: No such file or directory
tabiya: pgn: games.pgn cannot be both input and output
[2]

$ exec >out; tabiya pgn --split 2 -o no/%d.pgn games.pgn; tabiya pgn --split player -o no/%s.pgn games.pgn
tabiya: cannot write to no/1.pgn: No such file or directory
tabiya: cannot write to no/: No such file or directory
[2]

$ exec >out; tabiya pgn --others /dev/full games.pgn mate >out; tabiya pgn --unique --duplicates /dev/full games.pgn games.pgn >out
tabiya: cannot write to /dev/full: No space left on device
tabiya: cannot write to /dev/full: No space left on device
[2]

$ head -c 1100000 /dev/zero | tr '\0' '#' >large; tabiya pgn --patterns large games.pgn mate
tabiya: pgn: --patterns: large: more than a megabyte
[2]

# check
$ exec >out; tabiya check; tabiya check no.pgn; tabiya check --rejects games.pgn games.pgn; tabiya check --clean no/out games.pgn
tabiya: check: no FILE given...
tabiya: no.pgn: No such file or directory
tabiya: check: games.pgn cannot be both input and output
tabiya: cannot write to no/out: No such file or directory
[2]

# rows
$ exec >out; tabiya rows; tabiya rows no.pgn; tabiya rows folder; tabiya rows -o games.pgn games.pgn; \
    tabiya rows -o no/out.csv games.pgn; tabiya rows --columns xyzzy games.pgn
tabiya: rows: no games given: name a database, a file of games, or - for standard input...
tabiya: rows: no.pgn: No such file or directory
tabiya: folder: Is a directory
tabiya: rows: games.pgn cannot be both input and output
tabiya: cannot write to no/out.csv: No such file or directory
tabiya: rows: column "xyzzy": there is no such column...
[2]

$ exec >out; tabiya rows --positions --moves games.pgn; tabiya rows --sample 0 games.pgn; \
    tabiya rows --query mate games.pgn check; tabiya rows games.db 'xyzzy'
tabiya: rows: only one of --games, --positions and --moves can be given
tabiya: rows: --sample must be a number from 1 to 1000000000, not "0"
tabiya: rows: a query is given twice: as "check" and by --query
tabiya: rows: no such word: "xyzzy"; for a name: player xyzzy
  xyzzy
  ^
[2]

# show
$ exec >out; tabiya show --ply 3; tabiya show --arrow e2e4; tabiya show --to svg --arrow e2e9; \
    tabiya show --to svg --last-move e2; tabiya show --to svg --size 0
tabiya: show: --ply needs --game
tabiya: show: --arrow, --last-move and --size need --to svg or --to png
tabiya: show: --arrow must look like e2e4, e4 or e2e4:cc0000, not "e2e9"
tabiya: show: --last-move must be a move...not "e2"
tabiya: show: --size must be a number from 40 to 4000, not "0"
[2]

$ tabiya show --game 1; tabiya show --game 99 games.pgn; tabiya show --game 99 games.db; \
    tabiya show --game 1 --ply 9999 games.pgn; tabiya show --game 1 no.pgn; tabiya show --game 1 folder
tabiya: show: --game needs one file or database
tabiya: show: games.pgn has no game 99
tabiya: show: games.db has no game 99
tabiya: show: the game has 15 half-moves, not 9999
tabiya: no.pgn: No such file or directory
tabiya: folder: Is a directory
[2]

$ printf 'startpos\nstartpos\n' | tabiya show --to svg - | tail -n 1; printf '[Event "x"]\n\n1. e9 *\n' >bad.pgn; tabiya show --game 1 bad.pgn
tabiya: show: --to svg draws one position only
</svg>
tabiya: show: bad.pgn: game 1 has a fault...
[2]

# serve
$ tabiya serve --base 'a b'; tabiya serve --engines 0; tabiya serve --engine no/such/engine; tabiya serve --engine-seconds x
tabiya: serve: --base must be a path of letters, digits, - . _ ~ and /, not "a b"
tabiya: serve: --engines must be a number from 1 to 100, not "0"
tabiya: serve: no/such/engine: No such file or directory
tabiya: serve: --engine-seconds must be a number from 1 to 86400, not "x"
[2]

# tree
$ tabiya tree; tabiya tree xyzzy; tabiya tree gorw; tabiya tree show; tabiya tree read; tabiya tree export; tabiya tree read no; tabiya tree show no
tabiya: tree: no action given...
tabiya: tree: unknown action "xyzzy"...
tabiya: tree: unknown action "gorw"; did you mean "grow"?
tabiya: tree show: a DIR or a DB is needed...
tabiya: tree read: one DIR expected...
tabiya: tree export: a DIR, a DB or a file is needed...
tabiya: tree: no: cannot be read: No such file or directory
tabiya: no: No such file or directory
[2]

$ tabiya tree grow; tabiya tree grow --depth 1; tabiya tree grow --explain; \
    tabiya tree grow --games games.db --depth 2; tabiya tree grow --games games.db --count; \
    tabiya tree grow --depth 101 -o t; tabiya tree grow --count --depth 1 -o t
tabiya: tree grow: --depth N or --games FILE is missing...
tabiya: tree grow: -o DIR, the folder to write, is missing...
tabiya: tree grow: --explain needs --games
tabiya: tree grow: --games cannot be used with --depth or --count...
tabiya: tree grow: --games cannot be used with --depth or --count...
tabiya: tree grow: --depth must be a number from 0 to 100, not "101"
tabiya: tree grow: --count writes nothing, so -o and --resume do not apply
[2]

$ tabiya tree grow --depth 1 --plies 3 -o t; tabiya tree grow --depth 1 --min-games 3 -o t; \
    tabiya tree grow --depth 1 --memory 5M -o t; tabiya tree grow --depth 1 --temp . -o t
tabiya: tree grow: --plies needs --games
tabiya: tree grow: --min-games needs --games
tabiya: tree grow: --memory needs --count
tabiya: tree grow: --temp needs --count
[2]

$ tabiya tree grow --depth 1 -o t; tabiya tree show t --plies 3; tabiya tree export t --to polyglot -o t.bin; \
    tabiya tree show t.bin --from startpos; tabiya tree read t --to dot
21 nodes, depth 1
tabiya: tree show: --plies does not apply to a DIR or a book
tabiya: tree show: --from does not apply to a DIR or a book
tabiya: tree read: --to does not apply
[2]

$ tabiya tree grow --games no.pgn -o u; tabiya tree grow --games games.pgn --query mate -o u check; \
    tabiya tree export t -o no/out; tabiya tree grow --depth 1 -o no/such/t; \
    tabiya tree grow --from xyzzy --depth 1 -o u
tabiya: no.pgn: No such file or directory
tabiya: tree grow: a query is given twice: as "check" and by --query
tabiya: cannot write to no/out: No such file or directory
tabiya: tree: no/such/t: cannot be written: No such file or directory
tabiya: fen: field 1 (placement), column 1: unknown piece letter
[2]

# databases
$ for c in find explore export delete info verify names report novelty sql; do tabiya $c; done
tabiya: find: no games given: name a database, a file of games, or - for standard input...
tabiya: explore: no games given: name a database, a file of games, or - for standard input...
tabiya: export: no games given: name a database, a file of games, or - for standard input...
tabiya: delete: no database given...
tabiya: info: no database given...
tabiya: verify: no database given...
tabiya: names: no games given: name a database, a file of games, or - for standard input...
tabiya: report: no games given: name a database, a file of games, or - for standard input...
tabiya: novelty: no games given: name a database, a file of games, or - for standard input...
tabiya: sql: no database given...
[2]

$ for c in find explore export delete info verify names report novelty sql; do tabiya $c no.db x; done
tabiya: find: no.db: No such file or directory
tabiya: explore: no.db: No such file or directory
tabiya: export: no.db: No such file or directory
tabiya: delete: no.db: No such file or directory
tabiya: info: unexpected argument "x"...
tabiya: verify: unexpected argument "x"...
tabiya: names: no.db: No such file or directory
tabiya: report: no.db: No such file or directory
tabiya: novelty: no.db: No such file or directory
tabiya: sql: no.db: No such file or directory
[2]

$ for c in info verify sql delete; do tabiya $c games.pgn; done
tabiya: info: games.pgn: not a database...
tabiya: verify: games.pgn: not a database...
tabiya: sql: games.pgn: not a database
tabiya: delete: games.pgn: not a database...
[2]

$ tabiya find games.db --fen 8/8 ; tabiya find games.db --sort xyzzy; tabiya find games.db --limit 0; tabiya find games.db --elo high
tabiya: find: --fen needs the side to move and the castling rights too, such as "w KQkq"; the query board "..." looks for the pieces alone
tabiya: find: --sort takes white, white_elo, ..., not "xyzzy"
tabiya: find: --limit must be a number from 1 to 4294967295, not "0"
tabiya: find: --elo must be a number or a range...not "high"
[2]

$ tabiya export games.db -o no/out; tabiya export games.db -o games.db; tabiya export games.db --ids x; \
    tabiya delete games.db; tabiya delete games.db --ids 1..x
tabiya: cannot write to no/out: No such file or directory
tabiya: export: games.db cannot be both input and output
tabiya: export: a fact was expected, not "x"
  x
  ^
tabiya: delete: no games selected...
tabiya: delete: --ids must be a number or a range...not "1..x"
[2]

$ tabiya import games.db; tabiya import games.db no.pgn; tabiya import games.db games.db; \
    tabiya import --rejects no/out games.db games.pgn; tabiya import --index-plies x games.db games.pgn; \
    tabiya import games.pgn games.pgn; tabiya import no/such/games.db games.pgn
tabiya: import: a DB and at least one FILE are needed...
tabiya: no.pgn: No such file or directory
tabiya: import: games.db cannot be both input and output
tabiya: cannot write to no/out: No such file or directory
tabiya: import: --index-plies must be a number from 0 to 17697, not "x"
tabiya: import: games.pgn: not a database...
tabiya: import: no/such/games.db: No such file or directory
[2]

$ tabiya names games.db -o no/out; tabiya names no.pgn; tabiya report games.db; tabiya report games.db xyzzy; \
    tabiya novelty games.db 3 --game 1; tabiya novelty games.db xyzzy; tabiya sql games.db --to csv --json 'select 1'
tabiya: cannot write to no/out: No such file or directory
tabiya: names: no.pgn: No such file or directory
tabiya: report: no player given...
tabiya: report: no game of "xyzzy" was found...
tabiya: novelty: --game needs a file of games
tabiya: novelty: no such word: "xyzzy"; for a name: player xyzzy
  xyzzy
  ^
tabiya: sql: --json and --to csv cannot both be given
[2]

# moves, perft, status
# not under Wine: the same
$ tabiya perft; tabiya perft x; tabiya perft 1 8/8; tabiya perft 99; tabiya moves 8/8; tabiya status 8/8; \
    tabiya status - <folder; tabiya moves --strict 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -'
tabiya: perft: DEPTH is missing...
tabiya: perft: DEPTH must be a number from 0 to 64, not "x"
tabiya: fen: field 1 (placement), column 4: 8 ranks expected, 2 found
tabiya: perft: DEPTH must be a number from 0 to 64, not "99"
tabiya: fen: field 1 (placement), column 4: 8 ranks expected, 2 found
tabiya: fen: field 1 (placement), column 4: 8 ranks expected, 2 found
tabiya: cannot read standard input: Is a directory
tabiya: fen: field 5 (clock), column 53: the field is missing
[2]

# annotate
$ tabiya annotate; tabiya annotate games.pgn; tabiya annotate --engine no/such/engine games.pgn; tabiya annotate --engine cat games.pgn --depth 0
tabiya: annotate: no games given: name a database, a file of games, or - for standard input...
tabiya: annotate: --engine PROGRAM is missing...
tabiya: annotate: no/such/engine: No such file or directory
tabiya: annotate: --depth must be a number from 1 to 200, not "0"
[2]

# One file for two options
$ exec >out; tabiya check --rejects both --clean both games.pgn; \
    tabiya check --rejects both --clean ./both games.pgn; tabiya pgn --others both -o folder/../both games.pgn mate; \
    tabiya pgn --split 2 -o %d.pgn --others 1.pgn games.pgn mate; touch there; ln -s there link; \
    tabiya check --rejects there --clean link games.pgn; ls both 1.pgn >&2; wc -c there >&2
tabiya: both would be written twice
tabiya: ./both would be written twice
tabiya: folder/../both would be written twice
tabiya: 1.pgn would be written twice
tabiya: link would be written twice
ls: cannot access 'both': No such file or directory
ls: cannot access '1.pgn': No such file or directory
0 there

$ tabiya check --rejects folder/both --clean both games.pgn
58 games, 58 good, 0 bad, 3379 plies, 71 plies in variations


# A database is read wherever files of games are, but not if compressed or on standard input.

$ tabiya import some.db games.pgn >/dev/null; gzip -k some.db; tabiya pgn some.db --count; tabiya check some.db; \
    tabiya convert --to uci some.db 2>/dev/null | wc -l; tabiya import other.db some.db; tabiya pgn some.db.gz; \
    cat some.db | tabiya find -
58
58 games, 58 good, 0 bad, 3379 plies, 71 plies in variations
58
58 games read: 58 stored, 0 duplicates, 0 rejected
tabiya: some.db.gz: this is a database...
tabiya: stdin: this is a database...
[2]
