"""Maps of a detector and what is read from them."""

import numpy as np

from tilelens_training.data.detector_samples import BACK, FACE, Sample, Truth, targets
from tilelens_training.data.inference import UNIT, decode, extent, iou, padded


def quad(x: float, y: float, width: float, height: float, degrees: float) -> np.ndarray:
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    return (corners @ turn + [x, y]).astype(np.float32)


def map_of(truths: list[Truth], size: int = 256) -> np.ndarray:
    """What a network that has learnt its targets would say."""
    heat, _, quads, _, _ = targets(Sample(np.zeros((size, size, 3), np.uint8), truths, 1.0, 1.0))
    likely = heat.clip(1e-4, 1 - 1e-4)
    return np.concatenate([np.log(likely / (1 - likely)), quads / UNIT])


def test_what_is_taught_is_what_is_detected():
    faces = [quad(60, 70, 30, 40, 10), quad(130, 60, 34, 44, 130), quad(180, 190, 24, 30, -40)]
    truths = [Truth(corners, FACE, True, True) for corners in faces]
    truths.append(Truth(quad(60, 190, 30, 40, 0), BACK, True, True))
    found = decode(map_of(truths), 0.4)
    assert len(found) == len(faces)
    for corners in faces:
        assert min(np.abs(other - corners).max() for _, other in found) < 0.01


def test_tiles_too_small_or_cut_off_are_neither_right_nor_wrong():
    for corners in (quad(60, 60, 5, 7, 0), quad(0, 100, 40, 50, 0)):
        sample = Sample(np.zeros((256, 256, 3), np.uint8), [Truth(corners, FACE, True, True)], 1.0, 1.0)
        heat, weight, _, side, _ = targets(sample)
        x, y = np.clip(corners.mean(0) // 4, 1, 63).astype(int)
        assert heat.max() < 1 and side.max() == 0 and weight[FACE, y, x] == 0


def test_of_two_that_cover_each_other_the_surer_one_stays():
    near = map_of([Truth(quad(60, 60, 40, 50, 0), FACE, True, True)])
    near[0, 17, 17] = near[0, 15, 15] - 1
    near[2:, 17, 17] = near[2:, 15, 15]
    assert len(decode(near, 0.4)) == 1
    assert len(decode(near, 0.4, overlap=1.0)) == 2


def test_overlap_of_boxes():
    box = extent(np.float32([[0, 0], [2, 0], [2, 2], [0, 2]]))
    assert box.tolist() == [0, 0, 2, 2]
    assert iou(box, np.array([[0, 0, 2, 2], [1, 0, 3, 2], [5, 5, 6, 6]])).round(3).tolist() == [1, 0.333, 0]


def test_input_is_padded_to_whole_cells():
    given = padded(np.full((300, 400, 3), 7, np.uint8), 640)
    assert given.shape == (1, 3, 480, 640) and given.dtype == np.float32
    assert padded(np.full((301, 640, 3), 7, np.uint8), 640)[0, 0, 300:].tolist() == [[7] * 640] + [[0] * 640] * 19
