"""Pictures of what is no tile but looks like many: keys, books, cards, plaids, bricks, dominoes, blinds, sockets, signs, wheels, fences, stones.

    picture = clutter.picture(rng, 352)  # 352 x 352, BGR uint8, without a single tile
"""

import cv2
import numpy as np

_LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghkmnprstuxyz0123456789")
_SUITS = ((20, 20, 20), (40, 40, 200))


def _shade(rng) -> np.ndarray:
    """A colour: pale, dark or bright."""
    pick = rng.random()
    if pick < 0.35:
        return rng.uniform(190, 252) + rng.normal(0, 6, 3)
    if pick < 0.6:
        return rng.uniform(15, 90) + rng.normal(0, 8, 3)
    return rng.uniform(10, 245, 3)


def _ink(rng, ground: np.ndarray) -> list[float]:
    dark = ground.mean() > 120
    tone = ground * rng.uniform(0.1, 0.6) if dark else np.minimum(ground + rng.uniform(60, 170), 255)
    return [float(v) for v in (tone if rng.random() < 0.7 else rng.uniform(0, 255, 3))]


def _canvas(size: int, colour: np.ndarray) -> np.ndarray:
    return np.full((size, size, 3), np.clip(colour, 0, 255), np.uint8)


def _text(rng, picture, box, ink, letters=1) -> None:
    x0, y0, x1, y1 = box
    text = "".join(rng.choice(_LETTERS, letters))
    font, scale = int(rng.integers(8)), max(0.2, (y1 - y0) / 60)
    at = (int(x0 + (x1 - x0) * rng.uniform(0.05, 0.4)), int(y0 + (y1 - y0) * rng.uniform(0.4, 0.9)))
    cv2.putText(picture, text, at, font, scale, ink, max(1, int(scale * 1.5)), cv2.LINE_AA)


def _cells(rng, size, width, height, shifted):
    for row, y in enumerate(np.arange(-height * rng.random(), size, height)):
        offset = shifted * width * (row % 2) - width * rng.random() * (shifted > 0)
        for x in np.arange(offset - width, size, width):
            yield int(x), int(y), int(x + width), int(y + height)


def _blocks(rng, size) -> np.ndarray:
    """Keys, bathroom tiles, bricks, drawers, chocolate: like cells with joints, some with a letter."""
    joint, block = _shade(rng), _shade(rng)
    out = _canvas(size, joint)
    width = rng.uniform(0.05, 0.3) * size
    height = width * rng.choice((1.0, 1.3, 0.5, 0.75, rng.uniform(0.4, 1.6)))
    gap = max(1, width * rng.uniform(0.01, 0.14))
    like_backs = 1.15 < max(width, height) / min(width, height) < 1.6  # plain cells of this shape may be backs
    varied, lettered = rng.uniform(0, 25), like_backs or rng.random() < 0.3
    rounded, lit = rng.random() < 0.4, rng.random() < 0.5
    ink = _ink(rng, block)
    for x0, y0, x1, y1 in _cells(rng, size, width, height, rng.choice((0, 0, 0.25, 0.5))):
        colour = [float(v) for v in np.clip(block + rng.normal(0, 1) * varied, 0, 255)]
        a, b = (int(x0 + gap / 2), int(y0 + gap / 2)), (int(x1 - gap / 2), int(y1 - gap / 2))
        cv2.rectangle(out, a, b, colour, -1)
        if rounded:
            cv2.rectangle(out, a, b, [float(v) for v in joint], max(1, int(gap)))
        if lit:
            cv2.line(out, a, (b[0], a[1]), [min(255.0, v + 30) for v in colour], max(1, int(gap / 2)))
            cv2.line(out, (a[0], b[1]), b, [v * 0.7 for v in colour], max(1, int(gap)))
        if lettered and rng.random() < 0.85:
            _text(rng, out, (x0, y0, x1, y1), ink, int(rng.integers(1, 3)))
    return out


def _plaid(rng, size) -> np.ndarray:
    """Plaids, gingham, chequers and stripes, woven or printed."""
    across, down = np.zeros((size, 3)), np.zeros((size, 3))
    colours = [_shade(rng) for _ in range(int(rng.integers(2, 5)))]
    period = rng.uniform(0.05, 0.4) * size
    bands = [(rng.integers(len(colours)), rng.uniform(0, 1), rng.uniform(0.04, 0.6)) for _ in range(int(rng.integers(1, 5)))]
    phase = (np.arange(size) / period) % 1
    for line in (across, down):
        line[:] = colours[0]
        for colour, start, width in bands:
            line[(phase - start) % 1 < width] = colours[colour]
    out = (across[None] + down[:, None]) / 2
    if rng.random() < 0.3:  # a chess board
        half = (phase < 0.5).astype(int)
        out = np.where((half[None] ^ half[:, None])[..., None], colours[0], colours[-1])
    return np.clip(cv2.GaussianBlur(np.float32(out), (0, 0), rng.uniform(0.3, 2)), 0, 255).astype(np.uint8)


def _shelf(rng, size) -> np.ndarray:
    """Spines of books, folders, boxes: upright oblongs of every colour with text on them."""
    out = _canvas(size, _shade(rng) * 0.5)
    shelf = rng.uniform(0.2, 0.6) * size
    for y in np.arange(-shelf * rng.random(), size, shelf):
        x = -10.0
        while x < size:
            wide, tall = rng.uniform(0.03, 0.16) * size, shelf * rng.uniform(0.6, 0.97)
            colour = _shade(rng)
            a, b = (int(x), int(y + shelf - tall)), (int(x + wide), int(y + shelf * 0.97))
            cv2.rectangle(out, a, b, [float(v) for v in np.clip(colour, 0, 255)], -1)
            cv2.line(out, a, (a[0], b[1]), [float(v) for v in np.clip(colour * 0.6, 0, 255)], 1)
            if rng.random() < 0.6:  # a label
                top = rng.uniform(0.1, 0.6)
                c, d = (a[0] + 2, int(a[1] + top * tall)), (b[0] - 2, int(a[1] + (top + rng.uniform(0.1, 0.3)) * tall))
                paper = _shade(rng)
                cv2.rectangle(out, c, d, [float(v) for v in np.clip(paper, 0, 255)], -1)
                _text(rng, out, (*c, *d), _ink(rng, paper), int(rng.integers(1, 4)))
            x += wide + rng.uniform(0, 3)
    return out


def _cards(rng, size) -> np.ndarray:
    """Playing cards, dominoes, dice, notes and chips thrown on a ground."""
    out = _canvas(size, _shade(rng))
    kind = rng.integers(4)
    side = max(4.0, rng.uniform(0.08, 0.3) * size)
    for _ in range(int(rng.integers(3, 20))):
        w, h = int(side), int(side * (1.45, 2.0, 1.0, rng.uniform(0.5, 2))[kind])
        face = np.full((h, w, 3), np.clip(_shade(rng) if kind == 3 else rng.uniform(205, 255), 0, 255), np.uint8)
        ink = [float(v) for v in _SUITS[rng.integers(2)]]
        if kind == 0:
            cv2.putText(face, str(rng.choice(list("23456789JQKA"))), (2, int(h * 0.28)), 0, w / 60, ink, max(1, w // 30), cv2.LINE_AA)
            for _ in range(int(rng.integers(1, 8))):
                at = (int(rng.uniform(0.2, 0.8) * w), int(rng.uniform(0.15, 0.85) * h))
                cv2.drawMarker(face, at, ink, int(rng.integers(3)), max(3, w // 6), max(1, w // 20))
        elif kind in (1, 2):
            for half in range(2 if kind == 1 else 1):
                for _ in range(int(rng.integers(1, 7))):
                    at = (int(rng.choice((0.25, 0.5, 0.75)) * w), int((half + rng.choice((0.25, 0.5, 0.75))) * w))
                    cv2.circle(face, at, max(1, w // 11), ink, -1, cv2.LINE_AA)
            if kind == 1:
                cv2.line(face, (0, w), (w, w), ink, 1)
        elif rng.random() < 0.7:
            _text(rng, face, (0, 0, w, h), _ink(rng, face.reshape(-1, 3).mean(0)), int(rng.integers(1, 9)))
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 360), 1)
        turn[:, 2] += rng.uniform(0, size, 2) - [w / 2, h / 2]
        mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), turn, (size, size))[..., None] / 255.0
        out = (out * (1 - mask) + cv2.warpAffine(face, turn, (size, size)) * mask).astype(np.uint8)
    return out


def _folds(rng, size) -> np.ndarray:
    """Blinds, radiators, boards, curtains: light and dark in one direction, with a cross line now and then."""
    x = np.linspace(0, 2 * np.pi * rng.uniform(3, 25), size)
    wave = np.sin(x + rng.uniform(0, 2) * np.sin(x)) ** int(rng.choice((1, 3)))
    out = np.broadcast_to((_shade(rng) + wave[:, None] * rng.uniform(10, 60))[None], (size, size, 3)).copy()
    for _ in range(int(rng.integers(0, 6))):
        at = int(rng.integers(size))
        out[at : at + int(rng.integers(1, 6))] *= rng.uniform(0.5, 0.9)
    return np.clip(out, 0, 255).astype(np.uint8)


def _plates(rng, size) -> np.ndarray:
    """Sockets, switches, keypads, remote controls, calculators: a plate with holes or with keys in rows."""
    out = _canvas(size, _shade(rng))
    for _ in range(int(rng.integers(1, 7))):
        w = int(rng.uniform(0.12, 0.45) * size)
        h = int(w * rng.choice((1.0, 1.4, 2.2, 0.6)))
        plate = _shade(rng)
        x, y = (int(v) for v in rng.uniform(-0.1, 0.8, 2) * size)
        cv2.rectangle(out, (x, y), (x + w, y + h), [float(v) for v in np.clip(plate, 0, 255)], -1)
        cv2.rectangle(out, (x, y), (x + w, y + h), [float(v) for v in np.clip(plate * 0.7, 0, 255)], max(1, w // 40))
        ink = _ink(rng, plate)
        middle = np.array([x + w / 2, y + h / 2])
        if rng.random() < 0.5:  # a socket: a round recess, two or three holes, a screw
            if rng.random() < 0.7:
                recess = [float(v) for v in np.clip(plate * rng.uniform(0.75, 1.1), 0, 255)]
                cv2.circle(out, middle.astype(int), int(0.4 * min(w, h)), recess, -1, cv2.LINE_AA)
                cv2.circle(out, middle.astype(int), int(0.4 * min(w, h)), ink, max(1, w // 60), cv2.LINE_AA)
            apart, low, slot = rng.uniform(0.1, 0.25) * w, rng.uniform(-0.1, 0.2) * h, rng.random() < 0.5
            holes = [(-apart, 0), (apart, 0)] + ([(0, low + 0.15 * h)] if rng.random() < 0.5 else []) + ([(0, 0)] if rng.random() < 0.3 else [])
            reach = max(1, int(rng.uniform(0.03, 0.08) * w))
            for hole in holes:
                at = (middle + hole).astype(int)
                if slot:
                    cv2.rectangle(out, at - [max(1, reach // 2), 2 * reach], at + [max(1, reach // 2), 2 * reach], ink, -1)
                else:
                    cv2.circle(out, at, reach, ink, -1, cv2.LINE_AA)
            continue
        across, down, top = int(rng.integers(3, 6)), int(rng.integers(4, 7)), rng.uniform(0.05, 0.35)  # more than a tile has dots
        key = np.array([0.9 * w / across, (0.95 - top) * h / down])
        round_keys, lettered = rng.random() < 0.5, rng.random() < 0.4
        if top > 0.15:  # a display
            cv2.rectangle(out, (x + w // 12, y + h // 20), (x + w - w // 12, int(y + 0.8 * top * h)), _ink(rng, plate), -1)
        for row in range(down):
            for column in range(across):
                at = np.array([x + 0.05 * w, y + top * h]) + key * [column + 0.5, row + 0.5]
                if lettered:
                    _text(rng, out, (*(at - key / 2), *(at + key / 2)), ink)
                elif round_keys:
                    cv2.circle(out, at.astype(int), max(1, int(0.35 * key.min())), ink, -1, cv2.LINE_AA)
                else:
                    cv2.rectangle(out, (at - 0.35 * key).astype(int), (at + 0.35 * key).astype(int), ink, -1)
    return out


def _signs(rng, size) -> np.ndarray:
    """Large print: prices, number plates, clocks with figures, posters."""
    out = _canvas(size, _shade(rng))
    height = rng.uniform(0.06, 0.35) * size
    figures, ink = rng.random() < 0.6, _ink(rng, out[0, 0].astype(np.float32))
    for y in np.arange(height * rng.uniform(0.8, 1.4), size + height, height * rng.uniform(1.1, 2)):
        letters = list("0123456789.:-") if figures else _LETTERS
        text = "".join(rng.choice(letters, int(rng.integers(1, 12))))
        thick = max(1, int(height * rng.uniform(0.04, 0.2)))
        cv2.putText(out, text, (int(rng.uniform(-0.1, 0.6) * size), int(y)), int(rng.integers(8)), height / 30, ink, thick, cv2.LINE_AA)
        if rng.random() < 0.3:
            ink = _ink(rng, out[0, 0].astype(np.float32))
    return out


def _rounds(rng, size) -> np.ndarray:
    """Wheels, lamps, screws, speakers, plates, buttons: rings about one middle on a plain ground or a square hardly seen on it."""
    ground = _shade(rng)
    out = _canvas(size, ground)
    for _ in range(int(rng.integers(1, 9))):
        at, reach = rng.uniform(0, size, 2).astype(int), rng.uniform(0.03, 0.2) * size
        if rng.random() < 0.4:
            half = reach * rng.uniform(1.1, 1.5)
            cv2.rectangle(out, (at - half).astype(int), (at + half).astype(int), [float(v) for v in np.clip(ground * rng.uniform(0.85, 1.1), 0, 255)], -1)
        while reach > 2:
            cv2.circle(out, at, int(reach), [float(v) for v in np.clip(_shade(rng), 0, 255)], -1, cv2.LINE_AA)
            reach *= rng.uniform(0.3, 0.9)
            if rng.random() < 0.25:
                break
        if rng.random() < 0.3:  # spokes, or the slot of a screw
            cv2.drawMarker(out, at, _ink(rng, ground), int(rng.integers(3)), max(3, int(reach * 2)), max(1, int(reach / 4)))
    return out


def _lattice(rng, size) -> np.ndarray:
    """Fences, nets, trellises, stalks: lines that cross."""
    ground = _shade(rng)
    out = _canvas(size, ground)
    ink, step, thick = _ink(rng, ground), rng.uniform(0.06, 0.3) * size, max(1, int(rng.uniform(0.004, 0.04) * size))
    slopes, loose = rng.uniform(-2, 2, 2), rng.uniform(0, 0.4)
    for slope in slopes:
        for at in np.arange(-2 * size, 3 * size, step):
            start, lean = at + rng.normal(0, loose * step), slope + rng.normal(0, 0.3 * loose)
            cv2.line(out, (int(start), 0), (int(start + lean * size), size), ink, thick, cv2.LINE_AA)
    return out


def _stones(rng, size) -> np.ndarray:
    """Rubble, pebbles, bark, stains: blots of every size, some with a joint between them."""
    coarse = int(rng.uniform(8, 60))
    noise = cv2.resize(rng.normal(0, 1, (coarse, coarse)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    noise += cv2.resize(rng.normal(0, 0.4, (4 * coarse, 4 * coarse)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    noise = np.abs(noise) - 0.4 if rng.random() < 0.5 else noise - rng.uniform(-0.3, 1.2)
    share = (0.5 + 0.5 * np.tanh(noise * rng.uniform(1, 15)))[..., None]
    ground = _shade(rng)
    grain = rng.normal(0, rng.uniform(0, 18), (size, size, 1))
    return np.clip(ground * (1 - share) + np.array(_ink(rng, ground), np.float32) * share + grain, 0, 255).astype(np.uint8)


MAKERS = (_blocks, _plaid, _shelf, _cards, _folds, _plates, _signs, _rounds, _lattice, _stones)
SHARES = (0.2, 0.12, 0.12, 0.11, 0.05, 0.12, 0.08, 0.08, 0.05, 0.07)


def flat(rng: np.random.Generator, size: int) -> np.ndarray:
    """One texture seen from straight above, `size` x `size`, BGR uint8."""
    made = MAKERS[rng.choice(len(MAKERS), p=SHARES)](rng, size)
    light = np.linspace(rng.uniform(0.6, 1.0), rng.uniform(0.8, 1.2), size)
    return np.clip(np.rot90(made * light[:, None, None], int(rng.integers(4))), 0, 255).astype(np.uint8)


def picture(rng: np.random.Generator, size: int) -> np.ndarray:
    """The same from any side and distance."""
    texture = flat(rng, size)
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    middle = size / 2
    angle, zoom = rng.uniform(0, 2 * np.pi), rng.uniform(1.4, 2.2)
    c, s = np.cos(angle) * zoom, np.sin(angle) * zoom
    seen = (corners - middle) @ np.array([[c, s], [-s, c]], np.float32) + middle + rng.normal(0, 0.12 * size, (4, 2))
    return cv2.warpPerspective(
        texture, cv2.getPerspectiveTransform(corners, np.float32(seen)), (size, size), borderMode=cv2.BORDER_REFLECT
    )
