#!/bin/sh
# demo.sh - what tabiya can do, in one screen: tools/demo.sh PROGRAM
set -eu

program=$1
threads=$(nproc 2>/dev/null || echo 1)

show() {
    printf '\n$ tabiya %s\n' "$*"
    "$program" "$@"
}

show show --unicode
show status
show convert --to pgn '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
show convert --from san --to fen '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#'
show perft 5 --threads "$threads"
printf '\nThe program is %s; try %s --help.\n' "$program" "$program"
