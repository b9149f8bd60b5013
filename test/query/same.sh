#!/bin/bash
# same.sh - every front end gives the same answers to the same queries: test/query/same.sh PROGRAM [PART/PARTS [GAMES]]
#
# With 2/3, runs every third query, starting with the second. GAMES limits the number of games taken from each sample
# file; then each query goes to find, and to some of the others in turn.
#
# For each query in questions.txt, compares the list of games with their first plies by find --tsv, by the API and with
# all plies, and the counts by find --count, export, pgn, delete and explore. test/postgres/cli.sh does the same with a
# server.
. "$(dirname "$0")/../serve/server.sh"

part=${2:-1/1}
few=${3:-}
for file in "$samples"/*.pgn; do
    if [ -n "$few" ]; then tabiya convert --to pgn --games "1..$few" "$file"; else cat "$file"; fi >"$(basename "$file")"
done
tabiya import games.db ./*.pgn >/dev/null || exit 1
serve games.db
mkdir wanted api plies explored counted
n=0
is_turn() { [ -z "$few" ] || [ $((n / ${part#*/} % 4)) -eq "$1" ]; }
while IFS= read -r query; do
    [[ $query == '#'* ]] && continue
    n=$((n + 1))
    [ $((n % ${part#*/})) -eq $((${part%/*} % ${part#*/})) ] || continue
    echo "$n $query" >>asked
    tabiya find games.db "$query" --tsv | tail -n +2 | awk -F '\t' '{ print $1, $(NF - 1) }' >wanted/$n
    [ "${PIPESTATUS[0]}" -le 1 ] || fail "$query: find fails"
    count=$(wc -l <wanted/$n)
    if is_turn 0; then
        curl -sSG "$url/api/find" --data-urlencode "q=$query" -d limit=1000 >api/$n
        got=$(tabiya find games.db --query "$query" --count)
        [ "$got" = "$count" ] || fail "$query: --count tells $got, not $count"
    fi
    if is_turn 1; then
        tabiya find games.db "$query" --json --all-plies >plies/$n
        got=$(tabiya delete games.db "$query" 2>&1 | grep -o '[0-9]* games\?')
        [ "${got% game*}" = "$count" ] || fail "$query: delete speaks of $got, not $count"
    fi
    if is_turn 2; then
        got=$(tabiya export games.db "$query" 2>/dev/null | grep -c '^\[Event ')
        [ "$got" = "$count" ] || fail "$query: export writes $got, not $count"
        if [[ $query != *'id '* ]]; then # games in a file have no numbers
            got=$(tabiya pgn ./*.pgn "$query" 2>/dev/null | grep -c '^\[Event ')
            [ "$got" = "$count" ] || fail "$query: pgn writes $got, not $count"
        fi
    fi
    if is_turn 3; then
        tabiya explore games.db --json --query "$query" >explored/$n
        tabiya find games.db "ever ($query)" --fen startpos --count >counted/$n
    fi
done <"$here/../query/questions.txt"
[ "$n" -ge 200 ] || fail "only $n questions"

# alike FOLDER FILTER WANTED MOST WHAT - jq's FILTER turns each answer in FOLDER into the first MOST lines of the file
# with the same name in WANTED. A single jq reads all of them, because starting it takes longer than most queries.
alike() {
    local number
    # shellcheck disable=SC2094
    diff <(cd "$1" && jq -r "input_filename + \" \" + ($2)" -- *) \
        <(cd "$1" && for number in *; do awk -v most="$4" -v n="$number" 'NR <= most { print n, $0 }' "../$3/$number"; done) |
        awk '/^[<>]/ { print $2 }' | sort -nu >differ
    while read -r number; do fail "$(sed -n "s/^$number //p" asked): $5"; done <differ
}
alike api '.games[] | "\(.id) \(.ply)"' wanted 1000 'the API finds other games'
alike plies '"\(.id) \(.ply[0])"' wanted 1000000 '--all-plies finds other games'
alike explored '.games | tostring' counted 1 'explore counts a different number of games'
stop || fail "the server exits with $?"
exit "$failed"
