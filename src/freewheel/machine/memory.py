"""One block of memory that holds all records of a run.

    memory = Memory()
    step = memory.new(Step, n=3)      # numbers first, then the arrays they are lengths of
    step.t, step.y[0], step.model = 0.5, 1.0, model
    kernel(step)                      # by CPython
    compiled(address_of(step))        # the same memory, by machine code
    image = memory.save()             # equal bytes for equal contents, wherever the block lies
    step = Memory.restore(image).first(Step)
    frozen = memory.frozen()          # for any number of runs that begin alike
    step = Memory.of(frozen).first(Step)

The block grows by pieces, and a piece never moves: addresses and numpy views stay valid. An image holds
all pieces one after the other, with pointers as offsets; addresses of functions are not part of it, whoever
restores a run binds them anew.
"""

from __future__ import annotations

from array import array as words_of_numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from freewheel.machine.addresses import function_at
from freewheel.machine.layout import Layout, layout
from freewheel.machine.records import (
    CONTEXT,
    FIELD_BYTES,
    FUNCTIONS,
    Field,
    RecordType,
    length_function,
    record_named,
    record_type,
)

Class = TypeVar("Class")
Words = npt.NDArray[np.int64]

FIRST_PIECE = 1 << 12  # words of eight bytes; later pieces are as large as all before them


@dataclass(frozen=True, slots=True, eq=False)
class Frozen:
    """Contents of a memory that other memories begin with. Arrays outside must be set again; addresses of
    functions stay what they are."""

    words: Words
    pointers: Words  # numbers of words that point into the memory,
    targets: Words  # in bytes from its beginning
    placed: tuple[tuple[type[Any], int, int], ...]  # as `Memory._placed`, from the beginning
    functions: Mapping[int, Any]  # as `Memory._functions`, likewise


class Memory:
    """A block in which records are allocated; it frees nothing before it is dropped as a whole."""

    def __init__(self, checked: bool = False) -> None:
        self.checked = checked  # arrays refuse negative subscripts too, for kernels run by CPython
        self.is_copy = False  # of frozen contents: what the first run has laid out is there
        self._pieces: list[Words] = []
        self._floats: list[npt.NDArray[np.float64]] = []  # the same pieces
        self._starts: list[int] = []  # addresses of the pieces
        self._used: list[int] = []  # words of each
        # Every record, or array of records: class, address, how many.
        self._placed: list[tuple[type[Any], int, int]] = []
        # Address of a field -> what CPython calls there; its context, or of one in this memory the class.
        self._functions: dict[int, Any] = {}
        self._frozen_functions: Mapping[int, Any] = {}  # those the memory began with
        self._outside: dict[int, Any] = {}  # address of a field -> array that belongs to the caller

    # ------------------------------------------------------------ allocation

    def new(self, cls: type[Class], **values: Any) -> Class:
        """A record with these fields; what is not given is zero, arrays are as long as they say. They lie
        behind it."""
        kind = record_type(cls)
        lengths = [values.pop(name, 0) for name in kind.length_names]
        plan = layout(kind, None, words_of_numbers("q", lengths).tobytes())
        address = self._reserve(len(kind.fields) + plan.words)
        self._placed.append((cls, address, 1))
        one = proxy_class(cls)(self, address)
        one.__words__[kind.length_numbers] = lengths
        self._point(one, plan, address + kind.size)
        _set(one, values)
        found: Class = one
        return found

    def lay_out(self, one: Any, **values: Any) -> None:
        """Set the lengths of a record that is an element of an array, and allocate its arrays."""
        _set(one, values)
        self._allocate(one, None)

    def resize(self, one: Any, **lengths: int) -> None:
        """Change lengths and allocate the arrays anew that depend on them; as much as fits is kept. Elements
        of arrays of records are others then: nobody else may refer to them."""
        if all(getattr(one, name) == length for name, length in lengths.items()):
            return
        changed = frozenset(lengths)
        before = self._layout(one, changed)
        widths = {number: _width_of(kind) for number, kind in before.records}
        old = {number: int(one.__words__[number]) for number in before.counts}
        _set(one, lengths)
        after = self._allocate(one, changed)
        for number in before.counts.keys() & after.counts.keys():
            shared = min(before.counts[number], after.counts[number]) * widths.get(number, 1)
            self.words(int(one.__words__[number]), shared)[:] = self.words(old[number], shared)

    def _layout(self, one: Any, changed: frozenset[str] | None) -> Layout:
        kind = _type_of(one)
        return layout(kind, changed, one.__words__.take(kind.length_numbers).tobytes())

    def _allocate(self, one: Any, changed: frozenset[str] | None) -> Layout:
        """Arrays whose length depends on changed fields, or all."""
        plan = self._layout(one, changed)
        self._point(one, plan, self._reserve(plan.words))
        return plan

    def _point(self, one: Any, plan: Layout, start: int) -> None:
        """At arrays that begin there."""
        one.__words__[plan.numbers] = plan.offsets + start
        for number, cls in plan.records:
            place = int(one.__words__[number])
            self._placed.append((cls, place, plan.counts.get(number, 0)))

    def _reserve(self, words: int) -> int:
        if not self._pieces or self._used[-1] + words > len(self._pieces[-1]):
            size = max(FIRST_PIECE, words, sum(len(piece) for piece in self._pieces))
            piece = np.zeros(size, dtype=np.int64)
            self._pieces.append(piece)
            self._floats.append(piece.view(np.float64))
            self._starts.append(piece.ctypes.data)
            self._used.append(0)
        start = self._starts[-1] + FIELD_BYTES * self._used[-1]
        self._used[-1] += words
        return start

    # ------------------------------------------------------------ views

    def words(self, address: int, count: int) -> Words:
        found: Words = self._slice(self._pieces, address, count)
        return found

    def rows(self, array: Any) -> Words:
        """An array of records as words, one row for each."""
        width = len(array.kind.__type__.fields)
        return self.words(address_of(array), len(array) * width).reshape(-1, width)

    def fill(self, one: Any, arrays: Mapping[str, Any]) -> None:
        """Assign arrays of a record as a whole, without making a view of each to be kept."""
        fields, whole, counts = fields_of(one), one.__whole__, self._layout(one, None).counts
        start, room = self._starts[-1], len(self._pieces[-1])
        pieces = {"floats": self._floats[-1], "ints": self._pieces[-1]}
        for name, values in arrays.items():
            field, count = fields[name], len(values)
            assert field.kind in pieces, f"{name} is no array of numbers"
            assert not field.is_outside, f"{name} does not lie here"
            assert counts.get(field.number, 0) == count, f"{name} has another length"
            first = (whole[field.number] - start) // FIELD_BYTES
            if 0 <= first < room:
                pieces[field.kind][first : first + count] = values
            else:  # most often all of them are in the last piece
                getattr(one, name)[:] = values

    def spans(self, one: Any, names: Iterable[str]) -> list[Words]:
        """Arrays of a record as words; those that lie side by side are one span."""
        plan, found = self._layout(one, None), list[list[int]]()
        numbers = [fields_of(one)[name].number for name in names]
        for start, count in sorted((int(one.__words__[n]), plan.counts.get(n, 0)) for n in numbers):
            if found and found[-1][1] == start:
                found[-1][1] += FIELD_BYTES * count
            elif count > 0:
                found.append([start, start + FIELD_BYTES * count])
        return [self.words(start, (end - start) // FIELD_BYTES) for start, end in found]

    def view(self, kind: str, address: int, count: int) -> Any:
        pieces: Sequence[Any] = self._floats if kind == "floats" else self._pieces
        numbers = self._slice(pieces, address, count)
        return numbers.view(Checked) if self.checked else numbers

    def _slice(self, pieces: Sequence[Any], address: int, count: int) -> Any:
        for number, start in enumerate(self._starts):  # most often it is in the first
            first, piece = (address - start) // FIELD_BYTES, pieces[number]
            if first >= 0 and first + count <= len(piece):
                return piece[first : first + count]
        raise AssertionError(f"{count} words at {address} are not in this memory")

    def first(self, cls: type[Class]) -> Class:
        """The record of this class that was allocated first."""
        address = next(address for other, address, count in self._placed if other is cls and count)
        found: Class = proxy_class(cls)(self, address)
        return found

    # ------------------------------------------------------------ images

    def frozen(self) -> Frozen:
        """Contents as they are, for memories of runs that begin with them."""
        image, base = self._joined()
        pointers, functions = [], {}
        for address, field in self._fields():
            word = self._position(address, base)
            if field.is_outside:
                image[word] = 0
            elif field.is_pointer and image[word] != 0:
                place = self._position_or_none(int(image[word]), base)
                if place is not None:  # a context may lie elsewhere
                    image[word] = FIELD_BYTES * place
                    pointers.append(word)
            elif (bound := self.function_in(address)) is not None:
                functions[FIELD_BYTES * word] = bound
        placed = ((c, FIELD_BYTES * self._position(a, base), n) for c, a, n in self._placed)
        at = np.array(pointers, dtype=np.int64)
        return Frozen(image, at, image[at], tuple(placed), functions)

    @classmethod
    def of(cls, frozen: Frozen) -> Memory:
        """A memory that begins with these contents."""
        memory = cls()
        memory.is_copy = True
        piece = frozen.words.copy()
        start: int = piece.__array_interface__["data"][0]
        piece[frozen.pointers] = frozen.targets + start
        memory._pieces.append(piece)
        memory._floats.append(piece.view(np.float64))
        memory._starts.append(start)
        memory._used.append(len(piece))
        memory._placed += [(kind, start + place, count) for kind, place, count in frozen.placed]
        memory._frozen_functions = frozen.functions
        return memory

    def function_in(self, address: int) -> Any:
        """What CPython calls for the field at an address, and its context; None where there is nothing."""
        found = self._functions.get(address)
        if found is None and self._frozen_functions:
            return self._frozen_functions.get(address - self._starts[0])
        return found

    def _joined(self) -> tuple[Words, Words]:
        """All pieces one after the other, and where each begins."""
        image = np.concatenate([p[:n] for p, n in zip(self._pieces, self._used, strict=True)])
        return image, np.concatenate([[0], np.cumsum(self._used)])

    def save(self) -> bytes:
        """Contents without addresses: see `restore`."""
        image, base = self._joined()
        for address, field in self._fields():
            word = self._position(address, base)
            if field.kind in FUNCTIONS or field.is_outside:
                image[word] = 0
            elif field.is_pointer and image[word] != 0:
                image[word] = FIELD_BYTES * (1 + self._position(int(image[word]), base))
        placed = ((c.__name__, self._position(a, base), count) for c, a, count in self._placed)
        head = ";".join(f"{name}@{word}@{count}" for name, word, count in placed).encode()
        return len(head).to_bytes(8, "little") + head + image.tobytes()

    @classmethod
    def restore(cls, image: bytes, checked: bool = False) -> Memory:
        """A block with the same contents at another place. Functions and arrays outside must be set again."""
        head_size = int.from_bytes(image[:8], "little")
        head = image[8 : 8 + head_size].decode()
        numbers = np.frombuffer(image[8 + head_size :], dtype=np.int64)
        memory = cls(checked)
        if len(numbers) == 0:
            return memory
        start = memory._reserve(len(numbers))
        memory.words(start, len(numbers))[:] = numbers
        memory._pieces[0] = memory._pieces[0][: len(numbers)]  # nothing lies behind the image
        memory._floats[0] = memory._pieces[0].view(np.float64)
        for entry in head.split(";"):
            name, word, count = entry.split("@")
            kind, address = record_named(name), start + FIELD_BYTES * int(word)
            end = int(word) + int(count) * len(record_type(kind).fields)
            assert 0 <= int(word) <= end <= len(numbers), f"{name} is not in the image"
            memory._placed.append((kind, address, int(count)))
        for address, field in memory._fields():
            place = memory.words(address, 1)
            if field.is_pointer and place[0] != 0:
                place[0] += start - FIELD_BYTES
        return memory

    def copy(self) -> Memory:
        """The same contents elsewhere, with the same functions and arrays outside."""
        twin = Memory.restore(self.save(), self.checked)
        for (source, field), (target, _) in zip(self._fields(), twin._fields(), strict=True):
            if field.kind in FUNCTIONS or field.is_outside:
                twin.words(target, 1)[0] = self.words(source, 1)[0]
                if (bound := self.function_in(source)) is not None:
                    twin._functions[target] = bound
                if source in self._outside:
                    twin._outside[target] = self._outside[source]
        return twin

    def _fields(self) -> Iterator[tuple[int, Field]]:
        for cls, address, count in self._placed:
            one = record_type(cls)
            for start in range(address, address + count * one.size, one.size):
                for field in one.fields.values():
                    yield start + field.offset, field

    def _position(self, address: int, base: npt.NDArray[Any]) -> int:
        """Number of the word in an image."""
        found = self._position_or_none(address, base)
        assert found is not None, f"{address} is not in this memory"
        return found

    def _position_or_none(self, address: int, base: npt.NDArray[Any]) -> int | None:
        for piece, start in enumerate(self._starts):  # they are few
            word = (address - start) // FIELD_BYTES
            if 0 <= word < len(self._pieces[piece]):
                return int(base[piece]) + word
        return None


class RecordArray:
    """An array of records as CPython sees it. Its elements are made when they are asked for: a model may have
    many, of which CPython looks at few."""

    __slots__ = ("_address", "_count", "_kind", "_made", "_memory")

    def __init__(self, memory: Memory, kind: type[Any], address: int, count: int) -> None:
        self._memory, self._kind, self._address, self._count = memory, kind, address, count
        self._made: dict[int, Any] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Any:
        if not 0 <= index < self._count:
            raise IndexError(f"{self._kind.__name__} {index} of {self._count}")
        if index not in self._made:
            address = self._address + self._kind.__type__.size * int(index)
            self._made[index] = self._kind(self._memory, address)
        return self._made[index]

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(self._count))

    @property
    def __address__(self) -> int:
        return self._address

    @property
    def kind(self) -> type[Any]:
        return self._kind

    def column(self, name: str) -> Any:
        """One field of all elements, as an array: numbers, or addresses of functions."""
        one: RecordType = self._kind.__type__
        field = one.fields[name]
        assert not field.is_pointer, f"{one.name}.{name} is neither a number nor a function"
        words = self._memory.words(self._address, self._count * len(one.fields))
        column = words[field.number :: len(one.fields)]
        return column.view(np.float64) if field.kind == "double" else column


class Checked(np.ndarray):
    """An array whose subscripts are those of kernels: whole numbers from zero on."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(_checked(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(_checked(index), value)


def _checked(index: Any) -> Any:
    start = index.start if isinstance(index, slice) else index
    if isinstance(start, int | np.integer) and start < 0:
        raise IndexError(f"index {start} is negative")
    return index


# ---------------------------------------------------------------- records in CPython


class Proxy:
    """A record as CPython sees it: attributes are the fields, in the memory that kernels use."""

    __slots__ = (
        "__address__", "__floats__", "__memory__", "__numbers__", "__views__", "__whole__", "__words__",
    )  # fmt: skip
    __type__: RecordType

    def __init__(self, memory: Memory, address: int) -> None:
        self.__memory__ = memory
        self.__address__ = address
        self.__words__ = memory.words(address, len(self.__type__.fields))
        self.__floats__ = self.__words__.view(np.float64)
        # The same words once more: one number is read and written three times as fast as in an array.
        self.__whole__ = self.__words__.data
        self.__numbers__ = self.__floats__.data
        self.__views__: dict[
            int, tuple[int, Any]
        ] = {}  # of arrays, as long as they stay where they are

    def __repr__(self) -> str:
        scalars = (f for f in self.__type__.fields.values() if f.kind in ("double", "i64"))
        listed = ", ".join(f"{f.name}={getattr(self, f.name)}" for f in scalars)
        return f"{self.__type__.name}({listed})"


_PROXIES: dict[type[Any], type[Any]] = {}


def proxy_class(cls: type[Any]) -> type[Any]:
    if cls not in _PROXIES:
        one = record_type(cls)
        members: dict[str, Any] = {"__slots__": (), "__type__": one}
        members |= {field.name: _property(field) for field in one.fields.values()}
        _PROXIES[cls] = type(one.name, (Proxy,), members)
    return _PROXIES[cls]


def address_of(one: Any) -> int:
    """What compiled kernels get for a record, or for an array of records."""
    address: int = one.__address__
    return address


@dataclass(frozen=True, slots=True)
class Closure:
    """A section and the record it works on: machine code at an address, a callable for CPython, or both."""

    context: Any
    address: int = 0
    function: Callable[..., int] | None = None


Bound = int | Callable[..., int] | tuple[int, Callable[..., int]] | Closure


def memory_of(one: Any) -> Memory:
    """The block that a record lies in."""
    found: Memory = one.__memory__
    return found


def words_of(one: Any) -> Words:
    """A record without its arrays."""
    found: Words = one.__words__
    return found


def fields_of(one: Any) -> Mapping[str, Field]:
    """The fields of a record, by name."""
    return _type_of(one).fields


def bind(one: Any, **functions: Bound) -> None:
    """Hand functions in: an address for machine code, a callable for CPython, or both."""
    for name, function in functions.items():
        setattr(one, name, function)


def _type_of(one: Any) -> RecordType:
    found: RecordType = one.__type__
    return found


def _width_of(cls: type[Any]) -> int:
    """Words of a record that can be moved: what CPython calls is known by its place."""
    fields = record_type(cls).fields.values()
    assert not any(f.kind in FUNCTIONS or f.is_outside for f in fields), f"{cls} cannot be moved"
    return len(fields)


def _set(one: Any, values: dict[str, Any]) -> None:
    kind = _type_of(one)
    for name, value in values.items():
        assert name in kind.fields, f"{kind.name} has no field {name}"
        if name in kind.arrays:
            getattr(one, name)[:] = value
        else:
            setattr(one, name, value)


def _property(field: Field) -> property:
    number = field.number
    if field.kind == "double":
        return property(
            lambda one: one.__floats__[number],
            lambda one, value: one.__numbers__.__setitem__(number, value),
        )
    if field.kind == "i64":
        return property(
            lambda one: one.__whole__[number],
            lambda one, value: one.__whole__.__setitem__(number, value),
        )
    if field.kind in FUNCTIONS:
        return _function(field)
    if field.kind == CONTEXT:
        return property(lambda one: one.__whole__[number])
    if field.kind.startswith("record "):
        return _reference(field)
    if field.is_outside:
        return _outside(field)
    return _array(field)


def _function(field: Field) -> property:
    """See `Bound`. CPython calls machine code where there is nothing else."""
    number, offset, is_section = field.number, field.offset, field.kind == "section"

    def get(one: Any) -> Any:
        function, context = one.__memory__.function_in(one.__address__ + offset) or (None, None)
        if function is None:
            function = function_at(one.__whole__[number])
        if context is None:
            return function
        if isinstance(context, type):
            context = context(one.__memory__, one.__whole__[number + 1])
        return lambda *arguments: function(*arguments, context)

    def put(one: Any, value: Bound) -> None:
        address, function, context = _parts(value)
        assert context is None or is_section
        one.__whole__[number] = address
        if is_section:
            one.__whole__[number + 1] = 0 if context is None else address_of(context)
        if context is not None and memory_of(context) is one.__memory__:
            context = type(context)  # it is where the field says, also in a copy
        one.__memory__._functions[one.__address__ + offset] = (function, context)

    return property(get, put)


def _parts(value: Bound) -> tuple[int, Callable[..., int] | None, Any]:
    if isinstance(value, Closure):
        return value.address, value.function, value.context
    if isinstance(value, tuple):
        return *value, None
    return (0, value, None) if callable(value) else (value, None, None)


def _reference(field: Field) -> property:
    def get(one: Any) -> Any:
        address = one.__whole__[field.number]
        assert address, f"{_type_of(one).name}.{field.name} is not set"
        return proxy_class(field.record)(one.__memory__, address)

    def put(one: Any, value: Any) -> None:
        assert value.__memory__ is one.__memory__, "records of one run lie in one memory"
        one.__whole__[field.number] = address_of(value)

    return property(get, put)


def _outside(field: Field) -> property:
    number, offset = field.number, field.offset

    def get(one: Any) -> Any:
        found = one.__memory__._outside[one.__address__ + offset][1]
        return found.view(Checked) if one.__memory__.checked else found

    def put(one: Any, value: Any) -> None:
        place = one.__address__ + offset
        known = one.__memory__._outside.get(place)
        if known is not None and known[0] is value:
            return
        element = np.float64 if field.kind == "floats" else np.int64
        assert value.dtype == element, f"{field.name} holds {element.__name__}"
        assert value.flags["C_CONTIGUOUS"], f"{field.name} is contiguous"
        flat = value if value.ndim == 1 else value.reshape(-1)
        one.__whole__[number] = flat.__array_interface__["data"][0]
        one.__memory__._outside[place] = (value, flat)

    return property(get, put)


def _array(field: Field) -> property:
    number, length = field.number, length_function(field.length)

    def get(one: Any) -> Any:
        address = one.__whole__[number]
        seen, found = one.__views__.get(number, (0, None))
        if seen != address or not address:
            found = view(one, address)
            one.__views__[number] = (address, found)
        return found

    def view(one: Any, address: int) -> Any:
        assert address, f"{_type_of(one).name}.{field.name} is not laid out"
        count = length(one)
        if field.record is None:
            return one.__memory__.view(field.kind, address, count)
        return RecordArray(one.__memory__, proxy_class(field.record), address, count)

    return property(get)
