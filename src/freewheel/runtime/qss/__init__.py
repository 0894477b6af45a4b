"""Quantized-state simulation of a compiled model."""
