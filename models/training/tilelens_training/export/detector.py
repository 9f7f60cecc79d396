"""Exports a trained detector as ONNX, float and int8, and checks each against the network.

    python -m tilelens_training.export.detector DETECTOR/last.pt --out DETECTOR   # detector_fp32.onnx, detector_int8.onnx
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from torch.nn.utils.fusion import fuse_conv_bn_eval

from tilelens_training import labels
from tilelens_training.data.inference import padded, session
from tilelens_training.export.integer_layers import use_integer_layers
from tilelens_training.export.quantise import quantise
from tilelens_training.paths import DATA, MADE
from tilelens_training.train.detector import Detector, mean_weights, renew_statistics, sample_batches

OPSET = 17


def fold(module: torch.nn.Module) -> None:
    """Folds every BatchNorm into the convolution before it, in place; the network must be in eval mode."""
    for child in module.children():
        fold(child)
    if isinstance(module, torch.nn.Sequential):
        for i in range(len(module) - 1):
            if isinstance(module[i], torch.nn.Conv2d) and isinstance(module[i + 1], torch.nn.BatchNorm2d):
                module[i] = fuse_conv_bn_eval(module[i], module[i + 1])
                module[i + 1] = torch.nn.Identity()


def in_float(graph: onnx.GraphProto) -> list[str]:
    """The input's scaling and the last layers, whose ranges are wide."""
    joined = next(node for node in graph.node if "map" in node.output)
    convs = {node.output[0]: node.name for node in graph.node if node.op_type == "Conv"}
    scaling = [node.name for node in graph.node if node.op_type in ("Sub", "Mul")]
    return [*scaling, *([joined.name] if joined.op_type == "Concat" else []), *(convs[name] for name in joined.input if name in convs)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+", help="their weights are averaged")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=MADE / "detector")
    parser.add_argument("--photos", type=int, default=64, help="photos for calibration")
    parser.add_argument("--scenes", type=Path, help="drawn scenes, needed where the weights of several are averaged: their statistics are taken anew")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py), for the same")
    parser.add_argument("--heat", type=float, default=0.0, help="what is added to all heat, a logit")
    args = parser.parse_args()
    if len(args.checkpoints) > 1 and not args.scenes:
        parser.error("the mean of several checkpoints needs --scenes: its BatchNorms get the statistics of training samples")

    torch.set_num_threads(1)
    net = Detector().eval()
    net.load_state_dict(mean_weights(args.checkpoints))
    if len(args.checkpoints) > 1:
        renew_statistics(net, sample_batches(args.data, args.scenes, args.photographs, seed=77))
    with torch.no_grad():
        net.heat.bias += args.heat
    photos = labels.photos(args.data, "train")
    chosen = [photos[i] for i in np.random.default_rng(0).permutation(len(photos))[: args.photos]]
    probe = padded(chosen[0].read(), 640)
    with torch.no_grad():
        before = net(torch.from_numpy(probe)).numpy()
    fold(net)

    args.out.mkdir(parents=True, exist_ok=True)
    plain, whole = args.out / "detector_fp32.onnx", args.out / "detector_int8.onnx"
    axes = {"image": {0: "n", 2: "h", 3: "w"}, "map": {0: "n", 2: "h4", 3: "w4"}}
    torch.onnx.export(
        net, torch.from_numpy(probe), str(plain), input_names=["image"], output_names=["map"],
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )
    drift = float(np.abs(session(plain).run(None, {"image": probe})[0] - before).max())
    if drift > 1e-2:
        raise SystemExit(f"The exported network differs from the trained one by {drift:.3g}.")

    sizes = (384, 640, 640, 1024)  # of training photos, for the ranges of activations
    inputs = ({"image": padded(photo.read(), sizes[k % len(sizes)])} for k, photo in enumerate(chosen))
    quantise(plain, whole, inputs, in_float=in_float, further=use_integer_layers)
    rough = np.abs(session(whole).run(None, {"image": probe})[0] - before)
    print(f"fp32 drift {drift:.2g}; int8 mean difference {rough.mean():.3g}, at most {rough.max():.3g}")


if __name__ == "__main__":
    main()
