"""Renders the pictures of `datasets/tilesets/`: one of each tile in our own artwork, laid out in rows to be learnt.

    python -m tilelens_training.render.laid_out_pictures [--out DIR] [--only NAME] [--workers K]

`mirrored` is the first picture flipped, as the front camera of a phone gives it.
"""

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.paths import DATASETS
from tilelens_training.render import raytrace
from tilelens_training.render.sample_pictures import Table, placed, tile_set
from tilelens_training.render.table_scene import DOWN, Stage, camera, light, photograph
from tilelens_training.render.table_tops import table_top

ROWS = ("123456789m", "1234506789p", "123456789s", "1234z", "765z", "1234f", "5678f")


@dataclass
class Layout:
    """One picture: rows from the top, each from the left, and how they are seen."""

    name: str
    rows: tuple
    seat: float = 0.0  # from where it is seen, in degrees
    pitch: float = 72.0
    size: tuple = (1280, 1120)
    hard: float = 0.35
    back: bool = False


LAYOUTS = [
    Layout("in-order", ROWS, back=True),
    # Bamboo from the right, dragons beside the winds, no flowers; seen from the left side.
    Layout("other-side", ("123456789m", "123456789p", "987654321s", "1234z 765z"), seat=90, size=(1120, 1280)),
    Layout("doubled", ("123456789m", "123456789p", "123456789p", "1234z", "765z")),
]


def codes(part):
    """1234z -> 1z 2z 3z 4z; 0 is a red five."""
    return [digit + part[-1] for digit in part[:-1]]


def render(layout, number):
    """The pixels of a layout."""
    rng = np.random.default_rng([91, number])
    own = tile_set(np.random.default_rng(5))
    table = Table(rng, own.height)
    for row, text in enumerate(layout.rows):
        x = 0.0
        for part in text.split():
            x = table.row(codes(part), x, -row * (own.height + 0.12)) + 1.0
    if layout.back:
        table.tiles.append(placed("x", 3.5, -4 * (own.height + 0.12), pose=DOWN))  # beside the dragons
    stage = Stage()
    for p in table.tiles:
        stage.add_tile(own, p, rng)
    spots = np.array([[p.x, p.y] for p in table.tiles])
    target = (spots.min(0) + spots.max(0)) / 2
    height, width = layout.size
    outline = np.concatenate([p.outline(own.height, own.depth) for p in table.tiles])
    points = np.c_[outline, np.full(len(outline), own.depth)]
    pixels = 0.5 * width
    while True:  # the largest scale at which everything fits
        view = camera(target, pixels, math.radians(layout.pitch), math.radians(layout.seat), 0.0, 1.15 * max(layout.size), layout.size, -0.02)
        at, depth = view.project(points)
        room = 0.05 * np.array([width, height])
        if depth.min() > 2 and (at > room).all() and (at < np.array([width, height]) - room).all():
            break
        pixels *= 0.96
    texture = table_top(rng, [])
    while texture.mean() > 170:
        texture = table_top(rng, [])
    cover = 30.0
    top = raytrace.Table(
        texture, np.eye(2) / cover, rng.uniform(0, 2, 2), np.array([-500.0, -500, 500, 500]), np.full((8, 8, 3), 40, np.uint8), 0.0, False
    )
    picture, _ = raytrace.trace(stage.bodies(), top, view, light(rng, target, layout.hard), layout.size, 3, number)
    return photograph(rng, picture, layout.hard, pixels)


def job(args):
    """Writes one picture, and the first one mirrored too."""
    out, number = args
    layout = LAYOUTS[number]
    picture = render(layout, number)
    settings = [cv2.IMWRITE_JPEG_QUALITY, 84]
    cv2.imwrite(str(out / f"{layout.name}.jpg"), picture, settings)
    if number == 0:
        cv2.imwrite(str(out / "mirrored.jpg"), picture[:, ::-1], settings)


def main():
    """Renders every picture, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DATASETS / "tilesets")
    parser.add_argument("--only")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    numbers = [k for k, layout in enumerate(LAYOUTS) if args.only in (None, layout.name)]
    with ProcessPoolExecutor(args.workers) as workers:
        list(tqdm(workers.map(job, [(args.out, k) for k in numbers]), total=len(numbers), unit="picture"))


if __name__ == "__main__":
    main()
