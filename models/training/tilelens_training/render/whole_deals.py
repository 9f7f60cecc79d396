"""A camera above a table of four who play whole deals, as a film, with the record that ought to be made of it.

Players draw from walls, discard into rows of six, claim, declare riichi sideways; arms reach over and rest, tiles are nudged and put
straight; an indicator is turned, the winner opens the hand, the tiles are mixed, and another deal begins. Ray traced, with our own
artwork; of a picture only the window is drawn again in which something was put down or taken.

    python -m tilelens_training.render.whole_deals --seed N --out FOLDER [--size 1920x1080] [--turns 50,25]

Writes `table.mp4`; `game.jsonl`, the record (docs/record.md) with the time of each event in the film; `replay.json`, with the table's
corners; and `table.toml` for `live --source`.
"""

import argparse
import json
import math
import subprocess
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tilelens_training.render import raytrace
from tilelens_training.render.four_hands import EDGES
from tilelens_training.render.four_players import EDGE, moved
from tilelens_training.render.replay import NOISE, Arm, Lying, Moving, Scene, smooth, staged, to_levels, traced, warped
from tilelens_training.render.sample_pictures import SIDE, Table, tile_set
from tilelens_training.render.table_scene import STANDING, camera, light
from tilelens_training.render.table_tops import felt

FPS = 10
PLAYED = 12.4  # from the middle to where the last tiles lie
OWN, WALL = -EDGE / 2 + 3.0, -9.0  # the rows of hand and wall, in a player's view
RIVER = (-3.1, -3.9)  # the left end and the middle of the first row of discards
HOME = (1.0, -15.5)  # from where arms come
AROUND = 2.8  # tile widths about a tile within which its shadow falls
INDICATORS = 5  # the first, and one for each of at most four kongs
FACES = [n + suit for suit in "mps" for n in "123456789"] + [n + "z" for n in "1234567"]
AREAS = (([0.24, 0.76], [-0.15, 0.24]), ([0.76, 1.15], [-0.15, 0.24]), ([0.3, 0.7], [0.24, 0.48]))  # of hand, sets, discards
ROUND = 0.5  # arms come from directions that differ by this many radians


def scene_of(seed, size):
    """Tiles, table, light and a camera that shows all that is played on; the table's corners, the pixels of a tile's width."""
    rng = np.random.default_rng([71, seed])
    own, half = tile_set(rng), EDGE / 2 + 0.6
    texture = np.clip(felt(rng), 0, 255).astype(np.uint8)
    around = np.full((8, 8, 3), 40, np.uint8)
    top = raytrace.Table(texture, np.eye(2) / 30, rng.uniform(0, 2, 2), np.array([-half, -half, half, half]), around, 0.0, False)
    lamp = light(rng, np.zeros(2), 0.3)
    square = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]])
    pitch, pixels = math.radians(rng.uniform(74, 86)), size[0] / 40
    while True:
        view = camera(np.zeros(2), pixels, pitch, rng.uniform(-0.03, 0.03), 0.0, 1.1 * size[0], (size[1], size[0]), -0.02)
        at, _ = view.project(square * PLAYED + [0, 0, 1])
        if (at > 0).all() and (at < size).all():
            break
        pixels *= 0.99
    return Scene(own, top, lamp, view, size, seed), view.project(square * EDGE / 2)[0], pixels


class Film:
    """What lies on the table, drawn frame by frame."""

    def __init__(self, scene, file):
        self.scene, self.tiles, self.next, self.frames = scene, {}, 0, 0
        self.rng = np.random.default_rng([scene.seed, 1])
        self.arms = []  # that rest: (Moving, from where, from frame, to frame)
        width, height = scene.size
        noise = lambda: self.rng.normal(0, NOISE, (height + 64, width + 64, 1)).repeat(3, 2).round().astype(np.int16)
        self.noises = [noise() for _ in range(4)]
        command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", str(FPS), "-i", "-"]
        encoded = ["-c:v", "libx264", "-crf", "24", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-threads", "1", str(file)]
        self.video = subprocess.Popen([*command, *encoded], stdin=subprocess.PIPE)
        self.redraw()

    def redraw(self, changed=None):
        """Draws everything, or the window about tiles that were put down or taken."""
        scene, box, tiles = self.scene, (0, 0, *self.scene.size), tuple(self.tiles.values())
        if changed:
            spots = [[t.x + x, t.y + y, z] for t in changed for x in (-AROUND, AROUND) for y in (-AROUND, AROUND) for z in (0, 1.5)]
            at, _ = scene.view.project(np.array(spots))
            low, high = np.clip(at.min(0), 0, scene.size).astype(int), np.clip(at.max(0), 0, scene.size).astype(int)
            box = (*low.tolist(), *high.tolist())
            near = lambda tile: any(math.hypot(tile.x - t.x, tile.y - t.y) < 2 * AROUND for t in changed)
            tiles = tuple(tile for tile in tiles if near(tile))
        part = traced(staged(tiles, (), scene).bodies(), scene.top, box, scene)[0]
        if not changed:
            self.light, self.picture = part, to_levels(part)
            return
        inside = (slice(box[1], box[3]), slice(box[0], box[2]))
        self.light[inside], self.picture[inside] = part, to_levels(part)

    def put(self, *tiles):
        """Tiles that lie there from now on; gives their numbers."""
        numbers = [tile.number or self.next + k + 1 for k, tile in enumerate(tiles)]
        self.next = max([self.next, *numbers])
        self.tiles |= {number: replace(tile, number=number) for number, tile in zip(numbers, tiles)}
        return numbers

    def lay(self, *tiles):
        """The same, drawn."""
        numbers = self.put(*tiles)
        self.redraw([self.tiles[number] for number in numbers])
        return numbers

    def take(self, *numbers):
        """Takes tiles away; gives them."""
        taken = [self.tiles.pop(number) for number in numbers]
        self.redraw(taken)
        return taken

    def frame(self, *moving):
        """A frame with what moves."""
        layers = list(moving)
        for resting, home, start, end in self.arms:
            part = min(smooth((self.frames - start) / 5), smooth((end - self.frames) / 5))
            layers.append(replace(resting, now=tuple(np.add(home, part * np.subtract(resting.now, home)))))
        self.arms = [arm for arm in self.arms if arm[3] > self.frames]
        picture, windows = self.picture, [w for w in (warped(layer, self.scene) for layer in layers) if w]
        if windows:
            picture = picture.copy()
            low = [min(inside[axis].start for inside, *_ in windows) for axis in (0, 1)]
            high = [max(inside[axis].stop for inside, *_ in windows) for axis in (0, 1)]
            out = self.light[low[0] : high[0], low[1] : high[1]].copy()
            for (rows, columns), above, through in windows:
                part = out[rows.start - low[0] : rows.stop - low[0], columns.start - low[1] : columns.stop - low[1]]
                part *= through
                part += above
            picture[low[0] : high[0], low[1] : high[1]] = to_levels(out)
        x, y = self.rng.integers(0, 64, 2)
        noise = self.noises[self.rng.integers(4)][y : y + picture.shape[0], x : x + picture.shape[1]]
        self.video.stdin.write(cv2.add(picture, noise, dtype=cv2.CV_8U).tobytes())
        self.frames += 1

    def rest(self, seconds):
        for _ in range(round(seconds * FPS)):
            self.frame()

    def go(self, seconds, player, start, end, carried=()):
        """A player's arm goes from a place to another, with tiles."""
        tiles = tuple(replace(tile, number=1, x=0.0, y=0.0, lift=0.8) for tile in carried)
        for k in range(max(1, round(seconds * FPS))):
            now = tuple(np.add(start, smooth((k + 1) / max(1, round(seconds * FPS))) * np.subtract(end, start)))
            beside = [Moving((), (tile,), (0.0, 0.0), (now[0] + 1.02 * n, now[1])) for n, tile in enumerate(tiles)]
            self.frame(*beside, arm(player, end, now))


def in_picture(player, x, y):
    """A point of a player's view on the table."""
    c, s = math.cos(player * SIDE), math.sin(player * SIDE)
    return c * x - s * y, s * x + c * y


def arm(player, goal, now):
    """A player's arm towards a goal."""
    home = in_picture(player, *HOME)
    angle = math.atan2(-(goal[0] - home[0]), goal[1] - home[1])
    # An arm does not come across its player's shoulders.
    turn = (angle - player * SIDE + math.pi) % (2 * math.pi) - math.pi
    angle = player * SIDE + ROUND * round(min(max(turn, -0.9), 0.9) / ROUND)
    return Moving((Arm(player, 0.0, 0.0, angle),), (), (0.0, 0.0), tuple(now))


class Deal:
    """A deal: who does what, how it lies there, and its record."""

    def __init__(self, film, rng, dealer, record):
        self.film, self.rng, self.record, self.player = film, rng, record, dealer
        self.pool = list(rng.permutation(FACES * 4))
        self.rows = [[0, RIVER[0]] for _ in range(4)]
        self.right, self.sets, self.pungs = [PLAYED - 0.3] * 4, [0] * 4, []
        self.riichi, self.again = [False] * 4, [False] * 4
        self.pond, self.crooked, self.owed = [], [], None
        long = film.scene.own.height
        self.long, self.wall = long, []
        film.tiles.clear()
        for player in range(4):
            for k in range(17):
                self.wall.append([film.put(self.spot("x", player, k * 1.015 - 7.7, WALL, lift=level))[0] for level in (0, 1)][::-1])
        self.hands = [film.put(*[self.spot("1m", player, k * 1.02 - 6.9, OWN, pose=STANDING) for k in range(13)]) for player in range(4)]
        film.redraw()
        # The wall is drawn from its beginning, indicators lie at its end.
        self.dead, self.wall = self.wall[-7:], sum(self.wall[:-7], [])
        self.say("deal", round="E", dealer=dealer, counters=0, sticks=0, hands=["?" * 13] * 4)
        film.rest(2.5)
        self.indicator()

    def say(self, event, **fields):
        self.record.append({"type": event, **fields, "at": round(1000 * self.film.frames / FPS)})

    def spot(self, code, player, x, y, angle=0.0, lift=0.0, pose="up"):
        return Lying(0, code, *in_picture(player, x, y), angle + player * SIDE, lift, pose)

    def home(self, player):
        return in_picture(player, *HOME)

    def reach(self, player, to, carried=(), seconds=0.4):
        self.film.go(seconds, player, self.home(player) if not carried else in_picture(player, -2, OWN + 1), to, carried)

    def back(self, player, start, seconds=0.3):
        self.film.go(seconds, player, start, self.home(player))

    def take(self, face, count):
        """Takes a face out of the tiles that are left, if it is there as often."""
        if self.pool.count(face) < count:
            return False
        for _ in range(count):
            self.pool.remove(face)
        return True

    def turned(self):
        """The number of indicators that are turned."""
        return sum(len(stack) == 1 for stack in self.dead)

    def indicator(self):
        """A player turns a tile of the wall's end."""
        upper = self.dead[-3 - self.turned()].pop(0)
        place, face = self.film.tiles[upper], self.pool.pop()
        self.reach(self.player, (place.x, place.y))
        self.film.tiles[upper] = replace(place, code=face)
        self.film.redraw([place])
        self.say("indicator", tile=face)
        self.back(self.player, (place.x, place.y))

    def draw(self, player):
        self.say("draw", player=player, tile="?")
        if not self.wall:
            return
        place = self.film.tiles[self.wall[0]]
        self.reach(player, (place.x, place.y), seconds=0.3)
        self.film.take(self.wall.pop(0))
        self.film.go(0.3, player, (place.x, place.y), in_picture(player, 4.5, OWN), (replace(place, code="x"),))

    def discard(self, player, face, sideways):
        """A tile is laid at the end of a row."""
        row, rng = self.rows[player], self.rng
        if row[0] % 6 == 0 and row[0] < 18:
            row[1] = RIVER[0]
        line, wide = min(row[0] // 6, 2), self.long if sideways else 1.0
        x, y = row[1] + wide / 2, RIVER[1] - line * (self.long + 0.06) - (0.17 if sideways else 0)
        row[0], row[1] = row[0] + 1, row[1] + wide + 0.03
        angle = SIDE if sideways else 0.0
        straight = self.spot(face, player, x + rng.normal(0, 0.015), y + rng.normal(0, 0.03), angle + rng.normal(0, 0.025))
        lies = straight
        if rng.random() < 0.05:
            # It lies crooked, and is put straight later.
            lies = replace(straight, x=straight.x + rng.normal(0, 0.1), y=straight.y + rng.normal(0, 0.1), angle=straight.angle + rng.normal(0, 0.2))
        to = (lies.x, lies.y)
        self.reach(player, to, (lies,))
        number = self.film.lay(lies)[0]
        if lies is not straight:
            self.crooked.append((player, number, straight))
        self.say("discard", player=player, tile=face, **({"sideways": True} if sideways else {}))
        self.pond.append((player, number))
        self.back(player, to)
        return number, wide

    def move(self, player, number, to):
        """An arm moves a tile that lies there."""
        if number not in self.film.tiles:
            return
        at = self.film.tiles[number]
        self.reach(player, (at.x, at.y))
        self.film.take(number)
        self.film.lay(replace(to, number=number, code=at.code))
        self.film.frame(arm(player, (at.x, at.y), (to.x, to.y)))
        self.back(player, (to.x, to.y))

    def taken(self, player, giver, number, wide):
        """A discard is taken from its row."""
        tile = self.film.tiles[number]
        self.rows[giver][0] -= 1
        self.rows[giver][1] -= wide + 0.03
        self.reach(player, (tile.x, tile.y))
        self.film.take(number)
        self.pond.remove((giver, number))
        return tile

    def placed(self, player, tiles):
        """Where a set lies, and its tiles as they lie there."""
        own = Table(self.rng, self.long)
        right = own.set(tiles, 0, 0)
        x, self.right[player] = self.right[player] - right, self.right[player] - right - 0.4
        return [Lying(0, t.code, t.x, t.y, t.angle) for t in moved(own.tiles, x, OWN, player * SIDE)]

    def from_hand(self, player, count):
        self.film.take(*[self.hands[player].pop() for _ in range(count)])

    def lay_set(self, player, tiles, last=None):
        """A set is laid down, the claimed tile before or after the others."""
        lying = self.placed(player, tiles)
        marks = [k for k, (_, mark) in enumerate(tiles) if mark]
        parts = [[t for k, t in enumerate(lying) if k not in marks], [t for k, t in enumerate(lying) if k in marks]]
        self.from_hand(player, len(parts[0]))
        numbers = []
        for part in parts if self.rng.random() < 0.7 else parts[::-1]:
            if part:
                self.reach(player, (part[0].x, part[0].y), part[:1])
                numbers += self.film.lay(*part)
                self.back(player, (part[0].x, part[0].y))
        self.sets[player] += 1
        if marks and len({code for code, _ in tiles}) == 1 and len(tiles) == 3:
            self.pungs.append((player, tiles[0][0], lying[marks[0]]))

    def kong(self, player):
        """A fourth tile on a pung, or four of the own tiles; whether there was one."""
        if self.turned() == INDICATORS:
            return
        own = next((pung for pung in self.pungs if pung[0] == player and pung[1] in self.pool), None)
        if own and self.rng.random() < 0.5:
            self.pungs.remove(own)
            self.take(own[1], 1)
            x, y = in_picture(-player, own[2].x, own[2].y)
            tile = self.spot(own[1], player, x, y + 1.015, own[2].angle - player * SIDE)
            self.reach(player, (tile.x, tile.y), (tile,))
            self.film.lay(tile)
            self.say("added_kong", player=player, tile=own[1])
            self.back(player, (tile.x, tile.y))
        elif self.sets[player] < 3 and self.rng.random() < 0.02 and self.take(face := str(self.rng.choice(self.pool)), 4):
            self.lay_set(player, [("x", False), (face, False), (face, False), ("x", False)])
            self.say("concealed_kong", player=player, tiles=f"x{face[0]}{face[0]}{face[1]}x")
        else:
            return
        self.indicator()
        self.draw(player)

    def claim(self, giver, face):
        """Who claims a discard: player, kind, own tiles."""
        rng = self.rng
        player = (giver + 1 + int(rng.integers(3))) % 4
        if self.sets[player] < 3 and rng.random() < 0.25:
            if rng.random() < 0.1 and self.turned() < INDICATORS and self.take(face, 3):
                return player, "kong", [face] * 3
            if self.take(face, 2):
                return player, "pung", [face] * 2
        player = (giver + 1) % 4
        if self.sets[player] < 3 and face[1] != "z" and rng.random() < 0.12:
            low = next(n for n in range(1, 8) if n <= int(face[0]) < n + 3)
            others = [f"{n}{face[1]}" for n in range(low, low + 3) if n != int(face[0])]
            if all(other in self.pool for other in others):
                return player, "chow", [other for other in others if self.take(other, 1)]
        return None

    def turn(self, turn):
        """A turn; gives the discard: player, tile's number, width, face."""
        player, rng = self.player, self.rng
        face = self.pool.pop(int(rng.integers(len(self.pool))))
        declares = not self.riichi[player] and turn > 12 and rng.random() < 0.06
        self.riichi[player] |= declares
        sideways, self.again[player] = declares or self.again[player], False
        number, wide = self.discard(player, face, sideways)
        if self.owed:
            self.lay_set(*self.owed)
            self.owed = None
        self.film.rest(rng.uniform(0.2, 0.9))
        return player, number, wide, face, sideways

    def play(self, turns):
        """The deal, to its end."""
        rng, claimed = self.rng, False
        for turn in range(turns):
            if not claimed:
                self.draw(self.player)
                self.kong(self.player)
            giver, number, wide, face, sideways = self.turn(turn)
            self.meanwhile()
            found = self.claim(giver, face)
            if not found:
                claimed, self.player = False, (self.player + 1) % 4
                continue
            player, kind, own = found
            self.again[giver] = sideways
            self.taken(player, giver, number, wide)
            steps = (giver - player) % 4
            tiles = [(code, False) for code in own]
            tiles.insert({3: 0, 2: 1}.get(steps, len(own)), (face, True))
            digits = "".join(sorted(code[0] for code in own))
            self.player, claimed = player, kind != "kong"
            if kind != "kong" and rng.random() < 0.2:
                # The set is laid down after the discard.
                self.owed = (player, tiles)
                self.film.go(0.4, player, in_picture(giver, 0, -4), in_picture(player, 3, OWN))
            else:
                self.lay_set(player, tiles)
            self.say("claim", player=player, **{"from": giver}, kind=kind, tile=face, own=digits + face[1])
            if kind == "kong":
                self.indicator()
        if self.owed:
            self.film.rest(0.3)
            self.lay_set(*self.owed)
        if claimed or not self.win((giver, number, wide, face)):
            self.say("no_win", why="exhausted")
        self.film.rest(3.0)
        self.say("end")
        self.mix()

    def meanwhile(self):
        """Tiles are nudged and put straight, arms rest over the table."""
        rng, film = self.rng, self.film
        while self.crooked and rng.random() < 0.6:
            self.move(*self.crooked.pop(0))
        if self.pond and rng.random() < 0.06:
            player, number = self.pond[int(rng.integers(len(self.pond)))]
            at, far = film.tiles[number], 0.5 if rng.random() < 0.15 else 0.12
            to = replace(at, x=at.x + rng.normal(0, far), y=at.y + rng.normal(0, far), angle=at.angle + rng.normal(0, 0.08))
            # No tile lies on another one.
            if all(math.hypot(to.x - t.x, to.y - t.y) > 1.02 for k, t in film.tiles.items() if k != number):
                self.move(int(rng.integers(4)), number, to)
        if rng.random() < 0.12:
            player = int(rng.integers(4))
            goal = in_picture(int(rng.integers(4)), rng.uniform(-3, 4), rng.uniform(-8, -3))
            film.arms.append((arm(player, goal, goal), self.home(player), film.frames, film.frames + int(rng.uniform(15, 45))))

    def win(self, last):
        """Most deals end with a complete hand, on the tile drawn or on the last discard; whether this one does."""
        rng, (giver, number, wide, given) = self.rng, last
        if rng.random() < 0.2:
            return False
        draws = rng.random() < 0.4
        winner = self.player if draws else (giver + 1 + int(rng.integers(3))) % 4
        pair = next((face for face in rng.permutation(FACES) if self.pool.count(face) >= 2), None) if draws else given
        if not self.take(pair, 2 if draws else 1):
            return False
        hand = [pair]
        lows = [face for face in rng.permutation(FACES[:27]) if int(face[0]) < 8]
        for _ in range(4 - self.sets[winner]):
            runs = ([f"{int(low[0]) + k}{low[1]}" for k in range(3)] for low in lows)
            run = next((run for run in runs if all(face in self.pool for face in run)), None)
            if not run:
                return False
            hand += [face for face in run if self.take(face, 1)]
        hand.sort(key=lambda face: face[::-1])
        if draws:
            self.draw(winner)
        else:
            self.taken(winner, giver, number, wide)
        row = Table(rng, self.long)
        row.row([pair], row.row(hand, 0, 0) + 0.55, 0)
        lying = [Lying(0, t.code, t.x, t.y, t.angle) for t in moved(row.tiles, -7.4, OWN, winner * SIDE)]
        middle = lying[len(lying) // 2]
        self.reach(winner, (middle.x, middle.y))
        self.film.take(*self.hands[winner])
        self.film.lay(*lying)
        self.back(winner, (middle.x, middle.y))
        text = lambda faces: "".join(f for f in sorted(faces, key=lambda face: face[::-1]))
        self.say("opened", player=winner, hand=text(hand + ([pair] if draws else [])))
        self.say("win", player=winner, **({} if draws else {"from": giver}))
        return True

    def mix(self):
        """The tiles are mixed in the middle, and gone."""
        film, rng = self.film, self.rng
        for _ in range(3):
            film.tiles.clear()
            spots = []
            while len(spots) < 60:
                x, y = rng.uniform(-9, 9, 2)
                if all(math.hypot(x - u, y - v) > 1.4 for u, v in spots):
                    spots.append((x, y))
            codes = ["x" if rng.random() < 0.6 else str(rng.choice(FACES)) for _ in spots]
            film.put(*[Lying(0, code, x, y, rng.uniform(0, 6.28)) for code, (x, y) in zip(codes, spots)])
            film.redraw()
            for k in range(8):
                film.frame(*[arm(p, (0, 0), in_picture(p, 3 * math.sin(k / 2 + p), -4)) for p in range(0, 4, 2)])
        film.tiles.clear()
        film.redraw()
        film.rest(3.0)


def main():
    """Renders a session."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", default="50,25", help="the number of discards of each deal")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    size = tuple(map(int, args.size.split("x")))
    scene, corners, pixels = scene_of(args.seed, size)
    film, rng = Film(scene, args.out / "table.mp4"), np.random.default_rng([args.seed, 2])
    record = [{"type": "game", "players": ["", "", "", ""], "at": 0}]
    film.rest(3.0)
    for number, turns in enumerate(args.turns.split(",")):
        Deal(film, rng, number % 4, record).play(int(turns))
    film.video.stdin.close()
    if film.video.wait():
        raise SystemExit("ffmpeg failed")
    (args.out / "game.jsonl").write_text("".join(json.dumps(event) + "\n" for event in record))
    corners = np.round(corners, 1).tolist()
    described = {"video": "table.mp4", "size": size, "fps": FPS, "game": {"record": "game.jsonl", "corners": corners}}
    (args.out / "replay.json").write_text(json.dumps(described) + "\n")
    seats = "".join(f'[seats.{seat}]\nedge = "{edge}"\n' for seat, edge in zip("ESWN", EDGES))
    areas = "[areas]\nhand = {}\nsets = {}\ndiscards = {}\n".format(*(f"{{ across = {a}, deep = {b} }}" for a, b in AREAS))
    (args.out / "table.toml").write_text(f"picture = {list(size)}\ncorners = {corners}\n\n{areas}\n{seats}")
    print(f"{film.frames / FPS:.0f} s, {len(record)} events, tiles {pixels:.0f} pixels wide")


if __name__ == "__main__":
    main()
