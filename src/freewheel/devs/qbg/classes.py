"""Classes of quantized bond graphs by the names that `.ma` files use.

    build(read_ma(source), QBG_CLASSES)

Which bonds a component has, and which way power goes in them, is read off the ports that links
name. Parameters: C `c`, I `i` or `l`, R `r` or `g`, transformer `r` or `n`, gyrator `mu` or `g`; storages
`initial`, `quantum`, `hystwindow` or `levels`; sources `signal` and its parameters: those of Modelica (`V`,
`I`, `freqHz`, ...), those of our own (`amplitude`, `frequency` in Hz, ...) and those of Fig. 24 of the paper,
where `wavefreq` is the period in milliseconds and times beside it are in milliseconds too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from freewheel.base.diagnostics import UsageError
from freewheel.devs.cdpp.ma_build import Classes, Given
from freewheel.devs.nodes import Atomic
from freewheel.devs.qbg import library
from freewheel.devs.qbg.atomics import Linear, Row, Source, Storage
from freewheel.devs.qbg.field import field_of
from freewheel.devs.qbg.library import INWARD, OUTWARD, Side
from freewheel.devs.qbg.polynomial_atomics import raised_atomic
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import DEFAULTS, MAIN, OTHER_NAMES, Signal

_PORT = re.compile(r"[ef](\d+)([pn])")
_WORDS = {"levels": "levels", "hystwindow": "window", "quantum": "quantum"}  # in messages
_FOR_JUMPS = Quantizer(quantum=1.0)  # never asked: such signals are piecewise constant


def _sides(given: Given) -> tuple[Side, ...]:
    """The bonds, by number; every link names one."""
    found: dict[int, Side] = {}
    for port in (*given.inputs, *given.outputs):
        read = _PORT.fullmatch(port)
        if read is None:
            raise given.wrong(port, "a port is named by e or f, a number, and p or n: `e1p`")
        side = Side(int(read[1]), read[2] == "p")
        if found.setdefault(side.number, side) != side:
            raise given.wrong(port, "power cannot both enter and leave by one bond")
    return tuple(found[number] for number in sorted(found))


def _side(given: Given, default: Side) -> Side:
    sides = _sides(given)
    if len(sides) > 1:
        raise given.wrong("links", "it has one bond")
    return sides[0] if sides else default


def _pair(given: Given) -> tuple[Side, Side]:
    sides = {side.number: side for side in _sides(given)}
    if not set(sides) <= {1, 2}:
        raise given.wrong("links", "its bonds are number 1 and 2")
    return sides.get(1, Side(1, True)), sides.get(2, Side(2, False))


def _quantizer(given: Given) -> Quantizer:
    levels = given.numbers("levels")
    window = given.number("hystwindow", 0.0)
    quantum = given.number("quantum", 0.0 if levels else None)
    try:
        return Quantizer(quantum, window, levels)
    except UsageError as failure:
        message = failure.diagnostics[0].message
        told = ("levels", "hystwindow", "quantum")
        key = next((k for k in told if k in given.values and _WORDS[k] in message), "quantum")
        raise given.wrong(key, message) from None


def _first(given: Given, keys: Sequence[str]) -> str:
    """The one of several names that is used; the first where none is."""
    used = [key for key in keys if key in given.values]
    if len(used) > 1:
        raise given.wrong(used[1], f"`{used[0]}` gives the same")
    return used[0] if used else keys[0]


def _above_zero(given: Given, *keys: str) -> float:
    key = _first(given, keys)
    value = given.number(key)
    if not (value > 0.0 and math.isfinite(value)):
        raise given.wrong(key, f"it is {value:g}, it must be above zero")
    return value


def _capacitor(given: Given) -> Storage:
    value, initial = _above_zero(given, "c"), given.number("initial", 0.0)
    return library.capacitor(value, _quantizer(given), initial, _side(given, INWARD))


def _inductor(given: Given) -> Storage:
    value, initial = _above_zero(given, "i", "l"), given.number("initial", 0.0)
    return library.inductor(value, _quantizer(given), initial, _side(given, INWARD))


def _modulus(given: Given, *keys: str) -> float:
    """A number that is not zero; that of `g`, a conductance, is turned over."""
    key = _first(given, keys)
    value = given.number(key)
    if value == 0.0 or not math.isfinite(value):
        raise given.wrong(key, f"it is {value:g}")
    return 1.0 / value if key == "g" else value


def _transformer(given: Given) -> Linear:
    first, second = _pair(given)
    second_gives = second.effort in given.inputs or first.effort in given.outputs
    return library.transformer(_modulus(given, "r", "n"), first, second, 2 if second_gives else 1)


def _serial(given: Given) -> Linear:
    return library.serial_junction(_all_sides(given))


def _parallel(given: Given) -> Linear:
    return library.parallel_junction(_all_sides(given))


def _all_sides(given: Given) -> tuple[Side, ...]:
    sides = _sides(given)
    if [side.number for side in sides] != list(range(1, len(sides) + 1)) or not sides:
        raise given.wrong("links", "its bonds are numbered 1, 2, ..., each with a link")
    return sides


def _source(name: str, is_effort: bool) -> Callable[[Given], Source]:
    def make(given: Given) -> Source:
        written = given.text("signal", name)
        if written.lower() != name.lower():
            raise given.wrong("signal", f"the class gives `{name}`")
        values = _signal_values(given, name)
        try:
            signal = _table(given) if name == "Table" else Signal.make(name, **values)
        except UsageError as failure:
            message = failure.diagnostics[0].message
            key = next((key for key in values if f"`{key}`" in message), "signal")
            raise given.wrong(key, message) from None
        needs_levels = not signal.is_piecewise_constant or "quantum" in given.values
        quantizer = _quantizer(given) if needs_levels else _FOR_JUMPS
        make_source = library.effort_source if is_effort else library.flow_source
        return make_source(signal, quantizer, _side(given, OUTWARD))

    return make


def _table(given: Given) -> Signal:
    times, values = given.numbers("times"), given.numbers("values")
    if len(times) != len(values):
        raise given.wrong("values", f"there are {len(values)} of them, but {len(times)} times")
    return Signal.table(zip(times, values, strict=True))


def _signal_values(given: Given, name: str) -> dict[str, float]:
    """Parameters by the names of `signals`, in seconds and hertz."""
    main = MAIN.get(name, "amplitude")
    names = {own: own for own in DEFAULTS[name]} | {"amplitude": main, "v": main, "i": main}
    names |= {key: own for key, own in OTHER_NAMES.items() if own in DEFAULTS[name]}
    if "frequency" in DEFAULTS[name]:
        names |= {"wavefreq": "frequency", "omega": "frequency"}
    values: dict[str, float] = {}
    for own in DEFAULTS[name]:
        key = _first(given, [own, *(key for key in names if names[key] == own and key != own)])
        if key in given.values:
            values[own] = (
                given.number(key) if key != "wavefreq" else 1000.0 / _above_zero(given, key)
            )
            values[own] /= 2.0 * math.pi if key == "omega" else 1.0
    if "wavefreq" in given.values and "starttime" in values:
        values["starttime"] /= 1000.0
    return values


def _field(given: Given) -> Linear:
    """`row2 : 1 0.5 4 -2` means that `out2` is half of `in1` less twice `in4`."""
    rows: list[Row] = []
    while f"row{len(rows) + 1}" in given.values:
        key = f"row{len(rows) + 1}"
        numbers = given.numbers(key)
        if len(numbers) % 2 or any(n < 1 or n != int(n) for n in numbers[::2]):
            raise given.wrong(key, "it is a list of inputs, by number, each with its factor")
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        rows.append(tuple((int(n) - 1, factor) for n, factor in pairs if factor != 0.0))
    used = [at + 1 for row in rows for at, _ in row]
    linked = [int(port[2:]) for port in given.inputs if port[2:].isdigit()]
    return field_of(rows, max([*used, *linked], default=0))


def _with_order(
    make: Callable[[Given], Storage | Source | Linear],
) -> Callable[[Given], Atomic[Any]]:
    """`order : 2` of any component: it sends polynomials."""

    def made(given: Given) -> Atomic[Any]:
        order = given.number("order", 1.0)
        component = make(given)
        try:
            return raised_atomic(component, int(order) if order == int(order) else 0)
        except UsageError as failure:
            raise given.wrong("order", failure.diagnostics[0].message) from None

    return made


_CLASSES: Mapping[str, Callable[[Given], Storage | Source | Linear]] = {
    "qbgfield": _field,
    "qbgcapacitorflowin": _capacitor,
    "qbginductoreffortin": _inductor,
    "qbgresistanceflowin": lambda g: library.resistance_flow_in(
        _modulus(g, "r", "g"), _side(g, INWARD)
    ),
    "qbgresistanceeffortin": lambda g: library.resistance_effort_in(
        _modulus(g, "r", "g"), _side(g, INWARD)
    ),
    "qbgtransformer": _transformer,
    "qbggyratorflowin": lambda g: library.gyrator_flow_in(_modulus(g, "mu", "g"), *_pair(g)),
    "qbggyratoreffortin": lambda g: library.gyrator_effort_in(_modulus(g, "mu", "g"), *_pair(g)),
    "qbgserialjunction": _serial,
    "qbgparalleljunction": _parallel,
    **{f"qbgsourceeffort_{name.lower()}": _source(name, True) for name in DEFAULTS},
    **{f"qbgsourceflow_{name.lower()}": _source(name, False) for name in DEFAULTS},
}
QBG_CLASSES: Classes = {name: _with_order(make) for name, make in _CLASSES.items()}
