"""The networks as ONNX Runtime rearranges them before it runs them, so that the program need not at each start.

    python -m tilelens_training.export.runtime_networks [--models FOLDER] [--out FOLDER]

Loading networks takes about a quarter of the time then. There are two of each: `exact` ones, whose weights are without a sign,
for processors without VNNI, where products of others are added up in 16 bits that do not hold them; ONNX Runtime makes them so
when it rearranges a network and is asked to be precise, and not afterwards. Fused operators are ONNX Runtime's own; other runtimes read the
networks as they were. `runtime/classifier.sha256` keeps the sum of the classifier as it was: profiles of tile sets name it.
"""
import argparse
import hashlib
import pathlib

import onnxruntime

from tilelens_training.paths import MODELS

NAMES = ["detector", "classifier", "corners"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=pathlib.Path, default=MODELS)
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    out = args.out or args.models / "runtime"
    for kind, precise in [("exact", "1"), ("vnni", "0")]:
        (out / kind).mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
            options.add_session_config_entry("session.x64quantprecision", precise)
            options.optimized_model_filepath = str(out / kind / f"{name}.onnx")
            onnxruntime.InferenceSession(args.models / f"{name}.onnx", options, providers=["CPUExecutionProvider"])
    classifier = (args.models / "classifier.onnx").read_bytes()
    (out / "classifier.sha256").write_text(hashlib.sha256(classifier).hexdigest() + "\n")


if __name__ == "__main__":
    main()
