"""Crops of labelled tiles to measure a classifier on, and short figures of what it makes of them.

Tiles are cut by their labelled corners, upright boxes where there are none, and shown to the network
in one of the four turns, without averaging over turns.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilelens_training.crops import CROP, SQUARE, TILE, warp
from tilelens_training.data.cuts import crop_cuts, photo_cuts
from tilelens_training.faces import BONUS


@dataclass
class Truth:
    """What is known of each evaluation crop."""

    faces: np.ndarray
    turns: np.ndarray
    red: np.ndarray
    groups: np.ndarray
    sets: np.ndarray


def evaluation_crops(data: Path, split: str) -> tuple[np.ndarray, Truth]:
    """Crops of a split, undistorted, each in one of the four turns by its row number; and their truth.

    `sets` tells photo tiles with labelled corners ("photo"), with a box only, which takes in more than
    the tile where that is tilted ("box"), and single-face crops of sets left out of training ("crop").
    """
    photo, single = photo_cuts(data, split), crop_cuts(data, split)
    kinds = ["photo" if cornered else "box" for cornered in photo.cornered] + ["crop"] * len(single)
    whole = np.array([[0, 0], [TILE, 0], [TILE, TILE], [0, TILE]], np.float32)
    images, turns = [], []
    for row, pixels in enumerate([*photo.pixels, *single.pixels]):
        possible = photo.turns[row] if row < len(photo) else single.turns[row - len(photo)]
        images.append(warp(pixels, np.roll(SQUARE if row < len(photo) else whole, row % 4, axis=0)))
        turns.append(np.roll(possible, row % 4))
    join = lambda field: np.concatenate([getattr(photo, field), getattr(single, field)])  # noqa: E731
    assert images[0].shape == (CROP, CROP, 3)
    return np.stack(images), Truth(join("faces"), np.stack(turns), join("red"), join("groups"), np.array(kinds))


def predict_all(predict: Callable[[np.ndarray], list[np.ndarray]], crops: np.ndarray, size: int = 256) -> list[np.ndarray]:
    """All outputs of a predictor, batch by batch."""
    parts = [predict(crops[start : start + size]) for start in range(0, len(crops), size)]
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def score(predict: Callable[[np.ndarray], list[np.ndarray]], crops: np.ndarray, truth: Truth) -> dict[str, float]:
    """Short figures for the training log."""
    faces, turn, _ = predict_all(predict, crops)
    right = faces.argmax(1) == truth.faces
    known = (truth.turns.sum(1) == 1) & right
    figures = {kind: round(float(right[truth.sets == kind].mean()), 5) for kind in ("photo", "box", "crop")}
    figures["bonus"] = round(float(right[np.isin(truth.faces, list(BONUS))].mean()), 4)
    figures["turn"] = round(float((truth.turns[known, :][np.arange(known.sum()), turn[known].argmax(1)]).mean()), 5)
    return figures
