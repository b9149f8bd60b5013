#!/bin/sh
# run-shell.sh - runs a transcript of the sqlite3 shell with the extension just built: test/sqlite/run-shell.sh
# EXTENSION.so FILE
set -eu
command -v sqlite3 >/dev/null || { echo "no sqlite3 program"; exit 77; }
EXTENSION=${1%.so}
LC_ALL=C.UTF-8
export EXTENSION LC_ALL
exec "$(dirname "$0")/../transcript.sh" "$2"
