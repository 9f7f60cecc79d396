#!/usr/bin/env bash
# Trains the networks again: render, train, export, calibrate, measure. Hours on a few cores; what was
# cut off goes on from its last checkpoint. Usage: train.sh [SHARED DATA]
# SHARE=1 is a rehearsal: one percent of the scenes and steps, in a folder of its own; what it makes
# reads nothing well and takes nobody's place.
set -euo pipefail
cd "$(dirname "$0")"
data=$(realpath "${1:-../../../shared/data}")
root=$(realpath ../..)
share=${SHARE:-100}
run=$root/target/training
[ "$share" = 100 ] || run=$root/target/rehearsal
cores=$(nproc)
half=$(((cores + 1) / 2))
[ -f "$data/splits.json" ] || {
  echo "$data has no splits.json: training needs the shared data (see models/*.md for where its pictures come from)"
  exit 2
}
part() { echo $((($1 * share + 99) / 100)); }

mkdir -p "$run/models"
if [ ! -x "$run/venv/bin/python" ]; then
  python3 -m venv "$run/venv"
fi
"$run/venv/bin/python" -m pip install --quiet -r requirements.lock
export PYTHONPATH=$PWD
step() { "$run/venv/bin/python" -m "tilelens_training.$1" "${@:2}"; }

step data.photographs --out "$run/photographs"
step render.fonts
step render.scenes --data "$data" --out "$run/scenes" --count "$(part 3658)" --workers "$cores"
step train.detector --data "$data" --scenes "$run/scenes" --out "$run/detector" --steps "$(part 14000)" --threads "$half" --workers "$half"
# Further rounds, each from the mean of what went before.
one=$run/detector/last.pt two=$run/detector-2/last.pt three=$run/detector-3/last.pt four=$run/detector-4/last.pt
detector=(train.detector --data "$data" --scenes "$run/scenes" --photographs "$run/photographs" --threads "$half" --workers "$half")
step "${detector[@]}" --out "$run/detector-2" --start "$one" --steps "$(part 4000)" --rate 0.0008 --small-until 0.65 --seed 4
step "${detector[@]}" --out "$run/detector-3" --start "$one" "$two" --steps "$(part 6000)" --rate 0.001 --seed 7
# The third counts for a quarter.
mean=("$one" "$one" "$one" "$two" "$two" "$two" "$three" "$three")
step "${detector[@]}" --out "$run/detector-4" --start "${mean[@]}" --steps "$(part 7500)" --rate 0.0012 --seed 8
mean+=("$four" "$four" "$four" "$four" "$four" "$four" "$four" "$four")
# The last is the longest, minutes on a GPU and hours without, and goes out alone.
step "${detector[@]}" --out "$run/detector-5" --start "${mean[@]}" --steps "$(part 25700)" --batch 32 --small-until 0.7 --seed 11
step export.detector "$run/detector-5/last.pt" --data "$data" --heat -0.3 --out "$run/detector"
cp "$run/detector/detector_int8.onnx" "$run/models/detector.onnx"
# The detections that are no tile are the shipped networks'.
classifier=(train.classifier --data "$data" --scenes "$run/scenes" --threads "$half" --workers "$half")
step "${classifier[@]}" --runs "$run/classifier" --steps "$(part 7000)"
# Without small crops from here on.
further=("${classifier[@]}" --photographs "$run/photographs" --small-until 0)
step "${further[@]}" --runs "$run/classifier-2" --start "$run/classifier/checkpoint.pt" --steps "$(part 4000)" --rate 0.0012
# The longest, on more designs: minutes on a GPU and hours without.
long=("${further[@]}" --styles 150 --batch 512)
step "${long[@]}" --runs "$run/classifier-3" --start "$run/classifier-2/checkpoint.pt" --steps "$(part 11300)" --rate 0.0015 --drawn 0.18 --seed 701
step "${long[@]}" --runs "$run/classifier-4" --start "$run/classifier-3/checkpoint.pt" --steps "$(part 3800)" --rate 0.0007 --drawn 0.16 --seed 811
step export.classifier --data "$data" --scenes "$run/scenes" --photographs "$run/photographs" --runs "$run/classifier-4" --out "$run/models/classifier.onnx"
step train.corners --data "$data" --scenes "$run/scenes" --photographs "$run/photographs" --runs "$run/corners" --steps "$(part 16000)" --threads "$half" --workers "$half"
step export.corners --data "$data" --scenes "$run/scenes" --runs "$run/corners" --out "$run/models/corners.onnx"
(cd "$root" && cargo build --release --locked)
step export.tune_corners --data "$data" --scenes "$run/scenes" --models "$run/models" --out "$run/models/corners.onnx"
step measure.calibrate --data "$data" --model "$run/models/classifier.onnx" --out "$run/models/confidence.toml"
step export.runtime_networks --models "$run/models"
(cd "$run/models" && sha256sum -- *.onnx > SHA256SUMS)

cd "$root"
measure=(target/release/tilelens eval --models "$run/models")
for split in val cross; do
  "${measure[@]}" "$data" --split "$split" --patch "datasets/$split-patch.json" --pictures "$run/$split" | tee "$run/$split.txt"
done
"${measure[@]}" datasets --pictures "$run/datasets" | tee "$run/datasets.txt"
if [ "$share" = 100 ]; then
  cp "$run"/models/*.onnx models/
  cp -r "$run/models/runtime" models/
  cp "$run/models/confidence.toml" calibration/
  # The judges are taught what the new networks say, that of white dragons after that of tiles.
  step render.scenes --data "$data" --seed 77 --out "$run/judged-scenes" --count 300 --workers "$cores"
  step data.scene_labels "$run/judged-scenes" --out "$run/judged-set"
  for judge in tiles whites; do
    cargo build --release --locked
    step train.judges "$judge" target/release/tilelens --data "$data" --scenes "$run/judged-set" --photographs "$run/photographs"
  done
  echo "the new networks and the judges are in models/, their temperature in calibration/: build again to have them in the program"
fi
