"""How often a model is compiled for one run."""

from __future__ import annotations

import pytest

import freewheel.api.model
from freewheel.api import load_text
from freewheel.base.diagnostics import UsageError
from freewheel.pipeline import Compilation, Options, compile_model

TEXT = """
    model M
      parameter Integer n = 3;
      parameter Real k = 2, a[n] = fill(1.0, n);
      parameter Boolean fast = false;
      Real x[n](each start = 1, each fixed = true);
    equation
      for i in 1:n loop
        der(x[i]) = -k*a[i]*(if fast then 10 else 1)*x[i];
      end for;
    end M;
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path) -> list[tuple[Options, Compilation]]:
    """Everything that walks the corridor to its end."""
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path))
    found: list[tuple[Options, Compilation]] = []

    def counting(library, name, options: Options) -> Compilation:
        compilation = compile_model(library, name, options)
        if options.stop_after == "backend":
            found.append((options, compilation))
        return compilation

    monkeypatch.setattr(freewheel.api.model, "compile_model", counting)
    return found


@pytest.mark.parametrize(
    ("params", "changes"),
    [
        ({}, {}),
        ({"k": 3, "fast": True}, {}),
        ({"n": 5}, {"n": "5"}),
        ({"n": 5, "k": 3}, {"n": "5"}),
        ({"n": 5, "a[5]": 3.0}, {"n": "5"}),
        ({"a": "{1, 2, 3}"}, {"a": "{1, 2, 3}"}),
        ({"k": "2*1.5", "x.start": "fill(2, 3)"}, {"k": "2*1.5", "x.start": "fill(2, 3)"}),
    ],
)
def test_a_model_is_compiled_once(params, changes, made) -> None:
    result = load_text(TEXT).simulate(stop=0.1, params=params)

    ((options, compilation),) = made
    assert options.changes == changes
    assert result.translation == compilation.seconds
    assert f"x[{params.get('n', 3)}]" in result


def test_a_wrong_name_compiles_nothing(made) -> None:
    with pytest.raises(UsageError):
        load_text(TEXT).simulate(stop=0.1, params={"nothing": 3})
    assert not made
