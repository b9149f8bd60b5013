#!/bin/bash
# installcheck.sh - runs `make installcheck` as a DBA would, with a server (cluster.sh) that has the extension.
set -eu
make -s -C "$PG_BUILD/postgres" -f "$PWD/bindings/postgres/Makefile" TABIYA_BUILD="$PG_BUILD" PG_CONFIG="$PG_BIN/pg_config" installcheck >"$PG_TEMP/installcheck.log" 2>&1 ||
    { cat "$PG_TEMP/installcheck.log" "$PG_BUILD/postgres/regression.diffs"; exit 1; }
grep 'tests passed' "$PG_TEMP/installcheck.log"
