#!/bin/bash
# fake-engine.sh - a chess engine for tests: it counts material and plays the first legal move. It implements just
# enough of UCI.
#
#     ENGINE_DELAY=0.2    seconds before each piece of information
#     ENGINE_MODE=silent  never answers    dies  exits when a search starts    junk  prints what no engine should
#                 limit   uses its memory limit in KiB as its name    greedy  uses 200 MB when a search starts
#     ENGINE_LOG=FILE     records what it was sent
#     ENGINE_SCORES=FILE  scores of boards, one per line: the first field of the FEN, and centipawns for White
#
# `tabiya` must be on the PATH.
fen='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
lines=1
[ "${ENGINE_MODE:-}" = silent ] && sleep 60

# score - centipawns for the side to move.
score() {
    local board=${fen%% *} side sum=0 letter value
    side=$(cut -d' ' -f2 <<<"$fen")
    while read -r -n1 letter; do
        case $letter in
        [Pp]) value=100 ;; [NnBb]) value=300 ;; [Rr]) value=500 ;; [Qq]) value=900 ;; *) value=0 ;;
        esac
        case $letter in [PNBRQ]) sum=$((sum + value)) ;; [pnbrq]) sum=$((sum - value)) ;; esac
    done <<<"$board"
    [ -z "${ENGINE_SCORES:-}" ] || value=$(grep -F "$board " "$ENGINE_SCORES" | cut -d' ' -f2)
    [ -z "${ENGINE_SCORES:-}" ] || sum=${value:-$sum}
    [ "$side" = w ] || sum=$((-sum))
    echo "$sum"
}

search() {
    local cp moves depth i
    [ "${ENGINE_MODE:-}" != dies ] || exit 1
    [ "${ENGINE_MODE:-}" != greedy ] || cp=$(head -c 200000000 /dev/zero | tr '\0' x)
    cp=$(score)
    mapfile -t moves < <(tabiya moves --any --to uci "$fen" 2>/dev/null)
    for depth in 1 2 3; do
        [ -z "${ENGINE_DELAY:-}" ] || sleep "$ENGINE_DELAY"
        if [ "${ENGINE_MODE:-}" = junk ]; then
            echo "info depth -1 score cp 99999999999999999999 pv e9e9"
            echo "info score mate x pv ${moves[0]}"
            echo "info depth 5 multipv 77 score cp 3 pv ${moves[0]}"
            echo "info string hello"
            echo "info depth 3 score cp 20 lowerbound pv ${moves[0]}"
            head -c 300 /dev/urandom | tr -d '\n'
            echo
        fi
        for ((i = 0; i < lines && i < ${#moves[@]}; i++)); do
            echo "info depth $depth seldepth $depth multipv $((i + 1)) score cp $((cp - i)) nodes $((depth * 100)) nps 1 time $depth pv ${moves[i]} a1a1"
        done
    done
    # Without a limit an engine continues until it is stopped.
    if [[ $1 != *depth* && $1 != *movetime* && $1 != *nodes* ]]; then
        while read -r line; do
            [ -z "${ENGINE_LOG:-}" ] || echo "$line" >>"$ENGINE_LOG"
            [ "$line" != stop ] || break
            [ "$line" != quit ] || exit 0
        done
    fi
    echo "bestmove ${moves[0]:-(none)} ponder a1a1"
}

while read -r line; do
    [ -z "${ENGINE_LOG:-}" ] || echo "$line" >>"$ENGINE_LOG"
    [ "${ENGINE_MODE:-} $line" != 'limit uci' ] || { printf 'id name %s\nuciok\n' "$(ulimit -d)" && continue; }
    case $line in
    uci) printf 'id name Fake 1.0\nid author nobody\noption name Hash type spin default 16 min 1 max 1024\nuciok\n' ;;
    isready) echo readyok ;;
    'setoption name MultiPV value '*) lines=${line##* } ;;
    'position fen '*) fen=${line#position fen } ;;
    'go'*) search "$line" ;;
    quit) exit 0 ;;
    esac
done
