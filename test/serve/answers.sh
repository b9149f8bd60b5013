#!/bin/bash
# answers.sh - the server answers what the program prints: test/serve/answers.sh PROGRAM
. "$(dirname "$0")/server.sh"

tabiya import games.db "$samples"/*.pgn >/dev/null || exit 1
serve games.db

# ask PATH NAME=VALUE...
ask() {
    local path=$1 data=() pair
    shift
    for pair in "$@"; do data+=(--data-urlencode "$pair"); done
    curl -sSG "${data[@]}" "$url$path"
}

# same PATH [NAME=VALUE]... -- COMMAND... - the answer equals the output of the command.
same() {
    local asked=()
    while [ "$1" != -- ]; do
        asked+=("$1")
        shift
    done
    shift
    ask "${asked[@]}" >answer || fail "${asked[*]}: no answer"
    "$@" >expected
    cmp answer expected || fail "${asked[*]} differs from $*"
}

same /api/info -- tabiya info --json games.db
same /api/info tables=1 -- tabiya info --json --sizes games.db
for moves in "" "1. e4" "1. e4 c5 2. Nf3 d6" "d2d4 g8f6" "1. h4 a5 2. Rh3"; do
    same /api/explore "moves=$moves" -- tabiya explore --json games.db "$moves"
    same /api/explore limit=2 "moves=$moves" -- tabiya explore --json --limit 2 games.db "$moves"
done
for fen in startpos '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1' '8/8/8/8/8/8/8/8 w - - 0 1'; do
    same /api/status "fen=$fen" -- tabiya status --json "$fen"
done
for id in 1 10 3055; do
    for name in pgn json cmbr; do
        same /api/game id=$id to=$name -- tabiya export games.db --to $name --where "id = $id"
    done
done

# found QUERY PARAMETER=VALUE... - the program finds the same games with the query as the API with these parameters.
found() {
    local query=$1
    shift
    ask /api/find limit=1000 "$@" | jq -c '.games[]' >answer
    tabiya find --json games.db "$query" >expected
    [ -s expected ] || fail "$query finds nothing"
    cmp answer expected || fail "find $* differs"
    [ "$(ask /api/find count=1 "$@")" = "{\"count\":$(wc -l <expected)}" ] || fail "the count of $* differs"
}
king='rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2'
found 'player "*Morphy*"' 'player=*Morphy*'
found 'board "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5"' 'board=1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5'
found 'opening "1. e4 c5" result 1-0 plies 40..80' 'opening=1. e4 c5' 'result=1-0' 'plies=40..80'
found "fen \"$king\" ply ..10 date 1850..1900" "fen=$king" 'within=10' 'date=1850..1900'
found 'eco C4* white "*a*"' 'eco=C4*' 'white=*a*'

# Every notation of the registry, from a line of moves and from a position.
names=$(curl -sS "$url/api/notations" | jq -r '(.positions, .moves, .games)[].name')
[ "$(echo "$names" | wc -l)" -ge 15 ] || fail "few notations: $names"
for text in '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *' 'r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4'; do
    curl -sS "$url/api/convert" --data-binary "$text" >all
    jq -r '.to | to_entries[] | .key + " " + (.value | if .text then .text + "\n" | @base64 else .base64 // "" end)' all |
        while read -r name bytes; do
            echo "$bytes" | base64 -d >answer
            tabiya convert --to "$name" "$text" >expected 2>errors || : >expected
            cmp answer expected || echo "convert to $name differs"
        done >differences
    [ ! -s differences ] || fail "$(cat differences)"
    [ "$(jq '.to | length' all)" = "$(echo "$names" | wc -l)" ] || fail "not all notations of: $names"
done

stop || fail "the server exits with $?"
exit "$failed"
