"""Exports the trained classifier: the averaged weights as ONNX, in float and in whole numbers, both compared with the network.

    python -m tilelens_training.export.classifier --runs RUNS --out classifier.onnx

Writes RUNS/classifier-fp32.onnx and RUNS/classifier-int8.onnx and copies the second to --out.
"""

import argparse
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import torch

from tilelens_training.data.classifier_samples import Sampler, training_sources
from tilelens_training.data.inference import session
from tilelens_training.export.quantise import quantise
from tilelens_training.paths import DATA, MADE, MODELS
from tilelens_training.train.networks import Classifier, example, fold, weights


def export(options: argparse.Namespace) -> None:
    """fp32 and int8 ONNX of the averaged weights, compared with the network."""
    unfolded = Classifier(options.width).eval()
    state = unfolded.state_dict()
    average = weights(options.start or options.runs / "checkpoint.pt")
    unfolded.load_state_dict({name: value.to(state[name].dtype) for name, value in average.items()})
    network = fold(unfolded)
    full, small = options.runs / "classifier-fp32.onnx", options.runs / "classifier-int8.onnx"
    names = ["faces", "turn", "red", "embedding"]
    axes = {name: {0: "n"} for name in ["crops", *names]}
    torch.onnx.export(network, example(), full, opset_version=17, input_names=["crops"], output_names=names, dynamic_axes=axes, dynamo=False)

    sampler = Sampler(*training_sources(options), seed=options.seed)
    inputs = ({"crops": sampler.batch(50)[0].transpose(0, 3, 1, 2).astype(np.float32)} for _ in range(16))
    quantise(full, small, inputs)
    crops = example(64)
    with torch.no_grad():
        reference, folded = unfolded(crops)[0].numpy(), network(crops)[0].numpy()
    exported = session(full).run(None, {"crops": crops.numpy()})[0]
    print(f"largest logit difference: folding {np.abs(folded - reference).max():.2e}, export {np.abs(exported - reference).max():.2e}")
    if np.abs(exported - reference).max() > 1e-2:
        sys.exit("the exported network does not compute what the trained one does")
    for path in (full, small):
        runner = session(path)
        hand = example(14).numpy()
        times = []
        for _ in range(60):
            start = time.perf_counter()
            runner.run(None, {"crops": hand})
            times.append(time.perf_counter() - start)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB, 14 crops {np.median(times) * 1e3:.2f} ms, at best {min(times) * 1e3:.2f}")
    shutil.copyfile(small, options.out)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--runs", type=Path, default=MADE / "classifier", help="checkpoints, logs, caches")
    parser.add_argument("--scenes", type=Path, default=MADE / "scenes", help="rendered scenes")
    parser.add_argument("--photographs", type=Path, help="folder of photographs without a tile (data/photographs.py)")
    parser.add_argument("--models", type=Path, default=MODELS, help="models whose false detections are samples")
    parser.add_argument("--start", type=Path, help="checkpoint that goes out in place of RUNS/checkpoint.pt")
    parser.add_argument("--out", type=Path, required=True, help="where the network goes")
    parser.add_argument("--styles", type=int, default=100, help="invented sets of faces")
    parser.add_argument("--width", type=int, default=28, help="channels of the first stage")
    parser.add_argument("--seed", type=int, default=3)
    export(parser.parse_args())


if __name__ == "__main__":
    main()
