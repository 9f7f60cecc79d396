"""The classifier's network: a plain residual CNN, BatchNorm while training, folded for export."""

from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tilelens_training.crops import CROP
from tilelens_training.faces import FACES


class Unit(nn.Module):
    """3 x 3 convolution with BatchNorm."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.conv(x))


class Residual(nn.Module):
    """Two units and a shortcut."""

    def __init__(self, width: int):
        super().__init__()
        self.first, self.second = Unit(width, width), Unit(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Classifier(nn.Module):
    """`crops` N x 3 x 64 x 64, BGR 0-255 -> faces N x 44, turn N x 4, red N x 1, embedding N x 6w."""

    def __init__(self, width: int = 28):
        super().__init__()
        self.width = width
        stages, inputs = [], 3
        for outputs in (width, 2 * width, 4 * width, 6 * width):
            stages += [Unit(inputs, outputs, 2), nn.ReLU(), Residual(outputs)]
            inputs = outputs
        self.body = nn.Sequential(*stages)
        self.dropout = nn.Dropout(0.15)
        self.faces = nn.Linear(inputs, len(FACES))
        self.turn = nn.Linear(inputs, 4)
        self.red = nn.Linear(inputs, 1)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        embedding = self.body((crops - 128.0) * (1 / 64)).mean((2, 3))
        kept = self.dropout(embedding)
        return self.faces(kept), self.turn(kept), self.red(kept), embedding


def weights(checkpoint: Path, device: str = "cpu") -> dict[str, torch.Tensor]:
    """The averaged weights: of training's own checkpoint (.pt), or of one in runs/ (.npz)."""
    if checkpoint.suffix == ".npz":
        with np.load(checkpoint) as kept:
            return {name: torch.from_numpy(kept[name]).to(device) for name in kept.files}
    return torch.load(checkpoint, map_location=device)["average"]


def fold(network: nn.Module) -> nn.Module:
    """A copy in eval mode whose BatchNorms are folded into the convolutions."""
    import copy

    folded = copy.deepcopy(network).eval()
    for unit in [module for module in folded.modules() if isinstance(module, Unit)]:
        unit.conv = nn.utils.fusion.fuse_conv_bn_eval(unit.conv, unit.norm)
        unit.norm = nn.Identity()
    return folded


def example(count: int = 2) -> torch.Tensor:
    """Random crops, for shapes and for comparing two forms of one network."""
    return torch.rand(count, 3, CROP, CROP, generator=torch.Generator().manual_seed(0)) * 255
