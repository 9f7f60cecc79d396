"""Cuts of what the detector takes for a tile, face up or face down, and is none.

    cuts = false_detections(models, scenes, photographs, count=3000, seed=6, workers=4)   # N x PATCH x PATCH x 3

From rendered scenes away from every tile, from pictures of clutter and from photographs without a tile; at two sizes
each, since what looks like a tile at one often does not at another.
"""

import json
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from tilelens_training.crops import PATCH, SQUARE
from tilelens_training.data.cuts import cut_quad
from tilelens_training.data.inference import decode, extent, iou, padded, session
from tilelens_training.labels import Photo, read_picture
from tilelens_training.render import clutter

SIDES = (448, 704, 1024)
CLEAR = 0.2  # a detection that shares more than this of both with a labelled tile's box is not false
COLDEST = 0.15
PER_PICTURE = 6
SIZE = 1100  # of a picture of clutter
detector: ort.InferenceSession  # of each worker


def _load(models: Path) -> None:
    global detector
    cv2.setNumThreads(1)
    detector = session(Path(models) / "detector.onnx")


def _detections(image: np.ndarray, side: int) -> list[np.ndarray]:
    """Quads of faces and of backs, in the picture's pixels."""
    maps = detector.run(None, {"image": padded(image, side)})[0][0]
    swapped = maps.copy()
    swapped[[0, 1]] = maps[[1, 0]]
    quads = [quad for part in (maps, swapped) for _, quad in decode(part, COLDEST)]
    return [quad * max(image.shape[:2]) / side for quad in quads]


def _false(job: tuple[Path | None, int]) -> list[np.ndarray]:
    """Some of the false detections of one picture: a scene's or a photograph's path, or a seed of clutter."""
    what, number = job
    random = np.random.default_rng(number)
    boxes = np.zeros((0, 4))
    if what is None:
        image = clutter.picture(random, SIZE)
    else:
        image = read_picture(what)
        truth = Path(what).with_suffix(".json")
        if truth.exists():
            tiles = json.loads(truth.read_text())["tiles"]
            boxes = np.array([extent(np.array(tile["corners"], np.float32)) for tile in tiles]).reshape(-1, 4)
    cuts = []
    for side in random.choice(SIDES, 2, replace=False):
        detections = _detections(image, int(side))
        detections = [quad for quad in detections if not len(boxes) or iou(extent(quad), boxes).max() < CLEAR]
        detections = [quad for quad in detections if np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).min() >= 5]
        cuts += [cut_quad(image, detections[i], PATCH, SQUARE) for i in random.permutation(len(detections))[: PER_PICTURE // 2]]
    return cuts


def false_detections(models: Path, scenes: Path, photographs: Sequence[Photo], count: int, seed: int, workers: int) -> np.ndarray:
    """The cuts; `count` pictures of clutter."""
    pictures = [*sorted(scenes.glob("*.jpg")), *(photo.path for photo in photographs), *[None] * count]
    jobs = [(picture, seed * 1_000_000 + k) for k, picture in enumerate(pictures)]
    with get_context("fork").Pool(workers, _load, (models,)) as pool:
        return np.stack([cut for cuts in pool.imap(_false, jobs, chunksize=16) for cut in cuts])
