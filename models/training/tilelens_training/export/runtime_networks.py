"""The networks as ONNX Runtime rearranges them before it runs them, so that the program need not at each start.

    python -m tilelens_training.export.runtime_networks [--models FOLDER] [--out FOLDER]

Loading networks takes about a quarter of the time then. There are two of each: `exact` ones, whose weights are without a sign,
for processors without VNNI, where products of others are added up in 16 bits that do not hold them; ONNX Runtime makes them so
when it rearranges a network and is asked to be precise, and not afterwards. Fused operators are ONNX Runtime's own; other runtimes read the
networks as they were. `runtime/classifier.sha256` keeps the sum of the classifier as it was: profiles of tile sets name it.

Convolutions run on values that lie channel by channel for each pixel, and the first one on eight pixels at once (`in_eights`): the detector
takes a quarter less time, and gives the same numbers.
"""
import argparse
import hashlib
import pathlib

import numpy as np
import onnx
import onnxruntime

from tilelens_training.export.rearrange import COLUMNS
from tilelens_training.paths import MODELS

NAMES = ["detector", "classifier", "corners"]
# Columns of pixels from one place of the first convolution to the next: it gives several columns of its output at once, and halves.
STEP = 2 * COLUMNS


def in_eights(network: onnx.ModelProto) -> None:
    """Lets the first convolution take eight pixels of three colours as one of 24: ONNX Runtime copies what each place sees pixel by
    pixel, which takes longer than to multiply it.

    Its kernel reaches from the pixel before the eight to the last of them, so that it becomes two columns: the eight before, of
    which only the last pixel counts, and the eight."""
    graph = network.graph
    weights = {one.name: one for one in graph.initializer}
    place, first = next((place, node) for place, node in enumerate(graph.node) if node.op_type == "QLinearConv")
    shape = {attribute.name: list(attribute.ints) for attribute in first.attribute}
    if (shape["kernel_shape"], shape["strides"], shape["pads"]) != ([3, STEP + 1], [2, STEP], [1, 1, 0, 0]):
        raise SystemExit(f"{first.name} is no first convolution over columns of {STEP} pixels")
    kernel = onnx.numpy_helper.to_array(weights[first.input[3]])
    zero = onnx.numpy_helper.to_array(weights[first.input[5]])
    outputs, colours, rows, columns = kernel.shape
    wide = np.broadcast_to(zero.reshape(-1, 1, 1, 1), (outputs, STEP * colours, rows, 2)).astype(kernel.dtype)
    for column in range(columns):
        eight, pixel = (0, STEP - 1) if column == 0 else (1, column - 1)
        wide[:, pixel * colours:(pixel + 1) * colours, :, eight] = kernel[:, :, :, column]
    graph.initializer.remove(weights[first.input[3]])
    sizes = np.array([0, 0, -1, STEP * colours], np.int64)
    graph.initializer.extend([onnx.numpy_helper.from_array(wide, first.input[3]), onnx.numpy_helper.from_array(sizes, "eights_shape")])
    graph.node.insert(place, onnx.helper.make_node("Reshape", [first.input[0], "eights_shape"], ["eights"], name="eights"))
    first.input[0] = "eights"
    for attribute in first.attribute:
        if attribute.name in ("kernel_shape", "strides"):
            attribute.ints[:] = [3, 2] if attribute.name == "kernel_shape" else [2, 1]
    # The shapes between the operators are those of before.
    del graph.value_info[:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=pathlib.Path, default=MODELS)
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    out = args.out or args.models / "runtime"
    for kind, precise in [("exact", "1"), ("vnni", "0")]:
        (out / kind).mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            file = out / kind / f"{name}.onnx"
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
            options.add_session_config_entry("session.x64quantprecision", precise)
            options.optimized_model_filepath = str(file)
            # What that one makes of a network runs on processors like this one alone.
            leave_out = {"disabled_optimizers": ["NchwcTransformer"]}
            onnxruntime.InferenceSession(args.models / f"{name}.onnx", options, providers=["CPUExecutionProvider"], **leave_out)
            network = onnx.load(file)
            in_eights(network)
            onnx.save(network, file)
    classifier = (args.models / "classifier.onnx").read_bytes()
    (out / "classifier.sha256").write_text(hashlib.sha256(classifier).hexdigest() + "\n")


if __name__ == "__main__":
    main()
