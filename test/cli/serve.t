# When the server refuses to start; its answers are tested in test/serve.

$ tabiya serve --help | head -n 3
Usage: tabiya serve [OPTION]... [DB]
...

$ tabiya serve a.db b.db
tabiya: serve: only one database can be served, not also b.db
[2]

$ tabiya serve --port x
tabiya: serve: --port must be a number from 0 to 65535, not "x"
[2]

$ tabiya serve --timeout 0
tabiya: serve: --timeout must be a number from 1 to 3600, not "0"
[2]
