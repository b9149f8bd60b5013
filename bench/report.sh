#!/bin/bash
# report.sh - all benchmarks of a build folder: on the terminal, and as a page of the documentation.
#
#     bench/report.sh BUILD PAGE.md
#
# The page says what machine it was, which commit, what else the machine was doing, and which requirements were missed.
# It is written as a whole, at the end; until then the old one stays. CORPUS, GAMES, SCALE and LIMIT as for run.sh.
set -u
GAMES=${GAMES-50000}
build=$1
page=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
SECONDS=0

"$here/run.sh" "$build" 2>&1 | tee "$work/out"

processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
memory=$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
# The lines with a rate or ratio below what is required of it, a time above it, a peer that is faster, or a failure.
losses() {
    awk '
        /^== / { section = substr($0, 4); sub(/,.*/, "", section); next }
        { is_lost = /FAILED|MISSED|WRONG/ }
        match($0, /[0-9.]+( [A-Za-z\/ ]+)? \(required [0-9.]+[,)]/) && !/ ms \(| bytes \(|longest task/ {
            split(substr($0, RSTART, RLENGTH), part, /\(required /)
            is_lost = is_lost || part[1] + 0 < part[2] + 0
        }
        match($0, /[0-9.]+ (s|MB) \(at most [0-9]+/) {
            split(substr($0, RSTART, RLENGTH), part, /\(at most /)
            is_lost = is_lost || part[1] + 0 > part[2] + 0
        }
        match($0, /  [0-9.]+ M\/s .*  required [0-9]+;/) {
            rate = substr($0, RSTART) + 0
            match($0, /  required [0-9]+/)
            is_lost = is_lost || rate < substr($0, RSTART + 11) + 0
        }
        section ~ /^tabiya pgn/ && $NF ~ /^[0-9.]+$/ && $NF < 1 { is_lost = 1 }
        is_lost { print "- " section ": `" $0 "`"; n++ }
        END { if (!n) print "None." }' "$1"
}

{
    echo "# Performance"
    echo
    echo "Written by \`make bench\`; what follows is what the programs in \`bench/\` printed, losses too. Where another program can do the"
    echo "same it runs in the same minute on the same games, and checksums or counts show that both did it. The games are ${GAMES:+the first $GAMES of }a"
    echo "collection of games over the board; numbers for 202,365 of them are in [query.md](query.md), [web.md](web.md) and [scaling.md](scaling.md)."
    echo
    echo "| | |"
    echo "|---|---|"
    echo "| processor | ${processor:-unknown}, $(nproc) of them |"
    echo "| memory | $memory |"
    echo "| system | $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $("${compiler:-cc}" --version | head -n 1) |"
    echo "| build | \`$(basename "$build")\`, $("$build/tabiya" --version), commit $(git -C "$here" rev-parse --short HEAD) |"
    echo "| load at the end, 1, 5 and 15 minutes | $(cut -d ' ' -f 1-3 /proc/loadavg) |"
    echo "| day | $(date +%F), $((SECONDS / 60)) minutes |"
    printf '\n## Requirements that were missed\n\n'
    losses "$work/out"
    awk '
        /^== / {
            if (is_open) print "```"
            print "\n## " toupper(substr($0, 4, 1)) substr($0, 5) "\n\n```"
            is_open = 1
            next
        }
        is_open && !(/^$/ && was_empty) { print }
        { was_empty = /^$/ }
        END { if (is_open) print "```" }' "$work/out"
} >"$work/page"
cp "$work/page" "$page"
