"""Training samples of the classifier: which cut, which quad, which distortion.

A sample is a CROP x CROP BGR image with its class, the four booleans of its possible turns (which
corner of the crop [top left, top right, bottom right, bottom left] may be the face's own top left)
and the red target: 1, 0, or -1 where the crop cannot tell.
"""

import argparse
from collections.abc import Callable

import cv2
import numpy as np

from tilelens_training.crops import MARGIN, PATCH, SQUARE, TILE, warp
from tilelens_training.data.bad_light import spoil
from tilelens_training.data.cuts import Cuts, background_cuts, crop_cuts, false_detection_cuts, photo_cuts, photograph_cuts, scene_cuts
from tilelens_training.data.distortions import jittered_square, photograph, shuffle_colours
from tilelens_training.data.photographs import photographs
from tilelens_training.faces import BACK, BONUS, FIVES, HALF_TURN_ALIKE, INDEX, REJECT, WHITE
from tilelens_training.render.artwork import Drawing, load_drawings
from tilelens_training.render.drawn_tiles import (
    art_tile,
    back_colour,
    back_tile,
    blank_body,
    body_colour,
    printed_clutter,
    side_wall,
    white_dragon,
)
from tilelens_training.render.invented_faces import invented, marks

# Shares of the mix; where fewer are drawn, more are photos.
MIX = {"photo": 0.33, "crop": 0.20, "scene": 0.08, "art": 0.175, "red": 0.025, "flower": 0.05, "bird": 0.02, "white": 0.02, "back": 0.02, "reject": 0.2}
# Share of the samples that a bad camera, channel or lamp spoils beyond that.
SPOILT = 0.12
ALL_TURNS = np.ones(4, bool)
Sources = tuple[Cuts, Cuts, Cuts, list[Drawing], np.ndarray, tuple[np.ndarray, np.ndarray], list[Drawing]]  # as the sampler takes them
Drawn = tuple[np.ndarray, int, np.ndarray, int, np.ndarray | None]  # cut, class, turns, red; its quad where not the middle
AXIS = np.array([True, False, True, False])


class Sampler:
    """Draws samples from photo cuts, single-face crops, rendered scenes, drawings, background and false detections."""

    def __init__(
        self, photo_cuts: Cuts, crop_cuts: Cuts, scene_cuts: Cuts, drawings: list[Drawing], background: np.ndarray,
        found: tuple[np.ndarray, np.ndarray], marks: list[Drawing], seed: int | list[int], drawn: float = MIX["art"],
    ):
        self.photo, self.crop, self.drawings, self.background = photo_cuts, crop_cuts, drawings, background
        self.scene, (self.found, self.found_faces), self.marks = scene_cuts, found, marks
        self.random = np.random.default_rng(seed)
        self.photo_rows = rows_by_face(photo_cuts)
        self.crop_rows = rows_by_face(crop_cuts)
        self.crop_group_rows = {group: np.flatnonzero(crop_cuts.groups == group) for group in np.unique(crop_cuts.groups)}
        self.art_by_face: dict[int, list[Drawing]] = {}
        for drawing in drawings:
            self.art_by_face.setdefault(INDEX[drawing.code], []).append(drawing)
        self.red_rows = np.flatnonzero(photo_cuts.red == 1)
        self.plain_rows = np.flatnonzero(np.isin(photo_cuts.faces, list(FIVES)) & (photo_cuts.red == 0))
        mix = MIX | {"art": drawn, "photo": MIX["photo"] + MIX["art"] - drawn}
        self.kinds = list(mix)
        self.shares = np.array(list(mix.values())) / sum(mix.values())
        weights = np.ones(42)
        weights[list(BONUS)] = 1.8
        weights[INDEX["1s"]] = 1.8  # each maker draws a bird of his own
        self.face_weights = weights / weights.sum()

    def draw(self) -> tuple[np.ndarray, int, np.ndarray, int]:
        """One sample: image, class, turns and red."""
        random = self.random
        kind = self.kinds[random.choice(len(self.kinds), p=self.shares)]
        cut, face, turns, red, quad = getattr(self, f"_{kind}")()
        if quad is None:
            quad = jittered_square(random)
        turned = int(random.integers(4))
        image = photograph(random, warp(cut, np.roll(quad, turned, axis=0)))
        image, faithful = (image, True) if kind == "red" else shuffle_colours(random, image)
        if kind != "red" and random.random() < SPOILT:
            image, faithful = spoil(image, random), False
        return image, face, np.roll(turns, turned), red if faithful else -1

    def batch(self, size: int) -> tuple[np.ndarray, ...]:
        """Arrays of `size` samples."""
        images, faces, turns, red = zip(*(self.draw() for _ in range(size)), strict=True)
        return np.stack(images), np.array(faces, np.int64), np.stack(turns), np.array(red, np.int64)

    def _face(self) -> int:
        return int(self.random.choice(42, p=self.face_weights))

    def _photo(self) -> Drawn:
        rows, weights = self.photo_rows[self._face()]
        row = self.random.choice(rows, p=weights)
        photo = self.photo
        return photo.pixels[row], photo.faces[row], photo.turns[row], photo.red[row], None

    def _scene(self) -> Drawn:
        scene = self.scene
        row = int(self.random.integers(len(scene)))
        return scene.pixels[row], scene.faces[row], scene.turns[row], scene.red[row], None

    def _crop(self) -> Drawn:
        rows, weights = self.crop_rows[self._face()]
        row = self.random.choice(rows, p=weights)
        crop = self.crop
        neighbours = self.crop_group_rows[crop.groups[row]]
        tile = crop.pixels[row]
        if crop.faces[row] == INDEX["1s"] and self.random.random() < 0.5:
            tile = among_flowers(self.random, tile, self._plant)
        cut = self._surround(tile, lambda: crop.pixels[self.random.choice(neighbours)])
        return cut, crop.faces[row], crop.turns[row], crop.red[row], None

    def _bird(self) -> Drawn:
        """A one of bamboo with flowers about its bird and no mark, which would make it a flower."""
        random, face = self.random, INDEX["1s"]
        if random.random() < 0.6:
            rows, weights = self.crop_rows[face]
            tile = self.crop.pixels[random.choice(rows, p=weights)]
        else:
            tile = art_tile(random, self._drawing(face))
        tile = among_flowers(random, tile, self._plant)
        cut = self._surround(tile, lambda: self.crop.pixels[random.integers(len(self.crop))])
        return cut, face, np.array([True, False, False, False]), -1, None

    def _flower(self) -> Drawn:
        """A flower or season of real plants, whichever, under another's mark: it is the mark that tells the number."""
        mark = self.marks[self.random.integers(len(self.marks))]
        rows, weights = self.crop_rows[int(self.random.choice(sorted(BONUS)))]
        tile = marked(self.random, self.crop.pixels[self.random.choice(rows, p=weights)], self._plant(), mark.pixels)
        face = INDEX[mark.code]
        cut = self._surround(tile, lambda: self.crop.pixels[self.random.integers(len(self.crop))])
        return cut, face, self._art_turns(face), -1, None

    def _plant(self) -> np.ndarray:
        """The lower part of a flower or season, without its numeral."""
        rows, weights = self.crop_rows[int(self.random.choice(sorted(BONUS)))]
        tile = self.crop.pixels[self.random.choice(rows, p=weights)]
        return tile[int(0.34 * TILE) : int(0.94 * TILE), int(0.1 * TILE) : int(0.9 * TILE)]

    def _art(self) -> Drawn:
        face = self._face()
        drawing = self._drawing(face)
        turns = AXIS if face == WHITE else self._art_turns(face)
        cut = self._surround(art_tile(self.random, drawing), lambda: art_tile(self.random, self._drawing(self._face())))
        return cut, face, turns, int(drawing.red) if face in FIVES else -1, None

    def _red(self) -> Drawn:
        """Red fives and their plain brothers, colours true."""
        random = self.random
        # Without photos of red fives, drawings alone teach them.
        chance = random.random() if len(self.red_rows) else 1.0
        if chance < 0.35:
            row = random.choice(self.red_rows)
        elif chance < 0.65:
            row = random.choice(self.plain_rows)
        else:
            face = int(random.choice(sorted(FIVES)))
            red = random.random() < 0.7
            drawing = self.art_by_face[face][random.integers(len(self.art_by_face[face]))]
            tile = art_tile(random, drawing, force_red=red)
            cut = self._surround(tile, lambda: art_tile(random, self._drawing(self._face())))
            return cut, face, self._art_turns(face), int(red or drawing.red), None
        photo = self.photo
        return photo.pixels[row], photo.faces[row], photo.turns[row], photo.red[row], None

    def _white(self) -> Drawn:
        cut = self._surround(white_dragon(self.random), lambda: art_tile(self.random, self._drawing(self._face())))
        return cut, WHITE, AXIS, -1, None

    def _back(self) -> Drawn:
        random = self.random
        tile = back_tile(random)
        if random.random() < 0.6:
            neighbour = lambda: tile  # noqa: E731
        else:
            neighbour = lambda: self.crop.pixels[random.integers(len(self.crop))]  # noqa: E731
        return self._surround(tile, neighbour), BACK, AXIS, -1, None

    def _reject(self) -> Drawn:
        """Cuts that hold no whole tile."""
        random = self.random
        chance = random.random()
        quad = None
        if chance < 0.32:
            cuts = self.photo if random.random() < 0.75 else self.scene
            cut, quad = cuts.pixels[random.integers(len(cuts))], misplaced(random)
        elif chance < 0.47:
            cut = self.background[random.integers(len(self.background))]
            quad = rotated_square(random)
        elif chance < 0.82:
            row = int(random.integers(len(self.found)))
            if self.found_faces[row] == BACK:
                return self.found[row], BACK, AXIS, -1, None
            cut = self.found[row]
        elif chance < 0.90:
            cut = self._surround(side_wall(random), lambda: self.crop.pixels[random.integers(len(self.crop))])
        elif chance < 0.96:
            cut = self._surround(printed_clutter(random), lambda: printed_clutter(random))
        else:
            cut = paper(random)
        return cut, REJECT, ALL_TURNS, -1, quad

    def _drawing(self, face: int) -> Drawing:
        """A drawing of a face; of the whole art where the face was never drawn."""
        choices = self.art_by_face[face] if face in self.art_by_face else self.drawings
        return choices[self.random.integers(len(choices))]

    def _art_turns(self, face: int) -> np.ndarray:
        return AXIS if face in HALF_TURN_ALIKE else np.array([True, False, False, False])

    def _surround(self, tile: np.ndarray, neighbour: Callable[[], np.ndarray]) -> np.ndarray:
        """A tile on a background, with neighbours and its own side wall."""
        random = self.random
        if random.random() < 0.6:
            cut = np.rot90(self.background[random.integers(len(self.background))], int(random.integers(4))).copy()
        else:
            cut = np.empty((PATCH, PATCH, 3), np.uint8)
            cut[:] = random.uniform(0, 255, 3) if random.random() < 0.6 else random.uniform(10, 120)
        far, near = MARGIN + TILE, MARGIN
        gap = int(np.clip(random.normal(1, 2), 0, 6))
        if random.random() < 0.55:
            cut[near:far, : near - gap] = neighbour()[:, -(near - gap) :]
        if random.random() < 0.55:
            cut[near:far, far + gap :] = neighbour()[:, : PATCH - far - gap]
        if random.random() < 0.2:
            cut[: near - gap, near:far] = neighbour()[-(near - gap) :]
        if random.random() < 0.2:
            cut[far + gap :, near:far] = neighbour()[: PATCH - far - gap]
        if random.random() < 0.35:
            depth = int(random.integers(6, 34))
            wall = blank_body(random, body_colour(random) * random.uniform(0.5, 0.95))[:depth]
            band = int(depth * random.uniform(0.2, 0.6))
            wall[depth - band :] = np.clip(back_colour(random), 0, 255)
            if random.random() < 0.6:
                cut[far : far + depth, near:far] = wall
            else:
                cut[near - depth : near, near:far] = wall[::-1]
        if random.random() < 0.5:
            mask = rounded_mask(int(random.integers(3, 10)))
            inside = cut[near:far, near:far]
            tile = np.where(mask[..., None] > 127, tile, inside)
        cut[near:far, near:far] = tile
        return cut


def rows_by_face(cuts: Cuts) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each of the 42 faces, its rows and their weights: large groups count by their square root."""
    table = []
    for face in range(42):
        rows = np.flatnonzero(cuts.faces == face)
        groups = cuts.groups[rows]
        names, sizes = np.unique(groups, return_counts=True)
        size = dict(zip(names, sizes, strict=True))
        weights = np.array([size[group] ** -0.5 for group in groups])
        # Tiles whose quad is only a slanting box count half.
        weights *= np.where(cuts.turns[rows].all(1), 0.5, 1.0)
        table.append((rows, weights / weights.sum()))
    return table


ROUNDED: dict[int, np.ndarray] = {}


def rounded_mask(radius: int) -> np.ndarray:
    """A TILE x TILE mask with rounded corners."""
    if radius not in ROUNDED:
        mask = np.zeros((TILE, TILE), np.uint8)
        cv2.rectangle(mask, (radius, 0), (TILE - 1 - radius, TILE - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (TILE - 1, TILE - 1 - radius), 255, -1)
        for x in (radius, TILE - 1 - radius):
            for y in (radius, TILE - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1)
        ROUNDED[radius] = mask
    return ROUNDED[radius]


def among_flowers(random: np.random.Generator, bird: np.ndarray, plant: Callable[[], np.ndarray]) -> np.ndarray:
    """The bird smaller and anywhere, with flowers about it: many makers draw it so, and each in his own way."""
    out = np.ones((TILE, TILE, 3), np.float32)
    margin = int(0.07 * TILE)
    inner = bird[margin : TILE - margin, margin : TILE - margin]
    if random.random() < 0.5:
        inner = inner[:, ::-1]
    if random.random() < 0.5:  # birds fly any way
        middle, side = (inner.shape[1] / 2, inner.shape[0] / 2), inner.shape[1::-1]
        tilt = cv2.getRotationMatrix2D(middle, random.normal(0, 30), 1)
        inner = cv2.warpAffine(np.ascontiguousarray(inner), tilt, side, borderValue=paper_colour(inner).tolist())
    size = tuple((random.uniform(0.45, 0.85, 2) * TILE).astype(int).tolist())
    print_on(out, inner, size, *(int(random.uniform(0.04, 0.96 - side / TILE) * TILE) if side < 0.9 * TILE else margin for side in size))
    for _ in range(int(random.integers(1, 4))):
        size = tuple((random.uniform(0.22, 0.55, 2) * TILE).astype(int).tolist())
        x, y = (int(random.uniform(0.05, 0.95 - side / TILE) * TILE) for side in size)
        print_on(out, np.rot90(plant(), int(random.integers(4))), size, x, y)
    return printed(out, bird)


def marked(random: np.random.Generator, tile: np.ndarray, plant: np.ndarray, mark: np.ndarray) -> np.ndarray:
    """A tile with another plant and a mark drawn over it."""
    out = np.ones((TILE, TILE, 3), np.float32)
    if random.random() < 0.5:
        plant = plant[:, ::-1]
    size = tuple((random.uniform((0.5, 0.5), (0.84, 0.7)) * TILE).astype(int).tolist())
    x, y = (int(random.uniform(low, 0.95 - side / TILE) * TILE) for low, side in zip((0.05, 0.25), size, strict=True))
    print_on(out, plant, size, x, y)
    scale = random.uniform(0.75, 0.95)
    side = int(TILE * scale)
    left, top = (int(np.clip((TILE - side) / 2 + random.normal(0, 2), 0, TILE - side)) for _ in range(2))
    mark = cv2.resize(mark, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    alpha = mark[..., 3:] * random.uniform(0.65, 1.0)
    part = out[top : top + side, left : left + side]
    part[:] = part * (1 - alpha) + mark[..., :3] * alpha
    return printed(out, tile)


def print_on(out: np.ndarray, picture: np.ndarray, size: tuple[int, int], x: int, y: int) -> None:
    """The ink of a picture on shares of light, at a place."""
    ink = np.clip(picture.astype(np.float32) / paper_colour(picture), 0, 1.05)
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
    part = out[y : y + size[1], x : x + size[0]]
    part *= ink[: part.shape[0], : part.shape[1]]


def printed(out: np.ndarray, tile: np.ndarray) -> np.ndarray:
    """Shares of light as a print on the paper of a tile, within its edges."""
    margin = int(0.07 * TILE)
    edge = np.clip(tile.astype(np.float32), 1, 255)
    out *= paper_colour(tile)
    rim = rounded_mask(4)[..., None] / 255.0
    frame = np.zeros((TILE, TILE, 1), np.float32)
    frame[margin : TILE - margin, margin : TILE - margin] = 1
    frame = cv2.GaussianBlur(frame, (0, 0), 2)[..., None] * rim
    return np.clip(out * frame + edge * (1 - frame), 0, 255).astype(np.uint8)


def paper_colour(picture: np.ndarray) -> np.ndarray:
    """The colour of what is printed on: bright and common."""
    flat = picture.reshape(-1, 3).astype(np.float32)
    bright = flat.sum(1)
    return np.maximum(np.median(flat[bright >= np.quantile(bright, 0.6)], axis=0), 30)


def misplaced(random: np.random.Generator) -> np.ndarray:
    """A quad that holds no one tile: between two, across two, or a part of one."""
    centre = SQUARE.mean(0)
    chance = random.random()
    quad: np.ndarray = SQUARE.copy()
    along = random.choice([-1, 1]) * random.uniform(0.4, 0.6) * TILE
    across = random.normal(0, 0.1) * TILE
    if chance < 0.5:
        quad = quad + (np.array([along, across], np.float32) if random.random() < 0.5 else np.array([across, along], np.float32))
    elif chance < 0.75:
        stretch = np.array([random.uniform(1.75, 2.0), random.uniform(0.95, 2.0)])
        random.shuffle(stretch)
        quad = (quad - centre) * stretch + centre + random.normal(0, 0.12 * TILE, 2)
    elif chance < 0.9:
        stretch = np.array([random.uniform(0.3, 0.5), random.uniform(0.35, 1.0)])
        random.shuffle(stretch)
        quad = (quad - centre) * stretch + centre + random.uniform(-0.28, 0.28, 2) * TILE
    else:
        quad = quad + random.choice([-1, 1], 2) * random.uniform(0.4, 0.55, 2) * TILE
    return np.array(quad + random.normal(0, 0.03 * TILE, (4, 2)), np.float32)


def rotated_square(random: np.random.Generator) -> np.ndarray:
    """A square anywhere in a cut, at any angle."""
    side = random.uniform(0.25, 0.75) * PATCH
    centre = tuple(random.uniform(0.3, 0.7, 2) * PATCH)
    return np.array(cv2.boxPoints((centre, (side, side * random.uniform(0.8, 1.4)), float(random.uniform(0, 90)))), np.float32)


def paper(random: np.random.Generator) -> np.ndarray:
    """Blank white to grey with nothing that looks like an edge of a tile, or with one straight edge."""
    cut = np.empty((PATCH, PATCH, 3), np.float32)
    cut[:] = random.uniform(120, 255) + random.normal(0, 6, 3)
    ramp = np.linspace(-1, 1, PATCH, dtype=np.float32)
    cut *= 1 + random.normal(0, 0.08) * ramp[None, :, None] + random.normal(0, 0.08) * ramp[:, None, None]
    if random.random() < 0.6:
        cut[:, : int(random.uniform(0.3, 0.55) * PATCH)] *= random.uniform(0.2, 0.85)
    return np.clip(cut, 0, 255).astype(np.uint8)


def training_sources(options: argparse.Namespace) -> Sources:
    """What the sampler draws from, as it takes it."""
    nothing = photographs(options.photographs)
    return (
        photo_cuts(options.data, "train"),
        crop_cuts(options.data, "train"),
        scene_cuts(options.scenes, most=12_000),
        # Real artwork has few styles: each counts for several invented ones.
        load_drawings(options.data, options.runs / "artwork.npy") * 6 + invented(options.styles, options.seed),
        np.concatenate([background_cuts(options.data, "train", options.seed), photograph_cuts(nothing, options.seed)]),
        false_detection_cuts(options.data, "train", options.models, options.seed, nothing),
        marks(2 * options.styles, options.seed),
    )
