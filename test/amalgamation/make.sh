#!/bin/sh
# make.sh - writes the library as two files, and the database as two more, to BUILD/amalgamated, for run.sh.
#
#     test/amalgamation/make.sh BUILD
set -eu
cd "$(dirname "$0")/../.."
[ -x /usr/bin/python3 ] || exit 77
rm -rf "$1/amalgamated"
/usr/bin/python3 tools/amalgamate.py "$1/generated" "$1/amalgamated"
