"""What else lies about: phones, cards, dice, chips, books, keys, sticks, cups, racks, hands."""


import cv2
import numpy as np

from tilelens_training.render import raytrace
from tilelens_training.render.table_scene import FACE_SIZE, turned

SKINS = ((120, 150, 205), (95, 125, 185), (60, 85, 140), (150, 175, 225), (40, 55, 90))


def _colour(rng):
    return rng.uniform(10, 245, 3)


def _blank(colour):
    return np.full((FACE_SIZE[1], FACE_SIZE[0], 3), np.clip(colour, 0, 255), np.uint8)


def _text(image, rng, size, ink):
    h, w = image.shape[:2]
    y = 22 * size + 8
    while y < h - 4:
        text = "".join(chr(c) for c in rng.integers(48, 123, int(rng.integers(2, 20))))
        cv2.putText(image, text, (8, int(y)), int(rng.integers(8)), size, ink, max(1, int(2 * size)), cv2.LINE_AA)
        y += 32 * size


def _card_image(rng):
    w, h = FACE_SIZE
    image = _blank(np.full(3, rng.uniform(225, 255)))
    ink = (30.0, 30.0, 200.0) if rng.random() < 0.5 else (30.0, 30.0, 30.0)
    rank = "A23456789TJQK"[rng.integers(13)]
    for turn in (0, 1):
        cv2.putText(image, rank, (8, 34), 0, 1.1, ink, 2, cv2.LINE_AA)
        image = np.ascontiguousarray(image[::-1, ::-1])
    n = int(rng.integers(1, 11))
    for k in range(n):
        at = (int(w * (0.3 + 0.4 * (k % 2))), int(h * (0.15 + 0.7 * (k // 2) / max(1, (n - 1) // 2))))
        if rng.random() < 0.5:
            cv2.circle(image, at, 13, ink, -1, cv2.LINE_AA)
        else:
            cv2.fillPoly(image, [np.array([[at[0], at[1] - 16], [at[0] + 12, at[1]], [at[0], at[1] + 16], [at[0] - 12, at[1]]])], ink, cv2.LINE_AA)
    return image


def _screen_image(rng):
    if rng.random() < 0.5:
        return _blank(rng.uniform(3, 30, 3))
    image = _blank(_colour(rng))
    for _ in range(int(rng.integers(2, 12))):
        x, y = int(rng.uniform(0, FACE_SIZE[0])), int(rng.uniform(0, FACE_SIZE[1]))
        cv2.rectangle(image, (x, y), (x + int(rng.uniform(10, 120)), y + int(rng.uniform(6, 60))), _colour(rng).tolist(), -1)
    _text(image, rng, rng.uniform(0.4, 0.9), _colour(rng).tolist())
    return cv2.copyMakeBorder(image[8:-8, 8:-8], 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=(12, 12, 12))


def _pips(rng, count, paper, ink):
    w, h = FACE_SIZE
    image = _blank(paper)
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}[count]
    for s in spots:
        at = (int(w * (0.25 + 0.25 * (s % 3))), int(h * (0.25 + 0.25 * (s // 3))))
        colour = (30.0, 30.0, 200.0) if count in (1, 4) and ink[0] < 60 else ink
        cv2.ellipse(image, at, (int(w * (0.16 if count == 1 else 0.09)), int(h * (0.16 if count == 1 else 0.09))), 0, 0, 360, colour, -1, cv2.LINE_AA)
    return image


def _box(stage, x, y, angle, size, z=0.0, **more):
    right, away, up = turned(angle)
    half = np.array(size, float) / 2
    stage.add(np.array([x, y, z + half[2]]), np.stack([right, -away, up]), half, **more)


def phone(stage, rng, x, y, angle):
    """A phone, screen up or down."""
    body = _colour(rng)
    top = stage.texture(_screen_image(rng)) if rng.random() < 0.75 else -1
    _box(stage, x, y, angle, (rng.uniform(2.6, 3.3), rng.uniform(5.2, 6.8), 0.35), top=top, colours=body, rounding=0.12, gloss=1.0)
    return 3.2


def card(stage, rng, x, y, angle):
    """One to five playing cards."""
    for k in range(int(rng.integers(1, 6))):
        top = stage.texture(_card_image(rng)) if rng.random() < 0.8 else -1
        scale = rng.uniform(0.5, 1.0)
        _box(stage, x + k * 0.7, y + rng.normal(0, 0.15), angle + 0.12 * k, (2.4 * scale, 3.4 * scale, 0.02), z=0.02 * k, top=top, colours=_colour(rng) if top < 0 else np.full(3, 240.0), rounding=0.008, gloss=0.4)
    return 3.4


def dice(stage, rng, x, y, angle):
    """A few dice."""
    paper, ink = (np.full(3, rng.uniform(220, 255)), (20.0, 20.0, 20.0)) if rng.random() < 0.75 else (_colour(rng), (245.0, 245.0, 245.0))
    for _ in range(int(rng.integers(1, 5))):
        a = rng.uniform(0, 6.3)
        side = rng.uniform(0.35, 0.7)
        image = _pips(rng, int(rng.integers(1, 7)), paper, ink)
        _box(stage, x + rng.normal(0, 0.8), y + rng.normal(0, 0.8), a, (side, side, side), top=stage.texture(image), colours=paper, rounding=side * 0.15, gloss=0.8)
    return 2.0


def chips(stage, rng, x, y, angle):
    """Stacks of chips or coins."""
    for _ in range(int(rng.integers(1, 7))):
        cx, cy = x + rng.normal(0, 1.2), y + rng.normal(0, 1.2)
        colour, radius = _colour(rng), rng.uniform(0.4, 0.9)
        image = _blank(colour)
        w, h = FACE_SIZE
        cv2.ellipse(image, (w // 2, h // 2), (int(w * 0.36), int(h * 0.36)), 0, 0, 360, _colour(rng).tolist(), int(rng.integers(2, 14)), cv2.LINE_AA)
        cv2.putText(image, str(int(rng.choice([1, 5, 10, 25, 50, 100]))), (w // 4, int(h * 0.6)), 0, 1.6, _colour(rng).tolist(), 3, cv2.LINE_AA)
        top = stage.texture(image)
        for level in range(int(rng.integers(1, 6))):
            right, away, up = turned(rng.uniform(0, 6.3))
            stage.add(np.array([cx, cy, 0.13 * level + 0.065]), np.stack([right, -away, up]), np.array([radius, radius, 0.065]), rounding=0.02, kind=raytrace.DISC, top=top, colours=colour, gloss=0.4)
    return 3.0


def book(stage, rng, x, y, angle):
    """A book, a box or a block of notes."""
    image = _blank(_colour(rng))
    _text(image, rng, rng.uniform(0.5, 1.6), _colour(rng).tolist())
    if rng.random() < 0.5:
        cv2.circle(image, (int(rng.integers(184)), int(rng.integers(240))), int(rng.integers(15, 70)), _colour(rng).tolist(), -1, cv2.LINE_AA)
    w = rng.uniform(2, 6)
    _box(stage, x, y, angle, (w, w * rng.uniform(1.1, 1.6), rng.uniform(0.1, 1.6)), top=stage.texture(image), colours=np.stack([_colour(rng), _colour(rng), np.full(3, 225.0), np.full(3, 205.0)]), split=rng.random(), rounding=0.05, gloss=rng.random())
    return w


def keys(stage, rng, x, y, angle):
    """A block of a keyboard, a remote control, or a calculator: caps of keys on a plate."""
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(3, 12))
    pitch = rng.uniform(0.5, 0.85)
    plate, cap = _colour(rng), (np.full(3, rng.uniform(200, 255)) if rng.random() < 0.5 else _colour(rng))
    ink = [float(v) for v in (255 - cap)]
    _box(stage, x, y, angle, (columns * pitch + 0.4, rows * pitch + 0.4, 0.4), colours=plate, rounding=0.1, gloss=0.3)
    right, away, _ = turned(angle)
    images = []
    for _ in range(8):
        image = _blank(cap)
        cv2.putText(image, chr(int(rng.integers(33, 91))), (40, 150), 0, 3.2, ink, 7, cv2.LINE_AA)
        images.append(stage.texture(image))
    for i in range(rows):
        for j in range(columns):
            at = np.array([x, y, 0]) + right * (j - (columns - 1) / 2) * pitch + away * (i - (rows - 1) / 2) * pitch
            _box(stage, at[0], at[1], angle, (pitch * 0.86, pitch * 0.86, 0.2), z=0.36, top=images[rng.integers(8)], colours=cap, rounding=0.06, gloss=0.4)
    return max(columns, rows) * pitch * 0.6


def sticks(stage, rng, x, y, angle):
    """Point sticks, pens, chopsticks."""
    for _ in range(int(rng.integers(1, 6))):
        image = _blank(np.full(3, rng.uniform(215, 250)) if rng.random() < 0.7 else _colour(rng))
        for k in range(int(rng.integers(1, 9))):
            at = (92 + int(40 * (k % 2 - 0.5)), 120 + int((k // 2 - 2) * 16))
            cv2.ellipse(image, at, (18, 5), 0, 0, 360, (30.0, 30.0, 200.0) if rng.random() < 0.5 else (20.0, 20.0, 20.0), -1, cv2.LINE_AA)
        _box(stage, x + rng.normal(0, 0.7), y + rng.normal(0, 0.7), angle + rng.normal(0, 0.3), (rng.uniform(0.15, 0.4), rng.uniform(2, 5), 0.15), top=stage.texture(image), colours=body_of(image), rounding=0.06, gloss=0.6)
    return 2.6


def body_of(image):
    """The colour of an image's corner."""
    return np.asarray(image[2, 2], np.float64)


def cup(stage, rng, x, y, angle):
    """A cup, a bowl or a can: a tall disc with a darker top."""
    radius, height = rng.uniform(0.9, 2.0), rng.uniform(0.4, 3.5)
    colour = _colour(rng)
    right, away, up = turned(angle)
    stage.add(np.array([x, y, height / 2]), np.stack([right, -away, up]), np.array([radius, radius, height / 2]), rounding=0.1, kind=raytrace.DISC, colours=np.stack([_colour(rng) * 0.5, colour, colour, colour * rng.uniform(0.6, 1)]), split=rng.random(), gloss=1.2)
    return radius


def rack(stage, rng, x, y, angle):
    """A bar that tiles lean on, a ruler, a table's frame."""
    _box(stage, x, y, angle, (rng.uniform(6, 18), rng.uniform(0.3, 1.2), rng.uniform(0.1, 0.9)), colours=_colour(rng), rounding=0.1, gloss=rng.random())
    return 6.0


def blocks(stage, rng, x, y, angle):
    """Things of a tile's size that are none: dominoes, erasers, lighters, keys of stone, sugar."""
    right, away, _ = turned(angle)
    colour = np.full(3, rng.uniform(190, 250)) if rng.random() < 0.6 else _colour(rng)
    domino = rng.random() < 0.5
    for k in range(int(rng.integers(1, 6))):
        at = np.array([x, y, 0]) + right * k * rng.uniform(1.0, 1.5)
        top = -1
        if domino:
            half = _pips(rng, int(rng.integers(1, 7)), colour, (20.0, 20.0, 20.0)), _pips(rng, int(rng.integers(1, 7)), colour, (20.0, 20.0, 20.0))
            image = cv2.resize(np.vstack(half), FACE_SIZE, interpolation=cv2.INTER_AREA)
            cv2.line(image, (10, FACE_SIZE[1] // 2), (FACE_SIZE[0] - 10, FACE_SIZE[1] // 2), (20, 20, 20), 3)
            top = stage.texture(image)
        size = (1.0, 2.0, 0.35) if domino else (rng.uniform(0.5, 1.6), rng.uniform(0.8, 3), rng.uniform(0.3, 0.9))
        _box(stage, at[0], at[1], angle + rng.normal(0, 0.1), size, top=top, colours=np.stack([colour, colour, colour, _colour(rng)]), split=rng.random(), rounding=0.08, gloss=rng.random())
    return 3.0


def hand(stage, rng, x, y, angle, sleeve=False):
    """A hand that reaches in: palm, fingers, forearm, in capsules; with a sleeve it has no end in sight."""
    skin = np.float64(SKINS[rng.integers(len(SKINS))]) + rng.normal(0, 8, 3)
    size = rng.uniform(0.85, 1.2)
    right, away, up = turned(angle)

    def capsule(start, end, radius):
        start, end = np.asarray(start, float) * size, np.asarray(end, float) * size
        a = start[0] * right + start[1] * away + start[2] * up + [x, y, 0]
        b = end[0] * right + end[1] * away + end[2] * up + [x, y, 0]
        along = (b - a) / np.linalg.norm(b - a)
        side = np.cross(along, up)
        side = side / max(np.linalg.norm(side), 1e-6)
        half = np.array([radius * size, np.linalg.norm(b - a) / 2 + radius * size, radius * size])
        stage.add((a + b) / 2, np.stack([side, along, np.cross(side, along)]), half, rounding=radius * size, colours=skin, gloss=0.15)

    curl = rng.uniform(0.1, 0.7)
    for k, length in enumerate((1.9, 2.2, 2.1, 1.6)):
        base = ((k - 1.5) * 0.75, 1.4, 0.75)
        knee = ((k - 1.5) * 0.85, 1.4 + length * 0.55, 0.95)
        tip = ((k - 1.5) * 0.8, 1.4 + length * (1 - 0.3 * curl), 0.75 - 0.45 * curl)
        capsule(base, knee, 0.33)
        capsule(knee, tip, 0.3)
    capsule((-1.3, 0.2, 0.6), (-2.0, 1.7, 0.5), 0.36)
    for k in range(4):
        capsule(((k - 1.5) * 0.7, -1.2, 0.7), ((k - 1.5) * 0.75, 1.4, 0.75), 0.55)
    elbow = rng.normal(0, 1)
    capsule((0, -1.5, 0.9), (elbow, -9, 2.0), 1.05)
    if sleeve:
        skin = np.array([70.0, 50, 40])
        capsule((0.6 * elbow, -6, 1.6), (2 * elbow, -26, 4.0), 1.5)
    return 3.0


THINGS = (phone, card, dice, chips, book, keys, sticks, cup, rack, blocks)
