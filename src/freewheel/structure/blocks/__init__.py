"""Incidence, matching, block lower triangular form, tearing, and unknowns isolated by formulas."""
