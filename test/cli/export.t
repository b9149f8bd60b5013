# tabiya export: writes the games of a database to files.

$ . "$SOURCE/test/cli/games.sh"; tabiya import games.db games.pgn odd.pgn
tabiya: odd.pgn:10:93: warning: null move in the main line: "--" (game 1)
10 games read: 10 stored, 0 duplicates, 0 rejected

# Nothing is lost.

$ tabiya export games.db 2>/dev/null | cmp - <(tabiya convert --to pgn games.pgn odd.pgn 2>/dev/null)

$ tabiya export games.db --to json 2>/dev/null | cmp - <(tabiya convert --to json games.pgn odd.pgn 2>/dev/null)

$ tabiya export games.db --to cmbr -o games.cmbr 2>/dev/null; \
    tabiya convert --to pgn games.cmbr 2>/dev/null | cmp - <(tabiya export games.db 2>/dev/null)

# not under Wine: it cannot open /dev/fd/63
$ exec 2>/dev/null; tabiya import again.db <(tabiya export games.db) >/dev/null; tabiya export again.db | cmp - <(tabiya export games.db)

$ tabiya import famous.db "$SOURCE"/examples/*.pgn >/dev/null; tabiya export famous.db | cmp - <(tabiya convert --to pgn "$SOURCE"/examples/*.pgn)

$ tabiya export games.db 'event Annotated'
[Event "Annotated"]
[Date "2019"]
[White "Jörg \"J\" \\ Ö"]
[Black "B"]
[WhiteElo "2400?"]
[BlackElo ""]
[ECO "b90"]
[Annotator "N. N."]

{before} 1. e4 {good [%clk 0:01:00]} 1... c5 $1 $14 (1... e5 2. Nf3 (2. f4 exf4
) 2... Nc6) 2. -- d6 *

tabiya: export: games.db: game 6: warning: null move in the main line (ply 3)

# The conditions are those of find.

$ tabiya export games.db --player anna --result 1/2-1/2 -o draw.pgn; cat draw.pgn
[Event "Club \"A\""]
[Site "?"]
[Date "2021.12.31"]
[Round "2"]
[White "Anna"]
[Black "So, W"]
[Result "1/2-1/2"]
[WhiteElo "1900"]
[BlackElo "2750"]
[ECO "C20"]

1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 1/2-1/2

$ tabiya export games.db --limit 2 --to json | wc -l
2

$ tabiya export games.db --player Nobody
tabiya: export: no game found...
[1]

# Errors.

$ tabiya export games.db --to fin
tabiya: export: option --to must be one of lines...not "fin"
[2]

$ tabiya export games.db -o games.db; tabiya verify games.db
tabiya: export: games.db cannot be both input and output
games.db: game 6: warning: null move in the main line (ply 3)
10 games, 0 faults

$ tabiya export games.db -o no/such/folder
tabiya: cannot write to no/such/folder: No such file or directory
[2]

$ tabiya export games.db >/dev/full
tabiya: export: games.db: game 6: warning: null move in the main line (ply 3)
tabiya: cannot write to standard output: No space left on device
[2]

$ tabiya export no.db -o kept.pgn; ls kept.pgn
tabiya: export: no.db: No such file or directory
ls: cannot access 'kept.pgn': No such file or directory
[2]

# A damaged game is reported, the others are written. Its moves are found in the file by their bytes.

$ cp games.db bad.db; LC_ALL=C sed -i 's/N\. N\./N. M./' bad.db; tabiya export bad.db >bad.pgn; tabiya pgn --count bad.pgn
tabiya: export: bad.db: game 6 is damaged: the checksum does not match
9

$ tabiya export games.db Anna | grep -c White; tabiya export games.db Annna
tabiya: export: read as: player ~"Anna"
7
tabiya: export: no such word: "Annna"; for a name: player Annna; similar names: "Anna", "anna"
  Annna
  ^
[2]
