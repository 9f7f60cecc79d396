#!/usr/bin/env bash
# Runs the bench `scoring` with PyMahjongGB's calculator on the same hands in the same rounds: its C++, compiled
# as Rust is (-O3), without the Python around it. Arguments go to the bench.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$folder" PyMahjongGB==1.4.0
tar xzf "$folder"/*.tar.gz -C "$folder"
source=$(dirname "$(find "$folder" -name fan_calculator.cpp)")
g++ -O3 -std=c++17 -w -I"$source" "$here/pymahjonggb.cpp" "$source/fan_calculator.cpp" -o "$folder/pymahjonggb"
cd "$here/.."
PYMAHJONGGB=$folder/pymahjonggb cargo bench --locked --no-default-features --bench scoring -- "$@"
