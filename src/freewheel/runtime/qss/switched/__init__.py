"""Quantized states of models with ideal switches: one group for the switched part."""
