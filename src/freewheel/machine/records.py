"""Records of the kernel language: classes with typed fields that kernels share.

    @record
    class Step:
        n: Int
        t: Float
        y: Floats = array("n")          # the length is an expression of fields of this record
        modes: Records[Mode] = array("n + 1")
        model: Model                    # a reference to another record
        rhs: Section                    # a function that is handed in, perhaps with a record of its own

    def advance(step: Step) -> None:
        for i in range(step.n):
            step.y[i] += step.t

Compiled, a record is an LLVM struct of fields of eight bytes, and a kernel gets its address: references
and arrays are pointers. Run by CPython, a kernel gets an object that stands for the same memory, whose
arrays have their length: an index out of bounds raises. `memory.py` allocates records.

A section is a function together with the record that it works on, its context: `step.rhs(m)` calls
`rhs(m, context)`. Whoever calls it need not know whether there is one.

References, lengths and arrays are set before a kernel runs, never by one; kernels may therefore load
them once (`!invariant.load`). An array that `moves` may be laid out anew by Python, while a kernel waits for
a function that it has called: kernels ask again where it is, and how long.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import add, attrgetter, mul, sub
from typing import Any, NamedTuple, Protocol, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from freewheel.machine.kernel_nodes import LLVM

FIELD_BYTES = 8
ELEMENT_KINDS = {"floats": "double", "ints": "i64"}
SCALARS = ("double", "i64")
FUNCTIONS = ("section", "function")
CONTEXT = "context"  # of a section: a hidden field behind it, the address of a record or zero

Item = TypeVar("Item", covariant=True)
Class = TypeVar("Class")


class Records(Protocol[Item]):
    """An array of records of one class."""

    def __getitem__(self, index: int, /) -> Item: ...
    def __iter__(self) -> Iterator[Item]: ...
    def __len__(self) -> int: ...
    def column(self, name: str, /) -> Any:
        """For CPython: one field of all elements, as an array."""


class Array(NamedTuple):
    """The default value of an array's field: its length."""

    length: str
    is_outside: bool
    moves: bool


def array(length: str, *, outside: bool = False, moves: bool = False) -> Any:
    """A field that is an array. One that lies outside belongs to the caller (stored results): it is not
    allocated, saved or compared with the record. One that `moves` may be resized while a kernel waits."""
    return Array(length, outside, moves)


class Field(NamedTuple):
    name: str
    kind: str  # of `kernel_nodes.LLVM`, or `record NAME`, `records NAME`
    number: int
    length: str = ""  # of an array
    is_outside: bool = False
    record: Any = None  # class of the record, or of the elements, that it refers to
    is_constant: bool = False  # kernels do not change it,
    is_invariant: bool = False  # nor does anybody else while one runs

    @property
    def is_array(self) -> bool:
        return self.kind in ELEMENT_KINDS or self.kind.startswith("records ")

    @property
    def is_pointer(self) -> bool:
        """Into memory of records; addresses of functions are none."""
        return self.is_array or self.kind == CONTEXT or self.kind.startswith("record ")

    @property
    def offset(self) -> int:
        return FIELD_BYTES * self.number


class ArrayGroup(NamedTuple):
    """Arrays of a record that have the same length and are allocated one after the other."""

    length: str
    names: frozenset[str]  # fields that the length depends on
    fields: tuple[Field, ...]
    width: int  # words of an element


@dataclass(frozen=True, slots=True, eq=False)
class RecordType:
    name: str
    fields: Mapping[str, Field]
    groups: tuple[ArrayGroup, ...]
    arrays: frozenset[str]  # fields that are allocated arrays
    lengths: frozenset[str]  # fields that are lengths of allocated arrays, or parts of them
    length_names: tuple[str, ...]  # the same in their order,
    length_numbers: npt.NDArray[np.int64]  # and where they are
    references: tuple[type[Any], ...]  # records that it refers to, each once

    @property
    def size(self) -> int:
        return FIELD_BYTES * len(self.fields)

    def declaration(self) -> str:
        """As LLVM text."""
        kinds = ", ".join(llvm_type(field.kind) for field in self.fields.values())
        return f"%{self.name} = type {{ {kinds} }}"


@cache
def record_text(one: RecordType) -> str:
    """All that machine code depends on, to find it again in a cache."""
    listed = (
        f"{f.name}:{f.kind}:{int(f.is_constant)}{int(f.is_invariant)}" for f in one.fields.values()
    )
    return f"{one.name}({','.join(listed)})"


_REGISTERED: dict[str, type[Any]] = {}


def record(cls: type[Class]) -> type[Class]:
    """Decorator: the class is a record; its annotations are the fields."""
    known = _REGISTERED.get(cls.__name__)
    same = known is None or (known.__module__, known.__qualname__) == (
        cls.__module__,
        cls.__qualname__,
    )
    assert same, f"two records are called {cls.__name__}: {known} and {cls}"
    arrays = {name: value for name, value in vars(cls).items() if isinstance(value, Array)}
    cls.__record_arrays__ = arrays  # type: ignore[attr-defined]
    for name in arrays:
        delattr(cls, name)
    _REGISTERED[cls.__name__] = cls
    return cls


def record_named(name: str) -> type[Any]:
    return _REGISTERED[name]


def is_record(value: object) -> bool:
    return isinstance(value, type) and "__record_arrays__" in vars(value)


_TYPES: dict[Any, RecordType] = {}


def record_type(cls: type[Any]) -> RecordType:
    """Annotations may name classes that come later: they are read when the first one asks."""
    if cls not in _TYPES:
        _TYPES[cls] = _record_type(cls)
    return _TYPES[cls]


def _record_type(cls: type[Any]) -> RecordType:
    assert is_record(cls), f"{cls} is not a record"
    hints = _hints(cls)
    arrays: Mapping[str, Array] = vars(cls)["__record_arrays__"]
    lengths = {name for a in arrays.values() for name in names_in(a.length)}
    lasting = {name for a in arrays.values() if not a.moves for name in names_in(a.length)}
    fields: dict[str, Field] = {}
    for name, hint in hints.items():
        kind, other = kind_of(hint)
        number = len(fields)
        of = arrays.get(name)
        is_constant = kind not in SCALARS or name in lengths
        lasts = name in lasting if name in lengths else not (of and of.moves)
        field = Field(
            name,
            kind,
            number,
            of.length if of else "",
            bool(of and of.is_outside),
            other,
            is_constant=is_constant,
            is_invariant=is_constant and lasts,
        )
        assert field.is_array == (of is not None), f"{cls.__name__}.{name}: arrays have a length"
        fields[name] = field
        if kind == "section":
            hidden = context_of(name)
            fields[hidden] = Field(
                hidden, CONTEXT, len(fields), is_constant=True, is_invariant=True
            )
    assert all(fields[name].kind == "i64" for name in lengths), f"{cls.__name__}: length of arrays"
    groups = tuple(_groups(fields.values()))
    allocated = frozenset(field.name for group in groups for field in group.fields)
    used = frozenset().union(*(group.names for group in groups))
    ordered = tuple(field for field in fields.values() if field.name in used)
    names = tuple(field.name for field in ordered)
    numbers = np.array([field.number for field in ordered], dtype=np.int64)
    others = dict.fromkeys(f.record for f in fields.values() if f.record is not None)
    return RecordType(cls.__name__, fields, groups, allocated, used, names, numbers, tuple(others))


def _hints(cls: type[Any]) -> dict[str, Any]:
    """As `get_type_hints`, which makes code of each annotation."""
    found: dict[str, Any] = {}
    for one in reversed(cls.__mro__):
        names = vars(sys.modules[one.__module__])
        for name, text in vars(one).get("__annotations__", {}).items():
            found[name] = meaning(text, names)
    is_simple = all(hint is not None for hint in found.values())
    return found if is_simple else get_type_hints(cls, include_extras=True)


def meaning(hint: Any, names: Mapping[str, Any]) -> Any:
    """What an annotation means in a module: nearly all are its names. None: that is not simple to say."""
    if not isinstance(hint, str):
        return hint
    origin, _, item = hint.partition("[")
    if not item:
        return type(None) if hint == "None" else names.get(hint)
    of = names.get(item.removesuffix("]"))
    array: Any = Records  # a class that is only known here
    return array[of] if is_record(of) and names.get(origin) is Records else None


def context_of(section: str) -> str:
    """Name of the hidden field of a section."""
    return f"{section} context"


def _groups(fields: Iterable[Field]) -> Iterator[ArrayGroup]:
    found: dict[tuple[str, Any], list[Field]] = {}
    for field in fields:
        if field.is_array and not field.is_outside:
            found.setdefault((field.length, field.record), []).append(field)
    for (length, item), members in found.items():
        width = 1 if item is None else len(record_type(item).fields)
        yield ArrayGroup(length, names_in(length), tuple(members), width)


def kind_of(hint: Any) -> tuple[str, Any]:
    """Kind of a field, an argument or a result, and the class of a record where it is one."""
    metadata = getattr(hint, "__metadata__", None)
    if metadata and metadata[0] in LLVM:
        return str(metadata[0]), None
    if hint is type(None):
        return "void", None
    if is_record(hint):
        return f"record {hint.__name__}", hint
    if get_origin(hint) is Records:
        (item,) = get_args(hint)
        return f"records {item.__name__}", item
    raise AssertionError(f"not a type of the kernel language: {hint}")


def llvm_type(kind: str) -> str:
    return LLVM.get(kind, "ptr")


def reached_from(classes: Iterable[type[Any]]) -> dict[str, RecordType]:
    """The given records and all that they refer to, by name."""
    found: dict[str, RecordType] = {}
    waiting = list(classes)
    while waiting:
        one = record_type(waiting.pop())
        if one.name not in found:
            found[one.name] = one
            waiting.extend(one.references)
    return dict(sorted(found.items()))


# ---------------------------------------------------------------- lengths


_NAME = re.compile(r"[^\W\d]\w*")


@cache
def names_in(length: str) -> frozenset[str]:
    return frozenset(_NAME.findall(length))


@cache
def length_function(length: str) -> Callable[[Any], int]:
    """Gives for a record the sum or product of its fields and whole numbers, such as `n * n + 1`."""
    return attrgetter(length) if length.isidentifier() else _evaluator(_parsed(length), length)


def _evaluator(node: ast.expr, length: str) -> Callable[[Any], int]:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        number = node.value
        return lambda _: number
    if isinstance(node, ast.Name):
        return attrgetter(node.id)
    assert isinstance(node, ast.BinOp), f"not a length: {length}"
    operation = _OPERATIONS[type(node.op)]
    left, right = _evaluator(node.left, length), _evaluator(node.right, length)
    return lambda record: operation(left(record), right(record))


_OPERATIONS: Mapping[type, Callable[[int, int], int]] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul}


@cache
def _parsed(length: str) -> ast.expr:
    return ast.parse(length, mode="eval").body
