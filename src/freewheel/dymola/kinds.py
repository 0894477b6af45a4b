"""Which variables are logical: the classic language declares none, their use tells.

    0 = if OpenSwitch then i else u          OpenSwitch is logical
    new(Forward) = Start and v > 0           so are Forward and Start

What is equated or connected with a logical variable is logical too, also across classes: one variable
declared in a base class and used in several others is one variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from freewheel.dymola.book import Book, Owned
from freewheel.dymola.join import Member
from freewheel.syntax.equation_nodes import Equation
from freewheel.syntax.expression_nodes import Binary, Bool, Call, ComponentRef, Expr, IfExpr, Unary

Place = tuple[str, str]  # class that declares it, name
LOGICAL: Place = ("", "logical")
_RELATIONS = ("<", "<=", ">", ">=", "==", "<>")


def logical_variables(
    book: Book, names: Sequence[str], sets: Mapping[str, Sequence[Sequence[Member]]]
) -> frozenset[Place]:
    """(class, variable) of all that are logical in the named classes; `sets` are their connections."""
    finder = _Finder(book)
    for name in names:
        finder.read(book.get(name))
        for members in sets[name]:
            finder.connected(name, members)
    root = finder.root(LOGICAL)
    return frozenset(place for place in finder.parents if finder.root(place) == root)


def place_of(book: Book, name: str, path: Sequence[str]) -> Place | None:
    """The variable that `a.b.x` means inside of a class."""
    for step in path[:-1]:
        submodel = book.members(name).submodels.get(step)
        if submodel is None:
            return None
        name = submodel.class_name.text
    owner = book.members(name).owner.get(path[-1])
    return None if owner is None else (owner, path[-1])


class _Finder:
    """Sets of variables that are of one kind; the set of LOGICAL is the answer."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.parents: dict[Place, Place] = {LOGICAL: LOGICAL}
        self.name = ""

    def root(self, place: Place) -> Place:
        while self.parents.setdefault(place, place) != place:
            place = self.parents[place]
        return place

    def unite(self, one: Place | None, other: Place | None) -> None:
        if one is not None and other is not None:
            self.parents[self.root(one)] = self.root(other)

    def read(self, owned: Owned) -> None:
        model = owned.model
        self.name = model.name.text
        for equation in model.equations:
            if isinstance(equation, Equation):
                self._equation(equation)
                continue
            for branch in equation.branches:
                self.unite(self.kind(branch.condition), LOGICAL)
                for inner in branch.body:
                    if isinstance(inner, Equation):
                        self._equation(inner)
        for variable in model.variables:
            if variable.value is not None:
                self.unite(self._place((variable.name,)), self.kind(variable.value))
        for init in model.inits:
            self.unite(self._place(init.target.names), self.kind(init.value))
        for submodel in model.submodels:
            for argument in submodel.arguments:
                self.unite(self._place((submodel.name, argument.name)), self.kind(argument.value))

    def connected(self, name: str, members: Sequence[Member]) -> None:
        self.name = name
        for one, other in pairwise(members):
            for left, right in zip(one.cut.across, other.cut.across, strict=True):
                self.unite(self._of_cut(one, left.name), self._of_cut(other, right.name))

    def _of_cut(self, member: Member, name: str) -> Place | None:
        return self._place((member.submodel, name) if member.submodel else (name,))

    def _equation(self, equation: Equation) -> None:
        self.unite(self.kind(equation.left), self.kind(equation.right))

    def _place(self, path: Sequence[str]) -> Place | None:
        return place_of(self.book, self.name, path)

    def kind(self, expr: Expr) -> Place | None:
        """LOGICAL, the variable it is of one kind with, or nothing: a number."""
        if isinstance(expr, Bool):
            return LOGICAL
        if isinstance(expr, ComponentRef):
            return self._place(expr.names)
        if isinstance(expr, Unary):
            inner = self.kind(expr.operand)
            return self._logical(inner) if expr.op == "not" else None
        if isinstance(expr, Binary):
            left, right = self.kind(expr.left), self.kind(expr.right)
            if expr.op in ("and", "or"):
                self._logical(left)
                return self._logical(right)
            return LOGICAL if expr.op in _RELATIONS else None
        if isinstance(expr, IfExpr):
            return self._choice(expr)
        if isinstance(expr, Call):
            kinds = [self.kind(arg) for arg in expr.args]
            return kinds[0] if expr.function.names in (("new",), ("pre",)) and kinds else None
        return None

    def _choice(self, expr: IfExpr) -> Place | None:
        kinds = [self.kind(expr.otherwise)]
        for condition, value in expr.branches:
            self._logical(self.kind(condition))
            kinds.append(self.kind(value))
        known = [kind for kind in kinds if kind is not None]
        for kind in known[1:]:
            self.unite(known[0], kind)
        return known[0] if len(known) == len(kinds) else None

    def _logical(self, kind: Place | None) -> Place:
        self.unite(kind, LOGICAL)
        return LOGICAL


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside of it."""
    yield expr
    if isinstance(expr, Unary):
        yield from parts(expr.operand)
    elif isinstance(expr, Binary):
        yield from parts(expr.left)
        yield from parts(expr.right)
    elif isinstance(expr, IfExpr):
        for condition, value in expr.branches:
            yield from parts(condition)
            yield from parts(value)
        yield from parts(expr.otherwise)
    elif isinstance(expr, Call):
        for arg in expr.args:
            yield from parts(arg)
