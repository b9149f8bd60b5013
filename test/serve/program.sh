#!/bin/bash
# program.sh - how the server starts and stops: test/serve/program.sh PROGRAM
. "$(dirname "$0")/server.sh"

# refused PART COMMAND... - exits with 2 and a message that contains PART.
refused() {
    local part=$1 said
    shift
    said=$("$@" 2>&1)
    [ $? -eq 2 ] || fail "$*: exit code"
    [[ $said == *"$part"* ]] || fail "$*: $said"
}
echo text >text.db
refused "no.db: No such file" tabiya serve no.db
refused "text.db: " tabiya serve text.db
refused "no.db: No such file" tabiya serve --port 0 no.db other.db
refused "address in numbers" tabiya serve --bind localhost
refused "from 0 to 65535" tabiya serve --port 65536
refused "cannot listen on 192.0.2.1" tabiya serve --bind 192.0.2.1 --port 0

# A pipe without a writer makes it wait; it can still be stopped.
mkfifo pipe.db
tabiya serve pipe.db --port 0 >/dev/null 2>&1 &
waiting=$!
for _ in $(seq 6); do ! grep -q wait_for_partner /proc/$waiting/wchan 2>/dev/null || break && sleep 0.05; done
kill -TERM $waiting
for _ in $(seq 40); do kill -0 $waiting 2>/dev/null || break; sleep 0.05; done
kill -0 $waiting 2>/dev/null && { fail "it cannot be ended while it opens a pipe"; kill -9 $waiting; }
wait $waiting 2>/dev/null

serve
[ "$(curl -sS "$url/api" | jq .database)" = null ] || fail "a database where there is none"
curl -sS "$url/" | grep -q '<html' || fail "no page"
refused "cannot listen" tabiya serve --port "$port"
! complaints || fail "a warning on loopback"
# A program that was built without clang warns that it has no board, and says how to get one; others print nothing.
case $(curl -sS -o /dev/null -w '%{http_code}' "$url/tabiya.wasm") in
200) [ ! -s errors ] || fail "a board is served, and a warning" ;;
404) grep -q 'warning: the page will show no board.*tools/setup.sh' errors || fail "no board, and no warning" ;;
*) fail "tabiya.wasm: neither served nor missing" ;;
esac
stop || fail "the server exits with $? at SIGTERM"

serve --bind 0.0.0.0
grep -q 'warning: others can connect to http://0.0.0.0:' errors || fail "no warning"
port=${url##*:}
[ "$(curl -sS -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/api")" = 200 ] || fail "no answer on all addresses"
kill -INT "$server"
wait "$server" || fail "the server exits with $? at SIGINT"
server=

# An open, idle connection does not keep it from stopping.
serve --timeout 3600
exec 3<>"/dev/tcp/127.0.0.1/$port"
stop || fail "the server exits with $?"
exec 3<&-

# The page is compressed for clients that support it, and not sent again to those that have it.
serve
[ "$(curl -sS "$url/pieces.svg" | md5sum)" = "$(curl -sS --compressed "$url/pieces.svg" | md5sum)" ] || fail "gzip"
etag=$(curl -sSI "$url/" | tr -d '\r' | sed -n 's/^ETag: //p')
[ "$(curl -sS -o /dev/null -w '%{http_code}' -H "If-None-Match: $etag" "$url/")" = 304 ] || fail "no 304"
[ "$(curl -sSI "$url/api/notations" | tr -d '\r' | sed -n 's/^Content-Length: //p')" = "$(curl -sS "$url/api/notations" | wc -c)" ] ||
    fail "HEAD gives another length"
stop || fail "the server exits with $?"
exit "$failed"
