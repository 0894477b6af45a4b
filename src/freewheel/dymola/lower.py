"""Classes of the classic language to classes of Modelica, the tree of `syntax`.

    model class (TwoPort) Resistor parameter R  u = R*i end
    model Resistor extends .TwoPort; parameter Real R; equation u = R*i; end Resistor;

Variables of cuts become plain variables, and `connect` becomes the equations it stands for, so that
listings read as in the documents. With `Cuts.CONNECTORS` each cut is a connector instead and `connect`
stays: for translation into Modelica text, and for bond graphs.

Places are those of the `.dym` file, so that diagnostics of later rooms point there. Class names are
absolute, since a submodel may be called like its class (`submodel Common`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.source import Source
from freewheel.dymola.book import Book, Members, Owned
from freewheel.dymola.couple import connect_equations, coupling_equations, loose_ends
from freewheel.dymola.cut_connectors import cut_components, cut_equations
from freewheel.dymola.files import Cuts
from freewheel.dymola.join import Member, joined_levels
from freewheel.dymola.kinds import Place
from freewheel.dymola.lower_equations import (
    Meaning,
    lower_equation,
    lower_expression,
    machine_states,
    named_by,
    set_in_when,
)
from freewheel.dymola.nodes import Init, Submodel, Variable
from freewheel.syntax.equation_nodes import AnyEquation
from freewheel.syntax.expression_nodes import Bool, Expr, Number, TypeName
from freewheel.syntax.nodes import (
    NO_PREFIXES,
    ClassDef,
    Component,
    Element,
    ElementMod,
    EquationSection,
    Extends,
    LongBody,
    Modification,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of all classes before one of them is lowered."""

    book: Book
    sets: Mapping[str, Sequence[Sequence[Member]]]  # connections, by class
    logical: frozenset[Place]
    whole: frozenset[Place]  # Integers
    cuts: Cuts
    taken: frozenset[str]  # names of variables and submodels of all classes
    given: frozenset[Place]  # terminals that are inputs
    meanings: dict[str, Meaning] = field(default_factory=dict)  # of classes looked at so far


def lower_class(facts: Facts, name: str) -> ClassDef:
    """One class, what it extends left to itself where that is possible."""
    owned = facts.book.get(name)
    model = owned.model
    levels = _levels(facts, name)
    meaning = _meaning(facts, name, owned.source)
    starts = _Starts(facts, name, meaning)
    elements: list[Element] = []
    equations: list[AnyEquation] = []
    for level in levels:
        part = _Level(facts, level, meaning, starts)
        place = None if level.source is owned.source else _base_place(owned)
        elements += [_put(node, place) for node in part.elements()]
        equations += [_put(node, place) for node in part.equations()]
    for group in _groups(facts, levels):
        is_foreign = any(level.source is not owned.source for level in group)
        place = _base_place(owned) if is_foreign else None
        equations += [_put(node, place) for node in _couplings(facts, group)]
    base = levels[0].model.base
    if base is not None:
        elements.insert(
            0, starts.extends(base.text, _base_place(owned), facts.book.members(base.text))
        )
    starts.check()
    sections = (EquationSection(model.end, model.end, False, tuple(equations)),)
    body = LongBody(
        model.start, model.end, False, None, tuple(elements), sections if equations else (), None
    )
    kind = "class" if model.is_class else "model"  # only the latter are meant to be simulated
    return ClassDef(
        model.start, model.end, model.name.start, False, False, False, kind, name, body, None
    )


def _base_place(owned: Owned) -> tuple[int, int]:
    assert owned.model.base is not None
    return owned.model.base.start, owned.model.base.end


def _levels(facts: Facts, name: str) -> list[Owned]:
    """The class, and before it the bases that must be written out in it: a variable of theirs becomes
    one that keeps its value only here, so their equations read it differently; or the class goes on
    connecting what they have."""
    lineage = list(facts.book.lineage(name))
    held = _held(facts, name)
    last = len(joined_levels(facts.book, name)) - 1
    for position, owned in enumerate(lineage):
        inherited = _held(facts, owned.model.name.text)
        of_class = facts.book.members(owned.model.name.text).owner
        if position > 0 and any(v in of_class and v not in inherited for v in held):
            last = max(last, position)
    return list(reversed(lineage[: last + 1]))


def _groups(facts: Facts, levels: Sequence[Owned]) -> list[list[Owned]]:
    """Levels whose connections are joined together, from the base on."""
    lineage = list(reversed(levels))
    groups: list[list[Owned]] = []
    while lineage:
        count = len(joined_levels(facts.book, lineage[0].model.name.text))
        groups.insert(0, lineage[:count])
        lineage = lineage[count:]
    return groups


def _couplings(facts: Facts, group: Sequence[Owned]) -> Iterator[AnyEquation]:
    """The connections of one group of levels."""
    models = [level.model for level in reversed(group)]
    sets = facts.sets[group[0].model.name.text]
    if facts.cuts is Cuts.CONNECTORS:
        for model in models:
            yield from cut_equations(model, facts.taken)
        yield from connect_equations(sets, facts.taken)
    else:
        yield from coupling_equations(sets)
        yield from loose_ends(facts.book, models, sets)


def _held(facts: Facts, name: str) -> frozenset[str]:
    return _meaning(facts, name, facts.book.get(name).source).held


def _meaning(facts: Facts, name: str, source: Source) -> Meaning:
    if name not in facts.meanings:
        facts.meanings[name] = _found_meaning(facts, name, source)
    return replace(facts.meanings[name], source=source)


def _found_meaning(facts: Facts, name: str, source: Source) -> Meaning:
    lineage = [owned.model for owned in facts.book.lineage(name)]
    owner = facts.book.members(name).owner
    logical = frozenset(v for v, declared in owner.items() if (declared, v) in facts.logical)
    states = frozenset().union(*(named_by(model, "der") for model in lineage))
    machine = frozenset().union(*(machine_states(model, logical) for model in lineage))
    held = frozenset().union(*(named_by(model, "new") for model in lineage))
    whole = frozenset(v for v, declared in owner.items() if (declared, v) in facts.whole)
    return Meaning(source, held - states - machine, machine, states, logical, whole)


# ---------------------------------------------------------------- one level of a class


class _Level:
    """What one class of the lineage brings."""

    def __init__(self, facts: Facts, owned: Owned, meaning: Meaning, starts: _Starts) -> None:
        self.facts = facts
        self.owned = owned
        self.meaning = meaning
        self.starts = starts
        self.name = owned.model.name.text
        self.members = facts.book.members(self.name)

    def elements(self) -> Iterator[Element]:
        model = self.owned.model
        own = [
            variable
            for name, variable in self.members.variables.items()
            if self.members.owner[name] == self.name
        ]
        if self.facts.cuts is Cuts.CONNECTORS:
            yield from cut_components(model, self.meaning.logical, self.facts.taken)
        for variable in own:
            yield self._variable(variable)
        for submodel in model.submodels:
            yield self._submodel(submodel)

    def _variable(self, variable: Variable) -> Component:
        kind = "Integer" if variable.name in self.meaning.whole else "Real"
        if variable.name in self.meaning.logical:
            kind = "Boolean"
        prefixes = NO_PREFIXES
        if variable.kind in ("parameter", "constant"):
            prefixes = prefixes._replace(variability=variable.kind)
        elif variable.kind in ("input", "output"):
            prefixes = prefixes._replace(causality=variable.kind)
        elif (self.name, variable.name) in self.facts.given:
            prefixes = prefixes._replace(causality="input")
        value = variable.value
        if value is not None:
            value = lower_expression(value, self.meaning)
        args = self.starts.taken((variable.name,))
        modification = None
        if args or value is not None:
            modification = Modification(variable.start, variable.end, args, value)
        place = (variable.start, variable.end)
        is_hidden = kind in self.members.variables or kind in self.members.submodels
        named = TypeName(*place, (kind,), absolute=is_hidden)
        return _component(place, named, variable.name, modification, prefixes)

    def _submodel(self, submodel: Submodel) -> Component:
        members = self.facts.book.members(submodel.class_name.text)
        args: list[ElementMod] = []
        for argument in submodel.arguments:
            known = members.variables.get(argument.name)
            if known is None or known.kind != "parameter":
                raise error(
                    "S047",
                    f"`{argument.name}` is no parameter of `{submodel.class_name.text}`",
                    self.owned.span(argument.start, argument.start + len(argument.name)),
                    help=_parameters(members),
                )
            value = lower_expression(argument.value, self.meaning)
            binding = Modification(argument.start, argument.end, (), value)
            args.append(_modifier(argument.start, argument.end, argument.name, binding))
        args += self.starts.below(submodel.name)
        word = submodel.class_name
        modification = Modification(submodel.start, submodel.end, tuple(args), None)
        return _component(
            (submodel.start, submodel.start + len(submodel.name)),
            TypeName(word.start, word.end, (word.text,), absolute=True),
            submodel.name,
            modification if args else None,
        )

    def equations(self) -> Iterator[AnyEquation]:
        for equation in self.owned.model.equations:
            yield lower_equation(equation, self.meaning)


def _parameters(members: Members) -> str:
    names = [f"`{name}`" for name, v in members.variables.items() if v.kind == "parameter"]
    return f"its parameters are {', '.join(names)}" if names else "it has no parameters"


def _component(
    place: tuple[int, int],
    kind: TypeName,
    name: str,
    modification: Modification | None,
    prefixes: Any = NO_PREFIXES,
) -> Component:
    return Component(
        *place, False, prefixes, kind, (), name, (), modification, None, None, None
    )  # fmt: skip


def _modifier(start: int, end: int, name: str, modification: Modification) -> ElementMod:
    return ElementMod(start, end, False, False, (name,), modification, None)


# ---------------------------------------------------------------- values at the start


class Start(NamedTuple):
    """A value to begin with; states that others determine need not keep theirs."""

    start: int
    end: int
    value: Expr
    is_fixed: bool


class _Starts:
    """`init` of a class, and what all others begin with: False, or zero."""

    def __init__(self, facts: Facts, name: str, meaning: Meaning) -> None:
        self.facts = facts
        self.owned = facts.book.get(name)
        levels = _levels(facts, name)
        self._values: dict[tuple[str, ...], Start] = {}
        members = facts.book.members(name)
        base = levels[0].model.base
        known = _meaning(facts, base.text, self.owned.source) if base is not None else None
        begun = frozenset().union(
            *(set_in_when(level.model) | named_by(level.model, "pre") for level in levels)
        )
        new = _begin(meaning) | begun
        if known is not None:
            new -= _begin(known)
        for variable in (members.variables[v] for v in members.variables if v in new):
            place = (variable.start, variable.end)
            is_own = members.owner[variable.name] == levels[-1].model.name.text
            if not is_own:
                place = (self.owned.model.name.start, self.owned.model.name.end)
            value: Expr = Number(*place, "0")
            if variable.name in meaning.logical:
                value = Bool(*place, False)
            is_fixed = variable.name not in meaning.states
            self._values[(variable.name,)] = Start(*place, value, is_fixed)
        for level in levels:
            _refuse_second_init(level)
            for init in level.model.inits:
                lowered = lower_expression(init.value, meaning)
                self._values[init.target.names] = Start(init.start, init.end, lowered, True)

    def taken(self, path: tuple[str, ...]) -> tuple[ElementMod, ...]:
        """`start = value, fixed = true` for a variable declared here."""
        found = self._values.pop(path, None)
        return () if found is None else _start_attributes(found)

    def below(self, submodel: str) -> list[ElementMod]:
        """Modifiers of a submodel's variables."""
        paths = [path for path in self._values if path[0] == submodel and len(path) > 1]
        return [self._nested(path[1:], self._values.pop(path)) for path in paths]

    def extends(self, base: str, place: tuple[int, int], members: Members) -> Extends:
        """The base class, with start values for what it declares."""
        args: list[ElementMod] = []
        for path in list(self._values):
            if path[0] in members.owner or path[0] in members.submodels:
                args.append(self._nested(path, self._values.pop(path)))
        modification = Modification(*place, tuple(args), None) if args else None
        return Extends(*place, False, TypeName(*place, (base,), absolute=True), modification, None)

    def check(self) -> None:
        """What is left names nothing."""
        for path, value in self._values.items():
            raise error(
                "S043",
                f"`{self.owned.model.name.text}` has no variable `{'.'.join(path)}`",
                self.owned.span(value.start, value.end),
                help="`init` gives a value at the start to a variable declared elsewhere",
            )

    def _nested(self, path: tuple[str, ...], value: Start) -> ElementMod:
        start, end = value.start, value.end
        inner = _start_attributes(value)
        for name in reversed(path):
            inner = (_modifier(start, end, name, Modification(start, end, inner, None)),)
        return inner[0]


def _refuse_second_init(level: Owned) -> None:
    """A class may give another value than its base class, but only one."""
    first: dict[tuple[str, ...], Init] = {}
    for init in level.model.inits:
        before = first.setdefault(init.target.names, init)
        if before is not init:
            raise CompileError(
                Diagnostic(
                    "S042",
                    f"`{'.'.join(init.target.names)}` has two values at the start",
                    (
                        Label(level.span(init.start, init.end), "again here"),
                        Label(level.span(before.start, before.end), "first here"),
                    ),
                    help="remove one of them",
                )
            )


def _begin(meaning: Meaning) -> frozenset[str]:
    """Variables whose values at the beginning matter; a machine may ask for any logical one."""
    found = meaning.held | meaning.states | meaning.machine
    return found | meaning.logical if meaning.machine else found


def _start_attributes(given: Start) -> tuple[ElementMod, ...]:
    place = (given.start, given.end)
    attributes: list[tuple[str, Expr]] = [("start", given.value)]
    if given.is_fixed:
        attributes.append(("fixed", Bool(*place, True)))
    return tuple(
        _modifier(*place, name, Modification(*place, (), value)) for name, value in attributes
    )


# ---------------------------------------------------------------- places


def _put(node: Any, place: tuple[int, int] | None) -> Any:
    return node if place is None else moved(node, place)


def moved(node: Any, place: tuple[int, int]) -> Any:
    """The node with all places in it replaced by one: it came from another file."""
    if not isinstance(node, tuple):
        return node
    values = [moved(value, place) for value in node]
    fields = getattr(node, "_fields", None)
    if fields is None:
        return tuple(values)
    if fields[:2] == ("start", "end"):
        values[:2] = place
    return type(node)(*values)
