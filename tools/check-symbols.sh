#!/bin/sh
# check-symbols.sh - the shared library exports exactly what tabiya.h, tabiya_value.h and tabiya_query.h declare, and
# what packaging/debian/libtabiya2.symbols lists:
#
#     tools/check-symbols.sh LIBRARY.so
#     tools/check-symbols.sh --update LIBRARY.so    adds new symbols to that list
#
# Removing a symbol from the library breaks existing programs, and requires the next major version.
set -eu
cd "$(dirname "$0")/.."

update=
[ "$1" != --update ] || { update=yes; shift; }
list=packaging/debian/libtabiya2.symbols
[ -e "$1" ] || { echo "check-symbols: $1 does not exist" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$1" | awk '{ print $3 }' | sort >"$work/exported"
# A declared function is a name before a bracket, outside of comments.
sed -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' include/tabiya.h include/tabiya_value.h include/tabiya_query.h |
    tr '\n' ' ' | tr ';' '\n' | sed -n 's/.*TBY_API [^(]*[ *]\(tby_[a-z0-9_]*\)(.*/\1/p' | sort >"$work/declared"

failed=0
complain() {
    echo "$1:"
    sed 's/^/    /' "$2"
    failed=1
}
grep -v '^tby_' "$work/exported" >"$work/unprefixed" && complain "exported without the prefix tby_" "$work/unprefixed"
comm -23 "$work/exported" "$work/declared" >"$work/undeclared"
comm -13 "$work/exported" "$work/declared" >"$work/undefined"
[ ! -s "$work/undeclared" ] || complain "exported but in no header" "$work/undeclared"
[ ! -s "$work/undefined" ] || complain "in a header but not exported" "$work/undefined"

sed -n 's/^ \(tby_[a-z0-9_]*\)@.*/\1/p' $list | sort >"$work/listed"
comm -23 "$work/exported" "$work/listed" >"$work/new"
comm -13 "$work/exported" "$work/listed" >"$work/gone"
if [ -n "$update" ] && [ -s "$work/new" ]; then
    part() { sed -n "s/^#define TBY_VERSION_$1 \([0-9]*\)$/\1/p" include/tabiya.h; }
    version=$(part MAJOR).$(part MINOR).$(part PATCH)
    { grep '^ ' $list; sed "s/.*/ &@Base $version/" "$work/new"; } | sort >"$work/symbols"
    { grep -v '^ ' $list; cat "$work/symbols"; } >"$work/list"
    cp "$work/list" $list
elif [ -s "$work/new" ]; then
    complain "not in $list; tools/check-symbols.sh --update $1 adds" "$work/new"
fi
[ ! -s "$work/gone" ] || complain "in $list, but gone" "$work/gone"
exit $failed
