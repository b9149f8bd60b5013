#!/bin/bash
# whole_games.sh - toPgn in SQL writes what tabiya export writes, and moves() and positions() return the comments:
#
#     test/sqlite/whole_games.sh PROGRAM EXTENSION.so
set -u
command -v sqlite3 >/dev/null || { echo "no sqlite3 program"; exit 77; }
here=$(realpath "$(dirname "$0")")
PATH=$(dirname "$(realpath "$1")"):$PATH
extension=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
fail() {
    echo "$*"
    failed=1
}
sql() { sqlite3 games.db ".load '${extension%.so}'" "$@"; }

. "$here/../cli/games.sh"
cat >noted.pgn <<'END'
[Event "Noted"]
[Annotator "N"]
[Result "1-0"]

{before the
first} 1. e4 $1 {[%clk 0:01:00.5] good [%eval 0.25] move} (1. d4 {no} {[%clk 0:09:00]}) {more} 1... e5 $14 $6 {[%eval #-3]}
2. Nf3 {[%clk 0:00:30]} {[%clk 0:00:20] [%cal Gg1f3]} 2... Nc6 ?? 1-0
END
tabiya import games.db games.pgn odd.pgn noted.pgn "$here"/../../examples/famous.pgn >/dev/null || exit 1
[ "$(sql 'SELECT count(*) FROM game WHERE annotated IS NOT NULL')" -ge 3 ] || fail "too few annotated games"

# The record contains the whole game; the tags of other games are in columns, in the order given by their shape.
cat >pgn.sql <<'END'
SELECT toPgn(g.moves, CASE WHEN g.annotated IS NULL THEN (
        SELECT json_group_object(t.value, coalesce(json_extract(g.tags, '$."' || t.value || '"'), CASE t.value
            WHEN 'White' THEN v.white WHEN 'Black' THEN v.black WHEN 'Event' THEN v.event WHEN 'Site' THEN v.site
            WHEN 'Round' THEN v.round WHEN 'ECO' THEN v.eco WHEN 'Result' THEN v.result
            WHEN 'WhiteElo' THEN v.white_elo WHEN 'BlackElo' THEN v.black_elo
            WHEN 'Date' THEN coalesce(replace(v.date, '-', '.'), '????') || substr('.??.??', 1 + max(0, length(coalesce(v.date, '????')) - 4)) END))
        FROM json_each('["' || replace(s.names, ' ', '","') || '"]') t) END, g.annotated)
FROM game g JOIN games v USING (id) JOIN shape s ON s.id = g.shape ORDER BY g.id;
END
sql '.mode list' '.separator "" ""' '.read pgn.sql' >got
tabiya export games.db >wanted
cmp got wanted || { fail "toPgn is not what export writes"; diff got wanted | head -n 20; }

# The notes after each move, and before the first, as in the rows of tabiya rows.
id=$(tabiya find games.db 'event noted' --ids)
sql '.mode csv' "SELECT ply, san, nags, comment, eval, mate, clock FROM game, moves(moves, annotated) WHERE id = $id" | tr -d '\r' >got
cat >wanted <<'END'
1,e4,[1],"good move more",25,,60.5
2,e5,"[14,6]",,,-3,
3,Nf3,,,,,30.0
4,Nc6,[4],,,,
END
diff got wanted || fail "moves() gives other notes"
sql "SELECT ply, comment FROM game, positions(moves, annotated) WHERE id = $id AND comment IS NOT NULL" >got
printf '0|before the first\n1|good move more\n' | diff got - || fail "positions() gives other comments"
# The query language sees the same.
for query in 'clock<=30' 'eval>0' 'comment good' 'nag 14'; do
    tabiya find games.db "id $id $query" --json --all-plies | grep -o '"ply":\[[0-9,]*\]' >>plies
done
printf '"ply":[3]\n"ply":[1]\n"ply":[1]\n"ply":[2]\n' | diff plies - || fail "the query language sees other notes"
sql "SELECT count(*) FROM game, moves(moves, annotated) WHERE annotated IS NULL AND coalesce(nags, comment, eval, mate, clock) IS NOT NULL" | grep -qx 0 || fail "notes without a record"
for bad in "moves('1. e4', x'00')" "positions('1. e4', 'text')"; do
    sql "SELECT * FROM $bad" 2>&1 | grep -q 'annotated: invalid CMBR' || fail "$bad is accepted"
done
exit "$failed"
