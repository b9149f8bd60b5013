#!/bin/bash
# toolbox.sh - compares tabiya pgn with pgn-extract on each kind of task, alternating in one run.
#
#     bench/toolbox.sh PROGRAM GAMES.pgn
#
# Each line shows the task, the number of games that each program writes, the best of ROUNDS (2) runs of each in
# seconds, and how many times as long pgn-extract takes. The numbers of games must be equal, unless the task allows
# differences. Both write to memory (/dev/shm) if it has 4 GB free: EPD is seventeen times as long as its games, and a
# disk would be all that is measured.
set -u
PATH=$PATH:/usr/games
program=$(realpath "$1")
games=$(realpath "$2")
rounds=${ROUNDS:-2}
command -v pgn-extract >/dev/null || { echo "pgn-extract is not installed"; exit 0; }
room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
[ "${room:-0}" -lt 4000000 ] || TMPDIR=/dev/shm
work=$(TMPDIR=${TMPDIR:-/tmp} mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

# seconds COMMAND... - wall time; the output is in the file `out`.
seconds() {
    rm -f out
    local begin=$EPOCHREALTIME
    "$@" >out 2>/dev/null
    echo "$EPOCHREALTIME $begin" | awk '{ printf "%.3f\n", $1 - $2 }'
}

least() { sort -g | head -n 1; }
count() { grep -c '^\[Event ' "$1"; }

# compare NAME equal|near OWN-OPTIONS -- PEER-OPTIONS
compare() {
    local name=$1 how=$2 own=() peer=() to=own option
    shift 2
    for option; do
        if [ "$option" = -- ]; then to=peer
        elif [ "$to" = own ]; then own+=("$option")
        else peer+=("$option"); fi
    done
    local ours=() theirs=() n_own n_peer
    for _ in $(seq "$rounds"); do
        ours+=("$(seconds "$program" pgn "${own[@]}" "$games")")
        n_own=$(count out)
        theirs+=("$(seconds pgn-extract -s "${peer[@]}" "$games")")
        n_peer=$(count out)
    done
    local a b
    a=$(printf '%s\n' "${ours[@]}" | least)
    b=$(printf '%s\n' "${theirs[@]}" | least)
    printf '%-28s %8s %8s  %7.3f s %8.3f s  %6.1f\n' "$name" "$n_own" "$n_peer" "$a" "$b" \
        "$(echo "$a $b" | awk '{ print $2 / ($1 > 0.001 ? $1 : 0.001) }')"
    if [ "$how" = equal ] && [ "$n_own" != "$n_peer" ]; then
        echo "  the numbers of games differ"
        failed=1
    fi
}

white=$(sed -n 's/^\[White "\([^" ,]*\).*/\1/p' "$games" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
echo 'e4 c5 Nf3 d6 d4 cxd4' >line
echo 'R1P+ R1P+' >ending
printf 'White "%s"\nResult "1-0"\n' "$white" >tags

printf '%-28s %8s %8s  %9s %10s  %6s\n' "task" "games" "peer" "tabiya" "pgn-extract" "ratio"
compare "all games, unchanged" equal --width 75 --
compare "without notes" equal --strip comments,variations,nags -- -C -N -V
compare "the seven tags" equal --keep-tags roster -- -7
compare "by white player" equal --white "$white*" -- "-Tw$white"
compare "by a file of tags" equal --criteria tags -- -ttags
compare "by result" equal --result 1-0 -- -Tr1-0
compare "by length" equal 'plies ..40' -- -pu40
compare "by position" equal --fen '1. e4 c5 2. Nf3 d6 3. d4 cxd4' -- -xline
compare "by material" near --query 'either (KRP+vKRP+) for 3' -- -zending
compare "mates" equal --query mate -- -M
compare "without duplicates" equal --unique -- -D
compare "the first 20 plies" equal --cut 20 -- --plylimit 20
compare "ply counts" equal --add plies -- --plycount
compare "FENs after each move" equal --note fen -- --fencomments
compare "as UCI" near --to uci -- -Wuci
compare "as EPD" near --to epd -- -Wepd
compare "as JSON" near --to json -- --json
compare "200 games per file" near --split 200 -o part-%d.pgn -- -#200
exit $failed
