"""Equations that need no solving: aliases, factors that are zero, sums that vanish."""
