#!/usr/bin/env bash
# OpenCV's warps with INTER_LINEAR in version 4 and in version 5 (PyPI opencv-python-headless 4.12.0.88 and 5.0.0.93; the
# wheel of 4.6.0, Debian 12's version, gives the same pictures as 4.12).
#
# Expected: `warpPerspective` is a formula of four neighbours, so each version gives it, rounded to a whole level; a picture may differ
#   by one level at most.
# Actual: version 4 rounds each place to 1/32 of a pixel first and mixes by that. With strokes in a picture it is off by up to 4 levels
#   of 255, with noise by 5. Version 5 is exact to half a level, and 4's results are not to be had with either value of its new
#   parameter `hint`. `remap` does the same; `resize` is the same to the bit in both.
# Effect here: crops of tiles are warped by the wheel (5.0) where networks are trained and by Debian's 4.6 where they run. The same
#   photo and corners do not give the same crop, so a crop of one side is no test of the other to the bit.
#
# Exits non-zero once version 5 is not exact, or version 4 is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check numpy==2.2.6
for version in 4.12.0.88 5.0.0.93; do
    venv/bin/pip install --quiet --disable-pip-version-check --no-deps --target "$version" "opencv-python-headless==$version"
done
cat >warp.py <<'PYTHON'
import cv2
import numpy as np

HIGH, WIDE = 80, 64
strokes = np.full((240, 200), 235, np.uint8)
for at in range(0, 200, 20):
    strokes[:, at:at + 7] = 30
for at in range(0, 240, 40):
    strokes[at:at + 9] = 60
noise = np.random.RandomState(0).randint(0, 256, (240, 200)).astype(np.uint8)
corners = np.float32([[20.3, 15.2], [180.7, 10.1], [170.2, 220.9], [12.6, 210.4]])
square = np.float32([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]])
matrix = cv2.getPerspectiveTransform(corners, square)
down, right = np.mgrid[0:HIGH, 0:WIDE].astype(float)
x, y, w = np.linalg.inv(matrix) @ np.stack([right.ravel(), down.ravel(), np.ones(right.size)])
x, y = (x / w).reshape(HIGH, WIDE), (y / w).reshape(HIGH, WIDE)


def exact(picture):
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    a, b, picture = x - left, y - top, picture.astype(float)
    upper = picture[top, left] * (1 - a) + picture[top, left + 1] * a
    lower = picture[top + 1, left] * (1 - a) + picture[top + 1, left + 1] * a
    return upper * (1 - b) + lower * b


warps = {
    "warpPerspective": lambda picture: cv2.warpPerspective(picture, matrix, (WIDE, HIGH)),
    "remap": lambda picture: cv2.remap(picture, np.float32(x), np.float32(y), cv2.INTER_LINEAR),
}
if cv2.__version__.startswith("5"):
    for hint in ("ALGO_HINT_ACCURATE", "ALGO_HINT_APPROX"):
        value = getattr(cv2, hint)
        warps[hint] = lambda picture, value=value: cv2.warpPerspective(picture, matrix, (WIDE, HIGH), hint=value)
off = {}
for kind, picture in (("strokes", strokes), ("noise", noise)):
    for name, warp in warps.items():
        off[kind, name] = np.abs(warp(picture) - exact(picture)).max()
        print(f"{cv2.__version__} {kind}, {name}: off by {off[kind, name]:.2f} levels at most")
resized = cv2.resize(noise, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
print(f"{cv2.__version__} resize: sum {resized.sum(dtype=int)}")
if cv2.__version__.startswith("5"):
    assert max(off.values()) < 0.52, off
else:
    assert all(level > 3 for level in off.values()), off
np.save("resized" + cv2.__version__[0], resized)
PYTHON
for version in 4.12.0.88 5.0.0.93; do
    PYTHONPATH=$version venv/bin/python warp.py
done
cmp resized4.npy resized5.npy
