#!/bin/sh
# prefix-internals.sh - puts tby__ before the internal names of installed archives, so that a program may use these
# names for its own functions: packaging/cmake/prefix-internals.sh FOLDER
#
# The archives use each other's internals, so all of them are renamed alike. Does nothing where binutils are missing, and
# nothing to archives that were renamed already.
set -eu
cd "$1"
command -v nm >/dev/null && command -v objcopy >/dev/null || exit 0
names=$(mktemp)
trap 'rm -f "$names"' EXIT
nm -g --defined-only libtabiya*.a | awk 'NF == 3 && $3 !~ /^tby_/ { print $3, "tby__" $3 }' | sort -u >"$names"
for archive in libtabiya*.a; do
    [ ! -s "$names" ] || objcopy --redefine-syms="$names" "$archive"
done
