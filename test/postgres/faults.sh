#!/bin/sh
# faults.sh PROGRAM [TEST] - runs a test program about PostgreSQL faults (faults.c, memory.c, clusters.c), with a
# server (cluster.sh) that has the stand-in for Citus.
set -eu
cp --remove-destination test/postgres/fake_citus/* "$(pg_config --sharedir)/extension/"
# Keep query plans stable.
psql -X -q -c 'ALTER SYSTEM SET autovacuum = off' -c 'SELECT pg_reload_conf()' >/dev/null
started=$(psql -X -At -c 'SELECT pg_postmaster_start_time()')
program=$PG_BUILD/test/$1
shift
"$program" "$@"
[ "$(psql -X -At -c 'SELECT pg_postmaster_start_time()')" = "$started" ]
