"""The shipped networks make the same numbers on every processor, and soon: python -m unittest discover models/training"""

import unittest
from pathlib import Path

import numpy as np
import onnx

from overflow import MOST, fit, fitted, neighbours
from quantised import Graph
from sooner import COLUMNS, differences, first_convolution

SHIPPED = [Path(__file__).resolve().parents[1] / f"{name}.onnx" for name in ("detector", "classifier", "corners")]


class Networks(unittest.TestCase):
    def test_no_two_neighbours_overflow(self):
        for path in SHIPPED:
            model = onnx.load(path)
            graph = Graph(model)
            weights = [
                graph.value(graph.maker[node.input[1]].input[0])
                for node in model.graph.node
                if node.op_type in ("Conv", "Gemm") and node.input[1] in graph.maker
            ]
            weights += [graph.value(node.input[1]).T for node in model.graph.node if node.op_type == "MatMulInteger"]
            self.assertGreater(len(weights), 10, path)
            self.assertLessEqual(max(neighbours(one).max() for one in weights), MOST, path)
            self.assertEqual(fit(model), 0, path)

    def test_weights_are_changed_where_they_must_be_alone(self):
        weights = np.int8([[127, -127, 127, -127], [100, 27, 100, 28], [100, 29, 0, 0], [-127, -127, 1, 0]])[:, :, None, None]
        whole, larger = fitted(weights)
        np.testing.assert_array_equal(larger[:2], 1)
        np.testing.assert_array_equal(whole[:2], weights[:2])
        self.assertTrue((larger[2:] > 1).all())
        np.testing.assert_allclose(whole[2:] * larger[2:, None, None, None], weights[2:], atol=1.1)
        self.assertLessEqual(neighbours(whole).max(), MOST)

    def test_several_columns_at_once_are_the_same_numbers(self):
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
