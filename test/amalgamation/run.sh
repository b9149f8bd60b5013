#!/bin/sh
# run.sh - the library as two files compiles, and works:
#
#     test/amalgamation/run.sh BUILD              with cc; the programs in this folder give the right answers
#     test/amalgamation/run.sh BUILD COMPILER...  only compiles, without warnings: run.sh build/release gcc -O2
#
# make.sh creates the files, once for all compilers.
set -eu
cd "$(dirname "$0")/../.."
[ -x /usr/bin/python3 ] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1"/amalgamated/* test/amalgamation/*.c "$folder"
cd "$folder"
shift
has_sqlite=$(printf '#include <sqlite3.h>\n' | cc -E - >/dev/null 2>&1 && echo yes || true)

# Without warnings, and using only the headers next to it.
# only_public FILE... - no global name in these objects can clash with one of the user's program.
only_public() {
    found=$(nm -g --defined-only "$@" | awk 'NF == 3 && $3 !~ /^tby_/ { print $3 }')
    [ -z "$found" ] || { echo "global names without tby_: $found" >&2; exit 1; }
}
warnings='-std=c11 -Wall -Wextra -Werror'
if [ $# -gt 0 ]; then
    command -v "$1" >/dev/null || exit 77
    "$@" $warnings -c tabiya.c
    [ -z "$has_sqlite" ] || "$@" $warnings -c tabiya_db.c
    only_public tabiya*.o
    exit 0
fi
cc $warnings -c tabiya.c
only_public tabiya.o
cc $warnings core.c tabiya.o -o core
./core >answer
diff answer - <<'END'
perft 197281
r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
1-0
B20 Sicilian Defense
mate at ply 7
END

[ "$has_sqlite" ] || exit 0
cc -std=c11 store.c tabiya.o tabiya_db.c -lsqlite3 -lpthread -lm -ldl -o store
./store games.db >answer
diff answer - <<'END'
game 1, ply 7
1 stored
END
