"""Sizes that are estimated while the tree is walked."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.limits import sized
from freewheel.base.source import Source
from freewheel.flat.flatten import flatten
from freewheel.flat.nodes import FlatModel
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library

LEAF = "model Leaf Real a = time, b = 2, c = 3; end Leaf;"


def flattened(body: str) -> FlatModel:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(f"model M {body} end M;", "M.mo"))
    return flatten(instantiate(library, ("M",), {}))


def nested(levels: int, rest: str) -> str:
    """Classes inside of classes, each with the next one first and `rest` behind."""
    chain = "".join(f"model D{k} D{k - 1} d; {rest} end D{k};" for k in range(1, levels + 1))
    return f"{LEAF} model D0 = Leaf; {chain} D{levels} d;"


HONEST = {
    "many variables of one class": ("".join(f"Real x{k} = {k};" for k in range(2000)), 2000),
    "many components of one class": (
        LEAF + "".join(f"Leaf l{k};" for k in range(500)),
        1500,
    ),
    "arrays of components of arrays": (
        "model A Real x[5] = fill(time, 5); end A; model B A a[20]; end B; B b[40];",
        800,
    ),
    "one branch is deep": (nested(30, "".join(f"Leaf l{j};" for j in range(9))), 3 + 30 * 27),
    "one branch is deep, others differ": (
        nested(
            8,
            "".join(f"model T{j} Real a{j} = time, b = 2; end T{j}; T{j} t{j};" for j in range(30)),
        ),
        3 + 8 * 60,
    ),
    "the first of a kind is large": (
        "model A parameter Integer n; Real x[n] = fill(time, n); end A; A a(n = 3000);"
        + "".join(f"A a{k}(n = 1);" for k in range(300)),
        602,
    ),
    "a tree that is larger on one side": (
        "model F parameter Integer n; F a(n = n - 1) if n > 1; F b(n = n - 2) if n > 2; Real x = time;"
        " end F; F f(n = 12);",
        752,
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_model_is_not_refused(name: str) -> None:
    """Whatever an estimate may say, the model is smaller than the limit."""
    body, count = HONEST[name]
    with sized(5000):
        assert len(flattened(body).variables) == count


@pytest.mark.parametrize("body", ["Real x[101] = fill(time, 101);", "Real %s;"])
def test_the_limit_is_met_exactly(body: str) -> None:
    names = ", ".join(f"x{k} = time" for k in range(101))
    with sized(100), pytest.raises(CompileError, match="U111"):
        flattened(body.replace("%s", names))
