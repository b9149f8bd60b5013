# The order of games is the same in find, pgn and the server: order.c of the library.

$ cp "$SOURCE/test/cli/data/order/order.pgn" order.pgn; tabiya import order.db order.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

# A mean rating is not truncated; with a single rating it is unknown, and such games come last in the order of their numbers.
$ tabiya find order.db --sort=-elo --ids | paste -s; tabiya find order.db --sort elo --ids | paste -s
2	1	3	4
1	2	3	4

# A date counts as its first possible day; without a year it is unknown. The code of a game without an ECO tag is that of its moves.
$ for order in elo -elo date -date eco -eco Date round -round white_elo plies id -id plies,-id -Annotator Annotator \
    result,-plies TimeControl; do tabiya find order.db --sort=$order --ids | paste -s >found; \
    tabiya pgn --sort=$order --keep-tags White order.pgn >out; \
    tabiya pgn --sort=$order order.pgn | sed -n 's/.White "\(.\)"./\1/p' | tr ACEG 1234 | paste -s | cmp - found && \
    echo "$order: $(cat found)"; done
elo: 1	2	3	4
-elo: 2	1	3	4
date: 1	3	2	4
-date: 2	3	1	4
eco: 3	4	1	2
-eco: 2	1	4	3
Date: 1	3	2	4
round: 2	1	3	4
-round: 1	2	3	4
white_elo: 1	2	4	3
plies: 3	1	2	4
id: 1	2	3	4
-id: 4	3	2	1
plies,-id: 3	2	1	4
-Annotator: 3	4	1	2
Annotator: 4	3	1	2
result,-plies: 4	1	2	3
TimeControl: 2	3	1	4

$ tabiya find order.db --sort nonsense; tabiya pgn --sort=date,-nonsense order.pgn; tabiya find order.db --sort ''; \
    tabiya find order.db --sort id,nonsense --count
tabiya: find: --sort takes white, white_elo, ..., not "nonsense"
tabiya: pgn: --sort takes white, white_elo, ..., not "nonsense"
tabiya: find: --sort takes white, white_elo, ..., not ""
tabiya: find: --sort takes white, white_elo, ..., not "nonsense"
[2]

# Facts about ratings: a mean is exact, and both ratings must be known. The mode of a game; bullet includes games under 30 seconds.
$ for query in 'mean-elo 2400' 'mean-elo 2401..' 'mean-elo 2400..2401' 'mean-elo ..2400' \
    'mean-elo 2400.. not mean-elo 2401..' 'speed ultrabullet' 'speed bullet' 'speed bullet not speed ultrabullet'; \
    do echo "$query: $(tabiya find order.db --ids "$query" | paste -s)"; done
mean-elo 2400: 1
mean-elo 2401..: 
mean-elo 2400..2401: 1	2
mean-elo ..2400: 1
mean-elo 2400.. not mean-elo 2401..: 1	2
speed ultrabullet: 2
speed bullet: 2	3
speed bullet not speed ultrabullet: 3

$ cp "$SOURCE/test/cli/data/order/modes.pgn" modes.pgn; \
    for query in rated 'mode rated' 'mode casual' 'not mode casual' 'either mode casual'; do \
    tabiya pgn --to san modes.pgn "$query" | paste -s; done; tabiya pgn modes.pgn 'mode fast'; \
    tabiya find --explain modes.pgn 'mode casual or mode rated'
d4
d4
e4	c4
d4
e4	c4
tabiya: pgn: rated or casual was expected, not "fast"
  mode fast
       ^
query: not rated or rated
files: every game is read
needed: tags
left to check in each game: the query

# By the length of a match: the most positions in a row at which the query holds, in one source, in several, and in pgn, where the game is measured before it is cut.
$ for line in '1. e4 e5 2. Ke2 d6 3. Kd3' '1. e4 e5 2. Ke2 d6 3. a3 d5 4. a4' \
    '1. e4 e5 2. Ke2 d6 3. Ke1 d5 4. Ke2 d4 5. a3 a6' '1. d4 d5'; do \
    printf '[White "%s"]\n\n%s *\n\n' "${line##* }" "$line"; done >kings.pgn; \
    tabiya import kings.db kings.pgn >/dev/null; for sort in -length length -length,-id; do \
    for from in kings.db kings.pgn; do tabiya find $from --sort=$sort --ids 'Ke2' | paste -s; \
    tabiya pgn $from --sort=$sort --to san --cut 1 'Ke2' | wc -l; done; done; \
    tabiya find kings.db kings.pgn --sort=-length --ids Ke2 --limit 3; \
    tabiya find kings.db --sort=-length --ids --limit 2; \
    tabiya find kings.db --sort=-length 'Ke2' --json --all-plies | jq -c .ply; \
    tabiya pgn kings.pgn --sort=-length Ke2 --cut 1 | grep White
2	3	1
3
2	3	1
3
1	3	2
3
1	3	2
3
2	3	1
3
2	3	1
3
kings.db:2
kings.pgn:2
kings.db:3
1
2
[3,4,5,6,7]
[3,4,7,8,9,10]
[3,4]
[White "a4"]
[White "a6"]
[White "Kd3"]

$ cp "$SOURCE/test/cli/data/elo.pgn" .; tabiya import elo.db elo.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

# Ratings: the mean, or the known one; unknown ratings come last.
$ tabiya find elo.db --sort elo; tabiya find elo.db --sort=-elo; tabiya find elo.db --sort plies,elo --limit 2
1  A (2500) - B (2300)  1-0  ?  ?  C20 King's Pawn Game  2 plies
2  C (2450) - D  0-1  ?  ?  D00 Queen's Pawn Game  2 plies
3  E - F  *  ?  ?  A10 English Opening  1 ply
4  G - H (2600)  *  ?  ?  A05 Zukertort Opening  3 plies
1  A (2500) - B (2300)  1-0  ?  ?  C20 King's Pawn Game  2 plies
2  C (2450) - D  0-1  ?  ?  D00 Queen's Pawn Game  2 plies
3  E - F  *  ?  ?  A10 English Opening  1 ply
4  G - H (2600)  *  ?  ?  A05 Zukertort Opening  3 plies
3  E - F  *  ?  ?  A10 English Opening  1 ply
1  A (2500) - B (2300)  1-0  ?  ?  C20 King's Pawn Game  2 plies

$ tabiya pgn --sort elo --to san elo.pgn; tabiya pgn --sort=-elo --to san elo.pgn; \
    tabiya pgn --sort plies,-white --to san elo.pgn; tabiya pgn --sort Annotator --to san elo.pgn
e4 e5
d4 d5
c4
Nf3 Nf6 g3
e4 e5
d4 d5
c4
Nf3 Nf6 g3
c4
d4 d5
e4 e5
Nf3 Nf6 g3
e4 e5
d4 d5
c4
Nf3 Nf6 g3
