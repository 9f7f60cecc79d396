"""Birds and plants as many hands draw them: from free sets of icons, for the invented faces (`invented.py`).

    python icons.py --out runs/icons     # from the npm registry; needs npm, some 10 MB to download

The one of bamboo is a bird that each maker draws in his own way, flowers and seasons are his own
pictures. Three photo sources show few of either. Each set is by one hand; authors and licences stand
in `SETS` and in the models' cards. None of the pictures is kept in the repository.
"""

import argparse
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

SIDE = 200  # pixels
# npm package @iconify-json/NAME, its version, author and licence.
SETS = {
    "emojione": ("1.2.3", "Emoji One", "CC BY 4.0"),
    "fluent-emoji-flat": ("1.2.6", "Microsoft Corporation", "MIT"),
    "fxemoji": ("1.2.2", "Mozilla", "Apache 2.0"),
    "game-icons": ("1.2.4", "GameIcons", "CC BY 3.0"),
    "noto": ("1.2.9", "Google Inc", "Apache 2.0"),
    "noto-v1": ("1.2.5", "Google Inc", "Apache 2.0"),
    "streamline-emojis": ("1.2.4", "Streamline", "CC BY 4.0"),
    "twemoji": ("1.2.5", "Twitter", "CC BY 4.0"),
}
# Whole words of an icon's name.
BIRDS = (
    "bird bird-1 bird-2 black-bird chicken crow-dive dodo dove duck eagle eagle-emblem egyptian-bird flamingo freedom-dove goose "
    "canadian-goose hummingbird kiwi-bird owl barn-owl parrot peace-dove peacock penguin phoenix phoenix-bird raven rooster swan "
    "swan-breeze turkey"
).split()
PLANTS = (
    "blossom bouquet cherry-blossom hibiscus hyacinth lotus lotus-flower rose sunflower sunflower-1 tulip white-flower wilted-flower "
    "daffodil dandelion-flower flower-twirl spoted-flower twirly-flower vanilla-flower vine-flower cotton-flower shut-rose "
    "herb shamrock four-leaf-clover maple-leaf fallen-leaf leaf-fluttering-in-wind sheaf-of-rice seedling deciduous-tree evergreen-tree "
    "pine-decoration tanabata-tree bamboo snowflake snowman sun sun-with-face cherries grapes chestnut palm-tree mushroom butterfly "
    "lantern red-paper-lantern sailboat house person-fishing man-farmer"
).split()


def fetch(out: Path) -> None:
    """Fills `out` with birds.npy and plants.npy: N x SIDE x SIDE x 4, RGBA uint8."""
    out.mkdir(parents=True, exist_ok=True)
    if (out / "birds.npy").exists() and (out / "plants.npy").exists():
        return
    if not shutil.which("npm"):
        raise SystemExit("npm fetches the icons: install Debian's package npm")
    drawings = {"birds": [], "plants": []}
    with tempfile.TemporaryDirectory() as work:
        for name, (version, _, _) in SETS.items():
            subprocess.run(["npm", "pack", "--silent", f"@iconify-json/{name}@{version}"], cwd=work, check=True, capture_output=True)
            with tarfile.open(Path(work) / f"iconify-json-{name}-{version}.tgz") as tar:
                icons = json.load(tar.extractfile("package/icons.json"))
            for kind, words in (("birds", BIRDS), ("plants", PLANTS)):
                drawings[kind] += [_svg(icons, word) for word in words if word in icons["icons"]]
    for kind, svgs in drawings.items():
        with ProcessPoolExecutor() as workers:
            pictures = [p for p in tqdm(workers.map(_drawn, svgs), total=len(svgs), unit=kind[:-1]) if p is not None]
        np.save(out / f"{kind}.part.npy", np.stack(pictures))
        (out / f"{kind}.part.npy").rename(out / f"{kind}.npy")


def _svg(icons: dict, word: str) -> str:
    icon = icons["icons"][word]
    width, height = (icon.get(side, icons.get(side, 16)) for side in ("width", "height"))
    body = re.sub("currentColor", "#202020", icon["body"])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" fill="#202020">{body}</svg>'


def _drawn(svg: str) -> np.ndarray | None:
    """RGBA, cut to what is drawn and centred in a square; none where the drawing cannot be drawn here."""
    import cairosvg

    try:
        png = cairosvg.svg2png(bytestring=svg.encode(), output_height=2 * SIDE)
    except Exception as error:  # one odd drawing of hundreds: it is left out, and said
        tqdm.write(f"left out: {error}")
        return None
    pixels = cv2.cvtColor(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), cv2.COLOR_BGRA2RGBA)
    ys, xs = np.where(pixels[..., 3] > 20)
    if len(xs) < 1000:
        return None
    pixels = pixels[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    scale = SIDE / max(pixels.shape[:2])
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:SIDE, :SIDE]
    square = np.zeros((SIDE, SIDE, 4), np.uint8)
    y, x = (SIDE - small.shape[0]) // 2, (SIDE - small.shape[1]) // 2
    square[y : y + small.shape[0], x : x + small.shape[1]] = small
    return square


def load(folder: Path | None) -> dict[str, np.ndarray]:
    """Birds and plants; none where there is no folder."""
    return {kind: np.load(folder / f"{kind}.npy") for kind in ("birds", "plants")} if folder else {}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    fetch(parser.parse_args().out)
