#!/bin/sh
# tap.sh - runs test/postgres/t/*.pl with PostgreSQL's own test library, as the server's user (cluster.sh).
set -eu
perl -MIPC::Run -e 1 2>/dev/null || { echo "no IPC::Run (libipc-run-perl)"; exit 77; }
pgxs=$(dirname "$(pg_config --pgxs)")/..
"$PG_BUILD/test/postgres_copy_games" --random 500 5 >"$PG_TEMP/random.copy"
chmod 644 "$PG_TEMP/random.copy"
# The server's user may not be able to read the source. Since version 16, the library takes the folders of its logs and
# data from the environment.
as_server mkdir "$PG_TEMP/tap"
cp -r test/postgres/t "$PG_TEMP/tap/t"
cd "$PG_TEMP/tap"
as_server env -u PGHOST -u PGUSER -u PGDATABASE TESTDIR="$PWD" TESTLOGDIR="$PWD/log" TESTDATADIR="$PWD/tmp_check" \
    PG_REGRESS="$pgxs/test/regress/pg_regress" TABIYA_RANDOM_GAMES="$PG_TEMP/random.copy" prove -I "$pgxs/test/perl" t/*.pl
