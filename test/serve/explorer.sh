#!/bin/bash
# explorer.sh - the explorer API that existing clients can use: test/serve/explorer.sh PROGRAM
. "$(dirname "$0")/server.sh"

# game WHITE ELO BLACK ELO RESULT DATE TIMECONTROL EVENT MOVES
game() {
    printf '[Event "%s"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n' "$8" "$1" "$3" "$5"
    [ "$2" = - ] || printf '[WhiteElo "%s"]\n[BlackElo "%s"]\n' "$2" "$4"
    [ "$6" = - ] || printf '[Date "%s"]\n' "$6"
    [ "$7" = - ] || printf '[TimeControl "%s"]\n' "$7"
    printf '\n%s %s\n\n' "$9" "$5"
}
{
    game Ada 2500 Bo 2400 1-0 2020.01.05 180+2 'Rated Blitz game' '1. e4 e5 2. Nf3'
    game Cy 1600 Ada 1500 0-1 2021.03.01 60+0 'Rated Bullet game' '1. e4 c5'
    game Di 2700 Ed 2650 1/2-1/2 2019.06.01 5400+30 Candidates '1. d4 d5'
    game Fay - Gus - 1-0 1850.??.?? - 'Coffee house' '1. e4 e5 2. Bc4'
    game Ada 2510 Hal 2000 '*' 2022.07.07 600+0 'Casual Rapid game' '1. e4 e5'
    game Ada 2520 Ira 2100 1/2-1/2 2023.02.03 600+0 'Casual Rapid game' '1. Nf3 e5 2. e4'
} >games.pgn
tabiya import games.db games.pgn >/dev/null || exit 1
serve games.db

# says WANTED FILTER PATH - compares the output of jq on an answer.
says() {
    local got
    curl -sS "$url$3" >body
    got=$(jq -c "$2" body) || { fail "$3: $(cat body)"; return; }
    [ "$got" = "$1" ] || fail "$3: $got instead of $1"
}
all='[.white, .draws, .black]'
says '[2,2,1]' "$all" /lichess
says '[["e4",2,0,1],["Nf3",0,1,0],["d4",0,1,0]]' '[.moves[] | [.san, .white, .draws, .black]] | sort_by(.[1] + .[2] + .[3]) | reverse | sort_by(-(.[1]+.[2]+.[3]), .[0])' /lichess
# Games without a result count nowhere: not in averages, not in lists.
says '["e2e4",2050,null]' '.moves[0] | [.uci, .averageRating, .game]' /lichess
says '{"eco":"B00","name":"King'"'"'s Pawn Game"}' '.moves[0].opening' /lichess
says null .opening /lichess
says '["C20","e5"]' '[.opening.eco, .moves[0].san // "e5"]' '/lichess?play=e2e4,e7e5&moves=0'
# Two move orders lead to one position; its name is its own, or the last one before it.
says '[1,1,0]' "$all" '/lichess?play=g1f3,e7e5,e2e4'
says '[1,1,0]' "$all" '/lichess?fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R%20b%20KQkq%20-%201%202'
says '["3","1"]' '[.topGames[].id]' '/lichess?topGames=2&recentGames=0'
says '["6","2","1"]' '[.recentGames[].id]' '/lichess?recentGames=3'
says '{"uci":"d2d4","id":"3","winner":null,"speed":"classical","mode":"casual","white":{"name":"Di","rating":2700},"black":{"name":"Ed","rating":2650},"year":2019,"month":"2019-06"}' \
    '.topGames[0]' /lichess
says '{"id":"1","winner":"white","speed":"blitz","mode":"rated","white":{"name":"Ada","rating":2500},"black":{"name":"Bo","rating":2400},"year":2020,"month":"2020-01"}' \
    '.moves[] | select(.san == "Nf3") | .game' '/lichess?play=e2e4,e7e5'
# Filters
says '[1,0,0]' "$all" '/lichess?speeds=blitz'
says '[1,1,0]' "$all" '/lichess?speeds=blitz,classical'
says '[0,0,1]' "$all" '/lichess?speeds=bullet'
says '[0,1,1]' "$all" '/lichess?speeds=rapid,bullet&ratings=1400,2200'
says '[1,1,0]' "$all" '/lichess?ratings=2200,2500&until=2022-12'
says '[0,1,0]' "$all" '/lichess?ratings=2500'
says '[1,1,0]' "$all" '/lichess?since=2019-01&until=2020-12'
says '[0,0,0]' "$all" '/lichess?since=2020-02&until=2021-02'
says '[1,0,1]' "$all" '/lichess?modes=rated'
says '[]' .moves '/lichess?fen=4k3/8/8/8/8/8/8/4K3%20w%20-%20-%200%201'
says '[1,0,0]' "$all" '/lichess?speeds=blitz&modes=rated'
says '[0,0,0]' "$all" '/lichess?speeds=blitz&modes=casual'
says '["3","1","6"]' '[.topGames[].id]' '/lichess?topGames=3'
says '[["1850",null],["2023","2023-02"]]' '[.recentGames | (.[-1], .[0]) | [(.year | tostring), .month]] | sort' '/lichess?recentGames=15'
says '[null,"2020-01"]' '[.topGames[] | select(.id == "4" or .id == "1") | .month] | sort' /masters
says '[1,[null]]' '[(.recentGames | length), [.recentGames[].month]]' '/player?player=Fay&color=white'
# Masters: no speeds, no recent games
says '[1,1,0]' "$all" '/masters?since=2019&until=2020'
says '[3,1,2]' '[(.topGames | length), (if .recentGames then 0 else 1 end), (.topGames[0] | if .speed then 1 else 2 end)]' '/masters?topGames=3'
# One player's games, with one colour
says '[1,1,0]' "$all" '/player?player=Ada&color=white'
says '[0,0,1]' "$all" '/player?player=ada&color=black'
says '["c7c5",1600,2000]' '.moves[0] | [.uci, .averageOpponentRating, .performance]' '/player?player=Ada&color=black&play=e2e4'
curl -sSI "$url/player?player=Ada&color=white" | grep -qi '^content-type: application/x-ndjson' || fail "not lines of JSON"
[ -z "$(curl -sSI "$url/lichess?speeds=rapid" | grep -i tabiya-ignored)" ] || fail "speeds that exist are not ignored"
[ -z "$(curl -sSI "$url/lichess?speeds=correspondence" | grep -i tabiya-ignored)" ] || fail "a speed without games is not ignored"
# Month by month; only the year if the month is unknown
says '[["1850",1,0,0],["2019-06",0,1,0],["2020-01",1,0,0],["2021-03",0,0,1],["2023-02",0,1,0]]' '[.history[] | [.month, .white, .draws, .black]]' \
    '/lichess?history=true'
says '[["2020-01",1,0,0],["2023-02",0,1,0]]' '[.history[] | [.month, .white, .draws, .black]]' '/player?player=Ada&color=white&history=true'
says null .history '/lichess?history=false'
# A query in addition to the parameters; errors in it are located
says '[1,0,0]' '[.white, .draws, .black]' '/lichess?q=player+ada+result+1-0&since=2019'
says '["1850"]' '[.history[].month]' '/lichess/history?q=elo+..1+or+event+%22Coffee+house%22'
says '[5,2]' '[.offset, .length]' '/lichess?q=mate+xx'
# The game for an id from /masters
curl -sS -D head "$url/masters/pgn/3" >body
grep -qi '^content-type: application/x-chess-pgn' head || fail "the type of a PGN: $(cat head)"
tabiya export games.db --limit 1 --offset 2 | cmp - body || fail "another game"
for path in 99:404 x:400 3/4:404 :404 %zz:400 3?id=4:400; do
    [ "$(curl -sS -o body -w '%{http_code}' "$url/masters/pgn/${path%:*}")" = "${path##*:}" ] || fail "/masters/pgn/$path: $(cat body)"
done

for bad in '/player?player=Ada' '/player?player=Ada&color=green' '/lichess?play=e2e5' '/lichess?fen=x' '/lichess?speeds=slow' \
    '/lichess?ratings=17' '/lichess?since=then' '/lichess?variant=atomic' '/lichess?history=maybe' '/lichess?modes=unrated' '/lichess?since=2019-13' '/masters?moves=-1'; do
    [ "$(curl -sS -o body -w '%{http_code}' "$url$bad")" = 400 ] || fail "$bad: $(cat body)"
    jq -e .error body >/dev/null || fail "$bad: no error"
done
stop || fail "the server exits with $?"

# Castling as the public explorer writes it; Chess960 without games of standard chess; speeds where no game has one
{
    printf '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n\n'
    printf '[White "C"]\n[Black "D"]\n[Result "0-1"]\n[Variant "Chess960"]\n[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n1. e4 0-1\n\n'
    printf '[White "E"]\n[Black "F"]\n[Result "1-0"]\n[Variant "Fischerandom"]\n[SetUp "1"]\n[FEN "nnbbrkrq/pppppppp/8/8/8/8/PPPPPPPP/NNBBRKRQ w KQkq - 0 1"]\n\n1. O-O 1-0\n'
} >castling.pgn
tabiya import castling.db castling.pgn >/dev/null || exit 1
serve castling.db
italian='play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5'
for path in /lichess /masters '/player?player=A&color=white'; do
    says '["e1h1"]' '[.moves[].uci]' "$path$(case $path in *\?*) echo '&';; *) echo '?';; esac)$italian"
done
says '"e1h1"' '.topGames[0].uci' "/lichess?$italian"
for castled in e1g1 e1h1; do
    says '[1,0,0]' "$all" "/lichess?$italian,$castled"
done
says '[1,0,1]' "$all" /lichess
says '[0,0,1]' "$all" '/lichess?variant=chess960'
says '[0,0,1]' "$all" '/masters?variant=chess960&play=e2e4'
says '["f1g1"]' '[.moves[].uci]' '/lichess?variant=chess960&fen=nnbbrkrq/pppppppp/8/8/8/8/PPPPPPPP/NNBBRKRQ%20w%20KQkq%20-%200%201'
for again in 1 2; do
    says '[1,0,1]' "$all" '/lichess?speeds=blitz'
    curl -sSI "$url/lichess?speeds=blitz" | tr -d '\r' | grep -qix 'tabiya-ignored: speeds; no game has a time control' || fail "$again: no header"
done
says '[0,0,0]' "$all" '/lichess?speeds=blitz&q=elo+2000..'
[ -z "$(curl -sSI "$url/lichess" | grep -i tabiya-ignored)" ] || fail "nothing to ignore"
game G 2000 H 2000 1-0 2020.01.05 180+2 'Rated Blitz game' '1. d4' >more.pgn
tabiya import castling.db more.pgn >/dev/null || exit 1
says '[1,0,0]' "$all" '/lichess?speeds=blitz'
says '[0,0,0]' "$all" '/lichess?speeds=rapid'
stop || fail "the server exits with $?"
exit "$failed"
