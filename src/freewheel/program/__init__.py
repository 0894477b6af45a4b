"""Assignments over numbered slots."""
