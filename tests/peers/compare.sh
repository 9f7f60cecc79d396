#!/usr/bin/env bash
# Compares random hands with three public programs, under the rulings that they follow: `riichi` with PyPI mahjong and
# npm @kobalab/majiang-core, `mcr` with PyPI PyMahjongGB. All are installed, pinned, in a temporary folder.
# Differences are explained in tests/hands/peers.txt; one that has no explanation ends with status 1.
#
#   tests/peers/compare.sh [HANDS] [SEED]      (200000 hands take some ten minutes)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
hands=${1:-20000} seed=${2:-51}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet mahjong==2.1.0 PyMahjongGB==1.4.0
(cd "$folder" && npm install --silent --no-save @kobalab/majiang-core@1.4.1)
cp "$here/majiang_riichi.js" "$folder"

cd "$here/../.."
cargo build --release --locked --no-default-features --bin tilelens --example random_requests
release=${CARGO_TARGET_DIR:-target}/release
answer() { # RULES [RULING=CHOICE ...]
    "$release/examples/random_requests" "$1" "$hands" "$seed" "${@:2}" >"$folder/$1.requests"
    "$release/tilelens" score --batch "$folder/$1.requests" $brief >"$folder/$1.answers" || true
}
brief=--brief answer riichi riichi.pao_counters=giver
brief='' answer mcr mcr.kongs=china mcr.exhausted_wait=yes mcr.seven_pairs_tile_hog=all mcr.nine_gates_pung=one

status=0
echo "riichi, mahjong 2.1.0:"
"$folder/python/bin/python" "$here/mahjong_riichi.py" "$folder"/riichi.{requests,answers} || status=1
echo "riichi, majiang-core 1.4.1:"
node --max-old-space-size=4096 "$folder/majiang_riichi.js" "$folder"/riichi.{requests,answers} || status=1
echo "mcr, PyMahjongGB 1.4.0:"
"$folder/python/bin/python" "$here/pymahjonggb_mcr.py" "$folder"/mcr.{requests,answers} || status=1
exit $status
