"""Photographs and textures that show no tile: what a reader of strangers' pictures must stay silent on.

    python -m tilelens_training.data.photographs --out FOLDER     # from Debian's packages; needs apt, some 2 GB to download
    tilelens eval FOLDER --split held-out  # how many tiles are seen in those that were not taught

Backgrounds of desktops, textures of games, pictures of manuals: all from Debian's main archive, which takes only what
may be used, changed and passed on. None is kept in the repository. The packages of HELD_OUT are for measuring alone.
"""

import argparse
import json
import subprocess
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training import debian
from tilelens_training.labels import Photo

TAUGHT = (
    "lomiri-wallpapers-16.04",
    "lomiri-wallpapers-20.04",
    "opencv-doc",
    "plasma-workspace-wallpapers",
    "python-skimage-doc",
    "redeclipse-data",
    "sway-backgrounds",
)
HELD_OUT = ("gnome-backgrounds", "mate-backgrounds", "supertuxkart-data", "ukui-wallpapers")
LONGEST = 2000  # pixels; larger pictures are brought down to it
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
# Parts of a path: maps of surfaces that no camera sees, signs and cartoons.
UNSEEN = (
    "normal", "_nm", "_n.", "gloss", "spec", "icon", "glyph", "font", "crosshair", "mask", "skybox", "hud", "_g.",
    "lightmap", "heightmap", "blendbrush", "/keys/", "/modes/", "mahjong", "scripts", "gui/", "wicked", "mayhem",
    "jojo/", "luckystrike",
)  # fmt: skip


def _wanted(name: str) -> bool:
    lower = name.lower()
    return lower.endswith(SUFFIXES) and not any(part in lower for part in UNSEEN)


def _brought_down(data: bytes) -> np.ndarray | None:
    """The picture, unless it is small, plain or no picture."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None or min(image.shape[:2]) < 200 or image.std() < 8:
        return None
    longest = max(image.shape[:2])
    if longest > LONGEST:
        image = cv2.resize(image, None, fx=LONGEST / longest, fy=LONGEST / longest, interpolation=cv2.INTER_AREA)
    return image


def fetch(out: Path) -> None:
    """Fills `out` with the pictures of all packages and labels that say that they show no tile.

    A package that is there already is left alone.
    """
    seen = set()
    for package in tqdm(TAUGHT + HELD_OUT, unit="package"):
        folder = out / "photos" / package
        if folder.exists():
            continue
        with tempfile.TemporaryDirectory() as work:
            archive = debian.downloaded(package, work)
            with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as unpacked:
                with tarfile.open(fileobj=unpacked.stdout, mode="r|") as tar:
                    files = {m.name: part.read() for m in tar if m.isfile() and _wanted(m.name) and (part := tar.extractfile(m))}
        with ThreadPoolExecutor() as pool:
            images = list(pool.map(_brought_down, (files[name] for name in sorted(files))))
        partial = folder.with_name(package + ".part")
        partial.mkdir(parents=True, exist_ok=True)
        kept = 0
        for image in images:
            if image is None:
                continue
            look = (cv2.resize(image, (16, 16), interpolation=cv2.INTER_AREA) // 16).tobytes()
            if look not in seen:
                seen.add(look)
                kept += 1
                cv2.imwrite(str(partial / f"{kept:04d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        partial.rename(folder)
    label(out)


def label(out: Path) -> None:
    """Writes labels and splits, as `tilelens eval` reads them."""
    (out / "labels").mkdir(exist_ok=True)
    splits = {}
    for split, packages in (("taught", TAUGHT), ("held-out", HELD_OUT)):
        names = {package: sorted(path.name for path in (out / "photos" / package).glob("*.jpg")) for package in packages}
        splits[split] = {"photos": names}
        for package, files in names.items():
            images = [{"file": file, "complete": True, "tiles": []} for file in files]
            (out / "labels" / f"{package}.json").write_text(json.dumps({"backs": True, "images": images}))
    (out / "splits.json").write_text(json.dumps(splits))


def photographs(folder: Path | None) -> list[Photo]:
    """The pictures to teach with, as complete photos without a tile; none where there is no folder."""
    if not folder:
        return []
    return [
        Photo(path, "photographs", path.name, 0, 0, package, complete=True, loose=False)
        for package in TAUGHT
        for path in sorted((folder / "photos" / package).glob("*.jpg"))
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    fetch(parser.parse_args().out)
