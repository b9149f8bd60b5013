# tabiya info: what is in a database.

$ . "$SOURCE/test/cli/games.sh"; tabiya import games.db games.pgn odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
10 games read: 10 stored, 0 duplicates, 0 rejected

$ tabiya info games.db
games                       10
half-moves                  47
annotated games             2
players                     9
events                      5
sites                       2
first date                  1999
last date                   2021-12-31
1-0                         1
1/2-1/2                     2
0-1                         3
*                           4
index runs                  1
games in the index          10
index depth                 all
schema version              6
file size                   229376

$ tabiya info --json games.db
{"games":10,"plies":47,"annotated":2,"players":9,"events":5,"sites":2,"first_date":"1999","last_date":"2021-12-31","white_wins":1,"draws":2,"black_wins":3,"unknown_results":4,"index_runs":1,"index_games":10,"index_plies":"all","schema_version":6,"file_size":229376}

$ tabiya import none.db --index-plies none games.pgn >/dev/null; tabiya info none.db | grep -E '^(index|games in)'
index runs                  0
games in the index          0
index depth                 none

$ tabiya import ten.db --index-plies 10 games.pgn >/dev/null; tabiya info ten.db | grep -E '^(index|games in)'
index runs                  1
games in the index          5
index depth                 10

$ tabiya import empty.db /dev/null; tabiya info empty.db | head -n 9
0 games read: 0 stored, 0 duplicates, 0 rejected
games                       0
half-moves                  0
annotated games             0
players                     0
events                      0
sites                       0
first date                  none
last date                   none
1-0                         0

$ tabiya info no.db
tabiya: info: no.db: No such file or directory
[2]

$ tabiya info
tabiya: info: no database given...
[2]

# The size of each table is shown on request; the parts add up to the whole.

$ tabiya info games.db --sizes | sed -n '/^  /p' | awk '{ sum += $2 } END { print sum }'
229376

$ tabiya info --json games.db --sizes | sed 's/.*"tables":{//' | tr -d '}' | tr ',' '\n' | awk -F: '{ sum += $2 } END { print sum }'
229376

$ tabiya info games.db games.pgn
tabiya: info: unexpected argument "games.pgn"...
[2]
