"""Teaches the judge of plain white dragons (`models/white_judge.json`) from the photos of split `train`.

    python white_judge.py PROGRAM [--data ../../../shared/data] [--out ../white_judge.json] [--photos N]

PROGRAM reads each photo with `tiles --inside`, which writes the features of each blank. A blank at a labelled white
dragon is a positive example; another blank is a negative one, on photos whose labels are complete. Each source is left out once, to see
what a judge taught without it says of it; the one that is written is taught with all.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile
from concurrent import futures

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIDDEN = 16
SEED = 7


def share(a: list, b: list) -> float:
    """What two boxes (left, top, right, bottom) share of both together."""
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def box(corners: list) -> list:
    xs, ys = zip(*corners)
    return [min(xs), min(ys), max(xs), max(ys)]


def photos(data: pathlib.Path, count: int) -> list:
    """All photos of `train` that show a white dragon, and as many complete ones that show none; labels as corrected."""
    corrections: dict = {}
    for file in sorted((ROOT / "datasets").glob("*-patch.json")):
        for name, change in json.loads(file.read_text())["photos"].items():
            corrections.setdefault(name, []).append(change)
    train = json.loads((data / "splits.json").read_text())["train"]["photos"]
    with_white, without = [], []
    for source in train:
        labels = json.loads((data / "labels" / f"{source}.json").read_text())
        for image in labels["images"]:
            if image["file"] not in train.get(labels["source"], []):
                continue
            path = data / "photos" / labels["source"] / image["file"]
            for change in corrections.get(f"{source}/{image['file']}", []):
                image["complete"] |= change.get("complete", False)
                image["tiles"] += change.get("add", [])
                for x, y in change.get("ignore", []):
                    for tile in image["tiles"]:
                        left, top, width, height = tile["bbox"]
                        middle = [left + width / 2 - x, top + height / 2 - y]
                        tile["ignore"] = tile.get("ignore") or max(map(abs, middle)) <= 2
            whites = any(tile["code"] == "5z" for tile in image["tiles"])
            if whites or image["complete"]:
                (with_white if whites else without).append((labels["source"], path, image))
    chance = random.Random(SEED)
    chance.shuffle(with_white)
    chance.shuffle(without)
    return with_white[: count // 2] + without[: count - min(count // 2, len(with_white))]


def blanks(program: pathlib.Path, path: pathlib.Path) -> list:
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "tiles", path, "--inside", folder, "--threads", "1"]
        subprocess.run(command, check=False, capture_output=True)
        written = pathlib.Path(folder) / "inside.json"
        return json.loads(written.read_text())["blanks"] if written.is_file() else []


def examples(source: str, image: dict, found: list) -> list:
    """The features of each blank, and whether it is a white dragon."""
    told = []
    for blank in found:
        own = box(blank["corners"])
        best, nearest = 0.0, None
        for tile in image["tiles"]:
            left, top, width, height = tile["bbox"]
            shared = share(own, [left, top, left + width, top + height])
            if shared > best:
                best, nearest = shared, tile
        if best >= 0.4:
            if not nearest.get("ignore"):
                told.append((source, blank["features"], float(nearest["code"] == "5z")))
        elif image["complete"] and best < 0.1:
            told.append((source, blank["features"], 0.0))
    return told


def teach(x: np.ndarray, y: np.ndarray, steps: int = 3000) -> dict:
    """A network of one hidden layer, by Adam; both classes count alike, and weights are kept small."""
    chance = np.random.default_rng(SEED)
    mean, scale = x.mean(0), x.std(0) + 1e-3
    z = (x - mean) / scale
    weight = np.where(y > 0.5, 0.5 / max(y.sum(), 1), 0.5 / max((1 - y).sum(), 1))
    params = [
        chance.normal(0, 0.3, (x.shape[1], HIDDEN)), np.zeros(HIDDEN), chance.normal(0, 0.3, HIDDEN), np.zeros(1),
    ]
    first, second = [np.zeros_like(p) for p in params], [np.zeros_like(p) for p in params]
    for step in range(1, steps + 1):
        hidden = np.tanh(z @ params[0] + params[1])
        off = (1 / (1 + np.exp(-(hidden @ params[2] + params[3]))) - y) * weight
        back = np.outer(off, params[2]) * (1 - hidden**2)
        slopes = [z.T @ back, back.sum(0), hidden.T @ off, np.array([off.sum()])]
        for k, (p, slope) in enumerate(zip(params, slopes)):
            slope = slope + 2e-3 * p * (p.ndim > 0)
            first[k] = 0.9 * first[k] + 0.1 * slope
            second[k] = 0.999 * second[k] + 0.001 * slope**2
            p -= 0.01 * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
    return {
        "mean": mean, "scale": scale, "hidden": params[0].T, "hidden_bias": params[1], "out": params[2],
        "out_bias": float(params[3][0]),
    }


def calibrated(judge: dict, said: np.ndarray, y: np.ndarray) -> dict:
    """The judge with its logits stretched and shifted so that what it said of sources that it never saw is right as often as
    it claims (Platt 1999, "Probabilistic Outputs for Support Vector Machines")."""
    logits = np.log(said / (1 - said)).clip(-20, 20)
    stretch, shift = 1.0, 0.0
    for _ in range(4000):
        off = 1 / (1 + np.exp(-(stretch * logits + shift))) - y
        stretch -= 0.02 * (off * logits).mean()
        shift -= 0.05 * off.mean()
    print(f"logits times {stretch:.2f}, and {shift:+.2f}")
    return judge | {"out": judge["out"] * stretch, "out_bias": judge["out_bias"] * stretch + shift}


def says(judge: dict, x: np.ndarray) -> np.ndarray:
    hidden = np.tanh((x - judge["mean"]) / judge["scale"] @ judge["hidden"].T + judge["hidden_bias"])
    return 1 / (1 + np.exp(-(hidden @ judge["out"] + judge["out_bias"])))


def report(name: str, said: np.ndarray, y: np.ndarray) -> None:
    for least in (0.5, 0.7, 0.9):
        kept = said >= least
        print(f"{name}: at {least} {int(y[kept].sum())} of {int(y.sum())} white dragons, {int((1 - y)[kept].sum())} of {int((1 - y).sum())} others")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "models" / "white_judge.json")
    parser.add_argument("--photos", type=int, default=800)
    parser.add_argument("--examples", type=pathlib.Path, help="kept here, and read from here if it is there")
    args = parser.parse_args()
    if args.examples and args.examples.is_file():
        told = json.loads(args.examples.read_text())
    else:
        told = []
        chosen = photos(args.data, args.photos)
        with futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(lambda photo: blanks(args.program.resolve(), photo[1]), chosen)
            for number, ((source, _, image), of_photo) in enumerate(zip(chosen, found), 1):
                told += examples(source, image, of_photo)
                print(f"\r{number} of {len(chosen)} photos, {len(told)} blanks", end="", flush=True)
        print()
        if args.examples:
            args.examples.write_text(json.dumps(told))
    sources = np.array([one[0] for one in told])
    x, y = np.array([one[1] for one in told], float), np.array([one[2] for one in told])
    unseen = np.full(len(y), np.nan)
    for source in sorted(set(sources)):
        own = sources == source
        if y[~own].sum():
            unseen[own] = says(teach(x[~own], y[~own]), x[own])
            report(f"{source}, by a judge that never saw it", unseen[own], y[own])
    known = ~np.isnan(unseen)
    judge = calibrated(teach(x, y), unseen[known], y[known])
    report("all, by the judge that is written", says(judge, x), y)
    rounded = {key: np.round(value, 4).tolist() if key != "out_bias" else round(value, 4) for key, value in judge.items()}
    args.out.write_text(json.dumps(rounded, indent=None, separators=(", ", ": ")).replace('], "', '],\n"') + "\n")


if __name__ == "__main__":
    main()
