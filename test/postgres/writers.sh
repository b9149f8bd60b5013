#!/bin/bash
# writers.sh - other sessions change games during an import's transaction, with a server (cluster.sh): none of them
# waits for it, numbers do not collide, and a user who may change games cannot falsify their counts. The last line is "N
# passed, N failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" writers
db=$(url writers)
createdb writers
"$tabiya" import "$db" "$root/examples/famous.pgn" >/dev/null
sql writers "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags'); SELECT tabiya.game_played_refresh(5)" >/dev/null

# ---- During an import

mkfifo pipe
"$tabiya" import "$db" pipe --threads 1 >import.out 2>&1 &
importer=$!
exec 3>pipe
# more than the program reads before it stores a part
for _ in 1 2 3 4 5 6 7 8; do cat "$root/examples/selfplay.pgn"; done >&3
# until it has stored games that it has not committed
stored="SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE relation = 'tabiya.game'::regclass AND mode = 'RowExclusiveLock' AND application_name = 'tabiya'"
for _ in $(seq 600); do [ "$(sql writers "$stored")" = 0 ] || break; sleep 0.05; done
is "$(sql writers "$stored")" 1 'an import in the middle of a transaction'
write() { sql writers "SET lock_timeout = '3s'; $1" 2>&1; }
is "$(write 'WITH gone AS (DELETE FROM tabiya.game WHERE id = 1 RETURNING id) SELECT count(*) FROM gone')" 1 'a game is deleted beside an import'
is "$(write 'WITH changed AS (UPDATE tabiya.game SET white_elo = 2000 WHERE id = 2 RETURNING id) SELECT count(*) FROM changed')" 1 'a game is changed'
columns='hash, date, plies, shape, result, white, black, moves'
write "INSERT INTO tabiya.game ($columns) SELECT 1, date, plies, shape, result, white, black, moves FROM tabiya.game WHERE id = 3" >insert.out
is "$(cat insert.out)" '' 'a game is added'
exec 3>&-
wait "$importer"
is "$? $(grep -c ' rejected' import.out)" '0 1' "the import ends: $(tail -n 1 import.out)"
is "$(sql writers 'SELECT count(*) = count(DISTINCT id) FROM tabiya.game')" t 'no number twice'
counted() { is "$("$tabiya" verify "$db" | grep -c 'the counts of moves')" 0 "the counts are those of the games: $1"; }
counted 'beside an import'

# ---- At its end: existing games are not locked

exec 4> >(psql -X -q -d writers >writer.out 2>&1)
writer=$!
echo "SET application_name = 'writer'; BEGIN; DELETE FROM tabiya.game WHERE id = 5;" >&4
for _ in $(seq 600); do [ "$(sql writers "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'writer' AND state = 'idle in transaction'")" = 0 ] || break; sleep 0.05; done
timeout 60 "$tabiya" import "$db" "$root/examples/famous.pgn" >again.out 2>&1
is "$?" 0 'an import ends while somebody has changed a game'
echo 'COMMIT;' >&4
exec 4>&-
wait "$writer"

# ---- Others can write while recounting waits for an open transaction

exec 4> >(psql -X -q -d writers >writer.out 2>&1)
writer=$!
echo "SET application_name = 'long'; BEGIN; DELETE FROM tabiya.game WHERE id = 10;" >&4
for _ in $(seq 600); do [ "$(sql writers "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'long' AND state = 'idle in transaction'")" = 0 ] || break; sleep 0.05; done
sql writers "SELECT tabiya.game_played_choose(5)" >/dev/null
PGAPPNAME=counter psql -X -q -d writers -c 'SELECT tabiya.game_played_count()' >counter.out 2>&1 &
counter=$!
for _ in $(seq 600); do [ "$(sql writers "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counter' AND wait_event_type = 'Lock'")" = 0 ] || break; sleep 0.05; done
is "$(write 'WITH gone AS (DELETE FROM tabiya.game WHERE id = 11 RETURNING id) SELECT count(*) FROM gone')" 1 'a game is deleted while counting waits for another writer'
is "$(kill -0 "$counter" && echo waits)" waits 'counting waits'
echo 'COMMIT;' >&4
exec 4>&-
wait "$writer" "$counter"
counted 'after waiting for a writer'

# ---- A user who may change games may not write counts

sql writers 'CREATE ROLE editor LOGIN; GRANT USAGE, CREATE ON SCHEMA tabiya TO editor; GRANT SELECT, INSERT, UPDATE, DELETE ON tabiya.game TO editor;
    GRANT USAGE ON SEQUENCE tabiya.game_id_seq TO editor'
edit() { psql -X -q -At -U editor -d writers -c "$1" 2>&1 | sed -n 's/^ERROR:  //p'; }
is "$(edit 'DELETE FROM tabiya.game WHERE id = 7')" '' 'an editor deletes a game'
is "$(edit "INSERT INTO tabiya.game ($columns) SELECT 2, date, plies, shape, result, white, black, moves FROM tabiya.game WHERE id = 8")" '' 'an editor adds a game'
counted 'after an editor'
is "$(edit 'INSERT INTO tabiya.game_played (position) VALUES (0)')" 'permission denied for table game_played' 'no counts of their own'
is "$(edit 'CREATE TABLE tabiya.fake (LIKE tabiya.game); CREATE TRIGGER fake AFTER INSERT ON tabiya.fake REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tabiya.game_played_change()')" \
    'permission denied for function tabiya.game_played_change' 'nor by the trigger, on a table of their own'
sql writers 'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tabiya TO editor; CREATE TABLE tabiya.fake (LIKE tabiya.game);
    CREATE TRIGGER fake AFTER INSERT ON tabiya.fake REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tabiya.game_played_change(); GRANT INSERT ON tabiya.fake TO editor'
is "$(edit 'INSERT INTO tabiya.fake SELECT * FROM tabiya.game')" 'this trigger counts the moves of another table' 'even if they may call it'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
