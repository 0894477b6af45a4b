"""Habits of other languages and common slips: how to write what was meant.

    cure_of(Around("`;`", "Ohm", "10", "=", ";"))    # a unit is given in the declaration ...

In: the unexpected token, its neighbours and what the grammar expects. Out: a hint, or nothing.
"""

from __future__ import annotations

from typing import NamedTuple

LOOK_ALIKES = {
    "==": "`=` makes an equation or a binding, `==` compares",
    ":=": "`:=` assigns inside `algorithm`; equations and bindings use `=`",
    "=": "`=` makes an equation or a binding; `==` compares, `:=` assigns",
    "<>": "`<>` means `not equal`",
    "else": "`else if` inside equations and statements is written `elseif`",
    "elif": "a further case is written `elseif`",
    "elsif": "a further case is written `elseif`",
    "{": "there are no braces around a body: `model M ... end M;`, `for i in 1:3 loop ... end for;`",
    "while": "`while` is a statement: move the loop below `algorithm`",
}
ATTRIBUTES = ("start", "fixed", "min", "max", "nominal", "unit", "quantity", "displayUnit")
DECLARING = (
    "import",
    "extends",
    "parameter",
    "constant",
    "discrete",
    "input",
    "output",
    "replaceable",
)
LOOP = "a loop is written `for i in 1:3 loop ... end for;`"
COMMANDS = "commands are given in a shell or in Python: `freewheel run FILE --stop 10`"


class Around(NamedTuple):
    """An unexpected token and what stands around it; `is_touching`: no blank before it."""

    expected: str
    text: str
    before: str
    earlier: str
    after: str
    is_touching: bool = False


def cure_of(a: Around) -> str:
    return _of_place(a) or _of_token(a) or LOOK_ALIKES.get(a.text, "")


def _of_place(a: Around) -> str:
    """Where the grammar expects something certain."""
    if a.expected.startswith("`loop`") or a.expected.startswith("a name for the loop variable"):
        if a.before.endswith(".") and a.text.startswith("."):
            return f"a range is written `{a.before[:-1]}:{a.text[1:]}`"
        return f"a loop is written `for {a.before} in 1:3 loop`" if _is_for(a) else LOOP
    if a.expected.startswith("`else` or `elseif`: an if-expression"):
        return LOOK_ALIKES.get(a.text) or "add `else` and the value for all other cases"
    if a.expected.startswith("`then`"):
        return "a condition is followed by `then`: `if c then ... else ... end if;`"
    if a.expected.startswith("a class (") and a.after == "(":
        return COMMANDS
    if a.expected.startswith("a name to modify") and a.before == ",":
        return "remove the comma before it"
    if (
        a.expected.startswith("a name of the component")
        and a.text[:1].isdigit()
        and a.before != ","
    ):
        return "a name begins with a letter or `_`"
    if a.expected.startswith("`=`: an equation") and a.before in LOOK_ALIKES:
        return LOOK_ALIKES[a.before]
    if a.expected.startswith("`=`: an equation") and _is_name(a.text) and _is_name(a.before):
        return "declarations stand before the word `equation`; a product is written with `*`"
    if a.expected.startswith("`equation` or `algorithm`"):
        return (
            "initial conditions stand in a section of their own, below the words `initial equation`"
        )
    return ""


def _is_for(a: Around) -> bool:
    return a.text == "=" and a.earlier == "for"


def _of_token(a: Around) -> str:
    text, before = a.text, a.before
    if text == "*" and before == "*":
        return "a power is written `x^2`"
    if text in ("+", "-", "*", "/") and a.after in ("=", text):
        return f"there is no `{text}{a.after}`: write `n := n {text} 1`"
    if text == "der":
        return "a derivative is written with parentheses, `der(x)`"
    if before == "return":
        return "`return` takes no value: assign the output before it, `y := ...;`"
    if _is_for(a):
        return f"a loop is written `for {before} in 1:3 loop`"
    if text == ";" and before == "then":
        return "remove the `;` after `then`"
    if text == ";" and a.expected.startswith("`)`"):
        return "modifiers and arguments are separated by commas"
    if text == ";" and a.expected.startswith("`}`") and a.after[:1].isdigit():
        return "rows of a matrix are written `[1, 2; 3, 4]` or `{{1, 2}, {3, 4}}`"
    if text == ";" and a.expected.startswith(("`}`", "`]`")):
        return "close the bracket before the `;`"
    if text in DECLARING and a.expected.startswith("an expression"):
        return f"`{text}` and declarations stand before the word `equation` or `algorithm`"
    if text == "-" and a.expected == "`;`" and _is_name(before):
        return f"a name has no `-` in it: write `{before}_{a.after}`"
    if text in ATTRIBUTES and _is_name(before):
        return f"attributes stand in parentheses: `{before}({text} = ...)`"
    if text == ":=" and before == ")":
        return "only a variable can be assigned; an equation for `der(x)` stands below `equation`"
    if before[:1].isdigit():
        return _after_number(a)
    if text[:1].isdigit() and before == "," and a.earlier[:1].isdigit():
        return f"a decimal number has a point: `{a.earlier}.{text}`"
    if text in (")", "]", "}"):
        return f"there is no open bracket for this `{text}`, or something is missing before it"
    return ""


def _after_number(a: Around) -> str:
    """`10 Ohm`, `10 000`, `1.5d-3`, `2(x + 1)`"""
    text, before = a.text, a.before
    if a.is_touching and text in ("d", "D"):
        return "an exponent is written with `e`, as in `1.5e-3`"
    if a.is_touching and text in ("f", "F", "l", "L"):
        return f"a number has no suffix: `{before}`"
    if text[:1].isdigit():
        return f"there are no blanks inside a number: `{before}{text}`"
    if _is_name(text) and not a.is_touching:
        return f'a product is written `{before}*{text}`; a unit stands in the declaration: `R(unit = "Ohm")`'
    if _is_name(text) or text == "(":
        return f"a product is written with `*`: `{before}*{text if _is_name(text) else '(...)'}`"
    return ""


def _is_name(text: str) -> bool:
    return text[:1].isalpha() or text[:1] in ("_", "'")
