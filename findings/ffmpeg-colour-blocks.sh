#!/usr/bin/env bash
# ffmpeg 5.1 (Debian 12): a picture with colours of half size (4:2:0, as JPEG and video have them) converted to RGB.
#
# Expected: colours are interpolated, by the scaler's default `bicubic` or otherwise, so that a picture differs little from what
#   libjpeg makes of the same file (Pillow 12.0.0).
# Actual: without a change of size nothing is interpolated: each colour is drawn as a square of 2 x 2 pixels. Beside an edge of a
#   colour, RGB values are off by 54 of 255 here, with pure red by 93. The scaler's flag `full_chroma_int` leaves 22 of that. A
#   detour through 4:4:4 (`scale=flags=bilinear,format=yuvj444p,format=rgb24`) comes within 3.
# Effect here: pictures of a camera or video go through `format=rgb24` (src/capture/framed.rs), still JPEGs do not: the rims of red,
#   green and blue strokes differ between the two, most in small tiles. A frame and a photo of one scene are not equal to the level.
#
# Exits non-zero once colours are interpolated.
set -euo pipefail

command -v ffmpeg >/dev/null || { apt-get update -q && apt-get install -y -q ffmpeg; } >/dev/null
version=$(ffmpeg -version | head -n 1)
echo "$version"
[[ $version == "ffmpeg version 5.1."* ]] || { echo "not version 5.1" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pillow==12.0.0 numpy==1.26.4
cat >look.py <<'PYTHON'
import subprocess

import numpy as np
from PIL import Image

# Red and green on a light tile; no value is at an end of its range, where it would be cut off.
tile = np.full((120, 160, 3), 215, np.uint8)
tile[41:79, 61:101] = (170, 50, 50)
tile[45:60, 70:90] = (60, 120, 80)
Image.fromarray(tile).save("a.jpg", quality=95, subsampling="4:2:0")
libjpeg = np.asarray(Image.open("a.jpg").convert("RGB")).astype(float)


def raw(*options):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", "a.jpg", *options, "-f", "rawvideo", "-"]
    return np.frombuffer(subprocess.check_output(command), np.uint8).astype(float)


def in_squares():
    """Each colour sample of the file drawn as a square of 2 x 2 pixels."""
    planes = raw("-pix_fmt", "yuvj420p")
    luma, blue, red = np.split(planes, [120 * 160, 120 * 160 + 60 * 80])
    luma = luma.reshape(120, 160)
    blue, red = (plane.reshape(60, 80).repeat(2, 0).repeat(2, 1) - 128 for plane in (blue, red))
    rgb = np.stack([luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue], 2)
    return rgb.clip(0, 255)


squares = in_squares()
off = {}
for filters in ("format=rgb24", "scale=flags=full_chroma_int+accurate_rnd,format=rgb24",
                "scale=flags=bilinear,format=yuvj444p,format=rgb24"):
    rgb = raw("-vf", filters).reshape(libjpeg.shape)
    off[filters] = np.abs(rgb - libjpeg).max(), np.abs(rgb - squares).max()
    print(f"{filters}: off by {off[filters][0]:.0f} from libjpeg, by {off[filters][1]:.0f} from squares")
plain, full, detour = off.values()
assert plain[0] > 40 and plain[1] <= 3, off
assert 10 < full[0] < 40 and detour[0] <= 4, off
PYTHON
venv/bin/python look.py
