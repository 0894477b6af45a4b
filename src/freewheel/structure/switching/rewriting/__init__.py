"""Switches that are written otherwise become branch equations: edges, corners, signs, natural maps."""
