"""A recorded session to replay: a camera over one player's tiles for some minutes, with the truth beside it.

Hands are dealt, tiles drawn and discarded, sets claimed and turned, hands shown and swept away; arms reach over the
table and rest there, the camera shakes and is nudged, the light changes. Ray traced, with our own artwork: what lies there
whenever it changes, and what moves once, with what it lets through; it is drawn where it is by the camera's perspective.

    python -m tilelens_training.render.replay [--out FOLDER] [--size 1280x720] [--seed N]

Writes `table.mp4` and `replay.json`: finished hands with the seconds for which they lie there; what lies there whenever
nothing is moved, each tile's corners as seen by a camera that stays; and for each frame how the camera moved.
"""

import argparse
import json
import math
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.paths import DATASETS
from tilelens_training.render import raytrace, table_things
from tilelens_training.render.sample_pictures import Sample, Table, parse, placed, tile_set
from tilelens_training.render.table_scene import PHOTO_GAMMA, Stage, TileSet, camera, light
from tilelens_training.render.table_tops import table_top

OUT = DATASETS / "replay"
FPS = 30
# The hands as they are shown; tiles that lie there first and are discarded, by their place in the row; the sets' waste.
ROUNDS = (
    ("123m456p789s111z5z+5z", "apart", {4: "9m", 9: "2p"}, ""),
    ("234p678p9s(1'11m)(5'55z)+9s", "sideways", {5: "4z"}, "9p1s"),
    ("123m456p55z78s(7'77z)+9s", "sideways", {3: "9s", 8: "4m"}, "6z"),
)
# Of these a session with another seed has three.
OTHER_ROUNDS = (
    ("567m34789p22s345s+2p", "apart", {2: "1z", 8: "6z"}, ""),
    ("1122m445566p99s7z+7z", "sideways", {3: "8s"}, ""),
    ("2345678m555z678p+5m", "apart", {1: "9s", 11: "4z"}, ""),
    ("345m678p4z(9'99s)(2'34m)+4z", "sideways", {4: "7z"}, "1p8s"),
    ("666p123789m8s(33'3z)+8s", "apart", {2: "1s", 7: "9m"}, "5m"),
    ("789s789p78m11z(6'66z)+9m", "sideways", {6: "1m", 3: "2z"}, "3p"),
)
ABOVE = 0.8  # the table, in tile widths, is what an arm holds
REACH = 2.9  # from an arm's palm to what its fingers hold
RIVER = (5.0, 4.3)  # the first discard
SHAKE, NOISE = 0.12, 1.3  # of the camera in pixels, of its sensor in levels
seed = 0  # of everything but the hands; 0 is the session that is kept


@dataclass(frozen=True)
class Lying:
    """A tile: which, where, how far above the table."""

    number: int
    code: str
    x: float
    y: float
    angle: float = 0.0
    lift: float = 0.0
    pose: str = "up"


@dataclass(frozen=True)
class Arm:
    """An arm by what its fingertips are over; `angle` 0 comes from below the picture."""

    look: int
    x: float
    y: float
    angle: float


@dataclass(frozen=True, eq=False)
class Scene:
    """What stays: the tiles' faces, the table, the light, the camera, and the seed of what comes."""

    own: TileSet
    top: raytrace.Table
    lamp: raytrace.Light
    view: raytrace.Camera
    size: tuple
    seed: int = 0


@dataclass(frozen=True)
class Moving:
    """Arms and tiles that move as one: where they are drawn once, and where `at` of them is now."""

    arms: tuple
    tiles: tuple
    at: tuple
    now: tuple
    turn: float = 0.0


def smooth(part):
    part = min(max(part, 0.0), 1.0)
    return part * part * (3 - 2 * part)


class Session:
    """The story: what lies where in each frame, and what the camera does."""

    def __init__(self, long):
        self.long = long
        self.rng = np.random.default_rng([8, seed] if seed else 8)
        self.tiles = {}  # number -> Lying
        self.frames = []  # (tiles that lie, Moving or None)
        self.lies = []  # (from frame, to frame, tiles): nothing is moved
        self.hands = []  # (from frame, to frame, text)
        self.nudges, self.gains = [], []  # (frame, shift, angle), (frame, gain)
        self.next = 0

    def new(self, code, x, y, angle=0.0):
        self.next += 1
        self.tiles[self.next] = Lying(self.next, code, x, y, angle)
        return self.next

    def lying(self):
        return tuple(self.tiles.values())

    def rest(self, seconds):
        """Nothing is moved."""
        start = len(self.frames)
        self.frames += [(self.lying(), None)] * round(seconds * FPS)
        if self.lies and self.lies[-1][1] == start:
            start = self.lies.pop()[0]
        self.lies.append((start, len(self.frames), self.lying()))

    def move(self, seconds, arms, tiles, at, start, end, turn=0.0, slow=True):
        """Arms and tiles go from a place to another while the rest lies there."""
        count = round(seconds * FPS)
        for k in range(1, count + 1):
            part = smooth(k / count) if slow else k / count
            now = tuple(start[n] + part * (end[n] - start[n]) for n in (0, 1))
            self.frames.append((self.lying(), Moving(arms, tiles, at, now, part * turn)))

    def carry(self, moves, came, went, look=0):
        """An arm comes from `came`, takes tiles to other places (`moves`: number -> (x, y, angle)), and goes to `went`."""
        first = self.tiles[next(iter(moves))]
        at, to = (first.x, first.y), next(iter(moves.values()))[:2]
        arms = (Arm(look, *to, came[2]),)
        if not self.is_outside(first):
            self.move(0.55, arms, (), to, came[:2], at)
        taken = [self.tiles.pop(number) for number in moves]
        put = [Lying(tile.number, tile.code, *moves[tile.number]) for tile in taken]
        self.move(0.75, arms, tuple(replace(tile, lift=0.8) for tile in put), to, at, to)
        self.tiles |= {tile.number: tile for tile in put}
        self.move(0.6, arms, (), to, to, went[:2])

    def is_outside(self, tile):
        return not (-6 < tile.x < 23 and -5.5 < tile.y < 13)

    def over(self, side, at, look, rests):
        """An arm reaches over the table and rests there: what lies under it stays."""
        start, arms = len(self.frames), (Arm(look, *at, side[2]),)
        self.move(0.6, arms, (), at, side[:2], at)
        self.frames += [(self.lying(), Moving(arms, (), at, at))] * round(rests * FPS)
        self.move(0.6, arms, (), at, at, side[:2])
        if self.lies and self.lies[-1][1] == start:
            self.lies[-1] = (self.lies[-1][0], len(self.frames), self.lying())

    def nudge(self, pixels):
        self.nudges.append((len(self.frames), self.rng.normal(0, pixels, 2), self.rng.normal(0, 0.25)))

    def discard(self, number, count):
        x, y = RIVER[0] + (count % 6) * 1.03, RIVER[1] - (count // 6) * (self.long + 0.05)
        spot = (x + self.rng.normal(0, 0.02), y + self.rng.normal(0, 0.02), self.rng.normal(0, 0.03))
        self.carry({number: spot}, (self.tiles[number].x + 1, -9, -0.1), (x + 1, -9, -0.1))

    def play(self, number, text, winning, draws, waste):
        """One round, from the deal to the sweep."""
        final = Table(self.rng, self.long)
        final.hand(Sample("", text, winning=winning, sets="above"))
        concealed, sets, _, won = parse(text)
        row = final.tiles[: len(sum(concealed, []))]
        last, melds = final.tiles[len(row)], final.tiles[len(row) + 1 :]
        code = lambda place: ("0" if place.red else place.code[0]) + place.code[1]
        # The deal: what is shown in the end, but for what is still to be drawn or claimed.
        slots = [self.new(draws.get(k, code(p)), p.x, p.y, p.angle) for k, p in enumerate(row)]
        right = row[-1].x + 1.03
        own, groups, at = [], [], 0
        for tiles in sets:
            group = melds[at : at + len(tiles)]
            at += len(tiles)
            claimed = next(k for k, (_, mark) in enumerate(tiles) if mark)
            groups.append((group, claimed))
            numbers = []
            for k, p in enumerate(group):
                if k != claimed:
                    numbers.append(self.new(code(p), right, self.rng.normal(0, 0.01)))
                    right += 1.012
            own.append(numbers)
        junk = []
        for k in range(len(waste) // 2):
            junk.append(self.new(waste[2 * k : 2 * k + 2], right, 0.0))
            right += 1.012
        self.push_in()
        self.rest(1.8)
        if number % 2 == 0:
            self.gains.append((len(self.frames), 0.72 if number % 4 == 0 else 1.15))
        self.rest(1.2)
        discards = 0
        for k, wrong in draws.items():
            drawn = self.new(code(row[k]), 26.0, 7.0)
            self.carry({drawn: (right + 0.6, 0.0, 0.0)}, (26, 4, 0.5), (right + 2, -9, 0.0))
            self.rest(1.1)
            self.discard(slots[k], discards)
            discards += 1
            self.rest(0.5)
            self.carry({drawn: (row[k].x, row[k].y, row[k].angle)}, (right, -9, 0.0), (row[k].x, -9, 0.0))
            slots[k] = drawn
            self.rest(1.3)
            if wrong in ("9m", "1m", "9s"):
                self.over((24, 9, 2.2), (row[k].x + 2, 1.6), 2, 1.4)
                self.rest(0.8)
        for (group, claimed), numbers, waste_tile in zip(groups, own, junk):
            p = group[claimed]
            # Another player discards it, and it is claimed.
            x = 1.5 + self.rng.uniform(0, 1.5)
            taken = self.new(code(p), x, 16.0, math.pi)
            self.carry({taken: (x, 4.6, math.pi + 0.1)}, (x, 18, math.pi), (x, 18, math.pi), look=1)
            self.rest(0.7)
            others = [q for k, q in enumerate(group) if k != claimed]
            self.carry({n: (q.x, q.y, q.angle) for n, q in zip(numbers, others)}, (self.tiles[numbers[0]].x, -9, 0.0), (others[0].x + 1, -9, 0.0))
            turn = p.angle if p.angle > 0 else p.angle + 2 * math.pi
            self.carry({taken: (p.x, p.y, turn)}, (x + 1, -9, -0.05), (p.x + 1, -9, -0.1))
            self.rest(0.9)
            self.discard(waste_tile, discards)
            discards += 1
            self.rest(1.0)
            if discards % 2 == 1:
                self.nudge(7)
                self.rest(0.8)
        drawn = self.new(won, 26.0, 6.0)
        self.carry({drawn: (last.x, last.y, last.angle)}, (26, 4, 0.5), (last.x + 2, -9, 0.0))
        start = len(self.frames)
        self.rest(2.6)
        if number in (0, 3):
            self.nudge(8)
        self.rest(1.0)
        if number in (1, 4):
            self.over((-8, 6, -1.2), (6.0, 0.8), 1, 1.0)
        elif number == 2:
            self.over((20, 12, 2.6), (9.0, 0.6), 2, 0.5)
        self.rest(2.4)
        spaced = text.replace("(", " (", 1).replace(")(", ") (").replace("+", " +")
        self.hands.append((start, len(self.frames), spaced))
        if number % 2 == 1:
            self.gains.append((len(self.frames), 1.0))
        self.sweep()

    def push_in(self):
        """Two arms push a dealt row in."""
        arms, goal, self.tiles = (Arm(0, 3.5, -1.0, 0.05), Arm(3, 10.5, -1.0, -0.05)), self.tiles, {}
        self.move(1.0, arms, tuple(goal.values()), (7, 0), (7, -7), (7, 0))
        self.tiles = goal
        self.move(0.5, arms, (), (7, 0), (7, 0), (7, -9))

    def sweep(self):
        """Two arms sweep everything off the table."""
        arms = (Arm(0, 4.0, 5.8, 0.1), Arm(3, 11.0, 5.8, -0.1))
        self.move(0.5, arms, (), (7, 5), (7, -9), (7, 5))
        tiles, self.tiles = self.lying(), {}
        self.move(1.0, arms, tiles, (7, 5), (7, 5), (7, -9), turn=0.08)
        self.rest(0.6)


def whole_table():
    """Four players' tiles face up, and their discards."""
    rng, tiles = np.random.default_rng(4), []
    code = lambda: f"{rng.integers(1, 10)}{'mps'[rng.integers(3)]}"
    for seat in range(4):
        c, s = math.cos(seat * math.pi / 2), math.sin(seat * math.pi / 2)
        places = [(k * 1.02 - 6.6, -8.2) for k in range(13)] + [(k * 1.02 - 2.6, -3.4 - 1.4 * row) for row in range(2) for k in range(6 - 2 * row)]
        for x, y in places:
            tiles.append(Lying(len(tiles) + 1, code(), x * c - y * s, x * s + y * c, seat * math.pi / 2))
    return tuple(tiles)


@cache
def scenery(size, far=False):
    """The scene of a session; `far` shows a whole table."""
    rng = np.random.default_rng([21, seed] if seed else 21)
    own = tile_set(rng)
    texture = table_top(rng, [])
    while not 40 < texture.mean() < 120:
        texture = table_top(rng, [])
    top = raytrace.Table(
        texture, np.eye(2) / 30.0, rng.uniform(0, 2, 2), np.array([-500.0, -500, 500, 500]), np.full((8, 8, 3), 40, np.uint8), 0.0, False
    )
    target = np.array([0.0, 0.0] if far else [7.6, 2.1])
    lamp = light(np.random.default_rng([5, seed] if seed else 5), target, 0.3)
    across, pitch = (35, 82) if far else (19.5, 68)
    view = camera(target, size[0] / across, math.radians(pitch), 0.0, 0.0, 1.15 * size[0], (size[1], size[0]), -0.02)
    return Scene(own, top, lamp, view, size, seed)


def staged(tiles, arms, scene):
    stage = Stage()
    for tile in tiles:
        lies = placed(tile.code, tile.x, tile.y, tile.angle, tile.lift, tile.pose)
        stage.add_tile(scene.own, lies, np.random.default_rng(tile.number + 1000 * scene.seed))
    for arm in arms:
        start = len(stage.rows)
        palm = np.array([arm.x, arm.y]) - REACH * np.array([-math.sin(arm.angle), math.cos(arm.angle)])
        table_things.hand(stage, np.random.default_rng(arm.look + 10 * scene.seed), *palm, arm.angle, sleeve=True)
        for k in range(start, len(stage.rows)):
            centre, *rest = stage.rows[k]
            stage.rows[k] = (centre + np.array([0, 0, ABOVE]), *rest)
    return stage


def traced(bodies, top, box, scene, samples=2):
    """Linear light of a window of the picture, and whose it is."""
    left, above, right, below = box
    part = replace(scene.view, centre=scene.view.centre - np.array([left, above]))
    return raytrace.trace(bodies, top, part, scene.lamp, (below - above, right - left), samples, 1)


@cache
def lying_there(tiles, scene):
    """Linear light of what lies there."""
    return traced(staged(tiles, (), scene).bodies(), scene.top, (0, 0, *scene.size), scene)[0]


@cache
def cut_out(arms, tiles, scene):
    """What moves: its light over a black table, what share of the table's light it lets through, and its window."""
    top, lamp, view, size = scene.top, scene.lamp, scene.view, scene.size
    bodies = staged(tiles, arms, scene).bodies()
    corners = bodies.corners().reshape(-1, 3)
    shadows = corners - lamp.direction * (corners[:, 2] / lamp.direction[2])[:, None]
    at, depth = view.project(np.concatenate([corners, shadows]))
    at = at[depth > 4]
    room = 0.45 * size[0]
    low, high = np.maximum(at.min(0) - 30, -room), np.minimum(at.max(0) + 30, np.array(size) + room)
    box = [*np.floor(low).astype(int).tolist(), *np.ceil(high).astype(int).tolist()]
    endless = np.array([-500.0, -500, 500, 500])
    plain = lambda level: replace(top, texture=np.full((8, 8, 3), level, np.uint8), extent=endless)
    light = traced(bodies, plain(0), box, scene)[0]
    bare = traced(Stage().bodies(), plain(255), box, scene, 1)[0]
    through = (traced(bodies, plain(255), box, scene)[0] - light) / np.maximum(bare, 1e-3)
    return light, np.clip(through, 0, 1), box


def warped(moving, scene):
    """What moves, where it is now: the window of the picture, its light, and what share of the light below it lets through."""
    light, through, (left, above, _, _) = cut_out(moving.arms, moving.tiles, scene)
    # The plane in which most of it moves.
    square = np.array([[-3.0, -3], [3, -3], [3, 3], [-3, 3]])
    c, s = math.cos(moving.turn), math.sin(moving.turn)
    ends = [square + moving.at, square @ np.array([[c, s], [-s, c]]) + moving.now]
    a, b = (scene.view.project(np.c_[end, np.full(4, ABOVE)])[0] for end in ends)
    matrix = cv2.getPerspectiveTransform((a - [left, above]).astype(np.float32), b.astype(np.float32))
    height, width = light.shape[:2]
    outline = cv2.perspectiveTransform(np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32), matrix)[0]
    low = np.clip(np.floor(outline.min(0)), 0, scene.size).astype(int)
    high = np.clip(np.ceil(outline.max(0)), 0, scene.size).astype(int)
    if (high <= low).any():
        return None
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ matrix
    part = tuple((high - low).tolist())
    light = cv2.warpPerspective(light, shift, part)
    through = cv2.warpPerspective(through, shift, part, borderValue=(1, 1, 1))
    return (slice(low[1], high[1]), slice(low[0], high[0])), light, through


def drawn(lying, moving, scene):
    """A frame as a camera that stays would see it: what lies there and what moves above it."""
    picture = levels(lying, scene)
    there = moving and warped(moving, scene)
    if not there:
        return picture
    inside, light, through = there
    picture = picture.copy()
    picture[inside] = to_levels(lying_there(lying, scene)[inside] * through + light)
    return picture


def to_levels(light):
    return (cv2.pow(np.clip(light, 0, 1).astype(np.float32), 1 / PHOTO_GAMMA) * 255).astype(np.uint8)


@cache
def levels(tiles, scene):
    return to_levels(lying_there(tiles, scene))


def truth(tiles, scene):
    """Every face with its corners."""
    stage = staged(tiles, (), scene)
    bodies = stage.bodies()
    _, owner = traced(bodies, scene.top, (0, 0, *scene.size), scene, 1)
    return [
        {"code": tile["code"], "corners": np.round(tile["corners"], 1).tolist()}
        for tile in stage.truth(bodies, scene.view, owner)
        if tile["visible"] > 0.5
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--seed", type=int, default=0, help="another session: other tiles, table, light, arms and hands")
    parser.add_argument("--still", type=int, action="append", help="only this frame, as a PNG")
    parser.add_argument("--pictures", action="store_true", help="only hand.jpg and whole-table.jpg, for `cargo bench --bench live`")
    args = parser.parse_args()
    global seed
    seed = args.seed
    size = tuple(map(int, args.size.split("x")))
    args.out.mkdir(parents=True, exist_ok=True)
    scene = scenery(size)
    session = Session(scene.own.height)
    session.rest(0.6)
    others = np.random.default_rng([1, seed]).permutation(len(OTHER_ROUNDS))[: len(ROUNDS)]
    for number, one in enumerate([OTHER_ROUNDS[k] for k in others] if seed else ROUNDS):
        session.play(number, *one)
    print(f"{len(session.frames) / FPS:.1f} s, {len(session.hands)} hands")
    if args.still:
        for frame in args.still:
            cv2.imwrite(str(args.out / f"{frame}.png"), drawn(*session.frames[frame], scene))
        return
    if args.pictures:
        pictures = (("hand.jpg", session.lies[-2][2], scene), ("whole-table.jpg", whole_table(), scenery((1920, 1080), True)))
        for name, tiles, shown in pictures:
            cv2.imwrite(str(args.out / name), levels(tiles, shown), [cv2.IMWRITE_JPEG_QUALITY, 88])
        return
    rng = np.random.default_rng(seed)
    noises = [rng.normal(0, NOISE, (size[1] + 64, size[0] + 64, 1)).repeat(3, 2).round().astype(np.int16) for _ in range(4)]
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", args.size, "-r", str(FPS), "-i", "-"]
    encoded = ["-c:v", "libx264", "-crf", "29", "-preset", "medium", "-pix_fmt", "yuv420p", "-threads", "1", str(args.out / "table.mp4")]
    video = subprocess.Popen([*command, *encoded], stdin=subprocess.PIPE)
    shift, angle, gain, moved = np.zeros(2), 0.0, 1.0, []
    for frame, (lying, moving) in enumerate(tqdm(session.frames, unit="frame")):
        if frame and lying != session.frames[frame - 1][0]:
            lying_there.cache_clear()
            levels.cache_clear()
        for start, by, turn in session.nudges:
            if start <= frame < start + 6:
                shift, angle = shift + by / 6, angle + turn / 6
        goal = next((gain for start, gain in reversed(session.gains) if start <= frame), 1.0)
        gain += 0.25 * (goal - gain)
        shook = shift + rng.normal(0, SHAKE, 2)
        matrix = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), angle, 1.0)
        matrix[:, 2] += shook
        moved.append([round(float(v), 2) for v in (*shook, angle)])
        out = cv2.warpAffine(drawn(lying, moving, scene), matrix, size, borderMode=cv2.BORDER_REPLICATE)
        out = cv2.convertScaleAbs(out, alpha=gain ** (1 / PHOTO_GAMMA))
        x, y = rng.integers(0, 64, 2)
        noise = noises[rng.integers(4)][y : y + size[1], x : x + size[0]]
        video.stdin.write(cv2.add(out, noise, dtype=cv2.CV_8U).tobytes())
    video.stdin.close()
    if video.wait():
        raise SystemExit("ffmpeg failed")
    seconds = lambda frame: round(frame / FPS, 2)
    described = {
        "video": "table.mp4",
        "size": size,
        "fps": FPS,
        "hands": [{"from": seconds(a), "to": seconds(b), "text": text} for a, b, text in session.hands],
        "lies": [{"from": seconds(a), "to": seconds(b), "tiles": truth(tiles, scene)} for a, b, tiles in session.lies],
        "camera": moved,
    }
    text = json.dumps(described, separators=(",", ":"))
    for mark in ('{"from"', '"lies"', '"camera"'):
        text = text.replace(mark, "\n" + mark)
    (args.out / "replay.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
