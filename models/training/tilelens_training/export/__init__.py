"""Trained networks as ONNX in whole numbers, and back."""
