#!/bin/sh
# run.sh - checks what `make dist` makes: test/dist/run.sh BUILD
#
# Made twice, it is identical; it contains the files that it should, all of one version; and the extension for PGXN
# compiles on its own. Skipped (77) outside a repository.
set -eu
cd "$(dirname "$0")/../.."
git rev-parse --verify HEAD >/dev/null 2>&1 && [ -x /usr/bin/python3 ] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=$("$1/tabiya" --version | awk '{ print $2 }')

tools/make-dist.sh "$1" "$folder/one" >/dev/null
TZ=Asia/Tokyo tools/make-dist.sh "$1" "$folder/two" >/dev/null
diff "$folder/one/SHA256SUMS" "$folder/two/SHA256SUMS"
(cd "$folder/one" && sha256sum --quiet -c SHA256SUMS)

cd "$folder"
tar -xzf "one/tabiya-$version.tar.gz"
[ -e "tabiya-$version/CMakeLists.txt" ]
tar -xzf "one/tabiya-amalgamation-$version.tar.gz"
[ -e "tabiya-amalgamation-$version/tabiya_db.c" ]
rm -r "tabiya-$version"
/usr/bin/python3 -m zipfile -e "one/tabiya-$version.zip" .
cd "tabiya-$version"
/usr/bin/python3 - "$version" <<'END'
import json, os, sys
meta = json.load(open("META.json"))
about = meta["provides"]["tabiya"]
assert meta["version"] == about["version"] == sys.argv[1], meta
assert meta["meta-spec"]["version"] == "1.0.0"
assert os.path.exists(about["file"]) and os.path.exists(about["docfile"])
control = open("tabiya.control").read()
assert "default_version = '%s'" % sys.argv[1].rsplit(".", 1)[0] in control, control
END
pg_config=$(command -v pg_config) || exit 0
[ -e "$("$pg_config" --pgxs)" ] || exit 0
env -u MAKEFLAGS -u MAKELEVEL make -s PG_CONFIG="$pg_config" COPT=-O0 >/dev/null 2>&1
nm -D --defined-only tabiya.so | grep -q Pg_magic_func
