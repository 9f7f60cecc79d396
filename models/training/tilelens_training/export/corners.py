"""Exports the trained network of corners: the averaged weights as ONNX in whole numbers, the last layers in float.

    python -m tilelens_training.export.corners --scenes SCENES --runs RUNS --out corners.onnx
"""

import argparse
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from torch.utils.data import DataLoader

from tilelens_training.crops import CROP
from tilelens_training.data.corner_samples import false_cuts, photo_sources, score, training_sampler
from tilelens_training.data.inference import session
from tilelens_training.export.quantise import quantise
from tilelens_training.paths import DATA, MADE, MODELS
from tilelens_training.train.corners import SampleStream, averaged
from tilelens_training.train.networks import weights

BEFORE = 0.35  # of what training began with, in the weights that are exported

def export(options: argparse.Namespace) -> None:
    """The averaged weights as int8 ONNX, the last layers in float."""
    state = weights(options.runs / "checkpoint.pt")
    if options.start:
        before = weights(options.start)
        state = {name: (1 - BEFORE) * value.float() + BEFORE * before[name].float() for name, value in state.items()}
    network = averaged(state)
    full, small = options.runs / "corners-fp32.onnx", options.runs / "corners-int8.onnx"
    axes = {name: {0: "n"} for name in ("crops", "offsets", "tile")}
    example = torch.rand(2, 3, CROP, CROP) * 255
    names = {"input_names": ["crops"], "output_names": ["offsets", "tile"], "dynamic_axes": axes}
    torch.onnx.export(network, example, full, opset_version=17, **names, dynamo=False)
    nothing, held_back = false_cuts(options)
    stream = SampleStream(training_sampler(options, nothing, most=3000), options.batch, options.seed)
    loader = iter(DataLoader(stream, batch_size=None, num_workers=1))
    inputs = ({"crops": next(loader)[0].numpy().transpose(0, 3, 1, 2).astype(np.float32)} for _ in range(16))
    quantise(full, small, inputs, kinds=["Conv", "Add", "Relu"])
    watched, _ = photo_sources(options.data, "val")
    for path in (full, small):
        runner = session(path)

        def predict(crops: np.ndarray, runner: ort.InferenceSession = runner) -> list[np.ndarray]:
            return runner.run(["offsets", "tile"], {"crops": crops.transpose(0, 3, 1, 2).astype(np.float32)})

        times = []
        for _ in range(60):
            start = time.perf_counter()
            predict(np.zeros((14, CROP, CROP, 3), np.uint8))
            times.append(time.perf_counter() - start)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB, 14 crops {np.median(times) * 1e3:.2f} ms, val {score(predict, watched, held_back)}")
    options.out.write_bytes(small.read_bytes())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="rendered scenes")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py)")
    parser.add_argument("--models", type=Path, default=MODELS, help="models whose false detections are samples")
    parser.add_argument("--runs", type=Path, default=MADE / "corners", help="checkpoint, log")
    parser.add_argument("--out", type=Path, default=MODELS / "corners.onnx", help="where the network goes")
    parser.add_argument("--start", type=Path, help="checkpoint whose averaged weights are mixed in (Wortsman et al., 2022)")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=6)
    export(parser.parse_args())


if __name__ == "__main__":
    main()
