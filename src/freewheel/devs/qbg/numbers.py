"""Numbers as text in `.ma` files."""

from __future__ import annotations


def number_text(value: float) -> str:
    """`10` for 10.0; otherwise all digits, so that reading gives the same number."""
    return repr(float(value)).removesuffix(".0")
