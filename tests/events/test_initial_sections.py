"""Initial equations and initial algorithms are executed at the start only, with all they contain."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import SimulationError


@pytest.mark.parametrize(
    "section",
    [
        'initial algorithm assert(time < 0.1, "late"); x := 1;',
        'initial equation assert(time < 0.1, "late"); x = 1;',
        'initial algorithm for i in 1:2 loop assert(time < 0.1*i, "late"); end for; x := 1;',
        'initial algorithm x := 1; if x > 0.5 then assert(time < 0.1, "late"); end if;',
        'initial equation if k > 0 then assert(time < 0.1, "late"); x = 1; else x = 2; end if;',
        'initial algorithm x := 1; if time > 0.5 then terminate("early"); end if;',
    ],
)
def test_what_an_initial_section_asserts_is_asked_at_the_start_only(run, section):
    result = run(f"model M parameter Integer k = 1; Real x; {section} equation der(x) = -x; end M;")

    assert result.time[-1] == 1.0


@pytest.mark.parametrize("section", ["initial equation x = 1;", "initial algorithm x := 1;"])
def test_it_is_asked_at_the_start(run, section):
    with pytest.raises(SimulationError) as caught:
        run(f'model M Real x; {section} assert(x < 0.5, "too high"); equation der(x) = -x; end M;')

    assert "too high" in str(caught.value)
