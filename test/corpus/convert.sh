#!/bin/sh
# convert.sh - every game of a folder's games/ to CMBR and back, and as UCI line to PGN and back, by the program.
#
#     convert.sh PROGRAM FOLDER
#
# PGN -> CMBR -> PGN must give the text of PGN -> PGN; PGN -> UCI -> PGN -> UCI the lines of PGN -> UCI. Games with
# faults are left out by the program.
set -u
program=$1
folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# same NAME A B
same() {
    if [ -s "$2" ] && cmp -s "$2" "$3"; then
        passed=$((passed + 1))
    else
        echo "$1: differs"
        failed=$((failed + 1))
    fi
}

for games in "$folder"/games/*.pgn "$folder"/games/*.pgn.zst; do
    [ -e "$games" ] || continue
    name=$(basename "$games")
    "$program" convert --from pgn --to pgn "$games" >"$work/plain.pgn" 2>/dev/null
    "$program" convert --from pgn --to cmbr -o "$work/games.cmbr" "$games" 2>/dev/null
    "$program" convert --from cmbr --to pgn "$work/games.cmbr" >"$work/back.pgn"
    same "$name through CMBR" "$work/plain.pgn" "$work/back.pgn"
    # a line of moves has no room for another start
    if grep -q '^\[FEN ' "$work/plain.pgn"; then
        continue
    fi
    "$program" convert --from pgn --to uci --lossy "$games" 2>/dev/null | grep . >"$work/lines.uci"
    "$program" convert --from uci --to pgn "$work/lines.uci" >"$work/lines.pgn" 2>"$work/errors"
    "$program" convert --from pgn --to uci --lossy "$work/lines.pgn" 2>/dev/null | grep . >"$work/again.uci"
    same "$name through UCI" "$work/lines.uci" "$work/again.uci"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
