#!/bin/bash
# operations.sh - tests the files in docs/operations/, each with its own program: test/serve/operations.sh PROGRAM
#
# nginx.conf has a separate test, nginx.sh. Programs that are not installed are skipped; without any of them, only
# update.sh and backups are tested.
. "$(dirname "$0")/server.sh"
operations=$(realpath "$here/../../docs/operations")
page=$here/../../docs/operations.md
PATH=$PATH:/usr/sbin:/sbin

for file in "$operations"/*; do
    grep -q "operations/${file##*/}" "$page" || fail "docs/operations.md does not mention ${file##*/}"
done

# ---- Installing: the commands that install files, below a temporary folder
mkdir -p root/etc/systemd/system root/etc/logrotate.d root/etc/nginx/conf.d
sed -n "s,^sudo \(install .*\),\1,p" "$page" | sed "s,-o tabiya -g tabiya ,,; s, /, $work/root/,g" >install.sh
[ "$(wc -l <install.sh)" = 5 ] || fail "lines that install: $(cat install.sh)"
(cd "$here/../.." && sh -e "$work/install.sh") || fail "the lines that install"
for file in "$operations"/*; do
    [ "${file##*/}" = prometheus.yml ] || find root -type f -exec cmp -s "$file" {} \; -print | grep -q . || fail "${file##*/} is not installed"
done

# ---- Units
if command -v systemd-analyze >/dev/null; then
    mkdir units
    for file in "$operations"/*.service "$operations"/*.socket "$operations"/*.timer; do
        sed "s,/usr/local/bin/tabiya,$(command -v tabiya),; s,/usr/local/lib/tabiya,$operations," "$file" >"units/${file##*/}"
    done
    systemd-analyze verify --man=no units/* >said 2>&1 || fail "systemd-analyze verify: $(cat said)"
    ! grep -v '^$' said || fail "systemd-analyze warns"
    systemd-analyze security --offline=true --threshold=20 units/tabiya.service >said 2>&1 || fail "the unit is open: $(tail -n 2 said)"
fi

# ---- Logs and metrics
if command -v logrotate >/dev/null; then
    mkdir -m 750 logs
    sed "s,/var/log/tabiya,$work/logs,; s,systemctl reload tabiya.service,kill -HUP \$(cat $work/pid)," "$operations/logrotate.conf" >rotate.conf
    chmod 644 rotate.conf
    serve --log logs/access.log
    echo "$server" >pid
    curl -sS "$url/api" >/dev/null
    logrotate -f -s rotate.state rotate.conf >said 2>&1 || fail "logrotate: $(cat said)"
    for _ in $(seq 200); do [ -e logs/access.log ] && break; sleep 0.05; done
    curl -sS "$url/api/status" >/dev/null
    grep -q 'GET /api ' logs/access.log.1 || fail "the old log: $(ls logs)"
    grep -q 'GET /api/status ' logs/access.log || fail "the new log: $(ls logs)"
    stop || fail "the server exits with $?"
fi
if command -v promtool >/dev/null; then
    promtool check config "$operations/prometheus.yml" >said 2>&1 || fail "promtool: $(cat said)"
    serve
    curl -sS "$url/metrics" | promtool check metrics >said 2>&1 || fail "promtool: $(cat said)"
    stop || fail "the server exits with $?"
fi

# ---- The weekly update, while the server runs
count() { curl -sS "$url/api/find?count=1" | jq .count; }
mkdir -p games/incoming
update() { "$operations/update.sh" games >said 2>&1; }
tabiya pgn "$samples/famous.pgn" --limit 3 >games/incoming/a.pgn
update || fail "the first update: $(cat said)"
[ "$(readlink games/games.db)" = "$(cd games && echo games-*.db)" ] || fail "no link: $(ls -l games)"
serve games/games.db
[ "$(count)" = 3 ] || fail "the first games: $(count)"
wait_a_second() { for _ in $(seq 40); do [ "$(date -u +%Y%m%dT%H%M%SZ)" = "$1" ] || return; sleep 0.05; done; }
for n in 1 2 3; do
    wait_a_second "$(date -u +%Y%m%dT%H%M%SZ)"
    printf '[White "%s"]\n\n1. e4 e5 2. Nf3 *\n' "$n" >"games/incoming/$n.pgn"
    update || fail "update $n: $(cat said)"
    [ "$(count)" = $((3 + n)) ] || fail "after update $n: $(count) games"
done
[ "$(find games -name 'games-*.db' | wc -l)" = 2 ] || fail "two are kept: $(ls games)"
[ "$(find games/imported -type f | wc -l)" = 4 ] && [ -z "$(ls games/incoming)" ] || fail "what was imported: $(ls games/*)"
update && [ "$(count)" = 6 ] || fail "nothing to do: $(cat said)"
# Back to the older file, as the page says, and forward again.
newest=$(readlink games/games.db)
older=$(cd games && find . -name 'games-*.db' ! -name "$newest" | cut -c3-)
go_to() { sed -n '/^cd .var.lib.tabiya$/,/^```$/p' "$page" | sed "1s,.*,cd games,; /^\`/d; s,sudo -u tabiya ,,g; s,games-[0-9TZ]*.db,$1," | bash -e; }
go_to "$older" && [ "$(count)" = 5 ] || fail "back to $older: $(count) games"
go_to "$newest" && [ "$(count)" = 6 ] || fail "forward to $newest: $(count) games"
# A copy of the published file, made and verified as the page says.
mkdir kept
sed -n '/^cp .var.lib.tabiya.games.db /,/^```$/p' "$page" | sed "s,/var/lib/tabiya,games,; s,/backup,kept,; /^\`/d" >copy.sh
[ "$(wc -l <copy.sh)" = 2 ] && sh -e copy.sh >said && grep -q '^6 games, 0 faults$' said || fail "the copy: $(cat copy.sh said)"
# What cannot be read is not published, and is not removed.
wait_a_second "$(date -u +%Y%m%dT%H%M%SZ)"
before=$(readlink games/games.db)
mkdir games/incoming/folder.pgn
update && fail "a folder is published"
[ "$(readlink games/games.db)" = "$before" ] && [ "$(count)" = 6 ] && [ -e games/incoming/folder.pgn ] || fail "after a failure: $(ls games)"
[ -z "$(find games -name '*.part*')" ] || fail "left behind: $(ls games)"
stop || fail "the server exits with $?"

# ---- Backup of a file during an import, and restoring it
if command -v sqlite3 >/dev/null; then
    sed -n '/^sqlite3 games.db /p' "$page" | sed 's/games\.db/live.db/' >backup.sh
    tabiya import live.db "$samples/famous.pgn" >/dev/null
    tabiya import live.db "$samples/selfplay.pgn" >/dev/null 2>&1 &
    importer=$!
    [ -s backup.sh ] && sh -e backup.sh >said || fail "the backup: $(cat said)"
    wait $importer || fail "the import beside it"
    n=$(tabiya find backup.db --count)
    [ "$n" -ge "$(grep -c '^\[Event ' "$samples/famous.pgn")" ] || fail "$n games in the backup"
    serve backup.db
    [ "$(count)" = "$n" ] || fail "a restored backup: $(count) games"
    stop || fail "the server exits with $?"
fi
exit "$failed"
