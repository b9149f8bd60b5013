#!/bin/bash
# scaling.sh - the same games on 1, 2 and 4 servers of one machine, for docs/scaling.md:
#
#     bench/scaling.sh BUILD GAMES.pgn
#
# Prints a line for each number of shards: seconds of the import (all shards at once), milliseconds of questions to the
# coordinator, and a checksum of the answers, which must be the same in every line. The shards are databases of one server.
set -eu
if [ -z "${PG_BUILD:-}" ]; then
    PG_OPTIONS="-c shared_buffers=512MB -c jit=off -c max_connections=200" exec "$(dirname "$0")/../test/postgres/cluster.sh" "$1" \
        "$(cd "$(dirname "$0")" && pwd)/scaling.sh" "$(realpath "$1")" "$(realpath "$2")"
fi
build=$1 games=$2
export PGOPTIONS="-c client_min_messages=warning"
sql() { psql -X -q -At -v ON_ERROR_STOP=1 -d "$1" -c "$2"; }
url() { echo "postgresql:///$1?host=$PGHOST&user=postgres"; }
now() { date +%s%N; }
# ask DATABASE QUERY - the median of five, in milliseconds; answers are added to the file `answers`
ask() {
    sql "$1" "$2" >>"$PG_TEMP/answers"
    for _ in 1 2 3 4 5; do
        local began
        began=$(now)
        sql "$1" "$2" >/dev/null
        echo $((($(now) - began) / 10000))
    done | sort -n | sed -n '3s/\(.*\)\(..\)$/\1.\2/p'
}
sql postgres 'CREATE EXTENSION tabiya'
n_games=$("$build/tabiya" pgn "$games" 2>/dev/null | grep -c '^\[Event ')
printf '%-7s %9s %12s %12s %12s %s\n' shards 'import s' 'opening ms' 'position ms' 'explore ms' answers
for n in 1 2 4; do
    list=$(for i in $(seq "$n"); do printf "host=%s dbname=s%d_%d," "$PGHOST" "$n" "$i"; done)
    createdb "c$n"
    for i in $(seq "$n"); do
        createdb "s${n}_$i"
        sql postgres "SELECT sql FROM shardSql(string_to_array('${list%,}', ','), 'postgres') WHERE server LIKE '%s${n}_$i'" |
            psql -X -q -v ON_ERROR_STOP=1 -d "s${n}_$i" >/dev/null
        "$build/tabiya" convert --to pgn --games "$((n_games * (i - 1) / n + 1))..$((n_games * i / n))" "$games" >"$PG_TEMP/part$i.pgn"
    done
    sql postgres "SELECT sql FROM shardSql(string_to_array('${list%,}', ','), 'postgres') WHERE server = 'coordinator'" |
        psql -X -q -v ON_ERROR_STOP=1 -d "c$n" >/dev/null
    began=$(now)
    for i in $(seq "$n"); do "$build/tabiya" import "$(url "s${n}_$i")" "$PG_TEMP/part$i.pgn" >/dev/null & done
    wait
    took=$((($(now) - began) / 10000000))
    : >"$PG_TEMP/answers"
    count="SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM tabiya.game WHERE CONDITION GROUP BY shard) AS x"
    opening=$(ask "c$n" "${count/CONDITION/"hasOpening(moves, '1. e4 c5 2. Nf3')"}")
    position=$(ask "c$n" "${count/CONDITION/"hasPosition(moves, getBoard('1. e4 e6 2. d4 d5'))"}")
    explore=$(ask "c$n" "SELECT mergeMoves(list, getBoard('')) FROM (SELECT shard, nextMoves(moves, getBoard('')) AS list FROM tabiya.game GROUP BY shard) AS x")
    printf '%-7s %6d.%02d %12s %12s %12s %s\n' "$n" $((took / 100)) $((took % 100)) "$opening" "$position" "$explore" "$(md5sum <"$PG_TEMP/answers" | cut -c1-8)"
    for i in $(seq "$n"); do dropdb "s${n}_$i"; done
done
