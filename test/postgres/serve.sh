#!/bin/bash
# serve.sh - over a thousand requests to `tabiya serve` on a database file and on a server (cluster.sh) with the same
# games: the answers are the same byte for byte. The last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" serve

createdb one
database() { if [ "$1" = file ]; then echo file.db; else url "$1"; fi; }
for name in one file; do
    "$tabiya" import "$(database "$name")" "$root"/examples/*.pgn --index-plies 30 >/dev/null || exit 1
done
# Half of the answers come from stored counts, half from the games.
psql -X -q -d one -c "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags')" -c 'SELECT tabiya.game_played_refresh(50)' >/dev/null

servers=()
# shellcheck disable=SC2317
stop() {
    kill "${servers[@]}" 2>/dev/null
    wait
}
trap stop EXIT
for name in one file; do
    "$tabiya" serve "$(database "$name")" --port 0 >"$name.address" 2>"$name.errors" &
    servers+=($!)
done
for _ in $(seq 200); do
    [ -s one.address ] && [ -s file.address ] && break
    sleep 0.05
done

"$root/test/postgres/make_questions.sh" one "$root" >questions
# asked NAME - the answers, one per line, over one connection
asked() {
    "$root/test/postgres/question_urls.sh" "$(cat "$1.address")" <questions >"$1.list"
    curl -sS -K "$1.list" -w $'\n\036\n' >"$1.answers"
}
asked one
asked file
sed -i 's/"index_runs":[0-9]*\|"file_size":[0-9]*/"of its own"/g' one.answers file.answers
tr '\036' '\0' <one.answers >one.records
tr '\036' '\0' <file.answers >file.records
while IFS= read -r question && IFS= read -r -d '' wanted <&3 && IFS= read -r -d '' got <&4; do
    if [ "$got" = "$wanted" ] && [ -n "$got" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        [ "$failed" -gt 5 ] || printf 'FAILED: %s\n  one: %s\n  file: %s\n' "$question" "${wanted:0:300}" "${got:0:300}"
    fi
done <questions 3<one.records 4<file.records
# Most requests are answered, not refused.
n_refused=$(grep -c '"error":' one.answers)
[ "$passed" -ge 1000 ] && [ "$n_refused" -lt 10 ] || { echo "FAILED: only $passed questions, $n_refused of them refused"; failed=$((failed + 1)); }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
