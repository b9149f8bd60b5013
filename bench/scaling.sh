#!/bin/bash
# scaling.sh - the same games in one database and on 1, 2 and 4 servers of one machine, for docs/scaling.md:
#
#     bench/scaling.sh BUILD GAMES.pgn [PLIES]
#
# A line for one database without a coordinator, then one for each number of shards, each a server of its own: seconds of
# `tabiya import`, indexes (positions to half-move PLIES, 20 unless given) and move statistics included, and of its first part
# alone, without them; milliseconds of questions, the start of the program included, the best of seven; and a checksum of the
# answers, which must be the same in every line.
set -eu
if [ -z "${PG_BUILD:-}" ]; then
    PG_OPTIONS="-c shared_buffers=512MB -c jit=off -c max_connections=200" exec "$(dirname "$0")/../test/postgres/cluster.sh" "$1" \
        "$(cd "$(dirname "$0")" && pwd)/scaling.sh" "$(realpath "$1")" "$(realpath "$2")" "${3:-20}"
fi
build=$1 games=$2 plies=$3
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
# ask COMMAND URL ARGUMENTS - milliseconds; answers are added to the file `answers`
ask() {
    "$build/tabiya" "$@" >>"$PG_TEMP/answers"
    for _ in 1 2 3 4 5 6 7; do
        local began
        began=$(now)
        "$build/tabiya" "$@" >/dev/null
        echo $((($(now) - began) / 100000))
    done | sort -n | sed -n '1s/\(.*\)\(.\)$/\1.\2/p'
}
# measure NAME URL-OF-A URL-OF-B - imports into both, the first without indexes, and asks the second
measure() {
    local load index opening position first explore strong scan
    load=$(seconds "$build/tabiya" import --index-plies none "$2" "$games")
    index=$(seconds "$build/tabiya" import --index-plies "$plies" "$3" "$games")
    : >"$PG_TEMP/answers"
    opening=$(ask find "$3" --count 'opening "1. e4 c5 2. Nf3"')
    position=$(ask find "$3" --count 'fen "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq d6 0 3"')
    first=$(ask find "$3" --limit 20 'result 0-1')
    explore=$(ask explore "$3")
    strong=$(ask explore "$3" --query 'elo 2400..')
    scan=$(ask explore "$3" --query 'result 1-0')
    printf '%-8s %9s %9s %11s %11s %9s %10s %10s %10s %s\n' "$1" "$load" "$index" "$opening" "$position" "$first" "$explore" "$strong" "$scan" "$(md5sum <"$PG_TEMP/answers" | cut -c1-8)"
}
server() {
    as_server mkdir "$PG_TEMP/socket$1"
    as_server initdb -D "$PG_TEMP/data$1" -U postgres --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null 2>&1
    as_server pg_ctl -D "$PG_TEMP/data$1" -l "$PG_TEMP/log$1" -w -o "-c listen_addresses='' -c fsync=off -c max_wal_size=4GB -c jit=off -c shared_buffers=256MB -c unix_socket_directories='$PG_TEMP/socket$1'" start >/dev/null
}
stop_all() { for i in 1 2 3 4; do [ ! -e "$PG_TEMP/data$i/postmaster.pid" ] || as_server pg_ctl -D "$PG_TEMP/data$i" -m immediate -w stop >/dev/null; done; }
trap stop_all EXIT
for i in 1 2 3 4; do server "$i"; done
printf '%-8s %9s %9s %11s %11s %9s %10s %10s %10s %s\n' shards 'load s' 'all s' 'opening ms' 'position ms' 'first ms' 'explore ms' 'elo ms' 'scan ms' answers
createdb bare && createdb one
measure none "$(url bare)" "$(url one)"
dropdb bare && dropdb one
for n in 1 2 4; do
    for kind in bare full; do
        shards=()
        for i in $(seq "$n"); do
            createdb -h "$PG_TEMP/socket$i" "$kind$n"
            shards+=("$(url "$kind$n" "$PG_TEMP/socket$i")")
        done
        createdb "$kind$n"
        "$build/tabiya" shard init "$(url "$kind$n")" "${shards[@]}" >/dev/null
    done
    measure "$n" "$(url "bare$n")" "$(url "full$n")"
    for i in $(seq "$n"); do for kind in bare full; do dropdb -h "$PG_TEMP/socket$i" "$kind$n"; done; done
done
