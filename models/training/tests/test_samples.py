"""Samples that networks are taught with, made of drawn tiles: none of the shared data."""

import math

import numpy as np
import pytest

from tilelens_training.crops import CROP, MARGIN, PATCH, SQUARE, TILE
from tilelens_training.data import bad_light, corner_samples, distortions
from tilelens_training.data.blank_tiles import remove_ink
from tilelens_training.data.classifier_samples import MIX, Sampler, misplaced, paper
from tilelens_training.data.cuts import Cuts, cut_quad
from tilelens_training.data.detector_samples import FACE, Mix, Sample, Truth, crop, lay_row, mosaic, paste_clutter
from tilelens_training.faces import BACK, FACES, FIVES, REJECT, WHITE
from tilelens_training.render.artwork import ART_HEIGHT, ART_WIDTH, Drawing


def numbers(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_cut_holds_its_quad_in_the_middle():
    image = np.zeros((400, 400, 3), np.uint8)
    image[100:300, 150:290] = 200
    quad = np.float32([[150, 100], [290, 100], [290, 300], [150, 300]])
    for size, square in ((PATCH, SQUARE), (32, SQUARE * 32 / PATCH)):  # enlarged a little; shrunk much
        cut = cut_quad(image, quad, size, square)
        inside = cut[tuple(slice(round(MARGIN * size / PATCH) + 2, round((MARGIN + TILE) * size / PATCH) - 2) for _ in "yx")]
        assert inside.min() > 190
        assert cut[: round(MARGIN * size / PATCH) - 2].max() < 10


@pytest.mark.parametrize("change", [distortions.photograph, distortions.hide_part, distortions.lose_resolution, distortions.speckle])
def test_distorted_crops_stay_crops(change):
    image = numbers().integers(0, 256, (CROP, CROP, 3)).astype(np.uint8)
    for seed in range(100):
        made = change(numbers(seed), image)
        assert (made.shape, made.dtype) == (image.shape, np.uint8), seed


@pytest.mark.parametrize("change", [bad_light.shade_and_gloss, bad_light.darken, bad_light.coarsen, bad_light.spoil])
def test_bad_light_keeps_the_pictures_size(change):
    image = np.full((90, 120, 3), 128, np.uint8)
    made = [change(image, numbers(seed)) for seed in range(60)]
    assert {(one.shape, one.dtype) for one in made} == {(image.shape, np.dtype(np.uint8))}
    assert change is bad_light.coarsen or any((one != image).any() for one in made)


def test_colours_are_said_to_be_true_only_where_they_are():
    image = np.zeros((CROP, CROP, 3), np.uint8)
    image[..., 2] = 200
    for seed in range(100):
        made, faithful = distortions.shuffle_colours(numbers(seed), image)
        assert not faithful or made[..., 2].mean() > made[..., :2].max()


def test_a_tile_loses_its_ink_and_keeps_its_light():
    image = np.full((200, 200, 3), 60, np.uint8)
    image[50:150, 60:130] = np.linspace(180, 220, 70)[None, :, None]
    image[80:120, 85:105] = 20
    quad = np.float32([[60, 50], [130, 50], [130, 150], [60, 150]])
    assert remove_ink(image, quad, numbers())
    inside = image[70:130, 75:115].astype(float)
    assert inside.min() > 170 and 2 < inside[:, -1].mean() - inside[:, 0].mean() < 40
    assert (image[:40] == 60).all()
    assert not remove_ink(image, quad / 20, numbers())


def test_offsets_carry_a_detection_to_its_tile():
    tile = np.float32([[10, 10], [50, 12], [52, 70], [8, 66]])
    assert np.abs(corner_samples.offsets(tile, tile)).max() < 1e-5
    square = np.float32([[20, 20], [60, 20], [60, 60], [20, 60]])
    away = corner_samples.offsets(square, square + [4, -2]).reshape(4, 2)
    assert np.abs(away - [0.1, -0.05]).max() < 1e-5
    assert np.abs(corner_samples.moved(square, numbers(), 0, 0, 0, 0) - square).max() < 1e-4
    assert np.abs(corner_samples.grown(square) - [[10, 10], [70, 10], [70, 70], [10, 70]]).max() < 1e-4
    assert corner_samples.errors(np.float32([[0.3, 0.4] * 4]))[0] == pytest.approx(0.5 * math.sqrt(4 / 3))


def test_samples_of_corners():
    cuts = numbers().integers(0, 256, (6, PATCH, PATCH, 3)).astype(np.uint8)
    crops, offsets, tiles = corner_samples.Sampler([cuts], cuts, cuts, cuts, [cuts]).batch(400, numbers())
    assert crops.shape == (400, CROP, CROP, 3) and offsets.shape == (400, 8)
    unknown = np.isnan(offsets).any(1)
    still = (offsets == 0).all(1)
    assert not tiles[still].any()
    assert still.mean() == pytest.approx(corner_samples.NOTHING, abs=0.07)
    assert unknown.mean() == pytest.approx(corner_samples.PARTS + corner_samples.CORNERLESS, abs=0.05)
    assert 0 < np.abs(offsets[~unknown & ~still]).max() < 1


def drawn_cuts(size: int) -> Cuts:
    """Two tiles of each face, each of another colour."""
    faces = np.tile(np.arange(42), 2)
    pixels = numbers().integers(0, 256, (len(faces), 1, 1, 3)).astype(np.uint8).repeat(size, 1).repeat(size, 2)
    red = np.where(np.isin(faces, list(FIVES)), np.arange(len(faces)) % 2, -1)
    return Cuts(pixels, faces, np.tile([True, False, False, False], (len(faces), 1)), red, np.repeat(["a", "b"], 42), np.ones(len(faces), bool))


def test_samples_of_the_classifier():
    ink = numbers().integers(0, 256, (ART_HEIGHT, ART_WIDTH, 4)).astype(np.uint8)
    drawings = [Drawing(code, "drawn", False, ink) for code in FACES[:42]]
    background = numbers().integers(0, 256, (4, PATCH, PATCH, 3)).astype(np.uint8)
    marks = [Drawing(f"{n}f", "mark", False, ink) for n in range(1, 9)]
    sources = drawn_cuts(PATCH), drawn_cuts(TILE), drawn_cuts(PATCH), drawings, background, (background, np.array([REJECT, BACK] * 2)), marks
    images, faces, turns, red = Sampler(*sources, seed=3).batch(600)
    assert images.shape == (600, CROP, CROP, 3) and images.dtype == np.uint8
    assert set(faces) == set(range(44))
    assert (faces == REJECT).mean() == pytest.approx(MIX["reject"], abs=0.07)
    assert turns.any(1).all() and turns[faces == REJECT].all()
    assert turns[(faces == BACK) | (faces == WHITE)].sum() > 0
    assert set(red) == {-1, 0, 1} and (red[~np.isin(faces, list(FIVES))] == -1).all()
    again = Sampler(*sources, seed=3).batch(20)
    assert (again[0] == images[:20]).all()


def test_what_is_no_tile_fits_a_cut():
    for seed in range(50):
        assert misplaced(numbers(seed)).shape == (4, 2)
        assert paper(numbers(seed)).shape == (PATCH, PATCH, 3)


def with_one_tile() -> Sample:
    """A red tile on black."""
    image = np.zeros((480, 640, 3), np.uint8)
    image[200:280, 300:360] = (0, 0, 255)
    quad = np.float32([[300, 200], [360, 200], [360, 280], [300, 280]])
    return Sample(image, [Truth(quad, FACE, True, True)], 1.0, 1.0)


def test_labels_go_where_the_picture_goes():
    seen = 0
    for seed in range(60):
        view = crop(with_one_tile(), 256, numbers(seed))
        assert view.image.shape == (256, 256, 3)
        for truth in view.truths:
            x, y = truth.quad.mean(0).round().astype(int)
            if 4 < min(x, y) and max(x, y) < 252:
                seen += 1
                assert view.image[y, x, 2] > 200 and view.image[y, x, 0] < 60, seed
            along, across = truth.quad[1] - truth.quad[0], truth.quad[3] - truth.quad[0]
            assert along[0] * across[1] > along[1] * across[0], "clockwise"
    assert seen > 20


def test_things_that_are_no_tile_cover_none():
    for seed in range(20):
        view = crop(with_one_tile(), 256, numbers(seed))
        count = len(view.truths)
        paste_clutter(view, numbers(seed))
        assert len(view.truths) == count
        lay_row(view, numbers(seed))
        for truth in view.truths[:count]:
            x, y = truth.quad.mean(0).round().astype(int)
            if 0 < min(x, y) and max(x, y) < 256:
                assert view.image[y, x, 2] > 150


def test_four_views_side_by_side():
    view = mosaic([crop(with_one_tile(), 128, numbers(seed)) for seed in range(4)])
    assert view.image.shape == (256, 256, 3)
    assert all(-200 < truth.quad.min() and truth.quad.max() < 456 for truth in view.truths)


def test_the_mixture_without_photos_is_clutter_alone(monkeypatch, tmp_path):
    monkeypatch.setattr("tilelens_training.data.detector_samples.CLUTTER_SHARE", 1.0)
    image, heat, weight, quads, side, known = Mix([], [], tmp_path, 128, 0.5, 7)[3]
    assert image.shape == (128, 128, 3) and image.dtype == np.uint8
    assert [part.shape for part in (heat, weight, quads, side, known)] == [(2, 32, 32), (2, 32, 32), (8, 32, 32), (32, 32), (32, 32)]
    assert heat[FACE].max() < 1
