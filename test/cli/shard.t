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
