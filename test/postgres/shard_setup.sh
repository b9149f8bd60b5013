#!/bin/bash
# shard_setup.sh - setting up shards, with a server (cluster.sh) that has all the databases: mistakes are refused before
# anything is done, with the reason; the printed statements run in psql; a lost coordinator can be set up again. The
# last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/shards_support.sh
. "$(dirname "$0")/shards_support.sh" setup
shard() { timeout 60 "$tabiya" cluster "$@" 2>&1; }
# says TEXT COMMAND... - the output contains the text
says() { is "$(shard "${@:2}" | grep -cF -- "$1")" 1 "$*"; }
for name in hub one two three old; do createdb "$name"; done
hub=$(url hub) one=$(url one) two=$(url two) three=$(url three)
untouched() { is "$(sql one "SELECT to_regnamespace('tabiya') IS NULL")$(sql hub "SELECT to_regnamespace('tabiya') IS NULL")" tt "$1: nothing is done"; }

# ---- One database under two names

says 'the coordinator and shard 1 are the same database' init "$hub" "$hub"
says 'the coordinator and shard 2 are the same database' init "$hub" "$one" "postgresql:///hub?host=$PGHOST/&user=postgres"
says 'shards 1 and 2 are the same database' init "$hub" "$one" "postgresql:///one?host=$PGHOST/&user=postgres"
untouched 'one database under two names'

# ---- The extension

echo 'SELECT 1;' >"$(pg_config --sharedir)/extension/tabiya--0.9.sql"
sql old "CREATE EXTENSION tabiya VERSION '0.9'"
says "its extension tabiya has version 0.9, that of the coordinator 1.1; install the later one on both servers, then run ALTER EXTENSION tabiya UPDATE" \
    init "$hub" "$one" "$(url old)"
sql old 'DROP EXTENSION tabiya; CREATE SCHEMA chess; CREATE EXTENSION tabiya SCHEMA chess'
says 'its extension tabiya is in the schema chess, that of the coordinator in public; ALTER EXTENSION tabiya SET SCHEMA moves it' \
    init "$hub" "$one" "$(url old)"
untouched 'another extension'
# A coordinator whose extension is in another schema has shards with the same schema.
is "$(shard init "$(url old)" "$three")" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'an extension in another schema'
is "$("$tabiya" import "$(url old)" "$root/examples/famous.pgn")" '58 games read: 58 stored, 0 duplicates, 0 rejected' 'its import'
is "$(sql old "SET search_path = chess; SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM tabiya.game WHERE hasOpening(moves, '1. e4') GROUP BY shard) AS x")" 27 'its openings by SQL'

# ---- Rights

sql hub 'CREATE ROLE guest LOGIN'
says 'permission denied to create extension "tabiya" (Must have CREATE privilege' init "$(url hub guest)" "$one"
says 'permission denied to create extension "tabiya" (Must have CREATE privilege' init "$hub" "$one" "$(url two guest)"

# ---- Unknown options are not silently dropped

options() { sql old "SET search_path = chess; SELECT count(*) FROM shardSql(ARRAY[\$q\$$1\$q\$])" 2>&1 | sed -n 's/^ERROR:  //p'; }
is "$(options "host=a dbname=games and more")" "shard 1: unexpected 'and more' in the options of its connection" 'junk after options'
is "$(options "host='a'b dbname=games")" "shard 1: unexpected 'host=''a''b' in the options of its connection" 'junk after a quote'
is "$(options "host= 'open")" "shard 1 has no options of a connection: 'host= ''open'" 'an open quote'
is "$(options "host='a b' dbname='it\\'s {n} \$\$'")" '' 'values with spaces, quotes and braces'
is "$(sql old "SET search_path = chess; SELECT sql FROM shardSql(ARRAY[\$q\$host=a dbname='{n}' password='{ext}'\$q\$]) WHERE server = 'coordinator'" | grep -c "dbname '{n}'\|password '{ext}'")" 2 'braces in values'

# ---- The printed statements

dropdb one && createdb one
shard init --print "$hub" "$one&sslpassword=hush&password=hush" "$two" >printed.sql
is "$(grep -c hush printed.sql)" 0 'no secret is printed'
untouched 'printed'
shard init --print "$hub" "$one" "$two" >printed.sql
is "$(psql -X -q -d postgres -f printed.sql 2>&1)" '' 'what is printed runs in psql'
schema() { pg_dump -s "$1" | sed '/^\\\(un\)\?restrict/d'; }
schema hub >hub.printed && schema one >one.printed
is "$(shard status "$hub" | sed -n 's/^\([12]\) .* \(1[0-9.]*\) *1\.1 *host=.*/\1 \2/p' | head -n 1)" "1 $(sql hub "SELECT split_part(current_setting('server_version'), ' ', 1)")" 'its shards, and what they are'
for name in hub one two; do dropdb "$name" && createdb "$name"; done
is "$(shard init "$hub" "$one" "$two")" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'init'
is "$(schema hub | diff - hub.printed)$(schema one | diff - one.printed)" '' 'init does what is printed'

"$tabiya" import "$hub" "$root/examples/famous.pgn" --index-plies 12 >/dev/null
is "$("$tabiya" info "$hub" | sed -n 's/^index depth *//p')" 12 'the depth of the index of all'

# ---- Restoring a coordinator and a shard from their dumps, as docs/postgres.md says

shard status "$hub" >before
"$tabiya" export "$hub" >exported
pg_dump -f hub.sql hub && pg_dump -f one.sql one
for name in hub one; do dropdb "$name" && createdb "$name" && psql -X -q -v ON_ERROR_STOP=1 -d "$name" -f "$name.sql" >/dev/null; done
is "$(shard status "$hub" | sed 's/^\([0-9t][^ ]* *[0-9]*\) *[0-9]*/\1/')" "$(sed 's/^\([0-9t][^ ]* *[0-9]*\) *[0-9]*/\1/' before)" 'the status of what was restored'
is "$(shard init "$hub" "$one" "$two" 2>&1)" "the cluster is ready; tabiya import on the coordinator's URL fills it" 'init again'
is "$(sql hub 'SHOW enable_sort')" off 'and the settings that a dump does not have'
is "$("$tabiya" verify "$hub" 2>&1)" '58 games, 0 faults' 'what was restored is sound'
is "$("$tabiya" export "$hub" | cmp - exported 2>&1)" '' 'and the games are the same'
# A lost coordinator is set up again: the shards know which they are. In another order, or with more shards, games would
# be stored twice.
dropdb hub && createdb hub && dropdb three && createdb three
says 'the database is already shard 2 of 2 and cannot become shard 1 of 2' init "$hub" "$two" "$one"
says 'the database is already shard 1 of 2 and cannot become shard 1 of 3' init "$hub" "$one" "$two" "$three"
is "$(sql hub "SELECT to_regnamespace('tabiya') IS NULL")" t 'another order: nothing is done'
shard init "$hub" "$one" "$two" >/dev/null
is "$("$tabiya" verify "$hub" 2>&1)$("$tabiya" export "$hub" | cmp - exported 2>&1)" '58 games, 0 faults' 'a coordinator made again'
is "$("$tabiya" import "$hub" "$root/examples/famous.pgn")" '58 games read: 0 stored, 58 duplicates, 0 rejected' 'it knows all games'
# A shard moves to another server as a whole.
createdb -T two moved && dropdb two
is "$("$tabiya" find "$hub" --count 2>&1 | grep -c 'shard 2: ')" 1 'a shard that is gone'
sql hub "ALTER SERVER tabiya_shard_2 OPTIONS (SET dbname 'moved')"
is "$("$tabiya" verify "$hub" 2>&1)$("$tabiya" export "$hub" | cmp - exported 2>&1)" '58 games, 0 faults' 'a shard that was moved'

sql moved "UPDATE pg_extension SET extversion = '1.0' WHERE extname = 'tabiya'"
is "$(shard status "$hub" | tail -n 1 | cut -c 1-40)" 'the servers have different versions of t' 'the status of different versions'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
