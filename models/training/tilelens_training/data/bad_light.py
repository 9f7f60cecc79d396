"""Bad light and other tiles: what a training sample of the detector may look like on a stranger's table.

Shadows, lamps, their gloss, dark and noisy pictures and lost resolution fall on the whole view; `repaint` gives the tiles
another body and the table another ground, so that contrast between the two is not what a tile is known by.
"""

import math

import cv2
import numpy as np

FIELD = 64  # light changes slowly: it is drawn this wide and enlarged
_Y, _X = np.mgrid[-1 : 1 : FIELD * 1j, -1 : 1 : FIELD * 1j].astype(np.float32)
NOISE = np.random.default_rng(5).normal(0, 1, (512, 512, 3)).astype(np.float32)  # more than a view


def _edge(rng: np.random.Generator) -> np.ndarray:
    """A straight shadow edge, soft or sharp: share of light."""
    angle = rng.uniform(0, 2 * math.pi)
    along = _X * math.cos(angle) + _Y * math.sin(angle) + rng.uniform(-0.7, 0.7)
    return 1 / (1 + np.exp(-np.clip(along * math.exp(rng.uniform(0.7, 4.0)), -30, 30)))


def _blob(rng: np.random.Generator) -> np.ndarray:
    """The shadow of a hand or a phone: share of light."""
    count = int(rng.integers(4, 9))
    angles = np.sort(rng.uniform(0, 2 * math.pi, count))
    reach = rng.uniform(0.15, 0.8) * FIELD / 2 * rng.uniform(0.5, 1.3, count)
    centre = rng.uniform(0, FIELD, 2)
    points = centre + np.stack([np.cos(angles), np.sin(angles)], 1) * reach[:, None]
    mask = np.ones((FIELD, FIELD), np.float32)
    cv2.fillPoly(mask, [points.astype(np.int32)], 0.0)
    return cv2.GaussianBlur(mask, (0, 0), math.exp(rng.uniform(-0.5, 1.8)))


def shade_and_gloss(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shadows, falling off towards the edge, and gloss."""
    light = np.ones((FIELD, FIELD), np.float32)
    if rng.random() < 0.5:
        least = rng.uniform(0.2, 0.8)
        light *= least + (1 - least) * _edge(rng)
    if rng.random() < 0.35:
        least = rng.uniform(0.25, 0.8)
        light *= least + (1 - least) * _blob(rng)
    if rng.random() < 0.25:
        light *= 1 - rng.uniform(0.2, 0.7) * np.clip((_X - rng.normal(0, 0.3)) ** 2 + (_Y - rng.normal(0, 0.3)) ** 2, 0, 2) / 2
    gloss = np.zeros((FIELD, FIELD), np.float32)
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 5))):
            x, y = rng.uniform(-1, 1, 2)
            wide, tall = np.exp(rng.uniform(math.log(0.04), math.log(0.5), 2))
            gloss += rng.uniform(30, 170) * np.exp(-(((_X - x) / wide) ** 2) - ((_Y - y) / tall) ** 2)
    size = image.shape[1::-1]
    out = image * cv2.resize(light, size)[..., None]
    if gloss.any():
        out += cv2.resize(gloss, size)[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)


def darken(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Too little light, as a camera gives it: dark or lifted again, with its grain."""
    height, width = image.shape[:2]
    share = math.exp(rng.uniform(math.log(0.12), math.log(0.6)))
    y, x = rng.integers(0, 512 - height + 1), rng.integers(0, 512 - width + 1)
    grain = NOISE[y : y + height, x : x + width] * rng.uniform(1, 7)
    if rng.random() < 0.5:  # coarse, as after a camera's own smoothing
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.5, 1.2)) * 1.6
    lifted = 1.0 if rng.random() < 0.5 else rng.uniform(1.0, 1 / share)
    return np.clip((image * share + grain) * lifted, 0, 255).astype(np.uint8)


def coarsen(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lost resolution: digital zoom, a small video, a second camera's screen."""
    factor = rng.uniform(1.3, 2.6)
    small = cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC)


def repaint(image: np.ndarray, quads: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Other tile bodies, another ground, or both. `quads` are all tiles of the view, with true corners."""
    mask = np.zeros(image.shape[:2], np.float32)
    grown = rng.uniform(1.0, 1.15)
    for quad in quads:
        centre = quad.mean(0)
        cv2.fillConvexPoly(mask, np.round((quad - centre) * grown + centre).astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 1.5))[..., None]
    out = image.astype(np.float32)
    which = rng.random()
    if which < 0.7:
        hue, saturation, value = rng.integers(180), rng.uniform(0, 150), rng.uniform(110, 255)
        body = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255
        out = out * (1 - mask) + out * body * mask
    if which > 0.4:
        grey = out.mean(2, keepdims=True)
        structure = np.clip(grey / max(float(grey[mask < 0.5].mean()) if (mask < 0.5).any() else 128.0, 12.0), 0, 2.5)
        tone = rng.uniform(20, 245) * rng.uniform(0.7, 1.1, 3)
        depth = rng.uniform(0.05, 0.8)
        ground = tone * (1 - depth + depth * structure)
        kept = rng.uniform(0, 0.6)
        out = out * mask + (out * kept + ground * (1 - kept)) * (1 - mask)
    return np.clip(out, 0, 255).astype(np.uint8)


def coded(image: np.ndarray, quality: float) -> np.ndarray:
    """What is left of a picture after it was coded as JPEG of a quality."""
    decoded = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])[1], cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded


def spoil(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What cameras and channels do to a picture: too bright, veiled, lamp light as white, sharpened, coded coarsely twice, of a screen."""
    which = rng.integers(6)
    if which == 0:
        out = image * rng.uniform(1.2, 2.0) + rng.uniform(0, 40)
    elif which == 1:
        share = rng.uniform(0.25, 0.8)
        out = image * share + (255 * (1 - share)) * rng.uniform(0.3, 1.0)
    elif which == 2:
        out = image * np.array([rng.uniform(0.3, 0.8), rng.uniform(0.7, 0.95), rng.uniform(1.0, 1.3)], np.float32)
        out = out[..., ::-1] if rng.random() < 0.3 else out  # or blue, as by a window
    elif which == 3:
        out = image + rng.uniform(0.8, 3.5) * (image - cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.5)).astype(np.float32))
    elif which == 4:
        y, x = rng.integers(1, 8, 2)
        once = np.roll(coded(image, rng.uniform(15, 60)), (y, x), (0, 1))
        return np.roll(coded(once, rng.uniform(8, 30)), (-y, -x), (0, 1))
    else:
        y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]].astype(np.float32)
        angle, pitch, depth = rng.uniform(0, math.pi), rng.uniform(2.0, 4.0), rng.uniform(0.1, 0.5)
        across, down = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
        dots = np.stack([1 + depth * np.sin(2 * math.pi * (across / pitch + third / 3)) for third in range(3)], axis=-1)
        out = image * dots * (1 + 0.6 * depth * np.sin(2 * math.pi * down / pitch))[..., None]
    return np.clip(out, 0, 255).astype(np.uint8)
