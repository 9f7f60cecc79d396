"""Trains the classifier.

    python -m tilelens_training.train.classifier --runs RUNS

Writes RUNS/checkpoint.pt (resumed when it exists) and RUNS/log.txt; the weights that count are the moving average.
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from tqdm import tqdm

from tilelens_training.data.classifier_samples import MIX, Sampler, Sources, training_sources
from tilelens_training.data.evaluation import evaluation_crops, score
from tilelens_training.paths import DATA, MADE, MODELS
from tilelens_training.train.networks import Classifier, fold, weights

# Side of the crops in the first part of training: more samples a second while they teach most.
EARLY_CROP = 48


class SampleStream(IterableDataset):
    """Endless batches, made in the loader's workers."""

    def __init__(self, sources: Sources, batch: int, seed: int, drawn: float):
        self.sources, self.batch, self.seed, self.drawn = sources, batch, seed, drawn

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        cv2.setNumThreads(1)
        sampler = Sampler(*self.sources, seed=[self.seed, get_worker_info().id], drawn=self.drawn)
        while True:
            yield tuple(map(torch.from_numpy, sampler.batch(self.batch)))


def losses(
    outputs: Sequence[torch.Tensor], faces: torch.Tensor, turns: torch.Tensor, red: torch.Tensor, smoothing: float,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Cross entropy of the face; log probability of the set of possible turns; red where known."""
    face_logits, turn_logits, red_logits = (output.float() for output in outputs[:3])
    face = functional.cross_entropy(face_logits, faces, label_smoothing=smoothing)
    allowed = functional.log_softmax(turn_logits, 1).masked_fill(~turns, -math.inf)
    known = ~turns.all(1)
    turn = -torch.logsumexp(allowed[known], 1).mean() if known.any() else face_logits.sum() * 0
    seen = red >= 0
    colour = functional.binary_cross_entropy_with_logits(red_logits[seen, 0], red[seen].float()) if seen.any() else face_logits.sum() * 0
    return face, turn, colour


def train(options: argparse.Namespace) -> None:
    """The training loop."""
    options.runs.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    cv2.setNumThreads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Classifier(options.width).to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=0.02)
    average = {name: value.detach().clone().float() for name, value in network.state_dict().items()}
    checkpoint = options.runs / "checkpoint.pt"
    step, spent = 0, 0.0
    if checkpoint.exists():
        saved = torch.load(checkpoint, map_location=device)
        network.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
        average, step, spent = saved["average"], saved["step"], saved["spent"]
    elif options.start:
        average = {name: value.float() for name, value in weights(options.start, device).items()}
        network.load_state_dict({name: value.to(network.state_dict()[name].dtype) for name, value in average.items()})
    sources = training_sources(options)
    crops, truth = evaluation_crops(options.data, "val")
    log = (options.runs / "log.txt").open("a")

    def note(text: str) -> None:
        print(text, file=log, flush=True)
        tqdm.write(text)

    def save() -> None:
        state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "average": average}
        partial = checkpoint.with_suffix(".part")
        torch.save(state | {"step": step, "spent": spent}, partial)
        partial.replace(checkpoint)

    parameters = sum(value.numel() for value in network.parameters())
    note(f"{parameters} parameters, {len(sources[0])} photo tiles, {len(sources[1])} crops, {len(sources[2])} scene tiles, {len(sources[4])} backgrounds, {len(sources[5][0])} false detections")
    stream = SampleStream(sources, options.batch, options.seed + step, options.drawn)
    batches = iter(DataLoader(stream, batch_size=None, num_workers=options.workers, prefetch_factor=8, pin_memory=device == "cuda"))
    progress = tqdm(total=options.steps, initial=step, unit="step", mininterval=10)
    begun = time.monotonic() - spent
    running, first_step = np.zeros(4), step
    while True:
        spent = time.monotonic() - begun
        done = step / options.steps
        if options.minutes:
            done = max(done, spent / 60 / options.minutes)
        if done >= 1:
            break
        rate = options.rate * min(1, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-5
        for group in optimiser.param_groups:
            group["lr"] = rate
        images, faces, turns, red = (part.to(device, non_blocking=True) for part in next(batches))
        images = images.permute(0, 3, 1, 2).float()  # channels last in memory already
        if done < options.small_until:
            images = functional.interpolate(images, size=(EARLY_CROP, EARLY_CROP), mode="bilinear")
        with torch.autocast(device, torch.bfloat16):
            outputs = network(images)
        face, turn, colour = losses(outputs, faces, turns, red, options.smoothing)
        optimiser.zero_grad(set_to_none=True)
        (face + 0.3 * turn + 0.15 * colour).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        decay = min(0.998, step / (step + 20))
        with torch.no_grad():
            for name, value in network.state_dict().items():
                average[name].mul_(decay).add_(value.float(), alpha=1 - decay)
        right = (outputs[0].argmax(1) == faces).float().mean().item()
        running = 0.98 * running + 0.02 * np.array([face.item(), turn.item(), colour.item(), right])
        progress.update()
        if step % 100 == 0:
            shown = running / (1 - 0.98 ** (step - first_step))
            note(f"step {step} {spent:.0f}s rate {rate:.5f} face {shown[0]:.3f} turn {shown[1]:.3f} red {shown[2]:.3f} right {shown[3]:.4f}")
        if step % options.every == 0:
            save()
            note(f"step {step} val {json.dumps(score(predictor(averaged(average, options.width)), crops, truth))}")
    save()
    note(f"end: {step * options.batch} samples, val {json.dumps(score(predictor(averaged(average, options.width)), crops, truth))}")


def averaged(average: dict[str, torch.Tensor], width: int) -> nn.Module:
    """The network with the averaged weights, folded."""
    network = Classifier(width)
    state = network.state_dict()
    network.load_state_dict({name: value.to(state[name].dtype) for name, value in average.items()})
    return fold(network)


def predictor(network: nn.Module) -> Callable[[np.ndarray], list[np.ndarray]]:
    """Crops N x 64 x 64 x 3 uint8 -> face, turn and red logits, as data/evaluation.py wants them."""

    def predict(crops: np.ndarray) -> list[np.ndarray]:
        with torch.no_grad():
            outputs = network(torch.from_numpy(crops).permute(0, 3, 1, 2).float())
        return [output.numpy() for output in outputs[:3]]

    return predict


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--runs", type=Path, default=MADE / "classifier", help="checkpoints, logs, caches")
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="rendered scenes")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py)")
    parser.add_argument("--models", type=Path, default=MODELS, help="models whose false detections are samples")
    parser.add_argument("--start", type=Path, help="checkpoint that a new run begins with")
    parser.add_argument("--styles", type=int, default=100, help="invented sets of faces")
    parser.add_argument("--drawn", type=float, default=MIX["art"], help="share of drawn faces among the samples")
    parser.add_argument("--width", type=int, default=28, help="channels of the first stage")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--minutes", type=float, help="end earlier: the schedule follows whichever is further on")
    parser.add_argument("--small-until", type=float, default=0.5, help="share of the schedule trained on smaller crops")
    parser.add_argument("--batch", type=int, default=160)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--smoothing", type=float, default=0.03)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--every", type=int, default=1000, help="steps between checkpoints and val figures")
    parser.add_argument("--seed", type=int, default=3)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
