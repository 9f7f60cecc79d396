"""Photos of a split as a stranger might have taken them: one data set for each hardship, to measure what it costs.

    python -m tilelens_training.measure.hardships --out FOLDER
    tilelens eval FOLDER/dark

The labels stay true: light, noise and blur move nothing, where the picture is scaled its boxes are too, and a tile that loses its
ink becomes a white dragon.
"""

import argparse
import json
import math
import subprocess
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.data.blank_tiles import remove_ink
from tilelens_training.labels import alone, read_picture
from tilelens_training.paths import DATA, DATASETS

CORRECTIONS = DATASETS / "val-patch.json"
BODIES = ((130, 215, 245), (150, 235, 255), (200, 235, 200), (235, 225, 190), (150, 150, 150), (190, 200, 235), (110, 190, 230))
GROUNDS = ((190, 215, 225), (170, 200, 220), (210, 215, 215), (150, 190, 215))


def mask(image: np.ndarray, tiles: list[dict]) -> np.ndarray:
    """Where tiles lie, 0 to 1, soft at the edges."""
    there = np.zeros(image.shape[:2], np.float32)
    for tile in tiles:
        if tile.get("corners"):
            quad = np.array(tile["corners"], np.float32)
            quad = (quad - quad.mean(0)) * 1.12 + quad.mean(0)
        else:
            x, y, w, h = tile["bbox"]
            quad = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
        cv2.fillConvexPoly(there, np.round(quad).astype(np.int32), 1.0)
    return cv2.GaussianBlur(there, (0, 0), max(1, image.shape[1] / 500))[..., None]


def short_side(tiles: list[dict]) -> float:
    """Of a tile as it is usual in the picture, in pixels."""
    return float(np.median([min(tile["bbox"][2:]) for tile in tiles])) if tiles else 50.0


def bodies(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Tiles of another colour: yellowed, green, blue, grey."""
    there = mask(image, tiles)
    return image * (1 - there) + image * np.array(BODIES[random.integers(len(BODIES))], np.float32) / 255 * there


def ground(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """On a light table, with little contrast between it and the tiles."""
    there = mask(image, tiles)
    grey = image.mean(2, keepdims=True)
    grey = grey / max(float(grey[there < 0.5].mean()), 1.0)
    table = np.array(GROUNDS[random.integers(len(GROUNDS))], np.float32) * (0.85 + 0.15 * np.clip(grey, 0, 2))
    return image * there + np.clip(table, 0, 255) * (1 - there)


def shadow(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """The edge of a shadow across the table."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = random.uniform(0, 2 * math.pi)
    along = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle) + random.uniform(-0.15, 0.15)
    lit = 1 / (1 + np.exp(-along * random.choice([15, 60, 200])))
    least = random.uniform(0.2, 0.4)
    return image * (least + (1 - least) * lit)[..., None]


def gloss(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """The reflections of three lamps, on tiles."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    lit = image.copy()
    for _ in range(3 if tiles else 0):
        left, top, w, h = tiles[random.integers(len(tiles))]["bbox"]
        centre, spread = (left + w * random.uniform(), top + h * random.uniform()), max(w, h) * random.uniform(0.3, 0.8)
        lit += 130 * np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / (2 * spread**2))[..., None]
    return lit


def dark(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Far too dark, with the grain of a small camera."""
    return image * 0.22 + random.normal(0, 5, image.shape)


def blurred(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Out of focus."""
    return cv2.GaussianBlur(image, (0, 0), short_side(tiles) * 0.035)


def shaken(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """The camera moved."""
    length = max(3, int(short_side(tiles) * 0.14))
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1.0
    turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), random.uniform(0, 180), 1)
    line = cv2.warpAffine(line, turn, (length, length))
    return cv2.filter2D(image, -1, line / line.sum())


def warm(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """By lamp light, with a camera that takes it for white."""
    return image * np.array([0.4, 0.8, 1.2], np.float32)


def veil(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Stray light of a window, or a dirty lens, over everything."""
    return image * 0.3 + 130


def grain(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """What a small camera makes of little light."""
    coarse = cv2.GaussianBlur(random.normal(0, 30, image.shape).astype(np.float32), (0, 0), 0.8)
    return image + coarse + random.normal(0, 9, image.shape)


def specked(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Single pixels white or black, as collections of photos strew them over theirs."""
    hit = random.random(image.shape[:2]) < random.uniform(0.002, 0.02)
    image[hit] = random.choice([0, 255], (int(hit.sum()), 1))
    return image


def screen(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """A photo of a screen, whose dots are about as large as the camera's pixels."""
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]].astype(np.float32)
    angle, pitch = random.uniform(0.05, 0.25), random.uniform(2.1, 3.3)
    across, down = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    dots = np.stack([1 + 0.5 * np.sin(2 * math.pi * (across / pitch + third / 3)) for third in range(3)], axis=-1)
    return image * dots * (1 + 0.3 * np.sin(2 * math.pi * down / pitch))[..., None] * 0.95 + 12


def sharpened(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Sharpened far too much, as small cameras do: light rims about everything dark."""
    return image + 3.0 * (image - cv2.GaussianBlur(image, (0, 0), random.uniform(1.0, 2.5)))


def bright(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Far too bright: what is light has become white."""
    return image * 1.8 + 30


def grey(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Without colour."""
    return np.repeat(cv2.cvtColor(np.clip(image, 0, 255).astype(np.uint8), cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2).astype(np.float32)


def window(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """A window in the picture's corner, and its glare over what lies before it."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    from_left, from_top = (x / width, y / height) if random.random() < 0.5 else (1 - x / width, y / height)
    near = np.exp(-(from_left**2 + from_top**2) / 0.18)[..., None]
    return image * 0.55 * (1 - 0.5 * near) + 230 * near


def jpeg(image: np.ndarray, quality: int) -> np.ndarray:
    """What is left of a picture after it was coded so."""
    coded = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.float32)


def coded(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Sent on twice by messengers: coded coarsely, a little shifted, and coded again."""
    return np.roll(jpeg(np.roll(jpeg(image, 30), (3, 5), (0, 1)), 15), (-3, -5), (0, 1))


def streamed(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """A frame of a video of few bits."""
    height, width = image.shape[:2]
    even = np.clip(cv2.copyMakeBorder(image, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE), 0, 255).astype(np.uint8)
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{even.shape[1]}x{even.shape[0]}"]
    run = lambda arguments, given: subprocess.run(["ffmpeg", "-v", "error", *arguments, "pipe:1"], input=given, stdout=subprocess.PIPE, check=True).stdout  # noqa: E731
    video = run([*raw, "-i", "pipe:0", "-c:v", "libx264", "-crf", str(random.integers(32, 41)), "-pix_fmt", "yuv420p", "-f", "h264"], even.tobytes())
    frame = run(["-f", "h264", "-i", "pipe:0", "-pix_fmt", "bgr24", "-f", "rawvideo"], video)
    return np.frombuffer(frame, np.uint8).reshape(even.shape)[:height, :width].astype(np.float32)


def black(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Black tiles with light print, every hue as it was."""
    there, grey = mask(image, tiles), image.mean(2, keepdims=True)
    return image * (1 - there) + np.clip(0.9 * (255 - grey + 1.2 * (image - grey)), 0, 255) * there


def blank(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Two tiles at most of those that lie alone lose their ink, and every white dragon its frame: those of a set are alike."""
    image = np.clip(image, 0, 255).astype(np.uint8)
    boxes = np.array([tile["bbox"] for tile in tiles], np.float64).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    lone = [tile for tile, apart in zip(tiles, alone(boxes), strict=True) if apart and not tile.get("ignore") and tile["code"] != "x"]
    white = [tile for tile in tiles if tile["code"] == "5z" and not tile.get("ignore")]
    for tile in white + [lone[at] for at in random.permutation(len(lone))[:2] if lone[at] not in white]:
        x, y, w, h = tile["bbox"]
        if remove_ink(image, np.array(tile.get("corners") or [[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32), random):
            tile["code"], tile["red"] = "5z", False
    return image.astype(np.float32)


LIGHT = {f.__name__: f for f in (bodies, ground, shadow, gloss, dark, blurred, shaken, warm, veil, grain, specked, screen, sharpened, bright, grey, window, coded, streamed, black, blank)}
# What a picture is scaled by, across and down; tall and wide: pulled out of shape, with as many pixels as before; small: until a tile
# is 17 pixels wide.
PULL = 2.5**0.5
SCALED = {
    "plain": lambda tiles: (1, 1),
    "low": lambda tiles: (1, 0.5),
    "tall": lambda tiles: (1 / PULL, PULL),
    "wide": lambda tiles: (PULL, 1 / PULL),
    "small": lambda tiles: (min(1, 17 / short_side(tiles)),) * 2,
}

# A turn in degrees, then how high the picture is left: over a corner of the table and low, as a phone sees it across one.
SLANTED = {"corner": (45, 0.6), "slanted": (30, 0.45)}


def slanted(image: np.ndarray, tiles: list[dict], turn: float, high: float) -> np.ndarray:
    """A picture turned and pressed flat, and its labels; where only a tile's box is known, the box is turned and grows."""
    height, width = image.shape[:2]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    linear = np.array([[c, -s], [s * high, c * high]], np.float64)
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) @ linear.T
    across, down = np.ceil(np.ptp(edge, axis=0)).astype(int)
    shift = -edge.min(0)
    image = cv2.warpAffine(image, np.column_stack([linear, shift]), (int(across), int(down)), flags=cv2.INTER_LINEAR, borderValue=image.mean((0, 1)).tolist())
    for tile in tiles:
        x, y, w, h = tile["bbox"]
        outline = np.array(tile.get("corners") or [[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float64) @ linear.T + shift
        if tile.get("corners"):
            tile["corners"] = outline.tolist()
        tile["bbox"] = [*outline.min(0).tolist(), *np.ptp(outline, axis=0).tolist()]
        tile["turn"] = tile["turn_axis"] = None
    return image


# What `mixed` takes one of.
MIXED = ("bodies", "ground", "shadow", "gloss", "dark", "warm", "veil", "grain")

# How much of the width of the picture a tile is.
CLOSE = {"close": 0.5}


def close(image: np.ndarray, tiles: list[dict], share: float, random: np.random.Generator) -> tuple[np.ndarray, list[dict]]:
    """What is left of a picture, 1,280 pixels long, where the camera came close to one of its tiles; tiles cut by the edge need not be read."""
    readable = [tile for tile in tiles if not tile.get("ignore")]
    if not readable:
        return image, tiles
    height, width = image.shape[:2]
    left, top, across, down = readable[random.integers(len(readable))]["bbox"]
    size = np.array([min(width, min(across, down) / share), min(height, 0.75 * min(across, down) / share)])
    low = np.clip([left + across / 2, top + down / 2] - size / 2, 0, [width, height] - size).astype(int)
    high = low + size.astype(int)
    by = 1280 / max(high - low)
    seen = []
    for tile in tiles:
        x, y, w, h = tile["bbox"]
        ends = np.clip([[x, y], [x + w, y + h]], low, high)
        shown = ends[1] - ends[0]
        if shown.min() > 0:
            if shown.prod() < 0.97 * w * h:
                tile["ignore"] = True
            if tile.get("corners"):
                tile["corners"] = None if tile.get("ignore") else ((np.float64(tile["corners"]) - low) * by).tolist()
            tile["bbox"] = [*((ends[0] - low) * by).tolist(), *(shown * by).tolist()]
            seen.append(tile)
    image = image[low[1] : high[1], low[0] : high[0]]
    return cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_CUBIC), seen


def mixed(image: np.ndarray, tiles: list[dict], random: np.random.Generator) -> np.ndarray:
    """Several at once, as a stranger's photo has them: turned, seen low, in bad light, not sharp, tiles of any size."""
    image = slanted(image, tiles, 90 * random.integers(4) + random.uniform(-12, 12), random.uniform(0.6, 1))
    image = LIGHT[MIXED[random.integers(len(MIXED))]](image, tiles, random)
    wanted = math.exp(random.uniform(math.log(20), math.log(120)))
    image = scaled(image, tiles, (min(1.5, wanted / short_side(tiles)),) * 2)
    if random.random() < 0.5:
        image = (shaken if random.random() < 0.5 else blurred)(np.clip(image, 0, 255), tiles, random)
    return jpeg(image, int(random.integers(35, 86)))


def scaled(image: np.ndarray, tiles: list[dict], factors: tuple[float, float]) -> np.ndarray:
    """A picture and its labels brought to another size."""
    across, down = factors
    height, width = image.shape[:2]
    size = (max(1, round(width * across)), max(1, round(height * down)))
    image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    for tile in tiles:
        x, y, w, h = tile["bbox"]
        tile["bbox"] = [x * across, y * down, w * across, h * down]
        if tile.get("corners"):
            tile["corners"] = [[x * across, y * down] for x, y in tile["corners"]]
    # A picture of less than 200 pixels is not read: it lies in a larger one.
    room = [max(0, 200 - side) for side in image.shape[:2]]
    return cv2.copyMakeBorder(image, 0, room[0], 0, room[1], cv2.BORDER_CONSTANT, value=(40, 60, 50))


KINDS = [*SCALED, *SLANTED, *CLOSE, *LIGHT, "mixed"]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", default="val")
    parser.add_argument("--only", action="append", choices=KINDS, help="these hardships alone")
    parser.add_argument("--seed", type=int, default=7, help="others draw other copies")
    options = parser.parse_args()
    patch = json.loads(CORRECTIONS.read_text())["photos"]
    wanted = json.loads((options.data / "splits.json").read_text())[options.split]["photos"]
    for kind in tqdm(options.only or KINDS):
        root = options.out / kind
        (root / "labels").mkdir(parents=True, exist_ok=True)
        for source, files in wanted.items():
            (root / "photos" / source).mkdir(parents=True, exist_ok=True)
            labels = json.loads((options.data / "labels" / f"{source}.json").read_text())
            entries = {entry["file"]: entry for entry in labels["images"]}
            for number, file in enumerate(files):
                entry, random = entries[file], np.random.default_rng((number, options.seed))
                entry["tiles"] += [dict(tile) for tile in patch.get(f"{source}/{file}", {}).get("add", [])]
                image = read_picture(options.data / "photos" / source / file).astype(np.float32)
                if kind in LIGHT:
                    image = LIGHT[kind](image, entry["tiles"], random)
                elif kind in SLANTED:
                    image = slanted(image, entry["tiles"], *SLANTED[kind])
                elif kind == "mixed":
                    image = mixed(image, entry["tiles"], random)
                elif kind in CLOSE:
                    image, entry["tiles"] = close(image, entry["tiles"], CLOSE[kind], random)
                else:
                    image = scaled(image, entry["tiles"], SCALED[kind](entry["tiles"]))
                entry["height"], entry["width"] = image.shape[:2]
                image = np.clip(image, 0, 255).astype(np.uint8)
                cv2.imwrite(str(root / "photos" / source / file), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            labels["images"] = [entries[file] for file in files]
            (root / "labels" / f"{source}.json").write_text(json.dumps(labels))


if __name__ == "__main__":
    main()
