#!/usr/bin/env bash
# Checks the JavaScript of the pages: unit tests of whatever needs no browser, types by tsc, and ESLint. The tools are those of
# package-lock.json, which npm puts beside it.
set -euo pipefail
cd "$(dirname "$0")"
node --test ./*.test.js
if ! cmp -s package-lock.json node_modules/installed.json; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || {
    echo "SKIPPED: types and style of the pages, whose tools (tests/pages/package-lock.json) cannot be installed here"
    exit 0
  }
  cp package-lock.json node_modules/installed.json
fi
node ids.js
node_modules/.bin/tsc -p tsconfig.json
node_modules/.bin/tsc -p tsconfig.workers.json
cd ../..
tests/pages/node_modules/.bin/eslint --config tests/pages/eslint.config.js src/server/pages web/page tests/pages/*.js
