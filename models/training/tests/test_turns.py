"""What `turn` means, tested: python -m unittest discover models/training

Index k of the `turn` output says that the face's own top left is corner k of the crop's corners
[top left, top right, bottom right, bottom left]. Turning the crop clockwise by 90 degrees carries
the face's top left one corner on.
"""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

from tilelens_training.crops import MARGIN, PATCH, SQUARE, TILE, warp
from tilelens_training.data.cuts import tile_quad
from tilelens_training.data.inference import crop_predictor
from tilelens_training.faces import BACK, BONUS, FACES, HALF_TURN_ALIKE, INDEX, REJECT
from tilelens_training.labels import Tile
from tilelens_training.paths import DATA
from tilelens_training.render.artwork import load_drawings
from tilelens_training.render.drawn_tiles import art_tile

CLASSIFIERS = [Path(__file__).resolve().parents[1] / "classifier.onnx"]
CORNERS = [(0, 0), (0, -1), (-1, -1), (-1, 0)]


def marked_cut():
    """A cut whose tile is black but for a white spot at its own top left."""
    cut = np.zeros((PATCH, PATCH, 3), np.uint8)
    cut[MARGIN : MARGIN + TILE // 4, MARGIN : MARGIN + TILE // 4] = 255
    return cut


class Turns(unittest.TestCase):
    """Labels and warps agree on the corner order."""

    def test_rolled_quad_carries_the_top_left_to_corner_k(self):
        for turned in range(4):
            crop = warp(marked_cut(), np.roll(SQUARE, turned, axis=0))
            bright = [int(crop[y, x, 0]) for y, x in CORNERS]
            self.assertEqual(int(np.argmax(bright)), turned)

    def test_turning_the_picture_clockwise_adds_one(self):
        upright = warp(marked_cut(), SQUARE)
        for quarters in range(4):
            crop = np.rot90(upright, -quarters)
            bright = [int(crop[y, x, 0]) for y, x in CORNERS]
            self.assertEqual(int(np.argmax(bright)), quarters)

    def test_labelled_turn_starts_the_quad_at_the_faces_top_left(self):
        tile = Tile("7m", np.float32([10, 20, 40, 60]), False, None, True, 90, 90, False)
        quad, turns = tile_quad(tile)
        self.assertEqual(quad[0].tolist(), [40, 20])
        self.assertEqual(turns.tolist(), [True, False, False, False])
        _, unsure = tile_quad(replace(tile, turn=None))
        self.assertEqual(unsure.tolist(), [True, False, True, False])
        _, alike = tile_quad(replace(tile, code="4p"))
        self.assertEqual(alike.tolist(), [True, False, True, False])


class Order(unittest.TestCase):
    """The class order is the one that readers of the model rely on."""

    def test_order(self):
        self.assertEqual(len(FACES), 44)
        self.assertEqual([FACES[i] for i in (0, 9, 18, 27, 31, 34, 41)], "1m 1p 1s 1z 5z 1f 8f".split())
        self.assertEqual((BACK, REJECT, INDEX["5s"]), (42, 43, 22))


@unittest.skipUnless(DATA.exists(), "needs the shared artwork")
class Exported(unittest.TestCase):
    """The exported networks' turns follow the picture's."""

    def test_artwork_turns_with_the_picture(self):
        with tempfile.TemporaryDirectory() as cache:
            drawings = load_drawings(DATA, Path(cache) / "artwork.npy")
        drawings = [d for d in drawings if INDEX[d.code] not in HALF_TURN_ALIKE | BONUS]
        random = np.random.default_rng(0)
        upright = [warp(np.pad(art_tile(random, drawing), ((MARGIN, MARGIN), (MARGIN, MARGIN), (0, 0)), constant_values=90), SQUARE) for drawing in drawings]
        crops = np.stack([np.rot90(image, -quarters) for image in upright for quarters in range(4)])
        for classifier in CLASSIFIERS:
            _, turn = crop_predictor(classifier)(crops)
            right = turn.argmax(1) == np.tile(np.arange(4), len(drawings))
            self.assertGreater(right.mean(), 0.95, classifier)


if __name__ == "__main__":
    unittest.main()
