"""A run on the way: all that it knows as bytes, and a run that goes on from them elsewhere."""
