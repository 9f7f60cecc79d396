#!/usr/bin/env bash
# OpenCV 4.12 and 5.0 (PyPI opencv-python-headless 4.12.0.88 and 5.0.0.93): TIFF pictures that are to be turned by a quarter.
#
# Expected: `cv2.imread` turns a TIFF by its tag Orientation as it turns a JPEG, and gives it as stored with IMREAD_UNCHANGED or
#   IMREAD_IGNORE_ORIENTATION. Reading a file with imread is the same as reading its bytes with imdecode.
# Actual: with orientation 5 to 8, as of upright photos and scans, imread returns None; a message on standard error names
#   'original_ptr == real_mat.data'. imdecode and imreadmulti read the same file and turn it. Version 4.6 (Debian 12's,
#   here by its wheel) reads all of them. In no version do the two flags keep a TIFF from being turned.
# Effect here: the labels of training pictures are places in the picture as stored, so they are read with IMREAD_IGNORE_ORIENTATION
#   (tilelens_training.labels). Those pictures all are JPEG. Of a TIFF the labels would be beside the tiles, or the
#   file would count as missing. The program itself reads TIFF by the crate tiff.
#
# Exits non-zero once imread reads them, or the flags are heeded.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >look.py <<'PYTHON'
import sys

import cv2
import numpy as np
from PIL import Image

picture = Image.new("RGB", (64, 32), "red")


def size(image):
    return "None" if image is None else f"{image.shape[1]}x{image.shape[0]}"


seen = {}
for orientation in range(1, 9):
    picture.save("a.tif", tiffinfo={274: orientation})
    seen[orientation] = {
        "imread": size(cv2.imread("a.tif")),
        "unchanged": size(cv2.imread("a.tif", cv2.IMREAD_UNCHANGED)),
        "ignore": size(cv2.imread("a.tif", cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)),
        "imdecode": size(cv2.imdecode(np.fromfile("a.tif", np.uint8), cv2.IMREAD_COLOR)),
        "imreadmulti": size(cv2.imreadmulti("a.tif")[1][0]),
    }
    print(cv2.__version__, "orientation", orientation, seen[orientation])
turned = "None" if sys.argv[1] == "fails" else "32x64"
for orientation, sizes in seen.items():
    if orientation < 5:
        assert set(sizes.values()) == {"64x32"}
    else:
        assert sizes == {"imread": turned, "unchanged": turned, "ignore": turned, "imdecode": "32x64", "imreadmulti": "32x64"}
PYTHON
python3 -m venv venv
pip() { venv/bin/pip install --quiet --disable-pip-version-check "$@"; }
pip pillow==12.0.0 numpy==1.26.4
for version in 4.6.0.66 4.12.0.88 5.0.0.93; do
    pip --no-deps --target "$version" "opencv-python-headless==$version"
done
PYTHONPATH=4.6.0.66 venv/bin/python look.py reads
for version in 4.12.0.88 5.0.0.93; do
    PYTHONPATH=$version venv/bin/python look.py fails 2>messages
    grep -m 1 original_ptr messages
done
