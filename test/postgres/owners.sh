#!/bin/bash
# owners.sh - nobody gains the rights of another user by planting objects for the program to use, with a server
# (cluster.sh). mallory prepares a database in every way that we know of; then a superuser imports and searches, which is
# refused with the reason, and no function of mallory's runs. Users without such rights work as before. The last line is
# "N passed, N failed".
set -u
# shellcheck source=test/postgres/support.sh
. "$(dirname "$0")/support.sh" owners
famous=$root/examples/famous.pgn
# as ROLE DATABASE TEXT
as() { psql -X -q -At -v ON_ERROR_STOP=1 -U "$1" -d "$2" -c "$3"; }
# says TEXT COMMAND... - it fails, and says this
says() {
    local out
    out=$("${@:2}" 2>&1)
    is "$? $(grep -cF -- "$1" <<<"$out")" '2 1' "${*:2}: $1: ${out:0:200}"
}
# works WHAT TEXT COMMAND... - it succeeds, and prints this
works() {
    local out
    out=$("${@:3}" 2>&1)
    is "$? $(grep -cF -- "$2" <<<"$out")" '0 1' "$1: ${out:0:200}"
}

# The sequence shows that a function ran, even if its transaction was rolled back.
sql postgres 'CREATE ROLE mallory LOGIN; CREATE ROLE librarian LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE helper LOGIN IN ROLE librarian'
createdb base
sql base 'CREATE EXTENSION tabiya; CREATE SCHEMA mallory AUTHORIZATION mallory'
psql -X -q -v ON_ERROR_STOP=1 -U mallory -d base <<'END'
CREATE SEQUENCE mallory.hits;
CREATE FUNCTION mallory.pwn() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
    PERFORM nextval('mallory.hits');
    EXECUTE 'ALTER ROLE mallory SUPERUSER';
    RETURN true;
EXCEPTION WHEN OTHERS THEN RETURN true;
END $$;
CREATE FUNCTION mallory.pwn(anyelement) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN mallory.pwn(); END';
CREATE FUNCTION mallory.pwn_text() RETURNS text LANGUAGE plpgsql AS 'BEGIN PERFORM mallory.pwn(); RETURN ''''; END';
CREATE FUNCTION mallory.pwn_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM mallory.pwn(); RETURN NEW; END';
CREATE FUNCTION mallory.pwn_two(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN mallory.pwn(); END';
CREATE OPERATOR mallory.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = mallory.pwn_two);
CREATE DOMAIN mallory.event AS text COLLATE "C" CHECK (mallory.pwn());
CREATE TYPE mallory.level AS ENUM ('none');
CREATE FUNCTION mallory.pwn_cast(mallory.level) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM mallory.pwn(); RETURN 0; END';
CREATE CAST (mallory.level AS integer) WITH FUNCTION mallory.pwn_cast(mallory.level) AS IMPLICIT;
CREATE TABLE mallory.follower (game bigint);
CREATE TRIGGER t AFTER DELETE ON mallory.follower FOR EACH ROW EXECUTE FUNCTION mallory.pwn_trigger();
END
works 'import' '58 stored' "$tabiya" import "$(url base)" "$famous"

# planted WHAT REASON ROLE SQL - after ROLE has run this SQL, commands are refused for that reason
n=0
planted() {
    local db=planted$((n += 1)) command
    createdb -T base $db
    as "$3" $db "$4" >planted.log 2>&1 || { cat planted.log; failed=$((failed + 1)); }
    local url
    url=$(url $db)
    says "refused: $2" "$tabiya" import "$url" "$root/examples/selfplay.pgn"
    says 'refused: ' "$tabiya" find "$url" 'white morphy' --to pgn
    [ "${5:-}" != all ] || for command in "explore $url" "info $url" "verify $url" "delete $url --ids 1..2" "collection add $url A --ids 1..2" "export $url" \
        "names $url --player morphy"; do
        # shellcheck disable=SC2086
        says 'refused: ' "$tabiya" $command
    done
    is "$(sql $db 'SELECT is_called FROM mallory.hits')" f "$1: nothing of mallory's runs"
    dropdb $db
}
# attached WHAT REASON SQL - what mallory attached to tables that were then given to the superuser
attached() {
    planted "$1" "$2" postgres "GRANT ALL ON SCHEMA tabiya TO mallory; ALTER TABLE tabiya.game OWNER TO mallory; ALTER TABLE tabiya.shape OWNER TO mallory; ALTER VIEW tabiya.games OWNER TO mallory;
        SET ROLE mallory; $3; RESET ROLE; ALTER TABLE tabiya.game OWNER TO postgres; ALTER TABLE tabiya.shape OWNER TO postgres; ALTER VIEW tabiya.games OWNER TO postgres;
        REVOKE ALL ON SCHEMA tabiya FROM mallory; SELECT setval('mallory.hits', 1, false)"
}

# ---- Owners and rights

planted 'the schema' 'schema tabiya belongs to mallory, who could run commands as postgres through it' postgres 'ALTER SCHEMA tabiya OWNER TO mallory' all
planted 'the right to create' 'mallory has the privilege CREATE on schema tabiya, and could run commands as postgres through it' postgres 'GRANT CREATE ON SCHEMA tabiya TO mallory'
planted 'the right to create, for all' 'PUBLIC has the privilege CREATE on schema tabiya' postgres 'GRANT CREATE ON SCHEMA tabiya TO PUBLIC'
planted 'the right to trigger' 'reader has the privilege TRIGGER on table tabiya.game' postgres 'GRANT TRIGGER ON tabiya.game TO reader'
planted 'the right to refer' 'reader has the privilege REFERENCES on table tabiya.game' postgres 'GRANT REFERENCES ON tabiya.game TO reader'
planted 'the right to refer to a column' 'reader has the privilege REFERENCES on table tabiya.game' postgres 'GRANT REFERENCES (id) ON tabiya.game TO reader'
planted 'the right to trigger on a child' 'reader has the privilege TRIGGER on table public.child' postgres 'CREATE TABLE public.child () INHERITS (tabiya.game); GRANT TRIGGER ON public.child TO reader'
planted 'the games' 'table tabiya.game belongs to mallory' postgres 'ALTER TABLE tabiya.game OWNER TO mallory'
planted 'a swapped table' 'table tabiya.shape belongs to mallory' postgres 'ALTER SCHEMA tabiya OWNER TO mallory; SET ROLE mallory; DROP TABLE tabiya.shape CASCADE;
    CREATE TABLE tabiya.shape (id integer PRIMARY KEY, names text COLLATE "C" NOT NULL UNIQUE); CREATE TRIGGER t BEFORE INSERT ON tabiya.shape FOR EACH ROW EXECUTE FUNCTION mallory.pwn_trigger();
    RESET ROLE; ALTER SCHEMA tabiya OWNER TO postgres'
planted 'a table that does not exist yet' 'view tabiya.member belongs to mallory' postgres 'GRANT CREATE ON SCHEMA tabiya TO mallory; SET ROLE mallory;
    CREATE VIEW tabiya.member AS SELECT mallory.pwn_text() AS collection, 1::bigint AS game; RESET ROLE; REVOKE CREATE ON SCHEMA tabiya FROM mallory' all
planted 'an overload of a function' 'function tabiya.game_played_choose(bigint) belongs to mallory' postgres 'GRANT CREATE ON SCHEMA tabiya TO mallory; SET ROLE mallory;
    CREATE FUNCTION tabiya.game_played_choose(bigint) RETURNS boolean LANGUAGE sql AS $$ SELECT mallory.pwn() $$; RESET ROLE; REVOKE CREATE ON SCHEMA tabiya FROM mallory'
planted 'an operator' 'operator tabiya.===(text,text) belongs to mallory' postgres 'CREATE OPERATOR tabiya.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq); ALTER OPERATOR tabiya.=== (text, text) OWNER TO mallory'
planted 'a type' 'type tabiya.level' postgres "CREATE TYPE tabiya.level AS ENUM ('none'); ALTER TYPE tabiya.level OWNER TO mallory"
planted 'the schema of the extension' 'schema chess belongs to mallory' postgres 'CREATE SCHEMA chess AUTHORIZATION mallory; ALTER EXTENSION tabiya SET SCHEMA chess'
planted 'a view of the superuser' 'tabiya.shape is not a table' postgres 'ALTER TABLE tabiya.shape RENAME TO shape_1; CREATE VIEW tabiya.shape AS SELECT * FROM tabiya.shape_1'

# ---- What is attached to tables that now belong to the superuser

attached 'a trigger' 'function mallory.pwn_trigger() belongs to mallory' 'CREATE TRIGGER t BEFORE INSERT ON tabiya.shape FOR EACH ROW EXECUTE FUNCTION mallory.pwn_trigger()'
attached 'a deferred trigger' 'function mallory.pwn_trigger() belongs to mallory' 'CREATE CONSTRAINT TRIGGER t AFTER INSERT ON tabiya.game DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mallory.pwn_trigger()'
attached 'a rule' 'function mallory.pwn() belongs to mallory' 'CREATE RULE r AS ON INSERT TO tabiya.shape DO ALSO SELECT mallory.pwn()'
attached 'a view' 'function mallory.pwn() belongs to mallory' 'DROP VIEW tabiya.games; CREATE VIEW tabiya.games AS SELECT * FROM tabiya.game WHERE mallory.pwn()'
attached 'a default' 'function mallory.pwn_text() belongs to mallory' 'ALTER TABLE tabiya.game ALTER event SET DEFAULT mallory.pwn_text()'
attached 'a generated column' 'function mallory.pwn(anyelement) belongs to mallory' 'ALTER TABLE tabiya.game ADD more boolean GENERATED ALWAYS AS (mallory.pwn(plies)) STORED'
attached 'a constraint' 'function mallory.pwn(anyelement) belongs to mallory' 'ALTER TABLE tabiya.game ADD CHECK (mallory.pwn(plies)) NOT VALID'
attached 'a constraint with an operator' 'operator mallory.===(text,text) belongs to mallory' 'ALTER TABLE tabiya.game ADD CHECK (white OPERATOR(mallory.===) black) NOT VALID'
attached 'an index of an expression' 'function mallory.pwn(anyelement) belongs to mallory' 'CREATE INDEX more ON tabiya.game (mallory.pwn(plies))'
attached 'a partial index' 'function mallory.pwn() belongs to mallory' 'CREATE INDEX more ON tabiya.shape (id) WHERE mallory.pwn()'
attached 'statistics' 'schema mallory belongs to mallory' 'CREATE STATISTICS mallory.more ON (mallory.pwn(plies)), plies FROM tabiya.game'
attached 'row security' 'function mallory.pwn() belongs to mallory' 'ALTER TABLE tabiya.game ENABLE ROW LEVEL SECURITY; ALTER TABLE tabiya.game FORCE ROW LEVEL SECURITY; CREATE POLICY p ON tabiya.game USING (mallory.pwn())'
attached 'a domain' 'type mallory.event belongs to mallory' 'ALTER TABLE tabiya.shape ALTER names TYPE mallory.event'
attached 'a type with a cast' 'type mallory.level belongs to mallory' "DROP VIEW tabiya.games; ALTER TABLE tabiya.game DROP plies, ADD plies mallory.level DEFAULT 'none'; CREATE VIEW tabiya.games AS SELECT id FROM tabiya.game"
attached 'a child' 'schema mallory belongs to mallory' 'CREATE TABLE mallory.child () INHERITS (tabiya.game); CREATE TRIGGER t BEFORE DELETE ON mallory.child FOR EACH ROW EXECUTE FUNCTION mallory.pwn_trigger()'
attached 'a foreign key' 'table mallory.follower belongs to mallory' 'ALTER TABLE mallory.follower ADD FOREIGN KEY (game) REFERENCES tabiya.game ON DELETE CASCADE'

# What mallory cannot create.
is "$(as mallory base "CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION mallory.pwn_trigger()" 2>&1 | grep -c ERROR)" 1 'no event triggers'
is "$(as mallory base 'CREATE PUBLICATION p FOR TABLE tabiya.game' 2>&1 | grep -c ERROR)" 1 'no publications'
is "$(sql postgres "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'")" f 'mallory is no superuser'

# ---- Before the first import

createdb before
sql before 'CREATE EXTENSION tabiya; GRANT CREATE ON DATABASE before TO mallory'
as mallory before 'CREATE SCHEMA tabiya; GRANT ALL ON SCHEMA tabiya TO PUBLIC'
for role in postgres librarian; do
    says "schema tabiya belongs to mallory, who could run commands as $role through it" "$tabiya" import "$(url before $role)" "$famous"
done
as mallory before 'CREATE TABLE tabiya.game (id integer)'
says 'belongs to mallory' "$tabiya" import "$(url before librarian)" "$famous"
# The owner of a database decides where the extension is created.
createdb -O mallory hers
as mallory hers 'CREATE SCHEMA mallory; ALTER DATABASE hers SET search_path = mallory'
says 'schema mallory belongs to mallory, who could run commands as postgres through it' "$tabiya" import "$(url hers)" "$famous"

# The owner of a database decides with which role others begin, and functions can leave that role.
createdb -O mallory role
as mallory role 'CREATE EXTENSION tabiya; CREATE SCHEMA mallory; CREATE SEQUENCE mallory.hits'
works 'her own games' '58 stored' "$tabiya" import "$(url role mallory)" "$famous"
as mallory role "CREATE FUNCTION mallory.pwn() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN PERFORM nextval('mallory.hits'); SET ROLE NONE; ALTER ROLE mallory SUPERUSER;
    RETURN NEW; EXCEPTION WHEN OTHERS THEN RETURN NEW; END \$\$; CREATE TRIGGER t BEFORE INSERT ON tabiya.game FOR EACH ROW EXECUTE FUNCTION mallory.pwn(); ALTER DATABASE role SET role = mallory"
is "$(sql role 'SELECT current_user')" mallory 'a superuser begins as mallory'
for command in "import $(url role) $famous" "find $(url role) --count"; do
    # shellcheck disable=SC2086
    says 'belongs to mallory, who could run commands as postgres through it' "$tabiya" $command
done
is "$(sql role 'SELECT is_called FROM mallory.hits')" f 'the role of a database: nothing of mallory'"'"'s runs'
is "$(sql postgres "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'")" f 'mallory is still no superuser'

# ---- Users without special rights

createdb -O librarian library
sql library 'GRANT CREATE ON DATABASE library TO helper'
works 'the owner of a database' '58 stored' "$tabiya" import "$(url library librarian)" "$famous"
works 'a member' '0 stored, 58 duplicates' "$tabiya" import "$(url library helper)" "$famous"
as librarian library 'GRANT USAGE ON SCHEMA tabiya TO reader; GRANT SELECT, DELETE ON ALL TABLES IN SCHEMA tabiya TO reader'
works 'a reader' 58 "$tabiya" find "$(url library reader)" --count
works 'a reader who may delete' '1 game' "$tabiya" delete "$(url library reader)" --ids 1..1
says 'permission denied' "$tabiya" import "$(url library reader)" "$famous"
says 'schema tabiya belongs to librarian, who could run commands as postgres through it' "$tabiya" find "$(url library)" --count
sql library 'CREATE SCHEMA mallory AUTHORIZATION mallory; ALTER TABLE tabiya.shape OWNER TO mallory'
says 'table tabiya.shape belongs to mallory, who could run commands as reader through it' "$tabiya" find "$(url library reader)" --count
says 'table tabiya.shape belongs to mallory, who could run commands as librarian through it' "$tabiya" import "$(url library librarian)" "$famous"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
