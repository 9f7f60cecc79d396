"""Random training scenes: real face crops, free artwork and invented designs on tiles that lie as tiles lie at a table.

    python -m tilelens_training.render.scenes --out DIR --count N --seed S --workers K    # NNNNN.jpg + NNNNN.json

NNNNN.json: {"tiles": [{"code", "corners", "turn", "visible", "red"}]}, corners clockwise from the face's
own top left in pixels, code "x" for a back, visible the share of the face that is in sight.
"""

import argparse
import json
import math
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training import labels
from tilelens_training.paths import DATA
from tilelens_training.render import raytrace, table_things
from tilelens_training.render.artwork import Drawing, load_drawings
from tilelens_training.render.invented_faces import invented
from tilelens_training.render.table_scene import (
    DOWN,
    EDGE,
    FACE_SIZE,
    STANDING,
    UP,
    Placement,
    Stage,
    TileSet,
    body_colour,
    camera,
    in_dark,
    light,
    photograph,
)
from tilelens_training.render.table_tops import squared_paper, table_top

BACKS = (
    (60, 140, 40), (120, 160, 60), (150, 80, 30), (190, 120, 40), (40, 150, 220), (40, 120, 230), (35, 35, 35), (70, 60, 160),
    (60, 90, 140), (110, 170, 200), (130, 40, 110), (60, 60, 190), (200, 180, 80), (215, 225, 230), (150, 190, 210),
)
# Bodies with lighter print: black, blue, red, green, wood.
DARK_BODIES = ((0, 0, 0), (0, 0, 0), (110, 45, 15), (25, 20, 110), (35, 70, 15), (35, 65, 105))
STYLES, STYLES_SEED = 120, 17  # invented sets of faces
MERGED = {f"jc-0{n}": "jc" for n in (1, 3, 4, 5)}  # small groups of one look

cv2.setNumThreads(1)


class Pool:
    """Faces by set, and pictures of real tables without tiles; train split only."""

    def __init__(self, data, cache):
        data, cache = Path(data), Path(cache)
        cache.mkdir(parents=True, exist_ok=True)
        split = set(json.loads((data / "splits.json").read_text())["train"]["crops"])
        self.sets = {}
        for entry in json.loads((data / "crops/labels.json").read_text()):
            if entry["file"] not in split:
                continue
            image = cv2.imread(str(data / "crops" / entry["file"]))
            if entry["turn"] == 180:
                image = image[::-1, ::-1]
            h, w = image.shape[:2]
            image = image[round(h * 0.015) : h - round(h * 0.015), round(w * 0.02) : w - round(w * 0.02)]
            image = cv2.resize(np.ascontiguousarray(image), FACE_SIZE, interpolation=cv2.INTER_AREA if h > 200 else cv2.INTER_CUBIC)
            faces = self.sets.setdefault(MERGED.get(entry["group"], entry["group"]), {})
            faces.setdefault(entry["code"], []).append(image)
        self.artwork = _by_style(load_drawings(data, cache / "drawings.npy"))
        self.invented = _by_style(invented_drawings(cache))
        self.patches = self._patches(data)

    @staticmethod
    def _patches(data):
        rng = np.random.default_rng(5)
        patches = []
        for photo in labels.photos(data, "train"):
            if not photo.complete or photo.group == "hk-desk" or len(photo.tiles) == 0:
                continue
            image = photo.read()
            h, w = image.shape[:2]
            boxes = np.stack([tile.box for tile in photo.tiles])
            margin = 0.5 * np.median(boxes[:, 2:] - boxes[:, :2])
            for _ in range(12):
                s = int(rng.uniform(110, 420))
                if s > min(h, w):
                    continue
                x, y = int(rng.integers(0, w - s + 1)), int(rng.integers(0, h - s + 1))
                clear = (boxes[:, 0] - margin > x + s) | (boxes[:, 2] + margin < x) | (boxes[:, 1] - margin > y + s) | (boxes[:, 3] + margin < y)
                if clear.all():
                    patches.append(image[y : y + s, x : x + s].copy())
                    break
        return patches

    def tile_set(self, rng, confusing=False):
        """A set of tiles: faces of one origin on bodies of one make. Confusing: often dark, or with backs like the faces."""
        body = _ivory(rng)
        pick = rng.random()
        if pick < 0.2:
            faces = self._drawn_faces(rng, body, self.artwork)
        elif pick < 0.55:
            faces = self._drawn_faces(rng, body, self.invented)
        else:
            faces = self._real_faces(rng, body)
        back = np.float64(BACKS[rng.integers(len(BACKS))]) + rng.uniform(-20, 20, 3)
        split = rng.uniform(0.4, 0.85)
        if rng.random() < 0.12:  # one colour all through
            back, split = body * rng.uniform(0.9, 1.0), 1.0
        if confusing and rng.random() < 0.2:
            dark = np.clip(np.float64(DARK_BODIES[rng.integers(len(DARK_BODIES))]) + rng.uniform(-12, 12, 3), 0, 130)
            faces = {code: [in_dark(image, dark) for image in images] for code, images in faces.items()}
            back = np.full(3, rng.uniform(5, 60)) if rng.random() < 0.5 else back
        elif confusing and rng.random() < 0.5:
            back = np.mean([body_colour(images[0]) for images in faces.values()], axis=0) * rng.uniform(0.92, 1.02)
            split = 1.0 if rng.random() < 0.5 else split
        return TileSet(
            faces, rng.uniform(1.24, 1.42), rng.uniform(0.55, 0.9), rng.uniform(0.03, 0.13), split, np.clip(back, 5, 250),
            _back_image(rng, np.clip(back, 5, 250)), rng.uniform(0, 1.2),
        )

    def _real_faces(self, rng, body):
        names = list(self.sets)
        weight = np.array([math.sqrt(sum(map(len, self.sets[n].values()))) for n in names])
        faces = self.sets[names[rng.choice(len(names), p=weight / weight.sum())]]
        if rng.random() < 0.35:
            return faces
        own = rng.random() < 0.5
        hue, saturation = rng.normal(0, 5), rng.uniform(0.6, 1.5)
        out = {}
        for code, images in faces.items():
            image = images[rng.integers(len(images))].astype(np.float32)
            if own:  # bodies of one set all of one colour, whatever light the crops had
                seen = np.percentile(image[20:-20:4, 20:-20:4].reshape(-1, 3), 80, axis=0)
                image = image * np.clip(body / np.maximum(seen, 30), 0.6, 1.7).astype(np.float32)
            image = np.clip(image, 0, 255).astype(np.uint8)
            hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.float32)
            hsv[..., 0] = (hsv[..., 0] + hue) % 180
            hsv[..., 1] = np.clip(hsv[..., 1] * saturation, 0, 255)
            out[code] = [cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)]
        return out

    @staticmethod
    def _drawn_faces(rng, body, styles):
        style = styles[rng.integers(len(styles))]
        scale, fade = rng.uniform(0.8, 0.97), rng.uniform(0.75, 1.0)
        w, h = FACE_SIZE
        out = {}
        for drawing in style:
            size = (int(w * scale), int(h * scale))
            ink = cv2.resize(drawing.pixels, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)
            alpha = ink[..., 3:] / 255 * fade
            image = np.ones((h, w, 3), np.float32) * np.float32(body)
            x, y = (w - size[0]) // 2, (h - size[1]) // 2
            part = image[y : y + size[1], x : x + size[0]]
            part[:] = part * (1 - alpha) + ink[..., :3] * alpha
            out.setdefault(drawing.code, []).append(np.clip(image, 0, 255).astype(np.uint8))
        if rng.random() < 0.5:
            out["5z"] = [np.clip(np.ones((h, w, 3)) * body, 0, 255).astype(np.uint8)]
        return out


def _by_style(drawings):
    """The drawings of each style, red fives left out, in a fixed order of styles."""
    styles = {}
    for drawing in drawings:
        if not drawing.red:
            styles.setdefault(drawing.style, []).append(drawing)
    return [styles[name] for name in sorted(styles)]


def invented_drawings(cache):
    """Invented sets of faces, drawn once; the pixels stay in the file `cache`/invented.npy, which all workers share."""
    names, pixels = cache / "invented.json", cache / "invented.npy"
    if not names.exists():
        cache.mkdir(parents=True, exist_ok=True)
        drawings = invented(STYLES, STYLES_SEED)
        np.save(pixels, np.stack([drawing.pixels for drawing in drawings]))
        names.write_text(json.dumps([[drawing.code, drawing.style] for drawing in drawings]))
    images = np.load(pixels, mmap_mode="r")
    return [Drawing(code, style, False, image) for (code, style), image in zip(json.loads(names.read_text()), images, strict=True)]


def _ivory(rng):
    pick = rng.random()
    if pick < 0.45:
        return np.full(3, rng.uniform(215, 250)) + rng.normal(0, 3, 3)
    if pick < 0.85:
        return np.array([rng.uniform(170, 225), rng.uniform(215, 240), rng.uniform(225, 250)])
    if pick < 0.95:  # yellowed, amber
        return np.array([rng.uniform(70, 170), rng.uniform(160, 220), rng.uniform(210, 250)])
    return rng.uniform(120, 240, 3)


def _back_image(rng, back):
    """A plain back mostly; else bamboo grain, mottling, or a motif in its middle."""
    pick = rng.random()
    if pick < 0.45:
        return None
    w, h = FACE_SIZE
    image = np.ones((h, w, 3), np.float32) * np.float32(back)
    if pick < 0.65:
        grain = np.cumsum(rng.normal(0, 1, w)).astype(np.float32)
        image += ((grain - grain.mean()) / (grain.std() + 1e-3) * rng.uniform(4, 14))[None, :, None]
    elif pick < 0.8:
        image += cv2.resize(rng.normal(0, 9, (h // 8, w // 8)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)[..., None]
    else:
        ink = rng.uniform(0, 255, 3).tolist()
        thick = int(rng.integers(2, 8))
        if rng.random() < 0.5:
            cv2.rectangle(image, (22, 24), (w - 23, h - 25), ink, thick)
        if rng.random() < 0.6:
            cv2.circle(image, (w // 2, h // 2), int(rng.integers(15, 60)), ink, thick if rng.random() < 0.7 else -1, cv2.LINE_AA)
        for k in range(0, w + h, int(rng.integers(14, 60))):
            if rng.random() < 0.5:
                cv2.line(image, (k, 0), (k - h, h), ink, 1, cv2.LINE_AA)
    return np.clip(image, 0, 255).astype(np.uint8)


class Layouts:
    """Makes groups of tiles about the origin, seen by a player at the bottom."""

    def __init__(self, rng, tile_set):
        self.rng, self.set, self.codes = rng, tile_set, tile_set.codes()
        self.long = tile_set.height
        self.gap = abs(rng.normal(0, 0.015)) if rng.random() < 0.75 else rng.uniform(0.02, 0.25)
        self.wobble = rng.uniform(0, 0.02) if rng.random() < 0.7 else rng.uniform(0.02, 0.07)
        self.backs = rng.random() < 0.25

    def code(self):
        """Any face of the set; whites a little more often, for they are hardest."""
        if "5z" in self.codes and self.rng.random() < 0.02:
            return "5z"
        return self.codes[self.rng.integers(len(self.codes))]

    def _row(self, count, x=0.0, y=0.0, pose=UP, sideways=0.0, back=0.0, level=0, code=None):
        rng, out = self.rng, []
        for _ in range(count):
            side = rng.random() < sideways
            wide = self.long if side else 1.0
            a = (math.pi / 2 * rng.choice([-1, 1]) if side else 0.0) + rng.normal(0, self.wobble)
            drop = (self.long - 1) / 2 if side else 0.0
            c = "x" if rng.random() < back else code or self.code()
            out.append(Placement(c, x + wide / 2, y - drop + rng.normal(0, self.wobble), a, level, pose))
            x += wide + self.gap
        return out, x

    def meld(self, x, y):
        """A claimed set or kong with its sideways tile; kongs added, stacked or concealed."""
        rng, out = self.rng, []
        count = 4 if rng.random() < 0.35 else 3
        kind = rng.random()
        mark = int(rng.integers(count))
        code = self.code()
        same = count == 4 or rng.random() < 0.5
        if count == 4 and kind < 0.4:
            hidden = {0, 3} if rng.random() < 0.5 else {1, 2} if rng.random() < 0.5 else {0, 1, 2, 3}
            for k in range(4):
                out.append(Placement("x" if k in hidden else code, x + 0.5, y))
                x += 1 + self.gap
            return out, x
        for k in range(count):
            if count == 4 and k == 3 and kind < 0.6:  # on the sideways one, flat or beside it
                base = out[mark % 3]
                on = rng.random() < 0.6
                out.append(Placement(code, base.x, base.y + (0 if on else 1 + self.gap), math.pi / 2, 1 if on else 0))
                break
            side = k == mark % 3 if kind < 0.6 else k == mark
            wide = self.long if side else 1.0
            turn = math.pi / 2 * (1 if rng.random() < 0.8 else -1) if side else 0.0
            out.append(Placement(code if same else self.code(), x + wide / 2, y - ((self.long - 1) / 2 if side else 0), turn))
            x += wide + self.gap
        return out, x

    def hand(self):
        """A hand face up: one row or two, open sets beside or above, flowers, a tile apart."""
        rng = self.rng
        sets = int(rng.choice([0, 0, 0, 1, 2, 3, 4]))
        count = 14 - 3 * sets - int(rng.random() < 0.3)
        if rng.random() < 0.25:
            out, x = self._row(count // 2)
            lower, _ = self._row(count - count // 2, y=-self.long - self.gap)
            out += lower
        else:
            out, x = self._row(count)
        if rng.random() < 0.4:
            last, x = self._row(1, x + rng.uniform(0, 0.7), sideways=0.6)
            out += last
        elif rng.random() < 0.2:
            out += self._row(1, rng.uniform(0, max(x - 1, 0.1)), self.long + rng.uniform(0, 0.6), sideways=0.5)[0]
        if rng.random() < 0.6:
            x, y = (x + rng.uniform(0.3, 2), 0.0) if rng.random() < 0.6 else (rng.uniform(0, 2), self.long * rng.uniform(1.3, 2))
        else:
            y = self.long * rng.uniform(1.3, 2)
            x = rng.uniform(0, 3)
        for _ in range(sets):
            tiles, x = self.meld(x, y)
            out += tiles
            x += rng.uniform(0, 0.6)
        if rng.random() < 0.3:
            out += self._row(int(rng.integers(1, 5)), rng.uniform(-2, 4), -self.long * rng.uniform(1.6, 2.4) if rng.random() < 0.5 else self.long * rng.uniform(3, 4))[0]
        return out

    def discards(self):
        """Rows of six, the last one short."""
        out, rows = [], int(self.rng.integers(1, 5))
        for k in range(rows):
            count = 6 if k < rows - 1 else int(self.rng.integers(1, 7))
            out += self._row(count, 0, -k * (self.long + self.gap), sideways=0.05)[0]
        return out

    def grid(self):
        """A block of tiles, faces or backs, as when they are counted or boxed."""
        out = []
        rows, columns = int(self.rng.integers(2, 9)), int(self.rng.integers(2, 13))
        upside_down = self.rng.random() < 0.3
        back = 1.0 if self.rng.random() < 0.2 else 0.04
        for k in range(rows):
            out += self._row(columns, 0, -k * (self.long + self.gap), back=back)[0]
        if upside_down:
            for p in out:
                p.angle += math.pi * (self.rng.random() < 0.5)
        return out

    def wall(self):
        """A wall of backs, one or two high, perhaps with an indicator turned up."""
        count = int(self.rng.integers(3, 19))
        out, _ = self._row(count, back=1.0)
        if self.rng.random() < 0.75:
            upper = [Placement("x", p.x + self.rng.normal(0, 0.01), p.y + self.rng.normal(0, 0.015), p.angle, 1) for p in out]
            if self.rng.random() < 0.5:
                upper[self.rng.integers(count)].code = self.code()
            out += upper
        elif self.rng.random() < 0.3:
            out = [Placement(self.code(), p.x, p.y, p.angle, 0, EDGE) for p in out[: count // 2]]
            for k, p in enumerate(out):
                p.x = k * (self.long + self.gap)
        return out

    def standing(self):
        """A hand that stands, seen from the front or from behind."""
        rng = self.rng
        away = rng.random() < 0.4
        out, x = self._row(int(rng.integers(4, 15)), pose=STANDING)
        if away:
            for p in out:
                p.angle += math.pi
        if rng.random() < 0.2:
            out += self._row(1, x + rng.uniform(0, 0.5), pose=STANDING)[0]
        return out

    def seat(self):
        """One's own place: standing tiles, whose tops one sees, open sets beside them, a wall and discards ahead."""
        rng = self.rng
        out, x = self._row(int(rng.integers(4, 15)), pose=STANDING)
        for _ in range(int(rng.integers(0, 4))):
            tiles, x = self.meld(x + rng.uniform(0.2, 1), -(self.long - self.set.depth) / 2)
            out += tiles
        y = self.set.depth + rng.uniform(0.6, 2)
        if rng.random() < 0.4:
            out += [Placement("x", k + 0.5, y + self.long / 2, 0, level) for k in range(int(rng.integers(4, 15))) for level in (0, 1)]
            y += self.long + rng.uniform(0.1, 1)
        dx, dy = rng.uniform(0, 5), y + 4 * (self.long + 0.1)
        return out + [Placement(p.code, p.x + dx, p.y + dy, p.angle, p.level, p.pose) for p in self.discards()]

    def scattered(self):
        """Tiles strewn about, some face down, some on edge."""
        rng, out = self.rng, []
        count = int(rng.integers(2, 30))
        radius = math.sqrt(count) * rng.uniform(0.75, 1.4)
        for _ in range(count * 8):
            x, y = rng.uniform(-radius, radius, 2)
            if all((x - p.x) ** 2 + (y - p.y) ** 2 > (self.long * 1.24) ** 2 for p in out):
                pose = rng.choice([UP, DOWN, EDGE, STANDING], p=[0.78, 0.14, 0.05, 0.03])
                out.append(Placement(self.code(), x, y, rng.uniform(0, 2 * math.pi), 0, str(pose)))
            if len(out) >= count:
                break
        return out

    def pile(self):
        """Tiles on tiles."""
        out = self.scattered()
        for p in list(out):
            if self.rng.random() < 0.3 and p.pose == UP:
                dx, dy = self.rng.normal(0, 0.15, 2)
                out.append(Placement(self.code(), p.x + dx, p.y + dy, p.angle + self.rng.normal(0, 0.4), 1, UP if self.rng.random() < 0.8 else DOWN))
        return out

    def any(self, confusing=False):
        """One group. Confusing: standing tiles, whose tops are blank, and walls more often."""
        makers = (self.hand, self.discards, self.grid, self.wall, self.standing, self.scattered, self.pile, self.seat)
        shares = (0.2, 0.12, 0.04, 0.16, 0.14, 0.06, 0.03, 0.25) if confusing else (0.34, 0.14, 0.1, 0.14, 0.12, 0.12, 0.04, 0)
        return makers[self.rng.choice(len(makers), p=shares)]()

    def game(self):
        """A whole table: four players' hands, discards and walls about the middle."""
        rng, out = self.rng, []
        for seat in range(4):
            c, s = math.cos(seat * math.pi / 2), math.sin(seat * math.pi / 2)
            parts = []
            river = self.discards()
            parts += [(p, -3.2, -3.6) for p in river]
            if rng.random() < 0.7:
                parts += [(p, -7 + rng.normal(0, 0.3), -9.5) for p in self.wall()]
            own = self.hand() if seat == 0 and rng.random() < 0.6 else self.standing()
            parts += [(p, -6.5 + rng.normal(0, 0.5), -13.5) for p in own]
            for p, dx, dy in parts:
                x, y = p.x + dx, p.y + dy
                out.append(Placement(p.code, x * c - y * s, x * s + y * c, p.angle + seat * math.pi / 2, p.level, p.pose))
        return out


class Floor:
    """What is already taken of the table, as a picture of it."""

    CELL, REACH = 0.1, 45.0

    def __init__(self):
        n = int(2 * self.REACH / self.CELL)
        self.taken = np.zeros((n, n), np.uint8)

    def _draw(self, outlines):
        mask = np.zeros_like(self.taken)
        for outline in outlines:
            cv2.fillConvexPoly(mask, np.round((outline + self.REACH) / self.CELL).astype(np.int32), 1)
        return mask

    def take(self, outlines):
        """Takes the room for outlines if it is free."""
        if np.abs(np.concatenate(outlines)).max() > self.REACH - 1:
            return False
        mask = self._draw(outlines)
        if (mask & self.taken).any():
            return False
        self.taken |= mask
        return True


def _round_outline(x, y, radius):
    a = np.linspace(0, 2 * math.pi, 9)[:-1]
    return np.stack([x + radius * np.cos(a), y + radius * np.sin(a)], 1)


def _moved(group, angle, x, y):
    middle = np.mean([[p.x, p.y] for p in group], axis=0)
    c, s = math.cos(angle), math.sin(angle)
    out = []
    for p in group:
        dx, dy = p.x - middle[0], p.y - middle[1]
        out.append(Placement(p.code, x + dx * c - dy * s, y + dx * s + dy * c, p.angle + angle, p.level, p.pose))
    return out


def arrange(rng, tile_set, confusing=False):
    """The tiles of a scene, and the floor they take."""
    floor, placed = Floor(), []
    layouts = Layouts(rng, tile_set)
    size = (tile_set.height, tile_set.depth)
    if rng.random() < (0.3 if confusing else 0.12):
        group = _moved(layouts.game(), rng.normal(0, 0.1), 0, 0)
        for p in group:  # the groups of a table may touch, but no tile lies in another
            if p.level or floor.take([p.outline(*size) * 0.88 + 0.12 * np.array([p.x, p.y])]):
                placed.append(p)
        return placed, floor
    whole = rng.uniform(0, 2 * math.pi) if rng.random() < 0.3 else rng.normal(0, 0.1)
    for k in range(int(rng.integers(1, 10))):
        layouts.gap = abs(rng.normal(0, 0.015)) if rng.random() < 0.75 else rng.uniform(0.02, 0.25)
        angle = whole + (rng.integers(4) * math.pi / 2 if k and rng.random() < 0.8 else 0) + (rng.uniform(0, 6.3) if rng.random() < 0.12 else 0)
        x, y = rng.normal(0, rng.uniform(3, 8), 2) if k else (0, 0)
        group = _moved(layouts.any(confusing), angle, x, y)
        if floor.take([p.outline(*size) for p in group]):
            placed += group
    return placed, floor


def _no_faces(placed, rng):
    """Some scenes hold only backs, or nothing at all."""
    pick = rng.random()
    if pick < 0.05:
        return []
    if pick < 0.08:
        for p in placed:
            p.code = "x"
    return placed


def render(rng, pool, size=(768, 1024), slanted=False, confusing=False):
    """A scene: its picture (BGR uint8) and its tiles, see the module's first lines.

    Slanted: seen low and across its rows. Confusing: with what blank faces are mistaken for.
    """
    height, width = size
    tile_set = pool.tile_set(rng, confusing)
    placed, floor = arrange(rng, tile_set, confusing)
    placed = _no_faces(placed, rng)
    stage = Stage()
    for p in placed:
        stage.add_tile(tile_set, p, rng)
    pixels = _tile_pixels(rng, placed, size)
    aim = placed[rng.integers(len(placed))] if placed else Placement("x", 0, 0)
    target = np.array([aim.x, aim.y]) + rng.normal(0, min(2.5, 0.15 * width / pixels), 2)
    pitch = math.radians(rng.uniform(15, 90) if rng.random() < 0.55 else rng.uniform(55, 90))
    roll = rng.normal(0, 0.08) if rng.random() < 0.6 else rng.uniform(-math.pi, math.pi)
    focal = rng.uniform(0.7, 1.5 if rng.random() < 0.8 else 4) * max(size)
    distance = focal / pixels
    if slanted:
        pitch = math.radians(rng.uniform(18, 50))
    pitch = max(pitch, math.asin(min(1.0, 3.2 / distance)))
    yaw = rng.uniform(-math.pi, math.pi) if slanted or rng.random() < 0.3 else rng.normal(0, 0.25)
    view = camera(target, pixels, pitch, yaw, roll, focal, size, rng.normal(0, 0.05))
    spread = max(1.5, 0.4 * width / pixels)
    for _ in range(int(rng.integers(0, 8)) if rng.random() < 0.75 else 0):
        thing = table_things.THINGS[rng.integers(len(table_things.THINGS))]
        x, y = target + rng.normal(0, spread, 2)
        trial = Stage()
        radius = thing(trial, np.random.default_rng(0), x, y, 0.0)
        if floor.take([_round_outline(x, y, radius)]):
            thing(stage, rng, x, y, rng.uniform(0, 2 * math.pi))
    if rng.random() < 0.12 and len(stage.rows):
        # Fingers may cover tiles: what they hide is counted as hidden.
        a = rng.uniform(0, 2 * math.pi)
        reach = target + rng.normal(0, 0.5 * spread, 2)
        table_things.hand(stage, rng, reach[0] + 3 * math.sin(a), reach[1] - 3 * math.cos(a), a)
    bodies = stage.bodies()
    lamp = light(rng, target)
    top = _table(rng, pool, view, target, width / pixels)
    if confusing and rng.random() < 0.2:
        cells = top.axes / np.linalg.norm(top.axes[0]) / rng.uniform(10, 26)
        top.texture, top.axes, top.flat = squared_paper(rng), cells, False
    picture, owner = raytrace.trace(bodies, top, view, lamp, size, 3, int(rng.integers(1 << 30)))
    tiles = stage.truth(bodies, view, owner)
    return photograph(rng, picture, 1.0, pixels), tiles


def _tile_pixels(rng, placed, size):
    """Width of a tile in the middle of the picture: any, or such that most of the tiles are in the picture."""
    any_size = math.exp(rng.uniform(math.log(11), math.log(150 if rng.random() < 0.85 else 260)))
    if not placed or rng.random() < 0.22:
        return any_size * size[1] / 1024
    reach = np.ptp([[p.x, p.y] for p in placed], axis=0).max() + 2
    return float(np.clip(max(size) / reach * rng.uniform(0.6, 2.2), 11, 220))


def _table(rng, pool, view, target, across):
    texture = table_top(rng, pool.patches)
    cover = np.clip(across * rng.uniform(0.7, 1.5), 6, 70)
    a = rng.uniform(0, 2 * math.pi)
    axes = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) / cover
    reach = rng.uniform(12, 60, 4) if rng.random() < 0.6 else np.full(4, 500.0)
    extent = np.array([target[0] - reach[0], target[1] - reach[1], target[0] + reach[2], target[1] + reach[3]])
    around = table_top(rng, pool.patches) if rng.random() < 0.7 else np.full((8, 8, 3), rng.uniform(0, 200, 3), np.uint8)
    around = cv2.GaussianBlur(around, (0, 0), rng.uniform(0.5, 12))
    flat = bool(pool.patches) and rng.random() < 0.12
    gloss = rng.uniform(0, 1.0) if rng.random() < 0.35 else 0.0
    return raytrace.Table(texture, axes, rng.uniform(0, 2, 2), extent, around, gloss, flat)


SIZES = ((480, 640), (640, 640), (640, 854), (854, 640), (768, 1024), (1024, 768), (576, 1024))
_pool = None


def _start(data, cache):
    global _pool
    os.nice(0)
    _pool = Pool(data, cache)


def _dump(job):
    out, number, seed, slanted, confusing = job
    rng = np.random.default_rng([seed, number])
    picture, tiles = render(rng, _pool, SIZES[rng.integers(len(SIZES))], slanted, confusing)
    path = out / f"{number:05d}.jpg"
    entries = [
        {"code": t["code"], "corners": np.round(t["corners"], 2).tolist(), "turn": t["turn"], "visible": round(t["visible"], 3), "red": t["red"]}
        for t in tiles
    ]
    partial = out / f"{number:05d}.part"
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    partial.write_text(json.dumps({"tiles": entries}))
    partial.rename(path.with_suffix(".json"))


def main():
    """Writes scenes to a folder; numbers that are there already are left alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--slanted", action="store_true", help="low views across the rows, as over a table's corner")
    parser.add_argument("--confusing", action="store_true", help="dark sets, backs like faces, squared paper, more standing tiles and walls")
    parser.add_argument("--data", type=Path, default=DATA)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    invented_drawings(args.out / "cache")  # before the workers, which would each draw them
    jobs = [(args.out, k, args.seed, args.slanted, args.confusing) for k in range(args.count) if not (args.out / f"{k:05d}.json").exists()]
    with ProcessPoolExecutor(args.workers, initializer=_start, initargs=(args.data, args.out / "cache")) as workers:
        for _ in tqdm(workers.map(_dump, jobs, chunksize=4), total=len(jobs), unit="scene"):
            pass


if __name__ == "__main__":
    main()
