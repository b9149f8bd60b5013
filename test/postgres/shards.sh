#!/bin/bash
# shards.sh - games on three shards and a coordinator, beside a server (cluster.sh): the coordinator's answers are those of one
# database with the same games, and only answers travel. The last line is "N passed, N failed".
set -u
tabiya=$PG_BUILD/tabiya
root=$PWD
work=$PG_TEMP/shards
mkdir -p "$work"
cd "$work" || exit 1
export PGOPTIONS='-c client_min_messages=warning'
url() { echo "postgresql:///$1?host=$PGHOST&user=postgres"; }
sql() { psql -X -q -At -v ON_ERROR_STOP=1 -d "$1" -c "$2"; }
passed=0 failed=0
is() {
    if [ "$1" = "$2" ]; then passed=$((passed + 1)); else
        echo "FAILED: $3: ${1:0:300}, not ${2:0:300}"
        failed=$((failed + 1))
    fi
}

# ---- Three parts of the games, on a shard each, and all of them in one database

for name in one shard1 shard2 shard3 coordinator; do createdb "$name"; done
sql one 'CREATE EXTENSION tabiya'
shards="ARRAY['host=$PGHOST dbname=shard1', 'host=$PGHOST dbname=shard2', 'dbname=shard3 host=''$PGHOST''']"
for n in 1 2 3; do
    sql one "SELECT sql FROM shardSql($shards, 'postgres') WHERE server LIKE '%dbname=shard$n%'" >"shard$n.sql"
    psql -X -q -v ON_ERROR_STOP=1 -d "shard$n" -f "shard$n.sql" >/dev/null || exit 1
    "$tabiya" convert --to pgn --games "$((n * 1000 - 999))..$((n * 1000))" "$root/examples/selfplay.pgn" >"part$n.pgn" || exit 1
    [ "$n" -gt 1 ] || cat "$root/examples/famous.pgn" >>part1.pgn
    "$tabiya" import "$(url "shard$n")" "part$n.pgn" >report 2>&1 || { cat report; exit 1; }
    sql "shard$n" "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date'); SELECT tabiya.game_played_refresh(100)" >/dev/null
done
sql one "SELECT sql FROM shardSql($shards, 'postgres') WHERE server = 'coordinator'" >coordinator.sql
psql -X -q -v ON_ERROR_STOP=1 -d coordinator -f coordinator.sql >/dev/null || exit 1
"$tabiya" import "$(url one)" part1.pgn part2.pgn part3.pgn >report 2>&1 || { cat report; exit 1; }
is "$(sql one "SELECT count(*) FROM shardSql('{nonsense}')" 2>&1 | grep -c 'has no options of a connection')" 1 'a shard without a connection'

# ---- The same answers

for condition in '' '--player *morphy*' '--result 1/2-1/2' '--date ..1900' '--plies ..30' '--opening 1.e4,c5' \
    '--board rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR' '--eco C..'; do
    # shellcheck disable=SC2086
    is "$("$tabiya" find "$(url coordinator)" --count $condition 2>&1)" "$("$tabiya" find "$(url one)" --count $condition 2>&1)" "find --count $condition"
    # shellcheck disable=SC2086
    is "$("$tabiya" find "$(url coordinator)" --pgn $condition 2>&1 | md5sum)" "$("$tabiya" find "$(url one)" --pgn $condition 2>&1 | md5sum)" "find --pgn $condition"
done
for line in '' '1. e4' '1. e4 c5 2. Nf3' '1. d4 Nf6' '1. a3'; do
    # shellcheck disable=SC2086
    is "$("$tabiya" explore "$(url coordinator)" $line 2>&1)" "$("$tabiya" explore "$(url one)" $line 2>&1)" "explore $line"
done
is "$("$tabiya" export "$(url coordinator)" 2>&1 | md5sum)" "$("$tabiya" export "$(url one)" 2>&1 | md5sum)" 'export'

# ---- Only answers travel

plan() { sql coordinator "EXPLAIN (VERBOSE, COSTS OFF) $1"; }
moves="SELECT mergeMoves(list, getBoard('')) FROM (SELECT shard, nextMoves(moves, getBoard('')) AS list FROM tabiya.game GROUP BY shard) AS x"
is "$(plan "$moves" | grep -c 'Remote SQL: SELECT shard, public.nextmoves')" 3 'moves are counted on the shards'
is "$(sql coordinator "$moves")" "$(sql one "SELECT nextMoves(moves, getBoard('')) FROM tabiya.game")" 'moves'
is "$(plan "SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM tabiya.game WHERE hasBoard(moves, getBoard('1. e4')) GROUP BY shard) AS x" | grep -c 'Remote SQL: SELECT shard, count')" 3 'games are counted on the shards'
is "$(plan "SELECT * FROM tabiya.shards" | grep -c 'Remote SQL: SELECT shard, count')" 3 'the list of shards is counted there'
is "$(plan "SELECT id FROM tabiya.game WHERE hasOpening(moves, '1. e4')" | grep -c 'Async Foreign Scan')" 3 'all shards at the same time'
is "$(sql coordinator 'SELECT string_agg(games::text, chr(32) ORDER BY shard) FROM tabiya.shards')" "$(for n in 1 2 3; do sql "shard$n" 'SELECT count(*) FROM tabiya.game'; done | xargs)" 'games of each shard'
# The shard uses its index for what it is sent.
is "$(sql shard1 "SET enable_seqscan = off; EXPLAIN SELECT id FROM tabiya.game_of_shard WHERE moves OPERATOR(public.>=) '1. e4 *'::chessopening AND moves OPERATOR(public.<) 'openingEnd 1. e4 *'::chessopening" | grep -c game_moves)" 1 'index of a shard'

# ---- Deleting through the coordinator; a shard that is away

is "$(sql coordinator "WITH gone AS (DELETE FROM tabiya.game WHERE white LIKE 'Paul Morphy%' RETURNING 1) SELECT count(*) FROM gone")" \
    "$(sql one "WITH gone AS (DELETE FROM tabiya.game WHERE white LIKE 'Paul Morphy%' RETURNING 1) SELECT count(*) FROM gone")" 'deleted games'
is "$(sql coordinator "$moves")" "$(sql one "SELECT nextMoves(moves, getBoard('')) FROM tabiya.game")" 'moves after deleting'
is "$(sql shard1 "SELECT string_agg(uci || games || reached, ' ') FROM tabiya.game_explore(getBoard(''))")" \
    "$(sql shard1 "SELECT string_agg(uci || games || reached, ' ') FROM (SELECT nextMoves(moves, getBoard('')) AS list FROM tabiya.game) AS x, unnest(list)")" 'counts of a shard after deleting'
sql postgres 'ALTER DATABASE shard2 ALLOW_CONNECTIONS false'
is "$("$tabiya" find "$(url coordinator)" --count 2>&1 | grep -c 'could not connect to server "tabiya_shard_2"')" 1 'a shard that is away'
sql postgres 'ALTER DATABASE shard2 ALLOW_CONNECTIONS true'
is "$("$tabiya" find "$(url coordinator)" --count)" "$("$tabiya" find "$(url one)" --count)" 'a shard that is back'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
