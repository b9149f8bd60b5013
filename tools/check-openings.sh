#!/bin/sh
# check-openings.sh - the build refuses an invalid table of openings: tools/check-openings.sh MAKE_OPENINGS
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# refuses MESSAGE LINE... - the lines are a table, their columns separated by |.
refuses() {
    message=$1
    shift
    printf '%s\n' "$@" | tr '|' '\t' >"$work/table"
    if "$make_openings" "$work/table" >/dev/null 2>"$work/errors" || ! grep -qF "$message" "$work/errors"; then
        echo "expected: $message"
        echo "found:    $(cat "$work/errors")"
        failed=1
    fi
}

make_openings=$1
refuses 'openings.tsv:3: the position has a name already: Zukertort Opening' \
    '# Two ways to one position.' 'A04|Zukertort Opening|Nf3 d5 g3' 'A07|Another Name|g3 d5 Nf3'
refuses 'openings.tsv:1: not a legal move: e5' 'B00|No Opening|e4 d5 e5 e5'
refuses 'openings.tsv:1: not a legal move: 0-0' 'C60|Not the Export Form|e4 e5 Nf3 Nc6 Bb5 a6 0-0'
refuses 'openings.tsv:2: not a code, a name and moves' 'B00|First|e4' 'B000|Long|d4'
refuses 'openings.tsv:1: not a code, a name and moves' 'B00|No Moves'
exit $failed
