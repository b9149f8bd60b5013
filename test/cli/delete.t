# tabiya delete: removes games from a database.

$ . "$SOURCE/test/cli/games.sh"; tabiya import games.db games.pgn odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
10 games read: 10 stored, 0 duplicates, 0 rejected

$ tabiya delete games.db --ids 1,3..4,99; tabiya find games.db --ids | paste -s -d ' '
3 games deleted
2 5 6 7 8 9 10

$ tabiya verify games.db
games.db: game 6: warning: null move in the main line (ply 3)
7 games, 0 faults

$ tabiya find games.db --fen startpos --ids | paste -s -d ' '
2 5 6 7 10

$ tabiya explore games.db --json | cut -d , -f 4
"games":5

# Numbers are not reused, and deleted games can be imported again.

$ tabiya import games.db games.pgn; tabiya find games.db --ids | paste -s -d ' '
5 games read: 3 stored, 2 duplicates, 0 rejected
2 5 6 7 8 9 10 11 12 13

$ tabiya verify games.db
games.db: game 6: warning: null move in the main line (ply 3)
10 games, 0 faults

# By conditions: only with confirmation.

$ tabiya delete games.db 'plies ..2'
tabiya: delete: 4 games would be deleted; --yes deletes them
[2]

$ tabiya delete games.db 'plies ..2' --yes
4 games deleted

$ tabiya delete games.db 'plies ..2' --yes
0 games deleted
[1]

# By the output of find.

$ tabiya find games.db 'event Open' --ids | tabiya delete games.db --ids -; tabiya find games.db --ids | paste -s -d ' '
2 games deleted
5 6 7 12

$ tabiya delete games.db --ids 77
0 games deleted
[1]

$ tabiya delete games.db --ids ..; tabiya delete games.db --ids 1.. ; tabiya verify games.db
tabiya: delete: --ids must be a number or a range...not ".."
4 games deleted
0 games, 0 faults

# Errors.

$ tabiya delete games.db
tabiya: delete: no games selected...
[2]

$ tabiya delete games.db --yes --limit 1
tabiya: delete: no games selected...
[2]

$ tabiya delete games.db --ids 1 --white Anna
tabiya: delete: --ids and conditions cannot both be given
[2]

$ tabiya delete games.db --ids one
tabiya: delete: --ids must be a number or a range...not "one"
[2]

$ echo 'x' | tabiya delete games.db --ids -
tabiya: delete: --ids must be a number or a range...not "x"
[2]

$ tabiya delete no.db --ids 1; ls no.db
tabiya: delete: no.db: No such file or directory
ls: cannot access 'no.db': No such file or directory
[2]

$ tabiya delete games.pgn --ids 1
tabiya: delete: games.pgn: not a database...
[2]

$ tabiya delete games.db Anna --yes
tabiya: delete: no such word: "Anna"; did you mean "and"? For a name: player Anna
  Anna
  ^
[2]

# The highest possible game number.

$ tabiya delete games.db --ids 4294967295; tabiya delete games.db --ids 4294967290..4294967295; tabiya delete games.db --ids 4294967296
0 games deleted
0 games deleted
tabiya: delete: --ids must be a number or a range...not "4294967296"
[2]

$ cp "$SOURCE/test/cli/data/elo.pgn" .; tabiya import elo.db elo.pgn
4 games read: 4 stored, 0 duplicates, 0 rejected

# Numbers from standard input.
# not under Wine: its error for a folder as standard input is another
$ cp elo.db d.db; printf '1\n\n 3\n' | tabiya delete d.db --ids - ; printf 'x\n' | tabiya delete d.db --ids -; \
    tabiya delete d.db --ids - <.; tabiya find d.db --count
2 games deleted
tabiya: delete: --ids must be a number or a range...not "x"
tabiya: cannot read standard input: Is a directory
2
