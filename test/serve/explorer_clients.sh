#!/bin/bash
# explorer_clients.sh - requests as clients of the public opening explorer send them, on a file:
# test/serve/explorer_clients.sh PROGRAM
. "$(dirname "$0")/server.sh"
. "$here/explorer_games.sh"

[ -x /usr/bin/python3 ] || exit 77
explorer_games >games.pgn
tabiya import games.db games.pgn >/dev/null || exit 1
serve games.db
/usr/bin/python3 "$here/explorer_clients.py" "$url" answers || fail "clients would not understand this"
stop || fail "the server exits with $?"
exit "$failed"
