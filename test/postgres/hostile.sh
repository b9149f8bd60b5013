#!/bin/sh
# hostile.sh - a hundred thousand bad values as bytes and as many as text (hostile.c), with a server (cluster.sh).
set -eu
psql -X -q -c 'CREATE EXTENSION tabiya'
started=$(psql -X -At -c 'SELECT pg_postmaster_start_time()')
"$PG_BUILD/test/postgres_hostile" 100000
[ "$(psql -X -At -c 'SELECT pg_postmaster_start_time()')" = "$started" ]
