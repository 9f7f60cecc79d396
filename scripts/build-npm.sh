#!/usr/bin/env bash
# Builds the npm package: target/npm/tilelens-*.tgz. `--test` tests it too, in Node and in Chromium, against the program in
# target/release or the one that TILELENS names.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${CARGO_TARGET_DIR:-target}
made=$build/npm/package
most=6000000

command -v npm >/dev/null || scripts/install-packages.sh --for-pages
rm -rf "$build/npm"
mkdir -p "$made/licences" "$made/networks"
scripts/build-wasm.sh "$made/tilelens.wasm"
cp web/npm/{package.json,README.md,index.d.ts} web/npm/{browser,node,worker,worker-node,bitmaps,client,functions,program,work}.js "$made/"
node web/npm/types.js docs/schema/score-request.json >"$made/requests.d.ts"
node web/npm/types.js docs/schema/package.json >"$made/answers.d.ts"
# The licences of what is inside, and whose pictures the networks learnt from.
cp LICENSE-APACHE LICENSE-MIT "$made/licences/"
cp models/*.md "$made/networks/"
npm pack --silent --pack-destination "$build/npm" "./$made"

package=$(echo "$build"/npm/*.tgz)
size=$(stat -c %s "$package")
if [ "$size" -gt $most ]; then
  echo "$package has $size bytes: at most $most are wanted" >&2
  exit 1
fi
echo "$package: $size bytes"

if [ "${1:-}" = --test ]; then
  scripts/node-packages.sh
  # As others install it: what is tested is what is in the archive.
  installed=$build/npm/installed
  mkdir -p "$installed"
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$installed" "./$package"
  PACKAGE=$(realpath "$installed/node_modules/tilelens") node --test web/npm/tests/*.test.js
fi
