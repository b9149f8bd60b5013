#!/bin/bash
# make-index.sh - updates the indexes of files in src/README.md and web/README.md from the first sentence of each file's head:
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

layers=(base position rules notation support os io pgn codec value opening readers row query publish table store store/sqlite store/sqlite/index store/postgres search tree)

index() {
    local layer file
    for layer in "${layers[@]}"; do
        printf '\n### %s\n\n| file | what it does |\n|---|---|\n' "$layer"
        for file in "$layer"/*.[ch]; do
            printf '| [`%s`](%s) | %s |\n' "${file##*/}" "$file" "$(sentence "$file" | sed 's/^[^ ]* - //')"
        done
    done
}

modules() {
    local file
    printf '\n| module | what it does |\n|---|---|\n'
    for file in ../web/*.mjs; do
        printf '| [`%s`](%s) | %s |\n' "${file##*/}" "${file##*/}" "$(sentence "$file" | sed 's/^[^ ]* - //')"
    done
}

# update PAGE INDEX - replaces what follows the heading Index in a page, or checks it.
update() {
    local page
    page=$(sed '/^## Index$/q' "$1")
    page=$(printf '%s\n%s\n' "$page" "$2")
    if [ "$mode" = --check ]; then
        diff "$1" <(echo "$page") || { echo "${1#../} is not up to date: run tools/make-index.sh"; exit 1; }
    else
        echo "$page" >"$1"
    fi
}

mode=${1:-}
update ../src/README.md "$(index)"
update ../web/README.md "$(modules)"
