#!/bin/bash
# activation.sh - a socket that is passed with LISTEN_FDS: no request is lost at a restart: test/serve/activation.sh PROGRAM
. "$(dirname "$0")/server.sh"
[ -x /usr/bin/python3 ] || { echo "python3 is not installed"; exit 77; }

tabiya pgn "$samples/famous.pgn" --limit 3 | tabiya import games.db - >/dev/null || exit 1
/usr/bin/python3 "$here/starter.py" "$(command -v tabiya)" games.db >said 2>&1 || fail "restarts: $(cat said)"
grep -q ' 0 failures, exit codes \[0\]$' said || fail "what the starter says: $(cat said)"
grep -q '^http://127.0.0.1:[0-9]*/$' said || fail "no address of the socket: $(cat said)"

# A variable for another process does not count, and what is not a listening socket is refused.
LISTEN_PID=1 LISTEN_FDS=1 serve games.db
[ "$(curl -sS "$url/api/find?count=1")" = '{"count":3}' ] || fail "the variables of another process"
stop || fail "the server exits with $?"
passed() { # passed COUNT: descriptor 3 is whatever the caller made it
    (LISTEN_FDS=$1 exec sh -c 'LISTEN_PID=$$ exec tabiya serve games.db --port 0') >said 2>&1
    [ $? = 2 ] || fail "a socket that cannot be used: exit code, $(cat said)"
    grep -q 'LISTEN_FDS must pass one TCP socket that listens' said || fail "a socket that cannot be used: $(cat said)"
}
passed 1 3</dev/null
passed 2 3</dev/null
passed 1 3<&-
exit "$failed"
