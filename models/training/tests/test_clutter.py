"""Clutter can be made in any size: python -m unittest discover models/training"""

import unittest

import numpy as np

from tilelens_training.render import clutter


class Clutter(unittest.TestCase):
    def test_of_a_few_pixels_too(self):
        # The cards of a texture of 8 pixels once were less than a pixel wide.
        for size in (8, 16, 64):
            for make in clutter.MAKERS:
                for seed in range(60):
                    made = make(np.random.default_rng(seed), size)
                    self.assertEqual((made.shape, made.dtype), ((size, size, 3), np.uint8), (make.__name__, seed))


if __name__ == "__main__":
    unittest.main()
