-- postgres_fdw sends the calls to where the games are.
CREATE EXTENSION postgres_fdw;
SELECT current_setting('unix_socket_directories') AS host, current_database() AS db \gset
CREATE SERVER shard FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'host', dbname :'db', extensions 'tabiya');
CREATE USER MAPPING FOR CURRENT_USER SERVER shard OPTIONS (user 'postgres', password_required 'false');
CREATE TABLE games (id integer, game chessgame);
INSERT INTO games VALUES (1, '1. e4 e5'), (2, '1. e4 c5'), (3, '1. d4');
CREATE FOREIGN TABLE far (id integer, game chessgame) SERVER shard OPTIONS (table_name 'games');
EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM far WHERE hasOpening(game, '1. e4') AND hasBoard(game, getBoard('1. e4 c5'), 10);
SELECT id FROM far WHERE hasOpening(game, '1. e4') AND hasBoard(game, getBoard('1. e4 c5'), 10);
SELECT id FROM far WHERE game >= opening('1. e4') AND game < openingEnd('1. e4') ORDER BY id;
DROP EXTENSION postgres_fdw CASCADE;
DROP TABLE games;
