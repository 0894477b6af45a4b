"""Clocked partitions become discrete variables that change at exact instants."""
