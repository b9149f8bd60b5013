#!/bin/sh
# demo.sh - what tabiya can do, in one screen: tools/demo.sh PROGRAM FOLDER
#
# Imports the sample games into FOLDER/sample.db and asks it some questions.
set -eu

program=$1
db=$2/sample.db

show() {
    printf '\n$ tabiya'
    for word in "$@"; do
        case $word in
        *[\ \*]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    echo
    "$program" "$@"
}

show show --unicode
show convert --to pgn '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
show convert --from san --to fen '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#'
rm -f "$db" "$db-wal" "$db-shm"
show import "$db" examples/famous.pgn examples/selfplay.pgn
show find "$db" --player '*Morphy'
show find "$db" --board 1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5
show explore "$db" --limit 8
printf '\nThe games are in %s; the program is %s. Try: %s explore %s 1. e4 c5\n' "$db" "$program" "$program" "$db"
