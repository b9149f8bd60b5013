#!/bin/bash
# readers.sh - searches continue during an import and never see half of a commit: test/store/readers.sh PROGRAM
set -u
PATH=$(dirname "$(realpath "$1")"):$PATH
cd "$(dirname "$0")" || exit 2
. ./games.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

games 100 >first.pgn
games 60000 >games.pgn
tabiya import games.db first.pgn >/dev/null || exit 1

# As many games as before, or more. Every game has at most 10 half-moves, so the answer of every search is known.
reader() {
    local before=0 n last=
    while [ -z "$last" ]; do
        [ ! -e stop ] || last=yes # search again after the import
        n=$(tabiya find --count games.db "$@") || { echo "find fails: $n"; return 1; }
        [ "$n" -ge "$before" ] || { echo "$n games after $before"; return 1; }
        before=$n
    done
    echo "$*: $before games"
    [ "$before" -gt 100 ]
}

reader 'plies ..10' &
first=$!
reader --fen startpos &
second=$!
tabiya import games.db games.pgn || exit 1
touch stop
wait $first && wait $second && tabiya verify games.db
