#!/bin/bash
# make-index.sh - renew the index of files in src/README.md from the first line of each file's head.
set -eu
cd "$(dirname "$0")/../src"

index() {
    local layer file
    for layer in base position rules notation game format value stream query table store store/sqlite tree; do
        [ -d "$layer" ] || continue
        printf '\n### %s\n\n| file | what it does |\n|---|---|\n' "$layer"
        for file in "$layer"/*.[ch]; do
            sed -n "2s@^ \* [^ ]* - \(.*\)@| [\`${file#"$layer"/}\`]($file) | \1 |@p" "$file"
        done
    done
}

page=$(sed '/^## Index$/q' README.md)
printf '%s\n%s\n' "$page" "$(index)" >README.md
