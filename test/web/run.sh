#!/bin/sh
# run.sh - tests of the WebAssembly module and of the page: test/web/run.sh BUILD_FOLDER NAME
#
# NAME is vectors (the module), package (what npm would publish), page, mended, panels, workplace, study, write, hostile (the page), or
# exported (the page that tabiya pgn --to html writes)
#
# Skipped (77) where Node, the module, or for the page Chromium and the packages of npm cannot be had.
set -eu
cd "$(dirname "$0")/../.."
TABIYA_BUILD=$1
export TABIYA_BUILD

skip() {
    echo "$1"
    exit 77
}
command -v node >/dev/null || skip "node is not there"
[ -e "$TABIYA_BUILD/web/tabiya.wasm" ] || skip "tabiya.wasm was not built"
[ "$2" != package ] || command -v npm >/dev/null || skip "npm is not there"
if [ "$2" != vectors ] && [ "$2" != package ]; then
    # Without windows it takes half of the processor's time.
    CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)} || skip "chromium is not there"
    export CHROMIUM
    [ -d web/node_modules/playwright-core ] || (cd web && npm ci --no-audit --no-fund) || skip "npm could not bring its packages"
fi
exec node --test --test-reporter=spec "test/web/$2.test.mjs"
