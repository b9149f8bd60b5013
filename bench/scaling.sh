#!/bin/bash
# scaling.sh - the same games on 1, 2 and 4 servers of one machine, for docs/scaling.md:
#
#     bench/scaling.sh BUILD GAMES.pgn
#
# Prints a line for each number of shards: seconds of `tabiya import` on the coordinator, indexes included, milliseconds of
# questions to the coordinator, the start of the program included, and a checksum of the answers, which must be the same in
# every line. The shards are databases of one server, each with processes of its own.
set -eu
if [ -z "${PG_BUILD:-}" ]; then
    PG_OPTIONS="-c shared_buffers=512MB -c jit=off -c max_connections=200" exec "$(dirname "$0")/../test/postgres/cluster.sh" "$1" \
        "$(cd "$(dirname "$0")" && pwd)/scaling.sh" "$(realpath "$1")" "$(realpath "$2")"
fi
build=$1 games=$2
export PGOPTIONS="-c client_min_messages=warning"
url() { echo "postgresql:///$1?host=$PGHOST&user=postgres"; }
now() { date +%s%N; }
# ask COMMAND DATABASE ARGUMENTS - the median of five, in milliseconds; answers are added to the file `answers`
ask() {
    "$build/tabiya" "$1" "$(url "$2")" "${@:3}" >>"$PG_TEMP/answers"
    for _ in 1 2 3 4 5; do
        local began
        began=$(now)
        "$build/tabiya" "$1" "$(url "$2")" "${@:3}" >/dev/null
        echo $((($(now) - began) / 10000))
    done | sort -n | sed -n '3s/\(.*\)\(..\)$/\1.\2/p'
}
printf '%-7s %9s %12s %12s %12s %12s %12s %s\n' servers 'import s' 'opening ms' 'position ms' 'find ms' 'explore ms' 'elo.. ms' answers
for n in 1 2 4; do
    shards=()
    for i in $(seq "$n"); do
        createdb "s${n}_$i"
        shards+=("$(url "s${n}_$i")")
    done
    createdb "c$n"
    "$build/tabiya" shard init "$(url "c$n")" "${shards[@]}" >/dev/null
    began=$(now)
    "$build/tabiya" import "$(url "c$n")" "$games" >/dev/null
    took=$((($(now) - began) / 10000000))
    : >"$PG_TEMP/answers"
    opening=$(ask find "c$n" --count 'opening "1. e4 c5 2. Nf3"')
    position=$(ask find "c$n" --count 'fen "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq d6 0 3"')
    first=$(ask find "c$n" --limit 20 'result 0-1')
    explore=$(ask explore "c$n")
    strong=$(ask explore "c$n" --query 'elo 2400..')
    printf '%-7s %6d.%02d %12s %12s %12s %12s %12s %s\n' "$n" $((took / 100)) $((took % 100)) "$opening" "$position" "$first" "$explore" "$strong" "$(md5sum <"$PG_TEMP/answers" | cut -c1-8)"
    dropdb "c$n"
    for i in $(seq "$n"); do dropdb "s${n}_$i"; done
done
