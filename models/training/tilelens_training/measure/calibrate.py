"""Fits the temperature of the classifiers' face logits on val and writes calibration/confidence.toml.

    python calibrate.py --data ../../../shared/data --model ../classifier.onnx --out ../../calibration/confidence.toml

Half of the tiles are shown as they are, half brought down to 11-50 pixels: a temperature fitted on
sharp tiles alone, nearly all of them right, would say little about those that are read wrong.
"""

import argparse
from pathlib import Path

import numpy as np

from tilelens_training.data.evaluation import calibration_error, evaluation_crops, onnx_predictor, predict_all, softmax, stress_crops, wilson
from tilelens_training.paths import DATA, MODELS, ROOT


def likelihood_loss(logits, faces, temperature):
    """Mean negative log likelihood of the truth."""
    probabilities = softmax(logits / temperature)
    return -np.log(np.maximum(probabilities[np.arange(len(faces)), faces], 1e-12)).mean()


def fit(logits, faces):
    """The temperature of least loss, by trying a fine geometric grid."""
    grid = np.geomspace(0.2, 5, 400)
    return float(grid[np.argmin([likelihood_loss(logits, faces, temperature) for temperature in grid])])


def reliability(logits, faces, temperature, bins=10):
    """Per bin of confidence: from, to, tiles, mean confidence, share right."""
    probabilities = softmax(logits / temperature)
    winner, right = probabilities.max(1), probabilities.argmax(1) == faces
    place = np.minimum((winner * bins).astype(int), bins - 1)
    return [
        (b / bins, (b + 1) / bins, int((place == b).sum()), float(winner[place == b].mean()), float(right[place == b].mean()))
        for b in range(bins)
        if (place == b).any()
    ]


HEAD = """# Face logits are divided by this before softmax. Made by models/training/calibrate.py:
# least negative log likelihood on tiles of split val with labelled corners and crops of left-out
# sets, every second one brought down to 11-50 pixels.
"""


def calibrated(predict, data):
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


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--model", type=Path, default=MODELS / "classifier.onnx")
    parser.add_argument("--out", type=Path, default=ROOT / "calibration/confidence.toml")
    options = parser.parse_args()
    text, measured = calibrated(onnx_predictor(options.model), options.data)
    text = HEAD + text
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(text)
    print(text)
    for start, end, count, confidence, share in reliability(*measured):
        print(f"| {start:.1f}-{end:.1f} | {count} | {confidence:.3f} | {share:.3f} |")


if __name__ == "__main__":
    main()
