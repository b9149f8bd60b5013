#!/bin/bash
# check-layers.sh - enforces the layers of src/: nothing includes upward, and the core uses neither libc nor global
# state.
#
#     tools/check-layers.sh LIBRARY.a
#
# Only the files of src/os/ that end in _posix.c or _windows.c, and the few headers that must, include headers of the
# operating system.
#
# Layers, lowest first: a file includes its own layer and those before it, but publish, table, store with search,
# and tree nothing of each other; and of include/ tabiya.h, tabiya_value.h and what `headers` lists for its layer. The core
# layers include no header of the hosted C library except those in `freestanding`, and have no writable data. Front ends
# include only the headers of include/, src/support/, src/os/ and src/io/ and their own files; the program has three parts, common,
# server and cli. None of these parts includes sqlite3.h: only the store uses SQLite. The guard of a header is its path.
set -u
cd "$(dirname "$0")/.." || exit 2

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
failures=0

complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}

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

check_layers() {
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

check_layers
check_seam
check_front_ends
check_answers
check_guards
check_state "$1"
[ "$failures" -eq 0 ]
