/*
 * schema.h - the tables of a database; docs/formats/database.md explains them.
 */
#ifndef TBY_STORE_SQLITE_SCHEMA_H
#define TBY_STORE_SQLITE_SCHEMA_H

#define SCHEMA_APPLICATION_ID 0x54616269 /* "Tabi" */
#define SCHEMA_VERSION 2
#define SCHEMA_TEXT_OF(number) #number
#define SCHEMA_TEXT(number) SCHEMA_TEXT_OF(number)

/* To be run in a transaction. */
#define SCHEMA                                                                                                         \
    "PRAGMA application_id = " SCHEMA_TEXT(                                                                            \
        SCHEMA_APPLICATION_ID) ";"                                                                                     \
                               "PRAGMA user_version = " SCHEMA_TEXT(                                                   \
                                   SCHEMA_VERSION) ";"                                                                 \
                                                   "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL "   \
                                                   "UNIQUE);"                                                          \
                                                   "CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT NOT NULL "    \
                                                   "UNIQUE);"                                                          \
                                                   "CREATE TABLE site(id INTEGER PRIMARY KEY, name TEXT NOT NULL "     \
                                                   "UNIQUE);"                                                          \
                                                   "CREATE TABLE shape(id INTEGER PRIMARY KEY, names TEXT NOT NULL "   \
                                                   "UNIQUE);"                                                          \
                                                   "CREATE TABLE game("                                                \
                                                   " id INTEGER PRIMARY KEY,"                                          \
                                                   " white INTEGER REFERENCES player, black INTEGER REFERENCES "       \
                                                   "player,"                                                           \
                                                   " event INTEGER REFERENCES event, site INTEGER REFERENCES site,"    \
                                                   " round TEXT, date INTEGER, result TEXT NOT NULL,"                  \
                                                   " white_elo INTEGER, black_elo INTEGER, eco TEXT, plies INTEGER "   \
                                                   "NOT NULL,"                                                         \
                                                   " shape INTEGER NOT NULL REFERENCES shape, tags TEXT, hash "        \
                                                   "INTEGER NOT NULL,"                                                 \
                                                   " moves BLOB NOT NULL, annotated BLOB);"                            \
                                                   "CREATE VIEW games AS SELECT game.id, w.name AS white, b.name AS "  \
                                                   "black, e.name AS event, s.name AS site, round,"                    \
                                                   " CASE WHEN date % 10000 = 0 THEN printf('%04d', date / 10000)"     \
                                                   " WHEN date % 100 = 0 THEN printf('%04d-%02d', date / 10000, date " \
                                                   "/ 100 % 100)"                                                      \
                                                   " WHEN date IS NOT NULL THEN printf('%04d-%02d-%02d', date / "      \
                                                   "10000, date / 100 % 100, date % 100) END AS date,"                 \
                                                   " result, white_elo, black_elo, eco, plies, tags, moves, annotated" \
                                                   " FROM game LEFT JOIN player w ON w.id = game.white LEFT JOIN "     \
                                                   "player b ON b.id = game.black"                                     \
                                                   " LEFT JOIN event e ON e.id = game.event LEFT JOIN site s ON s.id " \
                                                   "= game.site;"                                                      \
                                                   "CREATE TABLE sketch(block INTEGER PRIMARY KEY, records BLOB NOT "  \
                                                   "NULL);"                                                            \
                                                   "CREATE TABLE fact(block INTEGER PRIMARY KEY, records BLOB NOT "    \
                                                   "NULL);"                                                            \
                                                   "CREATE TABLE run(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, " \
                                                   "last INTEGER NOT NULL, plies INTEGER NOT NULL);"                   \
                                                   "CREATE TABLE position(id INTEGER PRIMARY KEY, entries BLOB NOT "   \
                                                   "NULL);"                                                            \
                                                   "CREATE TABLE counter(name TEXT PRIMARY KEY, value INTEGER NOT "    \
                                                   "NULL) WITHOUT ROWID;"                                              \
                                                   "INSERT INTO counter VALUES('last_game', 0), ('last_run', 0), "     \
                                                   "('deleted', 0), ('plies', 0), ('annotated', 0);"

/* What tby_db_index makes where it is missing: the index of players always, that of openings where positions are
   indexed. */
#define SCHEMA_NAME_INDEXES                                                                                            \
    "CREATE INDEX IF NOT EXISTS game_white ON game(white);"                                                            \
    "CREATE INDEX IF NOT EXISTS game_black ON game(black)"
/* Where the counter `events` is. */
#define SCHEMA_EVENT_INDEXES                                                                                           \
    "CREATE INDEX IF NOT EXISTS game_event ON game(event);"                                                            \
    "CREATE INDEX IF NOT EXISTS game_site ON game(site)"
#define SCHEMA_OPENING_INDEX "CREATE INDEX IF NOT EXISTS game_moves ON game(moves)"

#endif
