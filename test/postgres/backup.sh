#!/bin/bash
# backup.sh - the server backup in docs/operations.md: taken during an import, restored, and compared; and a server that
# reloads: cluster.sh BUILD backup.sh
set -eu
samples=$(realpath "$(dirname "$0")/../../examples")
PATH=$PG_BUILD:$PATH
url="postgresql:///$PGDATABASE"
cd "$(mktemp -d "$PG_TEMP/backup.XXXXXX")"

tabiya import "$url" "$samples/famous.pgn" >/dev/null
tabiya import "$url" "$samples/selfplay.pgn" >/dev/null 2>&1 &
importer=$!
pg_dump -Fc -f games.dump "$PGDATABASE"
wait $importer

createdb restored
pg_restore --exit-on-error -d restored games.dump
n=$(tabiya find postgresql:///restored --count)
[ "$n" -ge "$(grep -c '^\[Event ' "$samples/famous.pgn")" ] || { echo "$n games were restored"; exit 1; }
tabiya export postgresql:///restored >restored.pgn
tabiya export "$url" --limit "$n" >original.pgn
cmp restored.pgn original.pgn
# The restored database accepts the games that came after the backup.
tabiya import postgresql:///restored "$samples/selfplay.pgn" >/dev/null
[ "$(tabiya find postgresql:///restored --count)" = "$(tabiya find "$url" --count)" ] || { echo "not all games came after"; exit 1; }

# SIGHUP opens a new connection. A lost connection is reopened without it too, and /health says whether it works.
tabiya serve "postgresql:///restored?host=$PGHOST" --port 0 >address 2>errors &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 200); do [ -s address ] && break; sleep 0.05; done
health() { curl -sS -o body -w '%{http_code}' "$(cat address)health"; }
[ "$(health)" = 200 ] || { echo "no health: $(cat body)"; exit 1; }
[ "$(curl -sS "$(cat address)api" | jq -r .database)" = restored ] || { echo "the API reports another name for the database"; exit 1; }
connections="SELECT count(*) FROM pg_stat_activity WHERE datname = 'restored' AND pid <> pg_backend_pid()"
first=$(psql -Atc "SELECT min(backend_start) FROM pg_stat_activity WHERE datname = 'restored'")
kill -HUP $server
for _ in $(seq 200); do
    [ "$(psql -Atc "SELECT count(*) FROM pg_stat_activity WHERE datname = 'restored' AND backend_start <= '$first'")" != 0 ] || break
    sleep 0.05
done
[ "$(psql -Atc "SELECT count(*) FROM pg_stat_activity WHERE datname = 'restored' AND backend_start <= '$first'")" = 0 ] ||
    { echo "old connections stay"; exit 1; }
[ "$(psql -Atc "$connections")" -gt 0 ] || { echo "no connections"; exit 1; }
[ "$(health)" = 200 ] || { echo "no health after SIGHUP: $(cat body)"; exit 1; }
