"""Quantized states of models with an implicit core: the group of its unknowns."""
