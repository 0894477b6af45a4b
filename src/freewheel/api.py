"""The Python interface: `load` a model, then ask it questions."""
