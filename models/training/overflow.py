"""Makes a quantised network's sums fit into what every processor adds them up in.

    python overflow.py ../detector.onnx ../classifier.onnx ../corners.onnx    # in place; what fits already stays

x86-64 processors without VNNI, as most sold before 2021, multiply bytes by signed bytes and add two neighbours' products up
in 16 bits; what does not fit is cut off (VPMADDUBSW). Two neighbouring weights of one sign may therefore not exceed 128
together: 255 x 128 fits. Channels in which some do get larger steps, and all their weights are rounded to these.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from quantised import Graph

MOST = 128  # of two neighbours' weights together


def neighbours(weights: np.ndarray) -> np.ndarray:
    """The largest sum of two neighbours in the order in which they are multiplied, for each channel.

    `weights` is channels x inputs x height x width, or channels x inputs: pixels lie with their inputs side by side.
    """
    rows = np.moveaxis(weights, 1, -1).reshape(len(weights), -1).astype(np.int32)
    return np.abs(rows[:, 1:] + rows[:, :-1]).max(1, initial=0)


def fitted(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights in steps so much larger for each channel that they fit, and how much larger."""
    larger, whole = np.ones(len(weights)), weights
    while (over := neighbours(whole) > MOST).any():
        larger[over] = np.where(larger[over] == 1, neighbours(weights)[over] / MOST, larger[over] * 1.005)
        whole = np.round(weights / larger.reshape(-1, *[1] * (weights.ndim - 1)))
    return whole.astype(np.int8), larger


def fit(model: onnx.ModelProto) -> int:
    """Fits all of a network's weights, in place; in how many channels any was changed."""
    graph, changed = Graph(model), 0

    def change(name: str, value: np.ndarray, kind: type) -> None:
        graph.constants[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(value, kind), name))

    for node in graph.graph.node:
        if node.op_type in ("Conv", "Gemm") and node.input[1] in graph.maker:
            weight, bias = (graph.maker[name].input for name in node.input[1:3])
            whole, larger = fitted(graph.value(weight[0]))
            change(weight[0], whole, np.int8)
            change(weight[1], graph.value(weight[1]) * larger, np.float32)
            change(bias[0], np.round(graph.value(bias[0]) / larger), np.int32)
            change(bias[1], graph.value(bias[1]) * larger, np.float32)
            changed += int((larger > 1).sum())
    # The detector's last layers (whole_numbers.py): their steps stand together.
    steps = [np.ones(0)]
    for product in [graph.maker[name] for name in graph.maker["sums"].input] if "sums" in graph.maker else []:
        whole, larger = fitted(graph.value(product.input[1]).T)
        change(product.input[1], whole.T, np.int8)
        steps.append(larger)
    larger = np.concatenate(steps)
    if len(larger):
        change("map_steps", graph.value("map_steps") * larger[None, :, None, None], np.float32)
    onnx.checker.check_model(model)
    return changed + int((larger > 1).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", type=Path, nargs="+")
    for path in parser.parse_args().networks:
        model = onnx.load(path)
        print(f"{path}: {fit(model)} channels fitted")
        onnx.save(model, path)


if __name__ == "__main__":
    main()
