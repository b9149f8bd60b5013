# tabiya shard: mistakes in use; test/postgres/shards.sh does the work.

$ tabiya shard
tabiya: shard: init, add, move or status? try --help
[2]
$ tabiya shard initialise postgresql:///a
tabiya: shard: cannot "initialise"; it can init, add, move or status
[2]
$ tabiya shard stats postgresql:///a
tabiya: shard: cannot "stats"; did you mean "status"?
[2]
$ tabiya shard init postgresql:///a
tabiya: shard init: the URL of a coordinator and of at least one shard are needed; try --help
[2]
$ tabiya shard init games.db postgresql:///a
tabiya: shard init: "games.db" is not a URL of a PostgreSQL database, postgresql://USER@HOST/NAME
[2]
$ tabiya shard status --share 50 postgresql:///a
tabiya: shard status: takes no option --share
[2]
$ tabiya shard move postgresql:///a 1
tabiya: shard move: the URL of the coordinator and the numbers of two shards are needed; try --help
[2]
$ tabiya shard move postgresql:///a 1 2 --share 0
tabiya: shard move: --share must be a number from 1 to 100, not "0"
[2]
$ tabiya shard add postgresql:///a
tabiya: shard add: the URLs of the coordinator and of the new shard are needed; try --help
[2]
$ tabiya shard --help | grep -c 'coordinator'
...

# Passwords are not shown, whatever the command, and whatever libpq would say of an address that it cannot read.

$ for u in 'postgresql://u:hush@localhost:1/db' 'postgresql://u:x@hush:hush@localhost/db' 'postgresql://u:hush/hush@localhost/db' 'postgresql://u:hush?hush@localhost/db' 'postgresql://u:hush%zz@localhost/db' 'postgresql://u:hush' 'postgresql://u@localhost:1/db?password=hush' 'postgresql://u:a hush@localhost:1/db' "postgresql://u:a'hush@localhost:1/db"; do for c in info check pgn rows names "serve --port 0" "shard" "shard status" verify find export "convert --to fen" "tree show" "sql"; do tabiya $c "$u" </dev/null; done; tabiya pgn --unique --known "$u" "$SOURCE/examples/famous.pgn" >/dev/null; tabiya import "$u" /dev/null; tabiya shard init "$u" "$u"; tabiya shard add "$u" "$u"; done >out 2>&1; grep -c hush out; grep -c '\*\*\*' out | grep -c ...
0
1

$ tabiya shard postgresql://u:hush@localhost/db status; tabiya check postgresql://u:hush@localhost/db >/dev/null
tabiya: shard: cannot "postgresql://u:***@localhost/db"; it can init, add, move or status
tabiya: postgresql://u:***@localhost/db: No such file or directory
[2]
