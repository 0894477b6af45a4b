"""Random systems with two or three modes, each with its own states, and their exact solutions.

    system = draw(random.Random(7))
    system.text("if-equation", order)       a model that switches between the modes
    system.exact()                          values at the end, by matrix exponentials

A mode is a regular matrix pencil E y' = A y + f0 + f1 t of index 1, 2 or 3. At its beginning y jumps along
the directions W in which the pencil admits impulses, so all that E stores in other directions is kept:
y = V z + W u, where z moves as an ordinary differential equation and u follows from f and its derivatives.
Berger, Ilchmann, Trenn, The quasi-Weierstrass form for regular matrix pencils, 2012.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm, null_space, orth
from scipy.optimize import brentq

FORMS = ("if-equation", "if-expression", "number", "mixed")
RANK = 1e-9
LARGEST = 40.0  # of any value at the ends of modes: others say little about the digits of a run
END = 1.0  # time that each mode lasts, where time switches


@dataclass(frozen=True)
class Mode:
    E: np.ndarray
    A: np.ndarray
    f: np.ndarray  # columns: constant, times t
    V: np.ndarray
    W: np.ndarray
    index: int

    @property
    def states(self) -> int:
        return self.V.shape[1]

    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """J, N of the quasi-Weierstrass form, and both parts of f."""
        S = np.linalg.inv(np.hstack([self.E @ self.V, self.A @ self.W]))
        k = self.states
        J, N, f = (S @ self.A @ self.V)[:k], (S @ self.E @ self.W)[k:], S @ self.f
        return J, N, f[:k], f[k:]

    def fast(self, t: float) -> np.ndarray:
        """N u' = u + f0 + f1 t."""
        _, N, _, f = self.parts()
        return -(f @ [1.0, t]) - N @ f[:, 1]

    def begin(self, y: np.ndarray, t: float) -> np.ndarray:
        z = np.linalg.solve(np.hstack([self.V, self.W]), y)[: self.states]
        return self.V @ z + self.W @ self.fast(t)

    def after(self, y: np.ndarray, t: float, duration: float) -> np.ndarray:
        """`y` is consistent at t."""
        J, _, f, _ = self.parts()
        k = self.states
        z = np.linalg.solve(np.hstack([self.V, self.W]), y)[:k]
        big = np.zeros((k + 2, k + 2))  # z, 1, time
        big[:k, :k], big[:k, k:], big[k + 1, k] = J, f, 1.0
        z = (expm(big * duration) @ [*z, 1.0, t])[:k]
        return self.V @ z + self.W @ self.fast(t + duration)


def pencil(E: np.ndarray, A: np.ndarray, f: np.ndarray) -> Mode | None:
    """None where the pencil is singular or its numbers are nearly so."""
    n = len(E)
    if min(np.linalg.svd(A - 0.37 * E)[1]) < 0.02:
        return None
    W, index = null_space(E), 0
    if W.shape[1]:
        index = 1
        while (larger := _reached(E, A @ W)).shape[1] > W.shape[1]:
            W, index = larger, index + 1
    V = np.eye(n)
    while (smaller := _reached(A, E @ V)).shape[1] < V.shape[1]:
        V = smaller
    if V.shape[1] + W.shape[1] != n:
        return None
    for matrix in (np.hstack([V, W]), np.hstack([E @ V, A @ W])):
        if np.linalg.cond(matrix) > 200.0:
            return None
    return Mode(E, A, f, V, W, index)


def _reached(outer: np.ndarray, inner: np.ndarray) -> np.ndarray:
    base = orth(inner, RANK) if inner.size and np.abs(inner).max() > RANK else inner[:, :0]
    return null_space(outer - base @ (base.T @ outer), RANK)


@dataclass(frozen=True)
class ModeSystem:
    modes: tuple[Mode, ...]
    common: int  # the last rows are the same in all modes
    start: np.ndarray  # consistent in the first mode
    fixed: tuple[int, ...]  # variables whose start is given
    guard: tuple[int, float] | None = None  # variable and value at which a relation switches

    @property
    def size(self) -> int:
        return len(self.start)

    def exact(self) -> np.ndarray:
        return self.path()[-1]

    def path(self) -> list[np.ndarray]:
        """y at the end of each mode."""
        t, y, found = 0.0, self.start, []
        for mode, duration in zip(self.modes, self.durations(), strict=True):
            y = mode.after(mode.begin(y, t), t, duration)
            t += duration
            found.append(y)
        return found

    def durations(self) -> list[float]:
        if self.guard is None:
            return [END] * len(self.modes)
        first = crossing(self.modes[0], self.start, *self.guard)
        assert first is not None
        return [first, 2.0 - first]

    # ------------------------------------------------------------ texts

    def text(self, form: str, rng: random.Random, bend: Bend | None = None) -> str:
        """The lines of each mode come in any order."""
        n = self.size
        own = [self._lines(mode, range(n - self.common), bend) for mode in self.modes]
        for lines in own:
            rng.shuffle(lines)
        common = self._lines(self.modes[0], range(n - self.common, n), bend)
        rng.shuffle(common)
        body = _if_equation(own, self.conditions()) if form == "if-equation" else []
        for at, row in enumerate(zip(*own, strict=True)) if not body else ():
            is_if = form == "if-expression" or (form == "mixed" and at % 2)
            body.append(_if_expression(row, self.conditions()) if is_if else _sum(row))
        fixed = set(self.fixed)
        declared = ", ".join(
            f"x{k}(start={value:.17g}{', fixed=true' if k in fixed else ''})"
            for k, value in enumerate(self.start)
        )
        numbers = self._numbers() if form in ("number", "mixed") else []
        lines = [f"  {e};" for e in rng.sample(common, len(common))] + body
        return "\n".join(["model M", f"  Real {declared};", *numbers, "equation", *lines, "end M;"])

    def conditions(self) -> list[str]:
        if self.guard is not None:
            variable, value = self.guard
            side = "<" if self.start[variable] < value else ">"
            return [f"x{variable} {side} {value:.17g}"]
        return [f"time < {k + 1}" for k in range(len(self.modes) - 1)]

    def _numbers(self) -> list[str]:
        """One for each mode: 1 while it holds, else 0."""
        conditions = self.conditions()
        found, before = [], ""
        for k, condition in enumerate([*conditions, ""]):
            holds = " and ".join(part for part in (before, condition) if part)
            found.append(f"  Integer k{k} = if {holds} then 1 else 0;")
            before = " and ".join(part for part in (before, f"not {condition}") if part)
        return found

    def _lines(self, mode: Mode, rows: range, bend: Bend | None) -> list[str]:
        return [
            _line(mode.E[r], mode.A[r], mode.f[r]) + (bend.text(r) if bend else "") for r in rows
        ]


@dataclass(frozen=True)
class Bend:
    """Adds `size*sin(y[one])*cos(y[other])` to the right side of each row."""

    size: float
    of: tuple[tuple[int, int], ...]

    def text(self, row: int) -> str:
        one, other = self.of[row]
        return f" + {self.size:g}*sin(x{one})*cos(x{other})"

    def value(self, y: np.ndarray) -> np.ndarray:
        one, other = np.array(self.of).T
        return self.size * np.sin(y[one]) * np.cos(y[other])

    def slopes(self, y: np.ndarray) -> np.ndarray:
        found = np.zeros((len(y), len(y)))
        for row, (one, other) in enumerate(self.of):
            found[row, one] += self.size * np.cos(y[one]) * np.cos(y[other])
            found[row, other] -= self.size * np.sin(y[one]) * np.sin(y[other])
        return found


class NoSolutionError(Exception):
    """The bend is too large for this mode."""


class BentMode:
    """A mode of index 1 or 0: of `E y` the independent part moves on, all else follows from it."""

    def __init__(self, mode: Mode, bend: Bend) -> None:
        left, sizes, _ = np.linalg.svd(mode.E)
        rank = int((sizes > RANK).sum())
        self.mode, self.bend = mode, bend
        self.store, self.rest = left[:, :rank].T, left[:, rank:].T

    def force(self, t: float, y: np.ndarray) -> np.ndarray:
        return self.mode.A @ y + self.mode.f @ [1.0, t] + self.bend.value(y)

    def unfold(self, t: float, stored: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Newton's method."""
        for _ in range(30):
            left = [self.store @ self.mode.E @ y - stored, self.rest @ self.force(t, y)]
            slopes = [self.store @ self.mode.E, self.rest @ (self.mode.A + self.bend.slopes(y))]
            matrix = np.vstack(slopes)
            if not np.isfinite(matrix).all() or np.linalg.svd(matrix)[1][-1] < 0.02:
                break
            step = np.linalg.solve(matrix, np.concatenate(left))
            y = y - step
            if np.abs(step).max() < 1e-12:
                return y
        raise NoSolutionError

    def ends(self, y: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """y after the jump, and after the mode."""
        stored = self.store @ self.mode.E @ y
        begin = self.unfold(t, stored, self.mode.begin(y, t))

        def rate(time: float, at: np.ndarray) -> np.ndarray:
            return self.store @ self.force(time, self.unfold(time, at, begin))

        run = solve_ivp(rate, (t, t + END), stored, method="DOP853", rtol=1e-11, atol=1e-11)
        return begin, self.unfold(t + END, run.y[:, -1], begin)


def bent_path(system: ModeSystem, bend: Bend) -> list[np.ndarray]:
    """y at the beginning and at the end of each mode."""
    y, found = system.start, []
    for number, mode in enumerate(system.modes):
        begin, y = BentMode(mode, bend).ends(y, number * END)
        found += [begin, y]
    return found


def _line(E: np.ndarray, A: np.ndarray, f: np.ndarray) -> str:
    left = " + ".join(f"{_times(c)}der(x{k})" for k, c in enumerate(E) if c) or "0"
    right = [f"{_times(c)}x{k}" for k, c in enumerate(A) if c]
    right += [f"({f[0]:g})"] + ([f"{_times(f[1])}time"] if f[1] else [])
    return f"{left} = {' + '.join(right)}"


def _times(factor: float) -> str:
    return "" if factor == 1 else f"({factor:g})*"


def _if_equation(own: list[list[str]], conditions: list[str]) -> list[str]:
    found: list[str] = []
    for k, lines in enumerate(own):
        head = "if" if k == 0 else "elseif"
        found.append(f"  {head} {conditions[k]} then" if k < len(conditions) else "  else")
        found += [f"    {line};" for line in lines]
    return [*found, "  end if;"]


def _residual(line: str) -> str:
    left, right = line.split(" = ", 1)
    return f"{left} - ({right})"


def _if_expression(row: tuple[str, ...], conditions: list[str]) -> str:
    parts = [
        f"{'if' if k == 0 else 'elseif'} {condition} then {_residual(line)}"
        for k, (condition, line) in enumerate(zip(conditions, row, strict=False))
    ]
    return f"  0 = {' '.join(parts)} else {_residual(row[-1])};"


def _sum(row: tuple[str, ...]) -> str:
    return "  0 = " + " + ".join(f"k{k}*({_residual(line)})" for k, line in enumerate(row)) + ";"


def crossing(mode: Mode, start: np.ndarray, variable: int, value: float) -> float | None:
    """When it is there first; None where it is never, or only just."""

    def distance(t: float) -> float:
        return float(mode.after(start, 0.0, t)[variable] - value)

    times = np.linspace(0.0, 2.0, 81)
    sides = np.sign([distance(t) for t in times])
    turned = np.flatnonzero(sides != sides[0])
    if not len(turned) or sides[0] == 0.0:
        return None
    at = turned[0]
    return float(brentq(distance, times[at - 1], times[at], xtol=1e-14))


# ---------------------------------------------------------------- drawing


def draw(rng: random.Random) -> ModeSystem:
    """With 2 to 6 variables, of which some may belong to rows that are the same in all modes."""
    while True:
        common = rng.choice((0, 0, 0, 1, 2))
        n = rng.choice((2, 2, 3, 3, 4)) + common
        count = rng.choice((2, 2, 3))
        shared = [_row(rng, n) for _ in range(common)]
        modes = [mode for _ in range(count) if (mode := _mode(rng, n, shared)) is not None]
        if len(modes) < count:
            continue
        start, fixed = _start(rng, modes[0])
        system = ModeSystem(tuple(modes), common, start, fixed)
        if np.abs(system.path()).max() > LARGEST:
            continue
        if count == 2 and rng.random() < 0.6:
            driven = next((d for _ in range(8) if (d := _driven(system, rng))), None)
            if driven is None:
                continue
            system = driven
        return system


def _row(rng: random.Random, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    E, A = np.zeros(n), np.zeros(n)
    if rng.random() < 0.6:
        for column in rng.sample(range(n), rng.choice((1, 1, 1, 2))):
            E[column] = rng.choice((1, 1, 2, -1))
    for column in range(n):
        A[column] = rng.choice((0, 0, 0, 1, -1, 0.5))
    f = np.array([rng.choice((0, 1, -1, 2)), rng.choice((0, 0, 0, 1, -1))], float)
    return E, (0.5 * A if E.any() else A), f


def _mode(rng: random.Random, n: int, shared: list[tuple[np.ndarray, ...]]) -> Mode | None:
    for _ in range(50):
        rows = [*(_row(rng, n) for _ in range(n - len(shared))), *shared]
        E, A, f = (np.array(part) for part in zip(*rows, strict=True))
        mode = pencil(E, A, f)
        if mode is not None and mode.states > 0 and mode.index <= 3:
            return mode
    return None  # the shared rows may leave no way


def _start(rng: random.Random, mode: Mode) -> tuple[np.ndarray, tuple[int, ...]]:
    """Consistent values, and which of them give the others."""
    y = mode.begin(np.array([rng.choice((1, 2, -1, 0.5)) for _ in range(len(mode.E))], float), 0.0)
    columns = list(range(len(y)))
    rng.shuffle(columns)
    fixed: list[int] = []
    for column in columns:
        rows = mode.V[[*fixed, column]]
        if np.linalg.svd(rows)[1][-1] > 0.1 and len(fixed) < mode.states:
            fixed.append(column)
    return y, tuple(sorted(fixed))


def _driven(system: ModeSystem, rng: random.Random) -> ModeSystem | None:
    """A relation on a variable switches instead of time, and stays on its side afterwards."""
    variable = rng.randrange(system.size)
    first, second = system.modes
    ends = [first.after(system.start, 0.0, t)[variable] for t in (0.0, 0.9)]
    value = float(ends[0] + (ends[1] - ends[0]) * rng.uniform(0.4, 0.9))
    if abs(value - ends[0]) < 0.05:
        return None
    at = crossing(first, system.start, variable, value)
    if at is None or at > 1.5:
        return None
    y = second.begin(first.after(system.start, 0.0, at), at)
    side = np.sign(ends[0] - value)
    if side * (second.begin(system.start, 0.0)[variable] - value) < 0.02:
        return None  # it could begin in either mode
    later = [second.after(y, at, t)[variable] for t in np.linspace(0.0, 2.0 - at, 41)]
    if any(side * (here - value) > -0.02 for here in later):
        return None
    return ModeSystem(system.modes, system.common, system.start, system.fixed, (variable, value))


def draw_bent(rng: random.Random) -> tuple[ModeSystem, Bend]:
    """Modes of index 1 or 0, switched by time."""
    while True:
        system = draw(rng)
        if system.guard is not None or max(mode.index for mode in system.modes) > 1:
            continue
        n = system.size
        bend = Bend(0.2, tuple((rng.randrange(n), rng.randrange(n)) for _ in range(n)))
        try:
            begin = bent_path(system, bend)[0]
            bent = ModeSystem(system.modes, system.common, begin, system.fixed)
            if np.abs(bent_path(bent, bend)).max() < LARGEST:
                return bent, bend
        except NoSolutionError:
            continue
