"""Writes the networks as the checkpoints in runs/ have them, in float, to compare with the shipped ones in whole numbers.

    python -m tilelens_training.export.float_networks --out FOLDER    # then: tilelens eval ... --models FOLDER
"""

import argparse
import shutil
from pathlib import Path

import torch

from tilelens_training.export.detector import OPSET
from tilelens_training.export.detector import fold as fold_detector
from tilelens_training.paths import ROOT, TRAINING
from tilelens_training.train.corners import averaged
from tilelens_training.train.detector import Detector
from tilelens_training.train.networks import Classifier, example, fold, weights

RUNS = TRAINING / "runs"
Exported = tuple[torch.nn.Module, tuple[str, torch.Tensor], list[str]]  # folded; its input's name and an example; its outputs


def detector(state: dict[str, torch.Tensor]) -> Exported:
    """The network, folded, what it is shown, and its outputs."""
    network = Detector().eval()
    network.load_state_dict(state)
    fold_detector(network)
    return network, ("image", torch.zeros(1, 3, 384, 640)), ["map"]


def classifier(state: dict[str, torch.Tensor]) -> Exported:
    """The same."""
    network = Classifier().eval()
    network.load_state_dict(state)
    return fold(network), ("crops", example()), ["faces", "turn", "red", "embedding"]


def corners(state: dict[str, torch.Tensor]) -> Exported:
    """The same."""
    return averaged(state), ("crops", example()), ["offsets", "tile"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoints", type=Path, default=RUNS, help="folder of detector.npz, classifier.npz, corners.npz")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for build in (detector, classifier, corners):
        name = build.__name__
        network, (taken, shown), outputs = build(weights(options.checkpoints / f"{name}.npz"))
        sizes = {0: "n", 2: "h", 3: "w"} if taken == "image" else {0: "n"}
        axes = {taken: sizes} | {output: {0: "n"} if taken == "crops" else {0: "n", 2: "h4", 3: "w4"} for output in outputs}
        torch.onnx.export(
            network, shown, str(options.out / f"{name}.onnx"), input_names=[taken], output_names=outputs, dynamic_axes=axes,
            opset_version=OPSET, dynamo=False,
        )
    # The temperature is that of the shipped classifier, whose weights these are.
    shutil.copy(ROOT / "calibration/confidence.toml", options.out)


if __name__ == "__main__":
    main()
