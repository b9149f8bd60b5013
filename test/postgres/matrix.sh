#!/bin/bash
# matrix.sh - every command and path that uses a database gives the same answer, byte for byte, on a file and on a
# server, or is refused with a message: the list is matrix.txt. The page is also tried on both. Runs with a server
# (cluster.sh); citus.sh and citus_setup.sh do the same with Citus and its stand-in. The last line is "N passed, N
# failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" matrix
# shellcheck source=test/postgres/matrix_support.sh
. "$root/test/postgres/matrix_support.sh"

kinds=(file server)
createdb server
# shellcheck disable=SC2317
database() { if [ "$1" = file ]; then echo file.db; else url "$1"; fi; }
# shellcheck disable=SC2317
stop() {
    kill "${servers[@]}" 2>/dev/null
    wait
}
trap stop EXIT
matrix_import
matrix_unions
matrix_commands
matrix_serve
matrix_paths

# ---- The page

if [ -e "$PG_BUILD/web/tabiya.wasm" ] && command -v node >/dev/null; then
    node "$root/test/web/backends.mjs" "$(cat file.address)" "$(cat server.address)" >page 2>&1
    code=$?
    [ "$code" -eq 77 ] || is "$code $(cat page)" '0 ' 'the page shows the same'
fi

# ---- The list is complete

# Every command, and every path of the API that uses a database.
for command in $("$tabiya" help | sed -n '/^Options/q; s/^  \([a-z]*\) .*/\1/p'); do
    is "$(grep -cE "^((run|file .* \|) $command |none $command [a-z])" "$matrix" | sed 's/^[1-9].*/some/')" some \
        "$command is in matrix.txt"
done
for path in $(curl -sS "$(sed 's,/$,,' file.address)/api/openapi.json" | jq -r '.paths | keys[]'); do
    case $path in
    /api | /api/notations | /api/patterns | /api/convert | /api/status | /api/analyse | /api/annotate | /api/openapi.json | /metrics) continue ;;
    esac
    is "$(grep -cE "^(get|send [A-Z]+) ${path%%{*}" "$matrix" | sed 's/^[1-9].*/some/')" some "$path is in matrix.txt"
done

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
