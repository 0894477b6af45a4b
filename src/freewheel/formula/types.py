"""Types of expressions and variables: a scalar type and array dimensions.

Type(REAL, (3, 3))     Type(EnumType(("StateSelect",), ("never", ...)), ())
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.names import ClassName


@dataclass(frozen=True, slots=True)
class Basic:
    """Real, Integer, Boolean, String or Clock."""

    name: str


@dataclass(frozen=True, slots=True)
class EnumType:
    name: ClassName
    literals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordType:
    name: ClassName
    fields: tuple[tuple[str, Type], ...]
    is_operator: bool = False

    def field(self, name: str) -> Type | None:
        return next((kind for label, kind in self.fields if label == name), None)


@dataclass(frozen=True, slots=True)
class ExternalObjectType:
    name: ClassName


@dataclass(frozen=True, slots=True)
class FunctionType:
    name: ClassName


Scalar = Basic | EnumType | RecordType | ExternalObjectType | FunctionType

REAL = Basic("Real")
INTEGER = Basic("Integer")
BOOLEAN = Basic("Boolean")
STRING = Basic("String")
CLOCK = Basic("Clock")

Dims = tuple[int | None, ...]  # None: known only at run time, inside functions


@dataclass(frozen=True, slots=True)
class Type:
    scalar: Scalar
    dims: Dims = ()


def show(kind: Type) -> str:
    scalar = kind.scalar.name if isinstance(kind.scalar, Basic) else ".".join(kind.scalar.name)
    if not kind.dims:
        return scalar
    return scalar + "[" + ", ".join(":" if d is None else str(d) for d in kind.dims) + "]"
