"""Quantized bond graphs: bond graphs whose storages and sources are quantized, as DEVS models."""
