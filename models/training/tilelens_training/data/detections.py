"""Measures detectors (ONNX) on labelled photos at one size, without the reader's merging of sizes.

    python measure_detector.py a.onnx b.onnx --sides 640 1024

Recall of boxes at IoU 0.5 over all photos, precision over photos marked complete, corner error (in short
sides, best of the four cyclic orders) where corners are known, and the time of a 480x640 input on one thread.
"""

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from tilelens_training import labels
from tilelens_training.data.detector_samples import sides
from tilelens_training.export.detector import padded
from tilelens_training.paths import DATA

STRIDE, UNIT = 4, 16.0


def decode(out: np.ndarray, threshold: float, overlap: float = 0.5) -> list[tuple[float, np.ndarray]]:
    """Face quads of one map, best first, without those that cover one another."""
    heat = 1 / (1 + np.exp(-out[0]))
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)) - 1e-7) & (heat > threshold)
    peak &= heat >= 1 / (1 + np.exp(-out[1]))
    ys, xs = np.nonzero(peak)
    kept: list[tuple[float, np.ndarray]] = []
    for i in np.argsort(-heat[ys, xs]):
        y, x = ys[i], xs[i]
        quad = np.stack([(x + 0.5) * STRIDE + out[2:6, y, x] * UNIT, (y + 0.5) * STRIDE + out[6:10, y, x] * UNIT], 1)
        if len(kept) and (iou(extent(quad), np.array([extent(k) for _, k in kept])) > overlap).any():
            continue
        kept.append((float(heat[y, x]), quad))
    return kept


def find(session: ort.InferenceSession, image: np.ndarray, side: int, threshold: float) -> list[np.ndarray]:
    """Quads of faces in a photo whose long side is brought to `side`, in the photo's pixels."""
    out = session.run(None, {"image": padded(image, side)})[0][0]
    return [quad * max(image.shape[:2]) / side for _, quad in decode(out, threshold)]


def extent(quad: np.ndarray) -> np.ndarray:
    return np.concatenate([quad.min(0), quad.max(0)])


def iou(box: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Overlap of one box with many."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = np.clip(high - low, 0, None).prod(1)
    return shared / ((box[2:] - box[:2]).prod() + (boxes[:, 2:] - boxes[:, :2]).prod(1) - shared)


def wilson(good: int, n: int) -> str:
    """A share with its 95 % interval, in per cent."""
    if not n:
        return "-"
    p, z = good / n, 1.96
    middle, half = (p + z * z / 2 / n), z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return f"{100 * p:.2f} [{100 * low:.2f}, {100 * high:.2f}] n={n}"


def measure(session: ort.InferenceSession, photos: list[labels.Photo], side: int, threshold: float) -> dict[str, str]:
    """Figures of one network at one size."""
    found = wanted = right = shown = 0
    strict = 0
    errors = []
    for photo in photos:
        image = photo.read()
        quads = find(session, image, side, threshold)
        truths = [t for t in photo.tiles if not t.ignore]
        masks = np.array([t.box for t in photo.tiles if t.ignore]).reshape(-1, 4)
        boxes = np.array([t.box for t in truths]).reshape(-1, 4)
        taken: dict[int, np.ndarray] = {}
        extra = 0
        for quad in quads:
            box = extent(quad)
            overlap = iou(box, boxes) if len(boxes) else np.zeros(0)
            free = [j for j in np.argsort(-overlap) if overlap[j] >= 0.5 and j not in taken]
            if free:
                taken[free[0]] = quad
                strict += overlap[free[0]] >= 0.75
            elif not (len(masks) and (iou(box, masks) > 0.2).any()):
                extra += 1
        found += len(taken)
        wanted += len(truths)
        if photo.complete:
            right += len(taken)
            shown += len(taken) + extra
        for j, quad in taken.items():
            true = truths[j].corners
            if true is not None and not photo.loose:
                distance = min(np.linalg.norm(np.roll(quad, k, 0) - true, axis=1).mean() for k in range(4))
                errors.append(distance / sides(true)[0])
    return {
        "recall": wilson(found, wanted),
        "recall at .75": wilson(int(strict), wanted),
        "precision": wilson(right, shown),
        "corner": f"median {100 * np.median(errors):.1f} % p95 {100 * np.percentile(errors, 95):.1f} % n={len(errors)}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--split", default="val")
    parser.add_argument("--sides", type=int, nargs="+", default=[640, 1024])
    parser.add_argument("--threshold", type=float, default=0.4)
    args = parser.parse_args()
    photos = labels.photos(args.data, args.split)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    for path in args.models:
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        probe, times = np.zeros((1, 3, 480, 640), np.float32), []
        for _ in range(30):
            start = time.perf_counter()
            session.run(None, {"image": probe})
            times.append(time.perf_counter() - start)
        print(f"{path} {path.stat().st_size / 1e6:.2f} MB, 480x640 {1e3 * np.median(times):.1f} ms", flush=True)
        for side in args.sides:
            figures = measure(session, photos, side, args.threshold)
            print(f"  {side}: " + "; ".join(f"{k} {v}" for k, v in figures.items()), flush=True)


if __name__ == "__main__":
    main()
