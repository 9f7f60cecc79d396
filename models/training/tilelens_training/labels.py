"""Reads the photo labels of the shared data folder.

    photos = labels.photos(data, "train")   # list of Photo
    image = photos[0].read()                # BGR, as the boxes count its pixels
    photos[0].tiles[0].box                  # float32 [x0, y0, x1, y1]

The layout of the folder and the meaning of each field stand in its own README.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from tilelens_training.paths import DATASETS, TRAINING

SOURCES = ("kimwong-hk", "kimwong-riichi", "hk-hands", "riichi-webcam")
SELF_LABELS = TRAINING / "labels/corners.json"
TAUGHT_PATCHES = ("kimwong-hk-patch.json", "kimwong-riichi-patch.json")


def read_picture(path: Path) -> np.ndarray:
    """The pixels of a file, BGR uint8, untouched by any EXIF turn."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise FileNotFoundError(path)
    return image


@dataclass
class Tile:
    """One labelled tile."""

    code: str
    box: np.ndarray  # float32 [x0, y0, x1, y1]
    ignore: bool  # no whole tile, or unreadable: neither right nor wrong
    corners: np.ndarray | None  # float32 4x2, clockwise from the face's own top left
    turn: int | None  # 0, 90, 180, 270; where unknown, corners may start half a turn on
    turn_axis: int | None  # 0 or 90
    red: bool
    self_labelled: bool = False  # the corners are our reader's (data/reader_corners.py)


@dataclass
class Photo:
    """One photo with its tiles."""

    path: Path
    source: str
    file: str
    width: int
    height: int
    group: str
    complete: bool  # every readable face has a box
    loose: bool  # boxes may be up to 15 % too large
    tiles: list[Tile] = field(default_factory=list)

    def read(self) -> np.ndarray:
        """The pixels, BGR uint8, untouched by any EXIF turn."""
        return read_picture(self.path)


def _tile(entry: dict, seen: list | None) -> Tile:
    x, y, w, h = entry["bbox"]
    corners = entry.get("corners") or seen
    return Tile(
        code=entry["code"],
        box=np.array([x, y, x + w, y + h], np.float32),
        ignore=bool(entry.get("ignore")),
        corners=None if corners is None else np.array(corners, np.float32),
        self_labelled=not entry.get("corners") and seen is not None,
        turn=entry.get("turn"),
        turn_axis=entry.get("turn_axis"),
        red=bool(entry.get("red")),
    )


def alone(boxes: np.ndarray) -> np.ndarray:
    """Which of the boxes (N x 4: left, top, right, bottom) have their middle a long side or more from every other's."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    return (apart < (boxes[:, 2:] - boxes[:, :2]).max(1, initial=0)[:, None]).sum(1) == 1


def _corrected(tiles: list[Tile], patch: dict) -> list[Tile]:
    """What is to be ignored is left out, as the patch adds it with a box round the whole tile."""
    left_out = []
    for middle in patch.get("ignore", ()):
        held = [n for n, tile in enumerate(tiles) if (tile.box[:2] <= middle).all() and (middle < tile.box[2:]).all()]
        if not held:
            raise ValueError(f"a patch corrects a box at {middle} that is not there: are these other labels than {DATASETS} has patches of?")
        left_out.append(held[0])
    stay = [tile for n, tile in enumerate(tiles) if n not in left_out]
    return stay + [_tile(entry, None) for entry in patch.get("add", ())]


def photos(data: Path | str, split: str, self_labels: bool = True) -> list[Photo]:
    """All photos of `split` (train, val or cross), in a fixed order; to teach with, `self_labels` give corners to tiles without, and TAUGHT_PATCHES correct boxes."""
    data = Path(data)
    own: dict[str, dict] = {}
    patches: dict[str, dict] = {}
    if self_labels and split == "train":
        own = json.loads(SELF_LABELS.read_text())
        for name in TAUGHT_PATCHES:
            patches |= json.loads((DATASETS / name).read_text())["photos"]
    wanted = json.loads((data / "splits.json").read_text())[split]["photos"]
    found = []
    for source in SOURCES:
        keep = set(wanted.get(source, ()))
        if not keep:
            continue
        for entry in json.loads((data / "labels" / f"{source}.json").read_text())["images"]:
            if entry["file"] in keep:
                name = f"{source}/{entry['file']}"
                seen = own.get(name, {})
                tiles = [_tile(tile, seen.get(str(number))) for number, tile in enumerate(entry["tiles"])]
                found.append(
                    Photo(
                        path=data / "photos" / source / entry["file"],
                        source=source,
                        file=entry["file"],
                        width=entry["width"],
                        height=entry["height"],
                        group=entry["group"],
                        complete=bool(entry["complete"]),
                        loose=bool(entry.get("loose_boxes")),
                        tiles=_corrected(tiles, patches.get(name, {})),
                    )
                )
    return found
