"""One listing in one call: in comes a flat model and what to show, out comes text.

view(flat, View("solved", "surplus"))
SORTED AND SOLVED EQUATIONS
divider  y = R2.R*u/(R1.R + R2.R)
END OF SORTED AND SOLVED EQUATIONS
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from freewheel.base.names import Name
from freewheel.flat.nodes import FlatModel
from freewheel.listing.equations.by_hand import order_by_hand
from freewheel.listing.equations.classic_words import (
    has_plain_derivatives,
    literals_in,
    names_of_derivatives,
    words_of,
)
from freewheel.listing.equations.solution import Style
from freewheel.listing.equations.stages import EARLY, show, show_early
from freewheel.pipeline import Options, as_written, compile_flat
from freewheel.structure.analyse import first_steps, scalar_model
from freewheel.structure.nodes import Elimination, Ordered
from freewheel.structure.show_lines import PLAIN, Words


@dataclass(frozen=True, slots=True)
class View:
    """Which stage, how much eliminated before it, and how systems are to look."""

    stage: str = "solved"
    eliminate: str = "zeros"
    matrix: bool = False
    share: bool = True
    evaluate: bool = False
    surplus: bool = True
    is_classic: bool = (
        False  # `new(x)` and `x` for `x` and `pre(x)`; loops through relations are loops
    )
    as_code: bool = False  # relations as the code that watches them
    known: tuple[Name, ...] = ()  # variables whose derivatives are taken for known
    unknown: tuple[Name, ...] = ()  # differentiated variables that are no states


def view(flat: FlatModel, wanted: View) -> str:
    elimination = Elimination(wanted.eliminate)
    if wanted.stage in EARLY:
        scalar = scalar_model(flat)
        _, hybrid = first_steps(scalar, elimination)
        words = words_of(hybrid, literals_in(flat)) if wanted.is_classic else PLAIN
        return show_early(scalar, hybrid, wanted.stage, words)
    is_whole = wanted.surplus and elimination is not Elimination.SURPLUS
    style = Style(wanted.matrix, wanted.share, is_whole, wanted.evaluate, wanted.is_classic)
    options = Options(stop_after="structure", eliminate=wanted.eliminate, is_listed=True)
    ordered = compile_flat(flat, options).ordered
    if wanted.known or wanted.unknown:
        _, hybrid = first_steps(ordered.scalar, elimination)
        ordered = order_by_hand(ordered, hybrid, wanted.known, wanted.unknown)
    return show(ordered, wanted.stage, style, _words(flat, ordered, wanted))


def _words(flat: FlatModel, ordered: Ordered, wanted: View) -> Words:
    if not wanted.is_classic:
        return PLAIN
    renamed: Mapping[Name, Name] = {}
    if wanted.eliminate != "none" and has_plain_derivatives(ordered):
        renamed = names_of_derivatives(ordered, as_written(flat))
    words = words_of(ordered.hybrid, literals_in(flat))
    return replace(words, renamed=renamed, as_code=wanted.as_code, whole_numbers=True)
