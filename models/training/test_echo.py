"""What comes back from memory is what it was, turned: python -m unittest discover models/training"""

import unittest

import cv2
import numpy as np
import torch

from detector_data import FACE, STRIDE, Sample, Truth, targets
from echo import Echo, faces, turned

SIZE = 128


def sample(quads):
    """A picture with a light tile for each quad, and its maps, as a batch of one."""
    image = np.zeros((SIZE, SIZE, 3), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (255, 255, 255))
    truths = [Truth(np.float32(quad), FACE, True, True) for quad in quads]
    maps = targets(Sample(image, truths, 1.0, 1.0))
    return tuple(torch.from_numpy(np.ascontiguousarray(part))[None] for part in (image, *maps))


def taught(batch):
    """The quads that a batch of one teaches, by the cells of its centres."""
    _, heat, _, quads, _, _ = (part[0].numpy() for part in batch)
    found = []
    for y, x in np.argwhere(heat[FACE] >= 0.999):
        middle = (np.array([x, y]) + 0.5) * STRIDE
        found.append(np.stack([quads[:4, y, x], quads[4:, y, x]], 1) + middle)
    return found


def clockwise(quad):
    """Twice the area of a quad, above nought where its corners run clockwise as seen."""
    return float(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(quad, np.roll(quad, -1, 0), strict=True)))


class Turned(unittest.TestCase):
    def test_quads_go_where_their_tiles_go(self):
        tiles = [[[20, 22], [44, 26], [38, 60], [14, 56]], [[70, 80], [110, 80], [110, 108], [70, 108]]]
        for turns in range(4):
            for mirrored in (False, True):
                batch = turned(sample(tiles), turns, mirrored)
                quads = taught(batch)
                self.assertEqual(len(quads), 2)
                drawn = np.zeros((SIZE, SIZE), np.uint8)
                for quad in quads:
                    self.assertGreater(clockwise(quad), 0, (turns, mirrored))
                    cv2.fillConvexPoly(drawn, np.round(quad).astype(np.int32), 255)
                shown = batch[0][0, :, :, 0].numpy()
                # Edges are a pixel off where rows are counted from the other side; a corner astray costs far more.
                self.assertGreater(((drawn > 0) & (shown > 0)).sum() / ((drawn > 0) | (shown > 0)).sum(), 0.85, (turns, mirrored))

    def test_a_faces_own_top_left_stays_its_own(self):
        image = np.zeros((1, 64, 64, 3), np.uint8)
        image[:, 6:22, 6:22] = 255
        batch = (torch.from_numpy(image), torch.tensor([3]), torch.tensor([[True, False, False, False]]), torch.tensor([1]))
        corners = [(14, 14), (14, 49), (49, 49), (49, 14)]
        seen = set()
        for seed in range(12):
            shown, names, turns, red = faces(batch, torch.Generator().manual_seed(seed))
            bright = int(np.argmax([shown[0, y, x, 0].item() for y, x in corners]))
            self.assertTrue(turns[0, bright].item())
            self.assertEqual((turns.sum().item(), names.item(), red.item()), (1, 3, 1))
            seen.add(bright)
        self.assertEqual(seen, {0, 1, 2, 3})


class Memory(unittest.TestCase):
    def test_the_oldest_goes_first_and_nothing_is_drawn_that_never_came(self):
        echo = Echo(6, 1, lambda batch, _: batch)
        batches = [(torch.tensor([2 * k, 2 * k + 1]),) for k in range(1, 8)]
        drawn = [batch[0].tolist() for batch in echo.over(iter(batches), 50)]
        self.assertEqual(len(drawn), 7 * 50)
        self.assertEqual({number for batch in drawn[:50] for number in batch}, {2, 3})
        self.assertEqual({number for batch in drawn[-50:] for number in batch}, set(range(10, 16)))

    def test_a_batch_larger_than_the_memory_is_refused(self):
        with self.assertRaisesRegex(ValueError, "a batch of 8 samples does not fit"):
            Echo(6, 1, lambda batch, _: batch).keep((torch.zeros(8),))


if __name__ == "__main__":
    unittest.main()
