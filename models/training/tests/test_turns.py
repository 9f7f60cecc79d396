"""What `turn` means.

Index k of the `turn` output says that the face's own top left is corner k of the crop's corners
[top left, top right, bottom right, bottom left]. Turning the crop clockwise by 90 degrees carries
the face's top left one corner on.
"""

from dataclasses import replace

import numpy as np

from rendered import rendered
from tilelens_training.crops import CROP, CROP_SQUARE, MARGIN, PATCH, SQUARE, TILE, warp
from tilelens_training.data.cuts import cut_quad, tile_quad
from tilelens_training.data.inference import crop_predictor
from tilelens_training.faces import BACK, FACES, HALF_TURN_ALIKE, INDEX, REJECT
from tilelens_training.labels import Tile
from tilelens_training.paths import MODELS

CORNERS = [(0, 0), (0, -1), (-1, -1), (-1, 0)]


def marked_cut() -> np.ndarray:
    """A cut whose tile is black but for a white spot at its own top left."""
    cut = np.zeros((PATCH, PATCH, 3), np.uint8)
    cut[MARGIN : MARGIN + TILE // 4, MARGIN : MARGIN + TILE // 4] = 255
    return cut


def brightest_corner(crop: np.ndarray) -> int:
    return int(np.argmax([crop[y, x, 0] for y, x in CORNERS]))


def test_rolled_quad_carries_the_top_left_to_corner_k():
    for turned in range(4):
        assert brightest_corner(warp(marked_cut(), np.roll(SQUARE, turned, axis=0))) == turned


def test_turning_the_picture_clockwise_adds_one():
    upright = warp(marked_cut(), SQUARE)
    for quarters in range(4):
        assert brightest_corner(np.rot90(upright, -quarters)) == quarters


def test_labelled_turn_starts_the_quad_at_the_faces_top_left():
    tile = Tile("7m", np.float32([10, 20, 40, 60]), False, None, 90, 90, False)
    quad, turns = tile_quad(tile)
    assert quad[0].tolist() == [40, 20]
    assert turns.tolist() == [True, False, False, False]
    for other in (replace(tile, turn=None), replace(tile, code="4p")):
        assert tile_quad(other)[1].tolist() == [True, False, True, False]


def test_order_of_classes():
    """The one that readers of the model rely on."""
    assert len(FACES) == 44
    assert [FACES[i] for i in (0, 9, 18, 27, 31, 34, 41)] == "1m 1p 1s 1z 5z 1f 8f".split()
    assert (BACK, REJECT, INDEX["5s"]) == (42, 43, 22)


def test_shipped_classifier_knows_faces_and_turns_of_rendered_tiles():
    faces, crops = [], []
    for image, tiles in rendered("row-sorted", "row-unsorted", "row-gaps"):
        for tile in tiles:
            if "corners" in tile and INDEX[tile["code"].replace("0", "5")] not in HALF_TURN_ALIKE:
                faces.append(INDEX[tile["code"].replace("0", "5")])
                crops.append(cut_quad(image, np.float32(tile["corners"]), CROP, CROP_SQUARE))
    turned = np.stack([np.rot90(crop, -quarters) for crop in crops for quarters in range(4)])
    face, turn = crop_predictor(MODELS / "classifier.onnx")(turned)
    assert len(crops) >= 15
    assert (face.argmax(1) == np.repeat(faces, 4)).mean() > 0.95
    assert (turn.argmax(1) == np.tile(np.arange(4), len(crops))).mean() > 0.9
