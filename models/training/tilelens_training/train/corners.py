"""Trains the network that moves a find's corners onto the tile's and says whether it is one, and exports it.

    python corners.py train  --data ../../../shared/data --scenes SCENES --photographs PHOTOGRAPHS --runs RUNS
    python corners.py export --data ../../../shared/data --scenes SCENES --runs RUNS --out ../corners.onnx

A find is seen as the classifier sees it, but with some of what lies around it (GROWN): `crops` N x 3 x 64 x 64,
BGR 0-255. `offsets` N x 8: how far each of the tile's corners lies from the find's, x and y in turn, where the find
is a square of side one. `tile` N x 1: the logit that a whole tile lies there, face up or down. `train` writes
RUNS/checkpoint.pt, resumed when it exists, and RUNS/log.txt.
"""

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from tqdm import tqdm

from tilelens_training.data.blank_tiles import whiten
from tilelens_training.data.cuts import MARGIN, SQUARE, TILE, found_cuts, photo_cuts, scene_cuts
from tilelens_training.data.distortions import CROP, CROP_SQUARE, photograph, shuffle_colours
from tilelens_training.data.evaluation import session
from tilelens_training.data.false_detections import false_finds
from tilelens_training.data.photographs import photographs
from tilelens_training.export.rearrange import sooner
from tilelens_training.faces import REJECT
from tilelens_training.paths import DATA, MADE, MODELS
from tilelens_training.train.networks import Residual, Unit, fold, weights

GROWN = 1.5
UNIT_SQUARE = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
WIDTH = 16
NOTHING, PARTS, CORNERLESS, BLANK = 0.27, 0.05, 0.05, 0.08  # shares of the samples; BLANK loses its ink
ALONE = 0.5  # of the blank ones, tiles with no other near them;
TWO = 0.4  # of the others, those whose neighbour is blank as well
PHOTOS = 0.5  # of the others; the rest are rendered
CLUTTER = 3000  # pictures
TOLD = 0.05  # what the loss of `tile` counts beside that of `offsets`
BEFORE = 0.35  # of what training began with, in the weights that are exported
STAYS = np.zeros(8, np.float32)  # the offsets of what is no tile
UNKNOWN = np.full(8, np.nan, np.float32)
LONG = 4 / 3  # a tile is so many times as long as wide
# Without instructions for bfloat16 it takes twice the time of float.
HALVES = any(torch.cpu.get_capabilities().get(name) for name in ("avx512_bf16", "amx_bf16"))

cv2.setNumThreads(1)  # workers that are forked from threads hang


class Corners(nn.Module):
    """`crops` N x 3 x 64 x 64, BGR 0-255 -> offsets N x 8, tile N x 1."""

    def __init__(self, width=WIDTH):
        super().__init__()
        stages, inputs = [], 3
        for outputs in (width, 2 * width, 4 * width):
            stages += [Unit(inputs, outputs, 2), nn.ReLU(), Residual(outputs)]
            inputs = outputs
        self.body = nn.Sequential(*stages)
        self.where = nn.Sequential(Unit(inputs, 24), nn.ReLU())
        self.offsets = nn.Linear(24 * (CROP // 8) ** 2, 8)
        nn.init.zeros_(self.offsets.weight)
        nn.init.zeros_(self.offsets.bias)
        deepest = 6 * width
        self.what = nn.Sequential(Unit(inputs, deepest, 2), nn.ReLU(), Residual(deepest))
        self.tile = nn.Linear(deepest, 1)

    def forward(self, crops):
        seen = self.body((crops - 128.0) * (1 / 64))
        return self.offsets(self.where(seen).flatten(1)), self.tile(self.what(seen).mean((2, 3)))


def moved(quad, random, degrees, scale, shift, corner):
    """A quad turned, stretched and shifted by chance, and each corner by itself; the last two in shares of its upper side."""
    middle, side = quad.mean(0), np.linalg.norm(quad[1] - quad[0])
    angle = np.radians(random.normal(0, degrees))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    whole = (quad - middle) * np.exp(random.normal(0, scale, 2)) @ turn.T + middle
    return np.float32(whole + random.normal(0, shift * side, 2) + random.normal(0, corner * side, (4, 2)))


def found(random):
    """The tile's square in its cut, as a detector finds it."""
    worse = random.choice([0.6, 1.0, 1.8], p=[0.3, 0.5, 0.2])
    return moved(SQUARE, random, 2.5 * worse, 0.05 * worse, 0.03 * worse, 0.035 * worse)


def part(random):
    """A quad inside of the tile's square, as one dot of nine or half a tile is found."""
    width, height = random.uniform(0.3, 0.62, 2)
    width, height = [(width, height), (1.0, height), (width, 1.0)][random.integers(3)]
    x, y = random.uniform(0, 1 - width), random.uniform(0, 1 - height)
    quad = np.float32([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    return np.float32(MARGIN + quad * TILE + random.normal(0, 0.03 * TILE, (4, 2)))


def grown(find):
    """As much around a find as the network sees."""
    middle = find.mean(0)
    return np.float32(middle + (find - middle) * GROWN)


def offsets(find, tile):
    """How far a tile's corners lie from a find's, where the find is a square of side one."""
    square = cv2.getPerspectiveTransform(np.float32(find), UNIT_SQUARE)
    return (cv2.perspectiveTransform(np.float32(tile)[None], square)[0] - UNIT_SQUARE).ravel()


def seen(cut, find, random, distorted=True):
    """What the network sees of a find in a cut."""
    transform = cv2.getPerspectiveTransform(grown(find), CROP_SQUARE)
    image = cv2.warpPerspective(cut, transform, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return shuffle_colours(random, photograph(random, image))[0] if distorted else image


def sample(cut, random, distorted=True):
    """A find of a cut's tile, beginning at any corner: its crop, and how far the tile's corners are from its own."""
    start = int(random.integers(4))
    find, truth = np.roll(found(random), -start, 0), np.roll(SQUARE, -start, 0)
    return seen(cut, find, random, distorted), offsets(find, truth)


class SampleStream(IterableDataset):
    """Endless batches of crops, offsets (NaN where they are not known) and what is a tile; every photo source counts alike."""

    def __init__(self, sources, cornerless, alone, scenes, nothing, batch, seed):
        self.sources, self.cornerless, self.alone, self.scenes, self.nothing = sources, cornerless, alone, scenes, nothing
        self.batch, self.seed = batch, seed

    def __iter__(self):
        random = np.random.default_rng([self.seed, get_worker_info().id])
        while True:
            images, offsets, tiles = zip(*(self._sample(random) for _ in range(self.batch)), strict=True)
            yield tuple(torch.from_numpy(np.stack(part)) for part in (images, offsets, np.float32(tiles)))

    def _sample(self, random):
        """What is found and is no tile stays where it is: moved onto what is near it looks more like one."""
        chance = random.random()
        if chance < NOTHING:
            cuts = self.nothing[random.integers(len(self.nothing))]
            return seen(cuts[random.integers(len(cuts))], found(random), random), STAYS, 0
        if chance > 1 - BLANK:
            is_alone = random.random() < ALONE
            cuts = self.alone if is_alone else self.sources[random.integers(len(self.sources))]
            cut = cuts[random.integers(len(cuts))].copy()
            whiten(cut, SQUARE, random)
            if not is_alone and random.random() < TWO:
                beside = TILE * np.float32([[-1, 0], [1, 0], [0, -1], [0, 1]])[random.integers(4)]
                whiten(cut, SQUARE + beside, random)
            return *sample(cut, random), 1
        cuts = self.sources[random.integers(len(self.sources))] if random.random() < PHOTOS else self.scenes
        if chance < NOTHING + PARTS:
            return seen(cuts[random.integers(len(cuts))], part(random), random), UNKNOWN, 0
        if chance < NOTHING + PARTS + CORNERLESS:
            cut = self.cornerless[random.integers(len(self.cornerless))]
            return seen(cut, found(random), random), UNKNOWN, 1
        return *sample(cuts[random.integers(len(cuts))], random), 1


def photo_sources(data, split):
    """Cuts of tiles whose corners are labelled, by photo source; and of those of which only a box is."""
    cuts = photo_cuts(data, split)
    names = np.array([group.split("/")[0] for group in cuts.groups])
    cornered = {str(name): cuts.pixels[(names == name) & cuts.cornered] for name in np.unique(names)}
    return cornered, cuts.pixels[~cuts.cornered]


def false_cuts(options):
    """What the models find where no tile is, in pictures with and without tiles and in rendered ones; and the last twentieth, held back."""
    kept = options.runs / "nothing.npz"
    if not kept.exists():
        taught = photographs(options.photographs)
        cuts, faces = found_cuts(options.data, "train", options.finder, options.seed, taught)
        rendered = false_finds(options.finder, options.scenes, taught, CLUTTER, options.seed, options.threads + options.workers)
        np.savez(kept, photographed=cuts[faces == REJECT], rendered=rendered)
    groups = list(np.load(kept).values())
    return [cuts[: -len(cuts) // 20] for cuts in groups], np.concatenate([cuts[-len(cuts) // 20 :] for cuts in groups])


def training_stream(options, nothing, seed, most):
    """Samples of the training photos, of so many rendered tiles, and of what is no tile."""
    sources, cornerless = photo_sources(options.data, "train")
    scenes = scene_cuts(options.scenes, most).pixels
    alone = photo_cuts(options.data, "train", only_alone=True)
    return SampleStream(list(sources.values()), cornerless, alone.pixels[alone.cornered], scenes, nothing, options.batch, seed)


def losses(told, tile, truth, is_tile):
    """Of the corners where they are known, and of what is a tile."""
    known = ~truth[:, 0].isnan()
    where = functional.smooth_l1_loss(told.float()[known], truth[known], beta=0.02)
    return where, functional.binary_cross_entropy_with_logits(tile.float()[:, 0], is_tile)


def errors(offsets):
    """Mean distance of the four corners in tile widths, the sides of the square taken as alike."""
    x, y = offsets[:, 0::2], offsets[:, 1::2]
    return np.hypot(x, y).mean(1) * math.sqrt(LONG)


def score(predict, sources, nothing):
    """Undistorted: of what is no tile the share that is called one; of each source's tiles the median corner error before and
    after, and the share that is called none."""
    random = np.random.default_rng(5)
    false = predict(np.stack([seen(cut, SQUARE, random, distorted=False) for cut in nothing]))[1]
    figures = {"nothing": f"called a tile {np.mean(false > 0):.4f} ({len(nothing)})"}
    for name, cuts in sources.items():
        random = np.random.default_rng(5)
        images, truth = zip(*(sample(cut, random, distorted=False) for cut in cuts), strict=True)
        truth, (told, tile) = np.stack(truth), predict(np.stack(images))
        before, after = np.median(errors(truth)), np.median(errors(truth - told))
        figures[name] = f"{before:.4f} -> {after:.4f}, called none {np.mean(tile < 0):.4f} ({len(cuts)})"
    return figures


def predictor(network):
    """Crops N x 64 x 64 x 3 uint8 -> offsets, tile."""

    def predict(crops):
        with torch.no_grad():
            parts = [network(torch.from_numpy(part).permute(0, 3, 1, 2).float()) for part in np.split(crops, range(256, len(crops), 256))]
        return [torch.cat(part).numpy() for part in zip(*parts, strict=True)]

    return predict


def averaged(state):
    """The network with averaged weights, folded."""
    network = Corners()
    types = network.state_dict()
    network.load_state_dict({name: value.to(types[name].dtype) for name, value in state.items()})
    return fold(network)


def train(options):
    """The training loop."""
    options.runs.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    network = Corners().to(memory_format=torch.channels_last)
    if options.start:
        network.load_state_dict(weights(options.start))
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=0.01)
    average = {name: value.detach().clone().float() for name, value in network.state_dict().items()}
    checkpoint, step, spent = options.runs / "checkpoint.pt", 0, 0.0
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        network.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
        average, step, spent = saved["average"], saved["step"], saved["spent"]
    log = (options.runs / "log.txt").open("a")

    def note(text):
        print(text, file=log, flush=True)
        tqdm.write(text)

    def save():
        part = checkpoint.with_suffix(".part")
        state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "average": average}
        torch.save(state | {"step": step, "spent": spent}, part)
        part.replace(checkpoint)

    watched, _ = photo_sources(options.data, "val")
    nothing, held_back = false_cuts(options)
    stream = training_stream(options, nothing, options.seed + step, most=30_000)
    batches = iter(DataLoader(stream, batch_size=None, num_workers=options.workers, prefetch_factor=8))
    loss_mean, begun = None, time.monotonic() - spent
    progress = tqdm(initial=step, total=options.steps, unit="step", mininterval=10)
    done = step / options.steps
    while done < 1:
        step += 1
        spent = time.monotonic() - begun
        done = max(step / options.steps, spent / 60 / options.minutes if options.minutes else 0)
        rate = options.rate * min(1, step / 200) * (0.5 + 0.5 * math.cos(math.pi * min(done, 1))) + 1e-5
        for group in optimiser.param_groups:
            group["lr"] = rate
        images, truth, is_tile = next(batches)
        with torch.autocast("cpu", torch.bfloat16, enabled=HALVES):
            told, tile = network(images.permute(0, 3, 1, 2).float())
        where, what = losses(told, tile, truth, is_tile)
        loss = where + TOLD * what
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        decay = min(0.998, step / (step + 20))
        with torch.no_grad():
            for name, value in network.state_dict().items():
                average[name].mul_(decay).add_(value.float(), alpha=1 - decay)
        loss_mean = loss.item() if loss_mean is None else 0.98 * loss_mean + 0.02 * loss.item()
        progress.update()
        if step % 500 == 0 or done >= 1:
            save()
            note(f"step {step}, {spent:.0f} s, loss {loss_mean:.5f}, val {score(predictor(averaged(average)), watched, held_back)}")


def export(options):
    """The averaged weights as int8 ONNX, the last layers in float."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    state = weights(options.runs / "checkpoint.pt")
    if options.start:
        before = weights(options.start)
        state = {name: (1 - BEFORE) * value.float() + BEFORE * before[name].float() for name, value in state.items()}
    network = averaged(state)
    full, small = options.runs / "corners-fp32.onnx", options.runs / "corners-int8.onnx"
    axes = {name: {0: "n"} for name in ("crops", "offsets", "tile")}
    example = torch.rand(2, 3, CROP, CROP) * 255
    names = {"input_names": ["crops"], "output_names": ["offsets", "tile"], "dynamic_axes": axes}
    torch.onnx.export(network, example, full, opset_version=17, **names, dynamo=False)
    nothing, held_back = false_cuts(options)
    stream = training_stream(options, nothing, options.seed, most=3000)
    loader = iter(DataLoader(stream, batch_size=None, num_workers=1))
    batches = iter([{"crops": next(loader)[0].numpy().transpose(0, 3, 1, 2).astype(np.float32)} for _ in range(16)])

    class Samples(CalibrationDataReader):
        """Batches of training samples."""

        def get_next(self):
            return next(batches, None)

    prepared = options.runs / "corners-prepared.onnx"
    quant_pre_process(str(full), str(prepared), skip_symbolic_shape=True)
    quantize_static(
        str(prepared), str(small), Samples(), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8, op_types_to_quantize=["Conv", "Add", "Relu"],
    )
    quantised = onnx.load(small)
    sooner(quantised)
    onnx.save(quantised, small)
    watched, _ = photo_sources(options.data, "val")
    for path in (full, small):
        runner = session(path)

        def predict(crops, runner=runner):
            return runner.run(["offsets", "tile"], {"crops": crops.transpose(0, 3, 1, 2).astype(np.float32)})

        times = []
        for _ in range(60):
            start = time.perf_counter()
            predict(np.zeros((14, CROP, CROP, 3), np.uint8))
            times.append(time.perf_counter() - start)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB, 14 crops {np.median(times) * 1e3:.2f} ms, val {score(predict, watched, held_back)}")
    options.out.write_bytes(small.read_bytes())


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["train", "export"])
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="rendered scenes")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (photographs.py)")
    parser.add_argument("--finder", type=Path, default=MODELS, help="models whose false finds are shown as no tiles")
    parser.add_argument("--runs", type=Path, default=MADE / "corners", help="checkpoint, log")
    parser.add_argument("--out", type=Path, default=MODELS / "corners.onnx", help="export: where the network goes")
    parser.add_argument("--start", type=Path, help="checkpoint whose averaged weights training begins with; export: which are mixed in (Wortsman et al., 2022)")
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--minutes", type=float, help="end earlier: the schedule follows whichever is further on")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=6)
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments()
    {"train": train, "export": export}[given.action](given)
