#!/bin/bash
# shards.sh - games on two shards and a coordinator, with a server (cluster.sh): the coordinator's answers equal those
# of one database with the same games, byte for byte, and only answers are transferred. One of the shards is a separate
# server, started here, that is killed and restarted. The last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/shards_support.sh
. "$(dirname "$0")/shards_support.sh" shards

# ---- Servers: shard 1 is a database next to the coordinator, shard 2 is a server; server 3 is for what is refused

start() { as_server pg_ctl -D "$PG_TEMP/data$1" -l "$PG_TEMP/log$1" -w -o "-c unix_socket_directories='$PG_TEMP/socket$1'" start >/dev/null; }
stop() { as_server pg_ctl -D "$PG_TEMP/data$1" -m immediate -w stop >/dev/null; }
# shellcheck disable=SC2317
stop_all() { for n in 2 3; do [ ! -e "$PG_TEMP/data$n/postmaster.pid" ] || stop "$n"; done; }
trap stop_all EXIT
server() {
    as_server mkdir "$PG_TEMP/socket$1"
    cp -a "$PG_EMPTY" "$PG_TEMP/data$1" && start "$1"
}
server 2 && server 3 || exit 1
for name in one shard1 coordinator other; do createdb "$name"; done
hub=$(url coordinator) one=$(url one)
shard1=$(url shard1)
shard2="postgresql:///postgres?host=$PG_TEMP/socket2&user=postgres"
shard3="postgresql:///postgres?host=$PG_TEMP/socket3&user=postgres"
sql2() { PGHOST=$PG_TEMP/socket2 sql postgres "$1"; }
sql3() { PGHOST=$PG_TEMP/socket3 sql postgres "$1"; }

# ---- Setting up

"$tabiya" cluster init --print "$hub" "$shard1" "$shard2" >printed.sql 2>&1
is "$(grep -c 'PARTITION BY LIST (shard)' printed.sql)" 1 'printed tables'
is "$(sql coordinator "SELECT count(*) FROM pg_extension WHERE extname = 'tabiya'")" 0 'nothing is done by --print'
is "$("$tabiya" cluster init --print "${hub/postgresql:/postgresql:}" "${shard1}&password=secret" 2>&1 | grep -c secret)" 0 'no password is printed'
is "$("$tabiya" cluster status "$hub" 2>&1)" 'tabiya: cluster status: the database is not a coordinator; tabiya cluster init makes it one' 'no coordinator'
is "$("$tabiya" cluster init "$hub" "$shard1" "$shard1" 2>&1)" 'tabiya: cluster init: shards 1 and 2 are the same database' 'twice the same'
is "$("$tabiya" cluster init "$hub" "$shard1" 'postgresql:///postgres?host=/nowhere' 2>&1 | grep -c 'nowhere.*connection to server')" 1 'a shard that cannot be reached'
is "$(sql shard1 "SELECT to_regclass('tabiya.game') IS NULL")" t 'nothing is done if one is away'
is "$("$tabiya" cluster init "$hub" "$shard1" "$shard2" 2>&1)" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'init'
is "$("$tabiya" cluster init "$hub" "$shard1" "$shard2" 2>&1)" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'init again'
is "$("$tabiya" cluster init "$hub" "$shard1" 2>&1 | grep -c 'the database is already shard 1 of 2 and cannot become shard 1 of 1')" 1 'fewer shards'
is "$("$tabiya" cluster init "$hub" "$shard2" "$shard1" 2>&1 | grep -c 'the database is already shard 2 of 2 and cannot become shard 1 of 2')" 1 'shards in another order'
is "$("$tabiya" cluster init "$hub" "$shard3" "$shard2" 2>&1 | grep -c 'shard 1 is already another database')" 1 'another database for a shard'
is "$("$tabiya" cluster init "$shard1" "$shard3" 2>&1 | grep -c 'is a shard; use another')" 1 'a shard as coordinator'
is "$("$tabiya" find "$hub" --count 2>&1)" 0 'no games yet'
psql -X -q -v ON_ERROR_STOP=1 -d coordinator -f <(sed -n '/^-- On the coordinator/,$p' printed.sql) && passed=$((passed + 1))

# ---- Importing: the same report, numbers and order as in one database

"$tabiya" convert --to pgn --games 1..1500 "$root/examples/selfplay.pgn" >part1.pgn
cat "$root/examples/famous.pgn" part1.pgn "$root/examples/famous.pgn" >games.pgn
printf '[White "Rejected"]\n\n1. e4 Ke4 *\n\n' >>games.pgn
for name in one hub; do "$tabiya" import "${!name}" games.pgn "$root/examples/selfplay.pgn" --index-plies 30 >"$name.report" 2>"$name.errors"; done
is "$(cat hub.report)" "$(cat one.report)" 'the report of the import'
is "$(cat hub.errors)" "$(cat one.errors)" 'the faults of the import'
is "$("$tabiya" info "$hub" | sed -n 's/^index depth *//p')" 30 'the depth of the index'
is "$("$tabiya" import "$hub" games.pgn 2>/dev/null | head -n 1)" "$("$tabiya" import "$one" games.pgn 2>/dev/null | head -n 1)" 'the second import'
is "$("$tabiya" import "$shard1" games.pgn 2>&1 | grep -c 'this is a shard')" 1 'no import into a shard'
n1=$(sql shard1 'SELECT count(*) FROM tabiya.game') n2=$(sql2 'SELECT count(*) FROM tabiya.game')
is "$((n1 > 1000 && n2 > 1000))" 1 "both shards have games ($n1, $n2)"
is "$(sql coordinator "SELECT string_agg(games::text, ' ' ORDER BY shard) FROM tabiya.shards")" "$n1 $n2" 'games of each shard'

# ---- The same answers

ask() {
    # shellcheck disable=SC2086
    is "$("$tabiya" $1 "$hub" "${@:2}" 2>&1 | md5sum)" "$("$tabiya" $1 "$one" "${@:2}" 2>/dev/null | md5sum)" "$*"
}
# finds [OPTIONS]... - with each of these queries
finds() {
    while IFS= read -r question; do
        for options in "$@"; do
            # shellcheck disable=SC2086
            ask find $options "$question"
        done
    done <<'QUESTIONS'

player morphy
result 1/2-1/2
date ..1900
plies ..30
opening "1. e4 c5"
eco C
eco B20..B99
fen "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"
mate
greek-gift
white anderssen or black anderssen
not result 1-0 plies 40..60
QUESTIONS
    ask find --where "white_elo > 2000 OR date < '1900'"
    ask find --where "plies > 100" --count result 1-0
    ask export
    ask export --limit 10
    ask explore --match greek-gift
    ask explore --match 'mate' --query 'result 1-0'
}
# explores LINE... - each with every kind of condition
explores() {
    for line in "$@"; do
        # shellcheck disable=SC2086
        for condition in '' 'result 1-0' 'plies 20..60' 'date ..1900' 'player morphy' 'mate' 'elo 2400..' 'date 2000..' 'elo 2200.. date 1990..2010'; do
            ask explore --query "$condition" $line
        done
    done
}
finds --count --pgn "" "--limit 7" "--limit 3 --offset 5" "--count --limit 20 --offset 3"
explores '' '1. e4' '1. e4 c5 2. Nf3' '1. d4 Nf6' '1. a3' '1. e4 e5 2. Nf3 Nc6 3. Bb5'

# ---- Only answers are transferred

plan() { sql coordinator "EXPLAIN (VERBOSE, COSTS OFF) $1"; }
moves="SELECT mergeMoves(list, getBoard('')) FROM (SELECT shard, nextMoves(moves, getBoard('')) AS list FROM tabiya.game GROUP BY shard) AS x"
is "$(plan "$moves" | grep -c 'Remote SQL: SELECT shard, public.nextmoves')" 2 'moves are counted on the shards'
is "$(sql coordinator "$moves")" "$(sql one "SELECT nextMoves(moves, getBoard('')) FROM tabiya.game")" 'moves'
is "$(plan "SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM tabiya.game WHERE hasBoard(moves, getBoard('1. e4')) GROUP BY shard) AS x" | grep -c 'Remote SQL: SELECT shard, count')" 2 'games are counted on the shards'
is "$(plan "SELECT * FROM tabiya.shards" | grep -c 'Remote SQL: SELECT shard, count')" 2 'the list of shards is counted there'
is "$(plan "SELECT id FROM tabiya.game WHERE hasOpening(moves, '1. e4')" | grep -c 'Async Foreign Scan')" 2 'all shards at the same time'
first="SELECT id, white, black FROM tabiya.game WHERE result = '1-0' ORDER BY id LIMIT 5"
is "$(plan "$first" | grep -c 'Merge Append\|Remote SQL: .* ORDER BY id ASC')" 3 'shards sort what is limited'
is "$(sql coordinator "$first")" "$(sql one "$first")" 'the first games by SQL'
# The program connects to the shards itself; without a login there is one clear error.
psql -X -q -v ON_ERROR_STOP=1 -d coordinator <<'SQL'
CREATE ROLE visitor LOGIN;
GRANT USAGE ON SCHEMA tabiya TO visitor;
GRANT SELECT ON ALL TABLES IN SCHEMA tabiya TO visitor;
SQL
is "$("$tabiya" find "postgresql:///coordinator?host=$PGHOST&user=visitor" --count 2>&1 | grep -c 'shard 1: the coordinator has no user mapping for you')" 1 'a user without a login on the shards'
# log_statements all|none - on shard 2, for all new connections
log_statements() {
    sql2 "ALTER SYSTEM SET log_statement = '$1'" && sql2 'SELECT pg_reload_conf()' >/dev/null
    for _ in $(seq 600); do [ "$(sql2 'SHOW log_statement')" != "$1" ] || break && sleep 0.05; done
}
log_statements all
asked() { : >"$PG_TEMP/log2.before" && wc -l <"$PG_TEMP/log2" >"$PG_TEMP/log2.before" && "$tabiya" "$@" >/dev/null 2>&1 && tail -n "+$(($(cat "$PG_TEMP/log2.before") + 1))" "$PG_TEMP/log2"; }
is "$(asked find "$hub" --limit 3 'result 1-0' | grep -c "execute.* WHERE (g.result = '1-0') ORDER BY g.id LIMIT 3$")" 1 'the limit is sent to the shard'
is "$(asked find "$hub" --limit 3 --offset 4 'result 1-0' | grep -c 'LIMIT 7$')" 1 'a limit with an offset'
is "$(asked find "$hub" --count 'result 1-0' | grep -c 'SELECT count(\*) FROM (SELECT 1 FROM tabiya.game g WHERE')" 1 'the shard counts'
is "$(asked explore "$hub" --query 'result 1-0' 1. e4 | grep -c 'nextMoves.* FROM tabiya.game g .* GROUP BY')" 1 'the shard counts what is played'
is "$(asked find "$hub" 'greek-gift' | grep -c 'WHERE public.matches(g.moves, \$1::public.chessquery)')" 1 'a pattern is looked for on the shard'
is "$(asked find "$hub" 'player morphy mate' | grep -c 'WHERE ((array_to_tsvector(public.nameWords.*) AND public.matches(g.moves, \$3::public.chessquery)')" 1 'a pattern among the games of a player'
is "$(grep -c '(SELECT FROM' "$PG_TEMP/log2")" 0 'no statement selects no column, which Citus cannot plan'
is "$(asked find "$hub" --limit 2 'mate' | grep -c 'WHERE public.matches(.*LIMIT 2$')" 1 'a pattern with a limit'
is "$(asked find "$hub" --where 'plies > 100' | grep -c 'FROM tabiya.games) AS games WHERE (plies > 100))')" 1 'a condition in SQL is looked at on the shard'
is "$("$tabiya" find "$hub" --count --where 'plies > (SELECT avg(plies) FROM games)' 2>&1 | grep -c 'on a cluster, a condition in SQL cannot have a query inside')" 1 'a condition about all games'
is "$("$tabiya" find "$hub" --count --where "white <> 'select' AND \"event\" <> 'The table'")" "$("$tabiya" find "$one" --count --where "white <> 'select' AND \"event\" <> 'The table'")" 'words that are no query'
is "$("$tabiya" find "$hub" --explain 'player morphy mate' | grep -c 'each of 2 shards\|left to check in each game: nothing')" 2 'the plan of the shards'
log_statements none
# The shard uses its index for the statements it is sent.
is "$(sql shard1 "SET enable_seqscan = off; EXPLAIN SELECT id FROM tabiya.game_of_shard WHERE moves OPERATOR(public.>=) '1. e4 *'::chessopening AND moves OPERATOR(public.<) 'openingEnd 1. e4 *'::chessopening" | grep -c game_moves)" 1 'index of a shard'

# ---- The other commands, and stored counts

n_faults() { "$tabiya" verify "$1" | tail -n 1; }
is "$("$tabiya" info "$hub" | sed '/runs\|size/d')" "$("$tabiya" info "$one" | sed '/runs\|size/d')" 'info'
is "$("$tabiya" info --sizes "$hub" | grep -c game_positions)" 1 'sizes'
is "$(n_faults "$hub")" "$(n_faults "$one")" 'verify'
is "$("$tabiya" explore "$hub" --explain | head -n 1)" 'moves: from the games; no counts are stored for this position' 'no counts yet'
sql one "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date'); SELECT tabiya.game_played_refresh(20)" >/dev/null
sql shard1 'SELECT tabiya.game_played_refresh(20)' >/dev/null
is "$("$tabiya" explore "$hub" --explain | head -n 1)" 'moves: from the stored counts of this position on shard 1, and from the games of the others' 'counts of one shard'
explores '' '1. e4' '1. a3'
sql2 'SELECT tabiya.game_played_refresh(20)' >/dev/null
is "$("$tabiya" explore "$hub" --explain | head -n 1)" 'moves: from the stored counts of this position' 'counts of all shards'
log_statements all
is "$(asked explore "$hub" | sed -n 's/.*\(BEGIN\|FROM tabiya.game_counts\).*/\1/p')" 'FROM tabiya.game_counts' 'counts are asked for by one statement'
is "$(asked explore "$hub" --query 'date 2000..' | sed -n 's/.*\(BEGIN\|FROM tabiya.game_counts\).*/\1/p')" 'FROM tabiya.game_counts' 'years too'
log_statements none
is "$("$tabiya" explore "$hub" --explain --query 'elo 2300..' | head -n 1)" 'moves: from the games; counts are stored only for ratings from a multiple of 200, and for years' 'another filter'
explores '' '1. e4' '1. a3'
# A date like 199? belongs to no single year, so the games themselves are counted.
printf '[Event "odd"]\n[Date "199?.??.??"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke2 1-0\n' >odd.pgn
"$tabiya" import odd.db odd.pgn >/dev/null
for name in one hub; do "$tabiya" import "${!name}" odd.pgn >/dev/null 2>&1; done
for condition in 'date 1990..1999' 'date 2000..' 'event odd date 1990..1999'; do ask explore --query "$condition" '1. e4 e5'; done
is "$("$tabiya" explore "$hub" --query 'event odd date 1990..1999' 1. e4 e5)" "$("$tabiya" explore odd.db --query 'date 1990..1999' 1. e4 e5)" 'an odd date'
for name in one hub; do
    "$tabiya" delete "${!name}" --ids 5,9..20,77,99999 >"$name.report" 2>&1
    "$tabiya" delete "${!name}" 'date 2026.. result 1-0 plies ..60' --yes >>"$name.report" 2>&1
done
is "$(cat hub.report)" "$(cat one.report)" 'delete'
finds --pgn "--count --limit 20 --offset 3"
explores '' '1. e4' '1. a3'
is "$(n_faults "$hub")" "$(n_faults "$one")" 'verify after deleting'
sql2 "UPDATE tabiya.game SET white = 'X' WHERE id = (SELECT min(id) FROM tabiya.game)"
is "$("$tabiya" verify "$hub" | grep -c 'its columns do not match its game')" 1 'a fault on a shard'
"$tabiya" delete "$hub" --yes 'white ="X"' >/dev/null
# A game on the wrong shard, and on both.
columns='id, hash, date, plies, shape, result, white, black, moves'
id=$(sql2 'SELECT max(id) FROM tabiya.game')
PGHOST=$PG_TEMP/socket2 psql -X -q -d postgres -c "COPY (SELECT $columns FROM tabiya.game WHERE id = $id) TO STDOUT" | psql -X -q -d shard1 -c "COPY tabiya.game ($columns) FROM STDIN"
is "$("$tabiya" verify "$hub" | grep -c 'it is on two shards\|its hash belongs to another shard')" 2 'a game on two shards'
sql shard1 "DELETE FROM tabiya.game WHERE id = $id"
for name in one hub; do "$tabiya" import "${!name}" games.pgn "$root/examples/selfplay.pgn" 2>/dev/null | sed 's/ [0-9]* stored, [0-9]* dup/ N stored, N dup/' >"$name.report"; done
is "$(cat hub.report)" "$(cat one.report)" 'what was deleted comes back'
is "$(sql coordinator 'SELECT count(*) FROM tabiya.game')" "$(sql one 'SELECT count(*) FROM tabiya.game')" 'as many games'
for moves in '' '1. e4' '1. d4'; do
    # shellcheck disable=SC2086
    is "$("$tabiya" explore "$hub" $moves | md5sum)" "$("$tabiya" explore "$one" $moves | md5sum)" "counts after an import: $moves"
done
sql coordinator 'SELECT md5(string_agg(m, chr(10) ORDER BY m)) FROM (SELECT moves::text || coalesce(white, chr(32)) AS m FROM tabiya.game) AS x' >all.md5

same_games() {
    is "$(sql coordinator 'SELECT md5(string_agg(m, chr(10) ORDER BY m)) FROM (SELECT moves::text || coalesce(white, chr(32)) AS m FROM tabiya.game) AS x')" "$(cat all.md5)" "$1: the games"
    is "$(n_faults "$hub" | sed 's/.*, //')" '0 faults' "$1: verify"
    is "$("$tabiya" explore "$hub" 1. e4 | md5sum)" "$("$tabiya" explore "$one" 1. e4 | md5sum)" "$1: explore"
}
for words in 'init' "init $hub" 'status' "status $hub $hub" "status nonsense" 'move' "add $hub $shard3" "add $hub" "rebalance $hub" "rebalance"; do
    # shellcheck disable=SC2086
    is "$("$tabiya" cluster $words 2>&1 | grep -c "^tabiya: cluster"; "$tabiya" cluster $words >/dev/null 2>&1; echo $?)" $'1\n2' "cluster $words"
done
is "$("$tabiya" shard status --json "$hub" | jq -r '"\(.shard) \(.reachable) \(.lag) \(.games >= 0) \(.error)"')" $'1 true null true null\n2 true null true null' 'status as JSON, by the old name of the command'
# A different version of the extension on one of them.
sql2 "UPDATE pg_extension SET extversion = '1.0-\"odd\\' WHERE extname = 'tabiya'"
is "$("$tabiya" cluster status --json "$hub" | jq -r .extension | tail -n 1; "$tabiya" cluster status "$hub" >/dev/null; echo $?)" $'1.0-"odd\\\n1' 'versions that differ'
sql2 "UPDATE pg_extension SET extversion = (SELECT default_version FROM pg_available_extensions WHERE name = 'tabiya') WHERE extname = 'tabiya'"
is "$("$tabiya" import "$hub" games.pgn "$root/examples/selfplay.pgn" 2>/dev/null | grep -c ' 0 stored')" 1 'all games are known'

# ---- A shard that dies: clear errors, nothing lost or stored twice

"$tabiya" serve "$hub" --port 0 >address 2>/dev/null &
site=$!
for _ in $(seq 100); do [ ! -s address ] || break && sleep 0.05; done
served() { curl -sS "$@" "$(cat address)api/find?q=result+1-0&count=1"; }
wanted="{\"count\":$(sql one "SELECT count(*) FROM tabiya.game WHERE result = '1-0'")}"
is "$(served)" "$wanted" 'the server on a coordinator'
stop 2
is "$(served | grep -c 'error.*shard.2')" 1 'the server while a shard is away'
is "$(served -o /dev/null -w '%{http_code}')" 503 'its status'
is "$("$tabiya" find "$hub" --count 2>&1 | grep -c 'shard 2: connection to server')" 1 'a find while a shard is away'
is "$("$tabiya" import "$hub" games.pgn 2>&1 | grep -c 'shard 2: connection to server')" 1 'an import while a shard is away'
is "$("$tabiya" delete "$hub" --ids 1..50 2>&1 | grep -c 'shard 2: connection to server')" 1 'deleting while a shard is away'
is "$("$tabiya" cluster status "$hub" | grep -c '^2 *not reachable: ')" 1 'the status while a shard is away'
"$tabiya" cluster status "$hub" >/dev/null
is "$?" 1 'its exit code'
is "$("$tabiya" cluster status --json "$hub" | jq -r 'select(.reachable | not) | "\(.shard) \(.games) \(.error)"' | grep -c '^2 null connection to server')" 1 'as JSON'
start 2
is "$(served)" "$wanted" 'the server when the shard is back'
kill "$site" && wait "$site"
same_games 'a shard that is back'
# In the middle of an import into all shards, and of a find.
"$tabiya" convert --to pgn "$root/examples/selfplay.pgn" | sed 's/^\[Event "/[Event "Again: /' >again.pgn
mkfifo pipe
"$tabiya" import "$hub" pipe >import.out 2>&1 &
importer=$!
importing() { [ "$(sql2 "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'tabiya'")" = t ]; }
{
    head -c 3000000 again.pgn
    for _ in $(seq 600); do ! importing || break && sleep 0.05; done
    stop 2
    tail -c +3000001 again.pgn
} >pipe 2>/dev/null
wait "$importer"
is "$?" 2 'the exit code of an import whose shard dies'
is "$(grep -c 'tabiya: import: .*: shard 2: ' import.out)" 1 'its message'
start 2
is "$("$tabiya" import "$hub" again.pgn | grep -c '^[0-9]* games read: ')" 1 'the same import continues'
is "$(sql coordinator "SELECT count(*), count(DISTINCT id) FROM tabiya.game WHERE event LIKE 'Again: %'")" "$(grep -c '^\[Event "Again: ' again.pgn | sed 's/.*/&|&/')" 'nothing lost or doubled'
is "$(n_faults "$hub" | sed 's/.*, //')" '0 faults' 'all is sound'
for command in export find; do
    ("$tabiya" $command "$hub" 2>find.err | { head -c 1000 >/dev/null; stop 2; cat >/dev/null; })
    is "$(grep -c "tabiya: $command: .*shard 2: " find.err)" 1 "$command: a shard dies in the middle"
    start 2
done
is "$("$tabiya" export "$hub" | grep -c '^\[Event ')" "$(sql coordinator 'SELECT count(*) FROM tabiya.game')" 'and when it is back'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
