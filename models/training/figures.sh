#!/usr/bin/env bash
# Reads everything that the cards' figures are of, with some networks.
# Usage: figures.sh OUT [MODELS]; then tilelens_training.measure.card_tables OUT OTHER-OUT prints the cards' tables. An OUT/NAME.json that is there stays.
# The pictures (copies of val, sets never seen, new scenes) are made once, in target/figures.
set -euo pipefail
out=$(realpath -m "$1")
models=()
[ $# -lt 2 ] || models=(--models "$(realpath "$2")")
cd "$(dirname "$0")/../.."
data=$(realpath ../shared/data)
made=target/figures
python=${PYTHON:-target/training/venv/bin/python} # what train.sh installs
export PYTHONPATH=models/training
program=${PROGRAM:-target/release/tilelens}
mkdir -p "$out" "$made"

once() { # FOLDER COMMAND...: makes a folder of pictures whole or not at all; OUT in the command stands for it
  local folder=$made/$1
  shift
  [ -d "$folder" ] && return
  rm -rf "$folder.part"
  "${@/#OUT/$folder.part}"
  mv "$folder.part" "$folder"
}
once copies "$python" -m tilelens_training.measure.hardships --data "$data" --out OUT
once unseen "$python" -m tilelens_training.render.unseen_sets --count 6 --out OUT
[ -d "$made/fresh" ] || once scenes "$python" -m tilelens_training.render.scenes --data "$data" --seed 9173 --count 300 --workers "$(nproc)" --out OUT
once fresh "$python" -m tilelens_training.data.scene_labels "$made/scenes" --out OUT
once photographs "$python" -m tilelens_training.data.photographs --out OUT

figures() { # NAME FOLDER ARGUMENTS...
  [ -s "$out/$1.json" ] && return
  echo "$1"
  "$program" eval "${@:2}" --json "${models[@]}" > "$out/$1.part"
  mv "$out/$1.part" "$out/$1.json"
}
figures val "$data" --split val --patch datasets/val-patch.json
figures datasets datasets
figures clutter "$data" --split train --patch datasets/clutter-patch.json --patched
figures unseen "$made/unseen"
figures fresh "$made/fresh"
figures photographs "$made/photographs" --split held-out
for copy in "$made"/copies/*; do
  figures "$(basename "$copy")" "$copy"
done
# Last: nothing is chosen by it.
figures cross "$data" --split cross
figures cross-patched "$data" --split cross --patch datasets/cross-patch.json
