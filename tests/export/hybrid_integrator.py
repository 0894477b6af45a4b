"""SciPy's integrators, restarted at each event: they share nothing with ours.

A system has `start() -> y`, `rates(t, y)`, `crossings(t, y)`, `next_time()`, `event(t, y) -> y` and
`record(t, y)`, which returns what is compared.
"""

import numpy as np
from scipy.integrate import DOP853, LSODA, RK45

MOST_EVENTS = 2000
METHODS = {"LSODA": LSODA, "DOP853": DOP853, "RK45": RK45}


def integrate(system, stop, interval, tolerance=1e-9, method="DOP853"):
    """Times and records on the grid, both sides of each event left out."""
    times, rows = [0.0], []
    y = system.start()
    rows.append(system.record(0.0, y))
    grid = list(np.arange(1, round(stop / interval) + 1) * interval)
    t, events = 0.0, 0
    while t < stop:
        end = min(stop, system.next_time())
        t_new, y_new, dense, has_crossed = advance(system, t, y, end, tolerance, method)
        while grid and grid[0] <= t_new + 1e-9 * interval:
            at = min(grid.pop(0), t_new)
            times.append(at)
            rows.append(system.record(at, dense(at)))
        t, y = t_new, y_new
        if has_crossed or (t >= system.next_time() and t < stop):
            y = system.event(t, y)
            events += 1
            assert events < MOST_EVENTS, f"events without end at {t}"
    return np.array(times), rows


def advance(system, t, y, end, tolerance, method):
    """To the end, or just behind the first crossing."""
    before = np.sign(system.crossings(t, y))
    solver = METHODS[method](
        system.rates if len(y) else lambda s, _: np.zeros(1), t, y if len(y) else np.zeros(1), end,
        rtol=tolerance, atol=1e-3 * tolerance, max_step=(end - t) / 20,
    )  # fmt: skip
    pieces = []

    def dense(at):
        piece = next((p for p in pieces if at <= p.t_max), pieces[-1])
        return piece(at)[: len(y)]

    def has_crossed(at):
        return (np.sign(system.crossings(at, dense(at))) != before).any()

    while solver.status == "running":
        message = solver.step()
        assert solver.status != "failed", message
        pieces.append(solver.dense_output())
        if has_crossed(solver.t):
            low, high = solver.t_old, solver.t
            while high - low > 1e-13 * (end - t) + 4e-16 * abs(high):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if has_crossed(middle) else (middle, high)
            return high, dense(high), dense, True
    return end, dense(end), dense, False
