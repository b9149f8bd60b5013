#!/bin/sh
# database.sh - every game of a folder's games/ into a database and out again, by the program.
#
#     database.sh PROGRAM FOLDER
#
# Import -> export must give the text of PGN -> PGN, verify must find nothing, and a second import nothing new. Games
# with faults are left out by both.
set -u
program=$1
folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# judge NAME CODE
judge() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "$1: failed"
        failed=$((failed + 1))
    fi
}

for games in "$folder"/games/*.pgn "$folder"/games/*.pgn.zst; do
    [ -e "$games" ] || continue
    name=$(basename "$games")
    db=$work/games.db
    rm -f "$db"
    "$program" convert --from pgn --to pgn "$games" >"$work/plain.pgn" 2>/dev/null
    "$program" import --duplicates keep "$db" "$games" >/dev/null 2>&1
    "$program" export "$db" >"$work/back.pgn"
    [ -s "$work/plain.pgn" ] && cmp -s "$work/plain.pgn" "$work/back.pgn"
    judge "$name comes back" $?
    "$program" verify "$db" >"$work/faults"
    judge "$name verifies" $?
    "$program" import --json "$db" "$games" 2>/dev/null | grep -q '"stored":0,'
    judge "$name is known again" $?
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
