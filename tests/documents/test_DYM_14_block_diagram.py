"""DYM-14: the computational causality as a block diagram, Figs. 2 and 3 of Cellier and Elmqvist (1993).

The figures are lost; the paper prints the equations that each of them shows.
"""

from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.listing.block_diagram.nodes import Kind

ROOT = Path(__file__).resolve().parents[2]
PARAMETERS = {"R1.R": 100.0, "R2.R": 20.0, "C.C": 0.1e-6, "L.L": 1.5e-3}


def circuit(**options):
    return load(ROOT / "examples" / "dymola" / "circuit.dym").block_diagram(**options)


def computed(diagram, given):
    """Values of all signals, from those of the blocks in `given`."""
    values = dict(given)
    while len(values) < sum(len(block.outputs) for block in diagram.blocks):
        before = len(values)
        for block in diagram.blocks:
            reads = [diagram.blocks[port.block].outputs[0] for port in block.inputs]
            if block.outputs and block.outputs[0] not in values and values.keys() >= set(reads):
                values[block.outputs[0]] = _value(block, [values[name] for name in reads])
        assert len(values) > before, "a cycle without an integrator or a differentiator"
    return values


def _value(block, reads):
    if block.kind is Kind.SUM:
        signs = [1 if port.mark == "+" else -1 for port in block.inputs]
        return sum(sign * value for sign, value in zip(signs, reads, strict=True))
    assert block.kind is Kind.GAIN
    own = ".".join(map(str, block.owner))
    name = block.label.removeprefix("1/")
    factor = PARAMETERS[f"{own}.{name}"]
    return reads[0] / factor if block.label.startswith("1/") else reads[0] * factor


def test_DYM_14_figure_2_integral_causality():
    """uC = INTEG(iC/C), iL = INTEG(uL/L), uR2 = R2*iL, uR1 = U0 - uC, iC = uR1/R1, uL = U0 - uR2,
    i0 = iC + iL."""
    diagram = circuit()
    u, uc, il = 3.0, 0.7, -0.2

    values = computed(diagram, {"u": u, "C.u": uc, "L.i": il})

    assert diagram.loops == ()
    counts = {kind: diagram.count(kind) for kind in (Kind.INTEGRATOR, Kind.SUM, Kind.GAIN)}
    assert counts == {Kind.INTEGRATOR: 2, Kind.SUM: 3, Kind.GAIN: 4}
    assert values["R1.u"] == u - uc
    assert values["R1.i"] == pytest.approx((u - uc) / 100)
    assert values["R2.u"] == pytest.approx(20 * il)
    assert values["L.Va"] == pytest.approx(u - 20 * il)
    assert values["U0.i"] == pytest.approx((u - uc) / 100 + il)
    assert values["der(C.u)"] == pytest.approx((u - uc) / 100 / 0.1e-6)
    assert values["der(L.i)"] == pytest.approx((u - 20 * il) / 1.5e-3)
    assert _readers(diagram, Kind.INTEGRATOR) == {"C.u": "der(C.u)", "L.i": "der(L.i)"}


def test_DYM_14_figure_3_differential_causality():
    """iC = C*DERIV(uC), uL = L*DERIV(iL), uR1 = R1*iC, uC = U0 - uR1, uR2 = U0 - uL, iL = uR2/R2,
    i0 = iC + iL."""
    diagram = circuit(differential=True)
    u, rate_u, rate_i = 3.0, 4e4, 700.0

    values = computed(diagram, {"u": u, "der(C.u)": rate_u, "der(L.i)": rate_i})

    assert diagram.causality == "differential"
    counts = {kind: diagram.count(kind) for kind in (Kind.INTEGRATOR, Kind.DERIVATIVE)}
    assert counts == {Kind.INTEGRATOR: 0, Kind.DERIVATIVE: 2}
    ic, ul = 0.1e-6 * rate_u, 1.5e-3 * rate_i
    assert values["R1.i"] == pytest.approx(ic)
    assert values["R1.u"] == pytest.approx(100 * ic)
    assert values["C.u"] == pytest.approx(u - 100 * ic)
    assert values["L.Va"] == pytest.approx(ul)
    assert values["R2.u"] == pytest.approx(u - ul)
    assert values["L.i"] == pytest.approx((u - ul) / 20)
    assert values["U0.i"] == pytest.approx(ic + (u - ul) / 20)
    assert _readers(diagram, Kind.DERIVATIVE) == {"der(C.u)": "C.u", "der(L.i)": "L.i"}


def _readers(diagram, kind):
    """Output and input of each block of a kind."""
    return {
        block.outputs[0]: diagram.blocks[block.inputs[0].block].outputs[0]
        for block in diagram.blocks
        if block.kind is kind
    }


@pytest.mark.parametrize(("name", "options"), [("2", {}), ("3", {"differential": True})])
def test_DYM_14_the_pictures_of_the_page_are_what_the_program_draws(name, options):
    from freewheel.listing.block_diagram.draw import draw

    picture = ROOT / "docs" / "pictures" / f"blocks_figure_{name}.svg"

    assert picture.read_text(encoding="utf-8") == draw(circuit(**options))
