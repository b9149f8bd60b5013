#!/bin/sh
# faults.sh PROGRAM [TEST] - runs a test program about PostgreSQL faults (faults.c, memory.c), with a server
# (cluster.sh).
set -eu
# Keep query plans stable.
psql -X -q -c 'ALTER SYSTEM SET autovacuum = off' -c 'SELECT pg_reload_conf()' >/dev/null
started=$(psql -X -At -c 'SELECT pg_postmaster_start_time()')
program=$PG_BUILD/test/$1
shift
"$program" "$@"
[ "$(psql -X -At -c 'SELECT pg_postmaster_start_time()')" = "$started" ]
