"""Teaches the two judges (`models/tile_judge.json`, `models/white_judge.json`) from what the reader says of pictures.

    python -m tilelens_training.train.judges tiles PROGRAM --scenes SET --photographs FOLDER
    python -m tilelens_training.train.judges whites PROGRAM

PROGRAM reads each picture with `tiles --inside`, which writes the features of each candidate and of each blank. `tiles`: a candidate
on a labelled tile is a positive example; one that is a part of a tile, or lies where a completely labelled picture has none, a
negative one. Besides the photos of split `train` it is taught rendered scenes (render/scenes.py, data/scene_labels.py), photographs
without a tile (data/photographs.py) and pictures of render/clutter.py. `whites`: a blank on a labelled white dragon is a positive example. Teach it
after the judge of tiles, with a program that holds that one.

Each source is left out once, to see what a judge that never saw it says of it; of tiles a quarter of all pictures is left out, four
times. The judge that is written is taught with all.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile
from collections.abc import Callable
from concurrent import futures

import cv2
import numpy as np
from tqdm import tqdm

from tilelens_training.data.photographs import TAUGHT
from tilelens_training.paths import DATA, DATASETS, MODELS
from tilelens_training.render import clutter

HIDDEN = 16
SEED = 7
# Photos that are said to be labelled completely and are not.
INCOMPLETE = {"mahjon_image110.jpg", "mahjon_image122.jpg"}
CLUTTER, PHOTOGRAPHS, WHITE_PHOTOS = 250, 350, 800


def area(box: list) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def shared(a: list, b: list) -> float:
    """The area that two boxes (left, top, right, bottom) share."""
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(across, 0) * max(down, 0)


def box(corners: list) -> list:
    xs, ys = zip(*corners)
    return [min(xs), min(ys), max(xs), max(ys)]


def train_photos(data: pathlib.Path) -> list:
    """All photos of `train` as (source, path, labels), with the corrections of `datasets/`."""
    corrections: dict = {}
    for file in sorted((DATASETS).glob("*-patch.json")):
        for name, change in json.loads(file.read_text())["photos"].items():
            corrections.setdefault(name, []).append(change)
    train, photos = json.loads((data / "splits.json").read_text())["train"]["photos"], []
    for source, files in train.items():
        for image in json.loads((data / "labels" / f"{source}.json").read_text())["images"]:
            if image["file"] not in files:
                continue
            for change in corrections.get(f"{source}/{image['file']}", []):
                image["complete"] |= change.get("complete", False)
                image["tiles"] += change.get("add", [])
                for x, y in change.get("ignore", []):
                    for tile in image["tiles"]:
                        left, top, width, height = tile["bbox"]
                        middle = [left + width / 2 - x, top + height / 2 - y]
                        tile["ignore"] = tile.get("ignore") or max(map(abs, middle)) <= 2
            image["complete"] &= image["file"] not in INCOMPLETE
            photos.append((source, data / "photos" / source / image["file"], image))
    return photos


def white_photos(data: pathlib.Path) -> list:
    """The photos that show a white dragon, and as many complete ones that show none."""
    with_white: list[tuple] = []
    without: list[tuple] = []
    for photo in train_photos(data):
        whites = any(tile["code"] == "5z" for tile in photo[2]["tiles"])
        if whites or photo[2]["complete"]:
            (with_white if whites else without).append(photo)
    chance = random.Random(SEED)
    chance.shuffle(with_white)
    chance.shuffle(without)
    half = min(WHITE_PHOTOS // 2, len(with_white))
    return with_white[:half] + without[: WHITE_PHOTOS - half]


def tile_pictures(options: argparse.Namespace, work: pathlib.Path) -> list:
    """Photos, rendered scenes, and pictures without a tile."""
    pictures = train_photos(options.data)
    labels = json.loads((options.scenes / "labels" / "scenes.json").read_text())["images"]
    pictures += [("scenes", options.scenes / "photos" / "scenes" / image["file"], image) for image in labels]
    none = {"complete": True, "tiles": []}
    plain = [path for package in TAUGHT for path in sorted((options.photographs / "photos" / package).glob("*.jpg"))]
    random.Random(SEED).shuffle(plain)
    pictures += [("photographs", path, none) for path in plain[:PHOTOGRAPHS]]
    rng = np.random.default_rng(SEED)
    for number in range(CLUTTER):
        path = work / f"{number:04}.jpg"
        cv2.imwrite(str(path), clutter.picture(rng, int(rng.choice([352, 512, 704, 960]))))
        pictures.append(("clutter", path, none))
    return pictures


def judged(program: pathlib.Path, path: pathlib.Path, what: str) -> list:
    with tempfile.TemporaryDirectory() as folder:
        command: list = [program, "tiles", path, "--inside", folder, "--threads", "1"]
        subprocess.run(command, check=False, capture_output=True)
        written = pathlib.Path(folder) / "inside.json"
        return json.loads(written.read_text())[what] if written.is_file() else []


def examples(source: str, number: int, image: dict, found: list, is_one: Callable) -> list:
    """(source, picture, features, answer) of each place whose answer the labels give; `is_one`: what a label at a place says."""
    gathered = []
    for place in found:
        own, best, nearest, covered = box(place["corners"]), 0.0, None, 0.0
        for tile in image["tiles"]:
            left, top, width, height = tile["bbox"]
            other = [left, top, left + width, top + height]
            both = shared(own, other)
            covered = max(covered, both / area(own))
            share = both / (area(own) + area(other) - both)
            if share > best:
                best, nearest = share, tile
        answer = is_one(source, image, best, nearest, covered)
        if answer is not None:
            gathered.append((source, number, place["features"], answer))
    return gathered


def is_tile(source: str, image: dict, best: float, nearest: dict | None, covered: float) -> float | None:
    is_hidden = nearest is not None and bool(nearest.get("ignore")) and not (source == "scenes" and nearest["code"] == "x")
    if best >= 0.5:
        return None if is_hidden else 1.0
    if covered > 0.75:  # A part of a tile; boxes of photos are loose.
        least = 0.4 if source == "scenes" else 0.33
        return 0.0 if best < least and not (is_hidden and source != "scenes") else None
    return 0.0 if image["complete"] and covered < 0.1 else None


def is_white(_: str, image: dict, best: float, nearest: dict | None, covered: float) -> float | None:
    if nearest and best >= 0.4:
        return None if nearest.get("ignore") else float(nearest["code"] == "5z")
    return 0.0 if image["complete"] and covered < 0.1 else None


def teach(x: np.ndarray, y: np.ndarray, weight: np.ndarray, epochs: int, decay: float, batch: int = 512) -> dict:
    """A network of one hidden layer, by Adam in small batches with a rate that falls as a cosine."""
    chance = np.random.default_rng(SEED)
    mean, scale = x.mean(0), x.std(0) + 1e-3
    z, batch = (x - mean) / scale, min(batch, len(y))
    params = [
        chance.normal(0, 0.3, (x.shape[1], HIDDEN)), np.zeros(HIDDEN), chance.normal(0, 0.3, HIDDEN), np.zeros(1),
    ]
    first, second = [np.zeros_like(p) for p in params], [np.zeros_like(p) for p in params]
    step, steps = 0, epochs * (len(y) // batch)
    for _ in range(epochs):
        order = chance.permutation(len(y))
        for at in range(0, len(y) - batch + 1, batch):
            own, step = order[at : at + batch], step + 1
            hidden = np.tanh(z[own] @ params[0] + params[1])
            off = (1 / (1 + np.exp(-(hidden @ params[2] + params[3]))) - y[own]) * weight[own] / batch
            back = np.outer(off, params[2]) * (1 - hidden**2)
            slopes = [z[own].T @ back, back.sum(0), hidden.T @ off, np.array([off.sum()])]
            rate = 4e-3 * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 1e-5
            for k, (p, slope) in enumerate(zip(params, slopes)):
                slope = slope + decay * p * (k in (0, 2))
                first[k] = 0.9 * first[k] + 0.1 * slope
                second[k] = 0.999 * second[k] + 0.001 * slope**2
                p -= rate * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
    return {
        "mean": mean, "scale": scale, "hidden": params[0].T, "hidden_bias": params[1], "out": params[2],
        "out_bias": float(params[3][0]),
    }


def logits(judge: dict, x: np.ndarray) -> np.ndarray:
    hidden = np.tanh((x - judge["mean"]) / judge["scale"] @ judge["hidden"].T + judge["hidden_bias"])
    return (hidden @ judge["out"] + judge["out_bias"]).clip(-20, 20)


def calibrated(judge: dict, said: np.ndarray, y: np.ndarray) -> dict:
    """The judge with its logits stretched and shifted so that what it said of what it never saw is right as often as it claims
    (Platt 1999, "Probabilistic Outputs for Support Vector Machines")."""
    stretch, shift = 1.0, 0.0
    for _ in range(4000):
        off = 1 / (1 + np.exp(-(stretch * said + shift))) - y
        stretch -= 0.02 * (off * said).mean()
        shift -= 0.05 * off.mean()
    print(f"logits times {stretch:.2f}, and {shift:+.2f}")
    return judge | {"out": judge["out"] * stretch, "out_bias": judge["out_bias"] * stretch + shift}


def report(name: str, said: np.ndarray, y: np.ndarray, sources: np.ndarray) -> None:
    """How many of each kind are kept at several probabilities."""
    for source in sorted(set(sources)):
        for p in (0.5, 0.8):
            kept = (said > np.log(p / (1 - p))) & (sources == source)
            own = y[sources == source]
            print(f"{name}: {source} at {p}: {int(y[kept].sum())} of {int(own.sum())}, {int((1 - y)[kept].sum())} of {int((1 - own).sum())} others")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("judge", choices=["tiles", "whites"])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=DATA)
    parser.add_argument("--scenes", type=pathlib.Path, help="rendered scenes with labels (data/scene_labels.py)")
    parser.add_argument("--photographs", type=pathlib.Path, help="photographs without a tile (data/photographs.py)")
    parser.add_argument("--out", type=pathlib.Path, default=MODELS)
    parser.add_argument("--examples", type=pathlib.Path, help="kept here, and read from here if it is there")
    options = parser.parse_args()
    tiles = options.judge == "tiles"
    if options.examples and options.examples.is_file():
        gathered = json.loads(options.examples.read_text())
    else:
        gathered = []
        with tempfile.TemporaryDirectory() as work, futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            chosen = tile_pictures(options, pathlib.Path(work)) if tiles else white_photos(options.data)
            what, is_one = ("candidates", is_tile) if tiles else ("blanks", is_white)
            found = pool.map(lambda picture: judged(options.program.resolve(), picture[1], what), chosen)
            for number, ((source, _, image), places) in enumerate(zip(chosen, tqdm(found, total=len(chosen)))):
                gathered += examples(source, number, image, places, is_one)
        if options.examples:
            options.examples.write_text(json.dumps(gathered))
    sources, pictures = np.array([one[0] for one in gathered]), np.array([one[1] for one in gathered])
    x, y = np.array([one[2] for one in gathered], float), np.array([one[3] for one in gathered])
    if tiles:
        # Scenes are many and count half; what is none on real pictures is rare and counts three times.
        weight = np.where(sources == "scenes", 0.5, np.where(y < 0.5, 3.0, 1.0))
        epochs, decay = 40, 1e-4
        folds = [pictures % 4 == fold for fold in range(4)]
    else:
        # Both kinds count alike.
        weight = np.where(y > 0.5, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
        epochs, decay = 1500, 2e-3
        folds = [sources == source for source in sorted(set(sources))]
    taught = lambda own: teach(x[own], y[own], weight[own], epochs, decay)
    unseen = np.full(len(y), np.nan)
    for fold in folds:
        if y[~fold].sum():
            unseen[fold] = logits(taught(~fold), x[fold])
    known = ~np.isnan(unseen)
    report("never seen", unseen[known], y[known], sources[known])
    if tiles:
        for source in sorted(set(sources[y > 0.5])):
            own = sources == source
            report("source left out", logits(taught(~own), x[own]), y[own], sources[own])
    judge = calibrated(taught(np.ones(len(y), bool)), unseen[known], y[known])
    rounded = {key: np.round(value, 4).tolist() if key != "out_bias" else round(value, 4) for key, value in judge.items()}
    file = options.out / ("tile_judge.json" if tiles else "white_judge.json")
    file.write_text(json.dumps(rounded, separators=(", ", ": ")).replace('], "', '],\n"') + "\n")


if __name__ == "__main__":
    main()
