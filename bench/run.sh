#!/bin/bash
# run.sh - runs all benchmarks of a build folder, and compares with other programs that are installed.
#
#     bench/run.sh build/release
#
# CORPUS=dir names a folder with games/otb_200k.pgn.zst; without it random games are used. With a corpus, the query
# language is measured too. GAMES is the number of games to use (default: 50000; GAMES= uses all).
# SCALE="100000 1000000 10000000" are the sizes of the section about growth (default: the first two; the third takes
# half an hour, so also set LIMIT=3600, and 8 GB of TMPDIR); SCALE= leaves it out. A section that fails, or takes longer
# than LIMIT seconds (default: 400), says so, the others still run, and the exit code is 1.
set -u
build=$1
PATH=$PATH:/usr/games
failed=0

limit=${LIMIT:-400}
running=

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap '[ -z "$running" ] || kill $running; exit 130' INT TERM
games=
if [ -n "${CORPUS:-}" ] && [ -e "$CORPUS/games/otb_200k.pgn.zst" ]; then
    games=$work/otb.pgn
    zstd -dqc "$CORPUS/games/otb_200k.pgn.zst" | if [ -n "${GAMES-50000}" ]; then
        "$build/tabiya" pgn --limit "${GAMES-50000}" -
    else
        cat
    fi >"$games"
fi
stockfish=$(command -v stockfish)
extract=$(command -v pgn-extract)

# part COMMAND... - runs it in a separate process group, so that everything it starts can be ended together
part() {
    local code
    timeout "$limit" "$@" &
    running=$!
    wait $running
    code=$?
    running=
    if [ $code -eq 124 ]; then
        echo "FAILED: ${1##*/} took longer than $limit s"
    elif [ $code -ne 0 ]; then
        echo "FAILED: ${1##*/} ended with exit code $code"
    fi
    [ $code -eq 0 ] || failed=1
    echo
}

# section TITLE COMMAND...
section() {
    echo "== $1"
    shift
    part "$@"
}

section "perft, one thread, no hash, median of 7" "$build/bench/perft" ${stockfish:+"$stockfish"}
section "notations, one thread, median of 7" "$build/bench/notation" "$stockfish" ${games:+"$games"}
section "the tree of chess, all processors, median of 3" "$build/bench/tree" "$work" "$build/tabiya" ${games:+"$games"}
if [ -n "$games" ]; then
    section "PGN, median of 5" "$build/bench/pgn" "$games" "$build/tabiya" ${extract:+"$extract"}
    for _ in $(seq 21); do
        cat "$CORPUS/games/lichess_raw_1500.pgn"
        echo
    done >"$work/clocks.pgn"
    section "PGN with clocks and evaluations, repeated 21 times so that start-up does not count, median of 5" \
        "$build/bench/pgn" "$work/clocks.pgn" "$build/tabiya" ${extract:+"$extract"}
    section "\`tabiya pgn\` compared with pgn-extract, best of 2" bench/toolbox.sh "$build/tabiya" "$games"
    section "packed games, one thread, median of 7" "$build/bench/packed" "$games"
    section "databases, median of 3 imports" "$build/bench/database" "$games" "$work" "$build/tabiya" ${extract:+"$extract"}
    [ ! -e "$build/postgres/tabiya.so" ] ||
        section "PostgreSQL" bench/postgres.sh "$build" "$games" ${extract:+"$extract"}
fi
section "the server, measured with wrk on the same machine" bench/serve.sh "$build/tabiya"
if command -v node >/dev/null; then
    section "web: the WebAssembly module compared with the program, and the page in Chromium" node bench/web.mjs "$build"
fi
sizes=${SCALE-100000 1000000}
# shellcheck disable=SC2086
[ -z "$sizes" ] || section "one database file with growing numbers of games" bench/scale.py "$build" "$work" $sizes
[ -z "$games" ] || part bench/query.sh "$build" "$CORPUS/games/otb_200k.pgn.zst" 50000
exit $failed
