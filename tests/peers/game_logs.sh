#!/usr/bin/env bash
# Imports games that RiichiEnv plays, counts the deals that we pay otherwise, and the games of which a record that was written for
# another program reads as other events: game_logs.sh [COUNT]. PROGRAM is the program (target/release/tilelens).
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${PROGRAM:-target/release/tilelens}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet riichienv==0.4.11
mkdir "$folder/games"
"$folder/venv/bin/python" tests/peers/riichienv_games.py "${1:-500}" "$folder/games"

# The events of a log, without the names, which RiichiEnv does not log.
events() { "$program" record export "$1" --to jsonl | tail -n +2; }

for game in "$folder"/games/*.mjson; do
  name=${game%.mjson}
  "$program" table import "$name.tlg" "$game" | grep -E 'paid otherwise|^  deal' || echo "not imported: $game"
  "$program" record export "$game" --to mjai -o "$name.again.mjai"
  "$program" record export "$game" --to tenhou -o "$name.tenhou"
  python3 tests/peers/mjlog.py "$game" > "$name.mjlog"
  events "$game" > "$name.events"
  for other in "$name.again.mjai" "$name.tenhou" "$name.mjlog"; do
    events "$other" | cmp -s "$name.events" - || echo "other events: $other"
  done
done | tee "$folder/said" | grep -v 'log: 0$' || true
awk '/paid otherwise/ { deals += $1; other += $NF } END { print deals " deals, paid otherwise: " other + 0 }' "$folder/said"
echo "$(ls "$folder"/games/*.mjson | wc -l) games, other events: $(grep -c 'other events' "$folder/said" || true)"
