#!/bin/bash
# report.sh - runs all benchmarks of a build folder, and writes their output to the terminal and to a page of the
# documentation.
#
#     bench/report.sh BUILD PAGE.md
#
# The page also says which machine and commit were used, how busy the machine was, and which requirements were missed.
# The old page is replaced only at the end. CORPUS, GAMES, SCALE and LIMIT as for run.sh.
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
# The lines with a rate or ratio below the requirement, a time above it, a faster peer, or a failure.
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
        section ~ /^`tabiya pgn`/ && $NF ~ /^[0-9.]+$/ && $NF < 1 { is_lost = 1 }
        is_lost { print "- " section ": `" $0 "`"; n++ }
        END { if (!n) print "None." }' "$1"
}

{
    echo "# Performance"
    echo
    echo "Written by \`make bench\`: everything below was printed by the programs in \`bench/\`, including results where tabiya is slower."
    echo "If another program can do the same work, it runs directly before or after on the same games, and checksums or counts show that both did it. The games are"
    echo "${GAMES:+the first $GAMES of }a collection of over-the-board games; results for 202,365 of them are in [query.md](query.md), [web.md](web.md) and"
    echo "[scaling.md](scaling.md)."
    echo
    echo "| | |"
    echo "|---|---|"
    echo "| processors | $(nproc), ${processor:-unknown} |"
    echo "| memory | $memory |"
    echo "| system | $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $("${compiler:-cc}" --version | head -n 1) |"
    echo "| build | \`$(basename "$build")\`, $("$build/tabiya" --version), commit $(git -C "$here" rev-parse --short HEAD) |"
    echo "| load average at the end (1, 5 and 15 minutes) | $(cut -d ' ' -f 1-3 /proc/loadavg) |"
    echo "| date | $(date +%F), $((SECONDS / 60)) minutes |"
    printf '\n## Missed requirements\n\n'
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
