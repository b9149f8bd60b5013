#!/bin/bash
# crash.sh - an import that is killed or interrupted leaves a valid database, and running the command again continues
# it:
#
#     test/store/crash.sh PROGRAM
set -u
PATH=$(dirname "$(realpath "$1")"):$PATH
cd "$(dirname "$0")" || exit 2
. ./games.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}

# A commit and some more games, before indexing.
games 60000 >games.pgn
report=$(tabiya import whole.db games.pgn) || complain "import: $report"
[ "$report" = "60000 games read: 60000 stored, 0 duplicates, 0 rejected" ] || complain "import: $report"
tabiya export whole.db >whole.pgn || complain "export fails"

# check NAME: the database is valid, and importing again gives the same as one uninterrupted import.
check() {
    local verdict read stored duplicates report
    # A kill may come before the database exists; the first reader rolls back what was begun.
    tabiya info crashed.db >/dev/null 2>&1
    if [ -s crashed.db ]; then
        verdict=$(tabiya verify crashed.db) || complain "$1: $verdict"
        echo "$1: $verdict"
    fi
    report=$(tabiya import crashed.db games.pgn) || complain "$1: import again fails"
    read -r read _ _ stored _ duplicates _ <<<"$report"
    [ "$read" = 60000 ] && [ $((stored + duplicates)) = 60000 ] || complain "$1: $report"
    tabiya export crashed.db | cmp - whole.pgn || complain "$1: not the games of a whole import"
    [ "$(tabiya info --json crashed.db | sed 's/,"index_runs.*//')" = "$(tabiya info --json whole.db | sed 's/,"index_runs.*//')" ] ||
        complain "$1: info differs"
    rm -f crashed.db crashed.db-*
}

# wait_games N: waits until other connections see that many games, or the import has ended.
wait_games() {
    local n=0
    while kill -0 "$import" 2>/dev/null && [ "${n:-0}" -lt "$1" ]; do
        sleep 0.01
        n=$(tabiya find --count crashed.db 2>/dev/null)
    done
}

for moment in early committed random; do
    tabiya import crashed.db games.pgn >/dev/null 2>&1 &
    import=$!
    case $moment in
    early) sleep 0.0$((RANDOM % 10)) ;;
    committed) wait_games 50000 ;;
    random) sleep 0.$((RANDOM % 9 + 1)) ;;
    esac
    kill -9 "$import" 2>/dev/null
    wait "$import" 2>/dev/null
    check "killed ($moment)"
done

# Ctrl-C: it exits cleanly and says so. If the signal comes too late to stop the reading, the next one is sent sooner.
for delay in 0.1 0.05 0.02 0; do
    rm -f crashed.db crashed.db-*
    tabiya import crashed.db games.pgn >report 2>message &
    import=$!
    while kill -0 "$import" 2>/dev/null && [ ! -s crashed.db ]; do sleep 0.01; done
    sleep $delay
    kill -INT "$import" 2>/dev/null
    wait "$import"
    code=$?
    case $(cat report) in "60000 games read"*) ;; *) break ;; esac
done
[ "$code" = 2 ] || complain "interrupted: exit code $code"
grep -q '^tabiya: import: interrupted; what was read is stored; run the same command again to continue$' message ||
    complain "interrupted: $(cat message)"
[ ! -e crashed.db-wal ] || complain "interrupted: the database is not one file"
check interrupted

[ "$failures" -eq 0 ]
