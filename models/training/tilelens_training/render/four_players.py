"""Renders a table of four players from above, in our own artwork, with its truth.

    python -m tilelens_training.render.four_players [--out FOLDER]

Writes table.jpg and table.json: the table's corners in the picture and, for each seat, what lies open of the hand
and the discards in order. East sits at the lower edge.
"""

import argparse
import json
import math
from pathlib import Path

import cv2
import numpy as np

from tilelens_training.paths import DATASETS
from tilelens_training.render import raytrace
from tilelens_training.render.sample_pictures import SIDE, Sample, Table, placed, tile_set
from tilelens_training.render.table_scene import STANDING, Stage, camera, light, photograph
from tilelens_training.render.table_tops import felt

OUT = DATASETS / "four-players"
SIZE = (1440, 2560)
EDGE = 29.0  # of the table, in tile widths
# As many discards as there were turns: East has won on West's last one, which lies with his hand.
SEATS = {
    "E": {"text": "123m456p55z78s(7'77z)+9s", "standing": 0, "discards": "9p1z8m3z2s6z4z"},
    "S": {"text": "(22'2p)(3'45s)", "standing": 7, "discards": "1z9m7p2z6m5s1s9p8p"},
    "W": {"text": "345p678p234s567m2z", "standing": 0, "discards": "9s9s1m4z6z8p8m3m"},
    "N": {"text": "(555'm)[x88sx]", "standing": 7, "discards": "3z1p2m7z4p9m1s"},
}


def moved(tiles, x, y, turn):
    """Tiles as laid out about the origin, moved and then turned about the table's middle."""
    c, s = math.cos(turn), math.sin(turn)
    for tile in tiles:
        u, v = tile.x + x, tile.y + y
        tile.x, tile.y, tile.angle = c * u - s * v, s * u + c * v, tile.angle + turn
    return tiles


def laid(rng, long, seat, turn):
    """Everything before one player."""
    own = Table(rng, long)
    open_alone = seat["standing"] > 0
    own.hand(Sample("", seat["text"]))
    tiles = own.tiles
    left, right = min(t.x for t in tiles), max(t.x for t in tiles)
    # What lies open at the right, or a whole hand about the middle.
    x = EDGE / 2 - 1.6 - right if open_alone else -(left + right) / 2
    tiles = moved(tiles, x, -EDGE / 2 + 3.0, turn)
    standing = [placed("1m", k * 1.02 - 8.5, -EDGE / 2 + 3.0, math.pi, pose=STANDING) for k in range(seat["standing"])]
    tiles += moved(standing, 0, 0, turn)
    rows = Table(rng, long)
    codes = [seat["discards"][k : k + 2] for k in range(0, len(seat["discards"]), 2)]
    for start in range(0, len(codes), 6):
        rows.row(codes[start : start + 6], 0, -(start // 6) * (long + 0.04))
    return tiles + moved(rows.tiles, -3.1, -3.9, turn)


def main():
    """Renders the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(2052)
    own = tile_set(rng)
    stage = Stage()
    for number, seat in enumerate(SEATS.values()):
        for tile in laid(rng, own.height, seat, number * SIDE):
            stage.add_tile(own, tile, rng)
    height, width = SIZE
    corners = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * EDGE / 2
    pixels = 40.0
    while True:
        view = camera(np.zeros(2), pixels, math.radians(72), 0.03, 0.0, 1.1 * width, SIZE, -0.02)
        at, _ = view.project(corners)
        if (at > 25).all() and (at < np.array([width, height]) - 25).all():
            break
        pixels *= 0.98
    texture = np.clip(felt(rng), 0, 255).astype(np.uint8)
    half = EDGE / 2 + 0.6
    ground = raytrace.Table(texture, np.eye(2) / 30, rng.uniform(0, 2, 2), np.array([-half, -half, half, half]), np.full((8, 8, 3), 40, np.uint8), 0.0, False)
    picture, _ = raytrace.trace(stage.bodies(), ground, view, light(rng, np.zeros(2), 0.3), SIZE, 3, 7)
    cv2.imwrite(str(args.out / "table.jpg"), photograph(rng, picture, 0.3, pixels), [cv2.IMWRITE_JPEG_QUALITY, 88])
    truth = {
        "picture": [width, height],
        "corners": np.round(at, 1).tolist(),
        "seats": {
            seat: {"text": lies["text"].replace("(", " (").replace("[", " [").replace("+", " +").strip(), "discards": lies["discards"]}
            for seat, lies in SEATS.items()
        },
    }
    (args.out / "table.json").write_text(json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main()
