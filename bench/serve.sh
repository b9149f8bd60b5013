#!/bin/bash
# wrk has one thread and 32 connections, and shares the processors with the server. `kept` requests a few positions
# again and again, `new` positions that were not requested before. Before measuring, each request is sent once, and its
# answer must equal that of the command line. Rows marked "as required" reach at least 10,000 requests per second with 99
# % under 20 ms.
set -u
program=$(realpath "$1")
seconds=${2:-4}
samples=$(realpath "$(dirname "$0")/../examples")
work=$(mktemp -d)
cd "$work" || exit 2
server=
trap '[ -z "$server" ] || kill "$server"; wait; rm -rf "$work"' EXIT

command -v wrk >/dev/null || { echo "wrk is not installed (tools/setup.sh bench)"; exit 0; }
"$program" import games.db "$samples"/*.pgn >/dev/null || exit 1
"$program" serve games.db --port 0 >address 2>errors &
server=$!
for _ in $(seq 100); do
    [ -s address ] && break
    sleep 0.05
done
url=$(sed 's,/$,,' address)
[ -n "$url" ] || { cat errors; exit 0; }

# The first two half-moves of a game, then random ones that differ from request to request.
cat >kept.lua <<'END'
local lines = {"", "e4", "e4+e5", "e4+c5", "d4", "d4+Nf6", "d4+d5+c4", "Nf3", "c4+e5", "e4+c5+Nf3+d6"}
local n = 0
request = function()
    n = n % #lines + 1
    return wrk.format("GET", "/api/explore?moves=" .. lines[n])
end
END
# Move counters are part of a request but do not affect its answer: a FEN with another move number is a new request.
cat >new.lua <<'END'
local boards = {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR+w+KQkq+-+0+", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR+w+KQkq+-+0+",
    "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR+w+KQkq+-+1+", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R+w+KQkq+-+2+"}
local n = 0
request = function()
    n = n + 1
    return wrk.format("GET", "/api/explore?fen=" .. boards[n % 4 + 1] .. (n % 60000 + 1))
end
END

check() {
    if [ "$(curl -sS "$url$1")" != "$2" ]; then
        echo "$1: not the answer of the command line"
        exit 1
    fi
}
check "/api/explore?moves=e4+c5" "$("$program" explore --json games.db e4 c5)"
check "/api/status" "$("$program" status --json)"
check "/api/convert?text=1.+e4+e5+2.+Nf3+Nc6+3.+Bb5+a6&to=uci" \
    '{"from":"san","to":{"uci":{"text":"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6","errors":[],"lost":[]}}}'

# measure LABEL WANTED PATH [WRK_OPTION]...
measure() {
    local label=$1 wanted=$2 path=$3
    shift 3
    wrk -t1 -c32 -d"$seconds" --latency "$@" "$url$path" >out || { cat out; exit 1; }
    awk -v label="$label" -v wanted="$wanted" '
        $1 == "50%" { half = $2 }
        $1 == "99%" { most = $2 }
        /Requests\/sec/ { rate = $2 }
        /Non-2xx|Socket errors/ { faults = faults " " $0 }
        END {
            ms = most ~ /us$/ ? most / 1000 : most ~ /ms$/ ? most + 0 : most * 1000
            printf "%-34s %9.0f/s   median %9s   p99 %9s%s%s\n", label, rate, half, most,
                   wanted ? (rate >= 10000 && ms < 20 ? "   as required" : "   NOT as required") : "", faults
        }' out
}
measure "explore, cached" 1 / -s kept.lua
measure "explore, new" "" / -s new.lua
measure "convert a line to fen" 1 "/api/convert?text=1.+e4+e5+2.+Nf3+Nc6+3.+Bb5+a6&to=fen"
measure "convert a FEN to base64" 1 "/api/convert?text=r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R+w+KQkq+-+0+4&to=base64"
measure "convert a line to all notations" "" "/api/convert?text=1.+e4+e5+2.+Nf3+Nc6+3.+Bb5+a6"
measure "status" "" "/api/status"
measure "find by player" "" "/api/find?player=Paul+Morphy&limit=10"
measure "game" "" "/api/game?id=10"
measure "the page" "" "/"
