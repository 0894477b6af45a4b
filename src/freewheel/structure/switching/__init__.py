"""Equations that say different things in different positions of a switch."""
