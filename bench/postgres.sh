#!/bin/bash
# postgres.sh - speed and size of the PostgreSQL extension, on a separate server:
#
#     bench/postgres.sh BUILD GAMES.pgn [PGN_EXTRACT]
#
# In brackets, for comparison: the best of other extensions, on 10,000 games of the same kind. Times are medians. Eight
# clients read and write concurrently for PGBENCH_SECONDS=60.
set -eu
if [ -z "${PG_BUILD:-}" ]; then
    PG_OPTIONS="-c shared_buffers=512MB -c jit=off -c autovacuum=off" \
        exec "$(dirname "$0")/../test/postgres/cluster.sh" "$1" "$(cd "$(dirname "$0")" && pwd)/postgres.sh" "$(realpath "$1")" \
        "$(realpath "$2")" ${3:+"$3"}
fi
build=$1 games=$2 extract=${3:-}
export PGOPTIONS="-c client_min_messages=warning"
sql() { psql -X -q -At -v ON_ERROR_STOP=1 -c "$1"; }
seconds() {
    local start end
    start=$(date +%s.%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s.%N)
    echo "$end - $start" | bc
}
median3() {
    for _ in 1 2 3; do seconds "$@"; done | sort -n | sed -n 2p
}
row() { printf '%-58s %14s %s\n' "$1" "$2" "${3:-}"; }

sql 'CREATE EXTENSION tabiya; CREATE TABLE games (id integer, game chessgame)'
sql "CREATE FUNCTION ms(query text, rounds integer DEFAULT 7) RETURNS numeric LANGUAGE plpgsql AS \$\$
DECLARE times float[]; began timestamptz;
BEGIN
    FOR i IN 1 .. rounds LOOP
        began := clock_timestamp();
        EXECUTE query;
        times := times || 1000 * extract(epoch FROM clock_timestamp() - began)::float;
    END LOOP;
    RETURN (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY t)::numeric, 3) FROM unnest(times) t);
END \$\$"

# ---- Load and size

load() {
    sql 'TRUNCATE games'
    "$build/bench/copy_games" "$games" | psql -X -q -c '\copy games FROM STDIN WITH (FORMAT binary)'
}
load_s=$(median3 load)
n=$(sql 'SELECT count(*) FROM games')
row "games" "$n"
row "PGN to table by COPY BINARY, s" "$load_s" "$(echo "$n / $load_s" | bc) games/s [4,550]"
if [ -x "$build/tabiya" ]; then
    import() {
        sql 'DROP SCHEMA IF EXISTS tabiya CASCADE' 2>/dev/null
        "$build/tabiya" import --index-plies none "postgresql:///postgres" "$games"
    }
    import_s=$(median3 import)
    row "tabiya import with tags, B-trees, ANALYZE, s" "$import_s" "$(echo "$n / $import_s" | bc) games/s"
    sql 'DROP SCHEMA tabiya CASCADE' 2>/dev/null
fi
if [ -n "$extract" ]; then
    extract_s=$(median3 "$extract" -r -s "$games")
    row "pgn-extract -r -s on the same file, s" "$extract_s" "$(echo "$n / $extract_s" | bc) games/s"
fi
row "bytes per stored game" "$(sql 'SELECT round(avg(pg_column_size(game)), 1) FROM games')" \
    "packed $(sql 'SELECT round(avg(length(game::bytea)), 1) FROM games'), at most $(sql 'SELECT max(pg_column_size(game) - length(game::bytea)) FROM games') more [166]"
row "round trips through text" "$(sql 'SELECT count(*) FROM games WHERE game::text::chessgame = game')" "of $n [83 %]"
sql 'VACUUM games'
row "ANALYZE, ms" "$(sql "SELECT ms('ANALYZE games', 3)")"

# ---- Openings

btree_ms=$(sql "SELECT ms('DROP INDEX IF EXISTS games_by_moves; CREATE INDEX games_by_moves ON games (game)', 3)")
row "B-tree build, ms" "$btree_ms" "$(sql "SELECT round(pg_relation_size('games_by_moves') / $n.0, 1)") bytes per game"
off='SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off; SET max_parallel_workers_per_gather = 0'
sql 'VACUUM ANALYZE games'
compare() { # NAME CONDITION
    local by_index by_scan found
    found=$(sql "SELECT count(*) FROM games WHERE $2")
    by_index=$(sql "SELECT ms(\$q\$SELECT id FROM games WHERE $2\$q\$, 31)")
    by_scan=$(psql -X -q -At -c "$off" -c "SELECT ms(\$q\$SELECT id FROM games WHERE $2\$q\$)")
    [ "$(psql -X -q -At -c "$off" -c "SELECT count(*) FROM games WHERE $2")" = "$found" ] || echo "WRONG: $2"
    row "$1, by index, ms" "$by_index" "by scan $by_scan, $(echo "$by_scan / $by_index" | bc) times; $found games"
}
compare "hasOpening 1. e4 e5 2. Nf3 Nf6 3. d3" "hasOpening(game, '1. e4 e5 2. Nf3 Nf6 3. d3')"
echo "    [94 ms by index]"
if sql "EXPLAIN SELECT * FROM games WHERE hasOpening(game, '1. e4 e5 2. Nf3 Nf6 3. d3')" | grep Filter; then echo "WRONG: a filter"; fi

# ---- Boards

rare=$(sql "SELECT getBoard(game, 50) FROM games WHERE plyCount(game) > 60 ORDER BY id LIMIT 1 OFFSET 1000")
common='r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'
scan() { psql -X -q -At -c "$off" -c "SELECT ms(\$q\$$1\$q\$)"; }
per_game() { echo "scale = 3; 1000 * $1 / $n" | bc; }
replay=$(scan 'SELECT sum(plyCount(game)) FROM games')
row "replay of every game, microseconds per game" "$(per_game "$replay")"
for board in "rare:$rare" "common:$common" "start:rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"; do
    t=$(scan "SELECT count(*) FROM games WHERE hasBoard(game, '${board#*:}')")
    row "hasBoard by scan, ${board%%:*} board, microseconds per game" "$(per_game "$t")" \
        "$(echo "scale = 1; $replay / $t" | bc) times faster than replay [76]"
done
for plies in 20 40 17697; do # the last is all
    t=$(sql "SELECT ms('DROP INDEX IF EXISTS games_by_board; CREATE INDEX games_by_board ON games USING gin (game chessgame_gin_ops (max_ply = $plies))', 1)")
    row "GIN build, max_ply $plies, s" "$(echo "scale = 1; $t / 1000" | bc)" \
        "$(sql "SELECT round(pg_relation_size('games_by_board') / $n.0)") bytes per game [12,030; 4.3 s for 10,000 games]"
done
compare "hasBoard, rare board" "hasBoard(game, '$rare')"
echo "    [0.35 ms by GIN, 10,000 games]"
compare "hasBoard, common board" "hasBoard(game, '$common')"
compare "hasPosition, rare board" "hasPosition(game, '$rare')"
row "nextMoves of the start, two workers, ms" "$(sql "SELECT ms(\$\$SELECT nextMoves(game, getBoard('')) FROM games\$\$, 3)")"

# ---- Estimates

estimate() {
    local plan actual
    plan=$(sql "EXPLAIN SELECT * FROM games WHERE $2" | sed -n '1s/.*rows=\([0-9]*\).*/\1/p')
    actual=$(sql "SELECT count(*) FROM games WHERE $2")
    row "estimate, $1" "$plan" "actual $actual"
}
estimate "start" "hasBoard(game, getBoard(''), 10)"
estimate "common board" "hasBoard(game, '$common')"
estimate "rare board" "hasBoard(game, '$rare')"
for opening in '1. e4' '1. e4 c5 2. Nf3 d6' '1. d4 Nf6 2. c4 g6 3. Nc3 Bg7' '1. e4 e5 2. Nf3 Nf6 3. d3'; do
    estimate "$opening" "hasOpening(game, '$opening')"
done

# ---- Many at once

sql "ALTER TABLE games ADD PRIMARY KEY (id); CREATE SEQUENCE new_games START 10000000;
CREATE FUNCTION read_one(wanted integer, ply integer) RETURNS void LANGUAGE plpgsql AS \$\$
DECLARE the chessgame; board chessboard;
BEGIN
    SELECT game INTO the FROM games WHERE id = wanted;
    IF the IS NULL THEN RETURN; END IF;
    board := getBoard(the, least(ply, plyCount(the)));
    IF NOT EXISTS (SELECT FROM games WHERE hasBoard(game, board, ply) AND id = wanted) THEN
        RAISE EXCEPTION 'game % is not found by its board', wanted;
    END IF;
    IF NOT EXISTS (SELECT FROM games WHERE hasOpening(game, getFirstMoves(the, ply)) AND id = wanted) THEN
        RAISE EXCEPTION 'game % is not found by its opening', wanted;
    END IF;
END \$\$;
CREATE FUNCTION write_one(wanted integer) RETURNS void LANGUAGE plpgsql AS \$\$
DECLARE made integer := nextval('new_games'); n bigint;
BEGIN
    INSERT INTO games SELECT made, undoLastMove(game) FROM games WHERE id = wanted;
    PERFORM read_one(made, 30);
    UPDATE games SET game = undoLastMove(game) WHERE id = made;
    PERFORM read_one(made, 30);
    DELETE FROM games WHERE id = made - 100;
END \$\$; ANALYZE games"
cat >"$PG_TEMP/read.sql" <<SCRIPT
\\set wanted random(1, $n)
\\set ply random(12, 40)
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT read_one(:wanted, :ply);
COMMIT;
SCRIPT
cat >"$PG_TEMP/write.sql" <<SCRIPT
\\set wanted random(1, $n)
SELECT write_one(:wanted);
SCRIPT
pgbench -n -c 8 -j 2 -T "${PGBENCH_SECONDS:-60}" -f "$PG_TEMP/read.sql@4" -f "$PG_TEMP/write.sql@1" >"$PG_TEMP/pgbench" 2>&1 || true
row "eight clients, reads and writes, transactions/s" "$(sed -n 's/^tps = \([0-9]*\).*/\1/p' "$PG_TEMP/pgbench")" \
    "$(grep -i -c 'error\|aborted' "$PG_TEMP/pgbench" || true) errors"
grep -i 'error' "$PG_TEMP/pgbench" | head -n 5 || true
