"""Exact motion of blocks that slide and stick: an independent judge for friction.

    found = solve(Blocks(masses, joints, forces, stop))
    found.modes          # "SS", "FS", ...: one letter for each joint, from begin to end
    found.times          # of the changes between them
    found.at(times)      # velocities and positions, one row for each time

Each joint rubs between two blocks (or a block and the ground, number -1). Between events all is linear,
so each piece is a matrix exponential, the sines of the forces being states of it. At an event the machine
of six states of document "Hybrid" decides: all joints move on together until nothing changes; whether
a joint that begins to slide does so is judged by the first derivative of its speed that is not zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

NOTHING = 1e-9
DERIVATIVES = 5
LOOK = 0.004  # between two looks at all joints


@dataclass(frozen=True)
class Joint:
    inner: int
    outer: int
    stick: float
    slide: float
    viscous: float = 0.0


@dataclass(frozen=True)
class Blocks:
    masses: Sequence[float]
    joints: Sequence[Joint]
    forces: Sequence[tuple[float, float]]  # amplitude and angular frequency of a sine, by block
    stop: float

    @property
    def size(self) -> int:
        return 4 * len(self.masses) + 1  # speeds, positions, sines, cosines, one

    def start(self) -> np.ndarray:
        n = len(self.masses)
        z = np.zeros(self.size)
        z[3 * n : 4 * n + 1] = 1.0
        return z


@dataclass
class Motion:
    blocks: Blocks
    pieces: list[tuple[float, str, np.ndarray, np.ndarray]] = field(default_factory=list)

    @property
    def modes(self) -> list[str]:
        return [mode for _, mode, _, _ in self.pieces]

    @property
    def times(self) -> np.ndarray:
        return np.array([begin for begin, _, _, _ in self.pieces[1:]])

    def at(self, times: Sequence[float]) -> np.ndarray:
        begins = np.array([begin for begin, _, _, _ in self.pieces])
        numbers = np.searchsorted(begins, times, side="right") - 1
        n = len(self.blocks.masses)
        rows = []
        for t, k in zip(times, numbers, strict=True):
            begin, _, rates, z = self.pieces[k]
            rows.append((expm(rates * (t - begin)) @ z)[: 2 * n])
        return np.array(rows)


class Mode:
    """Rates of everything, and the force in each joint, for letters S, F, B of the joints."""

    def __init__(self, blocks: Blocks, letters: str) -> None:
        n, joints = len(blocks.masses), blocks.joints
        self.across = np.zeros((len(joints), n))  # speed of outer against inner
        for row, joint in zip(self.across, joints, strict=True):
            row[joint.outer] += 1.0
            if joint.inner >= 0:
                row[joint.inner] -= 1.0
        size = blocks.size
        pull = np.zeros((n, size))  # forces without those of joints that stick
        for k, (amplitude, _) in enumerate(blocks.forces):
            pull[k, 2 * n + k] = amplitude
        sticking = [j for j, letter in enumerate(letters) if letter == "S"]
        self.force = np.zeros((len(joints), size))
        for j, (letter, joint) in enumerate(zip(letters, joints, strict=True)):
            if letter != "S":
                self.force[j, :n] = joint.viscous * self.across[j]
                self.force[j, -1] = joint.slide if letter == "F" else -joint.slide
                pull -= np.outer(self.across[j], self.force[j])
        inverse = np.diag(1.0 / np.asarray(blocks.masses))
        if sticking:
            g = self.across[sticking]
            held = np.linalg.solve(g @ inverse @ g.T, g @ inverse @ pull)
            self.force[sticking] = held
            pull = pull - g.T @ held
        self.rates = np.zeros((size, size))
        self.rates[:n] = inverse @ pull
        self.rates[n : 2 * n, :n] = np.eye(n)
        for k, (_, frequency) in enumerate(blocks.forces):
            self.rates[2 * n + k, 3 * n + k] = frequency
            self.rates[3 * n + k, 2 * n + k] = -frequency
        self.speed = np.zeros((len(joints), size))
        self.speed[:, :n] = self.across

    def sign_after(self, row: np.ndarray, z: np.ndarray, first: int = 0) -> int:
        """Of `row @ z` just after now."""
        for k in range(DERIVATIVES):
            value = float(row @ z)
            if k >= first and abs(value) > NOTHING:
                return 1 if value > 0 else -1
            z = self.rates @ z
        return 0


def solve(blocks: Blocks) -> Motion:
    motion = Motion(blocks)
    z, t = blocks.start(), 0.0
    letters = _settled(blocks, z, "S" * len(blocks.joints), "")
    while True:
        mode = Mode(blocks, letters)
        motion.pieces.append((t, letters, mode.rates, z))
        found = _next_event(blocks, mode, letters, t, z)
        if found is None:
            return motion
        t, number, z = found
        if letters[number] != "S":  # it stops: exactly
            z = _stopped(mode, number, z)
        letters = _settled(blocks, z, letters, number)


def _watched(blocks: Blocks, mode: Mode, letters: str) -> list[tuple[int, np.ndarray]]:
    """Rows that are positive as long as the mode lasts."""
    one = np.zeros(blocks.size)
    one[-1] = 1.0
    rows = []
    for j, (letter, joint) in enumerate(zip(letters, blocks.joints, strict=True)):
        if letter == "S":
            rows += [(j, joint.stick * one - mode.force[j]), (j, joint.stick * one + mode.force[j])]
        else:
            rows.append((j, mode.speed[j] if letter == "F" else -mode.speed[j]))
    return rows


def _next_event(
    blocks: Blocks, mode: Mode, letters: str, begin: float, z: np.ndarray
) -> tuple[float, int, np.ndarray] | None:
    rows = _watched(blocks, mode, letters)
    step = expm(mode.rates * LOOK)
    t, here = begin, z
    while t < blocks.stop:
        there = step @ here
        crossed = [
            (_root(mode, row, here), j)
            for j, row in rows
            if row @ there < 0 and (row @ here > NOTHING or mode.sign_after(row, here) > 0)
        ]
        if crossed:
            after, number = min(crossed)
            at = t + after
            return (at, number, expm(mode.rates * after) @ here) if at < blocks.stop else None
        t, here = t + LOOK, there
    return None


def _root(mode: Mode, row: np.ndarray, z: np.ndarray) -> float:
    def value(after: float) -> float:
        return float(row @ (expm(mode.rates * after) @ z))

    low = 0.0
    if value(low) <= 0.0:  # it began at zero: find a point inside
        low = next(LOOK * 2.0**-k for k in range(1, 40) if value(LOOK * 2.0**-k) > 0.0)
    return float(brentq(value, low, LOOK, xtol=1e-15, rtol=1e-14))


def _stopped(mode: Mode, number: int, z: np.ndarray) -> np.ndarray:
    """With the speed of one joint exactly zero."""
    row = mode.speed[number]
    return z - row * float(row @ z) / float(row @ row)


def _settled(blocks: Blocks, z: np.ndarray, letters: str, number: int | str) -> str:
    """The machine: F, B, S and the states f, b that begin to slide."""
    mode = Mode(blocks, letters)
    state = list(letters)
    if isinstance(number, int):
        if letters[number] == "S":
            state[number] = "f" if mode.force[number] @ z > 0 else "b"
        else:
            state[number] = "S"
    for _ in range(100):
        mode = Mode(blocks, "".join(state).upper())
        new = [_moved_on(blocks, mode, z, j, letter) for j, letter in enumerate(state)]
        if new == state:
            return "".join(state).upper()
        state = new
    raise AssertionError("the joints do not settle")


def _moved_on(blocks: Blocks, mode: Mode, z: np.ndarray, j: int, letter: str) -> str:
    joint = blocks.joints[j]
    if letter == "S":
        force = float(mode.force[j] @ z)
        change = mode.sign_after(mode.force[j], z, first=1)
        for sign, begins in ((1, "f"), (-1, "b")):
            beyond = sign * force - joint.stick
            if beyond > NOTHING or (abs(beyond) <= NOTHING and change == sign):
                return begins
    elif letter in "fb":
        wanted = 1 if letter == "f" else -1
        return letter if mode.sign_after(mode.speed[j], z, first=1) == wanted else "S"
    return letter
