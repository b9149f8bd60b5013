#!/bin/sh
# docs.sh - runs the examples of docs/postgres.md, with a server (cluster.sh).
set -eu
export PSQLRC=/dev/null PATH="$PG_BUILD:$PATH"
exec test/transcript.sh docs/postgres.md
