"""Figures of a classifier on labelled tiles: faces, flowers and seasons apart, turn, calibration.

    python measure.py --data ../../../shared/data --model classifier.onnx [--model other.onnx] [--markdown REPORT.md]

Tiles are cut by their labelled corners, upright boxes where there are none, and shown to the network
in one of the four turns, without averaging over turns. `--baseline` takes a network whose outputs
are ordered and turned like those of the first experiments.
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilelens_training.data.classifier_samples import misplaced, paper, rotated_square
from tilelens_training.data.cuts import MARGIN, SQUARE, TILE, background_cuts, crop_cuts, photo_cuts
from tilelens_training.data.distortions import CROP, jittered_square, lose_resolution, warp
from tilelens_training.faces import BACK, BONUS, FACES, REJECT, WHITE
from tilelens_training.paths import DATA
from tilelens_training.render.drawn_tiles import back_tile, side_wall, white_dragon

# The class order of the first experiments' network, before back and reject.
BASELINE_ORDER = (
    [f"{n}{suit}" for suit in "psm" for n in range(1, 10)]
    + "1z 2z 3z 4z 7z 6z 5z 5f 6f 7f 8f 1f 2f 3f 4f x reject".split()
)
# It counts turns the other way round.
BASELINE_TURNS = [0, 3, 2, 1]


@dataclass
class Truth:
    """What is known of each evaluation crop."""

    faces: np.ndarray
    turns: np.ndarray
    red: np.ndarray
    groups: np.ndarray
    sets: np.ndarray


def evaluation_crops(data, split):
    """Crops of a split, undistorted, each in one of the four turns by its row number; and their truth.

    `sets` tells photo tiles with labelled corners ("photo"), with a box only, which takes in more than
    the tile where that is tilted ("box"), and single-face crops of sets left out of training ("crop").
    """
    photo, single = photo_cuts(data, split), crop_cuts(data, split)
    kinds = ["photo" if cornered else "box" for cornered in photo.cornered] + ["crop"] * len(single)
    whole = np.float32([[0, 0], [TILE, 0], [TILE, TILE], [0, TILE]])
    images, turns = [], []
    for row, pixels in enumerate([*photo.pixels, *single.pixels]):
        possible = photo.turns[row] if row < len(photo) else single.turns[row - len(photo)]
        images.append(warp(pixels, np.roll(SQUARE if row < len(photo) else whole, row % 4, axis=0)))
        turns.append(np.roll(possible, row % 4))
    join = lambda field: np.concatenate([getattr(photo, field), getattr(single, field)])  # noqa: E731
    assert images[0].shape == (CROP, CROP, 3)
    return np.stack(images), Truth(join("faces"), np.stack(turns), join("red"), join("groups"), np.array(kinds))


def softmax(logits):
    """Row by row."""
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    return shifted / shifted.sum(1, keepdims=True)


def wilson(right, count, z=1.96):
    """95 % interval of a share."""
    if not count:
        return 0.0, 1.0
    share = right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return middle - half, middle + half


def calibration_error(probabilities, faces, bins=15):
    """ECE over equal-width bins of the winning probability."""
    winner, right = probabilities.max(1), probabilities.argmax(1) == faces
    place = np.minimum((winner * bins).astype(int), bins - 1)
    return sum(abs(winner[place == b].mean() - right[place == b].mean()) * (place == b).mean() for b in range(bins) if (place == b).any())


def predict_all(predict, crops, size=256):
    """All outputs of a predictor, batch by batch."""
    parts = [predict(crops[start : start + size]) for start in range(0, len(crops), size)]
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


def score(predict, crops, truth):
    """Short figures for the training log."""
    faces, turn, _ = predict_all(predict, crops)
    right = faces.argmax(1) == truth.faces
    known = (truth.turns.sum(1) == 1) & right
    figures = {kind: round(float(right[truth.sets == kind].mean()), 5) for kind in ("photo", "box", "crop")}
    figures["bonus"] = round(float(right[np.isin(truth.faces, list(BONUS))].mean()), 4)
    figures["turn"] = round(float((truth.turns[known, :][np.arange(known.sum()), turn[known].argmax(1)]).mean()), 5)
    return figures


def session(path):
    """One-threaded ONNX Runtime session."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])


def onnx_predictor(path, baseline=False):
    """Crops N x 64 x 64 x 3 uint8 -> face and turn logits in our order, from an ONNX file."""
    runner = session(path)
    order = [BASELINE_ORDER.index(face) for face in FACES]

    def predict(crops):
        faces, turn = runner.run(None, {"crops": crops.transpose(0, 3, 1, 2).astype(np.float32)})[:2]
        return (faces[:, order], turn[:, BASELINE_TURNS]) if baseline else (faces, turn)

    return predict


def stress_crops(crops, seed=5):
    """The evaluation crops again as small, blurred tiles of 11 to 50 pixels."""
    random = np.random.default_rng(seed)
    return np.stack([lose_resolution(random, crop) for crop in crops])


def negatives(data, split, seed=7, count=600):
    """Named sets of crops that are no tile, from photos of a split and drawn."""
    random = np.random.default_rng(seed)
    photo, background = photo_cuts(data, split), background_cuts(data, split, seed)
    return {
        "between, across or within tiles": np.stack(
            [warp(photo.pixels[random.integers(len(photo))], misplaced(random)) for _ in range(count)]
        ),
        "background of photos": np.stack(
            [warp(background[random.integers(len(background))], rotated_square(random)) for _ in range(count)]
        ),
        "side walls, drawn": np.stack([warp(framed(side_wall(random)), jittered_square(random)) for _ in range(count)]),
        "paper, drawn": np.stack([warp(paper(random), jittered_square(random)) for _ in range(count)]),
    }


def framed(tile, around=90):
    """A tile on a plain surface."""
    return np.pad(tile, ((MARGIN, MARGIN), (MARGIN, MARGIN), (0, 0)), constant_values=around)


def share(right):
    """A share with its count and 95 % interval, as text."""
    if not len(right):
        return "none"
    low, high = wilson(int(right.sum()), len(right))
    return f"{right.mean() * 100:.2f} % ({int(right.sum())}/{len(right)}; {low * 100:.2f}-{high * 100:.2f})"


def confusions(faces, truth):
    """The wrong ones, most frequent pair first."""
    pairs = {}
    for true, read in zip(truth.faces, faces.argmax(1), strict=True):
        if true != read:
            name = f"{FACES[true]} as {FACES[read]}"
            pairs[name] = pairs.get(name, 0) + 1
    return sorted(pairs.items(), key=lambda item: -item[1])


def report(name, predict, data, temperature=1.0):
    """All figures of one network as lines of Markdown."""
    lines = [f"## {name}", "", "| what | right (n; 95 % interval) |", "|---|---|"]
    crops, truth = evaluation_crops(data, "val")
    faces, turn = predict_all(predict, crops)[:2]
    right = faces.argmax(1) == truth.faces
    bonus = np.isin(truth.faces, list(BONUS))
    kinds = {"photo": "photo tiles, corners labelled", "box": "photo tiles, box only", "crop": "crops of left-out sets"}
    for kind, label in kinds.items():
        lines.append(f"| {label}: 34 faces | {share(right[(truth.sets == kind) & ~bonus])} |")
        lines.append(f"| {label}: flowers, seasons | {share(right[(truth.sets == kind) & bonus])} |")
    for group in np.unique(truth.groups):
        here = (truth.groups == group) & (truth.sets != "box")
        lines.append(f"| {group}, box only left out | {share(right[here])} |")
    blurred = predict_all(predict, stress_crops(crops))[0].argmax(1) == truth.faces
    lines.append(f"| photo tiles, corners labelled, brought down to 11-50 px | {share(blurred[truth.sets == 'photo'])} |")
    known = (truth.sets != "box") & right
    full = known & (truth.turns.sum(1) == 1)
    hit = truth.turns[np.arange(len(turn)), turn.argmax(1)]
    lines.append(f"| turn, where it is known in full | {share(hit[full])} |")
    lines.append(f"| turn, where it is known by half turns | {share(hit[known & ~full])} |")
    random = np.random.default_rng(17)
    for label, face, draw in (("backs, drawn", BACK, back_tile), ("white dragons, drawn", WHITE, white_dragon)):
        drawn = np.stack([warp(framed(draw(random)), jittered_square(random)) for _ in range(600)])
        lines.append(f"| {label} | {share(predict_all(predict, drawn)[0].argmax(1) == face)} |")
    lines += ["", "| no tile | rejected | taken for a face at 0.8 or more | white dragon among these |", "|---|---|---|---|"]
    for label, crops_without in negatives(data, "val").items():
        probabilities = softmax(predict_all(predict, crops_without)[0] / temperature)
        sure = (probabilities[:, :REJECT].max(1) >= 0.8) & (probabilities.argmax(1) != BACK)
        white = sure & (probabilities.argmax(1) == WHITE)
        lines.append(f"| {label} | {share(probabilities.argmax(1) == REJECT)} | {share(sure)} | {int(white.sum())} |")
    used = truth.sets != "box"
    before, after = (calibration_error(softmax(faces[used] / t), truth.faces[used]) for t in (1.0, temperature))
    sure = softmax(faces[used] / temperature).max(1) >= 0.8
    lines += [
        "",
        f"ECE {before * 100:.2f} % at temperature 1, {after * 100:.2f} % at {temperature:.3f} (n {used.sum()}).",
        f"Wrong at confidence 0.8 or more, of all: {share(sure & ~right[used])}.",
        "",
        "Confusions: " + (", ".join(f"{pair} {count}" for pair, count in confusions(faces[used], Truth(truth.faces[used], *[None] * 4))[:25]) or "none") + ".",
        "",
    ]
    return lines


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--model", type=Path, action="append", default=[], help="an ONNX file of ours")
    parser.add_argument("--baseline", type=Path, action="append", default=[], help="one of the first experiments'")
    parser.add_argument("--temperature", type=float, default=1.0, help="for --model")
    parser.add_argument("--markdown", type=Path, help="append the figures here")
    options = parser.parse_args()
    lines = []
    for path in options.model:
        lines += report(path.name, onnx_predictor(path), options.data, options.temperature)
    for path in options.baseline:
        lines += report(f"baseline {path.name}", onnx_predictor(path, baseline=True), options.data)
    print("\n".join(lines))
    if options.markdown:
        with options.markdown.open("a") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
