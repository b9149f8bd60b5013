-- Move statistics run with the rights of the owner of the games, and only on plain tables of that owner: whoever can
-- replace or change an object of theirs gains nothing.
\set VERBOSITY terse
CREATE ROLE tabiya_mallory;
CREATE ROLE tabiya_alice;
CREATE SCHEMA mallory AUTHORIZATION tabiya_mallory;
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
SET ROLE tabiya_mallory;
CREATE TABLE mallory.games (id integer, game chessgame, white_elo integer, black_elo integer);
-- says who runs it
CREATE FUNCTION mallory.pwn() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
    RAISE WARNING 'pwn runs as %', current_user;
    RETURN true;
END $$;
CREATE FUNCTION mallory.pwn_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM mallory.pwn(); RETURN NEW; END $$;
RESET ROLE;

-- A superuser creates them for mallory's table: they belong to mallory.
SELECT createMoveStats('mallory.games', 'game', 'white_elo', 'black_elo');
SELECT mallory.games_played_refresh(1);
SELECT DISTINCT relowner::regrole FROM pg_class WHERE relnamespace = 'mallory'::regnamespace;
SELECT proname, proowner::regrole, prosecdef, has_function_privilege('tabiya_alice', oid, 'EXECUTE') AS for_all FROM pg_proc
    WHERE pronamespace = 'mallory'::regnamespace AND proname LIKE 'games\_%' ORDER BY 1;
INSERT INTO mallory.games VALUES (1, '1. e4 e5', 2000, 2000);
SELECT games FROM mallory.games_explore(getBoard(''));

-- mallory replaces a table by a view, or attaches something to it. What a superuser then does with it fails.
CREATE PROCEDURE attack(sql text) LANGUAGE plpgsql AS $$ BEGIN
    SET ROLE tabiya_mallory;
    EXECUTE sql;
    RESET ROLE;
    BEGIN
        INSERT INTO mallory.games VALUES (2, '1. e4 e5', 2000, 2000);
        RAISE EXCEPTION 'the insert succeeded';
    EXCEPTION WHEN insufficient_privilege THEN RAISE NOTICE 'INSERT: %', SQLERRM; END;
    BEGIN
        TRUNCATE mallory.games;
        RAISE EXCEPTION 'the truncation succeeded';
    EXCEPTION WHEN insufficient_privilege THEN END;
    BEGIN
        PERFORM mallory.games_played_refresh(1);
        RAISE EXCEPTION 'the refresh succeeded';
    EXCEPTION WHEN insufficient_privilege THEN END;
    BEGIN
        PERFORM mallory.games_played_fold();
        RAISE EXCEPTION 'the fold succeeded';
    EXCEPTION WHEN insufficient_privilege THEN END;
    ROLLBACK;
END $$;
CALL attack('DROP TABLE mallory.games_tracked; CREATE VIEW mallory.games_tracked AS SELECT 0::bigint AS position, mallory.pwn() AS is_popular, 1::bigint AS n_games, true AS is_wanted');
CALL attack('DROP TABLE mallory.games_played; CREATE VIEW mallory.games_played AS SELECT * FROM mallory.games_totals');
CALL attack('DROP TABLE mallory.games_totals; CREATE MATERIALIZED VIEW mallory.games_totals AS SELECT 1 AS position');
CALL attack('DROP TABLE mallory.games_tracked');
CALL attack('ALTER TABLE mallory.games_tracked RENAME TO games_hidden; CREATE TABLE mallory.games_tracked (LIKE mallory.games_hidden) PARTITION BY LIST (position)');
CALL attack('CREATE TRIGGER t BEFORE INSERT ON mallory.games_played FOR EACH ROW EXECUTE FUNCTION mallory.pwn_trigger()');
CALL attack('CREATE RULE r AS ON INSERT TO mallory.games_played DO ALSO SELECT mallory.pwn()');
CALL attack('ALTER TABLE mallory.games_tracked ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON mallory.games_tracked USING (mallory.pwn())');
CALL attack('CREATE TABLE mallory.more () INHERITS (mallory.games_tracked)');

-- What mallory can still attach to the tables runs as mallory.
SET ROLE tabiya_mallory;
ALTER TABLE mallory.games_played ALTER is_sure SET DEFAULT mallory.pwn();
RESET ROLE;
INSERT INTO mallory.games VALUES (2, '1. e4 e5', 2000, 2000);
SELECT mallory.games_played_refresh(1);
INSERT INTO mallory.games VALUES (3, '1. a3', 2000, 2000);
INSERT INTO mallory.games VALUES (3, '1. e4', 2000, 2000);
SELECT mallory.games_played_drop();

-- What belongs to a superuser in a schema of mallory gets no statistics.
CREATE TABLE mallory.ours (game chessgame);
SELECT createMoveStats('mallory.ours', 'game');
SELECT count(*) FROM pg_class WHERE relname LIKE 'ours\_%';
-- Nor does it keep them if mallory gets the schema, or if the table gets another owner.
CREATE SCHEMA ours;
CREATE TABLE ours.games (game chessgame);
SELECT createMoveStats('ours.games', 'game');
ALTER SCHEMA ours OWNER TO tabiya_mallory;
INSERT INTO ours.games VALUES ('1. e4');
ALTER SCHEMA ours OWNER TO CURRENT_USER;
INSERT INTO ours.games VALUES ('1. e4');
ALTER TABLE ours.games OWNER TO tabiya_mallory;
INSERT INTO ours.games VALUES ('1. e4');
-- The same for the schema of the extension.
SELECT ours.games_played_drop();
ALTER TABLE ours.games OWNER TO CURRENT_USER;
CREATE SCHEMA chess;
ALTER EXTENSION tabiya SET SCHEMA chess;
SET search_path = chess;
SELECT createMoveStats('ours.games', 'game');
ALTER SCHEMA chess OWNER TO tabiya_mallory;
INSERT INTO ours.games VALUES ('1. e4');
RESET search_path;
ALTER EXTENSION tabiya SET SCHEMA public;

-- Users with rights on a table that is not theirs: no statistics, and no call of what runs as its owner.
CREATE TABLE ours.others (game chessgame);
GRANT ALL ON ours.others TO tabiya_alice;
GRANT ALL ON SCHEMA ours TO tabiya_alice;
SET ROLE tabiya_alice;
SELECT createMoveStats('ours.others', 'game');
RESET ROLE;
SELECT createMoveStats('ours.others', 'game');
SET ROLE tabiya_alice;
INSERT INTO ours.others VALUES ('1. e4');
SELECT ours.others_played_refresh(1);
SELECT ours.others_played_choose(1);
SELECT ours.others_played_count();
SELECT ours.others_played_fold();
CREATE TABLE ours.mine (game chessgame);
CREATE TRIGGER t AFTER TRUNCATE ON ours.mine FOR EACH STATEMENT EXECUTE FUNCTION ours.others_played_change();
RESET ROLE;
-- A member of the owner may.
GRANT tabiya_alice TO tabiya_mallory;
GRANT USAGE ON SCHEMA ours TO tabiya_mallory;
SET ROLE tabiya_mallory;
SELECT createMoveStats('ours.mine', 'game');
SELECT ours.mine_played_refresh(1);
RESET ROLE;
SELECT DISTINCT relowner::regrole FROM pg_class WHERE relname LIKE 'mine\_%';
SET client_min_messages = warning;
DROP SCHEMA mallory, ours, chess CASCADE;
DROP PROCEDURE attack(text);
DROP ROLE tabiya_mallory, tabiya_alice;
