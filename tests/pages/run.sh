#!/usr/bin/env bash
# Checks the JavaScript of the pages: unit tests of whatever needs no browser, types by tsc, and ESLint.
set -euo pipefail
cd "$(dirname "$0")/../.."
node --test tests/pages/*.test.js
if command -v chromedriver > /dev/null; then
  node tests/pages/sheet.js docs
else
  echo "SKIPPED: pictures of the overlay, without chromedriver (scripts/install-packages.sh --for-tests installs it)"
fi
scripts/node-packages.sh || {
  echo "SKIPPED: types and style of the pages, whose tools (package-lock.json) cannot be installed here"
  exit 0
}
node tests/pages/ids.js
node_modules/.bin/tsc -p tests/pages/tsconfig.json
node_modules/.bin/tsc -p tests/pages/tsconfig.workers.json
node_modules/.bin/eslint --config tests/pages/eslint.config.js src/server/pages web/page web/npm web/*.js tests/pages/*.js
