"""Corners for tiles of split `train` that have a box alone, as our own reader sees them: `labels/corners.json`, and sheets to look at.

    python -m tilelens_training.data.reader_corners --sheets FOLDER

A tile's corners are taken where the reader, which knows nothing of the label, names the labelled face surely on a quad whose
box is nearly the label's. Look at the sheets before anything is taught with the file.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.data.inference import iou
from tilelens_training.labels import SELF_LABELS, Photo, Tile, photos
from tilelens_training.paths import DATA, PROGRAM

ALIKE = 0.8  # how much of both the two boxes share, at least
SURE = 0.95
TURNED = 60  # degrees between the label's quarter turn and the reader's, at most
OUTSIDE = 2  # pixels of a corner outside the picture, at most: the rest of such a tile is not seen
SIDE, ACROSS, DOWN = 150, 10, 7  # of a sheet: pixels of a view, views
AROUND = 0.25  # of a tile's sides, seen in a view


def read(program: Path, photo: Photo) -> list[dict]:
    """The reader's tiles of a photo."""
    done = subprocess.run([program, "tiles", photo.path, "--json", "--tileset", "none", "--threads", "1"], capture_output=True, check=False)
    return json.loads(done.stdout)["tiles"] if done.returncode == 0 else []


def turned_alike(tile: Tile, corners: np.ndarray) -> bool:
    """Whether the corners begin where the label, as far as it tells, says that the face is turned to."""
    along = corners[1] - corners[0]
    turn = np.degrees(np.arctan2(along[1], along[0]))
    if tile.turn is not None:
        return abs((turn - tile.turn + 180) % 360 - 180) < TURNED
    return tile.turn_axis is None or abs((turn - tile.turn_axis + 90) % 180 - 90) < TURNED


def agreed(photo: Photo, seen: list[dict]) -> dict[int, np.ndarray]:
    """Number of each tile without corners for which the reader's are taken, and these."""
    found = {}
    for number, tile in enumerate(photo.tiles):
        if tile.corners is not None or tile.ignore:
            continue
        for other in seen:
            corners = np.array(other["corners"], np.float32)
            low, high = corners.min(0), corners.max(0)
            whole = (low >= -OUTSIDE).all() and (high <= np.array([photo.width, photo.height], np.float32) + OUTSIDE).all()
            same = other["code"].replace("0", "5") == tile.code and other["confidence"] >= SURE
            if same and whole and iou(tile.box, np.r_[low, high][None])[0] >= ALIKE and turned_alike(tile, corners):
                found[number] = corners
    return found


def view(image: np.ndarray, box: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """A tile with its corners drawn, the face's own top left as a dot."""
    middle, half = (box[:2] + box[2:]) / 2, (0.5 + AROUND) * (box[2:] - box[:2]).max()
    scale = SIDE / (2 * half)
    to = np.array([[scale, 0, SIDE / 2 - scale * middle[0]], [0, scale, SIDE / 2 - scale * middle[1]]], np.float32)
    seen = cv2.warpAffine(image, to, (SIDE, SIDE), flags=cv2.INTER_AREA)
    at = np.round(corners @ to[:, :2].T + to[:, 2]).astype(int)
    cv2.polylines(seen, [at], True, (0, 0, 255), 1, cv2.LINE_AA)
    cv2.circle(seen, at[0].tolist(), 4, (0, 255, 0), -1)
    return seen


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--out", type=Path, default=SELF_LABELS)
    parser.add_argument("--sheets", type=Path, required=True, help="folder of the sheets; a random part of them is taken")
    parser.add_argument("--count", type=int, default=420, help="views on the sheets")
    options = parser.parse_args()
    kept, views, without = {}, [], 0
    random = np.random.default_rng(1)
    for photo in tqdm([photo for photo in photos(options.data, "train", self_labels=False) if any(tile.corners is None and not tile.ignore for tile in photo.tiles)]):
        without += sum(tile.corners is None and not tile.ignore for tile in photo.tiles)
        found = agreed(photo, read(options.program, photo))
        if not found:
            continue
        kept[f"{photo.source}/{photo.file}"] = {str(number): np.round(corners, 1).tolist() for number, corners in found.items()}
        image = photo.read()
        for number, corners in found.items():
            views.append((random.random(), view(image, photo.tiles[number].box, corners)))
            views = sorted(views, key=lambda chance: chance[0])[: options.count]
    lines = [f"{json.dumps(name)}: {json.dumps(corners)}" for name, corners in kept.items()]
    options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{sum(map(len, kept.values()))} of {without} tiles without corners, in {len(kept)} photos")
    options.sheets.mkdir(parents=True, exist_ok=True)
    for sheet in range(math.ceil(len(views) / (ACROSS * DOWN))):
        part = [seen for _, seen in views[sheet * ACROSS * DOWN :][: ACROSS * DOWN]]
        part += [np.zeros((SIDE, SIDE, 3), np.uint8)] * (ACROSS * DOWN - len(part))
        rows = [np.hstack(part[row * ACROSS :][:ACROSS]) for row in range(DOWN)]
        cv2.imwrite(str(options.sheets / f"{sheet}.png"), np.vstack(rows))


if __name__ == "__main__":
    main()
