#!/usr/bin/env bash
# resvg 0.48.1 (PyPI resvg_py 0.5.0) and Chromium (Debian 12): `text-anchor` of SVG text that something else makes wider.
#
# Expected: `text-anchor="end"` ends the text at `x`, `middle` centres it there, as wide as it is drawn: after `textLength`,
#   `letter-spacing` and `dx` have moved the letters apart. Chromium does so.
# Actual: resvg places the text by the width that its letters have by themselves, and widens it afterwards, to the right. A word with
#   textLength="250" that shall end at 290 is drawn from 9 to 253, in Chromium from 43 to 286. By `dx` in the middle of a centred
#   word it is 10 pixels off. Spaced letters end where the last letter does, in Chromium one space earlier. Plain anchored text, with
#   kept spaces or in several lines, is alike to the pixel.
# Effect here: our labels in pictures are anchored by `text-anchor` (src/draw) and use none of the three. One that is squeezed
#   into its box by `textLength`, checked in a browser, would leave the box in the pictures that the program draws.
#
# Exits non-zero once both place such text alike, or plain text otherwise.
set -euo pipefail
packages=()
command -v chromium >/dev/null || packages+=(chromium)
[ -f /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || packages+=(fonts-dejavu-core)
[ ${#packages[@]} = 0 ] || { apt-get update -q && apt-get install -y -q "${packages[@]}"; } >/dev/null
chromium --version
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check resvg_py==0.5.0 pillow==12.0.0 numpy==1.26.4
cat >look.py <<'PYTHON'
import io, os, subprocess
import numpy as np, resvg_py
from PIL import Image

WIDE, HIGH = 300, 60
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
TEXTS = {
    "end": '<text x="290" y="40" text-anchor="end">Riichi</text>',
    "middle": '<text x="150" y="40" text-anchor="middle">Riichi</text>',
    "end, spaces": '<text x="290" y="40" text-anchor="end" xml:space="preserve">Riichi  </text>',
    "middle, two lines": '<text x="150" y="28" text-anchor="middle">Ri<tspan x="150" y="55">ichi</tspan></text>',
    "end, textLength": '<text x="290" y="40" text-anchor="end" textLength="250">Riichi</text>',
    "end, letter-spacing": '<text x="290" y="40" text-anchor="end" letter-spacing="10">Riichi</text>',
    "middle, letter-spacing": '<text x="150" y="40" text-anchor="middle" letter-spacing="10">Riichi</text>',
    "middle, dx": '<text x="150" y="40" text-anchor="middle">Ri<tspan dx="20">ichi</tspan></text>',
}


def svg(text):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" font-family="DejaVu Sans" font-size="30">'
            f'<rect width="100%" height="100%" fill="white"/>{text}</svg>')


def sides(picture):
    """The leftmost and rightmost column that is dark."""
    columns = np.flatnonzero((np.asarray(picture.convert("L")) < 128).any(0))
    return int(columns[0]), int(columns[-1])


page = "".join(svg(text) for text in TEXTS.values())
with open("page.html", "w") as file:
    file.write(f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{page}")
subprocess.run(
    ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={os.getcwd()}/profile", "--hide-scrollbars",
     f"--window-size={WIDE},{HIGH * len(TEXTS) + 150}", f"--screenshot={os.getcwd()}/page.png", f"file://{os.getcwd()}/page.html"],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=True)
screen = Image.open("page.png")
off = {}
for place, (name, text) in enumerate(TEXTS.items()):
    drawn = resvg_py.svg_to_bytes(svg_string=svg(text), font_files=[FONT], skip_system_fonts=True)
    resvg = sides(Image.open(io.BytesIO(bytes(drawn))))
    chromium = sides(screen.crop((0, place * HIGH, WIDE, place * HIGH + HIGH)))
    off[name] = resvg[1] - chromium[1]
    print(f"{name}: from {resvg[0]} to {resvg[1]} in resvg, from {chromium[0]} to {chromium[1]} in Chromium")
plain = [off.pop(name) for name in ("end", "middle", "end, spaces", "middle, two lines")]
assert all(abs(distance) <= 2 for distance in plain), plain
assert off["end, textLength"] < -20, off
assert all(off.pop(name) >= least for name, least in
           (("end, letter-spacing", 7), ("middle, letter-spacing", 3), ("middle, dx", 7))), off
PYTHON
venv/bin/python look.py
