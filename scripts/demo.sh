#!/usr/bin/env bash
# Reads the sample photos and scores the first under every rule set. Usage: demo.sh BINARY OUT
set -euo pipefail
binary=$1 out=$2
sample=datasets/table/demo.jpg
mkdir -p "$out"

echo "== What $binary sees in $sample, priced under each rule set"
for rules in mmm mmm-dk ims hkos chumchu; do
  "$binary" photo "$sample" --rules "$rules" --seat S --round E --from W --annotate "$out/$rules.png" || [ $? -eq 1 ]
  echo
done
echo "The pictures it drew: $out/{mmm,mmm-dk,ims,hkos,chumchu}.png"
