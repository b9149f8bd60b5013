#!/bin/sh
# run.sh - tests of the WebAssembly module and of the page: test/web/run.sh BUILD_FOLDER NAME
#
# NAME is that of a file: vectors (the module), library (its JavaScript), published, searched and republished (the reader
# of published games), package (what npm would publish); all others are tests of the page, in Chromium.
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
case $2 in
vectors | library | published | searched | republished | package) ;;
*)
    # The headless shell takes half the processor time.
    CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)} || skip "chromium is not installed"
    export CHROMIUM
    [ -d web/node_modules/playwright-core ] || (cd web && npm ci --no-audit --no-fund) || skip "npm could not install the packages"
    ;;
esac
exec node --test --test-reporter=spec "test/web/$2.test.mjs"
