"""Trajectories: store, read, write, compare."""
