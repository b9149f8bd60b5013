#!/bin/bash
# report.sh - all benchmarks of a build folder: on the terminal, and as a page of the documentation.
#
#     bench/report.sh BUILD PAGE.md
#
# The page says what machine it was, which commit, and what else the machine was doing. CORPUS and GAMES as for run.sh; with
# a corpus the query language is measured too.
set -u
build=$1
page=$2
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    "$here/run.sh" "$build"
    if [ -e "${CORPUS:-}/games/otb_200k.pgn.zst" ]; then
        echo
        "$here/query.sh" "$build" "$CORPUS/games/otb_200k.pgn.zst" 50000
    fi
} 2>&1 | tee "$work/out"

processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
memory=$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
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
    echo "| day | $(date +%F) |"
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
} >"$page"
