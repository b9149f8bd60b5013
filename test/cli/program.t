# The program itself: help, usage errors, output that cannot be written.

$ tabiya --version
tabiya 2.0.0

$ tabiya --help
Usage: tabiya COMMAND [OPTION]... [ARGUMENT]...

Chess games and positions as data: finds games among millions by position,
moves, players and patterns, shows what was played and how it scored, edits PGN
files, converts notations, knows the rules.

  $ tabiya import games.db games.pgn            Stores the games of a file.
  $ tabiya explore games.db 1. e4 c5            Shows what was played next.
  $ tabiya find games.db 'player morphy mate'   Finds games by a query.
  $ tabiya serve --open games.db                Shows them on a board.
  $ tabiya help find                            Explains a command.
  $ tabiya help query                           Explains queries.

Look at games
  explore     list moves played in a position, with results
  find        find games by position, moves, players and more
  novelty     find the first new moves of games
  repertoire  compare the lines you want to play with games
  report      show a player's results and openings
  sql         query a database with SQL statements
Keep a collection
  collection  keep named sets of games in a database
  delete      delete games by number or query
  export      write games as PGN, JSON, CMBR, HTML ...
  import      store games in a database
  info        show what a database contains and its size
  names       find different spellings of the same player
  verify      check a database, its games and indexes
Work with PGN files
  annotate    add engine evaluations and mark mistakes
  check       check every move and report faults
  pgn         filter, edit, sort and split PGN files
  rows        write games, positions or moves as tables
Positions and notations
  convert     convert positions, moves and games between notations
  moves       list the legal moves of a position
  perft       count the move sequences of a given length
  show        draw a board as text, SVG or PNG
  status      show what the rules say about a position
  tree        build, check and export trees of positions
Servers
  cluster     distribute a database over several PostgreSQL servers with Citus
  publish     write games as files for any web server
  serve       serve the web board and a database

Options
  --color WHEN  --completions SHELL  --man  --version  -h, --help

# One screen, of at most 80 columns.

$ tabiya --help | wc -l; for c in '' query $(tabiya --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do \
    tabiya help $c | awk 'length > 80'; done
47

$ test "$(tabiya help)" = "$(tabiya -h)" && echo same
same

$ tabiya help query | grep 'A ; B'
  A ; B    A ;10 B                 A, and B later; at most 10 plies later
$ tabiya help patterns | grep -A 1 '^iqp '
iqp  White has an isolated queen's pawn on d4
    Pd4 P{c}=0 P{e}=0 p{d}=0
$ test "$(tabiya help perft)" = "$(tabiya perft --help)" && echo same
same

$ tabiya
tabiya: no command given...
[2]

$ tabiya perf 3
tabiya: unknown command "perf"; did you mean "perft"?
[2]

$ tabiya xyzzy
tabiya: unknown command "xyzzy"...
[2]

$ tabiya --versoin
tabiya: unknown option --versoin; did you mean --version?
[2]

$ tabiya --completions csh
tabiya: option --completions must be one of bash|zsh|fish, not "csh"
[2]

# Options come before or after arguments, with their value joined or separate; -- ends them.

$ tabiya moves --to uci 8/8/8/8/8/8/8/K6k w - -
a1a2
a1b2
a1b1

$ tabiya moves 8/8/8/8/8/8/8/K6k w - - --to=uci
a1a2
a1b2
a1b1

$ tabiya moves --to=uci -- 8/8/8/8/8/8/8/K6k w - -
a1a2
a1b2
a1b1

$ tabiya moves --to san --to uci 8/8/8/8/8/8/8/K6k w - - | head -n 1
a1a2

$ tabiya moves --to
tabiya: moves: option --to needs a value: san|uci|lan|boardinfo-moves|base64-moves|short|iccf|cmbr
[2]

$ tabiya moves --to=pgn
tabiya: moves: option --to must be one of san...not "pgn"
[2]

$ tabiya moves --any=yes
tabiya: moves: option --any takes no value
[2]

$ tabiya moves --too uci
tabiya: moves: unknown option --too; did you mean --to?
[2]

$ tabiya perft 1 --tread 2
tabiya: perft: unknown option --tread; did you mean --threads?
[2]

$ tabiya perft 1 --thr=2
tabiya: perft: unknown option --thr=2; did you mean --threads?
[2]

$ tabiya moves -x
tabiya: moves: unknown option -x; try --help
[2]

# A full disk is an error; an output that is closed early is not.

$ tabiya moves >/dev/full
tabiya: cannot write to standard output: No space left on device
[2]

$ tabiya perft --help >/dev/full
tabiya: cannot write to standard output: No space left on device
[2]

$ tabiya show -o /dev/full
tabiya: cannot write to /dev/full: No space left on device
[2]

$ tabiya show -o /no/such/folder/board.txt
tabiya: cannot write to /no/such/folder/board.txt: No such file or directory
[2]

$ tabiya moves >&-
tabiya: cannot write to standard output: Bad file descriptor
[2]

$ yes startpos | head -n 20000 >many; set -o pipefail; tabiya moves - <many | head -n 1
a4

$ (trap "" PIPE; tabiya moves - <many; echo $? >code) | true; cat code
0

# Reading a folder fails.

# not under Wine: its error for a folder as standard input is another
$ tabiya moves - <.
tabiya: cannot read standard input: Is a directory
[2]

# Colour is only for terminals: none here, and none with NO_COLOR.

$ env -u NO_COLOR tabiya --help | grep -c "$(printf '\033')"
0
[1]

$ command -v script >/dev/null || { echo 1; exit; }; \
    env -u NO_COLOR TERM=xterm script -qec 'tabiya --help' /dev/null | grep -q "$(printf '\033')" && echo 1
1

# not under Wine: there is no terminal
$ command -v script >/dev/null || exit 0; NO_COLOR=1 TERM=xterm script -qec 'tabiya --help' /dev/null | grep "$(printf '\033')"
[1]

# Lost output is reported, also after another message; a file is never opened in place of a closed standard stream.

$ echo '1. e4 {c} e5 *' | tabiya convert --to uci --lossy - >/dev/full
tabiya: lost: comments (1)
tabiya: cannot write to standard output: No space left on device
[2]

$ tabiya moves >&-
tabiya: cannot write to standard output: Bad file descriptor
[2]

$ tabiya show --to svg -o board.svg 2>&-; grep -c '<svg' board.svg
1

# Colour on request, and a pager for help on a terminal; if the pager cannot run, the text is printed directly.

$ printf '[White "Carlsen, M"]\n\n1. f3 e5 2. g4 Qh4# *\n' >mate.pgn; \
    tabiya find mate.pgn mate --color=always | cat -v; \
    tabiya find "$SOURCE/examples/famous.pgn" --limit 1 --color=always | cat -v; \
    tabiya --color=always find mate.pgn; tabiya find mate.pgn --color=x
1  Carlsen, M - ?  *  ?  ?  A00 Barnes Opening: Fool's Mate  4 plies  ^[[1mply 4 (2... Qh4#)^[[0m
1  Gioachino Greco - NN  ^[[32m1-0^[[0m  1620  Casual game  B00 Owen Defense: Matovinsky Gambit  15 plies
1  Carlsen, M - ?  *  ?  ?  A00 Barnes Opening: Fool's Mate  4 plies
tabiya: option --color must be one of auto...not "x"
[2]

$ command -v script >/dev/null || { printf '%s\n' 'A query' 'A query'; exit; }; for p in 'head -n 1' no-such-pager; \
    do PAGER=$p TERM=xterm script -qec 'tabiya help query' /dev/null | tr -d '\r' | sed -n 1p | cut -c1-7; done
A query
A query

# If nothing is found: hints on a terminal, none in a pipe.

$ tabiya import near.db mate.pgn >/dev/null; tabiya find near.db 'player carlsn mate'; \
    command -v script >/dev/null || { printf '%s\n' 'tabiya: find: no games found' \
    '  player carlsn: no game; similar names: Carlsen, M' '  mate: finds games by itself'; exit; }; \
    script -qec "tabiya find near.db 'player carlsn mate'" /dev/null | tr -d '\r'
tabiya: find: no games found
  player carlsn: no game; similar names: Carlsen, M
  mate: finds games by itself

# A name may be misspelt in any of its words, and files, rows, names, pgn and explore give the same hints.
$ printf '[White "Paul Morphy"]\n\n1. e4 *\n' >paul.pgn; for c in find rows names pgn explore; do \
    command -v script >/dev/null || { printf '%s\n' "tabiya: $c: no games found" \
    '  player morfy: no game; similar names: Paul Morphy'; continue; }; \
    script -qec "tabiya $c paul.pgn 'player morfy'" /dev/null | tr -d '\r' | tail -n 2; done; \
    tabiya explore paul.pgn 'player morfy' | tail -n 1; tabiya find paul.pgn --color always --ids; \
    tabiya --color never find paul.pgn --ids
tabiya: find: no games found
  player morfy: no game; similar names: Paul Morphy
tabiya: rows: no games found
  player morfy: no game; similar names: Paul Morphy
tabiya: names: no games found
  player morfy: no game; similar names: Paul Morphy
tabiya: pgn: no games found
  player morfy: no game; similar names: Paul Morphy
tabiya: explore: no games found
  player morfy: no game; similar names: Paul Morphy
total           0            -     -     -                                  -
1
1
