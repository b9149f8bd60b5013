# tabiya pgn: selects and changes games.

$ game() { \
    printf \
    '[Event "%s"]\n[Site "?"]\n[Date "%s"]\n[Round "1"]\n[White "%s"]\n[Black "%s"]\n'\
'[Result "%s"]\n[WhiteElo "%s"]\n[BlackElo "%s"]\n[ECO "%s"]\n\n%s %s\n\n' \
    "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "$5"; }; { \
    game Open 2019.05.01 'Carlsen, M' 'So, W' 1-0 2800 2750 B90 '1. e4 c5 2. Nf3 d6'; \
    game 'Club \"A\"' 2020.??.?? Anna 'Carlsen, M' 0-1 1900 2800 C20 '1. e4 {[%clk 0:01:00] good} e5! (1... c5)'; \
    game Open 2021.12.31 Anna Bert 1/2-1/2 '' 2000 A00 '1. e4'; \
    game Closed '????.??.??' Bert Anna '*' 2100 2050 B33 '1. e4 c5 2. Nf3 d6'; } >games.pgn; tabiya check games.pgn
4 games, 4 good, 0 bad, 11 plies, 1 ply in variations

$ who() { tabiya pgn "$@" games.pgn | sed -n 's/^.White "\(.*\)"./\1/p; s/^.Black "\(.*\)"./- \1/p' | \
    paste -s -d ' '; }; declare -f who >who.sh; . ./who.sh; who
Carlsen, M - So, W Anna - Carlsen, M Anna - Bert Bert - Anna

# Conditions: patterns, ranges, both combined.

$ . ./who.sh; who --white 'carlsen*'
Carlsen, M - So, W

$ . ./who.sh; who --player '*carlsen*'
Carlsen, M - So, W Anna - Carlsen, M

$ . ./who.sh; who --player Carlsen
Carlsen, M - So, W Anna - Carlsen, M

$ . ./who.sh; who --player Carl
tabiya: pgn: no game found...


$ . ./who.sh; who --black Anna
Bert - Anna

$ . ./who.sh; who 'event "*\"a\""'
Anna - Carlsen, M

$ . ./who.sh; who --elo 2000..
Carlsen, M - So, W Bert - Anna

$ . ./who.sh; who --elo ..2200
Bert - Anna

$ . ./who.sh; who --date 2019
Carlsen, M - So, W

$ . ./who.sh; who --date 2019.06..2020.06
Anna - Carlsen, M

$ . ./who.sh; who --date 2020-07..
Anna - Carlsen, M Anna - Bert

$ . ./who.sh; who --result 1/2-1/2
Anna - Bert

$ . ./who.sh; who --result '*'
Bert - Anna

$ . ./who.sh; who 'plies 2..3'
Anna - Carlsen, M

$ . ./who.sh; who 'plies 4'
Carlsen, M - So, W Bert - Anna

$ . ./who.sh; who --eco B90
Carlsen, M - So, W

$ . ./who.sh; who --eco 'b*'
Carlsen, M - So, W Bert - Anna

$ . ./who.sh; who --eco B00..B33
Bert - Anna

$ . ./who.sh; who 'tag ECO A00 tag Black "B*"'
Anna - Bert

$ . ./who.sh; who 'tag WhiteElo ""'
Anna - Bert

$ . ./who.sh; who --player Anna --invert
Carlsen, M - So, W

$ tabiya pgn --player Anna --count games.pgn
3

$ tabiya pgn --player Nobody --count games.pgn
0
tabiya: pgn: no game found...
[1]

$ tabiya pgn --player Nobody games.pgn
tabiya: pgn: no game found...
[1]

# Leaving things out.

$ tabiya pgn --eco C20 games.pgn | tail -n 2
1. e4 {[%clk 0:01:00] good} 1... e5 $1 (1... c5) 0-1

$ for s in comments variations nags clocks comments,variations,nags tags; do tabiya pgn --eco C20 --strip $s games.pgn | tail -n 2; done
1. e4 e5 $1 (1... c5) 0-1

1. e4 {[%clk 0:01:00] good} 1... e5 $1 0-1

1. e4 {[%clk 0:01:00] good} 1... e5 (1... c5) 0-1

1. e4 {...good} 1... e5 $1 (1... c5) 0-1

1. e4 e5 0-1

1. e4 {[%clk 0:01:00] good} 1... e5 $1 (1... c5) 0-1

$ tabiya pgn --eco C20 --strip tags games.pgn | wc -l
2

# Duplicates: the same start and moves. With =prefix also games that another game of the same players on the same date continues,
# wherever it is; a short game of other players stays.

$ tabiya pgn --unique --count games.pgn
3

$ . ./who.sh; who --unique
Carlsen, M - So, W Anna - Carlsen, M Anna - Bert

$ . ./who.sh; who --unique=prefix
Carlsen, M - So, W Anna - Carlsen, M Anna - Bert

$ tabiya pgn --unique --count games.pgn games.pgn
3

$ printf '1. e4 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n' | tabiya pgn --unique --count -
2

$ tabiya pgn --unique=prefix - <games.pgn
tabiya: pgn: --unique=prefix reads its input several times, so it cannot read standard input
[2]

# Splitting.

$ tabiya pgn --split 3 -o part-%d.pgn games.pgn; for f in part-*; do tabiya check $f; done
3 games, 3 good, 0 bad, 7 plies, 1 ply in variations
1 game, 1 good, 0 bad, 4 plies

$ tabiya pgn games.pgn | cmp - <(cat part-1.pgn part-2.pgn)

$ tabiya pgn --split 3 -o part.pgn games.pgn
tabiya: pgn: --split needs -o with %d in the name, such as -o part-%d.pgn
[2]

$ tabiya pgn --split 1 -o part-%d.pgn part-1.pgn
tabiya: pgn: part-1.pgn cannot be both input and output
[2]

# A file for each player; a game goes to both players' files.

$ tabiya pgn --split player -o '%s.pgn' games.pgn
4 games of 4 players

$ for f in 'Carlsen, M' 'So, W' Anna Bert; do tabiya pgn --player "$f" games.pgn | cmp - "$f.pgn"; done

$ tabiya pgn --split player -o '%s.pgn' --date 2019 games.pgn; tabiya check 'Carlsen, M.pgn' Anna.pgn
1 game of 2 players
4 games, 4 good, 0 bad, 11 plies, 1 ply in variations

# Names that cannot be file names, that differ only in capitals, that are truncated, or that are missing.

$ play() { printf '[White "%s"]\n[Black "%s"]\n\n1. e4 *\n\n' "$1" "$2"; }; long=$(printf '%099d' 0); { \
    play ../up up; play a/b 'a\\b'; play anna Anna; play ANNA .anna; play 'x ' 'x.'; play "$long"1 "$long"2; \
    play "$long"ü "$long"ö; play same same; printf '1. d4 *\n\n'; play '' '\"q\"'; } >odd.pgn; mkdir out

$ tabiya pgn --split player -o 'out/%s.pgn' odd.pgn | sed 's/00*/0/g'
out/_._up.pgn: "../up"
out/a_b.pgn: "a/b"
out/a_b-4.pgn: "a\b"
out/Anna-6.pgn: "Anna"
out/ANNA-7.pgn: "ANNA"
out/_anna.pgn: ".anna"
out/x_.pgn: "x "
out/x_-10.pgn: "x."
out/0.pgn: "0ü"
out/0-14.pgn: "0ö"
out/_.pgn: "?"
out/_-17.pgn: ""
out/_q_.pgn: ""q""
10 games of 18 players

$ ls out | wc -l; ls; cat out/same.pgn out/_.pgn
18
...
[White "same"]
[Black "same"]

1. e4 *

1. d4 *

$ for f in out/*; do tabiya pgn "$f"; done | grep -c '1\. '
18

$ tabiya pgn --split player -o 'out/%s.pgn' --count odd.pgn
10

$ tabiya pgn --split player -o 'out/%s.pgn' out/same.pgn
tabiya: pgn: out/same.pgn cannot be both input and output
[2]

$ tabiya pgn --split player -o 'none/%s.pgn' games.pgn
tabiya: cannot write to none/: No such file or directory
[2]

$ tabiya pgn --split player -o part-%d.pgn games.pgn
tabiya: pgn: --split player needs -o with %s in the name, such as -o %s.pgn
[2]

$ tabiya pgn --split x -o part-%d.pgn games.pgn
tabiya: pgn: --split takes a number of games...not "x"
[2]

# Names that are the same file for the file system, such as links, get separate files.

$ mkdir linked; ln -s a.pgn linked/b.pgn; { play() { printf '[White "%s"]\n[Black "%s"]\n\n1. e4 *\n\n' "$1" "$2"; \
    }; play a b; } >ab.pgn; tabiya pgn --split player -o 'linked/%s.pgn' ab.pgn; \
    tabiya pgn --split player -o 'linked/%s.pgn' ab.pgn; ls linked; cmp linked/a.pgn linked/b.pgn; \
    test -L linked/b.pgn
1 game of 2 players
1 game of 2 players
a.pgn
b.pgn
[1]

# More players than files that can be open at once.

# not under Wine: the limit would be that of Wine itself, which then waits for ever

$ awk \
    'BEGIN { for (i = 1; i <= 3000; i++) printf "[Event \"?\"]\n[White \"w%d\"]\n[Black \"b%d\"]\n\n1. e4 *\n\n", i, i % 7 }' \
    >crowd.pgn; mkdir crowd; (ulimit -n 20; tabiya pgn --split player -o 'crowd/%s.pgn' crowd.pgn); \
    ls crowd | wc -l; grep -c Event crowd/b3.pgn
3000 games of 3007 players
3007
429

# A game with a fault is left out.

$ printf '1. e4 e4 *\n\n1. d4 *\n' | tabiya pgn -
1. d4 *

tabiya: stdin:1:7: illegal move: "e4": ... (game 1, 1...e4, FEN ...)
[2]

# Queries, alone and with conditions; the word that is not a file is the query.

$ . ./who.sh; who 'N-f3 ; p-d6'
Carlsen, M - So, W Bert - Anna

$ . ./who.sh; who 'N-f3 ; p-d6' --elo 2500..
Carlsen, M - So, W

$ tabiya pgn --count games.pgn 'clock<=60 !' ; tabiya pgn --count games.pgn 'clock<=60 ; !'; tabiya pgn --count --query annotated games.pgn
0
1
1

$ tabiya pgn --invert --count games.pgn 'ever pc5'
2

$ tabiya pgn games.pgn 'plaer carlsen'
tabiya: pgn: no such word: "plaer"; did you mean "player"?
  plaer carlsen
  ^
[2]

$ tabiya pgn games.pgn 'id 3'
tabiya: pgn: "id" needs a database...
[2]

$ tabiya pgn --query mate games.pgn check
tabiya: pgn: a query is given twice: as "check" and by --query
[2]

# Usage errors.

$ tabiya pgn
tabiya: pgn: no games given: name a database, a file of games, or - for standard input...
[2]

$ tabiya pgn --elo high games.pgn
tabiya: pgn: --elo must be a number or a range...not "high"
[2]

$ tabiya pgn --date .. games.pgn
tabiya: pgn: --date must be a date or a range such as 2019..2021.06, not ".."...
[2]

$ tabiya pgn --result win games.pgn
tabiya: pgn: --result must be 1-0, 0-1, 1/2-1/2 or *, not "win"
[2]

$ tabiya pgn --strip all games.pgn
tabiya: pgn: --strip takes comments...not "all"
[2]

$ tabiya pgn --unique=all games.pgn
tabiya: pgn: --unique takes prefix...not "all"
[2]

# Compressed, and any number of threads.

$ gzip -c games.pgn | tabiya pgn - | cmp - <(tabiya pgn games.pgn)

$ awk \
    'BEGIN { for (i = 1; i <= 15000; i++) printf "[Event \"%d\"]\n[Round \"%d\"]\n\n" \
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 %s 5. O-O *\n\n", \
    i, i % 7, i % 2 ? "Nf6" : i % 4 ? "d6" : "Nf6 5. d3 b5 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6" }' \
    >many.pgn

$ for t in 1 2 5; do tabiya pgn --threads $t 'tag Round 3' many.pgn >out.$t; \
    tabiya pgn --threads $t --unique=prefix many.pgn >unique.$t; done; cmp out.1 out.2; cmp out.1 out.5; \
    cmp unique.1 unique.5; grep -c Event out.5; grep '^1' unique.5
2143
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 d6 5. O-O *
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. d3 b5 *

# An output file keeps its old contents until its replacement is complete.

$ echo old >kept.pgn; tabiya pgn no-such.pgn -o kept.pgn 2>/dev/null; cat kept.pgn; \
    printf '1. e4 *' | tabiya pgn -o kept.pgn - 2>&-; cat kept.pgn; ls kept.pgn*
old
1. e4 *

kept.pgn

$ printf '[Result "0-1"]\n\n1. e4 1-0' | tabiya pgn -
[Result "1-0"]

1. e4 1-0

$ tabiya pgn --split event -o %d.pgn games.pgn
tabiya: pgn: --split event needs -o with %s in the name, such as -o %s.pgn
[2]

$ tabiya pgn --annotator Paris games.pgn
tabiya: pgn: unknown option --annotator; games with a tag are the QUERY "tag Annotator VALUE"; try --help
[2]

# User-defined patterns; how the games are found.

$ printf 'broad-centre Pd4 Pe4\n' >own.txt; printf '1. e4 e5 2. d4 *\n\n1. d4 *\n' | tabiya pgn --patterns own.txt --count - broad-centre
1

$ tabiya find games.pgn 'player   carlsen (Pd4  Pe4)' --explain
query: player carlsen (Pd4 Pe4)
files: every game is read
needed: tags moves
left to check in each game: the query

$ echo 'no Pd4' >own.txt; tabiya pgn --patterns own.txt games.pgn
tabiya: pgn: own.txt:1:1: a name of at least three lower-case letters was expected, not "no"
  no Pd4
  ^
[2]

# The files of players appear when all are complete: not after a kill, whose leftovers the next run removes.

$ mkdir whole; echo old >whole/a.pgn; mkfifo pipe; \
    (exec 3<>pipe; tabiya pgn --split player -o 'whole/%s.pgn' ab.pgn pipe >/dev/null 2>&1 & p=$!; \
    until ls whole/.tabiya-*/b.pgn >/dev/null 2>&1; do sleep 0.05; done; kill -9 $p; wait $p 2>/dev/null; \
    ls -A whole | sed 's/-....../-/'; cat whole/a.pgn); tabiya pgn --split player -o 'whole/%s.pgn' ab.pgn; \
    ls -A whole
.tabiya-
a.pgn
old
1 game of 2 players
a.pgn
b.pgn

# not under Wine: SIGTERM ends a program there without notice
$ (exec 3<>pipe; tabiya pgn --split player -o 'whole/%s.pgn' ab.pgn pipe >/dev/null 2>&1 & p=$!; \
    until ls whole/.tabiya-*/b.pgn >/dev/null 2>&1; do sleep 0.05; done; kill $p; wait $p 2>/dev/null); ls -A whole
a.pgn
b.pgn

# Queries work on long games too, up to the maximum number of half-moves.

$ for n in 3 4424 4425; do for i in $(seq $n); do printf 'Nf3 Nf6 Ng1 Ng8 '; done; printf 'Nf3 *\n\n'; \
    done >long.pgn; tabiya pgn --count long.pgn 'ply 12000..'
tabiya: long.pgn: a game of more than 17697 half-moves, which is too long for queries
1
[2]

$ cp "$SOURCE/test/cli/data/three.pgn" .

# Removing the start or the end of games, by number, from the end, and by a query.
$ tabiya pgn --drop 0 --to san three.pgn; tabiya pgn --drop=-100 --to san three.pgn; \
    tabiya pgn --drop 3 --to san three.pgn; tabiya pgn --drop Pd4 three.pgn; \
    tabiya pgn --drop=-1 --to uci three.pgn; tabiya pgn --cut Pe5 --to san three.pgn; tabiya pgn --cut=-1 three.pgn
e4 e5
d4 d5

e4 e5
d4 d5

[White "C"]
[Black "D"]
[Result "0-1"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1"]

1... d5 0-1

e7e5
d7d5

e4 e5
d4 d5

tabiya: pgn: one of = != < <= > >= was expected, not the end
  -1
    ^
[2]

# Tags and comments.
$ tabiya pgn --rename-tag White=Weiss --rename-tag Nothing=None three.pgn | head -n 3; \
    tabiya pgn --keep-tags White,Black three.pgn | head -n 3; \
    tabiya pgn --set ECO=X --strip nags three.pgn | head -n 5; tabiya pgn --add opening three.pgn | head -n 5; \
    tabiya pgn --add eco --to epd three.pgn | head -n 1
[Black "B"]
[Result "1-0"]
[Weiss "A"]
[White "A"]
[Black "B"]

[White "A"]
[Black "B"]
[Result "1-0"]
[ECO "X"]

[White "A"]
[Black "B"]
[Result "1-0"]
[Opening "King's Pawn Game"]

rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - sm e4; c0 "A - B, ?, ?, ?"; c1 "1-0";

$ tabiya pgn --note fen,final-fen three.pgn | tail -n 8; tabiya pgn --note final-fen three.pgn | tail -n 5; \
    tabiya pgn --mark 'here' three.pgn 'pd5' | tail -n 2; tabiya pgn --mark here three.pgn | grep -c here

1. d4 {rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1} 1... d5
{rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2} 0-1

[Result "*"]

{rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1} *


[Result "*"]

{rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1} *

1. d4 d5 {here} 0-1

tabiya: pgn: --mark needs a query or a condition
0
[1]

$ tabiya pgn --unique=near --to san three.pgn three.pgn; tabiya pgn --unique --count three.pgn three.pgn; \
    tabiya pgn --unique --duplicates twice.pgn --count three.pgn three.pgn; grep -c Result twice.pgn; \
    tabiya pgn --limit 1 --to san three.pgn three.pgn; tabiya pgn --lossy --to san - <<<'1. e4 e9 *'; \
    tabiya pgn --sample 2 --sort white --split player -o 'p-%s.pgn' three.pgn; ls p-*
e4 e5
d4 d5

3
3
3
e4 e5
e4
tabiya: stdin:1:7: invalid move text: "e9": a square was expected (game 1, 1...e9...
p-_.pgn: "?"
2 games of 3 players
p-A.pgn
p-B.pgn
p-_.pgn

$ tabiya pgn --to html --strip tags,comments,nags,variations three.pgn | grep -c '<h'; \
    cp "$SOURCE/test/cli/data/pgn/marks.pgn" marks.pgn; tabiya pgn --to html marks.pgn 2>&1 | grep -c 'e4'; \
    tabiya pgn --to latex --strip comments,nags,tags marks.pgn 2>&1 | tail -n 3
3
1
\[\showboard\]
tabiya: marks.pgn:6:7: warning: null move in the main line: "--" (game 1)
\end{document}
