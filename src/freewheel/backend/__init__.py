"""A program becomes callable functions."""
