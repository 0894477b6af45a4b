"""Text becomes a tree with spans."""
