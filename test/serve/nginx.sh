#!/bin/bash
# nginx.sh - docs/operations/nginx.conf in front of the server, started as docs/operations/tabiya.service starts it:
#
#     test/serve/nginx.sh PROGRAM
. "$(dirname "$0")/server.sh"
operations=$(realpath "$here/../../docs/operations")
PATH=$PATH:/usr/sbin:/sbin
command -v nginx >/dev/null && command -v openssl >/dev/null || exit 77
curl --version | grep -q '^Features.* HTTP2' || exit 77
name=chess.example.org
nginx=

end_of_proxy() {
    [ -z "$nginx" ] || kill "$nginx" 2>/dev/null
    end_of_test
}
trap end_of_proxy EXIT

tabiya import games.db "$samples/famous.pgn" >/dev/null || exit 1
# The options of the unit, on these paths.
read -ra options < <(sed -n 's,^ExecStart=/usr/local/bin/tabiya serve /var/lib/tabiya/games.db ,,p' "$operations/tabiya.service" |
    sed 's,/var/log/tabiya/,,')
[ ${#options[@]} -gt 5 ] || fail "the unit has no options: ${options[*]}"
serve games.db "${options[@]}"

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \
    -keyout privkey.pem -out fullchain.pem 2>/dev/null || exit 77

# configure PLAIN_PORT TLS_PORT - the configuration as shipped, except for paths and ports.
configure() {
    sed -e "s,/var/cache/nginx,$work,; s,/etc/letsencrypt/live/$name,$work," -e "s/127.0.0.1:8064/127.0.0.1:$port/" \
        -e "s/listen 80;/listen 127.0.0.1:$1;/; s/listen 443 /listen 127.0.0.1:$2 /" "$operations/nginx.conf" >tabiya.conf
    {
        [ "$(id -u)" -ne 0 ] || echo 'user root;'
        echo "daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.log;"
        echo 'events {}'
        echo "http { access_log off; client_body_temp_path $work/temp; proxy_temp_path $work/temp_proxy;"
        echo "fastcgi_temp_path $work/temp_f; uwsgi_temp_path $work/temp_u; scgi_temp_path $work/temp_s; include $work/tabiya.conf; }"
    } >main.conf
}

# Looks for free ports.
started=
for _ in $(seq 20); do
    plain=$((20000 + RANDOM % 20000))
    tls=$((plain + 1))
    configure $plain $tls
    nginx -t -p "$work" -c "$work/main.conf" -e "$work/nginx.log" >said 2>&1 || { grep -q 'Address already in use' said && continue; cat said; exit 1; }
    nginx -p "$work" -c "$work/main.conf" -e "$work/nginx.log" >said 2>&1 &
    nginx=$!
    for _ in $(seq 100); do
        curl -sk --resolve "$name:$tls:127.0.0.1" -o /dev/null "https://$name:$tls/api" && started=yes && break 2
        kill -0 "$nginx" 2>/dev/null || break
        sleep 0.05
    done
done
[ -n "$started" ] || { echo "nginx does not start"; cat said nginx.log; exit 1; }

# ask OPTION... PATH - through nginx, checking its certificate.
ask() {
    local path=${*: -1}
    curl -sS --cacert fullchain.pem --resolve "$name:$tls:127.0.0.1" "${@:1:$#-1}" "https://$name:$tls$path"
}
status() { ask -o body -w '%{http_code}' "$@"; }
header() { ask -D - -o /dev/null "${@:2}" | tr -d '\r' | sed -n "s/^$1: //pI"; }

[ "$(status /)" = 200 ] && grep -q '<html' body || fail "no page"
[ "$(status /health)" = 200 ] || fail "no health: $(cat body)"
[ "$(status /metrics)" = 404 ] || fail "metrics are open to all"
[ "$(header Strict-Transport-Security /)" = "max-age=31536000" ] || fail "no HSTS"
curl -sS -o /dev/null -w '%{http_code} %{redirect_url}' --resolve "$name:$plain:127.0.0.1" "http://$name:$plain/x" >said
[ "$(cat said)" = "301 https://$name/x" ] || fail "no way to TLS: $(cat said)"

# The cache: nginx itself answers the second request, compressed or plain as the client supports it.
[ "$(header X-Cache '/lichess?play=e2e4')" = MISS ] || fail "a first answer that is kept"
[ "$(header X-Cache '/lichess?play=e2e4')" = HIT ] || fail "a second answer is not kept: $(ask -D - -o /dev/null '/lichess?play=e2e4')"
ask '/lichess?play=e2e4' >plain
ask --compressed '/lichess?play=e2e4' >unpacked
ask -H 'Accept-Encoding: gzip' '/lichess?play=e2e4' | gzip -d >unpacked2 || fail "a packed answer is not packed"
curl -sS "$url/lichess?play=e2e4" >direct
cmp plain direct && cmp unpacked direct && cmp unpacked2 direct || fail "the proxy's answer is another"
n=$(grep -c '"GET /lichess?play=e2e4 ' access.log) # one per Accept-Encoding, and one that bypasses nginx
[ "$n" = 4 ] || fail "$n requests for one answer reach the server"
[ "$(status '/lichess?fen=x') $(status '/lichess?fen=x')" = "400 400" ] || fail "an error: $(cat body)"
[ "$(grep -c '"GET /lichess?fen=x ' access.log)" = 2 ] || fail "an error is kept"

# The client's address comes from nginx, not from the client.
ask --interface 127.0.0.2 -H 'X-Forwarded-For: 203.0.113.5' -o /dev/null '/api/status'
grep -q '^127.0.0.2 .*/api/status' access.log || fail "the client's address: $(tail -n 1 access.log)"

# Limits: a burst passes, a flood does not; another client is still served.
for i in $(seq 60); do echo "url = \"https://$name:$tls/api/find?count=1&offset=$i\""; echo 'output = /dev/null'; done >many
curl -sS --cacert fullchain.pem --resolve "$name:$tls:127.0.0.1" --interface 127.0.0.3 -K many -w '%{http_code}\n' | sort | uniq -c >said
grep -q ' 429$' said || fail "no limit: $(cat said)"
grep -qE ' (200|400)$' said || fail "nothing passes: $(cat said)"
[ "$(status --interface 127.0.0.4 '/api/find?count=1')" = 200 ] || fail "another client is refused: $(cat body)"

kill "$nginx"
wait "$nginx"
nginx=
stop || fail "the server exits with $?"
! complaints || fail "the server wrote to stderr"
exit "$failed"
