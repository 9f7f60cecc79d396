"""Table tops: felt, wood, cloth, carpet, mats with grids, tiles, stone, and print lying on them."""

import cv2
import numpy as np

TOP = 1024  # pixels of a table top's texture

FELTS = ((40, 105, 30), (95, 60, 25), (60, 85, 20), (40, 40, 115), (52, 50, 50), (110, 80, 35), (80, 125, 60), (70, 45, 90), (35, 60, 110))
WOODS = ((60, 100, 160), (40, 70, 110), (90, 130, 180), (30, 45, 70), (120, 150, 180), (150, 180, 205), (70, 80, 95))
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;-+%&?"


def _noise(rng, cell, channels=1):
    small = rng.normal(0, 1, (int(TOP / cell[1]) + 2, int(TOP / cell[0]) + 2, channels)).astype(np.float32)
    return cv2.resize(small, (TOP, TOP), interpolation=cv2.INTER_CUBIC).reshape(TOP, TOP, channels)


def felt(rng):
    """Cloth of one colour, with fibres."""
    top = np.array(FELTS[rng.integers(len(FELTS))], np.float32) + rng.uniform(-22, 22, 3)
    return top + _noise(rng, (2, 2)) * rng.uniform(2, 9) + _noise(rng, (7, 7)) * rng.uniform(0, 4) + _noise(rng, (200, 200)) * rng.uniform(0, 8)


def wood(rng):
    """Boards with grain and now and then a seam."""
    top = np.array(WOODS[rng.integers(len(WOODS))], np.float32) + rng.uniform(-20, 20, 3)
    out = top + _noise(rng, (260, 3)) * rng.uniform(3, 12) + _noise(rng, (500, 24)) * rng.uniform(3, 18)
    if rng.random() < 0.5:
        step = int(rng.integers(60, 260))
        for k in range(int(rng.integers(0, step)), TOP, step):
            out[k : k + int(rng.integers(1, 5))] *= rng.uniform(0.35, 0.8)
            out[k:] += rng.normal(0, 6)
    return out


def plain(rng):
    """A smooth top of any colour."""
    return rng.uniform(15, 245, 3) + _noise(rng, (300, 300)) * rng.uniform(0, 10) + _noise(rng, (2, 2)) * rng.uniform(0, 3)


def white(rng):
    """A pale top: paper cloth, melamine, marble."""
    tone = rng.uniform(170, 250) + rng.normal(0, 6, 3)
    out = tone + _noise(rng, (rng.uniform(60, 300), rng.uniform(20, 300))) * rng.uniform(0, 12)
    if rng.random() < 0.4:  # veins
        vein = np.abs(_noise(rng, (120, 120)) + 0.4 * _noise(rng, (30, 30)))
        out = out - rng.uniform(20, 80) * np.exp(-((vein / 0.06) ** 2))
    return out


def carpet(rng):
    """Woven patterns in two or three colours."""
    a, b, c = rng.uniform(20, 220, (3, 3))
    ys, xs = np.mgrid[0:TOP, 0:TOP].astype(np.float32)
    p = rng.uniform(20, 160)
    pattern = np.sin(xs * 6.28 / p + rng.uniform(0, 2) * np.sin(ys * 6.28 / p)) * np.sin(ys * 6.28 / (p * rng.uniform(0.6, 1.6)))
    out = np.where((pattern > rng.uniform(-0.3, 0.5))[..., None], a, b)
    out = np.where((np.abs(pattern) < rng.uniform(0.02, 0.3))[..., None], c, out)
    return cv2.GaussianBlur(out.astype(np.float32), (0, 0), rng.uniform(0.5, 3)) + _noise(rng, (3, 3)) * rng.uniform(3, 16)


def grid(rng):
    """A cutting mat, squared paper, or floor tiles."""
    top = rng.uniform(10, 240, 3) if rng.random() < 0.5 else np.array(FELTS[rng.integers(len(FELTS))], np.float32)
    out = top + _noise(rng, (2, 2)) * rng.uniform(0, 4) + _noise(rng, (80, 80)) * rng.uniform(0, 8)
    ink = top + rng.choice([-1, 1]) * rng.uniform(30, 140) * np.ones(3)
    step = rng.uniform(16, 130)
    thick = int(rng.integers(1, 5))
    out = np.clip(out, 0, 255).astype(np.uint8)
    for k in range(int(TOP / step) + 1):
        wide = thick + (k % 5 == 0)
        at = int(k * step)
        cv2.line(out, (at, 0), (at, TOP), ink.tolist(), wide, cv2.LINE_AA)
        cv2.line(out, (0, at), (TOP, at), ink.tolist(), wide, cv2.LINE_AA)
        if k % 5 == 0 and step < 60:
            cv2.putText(out, str(k // 5), (at + 3, int(step * 2)), 0, step / 40, ink.tolist(), 1, cv2.LINE_AA)
    return out


def squared_paper(rng):
    """Pale paper with cells; the texture has 16 of them across, BGR uint8."""
    tone = rng.uniform(205, 252) + rng.normal(0, 4, 3)
    out = np.clip(tone + _noise(rng, (200, 200)) * rng.uniform(0, 6), 0, 255).astype(np.uint8)
    ink, thick, down = (tone * rng.uniform(0.3, 0.85)).tolist(), int(rng.integers(1, 6)), int(rng.integers(48, 90))
    for at in range(0, TOP, TOP // 16):
        cv2.line(out, (at, 0), (at, TOP), ink, thick, cv2.LINE_AA)
    for at in range(0, TOP, down):
        cv2.line(out, (0, at), (TOP, at), ink, thick, cv2.LINE_AA)
    return out


def speckle(rng):
    """Terrazzo, granite, cork: high contrast without order."""
    k = rng.uniform(3, 18)
    mask = np.clip((_noise(rng, (k, k)) + 0.5 * _noise(rng, (2, 2)) - rng.uniform(-0.5, 1)) * rng.uniform(1, 5), 0, 1)
    return rng.uniform(20, 230, 3) * (1 - mask) + rng.uniform(20, 250, 3) * mask


def stripes(rng):
    """Checks or stripes of a table cloth."""
    a, b = rng.uniform(30, 250, (2, 3))
    p, q = rng.integers(12, 110, 2)
    ys, xs = np.mgrid[0:TOP, 0:TOP]
    mask = ((xs // p) % 2).astype(np.float32) * 0.5
    if rng.random() < 0.6:
        mask = mask + ((ys // q) % 2) * 0.5
    return a * (1 - mask[..., None]) + b * mask[..., None] + _noise(rng, (3, 3)) * rng.uniform(1, 7)


def _page(rng):
    """A printed page, a label, a card or a screen: always an oblong with marks."""
    w, h = int(rng.uniform(60, 420)), int(rng.uniform(60, 420))
    paper = np.float32(rng.uniform(185, 255) + rng.normal(0, 6, 3)) if rng.random() < 0.75 else rng.uniform(10, 240, 3).astype(np.float32)
    page = np.full((h, w, 3), np.clip(paper, 0, 255), np.uint8)
    ink = (paper * rng.uniform(0.1, 0.5)) if paper.mean() > 110 else np.minimum(paper + 150, 255)
    if rng.random() < 0.35:
        ink = rng.uniform(0, 220, 3)
    ink = [float(v) for v in ink]
    kind = rng.integers(6)
    margin = rng.uniform(4, 20)
    if kind <= 2:  # lines of text, small or large
        size = rng.uniform(0.25, 0.7) if kind < 2 else rng.uniform(0.8, 3)
        y = margin + 24 * size
        while y < h - margin:
            text = "".join(rng.choice(list(_LETTERS + "   "), int(rng.integers(4, 70))))
            cv2.putText(page, text[: max(1, int((w - 2 * margin) / (16 * size)))], (int(margin), int(y)), int(rng.integers(0, 8)), size, ink, max(1, int(size * 1.5)), cv2.LINE_AA)
            y += 34 * size * rng.uniform(1, 1.5)
    elif kind == 3:  # a table of squares
        n, m = rng.integers(2, 12, 2)
        for i in range(n + 1):
            cv2.line(page, (0, int(i * (h - 1) / n)), (w, int(i * (h - 1) / n)), ink, 1 + int(rng.integers(2)))
        for j in range(m + 1):
            cv2.line(page, (int(j * (w - 1) / m), 0), (int(j * (w - 1) / m), h), ink, 1 + int(rng.integers(2)))
        for i in range(n):
            for j in range(m):
                if rng.random() < 0.5:
                    text = "".join(rng.choice(list("0123456789-+"), int(rng.integers(1, 4))))
                    cv2.putText(page, text, (int((j + 0.15) * w / m), int((i + 0.8) * h / n)), 0, h / n / 45, ink, 1, cv2.LINE_AA)
    elif kind == 4:  # shapes in rows: icons, dots, pips
        n, m = rng.integers(1, 7, 2)
        radius = 0.35 * min(w / m, h / n)
        for i in range(n):
            for j in range(m):
                at = (int((j + 0.5) * w / m), int((i + 0.5) * h / n))
                colour = ink if rng.random() < 0.7 else [float(v) for v in rng.uniform(0, 255, 3)]
                if rng.random() < 0.6:
                    cv2.circle(page, at, max(1, int(radius)), colour, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
                else:
                    r = int(radius)
                    cv2.rectangle(page, (at[0] - r, at[1] - r), (at[0] + r, at[1] + r), colour, -1 if rng.random() < 0.6 else 2)
    else:  # seven-segment digits on dark
        page[:] = rng.uniform(5, 60)
        cv2.putText(page, str(rng.integers(0, 99999)), (5, h // 2), 1, w / 60, [float(v) for v in rng.uniform(60, 255, 3)], 3, cv2.LINE_AA)
    if rng.random() < 0.3:
        cv2.rectangle(page, (2, 2), (w - 3, h - 3), ink, int(rng.integers(1, 6)))
    return page


def lay_pages(rng, top, count):
    """Lays printed oblongs onto a table top, each with a thin shadow."""
    for _ in range(count):
        page = _page(rng)
        h, w = page.shape[:2]
        scale = rng.uniform(0.4, 1.4)
        a = rng.uniform(0, 360)
        matrix = cv2.getRotationMatrix2D((w / 2, h / 2), a, scale)
        matrix[:, 2] += rng.uniform(0, TOP, 2) - [w / 2, h / 2]
        mask = cv2.warpAffine(np.ones((h, w), np.float32), matrix, (TOP, TOP))[..., None]
        shadow = cv2.blur(np.roll(mask[..., 0], (3, 3), (0, 1)), (7, 7))[..., None]
        top *= 1 - 0.35 * shadow * (1 - mask)
        top += (cv2.warpAffine(page.astype(np.float32), matrix, (TOP, TOP)) - top) * mask


def table_top(rng, patches):
    """A texture of TOP x TOP, BGR uint8; `patches` are pictures of real tables without tiles."""
    pick = rng.random()
    if patches and pick < 0.3:
        patch = np.rot90(patches[rng.integers(len(patches))], int(rng.integers(4)))
        top = cv2.resize(np.ascontiguousarray(patch), (TOP, TOP), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    else:
        makers = (felt, wood, plain, white, carpet, grid, speckle, stripes)
        top = makers[rng.choice(len(makers), p=(0.3, 0.2, 0.12, 0.1, 0.08, 0.1, 0.05, 0.05))](rng).astype(np.float32)
        if rng.random() < 0.5:
            top = np.ascontiguousarray(top.transpose(1, 0, 2))
    if rng.random() < 0.35:
        lay_pages(rng, top, int(rng.integers(1, 7)))
    return np.clip(top, 0, 255).astype(np.uint8)
