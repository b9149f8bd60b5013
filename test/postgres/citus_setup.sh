#!/bin/bash
# citus_setup.sh - tabiya cluster with Citus, with a server (cluster.sh) on which a stand-in (fake_citus) replaces
# Citus: which statements are sent and in which order, that they can be sent again, that Citus would refuse none of them
# (citus_rules.txt), and that all answers, including matrix.txt, and counts without triggers equal those of a plain
# server. citus.sh tests what Citus itself does with them, where it is installed. The last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" citus
# shellcheck source=test/postgres/matrix_support.sh
. "$root/test/postgres/matrix_support.sh"
# If Citus is installed, its files are links here: replace them instead of writing through them.
cp --remove-destination "$root/test/postgres/fake_citus/"* "$(pg_config --sharedir)/extension/"
cluster() { "$tabiya" cluster "$@" 2>&1; }
for name in one hub plain matrix printed; do createdb "$name"; done
hub=$(url hub) one=$(url one)
for name in hub matrix; do sql "$name" "CREATE EXTENSION citus; ALTER DATABASE $name SET log_statement = 'all'"; done
calls() { sql hub 'SELECT call FROM citus_calls ORDER BY n'; }

# ---- Setting up

is "$(cluster init "$one" postgresql://a/games | grep -c 'does not have Citus.*CREATE EXTENSION citus')" 1 'a plain server'
is "$(cluster init "$hub" | grep -c "couldn't find any worker nodes")" 1 'no workers'
is "$(cluster init --print "$hub" postgresql://a/games 'postgresql://b:5433/games' | grep -c 'citus_add_node\|create_distributed_table\|create_reference_table')" 8 'what is printed'
is "$(sql hub "SELECT count(*) FROM pg_dist_partition") $(sql hub "SELECT count(*) FROM pg_extension WHERE extname = 'tabiya'")" '0 0' 'nothing is done by --print'
is "$(cluster init "$hub" postgresql://a/games 'postgresql://b:5433/games')" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'init'
wanted='coordinator
node a:5432
node b:5433
reference tabiya.shape
reference tabiya.game_tracked
distribute tabiya.game by hash with none
distribute tabiya.game_played by position with none
distribute tabiya.game_totals by position with tabiya.game_played
distribute tabiya.game_folding by position with tabiya.game_played'
is "$(calls)" "$wanted" 'the calls'
is "$(cluster init "$hub" postgresql://a/games 'postgresql://b:5433/games' | grep -c ready)$(calls)" "1$wanted" 'init again does nothing'
sql printed 'CREATE EXTENSION citus'
cluster init --print "$(url printed)" postgresql://a/games 'postgresql://b:5433/games' >printed.sql
is "$(psql -X -q -v ON_ERROR_STOP=1 -d printed -f printed.sql 2>&1 >/dev/null)$(sql printed 'SELECT call FROM citus_calls ORDER BY n')" "$wanted" 'the printed statements, run by psql'
is "$("$tabiya" import "$(url printed)" "$root/examples/famous.pgn")" '58 games read: 58 stored, 0 duplicates, 0 rejected' 'games after that'
sql printed 'UPDATE pg_dist_local_group SET groupid = 2'
for words in "info $(url printed)" "import $(url printed) $root/examples/famous.pgn" "cluster status $(url printed)" "cluster init $(url printed) postgresql://a/games"; do
    # shellcheck disable=SC2086
    is "$("$tabiya" $words 2>&1 | grep -c 'this is a worker of a cluster; use its coordinator')" 1 "a worker: $words"
done
is "$(cluster add "$hub" postgresql://c/games | grep -c ready; cluster add "$hub" postgresql://c/games | grep -c ready; calls | grep -c 'node c:5432')" $'1\n1\n1' 'add'
is "$(cluster rebalance "$hub" | grep -c background; calls | tail -n 1)" $'1\nrebalance' 'rebalance'
is "$(cluster add "$one" postgresql://c/games | grep -c 'does not have Citus')" 1 'add without Citus'

# ---- Games: the same on a plain server and on this one

awk 'BEGIN { n = split("e4 d4 c4 Nf3", first); m = split("e5 d5 c5 Nf6 e6", second); split("1-0 0-1 1/2-1/2", result); split("15+0 60+0 180+2 900+10 -", control)
    for (i = 0; i < 10200; i++) printf "[White \"W%d\"]\n[Black \"B%d\"]\n[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n[Date \"%d.01.%02d\"]\n[Result \"%s\"]\n[TimeControl \"%s\"]\n\n1. %s %s %s\n\n",
        i, i % 97, 1800 + i % 900, 1700 + i % 1000, 1980 + i % 40, 1 + i % 28, result[1 + i % 3], control[1 + i % 5], first[1 + i % n], second[1 + int(i / 7) % m], result[1 + i % 3] }' >many.pgn
both() { for name in one hub; do "$tabiya" "$1" "${!name}" "${@:2}" >"$name.out" 2>&1; done; is "$(cat hub.out)" "$(cat one.out)" "$*"; }
both import many.pgn
is "$(sql hub 'SELECT count(*) > 0 FROM tabiya.game_totals')" t 'the importer counts moves'
is "$(sql hub "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'tabiya.game'::regclass AND NOT tgisinternal")" 0 'without triggers'
explores() {
    for line in '' '1. e4' '1. d4 d5' '1. e4 e5 2. Nf3'; do
        # shellcheck disable=SC2086
        for condition in '' 'mean-elo 2200..' 'mean-elo 2000.. not mean-elo 2200.. speed bullet not speed ultrabullet' 'speed blitz or speed rapid' 'not mean-elo 2500.. date 2000.. result 1-0' 'result 1-0' 'result 1-0 elo 2400..' 'not result 1/2-1/2 date 2000..' 'result 0-1 or result *' 'elo 2400..' 'date 2000..' 'elo 2200.. date 1990..2010'; do both explore --query "$condition" $line; done
    done
}
for name in one hub; do is "$("$tabiya" explore --explain "${!name}" --query 'not result 1-0' 1. e4 2>&1 | grep -c 'from the stored counts')" 1 "results are counted in $name"; done
same() {
    explores
    for words in '--count' '--limit 5' '--count player morphy' '--count mate' '--limit 3 --offset 5 date ..1900'; do
        # shellcheck disable=SC2086
        both find $words
    done
    both verify
    is "$("$tabiya" info "$hub" | sed '/runs\|size/d')" "$("$tabiya" info "$one" | sed '/runs\|size/d')" "info $1"
    is "$(sql hub 'SELECT md5(string_agg(t::text, chr(10) ORDER BY position, level, uci, class, year, result, pool)) FROM tabiya.game_totals t')" \
        "$(sql one 'SELECT md5(string_agg(t::text, chr(10) ORDER BY position, level, uci, class, year, result, pool)) FROM tabiya.game_totals t')" "totals $1"
}
same 'at first'
both import "$root/examples/famous.pgn"
both import many.pgn
explores
both delete --ids 5,9..20,77,99999
both delete 'date 2019.. result 1-0' --yes
same 'after adding and deleting'
for name in one hub; do sql "$name" "INSERT INTO tabiya.game_played SELECT n, 'a2a3', 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 10000) n"; done
printf '[White "Last"]\n[Result "1-0"]\n\n1. e4 c6 1-0\n' >last.pgn
both import last.pgn
is "$(sql hub 'SELECT count(*) FROM tabiya.game_played WHERE NOT is_folded')" 0 'rows are folded'
same 'after folding'
is "$("$tabiya" info --sizes "$hub" | grep -c 'game_played ')" 1 'sizes'

# ---- The games of an opening explorer come from indexes

"$tabiya" serve "$one" --port 0 >one.address 2>/dev/null &
servers=($!)
until [ -s one.address ]; do sleep 0.05; done
curl -sS -o /dev/null "$(cat one.address)lichess"
kill "${servers[@]}" && wait "${servers[@]}"
servers=()
scanned() { sql one "SELECT count(*) FROM pg_stat_user_indexes WHERE indexrelname IN ('game_best', 'game_latest') AND idx_scan > 0"; }
for _ in $(seq 100); do [ "$(scanned)" = 2 ] && break || sleep 0.1; done
is "$(scanned)" 2 'the orders of the lists are those of the indexes'

# ---- Games and a collection that existed before

createdb before
before=$(url before)
"$tabiya" import "$before" "$root/examples/famous.pgn" >/dev/null 2>&1
"$tabiya" collection add "$before" Some --ids 1..3 >/dev/null 2>&1
sql before 'CREATE EXTENSION citus'
sql before "INSERT INTO pg_dist_node VALUES (0, 0, 'localhost', 1)"
is "$(cluster init "$before" postgresql://a/games | grep -c ready)" 1 'a collection before'
is "$(sql before "SELECT string_agg(call, ', ' ORDER BY n) FROM citus_calls WHERE call LIKE 'coordinator%' OR call LIKE '%game by%'")" \
    'coordinator, distribute tabiya.game by hash with none' 'a coordinator that was called localhost'
"$tabiya" delete "$before" --ids 2 >/dev/null 2>&1
is "$("$tabiya" find "$before" --count 'collection some')" 2 'a deleted game leaves its collection'

# ---- Shards of version 1

for name in shard coordinator; do createdb "$name" && "$tabiya" import "$(url $name)" "$root/examples/famous.pgn" >/dev/null; done
sql shard 'CREATE VIEW tabiya.game_of_shard AS SELECT * FROM tabiya.game'
sql coordinator 'DROP TABLE tabiya.game CASCADE; CREATE TABLE tabiya.game (shard integer) PARTITION BY LIST (shard)'
is "$("$tabiya" info "$(url coordinator)" 2>&1 | grep -c 'on shards of version 1.*tabiya export writes those of each shard')" 1 'a coordinator of version 1'
is "$("$tabiya" export "$(url shard)" | grep -c '^\[Event ')" 58 'the games of a shard can be exported'
is "$("$tabiya" import "$(url shard)" "$root/examples/famous.pgn" 2>&1 | grep -c 'a shard of version 1, which can only be read')" 1 'and not changed'
sql shard 'CREATE EXTENSION citus'
is "$(cluster init "$(url shard)" postgresql://a/games | grep -c 'belongs to shards of version 1; use another one')" 1 'and not distributed'

# ---- Status

is "$(cluster status "$hub" | sed -n 's/^\(1\) *\([0-9]*\) .* a:5432$/\1 \2/p')" "1 $(sql hub 'SELECT count(*) FROM tabiya.game')" 'status'
sql hub "UPDATE pg_dist_node SET nodename = 'down' WHERE nodename = 'b'"
is "$(cluster status "$hub" | grep -c '^2 *not reachable: connection refused (down:5433)')$(cluster status "$hub" >/dev/null; echo $?)" 11 'a worker that is away'
is "$(cluster status --json "$hub" | jq -r '"\(.worker) \(.reachable) \(.error)"' | sed -n 2p)" '2 false connection refused' 'as JSON'

# ---- Wrong counts: verify says how to fix them, and an unavailable worker delays that

sql hub 'UPDATE tabiya.game_played SET white = white + 1'
is "$("$tabiya" verify "$hub" 2>&1 | grep -c 'after SELECT tabiya.games_changed() the next import counts again')" 1 'verify finds wrong counts'
sql hub 'SELECT tabiya.games_changed()'
explores
printf '[White "Later"]\n\n1. e4 *\n' >later.pgn
is "$("$tabiya" import "$hub" later.pgn 2>&1 | grep -c 'a worker has not listed its frequent positions')" 1 'a worker that is away while games are counted'
sql hub "UPDATE pg_dist_node SET nodename = 'b' WHERE nodename = 'down'"
"$tabiya" import "$hub" later.pgn >/dev/null 2>&1
"$tabiya" import "$one" later.pgn >/dev/null 2>&1
sql one 'SELECT tabiya.game_played_refresh()' >/dev/null
same 'after counting again'

# ---- A deeper index, and statements that Citus refuses for distributed tables

createdb deep
sql deep "CREATE EXTENSION citus; ALTER DATABASE deep SET log_statement = 'all'"
cluster init "$(url deep)" postgresql://a/games >/dev/null
for plies in 12 40; do
    "$tabiya" import --index-plies "$plies" "$(url deep)" "$root/examples/famous.pgn" >/dev/null 2>deeper
    is "$(cat deeper)$("$tabiya" info "$(url deep)" | sed -n 's/^index depth *//p')" "$plies" "an index of $plies half-moves"
done
refused() { is "$(sql hub "$1" 2>&1 | grep -c "$2")" 1 "$1"; }
refused 'ALTER INDEX tabiya.game_hash RENAME TO x; ALTER INDEX tabiya.x RENAME TO game_hash' 'cannot execute multiple utility events'
refused 'CREATE TRIGGER x AFTER INSERT ON tabiya.game EXECUTE FUNCTION suppress_redundant_updates_trigger()' 'triggers are not supported'

# ---- The feature matrix

kinds=(plain matrix)
# shellcheck disable=SC2317
database() { url "$1"; }
# shellcheck disable=SC2317
stop() { kill "${servers[@]}" 2>/dev/null; }
trap stop EXIT
is "$(cluster init "$(url matrix)" postgresql://a/games postgresql://b/games | grep -c ready)" 1 'init for the matrix'
matrix_import
matrix_commands
matrix_serve
matrix_paths

# ---- No statement is of a kind that Citus refuses

while IFS='|' read -r _ what statement; do
    is "$(sql hub "EXPLAIN $statement" 2>&1 | grep -c ERROR)" 0 "citus_plans.txt:$what"
    is "$(grep -cF "|${what}|" "$root/docs/citus.md")" 1 "docs/citus.md has:$what"
done < <(grep '^[a-z]' "$root/test/postgres/citus_plans.txt")

is "$("$root/test/postgres/citus_statements.pl" "$root/test/postgres/citus_rules.txt" "$PG_LOG" statements)" '' 'statements that Citus refuses'
is "$(grep -c 'FROM tabiya.game' statements | sed 's/^[1-9][0-9][0-9]*$/many/')" many 'statements are logged'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
