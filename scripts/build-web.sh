#!/usr/bin/env bash
# Builds the page that reads by itself: a folder of static files, target/pocket or the one that is named.
set -euo pipefail
cd "$(dirname "$0")/.."
to=${1:-${CARGO_TARGET_DIR:-target}/pocket}

command -v npm >/dev/null || scripts/install-packages.sh --for-pages
rm -rf "$to"
mkdir -p "$to"
scripts/build-wasm.sh "$to/tilelens.wasm"
# The phone's page and the reader, as a folder of files.
scripts/node-packages.sh
node web/bundle.js "$to"
