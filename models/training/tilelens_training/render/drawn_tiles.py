"""Tiles that no photo of ours shows, drawn: faces from artwork on a body, blank whites, backs.

Everything is TILE x TILE x 3 uint8 BGR, upright, edge to edge.
"""

import cv2
import numpy as np

from tilelens_training.crops import TILE
from tilelens_training.render.artwork import Drawing


def body_colour(random: np.random.Generator) -> np.ndarray:
    """A colour of tile bodies: mostly ivory and white, some yellow, grey or green."""
    value = random.uniform(150, 250)
    yellow = random.choice([random.uniform(0, 0.1), random.uniform(0.1, 0.4)], p=[0.75, 0.25])
    colour = value * np.array([1 - yellow, 1 - 0.25 * yellow, 1.0]) + random.normal(0, 4, 3)
    return np.clip(colour, 40, 255)


def blank_body(random: np.random.Generator, colour: np.ndarray | None = None) -> np.ndarray:
    """A blank face with a slight fall of light and darker, rounded edges."""
    colour = body_colour(random) if colour is None else colour
    ramp = np.linspace(-1, 1, TILE, dtype=np.float32)
    light = 1 + random.normal(0, 0.04) * ramp[None] + random.normal(0, 0.04) * ramp[:, None]
    edge = np.maximum(np.abs(ramp[None]), np.abs(ramp[:, None]))
    start = random.uniform(0.82, 0.97)
    light = light - random.uniform(0, 0.35) * np.clip((edge - start) / (1 - start), 0, 1)
    return np.clip(colour * light[..., None], 0, 255).astype(np.uint8)


def lay_ink(random, body, ink, alpha):
    """Ink (BGR float, own size) with its alpha, laid on the middle of a body; returns uint8."""
    scale = random.uniform(0.72, 0.98)
    width = int(TILE * scale * random.uniform(0.9, 1.0))
    height = int(TILE * scale)
    x = int(np.clip((TILE - width) / 2 + random.normal(0, 2), 0, TILE - width))
    y = int(np.clip((TILE - height) / 2 + random.normal(0, 2), 0, TILE - height))
    ink = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(alpha, (width, height), interpolation=cv2.INTER_AREA)[..., None]
    out = body.astype(np.float32)
    out[y : y + height, x : x + width] = out[y : y + height, x : x + width] * (1 - alpha) + ink * alpha
    return np.clip(out, 0, 255).astype(np.uint8)


def art_tile(random: np.random.Generator, drawing: Drawing, force_red: bool = False) -> np.ndarray:
    """A drawn face on a body; `force_red` prints all of its ink in red."""
    ink = drawing.pixels[..., :3].astype(np.float32)
    alpha = drawing.pixels[..., 3].astype(np.float32) / 255
    if force_red:
        # What is lighter than the body stays body: only the strokes take the colour.
        alpha = alpha * (1 - ink.mean(2) / 255) ** 0.5
        ink = np.broadcast_to(np.array([random.uniform(10, 70), random.uniform(10, 60), random.uniform(160, 235)], np.float32), ink.shape).copy()
    elif random.random() < 0.15:
        alpha = alpha * (1 - ink.mean(2) / 255) ** 0.5
        ink = np.broadcast_to(np.float32(random.uniform(0, 110, 3)), ink.shape).copy()
    alpha = alpha * random.uniform(0.6, 1.0)
    return lay_ink(random, blank_body(random), ink, alpha)


def white_dragon(random: np.random.Generator) -> np.ndarray:
    """Blank, or with a frame: single, double, with a gap, in one of the usual inks."""
    tile = blank_body(random)
    if random.random() < 0.45:
        return tile
    usual = [(150, 60, 30), (40, 40, 40), (170, 90, 40), (60, 120, 40), (40, 40, 170)][random.integers(5)]
    ink = tuple(int(np.clip(value + random.normal(0, 20), 0, 255)) for value in usual)
    inset_x, inset_y = random.integers(7, 20), random.integers(5, 15)
    for step in range(random.integers(1, 3)):
        x, y = int(inset_x + 5 * step), int(inset_y + 5 * step)
        cv2.rectangle(tile, (x, y), (TILE - 1 - x, TILE - 1 - y), ink, int(random.integers(1, 5 - 2 * step)), cv2.LINE_AA)
    return tile


# Hue (degrees), saturation and value ranges of backs: green, yellow, blue, orange, bamboo, red, purple, black, pale.
BACK_COLOURS = [
    ((95, 165), (0.45, 1.0), (0.2, 0.75)),
    ((38, 55), (0.5, 1.0), (0.6, 1.0)),
    ((195, 235), (0.4, 1.0), (0.3, 0.9)),
    ((15, 36), (0.6, 1.0), (0.6, 1.0)),
    ((26, 44), (0.3, 0.65), (0.5, 0.9)),
    ((345, 370), (0.5, 1.0), (0.3, 0.8)),
    ((255, 320), (0.25, 0.8), (0.3, 0.8)),
    ((0, 360), (0.0, 0.3), (0.08, 0.3)),
    ((0, 360), (0.16, 0.35), (0.75, 0.98)),
]
BACK_WEIGHTS = np.array([0.26, 0.12, 0.15, 0.1, 0.13, 0.05, 0.05, 0.07, 0.07])


def back_colour(random: np.random.Generator) -> np.ndarray:
    """One colour of tile backs, BGR."""
    hue, saturation, value = BACK_COLOURS[random.choice(len(BACK_COLOURS), p=BACK_WEIGHTS)]
    pixel = np.array([[[random.uniform(*hue) % 360, random.uniform(*saturation), random.uniform(*value)]]], np.float32)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255


def back_tile(random: np.random.Generator) -> np.ndarray:
    """A tile's back: plain, bamboo grain, or a printed pattern of one second colour."""
    colour = back_colour(random)
    tile = blank_body(random, colour)
    pattern = random.random()
    second = tuple(int(v) for v in np.clip(colour * random.uniform(0.5, 1.5) + random.normal(0, 15, 3), 0, 255))
    if pattern < 0.2:
        grain = random.normal(0, 1, TILE).astype(np.float32)
        grain = cv2.GaussianBlur(grain[None], (0, 0), random.uniform(0.5, 2.5))[0] * random.uniform(10, 35)
        tile = np.clip(tile + grain[None, :, None], 0, 255).astype(np.uint8)
    elif pattern < 0.27:
        step = int(random.integers(6, 16))
        for offset in range(-TILE, 2 * TILE, step):
            cv2.line(tile, (offset, 0), (offset + TILE, TILE), second, 1, cv2.LINE_AA)
            cv2.line(tile, (offset, 0), (offset - TILE, TILE), second, 1, cv2.LINE_AA)
    elif pattern < 0.33:
        step = int(random.integers(7, 14))
        for y in range(step // 2, TILE, step):
            for x in range(step // 2, TILE, step):
                cv2.circle(tile, (x, y), max(1, step // 5), second, -1, cv2.LINE_AA)
    elif pattern < 0.4:
        centre = (TILE // 2, TILE // 2)
        for angle in range(0, 360, int(random.choice([45, 60, 90]))):
            cv2.ellipse(tile, centre, (int(random.integers(10, 22)), 6), angle, 0, 360, second, int(random.integers(1, 3)), cv2.LINE_AA)
    elif pattern < 0.45:
        inset = int(random.integers(5, 14))
        cv2.rectangle(tile, (inset, inset), (TILE - inset, TILE - inset), second, int(random.integers(1, 4)), cv2.LINE_AA)
    return tile


def side_wall(random: np.random.Generator) -> np.ndarray:
    """What a tile shows from the side: a blank body with a broad band of the back's colour."""
    tile = blank_body(random)
    band = int(TILE * random.uniform(0.28, 0.6))
    tile[TILE - band :] = blank_body(random, back_colour(random))[TILE - band :]
    return cv2.GaussianBlur(np.ascontiguousarray(np.rot90(tile, int(random.integers(4)))), (0, 0), 0.6)


def printed_clutter(random: np.random.Generator) -> np.ndarray:
    """Paper, cards and keys with Latin letters, numbers and shapes: none of them a tile."""
    tile = np.empty((TILE, TILE, 3), np.uint8)
    tile[:] = np.clip(random.uniform(120, 255) + random.normal(0, 12, 3), 0, 255) if random.random() < 0.7 else random.uniform(0, 255, 3)
    for _ in range(int(random.integers(1, 7))):
        colour = tuple(int(v) for v in random.uniform(0, 255, 3)) if random.random() < 0.4 else (int(random.uniform(0, 90)),) * 3
        place = (int(random.integers(-15, TILE - 10)), int(random.integers(8, TILE + 8)))
        kind = random.random()
        if kind < 0.7:
            text = "".join(random.choice(list("ABCDEGHKLMNRSTabdefghknrstxyz23456789$%&#"), int(random.integers(1, 9))))
            cv2.putText(tile, text, place, int(random.integers(0, 8)), float(random.uniform(0.3, 1.6)), colour, int(random.integers(1, 4)), cv2.LINE_AA)
        elif kind < 0.85:
            other = (int(random.integers(0, TILE)), int(random.integers(0, TILE)))
            cv2.line(tile, place, other, colour, int(random.integers(1, 6)), cv2.LINE_AA)
        else:
            cv2.fillPoly(tile, [random.integers(0, TILE, (int(random.integers(3, 6)), 2)).astype(np.int32)], colour, cv2.LINE_AA)
    return tile
