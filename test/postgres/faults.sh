#!/bin/sh
# faults.sh PROGRAM [TEST] - a test program of PostgreSQL's faults (faults.c, memory.c), beside a server (cluster.sh).
set -eu
# Plans stay the same.
psql -X -q -c 'ALTER SYSTEM SET autovacuum = off' -c 'SELECT pg_reload_conf()' >/dev/null
started=$(psql -X -At -c 'SELECT pg_postmaster_start_time()')
program=$PG_BUILD/test/$1
shift
"$program" "$@"
[ "$(psql -X -At -c 'SELECT pg_postmaster_start_time()')" = "$started" ]
