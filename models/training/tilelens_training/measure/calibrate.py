"""Fits the temperature of the classifiers' face logits on val and writes calibration/confidence.toml.

    python -m tilelens_training.measure.calibrate --model CLASSIFIER --out CONFIDENCE.toml

Half of the tiles are shown as they are, half brought down to 11-50 pixels: a temperature fitted on
sharp tiles alone, nearly all of them right, would say little about those that are read wrong.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tilelens_training.data.distortions import lose_resolution
from tilelens_training.data.evaluation import evaluation_crops, predict_all
from tilelens_training.data.inference import crop_predictor
from tilelens_training.paths import DATA, MODELS, ROOT


def softmax(logits: np.ndarray) -> np.ndarray:
    """Row by row."""
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    return shifted / shifted.sum(1, keepdims=True)


def wilson(right: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """95 % interval of a share."""
    if not count:
        return 0.0, 1.0
    share = right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return middle - half, middle + half


def calibration_error(probabilities: np.ndarray, faces: np.ndarray, bins: int = 15) -> float:
    """ECE over equal-width bins of the winning probability."""
    winner, right = probabilities.max(1), probabilities.argmax(1) == faces
    place = np.minimum((winner * bins).astype(int), bins - 1)
    return sum(abs(winner[place == b].mean() - right[place == b].mean()) * (place == b).mean() for b in range(bins) if (place == b).any())


def stress_crops(crops: np.ndarray, seed: int = 5) -> np.ndarray:
    """The evaluation crops again as small, blurred tiles of 11 to 50 pixels."""
    random = np.random.default_rng(seed)
    return np.stack([lose_resolution(random, crop) for crop in crops])


def likelihood_loss(logits: np.ndarray, faces: np.ndarray, temperature: float) -> float:
    """Mean negative log likelihood of the truth."""
    probabilities = softmax(logits / temperature)
    return -np.log(np.maximum(probabilities[np.arange(len(faces)), faces], 1e-12)).mean()


def fit(logits: np.ndarray, faces: np.ndarray) -> float:
    """The temperature of least loss, by trying a fine geometric grid."""
    grid = np.geomspace(0.2, 5, 400)
    return float(grid[np.argmin([likelihood_loss(logits, faces, temperature) for temperature in grid])])


def reliability(logits: np.ndarray, faces: np.ndarray, temperature: float, bins: int = 10) -> list[tuple]:
    """Per bin of confidence: from, to, tiles, mean confidence, share right."""
    probabilities = softmax(logits / temperature)
    winner, right = probabilities.max(1), probabilities.argmax(1) == faces
    place = np.minimum((winner * bins).astype(int), bins - 1)
    return [
        (b / bins, (b + 1) / bins, int((place == b).sum()), float(winner[place == b].mean()), float(right[place == b].mean()))
        for b in range(bins)
        if (place == b).any()
    ]


HEAD = """# Face logits are divided by this before softmax. Made by tilelens_training.measure.calibrate:
# least negative log likelihood on tiles of split val with labelled corners and crops of left-out
# sets, every second one brought down to 11-50 pixels.
"""


def calibrated(predict: Callable[[np.ndarray], list[np.ndarray]], data: Path) -> tuple[str, tuple[np.ndarray, np.ndarray, float]]:
    """Fits the temperature of a predictor on split val: what the file says of it; and the logits and faces it was fitted on, and itself."""
    crops, truth = evaluation_crops(data, "val")
    used = truth.sets != "box"
    crops, faces = crops[used], truth.faces[used]
    small = np.arange(len(crops)) % 2 == 1
    shown = np.where(small[:, None, None, None], stress_crops(crops), crops)
    logits = predict_all(predict, shown)[0]
    temperature = fit(logits, faces)
    before, after = (calibration_error(softmax(logits / t), faces) for t in (1.0, temperature))
    right = int((logits.argmax(1) == faces).sum())
    low, high = wilson(right, len(faces))
    text = (
        f"temperature = {temperature:.4f}\n"
        f"n = {len(faces)}\n"
        f"right = {right}  # {low * 100:.2f}-{high * 100:.2f} % of n, 95 %\n"
        f"ece_before = {before:.5f}\n"
        f"ece_after = {after:.5f}\n"
    )
    return text, (logits, faces, temperature)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--model", type=Path, default=MODELS / "classifier.onnx")
    parser.add_argument("--out", type=Path, default=ROOT / "calibration/confidence.toml")
    options = parser.parse_args()
    text, measured = calibrated(crop_predictor(options.model), options.data)
    text = HEAD + text
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(text)
    print(text)
    for start, end, count, confidence, share in reliability(*measured):
        print(f"| {start:.1f}-{end:.1f} | {count} | {confidence:.3f} | {share:.3f} |")


if __name__ == "__main__":
    main()
