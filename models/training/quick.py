"""Teaches a detector of half the operations what the large one knows (Hinton et al., 2015).

Its map is the large one's: the same channels, cells of 4 px. It looks at the picture in patches of 4 px at
once and does the rest at a stride of 8 or more, where ONNX Runtime's int8 convolutions are at their best;
each cell of 8 px then speaks for its four cells of 4 px.

    python quick.py teacher/last.pt --out runs/quick --steps 9000     # resumes from runs/quick/last.pt
"""

import os

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

import detector_data
import labels
from detector import UNIT, Average, Residual, _conv, _stage, losses
from export_detector import load
from photographs import photographs

BELIEVED = 0.2  # probability from which on the teacher's corners are taught


class Quick(nn.Module):
    """A patch stem, a backbone to stride 32, back up to stride 8; four cells a place. Takes BGR 0-255."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 4, 4, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True))
        self.mix4 = _conv(24, 24)
        self.down8 = _stage(24, 48, 1)
        self.down16 = _stage(48, 96, 1)
        self.down32 = _stage(96, 128, 2)
        self.from32 = _conv(128, 64, 1)
        self.from16, self.mix16 = _conv(96, 64, 1), _conv(64, 64)
        self.narrow, self.from8, self.mix8 = _conv(64, 48, 1), _conv(48, 48, 1), _conv(48, 48)
        self.hidden = _conv(48, 64, 1)
        self.last = nn.Conv2d(64, 40, 1)
        with torch.no_grad():
            bias = self.last.bias.view(10, 4)
            bias[:2] = -4.0
            bias[2:] = torch.tensor([-1.0, 1, 1, -1, -1, -1, 1, 1])[:, None]

    def forward(self, image):
        def up(t):
            return F.interpolate(t, scale_factor=2.0, mode="nearest")

        # No shift of the input: the scale alone goes into the stem's weights when exported.
        b = self.down8(self.mix4(self.stem(image * (4 / 255))))
        c = self.down16(b)
        top = self.mix16(self.from16(c) + up(self.from32(self.down32(c))))
        top = self.mix8(self.from8(b) + up(self.narrow(top)))
        return F.pixel_shuffle(self.last(self.hidden(top)), 2)


def teachings(out, taught, weight):
    """How far the map is from the teacher's: heat (quality focal loss, Li et al., 2020), then corners."""
    p, q = torch.sigmoid(out[:, :2]), torch.sigmoid(taught[:, :2])
    cross = F.binary_cross_entropy_with_logits(out[:, :2], q, reduction="none")
    heat = ((p - q).abs() ** 2 * cross).sum() / (q > 0.5).sum().clamp(min=1)
    sure = q.amax(1)
    cells = sure > BELIEVED
    if not cells.any():
        return heat, out.sum() * 0
    mine = out[:, 2:].permute(0, 2, 3, 1)[cells]
    true = taught[:, 2:].permute(0, 2, 3, 1)[cells]
    x, y = true[:, :4], true[:, 4:]
    edge = torch.hypot(x.roll(-1, 1) - x, y.roll(-1, 1) - y)
    short = torch.minimum(edge[:, 0] + edge[:, 2], edge[:, 1] + edge[:, 3]).clamp(min=0.5)[:, None] / 2
    orders = [
        F.smooth_l1_loss(mine / short, torch.cat([x.roll(-k, 1), y.roll(-k, 1)], 1) / short, reduction="none", beta=0.03).sum(1)
        for k in range(4)
    ]
    share = sure[cells] * (1 / short[:, 0]).clamp(0.15, 1.0)
    return heat, (torch.stack(orders).amin(0) * share).sum() / share.sum().clamp(min=0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("teachers", type=Path, nargs="+", help="checkpoints of the large detector, averaged")
    parser.add_argument("--data", type=Path, default=labels.DATA)
    parser.add_argument("--scenes", type=Path, default=Path("runs/scenes"))
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (photographs.py)")
    parser.add_argument("--out", type=Path, default=Path("runs/quick"))
    parser.add_argument("--steps", type=int, default=9000, help="the cosine ends here")
    parser.add_argument("--small-until", type=float, default=0.55, help="share of the steps on small crops")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--scene-share", type=float, default=0.4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=9)
    args = parser.parse_args()

    args.out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(filename=args.out / "train.log", level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    teacher = load(args.teachers).to(memory_format=torch.channels_last)
    net = Quick().to(memory_format=torch.channels_last)
    mine = net.state_dict()
    net.load_state_dict({k: v for k, v in teacher.state_dict().items() if k in mine and mine[k].shape == v.shape}, strict=False)
    average = Average(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.01)
    step, spent = 0, 0.0
    last = args.out / "last.pt"
    if last.exists():
        saved = torch.load(last)
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
    small_steps = round(args.steps * args.small_until)
    start, saved_at, means = time.monotonic() - spent, spent, None
    bar = tqdm(total=args.steps, unit="step", initial=step)
    for size, until in ((256, small_steps), (352, args.steps)):
        if step >= until:
            continue
        mix = detector_data.Mix(photos, photographs(args.photographs), args.scenes, size, args.scene_share, args.seed)
        loader = torch.utils.data.DataLoader(
            torch.utils.data.Subset(mix, range(step * args.batch, until * args.batch)),
            batch_size=args.batch, num_workers=args.workers, prefetch_factor=6,
        )
        for image, heat, weight, quads, side, known in loader:
            rate = args.rate * min(1, (step + 1) / 300) * (0.5 + 0.5 * math.cos(math.pi * step / args.steps)) + 1e-5
            for group in optimiser.param_groups:
                group["lr"] = rate
            image = image.permute(0, 3, 1, 2).float()
            with torch.autocast("cpu", torch.bfloat16):
                with torch.no_grad():
                    taught = teacher(image).float()
                out = net(image).float()
            parts = (*losses(out, heat, weight, quads, side, known), *teachings(out, taught, weight))
            loss = parts[0] + 4 * parts[1] + 2 * parts[2] + 2 * parts[3] + 4 * parts[4]
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
                text = "heat {:.3f} corner {:.3f} box {:.3f} taught heat {:.3f} taught corner {:.3f}".format(*means.tolist())
                bar.set_postfix_str(text)
                logging.info("step %d of %d px, %.0f s, rate %.2g, %s", step, size, spent, rate, text)
            if spent - saved_at > 120:
                saved_at = spent
                save()
    save()
    logging.info("end at step %d", step)


if __name__ == "__main__":
    main()
