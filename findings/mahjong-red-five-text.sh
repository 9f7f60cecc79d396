#!/usr/bin/env bash
# PyPI mahjong 2.1.0: a red five in hand text becomes a tile of another suit.
#
# Expected: Tenhou's text writes a red five as 0, so TilesConverter reads "406p" as 4, 5 and 6 of dots or, without red
# fives, refuses the 0.
# Actual: without has_aka_dora=True the 0 is taken as "the number before 1", without an error. "406p" is 9m 4p 6p and "0s" is
# 9p; for "0m" the index is -4. one_line_string_to_34_array, which makes hands for the shanten calculator, has no such
# argument: there a 0 is always the nine of the previous suit (of the first suit, the red dragon).
# Effect here: our notation and `tilelens convert --to tenhou` write 0 for red fives. Passing that text to this library
# without the argument gives another hand, not an error; comparisons have to write red fives as 5.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check mahjong==2.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import sys
from mahjong.tile import TilesConverter as Tiles

plain = Tiles.one_line_string_to_136_array("406p")
red = Tiles.one_line_string_to_136_array("406p", has_aka_dora=True)
counts = Tiles.one_line_string_to_34_array("406p")
first = Tiles.one_line_string_to_136_array("0m")
print("406p                     ", plain, Tiles.to_one_line_string(plain))
print("406p, has_aka_dora=True  ", red, Tiles.to_one_line_string(red))
print("406p, counts of 34 at    ", [face for face, count in enumerate(counts) if count])
print("0m                       ", first)
as_seen = (
    Tiles.to_one_line_string(plain) == "9m46p"
    and Tiles.to_one_line_string(red) == "456p"
    and counts[8] == 1
    and first == [-4]
)
if not as_seen:
    sys.exit("mahjong reads red fives otherwise than when this was written down")
PYTHON
