"""Coupled models from causal bond graphs: names, precedence, and graphs that are refused."""

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.devs.qbg.generate import generate
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction

V, R, C = Element("V", "Se"), Element("R", "R"), Element("C", "C")
ONE = Junction("j", 1)
SERIES = CausalGraph(
    (V, C, R), (ONE,), (Bond("V", "j", "head"), Bond("j", "C", "tail"), Bond("j", "R", "head"))
)


def test_junctions_come_first_then_resistances_then_storages_and_sources():
    assert list(generate(SERIES).components) == ["j", "R", "V", "C"]


def test_the_couplings_follow_the_rules_of_the_paper():
    """Nothing goes back into the source; the bond the junction sends an effort to is number 1."""
    assert [str(coupling) for coupling in generate(SERIES).couplings] == [
        "V.e1n -> j.e2p",
        "C.e1p -> j.e3n",
        "j.f3n -> C.f1p",
        "j.e1n -> R.e1p",
        "R.f1p -> j.f1n",
        "V.e1n -> V",
        "C.e1p -> C",
    ]


def test_names_become_plain():
    graph = CausalGraph(
        (Element("a.v", "Se"), Element("b[1,2].r", "R"), Element("A_V", "C")),
        (Junction("$j", 1),),
        (Bond("a.v", "$j", "head"), Bond("$j", "b[1,2].r", "head"), Bond("$j", "A_V", "tail")),
    )

    assert list(generate(graph).components) == ["$j", "b_1_2_r", "a_v", "A_V_2"]


WRONG = {
    "E080 none": (
        CausalGraph((V, C), (ONE,), (Bond("V", "j", "head"), Bond("j", "C", "tail"))),
        "0 bonds decide the flow of the 1-junction `j`",
    ),
    "E080 two": (
        CausalGraph(
            (V, R, Element("S", "R")),
            (ONE,),
            (Bond("V", "j", "head"), Bond("j", "R", "head"), Bond("j", "S", "head")),
        ),
        "2 bonds decide the flow of the 1-junction `j`",
    ),
    "E081 source": (
        CausalGraph((V, R), (), (Bond("V", "R", "tail"),)),
        "the Se `V` has as an input what it should give",
    ),
    "E081 bonds": (
        CausalGraph((V, Element("T", "TF")), (), (Bond("V", "T", "head"),)),
        "the TF `T` has 1 bonds instead of 2",
    ),
    "E081 TF": (
        CausalGraph(
            (V, Element("T", "TF"), R),
            (),
            (Bond("V", "T", "head"), Bond("T", "R", "tail", tail_port=2)),
        ),
        "the TF `T` has two efforts as inputs or as outputs",
    ),
    "E081 GY": (
        CausalGraph(
            (V, Element("G", "GY"), R),
            (),
            (Bond("V", "G", "head"), Bond("G", "R", "head", tail_port=2)),
        ),
        "the GY `G` has one effort and one flow as inputs",
    ),
}


@pytest.mark.parametrize("code", WRONG)
def test_a_graph_that_is_not_causal_is_refused(code):
    graph, message = WRONG[code]

    with pytest.raises(CompileError) as failure:
        generate(graph)

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == (code.split()[0], message)
