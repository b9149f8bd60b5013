# tabiya pgn: what users of pgn-extract know. The counts were compared with those of pgn-extract.

$ cp "$SOURCE/examples/famous.pgn" famous.pgn; \
    printf '1. e4 {a} (1. d4 d5 (1... Nf6 2. c4) 2. c4) e5 2. Nf3 1-0\n' >v.pgn; tabiya pgn --count famous.pgn
58

# Which games.

$ for i in "--opening '1. e4 c5'" "--fen '1. e4 e5'" "--fen '1. Nf3 Nc6 2. e4 e5'" \
    "'board \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR\"'" "'site London'" "'ever mate ever player morphy'"; \
    do eval tabiya pgn --count $i famous.pgn; done
3
20
11
20
5
2

$ tabiya pgn --opening '1. e4 e4' famous.pgn
tabiya: pgn: --opening: ...
[2]

$ tabiya pgn --fen '1. e4 e4' famous.pgn
tabiya: moves: column 7: illegal move: "e4": no pawn can go there (1...e4...
[2]

$ tabiya pgn 'mate (' famous.pgn
tabiya: pgn: a fact was expected, not the end
  mate (
        ^
[2]

$ tabiya pgn --games 2,4..5 --to san famous.pgn | cut -d' ' -f1-6; tabiya pgn --games 57.. --count famous.pgn; tabiya pgn --games 5..4 famous.pgn
e4 e5 Bc4 d6 Nf3 Bg4
e4 e5 Nf3 Nc6 Bb5 Bc5
e4 e5 f4 exf4 Bc4 Qh4+
2
tabiya: pgn: --games must be a number or a range...not "5..4"
[2]

$ tabiya pgn --limit 2 --offset 1 --to uci famous.pgn | cut -c1-19; tabiya pgn --offset 57 --limit 5 --count famous.pgn
e2e4 e7e5 f1c4 d7d6
...
1

# The rest of a big file is not read.

$ for i in 1 2 3; do cat "$SOURCE/examples/selfplay.pgn"; done >big.pgn; echo '1. e4 e4 *' >>big.pgn; \
    tabiya pgn --limit 1 --to san big.pgn | wc -l; tabiya pgn --count big.pgn
1
tabiya: big.pgn:166654:7: illegal move: "e4": ...
8991
[2]

# Nor is anything read after the last number of --games, which counts the games of each input.

$ tabiya pgn --games 3,1 --count big.pgn; tabiya pgn --games 1,2 --to san big.pgn famous.pgn | wc -l; \
    tabiya pgn --games 1,2 --limit 3 --count big.pgn famous.pgn; \
    tabiya pgn --games 2 --others rest.pgn --count famous.pgn; grep -c '^.White ' rest.pgn
2
4
3
1
57

$ printf '%% games\nPlayer "Paul Morphy"\nPlayer "Adolf"\nDate < "1860"\n' >tags; \
    tabiya pgn --criteria tags --count famous.pgn; printf 'Date >= "1857"\nDate <= "1858"\nResult "1-0"\n' >tags; \
    tabiya pgn --criteria tags --count famous.pgn; tabiya pgn --date 1857..1858 --result 1-0 --count famous.pgn
9
2
2

$ printf 'Result "1/2"\nResult "0-1"\n' >tags; tabiya pgn --criteria tags --count famous.pgn; \
    tabiya pgn --count famous.pgn 'result 1/2-1/2 or result 0-1'; printf 'Date "1858.12"\n' >tags; \
    tabiya pgn --criteria tags --count famous.pgn
25
25
1

$ printf 'White "Tal"\nBlah\n' >bad; tabiya pgn --criteria bad famous.pgn
tabiya: pgn: bad:2: a tag and its value in quotes were expected: White "Tal", Date >= "1962"
[2]

# Boards as pgn-extract describes them; it counts the same games.

$ for b in '*rk*/*/*/*/*/*/*/*' '?????rk?/?????pbp/*p?/*/*/*/*/*' '44/*/*/*/*/*/*/*' '*/*/*/*P?P*/*/*/*/*' \
    '*/*/[^a]*[^A]/*/*/*/*/R[^N]*' 'rnbqkbnr/pppppppp/[^p]7/8/8/8/PPPPPPPP/RNBQKBNR' \
    'rnbqkbnr/pppppppp/!7/8/8/8/PPPPPPPP/RNBQKBNR' 'm*/*a/*/*/*/*/*/*A' '***/*/*/*/*/*/*/*'; do \
    printf 'FENPattern "%s"\n' "$b" >tags; tabiya pgn --criteria tags --count famous.pgn; done; \
    printf 'FENPatternI "?????rk?/?????pbp/*p?/*/*/*/*/*" fianchetto\n' >tags; \
    tabiya pgn --criteria tags --count famous.pgn
46
6
7
2
53
58
0
58
58
11

$ cp "$SOURCE/test/cli/data/pgn_toolbox/two.pgn" two.pgn; \
    for c in 'EloDiff >= "100"' 'PlyCount >= "2"' 'White "*nn"'; do \
    echo "$c" >tags; tabiya pgn --criteria tags --to san two.pgn | paste -s; done
e4 e5	e4
e4 e5
e4

$ for b in '*/*/*/*/*/*' '9/*/*/*/*/*/*/*' '*/*/*/*/*/*/*/?????????' '[]*/*/*/*/*/*/*/*' '[Qx]*/*/*/*/*/*/*/*'; do \
    printf 'FENPattern "%s"\n' "$b" >bad; tabiya pgn --criteria bad famous.pgn; done; \
    printf 'Date >> "1962"\n' >bad; tabiya pgn --criteria bad famous.pgn; : >bad; tabiya pgn --criteria bad famous.pgn
tabiya: pgn: bad:1: a pattern has eight ranks, separated by slashes
tabiya: pgn: bad:1: each rank of a pattern needs eight squares...
tabiya: pgn: bad:1: each rank of a pattern needs eight squares...
tabiya: pgn: bad:1: each rank of a pattern needs eight squares...
tabiya: pgn: bad:1: each rank of a pattern needs eight squares...
tabiya: pgn: bad:1: a relation is < <= > >= = or <>
tabiya: pgn: bad: the file contains no conditions
[2]

$ printf '1. e4 e5 2. f4\n1. d4 f5\n' >lines; tabiya pgn --queries lines --count famous.pgn; \
    cp "$SOURCE/test/cli/data/pgn_toolbox/mixed.pgn" mixed; tabiya pgn --queries mixed --count famous.pgn; \
    printf '# any of them\nmate\nstalemate\n' >queries; tabiya pgn --queries queries --count famous.pgn; \
    tabiya pgn --count famous.pgn 'mate or stalemate'
6
6
15
15

$ printf '1. e4 e5 2. f5\n' >lines; tabiya pgn --queries lines famous.pgn
tabiya: pgn: lines:1: illegal move: "f5": no pawn can go there (ply 3, FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2)
  opening "1. e4 e5 2. f5"
                       ^
[2]

$ tabiya pgn --player morphy --others others.pgn -o morphy.pgn famous.pgn; tabiya pgn --count morphy.pgn; tabiya pgn --count others.pgn
5
53

# Changing them.

$ tabiya pgn --add eco,opening,plies,result,hash --set Source=us --drop-tags Site,Event --rename-tag Round=R --cut 6 --limit 1 famous.pgn
[Date "1620.??.??"]
[White "Gioachino Greco"]
[Black "NN"]
[Result "*"]
[ECO "B00"]
[Opening "Owen Defense"]
[PlyCount "6"]
[HashCode "bf84e203a38f7abd"]
[Source "us"]
[R "?"]

1. e4 b6 2. d4 Bb7 3. Bd3 f5 *

$ tabiya pgn --cut 2 --keep-tags Result --limit 1 famous.pgn
[Result "1-0"]

1. e4 b6 *

$ tabiya pgn --cut 100 --keep-tags Result --limit 1 famous.pgn; tabiya pgn --cut check --strip tags --limit 1 famous.pgn; tabiya pgn --cut 0 v.pgn
[Result "1-0"]

1. e4 b6 2. d4 Bb7 3. Bd3 f5 4. exf5 Bxg2 5. Qh5+ g6 6. fxg6 Nf6 7. gxh7+ Nxh5
8. Bg6# 1-0

1. e4 b6 2. d4 Bb7 3. Bd3 f5 4. exf5 Bxg2 5. Qh5+ *

*

$ tabiya pgn --drop -3 --keep-tags White --limit 1 famous.pgn; tabiya pgn --drop 1 v.pgn; tabiya pgn --drop 4 --count v.pgn
[White "Gioachino Greco"]
[SetUp "1"]
[FEN "rn1qkb1r/p1ppp2p/1p3nP1/7Q/3P4/3B4/PPP2PbP/RNB1K1NR w KQkq - 1 7"]

7. gxh7+ Nxh5 8. Bg6# 1-0

[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]

1... e5 2. Nf3 1-0

0
[1]

# A mate is a result, whatever the tag says.

$ printf '[Result "*"]\n\n1. f3 e5 2. g4 Qh4# *\n' | tabiya pgn --add result -
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

$ tabiya pgn --note fen,hash --cut 1 v.pgn; tabiya pgn --note final-fen --strip variations v.pgn; \
    tabiya pgn --mark here --fen '1. e4 e5' --strip variations v.pgn; tabiya pgn --mark here v.pgn
1. e4 {a} {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1}
{823c9b50fd114196} (1. d4 d5 (1... Nf6 2. c4) 2. c4) *

1. e4 {a} 1... e5 2. Nf3
{rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2} 1-0

1. e4 {a} 1... e5 {here} 2. Nf3 1-0

tabiya: pgn: --mark needs a query or a condition
[2]

# The move that was searched for is marked, or the one that led to the position.

$ for q in 'Q-#' 'q-#' 'mate' 'ply 2 P-{g}' 'Pg4'; do printf '1. f3 e5 2. g4 Qh4# *\n' | tabiya pgn --mark here - "$q" | sed -n 1p; done
1. f3 e5 2. g4 Qh4# {here} *
1. f3 e5 2. g4 Qh4# {here} *
1. f3 e5 2. g4 {here} 2... Qh4# *
1. f3 e5 2. g4 {here} 2... Qh4# *

$ tabiya pgn --unfold v.pgn
1. e4 {a} 1... e5 2. Nf3 1-0

1. d4 d5 2. c4 *

1. d4 Nf6 2. c4 *

$ tabiya pgn --add all v.pgn; tabiya pgn --note all v.pgn; tabiya pgn --set White v.pgn; tabiya pgn --cut 'no such' v.pgn
tabiya: pgn: --add takes eco...not "all"
tabiya: pgn: --note takes fen...not "all"
tabiya: pgn: --set must be NAME=VALUE, not "White"
tabiya: pgn: no such word: "no"...
  no such
  ^
[2]

# Order, random samples, files.

$ tabiya pgn --sort=-date,white --keep-tags Date famous.pgn | grep Date | head -n 3; \
    tabiya pgn --sort date --keep-tags Date famous.pgn | grep Date | head -n 1; tabiya pgn --sort moves famous.pgn
[Date "1972.07.23"]
[Date "1963.12.??"]
[Date "1960.??.??"]
[Date "1620.??.??"]
tabiya: pgn: --sort takes ... not "moves"
[2]

$ cp "$SOURCE/test/cli/data/pgn_toolbox/rounds.pgn" rounds.pgn; \
    tabiya pgn --sort round --to san rounds.pgn | paste -s; tabiya pgn --sort=-Round --to san rounds.pgn | paste -s; \
    tabiya pgn --sort=-plies --limit 1 --to san v.pgn rounds.pgn
d4	e4	c4
e4	d4	c4
e4 e5 Nf3

$ tabiya pgn --sample 3,1 --to uci famous.pgn >a; tabiya pgn --sample 3,1 --to uci --threads 1 famous.pgn | cmp - a; \
    wc -l <a; tabiya pgn --sample 3,2 --to uci famous.pgn | cmp -s - a; echo $?; \
    tabiya pgn --sample 100 --count famous.pgn
3
1
58

$ tabiya pgn --split eco:1 -o 'by-%s.pgn' famous.pgn; ls by-*; tabiya pgn --split year -o 'y-%s.pgn' famous.pgn; \
    tabiya pgn --split Result -o 'r-%s.pgn' famous.pgn
58 games of 5 letters
by-A.pgn
by-B.pgn
by-C.pgn
by-D.pgn
by-E.pgn
58 games of 41 years
r-1_2-1_2.pgn: "1/2-1/2"
58 games of 3 values

$ tabiya pgn --unique --known morphy.pgn --duplicates known.pgn --count famous.pgn; tabiya pgn --count known.pgn; \
    tabiya pgn --unique=4 --count famous.pgn; tabiya pgn --unique=end --count famous.pgn famous.pgn; \
    tabiya pgn --known morphy.pgn famous.pgn
53
5
30
58
tabiya: pgn: --known needs --unique
[2]

# Piece letters of other languages.

$ cp "$SOURCE/test/cli/data/pgn_toolbox/letters.pgn" letters.pgn; tabiya pgn letters.pgn
1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 *

1. e4 e5 2. Nf3 {Cxx} 2... Nc6 3. Bb5 *

[White "Cf3"]

1. e4 e5 2. Nf3 *

tabiya: letters.pgn:9:7: invalid move text: "Xf6": a square was expected (game 4, 1...Xf6...
tabiya: pgn: 1 game was read with the piece letters SLTDK (german)
tabiya: pgn: 1 game was read with the piece letters CFTDR (french)
tabiya: pgn: 1 game was read with the piece letters CATDR (spanish)
[2]

# If two languages lead to different legal games, the program does not guess: R is the French king and the Finnish knight.

$ printf '1. e4 e5 2. Re2 Dh4 *\n' >two.pgn; tabiya pgn two.pgn 2>/dev/null; tabiya pgn --letters french two.pgn; tabiya pgn --letters RLTDK two.pgn
1. e4 e5 2. Ke2 Qh4 *

1. e4 e5 2. Ne2 Qh4 *

# A game that is legal in English and in another language, with different moves, is reported: 2. Pf3 may be a pawn or a
# Dutch knight move. If only one language has all the letters, it is that language.

$ cp "$SOURCE/test/cli/data/pgn_toolbox/dutch.pgn" dutch.pgn; tabiya pgn dutch.pgn; \
    tabiya pgn --letters dutch --to san dutch.pgn; \
    tabiya pgn --letters english --games 1 --to san dutch.pgn 2>/dev/null
1. e4 e5 2. f3 c6 *

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

1. d4 d5 2. c4 *

1. e4 e5 2. f3 *

tabiya: dutch.pgn: 2 games were read with English piece letters, but have other legal moves with PLTDK (the first: game 1)...
tabiya: pgn: 1 game was read with the piece letters PLTDK (dutch)
e4 e5 Nf3 Nc6
e4 e5 Nf3 Nc6 Bb5
d4 d5 c4
e4 e5 Nf3
e4 e5 f3 c6
[2]

# R is the rook, as long as no game in the file has the letters of a language in which it is the knight.

$ printf '1. a4 a5 2. Ra3 *\n' >rook.pgn; tabiya pgn rook.pgn; \
    printf '1. a4 a5 2. Ra3 *\n\n1. e4 e5 2. Rf3 Rc6 3. Lb5 Rf6 4. O-O Rxe4 *\n' >finnish.pgn; \
    tabiya pgn --to san finnish.pgn
1. a4 a5 2. Ra3 *

a4 a5 Ra3
e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4
tabiya: finnish.pgn: 1 game was read with English piece letters, but has other legal moves with RLTDK (the first: game 1)...
tabiya: pgn: 1 game was read with the piece letters RLTDK (finnish)

$ tabiya pgn --letters-out german --limit 1 --strip tags famous.pgn; \
    printf '[White "N"]\n\n1. a4 b5 2. axb5 {N} a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8=Q *\n' | \
    tabiya pgn --letters-out figurine -; tabiya pgn --letters-out german v.pgn --to html; \
    tabiya pgn --letters klingon v.pgn
1. e4 b6 2. d4 Lb7 3. Ld3 f5 4. exf5 Lxg2 5. Dh5+ g6 6. fxg6 Sf6 7. gxh7+ Sxh5
8. Lg6# 1-0

[White "N"]

1. a4 b5 2. axb5 {N} 2... a6 3. bxa6 ♘c6 4. a7 ♘b8 5. axb8=♕ *

tabiya: pgn: --letters-out needs --to pgn or --to san
tabiya: pgn: --letters takes the letters of knight...not "klingon"
[2]

$ for l in german french spanish polish hungarian; do tabiya pgn --letters-out $l famous.pgn >there.pgn; \
    tabiya pgn --letters $l there.pgn | cmp - famous.pgn; done

# Other forms.

$ tabiya pgn --to epd --limit 1 famous.pgn | tail -n 2; tabiya pgn --to epd famous.pgn >all.epd; tabiya convert --from epd --to fen all.epd | wc -l
rn1qkb1r/p1ppp2P/1p6/7n/3P4/3B4/PPP2PbP/RNB1K1NR w KQkq - sm Bg6#; c0 "Gioachino Greco - NN, Casual game, ?, 1620.??.??"; c1 "1-0";
rn1qkb1r/p1ppp2P/1p4B1/7n/3P4/8/PPP2PbP/RNB1K1NR b KQkq - c0 "Gioachino Greco - NN, Casual game, ?, 1620.??.??"; c1 "1-0";
3437

$ tabiya pgn --to lan v.pgn; tabiya pgn --to json v.pgn | tabiya convert --from json --to pgn - | cmp - <(tabiya pgn v.pgn)
e2-e4 e7-e5 Ng1-f3

$ tabiya pgn --to latex v.pgn
\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{skak}
\begin{document}

\section*{? -- ?}
?, ?, ?

\newgame
\mainline{1.e4}
a
(1.d4 d5
(1...Nf6 2.c4
)
2.c4
)
\mainline{1...e5 2.Nf3}
1-0
\[\showboard\]
\end{document}

# Symbols, special letters, another start, and a line that skak cannot play.
$ cp "$SOURCE/test/cli/data/pgn_toolbox/signs.pgn" signs.pgn; tabiya pgn --to latex signs.pgn 2>/dev/null | tail -n +7
\section*{? -- ?}
A \& B\_\{50\%\} \~{}\^{}\#\$\textbackslash{}, ?, ?

\fenboard{4k3/8/8/8/8/8/4P3/4K3 w - - 0 1}
\[\showboard\]
\mainline{1.e4!}
\unclear{}
\mainline{1...Ke7?!}
\wupperhand{}
so
\mainline{2.e5}
\wdecisive{}
*
\[\showboard\]

\section*{Null -- ?}
?, ?, ?

1.e4 -- 2.d4
*
\fenboard{rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b - - 0 1}
\[\showboard\]
\end{document}

$ for w in 2600 2700 2800; do printf '[WhiteElo "%s"]\n[BlackElo "2650"]\n\n1. e4 *\n\n' $w; done >elo.pgn; \
    for c in 'WhiteElo > "2700"' 'WhiteElo >= "2700"' 'WhiteElo < "2700"' 'WhiteElo "2700"' 'BlackElo = "2650"' \
    'BlackElo <> "2650"' 'Elo <= "2600"'; do echo "$c" >tags; tabiya pgn --criteria tags --count elo.pgn; done
1
2
1
1
3
0
1

$ printf 'FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"\n' >tags; \
    tabiya pgn --criteria tags --count famous.pgn; grep -cE '(^|[ }])1\. ?e4' famous.pgn
27
27

$ for c in 'Elo >= "x"' 'White =~ "Tal"' 'Elo => "1"' 'FEN "8/8"' 'FEN < "8/8"' 'Date > "May"' 'Date < "1962.13"'; do echo "$c" >tags; \
    tabiya pgn --criteria tags --count famous.pgn; done; tabiya pgn --criteria none.txt famous.pgn
tabiya: pgn: tags:1: a number was expected
tabiya: pgn: tags:1: regular expressions are not supported...
tabiya: pgn: tags:1: a relation is < <= > >= = or <>
tabiya: pgn: tags:1: fen: field 1 (placement), column 4: 8 ranks expected, 2 found
tabiya: pgn: tags:1: relations do not apply to boards
tabiya: pgn: tags:1: a date was expected: 1962, 1962.05 or 1962.05.31
tabiya: pgn: tags:1: a date was expected: 1962, 1962.05 or 1962.05.31
tabiya: pgn: none.txt: No such file or directory
[2]

$ printf '[White "<b>\\"&"]\n\n1. e4 $1 {<script>} (1. d4) 1-0\n' | tabiya pgn --to html - | sed -n '/<h2>/,/^<\/div>/p'
<h2>&lt;b&gt;&quot;&amp; &ndash; ? 1-0</h2>
<p></p>
<p><a data-f="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR">&#9632;</a>
<a data-f="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR">1.&nbsp;e4!</a> <i>&lt;script&gt;</i>
<span class="v">(
<a data-f="rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR">1.&nbsp;d4</a>)</span> 1-0</p>
</div>

$ tabiya pgn --width 20 v.pgn; tabiya pgn --width 0 v.pgn; tabiya pgn --to html --split 3 -o %d.html v.pgn; tabiya pgn --split month v.pgn
1. e4 {a} (1. d4 d5
(1... Nf6 2. c4) 2.
c4) 1... e5 2. Nf3
1-0

1. e4 {a} (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 2. Nf3 1-0

tabiya: pgn: --to html writes one page, which --split cannot divide
tabiya: pgn: --split month needs -o with %s in the name, such as -o %s.pgn
[2]

$ printf '1. e4 e5 2. Qh5 Ke6 3. d4 *\n' | tabiya pgn --lossy -
1. e4 e5 2. Qh5 *

tabiya: stdin:1:17: illegal move: "Ke6": ...
[2]

# The same game with other spellings and another end.

$ m=$(cat "$SOURCE/test/cli/data/pgn_toolbox/spanish.txt"); \
    game() { printf '[White "%s"]\n[Black "%s"]\n[Date "%s"]\n\n%s *\n\n' "$@"; }; { \
    game 'Carlsen, Magnus' 'Müller, K' 2019.01.01 "$m"; game 'Carlsen,M' 'Karsten Muller' 2019.??.?? "$m 21. Ra3"; \
    game 'Anna' 'Müller, K' 2019.01.01 "$m"; game Bert Cid 2020.01.01 '1. e4 e5'; \
    game Bert Cid 2020.01.01 '1. e4 e5 2. Nf3'; } >near.pgn; tabiya pgn --unique --count near.pgn; \
    tabiya pgn --unique=near --duplicates twice.pgn near.pgn | grep -c Date; grep White twice.pgn
4
2
[White "Carlsen,M"]
[White "Anna"]
[White "Bert"]

# =near includes what plain --unique and =prefix find; =prefix requires the same players and date.

$ m=$(cat "$SOURCE/test/cli/data/pgn_toolbox/spanish.txt"); \
    game() { printf '[White "%s"]\n[Black "%s"]\n[Date "%s"]\n\n%s *\n\n' "$@"; }; { \
    game 'Carlsen, Magnus' Cid 2019.01.01 "$m 21. Ra3"; game 'Carlsne, Magnus' Cid 2019.01.01 "$m 21. Ra3"; \
    game 'Magnus Carlsen' Cid 2019.01.01 "$m 21. Ra3 Ra7"; game 'Carlsen, M' Cid 2019.01.01 '1. e4 e5 2. Nf3'; \
    game Dan Eve 2019.01.01 '1. e4 e5 2. Nf3'; game Dan Fay 2019.01.01 '1. e4 e5'; \
    game 'Carlsen, M' Cid 2019.02.01 '1. e4 e5 2. Nf3 Nc6'; } >copies.pgn; for u in '' =prefix =near; do \
    tabiya pgn --unique$u copies.pgn | grep -A 2 -e White | grep -e White -e Date | cut -d'"' -f2 | paste -sd' '; done
Carlsen, Magnus Magnus Carlsen Carlsen, M Dan Carlsen, M
Magnus Carlsen Dan Carlsen, M
Magnus Carlsen Dan Carlsen, M

# Known games may be longer, or in a database; faults in --known are reported.

$ game() { printf '[White "%s"]\n[Black "%s"]\n[Date "%s"]\n\n%s *\n\n' "$@"; }; \
    game Ann Bob 2019.01.01 '1. e4 e5 2. Nf3' >whole.pgn; { game Ann Bob 2019.01.01 '1. e4 e5'; \
    game Ann Cid 2019.01.01 '1. e4 e5 2. Nf3'; game Ann Bob 2019.01.01 '1. d4'; } >new.pgn; \
    tabiya import whole.db whole.pgn >/dev/null; for k in whole.pgn whole.db; do for u in '' =prefix =near; do \
    tabiya pgn --unique$u --known $k --count new.pgn; done; done; { cat whole.pgn; game Ann Bob 2019.01.01 '1. Ke2'; \
    } >faulty.pgn; tabiya pgn --unique --known faulty.pgn --count new.pgn; \
    tabiya pgn --unique=near --known faulty.pgn --count new.pgn
2
1
1
2
1
1
tabiya: faulty.pgn:11:4: illegal move: "Ke2": the king cannot go there (game 2, 1.Ke2...
2
tabiya: faulty.pgn:11:4: illegal move: "Ke2": the king cannot go there (game 2, 1.Ke2...
1
[2]

# A database finds the games itself; what is written is the same as from its export. Games that are not found are not read.
$ cp "$SOURCE/examples/famous.pgn" all.pgn; tabiya import all.db all.pgn >/dev/null; tabiya export all.db >all.pgn; \
    pick() { tabiya pgn "$1" 'either Bxh7+' "${@:2}" >"out.${1#*.}" 2>&1; }; while read -r options; do rm -f part-*; \
    pick all.db $options; cat part-* >parts.db 2>/dev/null; rm -f part-*; pick all.pgn $options; \
    cat part-* >parts.pgn 2>/dev/null; cmp out.db out.pgn && cmp parts.db parts.pgn && \
    echo "$options: $(cat out.db parts.db | wc -l)"; \
    done \
    <"$SOURCE/test/cli/data/pgn_toolbox/options.txt"
--to san: 3
--drop 10: 55
--drop Q-h5: 19
--cut 20: 39
--mark here: 51
--split 1 -o part-%d.pgn: 50
--split player -o part-%s.pgn: 101
--sort=-plies --to san: 3
--sample 1,3 --to san: 1
--unique=prefix --to san: 3
--limit 1 --to san: 1
--offset 1 --to uci: 2
--invert --count: 1
--others part-o.pgn --count: 918
--games 1..20 --count: 1
--unfold --to san: 4
--threads 1 --to epd: 186
--add eco,plies --strip comments: 52

$ tabiya sql all.db --write "UPDATE game SET moves = x'00' WHERE id = 1"; tabiya pgn all.db 'white lasker' --count; \
    tabiya pgn all.db --count 2>&1 | tail -n 1
4
57

# With --limit, nothing more is read, even of an input that has no end.

$ for threads in 1 2; do yes "$(printf '[White "A"]\n\n1. e4 *\n')" | tabiya pgn --limit 2 --to san --threads $threads - | paste -s; done
e4	e4
e4	e4

$ cp "$SOURCE/test/cli/data/three.pgn" .

# Piece letters: comments and tags are not changed.
$ cp "$SOURCE/test/cli/data/pgn_toolbox/german.pgn" german.pgn; tabiya pgn german.pgn; \
    tabiya pgn --letters german --letters-out figurine german.pgn; \
    tabiya pgn --letters SLTDK --letters-out NBRQK german.pgn | tail -n 2; tabiya pgn --letters SLTDO german.pgn; \
    tabiya pgn --letters SSTDK german.pgn; tabiya pgn --letters sltdk german.pgn
[Event "S; {K} \"L\" %"]
[White "Karl"]

1. e4 {Sf3 Lc4} 1... e5 { Dh5 Kxe7} 2. Nf3 Nc6 3. Bc4 *

tabiya: pgn: 1 game was read with the piece letters SLTDK (german)
[Event "S; {K} \"L\" %"]
[White "Karl"]

1. e4 {Sf3 Lc4} 1... e5 { Dh5 Kxe7} 2. ♘f3 ♘c6 3. ♗c4 *

1. e4 {Sf3 Lc4} 1... e5 { Dh5 Kxe7} 2. Nf3 Nc6 3. Bc4 *

tabiya: pgn: --letters takes the letters of knight...not "SLTDO"
tabiya: pgn: --letters takes the letters of knight...not "SSTDK"
tabiya: pgn: --letters takes the letters of knight...not "sltdk"
[2]

# Criteria: comments, blanks, marks, and errors.
$ printf '%% a comment\n# another\n\n  White "A"  \r\n' >c.txt; tabiya pgn --criteria c.txt --to san three.pgn; \
    printf '%% nothing\n' >c.txt; tabiya pgn --criteria c.txt three.pgn; \
    for l in 'White' '"A"' 'White <=> "A"' 'WhiteElo >= "x"' 'WhiteElo < "999999"' 'White "A'; do echo "$l" >c.txt; \
    tabiya pgn --criteria c.txt --to san three.pgn; done; echo 'Result "1/2"' >c.txt; \
    tabiya pgn --criteria c.txt --count three.pgn; echo 'WhiteElo < "0"' >c.txt; \
    tabiya pgn --criteria c.txt --count three.pgn; echo xyzzy >o.txt; tabiya pgn --queries o.txt three.pgn; \
    echo '1. e4' >o.txt; tabiya pgn --queries o.txt --to san three.pgn
e4 e5
tabiya: pgn: c.txt: the file contains no conditions
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected...
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected...
tabiya: pgn: c.txt:1: a relation is...
tabiya: pgn: c.txt:1: a number was expected
tabiya: pgn: c.txt:1: a number was expected
tabiya: pgn: c.txt:1: a tag and its value in quotes were expected...
0
0
tabiya: pgn: o.txt:1: no such word: "xyzzy"; for a name: player xyzzy
  xyzzy
  ^
e4 e5
