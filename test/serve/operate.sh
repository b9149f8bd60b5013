#!/bin/bash
# operate.sh - features for operators: log, health, metrics, cache lifetimes, a limit per client: test/serve/operate.sh
# PROGRAM
. "$(dirname "$0")/server.sh"

code() { curl -sS -o body -w '%{http_code}' "$@"; }
header() { curl -sSI "$2" | tr -d '\r' | sed -n "s/^$1: //p"; }
tabiya import games.db "$samples/famous.pgn" >/dev/null || exit 1

# ---- The log: one line per request, whatever the request is
tabiya serve --log no/such/folder/log --port 0 >/dev/null 2>errors && fail "a log that cannot be written"
grep -q 'serve: no/such/folder/log: No such file' errors || fail "no reason: $(cat errors)"

serve games.db --log access.log
code "$url/api/find?count=1" >/dev/null
code -H 'X-Forwarded-For: 192.0.2.7' "$url/api/status?fen=x" >/dev/null
code -I "$url/api" >/dev/null
code "$url/nothing/%22here" >/dev/null
printf 'GET /a"b\\c HTTP/1.0\r\n\r\n' | curl -sS --max-time 9 "telnet://127.0.0.1:$port" >/dev/null
printf '\001\r\n\r\n' | curl -sS --max-time 9 "telnet://127.0.0.1:$port" >/dev/null
sed -E 's/\[[^]]*\]/[time]/; s/[0-9]+\.[0-9]{3}$/seconds/' access.log >lines
cat >wanted <<'EOF'
127.0.0.1 - - [time] "GET /api/find?count=1 HTTP/1.1" 200 13 seconds
127.0.0.1 - - [time] "GET /api/status?fen=x HTTP/1.1" 400 82 seconds
127.0.0.1 - - [time] "HEAD /api HTTP/1.1" 200 - seconds
127.0.0.1 - - [time] "GET /nothing/%22here HTTP/1.1" 404 42 seconds
127.0.0.1 - - [time] "GET /a\x22b\x5Cc HTTP/1.0" 404 42 seconds
127.0.0.1 - - [time] "- - -" 400 59 seconds
EOF
sed -i -E 's/(400|404|200) [0-9]+ /\1 n /' lines wanted
diff wanted lines || fail "the log"
grep -qE '^127.0.0.1 - - \[[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9:]{8} \+0000\] ' access.log || fail "the time: $(head -n 1 access.log)"

# ---- Health
[ "$(code "$url/health")" = 200 ] && [ "$(jq -r .status body)" = ok ] || fail "health: $(cat body)"
[ "$(curl -sS --http1.0 -H 'Host:' -o /dev/null -w '%{http_code}' "$url/health")" = 200 ] || fail "health without a Host"

# ---- Metrics
for _ in 1 2 3 4; do code "$url/api/explore" >/dev/null; done
curl -sS -D head "$url/metrics" >metrics
grep -qi '^content-type: text/plain; version=0.0.4' head || fail "the type of metrics: $(cat head)"
metric() { sed -n "s/^tabiya_$1 //p" metrics; }
[ "$(metric 'requests_total{path="\/api\/find",code="200"}')" = 1 ] || fail "requests are not counted"
[ "$(metric 'requests_total{path="none",code="404"}')" = 2 ] || fail "refusals are not counted"
[ "$(metric 'request_duration_seconds_count{path="\/api\/explore"}')" = 4 ] || fail "durations are not counted"
[ "$(metric 'queue_length{weight="heavy"}')" = 0 ] || fail "no length of queues"
[ $(($(metric kept_answer_hits_total) + $(metric kept_answer_misses_total))) -ge 4 ] || fail "kept answers are not counted"
[ "$(metric kept_answers)" -ge 1 ] || fail "no kept answers"
[ "$(metric 'connections')" -ge 1 ] || fail "no connections"
version=$(metric 'database_info{name="games.db",version="[0-9a-f]*"}')
[ "$version" = 1 ] || fail "no version of the database: $(grep database metrics)"
[ "$(metric database_modified_seconds)" = "$(stat -c %Y games.db)" ] || fail "another time than that of the file"
if [ -x /usr/bin/python3 ]; then
    /usr/bin/python3 - <<'PY' || fail "metrics are malformed"
import re, sys
types, seen, buckets = {}, set(), {}
for line in open("metrics"):
    if m := re.fullmatch(r"# TYPE (\w+) (counter|gauge|histogram)\n", line):
        types[m[1]] = m[2]
    elif not line.startswith("# HELP "):
        m = re.fullmatch(r'(\w+)(\{(?:\w+="(?:[^"\\\n]|\\.)*",?)*\})? ([0-9.e+-]+)\n', line)
        if not m:
            sys.exit(f"malformed: {line}")
        name = re.sub("_(bucket|sum|count)$", "", m[1]) if m[1] not in types else m[1]
        if name not in types or (m[1], m[2]) in seen:
            sys.exit(f"without a type, or twice: {line}")
        seen.add((m[1], m[2]))
        if m[1].endswith("_bucket"):
            path = re.search('path="([^"]*)"', m[2])[1]
            if buckets.get(path, 0) > int(m[3]):
                sys.exit(f"buckets shrink: {line}")
            buckets[path] = int(m[3])
PY
fi
before=$(grep database_info metrics)
tabiya pgn "$samples/selfplay.pgn" --limit 1 2>/dev/null | tabiya import games.db - >/dev/null
[ "$(curl -sS "$url/metrics" | grep '^tabiya_database_info')" != "$before" ] || fail "a change of the database does not show"
stop || fail "the server exits with $?"
! complaints || fail "the server wrote to stderr"

# ---- How long answers may be cached
touch -d '1 hour ago' games.db
serve games.db
[ "$(header Cache-Control "$url/lichess")" = no-cache ] || fail "an age where none is given"
stop || fail "the server exits with $?"
serve games.db --max-age 60
for path in /lichess /masters '/api/explore?moves=1.+e4' /api/find '/api/game?id=3'; do
    [ "$(header Cache-Control "$url$path")" = 'public, max-age=60' ] || fail "$path: $(header Cache-Control "$url$path")"
done
for path in '/lichess?fen=x' /api /health /metrics; do
    [ "$(header Cache-Control "$url$path")" = no-store ] || fail "$path: $(header Cache-Control "$url$path")"
done
[ "$(code -H "If-None-Match: $(header ETag "$url/lichess")" "$url/lichess")" = 304 ] || fail "no 304"
stop || fail "the server exits with $?"

# ---- A limit per client: an analysis runs until its client disconnects
serve games.db --client-limit 1 --behind-proxy --log access.log --engine "$here/fake-engine.sh" --engine-memory 33554432 --engines 3
curl -sSN -H 'X-Forwarded-For: 198.51.100.9, 192.0.2.1' "$url/api/analyse" >stream &
first=$!
for _ in $(seq 200); do [ -s stream ] && break; sleep 0.05; done
from() { code -H "X-Forwarded-For: $1" "$url/api/find?count=1"; }
[ "$(from 192.0.2.1)" = 429 ] || fail "a second heavy request of one client"
jq -e .error body >/dev/null || fail "429 says nothing: $(cat body)"
curl -sS -D head -o body -H 'X-Forwarded-For: 192.0.2.1' "$url/lichess"
grep -q '^Retry-After: ' head || fail "when to come again: $(cat head)"
[ "$(from 192.0.2.2)" = 200 ] || fail "another client is refused"
[ "$(from 2001:db8::1)" = 200 ] || fail "a client with IPv6 is refused"
[ "$(from 'evil, nonsense')" = 200 ] || fail "no address"
[ "$(code -H 'X-Forwarded-For: 192.0.2.1' "$url/api/status")" = 200 ] || fail "light requests are limited"
kill $first
wait $first 2>/dev/null
for _ in $(seq 200); do [ "$(from 192.0.2.1)" = 200 ] && break; sleep 0.05; done
[ "$(from 192.0.2.1)" = 200 ] || fail "the limit stays"
grep -q '^192.0.2.1 - - .*/api/find?count=1 HTTP/1.1" 429 ' access.log || fail "the log: $(cat access.log)"
grep -q '^2001:db8::1 - - ' access.log || fail "the log: $(cat access.log)"
# Two addresses in one IPv6 network count as one client.
curl -sSN -H 'X-Forwarded-For: 2001:db8::1' "$url/api/analyse" >stream2 &
first=$!
for _ in $(seq 200); do [ -s stream2 ] && break; sleep 0.05; done
[ "$(from 2001:db8::2)" = 429 ] || fail "a network of IPv6 has many limits"
[ "$(from 2001:db8:1::2)" = 200 ] || fail "networks share a limit"
kill $first
wait $first 2>/dev/null
stop || fail "the server exits with $?"
! complaints || fail "the server wrote to stderr"
exit "$failed"
