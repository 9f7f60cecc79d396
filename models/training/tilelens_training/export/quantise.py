"""Brings an exported network to whole numbers: static quantisation, whose ranges come from samples."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from tilelens_training.export.rearrange import rearrange


class Samples(CalibrationDataReader):
    """Inputs of the network, by their names."""

    def __init__(self, inputs: Iterable[dict[str, np.ndarray]]):
        self.inputs = iter(inputs)

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.inputs, None)


def quantise(
    full: Path,
    out: Path,
    inputs: Iterable[dict[str, np.ndarray]],
    kinds: list[str] | None = None,
    in_float: Callable[[onnx.GraphProto], list[str]] = lambda _: [],
    further: Callable[[onnx.ModelProto], None] = lambda _: None,
) -> None:
    """Writes the network in `full` as whole numbers to `out`: nodes of these `kinds` (all), but for those named by `in_float`."""
    prepared = out.with_suffix(".part")
    quant_pre_process(str(full), str(prepared), skip_symbolic_shape=True)
    quantize_static(
        str(prepared), str(out), Samples(inputs), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8, op_types_to_quantize=kinds, nodes_to_exclude=in_float(onnx.load(prepared).graph),
    )
    prepared.unlink()
    model = onnx.load(out)
    further(model)
    rearrange(model)
    onnx.save(model, out)
