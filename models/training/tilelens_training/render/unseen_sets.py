"""Renders tables with tile sets that no network was taught: the faces of the tile games in Debian, of fonts, and of a crate.

    python -m tilelens_training.render.unseen_sets --out FOLDER     # downloads a few packages; 8 pictures of each set
    tilelens eval FOLDER                      # how each set is read

All of them are free, several under the GPL: they are for measuring alone, none is kept in the repository, and no network
may be taught them. Made with the pieces of `sample_pictures.py`, so backgrounds, light and lens are the training's.
"""

import argparse
import gzip
import io
import json
import math
import shutil
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from tqdm import tqdm

from tilelens_training import debian
from tilelens_training.render.sample_pictures import fitting_view, label, placed, traced
from tilelens_training.render.table_scene import FACE_SIZE, Stage, TileSet, photograph
from tilelens_training.render.table_tops import table_top

PACKAGES = ("gnome-mahjongg", "kdegames-mahjongg-data-kf5", "xmahjongg", "fonts-symbola", "fonts-noto-core", "fonts-freefont-otf")
CRATE = ("riichi_hand", "=0.7.0")


def _run(first, last, suit):
    return [f"{n}{suit}" for n in range(first, last + 1)]


M, P, S = _run(1, 9, "m"), _run(1, 9, "p"), _run(1, 9, "s")
# What each sheet shows, row by row; a dot is a cell that is left out.
GNOME = [P + ["4z", "3z", "2z", "1z", "7z", "6z"] + M + S + ["2f", "3f", "1f", "4f", "5z", "5f", "6f", "7f", "8f", "."]]
POSTMODERN = [[code if code[1:] != "f" and code != "5z" else "." for code in GNOME[0]]]
KDE = [M, S, P, _run(5, 8, "f") + ["4z", "2z", "1z", "3z", "."], ["5z", "6z", "7z"] + _run(1, 4, "f") + [".", "."]]
BLANK_KDE = [*KDE[:4], ["."] + KDE[4][1:]]
DOROTHY = [
    P + ["4z", "3z", "2z", "1z", "7z", "6z"] + _run(1, 6, "m"),
    _run(7, 9, "m") + S + _run(5, 8, "f") + [".", "4f", "2f", "1f", "3f"],
]
XGNOME = [DOROTHY[0], _run(7, 9, "m") + S + [".", ".", ".", ".", "5z", ".", ".", ".", "."]]
XGNOME2 = [S + DOROTHY[0][9:], _run(7, 9, "m") + P + ["."] * 9]
REAL = [P, S, M, _run(5, 8, "f") + ["4z", "2z", "1z", "3z", "."], _run(1, 4, "f") + ["6z", "5z", "7z", ".", "."]]


@dataclass
class Sheet:
    """A picture of many faces in equal cells: where it is, what it shows, and what of a cell is face."""

    file: str
    codes: list
    inset: tuple = (0.1, 0.08, 0.1, 0.08)  # left, top, right, bottom, of a cell
    part: tuple = (0.0, 0.0, 1.0, 1.0)  # of the picture that is cells: left, top, right, bottom
    body: tuple | None = None  # BGR under transparent ink; None where the picture has bodies of its own


KDE_PART = (0.0, 231.5 / 1122, 1242 / 1536, 1121.5 / 1122)
LIBKMAHJONGG = "usr/share/kmahjongglib/tilesets/"
SETS = {
    "gnome-smooth": Sheet("usr/share/gnome-mahjongg/themes/smooth.png", GNOME, (0.13, 0.09, 0.19, 0.13), (0, 0.5, 1, 1)),
    "gnome-postmodern": Sheet("usr/share/gnome-mahjongg/themes/postmodern.svg", POSTMODERN, (0.05, 0.04, 0.15, 0.12), (0, 0, 1, 0.5)),
    "kde-default": Sheet(LIBKMAHJONGG + "default.svgz", BLANK_KDE, (0.03, 0.02, 0.03, 0.02), KDE_PART, (225, 238, 242)),
    "kde-traditional": Sheet(LIBKMAHJONGG + "traditional.svgz", KDE, (0.03, 0.02, 0.03, 0.02), KDE_PART, (205, 228, 240)),
    "kde-jade": Sheet(LIBKMAHJONGG + "jade.svgz", BLANK_KDE, (0.03, 0.02, 0.03, 0.02), KDE_PART, (40, 45, 110)),
    "x-dorothys": Sheet("usr/share/games/xmahjongg/tiles/dorothys.gif", DOROTHY, (0.05, 0.05, 0.18, 0.12), (0, 0, 1, 0.5)),
    "x-dorwhite": Sheet("usr/share/games/xmahjongg/tiles/dorwhite.gif", DOROTHY, (0.08, 0.06, 0.2, 0.14), (0, 0, 1, 0.5)),
    "x-gnome": Sheet("usr/share/games/xmahjongg/tiles/gnome.gif", XGNOME, (0.1, 0.08, 0.16, 0.12), (0, 0, 1, 0.5)),
    "x-gnome2": Sheet("usr/share/games/xmahjongg/tiles/gnome2.gif", XGNOME2, (0.06, 0.05, 0.12, 0.1), (0, 0, 1, 0.5)),
    "x-real": Sheet("usr/share/games/xmahjongg/tiles/real.gif", REAL, (0.06, 0.05, 0.06, 0.05)),
}
GLYPHS = [*_run(1, 4, "z"), "7z", "6z", "5z", *M, *S, *P, "1f", "2f", "4f", "3f", *_run(5, 8, "f")]  # from U+1F000 on
FONTS = {
    "font-symbola": "usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf",
    "font-noto": "usr/share/fonts/truetype/noto/NotoSansSymbols2-Regular.ttf",
    "font-freeserif": "usr/share/fonts/opentype/freefont/FreeSerif.otf",
}
PERSSON = "persson"  # Martin Persson's drawings (martinpersson.org), in the crate riichi_hand
PERSSON_FILES = dict(
    [(f"{n}{suit}", f"{name}{n}") for suit, name in (("m", "Man"), ("p", "Pin"), ("s", "Sou")) for n in range(1, 10)]
    + list(zip(_run(1, 7, "z"), ("Ton", "Nan", "Shaa", "Pei", "Haku", "Hatsu", "Chun"), strict=True))
)


def fetch(folder):
    """Unpacks the packages and the crate into `folder`, once."""
    for package in PACKAGES:
        debian.unpacked(package, folder)
    if not (folder / PERSSON).exists():
        with tempfile.TemporaryDirectory() as work:
            (Path(work) / "src").mkdir()
            (Path(work) / "src/lib.rs").touch()
            name, version = CRATE
            manifest = f'[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n{name} = "{version}"\n'
            (Path(work) / "Cargo.toml").write_text(manifest)
            subprocess.run(["cargo", "vendor", "-q", "vendor"], cwd=work, check=True, capture_output=True)
            partial = folder / f"{PERSSON}.part"
            shutil.copytree(Path(work) / "vendor" / name / "tilesets/MartinPersson", partial, dirs_exist_ok=True)
        partial.rename(folder / PERSSON)


def _find(folder, file):
    return next(path for package in PACKAGES if (path := folder / package / file).exists())


def _over(pixels, body):
    """BGR of BGRA pixels laid on a body of one colour."""
    alpha = pixels[..., 3:].astype(np.float32) / 255
    return np.clip(pixels[..., :3] * alpha + np.float32(body) * (1 - alpha), 0, 255).astype(np.uint8)


def _sized(image):
    shrinks = image.shape[1] > FACE_SIZE[0]
    return cv2.resize(image, FACE_SIZE, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)


def _picture(path):
    """RGBA of a raster picture or of a drawing, as BGRA."""
    import cairosvg

    data = path.read_bytes()
    if path.suffix in (".svg", ".svgz"):
        data = cairosvg.svg2png(bytestring=gzip.decompress(data) if path.suffix == ".svgz" else data, output_width=6144)
    return cv2.cvtColor(np.array(Image.open(io.BytesIO(data)).convert("RGBA")), cv2.COLOR_RGBA2BGRA)


def _of_sheet(folder, sheet):
    pixels = _picture(_find(folder, sheet.file))
    image = _over(pixels, sheet.body or (235, 240, 242))
    h, w = image.shape[:2]
    left, top, right, bottom = np.array(sheet.part) * (w, h, w, h)
    across, down = (right - left) / len(sheet.codes[0]), (bottom - top) / len(sheet.codes)
    faces = {}
    for row, codes in enumerate(sheet.codes):
        for column, code in enumerate(codes):
            x, y = left + column * across, top + row * down
            a, b, c, d = np.array(sheet.inset) * (across, down, across, down)
            if code != ".":
                faces[code] = [_sized(image[round(y + b) : round(y + down - d), round(x + a) : round(x + across - c)])]
    return faces


def _of_font(folder, file):
    """Black glyphs on ivory, cut inside the outline of the tile that they draw."""
    font = ImageFont.truetype(str(_find(folder, file)), 400)
    faces = {}
    for number, code in enumerate(GLYPHS):
        sheet = Image.new("L", (700, 700), 0)
        ImageDraw.Draw(sheet).text((100, 50), chr(0x1F000 + number), font=font, fill=255)
        left, top, right, bottom = sheet.getbbox()
        dx, dy = 0.07 * (right - left), 0.06 * (bottom - top)
        ink = np.array(sheet)[round(top + dy) : round(bottom - dy), round(left + dx) : round(right - dx), None] / 255
        faces[code] = [_sized(np.clip(ink * (40, 35, 35) + (1 - ink) * (215, 232, 240), 0, 255).astype(np.uint8))]
    return faces


def _of_files(folder):
    faces = {}
    for code, name in PERSSON_FILES.items():
        image = _over(_picture(folder / PERSSON / f"{name}.png"), (235, 235, 235))
        h, w = image.shape[:2]
        faces[code] = [_sized(image[round(0.14 * h) : round(0.92 * h), round(0.08 * w) : round(0.92 * w)])]
    return faces


@cache
def faces_of(folder, name):
    """The faces of a set by their code."""
    if name in SETS:
        return _of_sheet(folder, SETS[name])
    return _of_font(folder, FONTS[name]) if name in FONTS else _of_files(folder)


NAMES = [*SETS, *FONTS, PERSSON]


def render(folder, name, number):
    """A table with every face of a set once, in rows, seen from anywhere; and its truth."""
    rng = np.random.default_rng([4711, NAMES.index(name), number])
    faces = faces_of(folder, name)
    back = rng.uniform(30, 200, 3)
    own = TileSet(faces, rng.uniform(1.28, 1.4), rng.uniform(0.6, 0.85), rng.uniform(0.05, 0.1), rng.uniform(0.5, 0.7), back, None, rng.uniform(0, 1))
    codes = list(rng.permutation(list(faces)))
    per_row = int(rng.integers(8, 15))
    tiles, y = [], 0.0
    for start in range(0, len(codes), per_row):
        x = rng.uniform(-0.3, 0.3)
        y -= own.height + rng.uniform(0.03, 0.5)
        for code in codes[start : start + per_row]:
            x += 1.012 + (rng.uniform(0.1, 0.6) if rng.random() < 0.15 else 0)
            turn = math.pi if rng.random() < 0.05 else 0.0
            tiles.append(placed(code, x, y + rng.normal(0, 0.01), turn + rng.normal(0, 0.012)))
    stage = Stage()
    for tile in tiles:
        stage.add_tile(own, tile, rng)
    size = (960, 1280)
    pitch, seat = math.radians(rng.uniform(40, 88)), rng.choice(4) * math.pi / 2 + rng.normal(0, 0.25)
    hard = rng.uniform(0.2, 0.6)
    view, target, pixels = fitting_view(own, tiles, pitch, seat, size, 0.04, 0.3 * size[1])
    texture = table_top(rng, [])
    picture, truth = traced(rng, stage, view, target, texture, hard, size, number)
    return photograph(rng, picture, hard, pixels), truth


def _job(args):
    out, folder, name, number = args
    picture, truth = render(folder, name, number)
    file = f"{number:02d}.jpg"
    cv2.imwrite(str(out / "photos" / name / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    height, width = picture.shape[:2]
    tiles = [label(tile, width, height) for tile in truth]
    return name, {"file": file, "width": width, "height": height, "complete": True, "tiles": tiles}


def main():
    """Fetches the sets, renders their pictures and writes the labels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=8, help="pictures of each set")
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    folder = args.out / "sets"
    folder.mkdir(parents=True, exist_ok=True)
    fetch(folder)
    for name in NAMES:
        (args.out / "photos" / name).mkdir(parents=True, exist_ok=True)
    (args.out / "labels").mkdir(exist_ok=True)
    jobs = [(args.out, folder, name, number) for name in NAMES for number in range(args.count)]
    images = {name: [] for name in NAMES}
    with ProcessPoolExecutor(args.workers) as workers:
        for name, image in tqdm(workers.map(_job, jobs), total=len(jobs), unit="picture"):
            images[name].append(image)
    for name, found in images.items():
        (args.out / "labels" / f"{name}.json").write_text(json.dumps({"source": name, "licence": "see the package", "images": found}))


if __name__ == "__main__":
    main()
