"""Runs exported networks on pictures: a detector's quads, a classifier's logits."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

STRIDE, UNIT = 4, 16.0


def session(path: Path | str) -> ort.InferenceSession:
    """One-threaded ONNX Runtime session, which adds exactly on processors without VNNI too."""
    settings = ort.SessionOptions()
    settings.intra_op_num_threads = 1
    settings.log_severity_level = 3
    settings.add_session_config_entry("session.x64quantprecision", "1")
    return ort.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])


def padded(image: np.ndarray, side: int) -> np.ndarray:
    """A photo as the network's input: long side scaled to `side`, padded to multiples of 32."""
    scale = side / max(image.shape[:2])
    small = cv2.resize(
        image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    h, w = small.shape[:2]
    out = np.zeros((-h % 32 + h, -w % 32 + w, 3), np.float32)
    out[:h, :w] = small
    return out.transpose(2, 0, 1)[None]


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


def detect(session: ort.InferenceSession, image: np.ndarray, side: int, threshold: float) -> list[np.ndarray]:
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


def crop_predictor(path: Path | str) -> Callable[[np.ndarray], list[np.ndarray]]:
    """Crops N x 64 x 64 x 3 uint8 -> face and turn logits, from an ONNX file."""
    runner = session(path)
    return lambda crops: runner.run(["faces", "turn"], {"crops": crops.transpose(0, 3, 1, 2).astype(np.float32)})
