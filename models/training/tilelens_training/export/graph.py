"""A quantised network, its nodes looked up by what they read and make."""

import numpy as np
import onnx
from onnx import numpy_helper


class Graph:
    """The graph of a model, changed in place."""

    def __init__(self, model: onnx.ModelProto):
        self.graph = model.graph
        self.inputs, self.outputs = ({value.name for value in values} for values in (model.graph.input, model.graph.output))
        self.constants = {constant.name: constant for constant in self.graph.initializer}
        self.maker = {name: node for node in self.graph.node for name in node.output}
        self.readers: dict[str, list[onnx.NodeProto]] = {}
        for node in self.graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)

    def reader(self, name: str, kind: str) -> onnx.NodeProto:
        """The one node that reads this value."""
        (node,) = self.readers[name]
        if node.op_type != kind:
            raise SystemExit(f"`{name}` is read by {node.op_type} and not by {kind}.")
        return node

    def value(self, name: str) -> np.ndarray:
        """The numbers of a constant."""
        return numpy_helper.to_array(self.constants[name])

    def constant(self, name: str, value: np.ndarray) -> str:
        """Adds a constant; gives its name."""
        self.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def replace(self, old: list[onnx.NodeProto], new: list[onnx.NodeProto]) -> None:
        """New nodes for old ones; what nobody reads any more goes, and all are put in order."""
        gone = {id(node) for node in old}
        waiting = [node for node in self.graph.node if id(node) not in gone] + new
        ready = self.inputs | {""} | {constant.name for constant in self.graph.initializer}
        ordered = []
        while waiting:
            able = [node for node in waiting if ready.issuperset(node.input)]
            if not able:
                raise SystemExit("The quantised network is not of the shape that is known here.")
            ordered += able
            ready.update(name for node in able for name in node.output)
            waiting = [node for node in waiting if not ready.issuperset(node.output)]
        wanted = self.outputs | {name for node in ordered for name in node.input}
        ordered = [node for node in ordered if wanted.intersection(node.output)]
        wanted = {name for node in ordered for name in node.input}
        constants = [constant for constant in self.graph.initializer if constant.name in wanted]
        del self.graph.node[:], self.graph.initializer[:]
        self.graph.node.extend(ordered)
        self.graph.initializer.extend(constants)
