#!/bin/bash
# scaling.sh - the same games in one database and on 1, 2 and 4 servers of one machine, for docs/scaling.md:
#
#     bench/scaling.sh BUILD GAMES.pgn [PLIES]
#
# Prints three lines for one database without a coordinator, and for each number of shards, each on a separate server:
#
#     seconds of `tabiya import`, with indexes (positions to half-move PLIES, default: 20) and move statistics, and without
#     milliseconds per query: the best of seven runs of the program, including start and connections; the best of 21 with
#     `tabiya serve`, which stays connected; and in one session of psql, through the coordinator's foreign tables
#     a checksum of the answers of the first two, which must be the same in every line
#
# Then sends over a thousand requests (test/postgres/make_questions.sh) to `tabiya serve` on the one database and on
# four shards: prints whether the answers are the same byte for byte, and the total milliseconds of each kind.
set -eu
if [ -z "${PG_BUILD:-}" ]; then
    PG_OPTIONS="-c shared_buffers=512MB -c jit=off -c max_connections=200" exec "$(dirname "$0")/../test/postgres/cluster.sh" "$1" \
        "$(cd "$(dirname "$0")" && pwd)/scaling.sh" "$(realpath "$1")" "$(realpath "$2")" "${3:-20}"
fi
build=$1 games=$2 plies=$3
here=$(cd "$(dirname "$0")" && pwd)
export PGOPTIONS="-c client_min_messages=warning"
now() { date +%s%N; }
url() { echo "postgresql:///$1?host=${2:-$PGHOST}&user=postgres"; }
# seconds COMMAND...
seconds() {
    local began
    began=$(now)
    "$@" >/dev/null
    printf '%d.%02d' $((($(now) - began) / 1000000000)) $((($(now) - began) / 10000000 % 100))
}
# ask COMMAND URL ARGUMENTS - prints milliseconds; answers are appended to the file `answers`
ask() {
    "$build/tabiya" "$@" >>"$PG_TEMP/answers"
    for _ in 1 2 3 4 5 6 7; do
        local began
        began=$(now)
        "$build/tabiya" "$@" >/dev/null
        echo $((($(now) - began) / 100000))
    done | sort -n | sed -n '1s/\(.*\)\(.\)$/\1.\2/p'
}
opening='opening "1. e4 c5 2. Nf3"'
position='fen "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq d6 0 3"'
line='%-12s %9s %9s %11s %11s %9s %10s %10s %10s %s\n'
checksum() { md5sum <"$PG_TEMP/answers" | cut -c1-8; }
# kept NAME=VALUE... - milliseconds of a request to the server at $address; a different move number makes the position
# new to it
kept() {
    local path=$1 parameters=() i query
    shift
    for i in "$@"; do parameters+=("$(jq -rn --arg s "$i" '$s | split("=") | .[0] + "=" + (.[1:] | join("=") | @uri)')"); done
    query=$(IFS='&' && echo "${parameters[*]}")
    for i in $(seq 21); do echo "url = \"${address}api/$path?${query//NUMBER/$i}\""; done >"$PG_TEMP/list"
    curl -sS -K "$PG_TEMP/list" -w '\n@%{time_total}\n' >"$PG_TEMP/got"
    sed -n '/^@/!p; /^@/q' "$PG_TEMP/got" | sed 's/ NUMBER//' >>"$PG_TEMP/answers"
    sed -n 's/^@//p' "$PG_TEMP/got" | sort -n | awk 'NR == 1 { printf "%.1f", $1 * 1000 }'
}
# in_session DATABASE SQL - milliseconds in a psql session that has run queries before
in_session() {
    { printf '%s\n' '\timing'; for _ in $(seq 21); do echo "$2;"; done; } | psql -X -q -At -d "$1" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' |
        sort -n | awk 'NR == 1 { printf "%.1f", $1 }'
}
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 NUMBER'
measure_kept() {
    local pid address='' a b c d e f
    "$build/tabiya" serve "$2" --port 0 >"$PG_TEMP/address" 2>/dev/null &
    pid=$!
    while [ -z "$address" ]; do sleep 0.1 && address=$(cat "$PG_TEMP/address"); done
    : >"$PG_TEMP/answers"
    a=$(kept find "q=$opening" count=1)
    b=$(kept find "q=$position" count=1)
    c=$(kept find 'q=result 0-1' limit=20)
    d=$(kept explore "fen=$start")
    e=$(kept explore "fen=$start" 'q=elo 2400..')
    f=$(kept explore "fen=$start" 'q=result 1-0')
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    # shellcheck disable=SC2059
    printf "$line" "$1, kept" '' '' "$a" "$b" "$c" "$d" "$e" "$f" "$(checksum)"
}
# SQL queries, for a coordinator and for one database.
measure_session() {
    local where a b c d counted='SELECT count(*) FROM tabiya.game g' grouped='' explore
    [ "$1" = none ] || counted='SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM tabiya.game g' grouped=' GROUP BY shard) AS x'
    a=$(in_session "$2" "$counted WHERE hasOpening(moves, '1. e4 c5 2. Nf3')$grouped")
    b=$(in_session "$2" "$counted WHERE hasPosition(moves, 'rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq d6 0 3'::chessboard)$grouped")
    c=$(in_session "$2" "SELECT id, white, black FROM tabiya.game WHERE result = '0-1' ORDER BY id LIMIT 20")
    where='SELECT uci, sum(games), sum(white), sum(draws), sum(black) FROM'
    explore="$where tabiya.game_played WHERE position = positionKey(getBoard('')) GROUP BY uci"
    [ "$1" = none ] || explore="$where (SELECT shard, uci, sum(games) AS games, sum(white) AS white, sum(draws) AS draws, sum(black) AS black
        FROM tabiya.game_played WHERE position = positionKey(getBoard('')) GROUP BY shard, uci) AS x GROUP BY uci"
    d=$(in_session "$2" "$explore")
    # shellcheck disable=SC2059
    printf "$line" "$1, session" '' '' "$a" "$b" "$c" "$d" '' '' ''
}
# measure NAME URL-OF-A URL-OF-B DATABASE-OF-B - imports into both, into the first without indexes, and queries the
# second
measure() {
    local load index a b c d e f
    load=$(seconds "$build/tabiya" import --index-plies none "$2" "$games")
    index=$(seconds "$build/tabiya" import --index-plies "$plies" "$3" "$games")
    : >"$PG_TEMP/answers"
    a=$(ask find "$3" --count "$opening")
    b=$(ask find "$3" --count "$position")
    c=$(ask find "$3" --limit 20 'result 0-1')
    d=$(ask explore "$3")
    e=$(ask explore "$3" --query 'elo 2400..')
    f=$(ask explore "$3" --query 'result 1-0')
    # shellcheck disable=SC2059
    printf "$line" "$1" "$load" "$index" "$a" "$b" "$c" "$d" "$e" "$f" "$(checksum)"
    measure_kept "$1" "$3"
    measure_session "$1" "$4"
}
# asked NAME URL - sends a thousand requests: NAME.answers, and NAME.times with kind and seconds. They are sent to two
# servers, one after the other: the first warms up the databases, the second has an empty cache.
asked() {
    local pid address kinds
    kinds=$(awk -F '\t' '{ kind = $1; for (i = 2; i < NF; i += 2) kind = kind " " $i; print kind }' "$PG_TEMP/questions")
    for _ in 1 2; do
        "$build/tabiya" serve "$2" --port 0 >"$PG_TEMP/address" 2>/dev/null &
        pid=$!
        address=''
        while [ -z "$address" ]; do sleep 0.1 && address=$(cat "$PG_TEMP/address"); done
        "$here/../test/postgres/question_urls.sh" "$address" <"$PG_TEMP/questions" >"$PG_TEMP/list"
        curl -sS -K "$PG_TEMP/list" -w '\n@%{time_total}\n' >"$PG_TEMP/got"
        kill "$pid"
        wait "$pid" 2>/dev/null || true
    done
    sed '/^@/d; s/"index_runs":[0-9]*\|"file_size":[0-9]*//g' "$PG_TEMP/got" >"$PG_TEMP/$1.answers"
    sed -n 's/^@//p' "$PG_TEMP/got" | paste -d '\t' <(echo "$kinds") - >"$PG_TEMP/$1.times"
}
# thousand DATABASE URL-OF-ONE URL-OF-FOUR
thousand() {
    "$here/../test/postgres/make_questions.sh" "$1" "$here/.." >"$PG_TEMP/questions"
    asked one "$2"
    asked four "$3"
    echo
    cmp -s "$PG_TEMP/one.answers" "$PG_TEMP/four.answers" && echo "$(wc -l <"$PG_TEMP/questions") questions, all answers the same" ||
        echo "answers differ: $(diff "$PG_TEMP/one.answers" "$PG_TEMP/four.answers" | grep -c '^<')"
    paste "$PG_TEMP/one.times" "$PG_TEMP/four.times" | awk -F '\t' '
        function line(kind) { printf "%-24s %5d %10.1f %10.1f %6.2f\n", kind, n[kind], one[kind], four[kind], four[kind] / one[kind] }
        function add(kind) { n[kind]++; one[kind] += 1000 * $2; four[kind] += 1000 * $4 }
        BEGIN { printf "%-24s %5s %10s %10s %6s\n", "kind", "n", "one ms", "four ms", "ratio" }
        { if (!($1 in n)) kinds[++n_kinds] = $1; add($1); add("all") }
        END { for (i = 1; i <= n_kinds; i++) line(kinds[i]); line("all") }'
}
server() {
    as_server mkdir "$PG_TEMP/socket$1"
    cp -a "$PG_EMPTY" "$PG_TEMP/data$1"
    as_server pg_ctl -D "$PG_TEMP/data$1" -l "$PG_TEMP/log$1" -w -o "-c listen_addresses='' -c fsync=off -c max_wal_size=4GB -c jit=off -c shared_buffers=256MB -c unix_socket_directories='$PG_TEMP/socket$1'" start >/dev/null
}
stop_all() { for i in 1 2 3 4; do [ ! -e "$PG_TEMP/data$i/postmaster.pid" ] || as_server pg_ctl -D "$PG_TEMP/data$i" -m immediate -w stop >/dev/null; done; }
trap stop_all EXIT
for i in 1 2 3 4; do server "$i"; done
# shellcheck disable=SC2059
printf "$line" shards 'load s' 'all s' 'opening ms' 'position ms' 'first ms' 'explore ms' 'elo ms' 'scan ms' answers
createdb bare && createdb one
measure none "$(url bare)" "$(url one)" one
dropdb bare
for n in 1 2 4; do
    for kind in bare full; do
        shards=()
        for i in $(seq "$n"); do
            createdb -h "$PG_TEMP/socket$i" "$kind$n"
            shards+=("$(url "$kind$n" "$PG_TEMP/socket$i")")
        done
        createdb "$kind$n"
        "$build/tabiya" cluster init "$(url "$kind$n")" "${shards[@]}" >/dev/null
    done
    measure "$n" "$(url "bare$n")" "$(url "full$n")" "full$n"
    [ "$n" != 4 ] || thousand one "$(url one)" "$(url full4)"
    for i in $(seq "$n"); do for kind in bare full; do dropdb -h "$PG_TEMP/socket$i" "$kind$n"; done; done
done
