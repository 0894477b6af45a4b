"""Text for a terminal: whatever a file, a name or a model says, it moves no cursor and hides nothing.

    printable("\\x1b[2J")  ==  "␛[2J"

Control characters become their pictures in Unicode, those that turn the direction of writing or
have no picture become `�`. One character stays one, so that marks under a line stand right. Line
ends and tabs remain.
"""

from __future__ import annotations

_UNKNOWN = "�"
_KEPT = "\t\n"
_DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_TABLE: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _KEPT},
    0x7F: "␡",
    **dict.fromkeys((*range(128, 160), 8232, 8233, *_DIRECTIONS), _UNKNOWN),
    **dict.fromkeys(range(56448, 56576), _UNKNOWN),  # bytes of file names that are no UTF-8
}


def printable(text: str) -> str:
    """The same text without anything that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_TABLE)


def printable_json(text: str) -> str:
    """JSON with the same characters escaped, which changes no value."""
    if text.isascii():
        return text.replace("\x7f", "\\u007f")
    return "".join(f"\\u{ord(c):04x}" if ord(c) in _TABLE and c not in "\r\n" else c for c in text)
