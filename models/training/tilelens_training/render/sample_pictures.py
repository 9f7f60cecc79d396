"""Renders the pictures of `datasets/`: hands in our own artwork, in every layout that is read, with their truth.

    python -m tilelens_training.render.sample_pictures [--out DIR] [--only NAME] [--workers K]

Writes photos/tables/NAME.jpg, labels/tables.json and labels/hands.json. Nothing here comes from photos: artwork of
`own_artwork.py` on tiles, table tops and things of the training renderer.
"""

import argparse
import json
import math
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.paths import DATASETS
from tilelens_training.render import raytrace, table_things
from tilelens_training.render.own_artwork import RED, face
from tilelens_training.render.table_scene import DOWN, FACE_SIZE, Placement, Stage, TileSet, camera, in_dark, light, photograph
from tilelens_training.render.table_tops import table_top

SIDE = math.pi / 2


@dataclass
class Sample:
    """One picture: what lies there, how, and how it is seen."""

    name: str
    text: str  # hand text, with its winning tile; empty: no hand
    winning: str = "sideways"  # sideways or apart at the end, apart at the start, above, below
    sets: str = "right"  # of the concealed tiles, above, or below
    rows: int = 1  # the concealed tiles in one row or two
    gaps: float = 0.0  # between the groups of the text, in tile widths
    bonus: str = "below"  # or left
    around: str = ""  # discards, river, wall, indicator, things, hand, second
    seat: float = 0.0  # from where it is seen, in degrees
    pitch: float = 75.0  # 90 looks straight down
    fill: float = 0.86  # share of the picture that the hand takes
    size: tuple = (960, 1280)
    hard: float = 0.35  # how bad light and lens are
    black: bool = False  # black bodies with light print
    refuse: bool = False
    notes: str = ""


SAMPLES = [
    # Rows without any sign.
    Sample("row-sorted", "123m456p789s111z55z"),
    Sample("row-gaps", "234m567m345p678s22z", gaps=0.4),
    Sample("row-unsorted", "7s2z5m3p1m9p2z4m8s6s3m2p1p9s", pitch=80),
    Sample("row-opposite", "112233m789p55s777z", seat=180),
    Sample("row-from-left", "345m345p345s678s66z", seat=90, size=(1280, 960)),
    Sample("row-from-right", "111m222m333m44m567p", seat=270, size=(1280, 960)),
    Sample("row-slanting", "19m19p19s1234567z1z", seat=27, pitch=70),
    Sample("row-low", "123456789p111s22z", pitch=38),
    Sample("row-waiting-13", "123m456p789s1112z", notes="13 tiles"),
    Sample("row-fifteen", "123m456p789s111z555z", notes="15 tiles: no hand of any number of kongs"),
    Sample("two-rows", "123456m789p123s44z", rows=2),
    Sample("two-rows-opposite", "2233445566778p8p", rows=2, seat=180, pitch=65),
    # The winning tile marked.
    Sample("won-sideways", "234567m345p67s55z+8s"),
    Sample("won-sideways-opposite", "123m123p123s77z78p+9p", seat=184),
    Sample("won-apart", "111p222p333p44s67m+5m", winning="apart"),
    Sample("won-apart-start", "345p678p234s567m2z+2z", winning="start"),
    Sample("won-above", "1133557799m22p4z+4z", winning="above"),
    Sample("won-above-left", "222444666888s5p+5p", winning="above", seat=95, size=(1280, 960), notes="looks the same both ways up"),
    Sample("won-below", "789m789p12s111z66z+3s", winning="below", pitch=60),
    Sample("won-red-five", "0m34m456p789s11z22z+1z"),
    # Claimed sets and who gave them.
    Sample("pung-from-left", "123m456p55z78s(7'77z)+9s"),
    Sample("pung-from-opposite", "123m456p55z78s(77'7z)+9s"),
    Sample("pung-from-right", "123m456p55z78s(777'z)+9s"),
    Sample("chow-claimed", "456m99p78p(2'34s)(11'1z)+6p"),
    Sample("chow-middle", "456m99p78p(6'57s)(999'm)+9p", sets="above"),
    Sample("pungs-opposite-side", "33m44p(22'2s)(8'88p)(444'z)+3m", seat=180),
    Sample("sets-above", "234p678p9s(1'11m)(5'55z)+9s", sets="above", pitch=66),
    Sample("sets-below", "22s345m46p(333'z)(66'6z)+5p", sets="below", winning="apart"),
    Sample("four-claimed", "5z(1'11m)(22'2p)(333's)(4'56s)+5z", sets="above", winning="apart"),
    Sample("unmarked-claims", "234m567m88m(444p)(777s)", winning="sideways", notes="sets without a sideways tile"),
    # Kongs.
    Sample("kong-claimed-left", "123p55s66m(1'111z)(999's)+6m"),
    Sample("kong-claimed-middle", "123p55s789m44m(22'22z)+4m", winning="apart"),
    Sample("kong-claimed-right", "234m345p66p78s(777'7'z)+6s", notes="added kong at the right"),
    Sample("kong-added-left", "234m345p66p78s(7'7'77z)+6s"),
    Sample("kong-added-middle", "234m345p66p78s(77'7'7z)+9s", sets="above"),
    Sample("kong-concealed-two-backs", "123m456p1122s[x77xz]+2s"),
    Sample("kong-concealed-four-backs", "345m456s1122p[xxxx]+1p"),
    Sample("kong-concealed-above", "234m99s78s[x55xz](11'1p)+9s", sets="above"),
    Sample("two-kongs", "22z345s67s[x88xp](6'666m)+5s", sets="above", winning="apart"),
    # Flowers.
    Sample("flowers-below", "123m456p789s111z5z 13f+5z", winning="apart"),
    Sample("flowers-left", "234m456p666s88s44z 5f+4z", bonus="left"),
    Sample("flowers-many", "111m333p55s77z789s 1246f+7z", winning="apart", pitch=82),
    Sample("flowers-melds", "345m99s67p(5'55z)(345's) 28f+8p", sets="above"),
    # What else lies on a table.
    Sample("table-discards", "123m456p55z78s(7'77z)+9s", around="discards", pitch=62),
    Sample("table-wall", "234m567m345p678s2z+2z", around="wall", winning="apart"),
    Sample("table-indicator", "345m345p345s678s6z+6z", around="indicator", pitch=68),
    Sample("table-things", "112233m789p55s77z+7z", around="things"),
    Sample("table-river-opposite", "222m444p666s99s11z+1z", around="discards", seat=180, pitch=64),
    Sample("table-hand-on-it", "678m678p99s44z567s+4z", around="hand", winning="apart"),
    Sample("table-all", "234p678p9s(1'11m)(5'55z)+9s", sets="above", around="discards wall things", pitch=58),
    # Hard.
    Sample("hard-dark", "123m456p789s111z5z+5z", hard=1.0, winning="apart", pitch=60),
    Sample("hard-low", "456m99p78p(2'34s)(11'1z)+6p", hard=0.6, pitch=32),
    Sample("hard-small", "123m456p55z78s(7'77z)+9s", hard=0.5, fill=0.4, size=(1536, 2048)),
    Sample("hard-large", "345p678p234s567m2z+2z", fill=1.0, size=(1536, 2048), hard=0.5, winning="apart"),
    Sample("hard-tiny-picture", "111p222p333p44s67m+5m", size=(360, 480), hard=0.4),
    # To be refused.
    Sample("no-tiles", "", around="things", refuse=True),
    Sample("backs-alone", "", around="wall", refuse=True),
    Sample("two-hands", "123m456p789s111z55z", around="second", fill=0.7, refuse=True),
    Sample("discards-alone", "", around="discards", refuse=True),
    Sample("scattered", "", around="scattered", refuse=True),
    # Black sets.
    Sample("black-row", "123m456p789s111z55z", black=True),
    Sample("black-claimed", "234p678p9s(1'11m)(5'55z)+9s", black=True, sets="above", around="discards wall", pitch=58),
    Sample("black-concealed-kong", "0m34m99s78s[x55xz](11'1p)+9s", black=True, sets="above", pitch=66),
    Sample("black-low", "456m99p78p(2'34s)(777'z) 13f+6p", black=True, hard=0.6, pitch=40),
]


def picture_of(code):
    """BGRA of a face in our artwork, FACE_SIZE."""
    import cairosvg

    ink = face("5" + code[1] if code[0] == "0" else code)
    if code[0] == "0":
        ink = re.sub(r"#[0-9a-f]{6}", lambda colour: colour.group() if colour.group() == "#f4f1e4" else RED, ink)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400">{ink}</svg>'
    png = cairosvg.svg2png(bytestring=svg.encode(), output_width=FACE_SIZE[0] * 2, output_height=FACE_SIZE[1] * 2)
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return cv2.resize(pixels, FACE_SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)


def tile_set(rng, black=False):
    """Our faces on ivory or white bodies with a back of some colour; or in light print on black ones."""
    body = np.array([rng.uniform(195, 240), rng.uniform(225, 245), rng.uniform(235, 250)])
    codes = [f"{n}{suit}" for suit in "mps" for n in range(10)] + [f"{n}z" for n in range(1, 8)] + [f"{n}f" for n in range(1, 9)]
    faces = {}
    for code in codes:
        ink = picture_of(code)
        alpha = ink[..., 3:] / 255
        image = np.clip(body.astype(np.float32) * (1 - alpha) + ink[..., :3] * alpha, 0, 255).astype(np.uint8)
        faces[code] = [in_dark(image) if black else image]
    back = np.float64(((60, 140, 40), (150, 80, 30), (40, 120, 230), (70, 60, 160))[rng.integers(4)])
    return TileSet(faces, 1.34, rng.uniform(0.65, 0.85), rng.uniform(0.05, 0.1), rng.uniform(0.5, 0.7), back)


def parse(text):
    """The parts of a hand text: concealed groups, sets (tiles with marks, concealed or not), bonus tiles, winning tile."""
    concealed, sets, bonus, winning = [], [], [], None
    for part in re.findall(r"\([^)]*\)|\[[^\]]*\]|\+..|[0-9]+[mpszf]", text):
        if part[0] in "([":
            suit = next((letter for letter in part if letter in "mpsz"), "")
            tiles = [("x" if n == "x" else n + suit, bool(mark)) for n, mark in re.findall(r"([0-9x])('?)", part)]
            sets.append(tiles)
        elif part[0] == "+":
            winning = part[1:]
        elif part[-1] == "f":
            bonus += [n + "f" for n in part[:-1]]
        else:
            concealed.append([n + part[-1] for n in part[:-1]])
    return concealed, sets, bonus, winning


def placed(code, x, y, angle=0.0, level=0, pose="up", role="hand"):
    """A tile of ours; zeros are red fives."""
    red = code[0] == "0"
    return Placement("5" + code[1] if red else code, x, y, angle, level, pose, red, role)


class Table:
    """Lays a sample's tiles."""

    def __init__(self, rng, long):
        self.rng, self.long, self.tiles = rng, long, []
        self.gap = 0.012

    def row(self, codes, x, y, role="hand"):
        """Upright tiles from x on; gives the right end."""
        for code in codes:
            self.tiles.append(placed(code, x + 0.5 + self.rng.normal(0, 0.006), y + self.rng.normal(0, 0.01), self.rng.normal(0, 0.008), role=role))
            x += 1 + self.gap
        return x

    def sideways(self, code, x, y, turn=1):
        """A tile on its side with its lower edge on the row's."""
        self.tiles.append(placed(code, x + self.long / 2, y - (self.long - 1) / 2, turn * SIDE))
        return x + self.long + self.gap

    def set(self, tiles, x, y):
        """An open set or a kong; two marks side by side stand for a tile laid on the sideways one."""
        marks = [place for place, (_, mark) in enumerate(tiles) if mark]
        for place, (code, mark) in enumerate(tiles):
            if mark and place - 1 in marks:  # above the sideways one
                base = self.tiles[-1]
                self.tiles.append(placed(code, base.x, base.y + 1 + self.gap, base.angle))
            elif mark:
                x = self.sideways(code, x, y)
            else:
                x = self.row([code], x, y)
        return x

    def hand(self, sample):
        """The hand of a sample about the origin."""
        concealed, sets, bonus, winning = parse(sample.text)
        y = 0.0
        groups = [concealed]
        if sample.rows == 2:
            flat = sum(concealed, [])
            half = (len(flat) + 1) // 2
            groups = [[flat[:half]], [flat[half:]]]
        x = 0.0
        for number, group in enumerate(groups):
            x = 0.0
            y = -number * (self.long + 0.02)
            for part in group:
                x = self.row(part, x, y) + sample.gaps
            x -= sample.gaps
        right = x
        if winning:
            if sample.winning == "sideways":
                right = self.sideways(winning, x + 0.03, y)
            elif sample.winning == "apart":
                right = self.row([winning], x + 0.55, y)
            elif sample.winning == "start":
                self.row([winning], -1.6, y)
            else:
                up = self.long + 0.35 if sample.winning == "above" else -self.long - 0.35
                self.row([winning], 0.5 * max(x - 1, 0), y + up)
        far = self.long * 1.45
        at, level = (right + 0.7, 0.0) if sample.sets == "right" else (0.3, far if sample.sets == "above" else y - far)
        if sample.sets == "above" and sample.winning == "above":
            level += far
        for tiles in sets:
            at = self.set(tiles, at, level) + 0.35
        if bonus and sample.bonus == "below":
            below = y - far if sample.sets != "below" else level - far
            self.row(bonus, 0.6, below)
        elif bonus:
            self.row(bonus, -len(bonus) * (1 + self.gap) - 0.8, y)

    def around(self, what, top):
        """What belongs to no hand, beyond `top`."""
        rng = self.rng
        random = lambda count: [f"{rng.integers(1, 10)}{'mps'[rng.integers(3)]}" for _ in range(count)]
        if "discards" in what:
            for k in range(3):
                self.row(random(6 if k < 2 else 4), 3.2, top + 1.6 + (2 - k) * (self.long + 0.03), "other")
        if "wall" in what or "indicator" in what:
            y = top + (7.4 if "discards" in what else 1.8)
            for k in range(13):
                for level in (0, 1):
                    code = "6m" if "indicator" in what and level and k == 4 else "x"
                    self.tiles.append(placed(code, 0.7 + k * 1.01, y + rng.normal(0, 0.01), 0, level, role="other"))
        if "second" in what:
            start = len(self.tiles)
            self.row([f"{n}{s}" for n, s in zip("23467834555577", "mmmpppssspppzz")], 0, top + 3.5, "other")
            middle = np.mean([[p.x, p.y] for p in self.tiles[start:]], axis=0)
            for p in self.tiles[start:]:
                p.x, p.y, p.angle = 2 * middle[0] - p.x, 2 * middle[1] - p.y, p.angle + math.pi
        if "scattered" in what:
            for _ in range(200):
                x, y = rng.uniform(-5, 5, 2)
                if all((x - p.x) ** 2 + (y - p.y) ** 2 > 2.9 for p in self.tiles) and len(self.tiles) < 16:
                    self.tiles.append(placed(random(1)[0], x, y, rng.uniform(0, 6.28), pose=DOWN if rng.random() < 0.2 else "up", role="other"))


def fitting_view(own, tiles, pitch, seat, size, room, pixels):
    """The camera that shows all of these tiles as large as they fit, but for `room`, a share of each side; what it looks
    at; and its pixels to a tile's width, `pixels` at most."""
    height, width = size
    spots = np.array([[p.x, p.y] for p in tiles])
    target = (spots.min(0) + spots.max(0)) / 2
    outline = np.concatenate([p.outline(own.height, own.depth) for p in tiles])
    points = np.c_[outline, np.full(len(outline), own.depth)]
    room = room * np.array([width, height])
    while True:
        view = camera(target, pixels, pitch, seat, 0.0, 1.15 * max(size), size, -0.02)
        at, depth = view.project(points)
        if depth.min() > 2 and (at > room).all() and (at < np.array([width, height]) - room).all():
            return view, target, pixels
        pixels *= 0.96


def traced(rng, stage, view, target, texture, hard, size, number):
    """What the camera sees of a stage on a table top, and its truth."""
    bodies = stage.bodies()
    top_of = raytrace.Table(
        texture, np.eye(2) / 30, rng.uniform(0, 2, 2), np.array([-500.0, -500, 500, 500]), np.full((8, 8, 3), 40, np.uint8), 0.0, False
    )
    picture, owner = raytrace.trace(bodies, top_of, view, light(rng, target, hard), size, 3, number)
    return picture, stage.truth(bodies, view, owner)


def label(tile, width, height):
    """A tile of the truth as the labels have it."""
    corners = np.asarray(tile["corners"])
    low, high = corners.min(0).clip(0), np.minimum(corners.max(0), [width, height])
    inside = np.prod(high - low) / max(1e-6, np.prod(corners.max(0) - corners.min(0)))
    entry = {
        "bbox": [round(float(v), 1) for v in (*low, *(high - low))],
        "code": tile["code"], "corners": np.round(corners, 1).tolist(), "turn": None if tile["code"] == "x" else tile["turn"],
    }
    if tile["red"]:
        entry["red"] = True
    if tile["visible"] < 0.7 or inside < 0.8:
        entry["ignore"] = True
    return entry


def render(sample, number):
    """The picture of a sample and its truth."""
    rng = np.random.default_rng([77, number])
    own = tile_set(rng, sample.black)
    table = Table(rng, own.height)
    table.hand(sample)
    top = max((p.y for p in table.tiles), default=0.0) + own.height / 2
    table.around(sample.around, top)
    stage = Stage()
    for p in table.tiles:
        stage.add_tile(own, p, rng)
    aimed = [p for p in table.tiles if p.role == "hand" or not sample.text or "second" in sample.around] or [Placement("x", 0, 0)]
    if "discards" in sample.around and sample.text:
        aimed = table.tiles
    spots = np.array([[p.x, p.y] for p in aimed])
    pitch, seat, room = math.radians(sample.pitch), math.radians(sample.seat), (1 - sample.fill) / 2
    most = 0.5 * sample.size[1]
    view, target, pixels = fitting_view(own, aimed, pitch, seat, sample.size, room, most)
    # The pictures in `datasets` were made with a number drawn at each try.
    rng.normal(size=round(math.log(pixels / most, 0.96)) + 1)
    if "things" in sample.around:
        for k, thing in enumerate(table_things.THINGS):
            a = k * 0.63 + 0.3
            reach = 0.75 * np.ptp(spots, axis=0).max() + 4
            thing(stage, rng, target[0] + reach * math.cos(a), target[1] + 0.62 * reach * math.sin(a), rng.uniform(0, 6.28))
    if "hand" in sample.around.split():
        table_things.hand(stage, rng, spots[:, 0].max() + 1.5, spots[:, 1].min() - 3.2, 0.4)
    texture = table_top(rng, [])
    while texture.mean() > 190:  # white tops are for the hard ones of the training
        texture = table_top(rng, [])
    picture, truth = traced(rng, stage, view, target, texture, sample.hard, sample.size, number)
    return photograph(rng, picture, sample.hard, pixels), truth


def job(args):
    """Writes one picture; gives its label."""
    out, number = args
    sample = SAMPLES[number]
    picture, truth = render(sample, number)
    name = f"{sample.name}.jpg"
    cv2.imwrite(str(out / "photos/tables" / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 86])
    height, width = sample.size
    tiles = [label(tile, width, height) for tile in truth]
    image = {"file": name, "width": width, "height": height, "complete": True, "tiles": tiles}
    if sample.refuse:
        image["refuse"] = True
    return image


def main():
    """Renders every sample, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DATASETS)
    parser.add_argument("--only")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    for folder in ("photos/tables", "labels"):
        (args.out / folder).mkdir(parents=True, exist_ok=True)
    numbers = [k for k, sample in enumerate(SAMPLES) if args.only in (None, sample.name)]
    with ProcessPoolExecutor(args.workers) as workers:
        images = list(tqdm(workers.map(job, [(args.out, k) for k in numbers]), total=len(numbers), unit="picture"))
    if args.only:
        return
    labels = {"source": "tables", "licence": "MIT OR Apache-2.0", "backs": True, "images": images}
    (args.out / "labels/tables.json").write_text(json.dumps(labels, separators=(",", ":")).replace('{"file"', '\n{"file"') + "\n")
    hands = [
        {"source": "tables", "file": f"{s.name}.jpg", "text": s.text.replace("+", " +", 1).replace("(", " (").replace("[", " [").replace("  ", " "), "notes": s.notes}
        for s in SAMPLES
        if s.text and not s.refuse
    ]
    (args.out / "labels/hands.json").write_text(json.dumps(hands, indent=1) + "\n")


if __name__ == "__main__":
    main()
