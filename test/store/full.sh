#!/bin/bash
# full.sh - a full disk is an error that says so, and the database stays valid: test/store/full.sh PROGRAM
#
# The disk is a small tmpfs in a separate mount namespace; the test is skipped where that is not allowed.
set -u
if [ "${2-}" != inside ]; then
    if [ "$(id -u)" = 0 ]; then unshare=(unshare --mount); else unshare=(unshare --mount --map-root-user); fi
    "${unshare[@]}" mount -t tmpfs tmpfs /mnt 2>/dev/null || exit 77
    exec "${unshare[@]}" "$0" "$(realpath "$1")" inside
fi
PATH=$(dirname "$1"):$PATH
cd "$(dirname "$0")" || exit 2
. ./games.sh
mount -t tmpfs -o size=4m tmpfs /mnt || exit 77
failures=0

complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}

games 100 | tabiya import /mnt/games.db - || complain "the first import fails"
message=$(games 60000 | tabiya import /mnt/games.db - 2>&1)
code=$?
echo "$message"
[ "$code" = 2 ] || complain "exit code $code"
case $message in *"the disk is full"*) ;; *) complain "the message does not say why" ;; esac
tabiya verify /mnt/games.db || complain "the database is damaged"
[ "$(tabiya find --count /mnt/games.db)" -ge 100 ] || complain "games are lost"
[ "$failures" -eq 0 ]
