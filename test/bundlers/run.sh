#!/bin/sh
# run.sh - the npm package, bundled by esbuild, webpack and Vite: test/bundlers/run.sh BUILD_FOLDER
#
# Skipped (77) if Node, Chromium, the module or the npm packages are not available.
set -eu
cd "$(dirname "$0")/../.."
TABIYA_BUILD=$1
export TABIYA_BUILD

skip() {
    echo "$1"
    exit 77
}
command -v npm >/dev/null || skip "npm is not installed"
[ -e "$TABIYA_BUILD/web/tabiya.wasm" ] || skip "tabiya.wasm was not built"
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)} || skip "chromium is not installed"
export CHROMIUM
for folder in web test/bundlers; do
    [ -d "$folder/node_modules" ] || (cd "$folder" && npm ci --no-audit --no-fund) || skip "npm could not install the packages of $folder"
done
exec node --test --test-reporter=spec test/bundlers/bundlers.test.mjs
