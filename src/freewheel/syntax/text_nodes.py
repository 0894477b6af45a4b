"""What is written for people: comments, quoted texts, and annotations by their place.

In: nothing, this file is data only. Out: nodes that any class, component, equation or statement may
carry: `Real x "of the cart"` has `Description(text="of the cart")`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# The escapes of the specification's section "Lexical Conventions" that do not stand for themselves.
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def decode_string(text: str) -> str:
    r"""Replace the escapes of a string's written form: `a\"b` becomes `a"b`."""
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text)


class Comment(NamedTuple):
    """A `// ...` or `/* ... */`, with its marks. It has no meaning; printers keep it."""

    start: int
    end: int
    text: str


class Annotation(NamedTuple):
    """`annotation(...)` by place only; `parser.parse_annotation` reads it when somebody asks.

    Graphics and HTML are two thirds of a library's characters, and simulation needs few of them.
    Up to version 2 of the language a class could have several; they count as one.
    """

    start: int  # of the word `annotation`
    end: int  # after the closing bracket
    more: tuple[Annotation, ...] = ()  # the others of the same class


class Description(NamedTuple):
    """The quoted text and the annotation that may follow a class, component or equation."""

    start: int
    end: int
    text: str | None  # as written between the quotes, escapes not decoded
    annotation: Annotation | None

    @property
    def value(self) -> str:
        """The text with escapes decoded, empty when there is none."""
        return decode_string(self.text or "")
