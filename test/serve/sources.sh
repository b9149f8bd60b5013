#!/bin/bash
# sources.sh - what tabiya serve is given: nothing, files of games, several databases, a folder: test/serve/sources.sh PROGRAM
. "$(dirname "$0")/server.sh"
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

count() { curl -sS "$url/api/find?count=1" | jq -c .count; }
name() { curl -sS "$url/api" | jq -c .database; }
expect() { [ "$1" = "$2" ] || fail "$3: $2 instead of $1"; }

# ---- Nothing: the board
serve
expect null "$(name)" "the database of none"
expect 200 "$(curl -sS -o page -w '%{http_code}' "$url/")" "the page"
grep -q '<title>' page || fail "it is not a page"
stop || fail "the server exits with $?"

# ---- A file of games, compressed too
n=$(grep -c '^\[Event ' "$samples/famous.pgn")
serve "$samples/famous.pgn"
expect "$n" "$(count)" "games of a file"
expect '"famous.pgn"' "$(name)" "the name of a file"
expect "$n" "$(curl -sS "$url/api/explore" | jq .games)" "its explorer"
expect 200 "$(curl -sS -o body -w '%{http_code}' "$url/health")" "its health"
expect "$(tabiya find "$samples/famous.pgn" 'player morphy mate' --count)" "$(curl -sS "$url/api/find?count=1&q=player+morphy+mate" | jq .count)" "a query"
[ -n "$(ls "$TMPDIR")" ] || fail "the temporary database is not in TMPDIR"
stop || fail "the server exits with $?"
expect "" "$(ls "$TMPDIR")" "what is left"
gzip -c "$samples/famous.pgn" >some.pgn.gz
serve some.pgn.gz
expect "$n" "$(count)" "games of a compressed file"
stop || fail "the server exits with $?"

# ---- Games with faults are reported; the others are served, with their numbers
printf '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. e5 *\n\n[White "C"]\n\n1. d4 *\n\n' >faulty.pgn
serve faulty.pgn
expect 2 "$(count)" "good games"
complaints | grep -q 'faulty.pgn:7:.*illegal move' || fail "the fault: $(cat errors)"
curl -sS "$url/api/game?id=3" | grep -q 'White.*C' || fail "the third game"
stop || fail "the server exits with $?"

# ---- More games than are read at every start; a folder; a file without games; writing
refuses() { # refuses PATTERN ARGUMENT...
    local pattern=$1
    shift
    timeout 60 tabiya serve "$@" --port 0 >said 2>&1
    expect 2 $? "the exit code of serve $*"
    grep -q "$pattern" said || fail "serve $*: $(cat said)"
    expect "" "$(ls "$TMPDIR")" "what serve $* leaves"
}
yes '1. e4 *' | head -n 100001 >many.pgn
refuses 'many.pgn has more than 100000 games.*`tabiya import games.db many.pgn`, then `tabiya serve games.db`' many.pgn
mkdir folder
refuses 'folder is a folder.*`tabiya import games.db folder/\*.pgn`' folder
echo '% nothing' >empty.pgn
refuses 'empty.pgn: it is neither a database nor a file with games' empty.pgn
refuses 'missing.db: No such file' missing.db
refuses 'write needs a database, and only one' faulty.pgn --write

# ---- Several databases; one is replaced
tabiya pgn "$samples/famous.pgn" --limit 3 | tabiya import a.db - >/dev/null
tabiya pgn "$samples/famous.pgn" --limit 5 | tabiya import b.db - >/dev/null
tabiya pgn "$samples/famous.pgn" --limit 9 | tabiya import c.db - >/dev/null
refuses 'missing.db: No such file' a.db missing.db
refuses 'write needs a database, and only one' a.db b.db --write
serve a.db b.db faulty.pgn
expect 10 "$(count)" "games of two databases and a file"
expect '"a.db, b.db, faulty.pgn"' "$(name)" "their name"
expect 10 "$(curl -sS "$url/api/explore" | jq .games)" "explored together"
for id in $(curl -sS "$url/api/find?limit=100" | jq '.games[].id'); do
    expect 200 "$(curl -sS -o body -w '%{http_code}' "$url/api/game?id=$id")" "game $id"
done
mv c.db b.db
for _ in 1 2 3; do expect 14 "$(count)" "after one was replaced"; done
expect 14 "$(curl -sS "$url/api/explore" | jq .games)" "explored after one was replaced"
echo text >b.db.bad && mv b.db.bad b.db
expect 500 "$(curl -sS -o body -w '%{http_code}' "$url/api/find?count=1")" "a bad one"
grep -q 'b.db: ' body || fail "the bad one is not named: $(cat body)"
grep -q "$work" body && fail "a folder of the server is shown: $(cat body)"
stop
exit "$failed"
