#!/bin/bash
# valgrind.sh - runs the extension in a single-user server under valgrind, on a copy of the data of a server
# (cluster.sh).
#
# The queries cover every function; what PostgreSQL itself does with padding is suppressed.
set -eu
command -v valgrind >/dev/null || { echo "no valgrind"; exit 77; }
psql -X -q -c 'CREATE EXTENSION tabiya'
"$PG_BUILD/test/postgres_copy_games" --random 15 3 >"$PG_TEMP/random.copy"
psql -X -q -c 'CREATE TABLE games (id integer, game chessgame)' \
    -c "\\copy games FROM '$PG_TEMP/random.copy' WITH (FORMAT binary)"
as_server pg_ctl -D "$PG_TEMP/data" -m fast -w stop >/dev/null

# In single-user mode each line is a statement.
{
    grep -v -e '^#' -e '^$' test/sql/answers.tsv | awk -F '\t' '$2 !~ /^error/ && NR % 12 == 1 { print "SELECT " $1 ";" }'
    cat <<'QUERIES'
CREATE INDEX by_moves ON games (game);
CREATE INDEX by_hash ON games USING hash (game);
CREATE INDEX by_board ON games USING gin (game chessgame_gin_ops (max_ply = 30));
ANALYZE games;
SET enable_seqscan = off;
SELECT count(*) FROM games WHERE hasOpening(game, '1. a3');
SELECT count(*) FROM games WHERE hasBoard(game, getBoard('1. a3'), 20);
SELECT count(*) FROM games WHERE hasPosition(game, getBoard('1. a3'));
SELECT count(*) FROM games g, games f WHERE hasOpening(g.game, getFirstMoves(f.game, 4));
SELECT count(*) FROM games ORDER BY min(game::text);
SELECT count(*) FROM (SELECT game FROM games ORDER BY game DESC) AS x;
SELECT count(game::text::chessgame), count(game::bytea::chessgame), count(toPgn(game)), count(toJson(game)), count(toCmbr(game)) FROM games;
SELECT count(p.tags), count(toPgn(p.game, p.tags, p.annotated)) FROM games, parsePgn(toPgn(game)) AS p;
SELECT nextMoves(game, getBoard('')) FROM games;
SELECT mergeMoves(list, getBoard('')) FROM (SELECT nextMoves(game, getBoard('')) AS list FROM games GROUP BY id % 2) AS x;
SELECT count(*) FROM games WHERE NOT hasOpening(game, '1. a3');
SELECT min(game), max(getBoard(game)), count(getBoard(game::text, id)), count(openingEnd(game)::text::chessopening) FROM games;
SELECT count(*) FROM games, moves(game), positions(game) AS p WHERE id < 3;
SELECT getTermination(game), getGameResult(game), getEco(game) FROM games;
UPDATE games SET game = undoLastMove(game);
DELETE FROM games WHERE hasBoard(game, getBoard('1. a3'));
VACUUM games;
QUERIES
} >"$PG_TEMP/queries"
cat >"$PG_TEMP/suppressions" <<'SUPPRESSIONS'
{
   what PostgreSQL writes to its files has padding
   Memcheck:Param
   pwrite64(buf)
   ...
   obj:*/postgres
   ...
}
{
   the same
   Memcheck:Param
   write(buf)
   ...
   obj:*/postgres
   ...
}
{
   the same, for its checksums
   Memcheck:Cond
   fun:*crc32*
   ...
}
{
   the same
   Memcheck:Value8
   fun:*crc32*
   ...
}
SUPPRESSIONS
chmod 644 "$PG_TEMP/queries" "$PG_TEMP/suppressions"
status=0
as_server valgrind -q --error-exitcode=99 --num-callers=30 --suppressions="$PG_TEMP/suppressions" \
    "$PG_BIN/postgres" --single -c jit=off -D "$PG_TEMP/data" postgres <"$PG_TEMP/queries" >"$PG_TEMP/out" 2>"$PG_TEMP/err" || status=$?
grep -E 'ERROR|==[0-9]+==' "$PG_TEMP/err" | head -n 40 || true
[ "$status" -eq 0 ] || { echo "valgrind: exit code $status"; exit 1; }
! grep -q ERROR "$PG_TEMP/err"
