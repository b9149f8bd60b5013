#!/bin/sh
# run.sh - the Debian packages in a clean root, as users install them: test/deb/run.sh FOLDER
#
# FOLDER contains the output of `make deb`. debootstrap creates a minimal Debian in a folder, from the mirror that this
# system uses; apt installs the packages there, and inside.sh tries each. Skipped (77) without debootstrap or root.
set -eu
here=$(realpath "$(dirname "$0")")
debs=$(realpath "$1")

. "$here/../clean_root.sh"
ls "$debs"/*.deb >/dev/null 2>&1 || skip "there are no packages in $debs"
make_root
mkdir "$root/debs"
cp "$debs"/*.deb "$root/debs"
cp "$here/inside.sh" "$root/debs"
cp examples/famous.pgn "$root/debs"
in_root sh /debs/inside.sh
