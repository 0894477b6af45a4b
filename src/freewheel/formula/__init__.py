"""Expressions, from the flat model onward."""
