# tabiya collection: named sets of games.

$ . "$SOURCE/test/cli/games.sh"; tabiya import games.db games.pgn odd.pgn 2>/dev/null
10 games read: 10 stored, 0 duplicates, 0 rejected

$ tabiya collection list games.db
[1]

$ tabiya find games.db 'collection nothing'
[1]

$ tabiya find games.db --count 'collection ""'
10

$ tabiya collection add games.db 'My games' --ids 1,3..4,99
3 games added to My games

$ tabiya collection add games.db 'My games' --ids 3,5
1 game added to My games

$ tabiya collection add games.db short 'plies ..2'; tabiya collection list games.db
4 games added to short
      4  My games
      4  short

$ tabiya collection list games.db --json
{"name":"My games","games":4}
{"name":"short","games":4}

# In queries: names match as those of players do.

$ tabiya find games.db 'collection my' --ids | paste -s -d ' '
1 3 4 5

$ tabiya find games.db 'collection ="my games"' --ids; tabiya find games.db 'collection ="My games"' --count
4

$ tabiya find games.db 'collection "*" not collection short' --ids | paste -s -d ' '; tabiya find games.db --ids 'collection ""' | paste -s -d ' '
1 3 5
2 6 7

$ tabiya export games.db --to json 'collection short' | grep -c .
4

# Deleted games are removed from collections; a collection without games no longer exists.

$ tabiya delete games.db --ids 1,3; tabiya collection list games.db
2 games deleted
      2  My games
      4  short

$ tabiya collection remove games.db short 'plies ..2'; tabiya collection list games.db
4 games removed from short
      2  My games

$ tabiya find games.db --ids 'plies ..2' | tabiya collection add games.db again --ids -
4 games added to again

$ tabiya collection delete games.db again; tabiya collection delete games.db again
collection again deleted; its games stay in the database
there is no collection again
[1]

$ tabiya verify games.db
games.db: game 6: warning: null move in the main line (ply 3)
8 games, 0 faults

# Errors.

$ tabiya collection; tabiya collection lst games.db; tabiya collection add; tabiya collection add games.db; tabiya collection add games.db x
tabiya: collection: no action given...
tabiya: collection: unknown action "lst"; did you mean "list"?
tabiya: collection add: a database is needed...
tabiya: collection: the name of a collection is missing...
tabiya: collection: no games selected...
[2]

$ tabiya collection add games.db ' x' --ids 2; tabiya collection add games.db x --ids 2 mate; tabiya collection delete games.db x y
tabiya: collection: games.db: a collection's name is 1 to 200 bytes of UTF-8 without control characters or blanks at its ends
tabiya: collection: --ids and conditions cannot both be given
tabiya: collection: unexpected argument "y"...
[2]

# Names in a database may contain anything, but control characters do not reach the terminal.
$ cp games.db esc.db; tabiya collection add esc.db plain --ids 6 >out; \
    tabiya sql --write esc.db \
    "UPDATE collection SET name = 'a' || char(27) || '[31mb' || char(155) || 'c' WHERE name = 'plain'"; \
    tabiya collection list esc.db | LC_ALL=C tr -d '\n\t -~' | od -An -c; tabiya collection list esc.db | grep -c 31m
1

$ tabiya collection list games.pgn; tabiya collection list games.db --limit 2
tabiya: collection: games.pgn: ...
tabiya: collection list: --limit does not apply
[2]

$ tabiya find games.pgn 'collection x'; tabiya pgn games.pgn --query 'collection x'; tabiya rows games.pgn --query 'collection x' -o -
tabiya: find: "collection" needs a database...
tabiya: pgn: "collection" needs a database...
tabiya: rows: "collection" needs a database...
[2]

$ tabiya sql games.db "SELECT matches(moves, 'collection x') FROM games"
tabiya: sql: ...
[2]
