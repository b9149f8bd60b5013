#!/bin/bash
# annotate.sh - games annotated by an engine that only counts material: test/cli/annotate.sh PROGRAM
set -u
here=$(realpath "$(dirname "$0")")
# Without folders that this user cannot read, since that error would be reported.
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
$4 {[%eval -8.00] Blunder, loses 8.00; best was 3. Qxf7+. why} (3. Qxf7+) 3...
Nxe5 {[%eval -8.00]} *

[Event "Mate"]
[Result "0-1"]

1. f3 {[%eval 0.00]} 1... e5 {[%eval -0.40]} 2. g4 $6
{[%eval -1.10] Inaccuracy, loses 0.70; best was 2. f4.} (2. f4) 2... Qh4# 0-1

END
export ENGINE_SCORES=$work/scores
tabiya annotate --engine "$fake" --depth 3 game.pgn >out 2>errors || fail "exit code $?: $(cat errors)"
diff expected out || fail "other marks"

# The output reads as the same games, except for evaluations and marks.
tabiya check out >/dev/null || fail "what it writes is not good PGN"
for file in game.pgn out; do tabiya convert --to uci --lossy "$file" 2>/dev/null >"$file.uci"; done
cmp game.pgn.uci out.uci || fail "other moves"

# Annotating again changes nothing.
tabiya annotate --engine "$fake" --depth 3 out >again 2>errors || fail "exit code $?"
cmp out again || fail "not the same the second time"

# Without the better line.
tabiya annotate --engine "$fake" --depth 3 --line 0 game.pgn | grep -q '(3. Qxf7+)' && fail "an unwanted line"

# From a database: selected by a query, to a file with a summary, and stored. The old games are replaced, and no game is
# annotated twice.
tabiya import games.db game.pgn >/dev/null
tabiya annotate --engine "$fake" --depth 3 games.db 'event mate' >one 2>errors || fail "exit code $?: $(cat errors)"
diff <(sed -n '/Mate/,$p' expected) one || fail "other games of a database"
tabiya annotate --engine "$fake" --depth 3 -o two.pgn games.db >summary || fail "exit code $?"
cmp two.pgn expected || fail "a database has other games than a file"
# 8 moves of 100%, one that loses 45.0 percentage points of winning chances (11.4%), one that loses 6.3 (75.2%).
cat >wanted <<'END'
player                     games  moves accuracy   loss   ?!    ?   ??  ?? by phase
?                              4     10    88.7%   0.87    1    0    1  1/0/0
END
diff wanted summary || fail "another summary"
tabiya annotate --engine "$fake" --depth 3 --summary --json games.db | diff - <(echo '{"player":"?","games":4,"moves":10,"accuracy":88.7,"loss":0.87,"inaccuracies":1,"mistakes":0,"blunders":1,"phases":{"opening":1,"middlegame":0,"endgame":0}}') || fail "another summary as JSON"
tabiya collection add games.db kept 'event mate' >/dev/null || fail "exit code $?"
tabiya annotate --engine "$fake" --depth 3 --store games.db >/dev/null || fail "exit code $?"
tabiya export games.db | cmp - expected || fail "other games are stored"
tabiya find games.db 'collection kept' --count | grep -qx 1 || fail "a game lost its collection"
tabiya verify games.db >/dev/null || fail "the database has faults"
tabiya find games.db --count | grep -qx 2 || fail "another number of games"
tabiya annotate --engine "$fake" --depth 3 --store games.db >/dev/null || fail "exit code $?"
tabiya export games.db | cmp - expected || fail "not the same when stored again"

# The database is one file also if the engine cannot be used or ends, and if the query has a fault.
printf '#!/bin/sh\nwhile read -r l; do case $l in uci) echo uciok ;; isready) echo readyok ;; go*) [ -e used ] && exit; : >used; echo bestmove a2a3 ;; esac; done\n' >dying
chmod +x dying
for engine in /bin/true ./dying; do
    for query in 'plies 1.. (' 'plies 1..'; do
        tabiya annotate --engine "$engine" --depth 1 --store games.db "$query" >out 2>&1 && fail "$engine: exit code 0"
        ls games.db-* 2>/dev/null && fail "$engine: files are left beside the database"
    done
done
tabiya verify games.db >/dev/null || fail "the database has faults"

# Sorted, and a random sample, also from files.
for source in games.db game.pgn; do
    tabiya annotate --engine "$fake" --depth 3 --sort=event,-plies --offset 1 "$source" | diff <(sed -n '/Mate/,$p' expected) - || fail "$source: another order"
    tabiya annotate --engine "$fake" --depth 3 --sample 1,2 "$source" | grep -c '^.Event' | grep -qx 1 || fail "$source: another sample"
done

# An interrupt stops the engine at once: finished games are written, the current one is not.
ENGINE_DELAY=3600 ENGINE_LOG=$work/log tabiya annotate --engine "$fake" --depth 3 game.pgn >out 2>errors &
for _ in $(seq 400); do grep -q '^go' log 2>/dev/null && break || sleep 0.05; done
kill -INT $!
wait $!
[ $? -eq 2 ] || fail "an interrupt of a search: exit code"
grep -q 'interrupted; what was annotated is written' errors || fail "an interrupt of a search: $(cat errors)"
[ ! -s out ] || fail "an interrupt writes a part of a game"
rm -f log

# An interrupt leaves the file as it was: it is replaced completely or not at all.
echo OLD >old.pgn
ENGINE_DELAY=0.05 ENGINE_LOG=$work/log tabiya annotate --engine "$fake" --depth 3 -o old.pgn game.pgn 2>errors &
for _ in $(seq 200); do grep -q '^go' log 2>/dev/null && break || sleep 0.05; done
kill -TERM $!
wait $!
[ $? -eq 2 ] || fail "an interrupt: exit code"
grep -q 'interrupted; no file is written' errors || fail "an interrupt: $(cat errors)"
[ "$(cat old.pgn)" = OLD ] || fail "an interrupt replaces the old file"
[ -z "$(find . -name 'old.pgn?*')" ] || fail "an interrupt leaves a temporary file"

# A real engine, if one is installed: mates, stalemate and Chess960.
real=$(PATH=$PATH:/usr/games command -v stockfish)
if [ -n "$real" ]; then
    cat >real.pgn <<'END'
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Result "1/2-1/2"]
[FEN "7k/5Q2/8/8/8/8/8/K7 w - - 0 1"]

1. Qf8+ Kh7 2. Qf7+ Kh8 3. Kb2 1/2-1/2

[Variant "Chess960"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]
[Result "*"]

1. f4 f5 2. Ng3 Ng6 3. O-O O-O *
END
    tabiya annotate --engine "$real" --nodes 2000 real.pgn >real.out 2>errors || fail "stockfish: exit code $?: $(cat errors)"
    tabiya check real.out >/dev/null || fail "stockfish: what it writes is not good PGN"
    for file in real.pgn real.out; do tabiya convert --to uci --lossy "$file" 2>/dev/null >"$file.uci"; done
    cmp real.pgn.uci real.out.uci || fail "stockfish: other moves"
    grep -q 'Blunder, allows mate in 1' real.out || fail "stockfish: the mate is missing"
    [ "$(tr '\n' ' ' <real.out | grep -o '%eval' | wc -l)" = 14 ] || fail "stockfish: an evaluation is missing"
    tabiya annotate --engine "$real" --nodes 2000 --summary real.pgn | grep -q '^?  *6 ' || fail "stockfish: another summary"
fi

# Errors.
refused() {
    local part=$1 said
    shift
    said=$("$@" 2>&1 >/dev/null)
    [ $? -eq 2 ] || fail "$*: exit code"
    [[ $said == *"$part"* ]] || fail "$*: $said"
}
refused "--engine PROGRAM is missing" tabiya annotate game.pgn
refused "no games given" tabiya annotate --engine "$fake"
# An emulated posix_spawn cannot report why the child did not start.
case $1 in */emulated/tabiya) reason= ;; *) reason=": No such file" ;; esac
refused "nothing-of-this-name$reason" tabiya annotate --engine nothing-of-this-name game.pgn
refused "is a file of games" tabiya annotate --engine "$fake" --store game.pgn
refused "cannot be used with -o" tabiya annotate --engine "$fake" --store -o x games.db
refused "does not answer as a UCI engine" tabiya annotate --engine true game.pgn
refused "both input and output" tabiya annotate --engine "$fake" -o game.pgn game.pgn
refused "has ended" env ENGINE_MODE=dies tabiya annotate --engine "$fake" game.pgn
printf '1. e4 e5 2. Qh6 *\n\n1. d4 *\n' >bad.pgn
refused "illegal move" tabiya annotate --engine "$fake" --depth 3 bad.pgn
tabiya annotate --engine "$fake" --depth 3 bad.pgn 2>/dev/null | grep -q 'd4 {\[%eval 0.00\]}' || fail "the good game is missing"

# If an input cannot be read, the existing output file stays as it was.
echo OLD >old.pgn
refused "no.pgn: No such file" tabiya annotate --engine "$fake" --depth 3 -o old.pgn bad.pgn no.pgn
[ "$(cat old.pgn)" = OLD ] || fail "the old file is gone"
exit "$failed"
