#!/bin/bash
# criteria.sh - selects games as a table of tag criteria says: test/cli/criteria.sh PROGRAM FOLDER
#
# Of the rows of criteria.tsv, those are checked whose file is in the folder. The last line is "N passed, N failed".
set -u
criteria=$(mktemp "${TMPDIR:-/tmp}/tabiya-criteria.XXXXXX")
trap 'rm -f "$criteria"' EXIT
passed=0
failed=0
while IFS=$'\t' read -r file lines games theirs why; do
    [[ $file != '#'* && -e $2/$file ]] || continue
    printf '%s\n' "${lines// ; /$'\n'}" >"$criteria"
    found=$("$1" pgn --criteria "$criteria" --count "$2/$file" 2>&1)
    if [ "$found" != "$games" ] || { [ -z "$why" ] && [ "$games" != "$theirs" ]; }; then
        echo "$file: $lines: $found games, not $games"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done <"$(dirname "$0")/criteria.tsv"
echo "$passed passed, $failed failed"
[ "$passed" -gt 50 ] && [ "$failed" -eq 0 ]
