#!/bin/bash
# check-words.sh - new text does not use the expressions listed here, which make readers stumble.
#
#     tools/check-words.sh             fails if a file has more of them than tools/words.txt allows
#     tools/check-words.sh --update    lowers the numbers in tools/words.txt to what the files have
#
# tools/words.txt has one line per file: how many lines may match, and the path. A file that is not listed may have
# none. --update never raises a number and never adds a file; where an expression is the right one, edit the list by
# hand. Only whole words count, in upper or lower case, on one line.
set -u
cd "$(dirname "$0")/.." || exit 2

list=tools/words.txt
expressions=(
    'unless given'                                 # (default: X)
    'anew' 'once more'                             # again
    'so (many|much)'                               # that many, up to N
    'those who'                                    # people who, users who
    'pictures? of the database'                    # snapshot
    '(is|are|was|were|be) told'                    # reported, shown
    '(goes|go|went) on'                            # continues
    'laid down'                                    # stored
    'of which'                                     # start a new sentence
    'by chance'                                    # random
    'gives? nothing'                               # returns no result
    '(is|are) not for'                             # does not support, does not apply to
    '(a|any|every|each|no|white|black) man'        # piece
    '(the|its|whose|all|no|these|white|black) men' # pieces
    'bytes an? (game|ply|position|row|move|record)' # bytes per game
    '(row|line|object) an? (game|move|row|position)' # one row per move
    '(its|their) kin'                              # derivatives, related functions
    'comes? by'                                    # reaches
    'brings?' 'brought'                            # has, contains, adds
    'of late'                                      # recently
    'small letters'                                # lower case
    'inside each other'                            # nested
    'asked of'                                     # checked against, sent to
    'means? nothing'                               # is invalid, has no effect
    'told why'                                     # the message says why
)
plain=(
    'man (page|macros)'                    # Unix manuals
    'told apart'                           # distinguished
    '(each|all|most|some|one|none) of which'
)
any() {
    local IFS='|'
    echo "\\b($*)\\b"
}

files=$(git ls-files -- ':!tools/check-words.sh' ":!$list" 2>/dev/null) || exit 77 # no repository
found=$(xargs grep -InHiE "$(any "${expressions[@]}")" -- <<<"$files" | grep -viE "$(any "${plain[@]}")")

# "COUNT FILE" for every file that has any.
counts() { cut -d: -f1 <<<"$found" | sort | uniq -c; }

if [ "${1:-}" = --update ]; then
    new=$(awk -v list="$list" 'FILENAME != list { n[$2] = $1; next }
        $2 in n { print (n[$2] < $1 ? n[$2] : $1), $2 }' <(counts) "$list")
    echo "$new" >"$list"
    exit
fi
[ -n "$found" ] || exit 0
worse=$(awk -v list="$list" 'FILENAME == list { allowed[$2] = $1; next }
    $1 > allowed[$2] + 0 { print $2, $1, allowed[$2] + 0 }' "$list" <(counts))
[ -n "$worse" ] || exit 0
while read -r file n allowed; do
    grep -F "$file:" <<<"$found"
    echo "check-words: $file: $n such lines, $allowed allowed; tools/check-words.sh says what to write instead"
done <<<"$worse" >&2
exit 1
