#!/usr/bin/env bash
# Imports games that RiichiEnv plays, and counts the deals that we pay otherwise: game_logs.sh [COUNT]. PROGRAM is the
# program (target/release/tilelens).
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${PROGRAM:-target/release/tilelens}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet riichienv==0.4.11
mkdir "$folder/games"
"$folder/venv/bin/python" tests/peers/riichienv_games.py "${1:-500}" "$folder/games"
for game in "$folder"/games/*.mjson; do
  "$program" table import "${game%.mjson}.tlg" "$game" | grep -E 'paid otherwise|^  deal' || echo "not imported: $game"
done | tee "$folder/said" | grep -v 'log: 0$' || true
awk '/paid otherwise/ { deals += $1; other += $NF } END { print deals " deals, paid otherwise: " other + 0 }' "$folder/said"
