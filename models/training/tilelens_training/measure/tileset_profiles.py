"""Chooses how much a tile set's profile counts beside the network, on split `val`, and measures single-face crops.

    python -m tilelens_training.measure.tileset_profiles --data DATA --model classifier.onnx --temperature T

DATA is a view of data/leave_out.py and the network one that was trained with it. A profile is made of the largest
tile of each face with labelled corners and turn, as `tilelens eval --leave-set-out` does; all other tiles with
corners are read. Prints, for several strengths and ranges of the fit, the errors of the network alone, with the
set's own profile, and the mean with each of the others', over the sessions of `val` (each one set); then, with
the constants of src/tileset/likeness.rs, the crop sets of split `left-out`, each taken as one picture.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from tilelens_training.crops import CROP, MARGIN, PATCH, SQUARE, TILE, warp
from tilelens_training.data.cuts import crop_cuts, cut_quad, tile_quad, usable
from tilelens_training.data.inference import session
from tilelens_training.faces import BONUS, FACES, HALF_TURN_ALIKE, INDEX
from tilelens_training.labels import photos
from tilelens_training.measure.calibrate import wilson

VIEWS = 6
UNSHOWN, TURN, SURE, ENOUGH = 0.75, 0.02, 0.97, 5
CHOSEN = 0.3  # where nothing is known of the fit


def photo_rows(data: Path, split: str, name: Callable[[str], str | None]) -> list[tuple]:
    """Tiles with corners: cut, face, whether the turn is known, set, picture, size."""
    rows = []
    for photo in photos(data, split):
        of = name(f"{photo.source}/{photo.group}")
        if of is None:
            continue
        image = photo.read()
        for tile in filter(usable, photo.tiles):
            if tile.corners is None:
                continue
            quad, turns = tile_quad(tile)
            edges = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
            face = INDEX[tile.code]
            known = turns.sum() == 1 or face in HALF_TURN_ALIKE
            rows.append((cut_quad(image, quad, PATCH, SQUARE), face, known, of, f"{photo.source}/{photo.file}", edges.min()))
    return rows


def crop_rows(data: Path, split: str) -> list[tuple]:
    """Single-face crops; each set is one picture."""
    cuts, rows = crop_cuts(data, split), []
    for pixels, face, turns, group in zip(cuts.pixels, cuts.faces, cuts.turns, cuts.groups, strict=True):
        cut = cv2.copyMakeBorder(pixels, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
        rows.append((cut, int(face), turns.sum() == 1 or face in HALF_TURN_ALIKE, group, group, 1.0))
    return rows


class Compared:
    """What network and profiles say of rows."""

    def __init__(self, runner: ort.InferenceSession, rows: list[tuple], temperature: float, seed: int = 1):
        random = np.random.default_rng(seed)
        jittered = lambda spread: (SQUARE + random.normal(0, spread * TILE, (4, 2))).astype(np.float32)  # noqa: E731
        turns = random.integers(4, size=len(rows))
        faces, turn, seen = self._run(runner, [warp(row[0], np.roll(jittered(0.015), k, axis=0)) for row, k in zip(rows, turns, strict=True)])
        self.log = log_softmax(faces / temperature)
        turn = np.maximum(log_softmax(turn), -6)
        self.faces = np.array([row[1] for row in rows])
        self.sets = np.array([row[3] for row in rows])
        shown = []
        for of in dict.fromkeys(self.sets):
            for face in range(42):
                known = [i for i, row in enumerate(rows) if row[3] == of and row[1] == face and row[2]]
                if known:
                    shown.append(max(known, key=lambda i: rows[i][5]))
        examples = np.zeros((len(shown), 4, seen.shape[1]), np.float32)
        for k in range(4):
            for view in range(VIEWS):
                crops = [changed(random, warp(rows[i][0], np.roll(jittered(0.025), k, axis=0)), view) for i in shown]
                examples[:, k] += self._run(runner, crops)[2]
        seen /= np.linalg.norm(seen, axis=1, keepdims=True)
        examples /= np.linalg.norm(examples, axis=2, keepdims=True)
        self.alike = {}
        for of in dict.fromkeys(self.sets):
            mine = [n for n, i in enumerate(shown) if self.sets[i] == of]
            cosines = np.full((len(rows), len(FACES)), np.nan, np.float32)
            cosines[:, self.faces[[shown[n] for n in mine]]] = (np.einsum("nd,fkd->nfk", seen, examples[mine]) + TURN * turn[:, None]).max(2)
            self.alike[of] = cosines
        self.pictures = defaultdict(list)
        for i, row in enumerate(rows):
            if i not in set(shown):
                self.pictures[row[4]].append(i)

    @staticmethod
    def _run(runner: ort.InferenceSession, crops: list[np.ndarray]) -> list[np.ndarray]:
        parts = [
            runner.run(["faces", "turn", "embedding"], {"crops": np.stack(crops[at : at + 256]).transpose(0, 3, 1, 2).astype(np.float32)})
            for at in range(0, len(crops), 256)
        ]
        return [np.concatenate(part) for part in zip(*parts, strict=True)]

    def fit(self, of: str, rows: Sequence[int]) -> float | None:
        """Median cosine of the tiles that the network is sure of."""
        sure = [self.alike[of][i, self.log[i, :42].argmax()] for i in rows if self.log[i, :42].max() >= np.log(SURE)]
        sure = [cosine for cosine in sure if not np.isnan(cosine)]
        return np.median(sure) if len(sure) >= ENOUGH else None

    def read(self, of: str, rows: Sequence[int], strength: float, fits: Sequence[float]) -> np.ndarray:
        """Classes of a picture's rows with a profile."""
        fit = self.fit(of, rows)
        weight = CHOSEN if fit is None else np.clip((fit - fits[0]) / (fits[1] - fits[0]), 0, 1)
        cosines = self.alike[of][rows]
        return (self.log[rows] + weight * strength * np.where(np.isnan(cosines), UNSHOWN, cosines)).argmax(1)


def changed(random: np.random.Generator, crop: np.ndarray, view: int) -> np.ndarray:
    """Other light, and every second one from afar."""
    crop = crop.astype(np.float32)
    if view % 2:
        side = int(random.integers(20, 48))
        crop = cv2.resize(cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA), (CROP, CROP))
    if view:
        crop = crop * random.uniform(0.75, 1.2) * random.uniform(0.92, 1.08, 3)
    return np.clip(crop, 0, 255).astype(np.uint8)


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Row by row."""
    logits = logits - logits.max(1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(1, keepdims=True))


def share(right: np.ndarray) -> str:
    """A share with its count and 95 % interval, as text."""
    if not len(right):
        return "none"
    low, high = wilson(int(right.sum()), len(right))
    return f"{right.mean() * 100:.2f} % ({int(right.sum())}/{len(right)}; {low * 100:.2f}-{high * 100:.2f})"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--temperature", type=float, required=True)
    parser.add_argument("--strength", type=float, default=40.0)
    parser.add_argument("--fits", type=float, nargs=2, default=(0.955, 0.985))
    options = parser.parse_args()
    runner = session(options.model)
    val = Compared(runner, photo_rows(options.data, "val", lambda group: group), options.temperature)
    names = [of for of in val.alike if (~np.isnan(val.alike[of][0])).sum() >= 25]
    print("| strength | fit from, to | n | network alone | own profile | another's, mean |\n|---|---|---|---|---|---|")
    for fits in ((0.945, 0.968), (0.945, 0.985), (0.955, 0.985), (0.965, 0.985)):
        for strength in (15, 30, 40, 60):
            count = alone = own = other = 0
            for rows in val.pictures.values():
                of = val.sets[rows[0]]
                if of not in names:
                    continue
                wrong = {name: (val.read(name, rows, strength, fits) != val.faces[rows]).sum() for name in names}
                count += len(rows)
                alone += (val.log[rows].argmax(1) != val.faces[rows]).sum()
                own += wrong.pop(of)
                other += np.mean(list(wrong.values()))
            print(f"| {strength} | {fits[0]}-{fits[1]} | {count} | {alone} | {own} | {other:.1f} |")
    crops = Compared(runner, crop_rows(options.data, "left-out"), options.temperature)
    print("\n| crop set | reading | 34 faces | flowers, seasons |\n|---|---|---|---|")
    for of, rows in crops.pictures.items():
        if len(rows) < 30:
            continue
        bonus = np.isin(crops.faces[rows], list(BONUS))
        others = [name for name in crops.alike if name != of and (~np.isnan(crops.alike[name][0])).sum() >= 30]
        ways = {"network alone": crops.log[rows].argmax(1), "own profile": crops.read(of, rows, options.strength, options.fits)}
        ways |= {f"profile of {name}": crops.read(name, rows, options.strength, options.fits) for name in others}
        for way, read in ways.items():
            right = read == crops.faces[rows]
            print(f"| {of} | {way} | {share(right[~bonus])} | {share(right[bonus])} |")


if __name__ == "__main__":
    main()
