# The extension in the sqlite3 shell; $EXTENSION is its path.
$ sqlite3 :memory: ".load '$EXTENSION'" "SELECT toSan('e2e4 e7e5 g1f3'), isCheckmate('1.f3 e5 2.g4 Qh4#')"
1. e4 e5 2. Nf3 *|1

$ sqlite3 :memory: "SELECT load_extension('$EXTENSION', 'sqlite3_tabiya_init')" "SELECT PLYCOUNT('1. e4')"

1

$ sqlite3 :memory: ".load '$EXTENSION'" "SELECT ply, san, uci, toFen(board) FROM moves('1. e4 e5')"
1|e4|e2e4|rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
2|e5|e7e5|rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2

$ sqlite3 :memory: ".load '$EXTENSION'" "SELECT chessgame('1. e4 e5 2. Qh6')" 2>&1 | sed 's/^Error: [^,]*, //; s/^[^"]*: "/"/'
"Qh6": no such piece can go there (ply 3, FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2)...

$ sqlite3 :memory: ".load '$EXTENSION'" "SELECT * FROM moves" 2>&1 | grep -o 'moves() needs its argument'
moves() needs its argument

# The rows of tables have numbers.
$ sqlite3 :memory: ".load '$EXTENSION'" "SELECT rowid, san FROM moves('1. e4 e5')" "SELECT rowid, toSan(game) FROM read_pgn('1. e4 *', '1. d4 *')"
1|e4
2|e5
1|1. e4 *
2|1. d4 *

# Arguments outside the parentheses, and comparisons that are not arguments.
$ sqlite3 :memory: ".load '$EXTENSION'" "SELECT san FROM moves WHERE game = '1. e4 e5' AND ply > 1" "SELECT san FROM moves('1. e4 e5') WHERE san < 'e5'"; sqlite3 :memory: ".load '$EXTENSION'" "SELECT san FROM moves WHERE game > '1. e4'" 2>&1 | grep -o 'moves() needs its argument'
e5
e4
moves() needs its argument
