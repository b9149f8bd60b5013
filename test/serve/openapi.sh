#!/bin/bash
# openapi.sh - the description of the API is accurate: test/serve/openapi.sh PROGRAM
. "$(dirname "$0")/server.sh"

[ -x /usr/bin/python3 ] || exit 77
tabiya import games.db "$samples"/*.pgn >/dev/null || exit 1
serve games.db --write --engine "$here/fake-engine.sh"
/usr/bin/python3 "$here/openapi.py" "$url" "$here/../../program/server/site.c" || fail "the description is not true"
stop || fail "the server exits with $?"
exit "$failed"
