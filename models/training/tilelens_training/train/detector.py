"""Trains the tile detector: a small plain ReLU network, stride 4, that finds centres and four corners.

Output channels: 0 heat of faces, 1 heat of backs, 2..5 x and 6..9 y of the four corners, in units of
16 px from the cell's centre. Corners run clockwise as seen; where they start means nothing.

    python -m tilelens_training.train.detector --out FOLDER --steps 14000     # resumes from FOLDER/last.pt
"""

import os
from collections.abc import Iterable

os.environ.setdefault("GOMP_SPINCOUNT", "0")

import argparse
import logging
import math
import time
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from tqdm import tqdm

from tilelens_training import labels
from tilelens_training.data import detector_samples
from tilelens_training.data.photographs import photographs
from tilelens_training.paths import DATA, MADE
from tilelens_training.train.networks import weights

UNIT = 16.0


def _conv(cin: int, cout: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions and a shortcut."""

    def __init__(self, channels: int):
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.second(self.first(x)))


def _stage(cin: int, cout: int, blocks: int) -> nn.Sequential:
    return nn.Sequential(_conv(cin, cout, stride=2), *[Residual(cout) for _ in range(blocks)])


class Detector(nn.Module):
    """Backbone to stride 32, then back up to stride 4 with lateral sums. Takes BGR 0-255."""

    def __init__(self) -> None:
        super().__init__()
        self.down2 = _conv(3, 16, stride=2)
        self.down4 = _stage(16, 24, 1)
        self.down8 = _stage(24, 48, 2)
        self.down16 = _stage(48, 96, 2)
        self.down32 = _stage(96, 128, 2)
        self.from32 = _conv(128, 64, 1)
        self.from16, self.mix16 = _conv(96, 64, 1), _conv(64, 64)
        self.narrow, self.from8, self.mix8 = _conv(64, 32, 1), _conv(48, 32, 1), _conv(32, 32)
        self.from4, self.mix4 = _conv(24, 32, 1), nn.Sequential(_conv(32, 32), _conv(32, 32))
        self.heat = nn.Conv2d(32, 2, 1)
        self.quad = nn.Sequential(_conv(32, 48, 1), nn.Conv2d(48, 8, 1))
        nn.init.constant_(self.heat.bias, -4.0)
        with torch.no_grad():  # a small upright square: the cyclic order is settled from the start
            self.quad[-1].bias.copy_(torch.tensor([-1.0, 1, 1, -1, -1, -1, 1, 1]))

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        def up(t: torch.Tensor) -> torch.Tensor:
            return F.interpolate(t, scale_factor=2.0, mode="nearest")

        a = self.down4(self.down2((image - 114.75) * (4 / 255)))
        b = self.down8(a)
        c = self.down16(b)
        top = self.mix16(self.from16(c) + up(self.from32(self.down32(c))))
        top = self.mix8(self.from8(b) + up(self.narrow(top)))
        top = self.mix4(self.from4(a) + up(top))
        return torch.cat([self.heat(top), self.quad(top)], 1)


def losses(
    out: torch.Tensor, heat: torch.Tensor, weight: torch.Tensor, quads: torch.Tensor, side: torch.Tensor, known: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Focal loss of the centres; corner and box losses in units of the tile's short side."""
    p = torch.sigmoid(out[:, :2]).clamp(1e-4, 1 - 1e-4)
    centre = (heat >= 0.999).float()
    hit = -torch.log(p) * (1 - p) ** 2 * centre
    miss = -torch.log(1 - p) * p**2 * (1 - heat) ** 4 * (1 - centre) * weight
    heat_loss = (hit.sum() + miss.sum()) / centre.sum().clamp(min=1)

    cells = side > 0
    unit = side[cells][:, None]
    mine = out[:, 2:].permute(0, 2, 3, 1)[cells] * UNIT / unit
    true = quads.permute(0, 2, 3, 1)[cells] / unit
    # a large tile covers more cells: without this it would outweigh all small ones
    share = (UNIT / unit[:, 0]).clamp(0.15, 1.0)
    with_corners = known[cells] * share
    if not len(unit):
        return heat_loss, out.sum() * 0, out.sum() * 0
    orders = []
    for k in range(4):
        turned = torch.cat([true[:, :4].roll(-k, 1), true[:, 4:].roll(-k, 1)], 1)
        orders.append(F.smooth_l1_loss(mine, turned, reduction="none", beta=0.03).sum(1))
    corner_loss = (torch.stack(orders).amin(0) * with_corners).sum() / with_corners.sum().clamp(min=0.5)

    def extent(q: torch.Tensor) -> torch.Tensor:
        x, y = q[:, :4], q[:, 4:]
        return torch.stack([x.amin(1), x.amax(1), y.amin(1), y.amax(1)], 1)

    boxes = F.smooth_l1_loss(extent(mine), extent(true), reduction="none", beta=0.03).sum(1)
    only_box = (1 - known[cells]) * share
    box_loss = (boxes * only_box).sum() / only_box.sum().clamp(min=0.5)
    return heat_loss, corner_loss, box_loss


def mean_weights(checkpoints: list[Path]) -> dict[str, torch.Tensor]:
    """The averaged weights of a checkpoint, or the mean of several ("model soups", Wortsman et al., 2022)."""
    states = [weights(checkpoint) for checkpoint in checkpoints]
    return {key: (sum(state[key] for state in states) / len(states)).to(states[0][key].dtype) for key in states[0]}


def renew_statistics(net: nn.Module, batches: Iterable[torch.Tensor]) -> None:
    """Gives the BatchNorms of a mean of weights the statistics of samples: they are not the mean of theirs.

    See Izmailov et al., 2018, "Averaging Weights Leads to Wider Optima and Better Generalization". `batches`: N x 3 x H x W, 0-255.
    """
    for norm in net.modules():
        if isinstance(norm, nn.BatchNorm2d):
            norm.reset_running_stats()
            norm.momentum = None  # all batches count the same
    net.train()
    with torch.no_grad():
        for batch in batches:
            net(batch)
    net.eval()


def sample_batches(data: Path, scenes: Path, of_photographs: Path | None, seed: int) -> Iterable[torch.Tensor]:
    """Some batches of training samples, N x 3 x H x W, 0-255, for the statistics of a network that is not being trained."""
    batch, batches, size = 32, 24, 256
    mix = detector_samples.Mix(labels.photos(data, "train"), photographs(of_photographs), scenes, size, 0.45, seed)
    loader = torch.utils.data.DataLoader(torch.utils.data.Subset(mix, range(batches * batch)), batch, num_workers=2)
    return (sample[0].permute(0, 3, 1, 2).float() for sample in loader)


class Average:
    """Exponential moving average of weights and BatchNorm statistics."""

    def __init__(self, net: nn.Module):
        self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def update(self, net: nn.Module, step: int) -> None:
        keep = min(0.998, (step + 1) / (step + 20))
        current = net.state_dict()
        real = [key for key, value in current.items() if value.dtype.is_floating_point]
        torch._foreach_lerp_([self.state[key] for key in real], [current[key] for key in real], 1 - keep)
        for key in current.keys() - set(real):
            self.state[key].copy_(current[key])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="folder of drawn scenes, may fill meanwhile")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py)")
    parser.add_argument("--out", type=Path, default=MADE / "detector")
    parser.add_argument("--start", type=Path, nargs="+", help="checkpoints from the mean of whose weights it starts")
    parser.add_argument("--steps", type=int, default=14000, help="the cosine ends here")
    parser.add_argument("--minutes", type=float, help="end earlier: the schedule follows whichever is further on")
    parser.add_argument("--small-until", type=float, default=0.6, help="share of the schedule on small crops")
    parser.add_argument("--small", type=int, default=256, help="side of the crops at first, pixels")
    parser.add_argument("--size", type=int, default=352, help="side of the crops after that, pixels")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--scene-share", type=float, default=0.45)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    args.out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(filename=args.out / "train.log", level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = Detector().to(device, memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(mean_weights(args.start))
    average = Average(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.01)
    step, spent = 0, 0.0
    last = args.out / "last.pt"
    if last.exists():
        saved = torch.load(last, map_location=device)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        average.state, step, spent = saved["average"], saved["step"], saved["spent"]
        logging.info("resumed at step %d", step)

    def save() -> None:
        part = last.with_suffix(".part")
        torch.save(
            {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average.state,
             "step": step, "spent": spent}, part)
        part.replace(last)

    photos = labels.photos(args.data, "train")
    start, saved_at, means = time.monotonic() - spent, spent, None

    def done() -> float:
        share = step / args.steps
        return max(share, spent / 60 / args.minutes) if args.minutes else share

    bar = tqdm(total=args.steps, unit="step", initial=step)
    for size, until in ((args.small, args.small_until), (args.size, 1.0)):
        if done() >= until:
            continue
        mix = detector_samples.Mix(photos, photographs(args.photographs), args.scenes, size, args.scene_share, args.seed)
        order = range(step * args.batch, args.steps * args.batch)
        loader = torch.utils.data.DataLoader(
            torch.utils.data.Subset(mix, order), batch_size=args.batch, num_workers=args.workers, prefetch_factor=6,
            pin_memory=device == "cuda",
        )
        for batch in loader:
            rate = args.rate * min(1, (step + 1) / 150) * (0.5 + 0.5 * math.cos(math.pi * done())) + 1e-5
            for group in optimiser.param_groups:
                group["lr"] = rate
            image, heat, weight, quads, side, known = (part.to(device, non_blocking=True) for part in batch)
            image = image.permute(0, 3, 1, 2).float()  # a view: channels stay last
            with torch.autocast(device, torch.bfloat16):
                out = net(image)
            parts = losses(out.float(), heat, weight, quads, side, known)
            loss = parts[0] + 4 * parts[1] + 2 * parts[2]
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            average.update(net, step)
            step += 1
            spent = time.monotonic() - start
            now = torch.stack(parts).detach()
            means = now if means is None else means.lerp(now, 0.03)
            bar.update()
            if step % 50 == 0:
                text = "heat {:.3f} corner {:.3f} box {:.3f}".format(*means.tolist())
                bar.set_postfix_str(text)
                logging.info("step %d of %d px, %.0f s, rate %.2g, %s", step, size, spent, rate, text)
            if spent - saved_at > 120:
                saved_at = spent
                save()
            if done() >= until:
                break
    save()
    logging.info("end at step %d", step)


if __name__ == "__main__":
    main()
