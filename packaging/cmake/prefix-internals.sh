#!/bin/sh
# prefix-internals.sh - adds the prefix tby__ to the internal names in installed archives, so that programs may use
# these names for their own functions: packaging/cmake/prefix-internals.sh FOLDER
#
# The archives use each other's internals, so all of them are renamed in the same way. Does nothing if binutils are
# missing, or to archives that were already renamed.
set -eu
cd "$1"
command -v nm >/dev/null && command -v objcopy >/dev/null || exit 0
names=$(mktemp)
trap 'rm -f "$names"' EXIT
nm -g --defined-only libtabiya*.a | awk 'NF == 3 && $3 !~ /^tby_/ { print $3, "tby__" $3 }' | sort -u >"$names"
for archive in libtabiya*.a; do
    [ ! -s "$names" ] || objcopy --redefine-syms="$names" "$archive"
done
