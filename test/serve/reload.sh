#!/bin/bash
# reload.sh - SIGHUP reopens database and log, and a replaced database is noticed: test/serve/reload.sh PROGRAM
. "$(dirname "$0")/server.sh"

# database FILE N - creates a database with the first N sample games.
database() { tabiya pgn "$samples/famous.pgn" --limit "$2" | tabiya import "$1" - >/dev/null || exit 1; }
count() { curl -sS "$url/api/find?count=1"; }
# moves - the count in a cached answer: the same request three times, so that every thread may have cached it.
explored() { for _ in 1 2 3; do curl -sS "$url/api/explore" | jq -c .games; done | sort -u; }
# becomes WANTED COMMAND... - waits until the command prints it.
becomes() {
    local wanted=$1 got
    shift
    for _ in $(seq 200); do
        got=$("$@")
        [ "$got" != "$wanted" ] || return 0
        sleep 0.05
    done
    fail "$*: $got instead of $wanted"
}

database games.db 3
database new.db 5
database third.db 7
serve games.db --log access.log
[ "$(count)" = '{"count":3}' ] || fail "$(count) games"
[ "$(explored)" = 3 ] || fail "explored: $(explored)"

# Another file takes the name: the next answer comes from it, in every thread.
mv new.db games.db
for _ in 1 2 3 4 5 6; do [ "$(count)" = '{"count":5}' ] || fail "an old file is served: $(count)"; done
[ "$(explored)" = 5 ] || fail "an old answer is kept: $(explored)"

# A link that changes its target, as an update publishes it; and changes in the WAL of that file.
ln -s third.db link.db
stop || fail "the server exits with $?"
serve link.db --log access.log
[ "$(count)" = '{"count":7}' ] || fail "a link: $(count)"
ln -s games.db next.db
mv -T next.db link.db
[ "$(count)" = '{"count":5}' ] || fail "a link that leads elsewhere: $(count)"

# A file that is not a database gives an error, not the old state; once it is replaced, everything works again.
echo text >bad.db
ln -sf bad.db next.db && mv -T next.db link.db
[ "$(curl -sS -o body -w '%{http_code}' "$url/api/find?count=1")" = 500 ] || fail "a file that is no database: $(cat body)"
[ "$(curl -sS -o body -w '%{http_code}' "$url/health")" = 500 ] || fail "its health: $(cat body)"
ln -sf third.db next.db && mv -T next.db link.db
[ "$(count)" = '{"count":7}' ] || fail "a file that is mended: $(count)"

# SIGHUP: the server keeps running, closes the removed file, and reopens the log.
open_files() { find "/proc/$server/fd" -lname "$1" 2>/dev/null | wc -l; }
mv access.log access.log.1
cp third.db copy.db && mv copy.db third.db
kill -HUP "$server"
becomes 0 open_files '*/third.db (deleted)'
becomes 1 eval 'curl -sS "$url/metrics" | sed -n "s/^tabiya_reloads_total //p"'
[ -s access.log ] || fail "the log is not opened again"
[ "$(count)" = '{"count":7}' ] || fail "after SIGHUP: $(count)"
grep -q count=1 access.log || fail "lines still go to the old log"
# If the log cannot be reopened, the old one stays in use.
rm -f access.log && mkdir access.log
kill -HUP "$server"
becomes 2 eval 'curl -sS "$url/metrics" | sed -n "s/^tabiya_reloads_total //p"'
stop || fail "the server exits with $?"
! complaints || fail "the server wrote to stderr"

# Closing the terminal it was started from still ends it.
[ -x /usr/bin/python3 ] || exit "$failed"
/usr/bin/python3 - games.db <<'PY' || fail "it outlives its terminal"
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("tabiya", ["tabiya", "serve", sys.argv[1], "--port", "0"])
text = b""
while b"http://" not in text:
    text += os.read(terminal, 1000)
os.close(terminal)
last = time.monotonic() + 15
while time.monotonic() < last:
    if os.waitpid(pid, os.WNOHANG)[0]:
        sys.exit(0)
    time.sleep(0.05)
os.kill(pid, 9)
sys.exit(1)
PY
exit "$failed"
