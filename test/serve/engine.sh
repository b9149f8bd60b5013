#!/bin/bash
# engine.sh - analysis by an engine that only counts material: test/serve/engine.sh PROGRAM
. "$(dirname "$0")/server.sh"
fake=$here/fake-engine.sh

# children - how many engines the server is running.
children() { pgrep -c -P "$server"; }
# gone - waits until there are none.
gone() {
    for _ in $(seq 60); do
        [ "$(children)" != 0 ] || return 0
        sleep 0.05
    done
    return 1
}
code() { curl -sS -o body -w '%{http_code}' "$@"; }

for program in nothing-of-this-name true; do
    tabiya serve --engine "$program" --port 0 >/dev/null 2>errors && fail "$program is accepted as an engine"
    grep -q "serve: $program" errors || fail "$program: $(cat errors)"
done

serve
[ "$(code "$url/api/analyse")" = 404 ] || fail "an engine where there is none"
[ "$(curl -sS "$url/api" | jq .engine)" = null ] || fail "an engine where there is none"
stop || fail "the server exits with $?"

# This engine asks tabiya for its moves, which takes terabytes of address space in a build with sanitizers.
export ENGINE_LOG=$work/engine.log
serve --engine "$fake" --engine-seconds 2 --engine-memory 33554432
[ "$(curl -sS "$url/api" | jq -r .engine)" = "Fake 1.0" ] || fail "the engine has no name"
curl -sSN -D head "$url/api/analyse?moves=1.+e4+e5&lines=2&depth=3" >events
grep -qi '^content-type: text/event-stream' head || fail "no stream of events: $(cat head)"
[ "$(grep '^event' events | tail -1)" = "event: done" ] || fail "no end: $(cat events)"
grep '^data' events | tail -2 | head -1 | cut -d' ' -f2- >last
[ "$(jq -c '[.depth, (.lines | length), .lines[0].cp, .lines[1].cp, .lines[0].uci, .lines[0].san]' last)" = '[3,2,0,-1,["a2a4"],["a4"]]' ] ||
    fail "lines: $(cat last)"
# Evaluations are from White's point of view, whichever side is to move.
curl -sSN "$url/api/analyse?fen=4k3/8/8/8/8/8/8/3QK3+b+-+-+0+1&depth=3" | grep '^data' | head -1 | grep -q '"cp":900,' || fail "the sign of a score"
[ "$(code "$url/api/analyse?fen=7k/5KQ1/8/8/8/8/8/8+b+-+-+0+1")" = 400 ] || fail "a game that is over"
[ "$(code "$url/api/analyse?seconds=3")" = 400 ] || fail "more time than there is"
[ "$(code "$url/api/analyse?lines=9")" = 400 ] || fail "more lines than there are"

# A whole game: the output equals that of `annotate`, and every evaluation is sent as it arrives.
printf '[White "A"]\n[Black "B"]\n\n1. e4 {[%%eval 0.9] a comment} e5 (1... c5) 2. Ba6 Nxa6 *\n' >game.pgn
curl -sSN --data-binary @game.pgn "$url/api/annotate?depth=3" >events
tabiya annotate --engine "$fake" --depth 3 game.pgn >wanted.pgn
grep '^data' events | tail -1 | cut -d' ' -f2- | jq -r .pgn >got.pgn
cmp <(cat wanted.pgn) <(head -c -1 got.pgn) || fail "the game: $(cat events)"
[ "$(grep -A1 '^event: evaluation' events | grep '^data' | cut -d' ' -f2- | jq -c '[.ply, .of, .cp]' | tr -d '\n')" = '[0,4,0][1,4,0][2,4,0][3,4,0][4,4,-300]' ] ||
    fail "evaluations: $(cat events)"
[ "$(code --data-binary '1. e4 e5 2. Ke3 *' "$url/api/annotate")" = 400 ] || fail "an illegal game: $(cat body)"
[ "$(code --data-binary '' "$url/api/annotate")" = 400 ] || fail "no game: $(cat body)"
[ "$(code --data-binary @game.pgn "$url/api/annotate?time=2001")" = 400 ] || fail "more time than there is"
[ "$(code --data-binary @game.pgn "$url/api/annotate?threads=2")" = 400 ] || fail "annotate: more threads than there are"
[ "$(code "$url/api/analyse?threads=2&depth=1")" = 400 ] || fail "analyse: more threads than there are"
[ "$(curl -sS "$url/api" | jq .engine_threads)" = 1 ] || fail "the number of threads"
gone || fail "engines stay"

# Without a depth, the engine is stopped when its time is up; this one never ends by itself.
curl -sSN "$url/api/analyse?seconds=1" >events
grep -q 'event: done' events || fail "not stopped: $(cat events)"
[ "$(grep -cx 'go infinite\|stop' "$ENGINE_LOG")" = 2 ] || fail "without a depth: $(cat "$ENGINE_LOG")"
gone || fail "engines stay"

# Two at a time; they end with their connections.
curl -sSN "$url/api/analyse" >/dev/null 2>&1 &
first=$!
curl -sSN "$url/api/analyse" >/dev/null 2>&1 &
second=$!
for _ in $(seq 60); do [ "$(children)" = 2 ] && break; sleep 0.05; done
[ "$(code "$url/api/analyse")" = 503 ] || fail "a third engine"
kill $first $second
wait $first $second 2>/dev/null
gone || fail "engines outlive their pages"
stop || fail "the server exits with $?"

export ENGINE_MODE=dies
serve --engine "$fake"
curl -sSN "$url/api/analyse" | grep -q 'event: error' || fail "an engine that dies"
curl -sSN --data-binary '1. e4 *' "$url/api/annotate" | grep -q 'event: error' || fail "an engine that dies during a game"
gone || fail "engines stay"
stop || fail "the server exits with $?"

# The system enforces the engine's memory limit.
export ENGINE_MODE=limit
serve --engine "$fake" --engine-hash 16
[ "$(curl -sS "$url/api" | jq -r .engine)" = $((1040 * 1024)) ] || fail "no limit of memory: $(curl -sS "$url/api")"
stop || fail "the server exits with $?"
export ENGINE_MODE=greedy
serve --engine "$fake" --engine-memory 100
curl -sSN "$url/api/analyse" | grep -q 'event: error' || fail "an engine that takes more memory than it may"
gone || fail "engines stay"
stop || fail "the server exits with $?"

export ENGINE_MODE=junk
serve --engine "$fake"
curl -sSN "$url/api/analyse?depth=3" | grep '^data' | cut -d' ' -f2- | jq -e . >/dev/null || fail "junk is passed on"
# A server that ends also ends its engines.
curl -sSN "$url/api/analyse" >/dev/null 2>&1 &
for _ in $(seq 60); do [ "$(children)" = 1 ] && break; sleep 0.05; done
engine=$(pgrep -P "$server")
stop || fail "the server exits with $?"
wait
kill -0 "$engine" 2>/dev/null && fail "an engine outlives the server"
! complaints || fail "the server wrote to stderr"
exit "$failed"
