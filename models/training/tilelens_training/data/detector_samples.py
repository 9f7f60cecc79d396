"""Training samples of the detector: crops of real photos and drawn scenes, and the maps they teach.

A sample is a square picture with `Truth`s. Real tiles come with corners or only with a box; drawn ones
always with corners. Every geometric change is one homography applied to picture and labels alike.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from tilelens_training import labels
from tilelens_training.data import bad_light
from tilelens_training.data.blank_tiles import remove_ink
from tilelens_training.data.distortions import motion_blur
from tilelens_training.paths import TRAINING
from tilelens_training.render import clutter

STRIDE = 4
FACE, BACK = 0, 1
SMALLEST = 8.0  # short side in pixels; below, a tile is neither right nor wrong
UNLABELLED = 0.08  # weight of background where tiles without a box may lie
BACK_UNLABELLED = 0.05  # weight of "no back here" in photos that may show some without a box
BACKS = json.loads((TRAINING / "labels/backs.json").read_text())  # our own labels of backs
CLUTTER_SHARE = 0.06  # of the samples: drawn pictures of what is no tile
PHOTOGRAPH_SHARE = 0.16  # of the samples: photographs without a tile

cv2.setNumThreads(1)


@dataclass
class Truth:
    """One tile of a sample: a quad, and how much of it is known."""

    quad: np.ndarray  # float32 4x2
    kind: int  # FACE or BACK
    corners: bool  # the quad's corners are the tile's
    box: bool  # at least the quad's bounding box is the tile's
    ignore: bool = False


@dataclass
class Sample:
    """A picture before or after cropping."""

    image: np.ndarray
    truths: list[Truth]
    negative: float  # weight of unlabelled background in the face channel
    back_negative: float  # the same in the back channel
    clear: list[np.ndarray] = field(default_factory=list)  # outlines known to hold no other tile


def _box_quad(box: np.ndarray) -> np.ndarray:
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def photo_sample(photo: labels.Photo) -> Sample:
    """A labelled photo as a sample."""
    truths = []
    for tile in photo.tiles:
        has_corners = tile.corners is not None and (tile.self_labelled or not photo.loose)
        quad = tile.corners if has_corners and tile.corners is not None else _box_quad(tile.box)
        truths.append(Truth(quad, FACE, has_corners, has_corners or not photo.loose, tile.ignore))
    if photo.source == "photographs":
        return Sample(photo.read(), [], 1.0, 1.0)
    known = photo.complete or not photo.tiles
    judged = BACKS["photos"].get(photo.source, {}).get(photo.file, {})
    truths += [Truth(np.array(quad, np.float32), BACK, True, True) for quad in judged.get("backs", ())]
    clear = [np.array(quad, np.float32) for quad in judged.get("none", ())]
    no_backs = 0.7 if photo.group in BACKS["without_backs"] else BACK_UNLABELLED
    return Sample(photo.read(), truths, 1.0 if known else UNLABELLED, no_backs, clear)


def scene_sample(path: Path) -> Sample:
    """A drawn scene with its labels beside it."""
    tiles = json.loads(path.with_suffix(".json").read_text())["tiles"]
    truths = [
        Truth(
            np.array(tile["corners"], np.float32),
            BACK if tile["code"] == "x" else FACE,
            True,
            True,
            tile.get("visible", 1.0) < 0.5,
        )
        for tile in tiles
    ]
    return Sample(labels.read_picture(path), truths, 1.0, 1.0)


def sides(quad: np.ndarray) -> tuple[float, float]:
    """Short and long side of a quad, opposite edges averaged."""
    edge = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    a, b = (edge[0] + edge[2]) / 2, (edge[1] + edge[3]) / 2
    return min(a, b), max(a, b)


def _turn(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]], np.float64)


def _squeeze(rng: np.random.Generator) -> float:
    """How flat a table looks: as from above mostly, now and then as from its edge."""
    return rng.uniform(0.55, 1.0) if rng.random() < 0.65 else rng.uniform(0.33, 0.6)


def blank_some(sample: Sample, rng: np.random.Generator) -> None:
    """Makes white dragons of a few tiles whose corners are known."""
    able = [t.quad for t in sample.truths if t.kind == FACE and t.corners and not t.ignore and sides(t.quad)[0] >= 12]
    sample.image = np.ascontiguousarray(sample.image)
    for k in rng.permutation(len(able))[: int(rng.integers(1, 4))]:
        remove_ink(sample.image, able[k], rng)


def crop(sample: Sample, size: int, rng: np.random.Generator) -> Sample:
    """A random square view of a sample: place, scale, turn, squeeze, mirror and tilt.

    Half of the views keep the axes (quarter turns only), where a bare box stays a box.
    """
    height, width = sample.image.shape[:2]
    real = [t for t in sample.truths if not t.ignore]
    if real:
        short = float(np.median([sides(t.quad)[0] for t in real]))
        small, large = (10, 110) if rng.random() < 0.6 else (40, 0.6 * size)
        wanted = math.exp(rng.uniform(math.log(small), math.log(large)))
        least = 0.55 * size / min(height, width)  # below, most of the view would be empty
        scale = float(np.clip(wanted / max(short, 4), least, 5.0))
        if rng.random() < 0.8:
            centre = real[rng.integers(len(real))].quad.mean(0) + rng.normal(0, 0.3 * size / scale, 2)
        else:
            centre = rng.uniform(0, 1, 2) * [width, height]
    else:
        whole = min(0.6, size / min(height, width))
        scale = float(math.exp(rng.uniform(math.log(whole), math.log(2.5))))
        centre = rng.uniform(0.1, 0.9, 2) * [width, height]
    margin = np.minimum(0.35 * size / scale, np.array([width, height], np.float64) / 2)
    centre = np.clip(centre, margin, [width, height] - margin)
    keeps_axes = rng.random() < 0.5
    if keeps_axes:
        linear = _turn(rng.integers(4) * math.pi / 2)
        if rng.random() < 0.4:
            linear = np.diag([1.0, _squeeze(rng)]) @ linear
    else:
        linear = _turn(rng.normal(0, 0.15) if rng.random() < 0.3 else rng.uniform(0, 2 * math.pi))
        if rng.random() < 0.45:
            along = _turn(rng.uniform(0, math.pi))
            linear = linear @ along @ np.diag([1.0, _squeeze(rng)]) @ along.T
    if rng.random() < 0.5:
        linear = linear @ np.diag([-1.0, 1.0])
    matrix = np.eye(3)
    matrix[:2, :2] = linear * scale
    matrix[:2, 2] = size / 2 - linear @ centre * scale
    if not keeps_axes and rng.random() < 0.4:
        tilt = np.eye(3)
        tilt[2, :2] = rng.normal(0, 0.35, 2) / size
        to_middle = np.array([[1, 0, -size / 2], [0, 1, -size / 2], [0, 0, 1]], np.float64)
        matrix = np.linalg.inv(to_middle) @ tilt @ to_middle @ matrix
    return _warp(sample, matrix, scale, size, keeps_axes, rng)


def _warp(sample: Sample, matrix: np.ndarray, scale: float, size: int, keeps_axes: bool, rng: np.random.Generator) -> Sample:
    image, to_small = sample.image, np.eye(3)
    if scale < 0.7:  # shrink first, so that fine detail is averaged and not skipped
        f = scale / 0.85
        image = cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        to_small = np.diag([image.shape[1] / sample.image.shape[1], image.shape[0] / sample.image.shape[0], 1.0])
    border = [float(v) for v in rng.uniform(0, 255, 3)]
    view = cv2.warpPerspective(
        image,
        matrix @ np.linalg.inv(to_small),
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE if rng.random() < 0.3 else cv2.BORDER_CONSTANT,
        borderValue=border if rng.random() < 0.6 else 0,
    )
    mirrored = np.linalg.det(matrix[:2, :2]) < 0
    truths = []
    for t in sample.truths:
        points = np.hstack([t.quad.astype(np.float64), np.ones((4, 1))]) @ matrix.T
        if (points[:, 2] < 0.2).any():
            continue
        quad = (points[:, :2] / points[:, 2:]).astype(np.float32)
        if mirrored:  # corners stay clockwise
            quad = quad[::-1].copy()
        if quad.max(0).min() < 0 or quad.min(0).max() > size:
            continue
        truths.append(Truth(quad, t.kind, t.corners, t.box and (t.corners or keeps_axes), t.ignore))
    clear = []
    for outline in sample.clear:
        points = np.hstack([outline.astype(np.float64), np.ones((4, 1))]) @ matrix.T
        if (points[:, 2] > 0.2).all():
            clear.append(points[:, :2] / points[:, 2:])
    return Sample(view, truths, sample.negative, sample.back_negative, clear)


def mosaic(parts: list[Sample]) -> Sample:
    """Four half-size samples side by side; each keeps its own background weight through `Sample`'s least."""
    size = parts[0].image.shape[0]
    truths, clear = [], []
    for part, offset in zip(parts, ((0, 0), (size, 0), (0, size), (size, size))):
        for t in part.truths:
            centre = t.quad.mean(0)
            cut = not (0 <= centre[0] < size and 0 <= centre[1] < size)
            if cut or _inside(t.quad, size) < 0.6:
                t = Truth(np.clip(t.quad, 0, size), t.kind, False, False, True)
            truths.append(Truth(t.quad + np.array(offset, np.float32), t.kind, t.corners, t.box, t.ignore))
        clear += [outline + offset for outline in np.clip(part.clear, 0, size)] if part.clear else []
    top = np.hstack([parts[0].image, parts[1].image])
    bottom = np.hstack([parts[2].image, parts[3].image])
    return Sample(
        np.vstack([top, bottom]), truths, min(p.negative for p in parts), min(p.back_negative for p in parts), clear
    )


def paste_clutter(sample: Sample, rng: np.random.Generator) -> None:
    """Lays paper, cards, strips and screens where no tile is: light oblongs that are no tiles."""
    size = sample.image.shape[0]
    shorts = [sides(t.quad)[0] for t in sample.truths] or [size * 0.12]
    short = float(np.median(shorts))
    taken = np.zeros((size, size), np.uint8)
    for t in sample.truths:
        cv2.fillConvexPoly(taken, np.round(t.quad).astype(np.int32), 1)
    for _ in range(int(rng.integers(1, 5))):
        strip = rng.random() < 0.5
        w = short * (rng.uniform(1.6, 6) if not strip else rng.uniform(0.3, 0.9))
        h = w * rng.uniform(1.0, 1.6) if not strip else short * rng.uniform(2.2, 8)
        w, h = max(w, 6), max(h, 8)
        paper = np.empty((int(min(h, size)), int(min(w, size)), 3), np.float32)
        ink = rng.random() < 0.6
        tone = rng.uniform(150, 255)
        paper[:] = tone + rng.normal(0, 12, 3)
        paper += np.linspace(-1, 1, paper.shape[0])[:, None, None] * rng.uniform(-25, 25)
        paper = np.clip(paper, 0, 255).astype(np.uint8)
        if rng.random() < 0.35:
            side = max(paper.shape[:2])
            paper = np.ascontiguousarray(clutter.flat(rng, side)[: paper.shape[0], : paper.shape[1]])
        elif ink:
            colour = [float(v) for v in rng.uniform(0, 160, 3)]
            for _ in range(int(rng.integers(1, 7))):
                x, y = rng.uniform(0, paper.shape[1]), rng.uniform(0, paper.shape[0])
                kind = rng.integers(3)
                if kind == 0:
                    text = "".join(chr(c) for c in rng.integers(33, 123, rng.integers(1, 7)))
                    cv2.putText(paper, text, (int(x * 0.6), int(y)), int(rng.integers(8)), max(0.2, w / 90), colour, 1)
                elif kind == 1:
                    cv2.line(paper, (0, int(y)), (paper.shape[1], int(y)), colour, 1)
                else:
                    cv2.circle(paper, (int(x), int(y)), max(1, int(w * rng.uniform(0.03, 0.2))), colour, -1)
        ph, pw = paper.shape[:2]
        place = np.hstack([_turn(rng.uniform(0, 2 * math.pi)), rng.uniform(0, size, (2, 1))])
        place[:, 2] -= place[:, :2] @ [pw / 2, ph / 2]
        mask = cv2.warpAffine(np.full((ph, pw), 255, np.uint8), place, (size, size))
        if (taken & (mask > 0)).any():
            continue
        sample.clear.append(np.array([[0, 0], [pw, 0], [pw, ph], [0, ph]], np.float64) @ place[:, :2].T + place[:, 2])
        layer = cv2.warpAffine(paper, place, (size, size))
        alpha = (mask.astype(np.float32) / 255)[..., None]
        sample.image = (sample.image * (1 - alpha) + layer * alpha).astype(np.uint8)


def lay_row(sample: Sample, rng: np.random.Generator) -> None:
    """Lays a row of touching tiles that show no face: backs, which are taught, or blank sides, which are not."""
    size = sample.image.shape[0]
    shorts = [sides(t.quad)[0] for t in sample.truths if not t.ignore] or [size * rng.uniform(0.06, 0.3)]
    w = float(np.clip(np.median(shorts) * rng.uniform(0.7, 1.3), 10, size / 2))
    h = w * rng.uniform(1.25, 1.45)
    backs = rng.random() < 0.6
    columns, rows = int(rng.integers(1, 9)), int(rng.integers(1, 3))
    cell_h = h if backs else h * rng.uniform(0.4, 0.75)
    k = 24.0 / w  # drawn 24 pixels wide, or larger when the view is
    k = max(k, 1.0)
    cw, ch = w * k, cell_h * k
    board = np.zeros((int(math.ceil(ch * rows)), int(math.ceil(cw * columns)), 3), np.float32)
    ivory = rng.uniform(170, 250) * np.array([rng.uniform(0.75, 1), rng.uniform(0.9, 1), 1.0], np.float32)
    hue = int(rng.integers(180))
    saturation, value = (int(rng.integers(60, 255)), int(rng.integers(60, 230)))
    tint = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    split = rng.uniform(0.25, 0.5)
    for row in range(rows):
        for column in range(columns):
            x0, x1 = int(column * cw), int((column + 1) * cw)
            y0, y1 = int(row * ch), int((row + 1) * ch)
            shade = rng.uniform(0.88, 1.08)
            board[y0:y1, x0:x1] = (tint if backs else ivory) * shade
            if not backs:
                board[y0 : y0 + int((y1 - y0) * split), x0:x1] = tint * shade
            board[y0:y1, x0 : x0 + 1] *= 0.55
            board[y1 - 1 : y1, x0:x1] *= 0.6
    board += np.linspace(-1, 1, board.shape[1])[None, :, None] * rng.uniform(-25, 25)
    board = np.clip(board, 0, 255).astype(np.uint8)
    bh, bw = board.shape[:2]
    corner = np.array([[0, 0], [bw, 0], [bw, bh], [0, bh]], np.float32)
    tilt = corner / k
    tilt[:2] = (tilt[:2] - tilt.mean(0)) * rng.uniform(0.8, 1.0) + tilt.mean(0)
    tilt[:, 1] *= rng.uniform(0.55, 1.0)
    covered = np.zeros((size, size), np.uint8)
    for t in sample.truths:
        cv2.fillConvexPoly(covered, np.round(t.quad).astype(np.int32), 255)
    for _ in range(8):
        outline = (tilt - tilt.mean(0)) @ _turn(rng.uniform(0, 2 * math.pi)).T + rng.uniform(0, size, 2)
        matrix = cv2.getPerspectiveTransform(corner, outline.astype(np.float32))
        mask = cv2.warpPerspective(np.full((bh, bw), 255, np.uint8), matrix, (size, size))
        if not (covered & mask).any():
            break
    else:
        return
    layer = cv2.warpPerspective(board, matrix, (size, size), flags=cv2.INTER_AREA)
    alpha = (mask.astype(np.float32) / 255)[..., None]
    sample.image = (sample.image * (1 - alpha) + layer * alpha).astype(np.uint8)
    sample.clear.append(outline)
    if not backs:
        return
    for row in range(rows):
        for column in range(columns):
            cell = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + [column, row]
            quad = cv2.perspectiveTransform((cell * [cw, ch])[None].astype(np.float32), matrix)[0]
            if quad.max(0).min() > 0 and quad.min(0).max() < size:
                sample.truths.append(Truth(quad, BACK, True, True))


def colour(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Light, cast, grey, channel order, blur, noise and JPEG."""
    if rng.random() < 0.7:
        cast = rng.uniform(0.75, 1.2, 3) if rng.random() < 0.5 else 1.0
        gain, lift, gamma = rng.uniform(0.55, 1.25) * cast, rng.uniform(-20, 20), rng.uniform(0.65, 1.5)
        ramp = (np.arange(256) / 255.0)[:, None] ** gamma * 255 * gain + lift
        ramp = np.clip(np.broadcast_to(ramp, (256, 3)), 0, 255).astype(np.uint8)
        image = cv2.LUT(image, np.ascontiguousarray(ramp[:, None]))
    if rng.random() < 0.15:
        image = bad_light.spoil(image, rng)
    pick = rng.random()
    if pick < 0.09:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    elif pick < 0.18:
        image = np.ascontiguousarray(image[..., rng.permutation(3)])
    blur = rng.random()
    if blur < 0.2:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.8))
    elif blur < 0.27:
        image = motion_blur(rng, image, longest=7)
    elif blur < 0.35:
        image = bad_light.coarsen(image, rng)
    if rng.random() < 0.12:
        image = bad_light.darken(image, rng)
    elif rng.random() < 0.2:
        y, x = rng.integers(0, 512 - image.shape[0] + 1, 2)
        noise = bad_light.NOISE[y : y + image.shape[0], x : x + image.shape[1]] * rng.uniform(2, 14)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        image = bad_light.coded(image, rng.uniform(25, 85))
    return image


def _inside(quad: np.ndarray, size: int) -> float:
    """Share of a quad's area that lies in the picture."""
    area = cv2.contourArea(quad)
    if area < 1 or not cv2.isContourConvex(quad):
        return 0.0
    frame = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    return cv2.intersectConvexConvex(quad, frame)[0] / area


def targets(sample: Sample) -> tuple[np.ndarray, ...]:
    """The maps of a sample: heat (2), its weight (2), quad (8, pixels from the cell's centre), side, corner weight.

    Around each centre, cells learn the quad: by its corners where they are known (weight 1), by its
    bounding box where only that is known (weight 0 with side > 0).
    """
    size = sample.image.shape[0]
    grid = size // STRIDE
    heat = np.zeros((2, grid, grid), np.float32)
    weight = np.empty((2, grid, grid), np.float32)
    weight[FACE], weight[BACK] = sample.negative, sample.back_negative
    quads = np.zeros((8, grid, grid), np.float32)
    side = np.zeros((grid, grid), np.float32)
    known = np.zeros((grid, grid), np.float32)
    nearest = np.full((grid, grid), np.inf, np.float32)
    taught, masked = [], []
    for t in sample.truths:
        short, long = sides(t.quad)
        if not t.corners:
            short *= 0.85  # of a box around a tile that may lie turned
        usable = not t.ignore and short >= SMALLEST and short > 0.22 * long and _inside(t.quad, size) >= 0.6
        cell = np.floor(t.quad.mean(0) / STRIDE).astype(int)
        if usable and (cell >= 0).all() and (cell < grid).all():
            taught.append((t, short, cell))
        else:
            masked.append(t)
    for outline in sample.clear:
        for channel in (FACE, BACK):
            cv2.fillConvexPoly(weight[channel], np.round(outline / STRIDE - 0.5).astype(np.int32), 1.0)
    for t, _, _ in taught:
        polygon = np.round(t.quad / STRIDE - 0.5).astype(np.int32)
        for channel in (FACE, BACK):
            cv2.fillConvexPoly(weight[channel], polygon, 1.0)
    for t in masked:
        polygon = np.round(t.quad / STRIDE - 0.5).astype(np.int32)
        for channel in (FACE, BACK):
            cv2.fillConvexPoly(weight[channel], polygon, 0.0)
    for t, short, cell in taught:
        centre = t.quad.mean(0) / STRIDE
        sigma = max(0.7, short / STRIDE * 0.13)
        radius = max(0.75, short / STRIDE * 0.2)
        reach = int(math.ceil(max(3 * sigma, radius)))
        x0, y0 = np.maximum(cell - reach, 0)
        x1, y1 = np.minimum(cell + reach + 1, grid)
        ys, xs = np.mgrid[y0:y1, x0:x1] + 0.5
        distance = (xs - centre[0]) ** 2 + (ys - centre[1]) ** 2
        window = heat[t.kind, y0:y1, x0:x1]
        np.maximum(window, np.minimum(np.exp(-distance / (2 * sigma**2)), 0.998), out=window)
        heat[t.kind, cell[1], cell[0]] = 1.0
        weight[t.kind, cell[1], cell[0]] = 1.0
        if not t.box:
            continue
        relative = distance / short**2
        mine = (distance <= radius**2) & (relative < nearest[y0:y1, x0:x1])
        nearest[y0:y1, x0:x1][mine] = relative[mine]
        offsets = np.stack([p - xs * STRIDE for p in t.quad[:, 0]] + [p - ys * STRIDE for p in t.quad[:, 1]])
        quads[:, y0:y1, x0:x1][:, mine] = offsets[:, mine]
        side[y0:y1, x0:x1][mine] = short
        known[y0:y1, x0:x1][mine] = float(t.corners)
    return heat, weight, quads, side, known


class Mix:
    """An endless, seeded mixture of photos and scenes; the scenes folder is listed again as it fills."""

    RELIST = 2000  # samples between two looks at the scenes folder

    def __init__(
        self, photos: list[labels.Photo], photographs: list[labels.Photo], scenes: Path, size: int, scene_share: float, seed: int
    ):
        self.photos, self.scenes_dir, self.size = photos, scenes, size
        self.photographs: dict[str, list[labels.Photo]] = {}
        for photo in photographs:
            self.photographs.setdefault(photo.group, []).append(photo)
        shares = [len(group) ** 0.5 for group in self.photographs.values()]
        self.packages = np.cumsum(shares) / max(np.sum(shares), 1)
        self.scene_share, self.seed = scene_share, seed
        groups: dict[str, int] = {}
        for photo in photos:
            groups[photo.group] = groups.get(photo.group, 0) + 1
        rate = [groups[p.group] ** -0.5 * (1.5 if not p.tiles else 1.0) * (1.5 if p.complete else 1.0) for p in photos]
        self.cumulative = np.cumsum(rate) / np.sum(rate)
        self.scenes: list[Path] = []
        self.drawn = 0

    def __len__(self) -> int:
        return 1 << 30

    def _one(self, rng: np.random.Generator, size: int) -> Sample:
        if rng.random() < CLUTTER_SHARE:
            return Sample(clutter.picture(rng, size), [], 1.0, 1.0)
        if self.photographs and rng.random() < PHOTOGRAPH_SHARE:
            package = list(self.photographs.values())[min(int(np.searchsorted(self.packages, rng.random())), len(self.packages) - 1)]
            return crop(photo_sample(package[rng.integers(len(package))]), size, rng)
        if self.scenes and rng.random() < self.scene_share:
            return crop(scene_sample(self.scenes[rng.integers(len(self.scenes))]), size, rng)
        index = min(int(np.searchsorted(self.cumulative, rng.random())), len(self.photos) - 1)
        return crop(photo_sample(self.photos[index]), size, rng)

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        if self.drawn % self.RELIST == 0:
            # a scene counts once its labels are there; the last few may still be being written
            self.scenes = [p.with_suffix(".jpg") for p in sorted(self.scenes_dir.glob("*.json"))[:-4]]
        self.drawn += 1
        rng = np.random.default_rng((self.seed, index))
        if rng.random() < 0.18:
            sample = mosaic([self._one(rng, self.size // 2) for _ in range(4)])
        else:
            sample = self._one(rng, self.size)
        if sample.truths and rng.random() < 0.15 and sample.negative == 1.0 and all(t.corners or t.ignore for t in sample.truths):
            sample.image = bad_light.repaint(sample.image, [t.quad for t in sample.truths], rng)
        if rng.random() < 0.15:
            blank_some(sample, rng)
        if rng.random() < 0.2:
            paste_clutter(sample, rng)
        if rng.random() < 0.2:
            lay_row(sample, rng)
        if rng.random() < 0.3:
            sample.image = bad_light.shade_and_gloss(sample.image, rng)
        sample.image = colour(sample.image, rng)
        return tuple(map(np.ascontiguousarray, (sample.image, *targets(sample))))
