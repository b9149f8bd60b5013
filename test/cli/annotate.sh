#!/bin/bash
# annotate.sh - games annotated by an engine that only counts material: test/cli/annotate.sh PROGRAM
set -u
here=$(realpath "$(dirname "$0")")
# Without folders that this user may not look into: their error would be reported.
PATH=$(dirname "$(realpath "$1")"):/usr/local/bin:/usr/bin:/bin
fake=$here/../serve/fake-engine.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
fail() {
    echo "$*"
    failed=1
}

cat >game.pgn <<'END'
[Event "A"]
[Result "*"]

{first} 1. e4 {[%clk 0:05:00] best [%eval 9.99]} e5 2. Qh5 $1 (2. Nf3 {ours} Nc6) 2... Nc6 3. Qxe5+ $14 {why} 3... Nxe5 *

[Event "Mate"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
END
cat >scores <<'END'
r1bqkbnr/pppp1ppp/2n5/4Q3/4P3/8/PPPP1PPP/RNB1KBNR -800
rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR -40
rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR -110
END
cat >expected <<'END'
[Event "A"]
[Result "*"]

{first} 1. e4 {[%eval 0.00] [%clk 0:05:00] best} 1... e5 {[%eval 0.00]} 2. Qh5
$1 {[%eval 0.00]} (2. Nf3 {ours} 2... Nc6) 2... Nc6 {[%eval 0.00]} 3. Qxe5+ $14
$4 {[%eval -8.00] why} 3... Nxe5 {[%eval -8.00]} *

[Event "Mate"]
[Result "0-1"]

1. f3 {[%eval 0.00]} 1... e5 {[%eval -0.40]} 2. g4 $6 {[%eval -1.10]} 2... Qh4#
0-1

END
export ENGINE_SCORES=$work/scores
tabiya annotate --engine "$fake" --depth 3 game.pgn >out 2>errors || fail "exit code $?: $(cat errors)"
diff expected out || fail "other marks"

# It is read as the same games, except for evaluations and marks.
tabiya check out >/dev/null || fail "what it writes is not good PGN"
for file in game.pgn out; do tabiya convert --to uci --lossy "$file" 2>/dev/null >"$file.uci"; done
cmp game.pgn.uci out.uci || fail "other moves"

# Annotated again, nothing changes.
tabiya annotate --engine "$fake" --depth 3 out >again 2>errors || fail "exit code $?"
cmp out again || fail "not the same the second time"

# What it says when it cannot.
refused() {
    local part=$1 said
    shift
    said=$("$@" 2>&1 >/dev/null)
    [ $? -eq 2 ] || fail "$*: exit code"
    [[ $said == *"$part"* ]] || fail "$*: $said"
}
refused "--engine PROGRAM is missing" tabiya annotate game.pgn
refused "no games given" tabiya annotate --engine "$fake"
# An emulated posix_spawn cannot tell us why the child did not start.
case $1 in */emulated/tabiya) reason= ;; *) reason=": No such file" ;; esac
refused "nothing-of-this-name$reason" tabiya annotate --engine nothing-of-this-name game.pgn
refused "does not answer as a UCI engine" tabiya annotate --engine true game.pgn
refused "both read and written" tabiya annotate --engine "$fake" -o game.pgn game.pgn
refused "has ended" env ENGINE_MODE=dies tabiya annotate --engine "$fake" game.pgn
printf '1. e4 e5 2. Qh6 *\n\n1. d4 *\n' >bad.pgn
refused "illegal move" tabiya annotate --engine "$fake" --depth 3 bad.pgn
tabiya annotate --engine "$fake" --depth 3 bad.pgn 2>/dev/null | grep -q 'd4 {\[%eval 0.00\]}' || fail "the good game is missing"

# The file of an input that cannot be read stays as it was.
echo OLD >old.pgn
refused "old.pgn is left as it was" tabiya annotate --engine "$fake" --depth 3 -o old.pgn bad.pgn no.pgn
[ "$(cat old.pgn)" = OLD ] || fail "the old file is gone"
exit "$failed"
