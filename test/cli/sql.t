# tabiya sql: SQL on a database, with the functions of the extension.

$ cp "$SOURCE/test/cli/data/sql/games.pgn" games.pgn; tabiya import games.db games.pgn
2 games read: 2 stored, 0 duplicates, 0 rejected

$ tabiya sql games.db 'SELECT id, white, isCheckmate(game) FROM games'
1|Ada|1
2|Bob, "B"|0

$ tabiya sql games.db --header "SELECT id, game AS moves, getBoard(game, 1) AS board FROM games WHERE matches(game, 'mate')"
id|moves|board
1|1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0|rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1

$ tabiya sql games.db --to csv 'SELECT id, white, NULL AS none FROM games'
id,white,none
1,Ada,
2,"Bob, ""B""",

$ tabiya sql games.db --json "SELECT id, white, NULL AS none, 1.5 AS x, x'00ff' AS bytes FROM games WHERE id = 2"
{"id":2,"white":"Bob, \"B\"","none":null,"x":1.5,"bytes":"x'00ff'"}

# Statements on standard input, over several lines, and several in a line.

$ printf 'SELECT 1;\nSELECT\n  2; SELECT 3;\nSELECT 4' | tabiya sql games.db
1
2
3
4

# If a function name is misspelt, the nearest one is suggested, in lower case, as SQLite stores it.

# not under Wine: another SQLite lists its functions in another order
$ for name in legalMoves count_legal_moves has_opening CHECK termination epd get_fen foo "a'b"; do \
    tabiya sql games.db "SELECT \"$name\"(game) FROM games"; done
tabiya: sql: no such function: legalMoves; did you mean getlegalmoves?
tabiya: sql: no such function: count_legal_moves; did you mean countlegalmoves?
tabiya: sql: no such function: has_opening; did you mean hasopening?
tabiya: sql: no such function: CHECK; did you mean ischeck?
tabiya: sql: no such function: termination; did you mean gettermination?
tabiya: sql: no such function: epd; did you mean toepd?
tabiya: sql: no such function: get_fen; did you mean fen?
tabiya: sql: no such function: foo
tabiya: sql: no such function: a'b
[2]

# Nothing is written unless that is allowed, and the first failure ends it.

$ tabiya sql games.db 'CREATE TABLE mine (x)' 'SELECT 1'
tabiya: sql: attempt to write a readonly database
[2]

$ tabiya sql games.db --write "UPDATE game SET round = '7' WHERE id = 1" 'SELECT round FROM games'
7


# Changes that no COMMIT saves are not lost silently.

$ tabiya sql games.db --write "begin; update game set round = '8' where id = 1"; echo $?; \
    tabiya sql games.db --write 'BEGIN' "UPDATE game SET round = '8' WHERE id = 1" 'COMMIT' \
    'SELECT round FROM games'; tabiya sql games.db --write 'BEGIN' 'SELECT 1' "UPDATE game SET round = '9'" \
    'ROLLBACK'; tabiya sql games.db 'BEGIN' 'SELECT round FROM games'
tabiya: sql: changes were not saved: the transaction was not ended with COMMIT
2
8

1
8


# A view of the user's own would make all other commands refuse the file, and attached files have journals that name another file.

$ for s in 'CREATE VIEW mine AS SELECT 1' 'CREATE TABLE mine (x)' 'DROP TABLE hash' 'PRAGMA user_version = 1' \
    "ATTACH 'other.db' AS o" "VACUUM INTO 'other.db'"; do tabiya sql games.db --write "$s"; done; ls other.db
tabiya: sql: the schema of a database cannot be changed...
tabiya: sql: the schema of a database cannot be changed...
tabiya: sql: the schema of a database cannot be changed...
tabiya: sql: the schema of a database cannot be changed...
tabiya: sql: a session cannot create or attach other files
tabiya: sql: a session cannot create or attach other files
ls: cannot access 'other.db': No such file or directory
[2]

$ tabiya sql games.db --write 'CREATE TEMP TABLE t AS SELECT 3 AS x' 'VACUUM' 'SELECT x FROM t'
3

$ tabiya sql games.db 'SELECT 1' 'SELEC 2' 'SELECT 3'
1
tabiya: sql: near "SELEC": syntax error
[2]

$ tabiya sql games.db "SELECT getBoard('1. e4 e4')"
tabiya: sql: illegal move: "e4": ...
[2]

$ tabiya sql games.pgn 'SELECT 1'
tabiya: sql: games.pgn: not a database
[2]

$ tabiya sql none.db 'SELECT 1'
tabiya: sql: none.db: No such file or directory
[2]

$ tabiya sql
tabiya: sql: no database given...
[2]

$ tabiya sql games.db --to csv --json 'SELECT 1'
tabiya: sql: --json and --to csv cannot both be given
[2]

# Standard input that cannot be read is not empty input.

# not under Wine: its error for a folder as standard input is another
$ tabiya sql games.db <.
tabiya: sql: cannot read standard input: Is a directory
[2]
