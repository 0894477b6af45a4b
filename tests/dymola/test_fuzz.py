"""Whatever is typed, a classic file is lowered or a `CompileError` tells a place in it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.dymola.files import Cuts
from freewheel.dymola.lower_file import lower_file
from freewheel.dymola.to_modelica import to_modelica
from freewheel.syntax.parser import parse

EXAMPLES = Path(__file__).parents[2] / "examples" / "dymola"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.dym"))]
WORDS = re.compile(r"\w+|\s+|[^\w\s]")
ODD = ["(", ")", "[", "]", "=", "-", "//", "\\", ".", ",", "end", "when", "endwhen", "model", "new(",
       "der(", "if", "else", "cut", "main", "{", "}", "<", "1E", "Time", "connect", "at", "from"]  # fmt: skip


def mangled(seed: int) -> str:
    """An example with a few words lost, doubled, moved or replaced."""
    rng = random.Random(seed)
    words = WORDS.findall(rng.choice(TEXTS))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(words))
        action = rng.randrange(4)
        if action == 0:
            del words[at]
        elif action == 1:
            words.insert(at, words[at])
        elif action == 2:
            words[at] = rng.choice(ODD)
        else:
            words[at] = rng.choice(words)
    return "".join(words)


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_a_mangled_file_is_lowered_or_diagnosed(first):
    outcomes = set()
    for seed in range(first, first + 100):
        source = Source.from_text(mangled(seed), "m.dym")
        try:
            lower_file(source, cuts=Cuts.CONNECTORS if seed % 2 else Cuts.EQUATIONS)
        except CompileError as failure:
            outcomes.add("told")
            for found in failure.diagnostics:
                label = found.labels[0]
                assert label.span.source.path == "m.dym"
                assert 0 <= label.span.start <= len(source.text)
        else:
            outcomes.add("lowered")
            assert parse(Source.from_text(to_modelica(source))).classes

    assert outcomes == {"told", "lowered"}
