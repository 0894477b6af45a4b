"""The implicit core: models whose number of states changes with the position of ideal switches."""
