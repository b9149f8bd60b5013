#!/bin/bash
# query.sh - measures queries: by scan and by index, compared with pgn-extract, and with growing numbers of games.
#
#     bench/query.sh BUILD GAMES.pgn [SIZE...]
#
# GAMES may be compressed with zstd. All games are imported, and the first SIZE of them (default: 50000); a SIZE beyond
# their number repeats them. The queries are those in bench/questions.txt, the explorer's filters those in
# bench/filters.txt. pgn-extract searches only the first SIZE games, because it takes seconds for each 10,000. It must
# find the same games; every difference is printed. Exits with 1 if answers differ that should not.
set -eu
build=$1
games=$2
shift 2
[ $# -gt 0 ] || set -- 50000
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/games
tabiya=$build/tabiya
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

case $games in *.zst)
    zstd -dq "$games" -o "$work/games.pgn"
    games=$work/games.pgn
    ;;
esac

seconds() { # COMMAND... - wall time; its output goes to $work/out
    local begin end
    begin=$(date +%s.%N)
    "$@" >"$work/out" 2>/dev/null || true
    end=$(date +%s.%N)
    echo "$end - $begin" | bc
}

echo "== the indexes"
"$tabiya" import --duplicates keep --index all "$work/all.db" "$games"
n=$("$tabiya" info "$work/all.db" | awk '$1 == "games" && NF == 2 { print $2 }')
"$tabiya" info --sizes "$work/all.db" | awk -v n="$n" '
    $1 ~ /^(stood|material|pawns|eco|word|game_event|game_site|game_white|game_black|game_moves|position)$/ {
        printf "%-12s %7.1f bytes per game\n", $1, $2 / n
        if ($1 ~ /^(stood|material|pawns|eco|word|game_event|game_site)$/) sum += $2
    }
    END { printf "%-12s %7.1f bytes per game for the query language (at most 150)\n", "together", sum / n }'

echo
echo "== all games: scan with one thread, indexes with all processors, median of 5 (required: 40 M/s, 20 ms if selective)"
"$build/bench/query" "$work/all.db" "$here/questions.txt" "$here/filters.txt" || failed=1

# Only selective queries, with growing numbers of games.
sed -n '/^# Selective/,/^# Position/p' "$here/questions.txt" >"$work/selective.txt"
# some SIZE - the first SIZE games, repeated if there are fewer
some() {
    for _ in $(seq $((($1 + n - 1) / n))); do cat "$games"; echo; done |
        awk -v size="$1" '/^\[Event / && ++n > size { exit } { print }'
}
for size in "$@"; do
    echo
    echo "== $size games"
    rm -f "$work/some.db"
    some "$size" | "$tabiya" import --duplicates keep --index all "$work/some.db" - >/dev/null
    "$build/bench/query" "$work/some.db" "$work/selective.txt" || failed=1
done

command -v pgn-extract >/dev/null || { echo "pgn-extract is not installed"; exit "$failed"; }
echo
echo "== compared with pgn-extract, the first $1 games, wall time (required: 60 times as fast): with the indexes of names only, and with all indexes"
some "$1" >"$work/first.pgn"
[ $# -eq 1 ] || { rm -f "$work/some.db"; "$tabiya" import --duplicates keep --index all "$work/some.db" "$work/first.pgn" >/dev/null; }
awk '/^\[Event / { printf "[Number \"%d\"]\n", ++n } { print }' "$work/first.pgn" >"$work/numbered.pgn"
"$tabiya" import --duplicates keep --index-plies none "$work/plain.db" "$work/first.pgn" >/dev/null

# N half-moves in pgn-extract are N + 1 positions and a move after them: the end of a game does not count. And it
# miscounts the pieces when a pawn promotes, so that case is listed separately here.
compare() { # QUERY FLAG LINE - FLAG takes a file that contains LINE
    local own indexed peer
    echo "$3" >"$work/asked"
    indexed=$(for _ in 1 2 3; do seconds "$tabiya" find "$work/some.db" "$1" --ids; done | sort -n | sed -n 2p)
    own=$(for _ in 1 2 3; do seconds "$tabiya" find "$work/plain.db" "$1" --ids; done | sort -n | sed -n 2p)
    sort "$work/out" >"$work/own"
    peer=$(seconds pgn-extract -s "$2$work/asked" "$work/numbered.pgn")
    sed -n 's/^\[Number "\(.*\)"\]/\1/p' "$work/out" | sort >"$work/peer"
    comm -23 "$work/own" "$work/peer" | comm -23 - "$work/promoted" >"$work/more"
    comm -13 "$work/own" "$work/peer" >"$work/less"
    echo "$(wc -l <"$work/own") games, $own s; pgn-extract $2: $(wc -l <"$work/peer") games, $peer s;" \
        "$(echo "scale=0; $peer / $own" | bc) times, $(echo "scale=0; $peer / $indexed" | bc) with the indexes  $1"
    echo "    only here: $(comm -23 "$work/own" "$work/peer" | comm -12 - "$work/promoted" | wc -l) with a promotion," \
        "$(wc -l <"$work/more") others $(head -n 5 "$work/more" | paste -sd ' ');" \
        "only there: $(wc -l <"$work/less") $(head -n 5 "$work/less" | paste -sd ' ')"
    [ ! -s "$work/more" ] && [ ! -s "$work/less" ] || failed=1
}

"$tabiya" find "$work/plain.db" '[Pp]-{1 8}' --ids | sort >"$work/promoted"
compare 'KRP+vKRP+ for 11 , (wtm or btm)' -z '10 RP+ RP+'
compare 'either (KRBvKR for 21 , (wtm or btm))' -z '20 RB R'
compare 'Pa7 Pb7' -t 'FENPattern "*/PP*/*/*/*/*/*/*"'
compare 'pa6 pb6 pd6 pe6 Pc4 Pe4 _c6 _d4' -t 'FENPattern "*/*/pp_pp*/*/??P_P*/*/*/*"'
compare 'board "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1"' \
    -t 'FEN "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9"'
exit "$failed"
