"""The shipped networks are rearranged to run sooner: python -m unittest discover models/training"""

import unittest
from pathlib import Path

import onnx

from tilelens_training.export.graph import Graph
from tilelens_training.export.rearrange import COLUMNS, differences, first_convolution

SHIPPED = sorted(Path(__file__).resolve().parents[1].glob("*.onnx"))


class Networks(unittest.TestCase):
    def test_several_columns_at_once_are_the_same_numbers(self):
        self.assertEqual(len(SHIPPED), 3)
        for path in SHIPPED:
            model = onnx.load(path)
            graph = Graph(model)
            first = next(node for node in model.graph.node if "columns_last" in [name for name in node.output])
            rounded = graph.maker[first.input[0]]
            wide = graph.value(graph.maker[graph.maker[rounded.input[0]].input[1]].input[0])
            self.assertEqual(wide.shape[1:], (3, 3, 3 + 2 * (COLUMNS - 1)), path)
            again = onnx.load(path)
            first_convolution(again)
            self.assertEqual(differences(model, again), 0, path)


if __name__ == "__main__":
    unittest.main()
