#!/bin/bash
# upgrade.sh - updates a database of version 1.1 of the extension, with a server (cluster.sh): the extension is then the
# same as a new one, games and indexes give the same answers, and move statistics, whose triggers ran with the rights of
# whoever created them, run with those of the owner of the games, or are removed with a warning. The last line is
# "N passed, N failed". tabiya--1.1.sql.xz is the script of that version.
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" upgrade
command -v xz >/dev/null || { echo 'no xz here'; exit 77; }
xz -dc "$root/test/postgres/tabiya--1.1.sql.xz" >"$(pg_config --sharedir)/extension/tabiya--1.1.sql"
"$PG_BUILD/test/postgres_copy_games" "$root/examples/selfplay.pgn" >games.copy
chmod 644 games.copy
createdb old
createdb new
sql new 'CREATE EXTENSION tabiya'
psql -X -q -v ON_ERROR_STOP=1 -d old >setup.log 2>&1 <<'END' || failed=$((failed + 1))
CREATE EXTENSION tabiya VERSION '1.1';
CREATE ROLE mallory LOGIN;
CREATE SCHEMA mallory AUTHORIZATION mallory;
CREATE FUNCTION pwn() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'pwn runs as %', current_user; RETURN true; END $$;
CREATE TABLE games (id integer, game chessgame);
\copy games FROM games.copy WITH (FORMAT binary)
ALTER TABLE games ADD white_elo integer, ADD black_elo integer, ADD date integer;
UPDATE games SET white_elo = 2000 + id % 500, black_elo = 2100 + id % 300, date = 20000101 + id % 20 * 10000;
CREATE INDEX games_by_moves ON games (game);
CREATE INDEX games_by_board ON games USING gin (game);
SELECT createMoveStats('games', 'game', 'white_elo', 'black_elo', 'date');
SELECT games_played_refresh(100);
DELETE FROM games WHERE id % 10 = 3;
-- of mallory, made by a superuser; with another kind of date, an odd name, and no ratings
CREATE TABLE mallory."My games" ("the Game" chessgame, "day's" date);
INSERT INTO mallory."My games" SELECT game, '2020-01-01'::date + id FROM games WHERE id % 10 = 0;
SELECT createMoveStats('mallory."My games"', 'the Game', date => 'day''s');
ALTER TABLE mallory."My games" OWNER TO mallory;
SELECT mallory."My games_played_refresh"(10);
GRANT SELECT ON mallory."My games_played" TO PUBLIC;
-- of a superuser, in a schema of mallory
CREATE TABLE mallory.ours (game chessgame);
SELECT createMoveStats('mallory.ours', 'game');
-- of mallory, who has replaced a table by a view, and a function by another
CREATE TABLE mallory.bait (game chessgame);
SELECT createMoveStats('mallory.bait', 'game');
ALTER TABLE mallory.bait OWNER TO mallory;
CREATE TABLE mallory.hook (game chessgame);
SELECT createMoveStats('mallory.hook', 'game');
ALTER TABLE mallory.hook OWNER TO mallory;
SET ROLE mallory;
DROP TABLE mallory.bait_tracked;
CREATE VIEW mallory.bait_tracked AS SELECT 0::bigint AS position, public.pwn() AS is_popular, 1::bigint AS n_games, true AS is_wanted;
DROP FUNCTION mallory.hook_played_drop();
CREATE FUNCTION mallory.hook_played_drop() RETURNS void LANGUAGE sql AS 'SELECT public.pwn()';
RESET ROLE;
-- not a table of statistics, but named like one
CREATE TABLE public.bystander_played (id integer);
CREATE TABLE mallory.bystander (game chessgame);
END
"$tabiya" import "$(url old)" "$root/examples/famous.pgn" >import.log 2>&1
is "$(cat import.log)" '58 games read: 58 stored, 0 duplicates, 0 rejected' 'an import with the extension of 1.1'
sql old "SELECT createMoveStats('tabiya.game', 'moves', 'white_elo', 'black_elo', 'date')" >/dev/null
sql old 'SELECT tabiya.game_played_refresh(2)' >/dev/null

answers="SELECT * FROM games_explore(getBoard('')); SELECT * FROM games_explore(getBoard('1. e4'), '[11,)', '[2005,2010)');
    SELECT * FROM mallory.\"My games_explore\"(getBoard(''), NULL, '[2021,)'); SELECT * FROM tabiya.game_explore(getBoard('1. e4 e5'));
    SELECT count(*), sum(n_games) FROM tabiya.game_tracked; SELECT count(*) FROM games WHERE hasOpening(game, '1. e4 e5');
    SELECT count(*) FROM games WHERE hasBoard(game, getBoard('1. e4 e5 2. Nf3 Nc6'), 20)"
before=$(sql old "$answers")
is "$(($(wc -l <<<"$before") > 30))" 1 'there are answers'
is "$(PGOPTIONS='' sql old 'ALTER EXTENSION tabiya UPDATE' 2>&1 | grep -v HINT | sort)" \
"WARNING:  the move statistics of mallory.bait were removed: mallory.bait_tracked is not a table of postgres
WARNING:  the move statistics of mallory.hook were removed: function \"hook_played_drop\" already exists with same argument types
WARNING:  the move statistics of mallory.ours were removed: the owner of the schema mallory could replace what the move statistics of mallory.ours use as postgres" \
    'the update: what is refused'
is "$(sql old "$answers")" "$before" 'the same answers'
is "$(sql old "SELECT extversion FROM pg_extension WHERE extname = 'tabiya'")" 2.0 'the version'

members="SELECT pg_describe_object(d.classid, d.objid, 0), p.provolatile, p.proparallel, p.proisstrict, p.proleakproof, p.procost, p.proacl, p.prosecdef,
        p.proconfig, p.proargnames, p.prosupport, md5(p.prosrc), obj_description(d.objid, d.classid::regclass::name)
    FROM pg_depend d LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'tabiya') ORDER BY 1"
sql old "$members" >old.txt
sql new "$members" >new.txt
is "$(diff old.txt new.txt)" '' 'the extension is the same as a new one'
is "$(($(wc -l <new.txt) > 300))" 1 'members are compared'

is "$(sql old "SELECT DISTINCT c.relowner::regrole, (SELECT array_agg(DISTINCT proowner::regrole::text) FROM pg_proc WHERE pronamespace = 'mallory'::regnamespace AND proname LIKE 'My games%')
    FROM pg_class c WHERE relnamespace = 'mallory'::regnamespace AND relname LIKE 'My games%'")" 'mallory|{mallory}' 'statistics belong to the owner of the games'
is "$(sql old "SELECT has_table_privilege('pg_monitor', 'mallory.\"My games_played\"', 'SELECT')")" t 'rights on the tables stay'
is "$(sql old "SELECT count(*) FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid WHERE p.proname LIKE '%\_played\_change' AND (NOT p.prosecdef OR p.proowner <> (SELECT relowner FROM pg_class WHERE oid = tgrelid))")" 0 \
    'no trigger runs with the rights of another'
is "$(sql old "SELECT string_agg(DISTINCT tgrelid::regclass::text, ' ' ORDER BY tgrelid::regclass::text) FROM pg_trigger WHERE NOT tgisinternal")" 'games mallory."My games" tabiya.game' \
    'which tables have triggers'
is "$(sql old "SELECT to_regclass('public.bystander_played')")" bystander_played 'other tables stay'

# They still count.
sql old "INSERT INTO games SELECT 100000 + id, game, white_elo, black_elo, 20300101 FROM games WHERE id % 7 = 0; UPDATE games SET date = 20310101 WHERE id % 11 = 0; DELETE FROM games WHERE id % 13 = 0;
    INSERT INTO mallory.\"My games\" VALUES ('1. e4 1-0', '2030-02-03'); INSERT INTO mallory.bait VALUES ('1. e4'); INSERT INTO mallory.ours VALUES ('1. e4')"
for board in '' '1. e4' '1. e4 e5'; do
    is "$(sql old "SELECT uci, games, reached, white, draws, black, last_date FROM games_explore(getBoard('$board')) WHERE uci <> ''")" \
        "$(sql old "SELECT m.uci, m.games, m.reached, m.white, m.draws, m.black, (SELECT max(date) FROM games WHERE playedMove(game, getBoard('$board')) = m.uci)
            FROM (SELECT nextMoves(game, getBoard('$board')) AS list FROM games) AS x, unnest(list) WITH ORDINALITY AS m WHERE m.games > 0 ORDER BY m.ordinality")" "counts after '$board'"
done
is "$(sql old "SELECT games FROM mallory.\"My games_explore\"(getBoard(''), NULL, '[2030,2031)')")" 1 'counts of a table of mallory'
is "$("$tabiya" verify "$(url old)" 2>&1)" '58 games, 0 faults' 'the games of the program'
is "$("$tabiya" explore "$(url old)" --explain 1. e4 2>&1 | grep -c 'stored counts')" 1 'the program uses the counts'
# Counts of 1.1 have neither results nor pools: the games are read, until they are counted again.
narrowed() { "$tabiya" explore "$(url old)" --query 'mean-elo 2000.. result 1-0' 1. e4 e5 2>&1; }
before=$(narrowed)
is "$(sql old "SELECT count(*) FROM tabiya.game_counts(getBoard('1. e4 e5'), '{}', pools => '{7}')")" 0 'no counts by pool'
sql old 'SELECT tabiya.game_played_refresh(2)' >/dev/null
is "$(sql old 'SELECT count(*) > 100, count(*) - count(pool) FROM tabiya.game_played')" 't|0' 'counted again, by pool'
is "$(narrowed)" "$before" 'the same answer from counts'
for name in games_played_drop 'mallory."My games_played_drop"' tabiya.game_played_drop; do sql old "SELECT $name()" >/dev/null; done
is "$(sql old "SELECT count(*) FROM pg_proc WHERE proname LIKE '%\_played\_%' AND proname <> 'hook_played_drop'")" 0 'they can be dropped'

# The owner of a database can update.
createdb -O mallory hers
psql -X -q -U mallory -d hers -c "CREATE EXTENSION tabiya VERSION '1.1'; CREATE TABLE g (game chessgame); SELECT createMoveStats('g', 'game'); SELECT g_played_refresh(1)" >/dev/null
is "$(psql -X -qAt -U mallory -d hers -c "ALTER EXTENSION tabiya UPDATE; INSERT INTO g VALUES ('1. e4'); SELECT games FROM g_explore(getBoard(''))" 2>&1)" 1 'the owner of a database'
is "$(sql hers "SELECT DISTINCT proowner::regrole FROM pg_proc WHERE proname LIKE 'g\_%'")" mallory 'the owner of its statistics'

# A function that stands where a new one belongs makes the update fail, and does not run.
createdb planted
sql planted "CREATE EXTENSION tabiya VERSION '1.1'; GRANT CREATE ON SCHEMA public TO mallory"
psql -X -q -U mallory -d planted -c "CREATE FUNCTION public.tabiya_check_stats(games regclass, role name, tables text[]) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE WARNING ''planted''; END'"
is "$(sql planted 'ALTER EXTENSION tabiya UPDATE' 2>&1)" \
    "ERROR:  function tabiya_check_stats(regclass,name,text[]) is not a member of extension \"tabiya\"
DETAIL:  An extension is not allowed to replace an object that it does not own." 'a planted function'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
