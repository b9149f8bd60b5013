#!/bin/bash
# check.sh - checks the source and the bare objects: tools/check.sh [--update] SUBJECT [FILE]
#
#     layers LIBRARY.a          the layers of src/: nothing includes upward; the core uses neither libc nor global state
#     api                       each function of include/ is in the file of its module, each notation in PostgreSQL
#     header CC                 each public header compiles alone, as C99, C11 and C++
#     abi CC                    structures have the sizes and offsets of tools/abi.txt; --update writes that file
#     symbols LIBRARY.so        the library exports what its headers declare and packaging/debian/libtabiya2.symbols
#                               lists; --update adds new symbols to that list
#     format                    every C file is laid out as `make format` would lay it out
#     words                     text does not use expressions that make readers stumble; --update lowers the numbers of
#                               tools/words.txt to what the files have
#     walks                     the tables of docs/architecture.md are correct
#     openings MAKE_OPENINGS    the build refuses an invalid table of openings
#     wasm GENERATED_FOLDER     the core compiles for WebAssembly, without any C library
#     32bit                     everything compiles for 32-bit pointers without warnings
#
# Exits with 77 if a required tool is missing.
set -u
cd "$(dirname "$0")/.." || exit 2

update=
[ "${1:-}" != --update ] || { update=yes; shift; }
subject=${1:-} given=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}

# skip WHY
skip() {
    echo "$1"
    exit 77
}

# declared HEADER... - the functions they declare, one per line: names before a bracket, outside of comments.
declared() {
    sed -e 's|/\*.*\*/||' -e '/\/\*/,/\*\//d' "$@" | tr '\n' ' ' | tr ';' '\n' |
        sed -n 's/.*TBY_API [^(]*[ *]\(tby_[a-z0-9_]*\)(.*/\1/p'
}

# ---- layers --------------------------------------------------------------------------------------------------------

# Only the files of src/os/ that end in _posix.c or _windows.c, and the few headers that must, include headers of the
# operating system.
#
# Layers, lowest first: a file includes its own layer and those before it, but publish, table, store with search,
# and tree nothing of each other; and of include/ tabiya.h, tabiya_value.h and what `headers` lists for its layer. The core
# layers include no header of the hosted C library except those in `freestanding`, and have no writable data. Front ends
# include only the headers of include/, src/support/, src/os/ and src/io/ and their own files; the program has three parts, common,
# server and cli. None of these parts includes sqlite3.h: only the store uses SQLite. The guard of a header is its path.
declare -A headers=(
    [row]="tabiya_query.h tabiya_db.h"
    [query]=tabiya_query.h
    [publish]="tabiya_query.h tabiya_publish.h"
    [table]="tabiya_query.h tabiya_table.h"
    [store]="tabiya_query.h tabiya_db.h"
    [search]="tabiya_query.h tabiya_db.h"
    [tree]=tabiya_tree.h
)
layers=(base position rules notation support os io pgn codec value opening readers row query publish table store search tree)
core=" base position rules notation "
rooms=(program/common program/server program/cli) # of the program, lowest first; each uses itself and those before it
front_ends=("${rooms[@]}" bindings/{sql,sqlite,duckdb,postgres,wasm,python/src})
freestanding=" stdbool.h stddef.h stdint.h limits.h emmintrin.h immintrin.h "

# "quotes NAME" and "angles NAME", the includes of one file.
includes() {
    sed -n -e 's/^ *# *include *"\([^"]*\)".*/quotes \1/p' -e 's/^ *# *include *<\([^>]*\)>.*/angles \1/p' "$1"
}

# check_include FILE LAYER "ALLOWED LAYERS" KIND NAME
check_include() {
    local file=$1 layer=$2 allowed=$3 kind=$4 name=$5
    if [ "$kind" = angles ]; then
        case $core in *" $layer "*) ;; *) return ;; esac
        case $freestanding in *" $name "*) ;; *) complain "$file: the core must not include <$name>" ;; esac
    elif [[ " tabiya.h tabiya_value.h ${headers[$layer]:-} " != *" $name "* ]]; then
        case $name in */*) ;; *) name=$layer/$name ;; esac
        case $allowed in *" ${name%%/*} "*) ;; *) complain "$file: includes upward: $name" ;; esac
        [ -e "src/$name" ] || complain "$file: no such file: src/$name"
    fi
}

check_includes() {
    local allowed=" " layer file kind name
    for layer in "${layers[@]}"; do
        allowed="$allowed$layer "
        [ "$layer" != tree ] || allowed=${allowed/ store search / }
        [ "$layer" = publish ] || allowed=${allowed/ publish / }
        [ "$layer" = table ] || allowed=${allowed/ table / }
        for file in src/"$layer"/{,*/,*/*/}*.[ch]; do
            [ -e "$file" ] || continue
            while read -r kind name; do
                check_include "$file" "$layer" "$allowed" "$kind" "$name"
            done < <(includes "$file")
        done
    done
}

# is_in_rooms FOLDER NAME - is the file in this part of the program or in one below it?
is_in_rooms() {
    local room
    case " ${rooms[*]} " in *" $1 "*) ;; *) return 1 ;; esac
    for room in "${rooms[@]}"; do
        ! compgen -G "$room/$2" >/dev/null && ! compgen -G "$room/*/$2" >/dev/null || return 0
        [ "$room" != "$1" ] || return 1
    done
}

# A failed allocation must fail only one request, and an error must reach the caller: nothing below the commands prints
# or ends the program.
check_answers() {
    local found
    local prints='printf|vprintf|puts|putchar|fputs|fprintf|vfprintf|perror|stderr|stdout'
    found=$(grep -nE "\b(exit|_Exit|abort|$prints)\b *[(;,)]" src/io/*.[ch] program/{common,server}/*.[ch] | grep -v 'format(printf')
    [ -z "$found" ] || complain "src/io/, program/common/ and program/server/ must not print or end the program:"$'\n'"$found"
}

# What is not in the C standard, and does not exist on every system.
check_seam() {
    local found
    found=$(grep -nE '^ *# *include *<(arpa/|dirent|dlfcn|fcntl|io\.h|langinfo|locale|net/|netdb|netinet/|poll|process\.h|pthread|pwd|signal|spawn|sys/|termios|unistd|windows|winsock2|ws2tcpip)' \
        -r src program bindings --include='*.[ch]' |
        grep -vE '^(src/os/[a-z]+_(posix|windows)\.c|src/os/(posix|windows|threads|wait)\.h|bindings/postgres/):')
    [ -z "$found" ] || complain "only src/os/ calls the operating system (see CONTRIBUTING.md):"$'\n'"$found"
    for file in src/os/*_posix.c; do
        [ -e "${file%_posix.c}_windows.c" ] || complain "$file: no file for Windows beside it"
    done
}

check_front_ends() {
    local folder file kind name
    for folder in "${front_ends[@]}"; do
        for file in "$folder"/*.[ch] "$folder"/*/*.[ch]; do
            [ -e "$file" ] || continue
            while read -r kind name; do
                [[ " ${rooms[*]} " != *" $folder "* || $name != sqlite3* ]] ||
                    complain "$file: only the store and the SQLite extension know <$name>"
                [[ $kind = angles || $name != *..* && ( -e include/$name || -e $folder/$name || $name = @(support|os|io)/* && -e src/$name ) ]] ||
                    is_in_rooms "$folder" "$name" ||
                    [[ $folder = bindings/@(sqlite|duckdb|postgres) && -e bindings/sql/$name ]] || # they share its functions
                    complain "$file: a front end includes the headers of include/, src/support/, src/os/ and src/io/ and its own files, not \"$name\""
            done < <(includes "$file")
        done
    done
}

# check_guard FILE GUARD
check_guard() {
    grep -qx "#ifndef $2" "$1" && grep -qx "#define $2" "$1" || complain "$1: the include guard must be $2"
}

# Headers that are included several times on purpose have no guard.
check_guards() {
    local file guard
    for file in $(grep -lE '^#ifndef [A-Z0-9_]+_H$' -r --include='*.h' src program); do
        guard=${file%.h}_H
        guard=${guard^^}
        guard=${guard//\//_}
        case $guard in SRC_*) check_guard "$file" "TBY_${guard#SRC_}" ;; *) check_guard "$file" "TABIYA_${guard#PROGRAM_}" ;; esac
    done
}

# Constants that hold addresses are in .data.rel.ro, which is read-only once the program runs.
check_state() {
    local symbols
    symbols=$(objdump -t "$1" | awk '
        /^[^ ]*:     file format/ { file = $1 }
        $NF !~ /^\./ && $0 ~ /[ \t](\.(data|bss|tdata|tbss)(\.[^ \t]*)?|\*COM\*)[ \t]/ && $0 !~ /\.data\.rel\.ro/ {
            print file, $NF
        }')
    [ -z "$symbols" ] || complain "writable data in $1:"$'\n'"$symbols"
}

check_layers() {
    check_includes
    check_seam
    check_front_ends
    check_answers
    check_guards
    check_state "$given"
}

# ---- api -----------------------------------------------------------------------------------------------------------

# A file fits if its name begins with a word of the function's name, singular or plural: tby_moves_list may be in move.c
# or movegen.c, tby_position_key in keys.c. For parts of the API that have their own folder (query, publish, table, store,
# search, tree), the folder decides.
# Functions that are deliberately elsewhere.
declare -A exceptions=(
    [tby_text_is_utf16]=base/utf8.c           # the other encoding that files come in
    [tby_version]=base/error.c                # too small for a file of its own
    [tby_status_text]=base/error.c            # a status is the code of an error
    [tby_position_init]=rules/setup_faults.c  # a setup becomes a position where its faults are found
    [tby_position_undo]=position/play.c       # undoes what play did
    [tby_position_same]=position/keys.c       # the identity that the position's key represents
    [tby_position_is_check]=rules/outcome.c   # check,
    [tby_position_is_checkmate]=rules/outcome.c # and no move,
    [tby_position_is_stalemate]=rules/outcome.c # or no move without check
    [tby_moves_write]=notation/line.c         # all legal moves as a line
    [tby_reason_text]=rules/outcome.c         # a reason is half of an outcome
    [tby_termination_text]=value/chessgame.c  # the same, as the values of SQL have it
    [tby_speed_read]=row/tag_values.c         # from the TimeControl tag
    [tby_speed_text]=row/tag_values.c
    [tby_lan_write]=notation/san.c            # SAN with the whole origin
    [tby_target_step]=codec/packed_game.c    # in the kernel that steps through packed games
    [tby_value_kind_of]=value/chessboard.c    # by the header byte, which is drawn there
)
# The registries hold the notations of all modules.
registries=' notation/registry.c readers/games.c '

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

check_definitions() {
    local definitions function file
    # "FUNCTION FILE" for each definition: at the beginning of a line, or as an entry of a kernel.
    definitions=$(cd src && grep -oE '^([a-z][^;={]*\b|TBY_KERNEL\(.*, )tby_[a-z0-9_]*[(,]' -r --include='*.c' . |
        sed -E 's|^\./([^:]*):(TBY_KERNEL.*, )?(.*\b)?(tby_[a-z0-9_]*)[(,]$|\4 \1|' |
        grep -v '^tby_cluster_.* store/postgres/connection.c$') # those that refuse, for want of libpq
    for function in $(declared include/*.h); do
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
}

# notation_rows FILE - the names in the rows of a registry.
notation_rows() {
    sed -n -e 's/^    {"\([a-z0-9-]*\)",.*/\1/p' -e 's/^    \.name = "\([a-z0-9-]*\)",/\1/p' "$@"
}

# is_in_postgres FUNCTION - by a symbol of its own, or in the script.
is_in_postgres() {
    grep -qi "\"$1\(moves\)\?\"" bindings/postgres/shared.c || grep -qi "^ *$1\(moves\)\?(" bindings/postgres/tabiya--*.sql
}

check_notations() {
    local name
    for name in $(notation_rows src/notation/registry.c src/readers/*_games.c); do
        [ "$name" = san ] || is_in_postgres "to${name//-/}" || complain "$name: bindings/postgres does not write it"
        # Nothing reads svg; PGN is read by the type itself.
        [[ $name = @(svg|pgn) ]] || is_in_postgres "from${name//-/}" || complain "$name: bindings/postgres does not read it"
    done
}

check_api() {
    local lines
    check_definitions
    check_notations
    # The header should be short enough to read in one go; anything other than rules, notations, PGN, streams and registries
    # has its own header.
    lines=$(wc -l <include/tabiya.h)
    [ "$lines" -lt 920 ] || complain "include/tabiya.h: $lines lines, 920 or more"
}

# ---- header, abi, symbols ------------------------------------------------------------------------------------------

check_header() {
    local flags=(-Wall -Wextra -pedantic -Werror -fsyntax-only) header standard cxx checked=
    for header in include/*.h; do
        for standard in c99 c11; do
            "$given" -x c -std=$standard "${flags[@]}" "$header" || complain "$header: does not compile as $standard"
        done
        for cxx in g++ clang++; do
            command -v $cxx >/dev/null || continue
            for standard in c++11 c++17; do
                $cxx -x c++ -std=$standard "${flags[@]}" "$header" || complain "$header: does not compile as $standard"
            done
            checked=1
        done
    done
    [ -n "$checked" ] || [ "$failures" -gt 0 ] || skip "no C++ compiler"
}

# A program that prints "NAME SIZE: MEMBER OFFSET..." for each structure of the headers.
print_sizes() {
    /usr/bin/python3 - "$@" <<'END'
import re, sys
print('#include <stddef.h>\n#include <stdio.h>\n#include "tabiya_query.h"\nint main(void)\n{')
for path in sys.argv[1:]:
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    for name, body in re.findall(r"typedef struct (tby_\w+) \{(.*?)\n\} \1;", text, flags=re.S):
        flat = re.sub(r"\{[^{}]*\}", "", body)  # of structures inside, the name alone
        members = []
        for declaration in flat.split(";"):
            call = re.search(r"\(\*(\w+)\)\(", declaration)
            names = [call[1]] if call else [re.sub(r"\[.*|\s*:.*", "", part).split()[-1].strip("* ")
                                            for part in declaration.split(",") if part.strip()]
            members += [n for n in names if n and not re.search(r":\s*\d", declaration)]
        places = "".join(f' {m} %zu' for m in members)
        values = "".join(f", offsetof({name}, {m})" for m in members)
        print(f'    printf("{name} %zu:{places}\\n", sizeof({name}){values});')
print("    return 0;\n}")
END
}

# Structures are compiled into existing programs: after a release, a change requires the next major version. The list is
# that of x86-64.
check_abi() {
    [ "$(uname -m)" = x86_64 ] || skip "the list is that of x86-64"
    print_sizes include/tabiya.h include/tabiya_value.h include/tabiya_query.h >"$work/sizes.c"
    "$given" -std=c11 -Iinclude "$work/sizes.c" -o "$work/sizes" || exit 1
    "$work/sizes" | LC_ALL=C sort >"$work/now"
    if [ -n "$update" ]; then
        cp "$work/now" tools/abi.txt
    elif ! diff tools/abi.txt "$work/now"; then
        complain "the binary interface has changed; tools/check.sh --update abi $given records the change"
    fi
}

# list_names WHAT FILE - complains about the names in the file, if any.
list_names() {
    local names
    names=$(sed 's/^/    /' "$2")
    [ -z "$names" ] || complain "$1:"$'\n'"$names"
}

# Removing a symbol from the library breaks existing programs, and requires the next major version.
check_symbols() {
    local list=packaging/debian/libtabiya2.symbols version
    part() { sed -n "s/^#define TBY_VERSION_$1 \([0-9]*\)$/\1/p" include/tabiya.h; }
    [ -e "$given" ] || { complain "$given does not exist"; return; }
    nm -D --defined-only "$given" | awk '{ print $3 }' | sort >"$work/exported"
    declared include/tabiya.h include/tabiya_value.h include/tabiya_query.h | sort >"$work/declared"
    sed -n 's/^ \(tby_[a-z0-9_]*\)@.*/\1/p' $list | sort >"$work/listed"
    comm -23 "$work/exported" "$work/listed" >"$work/new"
    if [ -n "$update" ] && [ -s "$work/new" ]; then
        version=$(part MAJOR).$(part MINOR).$(part PATCH)
        { grep '^ ' $list; sed "s/.*/ &@Base $version/" "$work/new"; } | sort >"$work/symbols"
        { grep -v '^ ' $list; cat "$work/symbols"; } >"$work/list"
        cp "$work/list" $list
        : >"$work/new"
    fi
    list_names "exported without the prefix tby_" <(grep -v '^tby_' "$work/exported")
    list_names "exported but in no header" <(comm -23 "$work/exported" "$work/declared")
    list_names "in a header but not exported" <(comm -13 "$work/exported" "$work/declared")
    list_names "not in $list; tools/check.sh --update symbols $given adds" "$work/new"
    list_names "in $list, but gone" <(comm -13 "$work/exported" "$work/listed")
}

# ---- format, words, walks ------------------------------------------------------------------------------------------

# Versions of clang-format differ in details, so only the one in Debian 12 is used; CLANG_FORMAT names another program of
# that version.
check_format() {
    local program=${CLANG_FORMAT:-clang-format} version files found
    version=$("$program" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
    [ "${version:-}" = 14 ] || skip "needs clang-format 14, found ${version:-none}"
    files=$(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' 2>/dev/null) || skip "no repository"
    found=$(xargs "$program" --dry-run -Werror <<<"$files" 2>&1) ||
        complain "these lines are not as clang-format writes them; run \`make format\`:"$'\n'"$(grep 'error:' <<<"$found" | cut -d: -f1,2 | sort -u)"
}

# tools/words.txt has one line per file: how many lines may match, and the path. A file that is not listed may have
# none. --update never raises a number and never adds a file; where an expression is the right one, edit the list by
# hand. Only whole words count, in upper or lower case, on one line.
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

check_words() {
    local list=tools/words.txt files found counts worse file n allowed
    files=$(git ls-files -- ':!tools/check.sh' ":!$list" 2>/dev/null) || skip "no repository"
    found=$(xargs grep -InHiE "$(any "${expressions[@]}")" -- <<<"$files" | grep -viE "$(any "${plain[@]}")")
    counts=$(cut -d: -f1 <<<"$found" | sort | uniq -c) # "COUNT FILE"
    if [ -n "$update" ]; then
        awk -v list="$list" 'FILENAME != list { n[$2] = $1; next }
            $2 in n { print (n[$2] < $1 ? n[$2] : $1), $2 }' <(echo "$counts") "$list" >"$work/list"
        cp "$work/list" "$list"
        return
    fi
    [ -n "$found" ] || return 0
    worse=$(awk -v list="$list" 'FILENAME == list { allowed[$2] = $1; next }
        $1 > allowed[$2] + 0 { print $2, $1, allowed[$2] + 0 }' "$list" <(echo "$counts"))
    [ -n "$worse" ] || return 0
    while read -r file n allowed; do
        complain "$(grep -F "$file:" <<<"$found")"$'\n'"$file: $n such lines, $allowed allowed; tools/check.sh says what to write instead"
    done <<<"$worse"
}

# is_called NAME FILE... - is the function named in one of these files, elsewhere than where it is defined?
is_called() {
    local name=$1
    shift
    grep -hE "(^|[^a-zA-Z0-9_])$name([^a-zA-Z0-9_]|$)" "$@" | grep -vqE "^[a-zA-Z][a-zA-Z0-9_ *]*[ *]$name\("
}

# In the tables of docs/architecture.md each file defines the functions named next to it, no table has 15 rows or more, and
# no walk skips a station: what a station does is called, or put into a table of functions, in the file of an earlier
# station of the same walk.
check_walks() {
    local before number file names name is_linked n=0 passed=()
    while IFS='|' read -r before number file names _; do
        number=${number// /} file=${file//[\` ]/}
        [ -z "$before$number$file" ] && passed=() # between two tables
        if [[ $number =~ ^[0-9]+$ ]]; then
            n=$((n + 1))
            [ "$number" -lt 15 ] || complain "docs/architecture.md: station $number: a walk has at most 14"
        elif [[ -n $number || $file != */*.* ]]; then
            continue
        fi
        [ -f "$file" ] || { complain "docs/architecture.md: station $number: no such file: $file"; continue; }
        is_linked=
        [[ $names == *[a-z]* ]] || is_linked='a table'
        for name in ${names//[\`,]/ }; do
            case $file in
            *.[ch]) grep -Eq "^[a-z].*[ *]$name\(.*[^;]$" "$file" || complain "docs/architecture.md: station $number: $file does not define $name" ;;
            *) grep -Eq "function $name\(|(const|class) $name( |$)|^ +(async )?$name\(.*\{$" "$file" || complain "docs/architecture.md: station $number: $file does not define $name" ;;
            esac
            [ ${#passed[@]} -gt 0 ] || is_linked=first
            [ -n "$is_linked" ] || ! is_called "$name" "${passed[@]}" || is_linked=yes
        done
        [ -n "$is_linked" ] || complain "docs/architecture.md: station $number: nothing in ${passed[-1]} or before names what $file does ($names): a station is missing"
        passed+=("$file")
    done <docs/architecture.md
    [ "$n" -ge 30 ] || complain "docs/architecture.md: only $n stations found"
}

# ---- openings, wasm, 32bit -----------------------------------------------------------------------------------------

# refuses MESSAGE LINE... - the lines are a table, their columns separated by |.
refuses() {
    local message=$1
    shift
    printf '%s\n' "$@" | tr '|' '\t' >"$work/table"
    if "$given" "$work/table" >/dev/null 2>"$work/errors" || ! grep -qF "$message" "$work/errors"; then
        complain "expected: $message"$'\n'"found:    $(cat "$work/errors")"
    fi
}

check_openings() {
    refuses 'openings.tsv:3: the position has a name already: Zukertort Opening' \
        '# Two ways to one position.' 'A04|Zukertort Opening|Nf3 d5 g3' 'A07|Another Name|g3 d5 Nf3'
    refuses 'openings.tsv:1: not a legal move: e5' 'B00|No Opening|e4 d5 e5 e5'
    refuses 'openings.tsv:1: not a legal move: 0-0' 'C60|Not the Export Form|e4 e5 Nf3 Nc6 Bb5 a6 0-0'
    refuses 'openings.tsv:2: not a code, a name and moves' 'B00|First|e4' 'B000|Long|d4'
    refuses 'openings.tsv:1: not a code, a name and moves' 'B00|No Moves'
}

check_wasm() {
    local source
    clang --print-targets 2>/dev/null | grep -q wasm32 || skip "clang for wasm32 is not installed"
    for source in src/{base,position,rules,notation}/*.c "$given"/tables.c "$given"/openings.c; do
        [ -e "$source" ] || continue
        clang --target=wasm32 -nostdlib -ffreestanding -nostdlibinc -std=c11 -O2 \
            -Wall -Wextra -Wconversion -Wshadow -Werror -Wno-missing-braces -Iinclude -Isrc -c "$source" -o "$work/object.o" ||
            complain "$source: does not compile"
    done
}

# Even with -pedantic. Only syntax and types are checked, with the headers of this machine, so no 32-bit libraries are needed.
# tools/test-platforms.sh builds and runs the tests there.
check_32bit() {
    command -v clang >/dev/null && clang --print-targets 2>/dev/null | grep -q 'x86 ' || skip "clang for x86 is not installed"
    # glibc needs a list of missing functions, which only its 32-bit package has.
    mkdir "$work/gnu"
    : >"$work/gnu/stubs-32.h"
    local flags=(--target=i686-linux-gnu -fsyntax-only -std=c11 -D_FILE_OFFSET_BITS=64 -D_DEFAULT_SOURCE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-macro-redefined -Werror -Iinclude -Isrc -Iprogram/common -Iprogram/server -Iprogram/cli
        -Ibindings/sql -Iprogram/cli/{commands,pgn,rows,tree,help}
        -isystem "$work" -isystem "/usr/include/$(uname -m)-linux-gnu" -isystem /usr/include/postgresql)

    local command sources=(src/{base,position,rules,notation,support,pgn,codec,value,opening,readers,row,query,table,tree}/*.c)
    if [ -e /usr/include/sqlite3ext.h ]; then
        sources+=(src/{search,store,store/sqlite,store/sqlite/index}/*.c program/*/*.c program/cli/*/*.c src/io/*.c bindings/{sql,sqlite}/*.c)
    fi
    # Runs one compiler for all files, because starting it takes longer than compiling most of them. The command is the one
    # that the driver would run, with more inputs.
    command=$(clang "${flags[@]}" -### -x c /dev/null 2>&1 | tail -n 1)
    [[ $command == *'"-cc1"'*' "/dev/null"' ]] || { complain "clang's compiler command has an unexpected form: $command"; return; }
    eval "${command% \"/dev/null\"} \"\${sources[@]}\"" || complain "there are warnings"
}

case $subject in
layers | api | header | abi | symbols | format | words | walks | openings | wasm | 32bit) "check_$subject" ;;
*) complain "check.sh: unknown subject \"$subject\"; see its head" ;;
esac
[ "$failures" -eq 0 ]
