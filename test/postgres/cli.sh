#!/bin/bash
# cli.sh - the program with PostgreSQL tables, with a server (cluster.sh): its answers equal those of a database file
# with the same games, and every failure is reported. The last line is "N passed, N failed".
set -u
tabiya=$PG_BUILD/tabiya
url="postgresql:///postgres?host=$PGHOST&user=postgres"
root=$PWD
work=$PG_TEMP/cli
mkdir -p "$work"
cd "$work" || exit 1
passed=0 failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# both COMMAND ARGUMENTS... - output, messages and exit code are the same on both
both() {
    local command=$1 code_file=0 code_server=0
    shift
    "$tabiya" "$command" games.db "$@" >file.out 2>file.err || code_file=$?
    "$tabiya" "$command" "$url" "$@" >server.out 2>server.err || code_server=$?
    sed -i 's|games\.db|DB|' file.err
    sed -i "s|$url|DB|" server.err
    if cmp -s file.out server.out && cmp -s file.err server.err && [ "$code_file" -eq "$code_server" ]; then
        passed=$((passed + 1))
    else
        fail "$command $*: exit codes $code_file, $code_server"
        diff file.out server.out | head -n 6
        diff file.err server.err
    fi
}

# says CODE PATTERN COMMAND... - compares the exit code, and stdout and stderr together
says() {
    local code=$1 pattern=$2 status=0
    shift 2
    "$@" >said 2>&1 || status=$?
    if [ "$status" -eq "$code" ] && grep -q -e "$pattern" said; then
        passed=$((passed + 1))
    else
        fail "$*: exit code $status, not $code, or not as expected:"
        cat said
    fi
}

# until_true COMMAND... - repeats the command until it succeeds, for half a minute at most
until_true() {
    for _ in $(seq 600); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.05
    done
    fail "still not: $*"
}

is() { if [ "$1" = "$2" ]; then passed=$((passed + 1)); else fail "$3: $1, not $2"; fi; }

# ---- An empty database

says 2 'does not have the extension tabiya' "$tabiya" find "$url"
psql -X -q -c 'CREATE EXTENSION tabiya'
says 2 'there are no games yet' "$tabiya" find "$url"
psql -X -q -c 'DROP EXTENSION tabiya'

# ---- The same games in both, with faults, duplicates, comments, other start positions, unusual tags

cat >odd.pgn <<'PGN'
[Event "A \"quoted\" \\ name"]
[Site "M\\xfcnchen % _ 'x'"]
[Date "2019"]
[Round "-"]
[White "müller, änne"]
[Black ""]
[Result "1-0"]
[WhiteElo "2400?"]
[BlackElo "2500"]
[ECO "b90"]
[Opening "Tab	inside"]

1. e4 {best by test [%clk 0:10:00]} c5 $1 (1... e5 2. Nf3 {a variation}) 2. Nf3 1/2-1/2

[Event "From a position"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 39"]
[SetUp "1"]
[Date "2020.05.??"]
[White "MÜLLER, ÄNNE"]
[Black "Bert"]
[WhiteElo "2600"]
[BlackElo "2599"]

1... Kd7 2. e4 Ke6 3. e5 *

[Event "Nine sixty"]
[Variant "Chess960"]
[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w DFdf - 0 1"]
[SetUp "1"]
[White "100%"]
[Black "a_b"]
[Date "????.??.??"]

1. e4 e5 2. Nf3 Nf6 3. O-O *

[Event "Null"]
[White "?"]
[Black "Müller, Änne"]
[Date "1999.12.31"]

1. e4 -- 2. d4 *

[Event "Bad"]

1. e4 e5 2. Qh6 *

[Event "No moves"]
[ECO ""]

1-0

[Event "No moves"]
[ECO ""]

1-0
PGN
cp "$root"/examples/*.pgn .
files=(odd.pgn famous.pgn selfplay.pgn odd.pgn)
"$tabiya" import games.db "${files[@]}" >file.out 2>file.err
file_code=$?
"$tabiya" import "$url" "${files[@]}" >server.out 2>server.err
is "$?" "$file_code" 'exit code of import'
is "$(cat server.out)" "$(cat file.out)" 'report of import'
is "$(cat server.err)" "$(cat file.err)" 'faults reported by import'
both import famous.pgn
both import --json selfplay.pgn odd.pgn
both import --duplicates keep --rejects rejects.pgn odd.pgn
is "$(grep -c '^\[Event' rejects.pgn)" 1 'rejects'
"$tabiya" convert --to cmbr selfplay.pgn >games.cmbr 2>/dev/null && both import games.cmbr
both import --index-plies 20 -- - </dev/null

# ---- The queries that all front ends answer alike

while IFS= read -r query; do
    [[ $query == '#'* ]] || both find --tsv "$query"
done <"$root/test/query/questions.txt"

# ---- Patterns, explorers, trees and SQL by a query

printf 'broad-centre Pd4 Pe4\nbroad-fight either (broad-centre pxP)\n' >own.txt
both find --sort=-date,white --limit 20
both find --sort plies,-elo --offset 3 --limit 10 --to csv
both find --sample 5,2 --ids
both report morphy
both report 'M*' 'date 1850..' --json
both novelty 10
both novelty 1. e4 e5 2. Nf3 Nc6 3. Bb5 --any-date
both names --all
both show --game 2 --ply 2
both find --patterns own.txt broad-fight --tsv
both find --patterns own.txt broad-figth
both explore --match iqp
both explore --match 'either (iqp result 1-0)' --json
both explore --match 'KRP*vKRP*' --query '(player morphy or result 0-1) plies 60..' --json
both explore --match broad-fight --patterns own.txt --json
both explore --match mate --where "plies < 60" --json
both explore --match 'player morphy'
both explore 'player morphy'
both explore --query 'mate' --json 1. e4 e5
both find --where "matches(game, 'iqp') AND result = '1-0'" --tsv
both find --where 'isCheckmate(game) AND plyCount(moves) < 60' --ids
both find --where "hasOpening(game, '1. e4 c5')" --count 'mate'
"$tabiya" tree grow --games games.db -o tree.file 'result 1-0 o-o' --plies 12 >file.out
"$tabiya" tree grow --games "$url" -o tree.server 'result 1-0 o-o' --plies 12 >server.out
is "$(cat server.out)" "$(cat file.out)" 'report of tree grow'
is "$(diff -r tree.file tree.server)" '' 'tree of the games of a server'
says 0 'left to check in each game' "$tabiya" tree grow --games "$url" --explain 'result 1-0 o-o'
for command in find explore; do
    says 0 "Filter: public.chessgame_matches(moves, 'opening " "$tabiya" "$command" "$url" --explain --query 'opening "1. e4" o-o'
done
is "$("$tabiya" find "$url" --explain --where 'id > 1' 'result 1-0 o-o' | grep -v ^plan:)" "moves: by the server, matches result 1-0 o-o
where: id > 1
left to check in each game: nothing" 'the steps of a plan'

# ---- Whole games: toPgn writes what export writes

cat >noted.pgn <<'PGN'
[Event "Noted"]

{before} 1. e4 $1 {[%clk 0:01:00.5] good [%eval 0.25] move} (1. d4 {no}) {more} 1... e5 $14 $6 {[%eval #-3]} 2. Nf3 *
PGN
both import noted.pgn
psql -X -At -c "SELECT string_agg(toPgn(moves, NULL, annotated), '' ORDER BY id) FROM tabiya.game WHERE annotated IS NOT NULL" >got
"$tabiya" export "$url" --where 'annotated IS NOT NULL' >wanted
echo >>wanted
is "$(($(grep -c '^\[Event' wanted) > 1000))" 1 'annotated games'
is "$(cmp got wanted 2>&1)" '' 'toPgn and export'
is "$(psql -X -At -c "SELECT ply, san, nags, comment, eval, mate, clock FROM tabiya.game g, moves(g.moves, g.annotated) WHERE event = 'Noted'" | paste -s -d ' ')" \
    '1|e4|{1}|good move more|25||60.5 2|e5|{14,6}|||-3| 3|Nf3|||||' 'moves of an annotated game'

# Games without notes: PostgreSQL, SQLite and the program write the same bytes, with and without tags.
cat "$root"/examples/*.pgn >plain.pgn
for arguments in 'game' 'game, tags'; do
    printf '%s\n' '\set pgn `cat plain.pgn`' "SELECT string_agg(toPgn($arguments), '' ORDER BY number) FROM parsePgn(:'pgn');" >plain.sql
    psql -X -At -f plain.sql >plain.server
    "$tabiya" sql games.db "SELECT group_concat(pgn, '') FROM (SELECT toPgn($arguments) AS pgn FROM read_pgn('plain.pgn') ORDER BY number)" >plain.file
    is "$(cmp plain.server plain.file 2>&1)" '' "toPgn($arguments) on both"
done
"$tabiya" pgn --strip comments,variations,nags,clocks plain.pgn >plain.program
echo >>plain.program
is "$(cmp plain.server plain.program 2>&1)" '' 'toPgn and the program'

# ---- Tables

notes=game,ply,san,uci,fen,key,clock,spent,eval,mate,nags,comment,Event,WhiteElo
both rows
both rows --columns game,White,Black,Date,Site,ECO,result,plies,moves,start_fen,final_fen,packed
both rows --moves --columns "$notes"
both rows --positions --threads 2 --to jsonl
both rows --positions --every 3 --skip-plies 10 --sample 500,7
both rows --positions --quiet --distinct 'result 1-0 elo 2400..'
both rows --moves --query 'player morphy mate'
both rows --where "plies < 20 AND result <> '*'"
both rows 'player nobody-of-this-name'
both rows 'player ('
both rows --columns nonsense
"$tabiya" rows games.db --positions -o file.parquet 2>/dev/null
"$tabiya" rows "$url" --positions -o server.parquet 2>/dev/null
is "$(($(stat -c %s server.parquet) > 1000000))" 1 'a Parquet file of the games of a server'
is "$(sed 's|games\.db|DB|; s|file\.parquet|OUT|' file.parquet.json)" \
    "$(sed "s|$url|DB|; s|server\\.parquet|OUT|" server.parquet.json)" 'the counts beside it'

# ---- The index of all positions is used for the plain search

rare='1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5'
says 0 'Bitmap Index Scan on game_positions' "$tabiya" find "$url" --explain "board \"$rare\""
says 0 'Bitmap Index Scan on game_positions' "$tabiya" find "$url" --explain --fen "$rare b k - 1 17"
is "$(psql -X -At -c "EXPLAIN SELECT id FROM tabiya.game WHERE hasBoard(moves, '$rare b k - 1 17'::chessboard)" | grep -c 'Bitmap Index Scan on game_positions')" 1 'the same by SQL'
says 0 'index depth  *all' "$tabiya" info "$url"
# An index with a limit, however high, cannot be used for it and is replaced.
psql -X -q -c 'DROP INDEX tabiya.game_positions' -c 'CREATE INDEX game_positions ON tabiya.game USING gin (moves chessgame_gin_ops (max_ply = 10000))'
says 0 '0 games read' "$tabiya" import "$url" -- - </dev/null
says 0 'Bitmap Index Scan on game_positions' "$tabiya" find "$url" --explain "board \"$rare\""

# ---- A deeper index is built while a transaction that has read the games is open: others can read meanwhile, and
# afterwards

depth() { psql -X -At -c "SELECT string_agg(relname || array_to_string(attoptions, ','), ' ') FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relname LIKE 'game_positions%'"; }
psql -X -q -c 'DROP INDEX tabiya.game_positions' -c 'CREATE INDEX game_positions ON tabiya.game USING gin (moves chessgame_gin_ops (max_ply = 10))'
mkfifo reader
psql -X -q -v ON_ERROR_STOP=1 <reader >/dev/null &
exec 9>reader
echo 'BEGIN; SELECT count(*) FROM tabiya.game;' >&9
"$tabiya" import "$url" --index-plies 300 -- - </dev/null >deepen.out 2>&1 &
deepen=$!
for _ in $(seq 200); do
    [ "$(psql -X -At -c "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DROP INDEX%' AND wait_event_type = 'Lock'")" = 0 ] || break
    sleep 0.05
done
is "$(PGOPTIONS='-c statement_timeout=5s' psql -X -At -c 'SELECT count(*) > 3000 FROM tabiya.game' 2>&1)" t 'reading while the index is replaced'
echo 'COMMIT;' >&9
exec 9>&-
wait "$deepen" || fail "import --index-plies 300: $(cat deepen.out)"
is "$(depth)" 'game_positionsmax_ply=300' 'the deeper index'
# The remains of an import that was killed are removed.
psql -X -q -c 'CREATE INDEX game_positions_new ON tabiya.game USING gin (moves)'
says 0 '0 games read' "$tabiya" import "$url" --index-plies 301 -- - </dev/null
is "$(depth)" 'game_positionsmax_ply=301' 'the index after one that was left'

# ---- Answers

both find
both find --tsv
both find --json
both find --to pgn
both find --ids
both find --count
both export
both export --to json
both export --to cmbr
for condition in "--player *morphy" "--player müller*" "--player ?" "--white 100%" "--black a_b" "--black A*b" \
    "event From*" "site m*'X'" "site *\\*" "--eco B9*" "--eco b90" "--eco B00..B99" "--eco C4.." "--eco ..A" "--date 2019" \
    "--date 2020.05.31.." "--date ..1900" "--date ..0" "--elo 2400.." "--elo ..2599" "--elo 2600" "--elo ..0" \
    "plies ..20" "plies 0" "plies 40..41" "--result 1-0" "--result *" "--limit 3" "--offset 3050" \
    "--limit 2 --offset 7 --result 0-1" "--opening e2e4,e7e5 --limit 1"; do
    # shellcheck disable=SC2086
    set -f && both find $condition && set +f
    # shellcheck disable=SC2086
    set -f && both find --count $condition && set +f
done
both find --black ''
both find --eco ''
both find --opening '1. e4 e5 2. f4' --date ..1900 --tsv
both find --opening '1. d4' --player '*Tarrasch' --json
both find --where "plies < 20 AND result <> '*'"
both find --where "date >= '1900' AND white LIKE 'A%'" --elo ..3000
both find --where 'white_elo - black_elo >= 1'
spanish='r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'
for within in '' 'ply ..5' 'ply ..4' 'ply ..400'; do
    both find "fen \"$spanish\" $within"
    both find --count "board \"${spanish%% *}\" $within"
done
both find --fen startpos --limit 5 --tsv
both find --fen "$spanish" --white '*Steinitz' --to pgn
both find 'board "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5"'
both find 'board "8/8/8/8/8/2k5/1q6/K7"'
both find --chess960 --fen 'bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1'
both find --fen '4k3/8/8/8/8/8/4P3/4K3 b - - 0 1'
both find --fen 'nonsense'
both find --threads 1 --limit 1
for position in '' '1. e4' '1. e4 e5 2. f4' '1. e4 c5' '1. Nf3 d5 2. d4 Nf6' "$spanish" '4k3/8/8/8/8/8/4P3/4K3 b - - 5 39' \
    '8/8/8/8/8/2k5/1q6/K7 w - - 0 1' 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' '1. e4 e5 2. Qh6'; do
    # shellcheck disable=SC2086
    both explore $position
    # shellcheck disable=SC2086
    both explore --json --limit 2 $position
done
both explore --chess960 bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1
"$tabiya" find games.db --ids --opening '1. e4 c5' >ids
is "$(psql -X -At -c "SELECT id FROM tabiya.games WHERE hasOpening(moves, '1. e4 c5') ORDER BY id" | cksum)" "$(cksum <ids)" 'openings by SQL'

# ---- Names by their words, which have an index

long=$(printf 'a%.0s' {1..600})
for value in morphy 'paul morphy' 'MÜLLER' muller 'anne müller' '' '?' nobody "$long" 'a*' 'x'; do
    for word in player white black event site; do
        both find --tsv "$word \"$value\""
        both find --count "not $word \"$value\""
    done
done
both find --count rated
is "$(psql -X -At -c "SELECT nameWords('Müller, Karl-Heinz 3rd')")" '{muller,karl,heinz,3rd}' 'words'
is "$(psql -X -At -c "SELECT string_agg(x, ' | ' ORDER BY sortKey(x) NULLS LAST) FROM unnest(ARRAY['round 10', '?', 'Round 9', 'b', 'A']) AS x")" \
    'A | b | Round 9 | round 10 | ?' 'the order of texts'
says 0 'nameWords(g.white)' "$tabiya" find "$url" --explain 'white morphy'

# ---- What the server sees

is "$(psql -X -At -c "SELECT count(*) FROM pg_indexes WHERE schemaname = 'tabiya' AND indexname IN ('game_moves', 'game_positions', 'game_white', 'game_black', 'game_words')")" 5 indexes
is "$(psql -X -At -c "SELECT count(*) FROM tabiya.games WHERE toPgn(moves) IS NULL OR plies <> plyCount(moves)")" 0 'plies'
psql -X -q -c 'INSERT INTO tabiya.game (hash, plies, shape, result, moves) VALUES (0, 1, 1, $$*$$, $$1. a4$$)'
is "$(psql -X -At -c 'SELECT max(id) - count(*) FROM tabiya.game')" 0 'numbers continue'
psql -X -q -c 'DELETE FROM tabiya.game WHERE hash = 0'
says 0 '1 stored' "$tabiya" import --duplicates keep "$url" <(printf '[White "after"]\n\n1. a4 *\n')
is "$(psql -X -At -c "SELECT max(id) - count(*) FROM tabiya.game")" 1 'numbers are not used again'

# An extension in another schema, and misleading names there.
psql -X -q -c 'CREATE DATABASE elsewhere'
PGDATABASE=elsewhere psql -X -q -c 'CREATE SCHEMA "a b"' -c 'CREATE EXTENSION tabiya SCHEMA "a b"' \
    -c 'CREATE TABLE public.game (nothing integer)'
says 0 '58 stored' "$tabiya" import "postgresql:///elsewhere?host=$PGHOST&user=postgres" famous.pgn
says 0 '^3  ' "$tabiya" find "postgres://postgres@/elsewhere?host=$PGHOST" --limit 1 --offset 2 --fen startpos
PGDATABASE=elsewhere psql -X -q -c "COMMENT ON TABLE tabiya.game IS 'of another version'"
says 2 'not of version' "$tabiya" find "postgresql:///elsewhere?host=$PGHOST&user=postgres"

# ---- Failures

says 2 'No such file' "$tabiya" find 'postgresql:///postgres?host=/nowhere'
says 2 'could not translate host name\|Temporary failure\|failed' "$tabiya" find 'postgresql://u@no.such.host.invalid/x'
says 2 'does not exist' "$tabiya" find "postgresql:///none?host=$PGHOST&user=postgres"
says 2 'not a valid address' "$tabiya" find 'postgresql://x:y:z:/:/'
says 2 'postgres:\*\*\*@' "$tabiya" find "postgresql://postgres:secret@/none?host=$PGHOST"
says 2 'password=\*\*\*' "$tabiya" find "postgresql:///none?host=$PGHOST&user=postgres&password=secret"
is "$(grep -c secret said)" 0 'passwords that are shown'
says 2 'optional indexes are not supported for PostgreSQL' "$tabiya" import --index all "$url" "$root/examples/famous.pgn"
says 2 'where: syntax error' "$tabiya" find "$url" --where 'plies ='
says 2 'does not exist' "$tabiya" find "$url" --where 'nonsense = 1'
says 2 'where' "$tabiya" find "$url" --where 'true); DROP TABLE tabiya.game; --'
psql -X -q -c 'CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA tabiya TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA tabiya TO reader'
reader="postgresql://reader@/postgres?host=$PGHOST"
says 0 '^1$' "$tabiya" find "$reader" --ids --limit 1
says 2 'permission denied' "$tabiya" import "$reader" famous.pgn
# An importer who may not create a schema needs one.
createdb granted
psql -X -q -d granted -c 'CREATE ROLE importer LOGIN' -c 'CREATE EXTENSION tabiya'
says 2 'permission denied for database granted' "$tabiya" import "postgresql://importer@/granted?host=$PGHOST" famous.pgn
psql -X -q -d granted -c 'CREATE SCHEMA tabiya; GRANT USAGE, CREATE ON SCHEMA tabiya TO importer'
says 0 '58 stored' "$tabiya" import "postgresql://importer@/granted?host=$PGHOST" famous.pgn
says 0 '58 duplicates' "$tabiya" import "postgresql://importer@/granted?host=$PGHOST" famous.pgn
# Statistics created after a reader was granted access: the reader may not see them.
psql -X -q -d granted -c 'GRANT USAGE ON SCHEMA tabiya TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA tabiya TO reader'
psql -X -q -U importer -d granted -c "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags'); SELECT tabiya.game_played_refresh(1)" >/dev/null
for who in importer reader; do "$tabiya" explore "postgresql://$who@/granted?host=$PGHOST" 1. e4 >"$who.out" 2>&1; done
is "$(cat reader.out)" "$(cat importer.out)" 'a reader who may not see the statistics explores'
psql -X -q -U importer -d granted -c 'GRANT SELECT ON ALL TABLES IN SCHEMA tabiya TO reader'
says 0 'from the stored counts' "$tabiya" explore --explain "postgresql://reader@/granted?host=$PGHOST"
psql -X -q -c "ALTER ROLE reader PASSWORD 'right'"
# Passwords are required from here on.
sed -i 's/trust$/scram-sha-256/' "$PG_TEMP/data/pg_hba.conf"
psql -X -q -c "ALTER ROLE postgres PASSWORD 'postgres'"
psql -X -At -c 'SELECT pg_reload_conf()' >/dev/null
needs_password() { ! psql -X -w -d "$reader" -c 'SELECT 1'; }
until_true needs_password
says 2 'password' "$tabiya" find "$reader"
PGPASSWORD=wrong says 2 'password authentication failed' "$tabiya" find "$reader"
PGPASSWORD=right says 0 '^1$' "$tabiya" find "$reader" --ids --limit 1
export PGPASSWORD=postgres

# A game that is too long for a B-tree, and a tag that is not valid text.
{
    printf '[Event "long"]\n\n'
    for i in $(seq 1 4 4000); do printf '%d. Nf3 Nf6 %d. Ng1 Ng8 ' "$i" "$((i + 1))"; done
    printf '*\n'
} >long.pgn
says 1 'too long: moves that take more than 2600 bytes' "$tabiya" import "$url" long.pgn

# The server goes away: that is reported, and committed games are there.
psql -X -q -c 'CREATE DATABASE gone'
gone="postgresql:///gone?host=$PGHOST&user=postgres"
mkfifo slow.pgn
# slow_games FILE - prints some games at once, and the others when FILE exists
slow_games() {
    cat famous.pgn # as soon as the import has opened the pipe
    touch "$1.begun"
    until [ -e "$1" ]; do sleep 0.05; done
    cat selfplay.pgn
}
# waits_for_games DATABASE - true if an import has created the table and is waiting for more
waits_for_games() {
    [ "$(psql -X -At -d "$1" -c "SELECT count(*) FROM pg_stat_activity WHERE datname = '$1' AND application_name = 'tabiya' AND state LIKE 'idle%' AND to_regclass('tabiya.game') IS NOT NULL")" = 1 ]
}
slow_games gone.more >slow.pgn &
writer=$!
"$tabiya" import --threads 1 "$gone" slow.pgn >said 2>&1 &
importer=$!
until_true waits_for_games gone
psql -X -At -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'gone'" >/dev/null
touch gone.more
wait "$importer"
is "$?" 2 'exit code when the server goes away'
is "$(grep -c 'terminat\|closed the connection\|no connection' said)" 1 'words when the server goes away'
kill "$writer" 2>/dev/null # the import may have ended before it opened the pipe
wait
says 0 '58 stored\|58 games read' "$tabiya" import "$gone" famous.pgn

# Ctrl-C leaves whole games, and the same command continues.
psql -X -q -c 'CREATE DATABASE stopped'
stopped="postgresql:///stopped?host=$PGHOST&user=postgres"
slow_games stopped.more >slow.pgn &
writer=$!
"$tabiya" import --threads 1 "$stopped" slow.pgn >said 2>&1 &
importer=$!
until_true waits_for_games stopped
until_true test -e stopped.more.begun # it catches signals
kill -INT "$importer"
touch stopped.more
wait "$importer"
is "$?" 2 'exit code after Ctrl-C'
is "$(grep -c interrupted said)" 1 'words after Ctrl-C'
kill "$writer" 2>/dev/null
wait
"$tabiya" import "$stopped" famous.pgn selfplay.pgn >said
is "$("$tabiya" find "$stopped" --count)" "$("$tabiya" find "$stopped" --ids | sort -u | wc -l)" 'numbers after Ctrl-C'
is "$("$tabiya" export "$stopped" | cksum)" "$(cat famous.pgn selfplay.pgn | cksum)" 'games after Ctrl-C'

# ---- Large gaps between game numbers: a search that reads games takes them in parts

createdb apart
apart="postgresql:///apart?host=$PGHOST&user=postgres"
"$tabiya" import "$apart" famous.pgn selfplay.pgn >/dev/null
psql -X -q -d apart -c 'UPDATE tabiya.game SET id = id + 10000 WHERE id > 1000' -c 'UPDATE tabiya.game SET id = id + 50000000 WHERE id > 12000'
"$tabiya" import apart.db famous.pgn selfplay.pgn >/dev/null
for query in mate Pd4 'comment e' smothered-mate 'P-{8}=[RBN]' 'player morphy mate' 'Ka1 Kh8 ka1'; do
    for limit in 1 300 100000; do
        is "$("$tabiya" export "$apart" "$query" --limit "$limit" | cksum)" "$("$tabiya" export apart.db "$query" --limit "$limit" | cksum)" "$query in parts, $limit games"
    done
done
for order in white -event eco,-white -result,white site; do
    is "$("$tabiya" export "$apart" --sort="$order" --limit 500 | cksum)" "$("$tabiya" export apart.db --sort="$order" --limit 500 | cksum)" "sorted by $order"
done

# ---- All together: deleting, checking, info

createdb whole
url="postgresql:///whole?host=$PGHOST&user=postgres"
rm -f games.db*
both import "$root/examples/famous.pgn"
both verify
both delete --ids 3,5..8,999999
both delete --yes plies ..20
both verify
both export
both explore 1. e4
is "$("$tabiya" info "$url" | sed '/index\|size\|schema/d')" "$("$tabiya" info games.db | sed '/index\|size\|schema/d')" info
psql -X -q -d whole -c "UPDATE tabiya.game SET white = 'X' WHERE id = 9"
says 1 'game 9: its columns do not match its game' "$tabiya" verify "$url"
psql -X -q -d whole -c "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date', 'speed', 'tags'); SELECT tabiya.game_played_refresh(1); UPDATE tabiya.game_played SET pool = pool + 1 WHERE ctid = (SELECT min(ctid) FROM tabiya.game_played WHERE position = positionKey(getBoard('')))" >/dev/null
says 1 'the counts of moves do not match the games' "$tabiya" verify "$url"
psql -X -q -d whole -c "SELECT tabiya.game_played_refresh(1); DELETE FROM tabiya.game_played" >/dev/null
says 1 'the counts of moves do not match the games' "$tabiya" verify "$url"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
