"""Names that may have been meant, for messages.

did_you_mean("r", ["R", "T"]) == "did you mean `R`?"
did_you_mean("q", ["R", "T"]) == ""
did_you_mean_or_list("q", ["R", "T"], "parameters") == "the parameters are `R`, `T`"
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3
MOST_LISTED = 6
CUTOFF = 0.6  # of the ratio of equal letters, as in `difflib`
CUTOFF_OF_VARIABLES = 0.5  # their names are short: `u3` for `u2`


def near_names(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> list[str]:
    """The same letters in another case first, then what is alike."""
    names = list(dict.fromkeys(known))
    same = [other for other in names if other.lower() == name.lower()]
    alike = [other for other in get_close_matches(name, names, MOST, cutoff) if other not in same]
    return [*same, *alike][:MOST]


def did_you_mean(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> str:
    """A question, or nothing."""
    near = near_names(name, known, cutoff)
    return "did you mean " + " or ".join(f"`{other}`" for other in near) + "?" if near else ""


def did_you_mean_or_list(name: str, known: Iterable[str], kind: str) -> str:
    """A question, or what there is; `kind` is a plural."""
    names = list(dict.fromkeys(known))
    near = did_you_mean(name, names, CUTOFF_OF_VARIABLES)
    if near:
        return near
    shown = ", ".join(f"`{other}`" for other in names[:MOST_LISTED])
    if len(names) > MOST_LISTED:
        return f"there are {len(names)} {kind}, among them {shown}"
    return f"the {kind} are {shown}" if names else f"there are no {kind}"
