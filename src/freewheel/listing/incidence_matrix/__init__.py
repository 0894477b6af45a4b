"""The incidence matrix before and after sorting."""
