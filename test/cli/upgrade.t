# A database file that version 1.1 has written (schema 5) is read as it is, and upgraded when something is written. The dates
# of its games are such that 1.1 read them in another way.

$ gzip -dc "$SOURCE/test/golden/database-v5/version-1.1.db.gz" >old.db; cp "$SOURCE/test/golden/database-v5/games.pgn" .; cp old.db read.db
$ chmod 444 read.db; tabiya find read.db 'player ann' --to tsv 2>message | cut -f 1,2,4; cut -c 1-78 message
id	white	black
1	Ann	Ben
3	Carl	Ann
4	Ann	Carl
tabiya: find: read.db: its schema has version 5; the next import, even of no g

$ tabiya verify read.db 2>/dev/null; cmp old.db read.db
4 games, 0 faults

# In 1.1, 20.06.2019 was the year 20, 2019.??.12 could be any day of the year, and UTCDate replaced 201?.??.??.

$ for day in 2019.06.20 2021; do echo $day: $(tabiya find read.db "date $day" --ids 2>/dev/null); done
2019.06.20: 3
2021: 2

# An import of no games is enough. Afterwards the file is as one that this version has made, with the index of named openings.

$ tabiya import old.db games.pgn
tabiya: import: old.db: it was upgraded from version 5 of its schema to version 6
4 games read: 0 stored, 4 duplicates, 0 rejected

$ for day in 2019.06.20 2021; do echo $day: $(tabiya find old.db "date $day" --ids); done; tabiya verify old.db
2019.06.20: 1 2
2021:
4 games, 0 faults

$ tabiya import new.db games.pgn; for db in old new; do tabiya sql $db.db 'SELECT sql FROM sqlite_schema ORDER BY name' >$db.schema; tabiya export $db.db >$db.pgn; done
4 games read: 4 stored, 0 duplicates, 0 rejected
$ cmp old.schema new.schema; cmp old.pgn new.pgn; tabiya find old.db 'opening "Najdorf"' --count
1
