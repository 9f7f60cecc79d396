"""A table with tiles and things on it, before a camera: bodies, cameras, light, and what a camera adds.

Coordinates: tile widths; x to the right and y away as seen by the player at the bottom, z up.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from tilelens_training.render import raytrace

FACE_SIZE = (184, 240)  # width and height of every texture of a body
UP, DOWN, STANDING, EDGE = "up", "down", "standing", "edge"
PHOTO_GAMMA = 2.2


def linear(colour):
    """A BGR 0-255 colour in linear light."""
    return (np.clip(np.asarray(colour, np.float64), 0, 255) / 255) ** PHOTO_GAMMA


def turned(angle):
    """Right, away and up after a turn about the vertical, counter-clockwise from above."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c, s, 0.0]), np.array([-s, c, 0.0]), np.array([0.0, 0.0, 1.0])


@dataclass
class Placement:
    """A tile of a layout: its code, its middle on the table, turn, level above the table, and pose."""

    code: str  # "x" lies face down whatever its pose says
    x: float
    y: float
    angle: float = 0.0
    level: int = 0
    pose: str = UP
    red: bool = False
    role: str = ""  # free for the maker of the layout

    def outline(self, height, depth):
        """Its four corners on the table."""
        along = depth if self.pose in (STANDING, EDGE) else height
        across = height if self.pose == EDGE else 1.0
        right, away, _ = turned(self.angle)
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([[self.x, self.y] + (a * across / 2 * right + b * along / 2 * away)[:2] for a, b in signs])


@dataclass
class TileSet:
    """How the tiles of one set look and how thick they are."""

    faces: dict  # code -> list of BGR images of FACE_SIZE
    height: float = 1.33
    depth: float = 0.75
    rounding: float = 0.08
    split: float = 0.6
    back: np.ndarray = field(default_factory=lambda: np.array([60.0, 130.0, 50.0]))
    back_image: np.ndarray | None = None
    gloss: float = 0.5

    def codes(self):
        """The faces that the set has."""
        return list(self.faces)


def body_colour(image):
    """The colour of the tile around what is drawn on a face."""
    h, w = image.shape[:2]
    y, x = max(2, h // 12), max(2, w // 12)
    rim = np.concatenate([image[y : 2 * y].reshape(-1, 3), image[-2 * y : -y].reshape(-1, 3), image[:, x : 2 * x].reshape(-1, 3)])
    bright = rim.sum(1)
    return np.median(rim[bright >= np.median(bright)], axis=0).astype(np.float64)


def in_dark(image, body=(0, 0, 0)):
    """A face with light and dark exchanged and every hue as it was, on a body of this colour: black tiles have light print."""
    light = image.astype(np.float32) @ np.float32([0.114, 0.587, 0.299])
    dark = np.clip(image + (255 - 2 * light)[..., None], 8, 255)
    return (np.float32(body) + dark * (1 - np.float32(body) / 255)).astype(np.uint8)


class Stage:
    """Collects bodies and textures for the ray tracer, and knows which body is which tile."""

    def __init__(self):
        self.rows = []
        self.images = []
        self.tiles = []  # (body, Placement)
        self._known = {}

    def texture(self, image):
        """Registers a texture of FACE_SIZE once."""
        if id(image) not in self._known:
            self._known[id(image)] = len(self.images)
            self.images.append(image)
        return self._known[id(image)]

    def add(self, centre, axes, half, rounding=0.03, kind=raytrace.BOX, top=-1, bottom=-1, colours=None, split=1.0, gloss=0.0):
        """Adds a body; colours (BGR 0-255): one, or top, bottom, side near the top, side near the bottom."""
        colours = np.asarray(colours, np.float64)
        if colours.ndim == 1:
            colours = np.stack([colours] * 4)
        rounding = min(rounding, min(half[:2] if kind == raytrace.DISC else half) * 0.999, half[2] * 0.999)
        self.rows.append((centre, axes, half, rounding, kind, top, bottom, linear(colours), split, gloss))
        return len(self.rows) - 1

    def add_tile(self, tile_set, placement, rng):
        """Adds a tile as it is placed."""
        p = placement
        right, away, up = turned(p.angle)
        image = None
        if p.code != "x":
            choices = tile_set.faces[("0" + p.code[1]) if p.red and "0" + p.code[1] in tile_set.faces else p.code]
            image = choices[rng.integers(len(choices))]
        body = body_colour(image) if image is not None else body_colour(next(iter(tile_set.faces.values()))[0])
        half = np.array([0.5, tile_set.height / 2, tile_set.depth / 2])
        floor = p.level * tile_set.depth
        down = p.code == "x" or p.pose == DOWN
        if p.pose == STANDING:
            axes = np.stack([right, -up, -away]) if not down else np.stack([-right, -up, away])
            z = half[1]
        elif p.pose == EDGE:
            axes = np.stack([up, right, -away])
            z = half[0]
        else:
            axes = np.stack([right, -away, up]) if not down else np.stack([-right, -away, -up])
            z = half[2]
        colours = np.stack([body, tile_set.back, body, tile_set.back]) * rng.uniform(0.97, 1.03)
        index = self.add(
            np.array([p.x, p.y, floor + z]), axes, half, tile_set.rounding,
            top=-1 if image is None else self.texture(image),
            bottom=-1 if tile_set.back_image is None else self.texture(tile_set.back_image),
            colours=colours, split=tile_set.split, gloss=tile_set.gloss,
        )
        self.tiles.append((index, p))

    def bodies(self):
        """What the ray tracer takes."""
        images = np.stack(self.images) if self.images else np.zeros((1, FACE_SIZE[1], FACE_SIZE[0], 3), np.uint8)
        n = len(self.rows)
        column = lambda k, shape, kind: np.array([row[k] for row in self.rows], kind).reshape(n, *shape)
        return raytrace.Bodies(
            column(0, (3,), np.float64), column(1, (3, 3), np.float64), column(2, (3,), np.float64), column(3, (), np.float64),
            column(4, (), np.int64), column(5, (), np.int64), column(6, (), np.int64), column(7, (4, 3), np.float64),
            column(8, (), np.float64), column(9, (), np.float64), raytrace.mip(images),
        )

    def truth(self, bodies, camera, owner):
        """Every face and every back that is turned to the camera and not wholly hidden or outside."""
        height, width = owner.shape
        if not self.tiles:
            return []
        corners = bodies.corners()
        pixels, depths = camera.project(corners)
        count = len(self.rows)
        seen = np.bincount((owner + count).ravel(), minlength=2 * count + 1)
        found = []
        for index, p in self.tiles:
            towards = camera.eye - bodies.centre[index]
            side = float(towards @ bodies.axes[index, 2])
            if abs(side) <= bodies.half[index, 2] or depths[index].min() < 0.1:
                continue
            quad = pixels[index, :4] if side > 0 else pixels[index, [5, 4, 7, 6]]
            area = cv2.contourArea(quad.astype(np.float32))
            own = seen[count + index + 1] if side > 0 else seen[count - index - 1]
            visible = min(1.0, own / max(area, 1.0))
            if visible < 0.08 or quad.max(0).min() < 0 or (quad.min(0) > [width, height]).any():
                continue
            code = p.code if side > 0 else "x"
            edge = quad[1] - quad[0] + quad[2] - quad[3]
            turn = int(round(math.degrees(math.atan2(edge[1], edge[0])) / 90)) % 4 * 90
            found.append(
                {"code": code, "corners": quad, "turn": turn, "visible": visible, "red": p.red and code != "x", "placement": p}
            )
        return found


def camera(target, tile_pixels, pitch, yaw, roll, focal, size, distortion=0.0):
    """A camera that looks at a point of the table where a tile is `tile_pixels` wide; angles in radians."""
    height, width = size
    forward = np.array([math.sin(yaw) * math.cos(pitch), math.cos(yaw) * math.cos(pitch), -math.sin(pitch)])
    right = np.array([math.cos(yaw), -math.sin(yaw), 0.0])
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    axes = np.stack([c * right + s * down, -s * right + c * down, forward])
    eye = np.array([target[0], target[1], 0.3]) - forward * focal / tile_pixels
    return raytrace.Camera(eye, axes, float(focal), np.array([width / 2, height / 2]), distortion)


def light(rng, target, hard=1.0):
    """A lamp somewhere above, warm or cold, near or far; `hard` scales how uneven it is."""
    low = math.radians(rng.uniform(35, 88))
    a = rng.uniform(0, 2 * math.pi)
    direction = np.array([math.cos(a) * math.cos(low), math.sin(a) * math.cos(low), math.sin(low)])
    share = rng.uniform(0.25, 0.75)
    warm = rng.normal(0, 0.1 * hard)
    tint = np.array([1 - warm, 1.0, 1 + warm])
    spread = rng.uniform(8, 20) if rng.random() < 0.3 * hard else rng.uniform(20, 90)
    return raytrace.Light(
        direction, share * tint * 1.15, (1 - share) * (2 - tint), rng.uniform(0.02, 0.45),
        np.asarray(target[:2], float) + rng.normal(0, 0.3 * spread, 2), spread, rng.uniform(0.04, 0.5, 2),
    )


def _motion(rng, image, length):
    size = int(length) * 2 + 1
    kernel = np.zeros((size, size), np.float32)
    a = rng.uniform(0, math.pi)
    tip = np.array([math.cos(a), math.sin(a)]) * length / 2
    middle = size // 2
    cv2.line(kernel, tuple(np.round(middle - tip).astype(int).tolist()), tuple(np.round(middle + tip).astype(int).tolist()), 1.0)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def _soft_noise(rng, h, w, cell):
    small = rng.normal(0, 1, (int(h / cell) + 2, int(w / cell) + 2)).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def photograph(rng, picture, hard=1.0, tile_pixels=60.0):
    """From linear light to the pixels of a camera: exposure, cast, shadow, blur, noise, sharpening, JPEG."""
    h, w = picture.shape[:2]
    out = picture * np.float32(np.exp(rng.normal(0.1, 0.28 * hard)))
    if rng.random() < 0.5 * hard:
        out = out * np.exp(rng.normal(0, 0.12 * hard, 3)).astype(np.float32)
    ys, xs = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    if rng.random() < 0.3:
        out = out * (1 - rng.uniform(0.05, 0.35) * np.clip(xs**2 + ys**2, 0, 2) / 2)[..., None]
    if rng.random() < 0.3 * hard:  # a large soft shadow: the photographer's own
        field_ = _soft_noise(rng, h, w, max(h, w) / 3) + rng.normal(0, 0.5)
        out = out * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-field_ * rng.uniform(2, 15))))[..., None].astype(np.float32)
    blur = rng.random()
    if blur < 0.35 * hard:
        out = cv2.GaussianBlur(out, (0, 0), float(np.clip(tile_pixels * rng.uniform(0.004, 0.03), 0.3, 2.5)))
    elif blur < 0.45 * hard:
        out = _motion(rng, out, np.clip(tile_pixels * rng.uniform(0.02, 0.09), 1, 8))
    if rng.random() < 0.12 * hard:  # haze or flare
        spot = np.exp(-((xs - rng.uniform(-1, 1)) ** 2 + (ys - rng.uniform(-1, 1)) ** 2) / rng.uniform(0.05, 1.5))
        out = out + np.float32(rng.uniform(0.05, 0.5)) * spot[..., None]
    if rng.random() < 0.7:
        grain = rng.uniform(0.002, 0.02) * (1 + hard * rng.random())
        noise = rng.normal(0, 1, out.shape).astype(np.float32)
        if rng.random() < 0.5:
            noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.4, 1.0)) * 1.6
        out = out + noise * grain * np.sqrt(np.clip(out, 0.01, 1))
    out = np.clip(out, 0, None)
    if rng.random() < 0.6:  # shoulder: bright parts roll off
        out = out * (1 + out / 2.2) / (1 + out)
        out = out * 1.2
    out = np.clip(out, 0, 1) ** np.float32(1 / PHOTO_GAMMA * np.exp(rng.normal(0, 0.1 * hard)))
    if rng.random() < 0.35:
        sharp = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 1.6))
        out = out + rng.uniform(0.2, 1.0) * (out - sharp)
    grey = out.mean(2, keepdims=True)
    out = grey + (out - grey) * np.float32(rng.uniform(1 - 0.35 * hard, 1 + 0.25 * hard))
    out = (np.clip(out, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.uniform(35 if hard > 0.6 else 70, 95))
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
    return out
