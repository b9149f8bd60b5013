#!/bin/bash
# citus.sh - the statements of docs/postgres.md on Citus, beside a server (cluster.sh) that loads it: a table distributed by
# `shard`, and the answers of a plain table with the same games. Skipped where Citus is not installed.
# The last line is "N passed, N failed".
set -u
[ "$(psql -X -At -c "SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'")" = 1 ] || { echo 'Citus is not installed here'; exit 77; }
passed=0 failed=0
is() { if [ "$1" = "$2" ]; then passed=$((passed + 1)); else echo "FAILED: $3: $1, not $2"; failed=$((failed + 1)); fi; }
sql() { psql -X -q -At -v ON_ERROR_STOP=1 -c "$1"; }

as_server sed -i "\$ a shared_preload_libraries = 'citus'" "$PG_TEMP/data/postgresql.conf"
as_server pg_ctl -D "$PG_TEMP/data" -w restart >/dev/null || { cat "$PG_LOG"; exit 1; }
psql -X -q -v ON_ERROR_STOP=1 -v pgn="$(cat examples/famous.pgn)" <<'SQL' || exit 1
CREATE EXTENSION citus;
CREATE EXTENSION tabiya;
SELECT citus_set_coordinator_host('localhost');
CREATE TABLE plain (shard integer NOT NULL, id integer NOT NULL, game chessgame NOT NULL);
INSERT INTO plain SELECT number % 8, number, game FROM parsePgn(:'pgn') WHERE error IS NULL;
CREATE TABLE games (LIKE plain);
SELECT create_distributed_table('games', 'shard');
INSERT INTO games SELECT * FROM plain;
CREATE INDEX ON games (game);
CREATE INDEX ON games USING gin (game);
SQL
for board in "getBoard('')" "getBoard('1. e4 e5')" "getBoard('1. e4 e5 2. Nf3 Nc6')"; do
    is "$(sql "SELECT mergeMoves(list, $board) FROM (SELECT shard, nextMoves(game, $board) AS list FROM games GROUP BY shard) AS x")" \
        "$(sql "SELECT nextMoves(game, $board) FROM plain")" "nextMoves at $board"
    is "$(sql "SELECT count(*) FROM games WHERE hasBoard(game, $board)")" "$(sql "SELECT count(*) FROM plain WHERE hasBoard(game, $board)")" "hasBoard $board"
done
is "$(sql "SELECT sum(n) FROM (SELECT shard, count(*) AS n FROM games WHERE hasOpening(game, '1. e4') GROUP BY shard) AS x")" \
    "$(sql "SELECT count(*) FROM plain WHERE hasOpening(game, '1. e4')")" 'hasOpening'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
