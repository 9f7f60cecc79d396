"""Exports a trained detector as ONNX, float and int8, and checks each against the network.

    python export_detector.py runs/detector/last.pt --out runs/detector   # detector_fp32.onnx, detector_int8.onnx
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch.nn.utils.fusion import fuse_conv_bn_eval

from tilelens_training import labels
from tilelens_training.data import detector_samples
from tilelens_training.export.integer_layers import whole_numbers
from tilelens_training.export.rearrange import sooner
from tilelens_training.paths import DATA, MADE
from tilelens_training.train.detector import Detector, mean_weights, renew_statistics

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


def padded(image: np.ndarray, side: int) -> np.ndarray:
    """A photo as the network's input: long side scaled to `side`, padded to multiples of 32."""
    scale = side / max(image.shape[:2])
    small = cv2.resize(
        image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    h, w = small.shape[:2]
    out = np.zeros((-h % 32 + h, -w % 32 + w, 3), np.float32)
    out[:h, :w] = small
    return out.transpose(2, 0, 1)[None]


class Photos(CalibrationDataReader):
    """Training photos at several sizes, for the ranges of activations."""

    def __init__(self, photos: list[labels.Photo]):
        sizes = (384, 640, 640, 1024)
        self.inputs = iter([padded(p.read(), sizes[i % len(sizes)]) for i, p in enumerate(photos)])

    def get_next(self):
        image = next(self.inputs, None)
        return None if image is None else {"image": image}


def run(path: Path, image: np.ndarray) -> np.ndarray:
    """The map of one input, by ONNX Runtime on one thread."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]).run(None, {"image": image})[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+", help="their weights are averaged")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=MADE / "detector")
    parser.add_argument("--photos", type=int, default=64, help="photos for calibration")
    parser.add_argument("--scenes", type=Path, help="drawn scenes, needed where the weights of several are averaged: their statistics are taken anew")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (photographs.py), for the same")
    parser.add_argument("--heat", type=float, default=0.0, help="what is added to all heat, a logit")
    args = parser.parse_args()
    if len(args.checkpoints) > 1 and not args.scenes:
        parser.error("the mean of several checkpoints needs --scenes: its BatchNorms get the statistics of training samples")

    torch.set_num_threads(1)
    net = Detector().eval()
    net.load_state_dict(mean_weights(args.checkpoints))
    if len(args.checkpoints) > 1:
        renew_statistics(net, detector_samples.sample_batches(args.data, args.scenes, args.photographs, seed=77))
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
    drift = float(np.abs(run(plain, probe) - before).max())
    if drift > 1e-2:
        raise SystemExit(f"The exported network differs from the trained one by {drift:.3g}.")

    prepared = args.out / "detector_prepared.onnx"
    quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
    graph = onnx.load(prepared).graph
    # the input's scaling and the last layers come after: their ranges are wide
    last = [n.name for n in graph.node if n.op_type in ("Sub", "Mul")]
    last += [n.name for n in graph.node if n.op_type == "Concat" and "map" in n.output]
    convs = {n.output[0]: n for n in graph.node if n.op_type == "Conv"}
    joined = next(n for n in graph.node if "map" in n.output)
    last += [convs[name].name for name in joined.input if name in convs]
    quantize_static(
        str(prepared), str(whole), Photos(chosen), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=last,
        calibrate_method=CalibrationMethod.MinMax,
    )
    prepared.unlink()
    model = onnx.load(whole)
    whole_numbers(model)
    sooner(model)
    onnx.save(model, whole)
    rough = np.abs(run(whole, probe) - before)
    print(f"fp32 drift {drift:.2g}; int8 mean difference {rough.mean():.3g}, at most {rough.max():.3g}")


if __name__ == "__main__":
    main()
