#!/bin/bash
# load.sh - many requests at once during an import, a check of the numbers, and a clean shutdown in the middle:
#
#     test/serve/load.sh PROGRAM
#
# In the build with sanitizers, this is the test of threads and memory.
. "$(dirname "$0")/server.sh"
. "$here/../store/games.sh"

games 100 >first.pgn
games 20000 >games.pgn
tabiya import games.db first.pgn >/dev/null || exit 1
serve games.db

# reader PATH - sends the same request again and again, the last time after the import: the number of games never falls.
reader() {
    local before=0 n last=
    while [ -z "$last" ]; do
        [ ! -e stop ] || last=yes
        n=$(curl -sS "$url$1" | jq '.games // .count') || { echo "$1: no answer"; return 1; }
        [ "$n" -ge "$before" ] || { echo "$1: $n games after $before"; return 1; }
        before=$n
    done
    echo "$1: $before games"
    [ "$before" -gt 100 ]
}

# hammer - all kinds of requests, on four connections at once, each reused.
hammer() {
    local paths=(/ /api /api/notations /api/status /api/explore '/api/explore?moves=e4+e5' '/api/find?limit=20' '/api/game?id=7'
        '/api/convert?text=1.+e4+e5' '/api/convert?text=e9' '/nothing' '/api/find?player=Player+1*&limit=5')
    local urls=() path
    for path in "${paths[@]}"; do urls+=("$url$path"); done
    while [ ! -e stop ]; do
        curl -sS --no-progress-meter --parallel --parallel-max 4 "${urls[@]}" "${urls[@]}" >/dev/null || { echo "hammer: no answer"; return 1; }
    done
}

reader /api/explore &
first=$!
reader '/api/find?count=1&plies=..10' &
second=$!
hammer &
third=$!
tabiya import games.db games.pgn >/dev/null || fail "the import fails"
for _ in $(seq 200); do
    n=$(curl -sS "$url/api/info" | jq .games)
    [ "$n" != 20000 ] || break && sleep 0.05
done
[ "$n" = 20000 ] || fail "$n games instead of 20000"
touch stop
wait $first || fail "a reader fails"
wait $second || fail "a reader fails"
wait $third || fail "requests fail"

# An answer in progress at SIGTERM is sent completely, and no more connections are accepted.
head -c 200000 games.pgn >asked.pgn
curl -sS -v --data-binary @asked.pgn "$url/api/convert?from=pgn&to=fen,uci,lan,short,json,pgn" >last 2>log &
asked=$!
for _ in $(seq 200); do ! grep -q '^< \|upload.* sent off\|completely uploaded' log || break && sleep 0.01; done
stop || fail "the server exits with $?"
wait $asked || fail "an answer under way is cut off"
jq -e '.to.pgn.text' last >/dev/null || fail "half an answer"
curl -sS "$url/api" >/dev/null 2>&1 && fail "the server is still there"
! complaints || fail "the server wrote to stderr"
tabiya verify games.db >/dev/null || fail "the database is damaged"
exit "$failed"
