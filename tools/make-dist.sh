#!/bin/sh
# make-dist.sh - builds all release files, with checksums: tools/make-dist.sh BUILD OUT
#
#     tabiya-VERSION.tar.gz                  the source, as of the last commit
#     tabiya-amalgamation-VERSION.tar.gz     the library as two files, and the database as two more
#     tabiya-VERSION.zip                     for PGXN: the PostgreSQL extension, which `make` builds alone
#     tabiya-VERSION.tgz                     for npm, if the WebAssembly module was built
#     tabiya-VERSION-...whl                  for pip, if the Python package was built
#     ..._VERSION_ARCHITECTURE.deb           for Debian, if `make deb` has built the packages of this commit
#     tabiya-VERSION.spdx.json               what is inside: the dependencies with their versions and licences
#     SHA256SUMS
#
# The same commit and compiler give the same bytes: no file contains the build date. The version is that of
# include/tabiya.h.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
part() { sed -n "s/^#define TBY_VERSION_$1 \([0-9]*\)$/\1/p" include/tabiya.h; }
version=$(part MAJOR).$(part MINOR).$(part PATCH)
grep -q "^## \[$version\] - " CHANGELOG.md || { echo "make-dist: CHANGELOG.md has no section [$version]" >&2; exit 1; }
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -f "$out"/tabiya-* "$out"/*.deb "$out"/SHA256SUMS

# pack FOLDER FILE - packs a folder of $work into a tar file.
pack() {
    tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        -cf - "$1" | gzip -n9 >"$out/$2"
}

git archive --format=tar --prefix="tabiya-$version/" HEAD | gzip -n9 >"$out/tabiya-$version.tar.gz"

folder=tabiya-amalgamation-$version
/usr/bin/python3 tools/amalgamate.py "$build/generated" "$work/$folder"
cp LICENSE "$work/$folder"
pack "$folder" "$folder.tar.gz"

# PGXN: the library is inside as library.c, under the names of its headers.
pgxn=$work/pgxn/tabiya-$version
mkdir -p "$pgxn/doc" "$pgxn/sql" "$pgxn/support" "$pgxn/base" "$pgxn/os"
cp src/base/contract.h src/base/utf8.h "$pgxn/base"
cp src/os/threads.h "$pgxn/os"
cp src/support/a*.h "$pgxn/support"
# With the names that library.c has for the functions of this header.
sed -n 's/^#define \(buffer\|text\)_/&/p' "$work/$folder/tabiya.c" >"$pgxn/support/buffer.h"
cat src/support/buffer.h >>"$pgxn/support/buffer.h"
for name in sql.h $(sed -n 's/^shared = //p' bindings/postgres/Makefile | sed 's/\>/.c/g'); do cp "bindings/sql/$name" "$pgxn/sql"; done
cp bindings/postgres/*.[ch] bindings/postgres/*.sql bindings/postgres/*.control bindings/postgres/exports.map packaging/dist/Makefile LICENSE "$pgxn"
rm "$pgxn/upgrade.sql"
bindings/postgres/make-upgrade.sh >"$pgxn/tabiya--1.1--2.0.sql"
cp docs/postgres.md "$pgxn/doc"
cp docs/postgres.md "$pgxn/README.md"
cp "$work/$folder/tabiya.c" "$pgxn/library.c"
cp "$work/$folder/tabiya.h" "$pgxn"
echo '#include "tabiya.h"' | tee "$pgxn/tabiya_value.h" >"$pgxn/tabiya_query.h"
sed -e "s/\"version\": \"[0-9.]*\",\$/\"version\": \"$version\",/" -e 's|"file": "bindings/postgres/|"file": "|' -e 's|"docfile": "docs/|"docfile": "doc/|' \
    -e "s/^\( *\)\"version\": \"[0-9.]*\"\$/\1\"version\": \"$version\"/" bindings/postgres/META.json >"$pgxn/META.json"
sed -i '/"meta-spec"/,$ s/"version": "[0-9.]*"/"version": "1.0.0"/' "$pgxn/META.json"
/usr/bin/python3 packaging/dist/zip_folder.py "$work/pgxn" "$out/tabiya-$version.zip"

if [ -e "$build/web/tabiya.wasm" ] && command -v npm >/dev/null; then
    bindings/wasm/pack.sh "$build" "$out" >/dev/null
else
    echo "make-dist: no WebAssembly module or no npm: no package for npm" >&2
fi
if [ -e "$build/python/_tabiya.abi3.so" ]; then
    /usr/bin/python3 bindings/python/build_wheel.py "$version" "$build/python/_tabiya.abi3.so" "$out" >/dev/null
else
    echo "make-dist: the Python package was not built: no wheel" >&2
fi
if [ "$(cat "$build/deb/COMMIT" 2>/dev/null)" = "$(git rev-parse HEAD)" ]; then
    cp "$build"/deb/*.deb "$out"
else
    echo "make-dist: no Debian packages of this commit (make deb)" >&2
fi
/usr/bin/python3 packaging/dist/make_sbom.py "$version" "$out/tabiya-$version.spdx.json"
(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS && cat SHA256SUMS)
