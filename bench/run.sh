#!/bin/sh
# run.sh - all benchmarks of a build folder, beside the other programs that are installed.
#
#     bench/run.sh build/release
#
# CORPUS=dir names a folder with games/otb_200k.pgn.zst; without it random games are used. GAMES=50000 takes the first of them.
set -eu
build=$1
PATH=$PATH:/usr/games

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
games=
if [ -n "${CORPUS:-}" ] && [ -e "$CORPUS/games/otb_200k.pgn.zst" ]; then
    games=$work/otb.pgn
    zstd -dqc "$CORPUS/games/otb_200k.pgn.zst" | if [ -n "${GAMES:-}" ]; then
        "$build/tabiya" pgn --limit "$GAMES" -
    else
        cat
    fi >"$games"
fi

echo "== perft, one thread, no hash, median of 7"
# shellcheck disable=SC2046
"$build/bench/perft" $(command -v stockfish || echo "")
echo
echo "== notations, one thread, median of 7"
"$build/bench/notation" "$(command -v stockfish || true)" $games
echo
echo "== the tree of chess, all processors, median of 3"
# shellcheck disable=SC2086
"$build/bench/tree" "$work" "$build/tabiya" $games

if [ -n "$games" ]; then
    echo
    echo "== PGN, median of 5"
    # shellcheck disable=SC2046
    "$build/bench/pgn" "$games" "$build/tabiya" $(command -v pgn-extract || echo "")
    echo
    echo "== PGN with clocks and evaluations, 21 times over so that starting does not count, median of 5"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
        cat "$CORPUS/games/lichess_raw_1500.pgn"
        echo
    done >"$work/clocks.pgn"
    # shellcheck disable=SC2046
    "$build/bench/pgn" "$work/clocks.pgn" "$build/tabiya" $(command -v pgn-extract || echo "")
    echo
    echo "== tabiya pgn at each kind of work, best of 3"
    bench/toolbox.sh "$build/tabiya" "$games"
    echo
    echo "== packed games, one thread, median of 7"
    "$build/bench/packed" "$games"
    echo
    echo "== databases, imports median of 3"
    # shellcheck disable=SC2046
    "$build/bench/database" "$games" "$work" "$build/tabiya" $(command -v pgn-extract || echo "")
    if [ -e "$build/postgres/tabiya.so" ]; then
        echo
        echo "== PostgreSQL"
        # shellcheck disable=SC2046
        bench/postgres.sh "$build" "$games" $(command -v pgn-extract || echo "")
    fi
fi

echo
echo "== server, wrk beside it"
bench/serve.sh "$build/tabiya"

echo
echo "== web: the WebAssembly module beside the program, and the page in Chromium"
if command -v node >/dev/null; then
    node bench/web.mjs "$build"
else
    echo "node is not there"
fi
