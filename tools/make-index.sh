#!/bin/bash
# make-index.sh - updates the index of files in src/README.md from the first sentence of each file's head:
#
#     tools/make-index.sh             writes it
#     tools/make-index.sh --check     only checks whether it is up to date
set -eu
cd "$(dirname "$0")/../src"

# sentence FILE - "NAME - what it does.", the first sentence of the head, on one line.
sentence() {
    awk 'NR == 1 { next }
         { sub(/^ \*\/?/, ""); sub(/^ /, ""); text = text (text == "" || $0 == "" ? "" : " ") $0 }
         $0 == "" || /[.?]$/ { exit }
         END { print text }' "$1"
}

layers=(base position rules notation support game codec chessgame games row query table store store/sqlite store/sqlite/index store/postgres search tree)

index() {
    local layer file
    for layer in "${layers[@]}"; do
        printf '\n### %s\n\n| file | what it does |\n|---|---|\n' "$layer"
        for file in "$layer"/*.[ch]; do
            printf '| [`%s`](%s) | %s |\n' "${file##*/}" "$file" "$(sentence "$file" | sed 's/^[^ ]* - //')"
        done
    done
}

page=$(sed '/^## Index$/q' README.md)
page=$(printf '%s\n%s\n' "$page" "$(index)")
if [ "${1:-}" = --check ]; then
    diff README.md <(echo "$page") || { echo "src/README.md is not up to date: run tools/make-index.sh"; exit 1; }
else
    echo "$page" >README.md
fi
