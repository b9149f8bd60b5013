#!/bin/sh
# answers.sh - runs test/sql/answers.tsv on PostgreSQL, with a server (cluster.sh). The last line is "N passed, N
# failed".
set -eu
psql -X -q -v file=test/sql/answers.tsv -f test/postgres/answers.sql | tee "$PG_BUILD/postgres-answers.txt" | tail -n 40
tail -n 1 "$PG_BUILD/postgres-answers.txt" | grep -q ' passed, 0 failed$'
