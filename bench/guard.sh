#!/bin/bash
# guard.sh - compares the instruction counts of fixed jobs with those in the repository:
#
#     bench/guard.sh BUILD             fails if a job takes more than 3 % more than bench/guard.tsv says
#     bench/guard.sh BUILD --update    writes the numbers of this build there
#
# Instructions, counted by callgrind, are the same in each run, however busy the machine is. They depend on the
# compiler, the processor's instruction set and the libraries, so nothing is compared on a system other than the one
# named in the first line of bench/guard.tsv. Exits with 77 there, and if valgrind is missing.
set -eu
cd "$(dirname "$0")/.."
tabiya=$(realpath "$1/tabiya")
table=bench/guard.tsv
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }

system="$(cc -dumpfullversion) $(uname -m) $(grep -qw avx2 /proc/cpuinfo && echo avx2 || echo no-avx2) $(sqlite3 --version | cut -d' ' -f1)"
if [ "${2:-}" != --update ] && [ "# $system" != "$(head -n 1 $table)" ]; then
    echo "this system ($system) is not that of $table ($(head -n 1 $table | cut -c3-))"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
games=examples/selfplay.pgn
kiwipete='r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
failures=0

# job NAME COMMAND... - counts instructions, and compares or records them.
job() {
    local name=$1 wanted count share
    shift
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/log" "$tabiya" "$@" >"$work/out" 2>&1 ||
        { cat "$work/out" >&2; exit 1; }
    count=$(sed -n 's/.*Collected : \([0-9]*\)$/\1/p' "$work/log")
    printf '%s\t%s\n' "$name" "$count" >>"$work/table"
    wanted=$(awk -F'\t' -v name="$name" '$1 == name { print $2 }' $table 2>/dev/null || true)
    share=$(awk -v a="$count" -v b="${wanted:-$count}" 'BEGIN { printf "%.3f", a / b }')
    printf '%-28s%14s%8s  checksum %s\n' "$name" "$count" "$share" "$(grep -vE '\.db|/s' "$work/out" | cksum | cut -d' ' -f1)"
    awk -v share="$share" 'BEGIN { exit share <= 1.03 }' || return 0
    failures=$((failures + 1))
}

echo "# $system" >"$work/table"
job perft perft 4 "$kiwipete"
job check check --threads 1 "$games"
job epd pgn --threads 1 --to epd --limit 300 "$games"
job 'import without positions' import --threads 1 --index-plies none "$work/none.db" "$games"
job 'import' import --threads 1 "$work/games.db" "$games"
job 'find by scan' find --threads 1 --count "$work/none.db" 'either (Pd4 P{c}=0 P{e}=0 p{d}=0)'
job 'find a position' find --threads 1 --count "$work/games.db" 'fen "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"'
job 'find an opening' find --threads 1 --count "$work/games.db" 'opening "Opening"'
job 'find by dates and results' find --threads 1 --count "$work/games.db" 'date 2020.. result 1-0'
job 'explore' explore "$work/games.db" 1. e4
job 'explore with a filter' explore "$work/games.db" --query 'plies 20..90' 1. e4 c5
job 'explore by dates and results' explore "$work/games.db" --query 'date 2020.. result 1-0' 1. e4

if [ "${2:-}" = --update ]; then
    cp "$work/table" $table
elif [ $failures -gt 0 ]; then
    echo "$failures jobs take over 3 % more instructions than bench/guard.tsv says" >&2
    exit 1
fi
