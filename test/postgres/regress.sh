#!/bin/sh
# regress.sh - compares the output of test/postgres/sql/*.sql with test/postgres/expected/*.out, and the same for
# specs/*.spec, with a server (cluster.sh):
#
#     regress.sh sql TEST...       each in a database named after the test
#     regress.sh specs TEST...
set -eu
kind=$1
shift
out=$PG_TEMP/regress
mkdir -p "$out"
TABIYA_RANDOM_GAMES=$PG_TEMP/random.copy
TABIYA_SAMPLE_GAMES=$PG_TEMP/sample.copy
TABIYA_FOLDER=$PG_TEMP
export TABIYA_RANDOM_GAMES TABIYA_SAMPLE_GAMES TABIYA_FOLDER
"$PG_BUILD/test/postgres_copy_games" --random 10000 1 >"$TABIYA_RANDOM_GAMES"
"$PG_BUILD/test/postgres_copy_games" examples/selfplay.pgn >"$TABIYA_SAMPLE_GAMES"

pgxs=$(dirname "$(pg_config --pgxs)")/..
case $kind in
sql) program=$pgxs/test/regress/pg_regress ;;
specs) program=$pgxs/test/isolation/pg_isolation_regress ;;
esac
PATH=$(dirname "$pgxs")/src/test/isolation:$PATH
"$program" --inputdir=test/postgres --outputdir="$out" --bindir="$PG_BIN" --host="$PGHOST" \
    --user=postgres --dbname=regress --load-extension=tabiya "$@" || {
    cat "$out"/*.diffs
    exit 1
}
