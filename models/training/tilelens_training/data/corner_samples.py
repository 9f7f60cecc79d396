"""Training samples of the network of corners: what it sees of a detection, and how far that is off.

A detection is seen as the classifier sees it, but with some of what lies around it (GROWN). Offsets, 8 of them, say how far
each of the tile's corners lies from the detection's, x and y in turn, where the detection is a square of side one.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from tilelens_training.crops import CROP, CROP_SQUARE, MARGIN, SQUARE, TILE
from tilelens_training.data.blank_tiles import remove_ink
from tilelens_training.data.cuts import false_detection_cuts, photo_cuts, scene_cuts
from tilelens_training.data.distortions import photograph, shuffle_colours
from tilelens_training.data.false_detections import false_detections
from tilelens_training.data.photographs import photographs
from tilelens_training.faces import REJECT

GROWN = 1.5
UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
NOTHING, PARTS, CORNERLESS, BLANK = 0.27, 0.05, 0.05, 0.08  # shares of the samples; BLANK loses its ink
ALONE = 0.5  # of the blank ones, tiles with no other near them;
TWO = 0.4  # of the others, those whose neighbour is blank as well
PHOTOS = 0.5  # of the others; the rest are rendered
CLUTTER = 3000  # pictures
STAYS = np.zeros(8, np.float32)  # the offsets of what is no tile
UNKNOWN = np.full(8, np.nan, np.float32)
LONG = 4 / 3  # the length of a tile, in widths


def moved(quad: np.ndarray, random: np.random.Generator, degrees: float, scale: float, shift: float, corner: float) -> np.ndarray:
    """A quad turned, stretched and shifted by chance, and each corner by itself; the last two in shares of its upper side."""
    middle, side = quad.mean(0), np.linalg.norm(quad[1] - quad[0])
    angle = np.radians(random.normal(0, degrees))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    whole = (quad - middle) * np.exp(random.normal(0, scale, 2)) @ turn.T + middle
    return np.array(whole + random.normal(0, shift * side, 2) + random.normal(0, corner * side, (4, 2)), np.float32)


def found(random: np.random.Generator) -> np.ndarray:
    """The tile's square in its cut, as a detector might detect it."""
    worse = random.choice([0.6, 1.0, 1.8], p=[0.3, 0.5, 0.2])
    return moved(SQUARE, random, 2.5 * worse, 0.05 * worse, 0.03 * worse, 0.035 * worse)


def part(random: np.random.Generator) -> np.ndarray:
    """A quad inside of the tile's square, as one dot of nine or half a tile is detected."""
    width, height = random.uniform(0.3, 0.62, 2)
    width, height = [(width, height), (1.0, height), (width, 1.0)][random.integers(3)]
    x, y = random.uniform(0, 1 - width), random.uniform(0, 1 - height)
    quad = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return np.array(MARGIN + quad * TILE + random.normal(0, 0.03 * TILE, (4, 2)), np.float32)


def grown(detection: np.ndarray) -> np.ndarray:
    """As much around a detection as the network sees."""
    middle = detection.mean(0)
    return np.array(middle + (detection - middle) * GROWN, np.float32)


def offsets(detection: np.ndarray, tile: np.ndarray) -> np.ndarray:
    """How far a tile's corners lie from a detection's, where the detection is a square of side one."""
    square = cv2.getPerspectiveTransform(np.float32(detection), UNIT_SQUARE)
    return (cv2.perspectiveTransform(np.array(tile, np.float32)[None], square)[0] - UNIT_SQUARE).ravel()


def seen(cut: np.ndarray, detection: np.ndarray, random: np.random.Generator, distorted: bool = True) -> np.ndarray:
    """What the network sees of a detection in a cut."""
    transform = cv2.getPerspectiveTransform(grown(detection), CROP_SQUARE)
    image = cv2.warpPerspective(cut, transform, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return shuffle_colours(random, photograph(random, image))[0] if distorted else image


def sample(cut: np.ndarray, random: np.random.Generator, distorted: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """A detection of a cut's tile, beginning at any corner: its crop, and how far the tile's corners are from its own."""
    start = int(random.integers(4))
    detection, truth = np.roll(found(random), -start, 0), np.roll(SQUARE, -start, 0)
    return seen(cut, detection, random, distorted), offsets(detection, truth)


class Sampler:
    """Draws samples; every photo source counts alike."""

    def __init__(self, sources: list[np.ndarray], cornerless: np.ndarray, alone: np.ndarray, scenes: np.ndarray, nothing: list[np.ndarray]):
        self.sources, self.cornerless, self.alone, self.scenes, self.nothing = sources, cornerless, alone, scenes, nothing

    def batch(self, size: int, random: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Crops, offsets (NaN where they are not known) and what is a tile, of `size` samples."""
        images, offsets, tiles = zip(*(self.draw(random) for _ in range(size)), strict=True)
        return np.stack(images), np.stack(offsets), np.array(tiles, np.float32)

    def draw(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, int]:
        """One sample. A false detection stays where it is: moved onto what is near it looks more like a tile."""
        chance = random.random()
        if chance < NOTHING:
            cuts = self.nothing[random.integers(len(self.nothing))]
            return seen(cuts[random.integers(len(cuts))], found(random), random), STAYS, 0
        if chance > 1 - BLANK:
            is_alone = random.random() < ALONE
            cuts = self.alone if is_alone else self.sources[random.integers(len(self.sources))]
            cut = cuts[random.integers(len(cuts))].copy()
            remove_ink(cut, SQUARE, random)
            if not is_alone and random.random() < TWO:
                beside = TILE * np.array([[-1, 0], [1, 0], [0, -1], [0, 1]], np.float32)[random.integers(4)]
                remove_ink(cut, SQUARE + beside, random)
            return *sample(cut, random), 1
        cuts = self.sources[random.integers(len(self.sources))] if random.random() < PHOTOS else self.scenes
        if chance < NOTHING + PARTS:
            return seen(cuts[random.integers(len(cuts))], part(random), random), UNKNOWN, 0
        if chance < NOTHING + PARTS + CORNERLESS:
            cut = self.cornerless[random.integers(len(self.cornerless))]
            return seen(cut, found(random), random), UNKNOWN, 1
        return *sample(cuts[random.integers(len(cuts))], random), 1


def photo_sources(data: Path, split: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Cuts of tiles whose corners are labelled, by photo source; and of those of which only a box is."""
    cuts = photo_cuts(data, split)
    names = np.array([group.split("/")[0] for group in cuts.groups])
    cornered = {str(name): cuts.pixels[(names == name) & cuts.cornered] for name in np.unique(names)}
    return cornered, cuts.pixels[~cuts.cornered]


def false_cuts(options: argparse.Namespace) -> tuple[list[np.ndarray], np.ndarray]:
    """False detections of the models, in pictures with and without tiles and in rendered ones; and the last twentieth, held back."""
    kept = options.runs / "nothing.npz"
    if not kept.exists():
        taught = photographs(options.photographs)
        cuts, faces = false_detection_cuts(options.data, "train", options.models, options.seed, taught)
        rendered = false_detections(options.models, options.scenes, taught, CLUTTER, options.seed, options.threads + options.workers)
        np.savez(kept, photographed=cuts[faces == REJECT], rendered=rendered)
    groups = list(np.load(kept).values())
    return [cuts[: -len(cuts) // 20] for cuts in groups], np.concatenate([cuts[-len(cuts) // 20 :] for cuts in groups])


def training_sampler(options: argparse.Namespace, nothing: list[np.ndarray], most: int) -> Sampler:
    """Samples of the training photos, of a number of rendered tiles, and of other things."""
    sources, cornerless = photo_sources(options.data, "train")
    scenes = scene_cuts(options.scenes, most).pixels
    alone = photo_cuts(options.data, "train", only_alone=True)
    return Sampler(list(sources.values()), cornerless, alone.pixels[alone.cornered], scenes, nothing)


def errors(offsets: np.ndarray) -> np.ndarray:
    """Mean distance of the four corners in tile widths, the sides of the square taken as alike."""
    x, y = offsets[:, 0::2], offsets[:, 1::2]
    return np.hypot(x, y).mean(1) * math.sqrt(LONG)


def score(predict: Callable[[np.ndarray], list[np.ndarray]], sources: dict[str, np.ndarray], nothing: np.ndarray) -> dict[str, str]:
    """Undistorted: of what is no tile the share that is called one; of each source's tiles the median corner error before and
    after, and the share that is called none."""
    random = np.random.default_rng(5)
    false = predict(np.stack([seen(cut, SQUARE, random, distorted=False) for cut in nothing]))[1]
    figures = {"nothing": f"called a tile {np.mean(false > 0):.4f} ({len(nothing)})"}
    for name, cuts in sources.items():
        random = np.random.default_rng(5)
        images, truth = zip(*(sample(cut, random, distorted=False) for cut in cuts), strict=True)
        truth, (predicted, tile) = np.stack(truth), predict(np.stack(images))
        before, after = np.median(errors(truth)), np.median(errors(truth - predicted))
        figures[name] = f"{before:.4f} -> {after:.4f}, called none {np.mean(tile < 0):.4f} ({len(cuts)})"
    return figures
