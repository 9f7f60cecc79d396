"""Makes a folder for `--models` of the first experiments' networks, to be measured beside ours by the same program.

    python first_reader.py --out runs/first-reader
    tilelens eval FOLDER --models runs/first-reader

Their temperature is fitted as ours is: the reader's rules ask for probabilities that are.
"""

import argparse
import json
from pathlib import Path

import onnx

from calibrate import HEAD, calibrated
from measure import BASELINE_ORDER, BASELINE_TURNS, ROOT, onnx_predictor

# What their outputs are called, and what ours are.
DETECTOR = {"out": "map"}
CLASSIFIER = {"logits": "faces", "rot": "turn"}


def renamed(path, names):
    """The network of a file, its outputs called as ours."""
    model = onnx.load(path)
    for node in model.graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    for output in model.graph.output:
        output.name = names[output.name]
    onnx.checker.check_model(model)
    return model


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baseline", type=Path, default=ROOT / "../shared/baseline", help="the first experiments' networks")
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data", help="whose split val the temperature is fitted on")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    onnx.save(renamed(options.baseline / "det_int8.onnx", DETECTOR), options.out / "detector.onnx")
    onnx.save(renamed(options.baseline / "cls_int8.onnx", CLASSIFIER), options.out / "classifier.onnx")
    manifest = f"faces = {json.dumps(BASELINE_ORDER)}\nturns = {json.dumps(BASELINE_TURNS)}\n"
    (options.out / "reader.toml").write_text(manifest)
    temperature, _ = calibrated(onnx_predictor(options.baseline / "cls_int8.onnx", baseline=True), options.data)
    (options.out / "confidence.toml").write_text(HEAD + temperature)


if __name__ == "__main__":
    main()
