"""The corridor from text to a compiled model: one list of calls."""
