#!/bin/bash
# make-dist-windows.sh - packs what build/windows has: tools/make-dist-windows.sh OUT
#
#     tabiya-VERSION-windows-x64.zip     tabiya.exe; library/ with tabiya.dll, its import library and the headers;
#                                        sqlite/ with the extension
#
# The same commit, compiler and sources give the same bytes.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
out=$(realpath "$1")
part() { sed -n "s/^#define TBY_VERSION_$1 \([0-9]*\)$/\1/p" include/tabiya.h; }
version=$(part MAJOR).$(part MINOR).$(part PATCH)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/tabiya-$version
mkdir -p "$folder/library" "$folder/sqlite"
strip() { x86_64-w64-mingw32-strip -o "$2" "$1"; }
strip build/windows/tabiya.exe "$folder/tabiya.exe"
strip build/windows/src/tabiya.dll "$folder/library/tabiya.dll"
strip build/windows/sqlite/tabiya.dll "$folder/sqlite/tabiya.dll"
cp build/windows/src/tabiya.lib include/tabiya.h include/tabiya_value.h include/tabiya_query.h "$folder/library"
sed 's/$/\r/' LICENSE >"$folder/LICENSE.txt"
sed 's/$/\r/' packaging/windows/README.txt >"$folder/README.txt"
name=tabiya-$version-windows-x64.zip
/usr/bin/python3 packaging/dist/zip_folder.py "$work" "$out/$name"
(cd "$out" && sha256sum "$name" >"$name.sha256")
