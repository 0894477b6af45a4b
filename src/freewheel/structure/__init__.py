"""A solvable order of the equations."""
