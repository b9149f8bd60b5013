#!/bin/bash
# fetch-sources.sh - fetches the sources of SQLite, zlib and libzstd, which are built into the programs for Windows and
# macOS: tools/fetch-sources.sh FOLDER
#
# SQLite is in the npm package better-sqlite3, the others are Debian's source packages; versions and checksums are below.
# Nothing is installed in the system. Does nothing if FOLDER is complete. Exits with 77 if they cannot be fetched.
set -eu
to=$(mkdir -p "$1" && cd "$1" && pwd)

sqlite='better-sqlite3@12.11.1 better-sqlite3-12.11.1.tgz ebf0ed75a7a59dbcb3b24bbd014ef49d9f15bc328e4adcbf516f2a8fadfa2835'
zlib='zlib=1:1.2.13.dfsg-1 zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1'
zstd='libzstd=1.5.4+dfsg2-5 libzstd_1.5.4+dfsg2.orig.tar.xz 8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953'

mark="$sqlite $zlib $zstd"
[ "$(cat "$to/complete" 2>/dev/null)" != "$mark" ] || exit 0

fail() { echo "fetch-sources: $*" >&2; exit 77; }

# check FILE SUM
check() { echo "$2  $1" | sha256sum --check --quiet || fail "$1 is not the file that was expected"; }

# debian PACKAGE=VERSION FILE SUM - with lists of source packages that are kept apart from the system's.
debian() {
    local lists=$work/lists
    mkdir -p "$lists/partial"
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed 's/^Types: .*/Types: deb-src/' >"$work/all.sources"
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list 2>/dev/null >"$work/all.list" || true
    local from=$work/all.sources
    [ -s "$from" ] || from=$work/all.list
    local options=(-qq -o "Dir::Etc::sourcelist=$from" -o Dir::Etc::sourceparts=- -o "Dir::State::Lists=$lists" -o APT::Sandbox::User=)
    [ -e "$lists/done" ] || { apt-get "${options[@]}" update && touch "$lists/done"; } || fail "no list of source packages"
    apt-get "${options[@]}" source --download-only "$1" || fail "the source package ${1%%=*} cannot be fetched"
    check "$2" "$3"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
command -v npm >/dev/null && command -v apt-get >/dev/null || fail "npm and apt-get are needed"
read -r name file sum <<<"$sqlite"
npm pack --silent "$name" >/dev/null 2>&1 || fail "npm cannot fetch $name"
check "$file" "$sum"
tar xzf "$file"
rm -rf "$to/sqlite" "$to/zlib" "$to/zstd"
mv package/deps/sqlite3 "$to/sqlite"
read -r name file sum <<<"$zlib"
debian "$name" "$file" "$sum"
mkdir "$to/zlib" && tar xjf "$file" -C "$to/zlib" --strip-components=1
read -r name file sum <<<"$zstd"
debian "$name" "$file" "$sum"
mkdir "$to/zstd" && tar xJf "$file" -C "$to/zstd" --strip-components=1
echo "$mark" >"$to/complete"
