"""Brings rendered scenes into the form that `tilelens eval` reads.

    python -m tilelens_training.data.scene_labels SCENES --out FOLDER    # SCENES: of render/scenes.py
    tilelens eval FOLDER

Faces of which less than 85 % is in sight, and backs, need not be read.
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
from tqdm import tqdm

from tilelens_training.labels import read_picture

VISIBLE = 0.85


def labelled(path: Path) -> dict:
    """A scene's picture and tiles as an entry of labels."""
    height, width = read_picture(path.with_suffix(".jpg")).shape[:2]
    tiles = []
    for tile in json.loads(path.read_text())["tiles"]:
        corners = np.float64(tile["corners"])
        low, size = corners.min(0), np.ptp(corners, axis=0)
        hidden = tile["visible"] < VISIBLE or tile["code"] == "x"
        entry = {"code": tile["code"], "bbox": [*low.tolist(), *size.tolist()], "corners": tile["corners"], "red": bool(tile.get("red"))}
        tiles.append(entry | {"turn": None, "turn_axis": None, "ignore": hidden})
    return {"file": f"{path.stem}.jpg", "width": width, "height": height, "group": "scenes", "complete": True, "tiles": tiles}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    photos = options.out / "photos/scenes"
    photos.mkdir(parents=True, exist_ok=True)
    (options.out / "labels").mkdir(exist_ok=True)
    images = []
    for path in tqdm(sorted(options.scenes.glob("*.json"))):
        images.append(labelled(path))
        shutil.copyfile(path.with_suffix(".jpg"), photos / f"{path.stem}.jpg")
    (options.out / "labels/scenes.json").write_text(json.dumps({"images": images}))


if __name__ == "__main__":
    main()
