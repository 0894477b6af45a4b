"""Modelica text in, curves out."""
