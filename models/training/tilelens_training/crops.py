"""The squares that tiles are cut into: cuts, with what lies around the tile, and crops, as the networks see them.

In a cut of PATCH x PATCH pixels the tile is the upright central square SQUARE, of side TILE. A crop has CROP x CROP.
"""

import cv2
import numpy as np

TILE = 72
MARGIN = 36
PATCH = TILE + 2 * MARGIN
SQUARE = np.array([[MARGIN, MARGIN], [MARGIN + TILE, MARGIN], [MARGIN + TILE, MARGIN + TILE], [MARGIN, MARGIN + TILE]], np.float32)
CROP = 64
CROP_SQUARE = np.array([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]], np.float32)


def warp(pixels: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The quad of a cut as a CROP x CROP square."""
    transform = cv2.getPerspectiveTransform(np.float32(quad), CROP_SQUARE)
    return cv2.warpPerspective(pixels, transform, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
