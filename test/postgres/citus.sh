#!/bin/bash
# citus.sh - tabiya on Citus: a coordinator and three workers, each a separate server on a port of 127.0.0.1, and a
# plain server (cluster.sh) with the same games. Every answer equals that of the plain server, byte for byte, for all of
# matrix.txt and more; a worker is killed during an import, one is added, and games are moved while others read. Skipped,
# with the reason, if Citus is not installed. The last line is "N passed, N failed".
#
#     CITUS_STAND_IN=1 test/postgres/cluster.sh build/release test/postgres/citus.sh
#
# runs it with the stand-in (fake_citus), which keeps all games on the coordinator; tests that need workers are left
# out. It shows that the script is correct, not what Citus does.
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" citus
# shellcheck source=test/postgres/matrix_support.sh
. "$root/test/postgres/matrix_support.sh"
library=citus
if [ -n "${CITUS_STAND_IN:-}" ]; then
    cp --remove-destination "$root/test/postgres/fake_citus/"* "$(pg_config --sharedir)/extension/"
    library=
fi
# on_workers GOT WANTED WHAT - like `is`, for tests that need real workers
on_workers() { [ -z "$library" ] || is "$@"; }
[ "$(sql postgres "SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'")" = 1 ] || { echo 'skipped: Citus is not installed for this PostgreSQL'; exit 77; }

# ---- Servers: 0 is the coordinator, 1 to 3 are workers, 4 is added later

first_port=$((20000 + $$ % 12000))
port() { echo $((first_port + $1)); }
is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$(port "$1")") 2>/dev/null; }
while is_taken 0 || is_taken 1 || is_taken 2 || is_taken 3 || is_taken 4; do first_port=$((first_port + 5)); done
# Nodes connect without SSL, by the pg_hba.conf of initdb --auth=trust. Shards move by logical replication.
start() {
    as_server pg_ctl -D "$PG_TEMP/node$1" -l "$PG_TEMP/log.node$1" -w -o "-p $(port "$1") -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off \
        -c shared_preload_libraries=$library -c citus.node_conninfo=sslmode=prefer -c citus.shard_count=8 -c wal_level=logical -c max_prepared_transactions=200 \
        -c max_wal_senders=20 -c max_replication_slots=20 -c max_logical_replication_workers=8 -c max_worker_processes=32" start >/dev/null || { cat "$PG_TEMP/log.node$1"; exit 1; }
}
stop() { as_server pg_ctl -D "$PG_TEMP/node$1" -m immediate -w stop >/dev/null; }
# shellcheck disable=SC2317
stop_all() { for n in 0 1 2 3 4; do [ ! -e "$PG_TEMP/node$n/postmaster.pid" ] || stop "$n"; done; }
trap stop_all EXIT
# node_url NODE [DATABASE], node_sql NODE STATEMENT [DATABASE]
node_url() { echo "postgresql://postgres@127.0.0.1:$(port "$1")/${2:-games}"; }
node_sql() { psql -X -q -At -v ON_ERROR_STOP=1 -d "$(node_url "$1" "${3:-games}")" -c "$2"; }
for n in 0 1 2 3 4; do
    cp -a "$PG_EMPTY" "$PG_TEMP/node$n" && start "$n"
    for name in games matrix; do
        node_sql "$n" "CREATE DATABASE $name" postgres && node_sql "$n" 'CREATE EXTENSION citus' "$name" || exit 1
    done
done
for name in one plain; do createdb "$name"; done
hub=$(node_url 0) one=$(url one)

# ---- The feature matrix: every command and path

kinds=(file plain matrix)
# shellcheck disable=SC2317
database() { case $1 in file) echo file.db ;; plain) url plain ;; *) node_url 0 "$1" ;; esac; }
is "$("$tabiya" cluster init "$(node_url 0 matrix)" "$(node_url 1 matrix)" "$(node_url 2 matrix)" "$(node_url 3 matrix)" 2>&1 | grep -c ready)" 1 'init for the matrix'
matrix_import
matrix_commands
matrix_serve
matrix_paths
kill "${servers[@]}"

# ---- Setting up

is "$("$tabiya" cluster init "$hub" "$(node_url 1)" "$(node_url 2)" "$(node_url 3)" 2>&1)" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'init'
is "$("$tabiya" cluster init "$hub" "$(node_url 1)" "$(node_url 2)" "$(node_url 3)" 2>&1 | grep -c ready)" 1 'init again'
is "$(node_sql 0 "SELECT string_agg(logicalrelid::text || ' ' || partmethod::text, ', ' ORDER BY logicalrelid::text) FROM pg_dist_partition WHERE logicalrelid::text LIKE 'tabiya.%'")" \
    'tabiya.game h, tabiya.game_folding h, tabiya.game_played h, tabiya.game_totals h, tabiya.game_tracked n, tabiya.shape n' 'the tables'
on_workers "$(node_sql 1 "SELECT count(*) FROM pg_extension WHERE extname = 'tabiya'")" 1 'the extension is on the workers'
on_workers "$(node_sql 0 "SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'tabiya.game'::regclass")" 9 'each of three workers has three parts of a table'

# ---- The same answers, with counts of moves

both() { for name in one hub; do "$tabiya" "$1" "${!name}" "${@:2}" >"$name.out" 2>&1; done; is "$(cat hub.out)" "$(cat one.out)" "$*"; }
"$tabiya" convert --to pgn "$root/examples/selfplay.pgn" >selfplay.pgn
for n in 1 2 3 4; do sed "s/^\[Event \"/[Event \"$n: /" selfplay.pgn; done >many.pgn
both import "$root/examples/famous.pgn" many.pgn
is "$(node_sql 0 'SELECT count(*) > 0 FROM tabiya.game_totals')" t 'moves are counted'
shards() { node_sql 1 "SET citus.override_table_visibility = off; SELECT count(*) FROM pg_class WHERE relname ~ '^$1_[0-9]+$'"; }
on_workers "$(shards game_positions)" "$(shards game)" 'each part of the table has an index of positions'

# ---- Plans

# plan_of TEXT - the kind of a plan, as citus_plans.txt names it
plan_of() {
    case $1 in
    *'INSERT/SELECT method: pull to coordinator'* | *'INSERT/SELECT method: repartition'*) echo written ;;
    *'Distributed Subplan'*) echo collected ;;
    *'Task Count: 1'$'\n'*) echo 'one worker' ;;
    *'Task Count: '*) echo 'pushed down' ;;
    *) echo local ;;
    esac
}
while IFS='|' read -r plan what statement; do
    on_workers "$(plan_of "$(node_sql 0 "EXPLAIN $statement" 2>&1)")" "${plan% }" "the plan of:$what"
done < <(grep '^[a-z]' "$root/test/postgres/citus_plans.txt")

# ---- Answers that serve keeps

"$tabiya" serve "$hub" --port 0 >kept.address 2>/dev/null &
site=$!
until [ -s kept.address ]; do sleep 0.05; done
# kept - how many games White won, of twelve answers, each by any of the threads
kept() { for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do curl -sS "$(cat kept.address)lichess" | jq .white; done | sort -u; }
first=$(kept)
kept >/dev/null
is "$(curl -sS "$(cat kept.address)metrics" | sed -n 's/^tabiya_kept_answer_hits_total //p' | sed 's/^[1-9].*/some/')" some 'answers are kept'
printf '[White "Kept"]\n[Result "1-0"]\n\n1. h4 h5 2. g4 1-0\n' >kept.pgn
"$tabiya" import "$hub" kept.pgn >/dev/null 2>&1
is "$(kept)" "$((first + 1))" 'and forgotten after an import'
"$tabiya" delete "$hub" --yes 'white "Kept"' >/dev/null 2>&1
is "$(kept)" "$first" 'and after deleting'
kill "$site"
wait "$site"
on_workers "$(node_sql 0 "SELECT count(DISTINCT nodeport) FROM citus_shards WHERE table_name = 'tabiya.game'::regclass")" 3 'all workers have games'
same() {
    for question in '' 'player morphy' 'result 1/2-1/2' 'date ..1900' 'opening "1. e4 c5"' 'eco B20..B99' 'mate' 'greek-gift' 'not result 1-0 plies 40..60'; do
        for options in --count '--limit 7' '--limit 3 --offset 5' '--to pgn'; do
            # shellcheck disable=SC2086
            both find $options "$question"
        done
    done
    for line in '' '1. e4' '1. e4 c5 2. Nf3' '1. d4 Nf6' '1. a3'; do
        # shellcheck disable=SC2086
        for condition in '' 'result 1-0' 'player morphy' 'elo 2400..' 'date 2000..' 'elo 2200.. date 1990..2010' mate; do both explore --query "$condition" $line; done
    done
    for name in one hub; do "$tabiya" repertoire gaps "${!name}" "$root/examples/famous.pgn" --line-plies 12 --to csv --limit 2000 >"$name.out" 2>&1; done
    is "$(cat hub.out)" "$(cat one.out)" "gaps $1"
    both find --where "white_elo > 2000 OR date < '1900'" --count
    both export --limit 50
    both explore --match greek-gift
    both report --player morphy
    both verify
    is "$("$tabiya" info "$hub" | sed '/runs\|size/d')" "$("$tabiya" info "$one" | sed '/runs\|size/d')" "info $1"
}
same 'at first'
collection() { for name in one hub; do "$tabiya" collection "$1" "${!name}" "${@:2}" >"$name.out" 2>&1; done; is "$(cat hub.out)" "$(cat one.out)" "collection $*"; }
collection add Morphy player morphy
collection add Morphy --ids 5,7,8,9..12,999999
collection remove Morphy --ids 7
collection list
both import many.pgn
both delete --ids '5,9..20,77,99999'
both delete 'date 2026.. result 1-0 plies ..60' --yes
same 'after deleting'

# Other SQL, which neither triggers nor the program count on Citus
sql one 'DELETE FROM tabiya.game WHERE id % 100 = 3'
node_sql 0 'DELETE FROM tabiya.game WHERE id % 100 = 3'
is "$("$tabiya" verify "$hub" 2>&1 | grep -c 'after SELECT tabiya.games_changed() the next import counts again')" 2 'verify finds outdated counts'
node_sql 0 'SELECT tabiya.games_changed()' >/dev/null
same 'after other SQL'
node_sql 0 "SELECT setval('tabiya.game_id_seq', $(sql one 'SELECT last_value FROM tabiya.game_id_seq'))" >/dev/null
both import "$root/examples/famous.pgn"
is "$(node_sql 0 "SELECT bool_or(is_popular) AND EXISTS (SELECT 1 FROM tabiya.game_content WHERE kind = 'names') FROM tabiya.game_tracked")" t 'an import counts again'
same 'after counting again'
collection list
both find 'collection morphy'
both find --count 'not collection morphy mate'
on_workers "$(node_sql 0 "SET citus.explain_all_tasks = off; EXPLAIN (COSTS OFF) SELECT * FROM tabiya.game_played WHERE position = positionKey(getBoard(''))" | grep -c 'Task Count: 1')" 1 'one worker answers for a position'

# ---- HTTP, with counts of moves

for name in one hub; do
    "$tabiya" serve "${!name}" --port 0 >"$name.address" 2>/dev/null &
    echo $! >"$name.pid"
    for _ in $(seq 100); do [ ! -s "$name.address" ] || break && sleep 0.05; done
done
while IFS= read -r path; do
    is "$(curl -sS "$(cat hub.address)$path" | md5sum)" "$(curl -sS "$(cat one.address)$path" | md5sum)" "$path"
done <<'PATHS'
api/find?q=result+1-0&count=1
api/find?q=player+morphy&limit=5
api/explore?moves=1.+e4
api/explore?moves=1.+e4&q=date+1990..2010
api/game?id=30
lichess
lichess?play=e2e4
lichess?play=e2e4&ratings=2000,2200&since=1990
lichess/history?play=d2d4
masters?play=e2e4,c7c5
player?player=Paul+Morphy&color=white
PATHS

# ---- A worker that dies: one clear error, nothing lost or stored twice

on_workers "$("$tabiya" find "$hub" --count --where '1 / (plies - plies) > 0' 2>&1 | grep -c ': worker 127.0.0.1:[0-9]*: division by zero')" 1 'a failure on a worker names it'
stop 2
on_workers "$(curl -sS -o /dev/null -w '%{http_code}' "$(cat hub.address)api/find?q=mate&count=1")" 503 'the server while a worker is away'
on_workers "$("$tabiya" cluster status "$hub" | grep -c 'not reachable')" 1 'the status while a worker is away'
start 2
sed 's/^\[Event "/[Event "Again: /' selfplay.pgn >again.pgn
half=$(($(wc -c <again.pgn) / 2))
mkfifo pipe
"$tabiya" import "$hub" pipe >import.out 2>&1 &
importer=$!
{ head -c "$half" again.pgn; sleep 1; stop 2; tail -c "+$((half + 1))" again.pgn; } >pipe 2>/dev/null
wait "$importer"
on_workers "$?" 2 'the exit code of an import whose worker dies'
start 2
# again FILE - waits until Citus has resolved prepared transactions, then imports FILE again, on both. The failed import
# has used up numbers; the next ones are again those of the plain server.
again() {
    for _ in $(seq 60); do
        ! node_sql 0 'SELECT recover_prepared_transactions()' >/dev/null || break
        sleep 1
    done
    node_sql 0 "SELECT setval('tabiya.game_id_seq', $(sql one 'SELECT last_value FROM tabiya.game_id_seq'))" >/dev/null
    "$tabiya" import "$hub" "$1" >/dev/null 2>&1
    is "$?" 0 "$1 again"
    "$tabiya" import "$one" "$1" >/dev/null 2>&1
}
again again.pgn
is "$(node_sql 0 "SELECT count(*), count(DISTINCT id) FROM tabiya.game WHERE event LIKE 'Again: %'")" "$(grep -c '^\[Event "Again: ' again.pgn | sed 's/.*/&|&/')" 'nothing lost or doubled'
is "$("$tabiya" verify "$hub" 2>&1 | tail -n 1 | sed 's/.*, //')" '0 faults' 'all is sound'

# The same at other moments, from reading to counting; the import may already have ended by then.
for delay in 0.1 0.3 0.6 1 1.5 2.5 4; do
    sed "s/^\[Event \"/[Event \"After $delay: /" selfplay.pgn >late.pgn
    "$tabiya" import "$hub" late.pgn >import.out 2>&1 &
    importer=$!
    sleep "$delay"
    stop 2
    wait "$importer"
    start 2
    again late.pgn
    is "$(node_sql 0 "SELECT count(*), count(DISTINCT id) FROM tabiya.game WHERE event LIKE 'After $delay: %'")" "$(grep -c "^\[Event \"After $delay: " late.pgn | sed 's/.*/&|&/')" "nothing lost or doubled after $delay s"
    is "$("$tabiya" verify "$hub" 2>&1 | tail -n 1 | sed 's/.*, //')" '0 faults' "all is sound after $delay s"
done

# ---- Another worker is added while others read and import

is "$("$tabiya" cluster add "$hub" "$(node_url 4)" | grep -c ready)" 1 'add'
sed 's/^\[Event "/[Event "Moving: /' selfplay.pgn >moving.pgn
"$tabiya" import "$hub" moving.pgn >/dev/null 2>&1 &
importer=$!
is "$("$tabiya" cluster rebalance "$hub" 2>&1 | grep -c background)" 1 'rebalance'
wanted=$("$tabiya" find "$one" --count 'player morphy')
for _ in $(seq 300); do
    is "$("$tabiya" find "$hub" --count 'player morphy' 2>&1)" "$wanted" 'reading while games move'
    [ "$(node_sql 0 "SELECT count(*) FROM citus_rebalance_status() WHERE state IN ('running', 'scheduled')")" != 0 ] || break
    sleep 1
done
wait "$importer"
is "$?" 0 'an import while games move'
"$tabiya" import "$one" moving.pgn >/dev/null 2>&1
on_workers "$(node_sql 0 "SELECT count(*) > 0 FROM citus_shards WHERE table_name = 'tabiya.game'::regclass AND nodeport = $(port 4)")" t 'the new worker has games'
same 'after moving'
kill "$(cat one.pid)" "$(cat hub.pid)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
