#!/bin/bash
# run.sh - the program for Windows, under Wine, does what the one of this machine does:
#
#     test/windows/run.sh WRAPPER NATIVE ENGINE.exe EXTENSION.dll
#
# WRAPPER runs the program under Wine; NATIVE is that of this machine. The same bytes from commands of all kinds, an import
# that is killed, two writers, quotes and patterns, names that are not ASCII, compressed files, an engine, the second start.
set -u
wrapper=$(realpath "$1")
native=$(realpath "$2")
engine=$(realpath "$3")
samples=$(realpath "$(dirname "$0")/../../examples")
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -INT "$server" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0

# In the background it is called as "$wrapper", without a shell between that would get the signals.
windows() { "$wrapper" "$@"; }

# expect NAME EXPECTED ACTUAL
expect() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s:\n' "$1"
        diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") | head -n 8
    fi
}

# same ARGUMENT... - the same output and exit code; each in its own folder with the same files.
same() {
    local one two
    one=$(cd linux && "$native" "$@" 2>&1 | od -c; echo "${PIPESTATUS[0]}")
    two=$(cd wine && windows "$@" 2>&1 | od -c; echo "${PIPESTATUS[0]}")
    expect "$*" "$one" "$two"
}

mkdir linux wine
for folder in linux wine; do
    cp "$samples/famous.pgn" $folder
    cp "$samples/famous.pgn" "$folder/Bär 棋 1.pgn"
    gzip -k $folder/famous.pgn
    head -c 300 "$samples/famous.pgn" >$folder/cut.pgn
    printf '[Event "?"]\n\n1. e4 e5 2. Ke3 *\n' >$folder/faulty.pgn
    ! command -v zstd >/dev/null || zstd -q $folder/famous.pgn
done

same import games.db famous.pgn
same import games.db famous.pgn
same import other.db "Bär 棋 1.pgn" faulty.pgn
same import packed.db famous.pgn.gz
[ ! -e linux/famous.pgn.zst ] || same import zstd.db famous.pgn.zst
while read -r words; do
    eval "same $words"
done <<'END'
show
show --to unicode
--help
help query
moves startpos
status "8/P6k/8/8/8/8/8/K7 w - - 0 1"
convert --to fen "1. e4 c5 2. Nf3"
convert --to pgn famous.pgn
convert --to json famous.pgn
convert --to cmbr famous.pgn
check famous.pgn
check faulty.pgn
pgn --unique famous.pgn
find games.db --count
find games.db "check ply ..20"
find games.db player morphy
find games.db --where "white_elo is null" --count
find games.db --to csv
find games.db --to json
find famous.pgn "player anderssen"
explore games.db
explore games.db 1. e4 e5
explore games.db --to json
names games.db
report games.db 1. e4
novelty games.db 1
rows games.db --to csv
rows games.db --to jsonl
rows games.db --to parquet -o games.parquet
sql games.db "select count(*), max(plies) from game"
info games.db --json
verify games.db
export games.db -o out.pgn
export games.db
export "games.db" --to json
delete games.db --ids 3
export games.db
tree grow tree --plies 2 famous.pgn
annotate missing.pgn
find missing.db
import no/such/folder.db famous.pgn
END
expect "files that were written" "$(cd linux && cksum out.pgn games.parquet)" "$(cd wine && cksum out.pgn games.parquet)"
expect "databases are interchangeable" "$("$native" export linux/other.db | cksum)" "$("$native" export wine/other.db | cksum)"
expect "a path with backslashes" 58 "$(windows find 'wine\other.db' --count)"

# What the shell does not do there.
expect "patterns" "116 games, 116 good, 0 bad" \
    "$(windows check 'wine\f*s.pgn' 'wine/B*.pgn' | grep -o '.* bad')"
expect "a result is no pattern" "$(windows convert --to fen 1. e4 '*')" "$("$native" convert --to fen 1. e4 '*')"
windows find wine/other.db "'player" "morphy'" 2>&1 | grep -q 'single quote'
expect "a hint about single quotes" 0 $?

# A kill in the middle of an import loses nothing that was committed.
for _ in $(seq 40); do cat "$samples/selfplay.pgn"; done >many.pgn
"$wrapper" import --duplicates keep killed.db many.pgn >/dev/null 2>&1 &
import=$!
for _ in $(seq 600); do
    n=$(windows find --count killed.db 2>/dev/null)
    [ "${n:-0}" -lt 50000 ] && kill -0 "$import" 2>/dev/null || break
done
kill -KILL "$import" 2>/dev/null
wait "$import" 2>/dev/null
expect "after a kill" "no fault" "$(windows verify killed.db >/dev/null && echo 'no fault')"
[ "$(windows find --count killed.db)" -ge 50000 ]
expect "what was committed before the kill" 0 $?

# Two writers take turns.
"$wrapper" import two.db "$samples/selfplay.pgn" >one.log 2>&1 &
windows import two.db wine/famous.pgn >two.log 2>&1
wait $!
expect "two writers" "no error" "$(cat one.log two.log | grep -q 'tabiya:' || echo 'no error')"
expect "games of both" "$("$native" find --count two.db)" \
    "$(($(grep -ho '[0-9]* stored' one.log two.log | paste -sd+ | tr -d ' stored')))"
windows verify two.db >/dev/null
expect "their database" 0 $?

# An engine, which ends with the program.
windows annotate --engine "$engine" --depth 1 wine/famous.pgn 2>&1 | grep -q 'Windows test\|\[%eval 0.31\]'
expect "an engine annotates" 0 $?

# The second start finds the server of the first.
"$wrapper" serve --open two.db --port 0 >first 2>errors &
server=$!
for _ in $(seq 200); do [ -s first ] && break; sleep 0.1; done
url=$(head -n 1 first)
expect "the second start" "$url" "$(windows serve --open two.db | head -n 1)"
expect "the server answers" "$("$native" find --count two.db)" "$(curl -s "${url%$'\r'}api/info" | grep -o '"games":[0-9]*' | cut -d: -f2)"
kill -INT "$server"
wait "$server"
expect "the server stops" 0 $?
server=

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
