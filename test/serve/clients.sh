#!/bin/bash
# clients.sh - runs one of the tests of clients.py: test/serve/clients.sh PROGRAM TEST
. "$(dirname "$0")/server.sh"

[ -x /usr/bin/python3 ] || exit 77
tabiya import games.db "$samples/famous.pgn" >/dev/null || exit 1
seconds=2
case $2 in many) seconds=3600 ;; starve | soak) seconds=20 ;; busy) seconds=1 ;; esac
serve games.db --timeout $seconds
/usr/bin/python3 "$here/clients.py" "$port" "$2" "$server" || fail "$2 fails"
kill -0 "$server" 2>/dev/null || fail "the server has ended"
stop || fail "the server exits with $?"
! complaints || fail "the server wrote to stderr"
exit "$failed"
