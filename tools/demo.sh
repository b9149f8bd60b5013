#!/bin/sh
# demo.sh - shows what tabiya can do, on the terminal and then in the browser: tools/demo.sh PROGRAM FOLDER
#
# Imports the sample games into FOLDER/sample.db, runs some queries, and serves the database until Ctrl-C. PORT=N sets
# the port; if it is in use, a free one is used.
set -eu

program=$1
db=$2/sample.db

show() {
    printf '\n$ tabiya'
    for word in "$@"; do
        case $word in
        *[\ \*]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    echo
    "$program" "$@"
}

show show --to unicode
show convert --to pgn '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
show convert --from san --to fen '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#'
rm -f "$db" "$db-wal" "$db-shm"
show import "$db" examples/famous.pgn examples/selfplay.pgn
show find "$db" --player '*Morphy'
show find "$db" 'board "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5"'
show explore "$db" --limit 8
printf '\nThe games are in %s; the program is %s. Try: %s explore %s 1. e4 c5\n' "$db" "$program" "$program" "$db"

# The server prints its address first; it is opened in a browser if there is one.
address=$2/address
for port in "${PORT:-8064}" 0; do
    rm -f "$address"
    "$program" serve "$db" --port "$port" >"$address" &
    server=$!
    until [ -s "$address" ] || ! kill -0 "$server" 2>/dev/null; do sleep 0.1; done
    [ ! -s "$address" ] || break
done
[ -s "$address" ] || exit 0
trap 'kill "$server"' INT TERM
printf '\nThe web board is at  %s  (Ctrl-C stops it)\n' "$(cat "$address")"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
    xdg-open "$(cat "$address")" >/dev/null 2>&1 || true
fi
wait "$server" || true
