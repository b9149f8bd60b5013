#!/bin/sh
# run.sh - tests of the WebAssembly module and of the page: test/web/run.sh BUILD_FOLDER NAME
#
# NAME is vectors (the module), library (its JavaScript), published (the reader of published
# games), searched (queries over them), republished (in two steps), package (what npm would publish), page, layout, mended, panels, workplace,
# study, write, hostile
# (the page), embed (its elements elsewhere), addresses (games in them), publication (the page on published games), or exported (the page that tabiya pgn --to html writes).
#
# Skipped (77) if Node, the module or, for the page, Chromium or the npm packages are not available.
set -eu
cd "$(dirname "$0")/../.."
TABIYA_BUILD=$1
export TABIYA_BUILD

skip() {
    echo "$1"
    exit 77
}
command -v node >/dev/null || skip "node is not installed"
[ -e "$TABIYA_BUILD/web/tabiya.wasm" ] || skip "tabiya.wasm was not built"
[ "$2" != package ] || command -v npm >/dev/null || skip "npm is not installed"
if [ "$2" != vectors ] && [ "$2" != library ] && [ "$2" != published ] && [ "$2" != searched ] && [ "$2" != republished ] && [ "$2" != package ]; then
    # The headless shell takes half the processor time.
    CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)} || skip "chromium is not installed"
    export CHROMIUM
    [ -d web/node_modules/playwright-core ] || (cd web && npm ci --no-audit --no-fund) || skip "npm could not install the packages"
fi
exec node --test --test-reporter=spec "test/web/$2.test.mjs"
