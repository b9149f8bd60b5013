#!/bin/sh
# run.sh - one transcript with the program just built: test/cli/run.sh PROGRAM FILE.t
set -eu
PATH=$(dirname "$(realpath "$1")"):$PATH
# The same output whatever the user's settings.
LC_ALL=C.UTF-8
NO_COLOR=1
SOURCE=$(realpath "$(dirname "$0")/../..")
export PATH LC_ALL NO_COLOR SOURCE
exec "$(dirname "$0")/../transcript.sh" "$2"
