"""Makes a checkpoint of a shipped network, so that training can go on from it where its own checkpoints are lost.

    python -m tilelens_training.export.recover_checkpoint detector --scenes SCENES --photographs PHOTOGRAPHS --out FOLDER/detector.npz    # or classifier, corners

The whole-number weights are scaled back. Their BatchNorms were folded into the convolutions; new ones are put in
that change nothing, with the statistics of training samples. Training begins with it by `--start`.
Those of the shipped networks lie in `runs/`.
"""

import argparse
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnx import numpy_helper
from torch import nn
from torch.utils.data import DataLoader

from tilelens_training.data.classifier_samples import Sampler, training_sources
from tilelens_training.data.corner_samples import false_cuts, training_sampler
from tilelens_training.export.integer_layers import MIDDLE, STEP
from tilelens_training.export.rearrange import COLUMNS
from tilelens_training.paths import DATA, MODELS
from tilelens_training.train import corners
from tilelens_training.train.detector import Detector, sample_batches
from tilelens_training.train.networks import Classifier

BATCHES, BATCH = 24, 128
Recovered = tuple[nn.Module, Iterable[torch.Tensor], str]  # an empty network, samples for it, its input's name


class Shipped:
    """Weights and biases of a quantised network, by the names they had in training."""

    def __init__(self, path: Path):
        graph = onnx.load(path).graph
        self.constants = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
        self.maker = {name: node for node in graph.node for name in node.output}
        self.weights = {}
        for node in graph.node:
            if node.op_type == "DequantizeLinear" and node.input[0] in self.constants:
                name = node.output[0].removesuffix("_DequantizeLinear_Output")
                axis = next((a.i for a in node.attribute if a.name == "axis"), 0)
                numbers, scale, zero = (self.constants[i].astype(np.float32) for i in node.input)
                shape = [1] * numbers.ndim
                if scale.size > 1:
                    shape[axis] = -1
                self.weights[name] = (numbers - zero.reshape(shape)) * scale.reshape(shape) if numbers.ndim else numbers * scale
        # Last layers that quantisation left in float.
        self.weights |= {name: self.constants[name] for name in self.constants if name.endswith((".weight", ".bias"))}
        self.one_column()

    def one_column(self) -> None:
        """Undoes `rearrange.first_convolution`."""
        for name, wide in list(self.weights.items()):
            if wide.ndim == 4 and wide.shape[3] > wide.shape[2]:
                channels = len(wide) // COLUMNS
                bias = name.removesuffix("weight") + "bias"
                self.weights[name] = wide[:channels, :, :, : wide.shape[2]]
                self.weights[bias] = self.weights[bias][:channels]

    def first_and_last_of_detector(self) -> None:
        """Undoes `integer_layers.py`."""
        moved = self.weights["down2.0.weight"].sum((1, 2, 3)) * (np.ceil(MIDDLE) - MIDDLE) * STEP
        self.weights["down2.0.bias"] = self.weights["down2.0.bias"] - moved
        at = 0
        for name in ("heat", "quad.1"):
            total = self.maker["sums"].input[0 if name == "heat" else 1]
            taken, numbers, _ = self.maker[total].input
            bytes_of = self.maker[self.maker[taken].input[0]]
            weights = self.constants[numbers].astype(np.float32)
            channels = slice(at, at + weights.shape[1])
            step = self.constants["map_steps"].ravel()[channels] / self.constants[bytes_of.input[1]]
            self.weights[f"{name}.weight"] = (weights * step).T[..., None, None]
            self.weights[f"{name}.bias"] = self.constants["map_bias"].ravel()[channels]
            at = channels.stop

    def fill(self, parameter: torch.Tensor, name: str) -> None:
        """Copies what is shipped under a name."""
        parameter.data.copy_(torch.from_numpy(np.array(self.weights[name])))


def norms(network: nn.Module, shipped: Shipped) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Fills the network, its BatchNorms as the shipped biases alone; each with its convolution."""
    layers = list(network.named_modules())
    pairs = []
    for (name, layer), (_, after) in zip(layers, [*layers[1:], ("", None)], strict=True):
        if isinstance(layer, nn.Conv2d | nn.Linear):
            shipped.fill(layer.weight, f"{name}.weight")
            if layer.bias is not None:
                shipped.fill(layer.bias, f"{name}.bias")
            else:
                after.running_mean.zero_()
                after.running_var.fill_(1 - after.eps)
                after.weight.data.fill_(1)
                shipped.fill(after.bias, f"{name}.bias")
                pairs.append((layer, after))
    return pairs


def take_statistics(network: nn.Module, pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d]], samples: list[torch.Tensor]) -> None:
    """Gives each BatchNorm the statistics of samples, and what undoes them."""
    sums = {norm: torch.zeros(3, norm.num_features, dtype=torch.float64) for _, norm in pairs}

    def note(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor], _: torch.Tensor) -> None:
        values = inputs[0].detach().double().transpose(0, 1).flatten(1)
        count = torch.full((len(values),), values.shape[1])
        sums[norm] += torch.stack([values.sum(1), (values**2).sum(1), count])

    hooks = [norm.register_forward_hook(note) for _, norm in pairs]
    with torch.no_grad():
        for sample in samples:
            network(sample)
    for hook in hooks:
        hook.remove()
    for conv, norm in pairs:
        total, squares, count = sums[norm]
        # Weights of length one a channel: a step of training changes shorter ones more.
        length = conv.weight.data.flatten(1).norm(dim=1).clamp(min=1e-6)
        conv.weight.data /= length[:, None, None, None]
        mean, square = total / count / length, squares / count / length**2
        norm.running_mean.copy_(mean)
        norm.running_var.copy_((square - mean**2).clamp(min=1e-8))
        norm.weight.data.copy_(length * (norm.running_var + norm.eps).sqrt())
        norm.bias.data += length * norm.running_mean


def detector(options: argparse.Namespace) -> Recovered:
    """Of the detector."""
    return Detector(), sample_batches(options.data, options.scenes, options.photographs, options.seed), "image"


def classifier(options: argparse.Namespace) -> Recovered:
    """Of the classifier."""
    sampler = Sampler(*training_sources(options), seed=options.seed)
    batches = (torch.from_numpy(sampler.batch(BATCH)[0]).permute(0, 3, 1, 2).float() for _ in range(BATCHES))
    return Classifier(options.width), batches, "crops"


def corner_network(options: argparse.Namespace) -> Recovered:
    """Of the network of corners."""
    sampler = training_sampler(options, false_cuts(options)[0], most=3000)
    stream = corners.SampleStream(sampler, options.batch, options.seed)
    batches = islice(DataLoader(stream, batch_size=None, num_workers=1), BATCHES)
    return corners.Corners(), (crops.permute(0, 3, 1, 2).float() for crops, _, _ in batches), "crops"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=["detector", "classifier", "corners"])
    parser.add_argument("--model", type=Path, help="the shipped network, unless the one in models/")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    options.model = options.model or MODELS / f"{options.network}.onnx"
    options.runs, options.models, options.styles = options.out.parent, MODELS, 20
    options.batch, options.threads, options.workers = BATCH, 1, 1

    shipped = Shipped(options.model)
    options.width = len(shipped.weights.get("body.0.conv.weight", []))
    torch.manual_seed(options.seed)
    network, samples, taken = {"detector": detector, "classifier": classifier, "corners": corner_network}[options.network](options)
    network.eval()
    if options.network == "detector":
        shipped.first_and_last_of_detector()
    pairs = norms(network, shipped)
    samples = list(samples)
    probe = samples[0][:4]
    with torch.no_grad():
        before = network(probe)
        take_statistics(network, pairs, samples)
        after = network(probe)
    if options.network != "detector":
        before, after = before[0], after[0]
    quantised = ort.InferenceSession(str(options.model), providers=["CPUExecutionProvider"]).run(None, {taken: probe.numpy()})[0]
    print(f"the BatchNorms change {(after - before).abs().max():.2g}; whole numbers differ by {np.abs(quantised - after.numpy()).mean():.3g} in the mean")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # Few of the numbers differ: compressed they are half as large.
    np.savez_compressed(options.out, **{name: value.numpy() for name, value in network.state_dict().items()})


if __name__ == "__main__":
    main()
