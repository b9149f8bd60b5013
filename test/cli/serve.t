# When the server refuses to start; its answers are tested in test/serve.

$ tabiya serve --help | head -n 3
Usage: tabiya serve [OPTION]... [GAMES]...
...

$ tabiya serve missing.db
tabiya: serve: missing.db: No such file or directory
[2]

$ mkdir folder

$ tabiya serve folder
tabiya: serve: folder is a folder...
[2]

$ tabiya serve --port x
tabiya: serve: --port must be a number from 0 to 65535, not "x"
[2]

$ tabiya serve --timeout 0
tabiya: serve: --timeout must be a number from 1 to 3600, not "0"
[2]
