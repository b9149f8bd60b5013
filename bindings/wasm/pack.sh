#!/bin/sh
# pack.sh - builds the npm package, like `npm pack`: bindings/wasm/pack.sh BUILD_FOLDER OUT_FOLDER
#
# Collects the module, its JavaScript, types, openings, the board element, licence and README, with the version of the
# library, and prints the name of the file.
set -eu
cd "$(dirname "$0")/../.."
build=$1
out=$2
[ -e "$build/web/tabiya.wasm" ] || { echo "tabiya.wasm was not built" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

part() { sed -n "s/^#define TBY_VERSION_$1 \([0-9]*\)$/\1/p" include/tabiya.h; }
version=$(part MAJOR).$(part MINOR).$(part PATCH)
sed "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" bindings/wasm/npm/package.json >"$folder/package.json"
for file in tabiya.mjs tabiya.d.ts tabiya-board.mjs tabiya-board.d.ts board.mjs dom.mjs board.css embed.css pieces.svg \
    published.mjs; do
    cp "web/$file" "$folder"
done
cp bindings/wasm/npm/README.md LICENSE src/opening/openings.tsv "$folder"
cp "$build/web/tabiya.wasm" "$build/web/tabiya-embed.js" "$folder"
chmod 644 "$folder/tabiya.wasm"
mkdir -p "$out"
(cd "$folder" && npm pack --silent --pack-destination "$folder" >/dev/null)
mv "$folder/tabiya-$version.tgz" "$out"
echo "$out/tabiya-$version.tgz"
