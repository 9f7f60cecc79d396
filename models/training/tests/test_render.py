"""Pictures that are made."""

from xml.etree import ElementTree

import numpy as np
import pytest

from tilelens_training.faces import FACES
from tilelens_training.paths import DATASETS
from tilelens_training.render import clutter, drawn_tiles, own_artwork
from tilelens_training.render.table_tops import TOP, table_top


@pytest.mark.parametrize("make", clutter.MAKERS, ids=lambda make: make.__name__)
def test_clutter_of_a_few_pixels_too(make):
    # The cards of a texture of 8 pixels once were less than a pixel wide.
    for size in (8, 16, 64):
        for seed in range(30):
            made = make(np.random.default_rng(seed), size)
            assert (made.shape, made.dtype) == ((size, size, 3), np.uint8), seed


def test_clutter_is_seen_from_any_side():
    assert clutter.picture(np.random.default_rng(4), 96).shape == (96, 96, 3)


def test_own_artwork_is_what_the_repository_has():
    kept = {path.stem: path.read_text() for path in (DATASETS / "artwork").glob("*.svg")}
    assert set(kept) == set(FACES[:42])
    for code in kept:
        ink = own_artwork.face(code)
        ElementTree.fromstring(f"<svg>{ink}</svg>")
        assert ink in kept[code], code


@pytest.mark.parametrize("draw", [drawn_tiles.white_dragon, drawn_tiles.back_tile, drawn_tiles.side_wall, drawn_tiles.printed_clutter])
def test_drawn_tiles(draw):
    made = [draw(np.random.default_rng(seed)) for seed in range(40)]
    assert {(one.shape, one.dtype) for one in made} == {((72, 72, 3), np.dtype(np.uint8))}
    assert len({one.tobytes() for one in made}) == len(made)


def test_table_tops_differ():
    tops = [table_top(np.random.default_rng(seed), []) for seed in range(3)]
    assert {top.shape for top in tops} == {(TOP, TOP, 3)}
    assert len({top.tobytes() for top in tops}) == len(tops)


def test_a_ray_traced_tile_is_where_the_camera_says():
    pytest.importorskip("numba", reason="needs numba")
    from tilelens_training.render import raytrace
    from tilelens_training.render.table_scene import Placement, Stage, TileSet, camera, light

    rng = np.random.default_rng(1)
    face = np.full((240, 184, 3), (0, 0, 220), np.uint8)
    own = TileSet({"1m": [face]})
    stage = Stage()
    stage.add_tile(own, Placement("1m", 0.0, 0.0), rng)
    size = (120, 160)
    view = camera(np.zeros(2), 40.0, np.radians(80), 0.0, 0.0, 1.1 * size[1], size, 0.0)
    ground = raytrace.Table(np.full((64, 64, 3), 90, np.uint8), np.eye(2) / 30, np.zeros(2), np.array([-9.0, -9, 9, 9]), np.full((8, 8, 3), 40, np.uint8), 0.0, False)
    picture, owner = raytrace.trace(stage.bodies(), ground, view, light(rng, np.zeros(2), 0.2), size, 1, 1)
    at, _ = view.project(np.array([[0.0, 0.0, own.depth]]))
    x, y = at[0].round().astype(int)
    assert owner[y, x] == 1 and (owner == 0).any()
    assert picture.shape == (*size, 3) and picture[y, x].argmax() == 2
