#!/bin/sh
# twice.sh - the Debian packages of the last commit, built in two places, are identical; and they work in a clean root
# (run.sh). Skipped (77) where they cannot be built.
set -eu
cd "$(dirname "$0")/../.."
git rev-parse --verify HEAD >/dev/null 2>&1 || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q --shared . "$folder/source" # a copy, so that commits meanwhile do not matter
cd "$folder/source"
tools/make-deb.sh "$folder/one" "$folder/first"
TZ=Asia/Tokyo tools/make-deb.sh "$folder/another/place" "$folder/second"
(cd "$folder/first" && sha256sum -- *.deb) >"$folder/sums"
(cd "$folder/second" && sha256sum --quiet -c "$folder/sums")
test/deb/run.sh "$folder/first"
