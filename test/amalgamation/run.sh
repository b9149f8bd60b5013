#!/bin/sh
# run.sh - the library as two files compiles, and works:
#
#     test/amalgamation/run.sh BUILD              with cc; the programs in this folder give the right answers
#     test/amalgamation/run.sh BUILD COMPILER...  only compiles, without warnings: run.sh build/release gcc -O2 -std=c11
#     test/amalgamation/run.sh BUILD tcc          without the databases, for which it has too few headers
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
# works COMPILER... - compiles the library and runs a program with it.
works() {
    "$@" -c tabiya.c
    "$@" core.c tabiya.o -o core
    ./core >answer
    diff answer - <<'END'
perft 197281
r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
1-0
B20 Sicilian Defense
mate at ply 7
END
}
warnings='-Wall -Wextra -Wpedantic -Werror'
if [ "${1-}" = tcc ]; then
    command -v tcc >/dev/null || exit 77
    works tcc -Wall -Werror
    exit 0
elif [ $# -gt 0 ]; then
    command -v "$1" >/dev/null || exit 77
    "$@" $warnings -c tabiya.c
    [ -z "$has_sqlite" ] || "$@" $warnings -c tabiya_db.c
    libpq=$(pkg-config --cflags libpq 2>/dev/null) && "$@" $warnings -Wno-pedantic -DTABIYA_LIBPQ $libpq -fsyntax-only tabiya_db.c
    only_public tabiya*.o
    exit 0
fi
works cc -std=c11 $warnings
only_public tabiya.o

# The rules alone are smaller, and need nothing of the rest.
cc -std=c99 -DTABIYA_RULES_ONLY $warnings -c tabiya.c -o rules.o
cc -std=c99 -DTABIYA_RULES_ONLY $warnings rules.c rules.o -o rules
[ "$(./rules)" = "20 moves, 2 nodes" ]
[ $(($(wc -c <rules.o) * 3)) -lt $(($(wc -c <tabiya.o) * 2)) ]

# A C++ compiler says so in one line; the header is for both.
if command -v c++ >/dev/null; then
    ! c++ -x c++ -c tabiya.c -o wrong.o 2>errors
    grep -q 'error: #error "this file is C, not C++' errors
    printf '#include "tabiya.h"\nint main() { return 0; }\n' >header.cpp
    c++ $warnings header.cpp -o header
fi

[ "$has_sqlite" ] || exit 0
cc -std=c11 store.c tabiya.o tabiya_db.c -lsqlite3 -lpthread -lm -ldl -o store
./store games.db >answer
diff answer - <<'END'
game 1, ply 7
1 stored
END
