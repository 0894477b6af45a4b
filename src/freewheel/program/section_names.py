"""The sections of a program by name, for whoever needs nothing else of it."""

from __future__ import annotations

SECTIONS = ("parameters", "initial", "derivatives", "outputs", "relations", "discrete")
# Runs once before `initial` where the model uses `homotopy`: its result is the first guess.
SIMPLIFIED = "simplified"
# Leads from there to `initial` in small steps, where one step is too large.
BETWEEN = "between"
