"""Teaches each sample more than once: where a GPU learns faster than processors make samples, they are kept on it.

See Choi et al., 2019, "Faster Neural Network Training with Data Echoing". What comes back is turned and lit otherwise.
"""

from collections.abc import Callable, Iterable, Iterator

import torch

Batch = tuple[torch.Tensor, ...]


class Echo:
    """The last samples, on the device they are taught on."""

    def __init__(self, most: int, seed: int, otherwise: Callable[[Batch, torch.Generator], Batch]):
        """Keeps up to `most` samples; `otherwise` makes others of a batch, the same it was before."""
        self.most, self.held, self.next, self.otherwise = most, 0, 0, otherwise
        self.parts: Batch | None = None
        self.random = torch.Generator().manual_seed(seed)

    def keep(self, batch: Batch) -> None:
        """Takes a batch in, in place of the oldest where there is no more room. All batches are of one size."""
        count = len(batch[0])
        if self.parts is None:
            if count > self.most:
                raise ValueError(f"a batch of {count} samples does not fit a memory of {self.most}")
            self.most -= self.most % count
            self.parts = tuple(torch.empty(self.most, *part.shape[1:], dtype=part.dtype, device=part.device) for part in batch)
        for mine, part in zip(self.parts, batch, strict=True):
            mine[self.next : self.next + count] = part
        self.held = max(self.held, self.next + count)
        self.next = (self.next + count) % self.most

    def draw(self, count: int) -> Batch:
        """Some of what is kept, made otherwise."""
        rows = torch.randint(self.held, (count,), generator=self.random).to(self.parts[0].device)
        return self.otherwise(tuple(part[rows] for part in self.parts), self.random)

    def over(self, batches: Iterable[Batch], times: int) -> Iterator[Batch]:
        """So many batches of what is kept for each that comes."""
        for batch in batches:
            self.keep(batch)
            for _ in range(times):
                yield self.draw(len(batch[0]))


def views(batch: Batch, random: torch.Generator) -> Batch:
    """The detector's samples by a quarter turn, mirrored or not, lit otherwise.

    Image N x H x W x 3 bytes; heat and weight N x 2 x h x w; quads N x 8 x h x w; side and known N x h x w.
    """
    turns = int(torch.randint(4, (1,), generator=random))
    image, *maps = turned(batch, turns, mirrored=bool(torch.rand(1, generator=random) < 0.5))
    return (lit(image, random, tinted=0.3), *maps)


def faces(batch: Batch, random: torch.Generator) -> Batch:
    """The classifier's samples by a quarter turn, a little moved, lit otherwise in all channels alike.

    Image N x H x W x 3 bytes, faces N, turns N x 4, red N.
    """
    image, names, turns, red = batch
    quarters = int(torch.randint(4, (1,), generator=random))
    image, turns = image.rot90(quarters, (1, 2)), turns.roll(-quarters, 1)
    return lit(moved(image, random), random, tinted=0), names, turns, red


def turned(batch: Batch, turns: int, mirrored: bool) -> Batch:
    """The detector's samples by so many quarter turns against the clock, mirrored before that where asked."""
    image, heat, weight, quads, side, known = batch
    if mirrored:
        image, heat, weight, quads, side, known = (
            part.flip(axis) for part, axis in zip(batch, (2, 3, 3, 3, 2, 2), strict=True)
        )
        # Corners stay clockwise.
        quads = torch.cat([-quads[:, :4].flip(1), quads[:, 4:].flip(1)], 1)
    image = image.rot90(turns, (1, 2))
    heat, weight, quads = (part.rot90(turns, (2, 3)) for part in (heat, weight, quads))
    side, known = (part.rot90(turns, (1, 2)) for part in (side, known))
    for _ in range(turns % 4):
        quads = torch.cat([quads[:, 4:], -quads[:, :4]], 1)
    return image, heat, weight, quads, side, known


def lit(image: torch.Tensor, random: torch.Generator, tinted: float) -> torch.Tensor:
    """Bytes N x H x W x 3 brighter or darker, a share of them in each channel otherwise."""
    count = len(image)
    gain, lift = torch.rand(2, count, 1, 1, 3, generator=random)
    one = torch.rand(count, 1, 1, 1, generator=random) >= tinted
    gain, lift = (torch.where(one, each[..., :1], each).to(image.device) for each in (gain, lift))
    return (image.float() * (0.8 + 0.4 * gain) + (lift - 0.5) * 24).clamp(0, 255).to(torch.uint8)


def moved(image: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Bytes N x H x W x 3, each turned by a degree or two, larger or smaller by a few per cent and shifted by a pixel or two."""
    count = len(image)
    angle, scale, shift = (torch.randn(count, size, generator=random) for size in (1, 1, 2))
    angle, scale, shift = angle * 0.035, 1 + scale * 0.025, shift * 0.03
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    affine = torch.stack([torch.cat([cos, -sin, shift[:, :1]], 1), torch.cat([sin, cos, shift[:, 1:]], 1)], 1)
    pixels = image.permute(0, 3, 1, 2).float()
    grid = torch.nn.functional.affine_grid(affine.to(image.device), list(pixels.shape), align_corners=False)
    warped = torch.nn.functional.grid_sample(pixels, grid, padding_mode="border", align_corners=False)
    return warped.permute(0, 2, 3, 1).round().clamp(0, 255).to(torch.uint8)
