#!/bin/bash
# check-format.sh - every C file is laid out as `make format` would lay it out.
#
# Versions of clang-format differ in details, so only the one in Debian 12 is used (14); CLANG_FORMAT names another
# program of that version. Without it the test is skipped.
set -u
cd "$(dirname "$0")/.." || exit 2

program=${CLANG_FORMAT:-clang-format}
version=$("$program" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [ "${version:-}" != 14 ]; then
    echo "check-format: needs clang-format 14, found ${version:-none}; skipped"
    exit 77
fi
files=$(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' 2>/dev/null) || exit 77 # no repository
if found=$(xargs "$program" --dry-run -Werror <<<"$files" 2>&1); then
    exit 0
fi
grep 'error:' <<<"$found" | cut -d: -f1,2 | sort -u >&2
echo "check-format: these lines are not as clang-format writes them; run \`make format\`" >&2
exit 1
