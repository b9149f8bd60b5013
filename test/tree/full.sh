#!/bin/bash
# full.sh - a full disk is an error that says so, for folders and for counting: test/tree/full.sh PROGRAM
#
# The disk is a small tmpfs in a separate mount namespace; the test is skipped where that is not allowed.
set -u
if [ "${2-}" != inside ]; then
    if [ "$(id -u)" = 0 ]; then unshare=(unshare --mount); else unshare=(unshare --mount --map-root-user); fi
    "${unshare[@]}" mount -t tmpfs tmpfs /mnt 2>/dev/null || exit 77
    exec "${unshare[@]}" "$0" "$(realpath "$1")" inside
fi
PATH=$(dirname "$1"):$PATH
mount -t tmpfs -o size=2m tmpfs /mnt || exit 77
failures=0

complain() {
    echo "$*" >&2
    failures=$((failures + 1))
}

message=$(tabiya tree grow --depth 3 -o /mnt/tree 2>&1)
code=$?
echo "$message"
[ "$code" = 2 ] || complain "exit code $code"
case $message in "tabiya: tree: /mnt/tree/"*"cannot be written: No space left on device") ;; *) complain "the message does not say why" ;; esac
[ -e /mnt/tree/unfinished ] || complain "not unfinished"

# Once there is space, the tree can be completed.
mount -o remount,size=100m /mnt || exit 77
tabiya tree grow --depth 3 --resume -o /mnt/tree || complain "resume fails"
tabiya tree read /mnt/tree || complain "not whole"
rm -rf /mnt/tree

mount -o remount,size=1m /mnt || exit 77
message=$(tabiya tree grow --count --depth 5 --memory 1M --temp /mnt 2>&1)
code=$?
echo "$message"
[ "$code" = 2 ] || complain "count: exit code $code"
case $message in *"temporary file: No space left on device"*) ;; *) complain "count: the message does not say why" ;; esac
[ -z "$(ls -A /mnt)" ] || complain "temporary files are left"
[ "$failures" -eq 0 ]
