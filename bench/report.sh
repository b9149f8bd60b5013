#!/bin/bash
# report.sh - runs all benchmarks of a build folder, and writes a page of the documentation and a page of results.
#
#     bench/report.sh BUILD PAGE.md RESULTS.md
#
# PAGE begins with a table of what users do, and says which machine and commit were used, how busy the machine was, and which
# requirements were missed. RESULTS has everything that was printed. The old pages are replaced only at the end. CORPUS, GAMES,
# SCALE and LIMIT as for run.sh. With OUTPUT=FILE, which has what run.sh printed, nothing is run.
set -u
GAMES=${GAMES-50000}
build=$1
page=$2
results=$3
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
SECONDS=0

if [ -n "${OUTPUT:-}" ]; then
    cp "$OUTPUT" "$work/out" || exit 2
else
    "$here/run.sh" "$build" 2>&1 | tee "$work/out"
fi

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

# What users do, as rows of a table: task, speed, another program, ratio. A benchmark that did not run has no row.
summary() {
    awk '
        function row(task, speed, other, ratio) { printf "| %s | %s | %s | %s |\n", task, speed, other, ratio }
        function number(text) { # with commas
            text = sprintf("%.0f", text)
            while (match(text, /^[0-9]+[0-9][0-9][0-9]($|,)/)) {
                at = index(text, ",") ? index(text, ",") - 1 : length(text)
                text = substr(text, 1, at - 3) "," substr(text, at - 2)
            }
            return text
        }
        /^== / { section = tolower(substr($0, 4)); next }
        section ~ /^pgn, median/ && /^tabiya check, 1 thread/ { check = $(NF - 4) " " $(NF - 3) }
        section ~ /^pgn, median/ && /^pgn-extract -r -s/ { peer = $6 " " $7 }
        section ~ /^pgn, median/ && /^check \/ pgn-extract/ { row("check every move of a PGN file, one processor", check, "pgn-extract " peer, $5) }
        section ~ /compared with pgn-extract, best/ && $NF ~ /^[0-9.]+$/ {
            if (!least || $NF < least) least = $NF
            if ($NF > most) most = $NF
        }
        section ~ /^databases/ && /^import, with position index/ { seconds = $5 }
        section ~ /^databases/ && /^with index \/ pgn-extract/ {
            row("import games with an index of every position", number(games / seconds) " games/s", "pgn-extract only reads them", $6)
        }
        section ~ /^databases/ && /^position by index/ { row("find the games with a position", $5 " ms", "", "") }
        section ~ /^databases/ && /^explorer by index/ { row("moves and results of a position", $5 " ms", "", "") }
        section ~ /^perft/ && /^perft start/ { row("count legal moves (perft)", number($10) " million/s", "Stockfish " $15 " million/s", $18) }
        section ~ /^postgresql/ && /^tabiya import with tags/ { row("import into PostgreSQL", number($(NF - 1)) " games/s", "", "") }
        section ~ /^the server/ && /^explore, new/ { sub("/s", "", $3); row("explorer requests to the server, each for another position", number($3) "/s", "", "") }
        section ~ /^web: the web/ && /^perft/ { match($0, /share [0-9.]+/); row("the rules in a browser, compared with the program", substr($0, RSTART + 6, RLENGTH - 6) " of its speed", "", "") }
        section ~ /^the page/ && /^a cold load +median/ { row("the page, first visit, processor slowed four times", $5 " ms, " number($9 / 1000) " kB", "", "") }
        section ~ /compared with pgn-extract, the first/ && /; pgn-extract/ {
            match($0, /[0-9]+ times/)
            ratio = substr($0, RSTART, RLENGTH - 6) + 0
            if (!slowest || ratio < slowest) slowest = ratio
            if (ratio > fastest) fastest = ratio
        }
        END {
            if (most) row("eighteen tasks of pgn-extract with `tabiya pgn`", "", "pgn-extract", least " to " most)
            if (fastest) row("endings and patterns in " number(games) " games", "", "pgn-extract", slowest " to " fastest)
        }' games="${GAMES:-202365}" "$1"
}

machine() {
    echo "| | |"
    echo "|---|---|"
    echo "| processors | $(nproc), ${processor:-unknown} |"
    echo "| memory | $memory |"
    echo "| system | $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $("${compiler:-cc}" --version | head -n 1) |"
    echo "| build | \`$(basename "$build")\`, $("$build/tabiya" --version), commit $(git -C "$here" rev-parse --short HEAD) |"
    echo "| load average at the end (1, 5 and 15 minutes) | $(cut -d ' ' -f 1-3 /proc/loadavg) |"
    echo "| date | $(date +%F), $((SECONDS / 60)) minutes |"
}

{
    echo "# Performance"
    echo
    echo "| task | tabiya | another program | times as fast |"
    echo "|---|---|---|---|"
    summary "$work/out"
    echo
    fold -s -w 129 <<END | sed 's/ $//'
Games: ${GAMES:+the first $GAMES of }a collection of over-the-board games. A program that can do the same work runs directly before or after, on the same games, and checksums or counts show that both did it. With millions of games: [database.md](database.md#how-it-grows); with hundreds of millions: [scaling.md](scaling.md); searches one by one: [query.md](query.md). \`make bench\` writes this page, and all that the programs in \`bench/\` print, also where tabiya is slower, to [bench/results.md](../bench/results.md).
END
    printf '\n## Missed requirements\n\n'
    losses "$work/out"
    printf '\n## The machine\n\n'
    machine
} >"$work/page"
{
    echo "# Results"
    echo
    echo "What the programs in \`bench/\` printed, written by \`make bench\` (report.sh). docs/performance.md has the summary."
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
} >"$work/results"
cp "$work/page" "$page" && cp "$work/results" "$results"
