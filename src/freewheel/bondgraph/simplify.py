"""Step 5: the two rules of the document, and one of ours, until none applies.

    I    V -> $n1 -> $R      a junction that power only passes through is left out:   V -> $R
    II   $a -> $b, both 1    junctions of one kind become one
    III  $a -> $J -> $b, $a -> $K -> $b     what lies between the same two junctions lies side by side

Rule I needs one bond in and one out; a junction between two inward bonds turns a sign and stays.
Rule III takes apart the meshes that elements in parallel away from ground leave. In a mesh the
procedure of causality does not see when two sources contradict each other; without it does.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.bondgraph.ground import numbered
from freewheel.bondgraph.nodes import Bond, End, Graph, Junction, Kind, Stage, dual


def simplify(graph: Graph) -> Graph:
    assert graph.stage is Stage.GROUNDED
    work = _Work(graph)
    while work.pass_through() or work.merge() or work.side_by_side():
        pass
    junctions = (*graph.junctions, *work.added)
    return replace(
        graph,
        stage=Stage.SIMPLIFIED,
        junctions=tuple(j for j in junctions if j.name in work.kinds and work.touching[j.name]),
        bonds=numbered(work.bonds[key] for key in sorted(work.bonds)),
    )


class _Work:
    """Bonds and junctions that are left; a bond keeps its key when it is moved."""

    def __init__(self, graph: Graph) -> None:
        self.kinds = {j.name: j.kind for j in graph.junctions}
        self.added: list[Junction] = []
        self.bonds: dict[int, Bond] = {}
        self.touching: dict[str, dict[int, None]] = {}
        self._domains = {j.name: j.domain for j in graph.junctions}
        self._order = {name: k for k, name in enumerate(self.kinds)}
        for name in (*self.kinds, *(e.name for e in graph.elements)):
            self.touching[name] = {}
        for key, bond in enumerate(graph.bonds):
            self._put(key, bond)

    def _put(self, key: int, bond: Bond) -> None:
        """Where a bond ends where it begins, nothing passes."""
        if bond.tail.vertex == bond.head.vertex:
            return
        self.bonds[key] = bond
        self.touching[bond.tail.vertex][key] = None
        self.touching[bond.head.vertex][key] = None

    def _take(self, key: int) -> Bond:
        bond = self.bonds.pop(key)
        del self.touching[bond.tail.vertex][key]
        del self.touching[bond.head.vertex][key]
        return bond

    def _near(self, name: str) -> tuple[list[int], list[int]]:
        """Bonds that come, bonds that go."""
        keys = self.touching[name]
        comes = [key for key in keys if self.bonds[key].head.vertex == name]
        return comes, [key for key in keys if self.bonds[key].tail.vertex == name]

    # ------------------------------------------------------------ rule I

    def pass_through(self) -> bool:
        is_changed = False
        for name in list(self.kinds):
            comes, goes = self._near(name)
            if len(comes) == 1 and len(goes) == 1:
                first, second = self._take(comes[0]), self._take(goes[0])
                self._put(min(comes[0], goes[0]), replace(first, head=second.head))
                del self.kinds[name]
                is_changed = True
        return is_changed

    # ------------------------------------------------------------ rule II

    def merge(self) -> bool:
        """The junction that comes first in the model stays."""
        is_changed = False
        for key in sorted(self.bonds):
            if key not in self.bonds:
                continue
            a, b = self.bonds[key].tail.vertex, self.bonds[key].head.vertex
            if a in self.kinds and b in self.kinds and self.kinds[a] is self.kinds[b]:
                kept, dropped = sorted((a, b), key=self._order.__getitem__)
                for other in list(self.touching[dropped]):
                    self._put(other, _renamed(self._take(other), dropped, kept))
                del self.kinds[dropped]
                is_changed = True
        return is_changed

    # ------------------------------------------------------------ rule III

    def side_by_side(self) -> bool:
        groups: dict[frozenset[str], list[str]] = {}
        for name in self.kinds:
            pair = self._between(name)
            if pair is not None:
                groups.setdefault(frozenset(pair), []).append(name)
        is_changed = False
        for pair_of, group in groups.items():
            found = [n for n in group if frozenset(self._between(n) or ()) == pair_of]
            if len(found) > 1:
                self._join(*self._most_wanted(found), found)
                is_changed = True
        return is_changed

    def _between(self, name: str) -> tuple[str, str] | None:
        """The two junctions of the other kind that power passes by `name`: from, to.

        Only if something else hangs on it, and it has one bond with each."""
        comes, goes = self._near(name)
        sources = [v for k in comes if self._is_other(v := self.bonds[k].tail.vertex, name)]
        targets = [v for k in goes if self._is_other(v := self.bonds[k].head.vertex, name)]
        if len(sources) != 1 or len(targets) != 1 or sources == targets:
            return None
        return (sources[0], targets[0]) if len(comes) + len(goes) > 2 else None

    def _is_other(self, vertex: str, name: str) -> bool:
        return vertex in self.kinds and self.kinds[vertex] is not self.kinds[name]

    def _most_wanted(self, group: list[str]) -> tuple[str, str]:
        """The direction in which fewer members turn a sign: sources lie against the others."""
        wishes: list[tuple[str, str]] = []
        for name in group:
            pair = self._between(name)
            assert pair is not None
            comes, _ = self._near(name)
            gives = any(not self._is_other(self.bonds[k].tail.vertex, name) for k in comes)
            wishes.append(pair[::-1] if gives else pair)
        return max(wishes, key=lambda pair: (wishes.count(pair), -wishes.index(pair)))

    def _join(self, a: str, b: str, group: list[str]) -> None:
        """a -> through -> b, through -> common, and each of the group on common."""
        through = self._add(group[0], self.kinds[group[0]])
        common = self._add(group[0], dual(self.kinds[group[0]]))
        for name in group:
            for key in list(self.touching[name]):
                bond = self.bonds[key]
                if bond.other(name).vertex == a:
                    self._put(key, _renamed(self._take(key), a, common))
                elif bond.other(name).vertex == b:
                    self._take(key)
        next_key = max(self.bonds) + 1
        for step, (tail, head) in enumerate(((a, through), (through, b), (through, common))):
            self._put(next_key + step, Bond(0, End(tail), End(head), is_directed=True))

    def _add(self, like: str, kind: Kind) -> str:
        name = f"$${len(self.added) + 1}"
        self.added.append(Junction(name, kind, self._domains[like]))
        self._domains[name] = self._domains[like]
        self._order[name] = len(self._order)
        self.kinds[name] = kind
        self.touching[name] = {}
        return name


def _renamed(bond: Bond, old: str, new: str) -> Bond:
    def moved(end: End) -> End:
        return End(new, end.port) if end.vertex == old else end

    return replace(bond, tail=moved(bond.tail), head=moved(bond.head))
