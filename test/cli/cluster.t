# tabiya cluster: mistakes in use; test/postgres/citus_setup.sh does the work.

$ tabiya cluster
tabiya: cluster: no action given...
[2]
$ tabiya shard initialise postgresql:///a
tabiya: unknown command "shard"; it is called cluster now
[2]
$ tabiya cluster stats postgresql:///a
tabiya: cluster: unknown action "stats"; did you mean "status"?
[2]
# not under Wine: without libpq it shows less of a URL
$ tabiya cluster init games.db postgresql:///a
tabiya: cluster init: "games.db" is not a URL of a PostgreSQL database, postgresql://USER@HOST/NAME
[2]
$ tabiya cluster add postgresql:///a
tabiya: cluster add: the URLs of the coordinator and of the new worker are needed...
[2]
$ tabiya cluster --help | grep -c 'coordinator'
...

# Passwords are not shown, whatever the command, and whatever libpq says about an address that it cannot parse.

$ for u in 'postgresql://u:hush@localhost:1/db' 'postgresql://u:x@hush:hush@localhost/db' \
    'postgresql://u:hush/hush@localhost/db' 'postgresql://u:hush?hush@localhost/db' \
    'postgresql://u:hush%zz@localhost/db' 'postgresql://u:hush' 'postgresql://u@localhost:1/db?password=hush' \
    'postgresql://u:a hush@localhost:1/db' "postgresql://u:a'hush@localhost:1/db" \
    'POSTGRESQL://u:hush@localhost:1/db' 'postgresql:/u:hush@localhost' 'postgresql:u:hush@localhost' \
    'postgres:u:hush@localhost' 'postgresql://localhost:1/db?PASSWORD=hush' \
    'postgresql://localhost:1/db?pass%77ord=hush' 'host=localhost port=1 password=hush' 'PASSWORD = hush' \
    'postgresql//u:hush@localhost/db' 'mysql://u:hush@localhost' 'postgresql+driver://u:x@hush@localhost/db' \
    'https://u:hush@localhost/games.pgn' 'https://localhost/games.pgn?token=hush' 'u:hush@localhost/db' \
    'scram_client_key=hush' "port=1 host=localhost password='a hush'"; do \
    for c in info check pgn rows names "serve --port 0" "cluster" "cluster status" verify find export \
    "convert --to fen" "tree show" "sql"; do tabiya $c "$u" </dev/null; done; \
    tabiya pgn --unique --known "$u" "$SOURCE/examples/famous.pgn" >/dev/null; tabiya import "$u" /dev/null; \
    tabiya cluster init "$u" "$u"; tabiya cluster add "$u" "$u"; done >out 2>&1; grep -c hush out; \
    grep -c '\*\*\*' out | grep -c ...
0
1

# Nor do they become names of files.

$ ls | grep -c hush
0
[1]

# not under Wine: the same
$ tabiya cluster postgresql://u:hush@localhost/db status
tabiya: cluster: unknown action "postgresql://u:***@localhost/db"...
[2]
