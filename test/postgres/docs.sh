#!/bin/sh
# docs.sh - the examples of docs/postgres.md, beside a server (cluster.sh).
set -eu
export PSQLRC=/dev/null
exec test/transcript.sh docs/postgres.md
