#!/bin/bash
# write.sh - serve --write: who may change the database, and what changes do: test/serve/write.sh PROGRAM
. "$(dirname "$0")/server.sh"

tabiya import games.db "$samples/famous.pgn" >/dev/null || exit 1
game=$'[Event "New"]\n[White "Me"]\n[Black "You"]\n[Result "1-0"]\n\n1. e4 e5 {mine} 2. Ke2 1-0'

# refused SENTENCE OPTION...
refused() {
    local sentence=$1
    shift
    tabiya serve "$@" --port 0 >out 2>errors && fail "serve $* starts"
    grep -qF -- "$sentence" errors || fail "serve $*: $(cat errors)"
    [ ! -s out ] || fail "serve $* prints $(cat out)"
}
refused '--write needs an address of this machine alone' games.db --write --bind 0.0.0.0
refused '--write needs an address of this machine alone' games.db --write --bind ::
refused '--write cannot be used with --behind-proxy' games.db --write --behind-proxy
refused '--write needs a database' --write

# send METHOD PATH [OPTION]... - the status; the body is in the file body
send() {
    local method=$1 path=$2
    shift 2
    curl -sS -o body -w '%{http_code}' -X "$method" "$@" "$url$path"
}
# is GOT WANTED WHAT
is() { [ "$1" = "$2" ] || fail "$3: $1, not $2: $(cat body)"; }

# ---- Without --write nothing changes
before=$(sha256sum <games.db)
serve games.db
is "$(send GET /api)" 200 'the site'
grep -q writes body && fail "a server that does not write says that it does"
for request in 'POST /api/games' 'PUT /api/games/3' 'DELETE /api/games/3' 'POST /api/collections/x?ids=1' 'DELETE /api/collections/x'; do
    # shellcheck disable=SC2086
    is "$(send $request --data-binary "$game" -H 'X-Tabiya-Token: x')" 403 "$request without --write"
done
is "$(send GET /api/collections)" 200 'collections are listed'
is "$(cat body)" '{"collections":[]}' 'there are none'
is "$(send GET /api/games)" 405 'GET of games'
stop || fail "the server exits with $?"
is "$(sha256sum <games.db)" "$before" 'the file'

# ---- Who may
serve games.db --write --log access.log
token=${url##*token=} url=${url%/\?token=*}
[[ $token =~ ^[0-9a-f]{32}$ ]] || fail "the token: $token"
port=${url##*:}
is "$(send GET /api)" 200 'the site'
grep -q '"writes":true' body || fail "the site does not say that it writes"
own=(-H "X-Tabiya-Token: $token")
is "$(send POST /api/games --data-binary "$game")" 403 'no token'
is "$(send POST /api/games --data-binary "$game" -H "X-Tabiya-Token: ${token%?}")" 403 'a short token'
is "$(send POST /api/games --data-binary "$game" -H "X-Tabiya-Token: ${token%?}g")" 403 'a wrong token'
is "$(send POST /api/games --data-binary "$game" -H "X-Tabiya-Token: ${token}0")" 403 'a long token'
is "$(send POST "/api/games?token=$token" --data-binary "$game")" 403 'a token in the address'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" "${own[@]}")" 400 'two tokens'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H 'Origin: http://evil.example')" 403 'another origin'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H 'Origin: null')" 403 'the origin null'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H "Origin: https://127.0.0.1:$port")" 403 'another scheme'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H "Origin: http://127.0.0.1:1")" 403 'another port'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H "Host: evil.example:$port")" 403 'another host'
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H "Host: evil.example:$port" -H "Origin: http://evil.example:$port")" 403 'a rebound name'
is "$(send GET /api/games "${own[@]}")" 405 'GET of games'
is "$(send POST /api/games/3 "${own[@]}")" 405 'POST of a game'
is "$(send OPTIONS /api/games -H 'Origin: http://evil.example')" 405 'a preflight'
is "$(tabiya find games.db --count)" 58 'nothing was stored'

# ---- The token never appears in the log
is "$(send GET "/?token=$token&x=1")" 200 'the page'
grep -q "$token" access.log && fail "the log has the token"
grep -qF 'GET /?token=***&x=1 HTTP' access.log || fail "the log: $(tail -n 1 access.log)"

# ---- Games
is "$(send POST /api/games --data-binary "$game" "${own[@]}" -H "Origin: http://127.0.0.1:$port")" 201 'a game is saved'
is "$(cat body)" '{"id":59}' 'its number'
is "$(send POST /api/games --data-binary "$game" "${own[@]}")" 409 'the same again'
is "$(send POST /api/games --data-binary "$game $game" "${own[@]}")" 400 'two games'
is "$(send POST /api/games --data-binary '' "${own[@]}")" 400 'no game'
is "$(send POST /api/games --data-binary '1. e4 e5 2. Ke3 *' "${own[@]}")" 400 'an illegal move'
grep -q 'illegal move' body || fail "no reason: $(cat body)"
is "$(send PUT /api/games/59 --data-binary "${game//New/Changed}" "${own[@]}")" 200 'a game is replaced'
is "$(cat body)" '{"id":60}' 'its new number'
is "$(send GET '/api/game?id=60')" 200 'the new game'
grep -q 'Event "Changed"' body && grep -q '{mine}' body || fail "it is another: $(cat body)"
is "$(send GET '/api/game?id=59')" 404 'the old game'
is "$(send PUT /api/games/60 --data-binary "${game//New/Changed}" "${own[@]}")" 200 'nothing changes'
is "$(cat body)" '{"id":60}' 'the number stays'
is "$(send PUT /api/games/777 --data-binary "$game" "${own[@]}")" 404 'a game that does not exist'
is "$(send PUT /api/games/x --data-binary "$game" "${own[@]}")" 400 'no number'

# ---- Collections, and undoing
is "$(send POST '/api/collections/My%20games?ids=60,3,4' "${own[@]}")" 200 'games are collected'
is "$(cat body)" '{"name":"My games","changed":3}' 'how many'
is "$(send POST '/api/collections/My%20games?q=player+morphy' "${own[@]}")" 200 'games are collected by a query'
is "$(send POST '/api/collections/My%20games' "${own[@]}")" 400 'no games are named'
is "$(send POST '/api/collections/x?ids=1,y' "${own[@]}")" 400 'no number'
is "$(send DELETE /api/games/60 "${own[@]}")" 200 'a game is deleted'
jq -j .pgn body >deleted.pgn
is "$(jq -c '[.id,.collections]' body)" '[60,["My games"]]' 'what is needed to undo it'
is "$(send DELETE /api/games/60 "${own[@]}")" 404 'it is gone'
is "$(send POST /api/games --data-binary @deleted.pgn "${own[@]}")" 201 'it is saved again'
is "$(cat body)" '{"id":61}' 'its number'
is "$(send GET '/api/game?id=61')" 200 'the game that was restored'
cmp -s body deleted.pgn || fail "it is another: $(diff body deleted.pgn)"
is "$(send DELETE '/api/collections/My%20games?ids=3' "${own[@]}")" 200 'a game is removed'
is "$(send GET '/api/collections?game=4')" 200 'the collections of a game'
is "$(jq -r '.collections[].name' body)" 'My games' 'which are'
is "$(send DELETE '/api/collections/My%20games' "${own[@]}")" 200 'a collection is deleted'
is "$(send GET /api/collections)" 200 'the list'
is "$(cat body)" '{"collections":[]}' 'it is empty'

# ---- A server that is killed while writing loses nothing
for i in 1 2 3 4 5 6 7 8; do
    send PUT "/api/games/$((60 + i))" --data-binary "${game//New/Number $i}" "${own[@]}" >/dev/null 2>&1
done
send PUT /api/games/69 --data-binary "${game//New/Killed}" "${own[@]}" >/dev/null 2>&1 &
kill -KILL "$server"
wait 2>/dev/null
server=
is "$(tabiya verify games.db | tail -n 1 | sed 's/^[0-9]* games/games/')" 'games, 0 faults' 'the file after a kill'
n=$(tabiya find games.db --count 'event "Number 8" or event Killed')
[ "$n" -ge 1 ] || fail "a game was lost"
exit "$failed"
