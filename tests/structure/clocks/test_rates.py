"""Clock inference on numbered nodes: exact fractions, whatever the network."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from time import process_time

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.formula.nodes import ONE, Real
from freewheel.structure.clocks.inference import infer
from freewheel.structure.clocks.nodes import Anchor, BaseClock, Beat, Link, Rate, Tie

SECONDS = BaseClock(Beat.PERIODIC, ONE)


def random_link(chance: Random, first: int, second: int) -> Link:
    n = chance.randint(1, 9)
    return chance.choice(
        [
            Link(first, second, Tie.SLOWER, Fraction(n)),
            Link(first, second, Tie.FASTER, Fraction(1, n)),
            Link(first, second, Tie.SHIFTED, shift=Fraction(n, chance.randint(1, 7))),
            Link(first, second, Tie.SAME),
        ]
    )


def across(link: Link, rate: Rate) -> Rate:
    assert link.factor is not None
    return Rate(rate.period * link.factor, rate.offset + link.shift * rate.period)


@pytest.mark.parametrize("seed", range(40))
def test_a_random_tree_is_solved_from_any_node_that_begins_at_zero(seed: int) -> None:
    chance = Random(seed)
    rates, links = [Rate(Fraction(chance.randint(1, 20), 1000), Fraction(0))], []
    for node in range(1, 30):
        link = random_link(chance, chance.randrange(node), node)
        links.append(link)
        rates.append(across(link, rates[link.first]))
    chance.shuffle(links)
    anchor = chance.choice([k for k, rate in enumerate(rates) if rate.offset == 0])

    found = infer(links, [Anchor(anchor, SECONDS, rates[anchor].period)], len(rates))

    assert [tick.rate for tick in found.ticking] == rates


@pytest.mark.parametrize("seed", range(20))
def test_a_circle_that_does_not_close_is_noticed(seed: int) -> None:
    chance = Random(seed)
    rates, links = [Rate(Fraction(1), Fraction(0))], []
    for node in range(1, 12):
        link = random_link(chance, node - 1, node)
        links.append(link)
        rates.append(across(link, rates[-1]))
    last, first = rates[-1], rates[0]
    closing = Fraction(first.period / last.period)
    shift = (first.offset - last.offset) / last.period
    anchors = [Anchor(0, SECONDS, Fraction(1))]
    good = Link(11, 0, Tie.SHIFTED, closing, shift)
    bad = Link(11, 0, Tie.SHIFTED, closing * 2, shift)

    assert infer([*links, good], anchors, 12).ticking[11].rate == last
    with pytest.raises(CompileError) as caught:
        infer([*links, bad], anchors, 12)
    assert caught.value.diagnostics[0].code == "E061"


def test_factors_of_any_size_stay_exact() -> None:
    big = 2**63
    links = [
        Link(0, 1, Tie.SLOWER, Fraction(big)),
        Link(1, 2, Tie.FASTER, Fraction(1, big - 1)),
        Link(2, 3, Tie.FASTER, Fraction(1, big)),
        Link(3, 4, Tie.SLOWER, Fraction(big - 1)),
    ]

    found = infer(links, [Anchor(0, SECONDS, Fraction(1, 3))], 5)

    assert found.ticking[4].rate == Rate(Fraction(1, 3), Fraction(0))


def test_separate_networks_have_separate_bases() -> None:
    tenth = BaseClock(Beat.PERIODIC, Real(0.1))

    found = infer([Link(0, 1, Tie.SLOWER, Fraction(2))], [Anchor(0, tenth), Anchor(2, tenth)], 3)

    assert len(found.bases) == 2
    assert found.ticking[1].rate == Rate(Fraction(2), Fraction(0))
    assert found.ticking[2].base == 1


def test_many_partitions_take_no_time() -> None:
    count = 20_000
    links = [Link(k, k + 1, Tie.SAME) for k in range(0, count, 2)]
    anchors = [Anchor(k, SECONDS, Fraction(1, 10)) for k in range(0, count, 2)]

    began = process_time()
    infer(links, anchors, count)

    assert process_time() - began < 5.0
