"""The shipped networks: rearranged to run faster, detecting what is there, ready for ONNX Runtime."""

import numpy as np
import onnx
import pytest

from rendered import rendered
from tilelens_training.data.inference import detect, extent, iou, session
from tilelens_training.export import runtime_networks
from tilelens_training.export.graph import Graph
from tilelens_training.export.rearrange import COLUMNS, differences, first_convolution
from tilelens_training.paths import MODELS

SHIPPED = sorted(MODELS.glob("*.onnx"))
NAMES = [path.stem for path in SHIPPED]


def test_there_are_three():
    assert NAMES == ["classifier", "corners", "detector"]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_several_columns_at_once_are_the_same_numbers(path):
    model = onnx.load(path)
    graph = Graph(model)
    first = next(node for node in model.graph.node if "columns_last" in list(node.output))
    rounded = graph.maker[first.input[0]]
    wide = graph.value(graph.maker[graph.maker[rounded.input[0]].input[1]].input[0])
    assert wide.shape[1:] == (3, 3, 3 + 2 * (COLUMNS - 1))
    again = onnx.load(path)
    first_convolution(again)
    assert differences(model, again) == 0


def test_detector_detects_the_tiles_of_rendered_rows():
    detector = session(MODELS / "detector.onnx")
    for image, tiles in rendered("row-sorted", "row-from-left"):
        boxes = np.array([extent(quad) for quad in detect(detector, image, 640, 0.4)])
        labelled = np.array([tile["bbox"] for tile in tiles])
        labelled[:, 2:] += labelled[:, :2]
        overlaps = np.array([iou(box, labelled).max() for box in boxes])
        assert len(tiles) - 1 <= len(boxes) <= len(tiles) and overlaps.min() > 0.7


def test_networks_of_the_program_are_of_the_shipped_ones(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["runtime_networks", "--out", str(tmp_path)])
    runtime_networks.main()
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {str(path) for path in made} == {"classifier.sha256", *(f"{kind}/{name}.onnx" for kind in ("exact", "vnni") for name in NAMES)}
    for path, content in made.items():
        if path.parent.name != "exact":  # whether these are rearranged is up to the processor
            assert content == (MODELS / "runtime" / path).read_bytes(), path
