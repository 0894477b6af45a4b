"""Foundation: sources, names, diagnostics, units. Imports nothing of ours."""
