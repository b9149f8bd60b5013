#!/bin/bash
# matrix.sh - every command and path that uses a database gives the same answer, byte for byte, on a file, on a server
# and on a coordinator with two shards, or is refused with a message: the list is matrix.txt. The page is also tried on
# all three. Runs with a server (cluster.sh). The last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/shards_support.sh
. "$(dirname "$0")/shards_support.sh" matrix

kinds=(file server cluster)
for name in server cluster first second; do createdb "$name"; done
"$tabiya" cluster init "$(url cluster)" "$(url first)" "$(url second)" >/dev/null || exit 1
# database KIND - its path or URL
database() { if [ "$1" = file ]; then echo file.db; else url "$1"; fi; }

"$tabiya" convert --to pgn --games 1..400 "$root/examples/selfplay.pgn" >selfplay.pgn
cat >odd.pgn <<'PGN'
[Event "Rated blitz game"]
[Date "19??.??.??"]
[White "Odd, A"]
[Black "Even, B"]
[WhiteElo "2105"]
[BlackElo "2014"]
[TimeControl "180+2"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Casual game"]
[Date "2019.??.12"]
[White "Even, B"]
[Black "Odd, A"]
[WhiteElo "2301"]
[Result "*"]

1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 *
PGN
for kind in "${kinds[@]}"; do
    "$tabiya" import "$(database "$kind")" "$root/examples/famous.pgn" selfplay.pgn odd.pgn >"$kind.import" 2>&1
    is "$? $(cat "$kind.import")" "0 $(cat file.import)" "import into $kind"
done

# ---- Commands

# answer KIND ARGUMENTS - output, errors and exit code of tabiya, with the name of the database removed
answer() {
    local arguments=${2//DB/\"\$db\"} db filter=cat
    [[ $arguments != *' | '* ]] || { filter=${arguments#* | }; arguments=${arguments%% | *}; }
    arguments=${arguments//EXAMPLES/$root/examples}
    db=$(database "$1")
    rm -rf tree
    eval "\"\$tabiya\" $arguments" >"$1.out" 2>"$1.err" </dev/null
    echo "exit code $?"
    eval "$filter" <"$1.out" | sed "s|$db|DB|g; s|[^ ]*$1[^ ]*: ||g"
    sed "s|$db|DB|g" "$1.err"
    [ ! -d tree ] || find tree -type f -print0 | sort -z | xargs -0 cat
}

while IFS= read -r line; do
    what=${line#* }
    case $line in
    run\ * | wrong\ *)
        wanted=$(answer file "$what")
        [[ $wanted == 'exit code '[01]* || $line == wrong\ * ]] || is "$wanted" 'exit code 0' "file: tabiya $what"
        for kind in server cluster; do is "$(answer "$kind" "$what")" "$wanted" "$kind: tabiya $what"; done
        ;;
    file\ *)
        sentence=${what%% | *} what=${what#* | }
        [[ $(answer file "$what") == 'exit code 0'* ]] || is "$(answer file "$what")" 'exit code 0' "file: tabiya $what"
        for kind in server cluster; do
            got=$(answer "$kind" "$what")
            [[ $got == 'exit code 2'*"$sentence" ]] || is "$got" "exit code 2, $sentence" "$kind: tabiya $what"
        done
        ;;
    esac
done <"$root/test/postgres/matrix.txt"

# ---- Paths

servers=()
# shellcheck disable=SC2317
stop() {
    kill "${servers[@]}" 2>/dev/null
    wait
}
trap stop EXIT
for kind in "${kinds[@]}"; do
    "$tabiya" serve "$(database "$kind")" --port 0 --write >"$kind.address" 2>"$kind.errors" &
    servers+=($!)
done
for kind in "${kinds[@]}"; do
    until [ -s "$kind.address" ]; do kill -0 "${servers[@]}" || exit 1; sleep 0.05; done
done
for kind in "${kinds[@]}"; do
    sed 's/.*token=//' "$kind.address" >"$kind.token"
    sed -i 's/?token=.*//' "$kind.address"
done
# ask KIND PATH [CURL OPTIONS]
ask() {
    local kind=$1 path=$2 filter=cat
    shift 2
    [[ $path != *' | '* ]] || { filter=${path#* | }; path=${path%% | *}; }
    curl -sS -w '\n%{http_code}\n' "$@" "$(sed 's,/$,,' "$kind.address")$path" | eval "$filter" | sed 's/"database":"[^"]*"/"database":"DB"/'
}
while IFS= read -r line; do
    [[ $line == get\ * || $line == send\ * ]] || continue
    path=${line#get } options=()
    if [[ $line == send\ * ]]; then
        read -r _ method path body <<<"$line"
        options=(-X "$method" --data-binary "${body//]\[/]$'\n'[}")
    fi
    for kind in "${kinds[@]}"; do
        got=$(ask "$kind" "$path" "${options[@]}" ${options:+-H "X-Tabiya-Token: $(cat "$kind.token")"})
        [ "$kind" != file ] || wanted=$got
        is "$got" "$wanted" "$kind: $line"
    done
done <"$root/test/postgres/matrix.txt"

# ---- The page

if [ -e "$PG_BUILD/web/tabiya.wasm" ] && command -v node >/dev/null; then
    node "$root/test/web/backends.mjs" "$(cat file.address)" "$(cat server.address)" "$(cat cluster.address)" >page 2>&1
    code=$?
    [ "$code" -eq 77 ] || is "$code $(cat page)" '0 ' 'the page shows the same'
fi

# ---- The list is complete

# Commands whose usage names a database, and paths of the API that use one.
for command in $("$tabiya" help | sed -n '/^Options/q; s/^  \([a-z]*\) .*/\1/p'); do
    "$tabiya" help "$command" | sed -n '/^Usage/,/^$/p' | grep -qw 'DB' || continue
    [[ $command == serve || $command == shard || $command == cluster ]] && continue
    is "$(grep -cE "^(run|file .* \|) $command " "$root/test/postgres/matrix.txt" | sed 's/^[1-9].*/some/')" some "$command is in matrix.txt"
done
for path in $(curl -sS "$(sed 's,/$,,' file.address)/api/openapi.json" | jq -r '.paths | keys[]'); do
    case $path in
    /api | /api/notations | /api/patterns | /api/convert | /api/status | /api/analyse | /api/annotate | /api/openapi.json | /metrics) continue ;;
    esac
    is "$(grep -cE "^(get|send [A-Z]+) ${path%%{*}" "$root/test/postgres/matrix.txt" | sed 's/^[1-9].*/some/')" some "$path is in matrix.txt"
done

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
