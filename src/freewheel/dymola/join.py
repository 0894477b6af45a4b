r"""`connect` to sets of cuts that are joined.

    connect Common - \U0 - R1 - R2 - Common
        {U0.A, R1.A}, {R1.B, R2.A}, {R2.B, Common.G, U0.B}

Sets come out in the order of the listings of 1993: items and series are worked off from the right, and
the set begun last is told first. `a - b` puts the cuts of `a` before those of `b`; `from`, `to` and
`at` put a cut behind those that are at the node already.

A hierarchical cut is joined part by part; a node takes the shape of what comes to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.source import Span
from freewheel.dymola.book import Book, Members, Owned
from freewheel.dymola.nodes import (
    At,
    Between,
    Connection,
    Cut,
    CutRef,
    Parallel,
    Reversed,
    Series,
)

Key = tuple[str, ...]  # ("R1", "A"), ("", "A") of the class itself, or ("node", "n1", "1")


@dataclass(frozen=True, slots=True)
class Member:
    """A cut without parts in a set: of a submodel, or of the class itself (an empty name)."""

    submodel: str
    cut: Cut
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class End:
    """One end of a connection: a cut or a node, as mentioned."""

    submodel: str
    cut: Cut | None
    node: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ends:
    first: End
    last: End

    @property
    def is_single(self) -> bool:
        return self.first == self.last


def joined_levels(book: Book, name: str) -> list[Owned]:
    """The class, and those of its bases whose submodels, nodes or connections its own connections may
    touch: they are joined together."""
    lineage = list(book.lineage(name))
    last = 0
    if lineage[0].model.connections:
        for position, owned in enumerate(lineage):
            model = owned.model
            if model.submodels or model.nodes or model.connections:
                last = position
    return lineage[: last + 1]


def join_cuts(book: Book, name: str) -> list[list[Member]]:
    """The sets of one class; one cut is a set if it stands at a node where nothing else is."""
    levels = joined_levels(book, name)
    joiner = _Joiner(book, levels[0])
    for level in levels:
        for connection in reversed(level.model.connections):
            joiner.ends(connection)
    return joiner.sets()


class _Joiner:
    def __init__(self, book: Book, owned: Owned) -> None:
        self.book = book
        self.owned = owned
        self.members = book.members(owned.model.name.text)
        self._set_of: dict[Key, list[Key]] = {}
        self._begun: list[list[Key]] = []
        self._found: dict[Key, Member] = {}
        self._width: dict[str, tuple[int, End]] = {}  # parts of a node

    def sets(self) -> list[list[Member]]:
        found = []
        for keys in reversed(self._begun):
            members = [self._found[key] for key in keys if key in self._found]
            if len(members) > 1 or (members and members[0].submodel):
                self._check_shapes(members)
                found.append(members)
        return found

    # ------------------------------------------------------------ the notation

    def ends(self, c: Connection) -> Ends:
        """Join what is inside of a connection; its two ends remain."""
        if isinstance(c, CutRef):
            return self._named(c)
        if isinstance(c, Reversed):
            inner = self.ends(c.inner)
            return Ends(inner.last, inner.first)
        if isinstance(c, Series):
            right = self.ends(c.items[-1])
            for item in reversed(c.items[:-1]):
                left = self.ends(item)
                self._join(left.last, right.first)
                right = Ends(left.first, right.last)
            return right
        if isinstance(c, Parallel):
            left, right = self.ends(c.left), self.ends(c.right)
            if left.is_single is not right.is_single:
                raise self._cannot(
                    c.right, "a cut and a path cannot be parallel", "join a cut with `at` or `-`"
                )
            self._join(left.first, right.first)
            if not left.is_single:
                self._join(left.last, right.last)
            return left
        return self._at(c) if isinstance(c, At) else self._between(c)

    def _at(self, c: At) -> Ends:
        inner = self.ends(c.inner)
        for place in c.places:
            there = self.ends(place)
            if inner.is_single is not there.is_single:
                raise self._cannot(
                    place if inner.is_single else c.inner,
                    "this has two ends, `at` joins one with one",
                    "write `from ... to ...`, or name one of its cuts",
                )
            self._join(there.first, inner.first)
            if not inner.is_single:
                self._join(there.last, inner.last)
        return inner

    def _between(self, c: Between) -> Ends:
        inner = self.ends(c.inner)
        if inner.is_single:
            raise self._cannot(
                c.inner, "this has one end only, `from ... to ...` needs two", "write `at`"
            )
        if c.last is not None:
            self._join(self._place(c.last), inner.last)
        if c.first is not None:
            self._join(self._place(c.first), inner.first)
        return inner

    def _place(self, c: Connection) -> End:
        ends = self.ends(c)
        if not ends.is_single:
            raise self._cannot(c, "a node or a cut is needed here, not a path", "name a cut of it")
        return ends.first

    # ------------------------------------------------------------ names

    def _named(self, ref: CutRef) -> Ends:
        head = ref.names[0]
        if len(ref.names) == 1 and head in self.members.nodes:
            end = End("", None, head, ref.start, ref.end)
            return Ends(end, end)
        if head in self.members.submodels:
            class_name = self.members.submodels[head].class_name.text
            return self._inside(ref, head, self.book.members(class_name), ref.names[1:])
        return self._inside(ref, "", self.members, ref.names)

    def _inside(self, ref: CutRef, submodel: str, members: Members, names: tuple[str, ...]) -> Ends:
        """`names` among cuts and paths of a class; none: its main path, else its main cut."""
        path = members.paths.get(names[0]) if len(names) == 1 else members.main_path
        if path is not None and len(names) <= 1:
            first, last = members.cuts[path.first.text], members.cuts[path.last.text]
            return Ends(
                End(submodel, first, "", ref.start, ref.end),
                End(submodel, last, "", ref.start, ref.end),
            )
        cut = self._cut(members, names) if names else members.main_cut
        if cut is None:
            raise self._unknown(ref, submodel, members)
        end = End(submodel, cut, "", ref.start, ref.end)
        return Ends(end, end)

    def _cut(self, members: Members, names: tuple[str, ...]) -> Cut | None:
        """`A`, or `Plug.A` where `A` is a part of `Plug`."""
        cut = members.cuts.get(names[0])
        for name in names[1:]:
            if cut is None or name not in [part.text for part in cut.parts]:
                return None
            cut = members.cuts[name]
        return cut

    def _unknown(self, ref: CutRef, submodel: str, members: Members) -> CompileError:
        span = self.owned.span(ref.start, ref.end)
        shown = ".".join(ref.names)
        if submodel and len(ref.names) == 1:
            title = self.members.submodels[submodel].class_name.text
            return error(
                "S044",
                f"`{title}`, the class of `{shown}`, has neither a main path nor a main cut",
                span,
                help=f"name one of its cuts: `{shown}.{next(iter(members.cuts), 'A')}`",
            )
        if submodel:
            title = self.members.submodels[submodel].class_name.text
            known = [f"{submodel}.{name}" for name in (*members.cuts, *members.paths)]
            message = f"`{title}` has no cut or path `{'.'.join(ref.names[1:])}`"
        else:
            known = [*members.submodels, *members.nodes, *members.cuts, *members.paths]
            message = f"`{self.owned.model.name.text}` has no submodel, node or cut `{shown}`"
        near = get_close_matches(shown, known, 3)
        cure = "did you mean " + " or ".join(f"`{n}`" for n in near) + "?" if near else ""
        return error("S043", message, span, help=cure or f"declare it: `node {shown}`")

    def _cannot(self, c: Connection, message: str, cure: str) -> CompileError:
        return error("S044", message, self.owned.span(c.start, c.end), help=cure)

    # ------------------------------------------------------------ sets

    def _join(self, left: End, right: End) -> None:
        lefts, rights = self._keys(left, right), self._keys(right, left)
        if len(lefts) != len(rights):
            raise self._unlike(left, right, f"{len(lefts)} and {len(rights)} parts")
        for one, other in zip(lefts, rights, strict=True):
            self._unite(one, other)

    def _keys(self, end: End, other: End) -> list[Key]:
        if end.cut is None:
            return self._node_keys(end, other)
        members = self._class_of(end.submodel)
        keys: list[Key] = []
        for cut in leaves(members, end.cut):
            key = (end.submodel, cut.name)
            keys.append(key)
            self._found[key] = Member(end.submodel, cut, end.start, end.end)
        return keys

    def _node_keys(self, node: End, other: End) -> list[Key]:
        known = self._width.get(node.node)
        if other.cut is not None:
            width = len(leaves(self._class_of(other.submodel), other.cut))
        else:
            width = known[0] if known else self._width.get(other.node, (1, other))[0]
        if known is None:
            self._width[node.node] = (width, other)
        elif known[0] != width:
            raise self._unlike(other, known[1], f"{width} and {known[0]} parts")
        return [("node", node.node, str(k)) for k in range(width)]

    def _class_of(self, submodel: str) -> Members:
        if not submodel:
            return self.members
        return self.book.members(self.members.submodels[submodel].class_name.text)

    def _unite(self, one: Key, other: Key) -> None:
        first, second = self._set_of.get(one), self._set_of.get(other)
        if first is not None and first is second:
            return
        if first is None and second is None:
            first = [one]
            self._begun.append(first)
            self._set_of[one] = first
        if first is None:
            assert second is not None
            second.insert(0, one)
            self._set_of[one] = second
        elif second is None:
            first.append(other)
            self._set_of[other] = first
        else:
            first.extend(second)
            self._begun = [keys for keys in self._begun if keys is not second]
            self._set_of.update((key, first) for key in second)

    def _check_shapes(self, members: list[Member]) -> None:
        head = members[0]
        for member in members[1:]:
            if _shape(member.cut) != _shape(head.cut):
                labels = [
                    Label(self.owned.span(m.start, m.end), _told(m.cut)) for m in (member, head)
                ]
                raise CompileError(
                    Diagnostic(
                        "S045",
                        f"the cuts `{_name(member)}` and `{_name(head)}` do not fit each other",
                        tuple(labels),
                        help="both need as many across and through variables;"
                        " write `.` where a cut has none, as in `(V/.)`",
                    )
                )

    def _unlike(self, one: End, other: End, why: str) -> CompileError:
        return CompileError(
            Diagnostic(
                "S045",
                f"these cuts do not fit each other: they have {why}",
                (
                    Label(Span(self.owned.source, one.start, one.end)),
                    Label(Span(self.owned.source, other.start, other.end)),
                ),
                help="join hierarchical cuts with cuts of as many parts",
            )
        )


def leaves(members: Members, cut: Cut) -> list[Cut]:
    """The cuts without parts that a cut is made of."""
    if not cut.parts:
        return [cut]
    return [leaf for part in cut.parts for leaf in leaves(members, members.cuts[part.text])]


def _shape(cut: Cut) -> tuple[int, int]:
    return len(cut.across), len(cut.through)


def _told(cut: Cut) -> str:
    return f"{len(cut.across)} across, {len(cut.through)} through"


def _name(member: Member) -> str:
    return f"{member.submodel}.{member.cut.name}" if member.submodel else member.cut.name
