#!/bin/bash
# pgbench.sh - many concurrent users, with PostgreSQL's own pgbench: no statement may fail, and the database must be
# valid afterwards:
#
#     bench/pgbench.sh BUILD [SECONDS [GAMES.pgn]]
#
# For SECONDS (default: 60) eight users find games by opening and position, explore, insert games and delete them, on
# one database with all indexes and move statistics; then eight users find and explore on another one while
# `tabiya import` adds games. GAMES.pgn defaults to examples/selfplay.pgn. Prints transactions per second and the
# errors of each kind; exits with 1 if there are any.
set -eu
if [ -z "${PG_BUILD:-}" ]; then
    games=$(realpath "${3:-$(dirname "$0")/../examples/selfplay.pgn}")
    PG_OPTIONS="-c shared_buffers=512MB -c jit=off -c max_connections=100" exec "$(dirname "$0")/../test/postgres/cluster.sh" "$1" \
        "$(cd "$(dirname "$0")" && pwd)/pgbench.sh" "$(realpath "$1")" "${2:-60}" "$games"
fi
build=$1 seconds=$2 games=$3
work=$PG_TEMP/pgbench
mkdir -p "$work" && cd "$work"
export PGOPTIONS='-c client_min_messages=warning'
url() { echo "postgresql:///$1?host=$PGHOST&user=postgres"; }
for name in one two; do
    createdb "$name"
    "$build/tabiya" import "$(url "$name")" "$games" --index-plies 24 >/dev/null
    psql -X -q -d "$name" -c "DO \$\$ BEGIN IF to_regclass('tabiya.game_tracked') IS NULL THEN PERFORM
        createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags'); END IF; END \$\$" -c 'SELECT tabiya.game_played_refresh(20)' >/dev/null
done
n=$(psql -X -At -d one -c 'SELECT max(id) FROM tabiya.game')

cat >opening.sql <<'SQL'
\set n random(1, :last)
SELECT count(*) FROM tabiya.game g WHERE hasOpening(g.moves, (SELECT getFirstMoves(moves, 1 + :n % 12) FROM tabiya.game WHERE id = :n));
SQL
cat >position.sql <<'SQL'
\set n random(1, :last)
SELECT id, positionPly(moves, b.board) FROM tabiya.game g, (SELECT getBoard(moves, 2 + :n % 20) AS board FROM tabiya.game WHERE id = :n) AS b
    WHERE hasPosition(g.moves, b.board, 24) LIMIT 20;
SQL
cat >explore.sql <<'SQL'
\set n random(1, :last)
SELECT uci, games, reached FROM tabiya.game_explore((SELECT getBoard(moves, :n % 10) FROM tabiya.game WHERE id = :n));
SQL
cat >insert.sql <<'SQL'
\set n random(1, :last)
INSERT INTO tabiya.game (hash, date, plies, shape, white_elo, black_elo, result, white, black, event, site, round, eco, speed, tags, moves, annotated)
    SELECT hash, date, plies, shape, white_elo, black_elo, result, white, black, event, site, round, eco, speed, tags, moves, annotated FROM tabiya.game WHERE id = :n;
SQL
cat >delete.sql <<'SQL'
\set n random(:last + 1, :last + 20000)
DELETE FROM tabiya.game WHERE id = :n;
SQL
bad=0
# run NAME DATABASE SCRIPT... - prints a line, and any errors
run() {
    local name=$1 database=$2 errors
    shift 2
    pgbench -n -M prepared -c 8 -j 2 -T "$seconds" -D last="$n" "${@/#/-f}" "$database" >"$name.out" 2>"$name.err" || true
    errors=$(grep -c 'ERROR\|FATAL\|aborted\|PANIC' "$name.err" || true)
    printf '%-12s %8s transactions/s  %6s failed  %6s errors  %s\n' "$name" "$(sed -n 's/^tps = \([0-9]*\).*/\1/p' "$name.out")" \
        "$(sed -n 's/^number of failed transactions: \([0-9]*\).*/\1/p' "$name.out")" "$errors" "$("$build/tabiya" verify "$(url "$database")" | tail -n 1)"
    if [ "$errors" -gt 0 ] || ! grep -q '^number of failed transactions: 0 ' "$name.out"; then head -n 5 "$name.err" && bad=1; fi
    "$build/tabiya" verify "$(url "$database")" >/dev/null || bad=1
}
run one one opening.sql@3 position.sql@3 explore.sql@3 insert.sql@2 delete.sql@1
imports() {
    local i
    for i in $(seq 1000); do
        [ -e stop ] && return
        sed "s/^\[Event \"/[Event \"$i /" "$games" | "$build/tabiya" import "$(url two)" - >/dev/null 2>>imports.err || echo "ERROR: import $i" >>imports.err
    done
}
imports &
run importing two opening.sql@3 explore.sql@1
touch stop && wait
[ ! -s imports.err ] || { head -n 5 imports.err && bad=1; }
exit $bad
