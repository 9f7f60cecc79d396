#!/usr/bin/env bash
# Trains both networks again: render, train, export, calibrate, measure. Hours on a few cores; what was
# cut off goes on from its last checkpoint. Usage: train.sh [SHARED DATA]
set -euo pipefail
cd "$(dirname "$0")"
data=$(realpath "${1:-../../../shared/data}")
root=$(realpath ../..)
run=$root/target/training
cores=$(nproc)
half=$(((cores + 1) / 2))
[ -f "$data/splits.json" ] || {
  echo "$data has no splits.json: training needs the shared data (see models/*.md for where its pictures come from)"
  exit 2
}
mkdir -p "$run"
if [ ! -x "$run/venv/bin/python" ]; then
  python3 -m venv "$run/venv"
fi
"$run/venv/bin/python" -m pip install --quiet -r requirements.txt
python=$run/venv/bin/python

"$python" photographs.py --out "$run/photographs"
"$python" icons.py --out "$run/icons"
"$python" scenes.py --data "$data" --out "$run/scenes" --count 3658 --workers "$cores"
"$python" detector.py --data "$data" --scenes "$run/scenes" --out "$run/detector" --steps 14000 --threads "$half" --workers "$half"
# A second, shorter round, and a third one from the mean of both, which counts for a quarter of what goes out.
"$python" detector.py --data "$data" --scenes "$run/scenes" --photographs "$run/photographs" --out "$run/detector-2" --start "$run/detector/last.pt" \
  --steps 4000 --rate 0.0008 --small-until 0.65 --seed 4 --threads "$half" --workers "$half"
"$python" detector.py --data "$data" --scenes "$run/scenes" --photographs "$run/photographs" --out "$run/detector-3" \
  --start "$run/detector/last.pt" "$run/detector-2/last.pt" --steps 6000 --rate 0.001 --seed 7 --threads "$half" --workers "$half"
"$python" export_detector.py "$run"/detector/{last,last,last}.pt "$run"/detector-2/{last,last,last}.pt "$run"/detector-3/{last,last}.pt --data "$data" --out "$run/detector"
cp "$run/detector/detector_int8.onnx" "$root/models/detector.onnx"
"$python" classifier.py train --data "$data" --scenes "$run/scenes" --icons "$run/icons" --runs "$run/classifier" --steps 7000 --threads "$half"
# A second round with photographs and more invented styles.
"$python" classifier.py train --data "$data" --scenes "$run/scenes" --photographs "$run/photographs" --icons "$run/icons" \
  --runs "$run/classifier-2" --start "$run/classifier/checkpoint.pt" --styles 200 --steps 6000 --rate 0.0014 --small-until 0.45 --threads "$half"
"$python" classifier.py export --data "$data" --scenes "$run/scenes" --icons "$run/icons" --runs "$run/classifier-2" --out "$root/models/classifier.onnx"
"$python" calibrate.py --data "$data" --model "$root/models/classifier.onnx" --out "$root/calibration/confidence.toml"

cd "$root"
cargo build --release --locked
for split in val cross; do
  patch=()
  [ "$split" = val ] && patch=(--patch datasets/val-patch.json)
  target/release/tilelens eval "$data" --split "$split" "${patch[@]}" --pictures "$run/$split" | tee "$run/$split.txt"
done
target/release/tilelens eval datasets --pictures "$run/datasets" | tee "$run/datasets.txt"
