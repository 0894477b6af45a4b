"""Frozen values with other fields, without the checks that made them.

    again = replaced(settings, parameters={"R.R": 50.0})

As `dataclasses.replace`, which takes ten times as long: who makes a thousand runs changes parameters only.
"""

from __future__ import annotations

from typing import Any, TypeVar

Value = TypeVar("Value")


def replaced(value: Value, **fields: Any) -> Value:
    """`value` is a frozen dataclass with slots; the new fields need no check together with the others."""
    kind: Any = type(value)
    other: Value = object.__new__(kind)
    for name in kind.__slots__:
        object.__setattr__(other, name, fields[name] if name in fields else getattr(value, name))
    return other
