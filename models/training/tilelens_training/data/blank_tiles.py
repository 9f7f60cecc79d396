"""White dragons among real tiles: a tile of a photo loses its ink.

A blank white is the tile's own body and nothing else; photos show few, and a drawn one lies in no real
light. What is left of a tile when its ink is taken off keeps the photo's light, edges and neighbours.
"""

import cv2
import numpy as np


def remove_ink(image: np.ndarray, quad: np.ndarray, random: np.random.Generator) -> bool:
    """Takes the ink off the tile in `quad` (corners in pixels) of `image` (BGR uint8, changed in place).

    The paper is a plane of light fitted to the tile's bright pixels. Says whether it was done: a tile too
    small, or without paper to be seen, stays as it is.
    """
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 3, [width, height])
    if x1 - x0 < 10 or y1 - y0 < 10:
        return False
    part = image[y0:y1, x0:x1].astype(np.float32)
    local = quad - [x0, y0]
    centre = local.mean(0)
    inside = np.zeros(part.shape[:2], np.float32)
    cv2.fillConvexPoly(inside, np.round((local - centre) * random.uniform(0.84, 0.96) + centre).astype(np.int32), 1.0)
    ys, xs = np.nonzero(inside)
    if len(ys) < 60:
        return False
    colours = part[ys, xs]
    brightness = colours.sum(1)
    paper = brightness >= np.quantile(brightness, 0.74)
    # Where even the bright pixels differ widely, ink or gloss covers the paper.
    if colours[paper].std(0).max() > 30:
        return False
    plane = np.stack([xs, ys, np.ones_like(xs)], 1).astype(np.float32)
    light, *_ = np.linalg.lstsq(plane[paper], colours[paper], rcond=None)
    grain = (colours[paper] - plane[paper] @ light).std(0).clip(0.5, 6)
    fill = part.copy()
    fill[ys, xs] = plane @ light + random.normal(0, 1, (len(ys), 3)) * grain * 0.7
    soft = cv2.GaussianBlur(inside, (0, 0), 0.7)[..., None]
    image[y0:y1, x0:x1] = np.clip(part * (1 - soft) + fill * soft, 0, 255).astype(np.uint8)
    return True
