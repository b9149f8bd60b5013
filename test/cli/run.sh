#!/bin/sh
# run.sh - one transcript with the program just built: test/cli/run.sh PROGRAM FILE.t
set -eu
PATH=$(dirname "$(realpath "$1")"):$PATH
# Make the output independent of the user's settings.
LC_ALL=C.UTF-8
NO_COLOR=1
PAGER=cat
# The folder name contains a blank, so that a transcript with missing quotes fails wherever the source is.
link=$(mktemp -d "${TMPDIR:-/tmp}/tabiya-cli.XXXXXX")
trap 'rm -r "$link"' EXIT
SOURCE="$link/the source"
ln -s "$(realpath "$(dirname "$0")/../..")" "$SOURCE"
# A program under Wine cannot use the terminals that `script` makes: then there is no such command.
if [ -n "${TABIYA_WINE:-}" ]; then
    mkdir "$link/bin"
    ln -s /usr/bin/* "$link/bin"
    rm -f "$link/bin/script"
    PATH=$(dirname "$(realpath "$1")"):$link/bin
fi
export PATH LC_ALL NO_COLOR PAGER SOURCE
"$(dirname "$0")/../transcript.sh" "$2"
