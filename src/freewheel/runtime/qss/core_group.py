"""The quantized states of a model with an implicit core: their arrays, and how they go on after an event.

    group = CoreGroup(live, method, columns)
    group.s, group.z, group.f, group.k, group.hk            # as those of a `QuantizedSpace`
    code = group.go_on(t)                                   # in the mode of the present bits

Which of the unknowns are quantized depends on the mode (`kernels/qss_core_mode.py`); all of them have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from freewheel.runtime.kernels import qss_core_places as group_at
from freewheel.runtime.kernels import qss_places as at
from freewheel.runtime.kernels.core_visits import core_visits
from freewheel.runtime.kernels.qss_core_drive import group_driver
from freewheel.runtime.kernels.qss_heap import PADDING
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.qss.model import Integers
from freewheel.runtime.qss.space import QuantizedMethod

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel


class CoreGroup:
    def __init__(self, live: LiveModel, method: QuantizedMethod, columns: Sequence[int]) -> None:
        model = live.model
        assert model.core is not None
        self.live = live
        self.n = n = len(model.states)
        self.loud = _loud(model)
        elements = len(model.core.elements)
        self.relations = watchers = elements + len(self.loud)
        items = n + watchers + 1
        self.s: Vector = np.zeros(at.RECORD * max(1, n))
        self.z: Vector = np.zeros(group_at.W_RECORD * max(1, watchers))
        self.f: Vector = np.zeros(at.F_HEAD + at.F_VECTORS * n)
        self.hk: Vector = np.full(items + PADDING, np.inf)
        parts = [np.zeros(at.K_HEAD, np.int64)]
        head = parts[0]
        for place, values in (
            (at.AT_COLUMNS, np.array(columns, np.int64)),
            (at.AT_HEAP, np.arange(items)),
            (at.AT_POS, np.arange(items)),
        ):
            head[place] = sum(map(len, parts))
            parts.append(values)
        head[at.N], head[at.RELATIONS], head[at.ITEMS] = n, watchers, items
        head[at.METHOD], head[at.ORDER] = method.kind, method.order
        head[at.BY_Q] = int(method.kind in (at.LIQSS, at.MLIQSS))
        self.v: Vector = np.zeros(group_at.floats(n, len(self.loud)))
        self.g: Integers = np.zeros(group_at.integers(n, len(self.loud)), np.int64)
        head[at.GROUP], head[at.GROUP_FLOATS] = self.g.ctypes.data, self.v.ctypes.data
        self.k: Integers = np.concatenate(parts)
        self._describe(live, elements, model.core.is_linear)
        self._begin = group_driver.callable("begin_group")

    def _describe(self, live: LiveModel, elements: int, is_linear: bool) -> None:
        g = self.g
        g[group_at.ELEMENTS], g[group_at.LOUD] = elements, len(self.loud)
        g[group_at.DERIVATIVES] = live.addresses["derivatives"]
        if not is_linear:
            g[group_at.DERIVATIVES] = core_visits.address("core_point")
        g[group_at.RELATIONS_OF] = live.addresses["relations"]
        g[group_at.GO_ON] = core_visits.address("core_go_on")
        g[group_at.RENEW] = core_visits.address("core_renew_here")
        g[group_at.SEEN] = core_visits.address("core_seen_here")
        g[group_at.IS_BENT] = int(not is_linear)
        first = group_at.G_HEAD + 2 * self.n
        relations = live.model.relations
        for place, number in enumerate(self.loud):
            start = first + group_at.LOUD_WIDTH * place
            relation = relations[number]
            g[start : start + 3] = number, relation.residual, relation.status

    def follow_past(self, tolerance: float) -> None:
        """What `delay(..)` looks back at; it moves when it grows."""
        history = self.live.history
        self.v[group_at.TOLERANCE] = tolerance
        self.g[group_at.PAST] = 0 if history is None else history.address

    def quanta(self, number: int) -> Vector:
        """Relative or absolute ones: `REL`, `ABS`."""
        start = at.F_HEAD + number * self.n
        return self.f[start : start + self.n]

    def take_bands(self, bands: Vector) -> None:
        """Relations that chatter leave their status only beyond a band."""
        start = group_at.V_HEAD + (group_at.VECTORS + group_at.MATRICES * self.n) * self.n
        numbers = self.v[start:].reshape(len(self.loud), group_at.LOUD_FLOATS)
        numbers[:, 0] = bands[list(self.loud)]

    def go_on(self, t: float) -> int:
        """At the values in memory."""
        self.g[group_at.PENDING] = 0
        return int(self._begin(self.live.address, *self.arrays, t))

    @property
    def arrays(self) -> tuple[int, ...]:
        """Addresses of s, z, f, k, hk."""
        return tuple(
            array.__array_interface__["data"][0]
            for array in (self.s, self.z, self.f, self.k, self.hk)
        )


def _loud(model: CompiledModel) -> tuple[int, ...]:
    """Relations that are neither corners of elements nor straight lines of time."""
    assert model.core is not None
    corners = {slot for element in model.core.elements for slot, _ in element.statuses}
    return tuple(
        number
        for number, relation in enumerate(model.relations)
        if not relation.is_straight and relation.status not in corners
    )
