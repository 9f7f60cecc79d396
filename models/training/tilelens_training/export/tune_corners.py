"""Teaches the last layer of the exported network of corners with detections of the reader, not ones that are off by chance.

    python -m tilelens_training.export.tune_corners --models MODELS --scenes SCENES --out corners.onnx

`train/corners.py` shows detections that are off on all sides alike. A detector is off one way: its detections lie inside of the lines
that people draw, most in sets it never saw. Here the program reads the training photos and rendered scenes without moving
a corner, and the layer that says how far corners are to move, in float, is taught from there to the labels. All before it
stays as it is, and so does what is called a tile. The result is mixed with what it began with.
"""

import argparse
import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnx import numpy_helper
from torch.nn import functional
from tqdm import tqdm

from tilelens_training.crops import CROP, CROP_SQUARE, SQUARE
from tilelens_training.data.corner_samples import errors, grown, moved, offsets, seen
from tilelens_training.data.cuts import VISIBLE, cut_quad, usable
from tilelens_training.data.distortions import photograph, shuffle_colours
from tilelens_training.data.false_detections import false_detections
from tilelens_training.export.graph import Graph
from tilelens_training.labels import SOURCES, photos, read_picture
from tilelens_training.paths import DATA, MADE, MODELS, PROGRAM

NEAR = 0.4  # short sides from a label's middle to a detection's, at most
FAR_OFF = 0.35  # short sides that its corners are off, at most
CROOKED = 3  # degrees between detection and label, at most: some labels are the box of a tile that lies aslant
COPIES = 8000  # distorted detections of each source
STEPS, BATCH, RATE = 3000, 256, 5e-4  # BATCH of each source
AT_ONCE = 20  # pictures read by one run of the program
CLUTTER = 600  # pictures whose false detections stay where they are

Labelled = tuple[Path, np.ndarray]  # a picture and the quads of its tiles

cv2.setNumThreads(1)


def layer(graph: Graph) -> tuple[str, str, str]:
    """Names of the layer's weights, its bias and its input."""
    node = graph.maker["offsets"]
    return node.input[1], node.input[2], node.input[0]


def with_layer(model: onnx.ModelProto, weights: np.ndarray, bias: np.ndarray) -> onnx.ModelProto:
    """The network with this last layer."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    graph = Graph(changed)
    for name, values in zip(layer(graph)[:2], (weights, bias), strict=True):
        graph.constants[name].CopyFrom(numpy_helper.from_array(np.float32(values), name))
    return changed


def detections(program: Path, models: Path, paths: list[Path], source: str) -> list[np.ndarray]:
    """Quads that the reader detects in each picture with these networks, N x 4 x 2."""
    found = []
    with tqdm(total=len(paths), desc=source, unit="picture") as bar:
        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            done = subprocess.run([program, "tiles", "--json", "--tileset", "none", "--models", models, *some], capture_output=True, text=True, check=False)
            if done.returncode > 1:
                raise SystemExit(done.stderr)
            found += [np.array([tile["corners"] for tile in json.loads(line)["tiles"]], np.float32).reshape(-1, 4, 2) for line in done.stdout.splitlines()]
            bar.update(len(some))
    return found


def labelled(data: Path, scenes: Path | None, split: str) -> dict[str, list[Labelled]]:
    """Pictures and their labelled quads, by source; `scenes` of rendered ones, or none."""
    by_source: dict[str, list[Labelled]] = {}
    for photo in photos(data, split, self_labels=False):
        quads = [tile.corners for tile in filter(usable, photo.tiles) if tile.corners is not None]
        if quads:
            by_source.setdefault(photo.source, []).append((photo.path, np.stack(quads)))
    for path in sorted(Path(scenes).glob("*.jpg")) if scenes else ():
        tiles = json.loads(path.with_suffix(".json").read_text())["tiles"]
        quads = [tile["corners"] for tile in tiles if tile.get("visible", 1) >= VISIBLE]
        if quads:
            by_source.setdefault("scenes", []).append((path, np.array(quads, np.float32)))
    return by_source


def paired(found: np.ndarray, quads: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Each detection that is of a label, and the label beginning at the same corner."""
    for quad in quads if len(found) else ():
        side = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0]))
        away = np.linalg.norm(found.mean(1) - quad.mean(0), axis=1)
        detection = found[away.argmin()]
        label = min((np.roll(quad, turn, 0) for turn in range(4)), key=lambda turned: np.linalg.norm(turned - detection))
        edges = [np.roll(corners, -1, 0) - corners for corners in (detection, label)]
        (ax, ay), (bx, by) = (edge.T for edge in edges)
        crooked = np.degrees(np.arctan2(ax * by - ay * bx, ax * bx + ay * by).mean())
        off = np.linalg.norm(detection - label, axis=1).mean()
        if away.min() < NEAR * side and off < FAR_OFF * side and abs(crooked) < CROOKED:
            yield detection, label


def worse(detection: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A detection as it might be in another picture."""
    by = random.choice([0.5, 1.0, 2.0])
    return moved(detection, random, 1.5 * by, 0.03 * by, 0.02 * by, 0.02 * by)


def sample(image: np.ndarray, detection: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the network sees of a detection, and how far the label's corners lie from its own."""
    return cut_quad(image, grown(detection), CROP, CROP_SQUARE), offsets(detection, label)


def samples(pictures: list[Labelled], found: list[np.ndarray], copies: int, seed: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Crops and offsets of each detection that is of a label, then of `copies` of them, distorted and begun at any corner; None without such a detection."""
    random = np.random.default_rng(seed)
    pairs = [list(paired(quads_found, quads)) for (_, quads), quads_found in zip(pictures, found, strict=True)]
    if not any(pairs):
        return None
    each = copies / sum(map(len, pairs))
    plain, distorted = [], []
    for (path, _), here in zip(pictures, pairs, strict=True):
        image = read_picture(path)
        for detection, label in here:
            plain.append(sample(image, detection, label))
            for _ in range(int(each + random.random())):
                turn = -int(random.integers(4))
                crop, away = sample(image, np.roll(worse(detection, random), turn, 0), np.roll(label, turn, 0))
                distorted.append((shuffle_colours(random, photograph(random, crop))[0], away))
    crops, truth = zip(*plain, *distorted, strict=True)
    return np.stack(crops), np.array(truth, np.float32)


def no_tiles(scenes: Path, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Crops of false detections of the shipped detector, which stay where they are, and offsets of 0."""
    random = np.random.default_rng(seed)
    cuts = false_detections(MODELS, scenes, (), CLUTTER, seed, workers=2)
    return np.stack([seen(cut, SQUARE, random, distorted=False) for cut in cuts]), np.zeros((len(cuts), 8), np.float32)


def features(model: onnx.ModelProto, crops: np.ndarray) -> torch.Tensor:
    """The input of the last layer, N x 1536."""
    open_ended = onnx.ModelProto()
    open_ended.CopyFrom(model)
    name = layer(Graph(model))[2]
    open_ended.graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
    session = ort.InferenceSession(open_ended.SerializeToString())
    parts = [crops[start : start + 256].transpose(0, 3, 1, 2).astype(np.float32) for start in range(0, len(crops), 256)]
    return torch.from_numpy(np.concatenate([session.run([name], {"crops": part})[0] for part in parts]))


def taught(weights: np.ndarray, bias: np.ndarray, sources: list[tuple[torch.Tensor, torch.Tensor]], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The layer after training: each source counts alike."""
    torch.manual_seed(seed)
    last = torch.nn.Linear(weights.shape[1], weights.shape[0])
    last.weight.data.copy_(torch.from_numpy(weights.copy()))
    last.bias.data.copy_(torch.from_numpy(bias.copy()))
    optimiser = torch.optim.AdamW(last.parameters(), lr=RATE, weight_decay=0)
    for step in tqdm(range(STEPS), unit="step"):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (0.5 + 0.5 * math.cos(math.pi * step / STEPS))
        chosen = [torch.randint(len(truth), (BATCH,)) for _, truth in sources]
        given, truth = (torch.cat([part[rows] for part, rows in zip(parts, chosen, strict=True)]) for parts in zip(*sources, strict=True))
        loss = functional.smooth_l1_loss(last(given), truth, beta=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return last.weight.detach().numpy(), last.bias.detach().numpy()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="rendered scenes")
    parser.add_argument("--models", type=Path, default=MODELS, help="the networks that read")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--out", type=Path, required=True, help="where the network of corners goes")
    parser.add_argument("--share", type=float, default=0.7, help="of what was taught, in the mix with what it began with")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    model = onnx.load(options.models / "corners.onnx")
    graph = Graph(model)
    weights, bias = (graph.value(name) for name in layer(graph)[:2])
    taken = {}
    with tempfile.TemporaryDirectory() as folder:
        still = Path(folder)
        for path in options.models.glob("*.onnx"):
            shutil.copy(path, still)
        onnx.save(with_layer(model, 0 * weights, 0 * bias), still / "corners.onnx")
        for split, scenes, copies in (("train", options.scenes, COPIES), ("val", None, 0)):
            for source, pictures in labelled(options.data, scenes, split).items():
                found = detections(options.program, still, [path for path, _ in pictures], source)
                made = samples(pictures, found, copies, options.seed)
                if made:
                    taken[split, source] = features(model, made[0]), torch.from_numpy(made[1])
    crops, truth = no_tiles(options.scenes, options.seed)
    taken["train", "no tiles"] = features(model, crops), torch.from_numpy(truth)
    new = taught(weights, bias, [parts for (split, _), parts in taken.items() if split == "train"], options.seed)
    mixed = [options.share * after + (1 - options.share) * before for after, before in zip(new, (weights, bias), strict=True)]
    for source in SOURCES:
        if ("val", source) in taken:
            given, truth = (part.numpy() for part in taken["val", source])
            as_is, before, after = (np.median(errors(truth - predicted)) for predicted in (0, given @ weights.T + bias, given @ mixed[0].T + mixed[1]))
            print(f"val, {source}: {as_is:.4f} as found, {before:.4f} before, {after:.4f} ({len(truth)})")
    onnx.save(with_layer(model, *mixed), options.out)


if __name__ == "__main__":
    main()
