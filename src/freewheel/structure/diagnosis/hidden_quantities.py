"""Quantities that the modeller never wrote, in words of the model: for texts of diagnostics.

    `$status[2] > 0`  ->  `time > 0.3`          `$held[1]`  ->  `integer(3*time)`
    `$when[1] and not pre($when[1])`  ->  `edge(time > 0.3)`

In: a text, and the equations of these quantities. The names are found in the text itself: no diagnosis of
this room or of those after it has to know about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.formula.nodes import Call, Expr, If, Var
from freewheel.structure.atoms import HELD, INITIAL, SHARE, STATUS, WHEN, show_atom
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.nodes import Crossing, Hybrid, SampleClock, ScalarEquation

MOST_TURNS = 5  # a flag may stand for a relation of an integer part
_ASKED = re.compile(r"(?P<name>\$status\[\d+\]) (?P<op>[<>=]+) 0\b")
_OPERATOR = re.compile(r" (?:[<>]=?|==|<>) ")
_EDGE = re.compile(r"(\$\w+\[\d+\]) and not pre\(\1\)")
_RISES = r"edge\(\$\w+\[\d+\]\)"
_LATER = re.compile(rf"not \$initial and (\({_RISES}(?: or {_RISES})+\)|{_RISES})")
_ONE = re.compile(rf"\(({_RISES})\)")
_NAMED = re.compile(r"\$\w+\[\d+\]")

Texts = Mapping[str, str]  # of hidden names


def texts_of(
    equations: Iterable[ScalarEquation],
    relations: Iterable[tuple[str, str]] = (),
    samples: Iterable[SampleClock] = (),
) -> Texts:
    """What each hidden quantity stands for. `relations`: names of statuses, and what they compare."""
    found = dict(relations)
    for equation in equations:
        left, right = equation.left, equation.right
        if not isinstance(left, Var):
            continue
        part = _integer_part(right) if left.name[0] == HELD else None
        if part is not None:
            found[show_atom(left.name)] = expr_text(part)
        elif left.name[0] == WHEN:
            found[show_atom(left.name)] = expr_text(right)
    for clock in samples:
        text = f"sample({expr_text(clock.start)}, {expr_text(clock.interval)})"
        found[show_atom(clock.flag.name)] = text
    return found


def _integer_part(value: Expr) -> Expr | None:
    """`integer(x)` of what a held one is, see `Crossings.floor`: with the start, or while running."""
    if not isinstance(value, If):
        return None
    first = value.args[1]
    if value.args[0] is INITIAL:
        return first
    return first.args[0] if isinstance(first, Call) and first.function == "max" else None


def in_words(text: str, texts: Texts) -> str:
    """The text with nothing hidden in it, as far as it is known."""
    if "$" not in text:
        return text
    text = _LATER.sub(r"\1", _ONE.sub(r"\1", _EDGE.sub(r"edge(\1)", text)))
    for _ in range(MOST_TURNS):
        before = text
        text = _ASKED.sub(lambda found: _relation(found, texts), text)
        text = _NAMED.sub(lambda found: _word(found[0], texts), text)
        if text == before:
            break
    text = text.replace(show_atom(SHARE.name), "lambda")
    return text.replace(show_atom(INITIAL.name), "initial()")


def _relation(found: re.Match[str], texts: Texts) -> str:
    """`$status[1] > 0` asks for the sign of left - right: here it is `left > right`."""
    sides = _OPERATOR.split(texts.get(found["name"], ""))
    return f"{sides[0]} {found['op']} {sides[1]}" if len(sides) == 2 else found[0]


def _word(name: str, texts: Texts) -> str:
    return name if name.startswith(STATUS) else texts.get(name, name)


def problem_in_words(problem: CompileError, hybrid: Hybrid) -> CompileError:
    parts = [
        d.message + d.help + "".join(label.text for label in d.labels) for d in problem.diagnostics
    ]
    if not any("$" in part for part in parts):
        return problem
    relations = [_crossing(crossing) for crossing in hybrid.crossings]
    texts = texts_of(hybrid.discrete_equations, relations, hybrid.samples)
    return CompileError(*(_diagnostic(d, texts) for d in problem.diagnostics))


def _crossing(crossing: Crossing) -> tuple[str, str]:
    return show_atom(crossing.status.name), crossing.text


def _diagnostic(problem: Diagnostic, texts: Texts) -> Diagnostic:
    labels = tuple(replace(label, text=in_words(label.text, texts)) for label in problem.labels)
    message, help = in_words(problem.message, texts), in_words(problem.help, texts)
    return replace(problem, message=message, labels=labels, help=help)
