"""How `freewheel devs` quantizes: `--quantum 0.1 --quantum C=0.01 --window C=0.005 --levels L=0,1,5`.

In: texts of the options and the names of elements. Out: `Quanta`, or a usage error that names the option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.devs.qbg.generate import Quanta
from freewheel.devs.qbg.quantizer import Quantizer

Value = TypeVar("Value")
USUAL = 0.01


def quanta_of(choices: Mapping[str, Any], names: Sequence[str]) -> Quanta:
    """`0.1` for all, `C=0.1` for one; a window is as wide as the quantum if it is not given."""
    quantum = _given(choices["quantum"], "--quantum", names, float)
    window = _given(choices["window"], "--window", names, float)
    levels = _given(choices["levels"], "--levels", names, _levels)
    if "" in levels:
        raise _wrong("--levels", choices["levels"][-1], "say of which element: `--levels C=0,1,2`")
    for name in levels:
        if name in quantum:
            raise _wrong("--levels", f"{name}=...", f"`{name}` has a quantum as well")

    def made(name: str) -> Quantizer:
        if name in levels:
            return Quantizer(levels=levels[name], window=window.get(name, 0.0))
        size = quantum.get(name, quantum.get("", USUAL))
        return Quantizer(size, window.get(name, window.get("", size)))

    named = {name: None for name in (*quantum, *window, *levels) if name}
    by_name = {name: _told(name, made) for name in named}
    return Quanta(_told("", made), by_name, int(choices.get("order") or 1))


def _told(name: str, made: Callable[[str], Quantizer]) -> Quantizer:
    """A quantizer that cannot be made is told with the name of its element."""
    try:
        return made(name)
    except UsageError as failure:
        (found,) = failure.diagnostics
        whose = f"the quantizer of `{name}`" if name else "the quantizer"
        message = found.message.replace("a quantizer", whose)
        raise UsageError(Diagnostic(found.code, message, help=found.help)) from None


def _given(
    texts: Sequence[str], option: str, names: Sequence[str], read: Callable[[str], Value]
) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        if name and name not in names:
            why = f"the model has no element `{name}`"
            raise _wrong(option, text, why, f"elements are {', '.join(names)}")
        try:
            found[name] = read(value)
        except ValueError:
            raise _wrong(option, text, f"`{value}` is no number") from None
    return found


def _levels(text: str) -> tuple[float, ...]:
    return tuple(float(word) for word in text.split(","))


def _wrong(option: str, text: str, why: str, cure: str = "") -> UsageError:
    return UsageError(Diagnostic("U087", f"`{option} {text}`: {why}", help=cure))
