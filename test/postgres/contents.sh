#!/bin/bash
# contents.sh - the numbers of `tabiya info` on a server (cluster.sh) with enough games for them to be counted: after
# imports, deletions and other people's SQL they are those of the games. The last line is "N passed, N failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" contents
createdb contents
db=$(url contents)
awk 'BEGIN { split("1-0 0-1 1/2-1/2 *", result)
    for (i = 0; i < 10200; i++) printf "[Event \"E%d\"]\n[Site \"S%d\"]\n[White \"W%d\"]\n[Black \"W%d\"]\n[Date \"%d.01.%02d\"]\n[Result \"%s\"]\n\n1. %s %s\n\n",
        i % 31, i % 7, i % 5000, i % 97, 1980 + i % 40, 1 + i % 28, result[1 + i % 4], i % 2 ? "e4" : "d4", result[1 + i % 4] }' >many.pgn
numbers() { "$tabiya" info "${1:-$db}" | sed '/size/d'; }
# same WHAT - what is counted is what the games have
same() {
    numbers >counted
    sql contents "CREATE TABLE kept AS SELECT * FROM tabiya.game_content WHERE kind = 'names'; DELETE FROM tabiya.game_content WHERE kind = 'names'"
    numbers >read
    sql contents 'INSERT INTO tabiya.game_content SELECT * FROM kept; DROP TABLE kept'
    is "$(cat counted)" "$(cat read)" "$1"
    is "$("$tabiya" verify "$db" 2>&1 | grep -c 'tabiya info')" 0 "verify: $1"
}
"$tabiya" import "$db" many.pgn >/dev/null
"$tabiya" import file.db many.pgn >/dev/null
is "$(numbers | sed '/index\|schema/d')" "$(numbers file.db | sed '/index\|schema/d')" 'as a file'
is "$(sql contents "SELECT string_agg(name || ' ' || n, ', ' ORDER BY name) FROM tabiya.game_content WHERE kind = 'names'")" 'event 31, player 5000, site 7' 'names are counted'
same 'after the first import'
printf '[White "First"]\n[Black "W1"]\n[Date "1066.10.14"]\n[Result "1-0"]\n\n1. a4 {a comment} 1-0\n' >first.pgn
"$tabiya" import "$db" first.pgn >/dev/null
is "$(numbers | sed -n 's/^first date *//p; s/^players *//p; s/^annotated games *//p' | xargs)" '1 5001 1066-10-14' 'one more game'
same 'after one more game'
"$tabiya" delete "$db" --yes 'white "First"' >/dev/null
same 'after deleting the first'
"$tabiya" delete "$db" --yes --ids 1..300 >/dev/null
same 'after deleting some'
"$tabiya" import "$db" many.pgn >/dev/null
same 'after importing them again'

# ---- Other people's SQL

sql contents "CREATE ROLE editor LOGIN; GRANT USAGE ON SCHEMA tabiya TO editor; GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON tabiya.game TO editor"
edit() { psql -X -q -At -U editor -d contents -c "$1" 2>&1 | sed -n 's/^ERROR:  //p'; }
is "$(edit "DELETE FROM tabiya.game WHERE white_elo IS NULL AND id % 50 = 0")" '' 'an editor deletes games'
same 'after deleting with SQL'
is "$(edit "UPDATE tabiya.game SET white = 'New, ' || id % 3, event = NULL, date = 20300101 WHERE id % 60 = 1")" '' 'an editor changes games'
same 'after changing with SQL'
is "$(edit 'INSERT INTO tabiya.game_content_new VALUES (1, 1, 1)')" 'permission denied for table game_content_new' 'no numbers of their own'
is "$("$tabiya" info "$(url contents editor)" | sed '/size/d')" "$(numbers)" 'an editor, who may not read the numbers, gets those of the games'
is "$(edit 'CREATE TRIGGER t AFTER INSERT ON tabiya.game EXECUTE FUNCTION tabiya.game_content_change()' | grep -c denied)" 1 'the trigger is for its own table'
sql contents "UPDATE tabiya.game_content SET n = n + 1 WHERE name = '1-0'"
is "$("$tabiya" verify "$db" 2>&1 | grep -c 'the numbers of tabiya info do not match the games; after DELETE FROM tabiya.game_content the next import')" 1 'wrong numbers are found'
sql contents 'DELETE FROM tabiya.game_content'
"$tabiya" import "$db" first.pgn >/dev/null
same 'after counting again'
is "$(edit 'TRUNCATE tabiya.game')" '' 'an editor deletes all'
is "$(numbers | sed '/index/d' | sed -n 's/^\(games\|players\|sites\|half-moves\)  *\([0-9]\)/\2/p' | xargs)" '0 0 0 0' 'nothing is left'
same 'after deleting all'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
