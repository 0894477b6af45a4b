"""Joined cuts to equations: across variables are equal, through variables add up to zero.

    {U0.A, R1.A, R2.A}      R1.Va = R2.Va, U0.Va = R1.Va, R2.i + R1.i = U0.i

A cut that gives `.` for a through variable takes up whatever comes: then there is no sum. A submodel's cut
that is alone at its node carries nothing; one that no `connect` mentions neither, unless the model speaks of
its variables itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from freewheel.dymola.book import Book
from freewheel.dymola.cut_connectors import connector_name
from freewheel.dymola.join import Member
from freewheel.dymola.kinds import parts
from freewheel.dymola.lower_equations import expressions_of
from freewheel.dymola.nodes import CutVariable, Model
from freewheel.syntax.equation_nodes import Connect, Equation
from freewheel.syntax.expression_nodes import Binary, ComponentRef, Expr, Number, RefPart, Unary


def coupling_equations(sets: Sequence[Sequence[Member]]) -> Iterator[Equation]:
    """What a class says by `connect`."""
    for members in (one for one in sets if len(one) > 1):
        for one, other in pairwise(members):
            for left, right in zip(other.cut.across, one.cut.across, strict=True):
                if left.name and right.name:
                    yield _equation(other, _signed(other, left), _signed(one, right))
        for position in range(len(members[0].cut.through)):
            yield from _sum(members, position)


def connect_equations(sets: Sequence[Sequence[Member]], taken: frozenset[str]) -> Iterator[Connect]:
    """The same for cuts that have become connectors."""
    for members in sets:
        for one, other in pairwise(members):
            left, right = _cut_ref(one, taken), _cut_ref(other, taken)
            yield Connect(other.start, other.end, left, right, None)


def loose_ends(
    book: Book, levels: Sequence[Model], sets: Sequence[Sequence[Member]]
) -> Iterator[Equation]:
    """`sub.i = 0` where a cut of a submodel is joined with nothing."""
    joined = {
        (one.submodel, one.cut.name) for members in sets if len(members) > 1 for one in members
    }
    alone = {(members[0].submodel, members[0].cut.name) for members in sets if len(members) == 1}
    spoken = {
        part.names[:2]
        for model in levels
        for expr in expressions_of(model)
        for part in parts(expr)
        if isinstance(part, ComponentRef) and len(part.names) > 1
    }
    told: set[tuple[str, str]] = set()
    for submodel in (one for model in levels for one in model.submodels):
        for cut in book.members(submodel.class_name.text).cuts.values():
            names = [v.name for v in (*cut.across, *cut.through)]
            is_used = any((submodel.name, name) in spoken for name in names)
            place = (submodel.name, cut.name)
            if cut.parts or place in joined or (is_used and place not in alone):
                continue
            for variable in cut.through:
                key = (submodel.name, variable.name)
                if variable.name and key not in told:
                    told.add(key)
                    start, end = submodel.start, submodel.start + len(submodel.name)
                    member = Member(submodel.name, cut, start, end)
                    yield _equation(member, _plain(member, variable), _zero(member))


def _equation(at: Member, left: Expr, right: Expr) -> Equation:
    return Equation(at.start, at.end, left, right, None)


def _plain(member: Member, variable: CutVariable) -> ComponentRef:
    names = (member.submodel, variable.name) if member.submodel else (variable.name,)
    return ComponentRef(member.start, member.end, tuple(RefPart(name) for name in names))


def _cut_ref(member: Member, taken: frozenset[str]) -> ComponentRef:
    connector = connector_name(member.cut, taken)
    names = (member.submodel, connector) if member.submodel else (connector,)
    return ComponentRef(member.start, member.end, tuple(RefPart(name) for name in names))


def _signed(member: Member, variable: CutVariable) -> Expr:
    plain = _plain(member, variable)
    return Unary(plain.start, plain.end, "-", plain) if variable.is_negative else plain


def _zero(member: Member) -> Number:
    return Number(member.start, member.end, "0")


def _sum(members: Sequence[Member], position: int) -> Iterator[Equation]:
    """Positive terms on the left, negative ones on the right. What enters a cut of the class itself
    from outside leaves it inside."""
    flows = [(member, member.cut.through[position]) for member in members]
    if any(not variable.name for _, variable in flows):
        return
    signs = [variable.is_negative is not (member.submodel == "") for member, variable in flows]
    refs = [_plain(member, variable) for member, variable in flows]
    positive = [ref for ref, is_negative in zip(refs, signs, strict=True) if not is_negative]
    negative = [ref for ref, is_negative in zip(refs, signs, strict=True) if is_negative]
    last = members[-1]
    if not positive:
        positive, negative = negative, positive
    yield _equation(last, _added(positive), _added(negative) if negative else _zero(last))


def _added(refs: Sequence[ComponentRef]) -> Expr:
    total: Expr = refs[0]
    for ref in refs[1:]:
        total = Binary(total.start, ref.end, "+", total, ref)
    return total
