"""Names of slots in a language: short where that is clear, unique, never a word of the language.

    R2.Va -> R2zVa      L.Vb -> Vb (the only Vb)      der(C.u) -> deru

The short form and the `z` for the dot are those of the listing in Cellier and Elmqvist (1993).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class NameRules:
    dot: str = "_"
    prefix: str = ""  # of all names, where a list of words would not do
    is_short: bool = False  # the last part alone where no other variable ends like it
    ignores_case: bool = False
    filler: str = "_"  # for what no identifier may hold
    longest: int = 60
    reserved: frozenset[str] = field(default_factory=frozenset)  # lower case


def names_for(
    slots: Sequence[str], rules: NameRules, taken: Collection[str] = ()
) -> tuple[str, ...]:
    """An identifier for each slot, in order."""
    longs = [_identifier(_words(name), rules) for name in slots]
    shorts = [_identifier(_short(_words(name)), rules) for name in slots]
    counts = Counter(_key(short, rules) for short in shorts)
    used = {_key(name, rules) for name in taken}
    result: list[str] = []
    for long, short in zip(longs, shorts, strict=True):
        is_clear = rules.is_short and counts[_key(short, rules)] == 1
        chosen = _fresh(rules.prefix + (short if is_clear else long), used, rules)
        used.add(_key(chosen, rules))
        result.append(chosen)
    return tuple(result)


def fresh_name(wanted: str, rules: NameRules, taken: Collection[str]) -> str:
    """A name for something that is no slot."""
    return _fresh(wanted, {_key(name, rules) for name in taken}, rules)


def _key(name: str, rules: NameRules) -> str:
    return name.lower() if rules.ignores_case else name


def _fresh(wanted: str, used: set[str], rules: NameRules) -> str:
    base = wanted[: rules.longest]
    number = 1
    found = base
    while _key(found, rules) in used or found.lower() in rules.reserved:
        number += 1
        tail = f"{rules.dot}{number}"
        found = base[: rules.longest - len(tail)] + tail
    return found


def _words(name: str) -> tuple[str, tuple[str, ...]]:
    """`der(a.b[1].c)` -> ("der", ("a", "b1", "c"))."""
    operator = ""
    while found := re.fullmatch(r"(der|pre)\((.*)\)", name):
        operator += found[1]
        name = found[2]
    name = re.sub(r"\[([\d,]+)\]", lambda m: m[1].replace(",", "_"), name)
    return operator, tuple(part for part in re.split(r"\.(?![^']*')", name) if part)


def _short(words: tuple[str, tuple[str, ...]]) -> tuple[str, tuple[str, ...]]:
    return words[0], words[1][-1:]


def _identifier(words: tuple[str, tuple[str, ...]], rules: NameRules) -> str:
    operator, parts = words
    unknown = r"\W" if rules.filler == "_" else r"[\W_]"
    texts = (re.sub(unknown, rules.filler, part.strip("'$"), flags=re.ASCII) for part in parts)
    joined = rules.dot.join(texts).strip("_") or "x"
    if rules.dot == "_" and operator:
        joined = f"{operator}_{joined}"
    else:
        joined = operator + joined
    return joined if joined[0].isalpha() else f"x{joined}"
