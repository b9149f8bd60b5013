#!/bin/bash
# overloads.sh - a user who may create objects next to the extension cannot make anybody else run them, with a server
# (cluster.sh). For every function of the extension, and for those of PostgreSQL that our statements call, overloads.sql
# creates overloads for other types, and operators for every pair of types, which all raise an error; overloads_before.sql
# does the same before the extension is created. Then a superuser imports, searches, explores, deletes, and distributes
# games with the stand-in for Citus; no planted
# function may run. The last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" overloads
# plant DATABASE SCHEMA - plants functions in the schema of the extension, where mallory may create objects
plant() {
    createdb "$1"
    sql "$1" "CREATE SCHEMA IF NOT EXISTS $2; CREATE EXTENSION tabiya SCHEMA $2; GRANT ALL ON SCHEMA $2, public TO mallory"
    psql -X -q -v ON_ERROR_STOP=1 -U mallory -d "$1" -v ext="$2" -f "$root/test/postgres/overloads.sql" || failed=$((failed + 1))
}
# clean WHAT COMMAND... - the command succeeds and runs nothing that was planted
clean() {
    "${@:2}" >said 2>&1
    is "$(($? > 1)) $(grep -c planted said)" '0 0' "$1: $(grep -m 1 'planted\|tabiya:' said)"
}
# hit DATABASE STATEMENT - the planted function does run if somebody calls it
hit() { is "$(sql "$1" "$2" 2>&1 | grep -c 'ERROR:  planted')" 1 "planted: $2"; }

sql postgres 'CREATE ROLE mallory LOGIN'
plant apart chess
plant together public
createdb -T together citus

hit apart "SET search_path = chess; SELECT getFirstMoves(''::chessgame, 40)"
hit together "SELECT hasOpening(''::chessgame, '1. e4'::text)"
hit together "SELECT 'a'::text || 'pg_class'::regclass"
hit together "SELECT '{a}'::text[] @> '{a}'::text[]"
hit together 'SELECT count(1)'
is "$(psql -X -U mallory -d together -c 'CREATE CAST (integer AS text) WITH INOUT AS IMPLICIT' 2>&1 | grep -c 'must be owner')" 1 'no casts between types of others'

# Before CREATE EXTENSION: other schemas and other signatures do not matter, and an object with the same name is an error.
sql together "SET search_path = pg_catalog; SELECT p.proname, oidvectortypes(p.proargtypes) FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tabiya')
    UNION ALL VALUES ('tabiya_define', 'none'), ('tabiya_compare', 'none')" >names.txt
createdb early
sql early 'CREATE SCHEMA chess; GRANT ALL ON SCHEMA public, chess TO mallory'
psql -X -q -v ON_ERROR_STOP=1 -U mallory -d early -f "$root/test/postgres/overloads_before.sql" || failed=$((failed + 1))
hit early "SELECT public.hasOpening(1::smallint)"
clean 'CREATE EXTENSION' sql early 'CREATE EXTENSION tabiya'
is "$(sql early "SELECT public.hasOpening('1. e4 e5'::public.chessgame, '1. e4'::public.chessgame)")" t 'CREATE EXTENSION beside other functions'
# Two overloads with defaults make a call ambiguous, which is an error; none of them runs.
is "$("$tabiya" import "$(url early)" "$root/examples/famous.pgn" 2>&1 | grep -c planted)" 0 'CREATE EXTENSION: import'
# same WHAT MESSAGE STATEMENT
same() {
    createdb same
    sql same 'GRANT ALL ON SCHEMA public TO mallory'
    psql -X -q -U mallory -d same -c "$3"
    is "$(sql same 'CREATE EXTENSION tabiya' 2>&1 | head -n 1)" "ERROR:  $2" "an object with the same name: $1"
    is "$(sql same 'SELECT count(*) FROM pg_extension')" 1 "$1: nothing is installed"
    dropdb same
}
run="RAISE EXCEPTION 'planted'"
same 'a function' 'function "tabiya_fill" already exists with same argument types' "CREATE FUNCTION public.tabiya_fill(text, jsonb) RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN $run; END \$\$"
same 'a type' 'type "chessgame" already exists' "CREATE DOMAIN public.chessgame AS text"
same 'a table' 'type "chessboard" already exists' "CREATE TABLE public.chessboard (id integer)"
same 'another type' 'type "nextmove" already exists' 'CREATE TYPE public.nextmove AS (x integer)'

fen='rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
ask() {
    local db=$1
    clean "$db: find" "$tabiya" find "$db" 'white morphy date 1850..1860 elo ..3000 mate' --limit 3
    clean "$db: find a pattern" "$tabiya" find "$db" 'eco C00..C99 opening "1. e4" or event "par*" and round "" greek-gift' --limit 3
    clean "$db: find a board" "$tabiya" find "$db" --fen "$fen" --limit 3
    clean "$db: find up to a ply" "$tabiya" find "$db" "fen \"$fen\" ply ..20" --limit 3
    clean "$db: count" "$tabiya" find "$db" 'result 1-0' --count
    clean "$db: a condition in SQL" "$tabiya" find "$db" --where 'plies > 20' 'player morphy date 1800..'
    clean "$db: explore" "$tabiya" explore "$db" 1. e4
    clean "$db: explore a part" "$tabiya" explore "$db" --query 'elo 2000.. date 1990..2010'
    clean "$db: explore games" "$tabiya" explore "$db" --query 'player morphy mate' 1. e4 e5
    clean "$db: explore by a condition in SQL" "$tabiya" explore "$db" --where 'plies > 20' 1. e4 e5
    clean "$db: explain" "$tabiya" find "$db" 'player morphy' --explain
    clean "$db: export" "$tabiya" export "$db" 'id 1..3'
    clean "$db: info" "$tabiya" info "$db"
    clean "$db: verify" "$tabiya" verify "$db"
    clean "$db: names" "$tabiya" names "$db" --player morphy
    clean "$db: collect" "$tabiya" collection add "$db" Some --ids 1..3
    clean "$db: delete" "$tabiya" delete "$db" --ids 2..2
}
# Enough games for move counts.
clean 'import' "$tabiya" import "$(url together)" --index-plies 10 --duplicates keep "$root"/examples/{selfplay,selfplay,selfplay,selfplay,famous}.pgn
is "$(sql together 'SELECT count(*) > 50 FROM tabiya.game_tracked')" t 'import: counts'
clean 'import: again' "$tabiya" import "$(url together)" "$root/examples/famous.pgn"
clean 'import: elsewhere' "$tabiya" import "$(url apart)" "$root/examples/famous.pgn"
clean 'counts' sql apart "SELECT chess.createMoveStats('tabiya.game'::regclass, 'moves'::name, 'white_elo'::name, 'black_elo'::name, 'date'::name, 'speed'::name, 'tags'::name)"
for name in apart together; do
    clean "$name: refresh" sql $name 'SELECT tabiya.game_played_refresh(20::integer)'
    ask "$(url $name)"
    clean "$name: change" sql $name 'SET search_path = pg_catalog; UPDATE tabiya.game SET white_elo = 2000 WHERE id = 5'
    clean "$name: fold" sql $name 'SELECT tabiya.game_played_fold()'
done
clean 'read counts' sql apart "SET search_path = pg_catalog; SELECT * FROM tabiya.game_explore(chess.getBoard(''::chess.chessgame), NULL::int4range, NULL::int4range)"
clean 'read games' sql apart "SET search_path = pg_catalog; SELECT * FROM tabiya.game_explore(chess.getBoard('1. g4'::chess.chessgame), NULL::int4range, NULL::int4range)"
cp --remove-destination "$root/test/postgres/fake_citus/"* "$(pg_config --sharedir)/extension/"
sql citus 'CREATE EXTENSION citus'
clean 'Citus' "$tabiya" cluster init "$(url citus)" postgresql://a/games
clean 'Citus: import' "$tabiya" import "$(url citus)" --index-plies 10 --duplicates keep "$root"/examples/{selfplay,selfplay,selfplay,selfplay,famous}.pgn
ask "$(url citus)"
clean 'Citus: a deeper index' "$tabiya" import "$(url citus)" --index-plies 12 "$root/examples/famous.pgn"
clean 'Citus: status' "$tabiya" cluster status "$(url citus)"
is "$(sql postgres "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'")" f 'mallory is no superuser'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
