#!/bin/bash
# query.sh - queries, sorted lists, and counts among some games: test/serve/query.sh PROGRAM
. "$(dirname "$0")/server.sh"

tabiya import games.db "$samples"/*.pgn >/dev/null || exit 1
serve games.db
# ask PATH [NAME VALUE]... - sends a request with these parameters.
ask() {
    local path=$1 list=()
    shift
    while [ $# -gt 0 ]; do
        list+=(--data-urlencode "$1=$2")
        shift 2
    done
    curl -sSG "$url$path" "${list[@]}"
}

# The same answers as the command's.
for query in 'player morphy' 'Q>=2 q>=2' 'result 1-0 plies ..40' 'named "Najdorf"' 'P-{8}=[RBN]' 'either (iqp result 1-0)' 'greek-gift'; do
    got=$(ask /api/find q "$query" count 1 | jq .count)
    wanted=$(tabiya find games.db "$query" --count)
    [ "$got" = "$wanted" ] || fail "$query: $got games instead of $wanted"
    ask /api/find q "$query" limit 1000 | jq -c '.games[]' >got
    tabiya find games.db "$query" --json --limit 1000 | jq -c . >wanted
    cmp got wanted || fail "$query: other games"
done
# A query and a separate condition must both hold.
# With `soon`, the games are the first ones of the whole list; an incomplete list says that more follow.
ask /api/find q 'not mate' limit 1000 | jq -c '.games[]' >all
ask /api/find q 'not mate' limit 1000 soon 1 >answer
jq -c '.games[]' answer >soon
[ -s soon ] || fail "soon=1 finds no games: $(cat answer)"
head -n "$(wc -l <soon)" all | cmp -s - soon || fail "the games found soon are not the first ones"
[ "$(wc -l <soon)" = 1000 ] || [ "$(jq .more answer)" = true ] || fail "an incomplete list without more: $(tail -c 100 answer)"
[ "$(ask /api/find q 'player morphy' soon 10000)" = "$(ask /api/find q 'player morphy')" ] || fail "a search that ends in time is not complete"
[ "$(ask /api/find sort -elo soon 1)" = "$(ask /api/find sort -elo)" ] || fail "a sorted list is not complete"
ask /api/find query 'player morphy' | jq -re .error | grep -q 'no parameter query; use q$' || fail "query instead of q: $(ask /api/find query x)"
ask /api/find soon 0 | jq -re .error | grep -q soon || fail "soon=0"
[ "$(ask /api/find q 'player morphy' result 1-0 count 1)" = "$(ask /api/find q 'player morphy result 1-0' count 1)" ] || fail "q and result"
ask /api/find q 'plaer morphy' | jq -re .error | grep -q 'did you mean "player"' || fail "a query that is wrong"
[ "$(ask /api/find q 'elo 2400.. plaer morphy' | jq -c '[.offset, .length]')" = '[11,5]' ] || fail "the place of a fault"
[ "$(ask /api/find elo high | jq -c '[.offset, .length]')" = '[null,null]' ] || fail "a place that is not in the query"
[ "$(ask /api/patterns | jq -r '.patterns[].name' | while read -r name; do ask /api/find q "$name" count 1; done | grep -vc '^{"count":[0-9]*}$')" = 0 ] ||
    fail "a pattern is not understood"
[ "$(curl -sS -o /dev/null -w '%{http_code}' "$url/api/find?q=(((")" = 400 ] || fail "a query that is wrong has another status"

# Exploring among some games counts as many as are found.
for query in 'result 1-0' 'player morphy' 'plies ..30'; do
    got=$(ask /api/explore q "$query" | jq .games)
    wanted=$(ask /api/find q "$query" fen startpos count 1 | jq .count)
    [ "$got" = "$wanted" ] || fail "explore, $query: $got games instead of $wanted"
done
[ "$(ask /api/explore player '*Morphy*' result 1-0 | jq '.white == .games')" = true ] || fail "explore with conditions"
[ "$(ask /api/explore q 'result 1-0' moves '1. e4' | jq '.black')" = 0 ] || fail "explore counts others"

# Sorted: every page is in order, together they have all games, and games without the value come last.
for key in date -date -elo plies white -black_elo result -event; do
    for offset in 0 400 800; do ask /api/find q 'plies ..60' sort $key limit 400 offset $offset; done | jq -c '.games[]' >sorted
    ask /api/find q 'plies ..60' sort "$key" limit 1000 | jq -c '.games[]' | head -n "$(wc -l <sorted)" >whole
    head -n "$(wc -l <whole)" sorted | cmp - whole || fail "$key: pages differ from the whole"
done
ask /api/find sort -plies limit 500 | jq '[.games[].plies] | . == (sort | reverse)' | grep -q true || fail "not sorted by plies"
ask /api/find sort date limit 500 | jq '[.games[].date | select(.)] | . == sort' | grep -q true || fail "not sorted by date"
ask /api/find sort -date limit 500 | jq '[.games[] | select(.date) | .date[0:4]] | . == (sort | reverse)' | grep -q true || fail "not sorted by date, the latest first"
# Texts in the order of `find --sort`.
for key in white -black -eco; do
    ask /api/find sort "$key" limit 500 | jq '.games[].id' >got
    tabiya find games.db --sort "$key" --ids --limit 500 | cmp - got || fail "$key: not as find --sort has it"
done
# To the end of the list, and beyond.
[ "$(ask /api/find sort -date offset 3050 | jq -c '[(.games | length), .more]')" = '[5,false]' ] || fail "the end of a sorted list"
[ "$(ask /api/find sort elo offset 4000000000 | jq -c .games)" = '[]' ] || fail "past the end of a sorted list"
for bad in 'sort=name' 'sort='; do
    [ "$(curl -sS -o /dev/null -w '%{http_code}' "$url/api/find?$bad")" = 400 ] || fail "$bad is accepted"
done
stop || fail "the server exits with $?"

# User-defined patterns come after the built-in ones.
printf '# mine\n\nlate-castling O-O\tWhite castles short\nlonely K \n' >own
serve games.db --patterns own
[ "$(ask /api/patterns | jq -c '.patterns[-2:] | map([.name, .query, .sentence])')" = '[["late-castling","O-O","White castles short"],["lonely","K","K"]]' ] ||
    fail "patterns of one's own: $(ask /api/patterns)"
stop || fail "the server exits with $?"
exit "$failed"
