#!/usr/bin/env bash
# Reads sample photos, scores one under every rule set, and draws what was read. Usage: demo.sh BINARY
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$1
photos=datasets/photos/tables
drawn=target/demo
rm -rf "$drawn"
mkdir -p "$drawn"

echo "One photo, $photos/table-discards.jpg, under five rule sets: South won on a discard of West."
echo
for rules in mmm mmm-dk ims hkos chumchu; do
  # A hand below the minimum of a rule set is a result too (exit code 1).
  "$binary" photo "$photos/table-discards.jpg" --rules "$rules" --seat S --round E --from W \
    --no-questions --annotate "$drawn/$rules.png" || [ $? -eq 1 ]
  echo
done

echo "Others, a line each:"
"$binary" photo "$photos"/{won-apart,kong-concealed-two-backs,chow-claimed,hard-low,row-fifteen,two-hands}.jpg \
  --rules hkos --seat E --round E --self-draw --annotate "$drawn/others" || [ $? -eq 1 ]
echo
echo "Every tile of a table, named:"
"$binary" tiles "$photos/table-discards.jpg" --annotate "$drawn/tiles.png" | head -n 6
echo
echo "The pictures with what was read drawn onto them: $drawn/mmm.png, $drawn/others/, $drawn/tiles.png"
