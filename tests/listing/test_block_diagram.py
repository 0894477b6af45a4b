"""Block diagrams: what they say is what the model computes, and they can be read."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.base.diagnostics import UsageError
from freewheel.listing.block_diagram.draw import WIDEST, arranged, draw, summary
from freewheel.listing.block_diagram.fold import MOST_BLOCKS
from freewheel.listing.block_diagram.nodes import Kind
from freewheel.listing.block_diagram.rows import rows
from freewheel.listing.block_diagram.show import show
from freewheel.listing.block_diagram.sizes import box_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [
    path
    for path in sorted(ROOT.glob("examples/**/*"))
    if path.suffix in (".mo", ".dym")
    and path.parent.name not in ("formula", "bond_graphs", "variable_structure")
]


def diagram(text, tmp_path, **options):
    path = tmp_path / "m.mo"
    path.write_text(text)
    return load(path).block_diagram(**options)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_has_a_diagram_without_overlaps(path):
    picture = load(path).block_diagram()
    for row in rows(picture, [box_of(block).span for block in picture.blocks], WIDEST):
        _check_row(row)


def _check_row(row):
    """No box on another or on the name above it, no wire through a box or a name, arrows at ports."""
    boxes, nets, placed = arranged(row)
    areas = [
        (x, y - box.room_above, x + max(box.width, box.span), y + box.height)
        for (x, y), box in zip(placed.corners, boxes, strict=True)
    ]
    for a, b in combinations(areas, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    solid = [
        area
        for (x, y), box in zip(placed.corners, boxes, strict=True)
        for area in (
            (x, y, x + box.width, y + box.height),
            (x, y - box.room_above, x + max(box.width, box.span), y),
        )
    ]
    for net, wire in zip(nets, placed.wires, strict=True):
        for line in wire.lines:
            assert not any(_crosses(line, area) for area in solid)
        ends = {point for line in wire.lines for point in line}
        for head, port in net.heads:
            x, y = placed.corners[head]
            wanted = (x, y + boxes[head].input_y(port))
            assert any(abs(wanted[0] - a) + abs(wanted[1] - b) < 0.6 for a, b in ends)


def _crosses(line, area):
    """Whether a line runs through the inside of a box."""
    (x1, y1), (x2, y2) = line
    left, top, right, bottom = (area[0] + 0.1, area[1] + 0.1, area[2] - 0.1, area[3] - 0.1)
    return max(x1, x2) > left and min(x1, x2) < right and max(y1, y2) > top and min(y1, y2) < bottom


@pytest.mark.parametrize("path", EXAMPLES[:6], ids=lambda path: path.stem)
def test_the_same_model_is_always_drawn_the_same_way(path):
    assert draw(load(path).block_diagram()) == draw(load(path).block_diagram())


def test_every_port_reads_what_there_is():
    picture = load(ROOT / "examples" / "switching" / "boost.mo").block_diagram(fold=False)

    for block in picture.blocks:
        for port in block.inputs:
            assert port.output < len(picture.blocks[port.block].outputs)


def test_an_algebraic_loop_is_a_cycle_of_marked_blocks(tmp_path):
    picture = diagram(
        "model M Real x, y; equation x = sin(time) - 0.5*y; y = 3*x + time; end M;", tmp_path
    )

    inside = {k for k, block in enumerate(picture.blocks) if block.loop == 0}
    assert picture.loops == ("2 equations, linear",)
    for k in inside:
        assert inside.intersection(i.block for i in picture.blocks[k].inputs)


def test_an_equation_without_a_formula_is_a_block_of_its_own(tmp_path):
    picture = diagram("model M Real x(start=1); equation x + exp(x) = 2 + time; end M;", tmp_path)

    assert picture.count(Kind.EQUATION) == 1
    assert "0 = x + exp(x)" in show(picture)


def test_products_and_quotients_have_marks(tmp_path):
    text = """model M parameter Real k = 2; Real x(start=1, fixed=true), y(start=2, fixed=true), z;
    equation der(x) = -x; der(y) = x*y; z = k*x/y; end M;"""
    picture = diagram(text, tmp_path)

    assert "× x, ÷ y" in show(picture)
    assert "z" in {name for block in picture.blocks for name in block.outputs}
    assert any(block.kind is Kind.GAIN and block.label == "k" for block in picture.blocks)


def test_what_depends_on_parameters_only_is_no_signal(tmp_path):
    text = """model M parameter Real R = 2, a = 1; Real Ra = R*(1 + a), v(start=1, fixed=true);
    equation der(v) = -v/Ra; end M;"""

    assert "gain        -1/Ra of v" in show(diagram(text, tmp_path))


def test_relations_stand_in_the_diagram_not_their_statuses(tmp_path):
    text = (
        "model M Real x(start=1, fixed=true); equation der(x) = if x > 0.5 then -x else 1; end M;"
    )
    told = show(diagram(text, tmp_path))

    assert "u > 0.5 of x" in told
    assert "$" not in told


def ladder(count):
    cells = "\n".join(f"R r{k}(R={k}); C c{k}(C={k}); R s{k}(R=1);" for k in range(1, count + 1))
    joins = "\n".join(
        f"connect(r{k}.p, {'u' if k == 1 else f'c{k - 1}'}.p); connect(r{k}.n, c{k}.p);"
        f"connect(c{k}.n, g.p); connect(s{k}.p, c{k}.p); connect(s{k}.n, g.p);"
        for k in range(1, count + 1)
    )
    return f"""model Ladder
    model R = Modelica.Electrical.Analog.Basic.Resistor;
    model C = Modelica.Electrical.Analog.Basic.Capacitor;
    Modelica.Electrical.Analog.Sources.SineVoltage u(V=1, f=1);
    Modelica.Electrical.Analog.Basic.Ground g;
    {cells}
    equation connect(u.n, g.p); {joins} end Ladder;"""


def test_large_models_are_folded_by_component(tmp_path):
    picture = diagram(ladder(12), tmp_path)

    kinds = Counter(block.kind for block in picture.blocks)
    assert kinds[Kind.COMPONENT] >= 24
    assert kinds[Kind.GAIN] + kinds[Kind.INTEGRATOR] <= 12


def test_small_models_are_not_folded(tmp_path):
    picture = diagram(ladder(1), tmp_path)

    assert picture.count(Kind.COMPONENT) == 0
    assert len(picture.blocks) <= MOST_BLOCKS


def test_a_component_can_be_opened(tmp_path):
    picture = diagram(ladder(12), tmp_path, component="c3")

    assert picture.name == "Ladder: c3"
    assert picture.count(Kind.INTEGRATOR) == 1
    assert "c3.v" in show(picture)


def test_a_component_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError) as failure:
        diagram(ladder(2), tmp_path, component="c33")
    assert failure.value.diagnostics[0].code == "U093"
    assert "c1" in failure.value.diagnostics[0].help


def test_the_outermost_components_are_offered_first(tmp_path):
    text = (
        "model M model P Real x(start = 0), q; end P;"
        " model C P p; equation der(p.x) = -p.x + p.q; end C;"
        " C c[2]; C a; equation c[1].p.q = 1; c[2].p.q = c[1].p.x; a.p.q = c[2].p.x; end M;"
    )
    with pytest.raises(UsageError) as failure:
        diagram(text, tmp_path, component="zzz")
    assert failure.value.diagnostics[0].help.startswith("components are a, c, ")


@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.long)])
def test_many_sections_are_drawn(tmp_path, count):
    picture = diagram(ladder(count), tmp_path)

    assert draw(picture).endswith("</svg>\n")
    assert "loop" in summary(picture)


def test_a_pure_integrator_keeps_its_causality(tmp_path):
    text = "model M Real x(start=0, fixed=true), y; equation der(x) = time; y = 2*x; end M;"
    picture = diagram(text, tmp_path, differential=True)

    assert picture.count(Kind.INTEGRATOR) == 1
    assert picture.count(Kind.DERIVATIVE) == 0


def test_a_constant_rate_is_a_source(tmp_path):
    picture = diagram("model M Real x(start=0, fixed=true); equation der(x) = 1; end M;", tmp_path)

    assert [block.kind for block in picture.blocks] == [Kind.SOURCE, Kind.INTEGRATOR]
    assert picture.blocks[0].label == "1"


def test_a_second_output_reads_what_the_function_reads(tmp_path):
    text = """model M
    function f input Real a; output Real b; output Real c;
      algorithm b := a^2; c := a^3; annotation(Inline=false); end f;
    Real x(start=1, fixed=true), y, z; equation der(x) = -x; (y, z) = f(x); end M;"""

    assert "f, output 2 of x" in show(diagram(text, tmp_path))


def test_a_model_where_nothing_changes(tmp_path):
    text = "model M parameter Real p = 3; Real y = 2*p; end M;"

    assert summary(diagram(text, tmp_path)) == "no blocks: nothing changes with time"


def test_a_gain_has_no_divisor_minus_one(tmp_path):
    picture = diagram(
        "model M parameter Real R = 2, C = 1; Real T(start = 0), Q; Real u = sin(time);"
        " equation -Q = (u - T)/R; C*der(T) = -Q; end M;",
        tmp_path,
        differential=True,
    )
    gains = [block.label for block in picture.blocks if block.kind is Kind.GAIN]
    assert gains
    assert not [label for label in gains if "(-1)" in label]
