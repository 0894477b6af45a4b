"""Sizes that are estimated while the tree is walked."""

from __future__ import annotations

from freewheel.base.source import Source
from freewheel.flat.flatten import flatten
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library


def test_many_variables_of_one_class_are_no_large_model():
    declared = "".join(f"Real x{k} = {k};" for k in range(2000))
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(f"model M {declared} end M;", "M.mo"))

    assert len(flatten(instantiate(library, ("M",), {})).variables) == 2000
