#!/bin/sh
# check-symbols.sh - the shared library exports exactly what tabiya.h, tabiya_value.h and tabiya_query.h declare:
#
#     tools/check-symbols.sh LIBRARY.so
set -eu
cd "$(dirname "$0")/.."

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
exit $failed
