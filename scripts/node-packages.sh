#!/usr/bin/env bash
# Puts the packages of package-lock.json into node_modules, where they are not there yet.
set -euo pipefail
cd "$(dirname "$0")/.."
cmp -s package-lock.json node_modules/installed.json && exit 0
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json node_modules/installed.json
