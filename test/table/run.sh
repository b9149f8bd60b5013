#!/bin/sh
# run.sh - Parquet files of the program as DuckDB reads them: test/table/run.sh PROGRAM
#
# Skipped (77) where Node or DuckDB's package of npm cannot be had.
set -eu
cd "$(dirname "$0")/../.."
TABIYA=$(realpath "$1")
export TABIYA

skip() {
    echo "$1"
    exit 77
}
command -v node >/dev/null || skip "node is not there"
[ -d test/table/node_modules/@duckdb ] || (cd test/table && npm ci --no-audit --no-fund) || skip "npm could not bring DuckDB"
exec node --test --test-reporter=spec test/table/parquet.test.mjs
