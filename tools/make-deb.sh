#!/bin/sh
# make-deb.sh - builds the Debian packages of the last commit and checks them with lintian: tools/make-deb.sh WORK OUT
#
# The source is copied to WORK and built there; the packages go to OUT. packaging/debian/ defines their contents. Their
# version is that of include/tabiya.h, so debian/changelog is written here. The PostgreSQL extension is for the newest
# version of PostgreSQL whose headers are installed, or for that of PG_CONFIG, which PGVERSION stands for in
# packaging/debian/. The same commit and compiler give the same bytes. Exits with 77 if a required tool is missing.
set -eu
cd "$(dirname "$0")/.."
here=$PWD
for tool in dh dh_python3 dpkg-buildpackage lintian; do
    command -v "$tool" >/dev/null || { echo "make-deb: $tool is not installed (tools/setup.sh deb installs it)" >&2; exit 77; }
done
postgres=$(for file in ${PG_CONFIG:-/usr/lib/postgresql/*/bin/pg_config}; do
    [ ! -e "$("$file" --includedir-server 2>/dev/null)/postgres.h" ] || "$file" --version
done | sed -n 's/^PostgreSQL \([0-9]*\).*/\1/p' | sort -n | tail -n 1)
[ -n "$postgres" ] || { echo "make-deb: the headers of PostgreSQL's server are not installed (tools/setup.sh deb installs them)" >&2; exit 77; }
mkdir -p "$1" "$2"
work=$(realpath "$1")
out=$(realpath "$2")
part() { sed -n "s/^#define TBY_VERSION_$1 \([0-9]*\)$/\1/p" include/tabiya.h; }
version=$(part MAJOR).$(part MINOR).$(part PATCH)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

source=$work/tabiya-$version
rm -rf "$source" "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo
git archive --format=tar --prefix="tabiya-$version/" HEAD | tar -xf - -C "$work"
cd "$source"
# Debian's tools look for this folder at the top.
mv packaging/debian debian
sed -i "s/PGVERSION/$postgres/g" debian/control debian/rules debian/postgresql-PGVERSION-tabiya.*
for file in debian/postgresql-PGVERSION-tabiya.*; do
    mv "$file" "debian/postgresql-$postgres-tabiya.${file##*.}"
done
{
    printf 'tabiya (%s) unstable; urgency=medium\n\n' "$version"
    printf '  * See CHANGELOG.md in the source.\n\n'
    printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' debian/control)" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} >debian/changelog

env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS DEB_BUILD_OPTIONS="parallel=$(nproc) noautodbgsym" \
    dpkg-buildpackage -b -us -uc >"$work/build.log" 2>&1 || { tail -n 60 "$work/build.log" >&2; exit 1; }
cd "$work"
lintian --allow-root --fail-on error,warning --tag-display-limit 0 ./*.changes >&2
rm -f "$out"/*.deb
cp ./*.deb "$out"
git -C "$here" rev-parse HEAD >"$out/COMMIT"
rm -r "$source"
