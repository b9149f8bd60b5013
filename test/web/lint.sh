#!/bin/sh
# lint.sh - eslint and the types of TypeScript over the modules of the page: test/web/lint.sh
#
# What they look for is in web/eslint.config.mjs and web/tsconfig.json. Skipped (77) without Node or the npm packages.
set -eu
cd "$(dirname "$0")/../../web"

skip() {
    echo "$1"
    exit 77
}
command -v node >/dev/null || skip "node is not installed"
[ -d node_modules/eslint ] || (command -v npm >/dev/null && npm ci --no-audit --no-fund) || skip "npm could not install the packages"
node node_modules/eslint/bin/eslint.js .
node node_modules/typescript/bin/tsc -p .
