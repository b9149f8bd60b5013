#!/bin/sh
# run.sh - DuckDB reads the Parquet files of the program: test/table/run.sh PROGRAM
#
# Skipped (77) if Node or DuckDB's npm package is not available.
set -eu
cd "$(dirname "$0")/../.."
TABIYA=$(realpath "$1")
export TABIYA

skip() {
    echo "$1"
    exit 77
}
command -v node >/dev/null || skip "node is not installed"
[ -d test/table/node_modules/@duckdb ] || (cd test/table && npm ci --no-audit --no-fund) || skip "npm could not install DuckDB"
exec node --test --test-reporter=spec test/table/parquet.test.mjs
