#!/bin/sh
# run.sh - tests the extension in DuckDB: test/duckdb/run.sh EXTENSION SQLITE_EXTENSION
#
# Skipped (77) if Node or DuckDB's npm package is not available (tools/setup.sh test installs them).
set -eu
cd "$(dirname "$0")/../.."
EXTENSION=$(realpath "$1")
SQLITE_EXTENSION=$(realpath "$2")
export EXTENSION SQLITE_EXTENSION

skip() {
    echo "$1"
    exit 77
}
command -v node >/dev/null || skip "node is not installed"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
[ -d test/table/node_modules/@duckdb ] || (cd test/table && npm ci --no-audit --no-fund) || skip "npm could not install DuckDB"
exec node --test --test-reporter=spec test/duckdb/answers.test.mjs
