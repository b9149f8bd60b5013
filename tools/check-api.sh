#!/bin/bash
# check-api.sh - every function in include/ is defined in a file named after its module, and every notation of the
# registries exists in PostgreSQL, whose functions need separate C names:
#
#     tools/check-api.sh
#
# A file fits if its name begins with a word of the function's name, singular or plural: tby_moves_list may be in move.c
# or movegen.c, tby_position_key in keys.c. For parts of the API that have their own folder (query, publish, table, store,
# search, tree), the folder decides.
set -u
cd "$(dirname "$0")/.." || exit 2

# Functions that are deliberately elsewhere.
declare -A exceptions=(
    [tby_text_is_utf16]=base/utf8.c           # the other encoding that files come in
    [tby_version]=base/error.c                # too small for a file of its own
    [tby_status_text]=base/error.c            # a status is the code of an error
    [tby_position_init]=rules/setup_faults.c  # a setup becomes a position where its faults are found
    [tby_position_undo]=position/play.c       # undoes what play did
    [tby_position_same]=position/keys.c       # the identity that the position's key represents
    [tby_position_is_checkmate]=rules/check.c # check, and no move
    [tby_position_is_stalemate]=rules/check.c # no check, and no move
    [tby_reason_text]=rules/outcome.c         # a reason is half of an outcome
    [tby_termination_text]=value/chessgame.c  # the same, as the values of SQL have it
    [tby_lan_write]=notation/san.c            # SAN with the whole origin
    [tby_target_step]=codec/packed_game.c    # in the kernel that steps through packed games
    [tby_value_kind_of]=value/chessboard.c    # by the header byte, which is drawn there
)
# The registries hold the notations of all modules.
registries=' notation/registry.c readers/game_registry.c '

failures=0
complain() {
    echo "$*"
    failures=$((failures + 1))
}

# declared - the functions of the headers, a line each.
declared() {
    sed -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' include/*.h | tr '\n' ' ' | tr ';' '\n' |
        sed -n 's/.*TBY_API [^(]*[ *]\(tby_[a-z0-9_]*\)(.*/\1/p'
}

# fits FUNCTION FILE
fits() {
    local word words file=${2##*/}
    case $2 in
    row/*) words=' row batch ' ;;
    query/*) words=' query row ' ;;
    tree/*) words=' tree ' ;;
    publish/*) words=' publisher ' ;;
    table/*) words=' table row arrow ' ;;
    store/* | search/*) words=' db ' ;;
    *) words= ;;
    esac
    IFS=_ read -ra parts <<<"${1#tby_}"
    case $words in *" ${parts[0]%s} "*) return 0 ;; esac
    for word in "${parts[@]}"; do
        [[ $file != "${word%s}"* ]] || return 0
    done
    return 1
}

# "FUNCTION FILE" for each definition: at the beginning of a line, or as an entry of a kernel.
definitions=$(cd src && grep -oE '^([a-z][^;={]*\b|TBY_KERNEL\(.*, )tby_[a-z0-9_]*[(,]' -r --include='*.c' . |
    sed -E 's|^\./([^:]*):(TBY_KERNEL.*, )?(.*\b)?(tby_[a-z0-9_]*)[(,]$|\4 \1|' |
    grep -v '^tby_cluster_.* store/postgres/connection.c$') # those that refuse, for want of libpq
for function in $(declared); do
    file=$(awk -v f="$function" '$1 == f { print $2 }' <<<"$definitions" | sort -u)
    case $file in
    '') complain "$function: no definition found" ;;
    *$'\n'*) complain "$function: several definitions: ${file//$'\n'/, }" ;;
    *)
        [ "${exceptions[$function]:-}" != "$file" ] || { unset "exceptions[$function]"; continue; }
        case $registries in *" $file "*) case $function in *_notation_*) continue ;; esac ;; esac
        fits "$function" "$file" || complain "$function: is not of the module that $file is named after"
        ;;
    esac
done
for function in "${!exceptions[@]}"; do
    complain "$function: is an exception that is not needed"
done

# notation_rows FILE - the names in the rows of a registry.
notation_rows() {
    sed -n -e 's/^    {"\([a-z0-9-]*\)",.*/\1/p' -e 's/^    \.name = "\([a-z0-9-]*\)",/\1/p' "$@"
}
for name in $(notation_rows src/notation/registry.c src/readers/*_games.c); do
    [ "$name" = san ] || grep -qi "\"to${name//-/}\(moves\)\?\"" bindings/postgres/shared.c ||
        complain "$name: bindings/postgres/shared.c does not write it"
    # Nothing reads svg; PGN is read by the type itself.
    [[ $name = @(svg|pgn) ]] || grep -qE "READS.*, \"$name\"" bindings/postgres/notations.c ||
        grep -qi "\"from${name//-/}\"" bindings/postgres/shared.c ||
        complain "$name: neither notations.c nor shared.c of bindings/postgres reads it"
done

# The header should be short enough to read in one go; anything other than rules, notations, PGN, streams and registries
# has its own header.
lines=$(wc -l <include/tabiya.h)
[ "$lines" -lt 920 ] || complain "include/tabiya.h: $lines lines, 920 or more"
[ "$failures" -eq 0 ]
