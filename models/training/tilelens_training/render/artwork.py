"""Drawn faces: rasterises the SVG artwork of the shared data once and caches the pixels.

Each face becomes BGRA uint8 of ART_HEIGHT x ART_WIDTH, the ink of the face alone: styles that draw
the tile's own outline are cut inside it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

ART_WIDTH, ART_HEIGHT = 84, 112
FACE_ONLY_STYLES = {"riichi-regular"}
# Share of width and height to cut from each side where the style draws the tile's outline.
OUTLINE_MARGIN = (0.13, 0.095)


@dataclass
class Drawing:
    """One drawn face: its code, its style, whether it is a red five, and BGRA pixels."""

    code: str
    style: str
    red: bool
    pixels: np.ndarray


def rasterise(path: Path, face_only: bool) -> np.ndarray:
    """BGRA pixels of one SVG, cut inside the tile's outline unless the face stands alone."""
    import cairosvg

    png = cairosvg.svg2png(url=str(path), output_height=2 * ART_HEIGHT)
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert pixels is not None
    if not face_only:
        ys, xs = np.where(pixels[..., 3] > 20)
        left, right, top, bottom = xs.min(), xs.max() + 1, ys.min(), ys.max() + 1
        dx = int((right - left) * OUTLINE_MARGIN[0])
        dy = int((bottom - top) * OUTLINE_MARGIN[1])
        pixels = pixels[top + dy : bottom - dy, left + dx : right - dx]
    return cv2.resize(pixels, (ART_WIDTH, ART_HEIGHT), interpolation=cv2.INTER_AREA)


def load_drawings(data: Path, cache: Path) -> list[Drawing]:
    """All drawn faces of `data`/art (backs left out), from the file `cache` where it exists."""
    entries = [entry for entry in json.loads((Path(data) / "art/labels.json").read_text()) if entry["code"] != "x"]
    cache = Path(cache)
    if cache.exists():
        pixels = np.load(cache)
    else:
        pixels = np.stack(
            [rasterise(Path(data) / "art" / entry["file"], entry["style"] in FACE_ONLY_STYLES) for entry in entries]
        )
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.save(cache, pixels)
    return [
        Drawing(entry["code"], entry["style"], bool(entry["red"]), image)
        for entry, image in zip(entries, pixels, strict=True)
    ]
