#!/bin/bash
# run-examples.sh - runs the examples of README.md and docs/ as a user would, with the library installed:
#
#     test/docs/run-examples.sh BUILD_FOLDER CC
set -eu
cd "$(dirname "$0")/../.."

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cmake --install "$1" --prefix "$stage" >/dev/null
mkdir "$stage/tools"
ln -s "$(command -v "$2")" "$stage/tools/cc"

pc=$(dirname "$(find "$stage" -name tabiya.pc)")
export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=${pc%/pkgconfig}
export PATH=$stage/bin:$stage/tools:$PATH LC_ALL=C.UTF-8 NO_COLOR=1
unset CDPATH

# The page on SQLite needs its shell and the extension.
has_sqlite() { command -v sqlite3 >/dev/null && [ -e "${pc%/pkgconfig}/sqlite3" ]; }

# The pages about the server need an HTTP client.
can_ask() { command -v curl >/dev/null && command -v jq >/dev/null; }

failed=0
for page in README.md docs/*.md; do
    [ -e "$page" ] || continue
    [ "$page" != docs/sqlite.md ] || has_sqlite || continue
    [ "$page" != docs/api.md ] || can_ask || continue
    [ "$page" != docs/recipes.md ] || can_ask || continue
    [ "$page" != docs/postgres.md ] || continue # needs a server: test/postgres/docs.sh
    echo "$page"
    test/transcript.sh "$page" || failed=1
done
exit $failed
