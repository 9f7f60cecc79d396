"""Trains the network that moves a detection's corners onto the tile's and says whether it is one.

    python -m tilelens_training.train.corners --scenes SCENES --photographs PHOTOGRAPHS --runs RUNS

`crops` N x 3 x 64 x 64, BGR 0-255, as data/corner_samples.py makes them. `offsets` N x 8: how far each of the tile's corners lies
from the detection's. `tile` N x 1: the logit that a whole tile lies there, face up or down. Writes RUNS/checkpoint.pt, resumed
when it exists, and RUNS/log.txt.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from tqdm import tqdm

from tilelens_training.crops import CROP
from tilelens_training.data.corner_samples import Sampler, false_cuts, photo_sources, score, training_sampler
from tilelens_training.paths import DATA, MADE, MODELS
from tilelens_training.train.networks import Residual, Unit, fold, weights

WIDTH = 16
TILE_SHARE = 0.05  # what the loss of `tile` counts beside that of `offsets`
# Without instructions for bfloat16 it takes twice the time of float.
HALVES = any(torch.cpu.get_capabilities().get(name) for name in ("avx512_bf16", "amx_bf16"))

cv2.setNumThreads(1)  # workers that are forked from threads hang


class Corners(nn.Module):
    """`crops` N x 3 x 64 x 64, BGR 0-255 -> offsets N x 8, tile N x 1."""

    def __init__(self, width: int = WIDTH):
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

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.body((crops - 128.0) * (1 / 64))
        return self.offsets(self.where(seen).flatten(1)), self.tile(self.what(seen).mean((2, 3)))


class SampleStream(IterableDataset):
    """Endless batches, made in the loader's workers."""

    def __init__(self, sampler: Sampler, batch: int, seed: int):
        self.sampler, self.batch, self.seed = sampler, batch, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        random = np.random.default_rng([self.seed, get_worker_info().id])
        while True:
            yield tuple(map(torch.from_numpy, self.sampler.batch(self.batch, random)))


def losses(predicted: torch.Tensor, tile: torch.Tensor, truth: torch.Tensor, is_tile: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Of the corners where they are known, and of what is a tile."""
    known = ~truth[:, 0].isnan()
    where = functional.smooth_l1_loss(predicted.float()[known], truth[known], beta=0.02)
    return where, functional.binary_cross_entropy_with_logits(tile.float()[:, 0], is_tile)


def predictor(network: nn.Module) -> Callable[[np.ndarray], list[np.ndarray]]:
    """Crops N x 64 x 64 x 3 uint8 -> offsets, tile."""

    def predict(crops: np.ndarray) -> list[np.ndarray]:
        with torch.no_grad():
            parts = [network(torch.from_numpy(part).permute(0, 3, 1, 2).float()) for part in np.split(crops, range(256, len(crops), 256))]
        return [torch.cat(part).numpy() for part in zip(*parts, strict=True)]

    return predict


def averaged(state: dict[str, torch.Tensor]) -> nn.Module:
    """The network with averaged weights, folded."""
    network = Corners()
    types = network.state_dict()
    network.load_state_dict({name: value.to(types[name].dtype) for name, value in state.items()})
    return fold(network)


def train(options: argparse.Namespace) -> None:
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

    def note(text: str) -> None:
        print(text, file=log, flush=True)
        tqdm.write(text)

    def save() -> None:
        part = checkpoint.with_suffix(".part")
        state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "average": average}
        torch.save(state | {"step": step, "spent": spent}, part)
        part.replace(checkpoint)

    watched, _ = photo_sources(options.data, "val")
    nothing, held_back = false_cuts(options)
    stream = SampleStream(training_sampler(options, nothing, most=30_000), options.batch, options.seed + step)
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
            predicted, tile = network(images.permute(0, 3, 1, 2).float())
        where, what = losses(predicted, tile, truth, is_tile)
        loss = where + TILE_SHARE * what
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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="rendered scenes")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py)")
    parser.add_argument("--models", type=Path, default=MODELS, help="models whose false detections are samples")
    parser.add_argument("--runs", type=Path, default=MADE / "corners", help="checkpoint, log")
    parser.add_argument("--start", type=Path, help="checkpoint whose averaged weights training begins with")
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--minutes", type=float, help="end earlier: the schedule follows whichever is further on")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=6)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
