"""Source cuts for the classifier: labelled tiles of photos and scenes, single-face crops, background,
and what a detector takes for a tile and is none.

Around a photo's tile a cut (crops.py) holds what lies there: shifted and widened quads show
their neighbours. Where only a box is known and the tile lies square, the box serves as the quad.

`turns` says which corner of the cut may be the face's own top left: four booleans over
[top left, top right, bottom right, bottom left].
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tilelens_training.crops import MARGIN, PATCH, SQUARE, TILE
from tilelens_training.data.inference import detect, session
from tilelens_training.faces import BACK, FIVES, HALF_TURN_ALIKE, INDEX, REJECT, WHITE
from tilelens_training.labels import Photo, Tile, alone, photos, read_picture

VISIBLE = 0.85  # of a rendered tile, at least, to be learnt from


@dataclass
class Cuts:
    """Upright source cuts, row for row: pixels, class, possible turns, red (1, 0, -1 unknown), group,
    and whether the corners themselves were labelled."""

    pixels: np.ndarray
    faces: np.ndarray
    turns: np.ndarray
    red: np.ndarray
    groups: np.ndarray
    cornered: np.ndarray

    def __len__(self) -> int:
        return len(self.faces)


def tile_quad(tile: Tile) -> tuple[np.ndarray, np.ndarray]:
    """The quad of a labelled tile, clockwise, and which of its corners may be the face's top left."""
    turn, axis = tile.turn, tile.turn_axis
    if tile.corners is not None:
        quad = tile.corners
        turns = [True, False, turn is None, False]
    else:
        left, top, right, bottom = tile.box
        quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        if turn is not None:
            quad, turns = np.roll(quad, -(turn // 90), axis=0), [True, False, False, False]
        elif axis is not None:
            quad, turns = np.roll(quad, -(axis // 90), axis=0), [True, False, True, False]
        else:
            turns = [True] * 4
    possible = np.array(turns)
    if INDEX[tile.code] in HALF_TURN_ALIKE:
        possible = possible | np.roll(possible, 2)
    return quad, possible


def cut_quad(image: np.ndarray, quad: np.ndarray, size: int, target: np.ndarray) -> np.ndarray:
    """Warp so that `quad` lands on `target` of a size x size cut, without aliasing when shrinking."""
    side = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    shrink = float(np.linalg.norm(target[1] - target[0]) / side)
    if shrink < 0.7:
        # Cut the surroundings out first, so that only they are shrunk.
        inverse = cv2.getPerspectiveTransform(np.float32(target), np.float32(quad))
        frame = np.array([[[0, 0]], [[size, 0]], [[size, size]], [[0, size]]], np.float32)
        around = cv2.perspectiveTransform(frame, inverse)[:, 0]
        low = np.maximum(np.floor(around.min(0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(around.max(0)).astype(int) + 2, [image.shape[1], image.shape[0]])
        image = image[low[1] : high[1], low[0] : high[0]]
        small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        quad = (quad - low) * np.array([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]], np.float32)
        image = small
    warp = cv2.getPerspectiveTransform(np.float32(quad), np.float32(target))
    return cv2.warpPerspective(image, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def usable(tile: Tile) -> bool:
    """Whether the box encloses a whole, readable tile."""
    return not tile.ignore and tile.code in INDEX


def photo_cuts(data: Path, split: str, only_alone: bool = False) -> Cuts:
    """Cuts of every usable tile in the photos of a split, or of those that lie alone."""
    pixels, faces, turns, red, groups, cornered = [], [], [], [], [], []
    for photo in photos(data, split):
        tiles = photo.tiles
        if only_alone:
            apart = alone(np.reshape([tile.box for tile in tiles], (-1, 4)))
            tiles = [tile for tile, lone in zip(tiles, apart, strict=True) if lone]
        if not tiles:
            continue
        image = photo.read()
        for tile in filter(usable, tiles):
            quad, possible = tile_quad(tile)
            face = INDEX[tile.code]
            pixels.append(cut_quad(image, quad, PATCH, SQUARE))
            faces.append(face)
            turns.append(possible)
            red.append(int(tile.red) if face in FIVES else -1)
            groups.append(f"{photo.source}/{photo.group}")
            cornered.append(tile.corners is not None)
    return Cuts(np.stack(pixels), *map(np.array, (faces, turns, red, groups, cornered)))


def crop_cuts(data: Path, split: str) -> Cuts:
    """Single-face crops of a split, TILE x TILE and upright, without surroundings."""
    data = Path(data)
    wanted = set(json.loads((data / "splits.json").read_text())[split]["crops"])
    pixels, faces, turns, red, groups = [], [], [], [], []
    for crop in json.loads((data / "crops/labels.json").read_text()):
        if crop["file"] not in wanted:
            continue
        image = np.rot90(read_picture(data / "crops" / crop["file"]), (crop["turn"] or 0) // 90)
        pixels.append(cv2.resize(image, (TILE, TILE), interpolation=cv2.INTER_AREA))
        face = INDEX[crop["code"]]
        faces.append(face)
        possible = np.array([True, False, crop["turn"] is None, False])
        turns.append(possible | np.roll(possible, 2) if face in HALF_TURN_ALIKE else possible)
        red.append(0 if face in FIVES else -1)
        groups.append(crop["group"])
    return Cuts(np.stack(pixels), *map(np.array, (faces, turns, red, groups, [True] * len(faces))))


def background_cuts(data: Path, split: str, seed: int, per_photo: int = 4) -> np.ndarray:
    """Square PATCH cuts without any tile: from complete photos, away from the boxes."""
    random = np.random.default_rng(seed)
    found = []
    for photo in photos(data, split):
        if not photo.complete or not photo.tiles:
            continue
        image = photo.read()
        height, width = image.shape[:2]
        boxes = np.stack([tile.box for tile in photo.tiles])
        clear = 0.45 * np.median(boxes[:, 2:] - boxes[:, :2])
        taken = 0
        for _ in range(40):
            side = int(random.uniform(50, 300))
            if side > min(height, width):
                continue
            x, y = random.integers(0, width - side + 1), random.integers(0, height - side + 1)
            across = (boxes[:, 0] - clear < x + side) & (boxes[:, 2] + clear > x)
            down = (boxes[:, 1] - clear < y + side) & (boxes[:, 3] + clear > y)
            if (across & down).any():
                continue
            found.append(cv2.resize(image[y : y + side, x : x + side], (PATCH, PATCH), interpolation=cv2.INTER_AREA))
            taken += 1
            if taken == per_photo:
                break
    return np.stack(found)


def scene_cuts(folder: Path, most: int) -> Cuts:
    """Cuts of up to `most` well visible tiles of rendered scenes, backs among them."""
    pixels, faces, turns, red, groups = [], [], [], [], []
    for path in sorted(Path(folder).glob("*.json")):
        image = None
        for tile in json.loads(path.read_text())["tiles"]:
            quad = np.array(tile["corners"], np.float32)
            edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
            if tile.get("visible", 1.0) < VISIBLE or edges.min() < 9:
                continue
            image = read_picture(path.with_suffix(".jpg")) if image is None else image
            face = BACK if tile["code"] == "x" else INDEX[tile["code"]]
            possible = np.array([True, False, face == BACK, False])
            pixels.append(cut_quad(image, quad, PATCH, SQUARE))
            faces.append(face)
            turns.append(possible | np.roll(possible, 2) if face in HALF_TURN_ALIKE else possible)
            red.append(int(tile["red"]) if face in FIVES else -1)
            groups.append(path.stem)
            if len(faces) == most:
                break
        if len(faces) == most:
            break
    return Cuts(np.stack(pixels), *map(np.array, (faces, turns, red, groups, [True] * len(faces))))


def false_detection_cuts(
    data: Path, split: str, models: Path, seed: int, photographs: Sequence[Photo] = (), per_photo: int = 10,
) -> tuple[np.ndarray, np.ndarray]:
    """Detections of the models in `models` where no tile is labelled: in photos that are complete or show no face, in photographs.

    Some detections in photos are tiles that nobody labelled: one that the classifier is sure of is left out, but for
    the white dragon, which is what it most often sees in blank sides and paper. The photos without a face show one set's
    green backs: green detections there are backs. In photographs nothing is a tile; most of what is classified
    as a white dragon there is left out, as no crop alone tells it from a true one.
    """
    detector, classifier = (session(Path(models) / f"{name}.onnx") for name in ("detector", "classifier"))
    random = np.random.default_rng(seed)

    def named(inner: np.ndarray) -> tuple[int, float]:
        """The likeliest class of a crop and its probability."""
        crop = cv2.resize(inner, (64, 64), interpolation=cv2.INTER_AREA).transpose(2, 0, 1)[None].astype(np.float32)
        logits = classifier.run(["faces"], {"crops": crop})[0][0]
        likely = np.exp(logits - logits.max())
        return int(logits.argmax()), float(likely.max() / likely.sum())

    pixels: list[np.ndarray] = []
    faces: list[int] = []
    for photo in [*photos(data, split), *photographs]:
        if photo.tiles and not photo.complete:
            continue
        image = photo.read()
        nothing = photo.source == "photographs"
        wanted = len(faces) + (per_photo if photo.tiles or nothing else 12 * per_photo)
        for side in (384, 640, 1024)[: 3 if nothing else 2]:
            if len(faces) == wanted:
                break
            detections = detect(detector, image, side, 0.12)
            for quad in [detections[i] for i in random.permutation(len(detections))]:
                if len(faces) == wanted:
                    break
                centre = quad.mean(0)
                if any((tile.box[:2] <= centre).all() and (centre <= tile.box[2:]).all() for tile in photo.tiles):
                    continue
                cut = cut_quad(image, quad, PATCH, SQUARE)
                inner = cut[MARGIN : MARGIN + TILE, MARGIN : MARGIN + TILE]
                if nothing:
                    if named(inner)[0] == WHITE and random.random() < 0.7:
                        continue
                elif not photo.tiles:
                    blue, green, red = inner.reshape(-1, 3).mean(0)
                    pixels.append(cut)
                    faces.append(BACK if green > 1.3 * max(red, blue) else REJECT)
                    continue
                else:
                    best, sure = named(inner)
                    if best < 42 and best != WHITE and sure > 0.5:
                        continue
                pixels.append(cut)
                faces.append(REJECT)
    return np.stack(pixels), np.array(faces)


def photograph_cuts(photographs: Sequence[Photo], seed: int, per_photo: int = 2) -> np.ndarray:
    """Square PATCH cuts of photographs without a tile, of any size."""
    random = np.random.default_rng(seed)
    found = []
    for photo in photographs:
        image = photo.read()
        for _ in range(per_photo):
            side = int(np.exp(random.uniform(np.log(50), np.log(min(image.shape[:2])))))
            x, y = (random.integers(0, length - side + 1) for length in image.shape[1::-1])
            found.append(cv2.resize(image[y : y + side, x : x + side], (PATCH, PATCH), interpolation=cv2.INTER_AREA))
    return np.stack(found) if found else np.zeros((0, PATCH, PATCH, 3), np.uint8)
