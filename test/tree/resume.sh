#!/bin/bash
# resume.sh - a tree whose writing is killed or interrupted is reported as unfinished, and --resume completes it:
#
#     test/tree/resume.sh PROGRAM
set -u
PATH=$(dirname "$(realpath "$1")"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}

tabiya tree grow --depth 3 -o whole || complain "grow fails"
tabiya tree export whole >whole.txt || complain "export fails"
[ ! -e whole/unfinished ] || complain "a whole tree is unfinished"

# check NAME: the tree is reported as unfinished; once completed, it is the whole tree.
check() {
    local message
    if [ -e cut/unfinished ]; then
        message=$(tabiya tree read cut 2>&1)
        case $?:$message in
        1:*"cut/unfinished: the tree is unfinished"*) ;;
        *) complain "$1: read: $message" ;;
        esac
        message=$(tabiya tree grow --depth 2 --resume -o cut 2>&1) && complain "$1: another tree was resumed"
        case $message in *"the folder contains an unfinished tree with other options"*) ;; *) complain "$1: $message" ;; esac
        tabiya tree grow --depth 3 --resume -o cut >/dev/null || complain "$1: resume fails"
    elif [ -e cut/0 ]; then
        echo "$1: came too late"
    else
        tabiya tree grow --depth 3 --resume -o cut >/dev/null || complain "$1: resume from nothing fails"
    fi
    [ ! -e cut/unfinished ] || complain "$1: still unfinished"
    diff -r whole cut >/dev/null || complain "$1: not the whole tree"
    tabiya tree export cut | cmp - whole.txt || complain "$1: not the text of the whole tree"
    rm -rf cut
}

for delay in 0.01 0.03 0.06; do
    tabiya tree grow --depth 3 -o cut >/dev/null 2>&1 &
    grow=$!
    while kill -0 "$grow" 2>/dev/null && [ ! -e cut/0 ]; do sleep 0.005; done
    sleep $delay
    kill -9 "$grow" 2>/dev/null
    wait "$grow" 2>/dev/null
    [ ! -d cut ] || echo "killed: $(find cut -name info.txt | wc -l) texts were there"
    check "killed after $delay s"
done

# Ctrl-C: reported, and completed in the same way.
tabiya tree grow --depth 4 -o cut >/dev/null 2>message &
grow=$!
while kill -0 "$grow" 2>/dev/null && [ ! -e cut/0 ]; do sleep 0.005; done
kill -TERM "$grow"
wait "$grow"
[ $? = 2 ] || complain "interrupted: the code is not 2"
grep -q '^tabiya: tree: interrupted$' message || complain "interrupted: $(cat message)"
[ -e cut/unfinished ] || complain "interrupted: not unfinished"

[ "$failures" -eq 0 ]
