"""What cameras, light and sloppy quads do to a cut: geometric jitter and photometric distortion."""

import cv2
import numpy as np

from tilelens_training.crops import CROP, SQUARE, TILE
from tilelens_training.data.bad_light import coded

NOISE = np.random.default_rng(11).normal(0, 1, (64, CROP, CROP, 3)).astype(np.float32)
RAMP = np.linspace(-1, 1, CROP, dtype=np.float32)


def jittered_square(random: np.random.Generator) -> np.ndarray:
    """The tile's square in its cut, as a detector might detect it: shifted, scaled, turned, sheared."""
    wide = random.random() < 0.3
    scale = random.uniform(0.85, 1.25, 2) if wide else random.uniform(0.93, 1.1) * random.uniform(0.96, 1.05, 2)
    angle = np.radians(random.normal(0, 3 if random.random() < 0.85 else 9))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    centre = SQUARE.mean(0)
    corner = random.choice([0.015, 0.04, 0.08], p=[0.4, 0.45, 0.15])
    quad = (SQUARE - centre) * scale @ turn.T + centre
    quad = quad + random.normal(0, 0.035 * TILE, 2) + random.normal(0, corner * TILE, (4, 2))
    return np.array(quad, np.float32)


def lose_resolution(random: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """As if the tile were only 11 to 50 pixels wide in the picture, more in one direction."""
    side = np.exp(random.uniform(np.log(11), np.log(50)))
    squeeze = random.uniform(0.6, 1.0)
    size = [max(9, int(side)), max(9, int(side * squeeze))]
    random.shuffle(size)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (CROP, CROP), interpolation=int(random.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC], p=[0.65, 0.35])))


def motion_blur(random: np.random.Generator, image: np.ndarray, longest: int = 12) -> np.ndarray:
    """Blur along a line of a few pixels."""
    length = int(random.integers(3, longest + 1))
    kernel = np.zeros((length, length), np.float32)
    angle = random.uniform(0, np.pi)
    middle, reach = (length - 1) / 2, (length - 1) / 2
    ends = [(int(round(middle + s * reach * np.cos(angle))), int(round(middle + s * reach * np.sin(angle)))) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def light(random: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Exposure, contrast, gamma, colour cast, shadow and gloss, in float."""
    out = image.astype(np.float32) / 255
    if random.random() < 0.4:
        out = out ** np.exp(random.normal(0, 0.35))
    gain = np.exp(random.normal(0, 0.25)) * (1 + random.normal(0, 0.06, 3))
    out = (out - 0.5) * np.float32(np.exp(random.normal(-0.05, 0.25))) + 0.5 + np.float32(random.normal(0, 0.06))
    out = out * gain.astype(np.float32)
    if random.random() < 0.3:
        x, y = random.normal(0, 1, 2)
        edge = RAMP[None] * x + RAMP[:, None] * y + random.normal(0, 0.4)
        dark = random.uniform(0.3, 0.9)
        soft = random.uniform(0.5, 12)
        out = out * (dark + (1 - dark) / (1 + np.exp(-soft * edge)))[..., None].astype(np.float32)
    if random.random() < 0.15:
        x, y = random.uniform(-1, 1, 2)
        spread = random.uniform(0.1, 0.7)
        spot = np.exp(-((RAMP[None] - x) ** 2 + (RAMP[:, None] - y) ** 2) / spread**2)
        out = out + np.float32(random.uniform(0.2, 0.9)) * spot[..., None].astype(np.float32)
    return out


def hide_part(random: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """A finger, another tile or the picture's edge over one side."""
    turns = int(random.integers(4))
    image = np.ascontiguousarray(np.rot90(image, turns))
    tone = random.uniform(0, 255, 3) if random.random() < 0.6 else np.array([100, 140, 200]) * random.uniform(0.5, 1.2)
    ends = random.uniform(0.05, 0.28) * CROP + random.normal(0, 4, 2)
    points = np.array([[0, 0], [CROP, 0], [CROP, ends[0]], [0, ends[1]]]).astype(np.int32)
    cv2.fillPoly(image, [points], tuple(int(v) for v in np.clip(tone, 0, 255)), cv2.LINE_AA)
    return np.ascontiguousarray(np.rot90(image, -turns))


def speckle(random: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Single pixels black or white, as in pictures that were sent on with such noise."""
    out = image.copy()
    hit = random.random(image.shape[:2]) < random.uniform(0.003, 0.04)
    out[hit] = random.choice([0, 255], (int(hit.sum()), 1))
    return out


def photograph(random: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Everything between the tile and the decoded picture, but no change of hue."""
    if random.random() < 0.07:
        image = hide_part(random, image)
    if random.random() < 0.4:
        image = lose_resolution(random, image)
    if random.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), random.uniform(0.4, 2.6))
    elif random.random() < 0.2:
        image = motion_blur(random, image)
    out = light(random, image) if random.random() < 0.85 else image.astype(np.float32) / 255
    if random.random() < 0.4:
        out = out + NOISE[random.integers(len(NOISE))] * np.float32(random.uniform(0.005, 0.06))
    out = np.clip(out * 255, 0, 255).astype(np.uint8)
    if random.random() < 0.06:
        out = speckle(random, out)
    if random.random() < 0.35:
        out = coded(out, random.uniform(25, 90))
    return out


def shuffle_colours(random: np.random.Generator, image: np.ndarray) -> tuple[np.ndarray, bool]:
    """So that shape counts, not ink: grey, permuted channels or inverted. Says whether colours stayed true."""
    choice = random.random()
    if choice < 0.12:
        return np.repeat(image.mean(2, keepdims=True).astype(np.uint8), 3, axis=2), False
    if choice < 0.36:
        order = [[1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]][random.integers(5)]
        return image[..., order], False
    if choice < 0.39:
        return 255 - image, False
    return image, True
