# tabiya repertoire: a player's lines, and the games of a database.

$ game() { printf '[White "%s"]\n[Black "%s"]\n[Result "%s"]\n\n%s %s\n\n' "$1" "$2" "$3" "$4" "$3"; }; { \
    game Me A 1-0 '1. e4 e5 2. Nf3 Nc6 3. Bb5'; game Me B 0-1 '1. e4 c5 2. Nf3 e6'; game C Me 1-0 '1. d4 d5'; \
    game Me D 1/2-1/2 '1. Nf3 Nc6 2. e4 e5 3. Bc4'; game E F '*' '1. e4 c6 2. d4'; game G H 0-1 '1. e4 c6 2. Nc3'; \
    } >games.pgn; tabiya import games.db games.pgn; \
    printf '1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 3. Bb5 *\n' >lines.pgn
6 games read: 6 stored, 0 duplicates, 0 rejected

# Opponents' moves that the lines do not cover; positions count, not move orders.

$ tabiya repertoire gaps games.db lines.pgn
White's lines: 10 positions
  games   share  move        planned       after
      2   50.0%  1... c6     e5, c5        1. e4
      1  100.0%  2... e6     d6            1. e4 c5 2. Nf3

$ tabiya repertoire gaps games.db lines.pgn --side black
Black's lines: 10 positions
  games   share  move        planned       after
      1   16.7%  1. Nf3      e4            (start)
      1   16.7%  1. d4       e4            (start)
      1   50.0%  3. Bc4      Bb5           1. e4 e5 2. Nf3 Nc6

# Where games left the lines, and who left them.

$ tabiya repertoire deviations games.db lines.pgn 'white me'
White's lines: 10 positions
3 games, 1 of them to the end of a line
  games   share  move        by        planned       after
      1  100.0%  2... e6     opponent  d6            1. e4 c5 2. Nf3
      1   50.0%  3. Bc4      own       Bb5           1. e4 e5 2. Nf3 Nc6

$ tabiya repertoire deviations games.db lines.pgn --json --player me --limit 1
{"line":"","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","san":"d4","uci":"d2d4","mine":true,"planned":["e4"],"games":1,"of":4,"white":1,"draw":0,"black":0,"unknown":0}

# Lines may be the games of a database.

$ tabiya repertoire gaps games.db games.db --lines 'white me' --line-plies 2
White's lines: 6 positions
  games   share  move        planned       after
      2   50.0%  1... c6     e5, c5        1. e4

# A null move ends a line; a line may have its own start position.

$ printf '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 -- 2. e5 *\n\n' >odd.pgn; tabiya repertoire deviations games.db odd.pgn
tabiya: odd.pgn:3:7: warning: null move in the main line: "--" (game 1)
White's lines: 2 positions
0 games, 0 of them to the end of a line
[1]

$ tabiya repertoire gaps games.db lines.pgn 'player nobody'
White's lines: 10 positions
[1]

$ for words in 'gaps games.db lines.pgn --lines mate' 'gaps games.db lines.pgn --side red' \
    'gaps games.db nothing.pgn' 'gaps games.db /dev/null' 'gaps games.db' 'gaps'; do tabiya repertoire $words; done; \
    tabiya repertoire gaps games.db games.db --lines 'white nobody'; \
    tabiya repertoire gaps games.db games.db --lines 'wite me'; tabiya repertoire; tabiya repertoire gap
tabiya: repertoire: --lines finds no games
tabiya: repertoire: option --side must be one of white|black, not "red"
tabiya: repertoire: nothing.pgn: No such file or directory
tabiya: repertoire: /dev/null: the lines contain no moves
tabiya: repertoire: games and lines are needed: name two or more sources, the lines last...
tabiya: repertoire: no games given: name a database, a file of games, or - for standard input...
tabiya: repertoire: --lines finds no games
tabiya: repertoire: --lines: no such word: "wite"; did you mean "white"?
  wite me
  ^
tabiya: repertoire: no action given...
tabiya: repertoire: unknown action "gap"; did you mean "gaps"?
[2]

# Games and lines may be any sources; the last one holds the lines.

$ for s in games.db games.pgn - 'games.pgn /dev/null'; do for do in gaps deviations; do tabiya repertoire $do \
    $s lines.pgn <games.pgn; tabiya repertoire $do $s lines.pgn 'white me' --line-plies 3 --json <games.pgn; \
    done | md5sum; done | sort -u | wc -l
1

$ tabiya repertoire gaps games.db games.pgn lines.pgn; tabiya repertoire deviations games.db games.pgn games.pgn --lines 'white me'
White's lines: 10 positions
  games   share  move        planned       after
      4   50.0%  1... c6     e5, c5        1. e4
      2  100.0%  2... e6     d6            1. e4 c5 2. Nf3
Black's lines: 13 positions
12 games, 6 of them to the end of a line
  games   share  move        by        planned       after
      4   50.0%  1... c6     own       e5, c5        1. e4
      2   16.7%  1. d4       opponent  e4, Nf3       (start)

# Lines from a database include their variations.

$ tabiya import lines.db lines.pgn >/dev/null; tabiya repertoire gaps games.db lines.db | cmp - <(tabiya repertoire gaps games.db lines.pgn)

# On a terminal, conditions that match no game are reported with similar names, but not if the lines cover everything.

$ printf '[White "Paul Morphy"]\n\n1. e4 c5 *\n' >morphy.pgn; printf '1. e4 e5 *\n' >open.pgn; \
    command -v script >/dev/null || { printf \
    'tabiya: repertoire: no games found\n  player morfy: no game; similar names: Paul Morphy\n'; exit 1; }; \
    for a in "gaps morphy.pgn open.pgn 'player morfy'" 'gaps morphy.pgn morphy.pgn --player morphy'; do \
    script -qec "tabiya --color never repertoire $a" /dev/null | tr -d '\r' | grep -v lines; done
tabiya: repertoire: no games found
  player morfy: no game; similar names: Paul Morphy
[1]
