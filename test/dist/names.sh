#!/bin/sh
# names.sh - the installed archives define no global names except tby_...: programs may use any other name for their own
# functions.
#
#     test/dist/names.sh BUILD
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")"
command -v objcopy >/dev/null && command -v nm >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
DESTDIR=$folder cmake --install "$build" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
libraries=$(dirname "$(find "$folder" -name libtabiya.a)")
found=$(nm -g --defined-only "$libraries"/libtabiya*.a | awk 'NF == 3 && $3 !~ /^tby_/ { print $3 }')
[ -z "$found" ] || { echo "names.sh: global names without tby_: $found" >&2; exit 1; }

# Functions with the names of internal ones, which do something else.
names=$(nm -g --defined-only "$build"/src/libtabiya.a "$build"/src/libtabiya_db.a 2>/dev/null |
    awk 'NF == 3 && $2 == "T" && $3 !~ /^tby_/ { print $3 }' | sort -u)
[ "$(echo "$names" | wc -l)" -gt 100 ]
include=$(dirname "$(find "$folder" -name tabiya.h)")
{
    echo '#include <stdlib.h>'
    echo '#include "tabiya_value.h"'
    for name in $names; do echo "void $name(void); void $name(void) { abort(); }"; done
    cat own_names.c
} >"$folder/own.c"
cc -std=c11 -I "$include" "$folder/own.c" "$libraries/libtabiya.a" -lm -o "$folder/own"
[ "$("$folder/own")" = '{"tags":[["Event","?"]],"result":"1-0","moves":[{"san":"e4"},{"san":"e5"}]}' ]
